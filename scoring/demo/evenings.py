"""Write the evenings of an invented club: most at once, without log entries, some by the actions of the table, with typos."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from random import Random
from typing import Final
from uuid import UUID

from scoring.cash.evening.actions import pin_current_tariff, update_attendance
from scoring.cash.evening.posting import post_evening
from scoring.cash.tariff.queries import get_current_tariff
from scoring.club.actions import Actor
from scoring.core.database import insert
from scoring.demo.cast import MISCOUNT, NOTES, PENALTY, REDEALS, Day, Plan, get_start
from scoring.demo.founding import Staff, get_last_change, set_clock
from scoring.demo.games import Facts, invent_game
from scoring.evenings.actions import close_evening, open_evening, reopen_evening
from scoring.play.models import POSITION_STEP, Evening, Game, Round, Seat, Table
from scoring.play.queries import Records, propose_next, read_records
from scoring.play.replay import derive, insert_derived
from scoring.rules.parsing import normalize_facts, parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import Progress, Proposal
from scoring.table.actions.games import Saved, Typed, add_game, add_games, correct_game, delete_game, undo

GAME_LENGTH: Final = datetime.timedelta(minutes=5)
GAME_FIELDS: Final = tuple(field.attname for field in Game._meta.concrete_fields)


def write_evenings(staff: Staff, plans: Sequence[Plan]) -> int:
    """Write the evenings of these plans as closed and return the number of games. Plans of the same day are tables of one evening.
    The caller updates years."""
    tariff = get_current_tariff(staff.club)
    evenings: dict[Day, Evening] = {}
    numbers: Counter[Day] = Counter()
    tables = []
    for plan in plans:
        day = plan.held_on
        if day not in evenings:
            evening = evenings[day] = Evening(club=staff.club, key=make_key(staff.rng), held_on=day, place=plan.place)
            evening.closed_at, evening.closed_by = get_start(day) + datetime.timedelta(hours=4), staff.scorer.login
            pin_current_tariff(evening, tariff)
            evening.save()
        numbers[day] += 1
        tables.append(Table(evening=evenings[day], number=numbers[day], rule_set=staff.rules[plan.rules]))
    Table.objects.bulk_create(tables)
    rounds = Round.objects.bulk_create(Round(table=table, position=1) for table in tables)
    records = [_play_table(staff, plan, here) for plan, here in zip(plans, rounds, strict=True)]
    seated = ((one.rounds[0], place, player) for one in records for place, player in enumerate(one.current))
    Seat.objects.bulk_create(Seat(round=here, place=place, player=player) for here, place, player in seated)
    games = [game for one in records for game in one.games]
    insert(Game, GAME_FIELDS, map(attrgetter(*GAME_FIELDS), games))
    insert_derived(map(derive, records))
    for evening in evenings.values() if tariff else ():
        update_attendance(evening)
        post_evening(evening, actor=staff.scorer, cause="")
    return len(games)


def make_key(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


def _play_table(staff: Staff, plan: Plan, here: Round) -> Records:
    rules, progress = here.table.rule_set.rules.at(len(plan.people)), Progress()
    skills = [person.skill for person in plan.people]
    entered_by, at = staff.scorer.login and staff.scorer.login.pk, get_start(plan.held_on)
    games: list[Game] = []
    for number in range(1, plan.games + 1):
        deal = progress.propose(rules)
        facts = normalize_facts(invent_game(plan.written, staff.rng, rules, skills, deal))
        key, position, entered_at = make_key(staff.rng), number * POSITION_STEP, at + number * GAME_LENGTH
        row = (key, here.pk, position, plan.form, deal.dealer, facts, "", 1, False, entered_by, entered_at)
        games.append(Game.from_db(None, GAME_FIELDS, row))
        progress = progress.add_line(plan.form, parse_line(plan.form, facts, rules, deal.dealer), deal.dealer, rules)
    players = [staff.players[person.name] for person in plan.people]
    return Records(here.table, [here], {here.pk: players}, games, [], [])


def play_evening(staff: Staff, plan: Plan, fine: Callable[[Evening, Actor], None] | None = None) -> None:
    """Enter an evening by the actions, as if on its day; `fine` enters its fines."""
    before = get_last_change(staff.club)
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
            phone.enter_extra_line()
        phone.enter_game(number)
    phone.enter_pending()
    if fine is not None:
        fine(table.evening, staff.scorer)
    if not plan.stops:
        close_evening(evening=table.evening, actor=staff.scorer)
        if plan.extra == "afterthought":
            phone.correct_next_morning(table.evening)
    set_clock(staff.club, before, get_start(plan.held_on), staff.rng)


class Phone:
    """The phone at the table for one evening. Games without an error are collected in `pending` and entered with one replay."""

    def __init__(self, staff: Staff, plan: Plan, table: Table) -> None:
        self.rng, self.plan, self.table, self.scorer = staff.rng, plan, table, staff.scorer
        self.admin = staff.admin
        self.rules: RuleSettings = table.rule_set.rules.at(len(plan.people))
        self.skills = [person.skill for person in plan.people]
        self.records = read_records(table)
        self.pending: list[tuple[UUID, Typed]] = []

    def enter_game(self, number: int) -> None:
        deal = propose_next(self.records)
        facts = self._facts(number, deal)
        slip = self.rng.random()
        if slip < 0.04 and "eyes" in facts:
            typo = self._enter("played", {**facts, "eyes": 240 - facts["eyes"]}, deal.dealer)
            self._correct(typo.game, facts)
            return
        if slip < 0.05:
            self._undo(self._enter(self.plan.form, facts, deal.dealer))
        elif slip < 0.06:
            self._delete(self._enter(self.plan.form, facts, deal.dealer).game)
        elif slip < 0.07 and number:
            self.enter_pending()
            self._undo(self._delete(self.records.games[-1]))
        self._collect(self.plan.form, facts, deal.dealer, self.rng.choice(NOTES) if self.rng.random() < 0.03 else "")
        if slip > 0.96 and number > 5 and self.plan.form == "played":
            self.enter_pending()
            self._add_missing_announcement(self.records.games[-4:-1])

    def enter_extra_line(self) -> None:
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

    def correct_next_morning(self, evening: Evening) -> None:
        reopen_evening(evening=evening, actor=self.admin)
        self._add_missing_announcement(self.records.games[3:], self.admin)
        close_evening(evening=evening, actor=self.admin)

    def enter_pending(self) -> None:
        if self.pending:
            self.records = add_games(table=self.table, actor=self.scorer, lines=self.pending)
            self.pending = []

    def _facts(self, number: int, deal: Proposal) -> Facts:
        if self.plan.stops and number == self.plan.games - 1:
            # A lost announced game, so that the open table shows a Bock.
            seats = [seat for seat in range(self.rules.table) if seat != deal.dealer]
            return {"kind": "normal", "re": sorted(seats[:2]), "eyes": 113, "re_said": "said"}
        return invent_game(self.plan.written, self.rng, self.rules, self.skills, deal)

    def _collect(self, form: str, facts: Facts, dealer: int, note: str) -> None:
        """Collect a game; the next dealer already depends on it."""
        key = make_key(self.rng)
        self.pending.append((key, Typed(form, facts, dealer, note)))
        line = Game(key=key, round=self.records.rounds[-1], form=form, dealer=dealer, facts=facts)
        self.records = replace(self.records, games=[*self.records.games, line])

    def _enter(self, form: str, facts: Facts, dealer: int | None) -> Saved:
        self.enter_pending()
        after = self.records.last.key if self.records.last else None
        key, typed = make_key(self.rng), Typed(form, facts, dealer)
        return self._keep_records(add_game(table=self.table, actor=self.scorer, key=key, after=after, typed=typed))

    def _correct(self, game: Game, facts: Facts, actor: Actor | None = None) -> Saved:
        typed = Typed(game.form, facts, game.dealer, game.note)
        actor = actor or self.scorer
        return self._keep_records(correct_game(table=self.table, actor=actor, key=game.key, version=game.version, typed=typed))

    def _undo(self, saved: Saved) -> None:
        if saved.change is not None:
            self._keep_records(undo(table=self.table, actor=self.scorer, change_id=saved.change.pk))

    def _delete(self, game: Game) -> Saved:
        return self._keep_records(delete_game(table=self.table, actor=self.scorer, key=game.key, version=game.version))

    def _add_missing_announcement(self, games: Sequence[Game], actor: Actor | None = None) -> None:
        """Add a missing announcement to a game; at times it was the wrong game and is undone."""
        silent = [game for game in games if game.form == "played" and "re_said" not in game.facts]
        if not silent or not self.rules.announcements:
            return
        saved = self._correct(silent[0], {**silent[0].facts, "re_said": "said"}, actor)
        if self.rng.random() < 0.3 and actor is None:
            self._undo(saved)

    def _keep_records(self, saved: Saved) -> Saved:
        self.records = saved.records
        return saved
