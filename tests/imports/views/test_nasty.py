"""Lists as they really are: notes, sums and places between the evenings, names with ranks, tables beside and below each other. Each
comes in right, or one sentence says what is to be done and nothing is offered."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pytest
from openpyxl import Workbook

from scoring.models import Evening, Import, Player, TableResult
from tests.desk import Desk
from tests.factories import make_club, make_user
from tests.imports.views.test_kinds import DAYS, POINTS
from tests.pages import flat

pytestmark = pytest.mark.django_db

NAMES = list(POINTS)
HEADS = ["Datum", *NAMES]
SAID = [f"{day:%d.%m.%Y}" for day in DAYS]
CELLS = [["" if row[nth] is None else str(row[nth]) for row in POINTS.values()] for nth in range(len(DAYS))]
ROWS = [[day, *cells] for day, cells in zip(SAID, CELLS, strict=True)]
TRUTH = {
    (day, name, points)
    for name, row in POINTS.items()
    for day, points in zip(DAYS, row, strict=True)
    if points is not None
}


def sums(rows: Sequence[Sequence[str]]) -> list[str]:
    return [str(sum(int(row[index] or 0) for row in rows)) for index in range(1, len(HEADS))]


def text(*rows: Sequence[str]) -> str:
    return "\n".join(";".join(row) for row in rows)


def merged() -> bytes:
    """Names over two columns each, a title over all of them, and the days as days."""
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


def sheets(**found: Sequence[Sequence[object]]) -> bytes:
    """A workbook with these sheets."""
    book, out = Workbook(), BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in found.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


def numbers() -> bytes:
    """Days as the numbers that Excel counts them by, every second one as text."""
    book, out = Workbook(), BytesIO()
    sheet = book.worksheets[0]
    sheet.append(HEADS)
    for nth, day in enumerate(DAYS):
        said = (day - DAYS[0]).days + 44939
        sheet.append([said if nth % 2 else str(said), *(row[nth] for row in POINTS.values())])
    book.save(out)
    return out.getvalue()


MONTHS = [ROWS[:2], ROWS[2:4], ROWS[4:]]
RIGHT: dict[str, str | bytes] = {
    "notes below": text(HEADS, *ROWS, [], ["Emil ist seit Februar dabei"], ["Kassenwart: Dora, 0171 2345678"]),
    "merged headings": merged(),
    "umlauts of Windows": text(HEADS, *ROWS).encode("cp1252"),
    "umlauts of a Mac": text(HEADS, *ROWS).encode("mac-roman"),
    "empty columns and rows": text(
        ["", "Datum", "", *NAMES], [], *(row for day, *cells in ROWS for row in (["", day, "", *cells], []))
    ),
    "places before names": text(["Datum", *(f"{n}. {name}" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places behind names": text(["Datum", *(f"{name} ({n}.)" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places before names that stand below each other": text(
        ["Name", *SAID],
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
    "how everybody stands below each evening": text(
        HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, ["Stand", *sums(ROWS[: nth + 1])]))
    ),
    "how everybody stands below each evening, without a name": text(
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
    "how everybody stands on a sheet of its own": sheets(
        Gesamt=[["Name", "Punkte", "Abende"], *([name, 5, 6] for name in NAMES)], Liste=[HEADS, *ROWS]
    ),
    "who was not there in words": text(HEADS, *([day, *(cell or "fehlt" for cell in cells)] for day, *cells in ROWS)),
}
TOLD: dict[str, tuple[str, str]] = {
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
    "a mark that nobody knows": (
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
        text(["Name", *SAID], ["Anton", "viel", *CELLS[0][1:]], *([name, *"123456"] for name in NAMES[1:])),
        "Spalte B: Anton: „viel“ ist keine ganze Zahl.",
    ),
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


@pytest.mark.parametrize("name", RIGHT)
def test_it_comes_in_right(desk: Desk, name: str) -> None:
    desk.bring_and_take(RIGHT[name])
    results = TableResult.objects.values_list("table__evening__held_on", "player__name", "points")
    assert set(results) == TRUTH and results.count() == len(TRUTH)


@pytest.mark.parametrize("name", TOLD)
def test_it_is_told_and_nothing_is_offered(desk: Desk, name: str) -> None:
    said, sentence = TOLD[name]
    html = flat(desk.look(desk.bring(said)))
    assert sentence in html and 'name="take"' not in html


def test_half_a_year_without_an_evening_is_no_step_back(desk: Desk) -> None:
    """Days without a year: the next one is behind the last, forwards and backwards."""
    days = ["13.1.", "27.1.", "10.2.", "28.10.", "11.11.", "5.11."]
    rows = [[day, *cells] for day, cells in zip(days, CELLS, strict=True)]
    for listed in (rows, rows[::-1]):
        file = desk.bring_and_take(text(HEADS, *listed), year="2023")
        found = TableResult.objects.filter(player__name="Dora").order_by("table__evening__held_on")
        said = [f"{day:%d.%m.%Y}" for day in found.values_list("table__evening__held_on", flat=True)]
        assert said == ["13.01.2023", "27.01.2023", "10.02.2023", "28.10.2023", "05.11.2023", "11.11.2023"]
        desk.undo(file)


def test_thousands_are_numbers(desk: Desk) -> None:
    desk.bring_and_take("Datum;Anton;Berta\n1.3.24;1.250;-1'250\n8.3.24;-12.000;12000,00\n")
    assert list(TableResult.objects.order_by("pk").values_list("points", flat=True)) == [1250, -1250, -12000, 12000]


def test_what_is_left_out_between_evenings_is_named(desk: Desk) -> None:
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


def test_a_column_of_guests_is_a_guest_until_somebody_says_otherwise(desk: Desk) -> None:
    said = text(["Datum", "Anton", "Gäste"], ["1.3.24", "1", "-1"])
    desk.bring_and_take(said)
    assert dict(Player.objects.values_list("name", "guest")) == {"Anton": False, "Gäste": True}
    desk.undo(Import.objects.get())
    address = desk.bring(said)
    form = desk.look(address).context["form"]
    form = desk.client.post(address, {name: value for name, value in form.data.items() if name != "guest_2"}).context[
        "form"
    ]
    assert not form.columns[1].guest.value()


def test_where_most_rows_are_odd_it_is_said(desk: Desk) -> None:
    rows = [[day, *(["3", "3", "", ""] if nth % 2 else ["", "2", "2", ""])] for nth, day in enumerate(SAID)]
    html = flat(desk.look(desk.bring(text(["Datum", *NAMES[:4]], *rows))))
    assert "Die meisten Zeilen ergeben nicht null: Stehen nur Pluspunkte in der Datei, oder fehlt eine Spalte?" in html


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("<html><table><tr><td>Datum</td></tr></table></html>", "Das ist eine Webseite, wie sie auch heißt."),
        ("Datum  Anton  Berta\n1.3.24  1  -1\n", "In jeder Zeile steht nur eine Zelle."),
    ],
)
def test_what_is_no_list_says_what_to_do(desk: Desk, said: str, sentence: str) -> None:
    response = desk.upload(said)
    assert response.status_code == 422 and sentence in response.content.decode()
