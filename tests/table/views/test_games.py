"""The address of the table, as a script and as a form without a script ask it: what is saved, what is refused and where
it is said, what is shown before a line changes, and what all that costs in queries."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, example, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from scoring.club.actions.history import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Table, TableResult
from scoring.play.actions.replay import derive, read_stored, store
from scoring.play.queries.records import read_records
from scoring.table.actions.games import delete_game
from tests.factories import Cast, add_game, make_rule_set, make_table

NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}
SHORT = {"winners": [1, 2], "base": 3}
KEY, OTHER_KEY = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


# --- How the table is asked -----------------------------------------------------------------------------------------


def seen_by(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def empty(cast: Cast) -> Table:
    """A table of the club with no line on its sheet."""
    return make_table(cast.club)


def games_of(table: Table) -> str:
    return reverse("games", args=["karo", table.pk])


def page_of(table: Table) -> str:
    return reverse("table", args=["karo", table.pk])


def game_at(game: Game, name: str = "game") -> str:
    return reverse(name, args=["karo", game.round.table_id, game.key])


def send(client: Client, address: str, body: object, **headers: str) -> HttpResponse:
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers or None)


def entry(after: Game | str = "", **fields: Any) -> dict[str, Any]:
    """A new line as JSON, an ordinary game unless other facts are given."""
    after = str(after.key) if isinstance(after, Game) else after
    facts = {} if fields.keys() & {"kind", "winners", "form"} else NORMAL
    return {"key": KEY, "after": after, **facts, **fields}


def typed(page: HttpResponse) -> dict[str, list[str]]:
    """What a browser would send of the entry on this page, as it stands there."""
    html = page.content.decode()
    form = re.search(r'<form class="entry".*?</form>', html, re.S)
    assert form
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        found = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        pill = found.get("type") in ("radio", "checkbox")
        if "name" in found and (not pill or re.search(r"\schecked\b", tag)):
            sent.setdefault(found["name"], []).append(unescape(found.get("value", "on" if pill else "")))
    return sent


def fault(page: HttpResponse, name: str) -> str:
    """The sentence that stands at one field of the form."""
    place = re.search(rf'<p class="fault" id="fault-{name}"[^>]*?(hidden)?>(.*?)</p>', page.content.decode(), re.S)
    assert place, name
    return "" if place[1] else unescape(place[2])


def lines(table: Table) -> list[str]:
    games = Game.objects.filter(round__table=table, deleted=False).order_by("position")
    return [str(game.key) for game in games]


# --- A new line, from a script --------------------------------------------------------------------------------------


def test_a_new_line_is_answered_with_all_there_is_to_show(scorer: Client, cast: Cast) -> None:
    seats = list(cast.game.round.seats.order_by("place").values_list("player", flat=True))
    response = send(scorer, games_of(cast.table), entry(cast.game, re_said="said", note="  Regen  ", dealer=1))
    assert response.status_code == 201
    assert response["Content-Type"] == "application/json"
    answer = response.json()
    assert answer.keys() == {"key", "lines", "next", "change", "remarks"}
    assert (answer["key"], answer["change"], answer["remarks"]) == (KEY, Change.objects.latest("id").pk, [])
    assert answer["lines"] == [
        {
            "key": KEY,
            "version": 1,
            "form": "played",
            "number": 2,
            "cycle": 1,
            "ends_cycle": False,
            "table": 4,
            "seats": seats,
            "dealer": 1,
            "out": [],
            "soloist": None,
            "facts": {**NORMAL, "re_said": "said"},
            "note": "Regen",
            "winner": "re",
            "winners": [0, 1],
            "value": 3,
            "points": [3, 3, -3, -3],
            "bock": 0,
            "bock_started": 0,
            "url": f"{games_of(cast.table)}{KEY}/",
            "label": "2",
        }
    ]
    assert answer["next"] == {
        "number": 3,
        "cycle": 1,
        "dealer": 2,
        "leader": 3,
        "out": [],
        "owing": [0, 1, 2, 3],
        "soloist": None,
        "bock": [],
        "bock_from": [],
        "bock_runs": [],
        "bock_origin": "",
        "after": KEY,
        "round": read_records(cast.table).rounds[-1].pk,
    }


def test_what_follows_from_a_line_comes_with_it(scorer: Client, cast: Cast) -> None:
    """A Pflichtsolo: the deal stays, one person owes nothing any more. A remark says what is odd."""
    solo = {"kind": "damensolo", "re": [2], "duty": True, "eyes": 130}
    answer = send(scorer, games_of(cast.table), entry(cast.game, **solo)).json()
    assert (answer["lines"][0]["soloist"], answer["lines"][0]["winners"]) == (2, [2])
    assert (answer["next"]["dealer"], answer["next"]["owing"]) == (1, [0, 1, 3])


def test_the_first_line_follows_nothing(scorer: Client, empty: Table) -> None:
    assert send(scorer, games_of(empty), entry()).status_code == 201
    assert send(scorer, games_of(make_table(empty.evening.club)), entry(None or "", key=OTHER_KEY)).status_code == 201
    assert lines(empty) == [KEY]


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
    response = send(scorer, games_of(cast.table), entry(cast.game, **fields))
    assert response.status_code == 201
    line = response.json()["lines"][0]
    assert (line["form"], line["number"], line["points"]) == (form, number, points)
    assert scorer.get(page_of(cast.table)).status_code == 200
    assert scorer.get(line["url"]).status_code == 200


# --- Once and no more -----------------------------------------------------------------------------------------------


def test_the_same_again_is_answered_and_not_booked_twice(scorer: Client, cast: Cast) -> None:
    body = entry(cast.game, note="Regen")
    first = send(scorer, games_of(cast.table), body)
    again = send(scorer, games_of(cast.table), body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "change": None}
    assert lines(cast.table) == [str(cast.game.key), KEY]
    assert Change.objects.filter(subject_id=KEY).count() == 1
    assert TableResult.objects.get(table=cast.table, player=first.json()["lines"][0]["seats"][0]).games == 2


def test_a_reply_that_was_lost_long_ago(scorer: Client, cast: Cast) -> None:
    """The game was corrected, another one came, the evening was closed: the phone still learns that it was saved."""
    body = entry(cast.game)
    send(scorer, games_of(cast.table), body)
    send(scorer, f"{games_of(cast.table)}{KEY}/", {**NORMAL, "eyes": 30, "version": 1, "confirm": True})
    add_game(cast.table)
    close_evening(evening=cast.table.evening, actor=cast.admin)
    again = send(scorer, games_of(cast.table), body)
    assert again.status_code == 200
    assert again.json()["lines"][0]["facts"]["eyes"] == 30
    assert len(lines(cast.table)) == 3


def test_a_line_that_was_struck_out_does_not_come_back_by_a_retry(scorer: Client, cast: Cast) -> None:
    body = entry(cast.game)
    send(scorer, games_of(cast.table), body)
    scorer.post(f"{games_of(cast.table)}{KEY}/delete/", {"version": "1"})
    again = send(scorer, games_of(cast.table), body)
    assert (again.status_code, again.json()["lines"]) == (200, [])
    assert lines(cast.table) == [str(cast.game.key)]


@pytest.mark.parametrize(
    "fields", [{"eyes": 131}, {"note": "anders"}, {"dealer": 3}, {"re": [0, 2]}, {"eyes": "viele"}]
)
def test_a_key_is_for_one_content(scorer: Client, cast: Cast, fields: dict[str, Any]) -> None:
    send(scorer, games_of(cast.table), entry(cast.game))
    response = send(scorer, games_of(cast.table), {**entry(cast.game), **fields})
    assert response.status_code == 422
    assert response.json() == {"error": "Unter diesem Schlüssel ist schon ein anderes Spiel gespeichert."}
    assert len(lines(cast.table)) == 2


def test_a_key_is_for_one_table(scorer: Client, cast: Cast, empty: Table) -> None:
    for key in (cast.game.key, cast.other_game.key):
        response = send(scorer, games_of(empty), entry(key=str(key)))
        assert (response.status_code, response.json().keys()) == (422, {"error"})
    assert lines(empty) == []


# --- What is in the way ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", ["", OTHER_KEY, None])
def test_another_line_stands_there_already(scorer: Client, cast: Cast, after: str | None) -> None:
    response = send(scorer, games_of(cast.table), {**entry(), "after": after})
    assert response.status_code == 409
    answer = response.json()
    assert answer["error"].endswith("Ist das dasselbe Spiel?")
    assert answer["standing"]["key"] == str(cast.game.key)
    assert answer["standing"]["points"] == [1, 1, -1, -1]
    assert [line["key"] for line in answer["lines"]] == [str(cast.game.key)]
    assert answer["next"]["after"] == str(cast.game.key)
    assert send(scorer, games_of(cast.table), entry(answer["next"]["after"])).status_code == 201


def test_of_several_lines_the_one_that_took_the_place_is_named(scorer: Client, cast: Cast) -> None:
    second = add_game(cast.table, eyes=30).game
    add_game(cast.table)
    answer = send(scorer, games_of(cast.table), entry(cast.game)).json()
    assert answer["standing"]["key"] == str(second.key)
    assert len(answer["lines"]) == 3


def test_a_line_that_is_gone_is_nothing_to_follow(scorer: Client, cast: Cast) -> None:
    scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    response = send(scorer, games_of(cast.table), entry(cast.game))
    assert (response.status_code, response.json()["standing"]) == (409, None)
    assert send(scorer, games_of(cast.table), entry(response.json()["next"]["after"])).status_code == 201


def test_a_closed_evening_is_the_admins(scorer: Client, cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=cast.admin)
    assert send(scorer, games_of(cast.table), entry(cast.game)).status_code == 202, "kept, and not on the sheet"
    correction = {**NORMAL, "eyes": 30, "version": 1, "confirm": True}
    response = send(scorer, game_at(cast.game), correction)
    assert response.status_code == 409
    assert response.json() == {"error": "Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen."}
    page = scorer.post(games_of(cast.table), {"form": "redeal", "key": KEY, "after": str(cast.game.key)})
    assert (page.status_code, "abgeschlossen" in page.content.decode()) == (409, True)
    assert lines(cast.table) == [str(cast.game.key)]
    assert send(seen_by(cast.admin), game_at(cast.game), correction).status_code == 200
    assert send(seen_by(cast.admin), games_of(cast.table), entry(cast.game)).status_code == 201
    assert "Der Abend ist abgeschlossen." in seen_by(cast.admin).get(page_of(cast.table)).content.decode()


def test_the_page_of_a_game_says_what_was_announced(scorer: Client, cast: Cast) -> None:
    game = add_game(cast.table, re=[0, 1], eyes=160, re_said="no90", kontra_said="said").game
    facts = re.search(r'<dl class="facts.*?</dl>', scorer.get(game_at(game)).content.decode(), re.S)[0]
    said = re.findall(r"<dt>(\w+ hat gesagt)</dt><dd>(.*?)</dd>", facts)
    assert said == [("Re hat gesagt", "keine 90"), ("Kontra hat gesagt", "Kontra")]


# --- What cannot be -------------------------------------------------------------------------------------------------

WRONG = [
    ({"kind": "skat"}, ["kind"]),
    ({"kind": None}, ["kind"]),
    ({"kind": [["normal"]]}, ["kind"]),
    ({"kind": "damensolo"}, ["re"]),
    ({"duty": True}, ["duty"]),
    ({"duty": "ja"}, ["duty"]),
    ({"re": [0]}, ["re"]),
    ({"re": [0, 0]}, ["re"]),
    ({"re": [0, 4]}, ["re"]),
    ({"re": "01"}, ["re"]),
    ({"re": [True, False]}, ["re"]),
    ({"eyes": 241}, ["eyes"]),
    ({"eyes": -1}, ["eyes"]),
    ({"eyes": 130.0}, ["eyes"]),
    ({"eyes": "130"}, ["eyes"]),
    ({"eyes": 10**400}, ["eyes"]),
    ({"eyes": float("inf")}, ["eyes"]),
    ({"band": "121-150"}, ["band"]),
    ({"re_said": "laut"}, ["re_said"]),
    ({"kontra_said": 1}, ["kontra_said"]),
    ({"last_said": "re"}, ["last_said"]),
    ({"no_trick": "kontra"}, ["no_trick"]),
    ({"re_specials": {"fuchs": 3}}, ["re_specials"]),
    ({"re_specials": ["fuchs"]}, ["re_specials"]),
    ({"re_specials": {"fuchs": 1}, "kontra_specials": {"fuchs": 2}}, ["kontra_specials"]),
    ({"kontra_specials": {"herzstich": 1}}, ["kontra_specials"]),
    ({"starts_bock": 1}, ["starts_bock"]),
    ({"starts_bock": -1}, ["starts_bock"]),
    ({"out": [3]}, ["out"]),
    ({"dealer": 4}, ["dealer"]),
    ({"dealer": 99}, ["dealer"]),
    ({"dealer": True}, ["dealer"]),
    ({"dealer": "0"}, ["dealer"]),
    ({"note": ["Regen"]}, ["note"]),
    ({"note": None}, ["note"]),
    ({"note": "x" * 201}, ["note"]),
    ({"note": "\u202eRegen"}, ["note"]),
    ({"note": "\x00"}, ["note"]),
    ({"note": "\ud800"}, ["note"]),
    ({"wetter": "Regen"}, ["wetter"]),
    ({"winners": [0, 1]}, ["winners"]),
    ({"rules": "ddv", "table": 4, "bock": 1}, ["bock", "rules", "table"]),
    ({"form": "skat"}, ["form"]),
    ({"form": ["played"]}, ["form"]),
    ({"form": True}, ["form"]),
    ({"form": "short"}, ["form"]),
    ({"form": "redeal"}, ["eyes", "kind", "re"]),
    ({"form": "penalty"}, ["eyes", "kind", "points", "re", "reason"]),
    ({"key": ""}, ["key"]),
    ({"key": None}, ["key"]),
    ({"key": 5}, ["key"]),
    ({"key": {"uuid": KEY}}, ["key"]),
    ({"key": "1234"}, ["key"]),
    ({"after": 5}, ["after"]),
    ({"after": "davor"}, ["after"]),
    ({"version": "x"}, ["version"]),
    ({"version": 1.5}, ["version"]),
    ({"version": True}, ["version"]),
    ({"version": "9" * 5000}, ["version"]),
    (
        {"key": 5, "after": 5, "version": "x", "dealer": True, "note": 5, "form": 5},
        ["after", "dealer", "form", "key", "note", "version"],
    ),
    ({"kind": "normal", "re": [0], "eyes": 500, "re_said": "laut", "wetter": 1}, ["eyes", "re", "re_said", "wetter"]),
]


@pytest.mark.parametrize(("fields", "at"), WRONG, ids=lambda value: ",".join(value) if isinstance(value, list) else "")
def test_each_fault_is_said_at_its_field(scorer: Client, cast: Cast, fields: dict[str, Any], at: list[str]) -> None:
    """For a new line and for a correction alike, and nothing is saved."""
    body = {**entry(cast.game), "version": 1, **fields}
    for address in (games_of(cast.table), game_at(cast.game)):
        if address == games_of(cast.table) or at != ["key"]:
            response = send(scorer, address, {**body, "confirm": True})
            assert response.status_code == 422
            errors = response.json()["errors"]
            assert sorted(errors) == at
            assert all(re.search(r"[a-zäöüß].*\.\)?$", sentence) for sentence in errors.values()), errors
    assert lines(cast.table) == [str(cast.game.key)]
    assert Game.objects.get(pk=cast.game.key).version == 1


@pytest.mark.parametrize(
    "facts", [SHORT, {"winners": [], "base": 1}, {"winners": [0], "base": 1}, {"winners": [0, 9], "base": 1}]
)
def test_the_short_form_has_its_own_fields(scorer: Client, cast: Cast, facts: dict[str, Any]) -> None:
    assert send(scorer, games_of(cast.table), entry(cast.game, **facts, form="played")).status_code == 422
    for fields, at in (({"base": -1}, "base"), ({"base": "3"}, "base"), ({"solo": 1}, "solo"), ({"eyes": 1}, "eyes")):
        errors = send(scorer, games_of(cast.table), entry(cast.game, **{**facts, **fields})).json()["errors"]
        assert at in errors
        assert ("winners" in errors) == (facts is not SHORT)


@pytest.mark.parametrize(
    "body",
    [b" ", b"null", b"[]", b'"Re"', b"5", b"{", b"\xff\xfe", b"[" * 100_000, b'{"re":' * 5_000, b"9" * 5_000, b"NaN"],
    ids=lambda body: body[:8].decode("latin-1"),
)
def test_what_is_no_object_is_refused(scorer: Client, cast: Cast, body: bytes) -> None:
    for address in (games_of(cast.table), game_at(cast.game)):
        response = scorer.post(address, body, content_type="application/json")
        assert response.status_code == 422
        assert response.json() == {"errors": {"line": "Bitte genau ein JSON-Objekt schicken."}}


@pytest.mark.parametrize("field", ["kind", "re_specials", "key", "wetter"])
def test_depth_is_no_way_in(scorer: Client, cast: Cast, field: str) -> None:
    start = json.dumps(entry(cast.game) | {field: 0})[:-2]
    for depth in range(5, 1000, 45):
        body = start + "[" * depth + "]" * depth + "}"
        assert scorer.post(games_of(cast.table), body, content_type="application/json").status_code == 422


def test_much_is_no_way_in(scorer: Client, cast: Cast) -> None:
    """A long text is refused as such; what is larger than any entry can be is not even read."""
    assert send(scorer, games_of(cast.table), entry(cast.game, note="x" * 10**6)).json()["errors"].keys() == {"note"}
    assert send(scorer, games_of(cast.table), entry(cast.game, note="x" * 3 * 10**6)).status_code == 400
    assert scorer.post(games_of(cast.table), {f"f{n}": "" for n in range(1001)}).status_code == 400
    assert scorer.post(games_of(cast.table), b"--", content_type="multipart/form-data").status_code == 400
    assert lines(cast.table) == [str(cast.game.key)]


# --- How it is asked ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "is_json"),
    [
        ("application/json", True),
        ("application/json, text/html;q=0.5", True),
        ("text/html", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
        ("*/*", False),
        ("image/png", False),
        ("", False),
        (";;q=x,,/", False),
    ],
)
def test_a_form_is_answered_as_was_asked(scorer: Client, cast: Cast, accept: str, is_json: bool) -> None:
    sent = {"key": KEY, "after": str(cast.game.key), "kind": "normal", "re": ["0", "1"], "eyes": "500"}
    refused = scorer.post(games_of(cast.table), sent, headers={"Accept": accept})
    assert refused.status_code == 422
    assert refused["Content-Type"].startswith("application/json" if is_json else "text/html")
    saved = scorer.post(games_of(cast.table), {**sent, "eyes": "130"}, headers={"Accept": accept})
    assert saved.status_code == (201 if is_json else 302)
    assert lines(cast.table) == [str(cast.game.key), KEY]


def test_what_is_sent_as_json_is_answered_so(scorer: Client, cast: Cast) -> None:
    for content_type in ("application/json", "application/json; charset=utf-8"):
        response = scorer.post(
            games_of(cast.table),
            json.dumps(entry(cast.game)),
            content_type=content_type,
            headers={"Accept": "text/html"},
        )
        assert response["Content-Type"] == "application/json"


def test_head_is_get_without_the_page(scorer: Client, cast: Cast) -> None:
    for address in (page_of(cast.table), game_at(cast.game), game_at(cast.game, "game_delete")):
        assert (scorer.head(address).status_code, scorer.head(address).content) == (200, b"")


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("table", "POST PUT PATCH DELETE"),
        ("games", "GET HEAD PUT PATCH DELETE"),
        ("game", "PUT PATCH DELETE"),
        ("game_delete", "PUT PATCH DELETE"),
        ("undo", "GET HEAD PUT PATCH DELETE"),
    ],
)
def test_other_methods_are_refused(scorer: Client, cast: Cast, name: str, methods: str) -> None:
    args = ["karo", cast.table.pk, *([cast.game.key] if name.startswith("game_") or name == "game" else [])]
    for method in methods.split():
        assert scorer.generic(method, reverse(name, args=args)).status_code == 405
    assert lines(cast.table) == [str(cast.game.key)]


def test_only_our_own_pages_may_send(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.scorer)
    body, form = entry(cast.game), {"form": "redeal", "key": KEY, "after": str(cast.game.key)}
    assert send(client, games_of(cast.table), body).status_code == 403
    assert client.post(games_of(cast.table), form).status_code == 403
    for name in ("game", "game_delete"):
        assert client.post(game_at(cast.game, name), {"version": "1", "confirm": "1"}).status_code == 403
    assert client.post(reverse("undo", args=["karo", cast.table.pk]), {"change": "1"}).status_code == 403
    assert lines(cast.table) == [str(cast.game.key)]
    client.get(page_of(cast.table))
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    assert send(client, games_of(cast.table), body, **{"X-CSRFToken": "x" * 32}).status_code == 403
    assert send(client, games_of(cast.table), body, **{"X-CSRFToken": token}).status_code == 201


def test_in_english(scorer: Client, cast: Cast) -> None:
    """Pages, answers and refusals speak the reader's language; what was typed stays as it is."""
    english = {"Accept-Language": "en"}
    html = scorer.get(page_of(cast.table), headers=english).content.decode()
    assert '<html lang="en">' in html
    assert "Eintragen und weiter" not in html
    for body in ({**NORMAL, "eyes": 241}, {"dealer": True, "note": 5, "after": "x"}, {**NORMAL, "note": "\u202e"}):
        german, other = (
            send(scorer, games_of(cast.table), entry(cast.game) | body, **headers).json()["errors"]
            for headers in ({}, english)
        )
        assert german.keys() == other.keys()
        assert all(german[field] != other[field] for field in german), other
    conflict = send(scorer, games_of(cast.table), entry(), **english).json()
    assert "Ist das dasselbe Spiel?" not in conflict["error"]
    assert conflict["standing"]["facts"] == cast.game.facts


@pytest.mark.django_db(transaction=True)
def test_a_session_that_ended_elsewhere_meets_the_login(cast: Cast) -> None:
    """Its row is deleted on the way, which must not happen where nothing can be written."""
    for address in (
        page_of(cast.table),
        game_at(cast.game),
        reverse("evening_excel", args=["karo", cast.table.evening_id]),
    ):
        client = seen_by(cast.scorer)
        cast.scorer.set_password("Karlchen-am-Ende-3")
        cast.scorer.save()
        assert client.get(address).status_code == 302


# --- The form without a script --------------------------------------------------------------------------------------


def test_an_entry_by_hand(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table)))
    assert (sent["form"], sent["after"], sent["dealer"], sent["kind"]) == (
        ["played"],
        [str(cast.game.key)],
        ["1"],
        ["normal"],
    )
    sent |= {
        "re": ["1", "2"],
        "side": ["kontra"],
        "band": ["90-119"],
        "re_said": ["no90"],
        "re_fuchs": ["1"],
        "note": ["Ei"],
    }
    response = scorer.post(games_of(cast.table), sent)
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    game = Game.objects.get(pk=sent["key"][0])
    assert game.facts == {
        "kind": "normal",
        "re": [1, 2],
        "band": "121-150",
        "re_said": "no90",
        "re_specials": {"fuchs": 1},
    }
    assert (game.note, game.dealer, game.entered_by) == ("Ei", 1, cast.scorer)
    page = scorer.get(page_of(cast.table))
    assert typed(page)["key"] != sent["key"]
    assert "Rückgängig" in page.content.decode()


def test_sent_twice_by_hand_it_is_said_that_it_was_there(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"]}
    scorer.post(games_of(cast.table), sent)
    page = scorer.post(games_of(cast.table), sent, follow=True)
    assert "Dieses Spiel war schon gespeichert." in page.content.decode()
    assert len(lines(cast.table)) == 2


def test_exact_eyes_count_before_a_band_and_for_the_side_they_were_typed_for(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {
        "re": ["0", "1"],
        "band": ["0"],
        "eyes": ["100"],
        "side": ["kontra"],
    }
    assert scorer.post(games_of(cast.table), sent).status_code == 302
    assert Game.objects.get(pk=sent["key"][0]).facts == {"kind": "normal", "re": [0, 1], "eyes": 140}


def test_a_refused_entry_keeps_all_that_was_typed(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {
        "kind": ["damensolo"],
        "duty": ["on"],
        "re": ["0", "2"],
        "eyes": ["999"],
        "side": ["kontra"],
        "re_said": ["no60"],
        "kontra_fuchs": ["2"],
        "note": ['<Ei> & "Speck"'],
    }
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 422
    assert "Ein Solo spielt genau eine Person" in fault(page, "re")
    assert "von 0 bis 240" in fault(page, "eyes")
    assert fault(page, "kind") == fault(page, "note") == ""
    kept = typed(page)
    sent.pop("csrfmiddlewaretoken"), kept.pop("csrfmiddlewaretoken")
    assert kept == sent
    assert lines(cast.table) == [str(cast.game.key)]


def test_a_fault_of_something_hidden_is_said_above_the_form(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"], "key": [""]}
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 422
    assert "Schlüssel (UUID)" in page.content.decode()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"dealer": "²"}, "dealer"),
        ({"dealer": "9" * 5000}, "dealer"),
        ({"dealer": "7"}, "dealer"),
        ({"re": ["²", "x"]}, "re"),
        ({"re_fuchs": "²"}, None),
        ({"re_fuchs": "99"}, None),
        ({"eyes": "²"}, "eyes"),
        ({"eyes": "1000"}, "eyes"),
        ({"eyes": "-5", "side": "kontra"}, "eyes"),
        ({"band": "121-151"}, "band"),
        ({"kind": "skat"}, "kind"),
        ({"kind": ""}, "kind"),
        ({"note": "x" * 201}, "note"),
        ({"note": "\u202e"}, "note"),
        ({"form": "skat"}, None),
        ({"form": "penalty"}, None),
        ({"version": "9" * 5000}, None),
        ({"version": "²"}, None),
        ({"key": "\x00"}, None),
        ({"after": "davor"}, None),
    ],
)
def test_nonsense_by_hand(scorer: Client, cast: Cast, fields: dict[str, Any], name: str | None) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"]}
    for address in (games_of(cast.table), game_at(cast.game)):
        page = scorer.post(address, {**sent, "version": "1", **fields})
        assert page.status_code == 422
        assert name is None or fault(page, name)
    assert len(lines(cast.table)) == 1


def test_a_conflict_by_hand_asks_and_then_takes_it(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["2", "3"], "eyes": ["150"], "note": ["meins"]}
    standing = add_game(cast.table, eyes=200)
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 409
    html = page.content.decode()
    assert "Ist das dasselbe Spiel?" in html
    assert "Spiel 2: Ärmel +3, Bodo +3, Çelik −3, Özlem −3" in html
    again = typed(page)
    assert (again["re"], again["eyes"], again["note"], again["key"]) == (["2", "3"], ["150"], ["meins"], sent["key"])
    assert again["after"] == [str(standing.game.key)]
    assert scorer.post(games_of(cast.table), again).status_code == 302
    assert lines(cast.table)[-1] == sent["key"][0] or sent["key"][0] in lines(cast.table)


def test_another_dealer_another_form(scorer: Client, cast: Cast) -> None:
    assert typed(scorer.get(f"{page_of(cast.table)}?dealer=3"))["dealer"] == ["3"]
    short = typed(scorer.get(f"{page_of(cast.table)}?dealer=2&form=short"))
    assert (short["form"], short["dealer"]) == (["short"], ["2"])
    assert scorer.post(games_of(cast.table), short | {"winners": ["0", "1"], "base": ["3"]}).status_code == 302
    assert Game.objects.get(pk=short["key"][0]).facts == {"winners": [0, 1], "base": 3, "solo": False}
    add_game(cast.table, form="redeal")
    assert typed(scorer.get(page_of(cast.table)))["form"] == ["short"], "who writes the short form goes on with it"
    assert typed(scorer.get(f"{page_of(cast.table)}?form=played"))["form"] == ["played"]


@pytest.mark.parametrize("dealer", ["", "4", "-1", "²", "x", "9" * 5000, "%00", "1.0"])
def test_a_dealer_or_form_that_is_none_is_not_obeyed(scorer: Client, cast: Cast, dealer: str) -> None:
    for form in ("", "x", "%00", "Penalty"):
        page = scorer.get(f"{page_of(cast.table)}?dealer={dealer}&form={form}")
        assert page.status_code == 200
        assert (typed(page)["dealer"], typed(page)["form"]) == (["1"], ["played"])


def test_with_five_at_the_table_the_dealer_sits_out(cast: Cast) -> None:
    client, table = seen_by(cast.scorer), make_table(cast.club, 5)
    html = client.get(f"{page_of(table)}?dealer=2").content.decode()
    assert re.findall(r'name="re" value="(.)"', html) == ["0", "1", "3", "4"]
    sent = typed(client.get(f"{page_of(table)}?dealer=2")) | {"re": ["0", "2"], "eyes": ["130"]}
    page = client.post(games_of(table), sent)
    assert (page.status_code, bool(fault(page, "re"))) == (422, True)
    assert client.post(games_of(table), sent | {"re": ["0", "3"]}).status_code == 302


def test_a_new_deal_is_one_tap(scorer: Client, cast: Cast) -> None:
    html = scorer.get(page_of(cast.table)).content.decode()
    form = re.search(r'<form id="redeal".*?</form>', html, re.S)
    assert form
    sent = dict(re.findall(r'name="([a-z]+)" value="([^"]*)"', form[0]))
    assert scorer.post(games_of(cast.table), sent).status_code == 302
    game = Game.objects.get(pk=sent["key"])
    assert (game.form, game.dealer, game.facts) == ("redeal", 1, {})


# --- Correcting -----------------------------------------------------------------------------------------------------


def test_a_correction_by_hand_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(game_at(cast.game)))
    assert (sent["re"], sent["eyes"], sent["version"], sent["dealer"]) == (["0", "1"], ["130"], ["1"], ["0"])
    sent |= {"eyes": ["30"], "note": ["verzählt"]}
    page = scorer.post(game_at(cast.game), sent)
    assert page.status_code == 200
    html = unescape(page.content.decode())
    assert "Das ändert sich" in html
    assert "Spiel 1: 1 (Re) → 4 (Kontra)" in html
    assert "Ärmel: Summe 1 → −4" in html
    assert 'name="confirm" value="1"' in html
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 130, "shown is not done"
    again = typed(page)
    assert (again["eyes"], again["note"], again["version"]) == (["30"], ["verzählt"], ["1"])
    response = scorer.post(game_at(cast.game), again | {"confirm": ["1"]})
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    game = Game.objects.get(pk=cast.game.key)
    assert (game.facts["eyes"], game.note, game.version) == (30, "verzählt", 2)


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
    html = unescape(page.content.decode())
    assert "beide Fassungen" in html
    assert "„Zeigen, was sich ändert“ sagt, was sie daran ersetzt; gespeichert ist sie erst danach." in html
    assert ">Zeigen, was sich ändert</button>" in html
    assert "200 : 40" in html, "what stands now"
    assert (typed(page)["eyes"], typed(page)["version"]) == (["30"], ["2"]), "what was typed, ready to replace it"
    assert scorer.post(game_at(cast.game), typed(page) | {"confirm": ["1"]}).status_code == 302
    assert Game.objects.get(pk=cast.game.key).facts["eyes"] == 30


@pytest.mark.parametrize(("name", "posted"), [("game", 409), ("game_delete", 302)])
def test_a_line_that_was_struck_out_is_not_there(scorer: Client, cast: Cast, name: str, posted: int) -> None:
    scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    assert scorer.get(game_at(cast.game, name)).status_code == 404
    assert send(scorer, game_at(cast.game, name), {**NORMAL, "version": 1}).status_code == posted


# --- Striking out and taking back -----------------------------------------------------------------------------------


def test_striking_out_is_shown_before_it_is_done(scorer: Client, cast: Cast) -> None:
    add_game(cast.table)
    page = unescape(scorer.get(game_at(cast.game, "game_delete")).content.decode())
    assert "Spiel 1: 1 → gestrichen" in page
    assert "Ärmel: Summe 2 → 1" in page
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


# --- Whatever somebody sends ----------------------------------------------------------------------------------------

FIELDS = [
    "key",
    "after",
    "version",
    "confirm",
    "form",
    "dealer",
    "note",
    "kind",
    "duty",
    "re",
    "eyes",
    "band",
    "no_trick",
    "re_said",
    "kontra_said",
    "last_said",
    "re_specials",
    "kontra_specials",
    "starts_bock",
    "out",
    "winners",
    "base",
    "solo",
    "points",
    "reason",
    "seat",
    "table",
    "rules",
    "bock",
]
SENSIBLE: dict[str, st.SearchStrategy[Any]] = {
    "key": st.sampled_from([KEY, OTHER_KEY]),
    "after": st.just("THE LAST"),
    "form": st.sampled_from(Game.Form.values),
    "kind": st.sampled_from(["normal", "hochzeit", "damensolo", "stille_hochzeit"]),
    "re": st.lists(st.integers(0, 3), min_size=1, max_size=2, unique=True),
    "winners": st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True),
    "eyes": st.integers(0, 240),
    "points": st.lists(st.integers(-9, 9), min_size=4, max_size=4),
    "note": st.text(max_size=10),
    "reason": st.text(min_size=1, max_size=10),
    "dealer": st.integers(0, 3),
    "version": st.just(1),
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES = {name: SENSIBLE[name] | SENSIBLE[name] | ANYTHING if name in SENSIBLE else ANYTHING for name in FIELDS}
BODIES = st.fixed_dictionaries({}, optional=VALUES) | st.fixed_dictionaries(
    {name: SENSIBLE[name] for name in ("key", "after")},
    optional={name: value for name, value in VALUES.items() if name not in ("key", "after")},
)


@effort(max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(body=BODIES, correcting=st.booleans())
@example(body={"key": KEY, "after": "THE LAST", "form": "short", **NORMAL}, correcting=True)
@example(body={"key": KEY, "after": "THE LAST", "form": "played", **SHORT}, correcting=False)
def test_no_entry_makes_the_server_stumble(cast: Cast, body: dict[str, Any], correcting: bool) -> None:
    client = seen_by(cast.scorer)
    body = {name: str(cast.game.key) if value == "THE LAST" else value for name, value in body.items()}
    address = game_at(cast.game) if correcting else games_of(cast.table)
    with transaction.atomic():
        response = send(client, address, {**body, "confirm": True} if correcting else body)
        assert response.status_code in (200, 201, 409, 422)
        if response.status_code <= 201:
            assert client.get(page_of(cast.table)).status_code == 200
            assert client.get(response.json()["lines"][0]["url"]).status_code == 200
        transaction.set_rollback(True)


# --- What it costs --------------------------------------------------------------------------------------------------


def long_sheet(cast: Cast, games: int, people: int = 4) -> list[Game]:
    """A table with as many games, stored as the replay stores them. One lost announcement makes all that follow Bock."""
    rule_set = make_rule_set(cast.club, "anleitung", bock={"length": 50})
    where = make_table(cast.club, people, rule_set=rule_set).rounds.get()
    facts = [{"kind": "normal", "re": [2, 3], "eyes": 90 + n} for n in range(games)]
    lines = [Game(round=where, position=1024 * (n + 1), form="played", dealer=0, facts=facts[n]) for n in range(games)]
    Game.objects.bulk_create(lines)
    records = read_records(where.table)
    store(records, read_stored(records), derive(records))
    return lines


def asked(queries: CaptureQueriesContext) -> int:
    """How often the database was asked beyond session and user."""
    return len([query for query in queries if not re.search(r"FROM .(scoring_session|auth_user).", query["sql"])])


@pytest.mark.parametrize("games", [10, 40])
def test_the_page_asks_the_same_few_questions_whatever_was_played(cast: Cast, games: int) -> None:
    """The table with its rights, its lines, who sat where, the last change."""
    last, client = long_sheet(cast, games)[-1], seen_by(cast.scorer)
    for address, most in ((page_of(last.round.table), 4), (game_at(last), 3), (game_at(last, "game_delete"), 4)):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        assert asked(queries) == most


@pytest.mark.parametrize("people", [4, 5])
def test_saving_game_40_and_correcting_game_1_of_40(cast: Cast, people: int) -> None:
    """Correcting here changes every line: the first starts Bock for all, and with five another one sat out."""
    first, *_, last = long_sheet(cast, 39, people)
    client, body = seen_by(cast.scorer), {**NORMAL, "re": [2, 3]}
    with CaptureQueriesContext(connection) as queries:
        assert send(client, games_of(last.round.table), {**entry(last), **body}).status_code == 201
    assert asked(queries) <= 12
    body |= {"eyes": 110, "re_said": "said", "dealer": people - 4, "version": 1, "confirm": True}
    with CaptureQueriesContext(connection) as queries:
        response = send(client, game_at(first), body)
    assert (response.status_code, len(response.json()["lines"])) == (200, 40)
    assert asked(queries) <= 14


def test_a_script_is_told_that_the_session_has_ended(cast: Cast) -> None:
    answer = send(Client(), games_of(cast.table), {})

    assert answer.status_code == 401
    assert "neu anmelden" in answer.json()["error"]


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
