"""Columns of several topics, and the pages of a long table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django_tables2.rows import BoundRows


def get_cell_classes(value: object) -> str:
    """Return the classes of the cell of a figure: it is quiet where it does not count, and has its colour below zero."""
    return {"·": "num quiet", "○": "num quiet", "(": "num quiet", "−": "num minus"}.get(str(value)[:1], "num")


class NumberColumn(tables.Column):
    """A column of numbers: to the right, and the highest first at the first click. Its head can lead to a `page` instead."""

    def __init__(self, header: Any, *, page: str = "", **kwargs: Any) -> None:
        self.page = page
        attrs = {"th": {"class": "num"}, "td": {"class": get_cell_classes}}
        super().__init__(header, **{"attrs": attrs, "initial_sort_descending": True, **kwargs})


class RankColumn(tables.Column):
    """The rank. `moved` returns the arrow of a row against an earlier list, and what the arrow says."""

    def __init__(self, moved: Callable[[Any], tuple[str, str]] | None = None) -> None:
        super().__init__(_("Platz"), default="–", attrs={"th": {"class": "num"}, "td": {"class": "num"}})
        self._moved = moved

    def render(self, value: int, record: Any) -> Any:
        arrow, said = self._moved(record) if self._moved else ("", "")
        if not arrow:
            return value
        moved = '{} <span class="moved" aria-hidden="true">{}</span><span class="visually-hidden">, {}</span>'
        return format_html(moved, value, arrow, said)


class NameColumn(tables.TemplateColumn):
    """The name of a person, whose id is `player` of a row. It leads where `linkify` says and heads the row."""

    def __init__(self, player: str, linkify: Any = None) -> None:
        super().__init__(
            template_name="scoring/_who.html",
            verbose_name=_("Name"),
            accessor=player,
            order_by="name",
            attrs={"td": {"scope": "row"}},
            linkify=linkify,
        )


def paginate(
    table: tables.Table, request: HttpRequest, rows: int, told: Callable[[list[Any]], Sequence[Any]] = list
) -> None:
    """Paginate the table at the page of the address, or the nearest one that exists. `told` turns the rows of this page, all at
    once, into what the table shows."""
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))
    table.page.object_list = BoundRows(told(list(table.page.object_list.data)), table)
