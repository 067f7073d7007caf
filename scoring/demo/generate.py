"""Clubs made by chance, as large as somebody wants them, to measure with and to try things out. What is played obeys the same
rules as everything, and what follows from it is written by the replay; only the facts are written many at once, and nobody has
typed them, so the history says nothing of single games. Half of the clubs have a Kasse, which the actions keep."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.cash.actions.closing import close_month
from scoring.cash.actions.facts import attend, pin_current
from scoring.cash.actions.tariffs import change_tariff
from scoring.cash.actions.typed import Typed, book
from scoring.cash.models.books import Kind
from scoring.cash.queries.books import hash_of, owed
from scoring.cash.queries.closing import draft, next_to_close
from scoring.cash.rules.questions import Answers, tariff_of
from scoring.club.actions.history import Actor
from scoring.club.models.people import Club, Membership
from scoring.evenings.actions import close_evening
from scoring.league.actions import add_season
from scoring.league.rules.settings import DEFAULT
from scoring.play.actions.replay import store_new
from scoring.play.models import POSITION_STEP, Evening, Game, Round, Seat, Table
from scoring.play.queries.records import Records
from scoring.rules.deal import Progress, deal_of
from scoring.rules.facts import canonical, read_line
from scoring.rulesets.models import RuleSet

from .cast import Cast, Day, Person
from .deals import play
from .league import HERE
from .names import invented_cast
from .seasons import BEGINS, WEEK, Staff, found, who_comes

GAMES: Final = (36, 40, 44)
# From so many people on they sit at two tables.
TWO_TABLES: Final = 8
MOST: Final = 10
# How many evenings are written at once.
AT_ONCE: Final = 20
# The Kasse began so many evenings ago.
CHARGED: Final = 26
TARIFF: Final = tariff_of(Answers(rate=5, cap=500, fee=100, guest=200, missed=100), {})


class Made(NamedTuple):
    """One club that was made: how many games it has played, and its logins, as `found` answers them."""

    club: Club
    games: int
    logins: list[dict[str, str]]


def generate(*, clubs: int, evenings: int, seed: int) -> Iterator[Made]:
    """So many new clubs, each with so many evenings, one a week until today. The same seed makes the same on the same day, as long
    as there were no such clubs before."""
    first = Club.wherever.filter(slug__startswith="club-").count() + 1
    for number in range(first, first + clubs):
        rng = Random(f"{seed}/{number}")  # noqa: S311  # nosec B311  # invented games, no secrets
        with transaction.atomic():
            yield _club(number, evenings, rng)


def _club(number: int, evenings: int, rng: Random) -> Made:
    today = timezone.localdate()
    last = today - datetime.timedelta(days=rng.randrange(7))
    days = [last - WEEK * ago for ago in reversed(range(evenings))]
    cast = invented_cast(number, days[0], rng)
    staff, logins = found(cast, rng)
    _season(staff, today.year)
    before = max(evenings - CHARGED, 0) if rng.random() < 0.5 else evenings
    games = 0
    for start in range(0, before, AT_ONCE):
        games += len(_write(staff, cast, days[start : min(start + AT_ONCE, before)]))
    return Made(staff.club, games + _charged(staff, cast, days[before:]), logins)


def _season(staff: Staff, year: int) -> None:
    add_season(
        club=staff.club,
        actor=staff.admin,
        name=f"Saison {year}",
        first_day=Day(year, 1, 1),
        last_day=Day(year, 12, 31),
        unit="points",
        settings=DEFAULT,
    )


# --- Evenings ---------------------------------------------------------------------------------------------------------


def _write(staff: Staff, cast: Cast, days: Sequence[Day]) -> list[Game]:
    """The evenings of these days, closed, with everything that follows from them. Answers their games."""
    evenings = Evening.objects.bulk_create(_evening(staff, cast, day) for day in days)
    seated = [(evening, people) for evening in evenings for people in _line_ups(staff.rng, cast, evening.held_on)]
    return _write_tables(staff, seated)


def _evening(staff: Staff, cast: Cast, day: Day) -> Evening:
    return Evening(
        club=staff.club,
        key=_key(staff.rng),
        held_on=day,
        place=staff.rng.choice(cast.places),
        closed_at=_end_of(day),
        closed_by=staff.scorer.login,
    )


def _end_of(day: Day) -> datetime.datetime:
    return datetime.datetime.combine(day, BEGINS, HERE) + datetime.timedelta(hours=4)


def _line_ups(rng: Random, cast: Cast, day: Day) -> list[Sequence[Person]]:
    """Who sat at each table; at least four."""
    people = who_comes(rng, cast.people, day, rng.randint(4, MOST))
    half = len(people) // 2
    return [people[:half], people[half:]] if len(people) >= TWO_TABLES else [people]


def _write_tables(staff: Staff, seated: Sequence[tuple[Evening, Sequence[Person]]]) -> list[Game]:
    numbers: Counter[int] = Counter()
    tables = []
    for evening, _people in seated:
        numbers[evening.pk] += 1
        tables.append(Table(evening=evening, number=numbers[evening.pk], rule_set=_rules(staff, evening.held_on)))
    Table.objects.bulk_create(tables)
    rounds = Round.objects.bulk_create(Round(table=table, position=1) for table in tables)
    records = [_played(staff, round, people) for round, (_evening, people) in zip(rounds, seated, strict=True)]
    Seat.objects.bulk_create(
        Seat(round=one.rounds[0], place=place, player=player)
        for one in records
        for place, player in enumerate(one.current)
    )
    games = Game.objects.bulk_create(game for one in records for game in one.games)
    store_new(records)
    return games


def _rules(staff: Staff, day: Day) -> RuleSet:
    """The first evening of a month is a tournament."""
    house, tournament = staff.rules.values()
    return tournament if day.day <= WEEK.days else house


def _played(staff: Staff, here: Round, people: Sequence[Person]) -> Records:
    """A table with its games, none of it stored but the round."""
    rng, rules, progress = staff.rng, here.table.rule_set.rules.at(len(people)), Progress()
    skills = [person.skill for person in people]
    games: list[Game] = []
    for number in range(1, rng.choice(GAMES) + 1):
        deal = progress.proposal(rules)
        facts = canonical(play(rng, rules, skills, deal))
        games.append(
            Game(
                key=_key(rng),
                round=here,
                position=number * POSITION_STEP,
                form=Game.Form.PLAYED,
                dealer=deal.dealer,
                facts=facts,
                entered_by=staff.scorer.login,
                entered_at=_end_of(here.table.evening.held_on),
            )
        )
        dealt = deal_of(Game.Form.PLAYED, read_line(Game.Form.PLAYED, facts, rules, deal.dealer), deal.dealer, rules)
        progress = progress.after(dealt, len(people)) if dealt else progress
    players = [staff.players[person.name] for person in people]
    return Records(here.table, [here], {here.pk: players}, games, [], {}, [])


def _key(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


# --- The Kasse --------------------------------------------------------------------------------------------------------


def _charged(staff: Staff, cast: Cast, days: Sequence[Day]) -> int:
    """Evenings that cost something, one after the other: at the first of a month everybody pays what is open, and the month before
    the last is closed."""
    if not days:
        return 0
    login = Membership.objects.select_related("user").get(club=staff.club, treasurer=True).user
    actor = Actor(login, treasurer=True)
    tariff = change_tariff(club=staff.club, actor=actor, content=TARIFF, seen=0)
    games, month = 0, days[0].month
    for day in days:
        if day.month != month:
            _month(staff, actor, day)
            month = day.month
        games += len(_write(staff, cast, [day]))
        evening = Evening.objects.filter(club=staff.club).latest("pk")
        pin_current(evening, tariff)
        evening.closed_at = None
        evening.save()
        attend(evening)
        close_evening(evening=evening, actor=staff.scorer)
    return games


def _month(staff: Staff, actor: Actor, day: Day) -> None:
    players = {player.pk: player for player in staff.players.values()}
    for pk, cents in owed(staff.club).items():
        if cents > 0:
            typed = Typed(kind=Kind.PAYMENT, cents=cents, date=day, reason="", box="cash", person=players[pk])
            book(club=staff.club, actor=actor, key=_key(staff.rng), typed=typed)
    last = f"{day.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
    while (month := next_to_close(staff.club)) is not None and month < last:
        close_month(club=staff.club, actor=actor, month=month, seen=hash_of(draft(staff.club, month)))
