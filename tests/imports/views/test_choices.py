"""The questions of a preview: each file with what the user chooses, and the totals by player that follow."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.models import Evening
from tests.factories import make_club, make_user
from tests.html import flat
from tests.imports.examples import DAYS, HEADS, POINTS, ROOT, ROWS, text
from tests.imports.uploads import Desk

pytestmark = pytest.mark.django_db

TOTALS = {name: sum(filter(None, points)) for name, points in POINTS.items()}
FROM_SECOND = {name: sum(filter(None, points[1:])) for name, points in POINTS.items()}
MAX = {"Edda": 9, "Max": 17, "Gesa": -15, "Jan": -11}
NUMBERED = {"first": "2023-01-13", "rhythm": "fortnight"}
# Each file, what the user chooses, and the totals.
CHOICES: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("lists/points.csv", {}, TOTALS),
    ("lists/points.csv", {"from_row": "2"}, FROM_SECOND),
    ("lists/points.csv", {"column_5": "skip"}, {name: sum for name, sum in TOTALS.items() if name != "Emil"}),
    ("lists/points.csv", {"cells": "totals"}, {"Anton": -3, "Berta": 6, "Cäsar": 2, "Dora": -5, "Emil": -1}),
    ("lists/running_with_totals.csv", {}, TOTALS),
    ("lists/spielstaende.csv", {}, TOTALS),
    ("lists/names_down.csv", {}, TOTALS),
    ("lists/long.csv", {}, TOTALS),
    ("lists/numbered.csv", NUMBERED, TOTALS),
    ("lists/numbered_across.csv", NUMBERED, TOTALS),
    ("lists/no_year.csv", {"year": "2023"}, TOTALS),
    ("lists/weeks.csv", {"weekday": "4"}, TOTALS),
    ("lists/two_headings.csv", {}, TOTALS),
    ("lists/month_first.csv", {}, TOTALS),
    ("lists/months_as_headings.csv", {}, TOTALS),
    ("lists/marked.csv", {}, TOTALS),
    ("lists/beside_points.csv", {}, TOTALS),
    ("lists/repeated.csv", {}, TOTALS),
    ("lists/number_and_day.csv", {}, TOTALS),
    ("lists/days_of_months.xlsx", {}, TOTALS),
    ("lists/plus_and_minus.csv", {}, TOTALS),
    ("lists/standing_beside.csv", {}, TOTALS),
    ("lists/evening_by_evening.csv", {}, TOTALS),
    ("lists/sheets.xlsx", {}, TOTALS),
    ("lists/titles_above.ods", {}, TOTALS),
    ("lists/titles_above.xls", {}, TOTALS),
    ("lists/games_running.csv", {}, {"Anton": 5, "Berta": -1, "Cäsar": -1, "Dora": -3}),
    ("strangers/list_with_max.csv", {}, MAX),
    ("strangers/days_in_utc.csv", {}, {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}),
    ("strangers/long_list_with_max.csv", {}, {"Edda": 4, "Max": 16, "Gesa": -6, "Jan": -14}),
    ("strangers/pasted_from_a_messenger.csv", {}, {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}),
    ("strangers/euro_with_check_column.csv", {}, {"Anni": 65, "Bert": -25, "Cleo": -35, "Dora": -5}),
    ("strangers/games_with_times_zero_sum.csv", {}, {"Edda": 5, "Falk": -7, "Gesa": -1, "Hinrich": 3}),
    ("strangers/guest_in_brackets_two_headings.csv", {}, {"Anni": 13, "Bert": -5, "Cleo": -7, "Ralf": -1}),
    ("strangers/same_people_other_signs.csv", {}, {"Sean O'Neill": 9, "Oezguer Ilhan": 17, "Anna‑Lena": -15, "Jan": -11}),
    ("strangers/hidden_sheet_2022.xlsx", {}, {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}),
]  # fmt: skip


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def read_totals(form: Any) -> dict[str, int]:
    return {name: points for name, points, _evenings in form.totals}


@pytest.mark.parametrize(("name", "chosen", "totals"), CHOICES)
def test_totals_follow_the_choices(desk: Desk, name: str, chosen: dict[str, Any], totals: dict[str, int]) -> None:
    address = desk.bring((ROOT / "fixtures" / name).read_bytes(), name)
    form = desk.look(address, **chosen).context["form"]
    assert form.may_be_taken and read_totals(form) == totals
    again = desk.client.post(address, {**form.data, "look": "1"}).context["form"]
    assert again.data == form.data | {"look": "1"}, "the same choices give the same preview"
    assert {field.name for field in form.open_questions} <= chosen.keys() | {"weekday"}, "only doubts are open"


COLORS = text(HEADS, ["", "grün", "blau", "rot", "gelb", "grau"], *ROWS)
TWICE = text(["Geschrieben", "Gespielt", *HEADS[1:]], *(["24.12.2023", *row] for row in ROWS))
ALONE = text(HEADS, *([f"{day.day}.", *row[1:]] for day, row in zip(DAYS, ROWS, strict=True)))
REMARKS = text([*HEADS, "Bemerkung", "Was"], *([*row, "Hüttenabend" * (nth == 1), "mit Gästen"] for nth, row in enumerate(ROWS)))


def test_the_row_of_headings_and_the_column_of_days_are_chosen(desk: Desk) -> None:
    address = desk.bring(COLORS)
    form = desk.look(address).context["form"]
    assert (form.data["head"], form.data["from_row"], form.data["day_column"]) == ("1", "2", "0")
    assert "Zeile 2: grün · blau · rot · gelb · grau" in flat(desk.look(address))
    preview = desk.look(address, head="0", column_5="skip", leave_4="on")
    form = preview.context["form"]
    assert form.data["head"] == "0" and form.layout.spots == {"head": 0}
    assert form.leave == {4}, "the rows are the same, and so are the ones left out"
    assert form.data["from_row"] == "2" and form.may_be_taken
    assert "grün · blau · rot · gelb · grau" in form.grid["skipped"]
    form = desk.client.post(address, {**form.data, "from_row": "4"}).context["form"]
    assert form.layout.spots == {"head": 0, "first": 4} and form.may_be_taken
    preview = desk.look(desk.bring(TWICE), day_column="1")
    assert read_totals(preview.context["form"]) == TOTALS and "13.01.2023 bis 24.03.2023" in flat(preview)
    preview = desk.look(desk.bring(TWICE), day_column="-1")
    assert "fehlt eine Spalte mit dem Datum" in flat(preview)
    form = preview.context["form"]
    assert {"kind", "day_column"} <= {field.name for field in form.open_questions}


def test_a_spot_that_makes_no_list_is_refused_at_its_question(desk: Desk) -> None:
    address = desk.bring(text(["", "Januar", "Februar", "März", "April", "Mai"], HEADS, *ROWS))
    form = desk.look(address, head="0", day_column="-1", from_row="99").context["form"]
    assert {"head", "from_row"} == form.errors.keys() and not form.may_be_taken
    assert "head" in {field.name for field in form.open_questions}


def test_month_and_year_of_days_that_have_none_are_asked(desk: Desk) -> None:
    address = desk.bring(ALONE)
    preview = desk.look(address)
    assert "Bitte Monat und Jahr des ersten Abends angeben." in flat(preview)
    assert [field.name for field in preview.context["form"].open_questions] == ["month", "year"]
    preview = desk.look(address, month="1", year="2023")
    assert "vom 13.01.2023 bis 24.03.2023" in flat(preview) and read_totals(preview.context["form"]) == TOTALS


def test_remarks_are_kept_with_their_evenings(desk: Desk) -> None:
    file = desk.bring_and_take(REMARKS, column_7="note")
    notes = [evening.note for evening in Evening.objects.order_by("held_on")]
    assert notes == ["mit Gästen", "Hüttenabend · mit Gästen", *["mit Gästen"] * 4]
    evening = Evening.objects.order_by("held_on")[1]
    assert "Hüttenabend · mit Gästen" in flat(desk.client.get(f"/c/karo/evenings/{evening.pk}/result/"))
    desk.undo(file)
    desk.bring_and_take(REMARKS, column_6="skip")
    assert set(Evening.objects.values_list("note", flat=True)) == {""}
    assert {one["role"] for one in desk.look(desk.bring(REMARKS)).context["form"].columns} == {"player", "note", "out"}
