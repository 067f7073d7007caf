"""What stands in a month of the league, as it is written down and published: its keys and what each of them holds. Points
that have been counted are whole hundredths; days are texts like 2026-03-31, people and evenings are ids."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .settings import Settings


class MonthStep(TypedDict):
    """One line of a calculation: its `kind`, the `value` it leads to, and the numbers that went into it."""

    kind: str
    value: int
    points: NotRequired[int]
    games: NotRequired[int]
    evenings: NotRequired[int]
    supplement: NotRequired[int]


class EveningIn(TypedDict):
    id: int
    held_on: str
    place: str
    open: bool
    without_games: bool


class CellIn(TypedDict):
    """One evening of one person; `why` it does not count."""

    points: int
    games: int | None
    place: int
    value: int | None
    why: str


class RowIn(TypedDict):
    """One person. `before` is the rank of the month before, `cells` are in the order of the evenings, `breaks` what was
    compared at a tie."""

    player: int
    name: str
    guest: bool
    rank: int | None
    before: int | None
    new: bool
    result: int | None
    brought: int
    why: str
    evenings: int
    games: int | None
    cells: list[CellIn | None]
    supplements: list[int | None]
    steps: list[MonthStep]
    breaks: list[tuple[str, int | None]]


class SupplementIn(TypedDict):
    about: str
    reason: str
    changes: list[int]


class StandingIn(TypedDict):
    rank: int | None
    result: int | None


class EveningDifference(TypedDict):
    """Points and games of one evening, before and after."""

    held_on: str
    before: list[int | None] | None
    after: list[int | None] | None


class MonthDifference(TypedDict):
    """What is different for one person since a month was published."""

    player: int
    name: str
    before: StandingIn | None
    after: StandingIn | None
    difference: int
    evenings: list[EveningDifference]


class Content(TypedDict):
    """A month. `version` and what follows it stand in what is published alone, `differences` and `changes` from its second
    version on."""

    format: int
    club: str
    season: str
    month: str
    days: list[str]
    unit: str
    settings: Settings
    evenings: list[EveningIn]
    supplements: list[SupplementIn]
    before: str | None
    left_out: list[int]
    rows: list[RowIn]
    version: NotRequired[int]
    differences: NotRequired[list[MonthDifference]]
    changes: NotRequired[list[int]]
    closed_at: NotRequired[str]
    closed_by: NotRequired[str]


class Supplemented(TypedDict):
    """A supplement: who differs, and the month as it was counted for it."""

    differences: list[MonthDifference]
    counted: Content
    changes: list[int]
