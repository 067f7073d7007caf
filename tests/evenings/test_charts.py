"""The chart and the picture of an evening."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from scoring.core.charts import AXIS_HEIGHT, LETTER_WIDTH, MAX_END_NAME, NAME_DISTANCE, build_picture
from scoring.evenings.actions import seat_players
from scoring.evenings.charts import draw_evening_picture, draw_table_chart
from scoring.evenings.queries import build_rankings, read_evening
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


def parse_points(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in (point.split(",") for point in path.split())]


def test_each_line_starts_at_0_and_ends_at_the_total(table: Table) -> None:
    chart = draw_table_chart(read_sheet(table))
    heights = {figure: height for figure, height, _text in chart["scale"]}
    for stroke in chart["strokes"]:
        path = parse_points(stroke.path)
        assert [x for x, _y in path] == [chart["left"], (chart["left"] + chart["right"]) // 2, chart["right"]]
        assert path[0] == (chart["left"], heights[0])
        assert path[-1] == stroke.end
    ends = {stroke.total: stroke.end[1] for stroke in chart["strokes"]}
    assert sorted(ends, reverse=True) == sorted(ends, key=ends.__getitem__), "more points are higher"
    (high, top, _high), *_between, (low, foot, _low) = chart["scale"]
    read_totals = {total: high - (high - low) * (height - top) / (foot - top) for total, height in ends.items()}
    assert read_totals == {total: pytest.approx(total, abs=0.05) for total in ends}, "the heights fit the gridlines"
    assert [(point["label"], len(point["totals"])) for point in chart["points"]] == [("Spiel 1", 4), ("Spiel 2", 4)]
    assert list(chart["points"][-1]["totals"]) == [stroke.total for stroke in chart["strokes"]]


def test_names_are_at_the_ends_of_the_lines_in_the_order_of_the_totals(table: Table) -> None:
    """Names of equal totals do not overlap; a long name is cut."""
    chart = draw_table_chart(read_sheet(table))
    strokes = sorted(chart["strokes"], key=lambda stroke: -stroke.total)
    assert len({stroke.total for stroke in strokes}) < len(strokes)
    heights = [stroke.name_height for stroke in strokes]
    assert all(lower - upper >= NAME_DISTANCE for upper, lower in pairwise(heights))
    assert NAME_DISTANCE // 2 <= heights[0] <= heights[-1] <= chart["height"] - AXIS_HEIGHT
    assert all(stroke.name and stroke.player.name.startswith(stroke.name) for stroke in strokes)
    Player.objects.update(name=Concat("name", Value("ländisch")))
    longer = draw_table_chart(read_sheet(table))
    assert {len(stroke.name) for stroke in longer["strokes"]} == {MAX_END_NAME}
    longest = max(len(stroke.name) for stroke in strokes)
    assert chart["right"] - longer["right"] == LETTER_WIDTH * (MAX_END_NAME - longest), "short names leave the lines more width"


def test_a_player_who_comes_later_starts_there(table: Table) -> None:
    people = read_sheet(table).records.current
    seat_players(table=table, players=[*people[:3], make_player(table.evening.club, "Gast")])
    assert "Gast" not in {stroke.player.name for stroke in draw_table_chart(read_sheet(table))["strokes"]}, "no line yet"
    add_game(table, re=[0, 3], eyes=130)
    chart = draw_table_chart(read_sheet(table))
    *_others, guest = chart["strokes"]
    assert [point["totals"][-1] for point in chart["points"]] == [None, 0, 1]
    assert guest.player.name == "Gast"
    assert len(parse_points(guest.path)) == 2
    left = next(stroke for stroke in draw_table_chart(read_sheet(table))["strokes"] if stroke.player.name == "Özlem")
    assert parse_points(left.path)[-1][1] == parse_points(left.path)[-2][1], "a player who left keeps the total"


def test_games_without_points_are_a_horizontal_line() -> None:
    table = make_table(make_club())
    assert draw_table_chart(read_sheet(table)) is None, "without lines there is no chart"
    add_game(table, form="redeal")
    chart = draw_table_chart(read_sheet(table))
    assert {height for stroke in chart["strokes"] for _x, height in parse_points(stroke.path)} == {chart["scale"][0][1]}


def test_a_long_evening_is_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.core.charts.MAX_DRAWN", 19)
    table = make_table(make_club())
    for line in range(24):
        add_game(table, re=[line % 4, (line + 1) % 4], eyes=130)
    chart = draw_table_chart(read_sheet(table))
    assert max(len(parse_points(stroke.path)) for stroke in chart["strokes"]) == 20
    assert (chart["points"][0]["label"], chart["points"][-1]["label"]) == ("Spiel 1", "Spiel 24")
    assert [text for _x, _y, text, _anchor in chart["texts"]] == ["20", "15", "10", "5", "Spiel"]


def test_the_picture_has_all_standings_above_the_chart(table: Table) -> None:
    (ranking,) = build_rankings(read_evening(table.evening))
    picture = draw_evening_picture(ranking, "Karo Eins", table.evening)
    rows = picture["rows"]
    assert [row["rank"] for row in rows] == [1, 1, 3, 4]
    tops = [row["top"] for row in rows]
    assert tops == sorted(set(tops))
    assert tops[-1] < picture["chart_top"] < picture["chart_top"] + picture["chart"]["height"] < picture["height"]
    assert [row["stroke"].player.name for row in rows] == [row["name"] for row in rows]


def test_the_picture_of_two_tables_has_no_chart(table: Table) -> None:
    other = Table.objects.create(evening=table.evening, number=2, rule_set=table.rule_set)
    seat_players(table=other, players=read_sheet(table).records.current)
    add_game(other)
    (ranking,) = build_rankings(read_evening(table.evening))
    picture = draw_evening_picture(ranking, "Karo Eins", table.evening)
    assert picture["chart"] is None
    assert all(row["stroke"] is None for row in picture["rows"])


def test_long_names_are_cut_in_the_picture() -> None:
    club = make_club("D" * 60, slug="d")
    table = make_table(club, [make_player(club, "N" * 40), *(make_player(club, f"P{n}") for n in range(3))])
    add_game(table)
    (ranking,) = build_rankings(read_evening(table.evening))
    picture = draw_evening_picture(ranking, club.name, table.evening)
    assert picture["club"] == "D" * 39 + "…"
    assert picture["rows"][0]["name"] == "N" * 27 + "…"
    whole = build_picture("Karo", "T" * 42, "S" * 52, [], "F" * 58)
    cut = build_picture("Karo", "T" * 43, "S" * 53, [], "F" * 59)
    assert (whole["title"], whole["subtitle"], whole["footer"]) == ("T" * 42, "S" * 52, "F" * 58)
    assert (cut["title"], cut["subtitle"], cut["footer"]) == ("T" * 41 + "…", "S" * 51 + "…", "F" * 57 + "…")
