"""The lists of the site as django-tables2 tables: which columns they have, how a figure is written, and what
their sorting means. Order and rounding come from the questions themselves."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial

import django_tables2 as tables
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableListData
from django_tables2.utils import A, OrderBy

from scoring.core.tables import NameColumn, NumberColumn, RankColumn
from scoring.league.texts import format_move
from scoring.rules.ranking import Figure
from scoring.standings.metrics import Metric
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import Selection, counted_in
from scoring.standings.queries.standings import Choices, Standing, evenings_without_games, in_order
from scoring.standings.texts import called

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


def movement(row: Standing, last_day: datetime.date | None) -> tuple[str, str]:
    """The arrow against the place before the last evening, and what it says; nothing where nothing moved or was before."""
    if last_day is None or row.before == row.rank:
        return "", ""
    return format_move(row.before - row.rank) if row.before else ("●", gettext("neu"))


def arrows(rows: Sequence[Standing], last_day: datetime.date | None) -> str:
    """What the signs beside the places mean, of those that stand there."""
    signs = {movement(row, last_day)[0][:1] for row in rows} - {""}
    if last_day is None or not signs:
        return ""
    said = []
    if signs - {"●"}:
        said.append(gettext("Die Pfeile vergleichen mit den Plätzen vor dem Abend am %(day)s."))
    if "●" in signs:
        said.append(gettext("● steht seit dem Abend am %(day)s auf der Liste."))
    return " ".join(said) % {"day": date_format(last_day, "SHORT_DATE_FORMAT")}


def with_openings(openings: Sequence[OpeningStanding], selection: Selection) -> str:
    """What a list says of opening balances: from when they are, or why it does not count them; empty where there are none."""
    unit = [one for one in openings if selection.unit in (None, one.unit)]
    if not unit:
        return ""
    counted = counted_in(unit, selection)
    if not counted:
        return gettext("Der Anfangsstand hat keine Tage und zählt in dieser Auswahl nicht.")
    days = ", ".join(date_format(day, "SHORT_DATE_FORMAT") for day in sorted({one.until for one in counted}))
    people = len({one.player_id for one in counted})
    sentence = ngettext(
        "Mit Anfangsstand vom %(days)s: Was %(people)s Person bis dahin hatte, zählt mit, in den Quoten nur, wo beide Teile "
        "bekannt sind.",
        "Mit Anfangsstand vom %(days)s: Was %(people)s Personen bis dahin hatten, zählt mit, in den Quoten nur, wo beide "
        "Teile bekannt sind.",
        people,
    )
    return sentence % {"days": days, "people": people}


def marks_of(offered: Choices, selection: Selection) -> list[str]:
    """What one has to know of a list besides."""
    found = [without_games(evenings_without_games(offered, selection)), with_openings(offered.openings, selection)]
    return [mark for mark in found if mark]


class StandingsData(TableListData):
    """Sorts as the list itself does, by one column at a time, so that no two rows ever stand by chance."""

    def order_by(self, aliases: Sequence[str]) -> None:
        first = OrderBy(aliases[0]) if aliases else OrderBy("rank")
        self.data: list[Standing] = in_order(self.data, first.bare, first.is_descending)


class MetricColumn(NumberColumn):
    """The figures of one metric."""

    def __init__(self, metric: Metric) -> None:
        super().__init__(called(metric).label, accessor=f"figures__{metric.key}", default=NOTHING)
        self.metric = metric

    def render(self, value: Figure) -> str:
        return figure_text(self.metric, value)


class StandingsTable(tables.Table):
    """The eternal list."""

    class Meta:
        template_name = "scoring/tables/table.html"
        attrs = {"class": "list", "aria-label": _("Ewige Liste")}

    def __init__(
        self, rows: Sequence[Standing], metrics: Sequence[Metric], slug: str, last_day: datetime.date | None, sort: str = ""
    ) -> None:
        columns = {
            "rank": RankColumn(partial(movement, last_day=last_day)),
            "name": NameColumn("player_id", ("player", [slug, A("player_id")])),
            **{metric.key: MetricColumn(metric) for metric in metrics},
        }
        wanted = sort.split(",")[0]
        order = wanted if wanted.removeprefix("-") in columns else "rank"
        super().__init__(StandingsData(list(rows)), order_by=order, extra_columns=columns.items())
