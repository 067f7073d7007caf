"""Which evenings are over, and who signed one off, as the history keeps it."""

from __future__ import annotations

from django.db.models import Q

from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Player
from scoring.club.queries import kept_as
from scoring.play.models import Evening


def signed_by(evening: Evening) -> list[Player]:
    """Who signed the evening off when it was last closed, under the name they are kept by; nobody as long as it is open."""
    if evening.is_open:
        return []
    closings = Change.objects.filter(club=evening.club_id, verb=Verb.EVENING_CLOSED, subject_id=str(evening.pk))
    closing = closings.order_by("-id").first()
    signed = (closing.after or {}).get("players", []) if closing else []
    people = Player.objects.select_related("merged_into").in_bulk(signed)
    return list(dict.fromkeys(kept_as(people[pk]) for pk in signed if pk in people))


def over(path: str, closed_only: bool) -> Q:
    """Every evening at the end of this path ("" or "table__evening__"), or `closed_only` those that are over and were held:
    strangers see no other."""
    return Q(**{f"{path}closed_at__isnull": False, f"{path}dropped": False}) if closed_only else Q()
