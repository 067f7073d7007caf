"""Rule sets that are none, one for each thing that is refused about them (sections 9 to 15)."""

from __future__ import annotations

from typing import Any

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
NO_RULES = ROWS_OF_SPECIALS + ROWS_OF_KINDS + SINGLE + BOCK + BY_SIZE
