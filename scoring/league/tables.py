"""The tables of a month and of a season."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import django_tables2 as tables
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django_tables2.data import TableListData
from django_tables2.utils import A, OrderBy

from scoring.core.formats import format_month, format_short_month
from scoring.core.tables import NameColumn, NumberColumn, RankColumn
from scoring.core.text import text_key

from .queries.seasons import SeasonTable
from .rules import Content, ContentCell
from .texts import explain_cell, explain_missing_rank, format_figure, get_digits, get_movement, get_ordinal

_OPEN: Final = '{} <small class="open">{}</small>'


class RankedData(TableListData):
    """Rows that are sorted by one column: rows without a figure last, equal rows by rank."""

    def order_by(self, aliases: Sequence[str]) -> None:
        by = OrderBy(aliases[0] if aliases else "rank")
        accessor = A(OrderBy(self.table.columns[by.bare].order_by[0]).bare)
        found = [(accessor.resolve(row, quiet=True), row) for row in self]
        known = [one for one in found if one[0] is not None]
        known.sort(key=lambda one: text_key(one[0]) if isinstance(one[0], str) else one[0], reverse=by.is_descending)
        self.data: list[Any] = [row for _figure, row in known] + [row for figure, row in found if figure is None]


class HundredthsColumn(NumberColumn):
    def __init__(self, header: Any, digits: int = 0, **kwargs: Any) -> None:
        super().__init__(header, **{"default": "·", **kwargs})
        self._digits = digits

    def render(self, value: Any, record: Any) -> str:
        return format_figure(value, self._digits)


class EveningColumn(HundredthsColumn):
    """The worth of an evening, or its points in an average; in brackets if it does not count."""

    def __init__(self, header: Any, at: int, averaged: bool, **kwargs: Any) -> None:
        worth = "points" if averaged else "value"
        super().__init__(header, accessor=f"cells__{at}", order_by=f"cells__{at}__{worth}", **kwargs)
        self._averaged = averaged

    def render(self, value: ContentCell, record: Any) -> str:
        worth = super().render(100 * value["points"] if self._averaged else value["value"], record)
        if not value["why"]:
            return worth
        return format_html('({})<span class="visually-hidden"> {}</span>', worth, explain_cell(value["why"]))


class RankedTable(tables.Table):
    class Meta:
        template_name = "scoring/tables/ranked.html"

    def __init__(self, name: str, rows: Sequence[Any], columns: Mapping[str, tables.Column], sort: str | None) -> None:
        order = sort if sort and sort.removeprefix("-") in columns else "rank"
        attrs = {"class": "list month", "aria-label": name}
        super().__init__(RankedData(list(rows)), order_by=order, extra_columns=columns.items(), attrs=attrs)


def build_month_table(content: Content, slug: str, linked: Collection[int], sort: str | None) -> RankedTable:
    """Build the table of a month with a column for each evening, the latest first; evenings in `linked` link to their results."""
    averaged, digits = content["settings"]["counting"] == "average", get_digits(content)
    evenings, supplements = content["evenings"], content["supplements"]
    columns = {
        "rank": RankColumn(get_movement if content["before"] else None),
        "name": NameColumn("player", lambda record: f"#person-{record['player']}"),
        "result": HundredthsColumn(_("Schnitt") if averaged else _("Ergebnis"), digits, default="–"),
    }
    for at, evening in reversed(list(enumerate(evenings))):
        page = reverse("result", args=[slug, evening["id"]]) if evening["id"] in linked else ""
        columns[f"evening_{at}"] = EveningColumn(_render_day(content, at), at, averaged, page=page)
    for at, one in enumerate(supplements):
        accessor = f"supplements__{at}"
        columns[f"supplement_{at}"] = HundredthsColumn(_render_supplement(one, supplements), digits, accessor=accessor)
    columns["evenings"] = NumberColumn(_("Abende"))
    columns["games"] = NumberColumn(_("Spiele"), default="?")
    rows = [row | {"reason": explain_missing_rank(row["why"], content["settings"])} for row in content["rows"]]
    return RankedTable(format_month(content["month"]), rows, columns, sort)


def _render_day(content: Content, at: int) -> str | SafeString:
    evening = content["evenings"][at]
    day = date_format(datetime.date.fromisoformat(evening["held_on"]), _("j.n.")) + get_ordinal(evening, content["evenings"])
    return format_html(_OPEN, day, _("läuft")) if evening["open"] else day


def _render_supplement(one: Mapping[str, Any], supplements: Sequence[Mapping[str, Any]]) -> SafeString:
    """Return a short header; the month of the supplement is visible only if there are several."""
    month = format_short_month(one["about"]) + get_ordinal(one, supplements)
    kind = "open" if len(supplements) > 1 else "visually-hidden"
    return format_html('{} <small class="{}">{}</small>', _("Nachtrag"), kind, _("zu %(month)s") % {"month": month})


class MonthColumn(HundredthsColumn):
    """The result of a month: in brackets if it does not count, ○ for players who were there and got no rank."""

    def __init__(self, header: Any, digits: int, at: int, content: Content, **kwargs: Any) -> None:
        super().__init__(header, digits, accessor=f"months__{at}", empty_values=(), **kwargs)
        self._at, self._there = at, {row["player"] for row in content["rows"]}

    def render(self, value: int | None, record: Any) -> str:
        if value is None:
            return "○" if record["player"] in self._there else "·"
        points = super().render(value, record)
        return f"({points})" if self._at in record["dropped"] else points


def build_season_table(
    table: SeasonTable, slug: str, left: Collection[int], name_leads: Any, sort: str | None
) -> RankedTable:
    """Build the table of a season with a column for each month, the latest first, that links to its page. `left` are the ids of
    players who left the club, `name_leads` is the link of the names."""
    rows = [row | {"left": row["player"] in left} for row in table.rows]
    columns = {
        "rank": RankColumn(),
        "name": NameColumn("player", name_leads),
        "total": HundredthsColumn(
            _("Schnitt") if table.averaged else _("Gesamt"), table.digits, default="–"
        ),
    }
    if table.averaged:
        columns["games"] = NumberColumn(_("Spiele"))
    for at, content in reversed(list(enumerate(table.months))):
        month = format_short_month(content["month"])
        header = month if content.get("closed_at") else format_html(_OPEN, month, _("vorläufig"))
        page = reverse("month", args=[slug, table.season.pk, content["month"]])
        columns[f"month_{at}"] = MonthColumn(header, table.digits, at, content, page=page)
    return RankedTable(table.season.name, rows, columns, sort)
