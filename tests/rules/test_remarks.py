"""What the page says about a game that is odd but possible."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.facts import GameFacts, read_game
from scoring.rules.outcome import score
from scoring.rules.remarks import remarks
from scoring.rules.settings import preset

NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}


def said(rules: str, **facts: Any) -> list[str]:
    game = read_game(NORMAL | facts, preset(rules))
    assert isinstance(game, GameFacts)
    return [str(sentence) for sentence in remarks(game, score(game, preset(rules)), preset(rules))]


@pytest.mark.parametrize(
    "facts", [{}, {"re_specials": {"fuchs": 1}}, {"table": 5, "dealer": 2, "out": [2]}, {"eyes": 1}]
)
def test_an_ordinary_game_needs_no_remark(facts: dict[str, Any]) -> None:
    assert said("ddv", **facts) == []


@pytest.mark.parametrize(
    ("rules", "facts", "part"),
    [
        ("ddv", {"eyes": 0}, "Re hat keine Augen"),
        ("ddv", {"eyes": 240}, "Kontra hat keine Augen"),
        ("ddv", {"eyes": 240, "no_trick": "none"}, "Kontra hat einen Stich ohne Augen"),
        ("ddv", {"kind": "damensolo", "re": [0], "kontra_specials": {"fuchs": 1}}, "zählt in diesem Solo nicht"),
        (
            "anleitung",
            {"eyes": 120, "re_said": "no90", "kontra_said": "no90", "re_specials": {"fuchs": 1}},
            "Niemand hat",
        ),
        ("ddv", {"kontra_specials": {"fuchs": 2}}, "Der Verlierer gewinnt Punkte"),
        ("ddv", {"table": 5, "dealer": 2, "out": [3]}, "sonst mitspielt"),
    ],
)
def test_what_is_said(rules: str, facts: dict[str, Any], part: str) -> None:
    (sentence,) = said(rules, **facts)
    assert part in sentence
    assert sentence.endswith(".")
