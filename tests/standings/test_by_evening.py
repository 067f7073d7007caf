"""The sheet "Datum × Name", as page, Excel and CSV, compared with the facts."""

from __future__ import annotations

import csv
import datetime
import re
from collections import defaultdict
from html import unescape
from io import BytesIO, StringIO

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.club.actions import Actor
from scoring.club.models import Club, Player
from scoring.evenings.actions import close_evening
from scoring.models import Score, TableResult
from tests.client import visit
from tests.exports.formulas import evaluate, formulas
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table
from tests.months import make_season

pytestmark = pytest.mark.django_db

SHEET = "/c/karo/list/evenings/"
Sheet = list[list[str]]


def read_page(client: Client, query: str = "?year=") -> Sheet:
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
    shown_head, *shown, sums, times = read_page(client)
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
