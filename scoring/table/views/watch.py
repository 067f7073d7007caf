"""What other phones ask: is anything new at this table? Nothing new costs a question of the database and no body; otherwise
the lines from the first one that changed, as data. live.py tells them when to ask."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.play.models import Table
from scoring.play.queries import count_untouched_lines, get_last_change, read_sheet
from scoring.table.access import get_table

from .data import state_data, state_tag


@never_cache
@require_safe
def state(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """304 where nothing happened since the ETag that is sent along, else what did."""
    table, access = get_table(request, slug, pk, Role.AT_TABLE)
    known = request.headers.get("If-None-Match", "")
    tag = state_tag(access, table, get_last_change(table))
    if known.removeprefix("W/") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    with snapshot():
        return _news(access, table, known)


def _news(access: Access, table: Table, known: str) -> HttpResponse:
    last, sheet = get_last_change(table), read_sheet(table)
    number = re.match(r'(?:W/)?"(\d{1,18})-', known)
    keep = count_untouched_lines(sheet.records, int(number[1]) if number else None)
    tag = state_tag(access, table, last)
    return JsonResponse(state_data(access, sheet, last, keep), headers={"ETag": tag})
