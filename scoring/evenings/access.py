"""Fetch an evening and check the right to it. Only members of the club see one that is open or was dropped."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch, refuse_outsider
from scoring.play.models import Evening, Table
from scoring.table.queries.late import late_counted


def get_evening(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    """Return an evening and the reader's rights. The row also has `waiting_late`, the number of late entries that wait at its
    tables, and `from_list`: whether all its tables came with an import."""
    tables = Table.objects.filter(evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club__slug=slug, pk=pk).select_related("club")
    evenings = evenings.annotate(
        waiting_late=late_counted(table__evening=OuterRef("pk")),
        from_list=Exists(tables.filter(imported__isnull=False)) & ~Exists(tables.filter(imported=None)),
    )
    evening, access = fetch(request, evenings, "club", role)
    if (evening.is_open or evening.dropped) and not access.member:
        refuse_outsider(request)
    return evening, access
