"""The page of the eternal list and the downloads: who sees them, what they say, how they sort and filter, and that they
show the same figures."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.utils import translation
from openpyxl import load_workbook
from openpyxl.cell import Cell

from scoring.models import Club, Player
from scoring.rules.ranking import Figure
from scoring.standings.metrics import METRICS, MORE
from scoring.standings.queries.standings import list_standings
from scoring.standings.texts import format_figure
from tests.client import visit
from tests.factories import Cast, add_game, make_club, make_player, make_table, make_user
from tests.html import flat
from tests.months import make_season

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
