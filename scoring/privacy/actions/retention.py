"""How long a club keeps the history of its logins and entries, and forgetting what is older. What may go is decided in
`privacy/queries/retention.py`."""

from __future__ import annotations

import datetime
from typing import Final

from django.db import transaction

from scoring.club.actions import Actor, record
from scoring.club.models import Change, Club, Verb
from scoring.privacy.queries.retention import forgettable

# How many rows go at once: others write in between.
_AT_ONCE: Final = 500


@transaction.atomic
def keep_history(*, club: Club, actor: Actor, years: int | None) -> Club:
    """Keep the history of logins and entries for so many years from now on, for ever where it is None. Raises
    ValidationError."""
    club = Club.objects.select_for_update().get(pk=club.pk)
    before = club.keep_history_years
    if before == years:
        return club
    club.keep_history_years = years
    club.full_clean()
    club.save(update_fields=["keep_history_years"])
    record(
        club=club,
        actor=actor,
        verb=Verb.HISTORY_KEPT,
        subject=club.pk,
        before={"years": before},
        after={"years": years},
    )
    return club


def forget_old_history(*, now: datetime.datetime) -> int:
    """Delete what the clubs need not keep any more, in short transactions; how many rows went. For the tidying that runs by
    itself: where it is stopped in the middle, the next time goes on."""
    forgotten = 0
    for club in Club.objects.filter(keep_history_years__isnull=False).order_by("pk"):
        going = forgettable(club, club.keep_history_years or 0, now)
        for start in range(0, len(going), _AT_ONCE):
            _forget(going[start : start + _AT_ONCE])
        forgotten += len(going)
    return forgotten


@transaction.atomic
def _forget(pks: list[int]) -> None:
    """These rows; what takes one of them back is among them, or gone already."""
    rows = Change.objects.filter(pk__in=pks)
    rows.update(undoes=None)
    rows.delete()
