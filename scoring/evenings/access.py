"""Who may see an evening: one that is open, or was dropped, is there for members of the club alone."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest

from scoring.club.access import Access, Role, admit, turn_away, with_rights
from scoring.core.ready import Hole, Ready
from scoring.play.models import Evening, Table
from scoring.table.queries.late import late_counted


def _evenings() -> QuerySet[Evening]:
    evenings = Evening.objects.filter(club__slug=Hole("slug"), pk=Hole("pk")).select_related("club")
    tables = Table.objects.filter(evening=OuterRef("pk"))
    evenings = evenings.annotate(
        waiting_late=late_counted(table__evening=OuterRef("pk")),
        from_list=Exists(tables.filter(imported__isnull=False)) & ~Exists(tables.filter(imported=None)),
    )
    return with_rights(evenings, "club", Hole("user"))


_EVENING = Ready(_evenings)


def get_evening(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    """An evening; how many late entries wait at its tables is counted along, and whether all of it came with a list."""
    found = _EVENING.first(slug=slug, pk=pk, user=request.user.pk or 0)
    evening, access = admit(request, found, "club", role)
    if (evening.is_open or evening.dropped) and not access.member:
        turn_away(request)
    return evening, access
