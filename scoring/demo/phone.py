"""Enter an evening by the actions of the table, with typing errors and corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, open_evening, reopen_evening
from scoring.play.models import Evening, Game, Table
from scoring.play.queries import propose_next, read_records
from scoring.rules.deal import Proposal
from scoring.rules.settings import RuleSettings
from scoring.table.actions.games import Saved, Typed, add_game, add_games, correct_game, delete_game, undo

from .cast import MISCOUNT, NOTES, PENALTY, REDEALS
from .deals import Facts, play_as
from .evenings import key_of
from .plans import Plan, begin_of
from .staff import Staff, last_change, set_clock


def play_evening(staff: Staff, plan: Plan, fine: Callable[[Evening, Actor], None] | None = None) -> None:
    """Open the evening, enter its games, errors and fines, close it, and set its times."""
    before = last_change(staff.club)
    table = open_evening(
        club=staff.club,
        actor=staff.scorer,
        held_on=plan.held_on,
        rule_set=staff.rules[plan.rules],
        players=[staff.players[person.name] for person in plan.people],
        place=plan.place,
    )
    phone = Phone(staff, plan, table)
    for number in range(plan.games):
        if number == plan.games // 2:
            phone.extra_line()
        phone.game(number)
    phone.ink()
    if fine is not None:
        fine(table.evening, staff.scorer)
    if not plan.stops:
        close_evening(evening=table.evening, actor=staff.scorer)
        if plan.extra == "afterthought":
            phone.afterthought(table.evening)
    set_clock(staff.club, before, begin_of(plan.held_on), staff.rng)


class Phone:
    """The phone at the table for one evening. Games without an error are collected and entered together, with one replay."""

    def __init__(self, staff: Staff, plan: Plan, table: Table) -> None:
        self.rng, self.plan, self.table, self.scorer = staff.rng, plan, table, staff.scorer
        self.admin = staff.admin
        self.rules: RuleSettings = table.rule_set.rules.at(len(plan.people))
        self.skills = [person.skill for person in plan.people]
        self.records = read_records(table)
        self.pencilled: list[tuple[UUID, Typed]] = []

    def game(self, number: int) -> None:
        """Enter a game, with an error at times."""
        deal = propose_next(self.records)
        facts = self._facts(number, deal)
        slip = self.rng.random()
        if slip < 0.04 and "eyes" in facts:
            typo = self._enter("played", {**facts, "eyes": 240 - facts["eyes"]}, deal.dealer)
            self._correct(typo.game, facts)
            return
        if slip < 0.05:
            self._take_back(self._enter(self.plan.form, facts, deal.dealer))
        elif slip < 0.06:
            self._delete(self._enter(self.plan.form, facts, deal.dealer).game)
        elif slip < 0.07 and number:
            self.ink()
            self._take_back(self._delete(self.records.games[-1]))
        self._pencil(self.plan.form, facts, deal.dealer, self.rng.choice(NOTES) if self.rng.random() < 0.03 else "")
        if slip > 0.96 and number > 5 and self.plan.form == "played":
            self.ink()
            self._remember_an_announcement(self.records.games[-4:-1])

    def extra_line(self) -> None:
        """Enter a line that is no game."""
        people = len(self.plan.people)
        if self.plan.extra == "redeal":
            dealer = propose_next(self.records).dealer
            self._enter("redeal", {"seat": self.rng.randrange(people), "reason": self.rng.choice(REDEALS)}, dealer)
        elif self.plan.extra == "penalty":
            offender = self.rng.randrange(people)
            points = [1 - people if seat == offender else 1 for seat in range(people)]
            self._enter("penalty", {"points": points, "reason": PENALTY}, None)
        elif self.plan.extra == "correction":
            seats = self.rng.sample(range(people), 2)
            points = [{seats[0]: 2, seats[1]: -2}.get(seat, 0) for seat in range(people)]
            self._enter("correction", {"points": points, "reason": MISCOUNT}, None)

    def afterthought(self, evening: Evening) -> None:
        """Let the admin correct an error on the next morning."""
        reopen_evening(evening=evening, actor=self.admin)
        self._remember_an_announcement(self.records.games[3:], self.admin)
        close_evening(evening=evening, actor=self.admin)

    def ink(self) -> None:
        """Enter the collected games."""
        if self.pencilled:
            self.records = add_games(table=self.table, actor=self.scorer, lines=self.pencilled)
            self.pencilled = []

    def _facts(self, number: int, deal: Proposal) -> Facts:
        if self.plan.stops and number == self.plan.games - 1:
            # A lost announced game, so that the open table shows a Bock.
            seats = [seat for seat in range(self.rules.table) if seat != deal.dealer]
            return {"kind": "normal", "re": sorted(seats[:2]), "eyes": 113, "re_said": "said"}
        return play_as(self.plan.written, self.rng, self.rules, self.skills, deal)

    def _pencil(self, form: str, facts: Facts, dealer: int, note: str) -> None:
        """Collect a game; the next dealer already depends on it."""
        key = key_of(self.rng)
        self.pencilled.append((key, Typed(form, facts, dealer, note)))
        line = Game(key=key, round=self.records.rounds[-1], form=form, dealer=dealer, facts=facts)
        self.records = replace(self.records, games=[*self.records.games, line])

    def _enter(self, form: str, facts: Facts, dealer: int | None) -> Saved:
        self.ink()
        last = self.records.last
        return self._did(
            add_game(
                table=self.table,
                actor=self.scorer,
                key=key_of(self.rng),
                after=last.key if last else None,
                typed=Typed(form, facts, dealer),
            )
        )

    def _correct(self, game: Game, facts: Facts, actor: Actor | None = None) -> Saved:
        typed = Typed(game.form, facts, game.dealer, game.note)
        return self._did(
            correct_game(table=self.table, actor=actor or self.scorer, key=game.key, version=game.version, typed=typed)
        )

    def _take_back(self, saved: Saved) -> None:
        if saved.change is not None:
            self._did(undo(table=self.table, actor=self.scorer, change_id=saved.change.pk))

    def _delete(self, game: Game) -> Saved:
        return self._did(delete_game(table=self.table, actor=self.scorer, key=game.key, version=game.version))

    def _remember_an_announcement(self, games: Sequence[Game], actor: Actor | None = None) -> None:
        """Add a missing announcement to a game; at times it was the wrong game and is corrected back."""
        silent = [game for game in games if game.form == "played" and "re_said" not in game.facts]
        if not silent or not self.rules.announcements:
            return
        saved = self._correct(silent[0], {**silent[0].facts, "re_said": "said"}, actor)
        if self.rng.random() < 0.3 and actor is None:
            self._take_back(saved)

    def _did(self, saved: Saved) -> Saved:
        self.records = saved.records
        return saved
