"""Test the file of sentences for the scripts, one for each language, and the remarks about games that are odd but possible."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.rules.settings import RuleSettings, get_preset, resolve
from scoring.rules.sheet import Line, fold
from scoring.table.texts import build_words, list_remarks
from tests.factories import Cast


@pytest.mark.parametrize(("language", "corrects"), [("de", "Berichtigen"), ("en", "Correct")])
def test_a_page_has_the_words_of_its_language(cast: Cast, language: str, corrects: str) -> None:
    client = Client(headers={"accept-language": language})
    client.force_login(cast.scorer)
    page = client.get(reverse("table", args=["karo", cast.table.pk])).content.decode()
    (address,) = re.findall(r'src="(/static/table/[^"]*)"', page)
    assert address == static(f"table/{language}.js")
    answer = client.get(address)
    assert "immutable" in answer.headers["Cache-Control"]
    told = json.loads(answer.content.removeprefix(b"globalThis.WORDS="))
    assert told == json.loads(json.dumps(build_words(language)))
    assert told["texts"]["correct"] == corrects


NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}


def said(rules: str, **facts: Any) -> list[str]:
    table, dealer = facts.pop("table", 4), facts.pop("dealer", 0)
    return last(get_preset(rules), Line("played", range(table), dealer, NORMAL | facts))


def last(rules: RuleSettings, *lines: Line) -> list[str]:
    """Return the remarks about the last of these lines."""
    return list_remarks(fold(lines, rules)[-1], rules)


def test_an_ordinary_game_needs_no_remark() -> None:
    for facts in ({}, {"re_specials": {"fuchs": 1}}, {"table": 5, "dealer": 2, "out": [2]}, {"eyes": 1}):
        assert said("ddv", **facts) == []


@pytest.mark.parametrize(
    ("rules", "facts", "part"),
    [
        ("ddv", {"eyes": 0}, "Re hat keine Augen"),
        ("ddv", {"kind": "damensolo", "re": [0], "eyes": 0}, "Solo hat keine Augen"),
        ("ddv", {"kind": "damensolo", "re": [0], "eyes": 240}, "Gegner haben keine Augen"),
        ("ddv", {"kind": "damensolo", "re": [0], "eyes": 240, "no_trick": "none"}, "Gegner haben einen Stich ohne Augen"),
        ("ddv", {"eyes": 240}, "Kontra hat keine Augen"),
        ("ddv", {"eyes": 240, "no_trick": "none"}, "Kontra hat einen Stich ohne Augen"),
        ("ddv", {"kind": "damensolo", "re": [0], "kontra_specials": {"fuchs": 1}}, "zählt in diesem Solo nicht"),
        ("anleitung", {"eyes": 120, "re_said": "no90", "kontra_said": "no90", "re_specials": {"fuchs": 1}}, "Niemand hat"),
        ("ddv", {"kontra_specials": {"fuchs": 2}}, "Der Verlierer gewinnt Punkte"),
        ("ddv", {"table": 5, "dealer": 2, "out": [3]}, "sonst mitspielt"),
    ],
)
def test_odd_games_have_a_remark(rules: str, facts: dict[str, Any], part: str) -> None:
    (sentence,) = said(rules, **facts)
    assert part in sentence
    assert sentence.endswith(".")


ONE_OF_TWO = "Selbst eingetragen sind 2 Böcke; nach diesen Regeln hat nur einer begonnen."
NONE = "Der selbst eingetragene Bock hat nicht begonnen: Nach diesen Regeln laufen erst die übrigen zu Ende."


@pytest.mark.parametrize("form", ["played", "short"])
@pytest.mark.parametrize(
    ("bock", "typed", "expected"),
    [
        ({"per_game": "one"}, [1], []),
        ({"per_game": "one"}, [2], [ONE_OF_TWO]),
        ({"per_game": "each"}, [2], []),
        ({"per_game": "each", "overlap": "extend"}, [2], [ONE_OF_TWO]),
        ({"per_game": "each", "overlap": "ignore"}, [1, 1], [NONE]),
    ],
)
def test_fewer_bocks_than_were_typed(form: str, bock: dict[str, Any], typed: list[int], expected: list[str]) -> None:
    rules = RuleSettings.from_data(resolve({"base": "anleitung", "bock": {"triggers": ["manual"], **bock}}))
    game = NORMAL if form == "played" else {"winners": [0, 1], "base": 2}
    assert last(rules, *[Line(form, range(4), 0, {**game, "starts_bock": bocks}) for bocks in typed]) == expected


def test_a_remark_names_an_own_special_point() -> None:
    jungfrau = {"name": "Jungfrau", "points": {"times": 2}, "of": "game", "kinds": ["solo"]}
    rules = RuleSettings.from_data(resolve({"base": "ddv", "specials": {"jungfrau": jungfrau}}))
    line = Line("played", range(4), 0, NORMAL | {"game_specials": {"jungfrau": 1}})
    assert last(rules, line) == ["Der Sonderpunkt „Jungfrau“ zählt in diesem Spiel nicht."]


def test_an_own_name_that_is_a_word_of_the_catalogue_is_not_translated() -> None:
    gegner = {"name": "Gegner", "points": {"times": 2}, "of": "game", "kinds": ["solo"]}
    rules = RuleSettings.from_data(resolve({"base": "ddv", "specials": {"gegner": gegner}}))
    with override("en"):
        (remark,) = last(rules, Line("played", range(4), 0, NORMAL | {"game_specials": {"gegner": 1}}))
    assert "Gegner" in remark
