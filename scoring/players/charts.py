"""Draw charts of players: the total of points, the running average, and bars of the last evenings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from operator import attrgetter
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.core.charts import CHART_WIDTH, MAX_DRAWN, MAX_TICKS, Chart, draw_chart, list_month_starts, thin_out
from scoring.core.formats import format_day, format_day_in, format_points, format_signed
from scoring.league.rules import to_hundredths
from scoring.players.queries import EveningSum, Life, accumulate_by_day

BARS_HEIGHT, BARS_HEAD, BARS_FOOT = 300, 30, 70


def draw_totals(lives: Sequence[Life]) -> Chart | None:
    """Return the chart of the totals, each from the first evening on; None if no player has two evenings."""
    drawn = [life for life in lives if life.evenings]
    if not any(len(life.evenings) > 1 for life in drawn):
        return None
    days = thin_out(sorted({evening.day for life in drawn for evening in life.evenings}), MAX_DRAWN)
    # Names at the end of the lines take the room of one day below them.
    ticks = MAX_TICKS - 1 if len(drawn) > 1 else MAX_TICKS
    return draw_chart({life.player: _list_totals(life, days) for life in drawn}, **_build_axis(days, ticks))


def _list_totals(life: Life, shown: Sequence[str]) -> dict[int, int]:
    days = [evening.day for evening in life.evenings]
    counts = [(day, bisect_right(days, day)) for day in (days[0], *shown)]
    return {_to_ordinal(day): life.evenings[count - 1].total for day, count in counts if count}


def draw_mean(life: Life) -> Chart | None:
    """Return the chart of points per game after each evening, or per evening if no game is known; None before the second."""
    points, games = ("points_of_games", "games") if life.career.all.games else ("points", "played")
    days, sums_of_points, sums_of_games = (map(attrgetter(name), life.evenings) for name in ("day", points, games))
    sums = accumulate_by_day(list(days), sums_of_points, sums_of_games)
    if len(sums) < 2:
        return None
    shown = thin_out(list(sums), MAX_DRAWN)
    means = {_to_ordinal(day): to_hundredths(*sums[day]) for day in shown}
    return draw_chart({life.player: means}, **_build_axis(shown), is_average=True)


def _build_axis(days: Sequence[str], most: int = MAX_TICKS) -> dict[str, Any]:
    ticks = _list_ticks(date.fromisoformat(days[0]), date.fromisoformat(days[-1]), most)
    language = get_language()
    labels = {_to_ordinal(day): format_day_in(language, date.fromisoformat(day)) for day in days}
    return {"labels": labels, "ticks": ticks}


def _to_ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _list_ticks(first: date, last: date, most: int) -> list[tuple[int, str]]:
    """Return the labels of the axis: first days of months if there is room, else the two ends."""
    months = [one for one in list_month_starts(first, last, most) if 10 * (last - one) > last - first]
    if len(months) > 1:
        return [(one.toordinal(), date_format(one, "M Y")) for one in months]
    return [(one.toordinal(), format_day(one)) for one in dict.fromkeys((first, last))]


def draw_bars(evenings: Sequence[EveningSum]) -> Chart | None:
    """Return the bars of the last evenings on one zero line, each with its figure above a gain or below a loss, and the day."""
    if not evenings:
        return None
    high = max(0, *(evening.points for evening in evenings))
    low = min(0, *(evening.points for evening in evenings))
    step = CHART_WIDTH // len(evenings) if len(evenings) > 5 else CHART_WIDTH // 6
    room = BARS_HEIGHT - 2 * BARS_HEAD - BARS_FOOT

    def scale(points: int) -> int:
        return round(room * points / ((high - low) or 1))

    zero = BARS_HEAD + scale(high)
    bars, texts = [], []
    for place, evening in enumerate(evenings):
        height = abs(scale(evening.points))
        lost = evening.points < 0
        top = zero if lost else zero - height
        bars.append(
            {"left": place * step + step // 8, "top": top, "width": step * 3 // 4, "height": max(height, 2), "lost": lost}
        )
        figure = zero + height + 24 if lost else zero - height - 6
        foot = (
            (figure, format_points(evening.points)),
            (BARS_HEIGHT - 32, date_format(evening.held_on, _("j."))),
            (BARS_HEIGHT - 6, date_format(evening.held_on, "b")),
        )
        texts += [(place * step + step // 2, y, text, "middle") for y, text in foot]
    # Always of the same width: a picture takes the whole width of the page, so a narrow one would be very high.
    return {
        "width": CHART_WIDTH,
        "height": BARS_HEIGHT,
        "left": 0,
        "right": CHART_WIDTH,
        "scale": [(None, zero, "")],
        "bars": bars,
        "texts": texts,
        "ends": [f"{format_day(evening.held_on)}: {format_signed(evening.points)}" for evening in evenings],
    }
