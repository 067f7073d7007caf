"""Invent the name, people and rules of generated clubs from random numbers."""

from __future__ import annotations

import datetime
import re
from random import Random
from typing import Final

from .cast import Cast, Day, DemoLogin, Person, Rules

CLUBS: Final = ("Doppelkopfclub", "Doko-Runde", "Stammtisch", "Kartenfreunde", "Kegel- und Kartenclub", "Dorfrunde")
CALLED: Final = ("Fuchsbau", "Dulle", "Herz Zehn", "Karlchen", "Pik-Ass", "Alte Eiche", "Schwarzsauer", "Zum Löwen")
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
NUMBERED: Final = re.compile(r"(?:club|verwaltung|schreiber|kasse)-([0-9]{1,9})", re.IGNORECASE)


def number_in(name: str) -> int:
    """Return the number in the slug or login of a generated club, else 0."""
    found = NUMBERED.fullmatch(name)
    return int(found[1]) if found else 0


def invented_cast(number: int, begins: Day, ends: Day, rng: Random) -> Cast:
    """Return the cast of the club with this number. Six of its people are there from the beginning, one is a guest."""
    names = rng.sample(PEOPLE, rng.randint(SMALLEST, LARGEST))
    people = [
        _person(name, min(begins + datetime.timedelta(days=later), ends), rng)
        for place, name in enumerate(names)
        for later in [0 if place < SMALLEST else rng.randrange(LATEST)]
    ]
    guest = Person(f"{rng.choice(PEOPLE)} (zu Gast)", rng.gauss(0, 0.5), 0.05, guest=True)
    first, second, third = names[:3]
    return Cast(
        name=f"{rng.choice(CLUBS)} {rng.choice(CALLED)} {number}",
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


def _person(name: str, joined: Day, rng: Random) -> Person:
    return Person(name, skill=rng.gauss(0, 0.5), keen=rng.uniform(0.3, 0.95), joined_on=joined)
