"""The page of a month: what it shows and to whom, and what it costs."""

from __future__ import annotations

import datetime
import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Player, Season, Table
from tests.factories import Cast, add_game, make_club, make_import, make_player, make_table, make_user, take_import
from tests.league.views.march import MARCH, one_more_game, page, seen_by, text
from tests.months import close, make_season, supplement

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    """One closed evening in March, of the cast's table."""
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    return make_season(cast.club)


# --- Reading ----------------------------------------------------------------------------------------------------------


def test_a_month_shows_its_table_and_every_calculation(cast: Cast, season: Season) -> None:
    said = text(seen_by(cast.reader).get(page(season)))
    assert f" · Karo Eins {season.name} Vorläufig " in said
    assert "Platz ↑ Name Ergebnis 6.3. Abende Spiele 1 Ärmel 1 1 1 1 1 Bodo 1" in said
    assert (
        "So kommt es zustande Ärmel · Platz 1 Ärmel 6. März 2026 Platz 1 · 1 Punkt · 1 Spiel 1 Summe aus 1 Abend 1"
        in said
    )
    assert "Es zählt die Summe der Punkte. Gäste zählen nicht mit" in said
    assert "Monat abschließen" not in said
    said = text(seen_by(cast.admin).get(page(season)))
    assert said.index("Ergebnis") < said.index("Monat abschließen") < said.index("So kommt es zustande"), "it is read first"


def test_open_evenings_and_dropped_ones_are_marked(cast: Cast) -> None:
    season = make_season(cast.club, best=1)
    add_game(make_table(cast.club, held_on=datetime.date(2026, 3, 13)), eyes=200)
    said = text(seen_by(cast.reader).get(page(season)))
    assert "6.3. läuft 13.3. läuft" in said
    assert "(1) gestrichen, weil andere Abende besser waren" in said


def test_only_signs_that_stand_in_the_table_are_explained(cast: Cast, season: Season) -> None:
    client = seen_by(cast.reader)
    said = text(client.get(page(season)))
    for nothing in ("gegenüber", "● neu", "ohne Platz", "( )", "· nicht dabei", "? ohne"):
        assert nothing not in said
    add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 3)), eyes=200)
    said = text(client.get(page(season, "2026-04/")))
    assert "= gegenüber März 2026" in said
    assert "● neu" not in said
    people = list(Player.objects.filter(club=cast.club))[:3]
    add_game(make_table(cast.club, [*people, make_player(cast.club, "Zora")], held_on=datetime.date(2026, 5, 1)))
    said = text(client.get(page(season, "2026-05/")))
    assert "● neu" in said and "· nicht dabei" not in said
    add_game(make_table(cast.club, held_on=datetime.date(2026, 5, 8)))
    assert "· nicht dabei" in text(client.get(page(season, "2026-05/")))
    type(season).objects.filter(pk=season.pk).update(settings={**season.settings, "min_games": 2})
    add_game(make_table(cast.club, held_on=datetime.date(2026, 6, 5)))
    add_game(Table.objects.get(evening__held_on=datetime.date(2026, 6, 5)))
    html = client.get(page(season, "2026-06/")).content.decode()
    assert '<span class="moved" aria-hidden="true">○</span>' in html
    assert "<b>○</b> vorher ohne Platz" in html


def test_a_month_with_evenings_without_games_says_what_the_question_mark_is(cast: Cast) -> None:
    take_import(make_import(cast.club))
    season = make_season(cast.club)
    assert "? ohne Einzelspiele übernommen" in text(seen_by(cast.reader).get(page(season)))


def test_figures_of_a_calculation_have_as_many_digits_as_its_result(cast: Cast) -> None:
    """A place that is shared brings half a point; the whole ones beside it are no other kind of number."""
    season = make_season(cast.club, counting="places", places=[3, 2])
    said = text(seen_by(cast.reader).get(page(season)))
    assert "Platz 1 · 1 Punkt · 1 Spiel 2,50 Summe aus 1 Abend 2,50" in said
    assert "Platz 3 · −1 Punkt" in said or "Platz 3 · -1 Punkt" in said
    assert "Spiel 0,00 Summe aus 1 Abend 0,00" in said


def test_two_evenings_of_one_day_can_be_told_apart(cast: Cast, season: Season) -> None:
    add_game(make_table(cast.club, list(cast.club.players.all()[:4]), held_on=datetime.date(2026, 3, 6)))
    said = text(seen_by(cast.reader).get(page(season)))
    assert "Ergebnis 6.3. 6.3. (2) läuft Abende" in said
    assert "6. März 2026 (2) Platz 1" in said


def test_a_month_that_nobody_played_in(cast: Cast, season: Season) -> None:
    client = seen_by(cast.admin)
    assert "In diesem Monat hat noch niemand gespielt." in text(client.get(page(season, "2026-05/")))
    assert "In diesem Monat hat noch niemand gespielt." in text(client.get(page(season, "2026-05/close/")))
    assert client.get(page(season, "2026-05/excel/")).status_code == 200
    for odd in ("2025-12/", "2027-01/", "2026-13/", "2026-3/", "0000-01/", f"{MARCH}/1/", f"{MARCH}/1/excel/"):
        assert client.get(page(season, odd)).status_code == 404, odd


def test_the_league_leads_to_the_season_of_today(cast: Cast) -> None:
    client = seen_by(cast.admin)
    assert "Noch hat der Club keine Saison." in text(client.get("/c/karo/league/"))
    season = make_season(cast.club, "Saison 2026")
    said = text(client.get("/c/karo/league/"))
    assert "Saison 2026" in said
    assert "Es führen gemeinsam Bodo und Ärmel." in said or "Es führen gemeinsam Ärmel und Bodo." in said
    assert f"/seasons/{season.pk}/2026-03/" in client.get("/c/karo/league/").content.decode()
    assert "Liga" in client.get("/c/karo/").content.decode()


def test_the_start_page_shows_the_month(cast: Cast, season: Season) -> None:
    said = text(seen_by(cast.reader).get("/c/karo/"))
    assert "März 2026 Ganzer Monat › Platz Name Ergebnis 1 Ärmel 1 1 Bodo 1" in said
    assert "Vorläufig · Saison" in said


def test_a_club_shows_its_published_months_to_everyone(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    assert Client().get(page(season)).status_code == 302
    type(cast.club).objects.filter(pk=cast.club.pk).update(shows_months=True)
    html = Client().get(page(season)).content.decode()
    assert "Ärmel" in html
    assert "/evenings/" not in html, "what a visitor may not open is no link"
    for file in (f"{MARCH}/excel/", f"{MARCH}/1/excel/", f"{MARCH}/1/data/"):
        assert Client().get(page(season, file)).status_code == 302, "there stands who closed it, and where"


def test_the_season_can_be_taken_away(cast: Cast, season: Season) -> None:
    client = seen_by(cast.reader)
    html = client.get(page(season, "")).content.decode()
    assert f'href="/c/karo/file/excel/?span=season-{season.pk}"' in html
    address = f"/c/karo/file/csv/season-{season.pk}/?span=season-{season.pk}"
    assert f'href="{address}"' in html
    lines = client.get(address).content.decode("utf-8-sig").splitlines()
    assert lines[:2] == ["Platz;Name;Gesamt;März 2026", "1;Ärmel;1,00;1,00"]
    type(cast.club).objects.filter(pk=cast.club.pk).update(shows_months=True)
    assert "/file/" not in Client().get(page(season, "")).content.decode()


def test_names_are_text(cast: Cast, season: Season) -> None:
    Player.objects.filter(name="Ärmel").update(name="<b>Bo</b>")
    assert "<b>Bo" not in seen_by(cast.reader).get(page(season)).content.decode()


# --- What it costs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("months", [1, 5])
def test_the_pages_ask_the_same_few_questions_whatever_was_played(
    months: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Session and user, the rights with the season, results, closings, supplements; on the page of a season all of
    them; for members what led to a month, of a published one whether its evenings are still there, and what waits in other
    seasons; a file is one question more."""
    club = make_club(slug="karo")
    for month in range(1, months + 2):
        for day in range(1, months + 1):
            add_game(make_table(club, held_on=datetime.date(2026, month, day)))
    season = make_season(club)
    for month in range(1, months + 1):
        close(season, f"2026-{month:02}")
    client = seen_by(make_user("rita", club))
    books = 3
    for address, count in {
        "/c/karo/league/": 1 + 1 + books,
        page(season, ""): 1 + 1 + books,
        page(season, "2026-01/"): 1 + books + 1 + 1,
        page(season, f"2026-{months + 1:02}/"): 1 + books + 1,
        page(season, "2026-01/1/"): 1 + books + 1,
        page(season, "2026-01/excel/"): 1 + books + 1,
        page(season, f"2026-{months + 1:02}/excel/"): 1 + books,
        page(season, "2026-01/1/data/"): 1 + books,
    }.items():
        client.get(address)
        with django_assert_num_queries(2 + count, info=address):
            client.get(address)


def test_supplements_cost_one_look_at_the_history(
    cast: Cast, season: Season, django_assert_max_num_queries: Any
) -> None:
    close(season, MARCH, cast.admin)
    one_more_game(cast)
    supplement(season, MARCH)
    client = seen_by(cast.reader)
    client.get(page(season, "2026-04/"))
    with django_assert_max_num_queries(2 + 1 + 3 + 1 + 3):
        client.get(page(season, "2026-04/"))


def test_the_file_of_an_open_month_shows_what_the_page_shows(cast: Cast, season: Season) -> None:
    book = load_workbook(BytesIO(seen_by(cast.reader).get(page(season, f"{MARCH}/excel/")).content))
    assert book.sheetnames == ["März 2026", "Rechnung"]
    assert "vorläufig" in book.active["A2"].value


# --- Sorting ----------------------------------------------------------------------------------------------------------


def names_in(client: Client, address: str, heads: str = "") -> list[str]:
    """The people of the table in their order; whoever is named last has no figure there."""
    html = client.get(address).content.decode()
    table = html[html.index('<table class="list month"') : html.index("</table>")]
    assert heads in table
    return re.findall(r'class="cut" translate="no">(\w+)', table)


def test_a_month_is_sorted_by_each_of_its_columns(cast: Cast, season: Season) -> None:
    """Whoever has no figure stands last in both directions, and who is equal as they are ranked."""
    client, ranked = seen_by(cast.reader), ["Ärmel", "Bodo", "Çelik", "Özlem"]
    zora = make_player(cast.club, "Zora")
    add_game(make_table(cast.club, [*cast.club.players.order_by("pk")[1:4], zora], held_on=datetime.date(2026, 3, 13)), eyes=200)
    first = names_in(client, page(season))
    for sort, order in {
        "": first,
        "rank": first,
        "unknown": first,
        "name": [*ranked, "Zora"],
        "-name": ["Zora", *reversed(ranked)],
        "-evening_0": sorted(first, key=lambda one: ("ÄBÇÖZ".index(one[0]) // 2, first.index(one))),
        "-evenings": [*(one for one in first if one not in ("Ärmel", "Zora")), *(one for one in first if one in ("Ärmel", "Zora"))],
    }.items():
        assert names_in(client, f"{page(season)}?sort={sort}") == order, sort
    assert names_in(client, f"{page(season)}?sort=-evening_1")[-1] == "Ärmel", "he was not there"
    assert names_in(client, f"{page(season)}?sort=evening_1")[-1] == "Ärmel"
    names_in(client, f"{page(season)}?sort=-games", 'aria-sort="descending"')
    html = client.get(f"{page(season)}?sort=-name").content.decode()
    podium = html[html.index("podium") : html.index("</ol>")]
    assert re.findall(r'class="cut" translate="no">(\w+)', podium) == first[:3], "the podium stays"
    assert names_in(client, f"{page(season, '')}?sort=-name") == ["Zora", *reversed(ranked)]
    assert set(names_in(client, f"{page(season, '')}?sort=-month_0")) == {*ranked, "Zora"}
    assert names_in(seen_by(cast.admin), f"{page(season)}close/?sort=name") == [*ranked, "Zora"]


def test_what_is_below_zero_has_the_colour_of_it(cast: Cast, season: Season) -> None:
    client = seen_by(cast.reader)
    for address in (page(season), page(season, "")):
        html = client.get(address).content.decode()
        table = html[html.index("<tbody") : html.index("</tbody>")]
        assert len(re.findall(r'class="minus num">−1<', table)) == 4, address
        assert len(re.findall(r">\s*−", table)) == 4, address
