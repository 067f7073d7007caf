"""Numbers that no row could have, in every field of a request: a sentence at the field (or 404 for an address), and
nothing is done. SQLite would have stored some of them, PostgreSQL would have answered 500."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, Game, LateEntry, Outcome, Table, TableResult
from scoring.play.verify import check_table
from scoring.rules.outcome import MAX_VALUE
from scoring.standings.queries.standings import list_standings
from scoring.table.actions.games import Typed, add_games
from tests.effort import LONG
from tests.factories import Cast, add_game, make_rule_set, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

TOO_MUCH = "So käme ein Spiel auf mehr als 10000000. Bitte die Angaben, den Bock und die Regeln prüfen."


HUGE = (2**63, -(2**63) - 1, 10**30, 10**4000)
PAIR = {"form": "short", "winners": [0, 1]}
BY_HAND = {"triggers": ["manual"], "per_game": "each", "overlap": "stack", "cap": 16, "carry": True}


def at(table: Table, name: str, *more: object) -> str:
    return reverse(name, args=[table.evening.club.slug, table.pk, *more])


def entering(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.admin)
    return client


def send(client: Client, address: str, body: Any) -> HttpResponse:
    return client.post(address, json.dumps(body), content_type="application/json")


def rows() -> list[list[dict[str, Any]]]:
    return [list(model.objects.order_by("pk").values()) for model in (Game, Outcome, TableResult, LateEntry, Change)]


def bock_table(club: Club, **bock: Any) -> Table:
    """A table at which any number of Böcke can be started by hand."""
    return make_table(club, rule_set=make_rule_set(club, "anleitung", "hoch", bock={**BY_HAND, **bock}))


# --- What a game comes to -------------------------------------------------------------------------------------------


def test_sixteen_levels_on_a_base_of_a_hundred_thousand(cast: Cast) -> None:
    table, client = bock_table(cast.club), entering(cast)
    first = add_game(table, **PAIR, base=1, starts_bock=16).game
    before = rows()
    line = {"key": str(uuid4()), "after": str(first.key), **PAIR, "base": 100_000}
    refused = send(client, at(table, "games"), line)
    assert (refused.status_code, refused.json()) == (422, {"errors": {"base": TOO_MUCH}})
    page = client.post(at(table, "games"), {**line, "winners": ["0", "1"]})
    assert (page.status_code, page.content.decode().count(TOO_MUCH)) == (422, 1)
    assert rows() == before
    assert send(client, at(table, "games"), {**line, "base": 152}).status_code == 201
    assert Outcome.objects.order_by("value").last().value == 152 * 2**16 <= MAX_VALUE
    assert check_table(table).findings == []


def test_a_game_of_many_announcements_that_comes_to_more_is_refused_as_a_line(cast: Cast) -> None:
    rule_set = make_rule_set(cast.club, "anleitung", "teuer", won=10_000, bock=BY_HAND)
    table, client = make_table(cast.club, rule_set=rule_set), entering(cast)
    first = add_game(table, starts_bock=16).game
    line = {"key": str(uuid4()), "after": str(first.key), "kind": "normal", "re": [0, 1], "eyes": 130}
    assert send(client, at(table, "games"), line).json() == {"errors": {"line": TOO_MUCH}}
    page = client.post(at(table, "games"), {**line, "re": ["0", "1"]})
    assert (page.status_code, page.content.decode().count(TOO_MUCH)) == (422, 1)


def test_a_correction_that_makes_another_game_come_to_more(cast: Cast) -> None:
    """Shown and done: neither is possible, and it is said in a sentence."""
    table, client = bock_table(cast.club), entering(cast)
    first = add_game(table, **PAIR, base=1, starts_bock=6).game
    add_game(table, **PAIR, base=100_000)
    before, line = rows(), {"version": 1, **PAIR, "base": 1, "starts_bock": 7}
    for confirm in (False, True):
        refused = send(client, at(table, "game", first.key), {**line, "confirm": confirm})
        assert (refused.status_code, refused.json()) == (422, {"errors": {"base": TOO_MUCH}})
    assert rows() == before
    assert send(client, at(table, "game", first.key), {**line, "starts_bock": 5, "confirm": True}).status_code == 200


def test_striking_out_that_makes_another_game_come_to_more(cast: Cast) -> None:
    """A game that used the high level up is gone, so that the next one would have it."""
    table, client = bock_table(cast.club, length=1), entering(cast)
    add_game(table, **PAIR, base=1, starts_bock=7)
    plain = add_game(table, **PAIR, base=1).game
    add_game(table, **PAIR, base=100_000)
    before = rows()
    for method in (client.get, client.post):
        answer = method(at(table, "game_delete", plain.key), {"version": 1})
        assert (answer.status_code, answer["Location"]) == (302, at(table, "game", plain.key))
        assert TOO_MUCH in client.get(answer["Location"]).content.decode()
    assert rows() == before


def test_other_rules_by_which_a_game_comes_to_more(cast: Cast) -> None:
    flat, steep = (make_rule_set(cast.club, "anleitung", f"{cap}", bock={**BY_HAND, "cap": cap}) for cap in (1, 16))
    table, client = make_table(cast.club, rule_set=flat), entering(cast)
    add_game(table, **PAIR, base=1, starts_bock=16)
    add_game(table, **PAIR, base=100_000)
    last, before = table.changes.order_by("-id")[0].pk, rows()
    for method in (client.get, client.post):
        page = method(at(table, "table_rules"), {"rule_set": steep.pk, "seen": last})
        assert (page.status_code, TOO_MUCH in page.content.decode()) == (422, True)
    assert rows() == before


def test_open_bocks_with_which_a_game_of_a_later_evening_comes_to_more(cast: Cast) -> None:
    earlier, later = bock_table(cast.club), bock_table(cast.club)
    client = entering(cast)
    add_game(earlier, **PAIR, base=1, starts_bock=16)
    add_game(later, **PAIR, base=100_000)
    before = rows()
    page = client.get(at(later, "table_carry"), {"earlier": earlier.pk})
    assert (page.status_code, TOO_MUCH in page.content.decode()) == (422, True)
    seen = "-".join(str(table.changes.order_by("-id")[0].pk) for table in (later, earlier))
    page = client.post(at(later, "table_carry"), {"earlier": earlier.pk, "seen": seen})
    assert (page.status_code, TOO_MUCH in page.content.decode()) == (422, True)
    assert rows() == before


def test_what_comes_too_late_and_to_more_waits_with_the_reason(cast: Cast) -> None:
    """At the place where it would stand the Bock is too high; it is kept, and can be discarded."""
    table, client = bock_table(cast.club), entering(cast)
    first = add_game(table, **PAIR, base=1, starts_bock=16).game
    close_evening(evening=table.evening, actor=Actor(cast.admin))
    phone = Client()
    phone.force_login(cast.scorer)
    line = {"key": str(uuid4()), "after": str(first.key), **PAIR, "base": 100_000}
    assert send(phone, at(table, "games"), line).status_code == 202
    assert TOO_MUCH in client.get(at(table, "table")).content.decode()
    client.post(at(table, "late_enter", line["key"]), {"confirm": "1"})
    assert (LateEntry.objects.count(), Game.objects.filter(key=line["key"]).count()) == (1, 0)
    client.post(at(table, "late_discard", line["key"]))
    assert LateEntry.objects.get().discarded


def test_the_sum_of_a_table_is_larger_than_its_lines(cast: Cast) -> None:
    """More than 32 bits hold, in the table and in the list."""
    rule_set = make_rule_set(cast.club, "anleitung", "lang", bock={**BY_HAND, "length": 99}, soloist_share=3)
    table = make_table(cast.club, rule_set=rule_set)
    solo = Typed("short", {"winners": [0], "base": 152, "solo": True})
    first = Typed("short", {"winners": [0], "base": 0, "solo": True, "starts_bock": 16})
    typed = [first, *[solo] * 80]
    add_games(table=table, actor=Actor(), lines=[(uuid4(), one) for one in typed])
    points = 3 * 80 * 152 * 2**16
    assert TableResult.objects.get(table=table, player__name="Ärmel").points == points > 2**31
    assert max(row.points or 0 for row in list_standings(cast.club)) == points + 1
    assert check_table(table).findings == []
    assert Client().get("/healthz").status_code == 200
    client = entering(cast)
    for address in (
        at(table, "table"),
        reverse("standings", args=["karo"]),
        reverse("result", args=["karo", table.evening_id]),
    ):
        assert client.get(address).status_code == 200


# --- Numbers of things ----------------------------------------------------------------------------------------------


def numbers() -> Iterator[tuple[str, Any]]:
    """Every field of an entry that holds numbers, with some that no row, seat or count has."""
    for number in HUGE:
        for field in ("round", "version", "dealer", "eyes", "starts_bock"):
            yield field, number
        for field in ("people", "re", "out"):
            yield field, [number, 1]
        yield "re_specials", {"fuchs": number}
    yield "people", list(range(1, 300_001))
    yield "people", [1] * 9
    yield "people", ["1", "2", "3", "4"]
    yield "people", [True, 2, 3, 4]
    yield "people", [0, 1, 2, 3]
    yield "re", list(range(300_000))
    yield "round", 1.5
    yield "round", [1]
    yield "version", "1" * 19


@pytest.mark.parametrize("role", ["games", "game", "game_insert"])
def test_numbers_of_an_entry_that_nothing_has(cast: Cast, role: str) -> None:
    """A sentence at the field; no row is locked, and none is asked for by such a number."""
    client, before = entering(cast), rows()
    address = at(cast.table, role, *([] if role == "games" else [cast.game.key]))
    line = {"after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130, "version": 1, "confirm": True}
    for field, value in numbers():
        sent = {**line, "key": str(uuid4()), field: value}
        with CaptureQueriesContext(connection) as asked:
            response = send(client, address, sent)
        where = (field, str(value)[:40])
        assert (where, response.status_code) == (where, 422)
        assert set(response.json()["errors"]) == {field}, where
        if field in ("round", "version", "dealer", "people"):
            assert not [query for query in asked.captured_queries if "FOR UPDATE" in query["sql"]], where
    assert rows() == before


def test_more_fields_than_a_line_can_have(cast: Cast) -> None:
    """They are not judged one by one while the table is locked."""
    sent = {"key": str(uuid4()), "kind": "normal", **{f"f{number}": 0 for number in range(100_000)}}
    for name in ("game", "game_up"):
        response = send(entering(cast), at(cast.table, name, cast.game.key), sent)
        assert (response.status_code, list(response.json()["errors"])) == (422, ["line"])


@pytest.mark.parametrize("form", ["penalty", "correction"])
@pytest.mark.parametrize("number", [100_001, *HUGE])
def test_points_by_hand_that_no_line_has(cast: Cast, form: str, number: int) -> None:
    line = {"key": str(uuid4()), "after": str(cast.game.key), "form": form, "reason": "so", "points": [number, 0, 0, 0]}
    response = send(entering(cast), at(cast.table, "games"), line)
    assert (response.status_code, list(response.json()["errors"])) == (422, ["points"])


FORMS: list[tuple[str, dict[str, Any], int]] = [
    # Which form, the fields in question (each gets the number), and how it is refused.
    ("evening_close", {"present": ""}, 422),
    ("evening_new", {"seat_0": "", "rule_set": "", "planned_games": "", "offered": ""}, 422),
    ("table_new", {"seat_0": "", "rule_set": "", "planned_games": "", "offered": ""}, 422),
    ("seats", {"seat_0": ""}, 422),
    ("planned", {"planned_games": ""}, 422),
    ("table_rules", {"rule_set": "", "seen": ""}, 422),
    ("table_carry", {"earlier": ""}, 422),
    ("games", {"round": "", "version": "", "dealer": ""}, 422),
    ("merge", {"into": ""}, 422),
    ("player_new", {"user": ""}, 422),
    ("player_edit", {"user": ""}, 422),
    ("join_links", {"most_uses": ""}, 422),
    ("season_new", {"best": "", "min_games": "", "places": "", "deduction_points": ""}, 422),
    ("rule_set_new", {"source": ""}, 422),
    ("rule_set_edit", {"won": "", "bock__cap": "", "solo_point__points": ""}, 422),
    ("rule_set_preview", {"won": "", "bock__cap": "", "solo_point__points": ""}, 422),
    ("undo", {"change": ""}, 302),
    ("game_delete", {"version": ""}, 302),
    ("game_up", {"version": ""}, 302),
]


def some_of(*numbers: Any) -> tuple[Any, ...]:
    """Of the many that a page is asked with, `make test` takes two."""
    return numbers if LONG else (numbers[0], numbers[-2])


def form_address(cast: Cast, name: str) -> str:
    things = {
        "evening_close": cast.table.evening_id,
        "table_new": cast.table.evening_id,
        "merge": cast.table.rounds.get().seats.all()[0].player_id,
        "player_edit": cast.table.rounds.get().seats.all()[0].player_id,
        "rule_set_edit": cast.table.rule_set_id,
        "rule_set_preview": cast.table.rule_set_id,
    }
    if name in ("evening_new", "join_links", "player_new", "season_new", "rule_set_new"):
        return reverse(name, args=["karo"])
    if name in ("game_delete", "game_up"):
        return at(cast.table, name, cast.game.key)
    return reverse(name, args=["karo", things.get(name, cast.table.pk)])


@pytest.mark.parametrize(("name", "fields", "status"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
def test_numbers_of_a_form_that_nothing_has(cast: Cast, name: str, fields: dict[str, Any], status: int) -> None:
    client, before = entering(cast), rows()
    for field in fields:
        response = client.post(form_address(cast, name), {**fields, field: str(2**63)})
        assert (field, response.status_code) == (field, status)
    for number in some_of(10**30, -(2**63) - 1, "9" * 5000, "²", "1_0"):
        response = client.post(form_address(cast, name), dict.fromkeys(fields, str(number)))
        assert (str(number)[:40], response.status_code) == (str(number)[:40], status)
    assert rows() == before


QUERIES = {
    "standings": ["rule_set", "year", "season", "size", "min", "sort", "unit"],
    "records": ["year", "season", "size"],
    "matrix": ["year", "season", "size"],
    "whatif": ["rules", "evening", "year", "season", "size"],
    "evenings": ["page"],
    "history": ["page"],
    "players": ["page"],
    "club_file": ["span"],
    "table": ["dealer", "seat", "penalty"],
    "game": ["dealer"],
    "game_insert": ["dealer"],
    "rule_set": ["other"],
    "rule_set_edit": ["people"],
    "compare": ["other"],
    "player": ["unit"],
    "table_carry": ["earlier"],
    "table_rules": ["rule_set"],
    "state": [],
}


@pytest.mark.parametrize("name", QUERIES)
def test_numbers_of_a_query_that_nothing_has(cast: Cast, name: str) -> None:
    """They say nothing, or that there is no such choice: a page comes in any case, but for a file of no such span."""
    client = entering(cast)
    player = cast.table.rounds.get().seats.all()[0].player_id
    numbers = {
        "rule_set": cast.table.rule_set_id,
        "rule_set_edit": cast.table.rule_set_id,
        "compare": player,
        "player": player,
    }
    if name in ("table", "table_carry", "table_rules", "state", "game", "game_insert"):
        address = at(cast.table, name, *([cast.game.key] if name.startswith("game") else []))
    else:
        address = reverse(name, args=["karo", *([numbers[name]] if name in numbers else [])])
    for number in some_of(2**63, 10**30, -1, "9" * 5000, "²", "\u0663"):
        form = {"form": "penalty"} if name == "table" else {"rules": ""} if name == "whatif" else {}
        response = client.get(address, {**form, **dict.fromkeys(QUERIES[name], str(number))})
        answer = 404 if name == "club_file" else 200
        assert (str(number)[:20], response.status_code) == (str(number)[:20], answer)
        tag = f'"{number}-open"'.encode("latin-1", "ignore").decode("latin-1")
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 200
