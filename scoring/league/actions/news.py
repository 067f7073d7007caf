"""Keeps what the rows of the seasons say of months that wait, and lets whoever changed something hear of it at once. Whatever
changes a closed evening counts its years anew (`play/replay.py`), and `look_again` hears that, in the same transaction: a
game, an evening that moves or goes, a whole list, two people who are one. So no action has to think of the league."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction

from scoring.club.models import HIDDEN_PREFIX
from scoring.league.models import Season
from scoring.league.queries.books import Month, books_of
from scoring.league.queries.news import Waits, waits_in
from scoring.play.replay import lock_years


@dataclass(frozen=True)
class Heard:
    """The published months that are counted differently now by what was done, and those that are again as they were published,
    each with its season."""

    differ: set[tuple[Season, Month]] = field(default_factory=set)
    agree: set[tuple[Season, Month]] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.differ or self.agree)


_HEARD: Final[ContextVar[Heard | None]] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[Heard]:
    """What becomes of published months within the block."""
    heard = Heard()
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def look_again(*, club: int, years: Collection[int] | None = None, **_told: Any) -> None:
    """Count again what waits in the seasons of these years, or of all years, because their closed evenings have changed."""
    every = Season.objects.filter(club=club).select_related("club").order_by("pk")
    seasons = [one for one in every if years is None or any(_holds(one, year) for year in years)]
    for season, before, now in keep_waits(seasons):
        _tell(season, before["undecided"] if before else {}, now["undecided"])


def _holds(season: Season, year: int) -> bool:
    return season.first_day.year <= year <= season.last_day.year


@transaction.atomic
def look_first() -> None:
    """Count what waits in the seasons that were not counted yet, because they are older than the column `waits`."""
    uncounted = Season.objects.filter(waits__isnull=True)
    for club in set(uncounted.values_list("club", flat=True)):
        lock_years(club)
        keep_waits(list(uncounted.filter(club=club).select_related("club").order_by("pk")))


def keep_waits(seasons: Sequence[Season]) -> list[tuple[Season, Waits | None, Waits]]:
    """Count what waits in these seasons, and write it where the row of a season says something else. Answers each season with
    what its row said before and what it says now. The caller holds the years, so that nobody else counts meanwhile."""
    found = []
    for books in books_of(seasons) if seasons else ():
        season, before = books.season, books.season.waits
        if (waits := waits_in(books)) != before:
            Season.objects.filter(pk=season.pk).update(waits=waits)
            season.waits = waits
        found.append((season, before, waits))
    return found


def _tell(season: Season, before: dict[Month, str], now: dict[Month, str]) -> None:
    heard = _HEARD.get()
    # A club that is arriving has no pages yet, and nobody who changed anything in it.
    if heard is None or season.club.slug.startswith(HIDDEN_PREFIX):
        return
    changed = {(season, month) for month, mark in now.items() if before.get(month) != mark}
    gone = {(season, month) for month in before if month not in now}
    # One action may count more than once: what it says last holds.
    heard.differ.difference_update(gone)
    heard.differ.update(changed)
    heard.agree.difference_update(changed)
    heard.agree.update(gone)
