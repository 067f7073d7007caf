"""Random histories of a club, of all actions that touch its money: after every step the laws of the books hold. Whoever adds an
action of the Kasse adds one step to `tests/cash/histories/`. `HISTORIES` in the environment asks for so many long ones."""

from __future__ import annotations

import os
from random import Random

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.cash.books import book, pays
from tests.cash.histories.evenings import Evenings
from tests.cash.histories.facts import FINES, Facts
from tests.cash.histories.laws import Laws
from tests.cash.histories.money import Between, Money
from tests.cash.histories.world import books, done, tried
from tests.cash.tariffs import give_tariff
from tests.effort import LONG
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
# So often each step succeeds at least in so many histories.
OFTEN, OF = 500, 2000
ASKED = int(os.environ.get("HISTORIES", OF if LONG else 0))
HISTORIES, STEPS = (ASKED, 50) if ASKED else (3, 20)


class History(Evenings, Facts, Money, Between, Laws, RuleBasedStateMachine):
    """One history; nothing of it stays."""

    # How many came to their last step.
    ended = 0

    def __init__(self) -> None:
        super().__init__()
        self.known, self.turn = {}, 0
        self.theirs, self.stood = books(self.cast.other_club), books(self.club)
        self.begun = transaction.savepoint()
        self.look()

    # One rule alone: of many, Hypothesis leaves most out of most histories.
    @rule(data=st.data())
    def goes_on(self, data: st.DataObject) -> None:
        # Small numbers are drawn most: each time they mean another step.
        self.turn += 1
        drawn = Random(f"{data.draw(st.integers(0, 2**16))} {self.turn}")
        possible = {name: one.often for name, one in KINDS.items() if one.needs in self.there}
        (name,) = drawn.choices(list(possible), list(possible.values()))
        getattr(self, name)(**data.draw(KINDS[name].drawn, label=name))

    @invariant()
    def laws(self) -> None:
        if self.stirred:
            self.everything_holds()
            self.stirred = False
            self.look()

    def teardown(self) -> None:
        try:
            self.all_of_it_adds_up()
            History.ended += self.turn == STEPS
        finally:
            transaction.savepoint_rollback(self.begun)


KINDS = History.steps()


def test_no_history_breaks_a_law(cast: Cast) -> None:
    begin(cast)
    done.clear()
    tried.clear()
    History.cast, History.ended = cast, 0
    with transaction.atomic():
        run_state_machine_as_test(
            History,
            settings=settings(
                max_examples=HISTORIES,
                stateful_step_count=STEPS,
                phases=set(Phase) - {Phase.explain},
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
            ),
        )
    if History.ended >= OF:
        assert {name: done[name] for name in tried if done[name] * OF < OFTEN * History.ended} == {}


def begin(cast: Cast) -> None:
    """A club with six people, rules of both units, a tariff, one evening that it charges, and a club beside it with books."""
    club, other = cast.club, cast.other_club
    for name in ("Greta", "Hans"):
        make_player(club, name)
    make_rule_set(club, "anleitung")
    make_rule_set(club, "klassisch")
    give_tariff(club, fines=FINES, dues={"cents": 500})
    give_tariff(other)
    book(other, pays(other.players.all()[0], 500))
    add_game(make_table(club))
