"""Books the rows of an old Kasse, and takes them back by reversals, all of them at once. When the same file is brought again,
only what is not booked yet is booked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.cash.ledger.posting import NewLeg, Posting, lock_books, post_all, reverse_all
from scoring.cash.ledger.texts import KASSE_UNDONE
from scoring.cash.models import Kind
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.imports.errors import (
    BooksBuiltOn,
    ImportBookedAlready,
    ImportNotTaken,
    ImportTooBig,
)
from scoring.imports.models import Import
from scoring.imports.queries import booked_by, is_built_on, not_booked, times_undone
from scoring.imports.rules import KasseRow

from .lists import Newcomer, lock_file, people_of

# Evenings of every week for twenty years; each books twice.
MOST_ROWS: Final = 1_000


# Seven parameters: what somebody confirmed on the page, each part judged by itself.
@transaction.atomic
def take_in_kasse(
    *,
    brought: Import,
    actor: Actor,
    kind: str,
    sheet: int,
    rows: Sequence[KasseRow],
    people: Mapping[int, Player | Newcomer],
    report: Mapping[str, Any],
) -> Import:
    """Book what these rows of a sheet say, as far as it is in no book yet. `people` are who each column belongs to, somebody of the
    club or somebody new. What was taken in already changes nothing. Raises ImportTooBig, ImportGone, ImportMeanwhile,
    ImportBookedAlready, ValidationError, and what `post_all` raises."""
    if len(rows) > MOST_ROWS:
        raise ImportTooBig
    club, locked = lock_file(brought)
    if locked.is_taken:
        return locked
    players, locked.made = people_of(club, actor, people)
    lock_books(club)
    missing = not_booked(locked, sheet, rows)
    if not missing:
        raise ImportBookedAlready
    entries = post_all(club=club, actor=actor, postings=list(_postings(missing, players)))
    again = times_undone(locked, sheet)
    numbers = dict.fromkeys(row.number for row, _part, _key in missing)
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, timezone.now(), actor.login
    locked.report = {**report, "sheet": sheet, "rows": [[number, again[number]] for number in numbers]}
    locked.save()
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=locked.pk, after={"entries": len(entries)})
    return locked


def _postings(missing: Iterable[tuple[KasseRow, str, UUID]], players: Mapping[int, Player]) -> Iterator[Posting]:
    for row, part, key in missing:
        moves = row.entries[part]
        lines = [
            NewLeg(players[move.account] if isinstance(move.account, int) else move.account, move.cents, move.kind)
            for move in moves
        ]
        yield Posting(key, Kind(part), row.date, lines)


@transaction.atomic
def undo_kasse(*, brought: Import, actor: Actor) -> None:
    """Reverse everything that this file booked, each on its own day. People whom it brought stay: the books know them. Raises
    ImportNotTaken, BooksBuiltOn."""
    club = Club.objects.select_for_update(no_key=True).get(pk=brought.club_id)
    locked = Import.objects.select_for_update().get(pk=brought.pk)
    if not locked.is_taken or locked.undone_at is not None:
        raise ImportNotTaken
    lock_books(club)
    if is_built_on(locked):
        raise BooksBuiltOn
    reversals = reverse_all(club=club, actor=actor, entries=list(booked_by(locked)), reason=KASSE_UNDONE)
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before={"entries": len(reversals)})
