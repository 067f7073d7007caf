"""The result of an evening to look at: where the curve of the running totals runs, and the picture that is sent round.
Everything is measured in whole units of the drawing; templates draw it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.club.models import Player
from scoring.club.names import get_color_class
from scoring.core.chart import MAX_POINTS, list_gridlines, spread_heights, thin_out
from scoring.core.formats import format_hundredths, format_points, format_signed
from scoring.evenings.queries import Ranking
from scoring.play.models import Evening
from scoring.play.queries import Sheet

# A person's line differs from the others in its dashes; its colour is the person's own, as the style sheet has it for paper.
DASHES = ("none", "14 7", "3 6", "18 6 3 6", "26 8", "8 8", "2 10", "16 5 3 5 3 5")
COLOURS = (
    "#a93b66", "#2a66ad", "#85560f", "#7148ad", "#14746a", "#b53c0b", "#4a681c", "#56606c",
    "#8c3a9c", "#1d7338", "#6f4a38", "#0b6c8a",
)  # fmt: skip

MARGIN = 24
# Room for a letter of the figures beside the curve and what is between them, and for what stands below it.
LETTER, SCALE_MARGIN, FOOT = 14, 12, 40
CHART_WIDTH, CURVE_HEIGHT = 640, 370
PICTURE_WIDTH, HEAD_HEIGHT, LINE_HEIGHT, FOOT_HEIGHT = 720, 190, 52, 60
# What fits beside the points in the picture.
LONGEST_NAME, LONGEST_CLUB = 28, 40
# What fits across it: of a title in its smaller letters, of what stands below the title, and of the foot.
LONGEST_TITLE, LONGEST_SAID, LONGEST_FOOT = 42, 52, 58
# Room behind the end of a line for a total, which the picture leaves out, how much of a name fits before it, and how far from
# another name it can be read.
TOTAL_WIDTH, LONGEST_AT_END, APART = 70, 9, 28
# Of so many points of the axis a chart says the totals: where a way begins is one more.
MOST_DRAWN = MAX_POINTS - 1


@dataclass(frozen=True)
class Way:
    """Somebody's totals by where they stand on the axis, in its order: at the first of them they began with nothing."""

    player: Player
    totals: Mapping[int, int]


@dataclass(frozen=True)
class Axis:
    """The horizontal axis of a chart: its points in order, what one point is called (`named`), the labels below it
    (`ticks`), and what is counted (`of`)."""

    points: Sequence[int]
    named: Callable[[int], str]
    ticks: Sequence[tuple[int, str]]
    of: str


@dataclass(frozen=True)
class Stroke:
    """One person's way: `path` is the points of a polyline, `end` the last of them. `name` stands behind it at
    `name_height`, and is empty where nobody else is drawn."""

    player: Player
    total: int
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

    @property
    def person(self) -> str:
        """The class of the person's colour."""
        return get_color_class(self.player.pk, self.player.name)


@dataclass(frozen=True)
class Spot:
    """A point of the chart that can be tapped: its position, its name, and the total of each line there; None before
    somebody's first point."""

    across: int
    named: str
    totals: Sequence[int | None]


@dataclass(frozen=True)
class Tick:
    across: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Chart:
    """Running totals of some people, or running averages in hundredths (`means`). `scale` is figures and where they stand, the
    zero line among them."""

    width: int
    height: int
    left: int
    right: int
    scale: Sequence[tuple[int, int]]
    strokes: Sequence[Stroke]
    spots: Sequence[Spot]
    ticks: Sequence[Tick]
    of: str
    means: bool = False


def draw_chart(ways: Sequence[Way], axis: Axis, width: int = CHART_WIDTH, means: bool = False) -> Chart:
    """The ways of these people on one scale, with at most MOST_DRAWN points each and where they begin. An average begins where it
    is first known, a total with nothing."""
    asked = thin_out(axis.points, MOST_DRAWN)
    first, last = min(min(way.totals) for way in ways), max(max(way.totals) for way in ways)
    scale = list_gridlines(min(min(way.totals.values()) for way in ways), max(max(way.totals.values()) for way in ways))
    room = CURVE_HEIGHT - MARGIN - FOOT

    def down(total: int) -> int:
        return MARGIN + round(room * (scale[0] - total) / ((scale[0] - scale[-1]) or 1))

    ends = [way.totals[max(way.totals)] for way in ways]
    names = _name_heights(ends, down)
    labels = [axis.of, *(format_hundredths(figure) if means else format_points(figure) for figure in scale)]
    left = SCALE_MARGIN + LETTER * max(3, *map(len, labels))
    longest = max(len(_short(way.player.name, LONGEST_AT_END)) for way in ways)
    right = width - (SCALE_MARGIN + LETTER * longest + TOTAL_WIDTH if len(ways) > 1 else MARGIN)

    def across(at: int) -> int:
        return left + round((right - left) * (at - first) / ((last - first) or 1))

    known = [_known(way, asked) for way in ways]
    strokes = []
    for number, way in enumerate(ways):
        path = [] if means else [(across(min(way.totals)), down(0))]
        path += [(across(at), down(total)) for at, total in zip(asked, known[number], strict=True) if total is not None]
        strokes.append(
            Stroke(
                player=way.player,
                total=ends[number],
                number=number % len(DASHES),
                path=" ".join(f"{x},{y}" for x, y in dict.fromkeys(path)),
                end=path[-1],
                name=_short(way.player.name, LONGEST_AT_END) if len(ways) > 1 else "",
                name_height=names[number],
            )
        )
    return Chart(
        width=width,
        height=CURVE_HEIGHT,
        left=left,
        right=right,
        scale=[(figure, down(figure)) for figure in scale],
        strokes=strokes,
        spots=[Spot(across(at), axis.named(at), totals) for at, *totals in zip(asked, *known, strict=True)],
        ticks=[Tick(across(at), text, "end" if right - across(at) < MARGIN else "middle") for at, text in axis.ticks],
        of=axis.of,
        means=means,
    )


def _name_heights(ends: Sequence[int], down: Callable[[int], int]) -> list[int]:
    """Where the names stand behind the lines that end with these totals: in their order, above what is written along the foot."""
    order = sorted(range(len(ends)), key=lambda number: -ends[number])
    heights = spread_heights([down(ends[number]) for number in order], APART, APART // 2, CURVE_HEIGHT - FOOT)
    return [heights[order.index(number)] for number in range(len(ends))]


def _known(way: Way, asked: Sequence[int]) -> list[int | None]:
    """Somebody's total at each of these: that of the last point before it, None where they had not begun."""
    points, totals = list(way.totals), list(way.totals.values())
    begun = [bisect_right(points, at) for at in asked]
    return [totals[count - 1] if count else None for count in begun]


def draw_curve(sheet: Sheet, width: int = CHART_WIDTH) -> Chart | None:
    """The curve of a table, None before its first line. Who came later begins there, with nothing."""
    if not sheet.rows:
        return None
    ways = [Way(player, running) for column, player in enumerate(sheet.players) if (running := _running(sheet, column))]
    named = {
        line: _("Spiel %(number)s") % {"number": row.number} if row.number else row.game.get_form_display()
        for line, row in enumerate(sheet.rows, start=1)
    }
    numbers = {row.number: line for line, row in enumerate(sheet.rows, start=1) if row.number}
    ticks = [
        (numbers[number], str(number)) for number in list_gridlines(0, max(numbers, default=0)) if number in numbers
    ]
    return draw_chart(ways, Axis(list(named), named.__getitem__, ticks, _("Spiel")), width)


def _running(sheet: Sheet, column: int) -> dict[int, int]:
    """Somebody's total after each line, by the number of lines: 0 before the first at which they sat, and nothing for
    who has only just sat down."""
    first = next((line for line, row in enumerate(sheet.rows) if row.cells[column].seat is not None), None)
    if first is None:
        return {}
    running = {first: 0}
    for line, row in enumerate(sheet.rows[first:], start=first + 1):
        running[line] = running[line - 1] + row.cells[column].points
    return running


class PictureStanding(NamedTuple):
    """A line of a picture: the rank, None where there is none, the name, and the figure as it is written."""

    rank: int | None
    name: str
    figure: str
    stroke: Stroke | None = None


@dataclass(frozen=True)
class PictureLine:
    """A place of the ranking at this height, with its stroke where there is a curve."""

    rank: int | None
    name: str
    figure: str
    top: int
    stroke: Stroke | None


@dataclass(frozen=True)
class Picture:
    """The picture of an evening, a month or a season that people send around: a ranking, and below it the curve of the
    table if it is about a single one."""

    title: str
    said: str
    foot: str
    club: str
    width: int
    height: int
    lines: Sequence[PictureLine]
    curve: Chart | None
    curve_top: int


def picture_of(
    club: str, title: str, said: str, standings: Sequence[PictureStanding], foot: str, curve: Chart | None = None
) -> Picture:
    """`said` stands below the title, `foot` below everything."""
    lines = [
        PictureLine(one.rank, _short(one.name, LONGEST_NAME), one.figure, HEAD_HEIGHT + place * LINE_HEIGHT, one.stroke)
        for place, one in enumerate(standings)
    ]
    curve_top = HEAD_HEIGHT + len(lines) * LINE_HEIGHT
    height = curve_top + (curve.height if curve else 0) + FOOT_HEIGHT
    title, said, foot = _short(title, LONGEST_TITLE), _short(said, LONGEST_SAID), _short(foot, LONGEST_FOOT)
    return Picture(title, said, foot, _short(club, LONGEST_CLUB), PICTURE_WIDTH, height, lines, curve, curve_top)


def draw_picture(ranking: Ranking, club: str, evening: Evening) -> Picture:
    """An evening of several tables has no one curve."""
    only = ranking.sheets[0] if len(ranking.sheets) == 1 and not ranking.sums else None
    curve = draw_curve(only, PICTURE_WIDTH + TOTAL_WIDTH) if only else None
    strokes = {stroke.player.pk: stroke for stroke in curve.strokes} if curve else {}
    places = [
        PictureStanding(place.rank, place.player.name, format_signed(place.points), strokes.get(place.player.pk))
        for place in ranking.places
    ]
    title = _("Zwischenstand") if evening.is_open else _("Ergebnis")
    return picture_of(club, title, date_format(evening.held_on, _("l, j. F Y")), places, _foot(ranking), curve)


def _foot(ranking: Ranking) -> str:
    games = ngettext("%(games)s Spiel", "%(games)s Spiele", ranking.games) % {"games": ranking.games}
    counted = games if ranking.sheets else _("ohne Spiele übernommen")
    return " · ".join([counted, *map(str, ranking.rule_sets), *([_("in Cent")] if ranking.in_cents else [])])


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
