"""What is done to lines that stand, as a phone sends it that had no net: once each, however often it comes, and asked about where
somebody else did something to the same line."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Verb
from scoring.table.actions.games import undo
from scoring.table.actions.tables import renew_link
from tests.factories import Cast, add_game
from tests.table.views.asking import KEY, NORMAL, entry, game_at, lines, seen_by, send

CORRECTED = {**NORMAL, "eyes": 160, "confirm": True, "version": 1}
STRUCK = {"version": 1, "confirm": True}


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def games(cast: Cast) -> list[Game]:
    """Three games on the sheet."""
    return [cast.game, add_game(cast.table, eyes=100, re_said="said").game, add_game(cast.table, eyes=150).game]


def strike(client: Client, game: Game, body: object = STRUCK, **headers: str) -> HttpResponse:
    return send(client, game_at(game, "game_delete"), body, **headers)


def correct(client: Client, game: Game, body: dict[str, Any] = CORRECTED, **headers: str) -> HttpResponse:
    return send(client, game_at(game), body, **headers)


def done(verb: Verb) -> int:
    return Change.objects.filter(verb=verb).count()


# --- Striking out ---------------------------------------------------------------------------------------------------


def test_a_line_is_struck_out_once(scorer: Client, cast: Cast, games: list[Game]) -> None:
    keys = lines(cast.table)
    shown = strike(scorer, games[1], {"version": 1})
    assert (shown.status_code, shown.json()["effects"][0]["value"][1], lines(cast.table)) == (200, None, keys)
    first = strike(scorer, games[1])
    assert (first.status_code, first.json()["keep"], first.json()["change"]) == (200, 0, Change.objects.latest("id").pk)
    assert [(line["key"], line["number"]) for line in first.json()["lines"]] == [(keys[0], 1), (keys[2], 2)]
    again = strike(scorer, games[1])
    assert (again.status_code, again.json()["change"]) == (200, None)
    assert again.json()["lines"] == first.json()["lines"]
    assert (lines(cast.table), done(Verb.GAME_DELETED)) == ([keys[0], keys[2]], 1)


def test_a_line_that_changed_is_not_struck_out(scorer: Client, games: list[Game]) -> None:
    correct(scorer, games[1])
    stale = strike(scorer, games[1])
    assert (stale.status_code, stale.json()["standing"]["version"]) == (409, 2)
    assert (len(stale.json()["lines"]), done(Verb.GAME_DELETED)) == (3, 0)
    assert strike(scorer, games[1], {"version": 2, "confirm": True}).status_code == 200


def test_one_that_was_put_back_since_is_asked_about(scorer: Client, cast: Cast, games: list[Game]) -> None:
    """A phone that lost the answer to its deletion does not take it away again."""
    change = strike(scorer, games[1]).json()["change"]
    undo(table=cast.table, actor=Actor(), change_id=change)
    again = strike(scorer, games[1])
    assert (again.status_code, again.json()["standing"]["version"], len(lines(cast.table))) == (409, 3, 3)


def test_what_cannot_be_struck_out(scorer: Client, cast: Cast, games: list[Game]) -> None:
    for body, field in (({"version": "x"}, "version"), ({"version": 1, "eyes": 3}, "eyes"), (["out"], "line")):
        refused = strike(scorer, games[1], body)
        assert (refused.status_code, refused.json()["errors"].keys()) == (422, {field})
    assert strike(seen_by(cast.reader), games[1]).status_code == 403
    assert strike(seen_by(cast.stranger), games[1]).status_code == 404
    assert strike(Client(), games[1]).status_code == 401
    strike(scorer, games[2])
    close_evening(evening=cast.table.evening, actor=Actor())
    closed = strike(scorer, games[1])
    assert (closed.status_code, closed.json().keys()) == (409, {"error"})
    assert strike(scorer, games[2]).status_code == 200, "it was struck out before that"
    assert done(Verb.GAME_DELETED) == 1


# --- Correcting -----------------------------------------------------------------------------------------------------


def test_a_correction_is_done_once(scorer: Client, games: list[Game]) -> None:
    first = correct(scorer, games[1])
    assert (first.status_code, first.json()["keep"], len(first.json()["lines"])) == (200, 0, 3)
    again = correct(scorer, games[1])
    assert (again.status_code, again.json()["change"], again.json()["lines"]) == (200, None, first.json()["lines"])
    assert (Game.objects.get(key=games[1].key).version, done(Verb.GAME_CORRECTED)) == (2, 1)


def test_it_is_known_again_whatever_became_of_the_line(scorer: Client, cast: Cast, games: list[Game]) -> None:
    correct(scorer, games[1])
    correct(scorer, games[1], {**CORRECTED, "eyes": 170, "version": 2})
    again = correct(scorer, games[1])
    assert (again.status_code, again.json()["change"]) == (200, None)
    strike(scorer, games[1], {"version": 3, "confirm": True})
    assert correct(scorer, games[1]).status_code == 200
    close_evening(evening=cast.table.evening, actor=Actor())
    assert correct(scorer, games[1]).status_code == 200
    assert done(Verb.GAME_CORRECTED) == 2


@pytest.mark.parametrize("other", [{"eyes": 161}, {"note": "anders"}, {"version": 2}])
def test_another_one_is_asked_about(scorer: Client, games: list[Game], other: dict[str, Any]) -> None:
    """Also the same content for a version that somebody else replaced by something else."""
    correct(scorer, games[1])
    correct(scorer, games[1], {**CORRECTED, "eyes": 170, "version": 2})
    stale = correct(scorer, games[1], {**CORRECTED, **other})
    assert (stale.status_code, stale.json()["standing"]["facts"]["eyes"]) == (409, 170)


def test_what_is_taken_back_is_no_correction_of_the_phone(scorer: Client, cast: Cast, games: list[Game]) -> None:
    """Taking back brings the same content, but nobody typed it."""
    change = correct(scorer, games[1]).json()["change"]
    undo(table=cast.table, actor=Actor(), change_id=change)
    assert correct(scorer, games[1], {**CORRECTED, "eyes": 100, "re_said": "said", "version": 2}).status_code == 409


# --- Who typed it ---------------------------------------------------------------------------------------------------


def test_nothing_goes_out_under_another_name(scorer: Client, cast: Cast, games: list[Game]) -> None:
    other = {"Typed-By": str(cast.admin.pk)}
    insert = game_at(games[1], "game_insert")
    inserted = send(scorer, insert, entry(confirm=True), **other)
    answers = [correct(scorer, games[1], **other), strike(scorer, games[1], **other), inserted]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert (len(lines(cast.table)), done(Verb.GAME_CORRECTED)) == (3, 0)
    mine = {"Typed-By": str(cast.scorer.pk)}
    assert send(scorer, insert, entry(confirm=True), **mine).status_code == 201
    assert KEY in lines(cast.table)


@pytest.mark.parametrize("body", [CORRECTED, {**CORRECTED, "confirm": False}])
def test_whose_link_is_over_changes_no_line(cast: Cast, games: list[Game], body: dict[str, Any]) -> None:
    phone = Client()
    phone.get(reverse("link_open", args=[renew_link(table=cast.table, actor=Actor(cast.scorer)).token]))
    phone.post(reverse("link_speaker"), {"player": games[1].round.seats.first().player_id})
    assert correct(phone, games[1], body).status_code == 200
    at = Game.objects.get(key=games[1].key).version
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    before = lines(cast.table)
    answers = [correct(phone, games[1], {**body, "version": at}), strike(phone, games[1], {**STRUCK, "version": at})]
    assert [(answer.status_code, answer.json().keys()) for answer in answers] == [(409, {"error"})] * 2
    assert (lines(cast.table), Game.objects.get(key=games[1].key).version) == (before, at)
    # By a form there is nothing to wait for.
    assert phone.post(game_at(games[1], "game_delete"), {"version": at}).status_code == 302
    assert lines(cast.table) == before
