"""A person's evenings to look at: where the curve of the points over time runs, and how high the bars of the last evenings
stand. Everything is measured in whole units of the drawing; templates draw it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.club.models.people import Player
from scoring.evenings.drawing import CURVE_HEIGHT, DASHES, MARGIN, SCALE_GAP, SCALE_WIDTH, Stroke

from .queries import EveningSum, Life

WIDTH = 640
BARS_HEIGHT = 200


@dataclass(frozen=True)
class Ways:
    """The points of one or more people over time; `scale` is figures and where they stand, the zero line among them."""

    width: int
    height: int
    left: int
    right: int
    scale: Sequence[tuple[int, int]]
    strokes: Sequence[Stroke]
    first_day: datetime.date
    last_day: datetime.date


def draw_ways(lives: Sequence[Life]) -> Ways | None:
    """The curves of these people on one scale, None before anybody's second evening. Who came later begins there."""
    drawn = [life for life in lives if life.evenings]
    if not any(len(life.evenings) > 1 for life in drawn):
        return None
    days = [evening.held_on for life in drawn for evening in life.evenings]
    first, last = min(days), max(days)
    totals = [evening.total for life in drawn for evening in life.evenings]
    high, low = max(0, *totals), min(0, *totals)
    left, right = SCALE_WIDTH, WIDTH - MARGIN

    def across(day: datetime.date) -> int:
        return left + round((right - left) * (day - first).days / ((last - first).days or 1))

    def down(total: int) -> int:
        return MARGIN + round((CURVE_HEIGHT - 2 * MARGIN) * (high - total) / ((high - low) or 1))

    strokes = []
    for number, life in enumerate(drawn):
        path = [(across(life.evenings[0].held_on), down(0))]
        path += [(across(evening.held_on), down(evening.total)) for evening in life.evenings]
        strokes.append(_stroke(life.player, life.points, number, path))
    scale = [(0, down(0)), *((edge, down(edge)) for edge in (high, low) if abs(down(edge) - down(0)) >= SCALE_GAP)]
    return Ways(WIDTH, CURVE_HEIGHT, left, right, scale, strokes, first, last)


def _stroke(player: Player, total: int, number: int, path: Sequence[tuple[int, int]]) -> Stroke:
    return Stroke(
        player=player,
        total=total,
        number=number % len(DASHES),
        path=" ".join(f"{x},{y}" for x, y in path),
        end=path[-1],
    )


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
    step = WIDTH // len(evenings) if len(evenings) > 5 else WIDTH // 6
    room = BARS_HEIGHT - 2 * MARGIN

    def tall(points: int) -> int:
        return round(room * points / ((high - low) or 1))

    zero = MARGIN + tall(high)
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
                figure=zero + height + 20 if lost else zero - height - 6,
            )
        )
    return Bars(step * len(evenings), BARS_HEIGHT, step * 3 // 4, zero, bars)
