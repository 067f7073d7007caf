"""Draw charts of lines and bars, and the picture of a result to share. Positions are whole SVG units; templates draw them."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from .formats import format_hundredths, format_points

MAX_POINTS = 60  # more points cannot be distinguished on a phone
MAX_STEPS, MAX_TICKS = 5, 4  # steps between gridlines, and labels below them: as many as fit on a phone
_ROUND = (1, 2, 5)
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)

# Lines also differ in their dashes. The colours are those of the style sheet for paper.
DASHES = ("none", "14 7", "3 6", "18 6 3 6", "26 8", "8 8", "2 10", "16 5 3 5 3 5")
COLOURS = (
    "#a93b66", "#2a66ad", "#85560f", "#7148ad", "#14746a", "#b53c0b", "#4a681c", "#56606c",
    "#8c3a9c", "#1d7338", "#6f4a38", "#0b6c8a",
)  # fmt: skip

MARGIN = 24
# The width of a letter of the labels on the left, the gap beside them, and the height of the labels below.
LETTER_WIDTH, SCALE_MARGIN, AXIS_HEIGHT = 14, 12, 40
# The distance of the labels from the lines beside them, and from the bottom of the chart.
SCALE_GAP, FOOT_MARGIN = 10, 8
CHART_WIDTH, CHART_HEIGHT = 640, 370
PICTURE_WIDTH, HEAD_HEIGHT, ROW_HEIGHT, FOOTER_HEIGHT = 720, 190, 52, 60
# Characters that fit in the picture.
MAX_NAME, MAX_CLUB, MAX_TITLE, MAX_SUBTITLE, MAX_FOOTER = 28, 40, 42, 52, 58
# The width of a total behind the end of a line (the picture has none), the characters of the name before it, and the least
# distance of two names.
TOTAL_WIDTH, MAX_END_NAME, NAME_DISTANCE = 70, 9, 28
# The start of a series is one point more.
MAX_DRAWN = MAX_POINTS - 1

T = TypeVar("T")


def thin_out(points: Sequence[T], limit: int = MAX_POINTS) -> list[T]:
    """Return at most `limit` points, evenly spread, with the first and the last."""
    if len(points) <= limit:
        return list(points)
    last = len(points) - 1
    return [points[round(last * number / (limit - 1))] for number in range(limit)]


def list_gridlines(low: int, high: int) -> list[int]:
    """Return round numbers from at most `low` to at least `high`, the highest first, always with 0."""
    low, high = min(low, 0), max(high, 0)
    steps = (one * 10**power for power in range(20) for one in _ROUND)
    step = next(one for one in steps if one * MAX_STEPS >= high - low)
    return list(range(-(-high // step) * step, low // step * step - 1, -step))


def build_scale(figures: Iterable[int], height: int) -> tuple[list[int], Callable[[int], int]]:
    """Return round figures for the lines of a chart of this height, and the function that returns the position of a figure."""
    figures = list(figures)
    scale, room = list_gridlines(min(figures), max(figures)), height - MARGIN - AXIS_HEIGHT

    def get_y(figure: int) -> int:
        return MARGIN + round(room * (scale[0] - figure) / ((scale[0] - scale[-1]) or 1))

    return scale, get_y


def spread_heights(heights: Sequence[int], apart: int, top: int, foot: int) -> list[int]:
    """Move heights to be at least `apart` between `top` and `foot`, in their order; closer only if there is no room."""
    apart = min(apart, (foot - top) // max(1, len(heights) - 1))
    # Without each item's distance from the first, items are too close where the values fall. Pushing down and pushing up both
    # make them rise; the mean of both centres items of one height around it.
    free = [height - index * apart for index, height in enumerate(heights)]
    down, up = accumulate(free, max), reversed(list(accumulate(reversed(free), min)))
    last = foot - (len(heights) - 1) * apart
    halves = ((low + high) // 2 for low, high in zip(down, up, strict=True))
    return [min(max(half, top), last) + index * apart for index, half in enumerate(halves)]


def list_month_starts(first: datetime.date, last: datetime.date, limit: int = MAX_TICKS) -> list[datetime.date]:
    """Return first days of months between two days, at most `limit`, evenly spread."""
    begin, end = first.year * 12 + first.month, last.year * 12 + last.month - 1
    for every in _MONTHS:
        months = range(-(-begin // every) * every, end + 1, every)
        if len(months) <= limit:
            break
    return [datetime.date(month // 12, month % 12 + 1, 1) for month in months]


@dataclass(frozen=True)
class Stroke:
    """A drawn series: the player (`pk` and `name`), the last total and its text, the points of a polyline, its end, and the name
    beside the end, empty if there is one series only."""

    player: Any
    total: int
    figure: str
    number: int
    path: str
    end: tuple[int, int]
    name: str
    name_height: int

    @property
    def dash(self) -> str:
        return DASHES[self.number]

    @property
    def colour(self) -> str:
        return COLOURS[self.player.pk % len(COLOURS)]


# What `scoring/_chart.html` draws: `width`, `height`, `left` and `right`; the horizontal lines with figure, height and text
# (`scale`); other `texts` with x, y, text and text-anchor; for screen readers each name with its last figure (`ends`); and those
# of a `legend`, with a mark if the name is visible. Lines are `strokes`, or the points of one polyline (`path`); `bars` have left,
# top, width, height and whether they are `lost`. The `points` that can be marked have x, label, the `totals` of all series and
# their texts (`figures`); `intro` is the text before the label.
Chart = dict[str, Any]


def draw_chart(
    series: Mapping[Any, Mapping[int, int]],
    labels: Mapping[int, str],
    ticks: Sequence[tuple[int, str]],
    unit: str = "",
    width: int = CHART_WIDTH,
    is_average: bool = False,
) -> Chart:
    """Draw the totals of each player (`pk` and `name`), by position from the first one of the player on, with at most MAX_DRAWN
    points each. Totals also start at 0, averages at the first value. The horizontal axis has `labels` by position, in order,
    `ticks` with text below, and the `unit` that it counts."""
    positions = thin_out(list(labels), MAX_DRAWN)
    lines = list(series.values())
    first, last = min(map(min, lines)), max(map(max, lines))
    scale, get_y = build_scale((total for line in lines for total in line.values()), CHART_HEIGHT)
    render: Callable[[int | None], str] = _format_average if is_average else format_points
    ends = [line[max(line)] for line in lines]
    name_heights = _spread_names(ends, get_y)
    names = [_shorten(player.name, MAX_END_NAME) for player in series]
    figures = [render(figure) for figure in scale]
    left = SCALE_MARGIN + LETTER_WIDTH * max(3, len(unit), *map(len, figures))
    longest = max(map(len, names))
    right = width - (SCALE_MARGIN + LETTER_WIDTH * longest + TOTAL_WIDTH if len(series) > 1 else MARGIN)

    def get_x(position: int) -> int:
        return left + round((right - left) * (position - first) / ((last - first) or 1))

    totals_of = [_list_totals(line, positions) for line in lines]
    strokes = []
    for number, (player, line) in enumerate(series.items()):
        path = [] if is_average else [(get_x(min(line)), get_y(0))]
        totals = zip(positions, totals_of[number], strict=True)
        path += [(get_x(position), get_y(total)) for position, total in totals if total is not None]
        strokes.append(
            Stroke(
                player=player,
                total=ends[number],
                figure=render(ends[number]),
                number=number % len(DASHES),
                path=" ".join(f"{x},{y}" for x, y in dict.fromkeys(path)),
                end=path[-1],
                name=names[number] if len(series) > 1 else "",
                name_height=name_heights[number],
            )
        )
    marks = [(get_x(position), text) for position, text in ticks]
    foot = CHART_HEIGHT - FOOT_MARGIN
    return {
        "width": width,
        "height": CHART_HEIGHT,
        "left": left,
        "right": right,
        "scale": [(figure, get_y(figure), text) for figure, text in zip(scale, figures, strict=True)],
        "texts": [
            *((x, foot, text, "end" if right - x < MARGIN else "middle") for x, text in marks),
            (left - SCALE_GAP, foot, unit, "end"),
        ],
        "strokes": strokes,
        "points": [
            {"x": get_x(position), "label": labels[position], "totals": totals, "figures": " ".join(map(render, totals))}
            for position, *totals in zip(positions, *totals_of, strict=True)
        ],
        "ends": [f"{stroke.player} {stroke.figure}" for stroke in strokes],
        "legend": [{"name": stroke.player, "figure": stroke.figure} for stroke in strokes if not stroke.name],
        "intro": _("Summe nach") if unit else _("Schnitt am") if is_average else _("Summe am"),
    }


def _format_average(figure: int | None) -> str:
    return format_points(None) if figure is None else format_hundredths(figure)


def _spread_names(ends: Sequence[int], get_y: Callable[[int], int]) -> list[int]:
    """Return the heights of the names beside the ends of the lines, in the order of the lines, above the labels of the axis."""
    order = sorted(range(len(ends)), key=lambda number: -ends[number])
    wanted = [get_y(ends[number]) for number in order]
    heights = spread_heights(wanted, NAME_DISTANCE, NAME_DISTANCE // 2, CHART_HEIGHT - AXIS_HEIGHT)
    return [heights[order.index(number)] for number in range(len(ends))]


def _list_totals(series: Mapping[int, int], positions: Sequence[int]) -> list[int | None]:
    """Return the total at each position: the last one up to it, None before the start."""
    starts, totals = list(series), list(series.values())
    counts = [bisect_right(starts, position) for position in positions]
    return [totals[count - 1] if count else None for count in counts]


# A row of a picture: rank if there is one, name, formatted figure, and the stroke of the chart if there is one.
PictureRow = tuple[int | None, str, str, Stroke | None]
# The picture of an evening, a month or a season to share: standings with their heights, and the chart of a single table.
Picture = dict[str, Any]


def build_picture(
    club: str, title: str, subtitle: str, standings: Sequence[PictureRow], footer: str, chart: Chart | None = None
) -> Picture:
    rows = [
        {"top": HEAD_HEIGHT + at * ROW_HEIGHT, "rank": rank, "name": _shorten(name, MAX_NAME), "figure": figure, "stroke": stroke}
        for at, (rank, name, figure, stroke) in enumerate(standings)
    ]
    chart_top = HEAD_HEIGHT + len(rows) * ROW_HEIGHT
    return {
        "title": _shorten(title, MAX_TITLE),
        "subtitle": _shorten(subtitle, MAX_SUBTITLE),
        "footer": _shorten(footer, MAX_FOOTER),
        "club": _shorten(club, MAX_CLUB),
        "width": PICTURE_WIDTH,
        "height": chart_top + (chart["height"] if chart else 0) + FOOTER_HEIGHT,
        "rows": rows,
        "chart": chart,
        "chart_top": chart_top,
    }


def _shorten(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
