"""What was done in a club."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.club.models.history import Change
from scoring.club.models.people import Club


def changes_of(club: Club) -> QuerySet[Change]:
    """Everything that was done, the latest first."""
    return Change.objects.filter(club=club).select_related("actor", "spoken_as", "table__evening").order_by("-id")
