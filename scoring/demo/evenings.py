"""Write many evenings of a generated club at once. They follow the usual rules, and the replay derives their results. The log has
no entries for them. The actions of the Kasse book their cost."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from random import Random
from typing import Final
from uuid import UUID

from scoring.cash.evening.actions import pin_current_tariff, update_attendance
from scoring.cash.evening.posting import post_evening
from scoring.cash.models import Tariff
from scoring.cash.tariff.queries import get_current_tariff
from scoring.core.database import insert
from scoring.play.models import POSITION_STEP, Evening, Game, Round, Seat, Table
from scoring.play.queries import Records
from scoring.play.replay import derive, insert_derived
from scoring.rules.deal import Progress, get_deal
from scoring.rules.parsing import normalize_facts, parse_line

from .cast import Day
from .deals import play_as
from .plans import Plan, begin_of
from .staff import Staff

GAME: Final = datetime.timedelta(minutes=5)
GAME_FIELDS: Final = tuple(field.attname for field in Game._meta.concrete_fields)


def write(staff: Staff, plans: Sequence[Plan]) -> int:
    """Write the evenings of these plans as closed and return the number of games. Plans of the same day are tables of one
    evening. The caller counts the years."""
    tariff = get_current_tariff(staff.club)
    tables = store(staff, plans, tariff)
    for evening in {one.table.evening: None for one in tables} if tariff else ():
        update_attendance(evening)
        post_evening(evening, actor=staff.scorer, cause="")
    return sum(len(one.games) for one in tables)


def store(staff: Staff, plans: Sequence[Plan], tariff: Tariff | None) -> list[Records]:
    """Write the evenings without booking their cost. Return the tables in the order of their plans."""
    evenings: dict[Day, Evening] = {}
    for plan in plans:
        if plan.held_on not in evenings:
            evening = evenings[plan.held_on] = _evening(staff, plan)
            pin_current_tariff(evening, tariff)
            evening.save()
    return _write_tables(staff, evenings, plans)


def key_of(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


def _evening(staff: Staff, plan: Plan) -> Evening:
    return Evening(
        club=staff.club,
        key=key_of(staff.rng),
        held_on=plan.held_on,
        place=plan.place,
        closed_at=begin_of(plan.held_on) + datetime.timedelta(hours=4),
        closed_by=staff.scorer.login,
    )


def _write_tables(staff: Staff, evenings: dict[Day, Evening], plans: Sequence[Plan]) -> list[Records]:
    numbers: Counter[Day] = Counter()
    tables = []
    for plan in plans:
        numbers[plan.held_on] += 1
        evening, rules = evenings[plan.held_on], staff.rules[plan.rules]
        tables.append(Table(evening=evening, number=numbers[plan.held_on], rule_set=rules))
    Table.objects.bulk_create(tables)
    rounds = Round.objects.bulk_create(Round(table=table, position=1) for table in tables)
    records = [_played(staff, plan, here) for plan, here in zip(plans, rounds, strict=True)]
    Seat.objects.bulk_create(
        Seat(round=one.rounds[0], place=place, player=player)
        for one in records
        for place, player in enumerate(one.current)
    )
    games = [game for one in records for game in one.games]
    insert(Game, GAME_FIELDS, map(attrgetter(*GAME_FIELDS), games))
    insert_derived(map(derive, records))
    return records


def _played(staff: Staff, plan: Plan, here: Round) -> Records:
    """Return a table with its games, of which only the round is stored."""
    rules, progress, people = here.table.rule_set.rules.at(len(plan.people)), Progress(), len(plan.people)
    skills = [person.skill for person in plan.people]
    entered_by, at = staff.scorer.login and staff.scorer.login.pk, begin_of(plan.held_on)
    games: list[Game] = []
    for number in range(1, plan.games + 1):
        deal = progress.propose(rules)
        facts = normalize_facts(play_as(plan.written, staff.rng, rules, skills, deal))
        key, position, entered_at = key_of(staff.rng), number * POSITION_STEP, at + number * GAME
        row = (key, here.pk, position, plan.form, deal.dealer, facts, "", 1, False, entered_by, entered_at)
        games.append(Game.from_db(None, GAME_FIELDS, row))
        dealt = get_deal(plan.form, parse_line(plan.form, facts, rules, deal.dealer), deal.dealer, rules)
        progress = progress.add_deal(dealt, people) if dealt else progress
    players = [staff.players[person.name] for person in plan.people]
    return Records(here.table, [here], {here.pk: players}, games, [], [])
