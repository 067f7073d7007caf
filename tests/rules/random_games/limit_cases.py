"""Invalid rule sets with one fault each, valid ones at the limits, and games of too high a value."""

from __future__ import annotations

from typing import Any

from tests.rules.random_games.rule_sets import Rules

GANS = {"name": "Gans", "points": 1}
NULLO = {"name": "Nullo", "like": "fleischlos"}


def special(row: Any, key: str = "gans") -> dict[str, Any]:
    return {"base": "ddv", "specials": {key: row}}


def kind_row(row: Any, word: str = "solo") -> dict[str, Any]:
    return {"base": "ddv", "per_kind": {word: row}}


def bock(**settings: Any) -> dict[str, Any]:
    return {"base": "anleitung", "bock": settings}


ROWS_OF_SPECIALS: list[Any] = [
    special(1),
    special({"points": 1}),
    special({**GANS, "name": " "}),
    special({**GANS, "name": ""}),
    special({**GANS, "name": "G" * 41}),
    special({**GANS, "name": 7}),
    special({"name": "Gans"}),
    special({**GANS, "points": -1}),
    special({**GANS, "points": 10_001}),
    special({**GANS, "points": "1"}),
    special({**GANS, "points": True}),
    special({**GANS, "points": None}),
    special({**GANS, "points": []}),
    special({**GANS, "points": [1] * 10}),
    special({**GANS, "points": [1, -1]}),
    special({**GANS, "points": {"times": 0}}),
    special({**GANS, "points": {"times": 5}}),
    special({**GANS, "points": {"add": 1}}),
    special({**GANS, "points": {}}),
    special({**GANS, "most": 0}),
    special({**GANS, "most": 10}),
    special({**GANS, "most_party": 2}),
    special({**GANS, "most": 2, "most_party": 3}),
    special({**GANS, "most_party": 0}),
    special({**GANS, "kinds": []}),
    special({**GANS, "kinds": ["nullo"]}),
    special({**GANS, "kinds": "solo"}),
    special({**GANS, "of": "winner"}),
    special({**GANS, "farbe": 1}),
    special([1]),
    special(None),
    special(GANS, "Gans"),
    special(GANS, "1gans"),
    special(GANS, ""),
    special(GANS, "gänse"),
    special(GANS, "g" * 31),
    special({"points": 1, "most": 0}, "fuchs"),
    special({"points": 1, "most_party": 3}, "fuchs"),
    special({"most": 1}, "fuchs"),
    special(-1, "fuchs"),
    {"base": "ddv", "specials": {f"gans{number}": GANS for number in range(25)}},
]
ROWS_OF_KINDS: list[Any] = [
    kind_row({"deck": 40}),
    kind_row({"kinds": ["normal"]}),
    kind_row({"specials": {}}),
    kind_row({"bock": None}),
    kind_row({"solo_times": 2}),
    kind_row({"text": ""}),
    kind_row({"farbe": 1}),
    kind_row({"name": "Solo"}),
    kind_row({"like": "damensolo"}),
    kind_row(NULLO, "damensolo"),
    kind_row({"times": 0}),
    kind_row({"times": 10}),
    kind_row({"in_bock": "never"}),
    kind_row({"won": -1}),
    kind_row({"won": 10_001}),
    kind_row({"kontra_121": {"partner": "never", "solo": "always"}}),
    kind_row({"counting": {"partner": "winners", "solo": "losers"}}),
    kind_row({"solo_point": 1}),
    kind_row({"cowardice": {"levels": 3}}),
    kind_row([]),
    kind_row(None),
    kind_row({}, "nullo"),
    kind_row({"like": "fleischlos"}, "nullo"),
    kind_row({"name": "Nullo"}, "nullo"),
    kind_row({**NULLO, "like": "nullo"}, "nullo"),
    kind_row({**NULLO, "like": "solo"}, "nullo"),
    kind_row({**NULLO, "name": "  "}, "nullo"),
    kind_row({**NULLO, "name": "N" * 41}, "nullo"),
    kind_row(NULLO, "Nullo"),
    kind_row(NULLO, "n" * 31),
    kind_row(NULLO, "ramsch"),
    kind_row(NULLO, "duty"),
    {"base": "ddv", "per_kind": {f"nullo{number}": NULLO for number in range(25)}},
    {"base": "ddv", "per_kind": []},
    {"base": "ddv", "kinds": ["normal", "nullo"]},
    {"base": "ddv", "kinds": ["normal", "solo"]},
    {"base": "ddv", "kinds": ["normal", "ramsch"]},
    {
        "base": "vln",
        "per_kind": {"glueck": {"name": "Glück", "like": "hochzeit"}},
        "solo_point": {"points": 1, "kinds": ["glueck"], "when": "after"},
    },
]
SINGLE: list[Any] = [
    {"base": "ddv", key: value}
    for key, values in {
        "limit": [{"times": 0}, {"times": 5}, {}, {"91": 1}, {"90": -1}, {"90": 1, "times": 2}, [1], "1", -1, 10_001],
        "absage": [{"times": 0}, {"times": 5}, {}, {"no0": 1}, {"no90": -1}, {"said": 1}, None],
        "re_kontra": [
            {"re": {"add": 1}},
            {"re": {"add": 1}, "won": {"add": 1}},
            {"re": {"add": 1}, "kontra": None},
            {"re": 1, "kontra": 2},
            {"first": {"add": 1, "times": 2}, "answer": {"add": 1}},
            {"re": {"add": 1}, "kontra": {"add": 1}, "won": {"add": 1}},
            {},
        ],
        "limit_counts": ["missed", None],
        "kontra_121": ["unless_kontra", {"partner": "unless_re"}],
        "decided": ["eye", None, True],
        "won_at_120": [0, 1, None, "false"],
        "re_limit_more": [2, True, -1, None],
        "against": [-1, 10_001, None, "1"],
        "missed_absage": ["wins", None],
        "cowardice": [
            3,
            {},
            {"levels": 1, "then": "loses"},
            {"levels": 6, "then": "loses"},
            {"levels": 3, "then": "wins"},
            {"levels": 3, "then": -1},
            {"levels": 3, "then": None},
            {"levels": 3, "then": "loses", "farbe": 1},
        ],
        "lost_times": [0, 10, None, True],
        "highest": [0, 1_000_001, "5", True],
        "sitter": ["me", None],
        "text": ["x" * 4001, None, 7],
    }.items()
    for value in values
]
BOCK: list[Any] = [
    bock(overlap="full"),
    bock(factor=1),
    bock(factor=5),
    bock(factor="square"),
    bock(factor=True),
    bock(drawn="zero"),
    bock(drawn=True),
    bock(farbe=1),
    bock(triggers=["lost"]),
    bock(triggers=["special:herzstich"]),
    bock(triggers=["special:gans"]),
    bock(triggers=["special:"]),
    bock(triggers=["kind:gans"]),
    bock(triggers=["kind:"]),
    bock(triggers=["kind:nullo"]),
]
BY_SIZE: list[Any] = [
    {"base": "ddv", "at": {"5": {"text": "Fünf"}}},
    {"base": "ddv", "at": {"5": {"farbe": 1}}},
    {"base": "ddv", "at": {"5": {"highest": 0}}},
    {"base": "ddv", "at": {"5": {"per_kind": {"solo": {"deck": 40}}}}},
    {"base": "ddv", "at": {"5": {"kinds": ["normal", "nullo"]}}},
    {"base": "ddv", "kinds": ["normal", "nullo"], "at": {"5": {"per_kind": {"nullo": NULLO}}}},
    {"base": "ddv", "bock": {"triggers": ["kind:nullo"]}, "at": {"5": {"per_kind": {"nullo": NULLO}}}},
]
INVALID_RULES = ROWS_OF_SPECIALS + ROWS_OF_KINDS + SINGLE + BOCK + BY_SIZE


VALID_RULES: list[Any] = [
    special({**GANS, "name": "G"}),
    special({**GANS, "name": "G" * 40}),
    special(GANS, "g"),
    special(GANS, "g" * 30),
    special(GANS, "g_1"),
    special(GANS, "solo"),
    special({**GANS, "points": 0}),
    special({**GANS, "points": 10_000}),
    special({**GANS, "points": [0]}),
    special({**GANS, "points": [10_000] * 9}),
    special({**GANS, "points": {"times": 1}}),
    special({**GANS, "points": {"times": 4}}),
    special({**GANS, "most": 9, "most_party": 9}),
    special({**GANS, "most": 9, "most_party": 1}),
    special({"points": 1, "most_party": 2}, "fuchs"),
    special({"points": 1, "most": 1, "kinds": ["ramsch", "duty", "quiet"]}, "fuchs"),
    {"base": "ddv", "specials": {f"gans{number}": GANS for number in range(24)}},
    {"base": "ddv", "specials": {"gans": {**GANS, "kinds": ["nullo"]}}, "per_kind": {"nullo": NULLO}},
    {"base": "ddv", "per_kind": {f"nullo{number}": NULLO for number in range(24)}},
    {"base": "ddv", "per_kind": {"nullo": NULLO}, "kinds": ["normal", "nullo"], "bock": {"triggers": ["kind:nullo"]}},
    {"base": "ddv", "per_kind": {"nullo": NULLO}, "bock": {"triggers": ["kind:nullo"]}},
    {"base": "ddv", "per_kind": {}, "text": ""},
    kind_row({}),
    kind_row({"won": 1}, "armut"),
    kind_row({"times": 1, "lost_times": 1}),
    kind_row({"times": 9, "lost_times": 9, "highest": None, "cowardice": None}),
    kind_row({**NULLO, "name": "N" * 40}, "n" * 30),
    kind_row({**NULLO, "like": "grossspiel"}, "nullo"),
    kind_row({"solo_point": {"points": 1, "kinds": ["damensolo"], "when": "bock_only"}}),
    {
        "base": "vln",
        "per_kind": {"nullo": NULLO},
        "solo_point": {"points": 1, "kinds": ["nullo"], "when": "after"},
    },
    *(
        {"base": "ddv", key: value}
        for key, values in {
            "limit": [{"times": 1}, {"times": 4}, {"0": 10_000}],
            "absage": [{"times": 1}, {"times": 4}, {"schwarz": 0}],
            "against": [0, 10_000],
            "cowardice": [{"levels": 2, "then": 0}, {"levels": 5, "then": 10_000}, None],
            "lost_times": [1, 9],
            "highest": [None, 1, 1_000_000],
            "text": ["x" * 4000],
        }.items()
        for value in values
    ),
    bock(triggers=["herzstich"]),
    bock(triggers=["special:fuchs", "kind:duty", "kind:grossspiel"]),
    bock(factor=4, drawn="doubled", overlap="fill", cap=1),
    {"base": "ddv", "at": {"5": {"per_kind": {"nullo": NULLO}, "kinds": ["normal", "nullo"]}}},
]


Line = dict[str, Any]

# With a Bock level so high that the value of a valid entry can be too high.
HIGH: Rules = {
    "base": "anleitung",
    "won": 100,
    "bock": {"triggers": ["manual"], "per_game": "each", "overlap": "stack", "length": 6, "cap": 16},
}
TOO_HIGH: list[Line] = [
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
# With so many factors that a value on the way is too high, although `highest` is small.
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
TOO_HIGH += [
    ALL_TRICKS,
    {**ALL_TRICKS, "game_specials": {"eins": 9}},
    {**ALL_TRICKS, "game_specials": {"eins": 9, "zwei": 9}},
    {**ALL_TRICKS, "rules": {**HUGE, "highest": None}, "game_specials": {"eins": 9}},
    {**ALL_TRICKS, "rules": {**HUGE, "highest": None}, "game_specials": {"eins": 9, "zwei": 9}},
]
TOO_HIGH_REFUSED = [[], ["base"], ["base"], [], ["base"], ["line"], ["line"], [], ["base"], []]
TOO_HIGH_REFUSED += [[], [], ["kind"], ["line"], ["kind"]]
