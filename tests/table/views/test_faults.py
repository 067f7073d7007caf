"""Test that invalid input is refused at its field, and that no input causes a server error."""

from __future__ import annotations

import json
import re
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, example, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from scoring.models import Game
from tests.client import visit
from tests.effort import examples
from tests.factories import Cast
from tests.table.views.asking import (
    KEY,
    NORMAL,
    OTHER_KEY,
    SHORT,
    build_entry,
    get_form_data,
    get_game_url,
    get_games_url,
    get_table_url,
    list_keys,
    send,
)

# --- Invalid input --------------------------------------------------------------------------------------------------


# Values that are refused at their field.
WRONG_VALUES = {
    "kind": ("skat", None, [["normal"]]),
    "duty": (True, "ja"),
    "re": ([0], [0, 0], [0, 4], "01", [True, False]),
    "eyes": (241, -1, 130.0, "130", 10**400, float("inf")),
    "band": ("121-150",),
    "re_said": ("laut",),
    "kontra_said": (1,),
    "last_said": ("re",),
    "no_trick": ("kontra",),
    "re_specials": ({"fuchs": 3}, ["fuchs"]),
    "kontra_specials": ({"herzstich": 1},),
    "starts_bock": (1, -1),
    "out": ([3],),
    "dealer": (4, 99, True, "0"),
    "note": (["Regen"], None, "x" * 201, "\u202eRegen", "\x00", "\ud800"),
    "wetter": ("Regen",),
    "winners": ([0, 1],),
    "form": ("skat", ["played"], True, "short"),
    "key": ("", None, 5, {"uuid": KEY}, "1234"),
    "after": (5, "davor"),
    "version": ("x", 1.5, True, "9" * 5000),
}
WRONG = [
    *(({field: value}, [field]) for field, values in WRONG_VALUES.items() for value in values),
    ({"kind": "damensolo"}, ["re"]),
    ({"re_specials": {"fuchs": 1}, "kontra_specials": {"fuchs": 2}}, ["kontra_specials"]),
    ({"rules": "ddv", "table": 4, "bock": 1}, ["bock", "rules", "table"]),
    ({"form": "redeal"}, ["eyes", "kind", "re"]),
    ({"form": "penalty"}, ["eyes", "kind", "points", "re", "reason"]),
    ({"key": 5, "after": 5, "version": "x", "dealer": True, "note": 5}, ["after", "dealer", "key", "note", "version"]),
    ({"kind": "normal", "re": [0], "eyes": 500, "re_said": "laut", "wetter": 1}, ["eyes", "re", "re_said", "wetter"]),
]


def test_each_fault_is_said_at_its_field(scorer: Client, cast: Cast) -> None:
    """For a new line and for a correction alike, and nothing is saved."""
    addresses = get_games_url(cast.table), get_game_url(cast.game)
    for number, (fields, at) in enumerate(WRONG):
        # Both read the same fields; only a new line needs a key.
        address = addresses[number % 2 and at != ["key"]]
        response = send(scorer, address, {**build_entry(cast.game), "version": 1, **fields, "confirm": True})
        assert response.status_code == 422, fields
        errors = response.json()["errors"]
        assert sorted(errors) == at, fields
        assert all(re.search(r"[a-zäöüß].*\.\)?$", sentence) for sentence in errors.values()), errors
    assert list_keys(cast.table) == [str(cast.game.key)]
    assert Game.objects.get(pk=cast.game.key).version == 1


def test_without_a_script_a_refused_page_begins_with_its_fault(scorer: Client, cast: Cast) -> None:
    """Its title says so, and the controls that are asked for are invalid and told by the sentence beside them."""
    sent = get_form_data(scorer.get(get_table_url(cast.table))) | {"re": ["0"], "eyes": ["500"]}
    page = scorer.post(get_games_url(cast.table), sent)
    html = page.content.decode()
    assert page.status_code == 422
    assert re.findall(r"<title>Fehler: (.)", html) == ["6"]
    marked = re.findall(r'<input[^>]*aria-invalid="true"[^>]*>', html)
    assert [name for tag in marked for name in re.findall(r' name="(\w+)"', tag)] == ["re"] * 4 + ["eyes"]
    assert 'aria-describedby="fault-re"' in html
    assert 'aria-describedby="fault-eyes" aria-invalid="true"' in html
    assert "Fehler:" not in scorer.get(get_table_url(cast.table)).content.decode()


def test_the_short_form_has_its_own_fields(scorer: Client, cast: Cast) -> None:
    for facts in (SHORT, *({"winners": winners, "base": 1} for winners in ([], [0], [0, 9]))):
        assert send(scorer, get_games_url(cast.table), build_entry(cast.game, **facts, form="played")).status_code == 422
        for fields, at in (({"base": -1}, "base"), ({"base": "3"}, "base"), ({"solo": 1}, "solo"), ({"eyes": 1}, "eyes")):
            errors = send(scorer, get_games_url(cast.table), build_entry(cast.game, **{**facts, **fields})).json()["errors"]
            assert at in errors
            assert ("winners" in errors) == (facts is not SHORT)


def test_what_is_no_object_is_refused(scorer: Client, cast: Cast) -> None:
    deep = [b"[" * 100_000, b'{"re":' * 5_000, b"9" * 5_000]
    for body in (b" ", b"null", b"[]", b'"Re"', b"5", b"{", b"\xff\xfe", b"NaN", *deep):
        for address in (get_games_url(cast.table), get_game_url(cast.game)):
            response = scorer.post(address, body, content_type="application/json")
            assert response.status_code == 422
            assert response.json() == {"errors": {"line": "Bitte genau ein JSON-Objekt schicken."}}
    for field in ("kind", "re_specials", "key", "wetter"):
        start = json.dumps(build_entry(cast.game) | {field: 0})[:-2]
        for depth in (5, 50, 140, 320, 990):
            body = start + "[" * depth + "]" * depth + "}"
            assert scorer.post(get_games_url(cast.table), body, content_type="application/json").status_code == 422


def test_a_field_that_stands_twice_is_refused_wherever_json_is_read(scorer: Client, cast: Cast) -> None:
    before, here = list_keys(cast.table), ["karo", cast.table.pk]
    of_game = [reverse(name, args=[*here, cast.game.key]) for name in ("game", "game_delete", "game_up", "game_insert_behind")]
    for address in (*of_game, *(reverse(name, args=here) for name in ("games", "seats", "table_cash"))):
        for body, field in (
            (b'{"kind": "normal", "eyes": 130, "eyes": 230}', "eyes"),
            (b'{"key": "a", "re_specials": {"fuchs": 1, "fuchs": 2}}', "fuchs"),
            (b'{"note": "", "no\\u0074e": "heimlich"}', "note"),
        ):
            response = scorer.post(address, body, content_type="application/json")
            assert response.status_code == 400, address
            assert response.json() == {"error": f"Das Feld „{field}“ steht zweimal da. Bitte nur einmal schicken."}
    assert list_keys(cast.table) == before


def test_large_requests_are_refused(scorer: Client, cast: Cast) -> None:
    """A long text is refused; a body larger than any entry is not read."""
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game, note="x" * 10**6)).json()["errors"].keys() == {"note"}
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game, note="x" * 3 * 10**6)).status_code == 400
    assert scorer.post(get_games_url(cast.table), {f"f{n}": "" for n in range(1001)}).status_code == 400
    assert scorer.post(get_games_url(cast.table), b"--", content_type="multipart/form-data").status_code == 400
    assert list_keys(cast.table) == [str(cast.game.key)]


# --- Random input ---------------------------------------------------------------------------------------------------


FIELDS = [
    *("key", "after", "version", "confirm", "form", "dealer", "note", "kind", "duty", "re", "eyes", "band", "no_trick", "re_said"),
    *("kontra_said", "last_said", "re_specials", "kontra_specials", "starts_bock", "out", "winners", "base", "solo", "points"),
    *("reason", "seat", "table", "rules", "bock"),
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


@effort(max_examples=examples(40), deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(body=BODIES, correcting=st.booleans())
@example(body={"key": KEY, "after": "THE LAST", "form": "short", **NORMAL}, correcting=True)
@example(body={"key": KEY, "after": "THE LAST", "form": "played", **SHORT}, correcting=False)
def test_no_entry_causes_a_server_error(cast: Cast, body: dict[str, Any], correcting: bool) -> None:
    client = visit(cast.scorer)
    body = {name: str(cast.game.key) if value == "THE LAST" else value for name, value in body.items()}
    address = get_game_url(cast.game) if correcting else get_games_url(cast.table)
    with transaction.atomic():
        response = send(client, address, {**body, "confirm": True} if correcting else body)
        assert response.status_code in (200, 201, 409, 422)
        if response.status_code <= 201:
            assert client.get(get_table_url(cast.table)).status_code == 200
            assert client.get(f"{get_games_url(cast.table)}{response.json()['lines'][0]['key']}/").status_code == 200
        transaction.set_rollback(True)
