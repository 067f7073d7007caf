"""The plan of an evening before it is played: day, rules and people."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from .cast import Day, Person

WEEK: Final = datetime.timedelta(days=7)
BEGINS: Final = datetime.time(19, 30)
HERE: Final = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True)
class Plan:
    """The plan of an evening. `written` is the form of its games: eyes, bands or short; `extra` is a line that is no game;
    `stops` leaves the evening open in the middle; `typed` enters it by the actions, so that the log has it with all errors."""

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


def begin_of(day: Day) -> datetime.datetime:
    return datetime.datetime.combine(day, BEGINS, HERE)


def who_comes(rng: Random, people: Sequence[Person], day: Day, seats: int) -> tuple[Person, ...]:
    """Return people for these seats in random order; keen ones are more likely."""
    there = [
        person
        for person in people
        if (person.joined_on or day) <= day and (person.left_on is None or person.left_on >= day)
    ]
    drawn = sorted(((rng.random() ** (1 / person.keen), person) for person in there), key=lambda draw: -draw[0])
    coming = [person for _, person in drawn[:seats]]
    rng.shuffle(coming)
    return tuple(coming)
