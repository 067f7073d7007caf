"""Rule sets that just are ones: every number, text and count at the end of what it may be (sections 9 to 15)."""

from __future__ import annotations

from typing import Any

from tests.rules.random_games.no_rules import GANS, NULLO, bock, kind_row, special

JUST_RULES: list[Any] = [
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
