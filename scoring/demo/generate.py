"""Clubs made by chance, as large as somebody wants them, to measure with and to try things out. Half of them have a Kasse, kept by
its actions."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.cash.actions.closing import close_months
from scoring.cash.actions.tariffs import change_tariff
from scoring.cash.actions.typed import TypedBooking, book
from scoring.cash.models.books import Kind
from scoring.cash.queries.books import hash_of, owed
from scoring.cash.queries.closing import drafts, open_months
from scoring.cash.rules.questions import TariffAnswers, tariff_of
from scoring.club.actions.history import Actor
from scoring.club.actions.people import add_member, first_password, keep_login
from scoring.club.models.people import Club, Membership
from scoring.league.actions import add_season
from scoring.league.rules.settings import DEFAULT
from scoring.play.actions.years import recount

from .cast import Cast, Day
from .evenings import key_of, write
from .names import invented_cast
from .plans import WEEK, Plan, who_comes
from .staff import Staff, found

GAMES: Final = (36, 40, 44)
# From so many people on they sit at two tables.
TWO_TABLES: Final = 8
MOST: Final = 10
# How many evenings are written at once.
AT_ONCE: Final = 20
# The Kasse began so many evenings ago.
CHARGED: Final = 26
TARIFF: Final = tariff_of(TariffAnswers(rate=5, cap=500, fee=100, guest=200, missed=100), {})


class Made(NamedTuple):
    """One club that was made: how many games it has played, and its logins, as `found` answers them."""

    club: Club
    games: int
    logins: list[dict[str, str]]


class Hire:
    """New logins that have one password, which is hashed once: hashing hundreds takes longer than their games."""

    def __init__(self) -> None:
        self.password = first_password()
        self.hashed = make_password(self.password)

    def __call__(self, *, club: Club, actor: Actor, login: str, roles: Sequence[str]) -> tuple[Membership, str]:
        keep_login(User(username=login, password=self.hashed))
        return add_member(club=club, actor=actor, login=login, roles=roles), self.password


def generate(*, clubs: int, evenings: int, seed: int) -> Iterator[Made]:
    """So many new clubs, each with so many evenings, one a week until today. The same seed makes the same on the same day, as long
    as there were no such clubs before."""
    first, hire = Club.wherever.filter(slug__startswith="club-").count() + 1, Hire()
    for number in range(first, first + clubs):
        rng = Random(f"{seed}/{number}")  # noqa: S311  # nosec B311  # invented games, no secrets
        with transaction.atomic():
            yield _club(number, evenings, rng, hire)


def _club(number: int, evenings: int, rng: Random, hire: Hire) -> Made:
    today = timezone.localdate()
    last = today - datetime.timedelta(days=rng.randrange(7))
    days = [last - WEEK * ago for ago in reversed(range(evenings))]
    cast = invented_cast(number, days[0], rng)
    staff, logins = found(cast, rng, hire)
    _season(staff, today.year)
    charged = days[-CHARGED:] if rng.random() < 0.5 else []
    free = days[: len(days) - len(charged)]
    games = 0
    for start in range(0, len(free), AT_ONCE):
        games += write(staff, list(chain(*(_plans(cast, day, rng) for day in free[start : start + AT_ONCE]))))
    games += _charged(staff, cast, charged)
    recount(staff.club.pk)
    return Made(staff.club, games, logins)


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


def _plans(cast: Cast, day: Day, rng: Random) -> Iterator[Plan]:
    """The tables of an evening, with four people at least. The first evening of a month is a tournament."""
    house, tournament = cast.rules
    people, place = who_comes(rng, cast.people, day, rng.randint(4, MOST)), rng.choice(cast.places)
    half = len(people) // 2
    for there in (people[:half], people[half:]) if len(people) >= TWO_TABLES else (people,):
        rules = tournament if day.day <= WEEK.days else house
        yield Plan(held_on=day, rules=rules.name, people=there, games=rng.choice(GAMES), place=place)


# --- The Kasse --------------------------------------------------------------------------------------------------------


def _charged(staff: Staff, cast: Cast, days: Sequence[Day]) -> int:
    """Evenings that cost something, one after the other: at the first of a month everybody pays what is open. The months before the
    last are closed."""
    if not days:
        return 0
    login = Membership.objects.select_related("user").get(club=staff.club, treasurer=True).user
    actor = Actor(login, treasurer=True)
    change_tariff(club=staff.club, actor=actor, content=TARIFF, seen=0)
    games, month = 0, days[0].month
    for day in days:
        if day.month != month:
            _paid(staff, actor, day)
            month = day.month
        games += write(staff, list(_plans(cast, day, staff.rng)))
    _closed(staff.club, actor, days[-1].replace(day=1))
    return games


def _paid(staff: Staff, actor: Actor, day: Day) -> None:
    players = {player.pk: player for player in staff.players.values()}
    for pk, cents in owed(staff.club).items():
        if cents > 0:
            typed = TypedBooking(kind=Kind.PAYMENT, cents=cents, date=day, reason="", box="cash", person=players[pk])
            book(club=staff.club, actor=actor, key=key_of(staff.rng), typed=typed)


def _closed(club: Club, actor: Actor, running: Day) -> None:
    """All months before the one that was over when the running one began."""
    over = running - datetime.timedelta(days=1)
    until = f"{over.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
    if months := open_months(club, until):
        *_before, last = drafts(club, months)
        close_months(club=club, actor=actor, until=until, seen=hash_of(last))
