"""A person's evenings to look at: where the curve of the points over time runs, and how high the bars of the last evenings
stand. Everything is measured in whole units of the drawing; templates draw it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from django.utils.formats import date_format
from django.utils.translation import get_language

from scoring.core.charts import MAX_TICKS, list_month_starts, thin_out
from scoring.core.formats import format_day, format_day_in
from scoring.evenings.charts import CHART_WIDTH, MAX_DRAWN, Axis, Chart, Series, draw_chart
from scoring.league.rules import to_hundredths
from scoring.players.queries import running_sums

from .queries import EveningSum, Life

BARS_HEIGHT, BARS_HEAD, BARS_FOOT = 300, 30, 70


def draw_ways(lives: Sequence[Life]) -> Chart | None:
    """The points of these people over time, None before anybody's second evening. Who came later begins there."""
    drawn = [life for life in lives if life.evenings]
    if not any(len(life.evenings) > 1 for life in drawn):
        return None
    days = thin_out(sorted({evening.day for life in drawn for evening in life.evenings}), MAX_DRAWN)
    # Names at the end of the lines take the room of one day below them.
    return draw_chart([_way(life, days) for life in drawn], _axis(days, MAX_TICKS - 1 if len(drawn) > 1 else MAX_TICKS))


def _way(life: Life, shown: Sequence[str]) -> Series:
    """The totals behind the days that are shown, from the first evening on."""
    days = [evening.day for evening in life.evenings]
    begun = [(day, bisect_right(days, day)) for day in (days[0], *shown)]
    return Series(life.player, {_ordinal(day): life.evenings[count - 1].total for day, count in begun if count})


def draw_mean(life: Life) -> Chart | None:
    """Points by games after each evening, or by evenings where no game is known; None before the second of them."""
    points, games = ("points_of_games", "games") if life.career.all.games else ("points", "played")
    days, brought, by = (map(attrgetter(name), life.evenings) for name in ("day", points, games))
    sums = running_sums(list(days), brought, by)
    if len(sums) < 2:
        return None
    shown = thin_out(list(sums), MAX_DRAWN)
    way = Series(life.player, {_ordinal(day): to_hundredths(*sums[day]) for day in shown})
    return draw_chart([way], _axis(shown), is_average=True)


def _axis(days: Sequence[str], most: int = MAX_TICKS) -> Axis:
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    language = get_language()
    return Axis(
        list(map(_ordinal, days)), lambda at: format_day_in(language, date.fromordinal(at)), _ticks(first, last, most), ""
    )


def _ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _ticks(first: date, last: date, most: int) -> list[tuple[int, str]]:
    """Where months begin, if there is room to write it; of a shorter time its two ends."""
    months = [one for one in list_month_starts(first, last, most) if 10 * (last - one) > last - first]
    if len(months) > 1:
        return [(one.toordinal(), date_format(one, "M Y")) for one in months]
    return [(one.toordinal(), format_day(one)) for one in dict.fromkeys((first, last))]


@dataclass(frozen=True)
class Bar:
    """One evening: its bar and where its figure stands, above what was won and below what was lost."""

    evening: EveningSum
    left: int
    top: int
    height: int
    middle: int
    figure: int


@dataclass(frozen=True)
class Bars:
    """The last evenings beside each other on one zero line."""

    width: int
    height: int
    thickness: int
    zero: int
    bars: Sequence[Bar]


def draw_form(evenings: Sequence[EveningSum]) -> Bars | None:
    """The last evenings as bars. None where there is no evening."""
    if not evenings:
        return None
    high = max(0, *(evening.points for evening in evenings))
    low = min(0, *(evening.points for evening in evenings))
    step = CHART_WIDTH // len(evenings) if len(evenings) > 5 else CHART_WIDTH // 6
    room = BARS_HEIGHT - 2 * BARS_HEAD - BARS_FOOT

    def tall(points: int) -> int:
        return round(room * points / ((high - low) or 1))

    zero = BARS_HEAD + tall(high)
    bars = []
    for place, evening in enumerate(evenings):
        height = abs(tall(evening.points))
        lost = evening.points < 0
        bars.append(
            Bar(
                evening=evening,
                left=place * step + step // 8,
                top=zero if lost else zero - height,
                height=max(height, 2),
                middle=place * step + step // 2,
                figure=zero + height + 24 if lost else zero - height - 6,
            )
        )
    # As wide for one evening as for ten: a picture takes the whole width, and one that is narrow would be as high as a page.
    return Bars(CHART_WIDTH, BARS_HEIGHT, step * 3 // 4, zero, bars)
