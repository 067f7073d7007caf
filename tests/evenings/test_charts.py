"""Where the curve and the picture of an evening run: from nothing at the left to everybody's total at the right."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from scoring.core.chart import MAX_POINTS
from scoring.evenings.actions import seat_players
from scoring.evenings.charts import (
    APART,
    COLOURS,
    DASHES,
    FOOT,
    LETTER,
    LONGEST_AT_END,
    draw_curve,
    draw_picture,
    picture_of,
)
from scoring.evenings.queries import read_result
from scoring.models import Player, Table
from scoring.play.queries import read_sheet
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    add_game(table, kind="damensolo", re=[2], eyes=20)
    return table


def points(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in (point.split(",") for point in path.split())]


def test_everybody_begins_at_nothing_and_ends_at_the_total(table: Table) -> None:
    curve = draw_curve(read_sheet(table))
    heights = dict(curve.scale)

    for stroke in curve.strokes:
        way = points(stroke.path)
        assert [x for x, _y in way] == [curve.left, (curve.left + curve.right) // 2, curve.right]
        assert way[0] == (curve.left, heights[0])
        assert way[-1] == stroke.end
    ends = {stroke.total: stroke.end[1] for stroke in curve.strokes}
    assert sorted(ends, reverse=True) == sorted(ends, key=ends.__getitem__), "more points stand higher"
    (high, top), *_between, (low, foot) = curve.scale
    said = {total: high - (high - low) * (height - top) / (foot - top) for total, height in ends.items()}
    assert said == {total: pytest.approx(total, abs=0.05) for total in ends}, "the gridlines say how much"
    assert [(spot.named, len(spot.totals)) for spot in curve.spots] == [("Spiel 1", 4), ("Spiel 2", 4)]
    assert list(curve.spots[-1].totals) == [stroke.total for stroke in curve.strokes]


def test_every_name_stands_at_the_end_of_its_line_in_the_order_of_the_totals(table: Table) -> None:
    """Two who have as much stand below each other; a long name is cut."""
    curve = draw_curve(read_sheet(table))
    strokes = sorted(curve.strokes, key=lambda stroke: -stroke.total)
    assert len({stroke.total for stroke in strokes}) < len(strokes)
    heights = [stroke.name_height for stroke in strokes]
    assert all(lower - upper >= APART for upper, lower in pairwise(heights))
    assert APART // 2 <= heights[0] <= heights[-1] <= curve.height - FOOT
    assert all(stroke.name and stroke.player.name.startswith(stroke.name) for stroke in strokes)
    Player.objects.update(name=Concat("name", Value("ländisch")))
    longer = draw_curve(read_sheet(table))
    assert {len(stroke.name) for stroke in longer.strokes} == {LONGEST_AT_END}
    longest = max(len(stroke.name) for stroke in strokes)
    assert curve.right - longer.right == LETTER * (LONGEST_AT_END - longest), "short names leave the lines more room"


def test_who_comes_late_begins_late(table: Table) -> None:
    people = read_sheet(table).records.current
    seat_players(table=table, players=[*people[:3], make_player(table.evening.club, "Gast")])
    add_game(table, re=[0, 3], eyes=130)

    curve = draw_curve(read_sheet(table))
    *_others, guest = curve.strokes
    assert [spot.totals[-1] for spot in curve.spots] == [None, 0, 1]

    assert guest.player.name == "Gast"
    assert len(points(guest.path)) == 2
    left = next(stroke for stroke in draw_curve(read_sheet(table)).strokes if stroke.player.name == "Özlem")
    assert points(left.path)[-1][1] == points(left.path)[-2][1], "who has left keeps what they had"


def test_who_has_only_just_sat_down_has_no_curve_yet(table: Table) -> None:
    people = read_sheet(table).records.current
    seat_players(table=table, players=[*people[:3], make_player(table.evening.club, "Gast")])

    assert "Gast" not in {stroke.player.name for stroke in draw_curve(read_sheet(table)).strokes}


def test_games_without_points_are_a_level_line() -> None:
    table = make_table(make_club())
    add_game(table, form="redeal")
    curve = draw_curve(read_sheet(table))
    assert {height for stroke in curve.strokes for _x, height in points(stroke.path)} == {curve.scale[0][1]}


def test_a_long_evening_has_as_many_points_as_a_phone_can_show() -> None:
    table = make_table(make_club())
    for line in range(70):
        add_game(table, re=[line % 4, (line + 1) % 4], eyes=130)
    curve = draw_curve(read_sheet(table))
    assert max(len(points(stroke.path)) for stroke in curve.strokes) == MAX_POINTS
    assert (curve.spots[0].named, curve.spots[-1].named) == ("Spiel 1", "Spiel 70")
    assert [tick.text for tick in curve.ticks] == ["60", "40", "20"]


def test_no_lines_no_curve() -> None:
    assert draw_curve(read_sheet(make_table(make_club()))) is None


def test_lines_differ_in_colour_and_in_dashes() -> None:
    assert (len(set(COLOURS)), len(set(DASHES))) == (12, 8)


def test_the_picture_has_every_place_above_the_curve(table: Table) -> None:
    (ranking,) = read_result(table.evening).rankings
    picture = draw_picture(ranking, "Karo Eins", table.evening)

    assert [line.rank for line in picture.lines] == [1, 1, 3, 4]
    tops = [line.top for line in picture.lines]
    assert tops == sorted(set(tops))
    assert tops[-1] < picture.curve_top < picture.curve_top + picture.curve.height < picture.height
    assert [line.stroke.player.name for line in picture.lines] == [line.name for line in picture.lines]


def test_an_evening_of_two_tables_is_a_picture_without_a_curve(table: Table) -> None:
    other = Table.objects.create(evening=table.evening, number=2, rule_set=table.rule_set)
    seat_players(table=other, players=read_sheet(table).records.current)
    add_game(other)
    (ranking,) = read_result(table.evening).rankings
    picture = draw_picture(ranking, "Karo Eins", table.evening)
    assert picture.curve is None
    assert all(line.stroke is None for line in picture.lines)


def test_names_too_long_for_the_picture_are_cut() -> None:
    club = make_club("D" * 60, slug="d")
    table = make_table(club, [make_player(club, "N" * 40), *(make_player(club, f"P{n}") for n in range(3))])
    add_game(table)
    (ranking,) = read_result(table.evening).rankings
    picture = draw_picture(ranking, club.name, table.evening)
    assert picture.club == "D" * 39 + "…"
    assert picture.lines[0].name == "N" * 27 + "…"
    whole = picture_of("Karo", "T" * 42, "S" * 52, [], "F" * 58)
    cut = picture_of("Karo", "T" * 43, "S" * 53, [], "F" * 59)
    assert (whole.title, whole.said, whole.foot) == ("T" * 42, "S" * 52, "F" * 58)
    assert (cut.title, cut.said, cut.foot) == ("T" * 41 + "…", "S" * 51 + "…", "F" * 57 + "…")
