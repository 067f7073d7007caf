"""Which games of the last evening are shown while rules are edited, and what they say."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table
from scoring.models import Club, Table
from scoring.play.queries import read_records
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rules.validation import Sentence
from scoring.rulesets.actions import change_rule_set
from scoring.whatif.queries.samples import Samples, samples
from scoring.whatif.rules import UNKNOWN_KIND
from tests.factories import add_game, make_club, make_rule_set, make_table
from tests.own import own_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


def told(club: Club, preset: str = "ddv", **change: Any) -> Samples:
    return samples(make_rule_set(club, preset), {**get_preset_data(preset), **change})


def evening(club: Club, day: int = 6) -> Table:
    table = make_table(club, held_on=datetime.date(2026, 3, day))
    for eyes in (130, 125, 122, 128):
        add_game(table, eyes=eyes)
    add_game(table, form="redeal")
    add_game(table, re=[1, 2], eyes=100)
    add_game(table, kind="damensolo", re=[3], eyes=200)
    return table


def test_the_games_that_change_are_told(club: Club) -> None:
    evening(club)
    found = told(club, gegen_die_alten=5)
    assert (found.games, found.changed, len(found.told)) == (6, 1, 3)
    assert [sample.number for sample in found.told if sample.differs] == [5]
    sample = next(sample for sample in found.told if sample.differs)
    assert (sample.before.outcome.points, sample.after.outcome.points) == ((2, -2, -2, 2), (6, -6, -6, 6))
    assert [str(name) for name in sample.names] == ["Ärmel", "Bodo", "Çelik", "Özlem"]


def test_three_different_games_tell_more_than_the_same_thrice(club: Club) -> None:
    evening(club)
    numbers = [sample.number for sample in told(club, won=2).told]
    assert numbers == sorted(numbers)
    assert {5, 6} < set(numbers)


def test_it_is_the_last_evening_at_which_somebody_played(club: Club) -> None:
    evening(club, 6)
    last = evening(club, 13)
    make_table(club, held_on=datetime.date(2026, 3, 20))
    assert told(club).table == last
    assert told(club).changed == 0


def test_it_is_the_last_evening_by_this_rule_set(club: Club) -> None:
    """Two tables of one evening play by different rules; and a set that was never played by shows the last of all."""
    first = evening(club)
    own = make_rule_set(club, "klassisch", "Hausregeln")
    people = read_records(first).current
    second = add_table(evening=first.evening, actor=Actor(), rule_set=own, players=people)
    add_game(second)
    last = evening(club, 13)
    newer = change_rule_set(rule_set=own, actor=Actor(), settings={**own.settings, "won": 2})
    assert samples(newer, {**newer.settings, "won": 3}).table == second
    assert samples(make_rule_set(club, "anleitung"), newer.settings).table == last


def test_games_that_rules_do_not_take_are_named(club: Club) -> None:
    table = evening(club)
    found = samples(table.rule_set, get_preset_data("klassisch"))
    assert found.refused == [(6, [Sentence(UNKNOWN_KIND, {"kind": "Damensolo"})])]
    assert found.games == 5


def test_what_one_of_both_rules_does_not_know_is_left_out_and_named(club: Club) -> None:
    """Own special points and kinds of the evening, by rules that never had them: as in What if."""
    own_evening(club)
    other = make_rule_set(club, "ddv", kinds=["normal", "armut", "fleischlos"])
    found = samples(other, {**other.settings, "won": 2})
    assert [(number, *map(str, why)) for number, why in found.refused] == [
        (1, "Nach diesen Regeln entscheiden die Augen. Sie stehen nicht dabei."),
        (2, "Die Spielart „Schieberamsch“ gibt es nach diesen Regeln nicht."),
    ]
    assert found.surplus == [("Gans", 1), ("Hirsch", 1)]
    (sample,) = found.told
    assert (sample.number, sample.kind, found.changed) == (3, "Kleine Armut", 1)


def test_an_own_special_point_that_goes_counts_before_alone(club: Club) -> None:
    table = own_evening(club)
    stored = table.rule_set.settings
    left = {key: row for key, row in stored["specials"].items() if key != "hirsch"}
    found = samples(table.rule_set, {**stored, "specials": left})
    assert (found.refused, found.games, found.changed, found.surplus) == ([], 3, 1, [("Hirsch", 1)])
    sample = found.told[-1]
    assert (sample.before.outcome.value, sample.after.outcome.value) == (6, 4)


def test_bock_counts_in_the_samples(club: Club) -> None:
    table = make_table(club)
    add_game(table, re_said="said", eyes=100)
    add_game(table)
    after = {**get_preset_data("ddv"), "bock": get_preset_data("anleitung")["bock"]}
    found = samples(table.rule_set, after)
    assert [sample.after.level for sample in found.told] == [0, 1]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_club_that_has_not_played_sees_three_examples(club: Club, preset: str) -> None:
    found = told(club, preset, won=7)
    assert (found.table, found.games, found.changed, found.refused) == (None, 3, 3, [])
