"""How the table may be asked, by whom, in which language, and how many queries that takes."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import Game
from scoring.play.queries import read_records
from scoring.play.replay import derive, read_stored, write_derived
from tests.factories import Cast, make_rule_set, make_table
from tests.table.views.asking import KEY, NORMAL, entry, game_at, games_of, lines, page_of, seen_by, send

# --- How the table is asked -----------------------------------------------------------------------------------------


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


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


# --- What it costs --------------------------------------------------------------------------------------------------


def long_sheet(cast: Cast, games: int, people: int = 4) -> list[Game]:
    """A table with as many games, stored as the replay stores them. One lost announcement makes all that follow Bock."""
    rule_set = make_rule_set(cast.club, "anleitung", bock={"length": 50})
    where = make_table(cast.club, people, rule_set=rule_set).rounds.get()
    facts = [{"kind": "normal", "re": [2, 3], "eyes": 90 + n} for n in range(games)]
    lines = [Game(round=where, position=1024 * (n + 1), form="played", dealer=0, facts=facts[n]) for n in range(games)]
    Game.objects.bulk_create(lines)
    records = read_records(where.table)
    write_derived(records, read_stored(records), derive(records))
    return lines


def asked(queries: CaptureQueriesContext) -> int:
    """How often the database was asked beyond session and user."""
    return len([query for query in queries if not re.search(r"FROM .(scoring_session|auth_user).", query["sql"])])


@pytest.mark.parametrize("games", [10, 40])
def test_the_page_asks_the_same_few_questions_whatever_was_played(cast: Cast, games: int) -> None:
    """The table with its rights, its lines, who sat where, the last change; what the club uses most, and who could come. Where
    a change is shown first, the closed months of league and Kasse as well."""
    last, client = long_sheet(cast, games)[-1], seen_by(cast.scorer)
    for address, most in ((page_of(last.round.table), 6), (game_at(last), 4), (game_at(last, "game_delete"), 6)):
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
    assert asked(queries) <= 14
    body |= {"eyes": 110, "re_said": "said", "dealer": people - 4, "version": 1, "confirm": True}
    with CaptureQueriesContext(connection) as queries:
        response = send(client, game_at(first), body)
    assert (response.status_code, len(response.json()["lines"])) == (200, 40)
    assert asked(queries) <= 16


def test_a_script_is_told_that_the_session_has_ended(cast: Cast) -> None:
    answer = send(Client(), games_of(cast.table), {})

    assert answer.status_code == 401
    assert "neu anmelden" in answer.json()["error"]
