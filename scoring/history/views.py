"""The page of what was done in a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from scoring.club.access import Role, get_club
from scoring.club.queries import changes_of

from .tables import ChangesTable
from .words import entries

PER_PAGE = 50


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    table = ChangesTable(changes_of(access.club))
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(table)
    told = entries([row.record for row in table.paginated_rows])
    context = {"access": access, "section": "more", "table": table, "entries": told}
    return render(request, "scoring/history/list.html", context)
