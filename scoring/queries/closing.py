"""Who signed a closed evening off, as the history keeps it."""

from __future__ import annotations

from scoring.models import Change, Evening, Player, Verb

from .people import kept_as


def signed_by(evening: Evening) -> list[Player]:
    """Who signed the evening off when it was last closed, under the name they are kept by; nobody as long as it is open."""
    if evening.is_open:
        return []
    closings = Change.objects.filter(club=evening.club_id, verb=Verb.EVENING_CLOSED, subject_id=str(evening.pk))
    closing = closings.order_by("-id").first()
    signed = (closing.after or {}).get("players", []) if closing else []
    people = Player.objects.select_related("merged_into").in_bulk(signed)
    return list(dict.fromkeys(kept_as(people[pk]) for pk in signed if pk in people))
