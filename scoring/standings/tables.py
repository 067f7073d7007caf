"""The eternal list as a table: its columns and its sorting."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableListData
from django_tables2.utils import A, OrderBy

from scoring.core.tables import NameColumn, NumberColumn, RankColumn
from scoring.rules.ranking import Figure
from scoring.standings.metrics import Metric
from scoring.standings.queries.standings import Standing, sort_standings
from scoring.standings.texts import NOTHING, format_figure, format_movement


class StandingsData(TableListData):
    """Rows that are sorted by one column as the list itself, so that the order is total."""

    def order_by(self, aliases: Sequence[str]) -> None:
        first = OrderBy(aliases[0]) if aliases else OrderBy("rank")
        self.data: list[Standing] = sort_standings(self.data, first.bare, first.is_descending)


class MetricColumn(NumberColumn):
    def __init__(self, metric: Metric) -> None:
        super().__init__(metric.label, accessor=f"figures__{metric.key}", default=NOTHING)
        self.metric = metric

    def render(self, value: Figure) -> str:
        return format_figure(self.metric, value)


class StandingsTable(tables.Table):
    class Meta:
        template_name = "scoring/tables/table.html"
        attrs = {"class": "list", "aria-label": _("Ewige Liste")}

    def __init__(
        self, rows: Sequence[Standing], metrics: Sequence[Metric], slug: str, last_day: datetime.date | None, sort: str = ""
    ) -> None:
        columns = {
            "rank": RankColumn(partial(format_movement, last_day=last_day)),
            "name": NameColumn("player_id", ("player", [slug, A("player_id")])),
            **{metric.key: MetricColumn(metric) for metric in metrics},
        }
        wanted = sort.split(",")[0]
        order = wanted if wanted.removeprefix("-") in columns else "rank"
        super().__init__(StandingsData(list(rows)), order_by=order, extra_columns=columns.items())
