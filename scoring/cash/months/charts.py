"""Draw charts of the months of the Kasse."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.cash.texts import format_amount, format_euros, format_short_amount
from scoring.core.charts import (
    CHART_WIDTH,
    FOOT_MARGIN,
    MARGIN,
    MAX_TICKS,
    SCALE_GAP,
    Chart,
    build_scale,
    list_month_starts,
)
from scoring.core.formats import format_month
from scoring.core.tables import FiguresTable

from .queries import MonthMoney

HEIGHT = 300
# Space for the figures beside the chart.
LEFT = 144
# The number of months in a chart.
MOST_MONTHS = 24


def draw_months(months: Sequence[MonthMoney]) -> list[Chart]:
    """Draw income and expense, and the balance of the Kasse, for the latest of these months; no chart for a single month."""
    months = months[-MOST_MONTHS:]
    return [_draw_flow(months), _draw_balance(months)] if len(months) > 1 else []


def build_months_table(months: Sequence[MonthMoney]) -> FiguresTable:
    """Build the table of the figures that the charts of the latest months show."""
    headers = [_("Monat"), _("Einnahmen"), _("Ausgaben"), _("In der Kasse")]
    rows = [
        [format_month(one.month), *map(format_euros, (one.income, one.expense, one.there))] for one in months[-MOST_MONTHS:]
    ]
    return FiguresTable(_("Als Zahlen"), headers, rows, look="figures")


def _draw_flow(months: Sequence[MonthMoney]) -> Chart:
    scale, get_y = build_scale([one.income for one in months] + [-one.expense for one in months], HEIGHT)
    thick, bars = max((CHART_WIDTH - MARGIN - LEFT) // len(months) * 2 // 3, 2), []
    for x, one in zip(_list_centers(months), months, strict=True):
        for cents, lost in ((one.income, False), (-one.expense, True)):
            top, foot = sorted((get_y(0), get_y(cents)))
            bars.append({"left": x - thick // 2, "top": top, "width": thick, "height": foot - top, "lost": lost})
    names = ((_("Einnahmen"), "in"), (_("Ausgaben"), "out"))
    totals = [(one.income, one.expense) for one in months]
    return _build_chart(months, _("Einnahmen und Ausgaben im Monat"), scale, get_y, names, totals) | {"bars": bars}


def _draw_balance(months: Sequence[MonthMoney]) -> Chart:
    scale, get_y = build_scale([one.there for one in months], HEIGHT)
    path = " ".join(f"{x},{get_y(one.there)}" for x, one in zip(_list_centers(months), months, strict=True))
    names, totals = [(_("In der Kasse"), "line")], [(one.there,) for one in months]
    return _build_chart(months, _("In der Kasse am Ende des Monats"), scale, get_y, names, totals) | {"path": path}


def _build_chart(
    months: Sequence[MonthMoney],
    label: str,
    scale: Sequence[int],
    get_y: Callable[[int], int],
    names: Sequence[tuple[str, str]],
    totals: Sequence[Sequence[int]],
) -> Chart:
    """Build a chart without its bars or line, from the names and marks of its figures, and the cents of each month."""
    centers, foot = _list_centers(months), HEIGHT - FOOT_MARGIN
    last = list(zip(names, totals[-1], strict=True))
    return {
        "label": f"{label}. " + _("Im letzten Monat:"),
        "width": CHART_WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": CHART_WIDTH - MARGIN,
        "scale": [(cents, get_y(cents), format_short_amount(cents)) for cents in scale],
        "texts": [*((x, foot, text, "middle") for x, text in _list_ticks(months)), (LEFT - SCALE_GAP, foot, _("Euro"), "end")],
        "points": [
            {"x": x, "label": format_month(one.month), "totals": cents, "figures": " ".join(map(format_amount, cents))}
            for x, one, cents in zip(centers, months, totals, strict=True)
        ],
        "ends": [f"{name} {format_euros(cents)}" for (name, _mark), cents in last],
        "legend": [{"name": name, "mark": mark, "figure": format_amount(cents)} for (name, mark), cents in last],
    }


def _list_centers(months: Sequence[MonthMoney]) -> list[int]:
    room = CHART_WIDTH - MARGIN - LEFT
    return [LEFT + room * (2 * place + 1) // (2 * len(months)) for place in range(len(months))]


def _list_ticks(months: Sequence[MonthMoney]) -> list[tuple[int, str]]:
    days = [datetime.date.fromisoformat(f"{one.month}-01") for one in months]
    named = days if len(days) <= MAX_TICKS else list_month_starts(days[0], days[-1])
    return [(x, date_format(day, "M y")) for x, day in zip(_list_centers(months), days, strict=True) if day in named]
