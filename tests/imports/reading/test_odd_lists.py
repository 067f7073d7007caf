"""Odd lists, read as they are uploaded: notes, totals and ranks between evenings, names with ranks, tables beside and below each
other, and totals instead of points."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from scoring.imports.models import Import
from scoring.imports.reading.evenings import (
    NO_ZEROS,
    Reading,
    ReadingOptions,
    group_by_day,
    iter_list_rows,
    propose_kind,
)
from scoring.imports.reading.file_formats import read_sheets
from scoring.imports.reading.outline import Outline
from scoring.imports.reading.uploads import FileRefused
from tests.imports.examples import CELLS, DAY_TEXTS, DAYS, HEADS, NAMES, ROWS, TRUTH, sheets, sums, text
from tests.imports.reading.test_sheets import outline_in, read, read_entries


def outline_file(data: str | bytes) -> Outline:
    return outline_in(*(sheet[:2] for sheet in read_sheets(data.encode() if isinstance(data, str) else data)))


def list_days(data: str | bytes) -> list[str]:
    return [f"{sitting.held_on:%d.%m.%Y}" for sitting in read(outline_file(data)).sittings]


def list_left_out(data: str | bytes) -> list[str]:
    return [f"{remark.where} {remark.sentence}" for remark in read(outline_file(data)).left_out]


MONTHS = [ROWS[:2], ROWS[2:4], ROWS[4:]]
RIGHT: dict[str, str | bytes] = {
    "notes below": text(HEADS, *ROWS, [], ["Emil ist seit Februar dabei"], ["Kassenwart: Dora, 0171 2345678"]),
    "empty columns and rows": text(
        ["", "Datum", "", *NAMES], [], *(row for day, *cells in ROWS for row in (["", day, "", *cells], []))
    ),
    "places before names": text(["Datum", *(f"{n}. {name}" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places behind names": text(["Datum", *(f"{name} ({n}.)" for n, name in enumerate(NAMES, 1))], *ROWS),
    "places before names that stand below each other": text(
        ["Name", *DAY_TEXTS],
        *([f"{n}. {name}", *row] for n, (name, row) in enumerate(zip(NAMES, zip(*CELLS, strict=True), strict=True), 1)),
    ),
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
        *(row for name, of in zip(("Januar", "Februar", "März"), MONTHS, strict=True) for row in (*of, [name, *sums(of)])),
    ),
    "figures below": text(
        HEADS,
        *ROWS,
        ["Abende", "5", "5", "5", "6", "2"],
        ["Ø", "3,0", "3,2", "-2,4", "-3,5", "1,0"],
        ["Platz", *"21453"],
    ),
    "places below each evening": text(HEADS, *(row for of in ROWS for row in (of, ["Platz", *"12345"]))),
    "each line in quotes": "\n".join(f'"{";".join(row)}"' for row in (HEADS, *ROWS)),
    "a line of Markdown": "\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---"] * 6, *ROWS)),
    "years as headings": text(
        HEADS, ["Saison 2023"], *([f"{day.day}.{day.month}.", *cells] for day, cells in zip(DAYS, CELLS, strict=True))
    ),
    "a sum before its time": text(HEADS, ["31.12.2022 Übertrag", "100", "-100"], *ROWS),
    "totals below each evening": text(
        HEADS, *(row for nth, of in enumerate(ROWS) for row in (of, ["Stand", *sums(ROWS[: nth + 1])]))
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
}
FAULTS: dict[str, tuple[str, str]] = {
    "the month first and last": (
        text(HEADS, ["13/01/2023", *CELLS[0]], ["01/27/2023", *CELLS[1]]),
        "Den Tag „01/27/2023“ gibt es nicht.",
    ),
    "sums of years above the evenings": (
        text(HEADS, ["2021", "120", "-30", "-50", "-40"], *ROWS),
        "Zeile 2: „2021“ ist kein Abend; bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“.",
    ),
    "an error of a formula": (
        text(HEADS, ["13.01.2023", "#REF!", *CELLS[0][1:]], *ROWS[1:]),
        "Zeile 2: Spalte B: Da steht der Fehler #BEZUG!; bitte die Formel",
    ),
    "money below": (text(HEADS, *ROWS, ["Getränke", "12 €"]), "Zeile 8: Spalte B: „12 €“ ist keine ganze Zahl"),
    "turned, with a word": (
        text(["Name", *DAY_TEXTS], ["Anton", "viel", *CELLS[0][1:]], *([name, *"152634"] for name in NAMES[1:])),
        "Spalte B: Anton: „viel“ ist keine ganze Zahl.",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_an_odd_list_is_read_right(name: str) -> None:
    assert read_entries(outline_file(RIGHT[name])) == TRUTH


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named(name: str) -> None:
    content, sentence = FAULTS[name]
    assert sentence in " ".join(f"{fault.where}: {fault.sentence}" for fault in read(outline_file(content)).faults)


def test_half_a_year_without_an_evening_is_no_step_back() -> None:
    """Days without a year follow each other, forwards and backwards."""
    days = ["13.1.", "27.1.", "10.2.", "28.10.", "11.11.", "5.11."]
    rows = [[day, *cells] for day, cells in zip(days, CELLS, strict=True)]
    for listed in (rows, rows[::-1]):
        assert sorted(list_days(text(HEADS, *listed))) == [
            "05.11.2023", "10.02.2023", "11.11.2023", "13.01.2023", "27.01.2023", "28.10.2023",
        ]  # fmt: skip


def test_rows_left_out_between_evenings_are_named() -> None:
    left_out = list_left_out(RIGHT["sums between months, without a name"])
    assert "Zeile 4 ist die Summe der Zeilen darüber (Anton 4, Berta 16, Cäsar -6, Dora -14 …)" in left_out
    left_out = list_left_out(RIGHT["figures below"])
    assert "Zeile 10 „Platz“ ist kein Abend (Anton 2, Berta 1, Cäsar 4, Dora 5 …)" in left_out
    left_out = list_left_out(RIGHT_TOTALS["totals with a row of totals before"])
    assert left_out == [
        "Zeile 2 gilt als Punktestand davor und zählt zu keinem Abend (Anton 100, Berta -50, Cäsar -30, Dora -20 …)"
    ]


NIGHT = ["13.01.2023", "1", "12", "-4", "-6", "-2", "", "", "", ""]
TABLES = text(
    ["Datum", "Tisch", *NAMES, "Fritz", "Gerd", "Hans"],
    NIGHT,
    ["", "2", "", "", "", "", "5", "-5", "3", "-3"],
    ["27.01.2023", "1", "-8", "20", "", "-12", "", "", "", ""],
    ["27.01.2023", "2", "", "", "", "", "1", "1", "1", "-3"],
)


def test_two_tables_of_an_evening_are_one_evening() -> None:
    sittings = read(outline_file(TABLES)).sittings
    assert [(sitting.held_on.day, list(sitting.points.values())) for sitting in sittings] == [
        (13, [12, -4, -6, -2, 5, -5, 3, -3]),
        (27, [-8, 20, -12, 1, 1, 1, -3]),
    ]


def test_years_as_headings_and_names_of_sheets() -> None:
    rows = [["2021"], ["12.3.", "1", "-1"], ["29.10.", "2", "-2"], ["2022"], ["7.1.", "3", "-3"], ["8.12.", "4", "-4"]]
    assert list_days(text(["Datum", "Anton", "Berta"], *rows)) == ["12.03.2021", "29.10.2021", "07.01.2022", "08.12.2022"]
    first = [["Datum", "Anton", "Berta"], ["12.3.", 1, -1], ["29.10.", 2, -2]]
    other = [["Datum", "Xaver", "Zoe", "Anton"], ["12.3.", 1, -1, 0], ["29.10.", 2, -2, 0]]
    data = sheets(**{"2021": first, "2022": other})
    assert list_days(data) == ["12.03.2021", "29.10.2021", "12.03.2022", "29.10.2022"]


def test_months_are_in_front_where_the_days_stand_in_order_only_so() -> None:
    days = ["1/6/2023", "2/3/2023", "3/3/2023", "4/7/2023"]
    data = text(["Datum", "Anton", "Berta"], *([day, "1", "-1"] for day in days))
    assert list_days(data) == ["06.01.2023", "03.02.2023", "03.03.2023", "07.04.2023"]


def test_a_text_in_one_column_is_refused_with_a_hint() -> None:
    with pytest.raises(FileRefused, match="In jeder Zeile steht nur eine Zelle"):
        outline_file("Datum  Anton  Berta\n1.3.24  1  -1\n")


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
    "people in rows, with totals at the start": text(
        ["Name", "Start", *DAY_TEXTS],
        *([name, str(START[who]), *(row[who + 1] for row in BEGUN)] for who, name in enumerate(NAMES)),
    ),
}


@pytest.mark.parametrize("name", RIGHT_TOTALS)
def test_totals_and_numbers_are_read_right(name: str) -> None:
    assert read_entries(outline_file(RIGHT_TOTALS[name])) == TRUTH


def test_an_unchanged_total_means_present_if_absent_players_are_blank() -> None:
    """If absent players are blank, an unchanged total is an evening with 0 points."""
    blank = [
        [day, *(stand if cell else "" for cell, stand in zip(cells, stands, strict=True))]
        for (day, *cells), stands in zip(ROWS, STANDS, strict=True)
    ]
    blank[1][3] = blank[0][3]
    outline = outline_file(text(HEADS, *blank))
    assert read(outline).keeps_there
    assert read_entries(outline) == TRUTH | {(DAYS[1], "Cäsar", 0)}


def test_a_zero_may_be_an_absent_player() -> None:
    outline = outline_file(text(HEADS, *([day, *(cell or "0" for cell in cells)] for day, *cells in ROWS)))
    assert read(outline).zeros == 7
    assert {entry for entry in read_entries(outline) if entry[2]} == TRUTH == read_entries(outline, cells=NO_ZEROS)


def test_totals_of_several_years() -> None:
    """They begin anew in each year, in one table or on sheets, the last one first; or they go on, in the order of their days."""
    before = [HEADS, *written(DAY_TEXTS_BEFORE, STANDS_BEFORE)]
    later = [[day, *(int(cell) + start for cell, start in zip(cells, STANDS_BEFORE[-1], strict=True))] for day, *cells in RUNNING]
    for data in (
        text(*before, *RUNNING),
        sheets(**{"2023": [HEADS, *RUNNING], "2022": before}),
        sheets(**{"2023": [HEADS, *later], "2022": before}),
    ):
        assert read_entries(outline_file(data)) == TRUTH | TRUTH_BEFORE


def test_two_games_of_a_day_are_no_two_evenings() -> None:
    games = [["3", "3", "-3", "-3"], ["-1", "1", "-1", "1"]]
    outline = outline_file(text(["Datum", *NAMES[:4]], *([day, *game] for day in DAY_TEXTS[:2] for game in games)))
    assert propose_kind(outline) == Import.Kind.GAMES
    rows = iter_list_rows(outline, outline.people, Reading(), ReadingOptions(), carry=True)
    assert [len(evening) for evening in group_by_day(rows)] == [2, 2]


def test_evenings_are_numbered_from_the_last_one_as_well() -> None:
    assert read_entries(outline_file(text(["Abend", *NAMES], *([str(nth + 1), *CELLS[nth]] for nth in range(5, -1, -1))))) == TRUTH


def test_odd_days_are_named_and_can_be_left_out() -> None:
    """The list has an evening twice, another one on the same day, and a day that is years away."""
    assert not read(outline_file(text(HEADS, *ROWS))).doubts
    rows = [*ROWS[:3], ["24.02.2013", *CELLS[3]], *ROWS[4:], ROWS[2], [DAY_TEXTS[5], "1", "-1", "", "", ""]]
    outline = outline_file(text(HEADS, *rows))
    assert {f"{doubt.where}: {doubt.sentence}" for doubt in read(outline).doubts} == {
        "Zeile 8: noch einmal der 10.02.2023 mit denselben Punkten, wie Zeile 4",
        "Zeile 9: noch einmal der 24.03.2023, wie Zeile 7",
        "Zeile 5: der 24.02.2013 liegt weit vor oder hinter den Tagen daneben; ist das Jahr falsch, bitte in der Datei ändern",
    }
    assert read_entries(outline, leave=frozenset({5, 8, 9})) == {entry for entry in TRUTH if entry[0] != DAYS[3]}
    (doubt,) = read(outline_file(text(HEADS, *ROWS[:5], ["24.03.2013", *CELLS[5]]))).doubts
    assert doubt.sentence.startswith("der 24.03.2013 liegt weit vor oder hinter den Tagen daneben")
