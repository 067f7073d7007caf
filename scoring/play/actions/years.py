"""Keep the yearly sums (`YearCareer`) in line with the closed evenings. `recount` is called after the replay, and by every action
that closes or reopens an evening, changes its day, or moves tables or people."""

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
# Sent by `recount` within its transaction and lock, with the id of the `club` and the `years` (None: all). `apps.py` connects
# the receivers, which stand further right.
counted: Final = Signal()


def recount(club: int, years: Collection[int] | None = None) -> None:
    """Count these years of a club again (None: all) and write the rows that differ. The caller has locked the changed tables."""
    hold_years(club)
    stored, wanted = compare_years(club, years)
    if gone := [row.pk for key, row in stored.items() if key not in wanted]:
        YearCareer.objects.filter(pk__in=gone).delete()
    store_differing(YearCareer, _KEYS, YEAR_FIELDS, stored, wanted)
    counted.send(None, club=club, years=years)


def recount_closed(evenings: Iterable[Evening]) -> None:
    """Count the years of those of these evenings that are closed again."""
    for club, year in sorted({(one.club_id, one.held_on.year) for one in evenings if not one.is_open}):
        recount(club, [year])


def list_years(club: int) -> list[int]:
    """Return the years that have stored rows or evenings, in order."""
    stored = YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct()
    played = Evening.objects.filter(club=club).dates("held_on", "year")
    return sorted({*stored, *(day.year for day in played)})


def compare_years(club: int, years: Collection[int] | None = None) -> tuple[dict[Key, YearCareer], dict[Key, YearCareer]]:
    """Return the rows that are stored for these years (None: all), and those that the tables of the closed evenings come to."""
    stored = YearCareer.objects.filter(club=club, **({} if years is None else {"year__in": years}))
    found = [{(row.player_id, row.unit, row.year): row for row in rows} for rows in (stored, count(club, years))]
    return found[0], found[1]


def hold_years(club: int) -> None:
    """Lock the years of a club until the transaction ends: two evenings that are closed at once would each be counted without the
    other. The row of the club comes first, since the history refers to it and other actions lock it before this one."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM scoring_club WHERE id = %s FOR KEY SHARE", [club])
            cursor.execute("SELECT pg_advisory_xact_lock(1702, %s::integer)", [club])
