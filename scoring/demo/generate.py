"""Generate random clubs of any size, for measuring and trying: name, people, rules, evenings, and a Kasse in half of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from random import Random
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.club.actions import Actor, add_member, generate_password, save_login
from scoring.club.models import Club, Membership
from scoring.demo.cast import WEEK, Cast, Day, DemoLogin, Person, Plan, Rules, choose_people
from scoring.demo.evenings import write_evenings
from scoring.demo.founding import found_club
from scoring.demo.kasse import begin_generated, close_generated, pay_generated
from scoring.league.actions import add_season
from scoring.league.rules import DEFAULT
from scoring.play.replay import update_years

GAMES: Final = (36, 40, 44)
# The number of people from which there are two tables.
TWO_TABLES: Final = 8
MAX_PEOPLE: Final = 10


def build_login_maker() -> Callable[..., tuple[Membership, str]]:
    """Return a function that makes logins with one password, which is hashed only once, because hashing takes long."""
    password = generate_password()
    hashed = make_password(password)

    def add_login(*, club: Club, actor: Actor, login: str, roles: Sequence[str]) -> tuple[Membership, str]:
        save_login(User(username=login, password=hashed))
        return add_member(club=club, actor=actor, login=login, roles=roles), password

    return add_login


def generate(*, clubs: int, evenings: int, seed: int) -> Iterator[tuple[Club, int, list[dict[str, str]]]]:
    """Generate clubs with this number of weekly evenings until today; the same seed gives the same clubs on the same day.
    Yield each club, its number of games, and its logins as `found_club` returns them."""
    # Logins stay for some time after their club.
    taken = chain(Club.with_hidden.values_list("slug", flat=True), User.objects.values_list("username", flat=True))
    first, add_login = max(map(_parse_number, taken), default=0) + 1, build_login_maker()
    for number in range(first, first + clubs):
        rng = Random(f"{seed}/{number}")  # noqa: S311  # nosec B311  # invented games, no secrets
        with transaction.atomic():
            yield _generate_club(number, evenings, rng, add_login)


def _generate_club(
    number: int, evenings: int, rng: Random, add_login: Callable[..., tuple[Membership, str]]
) -> tuple[Club, int, list[dict[str, str]]]:
    today = timezone.localdate()
    last = today - datetime.timedelta(days=rng.randrange(7))
    days = [last - WEEK * ago for ago in reversed(range(evenings))]
    cast = invent_cast(number, days[0], days[-1], rng)
    staff, logins = found_club(cast, rng, add_login, on=days[0])
    season = {"name": f"Saison {today.year}", "first_day": Day(today.year, 1, 1), "last_day": Day(today.year, 12, 31)}
    add_season(club=staff.club, actor=staff.admin, unit="points", settings=DEFAULT, **season)
    treasurer = begin_generated(staff.club) if rng.random() < 0.5 else None
    games = 0
    for _month, of_month in groupby(days, lambda day: (day.year, day.month)):
        plans = list(chain(*(_plan_evening(cast, day, rng) for day in of_month)))
        if treasurer:
            pay_generated(staff.club, treasurer, plans[0].held_on, rng)
        games += write_evenings(staff, plans)
    if treasurer:
        close_generated(staff.club, treasurer, days[-1])
    update_years(staff.club.pk)
    return staff.club, games, logins


def _plan_evening(cast: Cast, day: Day, rng: Random) -> Iterator[Plan]:
    """Yield the tables of an evening with at least four people. The first evening of a month is a tournament."""
    house, tournament = cast.rules
    people, place = choose_people(rng, cast.people, day, rng.randint(4, MAX_PEOPLE)), rng.choice(cast.places)
    half = len(people) // 2
    for there in (people[:half], people[half:]) if len(people) >= TWO_TABLES else (people,):
        rules = tournament if day.day <= WEEK.days else house
        yield Plan(held_on=day, rules=rules.name, people=there, games=rng.choice(GAMES), place=place)


CLUBS: Final = ("Doppelkopfclub", "Doko-Runde", "Stammtisch", "Kartenfreunde", "Kegel- und Kartenclub", "Dorfrunde")
NICKNAMES: Final = ("Fuchsbau", "Dulle", "Herz Zehn", "Karlchen", "Pik-Ass", "Alte Eiche", "Schwarzsauer", "Zum Löwen")
PEOPLE: Final = (
    "Achim", "Birgit", "Carsten", "Doris", "Egon", "Frauke", "Gerd", "Hannelore", "Ingo", "Jutta", "Klaus", "Lore", "Manfred",
    "Nadja", "Olaf", "Petra", "Quirin", "Renate", "Stefan", "Tülay", "Ulla", "Volker", "Wiebke", "Yusuf",
)  # fmt: skip
PLACES: Final = ("Zur Post", "Vereinsheim", "bei Lore", "Gasthof Krone", "")
HOUSE_RULES: Final = (
    Rules("Hausregeln", "anleitung", {"soloist_share": 3}),
    Rules("Hausregeln", "hausrunde"),
    Rules("Unsere Regeln", "ohne_neunen"),
    Rules("Wie beim Verband", "ddv"),
)
# People at the beginning and at most, and the days within which the others join.
SMALLEST, LARGEST, LATEST = 6, 14, 3000
# The slug of such a club and the names of its logins. Longer numbers are in names that users chose.
NUMBERED_NAME: Final = re.compile(r"(?:club|verwaltung|schreiber|kasse)-([0-9]{1,9})", re.IGNORECASE)


def _parse_number(name: str) -> int:
    found = NUMBERED_NAME.fullmatch(name)
    return int(found[1]) if found else 0


def invent_cast(number: int, begins: Day, ends: Day, rng: Random) -> Cast:
    """Return the cast of the club with this number. Six of its people are there from the beginning, one is a guest."""
    names = rng.sample(PEOPLE, rng.randint(SMALLEST, LARGEST))
    people = []
    for place, name in enumerate(names):
        joined = min(begins + datetime.timedelta(days=0 if place < SMALLEST else rng.randrange(LATEST)), ends)
        people.append(Person(name, skill=rng.gauss(0, 0.5), keen=rng.uniform(0.3, 0.95), joined_on=joined))
    guest = Person(f"{rng.choice(PEOPLE)} (zu Gast)", rng.gauss(0, 0.5), 0.05, guest=True)
    first, second, third = names[:3]
    return Cast(
        name=f"{rng.choice(CLUBS)} {rng.choice(NICKNAMES)} {number}",
        slug=f"club-{number}",
        people=(*people, guest),
        logins=(
            DemoLogin(f"verwaltung-{number}", "verwaltet und schreibt", ("admin", "scorer"), first),
            DemoLogin(f"schreiber-{number}", "schreibt", ("scorer",), second),
            DemoLogin(f"kasse-{number}", "führt die Kasse", ("treasurer",), third),
        ),
        rules=(rng.choice(HOUSE_RULES), Rules("Turnier", "ddv")),
        places=PLACES,
    )
