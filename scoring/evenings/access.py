"""Who may see an evening: one that is open, or was dropped, is there for members of the club alone."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch, turn_away
from scoring.play.models import Evening, Table
from scoring.table.queries.late import late_counted


def get_evening(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    """An evening; how many late entries wait at its tables is counted along, and whether all of it came with a list."""
    evenings = Evening.objects.filter(club__slug=slug, pk=pk).select_related("club")
    tables = Table.objects.filter(evening=OuterRef("pk"))
    evenings = evenings.annotate(
        waiting_late=late_counted(table__evening=OuterRef("pk")),
        from_list=Exists(tables.filter(imported__isnull=False)) & ~Exists(tables.filter(imported=None)),
    )
    evening, access = fetch(request, evenings, "club", role)
    if (evening.is_open or evening.dropped) and not access.member:
        turn_away(request)
    return evening, access
