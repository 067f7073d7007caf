"""Brings the sums of a year in line with its closed evenings. It is called after the replay, and by everything that closes
or reopens an evening, moves it to another day, or moves people or tables. It counts anew and writes only the rows that
differ. So it is also where anything further right hears that closed evenings are others now (`counted`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.db import connection
from django.dispatch import Signal

from scoring.play.models import Evening, YearCareer
from scoring.play.queries.years import count
from scoring.play.rules.years import Key

from .replay import RESULT_FIELDS, store_differing

_KEYS: Final = ("club", "player", "unit", "year")
YEAR_FIELDS: Final = (
    *RESULT_FIELDS,
    *("points_of_games", "evenings", "evenings_won", "best_evening", "worst_evening", "last_day", "last_evening"),
    *("by_evening", "told", "mates"),
)
# Sent in the same transaction, while nobody else counts: the id of the `club` and the `years`, None for all. Who hears it is
# decided in `apps.py`.
counted: Final = Signal()


def recount(club: int, years: Collection[int] | None = None) -> None:
    """Of these years, of all where none is said. Whoever counts has locked the tables that changed before."""
    hold_years(club)
    stored, wanted = stored_years(club, years), wanted_years(club, years)
    if gone := [row.pk for key, row in stored.items() if key not in wanted]:
        YearCareer.objects.filter(pk__in=gone).delete()
    store_differing(YearCareer, _KEYS, YEAR_FIELDS, stored, wanted)
    counted.send(None, club=club, years=years)


def recount_closed(evenings: Iterable[Evening]) -> None:
    """Count the years of these evenings anew, of those that are closed."""
    for club, year in sorted({(one.club_id, one.held_on.year) for one in evenings if not one.is_open}):
        recount(club, [year])


def years_of(club: int) -> list[int]:
    """The years of which something is stored, or should be, in order."""
    stored = YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct()
    played = Evening.objects.filter(club=club).dates("held_on", "year")
    return sorted({*stored, *(day.year for day in played)})


def stored_years(club: int, years: Collection[int] | None = None) -> dict[Key, YearCareer]:
    if years is None:
        return _by_key(YearCareer.objects.filter(club=club))
    return _by_key(YearCareer.objects.filter(club=club, year__in=years))


def wanted_years(club: int, years: Collection[int] | None = None) -> dict[Key, YearCareer]:
    if years is None:
        return _by_key(count(club))
    return _by_key(row for year in years for row in count(club, year))


def _by_key(rows: Iterable[YearCareer]) -> dict[Key, YearCareer]:
    return {(row.player_id, row.unit, row.year): row for row in rows}


def hold_years(club: int) -> None:
    """Until the transaction ends nobody else counts the years of this club: two evenings that are closed at once would each count
    without the other. The club first, which the history will name: who holds it does not wait for whoever holds these."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM scoring_club WHERE id = %s FOR KEY SHARE", [club])
            cursor.execute("SELECT pg_advisory_xact_lock(1702, %s::integer)", [club])
