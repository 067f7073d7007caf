"""Games that come to more than any game may, on their way or in the end, and those beside them that just do not."""

from __future__ import annotations

from typing import Any

from tests.rules.random_games.rule_sets import Rules

Line = dict[str, Any]

# So high a Bock level that an entry which is allowed by itself can come to more than any game may.
HIGH: Rules = {
    "base": "anleitung",
    "won": 100,
    "bock": {"triggers": ["manual"], "per_game": "each", "overlap": "stack", "length": 6, "cap": 16},
}
BEYOND: list[Line] = [
    {"rules": HIGH, "winners": [0, 1], "base": 100_000, "starts_bock": 16},
    {"rules": HIGH, "winners": [0, 1], "base": 100_000},
    {"rules": HIGH, "winners": [0, 1], "base": 153},
    {"rules": HIGH, "winners": [0, 1], "base": 152},
    {"rules": HIGH, "winners": [0, 1, 3], "base": 153, "solo": True},
    {"rules": {**HIGH, "won": 1000}, "kind": "normal", "re": [0, 1], "eyes": 130},
    {"rules": {**HIGH, "won": 1000}, "kind": "damensolo", "re": [0], "eyes": 30},
    {"rules": HIGH, "kind": "normal", "re": [0, 1], "eyes": 130},
    {"rules": HIGH, "winners": [0, 1], "base": 100_000, "bock": 7},
    {"rules": HIGH, "winners": [0, 1], "base": 100_000, "bock": 6},
]
# So many doublings that a game passes what may stand on the way, although the highest value is small.
DOUBLING = {"name": "Doppelt", "points": {"times": 4}, "most": 9, "of": "game"}
HUGE: dict[str, Any] = {
    "base": "ddv",
    "won": 10_000,
    "absage": {"times": 4},
    "limit": {"times": 4},
    "specials": {"eins": DOUBLING, "zwei": DOUBLING},
    "highest": 1000,
}
ALL_TRICKS: Line = {"rules": HUGE, "kind": "normal", "re": [0, 1], "eyes": 240, "re_said": "schwarz"}
BEYOND += [
    ALL_TRICKS,
    {**ALL_TRICKS, "game_specials": {"eins": 9}},
    {**ALL_TRICKS, "game_specials": {"eins": 9, "zwei": 9}},
    {**ALL_TRICKS, "rules": {**HUGE, "highest": None}, "game_specials": {"eins": 9}},
    {**ALL_TRICKS, "rules": {**HUGE, "highest": None}, "game_specials": {"eins": 9, "zwei": 9}},
]
REFUSED_BEYOND = [[], ["base"], ["base"], [], ["base"], ["line"], ["line"], [], ["base"], []]
REFUSED_BEYOND += [[], [], ["kind"], ["line"], ["kind"]]
