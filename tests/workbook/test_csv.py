"""Every table of the workbook as CSV: the same rows, German numbers, and no formula."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from scoring.standings.queries.metrics import metrics_in
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import standings
from scoring.standings.words import called
from scoring.workbook.excel.book import club_tables, one_table, table_keys
from scoring.workbook.queries import ClubFile
from tests.workbook.full import ALL, full_club, rows_of, written

pytestmark = pytest.mark.django_db


def lines_of(body: bytes) -> list[list[str]]:
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(StringIO(body.decode("utf-8-sig")), delimiter=";"))


def test_every_table_of_the_workbook_is_a_csv_as_well() -> None:
    club = full_club()
    archive = ZipFile(BytesIO(club_tables(ClubFile(club, ALL)).as_zip()))
    assert len(archive.namelist()) == len(written(club).sheetnames) - 1
    assert archive.namelist()[-1] == "015-06-03-2026-2.csv"
    for name in archive.namelist():
        lines = lines_of(archive.read(name))
        assert {len(line) for line in lines} == {len(lines[0])}, name


def test_files_are_called_by_german_words() -> None:
    archive = ZipFile(BytesIO(club_tables(ClubFile(full_club(), ALL)).as_zip()))
    assert {"003-datum-name-punkte.csv", "004-spielstaende-punkte.csv", "009-maerz-2026.csv"} <= set(archive.namelist())


def test_the_csv_holds_the_rows_of_the_sheet() -> None:
    club = full_club()
    file = ClubFile(club, ALL)
    assert list(table_keys(file)) == [
        "list-points", "list-cents", "evenings-points", "evenings-cents", f"season-{club.seasons.get().pk}",
        "games", "people", "rules",
    ]  # fmt: skip
    for key, name in table_keys(file).items():
        lines = lines_of(one_table(file, key).sheets[0].as_bytes())
        rows = rows_of(written(club)[name.replace("/", "-")])
        # Before a name that begins like a formula stands an apostrophe.
        assert ([cell.removeprefix("'") for cell in lines[0]], len(lines) - 1) == (list(rows[0]), len(rows))


def test_no_text_of_a_csv_is_a_formula_and_numbers_are_german() -> None:
    club = full_club()
    lines = lines_of(one_table(ClubFile(club, ALL), "list-points").sheets[0].as_bytes())
    names = [line[1] for line in lines[1:]]
    assert {"'=cmd|' /C calc'!A0", "'@Cem", "'-Dora", "*", "Ärmel"} == set(names)
    rows = standings(club, Selection("points", everyone=True))
    metrics = {str(called(metric).label): metric for metric in metrics_in("points")}
    for label, key in (("Ø/Spiel", "average"), ("Siegquote", "win_rate")):
        shown_there = [line[lines[0].index(label)] for line in lines[1:]]
        expected = [metrics[label].shown(row.figures[key]) for row in rows]
        assert shown_there == ["" if figure is None else str(figure).replace(".", ",") for figure in expected], label
    assert any(line[lines[0].index("Punkte")].startswith("-") for line in lines[1:])
