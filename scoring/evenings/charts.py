"""Draw the running totals of a table, and the picture of an evening to share."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.charts import (
    CHART_WIDTH,
    PICTURE_WIDTH,
    TOTAL_WIDTH,
    Chart,
    Picture,
    build_picture,
    draw_chart,
    list_gridlines,
)
from scoring.core.formats import format_points, format_signed
from scoring.core.tables import FiguresTable
from scoring.evenings.queries import Ranking
from scoring.play.models import Evening
from scoring.play.queries import Sheet


def draw_table_chart(sheet: Sheet, width: int = CHART_WIDTH) -> Chart | None:
    """Draw the totals of the players of a table, None before its first line. A player who came later starts there at 0."""
    if not sheet.rows:
        return None
    columns = {player: _sum_column(sheet, column) for column, player in enumerate(sheet.players)}
    series = {player: totals for player, totals in columns.items() if totals}
    labels = {
        line: _("Spiel %(number)s") % {"number": row.number} if row.number else row.game.get_form_display()
        for line, row in enumerate(sheet.rows, start=1)
    }
    numbers = {row.number: line for line, row in enumerate(sheet.rows, start=1) if row.number}
    ticks = [(numbers[game], str(game)) for game in list_gridlines(0, max(numbers, default=0)) if game in numbers]
    return draw_chart(series, labels, ticks, _("Spiel"), width)


def build_totals_table(chart: Chart) -> FiguresTable:
    """Build the table of the totals that the chart of a table shows."""
    names = [format_html('<span title="{0}" translate="no">{0}</span>', stroke.player) for stroke in chart["strokes"]]
    rows = [[point["label"], *map(format_points, point["totals"])] for point in chart["points"]]
    return FiguresTable(_("Als Zahlen"), [_("Spiel"), *names], rows, look="figures sums")


def _sum_column(sheet: Sheet, column: int) -> dict[int, int]:
    """Return the totals of a player by the number of lines: 0 before the first line with the player; empty without one."""
    first = next((line for line, row in enumerate(sheet.rows) if row.cells[column].seat is not None), None)
    if first is None:
        return {}
    totals = {first: 0}
    for line, row in enumerate(sheet.rows[first:], start=first + 1):
        totals[line] = totals[line - 1] + row.cells[column].points
    return totals


def draw_evening_picture(ranking: Ranking, club: str, evening: Evening) -> Picture:
    is_single = len(ranking.sheets) == 1 and not ranking.tables_without_games
    chart = draw_table_chart(ranking.sheets[0], PICTURE_WIDTH + TOTAL_WIDTH) if is_single else None
    strokes = {stroke.player.pk: stroke for stroke in chart["strokes"]} if chart else {}
    standings = [
        (rank, one.player.name, format_signed(one.points), strokes.get(one.player.pk))
        for rank, one in ranking.ranked
    ]
    title = _("Zwischenstand") if evening.is_open else _("Ergebnis")
    day = date_format(evening.held_on, _("l, j. F Y"))
    games = ngettext("%(games)s Spiel", "%(games)s Spiele", ranking.games) % {"games": ranking.games}
    contents = games if ranking.sheets else _("ohne Spiele übernommen")
    footer = " · ".join([contents, *map(str, ranking.rule_sets), *([_("in Cent")] if ranking.in_cents else [])])
    return build_picture(club, title, day, standings, footer, chart)
