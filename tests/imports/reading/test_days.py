"""Lists of months, quarters and years are refused with one sentence, in every notation; a month above days is a heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scoring.imports.reading.days import is_span
from scoring.imports.reading.uploads import FileRefused
from tests.imports.examples import CELLS, DAYS, HEADS, NAMES, ROWS, TRUTH, sums
from tests.imports.reading.test_sheets import ACROSS, Rows, outline_in, read_entries, with_names

SPANS: Sequence[str] = (
    "Januar", "Jan", "Jan.", "Mär", "Mrz.", "Januar 2023", "Januar 23", "Jan 23", "Jan. '23", "Jan-23", "Jan/2023", "May 2023",
    "October 2023", "01/2023", "1/2023", "01.2023", "01-2023", "2023-01", "2023/1", "1/23", "Monat 1", "1. Monat",
    "Januar/Februar 2023", "Jan - Mrz 2023",
    "Q1", "Q1 2023", "Q1/23", "2023 Q1", "1. Quartal", "1. Quartal 2023", "Quartal 2", "4. Q",
    "H1 2023", "1. Halbjahr", "2. HJ 2023", "Halbjahr 1",
    "2019", "2022/23", "Saison 2022/23", "Saison 22/23", "Jahr 2019", "Winter 2022/23",
)  # fmt: skip
OTHERS: Sequence[str] = (
    "13.1.", "13.01.2023", "5.", "12", "Anton", "Mai-Lin", "Summe Januar", "1/12", "44939", "130123", "Q5", "Abend 1", "KW 3",
)  # fmt: skip


def test_spans_are_recognized() -> None:
    assert [text for text in (*SPANS, *OTHERS) if is_span(text)] == [*SPANS]


def down(*labels: str) -> Rows:
    return [["", *NAMES], *([label, *cells] for label, cells in zip(labels, CELLS, strict=False))]


def across(*labels: str) -> Rows:
    return [["Name", *labels], *(row[: len(labels) + 1] for row in ACROSS)]


REFUSED: Mapping[str, Rows] = {
    "months": [["Monat", *NAMES], *down("Januar 2023", "Februar 2023")[1:]],
    "a few people": [["Monat", "A", "B", "C"], ["Jan 21", "50", "-30", "-20"], ["Feb 21", "-50", "10", "40"]],
    "months below their year": [["2023"], *down("Jan", "Feb", "Mrz")],
    "months as dates": [["Datum", *NAMES], *down("01/2023", "02/2023", "03/2023")[1:]],
    "months and their sum": [*down("Januar", "Februar"), ["Summe", *sums(ROWS[:2])]],
    "several rows of a month": down("Januar", "Januar", "Februar", "Februar"),
    "months across": across("Januar", "Februar", "März", "Gesamt"),
    "months across with a year": across("Jan 23", "Feb 23"),
    "months across without a heading": [["", "Jan", "Feb"], *(row[:3] for row in ACROSS)],
    "a long table": [["Monat", "Name", "Punkte"], *(["Jan 23", name, cell] for name, cell, *_more in ACROSS)],
    "quarters": down("Q1 2023", "Q2 2023"),
    "quarters in words": down("1. Quartal", "2. Quartal", "3. Quartal"),
    "quarters across": across("Q1", "Q2", "Q3"),
    "half years": down("1. Halbjahr 2022", "2. Halbjahr 2022"),
    "years": down("2019", "2020", "2021"),
    "years across": across("2019", "2020", "2021"),
    "seasons": down("2019/20", "2020/21"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_list_of_spans_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(FileRefused) as refused:
        outline_in(("", REFUSED[name]))
    assert "„Anfangsstand eingeben“" in str(refused.value)


@pytest.mark.parametrize("written", ["2023-{:02}-01", "{:02}/10"])
def test_a_column_of_months_has_no_days(written: str) -> None:
    outline = outline_in(("", [["Monat", *NAMES], *down(*map(written.format, (1, 2, 3)))[1:]]))
    assert outline.label is None


MONTHS = {1: "Januar", 2: "Februar", 3: "März"}
RIGHT: Mapping[str, Rows] = {
    "a year in front of each day": [
        ["Jahr", *HEADS],
        *(["" if nth else "2023", f"{day.day}.{day.month}.", *CELLS[nth]] for nth, day in enumerate(DAYS)),
    ],
    "months that sum up what is above them": [
        HEADS, *(row for nth in (0, 2, 4) for row in (*ROWS[nth : nth + 2], [MONTHS[nth // 2 + 1], *sums(ROWS[nth : nth + 2])]))
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_month_beside_days_is_none_of_them(name: str) -> None:
    assert read_entries(outline_in(("", RIGHT[name]))) == TRUTH == with_names(NAMES)

