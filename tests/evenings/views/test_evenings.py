"""The pages of evenings: the first values of a new one, the list, close, reopen and discard."""

from __future__ import annotations

import datetime
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.core.dates import get_evening_date
from scoring.evenings.actions import add_table, close_evening, reopen_evening, seat_players
from scoring.evenings.views import PER_PAGE
from scoring.models import Club, Evening, Player, Table, TableResult
from scoring.play.queries import read_records
from tests.cash.books import book, owes
from tests.client import visit
from tests.factories import Cast, add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.html import flat, unmarked

NEW, LIST = "/c/karo/evenings/new/", "/c/karo/evenings/"


def text(response: HttpResponse) -> str:
    return unescape(unmarked(response.content.decode()))


def read_form(page: HttpResponse) -> dict[str, str]:
    """Return the input that the form would send. Without seated people they are those of the button for the last line-up."""
    html = page.content.decode()
    seated = re.findall(r'name="(seat_\d)" value="([^"]+)"', html)
    offered = re.search(r'name="line_up" value="([\d,]+)"', html)
    people = [unescape(value) for _name, value in seated] or (offered[1].split(",") if offered else [])
    fields = dict.fromkeys(re.findall(r'<select[^>]*name="([a-z_0-9]+)"', html), "")
    for name, options in re.findall(r'<select[^>]*name="([a-z_0-9]+)".*?>(.*?)</select>', html, re.S):
        selected = re.search(r'value="([^"]*)" selected', options)
        fields[name] = selected[1] if selected else ""
    for tag in re.findall(r'<input type="(?:date|text)"[^>]*>', html):
        value = re.search(r'value="([^"]*)"', tag)
        fields[re.findall(r'name="([^"]*)"', tag)[0]] = unescape(value[1]) if value else ""
    return fields | seats(*people)


def line_up(table: Table) -> list[Player]:
    return [seat.player for seat in table.rounds.get().seats.select_related("player").order_by("place")]


def seats(*people: Player | str) -> dict[str, str]:
    return {f"seat_{place}": str(getattr(person, "pk", person)) for place, person in enumerate(people)}


# --- A new evening --------------------------------------------------------------------------------------------------


def test_a_new_evening_proposes_rules_and_people_of_the_last(scorer: Client, cast: Cast) -> None:
    sent = read_form(scorer.get(NEW))
    assert sent["held_on"] == get_evening_date().isoformat()
    assert sent["rule_set"] == str(cast.table.rule_set_id)
    assert {name: sent[name] for name in sent if name.startswith("seat_")} == seats(*line_up(cast.table))
    response = scorer.post(NEW, sent | {"place": "  Zum   Fuchs "})
    table = Table.objects.latest("id")
    assert (response.status_code, response["Location"]) == (302, reverse("table", args=["karo", table.pk]))
    assert line_up(table) == line_up(cast.table)
    evening = table.evening
    assert (evening.place, evening.held_on, evening.is_open) == ("Zum Fuchs", get_evening_date(), True)


def test_the_last_evening_is_the_latest_by_date(scorer: Client, cast: Cast) -> None:
    five = make_table(cast.club, 5, preset="vln", held_on=datetime.date(2026, 4, 1))
    make_table(cast.club, 4, held_on=datetime.date(2025, 4, 1))
    sent = read_form(scorer.get(NEW))
    assert sent["rule_set"] == str(five.rule_set_id)
    assert sent["seat_4"] == str(line_up(five)[4].pk)


def test_a_player_who_left_is_neither_seated_nor_offered(scorer: Client, cast: Cast) -> None:
    gone, *others = line_up(cast.table)
    Player.objects.filter(pk=gone.pk).update(left_on=datetime.date(2026, 3, 7))
    page = scorer.get(NEW)
    sent = read_form(page)
    assert "Mit diesen anfangen" not in text(page), "three are too few"
    assert gone.name not in page.content.decode()
    page = scorer.post(NEW, sent | seats(gone, *others))
    assert (page.status_code, Evening.objects.filter(club=cast.club).count()) == (422, 1)


def test_the_current_version_of_the_last_rule_set_is_proposed(scorer: Client, cast: Cast) -> None:
    make_rule_set(cast.club, "vln", name="Anfänger")
    newer = make_rule_set(cast.club, "anleitung", name="Zweites")
    newer.name, newer.version, newer.pk = "ddv", 2, None
    newer.save()
    page = scorer.get(NEW)
    assert read_form(page)["rule_set"] == str(newer.pk)
    assert f'value="{cast.table.rule_set_id}"' not in re.search(r'name="rule_set".*?</select>', text(page), re.S)[0]


def test_the_first_evening_proposes_all_people_in_the_order_they_were_added(db: None) -> None:
    club = make_club(slug="karo")
    client, rule_set = visit(make_user("schorsch", club, ["scorer"])), make_rule_set(club)
    people = [make_player(club, name) for name in ("B", "A", "E", "C", "D")]
    sent = read_form(client.get(NEW))
    assert "Alle im Club" in text(client.get(NEW))
    assert {name: sent[name] for name in sent if name.startswith("seat_")} == seats(*people)
    for number in range(4):
        make_player(club, f"Gast {number}")
    assert not any(name.startswith("seat_") for name in read_form(client.get(NEW))), "nine are too many for one table"
    assert client.post(NEW, sent | {"rule_set": str(rule_set.pk)} | seats(*people)).status_code == 302
    assert line_up(Table.objects.get()) == people


def test_invalid_input_opens_no_evening(scorer: Client, cast: Cast) -> None:
    sent, foreign = read_form(scorer.get(NEW)), str(line_up(cast.other_table)[0].pk)
    wrong = {
        "seat_3": ("", "0", "²", "9" * 40, sent["seat_0"], foreign),
        "rule_set": ("", "0", str(cast.other_table.rule_set_id)),
        "held_on": ("", "gestern", "0000-01-01", "0026-03-06"),
        "place": ("x" * 61, "\u202ehier", "\x00"),
        "planned_games": ("0", "-1", "201", "x"),
    }
    for field, values in wrong.items():
        for value in values:
            page = scorer.post(NEW, sent | {field: value})
            assert page.status_code == 422, (field, value)
            said = r'(class="invalid-feedback".*?<strong>|class="fault" role="alert">)[^<]+\.'
            assert re.search(said, text(page), re.S), (field, value)
    assert scorer.post(NEW).status_code == 422
    assert Evening.objects.filter(club=cast.club).count() == 1


# --- Lists ----------------------------------------------------------------------------------------------------------


def test_the_list_shows_day_place_rules_and_games(scorer: Client, cast: Cast) -> None:
    Evening.objects.filter(pk=cast.table.evening_id).update(place="Zum <Fuchs>")
    table = make_table(cast.club, 5, preset="vln", held_on=datetime.date(2026, 4, 1))
    close_evening(evening=table.evening, actor=Actor())
    entries = re.findall(r'<a class="list-link[ "].*?</a>', scorer.get(LIST).content.decode(), re.S)
    assert [unescape(" ".join(re.sub(r"<[^>]+>", " ", entry).split())) for entry in entries] == [
        "Mi, 1. April 0 Spiele vln ›",
        "Fr, 6. März Zum <Fuchs> 1 Spiel ddv läuft Weiter ›",
    ]
    assert "Weiter" not in text(visit(cast.reader).get(LIST)), "only a scorer can continue"


def test_the_row_of_a_closed_evening_names_the_winner(scorer: Client, cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", duty=True, re=[3], eyes=150)
    found = []
    for closed in (False, True):
        if closed:
            close_evening(evening=cast.table.evening, actor=Actor())
        for address in (LIST, "/c/karo/"):
            html = flat(scorer.get(address))
            winner = r'<span class="winner"><span class="(p\d+)" data-i="(.)"></span>(.*?)<b>(.*?)</b>'
            found.append(re.findall(winner, html))
    ozlem = Player.objects.get(club=cast.club, name="Özlem")
    name = '<small class="visually-hidden">Gewonnen:</small><span class="cut">Özlem</span>'
    won = [(f"p{ozlem.pk % 12}", "Ö", name, "+2")]
    assert found == [[], [], won, won]


def test_the_start_page_shows_the_own_rank_and_balance(cast: Cast) -> None:
    """For a login with a player; the balance in a club with a Kasse."""
    bodo, reader = Player.objects.get(club=cast.club, name="Bodo"), visit(cast.reader)
    assert ">Ich<" not in reader.get("/c/karo/").content.decode()
    Player.objects.filter(pk=bodo.pk).update(user=cast.reader)
    page = reader.get("/c/karo/").content.decode()
    assert re.search(r"Platz \d · −?\d+", page[page.index(">Ich<") :])
    assert '<strong class="num">0,00\xa0€</strong>' in flat(reader.get("/c/karo/"))
    book(cast.club, owes(bodo, 420))
    page = flat(reader.get("/c/karo/"))
    statement = reverse("cash_statement", args=["karo", bodo.pk])
    assert f'<a class="list-link" href="{statement}">' in page
    assert '<strong class="num minus">−4,20\xa0€</strong>' in page
    without = flat(visit(cast.scorer).get("/c/karo/"))
    assert "Meine Kasse" not in without and ">Ich<" not in without, "his login has no player"
    other = make_club("Ohne Kasse")
    login = make_user("leser", other)
    make_player(other, "Leser", user=login)
    assert "Meine Kasse" not in flat(visit(login).get("/c/ohne-kasse/"))


def test_the_people_of_a_chosen_evening_are_proposed(scorer: Client, cast: Cast) -> None:
    """An evening of another club, or none, proposes the people of the last evening."""
    evening = cast.table.evening
    result = reverse("result", args=["karo", evening.pk])
    assert "Noch ein Abend" not in flat(scorer.get(result)), "it is open"
    others = [make_player(cast.club, name) for name in ("Ida", "Kurt", "Lea", "Max")]
    make_table(cast.club, others, held_on=datetime.date(2026, 4, 1))
    close_evening(evening=evening, actor=Actor())
    reader = flat(visit(cast.reader).get(result))
    assert ("Noch ein Abend" in reader, 'href="#share"' in reader) == (False, True)
    page = flat(scorer.get(result))
    link = f"{NEW}?again={evening.pk}"
    assert f'href="{link}"' in page
    assert page.index('href="#share"') < page.index(link) < page.index("<table")
    last = "Ida · Kurt · Lea · Max"
    other = f"{NEW}?again={cast.other_table.evening_id}"
    for address, names in ((link, "Ärmel · Bodo · Çelik · Özlem"), (NEW, last), (other, last)):
        assert f"<p>{names}<small>" in flat(scorer.get(address))


def make_empty_evenings(cast: Cast, first: datetime.date, days: int) -> None:
    evenings = Evening.objects.bulk_create(
        Evening(club=cast.club, held_on=first + datetime.timedelta(days=day)) for day in range(days)
    )
    Table.objects.bulk_create(Table(evening=evening, rule_set=cast.table.rule_set) for evening in evenings)


def test_long_lists_are_paginated(cast: Cast) -> None:
    make_empty_evenings(cast, datetime.date(2020, 1, 1), PER_PAGE)
    client = visit(cast.reader)
    first, second = text(client.get(f"{LIST}?year=")), text(client.get(f"{LIST}?year=&page=2"))
    assert (first.count("list-link"), second.count("list-link")) == (PER_PAGE, 1)
    assert "Januar 2020" in second and "Mi, 1. Januar" in second
    assert 'href="?year=&page=1"' in flat(client.get(f"{LIST}?year=&page=2"))
    for odd in ("0", "99", "x", "-1", "²", "9" * 50):
        assert client.get(f"{LIST}?year=&page={odd}").status_code == 200
    for rows in ("-1", "0", "1", "1000"):
        assert text(client.get(f"{LIST}?year=&per_page={rows}")).count("list-link") == PER_PAGE


def list_days(response: HttpResponse) -> list[str]:
    """Return the days of the listed evenings with the years of their headings."""
    months = re.findall(r"<h2>\w+ (\d{4})</h2>(.*?)</ul>", flat(response))
    day = re.compile(r'class="list-link[ "].*?<strong>\w+, (.*?)</strong>')
    return [f"{found} {year}" for year, month in months for found in day.findall(month)]


def test_the_list_shows_the_last_year_and_others_by_choice(cast: Cast) -> None:
    make_empty_evenings(cast, datetime.date(2019, 12, 31), 2)
    client = visit(cast.reader)
    assert list_days(client.get(LIST)) == ["6. März 2026"]
    assert list_days(client.get(f"{LIST}?page=3")) == ["6. März 2026"], "an old address"
    page = flat(client.get(f"{LIST}?year=2019&page=1"))
    years = re.findall(r'<option value="(20\d\d)"( selected)?', page)
    assert years == [("2026", ""), ("2020", ""), ("2019", " selected")]
    assert list_days(client.get(f"{LIST}?year=2019")) == ["31. Dezember 2019"]
    assert list_days(client.get(f"{LIST}?year=")) == ["6. März 2026", "1. Januar 2020", "31. Dezember 2019"]


def test_evenings_are_filtered_by_month_place_and_person(cast: Cast) -> None:
    ida = make_player(cast.club, "Ida")
    others = [make_player(cast.club, name) for name in ("Kurt", "Lea", "Max")]
    early = make_table(cast.club, [ida, *others], held_on=datetime.date(2019, 3, 1))
    Evening.objects.filter(pk=early.evening_id).update(place="Zum <Fuchs>")
    imported = make_table(cast.club, held_on=datetime.date(2020, 5, 1))
    zeros = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
    TableResult.objects.create(table=imported, player=ida, points=3, **zeros)
    client = visit(cast.reader)
    both = ["1. Mai 2020", "1. März 2019"]
    for query, days in {
        f"person={ida.pk}": both,
        f"person={ida.pk}&month=3": both[1:],
        f"person={ida.pk}&year=2020": both[:1],
        f"person={ida.pk}&year=2026": [],
        "month=3": ["6. März 2026", "1. März 2019"],
        "place=Zum+%3CFuchs%3E": both[1:],
        "month=13&person=0&place=x&year=1800": ["6. März 2026", *both],
    }.items():
        page = client.get(f"{LIST}?{query}")
        assert list_days(page) == days, query
        assert ("Nichts gefunden." in flat(page)) is not bool(days)
    page = flat(client.get(f"{LIST}?place=Zum+%3CFuchs%3E&month=3"))
    assert "<summary>März · Zum <Fuchs></summary>" in page
    assert flat(client.get(f"{LIST}?month=13&person=0&place=x&year=1800")).count("invalid-feedback") == 4


def test_strangers_cannot_filter_by_place_or_person(cast: Cast) -> None:
    Evening.objects.filter(pk=cast.table.evening_id).update(place="Bei Bodo")
    close_evening(evening=cast.table.evening, actor=Actor())
    Club.objects.filter(pk=cast.club.pk).update(shows_evenings=True)
    page = flat(Client().get(f"{LIST}?place=Bei+Bodo&year=2026"))
    assert ('name="year"' in page, 'name="place"' in page, 'name="person"' in page) == (True, False, False)
    assert "Bei Bodo" not in page.replace("?place=Bei+Bodo", "")


def test_an_evening_of_one_table_redirects_to_it(scorer: Client, cast: Cast) -> None:
    address = reverse("evening", args=["karo", cast.table.evening_id])
    assert scorer.get(address)["Location"] == reverse("table", args=["karo", cast.table.pk])
    second = Table.objects.create(evening=cast.table.evening, number=2, rule_set=cast.table.rule_set)
    page = text(scorer.get(address))
    for table in (cast.table, second):
        assert reverse("table", args=["karo", table.pk]) in page


# --- Closing and opening again --------------------------------------------------------------------------------------


def test_an_evening_is_closed_and_reopened(cast: Cast) -> None:
    evening = cast.table.evening
    page = reverse("table", args=["karo", cast.table.pk])
    scorer, admin = visit(cast.scorer), visit(cast.admin)
    assert 'id="entry"' in text(scorer.get(page))
    said = text(scorer.post(reverse("evening_close", args=["karo", evening.pk]), follow=True))
    assert "Der Abend ist abgeschlossen." in said
    evening.refresh_from_db()
    assert (evening.is_open, evening.closed_by) == (False, cast.scorer)
    assert 'id="entry"' not in said, "no game can be entered"
    assert "evening_reopen" not in said
    assert reverse("evening_reopen", args=["karo", evening.pk]) not in said
    again = text(scorer.post(reverse("evening_close", args=["karo", evening.pk]), follow=True))
    assert "Ein Verwalter kann ihn wieder öffnen." in again
    assert reverse("evening_reopen", args=["karo", evening.pk]) in text(admin.get(page))
    said = text(admin.post(reverse("evening_reopen", args=["karo", evening.pk]), follow=True))
    assert "Der Abend läuft wieder." in said
    again = text(admin.post(reverse("evening_reopen", args=["karo", evening.pk]), follow=True))
    assert "Der Abend läuft noch." in again
    evening.refresh_from_db()
    assert (evening.is_open, evening.closed_by) == (True, None)
    assert 'id="entry"' in text(scorer.get(page))


def test_the_start_page_begins_with_the_open_table(scorer: Client, cast: Cast) -> None:
    assert reverse("table", args=["karo", cast.table.pk]) in text(scorer.get("/c/karo/"))
    newer = make_table(cast.club, held_on=datetime.date(2026, 3, 13))
    add_game(newer)
    shown = " ".join(re.sub(r"<[^>]+>", " ", text(scorer.get("/c/karo/"))).split())
    days = (timezone.localdate() - cast.table.evening.held_on).days
    assert f"Fr, 6. März 2026 · läuft seit {days} Tagen · Tisch 1 ·" in shown
    close_evening(evening=newer.evening, actor=Actor())
    close_evening(evening=cast.table.evening, actor=Actor())
    page = text(scorer.get("/c/karo/"))
    assert "Weiter am Tisch" not in page
    assert "6. März" in page


def test_two_open_tables_have_different_names(scorer: Client, cast: Cast) -> None:
    """On the start page, and in the title that a phone shows offline."""
    people = line_up(cast.table)
    second = add_table(evening=cast.table.evening, actor=Actor(), rule_set=cast.table.rule_set, players=people)
    page = text(scorer.get("/c/karo/"))
    assert "<span>Tisch 1</span>" in page and "Tisch 2 · ddv" in page
    title = "<title>6. März 2026, Tisch 2 · Karo Eins</title>"
    assert title in flat(scorer.get(reverse("table", args=["karo", second.pk])))


def test_only_an_evening_without_lines_is_discarded(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, held_on=datetime.date(2026, 4, 1))
    url, played = (reverse("evening_discard", args=["karo", one.evening_id]) for one in (table, cast.table))
    assert url in text(scorer.get(reverse("table", args=["karo", table.pk])))
    scorer.post(url)
    assert not Evening.objects.filter(pk=table.evening_id).exists()
    assert scorer.get(reverse("history", args=["karo"])).status_code == 200
    assert played not in text(scorer.get(reverse("table", args=["karo", cast.table.pk])))
    assert "Er bleibt" in text(scorer.post(played, follow=True))
    assert Evening.objects.filter(pk=cast.table.evening_id).exists()
    people = [Player.objects.create(club=cast.club, name=name) for name in ("Emil", "Fritz", "Gerda", "Hanna")]
    second = add_table(evening=cast.table.evening, actor=Actor(), rule_set=cast.table.rule_set, players=people)
    page = scorer.get(reverse("table", args=["karo", second.pk])).content.decode()
    assert "never-played" not in page and "Abend abschließen" in page, "an empty table beside one with games"


SVG = "{http://www.w3.org/2000/svg}"


def get(cast: Cast, name: str, query: str = "") -> HttpResponse:
    return visit(cast.reader).get(reverse(name, args=["karo", cast.table.evening_id]) + query)


def get_text(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", unmarked(response.content.decode()))))


def parse_svg(response: HttpResponse) -> ElementTree.Element:
    return ElementTree.fromstring(response.content)  # noqa: S314 (our own answer)


@pytest.fixture
def played(cast: Cast) -> Cast:
    """The game of the cast, a lost solo of Özlem, and a redeal."""
    cast.table.evening.place = "Zum <Ochsen>"
    cast.table.evening.save()
    add_game(cast.table, kind="damensolo", re=[3], eyes=20, actor=cast.scorer)
    add_game(cast.table, form="redeal")
    return cast


def test_the_page_shows_ranking_and_highlights(played: Cast) -> None:
    response = get(played, "result")
    text, html = get_text(response), flat(response)
    assert "Zwischenstand Fr, 6. März 2026, Zum <Ochsen> · Karo Eins" in text
    assert "2 Spiele · ddv" in text
    assert "Vorn: Ärmel , Bodo" in text
    assert "1 Ärmel 5 2 2 0/0 1 Bodo 5 2 2 0/0 3 Çelik 3 2 1 0/0 4 Özlem −13 2 0 0/1" in text
    assert "Bestes Spiel Spiel 2 Ärmel, Bodo, Çelik +4" in text
    assert "Teuerstes Spiel Spiel 2 Özlem −12" in text
    (solo,) = (game for game in played.table.rounds.get().games.all() if game.facts.get("kind") == "damensolo")
    address = reverse("game", args=["karo", played.table.pk, solo.key])
    assert html.count(f'href="{address}"') == 2
    assert 'aria-label="Verlauf der Summen. Am Ende: Ärmel 5, Bodo 5, Çelik 3, Özlem −13"' in html
    assert html.count("<polyline") == 4
    field = re.search(r"<textarea[^>]*>(.*?)</textarea>", response.content.decode(), re.S)[1]
    assert unescape(field) == get(played, "result_text").content.decode()


def test_two_units_have_rankings_of_their_own(played: Cast) -> None:
    assert get(played, "result_picture", "?unit=cents").status_code == 404
    other = Table.objects.create(evening=played.table.evening, number=2, rule_set=make_rule_set(played.club, "klassisch"))
    seat_players(table=other, players=[make_player(played.club, f"Gast {n}") for n in range(4)])
    add_game(other, re=[0, 1], eyes=130)
    text = get_text(get(played, "result"))
    assert "Tisch 2, Spiel 1" in text
    assert re.search(r"Punkte .* 2 Spiele · ddv .* Cent .* 1 Spiel · klassisch", text)
    assert "Cent" in get(played, "result_text").content.decode()
    names = "".join(parse_svg(get(played, "result_picture", "?unit=cents")).itertext())
    assert "Gast 0" in names
    assert "Ärmel" not in names
    assert "Ärmel" in get(played, "result_picture").content.decode()


def test_two_rule_sets_in_one_ranking_are_noted(played: Cast) -> None:
    note = "Die Tische haben nach verschiedenen Regeln gespielt; hier sind sie zusammengezählt."
    evening, people = played.table.evening, read_records(played.table).current
    text = get(played, "result_text").content.decode()
    assert note not in text + get_text(get(played, "result"))
    rules = make_rule_set(played.club, "vln")
    other = add_table(evening=evening, actor=Actor(), rule_set=rules, players=people)
    add_game(other, kind="damensolo", re=[0], eyes=240, re_said="said")
    text = get(played, "result_text").content.decode()
    assert note in get_text(get(played, "result"))
    assert note in text.splitlines()
    assert re.search(r"Bestes Spiel: Ärmel \+\d+ \(Tisch 2, Spiel 1\)", text)
    assert re.search(r"Teuerstes Spiel: Özlem −12 \(Tisch 1, Spiel 2\)", text)


def test_the_text_for_the_chat(played: Cast) -> None:
    evening = played.table.evening_id
    response = visit(played.scorer).post(reverse("evening_close", args=["karo", evening]))
    assert response["Location"] == reverse("result", args=["karo", evening])
    page = get_text(get(played, "result"))
    assert "Ergebnis Fr," in page and "Gewonnen: Ärmel , Bodo" in page and "Zwischenstand" not in page
    response = get(played, "result_text")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert 'filename="ergebnis-karo-eins-2026-03-06.txt"' in response["Content-Disposition"]
    assert response.content.decode().splitlines() == [
        "Ergebnis Karo Eins",
        "Freitag, 6. März 2026, Zum <Ochsen>",
        "",
        "2 Spiele · ddv",
        "1. Ärmel: +5",
        "1. Bodo: +5",
        "3. Çelik: +3",
        "4. Özlem: −13",
        "Bestes Spiel: Ärmel, Bodo, Çelik +4 (Spiel 2)",
        "Teuerstes Spiel: Özlem −12 (Spiel 2)",
    ]


def test_the_picture_has_only_known_elements(played: Cast) -> None:
    response = get(played, "result_picture")
    assert response["Content-Type"] == "image/svg+xml"
    root = parse_svg(response)
    known = {"svg", "title", "rect", "text", "line", "g", "polyline", "circle"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == known
    assert not [name for element in root.iter() for name in element.attrib if name == "style" or name.startswith("on")]
    text = " ".join("".join(root.itertext()).split())
    assert text.startswith("Zwischenstand Karo Eins Karo Eins Zwischenstand Freitag, 6. März 2026 1. Ärmel +5 1. Bodo +5")


def test_names_are_escaped_in_the_picture(cast: Cast) -> None:
    cast.club.name = "</svg><script>alert(1)</script>"
    cast.club.save()
    root = parse_svg(get(cast, "result_picture"))
    assert not list(root.iter(f"{SVG}script"))


def test_an_evening_without_games_says_so(cast: Cast) -> None:
    table = make_table(cast.club, held_on=datetime.date(2026, 4, 1))
    client = visit(cast.reader)
    for name in ("result", "paper"):
        assert "Noch kein Spiel" in get_text(client.get(reverse(name, args=["karo", table.evening_id])))
    for name in ("result_text", "result_picture"):
        assert "0 Spiele" in client.get(reverse(name, args=["karo", table.evening_id])).content.decode()


def test_the_sheet_on_paper_is_in_playing_order(played: Cast) -> None:
    text = get_text(get(played, "paper"))
    assert "Karo Eins Freitag, 6. März 2026 , Zum <Ochsen> · Tisch 1 · ddv" in text
    order = [text.index(f" {label} ") for label in ("Nr. Ärmel Bodo Çelik Özlem Wert 1", "Neu gegeben", "Summe")]
    assert order == sorted(order)
    assert "Summe 5 5 3 −13 0" in text
    assert text.index("Für die Richtigkeit:") > order[-1]


def test_a_line_without_a_game_has_its_reason_on_paper(played: Cast) -> None:
    add_game(played.table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient")
    add_game(played.table, form="redeal", seat=2, reason="Karte offen")
    text = get_text(get(played, "paper"))
    assert re.search("Straf\u00adpunkte .* Nicht bedient Neu gegeben .* Çelik: Karte offen Summe", text)


def test_a_closed_evening_names_the_players_present(played: Cast) -> None:
    """On the result, at the table and on paper, where only they have a line to sign. A reopened evening names none."""
    people, evening = read_records(played.table).current, played.table.evening
    signed = "Abgezeichnet von Bodo, Çelik."
    close_evening(evening=evening, actor=Actor(), present=people[:1])
    reopen_evening(evening=evening, actor=Actor())
    pages = [get(played, "result"), get(played, "paper"), visit(played.reader).get(get_table_address(played))]
    assert all("Abgezeichnet" not in get_text(page) for page in pages)
    assert list_signers(pages[1]) == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    close_evening(evening=evening, actor=Actor(), present=people[1:3])
    pages = [get(played, "result"), get(played, "paper")]
    pages += [visit(user).get(get_table_address(played)) for user in (played.reader, played.admin)]
    assert all(signed in get_text(page) for page in pages)
    assert list_signers(pages[1]) == ["Bodo", "Çelik"]


def get_table_address(played: Cast) -> str:
    return reverse("table", args=["karo", played.table.pk])


def list_signers(paper: HttpResponse) -> list[str]:
    found = re.search(r'<ul class="signatures">(.*?)</ul>', unmarked(paper.content.decode()))
    return re.findall(r"<li>(.*?)</li>", found[1]) if found else []
