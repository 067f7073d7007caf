"""Test lines sent by scripts and phones: answers, retries, conflicts, corrections, deletions and undo."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Table, TableResult, Verb
from scoring.play import queries
from scoring.play.queries import read_records
from scoring.rules.sheet import Line, LineResult, fold
from scoring.table.actions.games import delete_game, undo
from scoring.table.actions.tables import renew_link
from tests.cash.kasse import closed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.client import visit
from tests.factories import Cast, add_game, make_table
from tests.html import flat, unmarked
from tests.months import close, make_season
from tests.table.views.asking import (
    KEY,
    NORMAL,
    OTHER_KEY,
    SHORT,
    build_entry,
    by_link,
    find_fault,
    get_form_data,
    get_game_url,
    get_games_url,
    get_table_url,
    list_keys,
    send,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(cast: Cast) -> Table:
    """Return a table without lines."""
    return make_table(cast.club)


# --- A new line, from a script --------------------------------------------------------------------------------------


def test_a_table_is_folded_once_in_a_save(scorer: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored rows, answer and messages come from the same fold."""
    folds: list[int] = []

    def counted(lines: list[Line], *rules: Any) -> list[LineResult]:
        folds.append(len(lines))
        return fold(lines, *rules)

    monkeypatch.setattr(queries, "fold", counted)
    sent = build_entry(cast.game, dealer=1)
    assert send(scorer, get_games_url(cast.table), sent).status_code == 201
    assert folds == [2]
    address = get_game_url(Game.objects.get(key=KEY))
    assert send(scorer, address, {**sent, "version": 1, "eyes": 100, "confirm": True}).status_code == 200
    assert folds == [2, 2]


def test_the_answer_to_a_new_line_has_all_fields(scorer: Client, cast: Cast) -> None:
    seats = list(cast.game.round.seats.order_by("place").values_list("player", flat=True))
    response = send(scorer, get_games_url(cast.table), build_entry(cast.game, re_said="said", note="  Regen  ", dealer=1))
    assert (response.status_code, response["Content-Type"]) == (201, "application/json")
    answer = response.json()
    assert answer.keys() == {"key", "lines", "next", "change", "remarks"}
    assert (answer["key"], answer["change"], answer["remarks"]) == (KEY, Change.objects.latest("id").pk, [])
    (line,), following = answer["lines"], answer["next"]
    assert line == {
        "key": KEY, "version": 1, "form": "played", "number": 2, "cycle": 1, "ends_cycle": False, "label": "2",
        "table": 4, "seats": seats, "dealer": 1, "out": [], "soloist": None, "note": "Regen",
        "facts": {**NORMAL, "re_said": "said"}, "winner": "re", "winners": [0, 1], "value": 3,
        "points": [3, 3, -3, -3], "bock": 0, "bock_started": 0,
    }
    assert following == {
        "number": 3, "cycle": 1, "dealer": 2, "leader": 3, "out": [], "owing": [0, 1, 2, 3], "soloist": None,
        "bock": [], "bock_from": [], "bock_runs": [], "bock_origin": "", "after": KEY,
        "round": read_records(cast.table).rounds[-1].pk,
    }


def test_the_answer_to_a_pflichtsolo_has_the_next_dealer(scorer: Client, cast: Cast) -> None:
    """After a Pflichtsolo the same seat deals, and its player owes none any more."""
    solo = {"kind": "damensolo", "re": [2], "duty": True, "eyes": 130}
    answer = send(scorer, get_games_url(cast.table), build_entry(cast.game, **solo)).json()
    assert (answer["lines"][0]["soloist"], answer["lines"][0]["winners"]) == (2, [2])
    assert (answer["next"]["dealer"], answer["next"]["owing"]) == (1, [0, 1, 3])


@pytest.mark.parametrize(
    ("fields", "form", "number", "points"),
    [
        (SHORT, "short", 2, [-3, 3, 3, -3]),
        ({**SHORT, "form": "short", "solo": False}, "short", 2, [-3, 3, 3, -3]),
        ({"form": "redeal"}, "redeal", None, [0, 0, 0, 0]),
        ({"form": "redeal", "seat": 2, "reason": "fünf Könige"}, "redeal", None, [0, 0, 0, 0]),
        ({"form": "penalty", "points": [-3, 1, 1, 1], "reason": "falsch bedient"}, "penalty", None, [-3, 1, 1, 1]),
        ({"form": "correction", "points": [5, 0, 0, -5], "reason": "Übertrag"}, "correction", None, [5, 0, 0, -5]),
    ],
)
def test_every_form_of_line(
    scorer: Client, cast: Cast, fields: dict[str, Any], form: str, number: int | None, points: list[int]
) -> None:
    response = send(scorer, get_games_url(cast.table), build_entry(cast.game, **fields))
    assert response.status_code == 201
    line = response.json()["lines"][0]
    assert (line["form"], line["number"], line["points"]) == (form, number, points)
    assert scorer.get(get_table_url(cast.table)).status_code == 200
    assert scorer.get(f"{get_games_url(cast.table)}{line['key']}/").status_code == 200


# --- Retries --------------------------------------------------------------------------------------------------------


def test_a_retry_is_answered_and_not_saved_twice(scorer: Client, cast: Cast) -> None:
    body = build_entry(cast.game, note="Regen")
    first = send(scorer, get_games_url(cast.table), body)
    again = send(scorer, get_games_url(cast.table), body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "change": None}
    assert list_keys(cast.table) == [str(cast.game.key), KEY]
    assert Change.objects.filter(subject_id=KEY).count() == 1
    assert TableResult.objects.get(table=cast.table, player=first.json()["lines"][0]["seats"][0]).games == 2


def test_a_late_retry_is_answered(scorer: Client, cast: Cast) -> None:
    """The game was corrected, another one followed, the evening was closed: a retry is still answered as saved."""
    body = build_entry(cast.game)
    send(scorer, get_games_url(cast.table), body)
    send(scorer, f"{get_games_url(cast.table)}{KEY}/", {**NORMAL, "eyes": 30, "version": 1, "confirm": True})
    later = add_game(cast.table).game
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    again = send(scorer, get_games_url(cast.table), body)
    assert (again.status_code, again.json()["lines"][0]["facts"]["eyes"]) == (200, 30)
    visit(cast.admin).post(f"{get_games_url(cast.table)}{KEY}/delete/", {"version": "2"})
    again = send(scorer, get_games_url(cast.table), body)
    assert (again.status_code, KEY in str(again.json()["lines"])) == (200, False), "a deleted line does not come back"
    assert list_keys(cast.table) == [str(cast.game.key), str(later.key)]


def test_a_key_is_for_one_content_and_one_table(scorer: Client, cast: Cast, empty: Table) -> None:
    used = {"error": "Hier ist schon ein anderes Spiel gespeichert. Bitte die Seite neu laden."}
    send(scorer, get_games_url(cast.table), build_entry(cast.game))
    for fields in ({"eyes": 131}, {"note": "anders"}, {"dealer": 3}, {"re": [0, 2]}, {"eyes": "viele"}):
        response = send(scorer, get_games_url(cast.table), {**build_entry(cast.game), **fields})
        assert (response.status_code, response.json()) == (422, used)
    for key in (cast.game.key, cast.other_game.key):
        response = send(scorer, get_games_url(empty), build_entry(key=str(key)))
        assert (response.status_code, response.json()) == (422, used)
    assert (len(list_keys(cast.table)), list_keys(empty)) == (2, [])


# --- Conflicts ------------------------------------------------------------------------------------------------------


def test_another_line_is_in_the_way(scorer: Client, cast: Cast) -> None:
    second = add_game(cast.table, eyes=30).game
    for after, standing, points in (
        *((nothing, cast.game, [1, 1, -1, -1]) for nothing in ("", OTHER_KEY, None)),
        (str(cast.game.key), second, [-4, -4, 4, 4]),
    ):
        response = send(scorer, get_games_url(cast.table), {**build_entry(), "after": after})
        answer = response.json()
        assert (response.status_code, answer["error"].endswith("Ist das dasselbe Spiel?")) == (409, True)
        assert (answer["standing"]["key"], answer["standing"]["points"]) == (str(standing.key), points)
        assert [line["key"] for line in answer["lines"]] == [str(cast.game.key), str(second.key)]
        assert answer["next"]["after"] == str(second.key)
    scorer.post(get_game_url(second, "game_delete"), {"version": "1"})
    response = send(scorer, get_games_url(cast.table), build_entry(second))
    assert (response.status_code, response.json()["standing"]["key"]) == (409, str(cast.game.key))
    assert send(scorer, get_games_url(cast.table), build_entry(response.json()["next"]["after"])).status_code == 201


def test_only_admins_change_a_closed_evening(scorer: Client, cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game)).status_code == 202, "it is kept as a late entry"
    correction = {**NORMAL, "eyes": 30, "version": 1, "confirm": True}
    response = send(scorer, get_game_url(cast.game), correction)
    assert response.status_code == 409
    assert response.json() == {"error": "Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen."}
    page = scorer.post(get_games_url(cast.table), {"form": "redeal", "key": KEY, "after": str(cast.game.key)})
    assert (page.status_code, "abgeschlossen" in page.content.decode()) == (409, True)
    assert list_keys(cast.table) == [str(cast.game.key)]
    assert send(visit(cast.admin), get_game_url(cast.game), correction).status_code == 200
    assert send(visit(cast.admin), get_games_url(cast.table), build_entry(cast.game)).status_code == 201
    assert "Der Abend ist abgeschlossen." in visit(cast.admin).get(get_table_url(cast.table)).content.decode()


def test_the_page_of_a_line_says_who_won_why_and_how_far_the_eyes_reached(scorer: Client, empty: Table) -> None:
    games: list[Game] = []
    lost = "Kontra hat angesagt und braucht 121. Bei 120 zu 120 gewinnt Re."
    for typed, headline, eyes in (
        ({"re": [0, 1], "eyes": 155}, "Re gewinnt 2", "Re 155 Augen Kontra 85"),
        ({"re": [0, 1], "band": "90-119"}, "Kontra gewinnt 2", "Re 90–119 Augen Kontra 121–150"),
        ({"re": [0, 1], "eyes": 120, "kontra_said": "said"}, lost, "Re je +3, Kontra je −3."),
        ({"kind": "damensolo", "re": [0], "eyes": 130}, "Solo gewinnt ", "Solo 130 Augen Gegner 110"),
        ({"kind": "damensolo", "re": [0], "band": "0"}, "Gegner gewinnen je 5, Solo −15", "Solo 0 Augen Gegner 240"),
        ({"form": "short", "winners": [0, 1], "base": 2}, "Was es jedem bringt", None),
        ({"form": "penalty", "points": [-3, 1, 1, 1], "reason": "Verworfen"}, "Was es jedem bringt", None),
    ):
        games.append(add_game(empty, **typed).game)
        page = scorer.get(get_game_url(games[-1])).content.decode()
        said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
        assert headline in said
        assert (eyes in said) if eyes else (" Augen " not in said)
    for game, beside in ((games[0], [games[1]]), (games[1], [games[0], games[2]]), (games[-1], [games[-2]])):
        nav = re.search(r'<nav class="beside-line.*?</nav>', scorer.get(get_game_url(game)).content.decode(), re.S)
        assert re.findall(r'href="([^"]+)"', nav[0]) == [get_game_url(one) for one in beside]


# --- Correcting -----------------------------------------------------------------------------------------------------


def test_a_correction_by_hand_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_game_url(cast.game)))
    assert (sent["re"], sent["eyes"], sent["version"], sent["dealer"]) == (["0", "1"], ["130"], ["1"], ["0"])
    refused = scorer.post(get_game_url(cast.game), sent | {"eyes": ["300"], "confirm": ["1"], "note": ["so"]})
    assert (refused.status_code, bool(find_fault(refused, "eyes"))) == (422, True)
    assert (get_form_data(refused)["eyes"], get_form_data(refused)["note"]) == (["300"], ["so"])
    sent |= {"eyes": ["30"], "note": ["verzählt"]}
    page = scorer.post(get_game_url(cast.game), sent)
    assert page.status_code == 200
    html = unescape(unmarked(page.content.decode()))
    assert "Spiel 1: bisher 1 (Re), jetzt 4 (Kontra)" in strip_tags(html)
    assert "Das ändert sich Stand: bisher → neu" in " ".join(strip_tags(html).split())
    assert "Spätere Spiele: wie bisher" not in html
    assert "Ärmel: Summe 1 → −4" in strip_tags(html)
    assert 'name="confirm" value="1"' in html
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 130, "the preview saves nothing"
    again = get_form_data(page)
    assert (again["eyes"], again["note"], again["version"]) == (["30"], ["verzählt"], ["1"])
    response = scorer.post(get_game_url(cast.game), again | {"confirm": ["1"]})
    assert (response.status_code, response["Location"]) == (302, get_table_url(cast.table))
    game = Game.objects.get(pk=cast.game.key)
    assert (game.facts["eyes"], game.note, game.version) == (30, "verzählt", 2)
    add_game(cast.table, re=[0, 1], eyes=130)
    sent = get_form_data(scorer.get(get_game_url(cast.game)))
    assert "Spätere Spiele: wie bisher" in scorer.post(get_game_url(cast.game), sent | {"eyes": ["130"]}).content.decode()
    same = scorer.post(get_game_url(cast.game), sent | {"eyes": ["31"]}).content.decode()
    assert "An den Punkten ändert sich nichts." in same
    html = unmarked(same)
    tiles = re.findall(r"(\w+)</span>\s*<small>(.*?)</small>", html, re.DOTALL)
    said = [(name, re.sub(r"<.*?>|\s+", " ", role).split()) for name, role in tiles]
    assert said == [("Ärmel", ["Re", "gibt"]), ("Bodo", ["Re"]), ("Çelik", ["Kontra"]), ("Özlem", ["Kontra"])]


def test_a_correction_from_a_script(scorer: Client, cast: Cast) -> None:
    add_game(cast.table)
    body = {**NORMAL, "eyes": 30, "version": 1}
    preview = send(scorer, get_game_url(cast.game), body)
    seats = list(cast.game.round.seats.order_by("place").values_list("player", flat=True))
    won, lost = (dict(zip(map(str, seats), side, strict=True)) for side in ([1, 1, -1, -1], [-4, -4, 4, 4]))
    effect = {"key": str(cast.game.key), "table": cast.table.pk, "value": [1, -4], "bock": [0, 0], "points": [won, lost]}
    assert (preview.status_code, preview.json()) == (200, {"effects": [effect]})
    assert Game.objects.get(pk=cast.game.key).version == 1
    done = send(scorer, get_game_url(cast.game), {**body, "confirm": True})
    assert done.status_code == 200
    line = done.json()["lines"][0]
    assert (line["key"], line["version"], line["points"]) == (str(cast.game.key), 2, [-4, -4, 4, 4])
    assert done.json()["change"] == Change.objects.latest("id").pk


def test_a_stale_correction_from_a_script(scorer: Client, cast: Cast) -> None:
    body = {**NORMAL, "confirm": True}
    send(scorer, get_game_url(cast.game), {**body, "eyes": 60, "version": 1})
    for version in (1, 0, 3, 10**9, None):
        response = send(scorer, get_game_url(cast.game), {**body, "eyes": 30, "version": version})
        assert response.status_code == 409
        answer = response.json()
        assert "beide Fassungen" in answer["error"]
        assert (answer["standing"]["version"], answer["standing"]["facts"]["eyes"]) == (2, 60)
    body |= {"eyes": 30, "version": answer["standing"]["version"]}
    assert send(scorer, get_game_url(cast.game), body).status_code == 200


def test_a_stale_correction_by_hand_shows_both_versions(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_game_url(cast.game))) | {"eyes": ["30"], "confirm": ["1"]}
    send(scorer, get_game_url(cast.game), {**NORMAL, "eyes": 200, "version": 1, "confirm": True})
    page = scorer.post(get_game_url(cast.game), sent)
    assert page.status_code == 409
    html = flat(page)
    assert "beide Fassungen" in html
    assert "„Zeigen, was sich ändert“ sagt, was sie daran ersetzt; gespeichert ist sie erst danach." in html
    assert ">Zeigen, was sich ändert</button>" in html
    assert "<b>200</b>" in html, "the present version"
    assert (get_form_data(page)["eyes"], get_form_data(page)["version"]) == (["30"], ["2"]), "the typed values, ready to be saved"
    assert scorer.post(get_game_url(cast.game), get_form_data(page) | {"confirm": ["1"]}).status_code == 302
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 30


def test_a_deleted_line_is_not_found(scorer: Client, cast: Cast) -> None:
    scorer.post(get_game_url(cast.game, "game_delete"), {"version": "1"})
    for name in ("game", "game_delete"):
        assert scorer.get(get_game_url(cast.game, name)).status_code == 404
    assert send(scorer, get_game_url(cast.game), {**NORMAL, "version": 1}).status_code == 409
    again = scorer.post(get_game_url(cast.game, "game_delete"), {"version": "1"}, follow=True)
    assert "Dieses Spiel wurde inzwischen gestrichen." in again.content.decode()


# --- Deleting and undoing -------------------------------------------------------------------------------------------


def test_striking_out_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    add_game(cast.table)
    page = unescape(unmarked(scorer.get(get_game_url(cast.game, "game_delete")).content.decode()))
    assert "Spiel 1: bisher 1, jetzt gestrichen" in strip_tags(page)
    assert "Ärmel: Summe 2 → 1" in strip_tags(page)
    assert len(list_keys(cast.table)) == 2
    response = scorer.post(get_game_url(cast.game, "game_delete"), {"version": "1"})
    assert (response.status_code, response["Location"]) == (302, get_table_url(cast.table))
    assert str(cast.game.key) not in list_keys(cast.table)
    assert TableResult.objects.filter(table=cast.table).order_by("-points")[0].points == 1


def test_striking_out_names_the_version_it_saw(scorer: Client, cast: Cast) -> None:
    for version in ("", "2", "0", "x", "²", "9" * 5000):
        response = scorer.post(get_game_url(cast.game, "game_delete"), {"version": version})
        assert (response.status_code, response["Location"]) == (302, get_game_url(cast.game))
    assert "inzwischen geändert" in scorer.get(response["Location"]).content.decode()
    assert list_keys(cast.table) == [str(cast.game.key)]


def test_striking_out_beside_a_damaged_line_is_refused_in_the_language_of_the_reader(scorer: Client, cast: Cast) -> None:
    """The rules refuse the other line, which was changed past the program."""
    damaged = add_game(cast.table).game
    Game.objects.filter(key=damaged.key).update(facts={**NORMAL, "eyes": 500})
    address, english = get_game_url(cast.game, "game_delete"), {"Accept-Language": "en"}
    sentence = "Please give Re’s eyes as a whole number from 0 to 240."
    assert send(scorer, address, {"version": 1, "confirm": True}, **english).json() == {"errors": {"eyes": sentence}}
    for response in (scorer.get(address, headers=english), scorer.post(address, {"version": "1"}, headers=english)):
        assert [str(message) for message in get_messages(response.wsgi_request)][-1] == sentence
    assert list_keys(cast.table) == [str(cast.game.key), str(damaged.key)]


def test_the_last_change_can_be_taken_back_once(scorer: Client, cast: Cast) -> None:
    """A correction, a deletion and an entry; and no other change than the one that is named."""
    address = reverse("undo", args=["karo", cast.table.pk])

    def find_change(page: HttpResponse) -> str:
        return re.search(r'<form[^>]*id="undo".*?name="change" value="(\d*)"', page.content.decode(), re.S)[1]

    send(scorer, get_game_url(cast.game), {**NORMAL, "eyes": 30, "version": 1, "confirm": True})
    change = find_change(scorer.get(get_table_url(cast.table)))
    response = scorer.post(address, {"change": change})
    assert (response.status_code, response["Location"]) == (302, get_table_url(cast.table))
    page = scorer.get(get_table_url(cast.table))
    assert "Zurückgenommen." in page.content.decode()
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 130
    assert find_change(page) == ""
    scorer.post(get_game_url(cast.game, "game_delete"), {"version": "3"})
    scorer.post(address, {"change": find_change(scorer.get(get_table_url(cast.table)))})
    assert list_keys(cast.table) == [str(cast.game.key)]
    answer = send(scorer, get_games_url(cast.table), build_entry(cast.game)).json()
    for other in ("", "0", "x", "²", "9" * 5000, change):
        refused = scorer.post(address, {"change": other}, follow=True)
        assert "nicht mehr rückgängig" in refused.content.decode()
    assert list_keys(cast.table) == [str(cast.game.key), KEY]
    scorer.post(address, {"change": answer["change"]})
    assert list_keys(cast.table) == [str(cast.game.key)]


def test_a_correction_of_a_deleted_line_can_be_added_as_a_new_one(scorer: Client, cast: Cast) -> None:
    before = Game.objects.count()
    page = scorer.get(get_game_url(cast.game)).context["form"]
    typed = {name: page[name].value() for name in ("form", "version", "dealer", "kind", "re")} | {"eyes": "199"}
    delete_game(table=cast.table, actor=Actor(), key=cast.game.key, version=cast.game.version)
    answer = scorer.post(get_game_url(cast.game), {**typed, "confirm": "1"})
    assert answer.status_code == 409
    assert "inzwischen gestrichen" in answer.content.decode()
    form = answer.context["form"]
    assert form["eyes"].value() == "199"
    again = scorer.post(get_games_url(cast.table), {**typed, **{name: form[name].value() for name in ("key", "after")}})
    assert again.status_code == 302
    assert Game.objects.count() == before + 1


CORRECTED = {**NORMAL, "eyes": 160, "confirm": True, "version": 1}
STRUCK = {"version": 1, "confirm": True}


@pytest.fixture
def games(cast: Cast) -> list[Game]:
    """Three games on the sheet."""
    return [cast.game, add_game(cast.table, eyes=100, re_said="said").game, add_game(cast.table, eyes=150).game]


def strike(client: Client, game: Game, body: object = STRUCK, **headers: str) -> HttpResponse:
    return send(client, get_game_url(game, "game_delete"), body, **headers)


def correct(client: Client, game: Game, body: dict[str, Any] = CORRECTED, **headers: str) -> HttpResponse:
    return send(client, get_game_url(game), body, **headers)


def done(verb: Verb) -> int:
    return Change.objects.filter(verb=verb).count()


# --- Deletions by a phone -------------------------------------------------------------------------------------------


def test_a_line_is_struck_out_once(scorer: Client, cast: Cast, games: list[Game]) -> None:
    keys = list_keys(cast.table)
    shown = strike(scorer, games[1], {"version": 1})
    assert (shown.status_code, shown.json()["effects"][0]["value"][1], list_keys(cast.table)) == (200, None, keys)
    first = strike(scorer, games[1])
    assert (first.status_code, first.json()["keep"], first.json()["change"]) == (200, 0, Change.objects.latest("id").pk)
    assert [(line["key"], line["number"]) for line in first.json()["lines"]] == [(keys[0], 1), (keys[2], 2)]
    again = strike(scorer, games[1])
    assert (again.status_code, again.json()["change"], again.json()["lines"]) == (200, None, first.json()["lines"])
    assert (list_keys(cast.table), done(Verb.GAME_DELETED)) == ([keys[0], keys[2]], 1)
    undo(table=cast.table, actor=Actor(), change_id=first.json()["change"])
    stale = strike(scorer, games[1])
    assert (stale.status_code, stale.json()["standing"]["version"], list_keys(cast.table)) == (409, 3, keys), "it was restored"
    correct(scorer, games[1], {**CORRECTED, "version": 3})
    stale = strike(scorer, games[1], {"version": 3, "confirm": True})
    assert (stale.status_code, stale.json()["standing"]["version"], len(stale.json()["lines"])) == (409, 4, 3)
    assert strike(scorer, games[1], {"version": 4, "confirm": True}).status_code == 200


def test_deletions_that_are_refused(scorer: Client, cast: Cast, games: list[Game]) -> None:
    for body, field in (({"version": "x"}, "version"), ({"version": 1, "eyes": 3}, "eyes"), (["out"], "line")):
        refused = strike(scorer, games[1], body)
        assert (refused.status_code, refused.json()["errors"].keys()) == (422, {field})
    assert strike(visit(cast.reader), games[1]).status_code == 403
    assert strike(visit(cast.stranger), games[1]).status_code == 404
    assert strike(Client(), games[1]).status_code == 401
    strike(scorer, games[2])
    close_evening(evening=cast.table.evening, actor=Actor())
    closed = strike(scorer, games[1])
    assert (closed.status_code, closed.json().keys()) == (409, {"error"})
    assert strike(scorer, games[2]).status_code == 200, "it was deleted before the closing"
    assert done(Verb.GAME_DELETED) == 1


# --- Correcting -----------------------------------------------------------------------------------------------------


def test_a_retry_of_a_correction_is_known_also_after_later_changes(scorer: Client, cast: Cast, games: list[Game]) -> None:
    first = correct(scorer, games[1])
    assert (first.status_code, first.json()["keep"], len(first.json()["lines"])) == (200, 0, 3)
    again = correct(scorer, games[1])
    assert (again.status_code, again.json()["change"], again.json()["lines"]) == (200, None, first.json()["lines"])
    assert (Game.objects.get(key=games[1].key).version, done(Verb.GAME_CORRECTED)) == (2, 1)
    second = correct(scorer, games[1], {**CORRECTED, "eyes": 170, "version": 2})
    again = correct(scorer, games[1])
    assert (again.status_code, again.json()["change"]) == (200, None)
    for other in ({"eyes": 161}, {"note": "anders"}, {"version": 2}):
        stale = correct(scorer, games[1], {**CORRECTED, **other})
        assert (stale.status_code, stale.json()["standing"]["facts"]["eyes"]) == (409, 170), "another one of an old version"
    undo(table=cast.table, actor=Actor(), change_id=second.json()["change"])
    same = correct(scorer, games[1], {**CORRECTED, "version": 3})
    assert same.status_code == 409, "an undo restored this content, but no phone sent it"
    strike(scorer, games[1], {"version": 4, "confirm": True})
    assert correct(scorer, games[1]).status_code == 200
    close_evening(evening=cast.table.evening, actor=Actor())
    assert correct(scorer, games[1]).status_code == 200


# --- Author and link ------------------------------------------------------------------------------------------------


def test_entries_of_another_author_are_refused(scorer: Client, cast: Cast, games: list[Game]) -> None:
    other = {"Typed-By": str(cast.admin.pk)}
    insert = get_game_url(games[1], "game_insert")
    inserted = send(scorer, insert, build_entry(confirm=True), **other)
    added = send(scorer, get_games_url(cast.table), build_entry(games[2]), **other)
    answers = [correct(scorer, games[1], **other), strike(scorer, games[1], **other), inserted, added]
    assert [answer.status_code for answer in answers] == [401] * 4
    assert "jemand anders" in added.json()["error"]
    assert (len(list_keys(cast.table)), done(Verb.GAME_CORRECTED)) == (3, 0)
    mine = {"Typed-By": str(cast.scorer.pk)}
    assert send(scorer, insert, build_entry(confirm=True), **mine).status_code == 201
    assert KEY in list_keys(cast.table)


@pytest.mark.parametrize("body", [CORRECTED, {**CORRECTED, "confirm": False}])
def test_an_ended_link_changes_no_line(cast: Cast, games: list[Game], body: dict[str, Any]) -> None:
    phone = by_link(cast.table, "Ärmel")
    assert correct(phone, games[1], body).status_code == 200
    at = Game.objects.get(key=games[1].key).version
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    before = list_keys(cast.table)
    answers = [correct(phone, games[1], {**body, "version": at}), strike(phone, games[1], {**STRUCK, "version": at})]
    assert [(answer.status_code, answer.json().keys()) for answer in answers] == [(409, {"error"})] * 2
    assert (list_keys(cast.table), Game.objects.get(key=games[1].key).version) == (before, at)
    # A form is redirected, since it did not wait.
    assert phone.post(get_game_url(games[1], "game_delete"), {"version": at}).status_code == 302
    assert list_keys(cast.table) == before


IN_LEAGUE = "März 2026 ist in der Liga „Saison“ abgeschlossen: Über einen Nachtrag entscheidet ein Verwalter."
IN_KASSE = "März 2026 ist in der Kasse abgeschlossen: Der Unterschied wird mit dem heutigen Tag gebucht."


@pytest.fixture
def table(cast: Cast) -> Table:
    """Return a table of a closed evening with a tariff and two games."""
    give_tariff(cast.club)
    make_season(cast.club)
    table = make_table(cast.club)
    for _game in range(2):
        add_game(table)
    for evening in (cast.table.evening, table.evening):
        close_evening(evening=evening, actor=TREASURER)
    return table


def effects(response: HttpResponse) -> list[str]:
    """Return the lines of the preview."""
    found = re.search(r'id="effects".*?</div>', response.content.decode(), re.DOTALL)
    assert found, response.status_code
    return re.findall(r"<li>(.*?)</li>", unescape(found[0]))


def test_a_correction_says_that_its_month_is_closed(cast: Cast, table: Table) -> None:
    admin, game = visit(cast.admin), Game.objects.filter(round__table=table).earliest("position")
    sent = get_form_data(admin.get(get_game_url(game))) | {"eyes": ["100"]}

    def said(more: dict[str, list[str]] = sent) -> list[str]:
        return [line for line in effects(admin.post(get_game_url(game), more)) if "abgeschlossen" in line]

    assert said() == []
    close(table.evening.club.seasons.get(), "2026-03")
    assert said() == [IN_LEAGUE]
    closed(cast.club, "2026-03")
    assert said() == [IN_LEAGUE, IN_KASSE]
    same = get_form_data(admin.get(get_game_url(game)))
    assert said(same) == [], "nothing changes"
    struck = effects(admin.get(get_game_url(game, "game_delete")))
    assert struck[-2:] == [IN_LEAGUE, IN_KASSE]


def test_a_change_of_money_names_the_month_closed_in_the_kasse(client: Client, cast: Cast, table: Table) -> None:
    closed(cast.club, "2026-03")
    client.force_login(cast.treasurer)
    address = f"/c/karo/evenings/{table.evening_id}/cash/"
    loser = table.evening.attendance.latest("pk").player_id
    fined = {"key": str(uuid4()), "player": str(loser), "code": "misdeal", "amount": ""}
    assert IN_KASSE in client.post(address + "fines/", fined).content.decode()
    tariff = give_tariff(cast.club, fee={"cents": 900})
    assert IN_KASSE in client.get(address + f"tariff/?tariff={tariff.pk}").content.decode()
