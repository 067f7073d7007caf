"""The people, logins, places, rules and notes of the two demo clubs, and the plan of an evening: day, rules and people."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop as _

from scoring.club.models import PUBLIC_PAGES

Day = datetime.date


@dataclass(frozen=True)
class Person:
    """A person. `skill` (about -1 to 1) shifts the eyes of a game, `keen` (0 to 1) is the probability of coming."""

    name: str
    skill: float
    keen: float
    joined_on: Day | None = None
    left_on: Day | None = None
    guest: bool = False


@dataclass(frozen=True)
class DemoLogin:
    """A login. `player` is the name of its person, `role` the text for the terminal."""

    login: str
    role: str
    roles: tuple[str, ...] = ()
    player: str | None = None


@dataclass(frozen=True)
class Rules:
    """A rule set: a preset and the settings that differ from it."""

    name: str
    preset: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cast:
    """The content of a club. The first of `logins` is the admin, the second the scorer, if there is one."""

    name: str
    slug: str
    people: tuple[Person, ...]
    logins: tuple[DemoLogin, ...]
    rules: tuple[Rules, ...]
    places: tuple[str, ...]
    shows: tuple[str, ...] = ()


SHARED: Final = ("kreuz-dame", "herzdame")
KREUZ_DAME, HERZDAME = SHARED
SHARED_LOGINS: Final = ("annegret", "juergen", "kaethe", "bernd", "elif")
SHOWS_ALL: Final = tuple(PUBLIC_PAGES.values())


def get_day(today: Day, months_ago: int, day: int = 1) -> Day:
    """Return this day of a month that many months before the one of `today`."""
    number = 12 * today.year + today.month - 1 - months_ago
    return Day(number // 12, number % 12 + 1, day)


def get_founding_day(today: Day) -> Day:
    return get_day(today, 25)


def build_kreuz_dame(today: Day) -> Cast:
    people = (
        Person("Jürgen", 0.9, 0.9, Day(2011, 3, 1)),
        Person("Annegret", 0.6, 0.85, Day(2011, 3, 1)),
        Person("Käthe", 0.1, 0.8, Day(2011, 3, 1)),
        Person("Bernd", -0.5, 0.75, Day(2016, 9, 1)),
        Person("Dörte", 0.2, 0.6, Day(2019, 1, 1)),
        Person("Heike", -0.1, 0.55, Day(2022, 10, 1)),
        Person("Paweł", 0.5, 0.7, get_day(today, 19)),
        Person("Uwe", -0.8, 0.6, Day(2011, 3, 1), left_on=get_day(today, 6) - datetime.timedelta(days=1)),
        Person("Sabine", -0.3, 0.05, guest=True),
    )
    triggers = ["lost_announcement", "lost_solo", "tie_120", "manual"]
    return Cast(
        name="Doppelkopfclub Kreuz-Dame",
        slug=KREUZ_DAME,
        people=people,
        logins=(
            DemoLogin("annegret", _("Verwalterin und Schreiberin"), ("admin", "scorer"), "Annegret"),
            DemoLogin("juergen", _("Schreiber"), ("scorer",), "Jürgen"),
            DemoLogin("kaethe", _("Kassenwartin"), ("treasurer",), "Käthe"),
            DemoLogin("bernd", _("liest nur"), (), "Bernd"),
        ),
        rules=(
            Rules("Hausregeln", "anleitung", {"solo_times": 1, "soloist_share": 3, "bock": {"triggers": triggers}}),
            Rules("Turnier", "ddv"),
        ),
        places=("Gasthaus Zur Linde",) * 4 + ("bei Käthe", "bei Annegret", "Vereinsheim", ""),
        shows=SHOWS_ALL,
    )


def build_herzdame() -> Cast:
    return Cast(
        name="Freitagsrunde Herzdame",
        slug=HERZDAME,
        people=(
            Person("Ilse", 0.4, 1.0),
            Person("Günther", 0.2, 1.0),
            Person("Elif", 0.6, 1.0),
            Person("Lothar", -0.4, 1.0),
            Person("Vroni", -0.2, 1.0),
        ),
        logins=(DemoLogin("elif", _("gehört nur zum anderen, öffentlichen Club „Herzdame“"), ("admin", "scorer"), "Elif"),),
        rules=(Rules("Klassisch um Cent", "klassisch"),),
        places=("",),
        shows=SHOWS_ALL,
    )


HOLIDAY_HOME: Final = "Ferienhaus Büsum"
NOTES: Final = (
    "erst im letzten Stich entschieden",
    "ohne beide Füchse gewonnen",
    "Kontra viel zu früh",
    "das war knapp",
    "beide Dullen auf einer Hand",
    "Pik-Ass von unten",
    "wurde nachgezählt",
)
REDEALS: Final = ("Fünf Könige", "falsch gegeben", "eine Karte lag offen")
PENALTY: Final = "nicht bedient"
MISCOUNT: Final = "auf dem Bierdeckel falsch übertragen"


WEEK: Final = datetime.timedelta(days=7)
START_TIME: Final = datetime.time(19, 30)
TIME_ZONE: Final = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True)
class Plan:
    """The plan of a table on an evening. `written`: games with "eyes", "bands", or in the "short" form. `extra`: a line that is no
    game ("redeal", "penalty", "correction"), or an "afterthought", a correction on the next morning. It `stops` open in the
    middle, or is `typed` by the actions, so that the log has it with all errors."""

    held_on: Day
    rules: str
    people: tuple[Person, ...]
    games: int
    place: str
    written: str = "eyes"
    extra: str = ""
    stops: bool = False
    typed: bool = False

    @property
    def form(self) -> str:
        return "short" if self.written == "short" else "played"


def get_start(day: Day) -> datetime.datetime:
    return datetime.datetime.combine(day, START_TIME, TIME_ZONE)


def choose_people(rng: Random, people: Sequence[Person], day: Day, seats: int) -> tuple[Person, ...]:
    """Return people for these seats in random order; keen ones are more likely."""
    there = [person for person in people if (person.joined_on or day) <= day <= (person.left_on or day)]
    drawn = sorted(((rng.random() ** (1 / person.keen), person) for person in there), key=lambda draw: -draw[0])
    coming = [person for _, person in drawn[:seats]]
    rng.shuffle(coming)
    return tuple(coming)
