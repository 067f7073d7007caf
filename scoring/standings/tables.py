"""The lists of the site as django-tables2 tables: which columns they have, how a figure is written, and what
their sorting means. Order and rounding come from the questions themselves."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import django_tables2 as tables
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy

from scoring.rules.ranking import Figure
from scoring.standings.queries.metrics import Metric
from scoring.standings.queries.standings import Standing, in_order

NOTHING = "–"


def figure_text(metric: Metric, figure: Figure) -> str:
    """A figure as people write it here: the language's comma, a real minus sign, "–" where there is none."""
    shown = metric.shown(figure)
    if shown is None:
        return NOTHING
    if isinstance(shown, datetime.date):
        return date_format(shown, "SHORT_DATE_FORMAT")
    number = number_format(100 * shown if metric.percent else shown, metric.digits)
    return f"{number}\u00a0%" if metric.percent else number.replace("-", "−")


def without_games(evenings: int) -> str:
    """The mark of a list in which evenings without their games are counted, empty where there are none."""
    if not evenings:
        return ""
    sentence = ngettext(
        "Die Liste enthält %(evenings)s Abend ohne Einzelspiele. Seine Punkte zählen mit, in den Quoten fehlt er.",
        "Die Liste enthält %(evenings)s Abende ohne Einzelspiele. Ihre Punkte zählen mit, in den Quoten fehlen sie.",
        evenings,
    )
    return sentence % {"evenings": evenings}


class MetricColumn(tables.Column):
    """A column of figures: to the right, and the highest first at the first click."""

    empty_values = ()

    def __init__(self, metric: Metric) -> None:
        super().__init__(
            metric.label,
            accessor=f"figures__{metric.key}",
            initial_sort_descending=True,
        )
        self.metric = metric

    def render(self, value: Figure) -> str:
        return figure_text(self.metric, value)


class StandingsData(TableListData):
    """Sorts as the list itself does, by one column at a time, so that no two rows ever stand by chance."""

    def order_by(self, aliases: Sequence[str]) -> None:
        first = OrderBy(aliases[0]) if aliases else OrderBy("rank")
        self.data: list[Standing] = in_order(self.data, first.bare, first.is_descending)


class StandingsTable(tables.Table):
    """The eternal list."""

    rank = tables.Column(_("Platz"))
    name = tables.Column(_("Name"))

    class Meta:
        template_name = "scoring/standings/_table.html"
        sequence = ("rank", "name", "...")

    def __init__(self, rows: Sequence[Standing], metrics: Sequence[Metric], sort: str = "") -> None:
        columns = [(metric.key, MetricColumn(metric)) for metric in metrics]
        wanted = sort.split(",")[0]
        known = wanted.removeprefix("-") in {"rank", "name", *(metric.key for metric in metrics)}
        super().__init__(StandingsData(list(rows)), order_by=wanted if known else "rank", extra_columns=columns)
