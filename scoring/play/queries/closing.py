"""Select the evenings that are over, and read from the history who signed one off."""

from __future__ import annotations

from django.db.models import Q

from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Player
from scoring.club.queries import kept_as
from scoring.play.models import Evening


def signed_by(evening: Evening) -> list[Player]:
    """Return the players who signed the evening off when it was last closed, merged ones as the row that stays. Empty while the
    evening is open."""
    if evening.is_open:
        return []
    closings = Change.objects.filter(club=evening.club_id, verb=Verb.EVENING_CLOSED, subject_id=str(evening.pk))
    signed = (closings.order_by("-id").values_list("after", flat=True).first() or {}).get("players", [])
    people = Player.objects.select_related("merged_into").in_bulk(signed)
    return list(dict.fromkeys(kept_as(people[pk]) for pk in signed if pk in people))


def over(path: str, closed_only: bool) -> Q:
    """Return a filter for the evenings at the end of this path ("" or "table__evening__"): all, or with `closed_only` those that
    are closed and were not dropped, which is what strangers see."""
    return Q(**{f"{path}closed_at__isnull": False, f"{path}dropped": False}) if closed_only else Q()
