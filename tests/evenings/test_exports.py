"""The Excel file of an evening: paper sheet, facts, steps, and check rows."""

from __future__ import annotations

import datetime
import json
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from scoring.club.actions import Actor
from scoring.evenings.actions import open_evening
from scoring.evenings.exports import build_evening_workbook
from scoring.evenings.queries import read_evening
from scoring.models import Evening, Table, TableResult
from tests.exports.formulas import evaluate, formulas
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db

HEAD = 3
BOCK = {"triggers": ["manual"], "per_game": "each", "overlap": "stack"}


def load_written(evening: Evening) -> Workbook:
    return load_workbook(BytesIO(build_evening_workbook(read_evening(evening)).as_bytes()))


def read_column(sheet: Worksheet, heading: str, head: int = 1) -> list[Any]:
    letter = next(cell.column_letter for cell in sheet[head] if cell.value == heading)
    return [cell.value for cell in sheet[letter][head:]]


def add_second_table(first: Table, **kw: Any) -> Table:
    table = make_table(first.evening.club, **kw)
    table.evening, table.number = first.evening, first.number + 1
    table.save()
    return table


def make_long_evening() -> Table:
    """Make a table of five with two solos, a Bock chain by hand, a penalty, a short form and a redeal."""
    club = make_club("Karo & Eins")
    rules = make_rule_set(club, "ddv", "Hausregeln", bock=BOCK, duty_solo=None)
    table = make_table(club, 5, rule_set=rules, actor=make_user("schorsch", club, ["scorer"]))
    add_game(table, re=[1, 2], eyes=190, re_said="no90", kontra_said="said", re_specials={"fuchs": 2, "doppelkopf": 1})
    add_game(table, kind="damensolo", re=[0], band="1-29", starts_bock=2, note="=1+1")
    add_game(table, re=[0, 1], band="90-119")
    add_game(table, form="penalty", points=[-3, 1, 1, 1, 1], reason="+Fehlbedienung")
    add_game(table, form="short", winners=[0, 1], base=3, solo=False)
    add_game(table, form="redeal", seat=2, reason="vergeben")
    return table


def test_the_sheet_is_written_as_on_paper() -> None:
    table = make_long_evening()
    workbook = load_written(table.evening)
    assert workbook.sheetnames == ["Zettel", "Fakten", "Schritte"]
    sheet = workbook["Zettel"]
    assert [cell.value for cell in sheet[HEAD]] == ["Nr.", "Geber", *PEOPLE[:5], "Wert", "Bock", "Was"]
    assert read_column(sheet, "Nr.", HEAD)[:6] == [1, 2, 3, None, 4, None]
    # Ärmel deals first and sits out.
    assert read_column(sheet, "Geber", HEAD)[:2] == ["Ärmel", "Bodo"]
    assert read_column(sheet, "Ärmel", HEAD)[0] == "–"
    totals = dict(TableResult.objects.filter(table=table).values_list("player__name", "points"))
    assert [read_column(sheet, name, HEAD)[6] for name in PEOPLE[:5]] == [totals[name] for name in PEOPLE[:5]]
    assert read_column(sheet, "Bock", HEAD)[2] == "B ×4"
    assert read_column(sheet, "Was", HEAD)[1] == "Damensolo · =1+1"
    assert read_column(sheet, "Was", HEAD)[3] == "Strafpunkte · +Fehlbedienung"


def test_winners_are_bold_solos_boxed_and_cycles_underlined() -> None:
    club = make_club()
    table = make_table(club, 4, rule_set=make_rule_set(club, "ddv", duty_solo=None))
    add_game(table, kind="damensolo", re=[2], eyes=150)
    for _ in range(3):
        add_game(table)
    sheet = load_written(table.evening)["Zettel"]
    first, last = sheet[HEAD + 1], sheet[HEAD + 4]
    assert [cell.font.bold for cell in first[2:6]] == [False, False, True, False]
    assert [cell.border.left.style for cell in first[2:6]] == [None, None, "thin", None]
    assert {cell.border.bottom.style for cell in last} == {"medium"}
    assert first[2].border.bottom.style is None


def test_the_facts_are_written_as_entered() -> None:
    table = make_long_evening()
    facts = load_written(table.evening)["Fakten"]
    assert read_column(facts, "Datum")[0] == datetime.datetime(2026, 3, 6)
    assert read_column(facts, "Zeile") == ["Spiel", "Spiel", "Spiel", "Strafpunkte", "Kurzform", "Neu gegeben"]
    assert read_column(facts, "Spielart")[:3] == ["Normal", "Damensolo", "Normal"]
    assert read_column(facts, "Re")[:2] == ["Bodo, Çelik", "Ärmel"]
    assert read_column(facts, "Augen Re")[:2] == [190, None]
    assert read_column(facts, "Augen Kontra")[:2] == [50, None]
    assert read_column(facts, "Spanne Re")[:2] == [None, "1–29"]
    assert read_column(facts, "Ansage Re")[0] == "keine 90"
    assert read_column(facts, "Ansage Kontra")[0] == "Kontra"
    assert read_column(facts, "Sonderpunkte Re")[0] == "Fuchs gefangen ×2, Doppelkopf"
    assert read_column(facts, "Bock selbst eingetragen")[1] == 2
    assert read_column(facts, "Punkte vor Bock")[4] == 3
    assert read_column(facts, "Bemerkung")[1] == "=1+1"
    assert read_column(facts, "Grund")[3] == "+Fehlbedienung"
    assert all(isinstance(when, datetime.datetime) for when in read_column(facts, "Eingetragen am"))
    assert {cell.data_type for row in facts.iter_rows() for cell in row} <= {"s", "n", "d"}


def test_the_author_of_a_game_has_the_name_of_the_player() -> None:
    club = make_club()
    table = make_table(club, 4)
    writer, other = make_user("schorsch"), make_user("gast")
    club.players.filter(name="Ärmel").update(user=writer)
    for actor in (writer, other, None):
        add_game(table, actor=actor)
    assert read_column(load_written(table.evening)["Fakten"], "Eingetragen von") == ["Ärmel", "gast", None]


def test_the_steps_lead_to_the_value() -> None:
    table = make_long_evening()
    workbook = load_written(table.evening)
    steps = workbook["Schritte"]
    results = dict(zip(read_column(steps, "Nr."), read_column(steps, "Zwischenstand (Re oder Solo +)"), strict=True))
    facts = workbook["Fakten"]
    values = {n: v for n, v in zip(read_column(facts, "Nr."), read_column(facts, "Wert"), strict=True) if n}
    assert {number: abs(value) for number, value in results.items()} == {n: abs(v) for n, v in values.items()}
    first = [row for row in steps.iter_rows(min_row=2, values_only=True) if row[1] == 1]
    assert first[0][2:] == (1, "Gewonnen", "Re", "plus", 1, 1)
    third = [row for row in steps.iter_rows(min_row=2, values_only=True) if row[1] == 3]
    assert third[-1][3:7] == ("Bock", None, "mal", 4)


def test_the_check_rows_are_0_and_show_a_changed_cell() -> None:
    first = make_long_evening()
    second = add_second_table(first, players=4, preset="anleitung")
    add_game(second, kind="damensolo", re=[2], eyes=150)
    empty = add_second_table(second, players=4)
    workbook = load_written(empty.evening)
    assert workbook.sheetnames == ["Zettel 1", "Zettel 2", "Zettel 3", "Fakten", "Schritte"]
    found = {sheet.title: formulas(sheet) for sheet in workbook}
    assert [len(found[name]) for name in workbook.sheetnames] == [6, 5, 5, 0, 0]
    for formula in [formula for some in found.values() for formula in some]:
        assert evaluate(workbook, formula) == 0, formula
    solo = workbook["Zettel 2"]
    totals = [read_column(solo, name, HEAD)[1] for name in PEOPLE[:4]]
    assert read_column(solo, "Wert", HEAD)[1] == sum(totals) != 0, "the sum of a solo by these rules"
    assert read_column(workbook["Zettel 3"], "Ärmel", HEAD)[0] == 0
    workbook["Fakten"].cell(2, 28).value += 4
    assert sorted(evaluate(workbook, formula) for formula in found["Zettel 1"]) == [0, 0, 0, 0, 0, 4]


def test_names_and_places_are_no_formulas() -> None:
    club = make_club()
    people = [make_player(club, name) for name in ("=HYPERLINK(0)", "+Bodo", "@Cem", "-Dora")]
    table = make_table(club, people)
    Evening.objects.update(place="=A1")
    add_game(table)
    workbook = load_written(Evening.objects.get())
    sheet = workbook["Zettel"]
    assert [(cell.value, cell.data_type) for cell in sheet[HEAD][2:6]] == [(p.name, "s") for p in people]
    assert "=A1" in sheet["A2"].value
    assert all(value.startswith("=SUM(") for sheet in workbook for value in formulas(sheet))


def test_the_totals_of_a_real_evening_are_in_the_file(real_games: list[dict[str, Any]]) -> None:
    club = make_club()
    rules = make_rule_set(club, "ddv", "echt", bock={"triggers": ["manual"], "length": "table", "overlap": "stack"})
    people = [make_player(club, name) for name in PEOPLE[:5]]
    table = open_evening(club=club, actor=Actor(), held_on=datetime.date(2026, 3, 6), rule_set=rules, players=people)
    for game in real_games:
        typed = {key: game[key] for key in ("winners", "base", "solo", "starts_bock", "out") if key in game}
        add_game(table, form="short", dealer=game["dealer"], **typed)
    sheet = load_written(table.evening)["Zettel"]
    expected = [game["expect"]["totals"] for game in real_games]
    for index, row in enumerate(sheet.iter_rows(min_row=HEAD + 1, max_row=HEAD + len(expected), min_col=3, max_col=7)):
        shown = [cell.value for cell in row]
        assert all(value in ("–", total) for value, total in zip(shown, expected[index], strict=True)), index
        assert shown.count("–") <= 1
    assert [cell.value for cell in sheet[HEAD + len(expected) + 1][2:7]] == expected[-1]


@pytest.fixture
def real_games(pytestconfig: pytest.Config) -> list[dict[str, Any]]:
    lines = (pytestconfig.rootpath / "fixtures/real/evening.jsonl").read_text().splitlines()
    return [game for line in lines if line.strip() and "winners" in (game := json.loads(line))]


def test_the_bock_sign_has_the_factor_of_its_level_and_a_dealer_out_of_turn_is_noted() -> None:
    club = make_club()
    rules = make_rule_set(club, "ddv", bock=BOCK | {"factor": 3, "cap": 2}, duty_solo=None)
    table = make_table(club, rule_set=rules)
    add_game(table, starts_bock=2)
    add_game(table, dealer=2, note="knapp")
    sheet = load_written(table.evening)["Zettel"]
    assert read_column(sheet, "Bock", HEAD)[:2] == [None, "B ×9"]
    assert read_column(sheet, "Was", HEAD)[:2] == [None, "gegeben außer der Reihe, dran wäre Bodo gewesen · knapp"]
