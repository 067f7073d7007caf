"""Lists as clubs keep them: points by player and day, as proposed. The pages are tested with a list of every kind in
`tests/imports/views/`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from scoring.imports.models import Import
from scoring.imports.reading.cells import CellRefused, read_points
from scoring.imports.reading.evenings import (
    Reading,
    ReadingOptions,
    iter_list_rows,
    lacks_month,
    lacks_year,
    looks_like_totals,
    propose_cells,
    propose_kind,
    read_evenings,
)
from scoring.imports.reading.outline import NO_COLUMN, Outline
from scoring.imports.reading.sheets import join_sheets, outline_sheet, outline_sheets, select_alike
from scoring.imports.reading.uploads import FileRefused, FileSheet
from tests.imports.examples import CELLS, DAY_TEXTS, DAYS, HEADS, NAMES, ROWS, TRUTH, sums

Rows = Sequence[Sequence[str]]
Found = set[tuple[datetime.date, str, int]]
FIRST = datetime.date(2023, 1, 13)
WHOLE = ["Anton Meier", "Berta Müller", "Cäsar Kunz", "Dora Vogt", "Emil Beck"]
MONTHS = {1: "Januar", 2: "Februar", 3: "März"}
STANDS = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
ACROSS = [[name, *cells] for name, cells in zip(NAMES, zip(*CELLS, strict=True), strict=True)]
LONG = [
    [day, name, cell]
    for day, cells in zip(DAY_TEXTS, CELLS, strict=True)
    for name, cell in zip(NAMES, cells, strict=True)
    if cell
]
RANKING = [["Platz", "Name", "Punkte"], ["1.", "Berta", "16"], ["2.", "Anton", "15"], ["3.", "Dora", "-31"]]


def outline_in(*sheets: tuple[str, Rows]) -> Outline:
    files = [FileSheet(name, [list(row) for row in rows]) for name, rows in sheets]
    found = outline_sheets(files)
    return join_sheets(files, {index: found[index] for index in select_alike(files, found)})


def read(outline: Outline, **options: Any) -> Reading:
    """Read a list as proposed, with these options instead."""
    people = outline.people
    assert propose_kind(outline) == Import.Kind.EVENINGS
    cells = propose_cells(outline, people, Import.Kind.EVENINGS)
    assert cells
    year = 2023 if lacks_year(outline) else None
    proposed = {"cells": cells, "first": FIRST, "rhythm": "fortnight", "year": year, "weekday": 4}
    return read_evenings(outline, people, ReadingOptions(**proposed | options))


def read_entries(outline: Outline, **options: Any) -> Found:
    reading = read(outline, **options)
    assert not reading.faults, [(fault.where, fault.sentence) for fault in reading.faults]
    names = {column.index: column.name for column in outline.columns}
    found = [(one.held_on, names[who], points) for one in reading.sittings for who, points in one.points.items()]
    assert len(found) == len({*found})
    return {*found}


def with_names(names: Sequence[str]) -> Found:
    return {(day, names[NAMES.index(name)], points) for day, name, points in TRUTH}


def days(written: Callable[[datetime.date], str]) -> Rows:
    return [HEADS, *([written(day), *cells] for day, cells in zip(DAYS, CELLS, strict=True))]


def add_columns(**columns: str) -> Rows:
    """Add columns after those of people, with a cell for each evening."""
    more = [cells.split("|") for cells in columns.values()]
    return [[*HEADS, *columns], *([*row, *(cells[nth] for cells in more)] for nth, row in enumerate(ROWS))]


def absent(word: str) -> Rows:
    return [HEADS, *([day, *(cell or word for cell in cells)] for day, *cells in ROWS)]


def with_below(*rows: Sequence[str]) -> Rows:
    return [HEADS, *ROWS, *rows]


def side_by_side(left: Rows, right: Rows) -> Rows:
    width = max(map(len, left))
    return [
        [*(left[nth] if nth < len(left) else [""] * width), "", *(right[nth] if nth < len(right) else [])]
        for nth in range(max(len(left), len(right)))
    ]


def sum_up(entries: Rows) -> list[str]:
    """Replace points by the totals of each person."""
    names = [name for _day, name, _cell in entries]
    return [str(sum(int(entries[at][2]) for at in range(nth + 1) if names[at] == name)) for nth, name in enumerate(names)]


def split_signs(cell: str) -> list[str]:
    """Split points in columns of won and lost points without a sign."""
    return [cell.replace("-", "") if cell and (cell[0] == "-") == lost else "" for lost in (False, True)]


def select_month(month: int, written: Callable[[datetime.date], str]) -> Rows:
    return [["Tag", *NAMES], *([written(day), *cells] for day, cells in zip(DAYS, CELLS, strict=True) if day.month == month)]


WEEKDAY = "{0.day}."
RIGHT: Mapping[str, Rows] = {
    "a pot": add_columns(Topf="3|5|2|4|1|6"),
    "a pot now and then": add_columns(Topf="||5|||2"),
    "beer and a pot": add_columns(Bier="3|5|2|4|1|6", Topf="7|7|7|7|7|7"),
    "two unknown numbers": add_columns(Kronkorken="3|5|2|4|1|6", Karten="7|7|7|7|7|7"),
    "the club's box": add_columns(Clubkasse="5,00|-3,00|2,50|4,00|1,00|7,50"),
    "remarks that are numbers": add_columns(Bemerkung="|||2||"),
    "hosts and who was there": add_columns(Gastgeber="Anton|Berta|Dora|Emil|Anton|Dora", Anwesende="4|3|4|4|4|4"),
    "a check": add_columns(**{"∑": "0|0|0|0|0|0", "Diff.": "0|0|0|0|0|0", "Prüfzahl": "0|0|0|0|0|0"}),
    "a row that stands twice": [["Datum", "Name", "Punkte"], *LONG[:3], LONG[2], *LONG[3:], LONG[7]],
    "sums in a long table": [
        ["Datum", "Name", "Punkte"], *(row for nth, row in enumerate(LONG) for row in ([row], [row, ["", "Summe", "0"]])[nth == 3])
    ],
    "first and last names in a long table": [
        ["Datum", "Vorname", "Nachname", "Punkte"],
        *([day, name, "", cell] for day, name, cell in LONG),
    ],
    "numbers of evenings with their days": days(lambda day: f"Abend {1 + (day - FIRST).days // 14} ({day:%d.%m.%Y})"),
    "numbers in front of days": days(lambda day: f"{1 + (day - FIRST).days // 14}. Abend am {day:%d.%m.%y}"),
    "evenings that are counted beside their days": [["Abend", *HEADS], *([f"{nth}.", *row] for nth, row in enumerate(ROWS, 1))],
    "nights": days(lambda day: f"{day.day}./{day.day + 1}.{day.month}.2023"),
    "English days": days(lambda day: f"{day:%A}, {day:%B} {day.day}, 2023"),
    "English numbers": days(lambda day: f"{day.day}th {day:%b} 2023"),
    "a season over two years": [HEADS, ["Saison 2022/23"], *days(lambda day: f"{day.day}.{day.month}.")[1:]],
    "months in front of days": [
        ["Monat", "Tag", *NAMES],
        *(
            [MONTHS[day.month] + " 2023" if nth % 2 == 0 else "", f"{day.day}.", *cells]
            for nth, (day, cells) in enumerate(zip(DAYS, CELLS, strict=True))
        ),
    ],
    "days below their months, the year in a title": [
        ["Liste 2023"], HEADS, *(row for month in MONTHS for row in ([MONTHS[month]], *select_month(month, WEEKDAY.format)[1:]))
    ],
    "plus and minus beside each other": [
        ["Datum", *(f"{name} {sign}" for name in NAMES for sign in "+-")],
        *([day, *(part for cell in cells for part in split_signs(cell))] for day, *cells in ROWS),
    ],
    "plus and minus below names": [
        ["", *(cell for name in NAMES for cell in (name, ""))], ["Datum", *["Plus", "Minus"] * 5],
        *([day, *(part for cell in cells for part in split_signs(cell))] for day, *cells in ROWS),
    ],
    "totals beside it": side_by_side([HEADS, *ROWS], RANKING),
    "totals before it": side_by_side([*RANKING, *[[""] * 3] * 3], [HEADS, *ROWS]),
    "totals above it": [*RANKING, [], HEADS, *ROWS],
    "the same people with their totals behind": [
        [*HEADS, *NAMES], *([*row, *stand] for row, stand in zip(ROWS, STANDS, strict=True))
    ],
    "money of each behind": [
        [*HEADS, *(f"{name} €" for name in NAMES)], *([*row, *(f"{cell},50" if cell else "" for cell in row[1:])] for row in ROWS)
    ],
    "tables of evenings below each other": [
        row
        for day, cells in zip(DAY_TEXTS, CELLS, strict=True)
        for row in (
            [f"Abend vom {day}"], ["Name", "Punkte"],
            *([name, cell] for name, cell in zip(NAMES, cells, strict=True) if cell), ["Summe", "0"], [],
        )
    ],
    "evenings that did not take place": [HEADS, *ROWS[:2], ["03.02.2023", "ausgefallen"], *ROWS[2:], ["Sommerpause"]],
    "planned evenings": with_below(["07.04.2023", *"00000"], ["01.12.2026"], ["15.12.2026"]),
    "a legend": with_below([], ["* = Gast", "zahlt nicht"], ["x = nicht da"], ["Stand: 25.03.2023"]),
    "addresses below the names": [HEADS, ["E-Mail", *(f"{name}@example.org" for name in "abcde")], *ROWS],
    "units below the names": [HEADS, ["", *["Pkt."] * 5], *ROWS],
    "figures below": with_below(["Max", *"12345"], ["Median", *"12345"]),
    "places and solos below each evening": [
        ["Datum", "", *NAMES],
        *(row for day, *cells in ROWS for row in ([day, "Punkte", *cells], ["", "Soli", *"11111"], ["", "Platz", *"12345"])),
    ],
    "evenings as numbers side by side": [["Name", *"123456", "Gesamt"], *([*row, "7"] for row in ACROSS)],
    "plus and minus in a long table": [["Datum", "Name", "+", "-"], *([day, name, *split_signs(cell)] for day, name, cell in LONG)],
    "sums in front of the points of a long table": [
        ["Datum", "Name", "Plus", "Minus", "Gesamt", "Punkte"], *([*row[:2], "9", "3", "99", row[2]] for row in LONG)
    ],
    "totals in a long table of who was there": [
        ["Datum", "Name", "Gesamtpunkte"],
        *([day, name, stand] for (day, name, cell), stand in zip(LONG, sum_up(LONG), strict=True)),
    ],
    "the sums of winners and losers": add_columns(Plus="12|20|9|18|15|8", Minus="-12|-20|-9|-18|-15|-8"),
    "headings again in a long table": [["Datum", "Name", "Punkte"], *LONG[:8], ["Datum", "Name", "Punkte"], *LONG[8:]],
    "years beside it": side_by_side([HEADS, *ROWS], [["Name", "2021", "2022"], *([name, "5", "7"] for name in NAMES)]),
    "unknown numbers in a long table": [
        ["Datum", "Name", "Punkte", "Karten", "Kronkorken"], *([*row, "3", str(nth % 4)] for nth, row in enumerate(LONG))
    ],
    "points that are called otherwise": [["Spieldatum", "Wer war dabei?", "Spielpunkte"], *LONG],
    "a day without a name": [["am", "Name", "Summe"], *LONG],
    "numbers in front of days, in signs": days(lambda day: f"#{1 + (day - FIRST).days // 14} / {day:%d.%m.%Y}"),
    "weeks in front of days": days(lambda day: f"KW {day:%V}, {day:%d.%m.%Y}"),
    "offices above": [["Amt", "Präsident", "Wirtin", "Kassierer", "Schriftführerin", "Beisitzer"], HEADS, *ROWS],
    "teams above": [["", "Team 1", "Team 1", "Team 2", "Team 2", "Gast"], HEADS, *ROWS],
    "lines between": [HEADS, ["---"] * 6, *ROWS[:3], ["==="] * 6, *ROWS[3:]],
    "colons": [["Datum:", *(f"{name}:" for name in NAMES)], *ROWS],
    "points in the headings": [["Datum", *(f"{name} (Pkt.)" for name in NAMES)], *ROWS],
    "a guest in brackets": [["Datum", *NAMES[:2], "[Cäsar]", "(Dora)", "Emil (Gast)"], *ROWS],
    "the names of the days' column": [["Spieler", *NAMES], *ROWS],
    "signs of all kinds": [
        HEADS, *([day, *(f"‒ {cell[1:]}" if cell[:1] == "-" else cell and f"{cell} ¹" for cell in cells)] for day, *cells in ROWS)
    ],
    **{word: absent(word) for word in ("fehlt", "n. da", "entsch.", "fehlt entsch.", "(krank)", "./.", "*", "e", "n/a", "k.A.")},
}  # fmt: skip
WEEKS: Mapping[str, Rows] = {
    "with a year": days(lambda day: f"KW {day.isocalendar().week}/2023"),
    "without": days(lambda day: f"{day.isocalendar().week}. KW"),
    "as computers write them": days(lambda day: f"{day:%G-W%V}"),
    "as numbers": [["KW", *NAMES], *days(lambda day: f"{day.isocalendar().week}")[1:]],
    "as numbers with years": [
        ["KW", "Jahr", *NAMES],
        *([f"{day:%V}", "2023", *cells] for day, cells in zip(DAYS, CELLS, strict=True)),
    ],
    "in English": days(lambda day: f"W{day.isocalendar().week}/2023"),
    "as a word": days(lambda day: f"Woche {day.isocalendar().week}/2023"),
    "side by side": [["Name", *(f"KW {day:%V} {day:%G}" for day in DAYS)], *ACROSS],
}
REFUSED: Mapping[str, tuple[Rows, str]] = {
    "places": ([HEADS, *([day, *"1234", ""] for day in DAY_TEXTS)], "nur, wer da oder auf welchem Platz war"),
    "places with dots": ([HEADS, *([day, "2.", "1.", "", "3.", ""] for day in DAY_TEXTS)], "keine Punkte"),
    "who was there": ([HEADS, *([day, *(cell and "1" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "months instead of names": (
        [["Tag", *MONTHS.values()], ["13.", "12", "3", "5"], ["27.", "-8", "-3", ""]], "Die Punkte stehen hier je Monat"
    ),
    "years of all people": ([["Name", "2021", "2022"], ["Anton", "50", "-30"], ["Berta", "-50", "30"]], "„Anfangsstand eingeben“"),
    "yes and no": ([HEADS, *([day, *("ja" if cell else "nein" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "crosses": ([HEADS, *([day, *(cell and "x" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "two numbers in a cell": (
        [HEADS, *([day, *(cell and f"{cell}/20" for cell in cells)] for day, *cells in ROWS)],
        "In den Zellen steht mehr als eine Zahl („12/20“).",
    ),
    "games side by side": (
        [["Name", "Spiel 1", "Spiel 2", "Spiel 3", "Summe"], *([name, "1", "-1", "2", "2"] for name in NAMES)],
        "Hier stehen die Spiele nebeneinander und die Personen untereinander. Bitte das Blatt in der Datei drehen",
    ),
    "unknown columns": (
        [["", *(cell for name in NAMES for cell in (name, name))], ["Datum", *["gew.", "verl."] * 5],
         *([day, *(part for cell in cells for part in split_signs(cell))] for day, *cells in ROWS)],
        "Unter jedem Namen stehen mehrere Spalten (gew., verl.), und keine heißt „Punkte“.",
    ),
    "names with their points beside each other": (
        [["Datum", *["Spieler", "Punkte"] * 5],
         *([day, *(part for name, cell in zip(NAMES, cells, strict=True) for part in (name, cell))] for day, *cells in ROWS),
        ],
        "Stehen die Namen in den Zeilen",
    ),
    "winners in front of their points": (
        [["Datum", *(word for nth in range(1, 5) for word in (f"{nth}. Platz", "Punkte"))],
         *([day, *(part for name, cell in zip(NAMES, cells, strict=True) if cell
           for part in (name, cell))] for day, *cells in ROWS),
        ],
        "Die Namen stehen in den Zeilen vor ihren Punkten.",
    ),
    "two lists side by side": (
        side_by_side([HEADS, *ROWS], [["Datum", "Xaver", "Zoe"], [DAY_TEXTS[0], "5", "-5"]]), "mehrere Listen nebeneinander",
    ),
    "a name twice in one of two lists": (
        side_by_side([["Datum", "Anton", "Berta", "Anton"], [DAY_TEXTS[0], "3", "-3", "4"]], [HEADS, *ROWS]),
        "mehrere Listen nebeneinander",
    ),
    "headings of other people further down": (
        [HEADS, *ROWS, [], ["Datum", "Xaver", "Yps", "Zoe"], ["20.01.2023", "5", "-3", "-2"]],
        "In Zeile 9 beginnt eine Liste mit anderen Namen.",
    ),
    "headings again, in another order": (
        [HEADS, *ROWS[:3], ["Datum", *NAMES[::-1]], *([day, *cells[::-1]] for day, *cells in ROWS[3:])],
        "In Zeile 5 beginnt eine Liste mit anderen Namen.",
    ),
    "names down, some days below the others": (
        [["Name", *DAY_TEXTS[:3]], *(row[:4] for row in ACROSS), [],
         ["Name", *DAY_TEXTS[3:]], *([row[0], *row[4:]] for row in ACROSS)],
        "In Zeile 8 stehen noch einmal Tage.",
    ),
    "each name once above the evenings of that person": (
        [["Name", "Datum", "Punkte"],
         *(row for name, *cells in ACROSS for row in zip([name, *[""] * 5], DAY_TEXTS, cells, strict=True))],
        "Der Name steht nur einmal über den Abenden jeder Person.",
    ),
    "first names above last names that come again": (
        [["", "Anton", "Berta", "Anton", "Dora"], ["Datum", *["Müller"] * 2, *["Meier"] * 2], ["1.3.24", "3", "3", "-3", "-3"]],
        "Unter jedem Namen stehen mehrere Spalten (muller, meier), und keine heißt „Punkte“.",
    ),
    "totals with the last evening of each person": (
        [["Name", "Punkte", "zuletzt"], ["Anton", "15", "24.03.2023"], ["Berta", "16", "10.3.2023"], ["Dora", "-31", "24.03.2023"]],
        "Es fehlt eine Kopfzeile mit den Namen über den Punkten.",
    ),
    "a month beside days without a heading": (
        [["Monat", "", *NAMES],
         *([f"{MONTHS[day.month]} 2023", f"{day.day}.", *cells] for day, cells in zip(DAYS, CELLS, strict=True))],
        "Bitte jedem Abend eine Zeile mit seinem Tag geben",
    ),
}  # fmt: skip
# Rows that are named as faults, so that the user corrects the file or leaves them out.
FAULTS: Mapping[str, tuple[Rows, str, str]] = {
    "totals below it": ([HEADS, *ROWS, [], *RANKING], "Zeile 10", "„Berta“ ist keine ganze Zahl"),
    "days as one number": (
        days(lambda day: f"{day:%d%m%y}"), "Zeile 2", "„130123“ ist kein Datum; bitte den Tag wie 31.12.2023 schreiben",
    ),
    "days as one number, the year first": (days(lambda day: f"{day:%y%m%d}"), "Zeile 2", "„230113“ ist kein Datum; bitte"),
    "two days of a night": (
        days(lambda day: f"{day:%d.%m.%Y} - {day + datetime.timedelta(days=1):%d.%m.%Y}"),
        "Zeile 2", "„13.01.2023 - 14.01.2023“ ist kein Datum",
    ),
    "months in Roman numbers": (days(lambda day: f"{day.day}. {'I' * day.month}. 2023"), "Zeile 2", "„13. I. 2023“ ist kein Datum"),
    "English months in front of numbers": (days(lambda day: f"{day:%B} {day.day}th"), "Zeile 2", "„January 13th“ ist kein Datum"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_list_is_read_right(name: str) -> None:
    assert read_entries(outline_in(("", RIGHT[name]))) == TRUTH


@pytest.mark.parametrize("name", WEEKS)
def test_a_week_is_the_day_on_which_the_round_met(name: str) -> None:
    outline = outline_in(("", WEEKS[name]))
    assert read_entries(outline) == TRUTH


@pytest.mark.parametrize("name", REFUSED)
def test_a_list_is_refused(name: str) -> None:
    rows, sentence = REFUSED[name]
    with pytest.raises(FileRefused) as refused:
        outline_in(("", rows))
    assert sentence in str(refused.value)


@pytest.mark.parametrize("name", FAULTS)
def test_a_row_that_cannot_be_read_is_named(name: str) -> None:
    rows, where, sentence = FAULTS[name]
    fault = read(outline_in(("", rows))).faults[0]
    assert fault.where == where and sentence in fault.sentence


@pytest.mark.parametrize("written", ["{0.day}.", "{0.day}", "Fr {0.day}.", "Fr, {0.day}."])
def test_the_name_of_a_sheet_or_its_title_says_the_month(written: str) -> None:
    for called_by in ("{} 2023", "{} 23", "{}"):
        sheets = [(called_by.format(name), select_month(month, written.format)) for month, name in MONTHS.items()]
        assert read_entries(outline_in(*sheets)) == TRUTH, called_by
    titled = [(f"Blatt {month}", [[f"{name} 2023"], *select_month(month, written.format)]) for month, name in MONTHS.items()]
    assert read_entries(outline_in(*titled)) == TRUTH
    numbered = [(f"{month:02}-2023", select_month(month, written.format)) for month in MONTHS]
    assert read_entries(outline_in(*numbered)) == TRUTH


def test_a_sheet_for_each_evening_says_who_had_what() -> None:
    heads = [["Platz", "Name", "Punkte"], *([str(nth), name, ""] for nth, name in enumerate(NAMES, 1))]
    sheets = [
        (day, [heads[0], *([nth, name, cell] for (nth, name, _cell), cell in zip(heads[1:], cells, strict=True) if cell)])
        for day, cells in zip(DAY_TEXTS, CELLS, strict=True)
    ]
    assert read_entries(outline_in(*sheets)) == TRUTH


def test_a_title_says_the_evening_of_a_table_with_its_series() -> None:
    sheets = []
    for day, cells in zip(DAYS, CELLS, strict=True):
        rows = [["1", name, "1", "2", cell, "5", "3"] for name, cell in zip(NAMES, cells, strict=True) if cell]
        titles = [[f"Spielabend vom {day:%d.%m.%Y}"], ["Linde, Beginn 19:30 Uhr"], []]
        heads = ["Platz", "Name", "Serie 1", "Serie 2", "Gesamt", "gew.", "verl."]
        sheets.append((f"{day:%d.%m.}", [*titles, heads, *rows, ["", "Summe Startgeld", "", "", "", "", "15"]]))
    assert read_entries(outline_in(*sheets)) == TRUTH
    with pytest.raises(FileRefused):
        outline_in(("", [["Stand 31.12.2023"], *RANKING]))


def test_a_title_says_the_day_of_the_games_below() -> None:
    heads = ["Sp.", "Geber", "Bock", "Wert", "Otto", "Helga", "Ina", "Kay"]
    games = [
        [str(nth), "Otto", "B" if nth > 4 else "", "4", *cells]
        for nth, cells in enumerate([["+4", "-4", "-4", "+4"], ["-2", "+2", "-2", "+2"], ["3", "3", "-3", "-3"]] * 3, 1)
    ]
    paid = ["", "", "zahlt (5 Ct)", "", "-0,00 €", "0,20 €", "0,10 €", "0,30 €"]
    outline = outline_in(("", [["Doppelkopf-Abend am Freitag, 14.11.2025 bei Otto"], [], heads, *games, paid]))
    assert propose_kind(outline) == Import.Kind.GAMES and outline.people == [4, 5, 6, 7]
    reading = Reading()
    rows = list(iter_list_rows(outline, outline.people, reading, ReadingOptions(outline.guess_parser(outline.people)), carry=True))
    assert {row.day for row in rows} == {datetime.date(2025, 11, 14)} and not reading.faults
    assert [sum(row.points[column] for row in rows) for column in outline.people] == [15, 3, -27, 9]
    assert "zahlt" in reading.left_out[-1].sentence


def test_a_month_in_merged_cells_above_days_side_by_side() -> None:
    months = ["" if nth and DAYS[nth - 1].month == day.month else MONTHS[day.month] for nth, day in enumerate(DAYS)]
    rows = [["Saison 2023"], ["", *months], ["Name", *(f"{day.day}." for day in DAYS)], *ACROSS]
    assert read_entries(outline_in(("", rows))) == TRUTH


def test_the_year_of_the_nearest_title_and_quarters_above_their_evenings() -> None:
    rows = [[f"{row[0][:6]}", *row[1:]] for row in ROWS]
    outline = outline_in(("", [["Herz-Dame 1974"], ["Abende 2023 (Punkte)"], HEADS, ["1. Quartal"], *rows]))
    assert outline.years == [2023, 1974] and read_entries(outline) == TRUTH
    assert [remark.sentence for remark in read(outline).left_out] == ["ist ohne Punkte"]


def test_first_and_last_names_in_two_columns() -> None:
    across = [[*name.split(), *row[1:]] for name, row in zip(WHOLE, ACROSS, strict=True)]
    assert read_entries(outline_in(("", [["Vorname", "Nachname", *DAY_TEXTS], *across]))) == with_names(WHOLE)


def test_initials_are_names() -> None:
    assert read_entries(outline_in(("", [["Datum", *"AEFKU"], *ROWS]))) == with_names("AEFKU")


def test_people_who_are_called_like_other_columns() -> None:
    names = ["Anton", "Berta", "Max", "Wein", "Ende"]
    assert read_entries(outline_in(("", [["Datum", *names], *ROWS]))) == with_names(names)


def test_points_above_zero_are_no_numbers_of_something() -> None:
    rows = [[day, *("5" if who in (nth % 2, 2) else "" for who in range(6))] for nth, day in enumerate(DAY_TEXTS)]
    outline = outline_in(("", [["Datum", *"ABCDEF"], *rows]))
    assert [column.name for column in outline.columns if not column.exclusion] == ["A", "B", "C"]


def test_a_book_of_cash_has_no_people() -> None:
    rows = [
        ["Datum", "Text", "Einnahme", "Ausgabe", "Saldo"],
        ["1.1.23", "Beiträge", "50", "", "50"],
        ["8.1.23", "Karten", "", "12", "38"],
    ]
    with pytest.raises(FileRefused, match="Alte Kasse mitbringen"):
        outline_in(("", rows))
    rows = [["Datum", "Anton", "Berta"], ["1.1.23", "5", "-5"], ["Summe", "5", "-5"], ["8.1.23", "7", "-7"]]
    assert outline_in(("", rows)).people == [1, 2], "a row of sums is no heading"


def test_rows_and_columns_left_out_are_named() -> None:
    reading = read(outline_in(("", RIGHT["a row that stands twice"])))
    entries = [(remark.where, remark.sentence) for remark in reading.left_out]
    assert ("Zeile 5", "sagt noch einmal dasselbe wie Zeile 4 (Cäsar -6)") in entries
    outline = outline_in(("", RIGHT["totals beside it"]))
    assert {column.name: column.exclusion_text for column in outline.columns if column.exclusion} == {
        "Platz": "keine Person", "Name": "keine Zahlen", "Punkte": "keine Person",
    }  # fmt: skip
    reading = read(outline_in(("", RIGHT["evenings that did not take place"])))
    assert ("Zeile 4", "ist ohne Punkte („ausgefallen“)") in [(remark.where, remark.sentence) for remark in reading.left_out]
    reading = read(outline_in(("", RIGHT["planned evenings"])))
    assert ("Zeile 8", "bringt niemandem Punkte") in [(remark.where, remark.sentence) for remark in reading.left_out]
    outline = outline_in(("", RIGHT["beer and a pot"]))
    assert {column.name: column.exclusion_text for column in outline.columns if column.exclusion} == {
        "Bier": "keine Person", "Topf": "keine Person",
    }  # fmt: skip


def test_a_single_row_may_be_the_sums_of_many_evenings() -> None:
    (doubt,) = read(outline_in(("", [HEADS, ["24.03.2023", *sums(ROWS)]]))).doubts
    assert doubt.where == "Zeile 2" and "„Anfangsstand eingeben“" in doubt.sentence


def test_remarks_in_a_long_table_belong_to_their_evening() -> None:
    rows = [[*row, "bei Anton" if nth in (0, 1) else ""] for nth, row in enumerate(LONG)]
    outline = outline_in(("", [["Datum", "Name", "Punkte", "Bemerkung"], *rows]))
    assert read_entries(outline) == TRUTH
    column = next(column.index for column in outline.columns if column.name == "Bemerkung")
    assert [one.note for one in read(outline, notes=[column]).sittings] == ["bei Anton", "", "", "", "", ""]


def test_games_that_are_alike_are_no_repetition() -> None:
    game = [["13.01.2023", name, points] for name, points in zip(NAMES, ("3", "3", "-3", "-3"), strict=False)]
    outline = outline_in(("", [["Datum", "Name", "Punkte"], *game, *game, *game]))
    assert len(list(outline.iter_rows())) == 3 and not outline.left_out


def test_a_guest_is_known_by_the_heading() -> None:
    outline = outline_in(("", RIGHT["a guest in brackets"]))
    assert [column.name for column in outline.columns if column.guest] == ["Cäsar", "Dora", "Emil"]


def test_brackets_around_points_are_asked_about() -> None:
    rows = [[day, *cells[:4], f"({cells[4]})" if cells[4] else ""] for day, *cells in ROWS]
    reading = read(outline_in(("", [HEADS, *rows])))
    assert [fault.where for fault in reading.faults] == ["Zeile 5", "Zeile 6"]
    assert "Klammern können ein Minus oder einen Gast meinen" in reading.faults[0].sentence


# --- Sheets and blocks ------------------------------------------------------------------------------------------------


def test_the_name_of_a_sheet_says_the_month_of_days_side_by_side() -> None:
    sheets = []
    for month, name in MONTHS.items():
        at = [nth for nth, day in enumerate(DAYS) if day.month == month]
        for_each = ([who, *(cells[nth] for nth in at), "9"] for who, *cells in ACROSS)
        sheets.append((f"{name} 2023", [["Name", *(f"{DAYS[nth].day}." for nth in at), "Summe"], *for_each]))
    assert read_entries(outline_in(*sheets)) == TRUTH


@pytest.mark.parametrize("name", ["2022_23", "2022-2023", "Saison 22_23", "Saison_2022_2023"])
def test_the_name_of_a_sheet_says_a_season_over_two_years(name: str) -> None:
    autumn = [[f"{day}.11.", "3", "-3"] for day in (4, 18)]
    rows = [HEADS, *autumn, *days(lambda day: f"{day.day}.{day.month}.")[1:]]
    before = {(datetime.date(2022, 11, day), who, points) for day in (4, 18) for who, points in (("Anton", 3), ("Berta", -3))}
    assert read_entries(outline_in((name, rows))) == TRUTH | before
    reading = read(outline_in(("2023", rows)))
    assert [doubt.sentence for doubt in reading.doubts][-1].startswith("der 13.01.2023 liegt weit vor oder hinter den Tagen")


def test_a_sheet_for_each_person_is_refused() -> None:
    for more in ([], ["Summe"]):
        sheets = [(who, [["Datum", "Punkte", *more], *([day, cell, *more] for day, cell in zip(DAY_TEXTS, cells, strict=True))])
                  for who, *cells in ACROSS]  # fmt: skip
        with pytest.raises(FileRefused, match="oder hat jede Person ein eigenes Blatt"):
            outline_in(*sheets)


@pytest.mark.parametrize("again", [True, False])
def test_each_month_above_its_days_is_theirs_alone(again: bool) -> None:
    """The first month is above the headings, in the place of a title."""
    blocks = [[[f"{name} 2023"], *select_month(month, WEEKDAY.format)] for month, name in MONTHS.items()]
    rows = [row for nth, block in enumerate(blocks) for row in block if again or not nth or row is not block[1]]
    assert read_entries(outline_in(("", rows))) == TRUTH


def test_a_month_of_one_evening_between_what_was_and_what_is() -> None:
    sheets = [
        (f"{day:%m-%Y}-{nth}", [HEADS, ["Übertrag", *sums(ROWS[:nth])], ROWS[nth], ["Stand", *sums(ROWS[: nth + 1])]])
        for nth, day in enumerate(DAYS)
    ]
    assert read_entries(outline_in(*sheets)) == TRUTH


def test_days_that_are_called_evenings() -> None:
    for written in ("Abend {0.day}.{0.month}.", "Spieltag vom {0.day}. {0.month}."):
        entries = [written.format(day) for day in DAYS]
        assert read_entries(outline_in(("", [["Name", *entries], *ACROSS]))) == TRUTH
        assert read_entries(outline_in(("", [HEADS, *([day, *cells] for day, cells in zip(entries, CELLS, strict=True))]))) == TRUTH


def test_headings_that_come_again_keep_a_name_that_stands_twice_apart() -> None:
    heads, first, second = ["Datum", "Anton", "Berta", "Anton"], ["1.3.24", "3", "-7", "4"], ["8.3.24", "5", "-4", "-1"]
    outline = outline_in(("", [heads, first, heads, second]))
    assert [row for _number, row in outline.iter_rows()] == [first, second]


@pytest.mark.parametrize("cell", ["", "0"])
def test_a_name_that_stands_again_above_nothing_takes_no_points(cell: str) -> None:
    rows = [[*row[:2], "Anton" if row is HEADS else cell, *row[2:]] for row in (HEADS, *ROWS)]
    sheets = [("Januar 2023", rows[:3]), ("Februar 2023", [HEADS, *ROWS[2:4]]), ("März 2023", [rows[0], *rows[5:]])]
    assert read_entries(outline_in(("", rows))) == read_entries(outline_in(*sheets)) == TRUTH


def test_a_name_above_points_and_above_what_they_come_to() -> None:
    stands = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
    rows = [[*row, *stand] for row, stand in zip((HEADS, *ROWS), (NAMES, *stands), strict=True)]
    outline = outline_in(("", rows))
    assert {column.exclusion_text for column in outline.columns} == {"", "eine Summe"} and read_entries(outline) == TRUTH


@pytest.mark.parametrize("first", ["Siege", "Punkte"])
def test_other_columns_of_a_person_are_no_people(first: str) -> None:
    second = "Siege" if first == "Punkte" else "Punkte"
    heads = ["Datum", *(f"{name} {word}" for name in NAMES for word in (first, second))]
    both = {"Punkte": lambda cell: (cell, "3"), "Siege": lambda cell: ("3", cell)}[first]
    rows = [[day, *(part for cell in cells for part in both(cell))] for day, *cells in ROWS]
    assert read_entries(outline_in(("", [heads, *rows]))) == TRUTH


def test_totals_of_two_evenings_on_each_sheet_are_asked_about() -> None:
    """An absent player keeps the total: points do not repeat so often."""
    file = [(40, -25, -15, 0), (0, 0, 60, -60), (17, 0, 0, -17), (0, 66, -66, 0), (35, -35, 0, 0), (0, 0, 70, -70)]
    sheets = []
    for month, name in MONTHS.items():
        both = file[2 * month - 2 : 2 * month]
        stands = [both[0], tuple(map(sum, zip(*both, strict=True)))]
        entries = [[day, *map(str, row)] for day, row in zip(DAY_TEXTS[2 * month - 2 :], stands, strict=False)]
        sheets.append((f"{name} 2023", [HEADS[:5], *entries]))
    outline = outline_in(*sheets)
    assert not propose_cells(outline, [column.index for column in outline.columns if not column.exclusion], Import.Kind.EVENINGS)


# --- Exports of other programs ----------------------------------------------------------------------------------------


SLIP = [*STANDS[:3], ["9", "11", "0", "-22", "3"], *STANDS[4:]]
GUESTS = [["Gäste"], *ACROSS[3:]]


def add_totals_rows(labels: Sequence[str], stands: Rows = STANDS) -> Rows:
    """Add a row of totals below each evening, with a label."""
    return [HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, [labels[nth], *stands[nth]]))]


def build_double_headings(*headings: str) -> Rows:
    """Build headings with each name above several columns."""
    return [["", *(cell for name in NAMES for cell in (name, *[""] * (len(headings) - 1)))], ["Datum", *headings * len(NAMES)]]


RIGHT_EXPORTS: Mapping[str, Rows] = {
    "totals below the points": add_totals_rows([""] * 6),
    "totals below the points, with the day": add_totals_rows(DAY_TEXTS),
    "totals below the points, one of them wrong": add_totals_rows([""] * 6, SLIP),
    "totals above the points": [HEADS, *(row for nth, of in enumerate(ROWS) for row in (["", *STANDS[nth]], of))],
    "totals below the points, the last evening first": [
        HEADS, *(row for nth in range(5, -1, -1) for row in (ROWS[nth], ["", *STANDS[nth]]))
    ],
    "totals with an unknown label": add_totals_rows(["kum."] * 6),
    "marks of solos": [HEADS, *([day, cells[0] and f"{cells[0]} S", *cells[1:]] for day, *cells in ROWS)],
    "marks of solos without a blank": [HEADS, *([day, *(cell and f"{cell}s" for cell in cells)] for day, *cells in ROWS)],
    "points of each below a short word": [
        *build_double_headings("Pkte", "Sp."),
        *([day, *(part for cell in cells for part in (cell, cell and "20"))] for day, *cells in ROWS)
    ],
    "points and totals of each": [
        *build_double_headings("Abend", "Gesamt"),
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
    "members and guests below each other": [["Mitglieder", *DAY_TEXTS], *ACROSS[:3], *GUESTS, ["Summe", *"000000"]],
    "places above the days side by side": [
        ["", "", *["bei Anton", "bei Dora"] * 3], ["Nr", "Name", *DAY_TEXTS], *(["1", *row] for row in ACROSS)
    ],
    "totals side by side": [
        ["Name", *DAY_TEXTS], *([name, *cells] for name, cells in zip(NAMES, zip(*STANDS, strict=True), strict=True))
    ],
    "stars in front of the points": [HEADS, *([day, cells[0] and f"*{cells[0]}", *cells[1:]] for day, *cells in ROWS)],
    "parts of a hundred beside them": [[*HEADS, "Quote", "Anteil"], *([*row, "12%", "3 %"] for row in ROWS)],
    "days with commas": days(lambda day: f"{day:%d,%m,%Y}"),
    "days with too many dots": days(lambda day: f"{day:%d..%m.%Y}"),
    "ranks of all people below": [HEADS, *ROWS, [], ["1. Berta", "16"], ["2. Anton", "15"], ["Emil", "2"]],
    "days alone above their rows": [
        ["", *NAMES], *(row for day, *cells in ROWS for row in ([f"Abend vom {day}"], ["Punkte", *cells]))
    ],
    "places in a long table": [
        ["Datum", "Tisch", "Platz", "Spieler", "Pkt."],
        *([row[0], "1", "2.", name, cell] for row in ROWS for name, cell in zip(NAMES, row[1:], strict=True) if cell),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT_EXPORTS)
def test_an_export_is_read_right(name: str) -> None:
    assert read_entries(outline_in(("", RIGHT_EXPORTS[name]))) == TRUTH


def test_marks_that_are_not_read_are_named() -> None:
    outline = outline_in(("", RIGHT_EXPORTS["totals below the points, one of them wrong"]))
    assert outline.notes == [
        "Zu jeder Zeile mit Punkten steht eine mit dem Punktestand: Gelesen sind die Punkte, die Punktestände bleiben weg."
    ]
    entries = {remark.where: remark.sentence for remark in outline.left_out}
    assert entries["Zeile 3"] == "ist der Punktestand nach einem Abend (Anton 12, Berta -4, Cäsar -6, Dora -2 …)"
    assert "bitte nachsehen (Anton 9, Berta 11, Cäsar 0, Dora -22 …)" in entries["Zeile 9"]
    assert [place for place, sentence in entries.items() if "bitte nachsehen" in sentence] == ["Zeile 9"]
    assert outline_in(("", RIGHT_EXPORTS["marks of solos"])).notes == [
        "Hinter manchen Punkten steht etwas („S“): Gelesen ist die Zahl davor."
    ]


def test_people_who_are_called_like_months() -> None:
    names = ["Jan", "Mai", "April", "June", "August"]
    assert read_entries(outline_in(("", [["Datum", *names], *ROWS]))) == with_names(names)
    across = [[name, *row[1:]] for name, row in zip(names, ACROSS, strict=True)]
    assert read_entries(outline_in(("", [["Name", *DAY_TEXTS], *across]))) == with_names(names)


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
    ("text", "hint"),
    [
        ("12 Q", "ist 12 gemeint, bitte den Rest löschen oder in Klammern dahinter setzen"),
        ("-6 k", "ist -6 gemeint, bitte den Rest löschen oder in Klammern dahinter setzen"),
        ("S 12", "ist 12 gemeint, bitte den Rest löschen oder in Klammern dahinter setzen"),
        ("#REF!", "Da steht der Fehler #BEZUG!; bitte die Formel in der Datei berichtigen"),
        ("#N/A", "Da steht der Fehler #NV; bitte die Formel in der Datei berichtigen"),
        ("#WERT!", "Da steht der Fehler #WERT!; bitte die Formel in der Datei berichtigen"),
        ("12,5", "sind es halbe Punkte, bitte in der Datei alle Punkte verdoppeln"),
        ("12-", "ist es ein Minus, bitte davor schreiben"),
        ("12,50", "Beträge in Euro gehen nur unter Regeln, die in Cent zählen"),
        ("12+3", "„12+3“ ist keine ganze Zahl"),
    ],
)
def test_a_refused_cell_suggests_what_it_means(text: str, hint: str) -> None:
    with pytest.raises(CellRefused) as refused:
        read_points(text)
    assert str(refused.value).endswith(hint)


def test_numbers_that_are_days_in_two_ways_are_none() -> None:
    entries = [["Datum", "Anton", "Berta"], ["010203", "1", "-1"], ["020304", "2", "-2"]]
    assert [fault.where for fault in read(outline_in(("", entries))).faults] == ["Zeile 2", "Zeile 3"]


def test_seasons_in_the_names_of_sheets() -> None:
    rows = days(lambda day: f"{day.day}.{day.month}.")
    for name in ("Saison 22/23", "Saison 22-23", "2022/23"):
        assert read_entries(outline_in((name, rows))) == with_names(NAMES), name
    other: Found = {(day.replace(year=2022), name, points) for day, name, points in TRUTH}
    assert read_entries(outline_in(("2022", rows), ("2023", rows))) == TRUTH | other
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
# Rows, the row of totals below them, and whether these are totals; None if the user is asked.
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



def outline_so(rows: Rows, **chosen: int) -> Outline:
    return outline_sheet(FileSheet("", [list(row) for row in rows]), **chosen)


def test_the_user_says_where_headings_points_and_days_are() -> None:
    colors = [HEADS, ["", "grün", "blau", "rot", "gelb", "grau"], *ROWS]
    assert next(column.name for column in outline_so(colors).columns if not column.exclusion) == "grün"
    outline = outline_so(colors, head=0, first=2)
    assert (outline.head, outline.first, read_entries(outline)) == (0, 2, TRUTH)
    assert len({entry[0] for entry in read_entries(outline_so(colors, head=0, first=3))}) == len(ROWS) - 1
    twice = [["Geschrieben", "Gespielt", *NAMES], *(["24.12.2023", *row] for row in ROWS)]
    assert outline_so(twice).day == 0
    assert read_entries(outline_so(twice, day=1)) == TRUTH
    assert outline_so(twice, day=NO_COLUMN).label is None
    numbers = [["Lfd.", *HEADS], *([str(nth), *row] for nth, row in enumerate(ROWS, 1))]
    outline = outline_so(numbers, day=0)
    assert (outline.day, outline.number) == (None, 0) and read_entries(outline) == TRUTH


def test_days_without_a_month_go_on_from_the_first() -> None:
    days = [f"{day.day}." for day in DAYS]
    assert not lacks_month(outline_so([HEADS, *ROWS]))
    outline = outline_so([HEADS, *([day, *row] for day, row in zip(days, CELLS, strict=True))])
    assert lacks_month(outline) and read(outline).asks == "month"
    assert read_entries(outline, year=2023, month=1) == TRUTH
    turned = outline_so([HEADS, *([day, *row] for day, row in zip(days[::-1], CELLS[::-1], strict=True))])
    assert read_entries(turned, year=2023, month=3) == TRUTH
    rows = [["Name", "Januar 2023", "", "Februar 2023", "", "März 2023", ""], ["", *days], *ACROSS]
    assert read_entries(outline_so(rows), year=2023, month=1) == TRUTH
