"""The tables of a month and of a season: their columns, and how they are sorted."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final

import django_tables2 as tables
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy

from scoring.core.tables import NumberColumn
from scoring.core.text import text_key
from scoring.core.words import short_month_name
from scoring.league.queries.seasons import SeasonTable
from scoring.league.rules.content import Content, SupplementIn
from scoring.league.words.league import ordinal

_OPEN: Final = '{} <small class="open">{}</small>'


class RankedData(TableListData):
    """Sorts by one column. Rows without a figure stand last, equal ones as they are ranked."""

    def order_by(self, aliases: Sequence[str]) -> None:
        by = OrderBy(aliases[0] if aliases else "rank")
        accessor = self.table.columns[by.bare].accessor
        found = [(accessor.resolve(row, quiet=True), row) for row in self]
        ordered = sorted((one for one in found if one[0] is not None), key=_key, reverse=by.is_descending)
        self.data: list[Any] = [row for _figure, row in ordered] + [row for figure, row in found if figure is None]


def _key(found: tuple[Any, Any]) -> Any:
    return text_key(found[0]) if isinstance(found[0], str) else found[0]


class RankedTable(tables.Table):
    """People with their rank, and figures in the columns behind it."""

    rank = tables.Column(gettext_lazy("Platz"), attrs={"th": {"class": "num"}})
    name = tables.Column(gettext_lazy("Name"))

    class Meta:
        sequence = ("rank", "name", "...")

    def __init__(self, rows: Sequence[Any], figures: Sequence[tuple[str, tables.Column]], sort: str | None) -> None:
        known = {"rank", "name", *(name for name, _column in figures)}
        wanted = sort if sort and sort.removeprefix("-") in known else "rank"
        super().__init__(RankedData(list(rows)), order_by=wanted, extra_columns=figures)


def ranked_month(content: Content, sort: str | None) -> RankedTable:
    """The table of a month: the evenings are columns."""
    averaged = content["settings"]["counting"] == "average"
    worth = "points" if averaged else "value"
    evenings, supplements = content["evenings"], content["supplements"]
    return RankedTable(
        content["rows"],
        [
            ("result", NumberColumn(_("Schnitt") if averaged else _("Ergebnis"))),
            *(
                (f"evening_{at}", NumberColumn(_day_of(content, at), accessor=f"cells__{at}__{worth}"))
                for at in range(len(evenings))
            ),
            *(
                (
                    f"supplement_{at}",
                    NumberColumn(
                        _supplement_of(one, supplements),
                        accessor=f"supplements__{at}",
                    ),
                )
                for at, one in enumerate(supplements)
            ),
            ("evenings", NumberColumn(_("Abende"))),
            ("games", NumberColumn(_("Spiele"))),
        ],
        sort,
    )


def _day_of(content: Content, at: int) -> str | SafeString:
    evening = content["evenings"][at]
    day = date_format(datetime.date.fromisoformat(evening["held_on"]), _("j.n.")) + ordinal(evening, content["evenings"])
    return format_html(_OPEN, day, _("läuft")) if evening["open"] else day


def _supplement_of(one: SupplementIn, supplements: Sequence[SupplementIn]) -> SafeString:
    """A short head; to which month a supplement is can be heard, and seen where there are several."""
    month = short_month_name(one["about"]) + ordinal(one, supplements)
    kind = "open" if len(supplements) > 1 else "visually-hidden"
    return format_html('{} <small class="{}">{}</small>', _("Nachtrag"), kind, _("zu %(month)s") % {"month": month})


def ranked_season(table: SeasonTable, sort: str | None) -> RankedTable:
    """The table of a season: the months are columns."""
    rows = [{"player": row.player, "name": name, "rank": row.rank, "row": row} for name, row in table.lines]
    figures = [("total", NumberColumn(_("Schnitt") if table.averaged else _("Gesamt"), accessor="row__total"))]
    if table.averaged:
        figures.append(("games", NumberColumn(_("Spiele"), accessor="row__games")))
    for at, content in enumerate(table.months):
        month = short_month_name(content["month"])
        header = month if content.get("closed_at") else format_html(_OPEN, month, _("vorläufig"))
        figures.append((f"month_{at}", NumberColumn(header, accessor=f"row__months__{at}")))
    return RankedTable(rows, figures, sort)
