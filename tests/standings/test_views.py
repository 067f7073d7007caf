"""The page of the eternal list and the downloads: who sees them, what they say, how they sort and filter, and that they
show the same figures."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from html import unescape
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from openpyxl import load_workbook
from openpyxl.cell import Cell
from pytest_django import DjangoAssertNumQueries

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Club, Player
from scoring.rules.ranking import Figure
from scoring.standings.metrics import METRICS, MORE
from scoring.standings.queries.standings import list_standings
from scoring.standings.texts import format_figure
from tests.factories import Cast, add_game, make_club, make_player, make_table, make_user
from tests.months import make_season
from tests.pages import flat

pytestmark = pytest.mark.django_db

LIST = "/c/karo/list/"
CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def seen_by(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def page(user: User | None, address: str = LIST) -> str:
    response = seen_by(user).get(address)
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


# --- Who sees it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["admin", "scorer", "treasurer", "reader"])
def test_members_see_the_list_and_take_the_files_home(cast: Cast, who: str) -> None:
    client = seen_by(getattr(cast, who))
    for address in (LIST, f"{LIST}excel/", f"/c/karo/evenings/{cast.table.evening_id}/excel/"):
        assert client.get(address).status_code == 200, address


def test_strangers_get_404_and_nobody_the_login(cast: Cast) -> None:
    evening = f"/c/karo/evenings/{cast.table.evening_id}/excel/"
    for address in (LIST, f"{LIST}excel/", evening):
        assert seen_by(cast.stranger).get(address).status_code == 404
        assert seen_by(None).get(address).status_code == 302


def test_a_public_club_shows_its_list_to_everybody_but_not_its_evenings(cast: Cast) -> None:
    Club.objects.filter(slug="karo").update(shows_list=True)
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    assert names(page(None)) == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    assert seen_by(None).get(f"{LIST}excel/").status_code == 200
    assert seen_by(None).get(f"/c/karo/evenings/{cast.table.evening_id}/excel/").status_code == 302


def test_another_club_has_no_part_in_the_evening(cast: Cast) -> None:
    foreign = f"/c/karo/evenings/{cast.other_table.evening_id}/excel/"
    assert seen_by(cast.admin).get(foreign).status_code == 404


def test_they_are_only_read(cast: Cast) -> None:
    client = seen_by(cast.admin)
    for address in (LIST, f"{LIST}excel/", f"/c/karo/evenings/{cast.table.evening_id}/excel/"):
        assert client.post(address).status_code == 405
        assert client.head(address).status_code == 200


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


def test_a_selection_without_anybody_leads_out_again(cast: Cast) -> None:
    Player.objects.update(guest=True)
    html = page(cast.reader)
    assert "steht niemand auf der Liste" in html
    assert 'href="?all=1"' in html
    assert len(rows(page(cast.reader, f"{LIST}?all=1"))) == 4


def test_guests_are_hidden_behind_a_switch_and_marked(cast: Cast) -> None:
    Player.objects.filter(name="Bodo").update(guest=True)
    Player.objects.filter(name="Çelik").update(left_on=datetime.date(2026, 5, 1))
    assert names(page(cast.reader)) == ["Ärmel", "Çelik ausgeschieden", "Özlem"]
    assert names(page(cast.reader, f"{LIST}?all=1")) == ["Ärmel", "Bodo Gast", "Çelik ausgeschieden", "Özlem"]


def test_names_are_escaped() -> None:
    club = make_club(slug="karo")
    people = [make_player(club, name) for name in ("<b>Ärmel</b>", "Bodo & Co", '"Cem"', "D'ora")]
    add_game(make_table(club, people))
    html = page(make_user("rita", club), f"{LIST}?sort=%22%3E%3Cscript%3E&x=%3Cb%3E")
    assert "<b>" not in html
    assert "<script>" not in html
    assert names(html) == ["<b>Ärmel</b>", "Bodo & Co", '"Cem"', "D'ora"]


def test_nothing_is_styled_or_scripted_inline(cast: Cast) -> None:
    html = page(cast.reader)
    assert not re.search(r"\sstyle=|\son[a-z]+=|<script(?![^>]*src=)", html)


# --- Sorting and filtering ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", ["x" * 5000, "__all__", "a.b", "-", "--rank", ",", "%00"])
def test_a_column_that_is_none_sorts_nothing(cast: Cast, sort: str) -> None:
    assert 'aria-sort="ascending"' in page(cast.reader, f"{LIST}?sort={sort}")


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


def test_sorted_by_another_column_all_keep_their_rank(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[2], eyes=200)
    by_name = rows(page(cast.reader, f"{LIST}?sort=-name"))
    assert [row[1] for row in by_name] == ["Özlem", "Çelik", "Bodo", "Ärmel"]
    assert {row[1]: row[0] for row in by_name} == {row.name: str(row.rank) for row in list_standings(cast.club)}


@pytest.mark.parametrize("sort", ["", "nonsense", "--points", "player_id", "points,name", "-"])
def test_an_odd_order_is_no_error(cast: Cast, sort: str) -> None:
    assert len(rows(page(cast.reader, f"{LIST}?sort={sort}"))) == 4


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


def test_a_year_that_is_not_there_is_named_and_not_obeyed(cast: Cast) -> None:
    html = page(cast.reader, f"{LIST}?year=1999")
    assert len(rows(html)) == 4
    assert "invalid-feedback" in html
    assert '<details class="fold filter no-print mb-2" open>' in html


def test_hidden_players_are_named_below_the_table(cast: Cast) -> None:
    assert "Ausgeblendet" not in page(cast.reader)
    Player.objects.filter(club=cast.club, name__in=["Bodo", "Çelik"]).update(guest=True)
    html = page(cast.reader, f"{LIST}?year=2026")
    said = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert "Ausgeblendet: Bodo (Gast), Çelik (Gast) Alle zeigen" in said
    show_all = re.search(r'href="([^"]*)">Alle zeigen', html)[1]
    assert unescape(show_all) == "?year=2026&all=1"
    html = page(cast.reader, LIST + unescape(show_all))
    assert len(rows(html)) == 4
    assert "Ausgeblendet" not in html
    Player.objects.filter(club=cast.club).update(guest=True)
    assert page(cast.reader).count("Alle zeigen") == 1


def test_days_the_wrong_way_round_are_named(cast: Cast) -> None:
    html = page(cast.reader, f"{LIST}?since=2026-04-01&until=2026-03-01")
    assert "Das liegt vor dem ersten Tag." in html
    assert "open" in re.search(r'<details class="fold filter no-print mb-2"([^>]*)>', html)[1]


@pytest.mark.parametrize("number", ["1_0", "１０", "1e1", "0x1", "1.0"])
def test_a_number_of_games_is_written_in_digits(cast: Cast, number: str) -> None:
    assert "invalid-feedback" in page(cast.reader, f"{LIST}?min={number}")
    assert "invalid-feedback" not in page(cast.reader, f"{LIST}?min=%2010%20")


@pytest.mark.parametrize("query", ["since=x", "min=1_0", "year=1999", "since=2026-04-01&until=2026-03-01"])
def test_an_invalid_selection_gives_no_file(cast: Cast, query: str) -> None:
    """The page shows the fault; a file would show another selection."""
    response = seen_by(cast.reader).get(f"{LIST}excel/?{query}")
    assert response.headers["Location"] == f"{LIST}?{query}"
    assert "invalid-feedback" in page(cast.reader, response.headers["Location"])


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
    response = seen_by(cast.reader).get(f"{LIST}excel/?year=2026")
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


@pytest.mark.parametrize(
    ("name", "ascii_name", "full_name"),
    [
        ("Karo Eins", "ewige-liste-karo-eins", "ewige-liste-karo-eins"),
        ("Ärmel & Söhne", "ewige-liste-aermel-soehne", "ewige-liste-%C3%A4rmel-s%C3%B6hne"),
        ('"; x="Дама', "ewige-liste-x", "ewige-liste-x%D0%B4%D0%B0%D0%BC%D0%B0"),
    ],
)
def test_the_name_of_the_file(name: str, ascii_name: str, full_name: str) -> None:
    club = make_club(name, slug="karo")
    response = seen_by(make_user("rita", club)).get(f"{LIST}excel/")
    expected = f"attachment; filename=\"{ascii_name}.xlsx\"; filename*=UTF-8''{full_name}.xlsx"
    assert response["Content-Disposition"] == expected


def test_the_evening_as_a_file(cast: Cast) -> None:
    response = seen_by(cast.reader).get(f"/c/karo/evenings/{cast.table.evening_id}/excel/")
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
    # What cannot be chosen is named, and counts as nothing chosen.
    html = page(cast.reader, f"{LIST}?min=-1&since=gestern&size=9&year=1")
    assert html.count("is-invalid") >= 4
    assert len(rows(html)) == 4


def test_names_lead_to_the_people(cast: Cast) -> None:
    html = flat(seen_by(cast.reader).get(LIST))
    bodo = Player.objects.get(name="Bodo", club=cast.club).pk
    face = f'<span class="p{bodo % 12}" data-i="B"></span>'
    assert f'<a href="/c/karo/people/{bodo}/"><span class="who">{face}<span class="cut">Bodo</span></span></a>' in html


# --- What it costs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evenings", [1, 6])
def test_the_pages_ask_the_same_few_questions_whatever_was_played(
    evenings: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Session and user; the club with the rights; four for the choices, two for the list (all columns four), two for before."""
    club = make_club(slug="karo")
    for year in range(evenings):
        table = make_table(club, 4 + year % 2, held_on=datetime.date(2020 + year, 1, 1))
        add_game(table, dealer=3 + year % 2)
    client = seen_by(make_user("rita", club))
    # The years, the running evenings, and the players; the days of this year before the last evening.
    for address in (LIST, f"{LIST}excel/", f"{LIST}?sort=-average&all=1&year=2020"):
        with django_assert_num_queries(2 + 1 + 4 + 3 + 1):
            client.get(address)
    with django_assert_num_queries(2 + 1 + 4 + 4 + 2):
        client.get(f"{LIST}?more=1&min=2&since=2019-01-01")
    with django_assert_num_queries(2 + 1 + 4 + 4 + 2):
        client.get(f"{LIST}?more=1&size=4")
    with django_assert_num_queries(2 + 1 + 4):
        client.get(f"/c/karo/evenings/{table.evening_id}/excel/")


# --- A season -------------------------------------------------------------------------------------------------------


def test_a_season_is_its_days_and_its_unit() -> None:
    club = make_club(slug="karo")
    for day in (datetime.date(2025, 12, 30), datetime.date(2026, 1, 5)):
        add_game(make_table(club, held_on=day))
    add_game(make_table(club, preset="klassisch", held_on=datetime.date(2026, 1, 5)))
    season = make_season(club, first_day=datetime.date(2026, 1, 1), last_day=datetime.date(2026, 12, 31))
    client = seen_by(make_user("rita", club))
    page = client.get(f"{LIST}?season={season.pk}&unit=cents")
    assert {row.figures["games"] for row in page.context["table"].data.data} == {1}
    assert page.context["form"].selection.unit == "points"
    assert str(season) in page.context["form"].summary
    assert client.get(f"{LIST}?season={season.pk + 1}").context["form"].errors["season"]
