"""Odd lists: notes, totals and ranks between the evenings, names with ranks, tables beside and below each other, and totals instead
of points."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from io import BytesIO

import pytest
from openpyxl import Workbook

from scoring.models import Evening, Import, Player, TableResult
from tests.desk import Desk
from tests.effort import some
from tests.factories import make_club, make_user
from tests.imports.examples import CELLS, DAY_TEXTS, DAYS, HEADS, NAMES, POINTS, ROWS, TRUTH, sheets, sums, text
from tests.pages import flat

pytestmark = pytest.mark.django_db

def merge_cells() -> bytes:
    """Build a workbook with merged cells: names above two columns each and a title above all; its days are dates."""
    book, out = Workbook(), BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Doppelkopf 2023"])
    sheet.append(["", *(cell for name in NAMES for cell in (name, ""))])
    sheet.append(["Datum", *["Punkte", "Soli"] * len(NAMES)])
    for nth, day in enumerate(DAYS):
        sheet.append([day, *(cell for row in POINTS.values() for cell in (row[nth], 1))])
    sheet.merge_cells("A1:K1")
    for index in range(len(NAMES)):
        sheet.merge_cells(start_row=2, end_row=2, start_column=2 + 2 * index, end_column=3 + 2 * index)
    book.save(out)
    return out.getvalue()


def numbers() -> bytes:
    """Build a workbook with days as Excel numbers, every second one as text."""
    book, out = Workbook(), BytesIO()
    sheet = book.worksheets[0]
    sheet.append(HEADS)
    for nth, day in enumerate(DAYS):
        content = (day - DAYS[0]).days + 44939
        sheet.append([content if nth % 2 else str(content), *(row[nth] for row in POINTS.values())])
    book.save(out)
    return out.getvalue()


MONTHS = [ROWS[:2], ROWS[2:4], ROWS[4:]]
RIGHT: dict[str, str | bytes] = {
    "notes below": text(HEADS, *ROWS, [], ["Emil ist seit Februar dabei"], ["Kassenwart: Dora, 0171 2345678"]),
    "merged headings": merge_cells(),
    "umlauts of Windows": text(HEADS, *ROWS).encode("cp1252"),
    "umlauts of a Mac": text(HEADS, *ROWS).encode("mac-roman"),
    "empty columns and rows": text(
        ["", "Datum", "", *NAMES], [], *(row for day, *cells in ROWS for row in (["", day, "", *cells], []))
    ),
    "places before names": text(["Datum", *(f"{n}. {name}" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places behind names": text(["Datum", *(f"{name} ({n}.)" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places before names that stand below each other": text(
        ["Name", *DAY_TEXTS],
        *([f"{n}. {name}", *row] for n, (name, row) in enumerate(zip(NAMES, zip(*CELLS, strict=True), strict=True), 1)),
    ),
    "days as numbers": numbers(),
    "a sum in the middle": text(
        [*HEADS[:3], "Summe", *HEADS[3:]],
        *([*row[:3], str(sum(int(cell or 0) for cell in row[1:3])), *row[3:]] for row in ROWS),
    ),
    "the sum so far beside each name": text(
        ["Datum", *(cell for name in NAMES for cell in (name, f"{name} ges."))],
        *(
            [row[0], *(cell for both in zip(row[1:], sums(ROWS[: nth + 1]), strict=True) for cell in both)]
            for nth, row in enumerate(ROWS)
        ),
    ),
    "sums between months, without a name": text(HEADS, *(row for of in MONTHS for row in (*of, ["", *sums(of)]))),
    "sums between months, called by them": text(
        HEADS,
        *(
            row
            for name, of in zip(("Januar", "Februar", "März"), MONTHS, strict=True)
            for row in (*of, [name, *sums(of)])
        ),
    ),
    "figures below": text(
        HEADS,
        *ROWS,
        ["Abende", "5", "5", "5", "6", "2"],
        ["Ø", "3,0", "3,2", "-2,4", "-3,5", "1,0"],
        ["Platz", *"21453"],
    ),
    "places below each evening": text(HEADS, *(row for of in ROWS for row in (of, ["Platz", *"12345"]))),
    "headings again": text(HEADS, *ROWS[:3], [], HEADS, *ROWS[3:]),
    "headings again, in another order": text(
        HEADS, *ROWS[:3], ["Datum", *NAMES[::-1]], *([day, *cells[::-1]] for day, *cells in ROWS[3:])
    ),
    "two tables side by side": text(
        [*HEADS, "", *HEADS], *([*one, "", *other] for one, other in zip(ROWS[:3], ROWS[3:], strict=True))
    ),
    "each line in quotes": "\n".join(f'"{";".join(row)}"' for row in (HEADS, *ROWS)),
    "a line of Markdown": "\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---"] * 6, *ROWS)),
    "years as headings": text(
        HEADS, ["Saison 2023"], *([f"{day.day}.{day.month}.", *cells] for day, cells in zip(DAYS, CELLS, strict=True))
    ),
    "a sum before its time": text(HEADS, ["31.12.2022 Übertrag", "100", "-100"], *ROWS),
    "totals below each evening": text(
        HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, ["Stand", *sums(ROWS[: nth + 1])]))
    ),
    "totals below each evening, without a label": text(
        HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, ["", *sums(ROWS[: nth + 1])] if nth else of[:0]))
    ),
    "a number of something": text(
        ["Datum", "Flaschen", *NAMES], *([day, str(nth), *cells] for nth, (day, *cells) in enumerate(ROWS, 3))
    ),
    "more beside the points": text(
        HEADS,
        *(
            [day, *(f"{cell} (1 Solo)" if nth == 0 and cell else cell for nth, cell in enumerate(cells))]
            for day, *cells in ROWS
        ),
    ),
    "totals on a sheet of their own": sheets(
        Gesamt=[["Name", "Punkte", "Abende"], *([name, 5, 6] for name in NAMES)], Liste=[HEADS, *ROWS]
    ),
    "who was not there in words": text(HEADS, *([day, *(cell or "fehlt" for cell in cells)] for day, *cells in ROWS)),
}
FAULTS: dict[str, tuple[str, str]] = {
    "minus behind": (
        text(HEADS, *([day, *(f"{c[1:]}-" if c[:1] == "-" else c for c in cells)] for day, *cells in ROWS)),
        "Zeile 2: Spalte C: „4-“ ist keine ganze Zahl; ist es ein Minus, bitte „-4“ schreiben.",
    ),
    "minus as brackets": (
        text(HEADS, *([day, *(f"({c[1:]})" if c[:1] == "-" else c for c in cells)] for day, *cells in ROWS)),
        "Zeile 2: Spalte C: „(4)“ ist keine ganze Zahl; Klammern können ein Minus oder einen Gast meinen",
    ),
    "the month first and last": (
        text(HEADS, ["13/01/2023", *CELLS[0]], ["01/27/2023", *CELLS[1]]),
        "Den Tag „01/27/2023“ gibt es nicht.",
    ),
    "no days": (text(NAMES, *CELLS), "Bitte in der Datei zu jedem Abend seinen Tag schreiben"),
    "an unknown mark": (
        text(HEADS, *([day, f"{cells[0]} Q" if cells[0] else "", *cells[1:]] for day, *cells in ROWS)),
        "Zeile 2: Spalte B: „12 Q“ ist keine ganze Zahl; ist 12 gemeint, bitte „Q“ löschen oder in Klammern setzen.",
    ),
    "halves": (
        text(HEADS, ["06.01.2023", "12,5", "-12,5"], *ROWS),
        "Zeile 2: Spalte B: „12,5“ ist keine ganze Zahl; sind es Euro, bitte Regeln wählen, die in Cent zählen; sind es halbe",
    ),
    "one day as a number": (
        text(HEADS, ["130123", *CELLS[0]], *ROWS[1:]),
        "Zeile 2: „130123“ ist kein Datum; ist der 13.01.2023 gemeint, bitte so schreiben.",
    ),
    "sums of years above the evenings": (
        text(HEADS, ["2021", "120", "-30", "-50", "-40"], *ROWS),
        "Zeile 2: „2021“ ist ein Jahr und kein Abend; bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“.",
    ),
    "money below": (text(HEADS, *ROWS, ["Getränke", "12 €"]), "Zeile 8: Spalte B: „12 €“ ist keine ganze Zahl"),
    "turned, with a word": (
        text(["Name", *DAY_TEXTS], ["Anton", "viel", *CELLS[0][1:]], *([name, *"123456"] for name in NAMES[1:])),
        "Spalte B: Anton: „viel“ ist keine ganze Zahl.",
    ),
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


@pytest.mark.parametrize("name", RIGHT)
def test_an_odd_list_comes_in_right(desk: Desk, name: str) -> None:
    desk.bring_and_take(RIGHT[name])
    results = TableResult.objects.values_list("table__evening__held_on", "player__name", "points")
    assert set(results) == TRUTH and results.count() == len(TRUTH)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_and_nothing_is_offered(desk: Desk, name: str) -> None:
    content, sentence = FAULTS[name]
    html = flat(desk.look(desk.bring(content)))
    assert sentence in html and 'name="take"' not in html


def test_half_a_year_without_an_evening_is_no_step_back(desk: Desk) -> None:
    """Days without a year follow each other, forwards and backwards."""
    days = ["13.1.", "27.1.", "10.2.", "28.10.", "11.11.", "5.11."]
    rows = [[day, *cells] for day, cells in zip(days, CELLS, strict=True)]
    for listed in (rows, rows[::-1]):
        file = desk.bring_and_take(text(HEADS, *listed), year="2023")
        found = TableResult.objects.filter(player__name="Dora").order_by("table__evening__held_on")
        content = [f"{day:%d.%m.%Y}" for day in found.values_list("table__evening__held_on", flat=True)]
        assert content == ["13.01.2023", "27.01.2023", "10.02.2023", "28.10.2023", "05.11.2023", "11.11.2023"]
        desk.undo(file)


def test_thousands_are_numbers(desk: Desk) -> None:
    desk.bring_and_take("Datum;Anton;Berta\n1.3.24;1.250;-1'250\n8.3.24;-12.000;12000,00\n")
    assert list(TableResult.objects.order_by("pk").values_list("points", flat=True)) == [1250, -1250, -12000, 12000]


def test_rows_left_out_between_evenings_are_named(desk: Desk) -> None:
    html = flat(desk.look(desk.bring(RIGHT["sums between months, without a name"])))
    assert "Zeile 4 ist die Summe der Zeilen darüber (Anton 4, Berta 16, Cäsar -6, Dora -14 …)" in html
    html = flat(desk.look(desk.bring(RIGHT["figures below"])))
    assert "Zeile 10 „Platz“ ist kein Abend (Anton 2, Berta 1, Cäsar 4, Dora 5 …)" in html


NIGHT = ["13.01.2023", "1", "12", "-4", "-6", "-2", "", "", "", ""]
TABLES = text(
    ["Datum", "Tisch", *NAMES, "Fritz", "Gerd", "Hans"],
    NIGHT,
    ["", "2", "", "", "", "", "5", "-5", "3", "-3"],
    ["27.01.2023", "1", "-8", "20", "", "-12", "", "", "", ""],
    ["27.01.2023", "2", "", "", "", "", "1", "1", "1", "-3"],
)


def test_two_tables_of_an_evening_are_one_evening(desk: Desk) -> None:
    desk.bring_and_take(TABLES)
    results = TableResult.objects.order_by("pk").values_list("table__evening__held_on", "points")
    assert [(day.day, points) for day, points in results] == [
        (13, 12), (13, -4), (13, -6), (13, -2), (13, 5), (13, -5), (13, 3), (13, -3),
        (27, -8), (27, 20), (27, -12), (27, 1), (27, 1), (27, 1), (27, -3),
    ]  # fmt: skip
    assert Evening.objects.count() == 2


def test_years_as_headings_go_on_from_one_to_the_next(desk: Desk) -> None:
    rows = [["2021"], ["12.3.", "1", "-1"], ["29.10.", "2", "-2"], ["2022"], ["7.1.", "3", "-3"], ["8.12.", "4", "-4"]]
    desk.bring_and_take(text(["Datum", "Anton", "Berta"], *rows))
    days = Evening.objects.order_by("pk").values_list("held_on", flat=True)
    assert [f"{day:%d.%m.%Y}" for day in days] == ["12.03.2021", "29.10.2021", "07.01.2022", "08.12.2022"]


def test_sheets_of_years_have_their_days_and_their_own_people(desk: Desk) -> None:
    first = [["Datum", "Anton", "Berta"], ["12.3.", 1, -1], ["29.10.", 2, -2]]
    other = [["Datum", "Xaver", "Zoe", "Anton"], ["12.3.", 1, -1, 0], ["29.10.", 2, -2, 0]]
    desk.bring_and_take(sheets(**{"2021": first, "2022": other}))
    days = Evening.objects.order_by("held_on").values_list("held_on", flat=True)
    assert [f"{day:%d.%m.%Y}" for day in days] == ["12.03.2021", "29.10.2021", "12.03.2022", "29.10.2022"]


def test_months_are_in_front_where_the_days_stand_in_order_only_so(desk: Desk) -> None:
    days = ["1/6/2023", "2/3/2023", "3/3/2023", "4/7/2023"]
    desk.bring_and_take(text(["Datum", "Anton", "Berta"], *([day, "1", "-1"] for day in days)))
    found = Evening.objects.order_by("pk").values_list("held_on", flat=True)
    assert [f"{day:%d.%m.}" for day in found] == ["06.01.", "03.02.", "03.03.", "07.04."]


def test_a_column_of_guests_is_proposed_as_a_guest(desk: Desk) -> None:
    content = text(["Datum", "Anton", "Gäste"], ["1.3.24", "1", "-1"])
    desk.bring_and_take(content)
    assert dict(Player.objects.values_list("name", "guest")) == {"Anton": False, "Gäste": True}
    desk.undo(Import.objects.get())
    address = desk.bring(content)
    form = desk.look(address).context["form"]
    form = desk.client.post(address, {name: value for name, value in form.data.items() if name != "guest_2"}).context[
        "form"
    ]
    assert not form.columns[1]["guest"].value()


def test_a_note_says_that_most_rows_are_odd(desk: Desk) -> None:
    rows = [[day, *(["3", "3", "", ""] if nth % 2 else ["", "2", "2", ""])] for nth, day in enumerate(DAY_TEXTS)]
    html = flat(desk.look(desk.bring(text(["Datum", *NAMES[:4]], *rows))))
    assert "Die meisten Zeilen ergeben nicht null: Stehen nur Pluspunkte in der Datei, oder fehlt eine Spalte?" in html


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("<html><table><tr><td>Datum</td></tr></table></html>", "Das ist eine Webseite, wie sie auch heißt."),
        ("Datum  Anton  Berta\n1.3.24  1  -1\n", "In jeder Zeile steht nur eine Zelle."),
    ],
)
def test_a_file_without_a_list_is_refused_with_a_hint(desk: Desk, content: str, sentence: str) -> None:
    response = desk.upload(content)
    assert response.status_code == 422 and sentence in response.content.decode()


# --- Totals instead of points -----------------------------------------------------------------------------------------


STANDS = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
RUNNING = [[day, *cells] for day, cells in zip(DAY_TEXTS, STANDS, strict=True)]
START = (100, -50, -30, -20, 0)
BEGUN = [[day, *(str(int(cell) + start) for cell, start in zip(cells, START, strict=True))] for day, *cells in RUNNING]
# The year before: the points of each evening, and the totals after it.
EARLIER = [[35, -33, 2, -4, 0], [37, -17, -21, 1, 0], [28, -12, -12, -4, 0]]
DAYS_BEFORE = [datetime.date(2022, 12, day) for day in (2, 9, 16)]
DAY_TEXTS_BEFORE = [f"{day:%d.%m.%Y}" for day in DAYS_BEFORE]
STANDS_BEFORE = [[sum(row[who] for row in EARLIER[: nth + 1]) for who in range(5)] for nth in range(3)]
TRUTH_BEFORE = {
    (day, name, points)
    for day, row in zip(DAYS_BEFORE, EARLIER, strict=True)
    for name, points in zip(NAMES, row, strict=True)
    if points
}


def written(days: Sequence[str], rows: Sequence[Sequence[int]]) -> list[list[str]]:
    return [[day, *map(str, row)] for day, row in zip(days, rows, strict=True)]


def across(days: Sequence[str], rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """Put people in rows and days in columns."""
    return [["Name", *days], *([name, *(str(row[who]) for row in rows)] for who, name in enumerate(NAMES))]


LONG = [
    (name, day, cells[who])
    for who, name in enumerate(NAMES)
    for day, cells in zip(DAY_TEXTS, CELLS, strict=True)
    if cells[who]
]
RIGHT_TOTALS: dict[str, str] = {
    "totals with a row of totals before": text(HEADS, ["Übertrag", *map(str, START)], *BEGUN),
    "such a row with its day": text(HEADS, ["31.12.2022 Stand", *map(str, START)], *BEGUN),
    "a row of current totals on top": text(HEADS, ["Stand", *STANDS[-1]], *RUNNING),
    "a sum with a day of its own": text(HEADS, *ROWS[:3], ["11.02.2023 Quartal 1", *STANDS[2]], *ROWS[3:]),
    "a sum called by its year": text(HEADS, *ROWS, ["2023", *STANDS[-1]]),
    "sums of half years": text(HEADS, *ROWS[:3], ["1. Halbjahr", *STANDS[2]], *ROWS[3:]),
    "each name once above the evenings of that person": text(
        ["Name", "Datum", "Punkte"],
        *(["" if nth and LONG[nth - 1][0] == name else name, day, cell] for nth, (name, day, cell) in enumerate(LONG)),
    ),
    "days below their months": text(
        ["Name", "Januar 2023", "", "Februar 2023", "", "März 2023", ""],
        ["", *(f"{day.day}." for day in DAYS)],
        *across(DAY_TEXTS, CELLS)[1:],
    ),
    "people in rows, with totals at the start": text(
        ["Name", "Start", *DAY_TEXTS],
        *([name, str(START[who]), *(row[who + 1] for row in BEGUN)] for who, name in enumerate(NAMES)),
    ),
    "names down, some days below the others": text(
        *across(DAY_TEXTS[:3], CELLS[:3]), [], ["ab Februar"], *across(DAY_TEXTS[3:], CELLS[3:])
    ),
}


def read_results() -> set[tuple[datetime.date, str, int]]:
    return set(TableResult.objects.values_list("table__evening__held_on", "player__name", "points"))


@pytest.mark.parametrize("name", some(RIGHT_TOTALS, 6))
def test_totals_and_numbers_come_in_right(desk: Desk, name: str) -> None:
    desk.bring_and_take(RIGHT_TOTALS[name])
    assert read_results() == TRUTH and TableResult.objects.count() == len(TRUTH)


def test_an_unchanged_total_means_present_if_absent_players_are_blank(desk: Desk) -> None:
    """If absent players are blank, an unchanged total is an evening with 0 points."""
    blank = [
        [day, *(stand if cell else "" for cell, stand in zip(cells, stands, strict=True))]
        for (day, *cells), stands in zip(ROWS, STANDS, strict=True)
    ]
    blank[1][3] = blank[0][3]
    html = flat(desk.look(address := desk.bring(text(HEADS, *blank))))
    assert "heißt: nicht dabei. Derselbe Punktestand wie vorher heißt: dabei, mit 0." in html
    desk.take(address)
    assert read_results() == TRUTH | {(DAYS[1], "Cäsar", 0)}


def test_a_zero_may_be_an_absent_player(desk: Desk) -> None:
    content = text(HEADS, *([day, *(cell or "0" for cell in cells)] for day, *cells in ROWS))
    for given in ({}, {"cells": "no_zeros"}):
        address = desk.bring(content)
        html = flat(desk.look(address, **given))
        assert ("Niemand fehlt je, und 7-mal steht 0: Eine 0 gilt als dabei." in html) is not bool(given)
        desk.take(address, **given)
        assert {entry for entry in read_results() if entry[2]} == TRUTH
        assert TableResult.objects.count() == len(TRUTH) + (0 if given else 7)
        desk.undo(Import.objects.get(undone_at=None))


def test_totals_before_the_first_evening_are_named(desk: Desk) -> None:
    html = flat(desk.look(desk.bring(RIGHT_TOTALS["totals with a row of totals before"])))
    assert "Zeile 2 gilt als Punktestand davor und zählt zu keinem Abend (Anton 100, Berta -50, Cäsar -30, Dora -20" in html


def test_totals_that_begin_anew_in_each_year(desk: Desk) -> None:
    both = {2022: [HEADS, *written(DAY_TEXTS_BEFORE, STANDS_BEFORE)], 2023: [HEADS, *RUNNING]}
    desk.bring_and_take(text(*both[2022], *both[2023][1:]))
    assert read_results() == TRUTH | TRUTH_BEFORE
    desk.undo(Import.objects.get())
    # A sheet for each year, the last one first.
    desk.bring_and_take(sheets(**{str(year): both[year] for year in (2023, 2022)}))
    assert read_results() == TRUTH | TRUTH_BEFORE


def test_sheets_of_totals_that_go_on_are_read_in_the_order_of_their_days(desk: Desk) -> None:
    start = STANDS_BEFORE[-1]
    later = [[day, *(int(cell) + start[who] for who, cell in enumerate(cells))] for day, *cells in RUNNING]
    both = {"2023": [HEADS, *later], "2022": [HEADS, *written(DAY_TEXTS_BEFORE, STANDS_BEFORE)]}
    desk.bring_and_take(sheets(**both))
    assert read_results() == TRUTH | TRUTH_BEFORE


def test_the_user_is_asked_whether_totals_begin_anew(desk: Desk) -> None:
    few = [[5, -3, 2, -4, 0], [12, -10, 1, -3, 0], [10, -8, 5, -7, 0]]
    address = desk.bring(text(HEADS, *written(DAY_TEXTS_BEFORE, few), *RUNNING))
    html = flat(desk.look(address))
    assert 'name="take"' not in html
    assert "Punktestand nach dem Abend: Anton kommt auf 15" in html
    assert "Punktestand nach dem Abend, jedes Jahr von vorn: Anton kommt auf 25" in html
    assert desk.take(address, cells="by_year").status_code == 302
    assert read_results() >= TRUTH and TableResult.objects.filter(table__evening__held_on__year=2022).count() == 12


def test_the_user_is_asked_whether_few_evenings_are_totals(desk: Desk) -> None:
    html = flat(desk.look(desk.bring(text(HEADS, *RUNNING[:3]))))
    assert "Das lässt sich der Datei nicht sicher ansehen." in html and 'name="take"' not in html
    assert 'name="take"' in flat(desk.look(desk.bring(text(HEADS, *ROWS[:3]))))


def test_rising_points_of_all_players_are_asked_about(desk: Desk) -> None:
    """By their size they look like totals: only the user knows."""
    rising = written(DAY_TEXTS[:5], [(5, 3, 2), (10, 7, 4), (18, 10, 9), (25, 16, 12), (31, 22, 15)])
    for rows in (rising, rising[:2]):
        address = desk.bring(text(["Datum", *NAMES[:3]], *rows))
        html = flat(desk.look(address))
        assert "Das lässt sich der Datei nicht sicher ansehen. Bitte wählen." in html and 'name="take"' not in html
    assert desk.take(address, cells="totals").status_code == 302
    assert list(TableResult.objects.filter(player__name="Anton").values_list("points", flat=True)) == [5, 5]


def test_a_sheet_for_each_evening_holds_games_and_their_sum(desk: Desk) -> None:
    games = [["Spiel", *NAMES[:4]], [1, 3, 3, -3, -3], [2, -1, 1, -1, 1], ["Summe", 2, 4, -4, -2]]
    desk.bring_and_take(sheets(**{f"{day:%d.%m.%y}": games for day in DAYS[:2]}))
    evenings = Evening.objects.order_by("held_on")
    assert [(evening.held_on, evening.tables.get().rounds.get().games.count()) for evening in evenings] == [
        (day, 2) for day in DAYS[:2]
    ]
    assert read_results() == {
        (day, name, points) for day in DAYS[:2] for name, points in zip(NAMES, (2, 4, -4, -2), strict=False)
    }


def test_two_games_of_a_day_are_no_two_evenings(desk: Desk) -> None:
    games = [["3", "3", "-3", "-3"], ["-1", "1", "-1", "1"]]
    rows = [[day, *game] for day in DAY_TEXTS[:2] for game in games]
    desk.bring_and_take(text(["Datum", *NAMES[:4]], *rows))
    assert Evening.objects.count() == 2
    assert set(TableResult.objects.filter(player__name="Berta").values_list("points", flat=True)) == {4}


def test_evenings_are_numbered_from_the_last_one_as_well(desk: Desk) -> None:
    rows = [[str(nth + 1), *CELLS[nth]] for nth in range(6)][::-1]
    desk.bring_and_take(text(["Abend", *NAMES], *rows), first="2023-01-13", rhythm="fortnight")
    assert read_results() == TRUTH


def test_names_that_come_again_have_their_first_names_above(desk: Desk) -> None:
    rows = (["1.3.24", "3", "3", "-3", "-3"], ["8.3.24", "1", "-1", "1", "-1"])
    desk.bring_and_take(
        text(["", "Anton", "Berta", "Anton", "Dora"], ["Datum", *["Müller"] * 2, *["Meier"] * 2], *rows)
    )
    assert {player.name for player in Player.objects.all()} == {
        "Anton Müller",
        "Berta Müller",
        "Anton Meier",
        "Dora Meier",
    }


def test_names_in_the_rows_come_in_with_the_points_behind_them(desk: Desk) -> None:
    rows = (["1.3.24", "Anton", "3", "Berta", "-3"], ["8.3.24", "Cäsar", "2", "Dora", "-2"])
    desk.bring_and_take(text(["Datum", "Spieler 1", "Punkte 1", "Spieler 2", "Punkte 2"], *rows))
    assert {(day.day, name, points) for day, name, points in read_results()} == {
        (1, "Anton", 3), (1, "Berta", -3), (8, "Cäsar", 2), (8, "Dora", -2),
    }  # fmt: skip
    response = desk.upload(text(["Datum", "Erste", "Rechts", "Zweite", "Links"], *rows))
    assert response.status_code == 422
    assert "Die Namen stehen in den Zeilen vor ihren Punkten." in response.content.decode()


def test_odd_days_are_named_and_can_be_left_out(desk: Desk) -> None:
    """The list has an evening twice, another one on the same day, and a day that is years away."""
    assert "Bitte nachsehen" not in flat(desk.look(desk.bring(text(HEADS, *ROWS))))
    rows = [*ROWS[:3], ["24.02.2013", *CELLS[3]], *ROWS[4:], ROWS[2], [DAY_TEXTS[5], "1", "-1", "", "", ""]]
    address = desk.bring(text(HEADS, *rows))
    html = flat(desk.look(address))
    for sentence in (
        "Zeile 8: noch einmal der 10.02.2023 mit denselben Punkten, wie Zeile 4",
        "Zeile 9: noch einmal der 24.03.2023, wie Zeile 7",
        "Zeile 5: der 24.02.2013 liegt weit vor oder hinter den Tagen daneben",
    ):
        assert sentence in html, sentence
    last = flat(desk.look(desk.bring(text(HEADS, *ROWS[:5], ["24.03.2013", *CELLS[5]]))))
    assert "Zeile 7: der 24.03.2013 liegt weit vor oder hinter den Tagen daneben" in last
    address = desk.bring(text(HEADS, *rows))
    desk.take(address, leave_8="on", leave_9="on", leave_5="on")
    assert read_results() == {entry for entry in TRUTH if entry[0] != DAYS[3]}


def test_a_sheet_that_is_not_chosen_is_named(desk: Desk) -> None:
    both = {"Januar 2023": [HEADS, *ROWS[:2]], "2023": [HEADS, *ROWS]}
    html = flat(desk.look(desk.bring(sheets(**both))))
    assert "Blatt „2023“: ist nicht angekreuzt" in html

