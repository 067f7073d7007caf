"""Who may see an evening: one that is open, or was dropped, is there for members of the club alone."""

from __future__ import annotations

from django.db.models import OuterRef
from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch, turn_away
from scoring.play.models import Evening
from scoring.table.queries.late import late_counted


def get_evening(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    """An evening; how many late entries wait at its tables is counted along."""
    evenings = Evening.objects.filter(club__slug=slug, pk=pk).select_related("club")
    evenings = evenings.annotate(waiting_late=late_counted(table__evening=OuterRef("pk")))
    evening, access = fetch(request, evenings, "club", role)
    if (evening.is_open or evening.dropped) and not access.member:
        turn_away(request)
    return evening, access
