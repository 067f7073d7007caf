"""Test docs/api.md against the server: its examples, in their order, have the answers that it shows, and its tables name all
fields and values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from scoring.models import Change, Game, Table
from scoring.rules.constants import BANDS, KINDS, PLAYED_FIELDS, SAID, SHORT_FIELDS, SPECIALS
from scoring.table.forms.games import ENVELOPE
from tests.factories import make_club, make_player, make_table, make_user

PAGE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()
TABLE = 12
PEOPLE = {31: "Ärmel", 32: "Bodo", 33: "Çelik", 34: "Özlem"}
# In an example this matches any value; as a field, all other fields.
ANY = "…"


class Exchange(NamedTuple):
    """One example: the request and its answer."""

    address: str
    body: str
    status: int
    answer: str


def exchanges() -> Iterator[Exchange]:
    blocks = re.findall(r"^```http\n(.*?)^```$", PAGE, re.S | re.M)
    for asked, answered in zip(blocks[::2], blocks[1::2], strict=True):
        request, body = asked.split("\n\n", 1)
        status, answer = answered.split("\n", 1)
        method, address = request.split()
        assert method == "POST"
        yield Exchange(address, body.strip(), int(status.removeprefix("HTTP/1.1 ")[:3]), answer.strip())


@pytest.fixture
def table(db: None) -> Table:
    club = make_club(slug="karo")
    return make_table(club, [make_player(club, name, pk=pk) for pk, name in PEOPLE.items()])


def post(client: Client, table: Table, exchange: Exchange) -> HttpResponse:
    address = exchange.address.replace(f"/tables/{TABLE}/", f"/tables/{table.pk}/")
    is_json = exchange.body.startswith(("{", "["))
    last = Change.objects.filter(table=table).order_by("-id").first()
    body = exchange.body if is_json else re.sub(r"change=\d+", f"change={last and last.pk}", exchange.body)
    return client.post(address, body, "application/json" if is_json else "application/x-www-form-urlencoded")


NUMBERED = ("change", "round", "table")


def fits(shown: Any, found: Any) -> bool:
    """Return whether the answer matches the example. The ids of changes, line-ups and tables differ between servers."""
    if shown == ANY:
        return True
    if isinstance(shown, dict) and isinstance(found, dict):
        named = shown.keys() - {ANY}
        if not (named <= found.keys() if ANY in shown else named == found.keys()):
            return False
        same = {name: type(shown[name]) is type(found[name]) for name in named & {*NUMBERED}}
        return all(same[name] if name in same else fits(shown[name], found[name]) for name in named)
    if isinstance(shown, list) and isinstance(found, list):
        return len(shown) == len(found) and all(fits(*pair) for pair in zip(shown, found, strict=True))
    return type(shown) is type(found) and shown == found


def test_the_examples_are_answered_as_the_page_says(table: Table) -> None:
    client = Client()
    client.force_login(make_user("schorsch", table.evening.club, ["scorer"]))
    played = 0
    for exchange in exchanges():
        response = post(client, table, exchange)
        told = f"{exchange.address} {exchange.body}\n{response.content.decode()}"
        assert response.status_code == exchange.status, told
        text = (response.get("Location") or response.content.decode()).replace(f"/tables/{table.pk}/", f"/tables/{TABLE}/")
        if exchange.answer.startswith("Location: "):
            assert text == exchange.answer.removeprefix("Location: "), told
        else:
            shown = json.loads(exchange.answer.replace(f'"table": {TABLE},', f'"table": {table.pk},'))
            assert fits(shown, json.loads(text)), told
        played += 1
    assert played > 12
    stand = Game.objects.filter(round__table=table, deleted=False)
    assert stand.count() == 5, "the last example takes the deletion back"


def test_the_comparison_can_fail() -> None:
    assert fits({"a": [1, {"b": ANY, ANY: ANY}], "change": 1}, {"a": [1, {"b": 2, "c": 3}], "change": 9})
    for found in ({}, {"a": 2}, {"a": 1, "b": 1}, {"a": True}, {"a": [1]}, [1]):
        assert not fits({"a": 1}, found)
    for found in ([], [1, 2], [2], {}):
        assert not fits([1], found)
    assert not fits({"change": None}, {"change": 1})


def test_every_field_and_value_is_named() -> None:
    named = set(re.findall(r"`([^`]+)`", PAGE))
    assert named >= {*PLAYED_FIELDS, *SHORT_FIELDS, *ENVELOPE, *KINDS, *SAID, *SPECIALS, *BANDS, *Game.Form.values}
    assert named >= {"points", "reason", "seat"}
