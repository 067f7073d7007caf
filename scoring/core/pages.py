"""Which page of a long list a request asks for. Its address names the page and nothing else: how many rows a page has is decided by
the list alone."""

from __future__ import annotations

from django.http import HttpRequest
from django_tables2 import Table


def turn_to(table: Table, request: HttpRequest, rows: int) -> None:
    """Cut the table into pages of so many rows, at the page of the address; the nearest one where there is no such page."""
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))
