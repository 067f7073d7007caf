"""The result of an evening: page, text, picture, and the sheet on paper."""

from __future__ import annotations

import datetime
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.http import HttpResponse
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening, reopen_evening, seat_players
from scoring.models import Table
from scoring.play.queries import read_records
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table
from tests.html import flat, unmarked

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
