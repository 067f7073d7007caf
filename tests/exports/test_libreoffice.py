"""LibreOffice reads every workbook unchanged, and computes 0 for all check rows."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from unicodedata import normalize

import pytest
from openpyxl import Workbook, load_workbook
from pypdf import PdfReader

from scoring.cash.exports import build_report_rows, write_legs, write_register, write_report
from scoring.cash.ledger.queries import IN_KASSE, build_register, get_book_names, order_as_booked
from scoring.cash.months.queries import build_report, build_year, list_month_figures
from scoring.core.workbook import NUMBER, Column, ExcelWorkbook, Formula
from scoring.evenings.exports import build_evening_workbook
from scoring.evenings.queries import read_evening
from scoring.exports.queries import ClubFile, Span
from scoring.exports.workbook import build_club_workbook
from scoring.league.exports import build_month_workbook
from scoring.models import Club
from scoring.standings.exports import build_by_evening_workbook, build_standings_workbook
from scoring.standings.metrics import list_metrics
from scoring.standings.queries.evenings import read_by_evening
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings
from tests.cash.kasse import make_kasse
from tests.exports.formulas import formulas
from tests.exports.full import full_club, head_of, rows_of
from tests.factories import Figures, add_game, make_club, make_player, make_table, open_with
from tests.months import read_month

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed"),
]

WITHOUT_FORMULAS = ("Fakten", "Schritte", "Rechnung", "B Einnahmen und Ausgaben", "Offen", "Kassenbuch")


def reckoned(folder: Path, books: dict[str, bytes]) -> dict[str, Workbook]:
    """Return each workbook as LibreOffice saves it, with the values of the formulas. Our files hold no cached values, so
    LibreOffice has computed all of them. It is started once because that takes seconds."""
    for name, workbook in books.items():
        (folder / f"{name}.xlsx").write_bytes(workbook)
    converted(folder, "xlsx", [folder / f"{name}.xlsx" for name in books], folder / "read")
    return {
        name: load_workbook(BytesIO((folder / "read" / f"{name}.xlsx").read_bytes()), data_only=True) for name in books
    }


def checked(ours: bytes, theirs: Workbook) -> dict[object, int]:
    """Return the values of the formulas with their number."""
    found: dict[object, int] = {}
    written = load_workbook(BytesIO(ours))
    for sheet in written.worksheets:
        assert formulas(sheet) or sheet.title in WITHOUT_FORMULAS
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    value = theirs[sheet.title][cell.coordinate].value
                    found[value] = found.get(value, 0) + 1
    return found


def same_text_and_numbers(ours: bytes, theirs: Workbook) -> None:
    """Check that the sheets and values are the same: LibreOffice has repaired nothing."""
    written = load_workbook(BytesIO(ours))
    assert written.sheetnames == theirs.sheetnames
    for sheet in written.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    found = theirs[sheet.title][cell.coordinate].value
                    expected = pytest.approx(cell.value, rel=1e-14) if isinstance(cell.value, float) else cell.value
                    assert found == expected, f"{sheet.title} {cell.coordinate}"


def made(club: Club) -> dict[str, ExcelWorkbook]:
    evening = club.evenings.get(held_on="2026-03-06", tables__number=2)
    return {
        "everything": build_club_workbook(ClubFile(club, Span(""))),
        "nothing": build_club_workbook(ClubFile(make_club("Noch leer"), Span(""))),
        "evening": build_evening_workbook(read_evening(evening)),
        "dates": build_by_evening_workbook(club, read_by_evening(club, Selection("points", everyone=True)), "alle Jahre"),
        "opened": opened(),
        "list": build_standings_workbook(club, list_standings(club), list_metrics("points"), "alle Jahre"),
        "month": build_month_workbook(read_month(club.seasons.get(), "2026-03")),
        "wrong": wrong(),
        **kasse(),
    }


def opened() -> ExcelWorkbook:
    """Build the list of a club with opening standings and all columns."""
    club = make_club("Anfang")
    add_game(make_table(club))
    open_with(club, Alt=Figures(40, 3, 60, 30, 4, 2), Älter=Figures(-40))
    return build_standings_workbook(club, list_standings(club), list_metrics("points"), "alle Jahre")


def kasse() -> dict[str, ExcelWorkbook]:
    """Build the journal of a Kasse, its year, and the workbook of the club."""
    club = make_club("Kasse")
    for name in ("Bodo", "Rita"):
        make_player(club, name)
    make_kasse(club)
    journal, year = ExcelWorkbook("Kassenbuch", "Kasse"), ExcelWorkbook("Kasse 2026", "Kasse")
    entries = list(order_as_booked(build_register(club, IN_KASSE)))
    write_register(journal, club.name, entries, get_book_names(club))
    write_legs(journal, club.name, entries, get_book_names(club))
    report = build_report(club, build_year(2026, 1))
    write_report(year, "Kasse 2026", report, build_report_rows(report, get_book_names(club)), list_month_figures(club))
    everything = build_club_workbook(ClubFile(club, Span(""), sees_books=True))
    return {"journal": journal, "year": year, "with the Kasse": everything}


def wrong() -> ExcelWorkbook:
    """Build two figures and a check that is not 0."""
    workbook = ExcelWorkbook("Falsch", "Karo")
    sheet = workbook.add_sheet("Falsch", [Column("Zahl", 10, NUMBER)])
    sheet.append([1])
    sheet.append_totals([2])
    sheet.append_check([Formula(f"={sheet.cell(0, 2)}-{sheet.cell(0, 3)}")])
    return workbook


def altered(workbook: bytes, title: str, column: str) -> bytes:
    """Add 1 to the first amount of this column; only a check of this column finds it."""
    workbook, out = load_workbook(BytesIO(workbook)), BytesIO()
    sheet = workbook[title]
    amounts = (sheet[f"{column}{row}"] for row in range(1, sheet.max_row + 1))
    first = next(cell for cell in amounts if cell.data_type == "n" and cell.value is not None)
    first.value += 1
    workbook.save(out)
    return out.getvalue()


def test_libreoffice_reads_our_files_and_finds_every_check_0(tmp_path: Path) -> None:
    club = full_club()
    season = club.seasons.get()
    season.settings |= {"season_best": 1, "season_min_evenings": 2}
    season.save()
    books = {name: workbook.as_bytes() for name, workbook in made(club).items()}
    for name, title, column in (("journal", "Buchungszeilen", "E"), ("year", "A Geld", "B")):
        books[f"{name}, altered"] = altered(books[name], title, column)
    theirs = reckoned(tmp_path, books)
    assert checked(books.pop("wrong"), theirs["wrong"]) == {-1: 1}
    for name in ("journal, altered", "year, altered"):
        assert set(checked(books.pop(name), theirs[name])) - {0} == {1}, name
    for name, workbook in books.items():
        assert set(checked(workbook, theirs[name])) == {0}, name
        same_text_and_numbers(workbook, theirs[name])
    its_figures_are_those_of_the_pages(club, theirs["everything"])


def test_charts_are_printed_on_a_page_of_their_own(tmp_path: Path) -> None:
    """LibreOffice prints the list with its names on each page, and the whole chart on the last."""
    club = full_club()
    workbook = build_standings_workbook(club, list_standings(club), list_metrics("points"), "alle Jahre")
    (tmp_path / "list.xlsx").write_bytes(workbook.as_bytes())
    converted(tmp_path, "pdf", [tmp_path / "list.xlsx"], tmp_path)
    first, second, chart = (normalize("NFC", page.extract_text()) for page in PdfReader(tmp_path / "list.pdf").pages)
    assert "Punkte" in first and "gespielt" in second and "Punkte" not in chart
    for row in list_standings(club):
        assert row.name in first and row.name in second and chart.count(row.name) >= 2


def converted(folder: Path, to: str, files: list[Path], into: Path) -> None:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", to, "--outdir", str(into), *map(str, files)]
    subprocess.run(command, check=True, timeout=240, stdin=subprocess.DEVNULL, capture_output=True)


def its_figures_are_those_of_the_pages(club: Club, workbook: Workbook) -> None:
    for unit, name in (("points", "Punkte"), ("cents", "Cent")):
        expected = {row.name: row.points for row in list_standings(club, Selection(unit, everyone=True))}
        assert {row["Name"]: row[name] for row in rows_of(workbook[f"Ewige Liste · {name}"])} == expected
    month = workbook["März 2026"]
    head = head_of(month)
    place = [cell.value for cell in month[head]].index("Ergebnis")
    found = {row["Name"]: row["Ergebnis"] for row in rows_of(month)}
    assert place == 3
    assert found == {row["name"]: row["result"] / 100 for row in read_month(club.seasons.get(), "2026-03")["rows"]}
