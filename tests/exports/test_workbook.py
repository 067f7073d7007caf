"""The workbook of a club: its sheets, its figures, which equal those of the pages, and its check rows, which find wrong
figures."""

from __future__ import annotations

import csv
import datetime
import re
from collections import Counter
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from openpyxl import Workbook, load_workbook

from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Kind
from scoring.exports.queries import ClubFile, Span, list_spans
from scoring.exports.workbook import build_club_csv, build_club_workbook, build_table_csv, get_table_titles
from scoring.imports.actions import Figures
from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import read_season_table
from scoring.models import Evening, Player, TableResult
from scoring.standings.metrics import list_metrics
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings
from tests.cash.books import in_the_kasse
from tests.cash.kasse import make_kasse, typed
from tests.exports.formulas import evaluate, formulas
from tests.exports.full import ALL, full_club, head_of, last_of, rows_of, written
from tests.factories import PEOPLE, Cast, add_game, make_club, make_table
from tests.months import make_season, read_month
from tests.opening import LAST_DAY, open_with
from tests.own import own_rules
from tests.visits import visit

pytestmark = pytest.mark.django_db

DAY = datetime.date


def test_cover_and_list_say_that_all_players_have_a_rank() -> None:
    book = written(full_club())
    for name in ("Deckblatt", "Ewige Liste · Punkte", "Ewige Liste · Cent"):
        said = [str(cell.value) for (cell,) in book[name].iter_rows(max_col=1, max_row=8)]
        assert any("auch wer auf der Seite ausgeblendet ist" in line for line in said), name


def test_the_sheets_have_valid_names_and_a_fixed_order() -> None:
    assert written(full_club()).sheetnames == [
        "Deckblatt", "Ewige Liste · Punkte", "Ewige Liste · Cent", "Datum × Name · Punkte", "Spielstände · Punkte",
        "Datum × Name · Cent", "Spielstände · Cent",
        "Liga · Saison - 2026", "Januar 2026", "März 2026", "Spiele", "Personen", "Hausregeln",
        "06.11.2025", "06.03.2026", "06.03.2026 (2)",
    ]  # fmt: skip


def test_the_lists_are_those_of_the_page() -> None:
    club = full_club()
    book = written(club)
    for unit, name in (("points", "Punkte"), ("cents", "Cent")):
        expected = [(row.rank, row.name, row.points) for row in list_standings(club, Selection(unit, everyone=True))]
        rows = rows_of(book[f"Ewige Liste · {name}"])
        assert [(row["Platz"], row["Name"], row[name]) for row in rows] == expected


def test_the_lists_have_all_columns_of_the_page() -> None:
    club = full_club()
    expected = list_standings(club, Selection("points", everyone=True), more=True)
    assert any(row.figures["streak"] for row in expected)
    rows = rows_of(written(club)["Ewige Liste · Punkte"])
    assert list(rows[0])[2:] == [str(metric.label) for metric in list_metrics("points", more=True)]
    found = [(row["Längste Serie"], row["Bester Abend"], row["Bockpunkte"]) for row in rows]
    assert found == [tuple(row.figures[key] for key in ("streak", "best_evening", "bock_points")) for row in expected]


def test_all_games_add_up_to_the_list() -> None:
    club = full_club()
    sums: dict[str, Counter[str]] = {}
    for row in rows_of(written(club)["Spiele"]):
        person = sums.setdefault(str(row["Name"]), Counter())
        for key in ("Spiele", "Siege", "Soli gespielt", "Punkte", "Cent"):
            person[key] += row[key] or 0
    for unit, name in (("points", "Punkte"), ("cents", "Cent")):
        for row in list_standings(club, Selection(unit, everyone=True)):
            assert sums[row.name][name] == row.points
    for row in TableResult.objects.values("player__name").distinct():
        results = TableResult.objects.filter(player__name=row["player__name"])
        found = sums[row["player__name"]]
        assert found["Spiele"] == sum(result.games for result in results)
        assert found["Siege"] == sum(result.wins for result in results)
        assert found["Soli gespielt"] == sum(result.solos for result in results)


def test_a_row_of_all_games_has_real_dates_numbers_and_text() -> None:
    sheet = written(full_club())["Spiele"]
    head = head_of(sheet)
    row = sheet[head + 1]
    assert (row[0].value, row[0].number_format) == (datetime.datetime(2025, 11, 6), "dd.mm.yyyy")
    assert {cell.data_type for cell in row if cell.value is not None} == {"d", "n", "s"}
    names = {cell.value: cell.data_type for (cell,) in sheet.iter_rows(head + 1, sheet.max_row - 2, 9, 9)}
    assert names == dict.fromkeys(["=cmd|' /C calc'!A0", "*", "@Cem", "-Dora", "Ärmel"], "s")
    assert sheet.freeze_panes == f"D{head + 1}"
    assert sheet.conditional_formatting
    assert sheet.print_area == f"'Spiele'!$A$1:$U${sheet.max_row}"


def test_all_games_have_announcement_eyes_dealer_and_place() -> None:
    club = make_club()
    table = make_table(club, 5)
    Evening.objects.filter(pk=table.evening_id).update(place="Gasthaus Krone")
    add_game(table, dealer=4, re=[0, 1], eyes=181, re_said="no90", kontra_said="said")
    add_game(table, dealer=0, re=[1, 2], band="90-119")
    add_game(table, form="short", dealer=1, winners=[0, 2], base=2)
    add_game(table, form="penalty", points=[-4, 1, 1, 1, 1], reason="Bedient")
    rows = rows_of(written(club)["Spiele"])
    asked = ("Name", "Ansage", "Augen Re", "Ergebnis", "Geber")
    names = PEOPLE[:5]
    assert [tuple(row[word] for word in asked) for row in rows] == [
        *((name, "keine 90", 181, None, names[4]) for name in names[:2]),
        *((name, "Kontra", 181, None, names[4]) for name in names[2:4]),
        *((name, None, None, "90–119", names[0]) for name in names[1:5]),
        *((name, None, None, None, names[1]) for name in names if name != names[1]),
        *((name, None, None, None, None) for name in names),
    ]
    assert {row["Ort"] for row in rows} == {"Gasthaus Krone"}


def test_every_table_is_an_excel_table_with_a_name() -> None:
    """Except months, whose headings are days, and evenings as on paper."""
    book = written(full_club())
    named = {sheet.title: [*sheet.tables] for sheet in book.worksheets}
    assert [name for names in named.values() for name in names] == [
        "Deckblatt", "Ewige_Liste_Punkte", "Ewige_Liste_Cent", "Datum_Name_Punkte", "Spielstände_Punkte", "Datum_Name_Cent",
        "Spielstände_Cent", "Liga_Saison_2026", "Spiele", "Personen", "Hausregeln",
    ]  # fmt: skip
    for sheet in book.worksheets:
        assert not (sheet.tables and sheet.auto_filter.ref), "Excel mends a file with two filters over one area"
        for table in sheet.tables.values():
            headings = [cell.value for cell in sheet[table.ref][0]]
            assert [column.name for column in table.tableColumns] == headings


def test_all_games_have_the_special_points_of_the_own_party_and_of_the_game() -> None:
    club = make_club()
    table = make_table(club, 5, rule_set=own_rules(club))
    entered = {
        "re_specials": {"fuchs": 1, "gans": 2},
        "kontra_specials": {"karlchen": 1},
        "game_specials": {"hirsch": 1},
    }
    add_game(table, dealer=4, re=[0, 1], **entered)
    add_game(table, dealer=4, re=[2, 3], kontra_specials={"gans": 1})
    add_game(table, form="short", dealer=4, winners=[0, 1], base=2)
    add_game(table, form="penalty", points=[-4, 1, 1, 1, 1], reason="Bedient")
    rows = rows_of(written(club)["Spiele"])
    re, kontra = "Fuchs gefangen, Gans ×2, Hirsch", "Karlchen, Hirsch"
    # A player who sits out has a row for the penalty only.
    assert [row["Sonderpunkte"] for row in rows] == [re, re, kontra, kontra, "Gans", "Gans", *[None] * (2 + 4 + 5)]


def test_the_evening_reads_as_on_paper() -> None:
    sheet = written(full_club())["06.03.2026"]
    head = head_of(sheet)
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(head)]
    assert rows[0] == [
        "Tisch", "Nr.", "Geber", "=cmd|' /C calc'!A0", "*", "@Cem", "-Dora", "Ärmel", "Wert", "Bock", "Was",
    ]  # fmt: skip
    assert rows[1][:3] == [1, 1, "Ärmel"] and rows[1][7] == "–"
    assert rows[3][-1] == "Strafpunkte · +Fehlbedienung"
    summed = [row for row in rows if str(row[2]).startswith("Summe")]
    assert [row[2] for row in summed] == ["Summe Punkte", "Summe Cent"]
    assert summed[1][7] is None
    assert [row[0] for row in rows[1:]] == [1, 1, 1, 1, 1, None, 2, 2, None]


def test_tables_without_games_are_marked() -> None:
    book = written(full_club())
    assert any("ohne Einzelspiele" in str(cell.value) for (cell,) in book["Deckblatt"].iter_rows(max_col=1))
    assert "06.01.2026" not in book.sheetnames, "there is nothing that a sheet of its own could say"
    assert [row["Punkte"] for row in rows_of(book["Spiele"]) if row["Zeile"] == "ohne Spiele übernommen"] == [
        12,
        -4,
        -8,
    ]


def test_every_table_has_a_check_that_shows_0() -> None:
    book = written(full_club())
    for sheet in book.worksheets[1:]:
        assert formulas(sheet), sheet.title
        assert {evaluate(book, formula) for formula in formulas(sheet)} == {0}, sheet.title
    cover = [cell.value for (cell,) in book["Deckblatt"].iter_rows(min_col=3, max_col=3)]
    assert sum(str(value).startswith("=SUMSQ(") for value in cover) == len(book.worksheets) - 1


@pytest.mark.parametrize(
    ("name", "column"),
    [("Ewige Liste · Punkte", "Punkte"), ("Spielstände · Punkte", "Ärmel"), ("Spiele", "Punkte"), ("Spiele", "Siege")],
)
def test_a_check_would_show_a_wrong_figure(name: str, column: str) -> None:
    book = written(full_club())
    sheet = book[name]
    head, last = head_of(sheet), last_of(sheet)
    index = [cell.value for cell in sheet[head]].index(column) + 1
    cell = next(cell for row in range(last, head, -1) if (cell := sheet.cell(row, index)).value is not None)
    cell.value += 1
    assert any(evaluate(book, formula) for formula in formulas(sheet))


def test_a_wrong_game_shows_on_its_evening() -> None:
    """Change the points of one game of a player whose name is a pattern to SUMIF."""
    book = written(full_club())
    sheet = book["Spiele"]
    head = head_of(sheet)
    cell = next(row[13] for row in sheet.iter_rows(head + 1) if row[8].value == "*" and row[0].value.month == 3)
    cell.value += 1
    wrong = [name for name in book.sheetnames[-4:] if any(evaluate(book, f) for f in formulas(book[name]))]
    assert wrong == ["06.03.2026"]


def test_charts_are_native_charts_of_excel() -> None:
    book = ZipFile(BytesIO(build_club_workbook(ClubFile(full_club(), ALL)).as_bytes()))
    charts = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/charts/chart")]
    assert sorted("lineChart" in chart for chart in charts) == [False, False, True, True]


def test_a_season_and_a_year_hold_their_own_days() -> None:
    club = full_club()
    by_key = {span.key.split("-")[0] + str(span.year or ""): span for span in list_spans(club)}
    assert [sheet for sheet in written(club, by_key["season"]).sheetnames if sheet[0].isdigit()] == [
        "06.03.2026", "06.03.2026 (2)",
    ]  # fmt: skip
    year = written(club, by_key["year2025"])
    assert year.sheetnames == [
        "Deckblatt",
        "Ewige Liste",
        "Datum × Name",
        "Spielstände",
        "Spiele",
        "Personen",
        "Hausregeln",
        "06.11.2025",
    ]
    expected = list_standings(club, Selection(year=2025, everyone=True))
    assert [row["Punkte"] for row in rows_of(year["Ewige Liste"])] == [row.points for row in expected]


def test_a_month_that_begins_on_the_last_day_of_a_season_belongs_to_it() -> None:
    club = make_club()
    make_season(club, last_day=DAY(2026, 3, 1))
    add_game(make_table(club, held_on=DAY(2026, 3, 1)))
    span = next(span for span in list_spans(club) if span.season)
    assert "März 2026" in written(club, span).sheetnames


def test_months_equal_their_page() -> None:
    club = full_club()
    season = club.seasons.get()
    rows = rows_of(written(club)["März 2026"])
    assert [row["Name"] for row in rows] == [row["name"] for row in read_month(season, "2026-03")["rows"]]


SEASONS = [
    {},
    {"counting": "average"},
    {"counting": "places", "places": [5, 3, 2]},
    {"counting": "average", "season": "places", "season_places": [10, 8, 6]},
    {"season_best": 1, "season_min_evenings": 2},
]


@pytest.mark.parametrize("settings", SEASONS)
def test_the_season_equals_its_page(settings: dict[str, Any]) -> None:
    club = full_club()
    season = club.seasons.get()
    season.settings |= settings
    season.save()
    table = read_season_table(read_books(season))
    span = next(span for span in list_spans(club) if span.season)
    book = written(club, span)
    sheet = book["Liga · Saison - 2026"]
    months = ["Januar 2026", "März 2026"]
    assert [
        [row["Platz"], row["Name"], row.get("Gesamt", row.get("Schnitt")), row.get("Spiele"), *(row[m] for m in months)]
        for row in rows_of(sheet)
    ] == [
        [row.rank, name, exact(row.total), row.games, *(exact(points) for points in row.months)]
        for name, row in table.lines
    ]
    assert sheet["A3"].value.endswith(table.leaders[0])
    assert formulas(sheet)
    assert {evaluate(book, formula) for formula in formulas(sheet)} == {0}


def exact(hundredths: int | None) -> float | None:
    return None if hundredths is None else hundredths / 100


def test_a_year_holds_the_seasons_that_lie_in_it() -> None:
    club = full_club()
    make_season(club, "Über den Jahreswechsel", DAY(2025, 7, 1), DAY(2025, 12, 31))
    make_season(club, "In Cent", DAY(2025, 7, 1), DAY(2026, 6, 30), unit="cents")
    found = {
        span.key: [name for name in written(club, span).sheetnames if name.startswith("Liga")]
        for span in list_spans(club)
        if span.year or not span.key
    }
    assert found == {
        "": ["Liga · Über den Jahreswechsel", "Liga · In Cent", "Liga · Saison - 2026"],
        "year-2026": ["Liga · Saison - 2026"],
        "year-2025": ["Liga · Über den Jahreswechsel"],
    }


def test_a_season_called_games_does_not_replace_that_sheet() -> None:
    """The import of old lists finds the sheets by their names."""
    club = full_club()
    club.seasons.update(name="Spiele")
    assert "Partei" in rows_of(written(club)["Spiele"])[0]


def test_two_seasons_with_the_same_month_have_a_sheet_each() -> None:
    club = full_club()
    make_season(club, "Dieselben Tage in Cent", unit="cents")
    assert [name for name in written(club).sheetnames if "März" in name] == ["März 2026", "März 2026 (2)"]


def test_the_cover_leads_to_every_sheet() -> None:
    book = written(full_club())
    links = {cell.hyperlink.location for (cell,) in book["Deckblatt"].iter_rows(max_col=1) if cell.hyperlink}
    assert links == {f"'{name}'!A1" for name in book.sheetnames[1:]}


def test_every_sheet_leads_back_to_the_cover() -> None:
    """The link is above the headings, where it stays visible."""
    for sheet in written(full_club()).worksheets[1:]:
        link = sheet.cell(head_of(sheet) - 1, 1)
        assert (link.value, link.hyperlink.location) == ("Zum Deckblatt", "'Deckblatt'!A1"), sheet.title


def test_the_cover_counts_the_rows_of_every_table() -> None:
    """An evening with two tables counts the rows of both."""
    rows = {row["Blatt"]: row["Zeilen"] for row in rows_of(written(full_club())["Deckblatt"])}
    assert {name: count for name, count in rows.items() if name[0].isdigit()} == {
        "06.11.2025": 1,
        "06.03.2026": 4 + 1,
        "06.03.2026 (2)": 0,
    }
    assert rows["Personen"] == 5


def test_an_empty_club_has_a_workbook() -> None:
    book = written(make_club())
    assert {evaluate(book, formula) for sheet in book.worksheets[1:] for formula in formulas(sheet)} == {0}


def test_in_english() -> None:
    club = full_club()
    with translation.override("en"):
        book = written(club)
    assert book.sheetnames[-1] == "6 Mar 2026 (2)"
    assert book["Games"].cell(head_of(book["Games"]) + 1, 1).number_format == "[$-809]d mmm yyyy"
    said = " ".join(str(cell.value) for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)
    assert re.findall(r"\d\d\.\d\d\.\d{4}", said) == []
    assert {evaluate(book, formula) for sheet in book.worksheets[1:] for formula in formulas(sheet)} == {0}


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
    for table in [*tables, *(make_table(club, held_on=datetime.date(2026, 4, day)) for day in range(1, 6))]:
        for _number in range(3):
            add_game(table)
    assert asked() == few == 19


def test_opening_standings_count_on_every_sheet() -> None:
    club = make_club()
    add_game(make_table(club, held_on=datetime.date(2018, 5, 4)))
    add_game(make_table(club, held_on=datetime.date(2020, 5, 1)), kind="damensolo", re=[2], eyes=150)
    open_with(club, Bodo=Figures(40, 12, 300, 130, 9, 4), Früher=Figures(-40, 3))
    book = written(club)
    for sheet in book.worksheets[1:]:
        assert {evaluate(book, formula) for formula in formulas(sheet)} <= {0}, sheet.title
    wanted = {row.name: row for row in list_standings(club, Selection(everyone=True))}
    listed = {row["Name"]: row for row in rows_of(book["Ewige Liste"])}
    assert {name: (row["Punkte"], row["davon Anfangsstand"]) for name, row in listed.items()} == {
        name: (row.points, row.opening) for name, row in wanted.items()
    }
    course = rows_of(book["Spielstände"])
    assert [row["Datum"].date() for row in course] == [datetime.date(2018, 5, 4), LAST_DAY, datetime.date(2020, 5, 1)]
    assert {name: row.points for name, row in wanted.items()} == {name: course[-1][name] for name in wanted}
    opened = [row for row in rows_of(book["Spiele"]) if row["Zeile"] == "Anfangsstand"]
    assert [(row["Name"], row["Spiele"], row["Siege"], row["Punkte"]) for row in opened] == [
        ("Bodo", 300, 130, 40),
        ("Früher", None, None, -40),
    ]
    of_a_year = written(club, Span("year-2020", (datetime.date(2020, 1, 1), datetime.date(2020, 12, 31)), year=2020))
    assert "davon Anfangsstand" not in rows_of(of_a_year["Ewige Liste"])[0]


def test_a_club_with_opening_standings_only_has_a_workbook() -> None:
    club = make_club()
    open_with(club, unit="cents", Anna=Figures(500), Bert=Figures(-500))
    book = written(club)
    assert {evaluate(book, formula) for sheet in book.worksheets[1:] for formula in formulas(sheet)} <= {0}
    assert [row["Cent"] for row in rows_of(book["Ewige Liste"])] == [500, -500]


def lines_of(body: bytes) -> list[list[str]]:
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(StringIO(body.decode("utf-8-sig")), delimiter=";"))


def test_every_table_of_the_workbook_is_also_a_csv() -> None:
    club = full_club()
    archive = ZipFile(BytesIO(build_club_csv(ClubFile(club, ALL)).as_zip()))
    assert len(archive.namelist()) == len(written(club).sheetnames) - 1
    assert archive.namelist()[-1] == "015-06-03-2026-2.csv"
    for name in archive.namelist():
        lines = lines_of(archive.read(name))
        assert {len(line) for line in lines} == {len(lines[0])}, name


def test_the_names_of_csv_files_are_german() -> None:
    archive = ZipFile(BytesIO(build_club_csv(ClubFile(full_club(), ALL)).as_zip()))
    assert {"003-datum-name-punkte.csv", "004-spielstaende-punkte.csv", "009-maerz-2026.csv"} <= set(archive.namelist())


def test_the_csv_holds_the_rows_of_the_sheet() -> None:
    club = full_club()
    file = ClubFile(club, ALL)
    assert list(get_table_titles(file)) == [
        "list-points", "list-cents", "evenings-points", "evenings-cents", f"season-{club.seasons.get().pk}",
        "games", "people", "rules",
    ]  # fmt: skip
    for key, name in get_table_titles(file).items():
        lines = lines_of(build_table_csv(file, key).sheets[0].as_bytes())
        rows = rows_of(written(club)[name.replace("/", "-")])
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


@pytest.mark.parametrize("login", ["reader", "scorer", "admin"])
def test_only_the_treasurer_sees_single_payments(kasse: Cast, login: str) -> None:
    names = workbook(kasse, login).sheetnames
    assert [name for name in SHEETS if name in names] == SHEETS[:2]
    assert ClubFile(kasse.club, ALL).entries == []
    client = visit(getattr(kasse, login))
    keys = ("kasse-years", "kasse-people", "kasse-entries", "kasse-legs")
    found = [client.get(reverse("table_csv", args=["karo", key])) for key in keys]
    assert [answer.status_code for answer in found] == [200, 200, 404, 404]


def test_a_year_has_its_own_entries(kasse: Cast) -> None:
    held = Span("", (datetime.date(2026, 6, 1), datetime.date(2026, 6, 30)))
    file = ClubFile(kasse.club, held, treasurer=True)
    assert [str(entry) for entry in file.entries] == ["2026-006"]
    text = build_table_csv(file, "kasse-people").sheets[0].as_bytes().decode("utf-8-sig")
    assert text.splitlines()[1:3] == ["Bodo;-8,50", "Ärmel;4,50"]


def test_without_books_the_kasse_has_no_sheet(cast: Cast) -> None:
    assert not set(SHEETS) & set(workbook(cast, "treasurer").sheetnames)
