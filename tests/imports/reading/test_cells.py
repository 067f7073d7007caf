"""Cells: days in every notation, points, and cells that are neither."""

from __future__ import annotations

import datetime

import pytest

from scoring.imports.reading.cells import (
    CellRefused,
    is_day,
    is_number,
    looks_like_euros,
    read_day,
    read_euros,
    read_points,
)
from scoring.imports.reading.days import Days

DAY = datetime.date(2022, 3, 20)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023-01-12T23:00:00.000Z", 13), ("2023-01-12 22:59Z", 12), ("2023-01-12 23:00:00+00:00", 13),
        ("13.01.2023 00:30+0530", 12), ("12.01.2023 19:00 UTC-05", 13), ("Do 12.01.23, 23:30 GMT", 13),
    ],
)  # fmt: skip
def test_a_time_with_a_zone_is_a_day_here(text: str, day: int) -> None:
    assert read_day(text) == datetime.date(2023, 1, day)


@pytest.mark.parametrize("text", ["9999-12-31T23:30:00Z", "31.12.9999 - 31.12.9999", "0000-W00", "9999-W52", "KW 1/0000"])
def test_a_day_beyond_all_days_is_refused(text: str) -> None:
    with pytest.raises(CellRefused):
        read_day(text)


def test_days_after_the_last_possible_year_are_found() -> None:
    rows = ["31.12.9998", "1.6.", "KW 53"]
    days = Days(rows, near=None, carry=False)
    assert [days.read(text).year for text in rows] == [9998, 9998, 9998]


@pytest.mark.parametrize(
    "text",
    [
        "20.03.22", "20.3.22", "20.03.2022", "20. 3. 2022", "20.03. 2022", "20/03/22", "20-03-2022", "So 20.03.22",
        "So., 20.03.22", "So. 20.03.22", "Fr 20.03.22", "Sonntag, 20. März 2022", "Sonntag, den 20. März 2022",
        "20. März 2022", "20. Maerz 2022", "20.März 2022", "20 Mrz. 22", "20. Mär. '22", "20 March 2022",
        "2022-03-20", "2022-03-20 00:00:00", "2022-03-20T19:30:00", "44640", "20.3.", "20.03", "20. März", "So 20.3.",
        "20.03.2022 19:30", "20.03.2022 00:00:00", "20.03.2022 00:00:00.000", "2022-03-20T19:30:00+01:00",
        "20.03.22, 19:30 Uhr", "20.03.22 um 19.30 Uhr", "20.3. 20 Uhr", "2022/03/20", "2022.3.20", "20220320",
        "20032022", "20.3.'22", "20.3.’22", "20.03.2022.", "20 03 2022", "20 03 22", "20.3 2022",
        "20-Mar-22", "(20.03.22)", "20.03.22 (So)", "20.03.22, Sonntag",
        "20.03.22 (bei Otto, 4 Leute)", "20.03.22 [2. Abend]", "20.3.22 bei Otto", "20.3. bei Otto",
        "20. März bei Otto", "Turnier am 20.3.22", "Sonntagabend, 20.3.22", "am 20.3.",
    ],
)  # fmt: skip
def test_a_day_in_any_form(text: str) -> None:
    assert read_day(text, near=datetime.date(2022, 1, 15)) == DAY
    assert is_day(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("31.02.22", "gibt es nicht"), ("29.2.2023", "gibt es nicht"), ("32.1.22", "gibt es nicht"),
        ("20.13.22", "gibt es nicht"), ("2022-13-01", "gibt es nicht"), ("1.1.1900", "zu lange zurück"),
        ("20.3.222", "kein Datum"), ("heute", "kein Datum"), ("Summe", "kein Datum"),
        ("20. Brumaire 1799", "kein Datum"), ("٢٠.٠٣.٢٠٢٢", "kein Datum"), ("12", "kein Datum"), ("", "kein Datum"),
        ("20.03.22 und 21.03.22", "kein Datum"), ("20.3.", "fehlt das Jahr"), ("20.03.22 (21.03.22)", "kein Datum"),
        ("20.-21.3.22", "kein Datum"), ("20.3.-21.3.22", "kein Datum"), ("20.3.22a", "kein Datum"),
        ("Platz 1.5", "kein Datum"), ("1.5 Punkte", "kein Datum"), ("-1.5", "kein Datum"), ("−1.5", "kein Datum"),
        ("11 03", "kein Datum"), ("3. x", "kein Datum"), ("3x", "kein Datum"), ("19:30", "kein Datum"),
        ("20221320", "gibt es nicht"), ("20. IIX. 2022", "kein Datum"),
    ],
)  # fmt: skip
def test_cells_that_are_no_days(text: str, says: str) -> None:
    with pytest.raises(CellRefused, match=says):
        read_day(text)


@pytest.mark.parametrize(
    ("text", "near", "year"),
    [
        ("3.1.", datetime.date(2022, 12, 28), 2023), ("28.12.", datetime.date(2023, 1, 3), 2022),
        ("1.7.", datetime.date(2022, 5, 1), 2022), ("29.2.", datetime.date(2023, 12, 1), 2024),
    ],
)  # fmt: skip
def test_a_day_without_its_year_is_the_closest_to_the_row_above(text: str, near: datetime.date, year: int) -> None:
    assert read_day(text, near=near).year == year


def test_a_29th_of_february_that_is_not_near_is_none() -> None:
    with pytest.raises(CellRefused, match="gibt es nicht"):
        read_day("29.2.", near=datetime.date(2022, 3, 1))


def test_two_digits_of_a_year() -> None:
    assert (read_day("1.1.70").year, read_day("1.1.69").year, read_day("1.1.99").year) == (1970, 2069, 1999)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("12", 12), ("-12", -12), ("−12", -12), ("–12", -12), ("- 12", -12), ("+5", 5), ("12,0", 12), ("12.00", 12),
        ("0", 0), ("-0", 0), ("007", 7), ("1.234", 1234), ("-1'234,00", -1234), ("100000", 100_000), ("", None),
        ("-", None), ("–", None), ("—", None), ("---", None), ("x", None), ("Krank", None), ("12*", 12),
        ("-3 Pkt.", -3), ("12 (1 Solo)", 12),
    ],
)  # fmt: skip
def test_points(text: str, points: int | None) -> None:
    assert read_points(text) == points


@pytest.mark.parametrize(
    "text",
    [
        "12,5", "0.5", "0.123", "1,234", "1_0", "12-", "--12", "1e3", "y", "12 (3)", "100001", "9" * 12, "١٢", "=1+1",
        "#REF!", "nan",
    ],
)  # fmt: skip
def test_cells_that_are_no_whole_numbers(text: str) -> None:
    with pytest.raises(CellRefused):
        read_points(text)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("2,50", 250), ("-2,50 €", -250), ("€ −2.5", -250), ("2", 200), ("0,05", 5), ("1.000,00", 100_000),
        ("-0,10 EUR", -10), ("3 Euro", 300), ("–", None),
    ],
)  # fmt: skip
def test_euros_become_cents(text: str, cents: int | None) -> None:
    assert read_euros(text) == cents


@pytest.mark.parametrize(
    ("text", "says"),
    [("1.000", "kein Betrag"), ("1,005", "kein Betrag"), ("y", "kein Betrag"), ("1000,01", "zu groß"), ("=", "Formel")],
)
def test_cells_that_are_no_amounts_of_euros(text: str, says: str) -> None:
    with pytest.raises(CellRefused, match=says):
        read_euros(text)


def test_euros_where_points_are_counted_say_what_they_need() -> None:
    for text in ("2,50", "3 €"):
        with pytest.raises(CellRefused, match="gehen nur unter Regeln, die in Cent zählen"):
            read_points(text)
    with pytest.raises(CellRefused, match="Formel ohne ihren Wert"):
        read_points("=")


def test_cells_meant_as_numbers() -> None:
    meant = ["1,5", "1.000", "999999999", "2,50 €", "-3", "–", "x", "12*", "3 P.", "5 (1 Solo)", "="]
    assert [text for text in [*meant, "y", "zwei", "05.03.21", "12-", "1e3"] if is_number(text)] == meant


def test_cells_that_look_like_euros() -> None:
    euros = ["2,50", "2.5", "3 €", "-1,00"]
    assert [text for text in [*euros, "3", "12,0", "250", "1.000", "x"] if looks_like_euros(text)] == euros
