"""Lists of months, quarters and years are refused with one sentence, in every notation; a month above days is a heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scoring.imports.reading.days import find_span
from scoring.imports.reading.uploads import FileRefused
from tests.imports.examples import CELLS, DAYS, HEADS, NAMES, ROWS, TRUTH, sums
from tests.imports.reading.test_sheets import ACROSS, Rows, days, outline_in, read_entries, with_names

WRITTEN: Mapping[str, Sequence[str]] = {
    "month": (
        "Januar", "Jan", "Jan.", "Mär", "Mrz.", "Januar 2023", "Januar 23", "Jan 23", "Jan. '23", "Jan-23", "Jan/2023", "May 2023",
        "October 2023", "01/2023", "1/2023", "01.2023", "01-2023", "2023-01", "2023/1", "1/23", "I/2023", "Monat 1", "1. Monat",
        "Januar/Februar 2023", "Jan - Mrz 2023",
    ),
    "quarter": ("Q1", "Q1 2023", "Q1/23", "2023 Q1", "1. Quartal", "1. Quartal 2023", "Quartal 2", "II. Quartal", "4. Q"),
    "half": ("H1 2023", "1. Halbjahr", "2. HJ 2023", "Halbjahr 1"),
    "year": ("2019", "2022/23", "Saison 2022/23", "Saison 22/23", "Jahr 2019", "Winter 2022/23"),
    "": ("13.1.", "13.01.2023", "5.", "12", "Anton", "Mai-Lin", "Summe Januar", "1/12", "44939", "130123", "Q5", "Abend 1", "KW 3"),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRITTEN)
def test_spans_are_recognized(kind: str) -> None:
    assert {text: find_span(text) for text in WRITTEN[kind]} == dict.fromkeys(WRITTEN[kind], kind)


def down(*labels: str) -> Rows:
    return [["", *NAMES], *([label, *cells] for label, cells in zip(labels, CELLS, strict=False))]


def across(*labels: str) -> Rows:
    return [["Name", *labels], *(row[: len(labels) + 1] for row in ACROSS)]


MONTH, QUARTER, HALF = "ein Monat ist kein Abend", "ein Quartal ist kein Abend", "ein Halbjahr ist kein Abend"
YEAR = "ein Jahr ist kein Abend"
REFUSED: Mapping[str, tuple[Rows, str]] = {
    "months": ([["Monat", *NAMES], *down("Januar 2023", "Februar 2023")[1:]], MONTH),
    "a few people": ([["Monat", "A", "B", "C"], ["Jan 21", "50", "-30", "-20"], ["Feb 21", "-50", "10", "40"]], MONTH),
    "months below their year": ([["2023"], *down("Jan", "Feb", "Mrz")], MONTH),
    "months as dates": ([["Datum", *NAMES], *down("01/2023", "02/2023", "03/2023")[1:]], MONTH),
    "months as a spreadsheet keeps them": ([["Monat", *NAMES], *down("2023-01-01", "2023-02-01", "2023-03-01")[1:]], MONTH),
    "months as numbers": ([["Monat", *NAMES], *down("01/10", "02/10", "03/10")[1:]], MONTH),
    "months and their sum": ([*down("Januar", "Februar"), ["Summe", *sums(ROWS[:2])]], MONTH),
    "several rows of a month": (down("Januar", "Januar", "Februar", "Februar"), MONTH),
    "months across": (across("Januar", "Februar", "März", "Gesamt"), MONTH),
    "months across with a year": (across("Jan 23", "Feb 23"), MONTH),
    "months across without a heading": ([["", "Jan", "Feb"], *(row[:3] for row in ACROSS)], MONTH),
    "a long table": ([["Monat", "Name", "Punkte"], *(["Jan 23", name, cell] for name, cell, *_more in ACROSS)], MONTH),
    "quarters": (down("Q1 2023", "Q2 2023"), QUARTER),
    "quarters in words": (down("1. Quartal", "2. Quartal", "3. Quartal"), QUARTER),
    "quarters across": (across("Q1", "Q2", "Q3"), QUARTER),
    "half years": (down("1. Halbjahr 2022", "2. Halbjahr 2022"), HALF),
    "years": (down("2019", "2020", "2021"), YEAR),
    "years across": (across("2019", "2020", "2021"), YEAR),
    "seasons": (down("2019/20", "2020/21"), YEAR),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_list_of_spans_is_refused_with_a_hint(name: str) -> None:
    rows, sentence = REFUSED[name]
    with pytest.raises(FileRefused) as refused:
        outline_in(("", rows))
    assert sentence in str(refused.value) and "jedem Abend eine Zeile mit seinem Tag" in str(refused.value)
    assert str(refused.value).endswith("„Anfangsstand eingeben“.")


MONTHS = {1: "Januar", 2: "Februar", 3: "März"}
RIGHT: Mapping[str, Rows] = {
    "a month in front of each day": [
        ["Monat", "", *NAMES],
        *([f"{MONTHS[day.month]} 2023", f"{day.day}.", *cells] for day, cells in zip(DAYS, CELLS, strict=True)),
    ],
    "a year in front of each day": [
        ["Jahr", *HEADS],
        *(["" if nth else "2023", f"{day.day}.{day.month}.", *CELLS[nth]] for nth, day in enumerate(DAYS)),
    ],
    "months that sum up what is above them": [
        HEADS, *(row for nth in (0, 2, 4) for row in (*ROWS[nth : nth + 2], [MONTHS[nth // 2 + 1], *sums(ROWS[nth : nth + 2])]))
    ],
    "English months in front of days": days(lambda day: f"{day:%b} {day.day}"),
    "English months in front of numbers": days(lambda day: f"{day:%B} {day.day}th"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_month_beside_days_is_none_of_them(name: str) -> None:
    assert read_entries(outline_in(("", RIGHT[name]))) == TRUTH == with_names(NAMES)

