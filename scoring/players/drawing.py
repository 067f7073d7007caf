"""A person's evenings to look at: where the curve of the points over time runs, and how high the bars of the last evenings
stand. Everything is measured in whole units of the drawing; templates draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format

from scoring.core.chart import TICKS, month_starts
from scoring.core.words import day
from scoring.evenings.drawing import CHART_WIDTH, MOST_DRAWN, Axis, Chart, Way, draw_chart

from .queries import EveningSum, Life
from .rules import running_means

BARS_HEIGHT, BARS_HEAD, BARS_FOOT = 300, 30, 70


def draw_ways(lives: Sequence[Life]) -> Chart | None:
    """The points of these people over time, None before anybody's second evening. Who came later begins there."""
    drawn = [life for life in lives if life.evenings]
    if not any(len(life.evenings) > 1 for life in drawn):
        return None
    days = sorted({evening.held_on for life in drawn for evening in life.evenings})
    ways = [
        Way(life.player, {evening.held_on.toordinal(): evening.total for evening in life.evenings}) for life in drawn
    ]
    # Names at the end of the lines take the room of one day below them.
    return draw_chart(ways, _axis(days, TICKS - 1 if len(ways) > 1 else TICKS))


def draw_mean(life: Life) -> Chart | None:
    """Points by games after each evening, or by evenings where no game is known; None before the second of them."""
    if life.career.all.games:
        brought = [(one.held_on, one.points_of_games, one.games) for one in life.evenings]
    else:
        brought = [(one.held_on, one.points, one.played) for one in life.evenings]
    means = running_means(brought, MOST_DRAWN)
    if len(means) < 2:
        return None
    way = Way(life.player, {day.toordinal(): mean for day, mean in means.items()})
    return draw_chart([way], _axis(list(means)), means=True)


def _axis(days: Sequence[date], most: int = TICKS) -> Axis:
    return Axis([one.toordinal() for one in days], _named, _ticks(days[0], days[-1], most), "")


def _named(at: int) -> str:
    return day(date.fromordinal(at))


def _ticks(first: date, last: date, most: int) -> list[tuple[int, str]]:
    """Where months begin, if there is room to write it; of a shorter time its two ends."""
    months = [one for one in month_starts(first, last, most) if 10 * (last - one) > last - first]
    if len(months) > 1:
        return [(one.toordinal(), date_format(one, "M Y")) for one in months]
    return [(one.toordinal(), day(one)) for one in dict.fromkeys((first, last))]


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
    """None where there is no evening."""
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
