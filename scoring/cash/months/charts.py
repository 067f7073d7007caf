"""Charts of the months. All lengths are in whole units of the drawing; templates draw it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.core.charts import MAX_TICKS, list_gridlines, list_month_starts
from scoring.core.formats import format_month

from .queries import MonthMoney

WIDTH, HEIGHT = 640, 300
MARGIN, FOOT = 24, 40
# Space for the figures beside the chart.
LEFT = 144
# The number of months in a chart.
MOST_MONTHS = 24


def draw_months(months: Sequence[MonthMoney]) -> list[dict[str, Any]]:
    """Draw income and expense, and the balance of the Kasse, for the latest of these months; no chart for a single month.

    A chart has `bars` or the points of a polyline (`path`). `scale` has the labels of the vertical axis in cents and their heights,
    the zero line among them; `spots` each month with the cents of every course; `courses` the figures of the last month."""
    months = months[-MOST_MONTHS:]
    return [_draw_flow(months), _draw_balance(months)] if len(months) > 1 else []


def _draw_flow(months: Sequence[MonthMoney]) -> dict[str, Any]:
    scale, down = _build_scale([one.income for one in months] + [-one.expense for one in months])
    room = (WIDTH - MARGIN - LEFT) // len(months)
    thick, bars = max(room * 2 // 3, 2), []
    for across, one in zip(_list_centers(months), months, strict=True):
        for cents, lost in ((one.income, False), (-one.expense, True)):
            top, foot = sorted((down(0), down(cents)))
            bars.append({"left": across - thick // 2, "top": top, "width": thick, "height": foot - top, "lost": lost})
    courses = [
        {"name": _("Einnahmen"), "cents": months[-1].income, "mark": "in"},
        {"name": _("Ausgaben"), "cents": months[-1].expense, "mark": "out"},
    ]
    spots = _build_spots(months, [(one.income, one.expense) for one in months])
    return _build_chart(months, scale, label=_("Einnahmen und Ausgaben im Monat"), spots=spots, courses=courses, bars=bars)


def _draw_balance(months: Sequence[MonthMoney]) -> dict[str, Any]:
    scale, down = _build_scale([one.there for one in months])
    path = " ".join(f"{x},{down(one.there)}" for x, one in zip(_list_centers(months), months, strict=True))
    courses = [{"name": _("In der Kasse"), "cents": months[-1].there, "mark": "line"}]
    spots = _build_spots(months, [(one.there,) for one in months])
    label = _("In der Kasse am Ende des Monats")
    return _build_chart(months, scale, label=label, spots=spots, courses=courses, path=path)


def _build_chart(months: Sequence[MonthMoney], scale: Sequence[tuple[int, int]], **course: Any) -> dict[str, Any]:
    frame = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - MARGIN, "foot": HEIGHT - FOOT}
    return frame | {"scale": scale, "ticks": _list_ticks(months), **course}


def _build_scale(cents: Iterable[int]) -> tuple[list[tuple[int, int]], Callable[[int], int]]:
    """Return round figures with their positions, and the function that positions any other amount."""
    cents = list(cents)
    figures, room = list_gridlines(min(cents), max(cents)), HEIGHT - MARGIN - FOOT

    def down(one: int) -> int:
        return MARGIN + round(room * (figures[0] - one) / ((figures[0] - figures[-1]) or 1))

    return [(one, down(one)) for one in figures], down


def _list_centers(months: Sequence[MonthMoney]) -> list[int]:
    room = WIDTH - MARGIN - LEFT
    return [LEFT + room * (2 * place + 1) // (2 * len(months)) for place in range(len(months))]


def _build_spots(months: Sequence[MonthMoney], cents: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    centers = _list_centers(months)
    return [
        {"across": across, "named": format_month(one.month), "cents": values}
        for across, one, values in zip(centers, months, cents, strict=True)
    ]


def _list_ticks(months: Sequence[MonthMoney]) -> list[tuple[int, str]]:
    days = [datetime.date.fromisoformat(f"{one.month}-01") for one in months]
    named = days if len(days) <= MAX_TICKS else list_month_starts(days[0], days[-1])
    return [(x, date_format(day, "M y")) for x, day in zip(_list_centers(months), days, strict=True) if day in named]
