"""The workbook of a club: its sheets, its figures, which equal those of the pages, and its check rows, which find wrong
figures."""

from __future__ import annotations

import csv
import datetime
import re
from collections import Counter, defaultdict
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from openpyxl import Workbook, load_workbook

from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Kind
from scoring.core.workbook import ExcelWorkbook
from scoring.exports.queries import ClubFile, Span, list_spans
from scoring.exports.workbook import build_club_csv, build_club_workbook, build_table_csv, get_table_titles
from scoring.league.exports import write_season
from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import read_season_table
from scoring.models import Club, Evening, Player
from scoring.standings.metrics import list_metrics
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings
from tests.cash.books import in_the_kasse
from tests.cash.kasse import make_kasse, typed
from tests.client import visit
from tests.exports.formulas import evaluate, formulas
from tests.exports.full import ALL, full_book, full_club, full_file, head_of, last_of, rows_of, written
from tests.factories import OPENING_DAY, PEOPLE, Cast, Figures, add_game, make_club, make_table, open_with, own_rules
from tests.html import flat
from tests.months import make_season

pytestmark = pytest.mark.django_db

DAY = datetime.date


def test_the_sheets_and_their_cover() -> None:
    """Names are valid, in a fixed order. The cover links to every sheet and counts its rows, and each sheet links back."""
    book = full_book()
    assert book.sheetnames == [
        "Deckblatt", "Ewige Liste · Punkte", "Ewige Liste · Cent", "Datum × Name · Punkte", "Spielstände · Punkte",
        "Datum × Name · Cent", "Spielstände · Cent",
        "Liga · Saison - 2026", "Januar 2026", "März 2026", "Spiele", "Personen", "Hausregeln",
        "06.11.2025", "06.03.2026", "06.03.2026 (2)",
    ]  # fmt: skip
    for name in ("Deckblatt", "Ewige Liste · Punkte", "Ewige Liste · Cent"):
        said = [str(cell.value) for (cell,) in book[name].iter_rows(max_col=1, max_row=8)]
        assert any("auch wer auf der Seite ausgeblendet ist" in line for line in said), name
    links = {cell.hyperlink.location for (cell,) in book["Deckblatt"].iter_rows(max_col=1) if cell.hyperlink}
    assert links == {f"'{name}'!A1" for name in book.sheetnames[1:]}
    for sheet in book.worksheets[1:]:
        link = sheet.cell(head_of(sheet) - 1, 1)
        assert (link.value, link.hyperlink.location) == ("Zum Deckblatt", "'Deckblatt'!A1"), sheet.title
    rows = {row["Blatt"]: row["Zeilen"] for row in rows_of(book["Deckblatt"])}
    # An evening with two tables counts the rows of both.
    counted = {"06.11.2025": 1, "06.03.2026": 4 + 1, "06.03.2026 (2)": 0, "Personen": 5}
    assert {name: rows[name] for name in counted} == counted


def test_every_table_is_an_excel_table_with_a_name_and_charts_are_native() -> None:
    """Except months, whose headings are days, and evenings as on paper."""
    book, parts = full_book(), ZipFile(BytesIO(full_file()))
    assert [name for sheet in book.worksheets for name in sheet.tables] == [
        "Deckblatt", "Ewige_Liste_Punkte", "Ewige_Liste_Cent", "Datum_Name_Punkte", "Spielstände_Punkte", "Datum_Name_Cent",
        "Spielstände_Cent", "Liga_Saison_2026", "Spiele", "Personen", "Hausregeln",
    ]  # fmt: skip
    for sheet in book.worksheets:
        assert not (sheet.tables and sheet.auto_filter.ref), "Excel mends a file with two filters over one area"
        for table in sheet.tables.values():
            headings = [cell.value for cell in sheet[table.ref][0]]
            assert [column.name for column in table.tableColumns] == headings
    charts = [parts.read(name).decode() for name in parts.namelist() if name.startswith("xl/charts/chart")]
    assert sorted("lineChart" in chart for chart in charts) == [False, False, True, True]


def test_the_lists_are_those_of_the_page_with_all_columns() -> None:
    club, book = full_club(), full_book()
    for unit, name in (("points", "Punkte"), ("cents", "Cent")):
        expected = list_standings(club, Selection(unit, everyone=True), more=True)
        rows = rows_of(book[f"Ewige Liste · {name}"])
        labels = {metric.key: str(metric.label) for metric in list_metrics(unit, more=True)}
        assert list(rows[0])[2:] == list(labels.values())
        keys = ("points", "streak", "best_evening", "bock_points")
        assert [(row["Platz"], row["Name"], *(row[labels[key]] for key in keys)) for row in rows] == [
            (row.rank, row.name, *(row.figures[key] for key in keys)) for row in expected
        ]
        assert any(row.figures["streak"] for row in expected)


def test_all_games_add_up_to_the_list_and_to_the_results() -> None:
    club, sums = full_club(), defaultdict[object, Counter[str]](Counter)
    for row in rows_of(full_book()["Spiele"]):
        for key in ("Spiele", "Siege", "Soli gespielt", "Punkte", "Cent"):
            sums[row["Name"]][key] += row[key] or 0
    for unit, name in (("points", "Punkte"), ("cents", "Cent")):
        for row in list_standings(club, Selection(unit, everyone=True)):
            assert sums[row.name][name] == row.points
    for player in club.players.all():
        results = player.results.all()
        for key, field in (("Spiele", "games"), ("Siege", "wins"), ("Soli gespielt", "solos")):
            assert sums[player.name][key] == sum(getattr(result, field) for result in results)


def test_a_row_of_all_games_has_real_dates_numbers_and_text() -> None:
    sheet = full_book()["Spiele"]
    head = head_of(sheet)
    row = sheet[head + 1]
    assert (row[0].value, row[0].number_format) == (datetime.datetime(2025, 11, 6), "dd.mm.yyyy")
    assert {cell.data_type for cell in row if cell.value is not None} == {"d", "n", "s"}
    names = {cell.value: cell.data_type for (cell,) in sheet.iter_rows(head + 1, sheet.max_row - 2, 9, 9)}
    assert names == dict.fromkeys(["=cmd|' /C calc'!A0", "*", "@Cem", "-Dora", "Ärmel"], "s")
    assert sheet.freeze_panes == f"D{head + 1}"
    assert sheet.conditional_formatting
    assert sheet.print_area == f"'Spiele'!$A$1:$U${sheet.max_row}"


def test_all_games_have_announcement_eyes_dealer_place_and_special_points() -> None:
    """The special points are those of the own party and of the game. A player who sits out has a row for the penalty only."""
    club = make_club()
    table = make_table(club, 5)
    Evening.objects.filter(pk=table.evening_id).update(place="Gasthaus Krone")
    add_game(table, dealer=4, re=[0, 1], eyes=181, re_said="no90", kontra_said="said")
    add_game(table, dealer=0, re=[1, 2], band="90-119")
    add_game(table, form="short", dealer=1, winners=[0, 2], base=2)
    add_game(table, form="penalty", points=[-4, 1, 1, 1, 1], reason="Bedient")
    own = make_table(club, 5, rule_set=own_rules(club), held_on=DAY(2026, 3, 7))
    entered = {"re_specials": {"fuchs": 1, "gans": 2}, "kontra_specials": {"karlchen": 1}, "game_specials": {"hirsch": 1}}
    add_game(own, dealer=4, re=[0, 1], **entered)
    add_game(own, dealer=4, re=[2, 3], kontra_specials={"gans": 1})
    rows = rows_of(written(club)["Spiele"])
    asked = ("Name", "Ansage", "Augen Re", "Ergebnis", "Geber")
    names, first = PEOPLE[:5], 4 + 4 + 4 + 5
    assert [tuple(row[word] for word in asked) for row in rows[:first]] == [
        *((name, "keine 90", 181, None, names[4]) for name in names[:2]),
        *((name, "Kontra", 181, None, names[4]) for name in names[2:4]),
        *((name, None, None, "90–119", names[0]) for name in names[1:5]),
        *((name, None, None, None, names[1]) for name in names if name != names[1]),
        *((name, None, None, None, None) for name in names),
    ]
    assert {row["Ort"] for row in rows[:first]} == {"Gasthaus Krone"}
    re, kontra = "Fuchs gefangen, Gans ×2, Hirsch", "Karlchen, Hirsch"
    assert [row["Sonderpunkte"] for row in rows] == [*[None] * first, re, re, kontra, kontra, "Gans", "Gans", None, None]


def test_the_evening_reads_as_on_paper_and_tables_without_games_are_marked() -> None:
    book = full_book()
    sheet = book["06.03.2026"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(head_of(sheet))]
    assert rows[0] == [
        "Tisch", "Nr.", "Geber", "=cmd|' /C calc'!A0", "*", "@Cem", "-Dora", "Ärmel", "Wert", "Bock", "Was",
    ]  # fmt: skip
    assert rows[1][:3] == [1, 1, "Ärmel"] and rows[1][7] == "–"
    assert rows[3][-1] == "Strafpunkte · +Fehlbedienung"
    summed = [row for row in rows if str(row[2]).startswith("Summe")]
    assert [row[2] for row in summed] == ["Summe Punkte", "Summe Cent"]
    assert summed[1][7] is None
    assert [row[0] for row in rows[1:]] == [1, 1, 1, 1, 1, None, 2, 2, None]
    assert any("ohne Einzelspiele" in str(cell.value) for (cell,) in book["Deckblatt"].iter_rows(max_col=1))
    # The evening of 6 January has no sheet of its own.
    assert [row["Punkte"] for row in rows_of(book["Spiele"]) if row["Zeile"] == "ohne Spiele übernommen"] == [12, -4, -8]


def evaluate_all(book: Workbook, *names: str) -> set[Decimal]:
    return {evaluate(book, formula) for name in names or book.sheetnames[1:] for formula in formulas(book[name])}


def test_every_table_has_a_check_that_shows_0_and_would_show_a_wrong_figure() -> None:
    book = full_book()
    for name in book.sheetnames[1:]:
        assert evaluate_all(book, name) == {0}, name
    cover = [cell.value for (cell,) in book["Deckblatt"].iter_rows(min_col=3, max_col=3)]
    assert sum(str(value).startswith("=SUMSQ(") for value in cover) == len(book.worksheets) - 1
    for name, column in (
        ("Ewige Liste · Punkte", "Punkte"), ("Spielstände · Punkte", "Ärmel"), ("Spiele", "Punkte"), ("Spiele", "Siege"),
    ):  # fmt: skip
        sheet = book[name]
        head, last = head_of(sheet), last_of(sheet)
        index = [cell.value for cell in sheet[head]].index(column) + 1
        cell = next(cell for row in range(last, head, -1) if (cell := sheet.cell(row, index)).value is not None)
        cell.value += 1
        assert evaluate_all(book, name) != {0}, (name, column)
        cell.value -= 1
    # The points of one game of a player whose name is a pattern to SUMIF show on the evening.
    sheet = book["Spiele"]
    cell = next(row[13] for row in sheet.iter_rows(head_of(sheet) + 1) if row[8].value == "*" and row[0].value.month == 3)
    cell.value += 1
    assert [name for name in book.sheetnames[-4:] if evaluate_all(book, name) != {0}] == ["06.03.2026"]
    cell.value -= 1


def test_a_season_and_a_year_hold_their_own_days() -> None:
    club = full_club()
    make_season(club, "Über den Jahreswechsel", DAY(2025, 7, 1), DAY(2025, 12, 31))
    make_season(club, "In Cent", DAY(2025, 7, 1), DAY(2026, 6, 30), unit="cents")
    files = {span.key: ClubFile(club, span) for span in list_spans(club)}
    seasons = {"": ["Über den Jahreswechsel", "In Cent", "Saison / 2026"], "year-2026": ["Saison / 2026"]}
    seasons["year-2025"] = ["Über den Jahreswechsel"]
    for key, names in seasons.items():
        assert [table.season.name for table in files[key].season_tables] == names, key
        assert [season.name for season in files[key].seasons] == names, key
    (spring,) = (file for file in files.values() if file.span.season and file.span.season.name == "Saison / 2026")
    assert [f"{parts[0].table.evening.held_on}" for parts in spring.read_evenings()] == ["2026-01-06", *["2026-03-06"] * 2]
    year = written(club, files["year-2025"].span)
    assert year.sheetnames == [
        "Deckblatt", "Ewige Liste", "Datum × Name", "Spielstände", "Liga · Über den Jahreswechsel", "November 2025",
        "Spiele", "Personen", "Hausregeln", "06.11.2025",
    ]  # fmt: skip
    expected = list_standings(club, Selection(year=2025, everyone=True))
    assert [row["Punkte"] for row in rows_of(year["Ewige Liste"])] == [row.points for row in expected]


def test_a_month_that_begins_on_the_last_day_of_a_season_belongs_to_it() -> None:
    club = make_club()
    make_season(club, last_day=DAY(2026, 3, 1))
    add_game(make_table(club, held_on=DAY(2026, 3, 1)))
    span = next(span for span in list_spans(club) if span.season)
    assert [month["month"] for month in ClubFile(club, span).months] == ["2026-03"]


SEASONS = [
    {},
    {"counting": "average"},
    {"counting": "places", "places": [5, 3, 2]},
    {"counting": "average", "season": "places", "season_places": [10, 8, 6]},
    {"season_best": 1, "season_min_evenings": 2},
]


@pytest.mark.parametrize("settings", SEASONS)
def test_the_season_equals_its_page(settings: dict[str, Any]) -> None:
    season = full_club().seasons.get()
    season.settings |= settings
    season.save()
    table, workbook = read_season_table(read_books(season)), ExcelWorkbook("Liga", "Karo")
    write_season(workbook, table)
    book = load_workbook(BytesIO(workbook.as_bytes()))
    sheet = book["Liga · Saison - 2026"]
    months = ["Januar 2026", "März 2026"]
    assert [
        [row["Platz"], row["Name"], row.get("Gesamt", row.get("Schnitt")), row.get("Spiele"), *(row[m] for m in months)]
        for row in rows_of(sheet)
    ] == [
        [row["rank"], row["name"], exact(row["total"]), row["games"], *(exact(points) for points in row["months"])]
        for row in table.rows
    ]
    assert sheet["A3"].value.endswith(table.leaders[0])
    assert evaluate_all(book, sheet.title) == {0}


def exact(hundredths: int | None) -> float | None:
    return None if hundredths is None else hundredths / 100


def test_seasons_with_the_name_of_a_sheet_and_with_the_same_month_have_sheets_of_their_own() -> None:
    """The import of old lists finds the sheets by their names."""
    club = full_club()
    club.seasons.update(name="Spiele")
    make_season(club, "Dieselben Tage in Cent", unit="cents")
    book = written(club)
    assert "Partei" in rows_of(book["Spiele"])[0]
    assert [name for name in book.sheetnames if "März" in name] == ["März 2026", "März 2026 (2)"]


def test_in_english() -> None:
    with translation.override("en"):
        book = written(full_club())
    assert book.sheetnames[-1] == "6 Mar 2026 (2)"
    assert book["Games"].cell(head_of(book["Games"]) + 1, 1).number_format == "[$-809]d mmm yyyy"
    said = " ".join(str(cell.value) for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)
    assert re.findall(r"\d\d\.\d\d\.\d{4}", said) == []
    assert evaluate_all(book) == {0}


def test_the_number_of_queries_does_not_grow_with_the_games() -> None:
    club = make_club()
    make_season(club)
    tables = [make_table(club, held_on=datetime.date(2026, 3, day)) for day in (5, 6)]
    for table in tables:
        add_game(table)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            build_club_workbook(ClubFile(club, ALL)).as_bytes()
        return len(queries)

    few = asked()
    for table in [*tables, make_table(club, held_on=datetime.date(2026, 4, 1))]:
        add_game(table)
    assert asked() == few == 19


def test_opening_standings_count_on_every_sheet() -> None:
    club = make_club()
    add_game(make_table(club, held_on=datetime.date(2018, 5, 4)))
    add_game(make_table(club, held_on=datetime.date(2020, 5, 1)), kind="damensolo", re=[2], eyes=150)
    open_with(club, Bodo=Figures(40, 12, 300, 130, 9, 4), Früher=Figures(-40, 3))
    book = written(club)
    assert evaluate_all(book) == {0}
    wanted = {row.name: row for row in list_standings(club, Selection(everyone=True))}
    listed = {row["Name"]: row for row in rows_of(book["Ewige Liste"])}
    assert {name: (row["Punkte"], row["davon Anfangsstand"]) for name, row in listed.items()} == {
        name: (row.points, row.opening) for name, row in wanted.items()
    }
    course = rows_of(book["Spielstände"])
    assert [row["Datum"].date() for row in course] == [datetime.date(2018, 5, 4), OPENING_DAY, datetime.date(2020, 5, 1)]
    assert {name: row.points for name, row in wanted.items()} == {name: course[-1][name] for name in wanted}
    opened = [row for row in rows_of(book["Spiele"]) if row["Zeile"] == "Anfangsstand"]
    assert [(row["Name"], row["Spiele"], row["Siege"], row["Punkte"]) for row in opened] == [
        ("Bodo", 300, 130, 40),
        ("Früher", None, None, -40),
    ]
    of_a_year = Span("year-2020", (datetime.date(2020, 1, 1), datetime.date(2020, 12, 31)), year=2020)
    assert b"davon Anfangsstand" not in build_table_csv(ClubFile(club, of_a_year), "list-points").sheets[0].as_bytes()


def test_a_club_that_is_empty_or_has_opening_standings_only_has_a_workbook() -> None:
    club = make_club()
    assert evaluate_all(written(club)) == {0}
    open_with(club, unit="cents", Anna=Figures(500), Bert=Figures(-500))
    book = written(club)
    assert evaluate_all(book) == {0}
    assert [row["Cent"] for row in rows_of(book["Ewige Liste"])] == [500, -500]


def lines_of(body: bytes) -> list[list[str]]:
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(StringIO(body.decode("utf-8-sig")), delimiter=";"))


def test_every_table_of_the_workbook_is_also_a_csv() -> None:
    club, book = full_club(), full_book()
    file = ClubFile(club, ALL)
    archive = ZipFile(BytesIO(build_club_csv(file).as_zip()))
    assert len(archive.namelist()) == len(book.sheetnames) - 1
    assert {
        "003-datum-name-punkte.csv", "004-spielstaende-punkte.csv", "009-maerz-2026.csv", "015-06-03-2026-2.csv",
    } <= set(archive.namelist())  # fmt: skip
    for name in archive.namelist():
        lines = lines_of(archive.read(name))
        assert {len(line) for line in lines} == {len(lines[0])}, name
    assert list(get_table_titles(file)) == [
        "list-points", "list-cents", "evenings-points", "evenings-cents", f"season-{club.seasons.get().pk}",
        "games", "people", "rules",
    ]  # fmt: skip
    for key, name in get_table_titles(file).items():
        lines = lines_of(build_table_csv(file, key).sheets[0].as_bytes())
        rows = rows_of(book[name.replace("/", "-")])
        # A name that begins like a formula is written after an apostrophe.
        assert ([cell.removeprefix("'") for cell in lines[0]], len(lines) - 1) == (list(rows[0]), len(rows))


def test_no_text_of_a_csv_is_a_formula_and_numbers_are_german() -> None:
    club = full_club()
    lines = lines_of(build_table_csv(ClubFile(club, ALL), "list-points").sheets[0].as_bytes())
    names = [line[1] for line in lines[1:]]
    assert {"'=cmd|' /C calc'!A0", "'@Cem", "'-Dora", "*", "Ärmel"} == set(names)
    rows = list_standings(club, Selection("points", everyone=True))
    metrics = {str(metric.label): metric for metric in list_metrics("points")}
    for label, key in (("Ø/Spiel", "average"), ("Siegquote", "win_rate")):
        shown_there = [line[lines[0].index(label)] for line in lines[1:]]
        expected = [metrics[label].round(row.figures[key]) for row in rows]
        assert shown_there == ["" if figure is None else str(figure).replace(".", ",") for figure in expected], label
    assert any(line[lines[0].index("Punkte")].startswith("-") for line in lines[1:])


SHEETS = ["Kassenbericht", "Wer noch zahlen muss", "Kassenbuch", "Buchungszeilen"]


@pytest.fixture
def kasse(cast: Cast) -> Cast:
    """Return a club with two years of books."""
    make_kasse(cast.club)
    one = cast.club.players.order_by("pk")[0]
    typed(cast.club, Kind.FINE, 250, "2026-06-01", person=one)
    typed(cast.club, Kind.PAYMENT, 1005, "2026-07-01", person=one, box="bank")
    return cast


def workbook(cast: Cast, login: str, query: str = "") -> Workbook:
    answer = visit(getattr(cast, login)).get(reverse("club_excel", args=["karo"]) + query)
    return load_workbook(BytesIO(answer.content))


def test_the_figures_of_the_kasse_equal_the_books(kasse: Cast) -> None:
    book = workbook(kasse, "treasurer")
    years = rows_of(book["Kassenbericht"])
    said = {(row["Jahr"], row["Seite"], row["Was"]): Decimal(str(row["Betrag"])) for row in years}
    assert said["2026", "Geld", "In der Kasse am Ende"] * 100 == in_the_kasse(kasse.club)
    assert said["2026", "Einnahme", "Strafgelder"] == Decimal("5.50")
    people = {row["Name"]: Decimal(str(row["Schuldet"])) * 100 for row in rows_of(book["Wer noch zahlen muss"])}
    assert people == {Player.objects.get(pk=pk).name: cents for pk, cents in get_owed(kasse.club).items()}
    register = rows_of(book["Kassenbuch"])
    assert len(register) == 7 and Decimal(str(register[-1]["Bestand"])) * 100 == in_the_kasse(kasse.club)
    entries = rows_of(book["Buchungszeilen"])
    assert len(entries) == 14 and sum(Decimal(str(row["Betrag"])) for row in entries) == 0


def test_only_the_treasurer_sees_single_payments(kasse: Cast) -> None:
    assert [name for name in workbook(kasse, "admin").sheetnames if name in SHEETS] == SHEETS[:2]
    assert ClubFile(kasse.club, ALL).entries == []
    keys = ("kasse-years", "kasse-people", "kasse-entries", "kasse-legs")
    for login in ("reader", "scorer", "admin"):
        client = visit(getattr(kasse, login))
        found = [client.get(reverse("export_csv", args=["karo", key])).status_code for key in keys]
        assert found == [200, 200, 404, 404], login


def test_a_year_has_its_own_entries(kasse: Cast) -> None:
    held = Span("", (datetime.date(2026, 6, 1), datetime.date(2026, 6, 30)))
    file = ClubFile(kasse.club, held, sees_books=True)
    assert [str(entry) for entry in file.entries] == ["2026-006"]
    text = build_table_csv(file, "kasse-people").sheets[0].as_bytes().decode("utf-8-sig")
    assert text.splitlines()[1:3] == ["Bodo;-8,50", "Ärmel;4,50"]


def test_without_books_the_kasse_has_no_sheet(cast: Cast) -> None:
    assert not set(SHEETS) & set(workbook(cast, "treasurer").sheetnames)


@pytest.fixture
def reader(client: Client, cast: Cast) -> Client:
    """Return a reader of a club with evenings in two years."""
    add_game(make_table(cast.club, held_on=datetime.date(2025, 5, 2)))
    client.force_login(cast.reader)
    return client


def test_the_page_offers_all_time_seasons_years_and_every_table(reader: Client, cast: Cast) -> None:
    season = make_season(cast.club, "Frühling")
    page = reader.get(reverse("club_file", args=["karo"])).content.decode()
    for label in ("alle Zeit", 'label="Saisons"', ">Frühling<", 'label="Jahre"', ">2026<", ">2025<", "2 Abende"):
        assert label in page
    assert page.count("btn-primary") == 1, "to choose a span is no action of its own"
    chosen = flat(reader.get(reverse("club_file", args=["karo"]), {"span": f"season-{season.pk}"}))
    assert f'href="/c/karo/file/excel/?span=season-{season.pk}"' in chosen
    assert f'href="/c/karo/file/csv/list-points/?span=season-{season.pk}"' in chosen
    assert re.search(r"1 Abend\s*<", chosen)


def test_pages_link_to_it_but_not_for_strangers(reader: Client, cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(shows_list=True)
    for page in ("more", "standings"):
        assert 'href="/c/karo/file/"' in reader.get(reverse(page, args=["karo"])).content.decode()
    assert "/c/karo/file/" not in Client().get(reverse("standings", args=["karo"])).content.decode()


def test_the_files_of_a_span(reader: Client) -> None:
    book = reader.get(reverse("club_excel", args=["karo"]), {"span": "year-2025"})
    assert book["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert 'filename="karo-eins-2025.xlsx"' in book["Content-Disposition"]
    assert load_workbook(BytesIO(book.content)).sheetnames[-1] == "02.05.2025"
    archive = reader.get(reverse("club_csv", args=["karo"]))
    assert 'filename="karo-eins-alle-zeit.zip"' in archive["Content-Disposition"]
    assert ZipFile(BytesIO(archive.content)).namelist()[-2:] == ["007-02-05-2025.csv", "008-06-03-2026.csv"]
    table = reader.get(reverse("export_csv", args=["karo", "games"]), {"span": "year-2025"})
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    lines = table.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Datum;Tisch;Nr.;Zeile;Regelwerk;")
    assert [line.split(";")[8] for line in lines[1:]] == list(PEOPLE[:4])


def test_unknown_spans_tables_and_seasons_of_another_club_are_not_found(reader: Client, cast: Cast) -> None:
    season = make_season(cast.other_club)
    for name in ("club_file", "club_excel", "club_csv"):
        for span in (f"season-{season.pk}", "season-0", "year-1999", "year-", "x", "0"):
            assert reader.get(reverse(name, args=["karo"]), {"span": span}).status_code == 404, (name, span)
    for name in ("months", "list-cents", "list-", "evenings", "list"):
        assert reader.get(reverse("export_csv", args=["karo", name])).status_code == 404, name
