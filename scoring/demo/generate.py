"""Clubs made by chance, as large as somebody wants them, to measure with and to try things out. Half of them have a Kasse
(books.py)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from random import Random
from typing import Final, NamedTuple

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.club.actions import Actor, add_member, generate_password, save_login
from scoring.club.models import Club, Membership
from scoring.league.actions import add_season
from scoring.league.rules import DEFAULT
from scoring.play.replay import update_years

from .books import Kasse
from .cast import Cast, Day
from .evenings import write
from .names import invented_cast, number_in
from .plans import WEEK, Plan, who_comes
from .staff import Staff, found

GAMES: Final = (36, 40, 44)
# From so many people on they sit at two tables.
TWO_TABLES: Final = 8
MOST: Final = 10


class Made(NamedTuple):
    """One club that was made: how many games it has played, and its logins, as `found` answers them."""

    club: Club
    games: int
    logins: list[dict[str, str]]


class Hire:
    """New logins that have one password, which is hashed once: hashing hundreds takes longer than their games."""

    def __init__(self) -> None:
        self.password = generate_password()
        self.hashed = make_password(self.password)

    def __call__(self, *, club: Club, actor: Actor, login: str, roles: Sequence[str]) -> tuple[Membership, str]:
        save_login(User(username=login, password=self.hashed))
        return add_member(club=club, actor=actor, login=login, roles=roles), self.password


def generate(*, clubs: int, evenings: int, seed: int) -> Iterator[Made]:
    """So many new clubs, each with so many evenings, one a week until today. The same seed makes the same on the same day, as long
    as there were no such clubs before."""
    first, hire = _highest() + 1, Hire()
    for number in range(first, first + clubs):
        rng = Random(f"{seed}/{number}")  # noqa: S311  # nosec B311  # invented games, no secrets
        with transaction.atomic():
            yield _club(number, evenings, rng, hire)


def _highest() -> int:
    """The highest number that a club or a login has. Logins stay for a while when their club is gone."""
    slugs = Club.with_hidden.values_list("slug", flat=True)
    return max(map(number_in, chain(slugs, User.objects.values_list("username", flat=True))), default=0)


def _club(number: int, evenings: int, rng: Random, hire: Hire) -> Made:
    today = timezone.localdate()
    last = today - datetime.timedelta(days=rng.randrange(7))
    days = [last - WEEK * ago for ago in reversed(range(evenings))]
    cast = invented_cast(number, days[0], days[-1], rng)
    staff, logins = found(cast, rng, hire, on=days[0])
    _season(staff, today.year)
    kasse = Kasse(staff) if rng.random() < 0.5 else None
    games = 0
    for _quarter, of_quarter in groupby(days, lambda day: (day.year, (day.month - 1) // 3)):
        plans = list(chain(*(_plans(cast, day, rng) for day in of_quarter)))
        games += kasse.charge(plans) if kasse else write(staff, plans)
    if kasse:
        kasse.close(days[-1])
    update_years(staff.club.pk)
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
