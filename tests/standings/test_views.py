"""The page of the eternal list and the downloads: who sees them, what they say, how they sort and filter, and that they
show the same figures."""

from __future__ import annotations

import csv
import datetime
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from html import unescape
from io import BytesIO, StringIO
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone, translation
from openpyxl import load_workbook
from openpyxl.cell import Cell

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.exports.queries import ClubFile, Span
from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import read_season_table
from scoring.league.rules import DEFAULT
from scoring.models import Club, Evening, Player, Score, Season, Table, TableResult
from scoring.play.replay import update_years
from scoring.players.actions import merge_players
from scoring.rules.ranking import Figure
from scoring.standings.metrics import METRICS, MORE
from scoring.standings.queries.standings import list_standings
from scoring.standings.texts import format_figure
from tests.client import visit
from tests.exports.formulas import evaluate, formulas
from tests.exports.full import rows_of
from tests.factories import Cast, add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.html import flat
from tests.months import make_season
from tests.standings.queries.by_hand import read_entries

pytestmark = pytest.mark.django_db

LIST = "/c/karo/list/"
CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def page(user: User | None, address: str = LIST) -> str:
    response = visit(user).get(address)
    assert response.status_code == 200
    return response.content.decode()


def rows(html: str) -> list[list[str]]:
    """The text of the cells of the list, row by row."""
    body = re.search(r"<tbody>(.*?)</tbody>", html, re.S)
    assert body
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split())
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        ]
        for row in re.findall(r"<tr.*?</tr>", body[1], re.S)
    ]


def names(html: str) -> list[str]:
    return [row[1] for row in rows(html)]


# --- What it says ---------------------------------------------------------------------------------------------------


def test_the_list_shows_the_figures(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[2], eyes=90)
    html = page(cast.reader)
    assert rows(html) == [
        ["1", "Ärmel", "2", "1", "2", "1,00", "2", "100,0 %", "0", "0", "0"],
        ["1", "Bodo", "2", "1", "2", "1,00", "2", "100,0 %", "0", "0", "0"],
        ["3", "Özlem", "0", "1", "2", "0,00", "1", "50,0 %", "0", "0", "0"],
        ["4", "Çelik", "−4", "1", "2", "−2,00", "0", "0,0 %", "0", "1", "−3"],
    ]
    for metric in METRICS:
        assert str(metric.meaning) in unescape(html)


@pytest.mark.parametrize(
    ("digits", "percent", "figure", "expected"),
    [(2, False, -0.5, "−0,50"), (1, True, 0.125, "12,5\u00a0%"), (0, False, -1234, "−1234"), (2, False, None, "–")],
)
def test_figures_are_written_as_in_german(digits: int, percent: bool, figure: Figure, expected: str) -> None:
    metric = replace(METRICS[3], digits=digits, percent=percent)
    assert format_figure(metric, figure) == expected
    with translation.override("en"):
        assert format_figure(metric, figure) == expected.replace(",", ".")


def test_a_club_without_games_says_what_to_do() -> None:
    club = make_club(slug="karo")
    for roles, offered in ((["scorer"], True), ([], False)):
        html = page(make_user(f"u{len(roles)}", club, roles))
        assert "Noch steht nichts auf der Liste" in html
        assert ("/c/karo/evenings/new/" in html) is offered
        assert "<table" not in html


def test_names_are_escaped() -> None:
    club = make_club(slug="karo")
    people = [make_player(club, name) for name in ("<b>Ärmel</b>", "Bodo & Co", '"Cem"', "D'ora")]
    add_game(make_table(club, people))
    html = page(make_user("rita", club), f"{LIST}?sort=%22%3E%3Cscript%3E&x=%3Cb%3E")
    assert "<b>" not in html
    assert "<script>" not in html
    assert names(html) == ["<b>Ärmel</b>", "Bodo & Co", '"Cem"', "D'ora"]


# --- Sorting and filtering ------------------------------------------------------------------------------------------


def test_a_column_that_is_none_sorts_nothing(cast: Cast) -> None:
    for sort in ("", "x" * 5000, "__all__", "a.b", "-", "--rank", "--points", "points,name", "player_id", ",", "%00"):
        html = page(cast.reader, f"{LIST}?sort={sort}")
        assert 'aria-sort="ascending"' in html and len(rows(html)) == 4, sort


def test_every_column_sorts_and_says_so(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[2], eyes=200)
    html = page(cast.reader)
    heads = re.findall(r'<th scope="col".*?</th>', html, re.S)
    links = [re.search(r'href="([^"]*)"', head)[1] for head in heads]
    assert [unescape(link) for link in links] == ["?sort=-rank", "?sort=name", *(f"?sort=-{m.key}" for m in METRICS)]
    assert ['aria-sort="ascending"' in head and "↑" in head for head in heads] == [True] + [False] * (len(heads) - 1)
    for link, metric in zip(links[2:], METRICS, strict=True):
        html = page(cast.reader, LIST + unescape(link))
        head = next(head for head in re.findall(r'<th scope="col".*?</th>', html, re.S) if "aria-sort" in head)
        assert 'aria-sort="descending"' in head
        assert "↓" in head
        assert str(metric.label) in head
        assert f"?sort={metric.key}" in unescape(head)  # the next click turns it round
        expected = sorted((row.figures[metric.key] for row in list_standings(cast.club)), reverse=True)
        column = 2 + METRICS.index(metric)
        assert [row[column] for row in rows(html)] == [re.sub(r"\s", " ", format_figure(metric, f)) for f in expected]
    by_name = rows(page(cast.reader, f"{LIST}?sort=-name"))
    assert [row[1] for row in by_name] == ["Özlem", "Çelik", "Bodo", "Ärmel"]
    assert {row[1]: row[0] for row in by_name} == {row.name: str(row.rank) for row in list_standings(cast.club)}


def test_a_sorted_list_keeps_its_filter_and_a_filtered_one_its_order(cast: Cast) -> None:
    html = page(cast.reader, f"{LIST}?year=2026&sort=-wins")
    assert "?year=2026&sort=-games" in unescape(html)
    assert re.search(r'<input type="hidden" name="sort" value="-wins"', html)
    assert "/c/karo/list/excel/?year=2026&sort=-wins" in unescape(html)


def test_filters(cast: Cast) -> None:
    add_game(make_table(cast.club, 5, preset="vln", held_on=datetime.date(2026, 5, 2)), re=[1, 2])
    add_game(make_table(cast.club, 4, held_on=datetime.date(2025, 5, 2)), re=[1, 2])
    assert {row[3] for row in rows(page(cast.reader, f"{LIST}?year=2025"))} == {"1"}
    assert len(rows(page(cast.reader, f"{LIST}?rule_set=vln"))) == 5 - 1
    assert len(rows(page(cast.reader))) == 5


def test_what_cannot_be_chosen_is_named_and_gives_no_file(cast: Cast) -> None:
    """A file would show another selection than the page."""
    for query in (
        "since=x", "year=1999", "since=2026-04-01&until=2026-03-01", *(f"min={n}" for n in ("1_0", "１０", "1e1", "0x1", "1.0")),
    ):  # fmt: skip
        html = page(cast.reader, f"{LIST}?{query}")
        assert "invalid-feedback" in html, query
        assert '<details class="fold filter no-print mb-2" open>' in html
        assert unquote(visit(cast.reader).get(f"{LIST}excel/?{query}").headers["Location"]) == f"{LIST}?{query}"
    assert len(rows(page(cast.reader, f"{LIST}?year=1999&min=-1&size=9"))) == 4, "as if nothing was chosen"
    assert "Das liegt vor dem ersten Tag." in page(cast.reader, f"{LIST}?since=2026-04-01&until=2026-03-01")
    assert "invalid-feedback" not in page(cast.reader, f"{LIST}?min=%2010%20")


def test_hidden_players_are_named_below_the_table(cast: Cast) -> None:
    assert "Ausgeblendet" not in page(cast.reader)
    Player.objects.filter(club=cast.club, name="Özlem").update(left_on=datetime.date(2026, 5, 1))
    Player.objects.filter(club=cast.club, name__in=["Bodo", "Çelik"]).update(guest=True)
    html = page(cast.reader, f"{LIST}?year=2026")
    said = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert "Ausgeblendet: Bodo (Gast), Çelik (Gast) Alle zeigen" in said
    show_all = re.search(r'href="([^"]*)">Alle zeigen', html)[1]
    assert unescape(show_all) == "?year=2026&all=1"
    html = page(cast.reader, LIST + unescape(show_all))
    assert names(html) == ["Ärmel", "Bodo Gast", "Çelik Gast", "Özlem ausgeschieden"]
    assert "Ausgeblendet" not in html
    Player.objects.filter(club=cast.club).update(guest=True)
    html = page(cast.reader)
    assert "steht niemand auf der Liste" in html
    assert html.count("Alle zeigen") == 1 and 'href="?all=1"' in html


def test_points_and_cents_are_a_choice_only_where_there_are_both(cast: Cast) -> None:
    assert 'name="unit"' not in page(cast.reader)
    add_game(make_table(cast.club, preset="klassisch"))
    html = page(cast.reader)
    assert 'name="unit"' in html
    assert rows(html)[0][2] == "1"
    for query in ("unit=cents", "rule_set=klassisch", "rule_set=klassisch&unit=points"):
        html = page(cast.reader, f"{LIST}?{query}")
        assert rows(html)[0][2] == "5"
        assert "Ø Cent/Spiel" in html


# --- Files ----------------------------------------------------------------------------------------------------------


def test_the_list_as_a_file_shows_what_the_page_shows(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[2], eyes=200)
    add_game(cast.table)
    response = visit(cast.reader).get(f"{LIST}excel/?year=2026")
    assert response["Content-Type"] == CONTENT_TYPE
    assert "no-store" in response["Cache-Control"]
    sheet = load_workbook(BytesIO(response.content)).active
    written = sheet.iter_rows(min_row=4, max_row=7)
    shown = rows(page(cast.reader, f"{LIST}?year=2026"))
    assert [[_parse_cell(cell) for cell in row] for row in shown] == [
        [_round_as_excel(cell) for cell in row] for row in written
    ]


def _parse_cell(cell: str) -> str | float:
    """Parse the text of a cell of the page; text that is no number stays."""
    text = cell.replace("−", "-").replace(",", ".")
    if text.endswith(" %"):
        return round(float(text[:-2]) / 100, 3)
    return float(text) if re.fullmatch(r"-?[0-9.]+", text) else cell


def _round_as_excel(cell: Cell) -> object:
    """Round the exact figure of a cell as Excel shows it."""
    if not isinstance(cell.value, int | float):
        return cell.value
    digits = {"General": 0, "0": 0, "0.00": 2, "0.0%": 3}[cell.number_format]
    assert cell.number_format != "General" or isinstance(cell.value, int), "nothing rounds it"
    return round(float(cell.value), digits)


def test_the_name_of_the_file(cast: Cast) -> None:
    for name, ascii_name, full_name in (
        ("Karo Eins", "ewige-liste-karo-eins", "ewige-liste-karo-eins"),
        ("Ärmel & Söhne", "ewige-liste-aermel-soehne", "ewige-liste-%C3%A4rmel-s%C3%B6hne"),
        ('"; x="Дама', "ewige-liste-x", "ewige-liste-x%D0%B4%D0%B0%D0%BC%D0%B0"),
    ):
        Club.objects.filter(pk=cast.club.pk).update(name=name)
        response = visit(cast.reader).get(f"{LIST}excel/")
        expected = f"attachment; filename=\"{ascii_name}.xlsx\"; filename*=UTF-8''{full_name}.xlsx"
        assert response["Content-Disposition"] == expected


def test_the_evening_as_a_file(cast: Cast) -> None:
    response = visit(cast.reader).get(f"/c/karo/evenings/{cast.table.evening_id}/excel/")
    assert response["Content-Type"] == CONTENT_TYPE
    assert "no-store" in response["Cache-Control"]
    assert 'filename="abend-karo-eins-2026-03-06.xlsx"' in response["Content-Disposition"]
    book = load_workbook(BytesIO(response.content))
    assert book.sheetnames == ["Zettel", "Fakten", "Schritte"]


def test_more_columns_fewer_rates_and_the_selection_in_words(cast: Cast) -> None:
    html = page(cast.reader)
    assert "Bockpunkte" not in html
    assert 'href="?more=1"' in html
    html = page(cast.reader, f"{LIST}?more=1&min=5&since=2026-01-01&size=4&sort=-last_evening")
    for metric in MORE:
        assert str(metric.meaning) in unescape(html)
    assert rows(html)[0][-1] == "06.03.2026"
    assert rows(html)[0][5:8] == ["–", "1", "–"]
    assert "alle Regelwerke · seit dem 01.01.2026 · zu 4 am Tisch · Quoten ab 5 Spielen" in html


def test_names_lead_to_the_people(cast: Cast) -> None:
    html = flat(visit(cast.reader).get(LIST))
    bodo = Player.objects.get(name="Bodo", club=cast.club).pk
    face = f'<span class="p{bodo % 12}" data-i="B"></span>'
    assert f'<a href="/c/karo/people/{bodo}/"><span class="who">{face}<span class="cut">Bodo</span></span></a>' in html


# --- A season -------------------------------------------------------------------------------------------------------


def test_a_season_is_its_days_and_its_unit() -> None:
    club = make_club(slug="karo")
    for day in (datetime.date(2025, 12, 30), datetime.date(2026, 1, 5)):
        add_game(make_table(club, held_on=day))
    add_game(make_table(club, preset="klassisch", held_on=datetime.date(2026, 1, 5)))
    season = make_season(club, first_day=datetime.date(2026, 1, 1), last_day=datetime.date(2026, 12, 31))
    client = visit(make_user("rita", club))
    page = client.get(f"{LIST}?season={season.pk}&unit=cents")
    assert {row.figures["games"] for row in page.context["table"].data.data} == {1}
    assert page.context["form"].selection.unit == "points"
    assert str(season) in page.context["form"].summary
    assert client.get(f"{LIST}?season={season.pk + 1}").context["form"].errors["season"]


SHEET = "/c/karo/list/evenings/"
Sheet = list[list[str]]


def read_matrix(client: Client, query: str = "?year=") -> Sheet:
    """The rows of the page, the oldest first, with its headings; sums and evenings behind them."""
    html = client.get(SHEET + query).content.decode()
    rows = [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split())
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        ]
        for row in re.findall(r"<tr.*?</tr>", html, re.S)
    ]
    head, sums, *evenings, times = rows
    return [head, *evenings[::-1], sums, times]


def read_csv(client: Client, query: str = "?year=") -> Sheet:
    answer = client.get(f"{SHEET}csv/{query}")
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.reader(StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


def sum_facts(club: Club, unit: str = "points") -> dict[datetime.date, dict[str, int]]:
    """Sum the points of each player by day, from scores and imported results; players who only sat out are missing."""
    found: dict[datetime.date, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for score in Score.objects.filter(game__round__table__evening__club=club):
        table = score.game.round.table
        if table.rule_set.unit == unit and (score.played or score.points):
            found[table.evening.held_on][score.player.name] += score.points
    for result in TableResult.objects.filter(table__evening__club=club, table__without_games=True):
        found[result.table.evening.held_on][result.player.name] += result.points
    return found


def get_line_up(cast: Cast) -> list[Player]:
    return [seat.player for seat in cast.table.rounds.get().seats.order_by("place")]


def add_evenings(cast: Cast) -> None:
    """Beside the evening of the cast: two of the year before with a guest each, and one in cents."""
    for day in (datetime.date(2025, 12, 5), datetime.date(2025, 12, 12)):
        people = [*get_line_up(cast)[:3], make_player(cast.club, f"Gast {day.day}", guest=True)]
        table = make_table(cast.club, people, held_on=day)
        add_game(table, kind="damensolo", re=[3], eyes=150)
        add_game(table, eyes=200)
    cents = make_table(
        cast.club,
        get_line_up(cast),
        rule_set=make_rule_set(cast.club, "ddv", "Geld", unit="cents"),
        held_on=datetime.date(2025, 12, 19),
    )
    add_game(cents)


def test_page_excel_and_csv_show_what_every_evening_brought(cast: Cast) -> None:
    add_evenings(cast)
    client = visit(cast.reader)
    expected = sum_facts(cast.club)
    head, *rows = read_csv(client)
    assert {
        datetime.datetime.strptime(day, "%d.%m.%Y").date(): {
            name: int(cell) for name, cell in zip(head[1:], cells, strict=True) if cell
        }
        for day, *cells in rows
    } == expected
    totals = [sum(day.get(name, 0) for day in expected.values()) for name in head[1:]]
    assert totals == sorted(totals, reverse=True), "the highest total is in the first column"
    shown_head, *shown, sums, times = read_matrix(client)
    assert shown_head == head
    assert [[cell.replace("·", "").replace("−", "-") for cell in row[1:]] for row in shown] == [row[1:] for row in rows]
    assert sums == ["Summe", *(str(total).replace("-", "−") for total in totals)]
    assert times == ["Abende", *(str(sum(name in day for day in expected.values())) for name in head[1:])]
    book = load_workbook(BytesIO(client.get(f"{SHEET}excel/?year=").content))
    sheet = book.active
    assert [cell.value for cell in sheet[3]] == head
    values = list(sheet.iter_rows(min_row=4, max_row=3 + len(rows), values_only=True))
    assert [
        [day.strftime("%d.%m.%Y"), *("" if cell is None else str(cell) for cell in cells)] for day, *cells in values
    ] == rows
    assert [cell.value for cell in sheet[4 + len(rows)]] == ["Summe", *totals]
    assert {evaluate(book, formula) for formula in formulas(sheet)} == {0}


def test_it_opens_with_the_last_year_and_counts_what_is_asked_for(cast: Cast) -> None:
    add_evenings(cast)
    client = visit(cast.reader)
    season = make_season(cast.club, "Winter", datetime.date(2025, 12, 1), datetime.date(2025, 12, 10))
    days = {
        "": [cast.table.evening.held_on],
        "?year=2025": [datetime.date(2025, 12, 5), datetime.date(2025, 12, 12)],
        f"?season={season.pk}": [datetime.date(2025, 12, 5)],
        "?since=2025-12-06&until=2025-12-31": [datetime.date(2025, 12, 12)],
        "?unit=cents&year=": [datetime.date(2025, 12, 19)],
    }
    for query, held_on in days.items():
        assert [row[0] for row in read_csv(client, query)[1:]] == [f"{day:%d.%m.%Y}" for day in held_on], query
    assert "In dieser Auswahl war kein Abend." in client.get(f"{SHEET}?until=2001-01-01").content.decode()
    wrong = client.get(f"{SHEET}excel/?since=gestern")
    assert wrong.status_code == 302, "the page names the fault at its field"
    assert wrong.headers["Location"] == f"{SHEET}?since=gestern"


def test_who_sits_out_all_evening_was_not_there_and_a_penalty_counts(cast: Cast) -> None:
    people = [make_player(cast.club, name) for name in ("Nora", "Olaf", "Pia", "Quirin", "Rosa")]
    table = make_table(cast.club, people, held_on=datetime.date(2025, 12, 5))
    add_game(table, re=[1, 2])
    names = read_csv(visit(cast.reader), "?year=2025")[0]
    assert "Nora" not in names and "Rosa" in names
    add_game(table, form="penalty", points=[-10, 0, 0, 0, 10], reason="Zu spät")
    found = read_csv(visit(cast.reader), "?year=2025")
    assert found[1][found[0].index("Nora")] == "-10"


def test_strangers_meet_closed_evenings_and_initials(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(shows_list=True)
    assert "kein Abend" in Client().get(SHEET).content.decode(), "the only one is still running"
    Player.objects.filter(club=cast.club, name="Bodo").update(by_initial=True)
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    html = Client().get(SHEET).content.decode()
    assert "Bodo" not in html and "B." in html
    assert "/evenings/" not in re.sub("/list/evenings/", "", html)


DAY = datetime.date
REGULARS = ("Anna", "Bert", "Cem", "Dora")
Days = tuple[datetime.date, datetime.date]


def make_world() -> Club:
    """Make a club in which all players come on the first day of a leap year, and some never again."""
    club = make_club("Karo", slug="karo", shows_list=True)
    people = {name: make_player(club, name) for name in (*REGULARS, "Lange", "Gegangen", "Zwilling", "Sitzt")}
    people["Gast"] = make_player(club, "Gast", guest=True)
    people["Stamm"] = make_player(club, "Stamm", guest=True)
    house = make_rule_set(club, "vln", "Haus")

    def evening(day: datetime.date, *names: str, rules: object = None) -> None:
        table = make_table(club, [people[name] for name in names], held_on=day, rule_set=rules)
        add_game(table, dealer=len(names) - 1)

    evening(DAY(2024, 1, 1), "Lange", "Bert", "Cem", "Dora")
    evening(DAY(2024, 12, 31), "Zwilling", "Gegangen", "Cem", "Dora")
    evening(DAY(2025, 1, 3), "Gegangen", "Gast", "Cem", "Dora")
    # The fifth deals, and only sits there.
    evening(DAY(2025, 7, 1), "Anna", "Bert", "Cem", "Stamm", "Sitzt")
    evening(DAY(2025, 12, 5), "Dora", "Bert", "Cem", "Stamm", rules=house)
    evening(DAY(2026, 9, 4), *REGULARS)
    Player.objects.filter(name="Gegangen").update(left_on=DAY(2025, 2, 1))
    merge_players(player=people["Zwilling"], into=people["Anna"], actor=Actor())
    Evening.objects.filter(club=club).update(closed_at=timezone.now())
    update_years(club.pk)
    return club


def add_season(club: Club, name: str, days: Days, **settings: object) -> Season:
    """Add a season beside others of the same days, which no action would do."""
    first, last = days
    return Season.objects.create(club=club, name=name, first_day=first, last_day=last, settings={**DEFAULT, **settings})


def list_players_of_days(club: Club, days: Days, rules: str = "") -> set[str]:
    """Return the names of the players with a game on these days, from the facts."""
    tables = Table.objects.filter(evening__club=club, evening__held_on__range=days).select_related(
        "rule_set", "evening"
    )
    entries = [entry for table in tables if rules in ("", table.rule_set.name) for entry in read_entries(table)]
    return set(
        Player.objects.filter(pk__in={pk for entry in entries for pk in entry.played}).values_list("name", flat=True)
    )


def read_page(client: Client, query: str) -> tuple[set[str], set[str]]:
    """Return the names that the list shows, and those that it hides."""
    context = client.get(f"{LIST}?{query}").context
    return {row.name for row in context["table"].data}, {name for name, _guest in context["hidden"]}


def read_file(client: Client, query: str) -> set[object]:
    sheet = load_workbook(BytesIO(client.get(f"{LIST}excel/?{query}").content)).active
    return {row["Name"] for row in rows_of(sheet)}


def list_ranked(season: Season) -> set[str]:
    return {row["name"] for row in read_season_table(read_books(season)).rows}


def read_workbook(club: Club, span: Span) -> set[str]:
    return {row.name for row in ClubFile(club, span).lists["points"]}


def test_all_lists_have_the_same_players() -> None:
    club = make_world()
    year, long_one = (DAY(2025, 1, 1), DAY(2025, 12, 31)), (DAY(2024, 1, 1), DAY(2025, 12, 31))
    seasons = {
        "of a year": add_season(club, "Saison 2025", year),
        "of two years": add_season(club, "Saison 24/25", long_one),
        "of a rule set": add_season(club, "Hausliga", year, rule_sets=["Haus"]),
        "with guests": add_season(club, "Mit Gästen", year, guests=True),
    }
    guests = {"Gast", "Stamm"}
    ever = (datetime.date.min, datetime.date.max)
    # The query, the players in it by the facts, and the hidden ones of them.
    lists: list[tuple[str, set[str], Collection[str]]] = [
        ("", list_players_of_days(club, ever), guests | {"Lange"}),
        ("since=2024-01-01", list_players_of_days(club, ever), guests | {"Lange"}),
        ("year=2024", list_players_of_days(club, (DAY(2024, 1, 1), DAY(2024, 12, 31))), guests),
        ("year=2025", list_players_of_days(club, year), guests),
        ("until=2025-12-31", list_players_of_days(club, long_one), guests),
        (f"season={seasons['of a year'].pk}", list_players_of_days(club, year), guests),
        (f"season={seasons['of two years'].pk}", list_players_of_days(club, long_one), guests),
        (f"season={seasons['of a rule set'].pk}", list_players_of_days(club, year, "Haus"), guests),
    ]
    assert list_players_of_days(club, ever) == {*REGULARS, *guests, "Lange", "Gegangen"}
    member, stranger = visit(make_user("rita", club)), visit(None)
    for query, players, hidden in lists:
        for client in (member, stranger):
            assert read_page(client, query) == (players - set(hidden), players & set(hidden)), query
        assert read_page(member, f"{query}&all=1") == (players, set()), query
        assert read_file(member, query) == players - set(hidden), query
    assert read_page(stranger, "all=1") == (lists[0][1], set())
    assert read_file(stranger, "all=1") == read_file(member, "all=1") == lists[0][1]
    # A season ranks the players of its list; with guests, those of the unfiltered list.
    assert list_ranked(seasons["of a year"]) == list_players_of_days(club, year) - guests
    assert list_ranked(seasons["of two years"]) == list_players_of_days(club, long_one) - guests
    assert list_ranked(seasons["of a rule set"]) == list_players_of_days(club, year, "Haus") - guests
    assert list_ranked(seasons["with guests"]) == list_players_of_days(club, year)
    # The workbook has all players.
    assert read_workbook(club, Span("")) == list_players_of_days(club, ever)
    assert read_workbook(club, Span("year-2025", year, year=2025)) == list_players_of_days(club, year)
    span = Span(f"season-{seasons['of two years'].pk}", long_one, season=seasons["of two years"])
    assert read_workbook(club, span) == list_players_of_days(club, long_one)


RECORDS = "/c/karo/list/records/"


def test_each_record_leads_to_its_evening_its_game_and_its_person(cast: Cast) -> None:
    game = add_game(cast.table, kind="damensolo", re=[2], eyes=30).game
    client = Client()
    client.force_login(cast.reader)
    html = client.get(RECORDS).content.decode()
    celik = Player.objects.get(club=cast.club, name="Çelik")
    assert "Teuerstes Spiel" in html
    for address in (f"people/{celik.pk}/", f"evenings/{cast.table.evening_id}/result/", f"games/{game.key}/"):
        assert address in html, address
    assert f"{RECORDS}?year=2026" in client.get("/c/karo/list/?year=2026").content.decode()
    assert "noch keinen Rekord" in client.get(f"{RECORDS}?until=2000-01-01").content.decode()


def test_strangers_read_the_records_of_closed_evenings_without_links_to_them(cast: Cast) -> None:
    Club.objects.filter(slug="karo").update(shows_list=True)
    assert "noch keinen Rekord" in Client().get(RECORDS).content.decode()
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    html = Client().get(RECORDS).content.decode()
    assert "Bester Abend" in html
    assert "/evenings/" not in html
    assert "/games/" not in html
