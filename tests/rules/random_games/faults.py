"""Decides how a legal line is spoiled: one to three of its fields are wrong, or no longer there, or too many, or the rule
set is none.

By chance a fault can be none; whoever answers the line has to tell.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.rules import reference
from tests.rules.random_games.no_rules import NO_RULES

Line = dict[str, Any]


def spoil(rng: random.Random, line: Line) -> Any:
    """The line with one to three faults, or no line at all."""
    if rng.random() < 0.03:
        return rng.choice([None, 7, "ddv", [], [line], True])
    spoiled = {**line}
    if rng.random() < 0.15:
        field = rng.choice(list(FIRST))
        spoiled[field] = rng.choice(FIRST[field])
        return spoiled
    for _ in range(rng.choice([1, 1, 2, 3])):
        rng.choice([wrong_value, wrong_value, wrong_special, one_too_few, of_the_other_form])(rng, spoiled)
    return spoiled


ODD = [-1, 1.5, "1", True, None, [], {}, "x", 99]
ODD_SEATS = [[0], [0, 0], [1, 2, 3], [0, 9], [-1, 2], [True, 2], [], "01", 3, [0, "1"], [[0], [1]], [0, 2], [1, 3]]
FIRST: dict[str, list[Any]] = {
    "rules": ["", "DDV", 5, [], {"base": "x"}, {"base": "ddv", "farbe": 1}, {"base": "ddv", "won": -1}, *NO_RULES],
    "table": [3, 9, "4", 4.0, True],
    "kind": ["", "solo", 3, ["normal"], "Normal"],
}
ODD_SPECIALS = [
    {"fuchs": 3}, {"fuchs": -1}, {"fuchs": "1"}, {"fuchs": True}, {"fuchs": 1.0}, {"doppelkopf": 5}, {"farbe": 1},
    {"karlchen": 1, "fuchs_am_ende": 1}, {"karlchen": 1}, {"fuchs": 1}, {"fuchs": 2}, {"herzstich": 1}, [], "fuchs", 1,
    {"dulle_gefangen": 0}, {"karlchen": 2}, {"doppelkopf": 2, "fuchs": 2},
]  # fmt: skip
WRONG: dict[str, list[Any]] = {
    "dealer": [*ODD, 5],
    "out": ODD_SEATS,
    "starts_bock": [*ODD, 1],
    "bock": [*ODD, 1, 2, 9],
    "farbe": ["blau"],
}
WRONG_PLAYED: dict[str, list[Any]] = {
    **WRONG,
    "re": ODD_SEATS,
    "duty": [1, "true", None, True],
    "eyes": [*ODD, 241, 0, 240, 120],
    "winner": ["re", "kontra", "re", "kontra", "nobody", None, True],
    "band": ["30-59", "60-89", "90-119", 0, "0", "100-119", "120", "1-30", None, ["0"]],
    "no_trick": ["re", "kontra", "none", "", None, 1],
    "re_said": [True, "re", "", None, 2, "no0", "said"],
    "kontra_said": ["kontra", "no_90", ["said"], "schwarz"],
    "last_said": ["re", "kontra", "none", None, 1],
    "re_specials": ODD_SPECIALS,
    "kontra_specials": ODD_SPECIALS,
    "game_specials": [{"fuchs": 1}, {"farbe": 1}, {"farbe": 0}, [], None],
}
WRONG_SHORT: dict[str, list[Any]] = {
    **WRONG,
    "winners": ODD_SEATS,
    "base": ODD[:-1],
    "solo": [1, "x", None, True, False],
}
TOO_MANY = ["out", "bock", "starts_bock", "kind", "re", "winners", "eyes", "winner", "farbe"]
WRONG_REDEAL: dict[str, list[Any]] = {
    "dealer": [*ODD, 5],
    "redeal": [False, 1, "true", None],
    **{field: [1, [0, 1]] for field in TOO_MANY},
}


def wrong_value(rng: random.Random, line: Line) -> None:
    wrong = WRONG_SHORT if "winners" in line else WRONG_REDEAL if "redeal" in line else WRONG_PLAYED
    field = rng.choice(list(wrong))
    line[field] = rng.choice(wrong[field])


def wrong_special(rng: random.Random, line: Line) -> None:
    """One more of a special point of the rule set, in any of the three fields."""
    base = line["rules"]["base"] if isinstance(line["rules"], dict) else line["rules"]
    own = line["rules"].get("specials", {}) if isinstance(line["rules"], dict) else {}
    field = rng.choice(["re_specials", "kontra_specials", "game_specials"])
    code = rng.choice([*reference.PRESETS[base]["specials"], *own, *own])
    before = line.get(field) if isinstance(line.get(field), dict) else {}
    line[field] = {**before, code: rng.choice([0, 1, 1, 2, 3, 4, 5, 10, -1, None, True])}


def one_too_few(rng: random.Random, line: Line) -> None:
    """A field gone; without `winners` a line would no longer be a short one, so that one stays."""
    fields = ("dealer", "out", "re", "eyes", "band", "winner", "winner", "last_said", "last_said", "base")
    there = [field for field in fields if field in line]
    if there:
        del line[rng.choice(there)]


def of_the_other_form(rng: random.Random, line: Line) -> None:
    fields: list[Callable[[], tuple[str, Any]]]
    if "winners" in line:
        fields = [lambda: ("eyes", 121), lambda: ("re_said", "none"), lambda: ("re", [0, 1]), lambda: ("duty", False)]
        fields += [lambda: ("winner", "re"), lambda: ("game_specials", {})]
    elif "redeal" in line:
        fields = [lambda: ("winners", [0, 1]), lambda: ("base", 1), lambda: ("eyes", 121), lambda: ("kind", "normal")]
    else:
        fields = [lambda: ("winners", [0, 1]), lambda: ("base", 1), lambda: ("solo", False)]
    field, value = rng.choice(fields)()
    line[field] = value
