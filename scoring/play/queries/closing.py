"""Which evenings are over, and who signed one off, as the history keeps it."""

from __future__ import annotations

from django.db.models import Q

from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Player
from scoring.club.queries import kept_as
from scoring.core.ready import Hole, Ready
from scoring.play.models import Evening

_LAST_CLOSED = Ready(
    lambda: (
        Change.objects.filter(club=Hole("club"), verb=Verb.EVENING_CLOSED, subject_id=Hole("subject"))
        .order_by("-id")
        .values_list("after")[:1]
    )
)


def signed_by(evening: Evening) -> list[Player]:
    """Who signed the evening off when it was last closed, under the name they are kept by; nobody as long as it is open."""
    if evening.is_open:
        return []
    (closed,) = _LAST_CLOSED.first(club=evening.club_id, subject=str(evening.pk)) or (None,)
    signed = (closed or {}).get("players", [])
    people = Player.objects.select_related("merged_into").in_bulk(signed)
    return list(dict.fromkeys(kept_as(people[pk]) for pk in signed if pk in people))


def over(path: str, closed_only: bool) -> Q:
    """Every evening at the end of this path ("" or "table__evening__"), or `closed_only` those that are over and were held:
    strangers see no other."""
    return Q(**{f"{path}closed_at__isnull": False, f"{path}dropped": False}) if closed_only else Q()
