"""Correcting, striking out and taking back: shown before it is done, and refused where somebody was faster."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.models import Change, Game, TableResult
from scoring.table.actions.games import delete_game
from tests.factories import Cast, add_game, make_table
from tests.pages import flat, unmarked
from tests.table.views.asking import NORMAL, entry, fault, game_at, games_of, lines, page_of, seen_by, send, typed

# --- How the table is asked -----------------------------------------------------------------------------------------


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


# --- Correcting -----------------------------------------------------------------------------------------------------


def test_a_correction_by_hand_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(game_at(cast.game)))
    assert (sent["re"], sent["eyes"], sent["version"], sent["dealer"]) == (["0", "1"], ["130"], ["1"], ["0"])
    sent |= {"eyes": ["30"], "note": ["verzählt"]}
    page = scorer.post(game_at(cast.game), sent)
    assert page.status_code == 200
    html = unescape(unmarked(page.content.decode()))
    assert "Das ändert sich" in html
    assert "Spiel 1: 1 (Re) → 4 (Kontra)" in strip_tags(html)
    assert "Das ändert sich bisher → neu" in " ".join(strip_tags(html).split())
    assert "Ärmel: Summe 1 → −4" in strip_tags(html)
    assert 'name="confirm" value="1"' in html
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 130, "shown is not done"
    again = typed(page)
    assert (again["eyes"], again["note"], again["version"]) == (["30"], ["verzählt"], ["1"])
    response = scorer.post(game_at(cast.game), again | {"confirm": ["1"]})
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    game = Game.objects.get(pk=cast.game.key)
    assert (game.facts["eyes"], game.note, game.version) == (30, "verzählt", 2)


def test_a_correction_that_changes_no_later_game_says_so(scorer: Client, cast: Cast) -> None:
    asked = typed(scorer.get(game_at(cast.game))) | {"eyes": ["30"]}
    assert "Spätere Spiele: wie bisher" not in scorer.post(game_at(cast.game), asked).content.decode()
    add_game(cast.table, re=[0, 1], eyes=130)
    assert "Spätere Spiele: wie bisher" in scorer.post(game_at(cast.game), asked).content.decode()


def test_a_line_says_who_was_re_and_who_dealt(scorer: Client, cast: Cast) -> None:
    html = unmarked(scorer.get(game_at(cast.game)).content.decode())
    tiles = re.findall(r"(\w+)</span>\s*<small>(.*?)</small>", html, re.DOTALL)
    said = [(name, re.sub(r"<.*?>|\s+", " ", role).split()) for name, role in tiles]
    assert said == [("Ärmel", ["Re", "gibt"]), ("Bodo", ["Re"]), ("Çelik", ["Kontra"]), ("Özlem", ["Kontra"])]


def test_a_correction_that_changes_no_points_says_so(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(game_at(cast.game))) | {"eyes": ["131"]}
    assert "An den Punkten ändert sich nichts." in scorer.post(game_at(cast.game), sent).content.decode()


def test_a_refused_correction_by_hand_keeps_what_was_typed(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(game_at(cast.game))) | {"eyes": ["300"], "confirm": ["1"], "note": ["so"]}
    page = scorer.post(game_at(cast.game), sent)
    assert (page.status_code, bool(fault(page, "eyes"))) == (422, True)
    assert (typed(page)["eyes"], typed(page)["note"]) == (["300"], ["so"])


def test_a_correction_from_a_script(scorer: Client, cast: Cast) -> None:
    add_game(cast.table)
    body = {**NORMAL, "eyes": 30, "version": 1}
    preview = send(scorer, game_at(cast.game), body)
    seats = list(cast.game.round.seats.order_by("place").values_list("player", flat=True))
    won, lost = (
        {str(seat): points for seat, points in zip(seats, side, strict=True)}
        for side in ([1, 1, -1, -1], [-4, -4, 4, 4])
    )
    assert (preview.status_code, preview.json()) == (
        200,
        {
            "effects": [
                {
                    "key": str(cast.game.key),
                    "table": cast.table.pk,
                    "value": [1, -4],
                    "bock": [0, 0],
                    "points": [won, lost],
                }
            ]
        },
    )
    assert Game.objects.get(pk=cast.game.key).version == 1
    done = send(scorer, game_at(cast.game), {**body, "confirm": True})
    assert done.status_code == 200
    line = done.json()["lines"][0]
    assert (line["key"], line["version"], line["points"]) == (str(cast.game.key), 2, [-4, -4, 4, 4])
    assert done.json()["change"] == Change.objects.latest("id").pk


def test_a_correction_may_change_other_lines(cast: Cast) -> None:
    """With Bock, one line that starts it makes the next ones dearer: all of them are in the answer."""
    table = make_table(cast.club, preset="anleitung")
    first, second = add_game(table).game, add_game(table).game
    client, body = seen_by(cast.scorer), {**NORMAL, "eyes": 110, "re_said": "said", "version": 1}
    effects = send(client, game_at(first), body).json()["effects"]
    assert [effect["key"] for effect in effects] == [str(first.key), str(second.key)]
    assert effects[1]["bock"] == [0, 1]
    answer = send(client, game_at(first), {**body, "confirm": True}).json()
    assert [(line["key"], line["bock"]) for line in answer["lines"]] == [(str(first.key), 0), (str(second.key), 1)]


def test_a_stale_correction_from_a_script(scorer: Client, cast: Cast) -> None:
    body = {**NORMAL, "confirm": True}
    send(scorer, game_at(cast.game), {**body, "eyes": 60, "version": 1})
    for version in (1, 0, 3, 10**9, None):
        response = send(scorer, game_at(cast.game), {**body, "eyes": 30, "version": version})
        assert response.status_code == 409
        answer = response.json()
        assert "beide Fassungen" in answer["error"]
        assert (answer["standing"]["version"], answer["standing"]["facts"]["eyes"]) == (2, 60)
    assert (
        send(scorer, game_at(cast.game), {**body, "eyes": 30, "version": answer["standing"]["version"]}).status_code
        == 200
    )


def test_a_stale_correction_by_hand_shows_both_versions(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(game_at(cast.game))) | {"eyes": ["30"], "confirm": ["1"]}
    send(scorer, game_at(cast.game), {**NORMAL, "eyes": 200, "version": 1, "confirm": True})
    page = scorer.post(game_at(cast.game), sent)
    assert page.status_code == 409
    html = flat(page)
    assert "beide Fassungen" in html
    assert "„Zeigen, was sich ändert“ sagt, was sie daran ersetzt; gespeichert ist sie erst danach." in html
    assert ">Zeigen, was sich ändert</button>" in html
    assert "<b>200</b>" in html, "what stands now"
    assert (typed(page)["eyes"], typed(page)["version"]) == (["30"], ["2"]), "what was typed, ready to replace it"
    assert scorer.post(game_at(cast.game), typed(page) | {"confirm": ["1"]}).status_code == 302
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 30


def test_a_line_that_was_struck_out_is_not_there(scorer: Client, cast: Cast) -> None:
    scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    for name in ("game", "game_delete"):
        assert scorer.get(game_at(cast.game, name)).status_code == 404
    assert send(scorer, game_at(cast.game), {**NORMAL, "version": 1}).status_code == 409
    again = scorer.post(game_at(cast.game, "game_delete"), {"version": "1"}, follow=True)
    assert "Dieses Spiel wurde inzwischen gestrichen." in again.content.decode()


# --- Striking out and taking back -----------------------------------------------------------------------------------


def test_striking_out_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    add_game(cast.table)
    page = unescape(unmarked(scorer.get(game_at(cast.game, "game_delete")).content.decode()))
    assert "Spiel 1: 1 → gestrichen" in strip_tags(page)
    assert "Ärmel: Summe 2 → 1" in strip_tags(page)
    assert len(lines(cast.table)) == 2
    response = scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    assert str(cast.game.key) not in lines(cast.table)
    assert TableResult.objects.filter(table=cast.table).order_by("-points")[0].points == 1


@pytest.mark.parametrize("version", ["", "2", "0", "x", "²", "9" * 5000])
def test_striking_out_names_the_version_it_saw(scorer: Client, cast: Cast, version: str) -> None:
    response = scorer.post(game_at(cast.game, "game_delete"), {"version": version})
    assert (response.status_code, response["Location"]) == (302, game_at(cast.game))
    assert "inzwischen geändert" in scorer.get(response["Location"]).content.decode()
    assert lines(cast.table) == [str(cast.game.key)]


def undo_of(page: HttpResponse) -> str:
    found = re.search(r'<form[^>]*id="undo".*?name="change" value="(\d*)"', page.content.decode(), re.S)
    assert found
    return found[1]


def test_the_last_change_can_be_taken_back_once(scorer: Client, cast: Cast) -> None:
    address = reverse("undo", args=["karo", cast.table.pk])
    send(scorer, game_at(cast.game), {**NORMAL, "eyes": 30, "version": 1, "confirm": True})
    change = undo_of(scorer.get(page_of(cast.table)))
    response = scorer.post(address, {"change": change})
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    page = scorer.get(page_of(cast.table))
    assert "Zurückgenommen." in page.content.decode()
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 130
    assert undo_of(page) == ""
    assert "nicht mehr rückgängig" in scorer.post(address, {"change": change}, follow=True).content.decode()


def test_an_entry_and_a_deletion_can_be_taken_back(scorer: Client, cast: Cast) -> None:
    address = reverse("undo", args=["karo", cast.table.pk])
    scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    scorer.post(address, {"change": undo_of(scorer.get(page_of(cast.table)))})
    assert lines(cast.table) == [str(cast.game.key)]
    answer = send(scorer, games_of(cast.table), entry(cast.game)).json()
    scorer.post(address, {"change": answer["change"]})
    assert lines(cast.table) == [str(cast.game.key)]


@pytest.mark.parametrize("change", ["", "0", "x", "²", "9" * 5000, "older"])
def test_nobody_elses_change_is_taken_back(scorer: Client, cast: Cast, change: str) -> None:
    number = str(Change.objects.latest("id").pk) if change == "older" else change
    second = add_game(cast.table).game
    page = scorer.post(reverse("undo", args=["karo", cast.table.pk]), {"change": number}, follow=True)
    assert "nicht mehr rückgängig" in page.content.decode()
    assert lines(cast.table) == [str(cast.game.key), str(second.key)]


# --- What it costs --------------------------------------------------------------------------------------------------


def test_what_was_typed_for_a_line_struck_out_meanwhile_can_be_entered_anew(scorer: Client, cast: Cast) -> None:
    before = Game.objects.count()
    page = scorer.get(game_at(cast.game)).context["form"]
    typed = {name: page[name].value() for name in ("form", "version", "dealer", "kind", "re")} | {"eyes": "199"}
    delete_game(table=cast.table, actor=Actor(), key=cast.game.key, version=cast.game.version)

    answer = scorer.post(game_at(cast.game), {**typed, "confirm": "1"})

    assert answer.status_code == 409
    assert "inzwischen gestrichen" in answer.content.decode()
    form = answer.context["form"]
    assert form["eyes"].value() == "199"
    again = scorer.post(games_of(cast.table), {**typed, **{name: form[name].value() for name in ("key", "after")}})
    assert again.status_code == 302
    assert Game.objects.count() == before + 1
