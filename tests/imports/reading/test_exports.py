"""What comes out of spreadsheets and of other programs: totals between the rows of points, days and points written otherwise,
headings over several columns. Each is read right as it is proposed; where points and totals look alike, it is asked."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

import pytest

from scoring.imports.models import Import
from scoring.imports.reading.cells import CellRefused, read_points
from scoring.imports.reading.evenings import Reading, ReadingOptions, iter_list_rows
from scoring.imports.reading.proposals import looks_like_totals, propose_cells, propose_kind
from tests.imports.reading.test_secretaries import (
    ACROSS,
    FIRST,
    STANDS,
    Found,
    Rows,
    called,
    days,
    outline_in,
    read,
    said_in,
)
from tests.imports.views.test_nasty import CELLS, DAYS, HEADS, NAMES, ROWS, SAID, TRUTH

SLIP = [*STANDS[:3], ["9", "11", "0", "-22", "3"], *STANDS[4:]]
GUESTS = [["Gäste"], *ACROSS[3:]]


def with_stands(said: Sequence[str], stands: Rows = STANDS) -> Rows:
    """Below each evening how everybody stands then, with this in front of it."""
    return [HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, [said[nth], *stands[nth]]))]


def over_each(*headings: str) -> Rows:
    """Names over as many columns each, with these headings below them."""
    return [["", *(cell for name in NAMES for cell in (name, *[""] * (len(headings) - 1)))], ["Datum", *headings * len(NAMES)]]


RIGHT: Mapping[str, Rows] = {
    "totals below the points": with_stands([""] * 6),
    "totals below the points, with the day": with_stands(SAID),
    "totals below the points, one of them wrong": with_stands([""] * 6, SLIP),
    "totals above the points": [HEADS, *(row for nth, of in enumerate(ROWS) for row in (["", *STANDS[nth]], of))],
    "totals below the points, the last evening first": [
        HEADS, *(row for nth in range(5, -1, -1) for row in (ROWS[nth], ["", *STANDS[nth]]))
    ],
    "totals that are called by a word nobody knows": with_stands(["kum."] * 6),
    "marks of solos": [HEADS, *([day, cells[0] and f"{cells[0]} S", *cells[1:]] for day, *cells in ROWS)],
    "marks of solos without a blank": [HEADS, *([day, *(cell and f"{cell}s" for cell in cells)] for day, *cells in ROWS)],
    "days as one number": days(lambda day: f"{day:%d%m%y}"),
    "days as one number without its zero": days(lambda day: f"{day:%d%m%y}".removeprefix("0")),
    "days as one number, the year first": days(lambda day: f"{day:%y%m%d}"),
    "days as numbers side by side": [["Name", *(f"{day:%d%m%y}" for day in DAYS)], *ACROSS],
    "points of each below a short word": [
        *over_each("Pkte", "Sp."), *([day, *(part for cell in cells for part in (cell, cell and "20"))] for day, *cells in ROWS)
    ],
    "points and totals of each": [
        *over_each("Abend", "Gesamt"),
        *([row[0], *(part for both in zip(row[1:], STANDS[nth], strict=True) for part in both)] for nth, row in enumerate(ROWS)),
    ],
    "numbers, weekdays and remarks around it": [
        ["Lfd. Nr.", "Wochentag", *HEADS, "Bemerkungen"],
        *([str(nth), "Freitag", *row, "3 Soli, 2 Bock" if nth == 2 else ""] for nth, row in enumerate(ROWS, 1)),
    ],
    "remarks without a heading": [HEADS, *([*row, "bei Dora, 4 Runden" if nth % 2 else ""] for nth, row in enumerate(ROWS))],
    "numbers without a heading": [HEADS, *([*row, str(20 + nth)] for nth, row in enumerate(ROWS))],
    "places beside the days": [HEADS, *([f"{row[0]} bei Dora", *row[1:]] for row in ROWS)],
    "places below the days": [HEADS, *(row for of in ROWS for row in (of, ["bei Dora"]))],
    "German and English days": days(lambda day: f"{day:%d.%m.%Y}" if day.day % 2 else f"{day.day} {day:%b} 2023"),
    "days of a program": days(lambda day: f"{day:%Y-%m-%d}T20:00"),
    "days with an apostrophe": days(lambda day: f"{day.day}.{day.month}.'23"),
    "plus signs and fractions of nothing": [
        HEADS, *([day, *(cell and f"{int(cell):+d},0" for cell in cells)] for day, *cells in ROWS)
    ],
    "points and money below headings over both": [
        ["", "Punkte", *[""] * 4, "", "Geld", *[""] * 4], [*HEADS, "", *NAMES],
        *([*row, "", *(cell and f"{int(cell) / 10:.2f}" for cell in row[1:])] for row in ROWS),
    ],
    "points and totals below headings over both": [
        ["", "Abend", *[""] * 4, "Stand", *[""] * 4], [*HEADS, *NAMES], *([*row, *STANDS[nth]] for nth, row in enumerate(ROWS))
    ],
    "members and guests below each other": [["Mitglieder", *SAID], *ACROSS[:3], *GUESTS, ["Summe", *"000000"]],
    "places above the days side by side": [
        ["", "", *["bei Anton", "bei Dora"] * 3], ["Nr", "Name", *SAID], *(["1", *row] for row in ACROSS)
    ],
    "totals side by side": [
        ["Name", *SAID], *([name, *cells] for name, cells in zip(NAMES, zip(*STANDS, strict=True), strict=True))
    ],
    "stars in front of the points": [HEADS, *([day, cells[0] and f"*{cells[0]}", *cells[1:]] for day, *cells in ROWS)],
    "parts of a hundred beside them": [[*HEADS, "Quote", "Anteil"], *([*row, "12%", "3 %"] for row in ROWS)],
    "two days of a night": days(lambda day: f"{day:%d.%m.%Y} - {day + datetime.timedelta(days=1):%d.%m.%Y}"),
    "days with commas": days(lambda day: f"{day:%d,%m,%Y}"),
    "days with too many dots": days(lambda day: f"{day:%d..%m.%Y}"),
    "places of everybody below": [HEADS, *ROWS, [], ["1. Berta", "16"], ["2. Anton", "15"], ["Emil", "2"]],
    "days alone above their rows": [
        ["", *NAMES], *(row for day, *cells in ROWS for row in ([f"Abend vom {day}"], ["Punkte", *cells]))
    ],
    "places in a long table": [
        ["Datum", "Tisch", "Platz", "Spieler", "Pkt."],
        *([row[0], "1", "2.", name, cell] for row in ROWS for name, cell in zip(NAMES, row[1:], strict=True) if cell),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_read_right(name: str) -> None:
    assert said_in(outline_in(("", RIGHT[name]))) == TRUTH


def test_what_is_not_read_is_said() -> None:
    outline = outline_in(("", RIGHT["totals below the points, one of them wrong"]))
    assert outline.notes == [
        "Zu jeder Zeile mit Punkten steht eine mit dem Punktestand: Gelesen sind die Punkte, die Punktestände bleiben weg."
    ]
    said = {remark.where: remark.sentence for remark in outline.left_out}
    assert said["Zeile 3"] == "ist der Punktestand nach einem Abend (Anton 12, Berta -4, Cäsar -6, Dora -2 …)"
    assert "bitte nachsehen (Anton 9, Berta 11, Cäsar 0, Dora -22 …)" in said["Zeile 9"]
    assert [place for place, sentence in said.items() if "bitte nachsehen" in sentence] == ["Zeile 9"]
    assert outline_in(("", RIGHT["marks of solos"])).notes == [
        "Hinter manchen Punkten steht etwas („S“): Gelesen ist die Zahl davor."
    ]
    assert outline_in(("", RIGHT["days as one number"])).notes == [
        "Die Tage stehen als eine Zahl da: „130123“ ist als 13.01.2023 gelesen."
    ]


def test_people_who_are_called_like_months() -> None:
    names = ["Jan", "Mai", "April", "June", "August"]
    assert said_in(outline_in(("", [["Datum", *names], *ROWS]))) == called(names)
    across = [[name, *row[1:]] for name, row in zip(names, ACROSS, strict=True)]
    assert said_in(outline_in(("", [["Name", *SAID], *across]))) == called(names)


def test_days_above_their_games_are_the_days_of_these() -> None:
    evening = [["1", "3", "3", "-3", "-3"], ["2", "-2", "2", "-2", "2"], ["Summe", "1", "5", "-5", "-1"]]
    outline = outline_in(("", [["", *NAMES[:4]], ["Abend vom 13.01.2023"], *evening, ["Fr 27.01.2023"], *evening]))
    people = [column.index for column in outline.columns if not column.exclusion]
    assert propose_kind(outline) == Import.Kind.GAMES
    games = iter_list_rows(outline, people, Reading(), ReadingOptions(), carry=True)
    assert [entry.day for entry in games] == [DAYS[0], DAYS[0], DAYS[1], DAYS[1]]


def test_days_that_are_all_the_first_of_a_month_are_doubted() -> None:
    rows = [[f"01.{nth:02}.2023", *cells] for nth, cells in enumerate(CELLS, 1)]
    (note,) = outline_in(("", [HEADS, *rows])).notes
    assert note.startswith("Alle Tage sind der Erste eines Monats: Sind es Summen von Monaten, bitte nicht übernehmen")
    assert not outline_in(("", [HEADS, *rows[:2]])).notes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12 Q", "ist 12 gemeint, bitte „Q“ löschen oder in Klammern setzen"),
        ("-6 k", "ist -6 gemeint, bitte „k“ löschen oder in Klammern setzen"),
        ("S 12", "ist 12 gemeint, bitte „S“ in Klammern dahinter setzen"),
        ("12,5", "sind es halbe Punkte, bitte in der Datei alle Punkte verdoppeln"),
        ("12-", "ist es ein Minus, bitte „-12“ schreiben"),
        ("12,50", "Beträge in Euro gehen nur unter Regeln, die in Cent zählen"),
        ("12+3", "„12+3“ ist keine ganze Zahl"),
    ],
)
def test_what_was_meant_is_said(text: str, said: str) -> None:
    with pytest.raises(CellRefused) as refused:
        read_points(text)
    assert str(refused.value).endswith(said)


def test_numbers_that_are_days_in_two_ways_are_none() -> None:
    said = [["Datum", "Anton", "Berta"], ["010203", "1", "-1"], ["020304", "2", "-2"]]
    assert [fault.where for fault in read(outline_in(("", said))).faults] == ["Zeile 2", "Zeile 3"]


def test_seasons_in_the_names_of_sheets() -> None:
    rows = days(lambda day: f"{day.day}.{day.month}.")
    for name in ("Saison 22/23", "Saison 22-23", "2022/23"):
        assert said_in(outline_in((name, rows))) == called(NAMES), name
    other: Found = {(day.replace(year=2022), name, points) for day, name, points in TRUTH}
    assert said_in(outline_in(("2022", rows), ("2023", rows))) == TRUTH | other
    assert min(DAYS) == FIRST


def test_rising_points_of_two_years_are_asked_about() -> None:
    rows = {year: [["Datum", "A", "B", "C"], *([f"{day}.3.{year}", f"{5 * day}", f"{3 * day}", f"{day}"] for day in range(1, 6))]
            for year in ("2022", "2023")}  # fmt: skip
    outline = outline_in(*rows.items())
    assert propose_cells(outline, [column.index for column in outline.columns], Import.Kind.EVENINGS) == ""


# --- Points or totals -------------------------------------------------------------------------------------------------

RISING = [(5, 3, 2), (10, 7, 4), (18, 10, 9), (25, 16, 12), (31, 22, 15)]
FALLING = [(30, 22, 15), (25, 31, 18), (28, 20, 33), (31, 25, 20), (22, 29, 30)]
ZERO = [(5, -3, -2), (8, -5, -3), (15, -9, -6), (21, -12, -9), (30, -18, -12)]
# What stands there, what a row of sums says, and whether these are totals; None where somebody is asked.
LOOKS: Mapping[str, tuple[Sequence[Sequence[int]], Sequence[int] | None, bool | None]] = {
    "rising": (RISING, None, None),
    "rising, with the last row once more": (RISING, RISING[-1], True),
    "rising, with the sums": (RISING, (89, 58, 42), False),
    "rising, two rows": (RISING[:2], None, None),
    "falling, as only the worst count": ([[-points for points in row] for row in RISING], None, None),
    "rising but for a slip": ([*RISING[:4], (24, 22, 15)], None, None),
    "rising and falling": (FALLING, None, False),
    "rising and falling, three rows": (FALLING[:3], None, False),
    "of zero in sum": (ZERO, None, True),
    "of zero in sum, two rows": (ZERO[:2], None, None),
    "of zero in sum, two rows that change sides": ([(5, -3, -2), (-4, 6, -2)], None, False),
    "one row": (RISING[:1], None, False),
    "the same in each row": ([(3, 2, 1)] * 5, None, False),
    "two people": ([(5, 3), (10, 7)], None, False),
}


@pytest.mark.parametrize("name", LOOKS)
def test_points_or_totals(name: str) -> None:
    rows, last, are_totals = LOOKS[name]
    found = looks_like_totals([dict(enumerate(row)) for row in rows], dict(enumerate(last)) if last else None)
    assert found is are_totals
