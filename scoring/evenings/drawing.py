"""The result of an evening to look at: where the curve of the running totals runs, and the picture that is sent round.
Everything is measured in whole units of the drawing; templates draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.club.models.people import Player
from scoring.club.names import colour_of
from scoring.evenings.queries.results import Place, Ranking
from scoring.play.queries.sheet import Sheet

# A person's line differs from the others in its dashes; its colour is the person's own, as the style sheet has it for paper.
DASHES = ("none", "14 7", "3 6", "18 6 3 6", "26 8", "8 8", "2 10", "16 5 3 5 3 5")
COLOURS = ("#a93b66", "#2a66ad", "#85560f", "#7148ad", "#14746a", "#b53c0b", "#4a681c", "#56606c")

MARGIN = 24
# Room for the figures beside the curve, and the least distance between two of them.
SCALE_WIDTH, SCALE_GAP = 100, 28
CURVE_HEIGHT = 340
PICTURE_WIDTH, HEAD_HEIGHT, LINE_HEIGHT, FOOT_HEIGHT = 720, 190, 52, 60
# What fits beside the points in the picture.
LONGEST_NAME, LONGEST_CLUB = 28, 40


@dataclass(frozen=True)
class Stroke:
    """One person's way through the evening: `path` is the points of a polyline, `end` the last of them."""

    player: Player
    total: int
    number: int
    path: str
    end: tuple[int, int]

    @property
    def dash(self) -> str:
        return DASHES[self.number]

    @property
    def colour(self) -> str:
        return COLOURS[self.player.pk % len(COLOURS)]

    @property
    def person(self) -> str:
        """The class of the person's colour."""
        return colour_of(self.player.pk, self.player.name)


@dataclass(frozen=True)
class Curve:
    """The running totals of one table; `scale` is figures and where they stand, the zero line among them."""

    sheet: Sheet
    width: int
    height: int
    left: int
    right: int
    scale: Sequence[tuple[int, int]]
    strokes: Sequence[Stroke]


def draw_curve(sheet: Sheet, width: int = 640) -> Curve | None:
    """The curve of a table, None before its first line. Who came later begins there, with nothing."""
    if not sheet.rows:
        return None
    ways = ((column, _running(sheet, column)) for column in range(len(sheet.players)))
    totals = {column: running for column, running in ways if running}
    figures = [total for running in totals.values() for total in running.values()]
    high, low = max(0, *figures), min(0, *figures)
    left, right = SCALE_WIDTH, width - MARGIN

    def across(line: int) -> int:
        return left + round((right - left) * line / len(sheet.rows))

    def down(total: int) -> int:
        return MARGIN + round((CURVE_HEIGHT - 2 * MARGIN) * (high - total) / ((high - low) or 1))

    strokes = []
    for column, running in totals.items():
        path = [(across(line), down(total)) for line, total in running.items()]
        strokes.append(
            Stroke(
                player=sheet.players[column],
                total=sheet.totals[sheet.players[column].pk],
                number=column % len(DASHES),
                path=" ".join(f"{x},{y}" for x, y in path),
                end=path[-1],
            )
        )
    scale = [(0, down(0)), *((edge, down(edge)) for edge in (high, low) if abs(down(edge) - down(0)) >= SCALE_GAP)]
    return Curve(sheet, width, CURVE_HEIGHT, left, right, scale, strokes)


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


@dataclass(frozen=True)
class PictureLine:
    """A place of the ranking at this height, with its stroke where there is a curve."""

    place: Place
    name: str
    top: int
    stroke: Stroke | None


@dataclass(frozen=True)
class Picture:
    """A ranking with the curve of its table below; an evening of several tables has no one curve."""

    ranking: Ranking
    club: str
    width: int
    height: int
    lines: Sequence[PictureLine]
    curve: Curve | None
    curve_top: int


def draw_picture(ranking: Ranking, club: str) -> Picture:
    only = ranking.sheets[0] if len(ranking.sheets) == 1 and not ranking.sums else None
    curve = draw_curve(only, PICTURE_WIDTH) if only else None
    strokes = {stroke.player.pk: stroke for stroke in curve.strokes} if curve else {}
    lines = [
        PictureLine(
            place,
            _short(place.player.name, LONGEST_NAME),
            HEAD_HEIGHT + index * LINE_HEIGHT,
            strokes.get(place.player.pk),
        )
        for index, place in enumerate(ranking.places)
    ]
    curve_top = HEAD_HEIGHT + len(lines) * LINE_HEIGHT
    height = curve_top + (curve.height if curve else 0) + FOOT_HEIGHT
    return Picture(ranking, _short(club, LONGEST_CLUB), PICTURE_WIDTH, height, lines, curve, curve_top)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
