"""Columns of tables of several topics, and pagination."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django_tables2.rows import BoundRows


def get_cell_classes(value: object) -> str:
    """Return the CSS classes of a number: grey if it does not count, coloured below zero."""
    return {"·": "num quiet", "○": "num quiet", "(": "num quiet", "−": "num minus"}.get(str(value)[:1], "num")


class NumberColumn(tables.Column):
    """A column of numbers, sorted descending at the first click; with `page`, its head links to that address instead."""

    def __init__(self, header: Any, *, page: str = "", **kwargs: Any) -> None:
        self.page = page
        attrs = {"th": {"class": "num"}, "td": {"class": get_cell_classes}}
        super().__init__(header, **{"attrs": attrs, "initial_sort_descending": True, **kwargs})


class RankColumn(tables.Column):
    """The rank. `get_move` returns the arrow of a row against an earlier list, and its meaning as text, or ("", "")."""

    def __init__(self, get_move: Callable[[Any], tuple[str, str]] | None = None) -> None:
        super().__init__(_("Platz"), default="–", attrs={"th": {"class": "num"}, "td": {"class": "num"}})
        self._get_move = get_move

    def render(self, value: int, record: Any) -> Any:
        arrow, meaning = self._get_move(record) if self._get_move else ("", "")
        if not arrow:
            return value
        html = '{} <span class="moved" aria-hidden="true">{}</span><span class="visually-hidden">, {}</span>'
        return format_html(html, value, arrow, meaning)


class NameColumn(tables.TemplateColumn):
    """The name of a person, linked by `linkify`. `player` is the accessor of the person's id."""

    def __init__(self, player: str, linkify: Any = None) -> None:
        super().__init__(
            template_name="scoring/_who.html",
            verbose_name=_("Name"),
            accessor=player,
            order_by="name",
            attrs={"td": {"scope": "row"}},
            linkify=linkify,
        )


class FiguresTable(tables.Table):
    """A table of formatted figures in a box of its own. The first column heads the rows. With `stacked` words, one for each other
    column, a phone shows the figures of a row below its head, each with its word."""

    class Meta:
        template_name = "scoring/tables/figures.html"
        orderable = False

    def __init__(
        self, label: str, headers: Sequence[Any], rows: Iterable[Sequence[Any]], look: str = "", stacked: Sequence[Any] = ()
    ) -> None:
        self.label = label
        columns = [("head", tables.Column(headers[0], accessor="0", attrs={"td": {"scope": "row"}}))]
        for place, header in enumerate(headers[1:], start=1):
            cell = {"class": get_cell_classes, **({"data-head": stacked[place - 1]} if stacked else {})}
            column = NumberColumn(header, accessor=str(place), attrs={"th": {"class": "num"}, "td": cell})
            columns.append((f"figure_{place}", column))
        look = f"list tallies{' rows' if stacked else ''} {look}".rstrip()
        super().__init__(list(rows), extra_columns=columns, attrs={"class": look, "aria-label": label})


class LineTable(tables.Table):
    class Meta:
        template_name = "scoring/tables/lines.html"

    def __init__(self, data: Any, template: str, **kwargs: Any) -> None:
        column = tables.TemplateColumn(template_name=template, context_object_name="row")
        super().__init__(data, extra_columns=[("line", column)], **kwargs)


def paginate(
    table: tables.Table, request: HttpRequest, per_page: int, convert: Callable[[list[Any]], Sequence[Any]] = list
) -> None:
    """Show the page that the request asks for, or the nearest one. `convert` turns its rows into those of the table."""
    table.paginate(per_page=per_page)
    table.page = table.paginator.get_page(request.GET.get("page"))
    table.page.object_list = BoundRows(convert(list(table.page.object_list.data)), table)
