"""Decides which values random rule sets are made of: those of the five rule sets' settings, and all that came later."""

from __future__ import annotations

from typing import Any

from tests.rules.reference import ALL_KINDS
from tests.rules.reference.words import GROUP_WORDS

NUMBERS = [0, 1, 1, 2, 3]

# The settings as they were before there were rows, and nothing else.
SETTINGS: dict[str, list[Any]] = {
    "kontra_121": ["never", "only_kontra", "kontra_said", "kontra_last", "always"],
    "tie_120": ["re", "kontra", "nobody"],
    "schwarz_by": ["tricks", "eyes"],
    "won": NUMBERS,
    "limits": [[90, 60, 30, 0], [60, 0], [90], [30, 0], []],
    "limit": NUMBERS,
    "limit_counts": ["reached", "reached_or_missed"],
    "re_kontra": [{"add": 1}, {"add": 2}, {"times": 2}, {"times": 3}, None],
    "absage": NUMBERS,
    "against_absage": ["cumulative", "highest", "off"],
    "nobody_wins": ["net", "zero"],
    "gegen_die_alten": NUMBERS,
    "gegen_in": [["partner"], ["partner", "armut"], ["partner", "armut", "solo"], ["solo"], []],
    "gegen_when": ["before", "after", "bock_only"],
    "specials": [
        {"fuchs": 2},
        {"herzstich": 1},
        {"herzstich": 0},
        {"doppelkopf": 0, "dulle_gefangen": 2},
        {"fuchs": 3, "karlchen": 1},
    ],
    "specials_when": ["before", "after", "bock_only", "paid"],
    "specials_in_solo": ["none", "all", "by_kind"],
    "solo_point": [0],
    "lost_announcement": [{"times": 2, "when": "ansage"}, {"times": 3, "when": "absage"}, {"times": 2, "when": "re"}, None],
    "solo_times": [1, 2, 3],
    "soloist_share": [1, 2, 3, "opponents"],
    "negative": ["keep", "zero"],
    "counting": ["plus_minus", "winners", "losers", {"partner": "losers", "solo": "winners"}],
    "sitter": ["nothing", "winners", "kontra"],
    "special_payer": ["kasse", "players"],
    "deal_stays": [["duty_solo"], ["lustsolo"], ["duty_solo", "lustsolo", "redeal"], []],
    "duty_solo": [{"rounds": 1}, {"rounds": 5}, None],
    "deck": [40, 48],
}
TRIGGERS_BEFORE = ["lost_announcement", "lost_solo", "tie_120", "herzstich", "zero_game", "schwarz", "manual"]

BY_LIMIT = {"90": 5, "60": 10, "30": 20, "0": 20}
COWARDICE = [
    *({"levels": levels, "then": then} for levels in (2, 3, 4, 5) for then in ("loses", "nobody", 3)),
    {"levels": 2, "then": 0},
    None,
]
# What came later, for the rule set and for rows of settings by kind.
LATER: dict[str, list[Any]] = {
    "kontra_121": ["unless_re"],
    "limit": [{"times": 1}, {"times": 2}, {"times": 3}, BY_LIMIT, {"90": 1, "0": 4}, {"60": 0}],
    "absage": [{"times": 1}, {"times": 2}, {"times": 3}, {"no90": 1, "no60": 2, "no30": 0}, {"schwarz": 7}],
    "limit_counts": ["reached_and_missed"],
    "re_kontra": [
        {"re": {"add": 2}, "kontra": {"times": 2}},
        {"re": {"times": 1}, "kontra": {"add": 3}},
        {"won": {"add": 2}, "lost": {"add": 1}},
        {"won": {"add": 1}, "lost": {"times": 2}},
        {"first": {"times": 2}, "answer": {"add": 1}},
        {"first": {"add": 2}, "answer": {"times": 3}},
    ],
    "sitter": ["re"],
    "decided": ["eyes", "both", "both", "both", "hand"],
    "won_at_120": [True, False, False],
    "re_limit_more": [0, 1, 1],
    "against": [0, 2, 5],
    "missed_absage": ["loses", "costs", "costs"],
    "cowardice": COWARDICE,
    "lost_times": [1, 2, 3],
    "highest": [None, 1, 3, 10, 1000],
}
SET_LATER: dict[str, list[Any]] = {
    **LATER,
    "kontra_121": ["unless_re", {"partner": "never", "solo": "unless_re"}, {"partner": "unless_re", "solo": "always"}],
    "text": ["", "Schmeißen bei fünf Neunen."],
}
OF_NO_ROW = {"specials", "solo_times", "deal_stays", "duty_solo", "deck", "solo_point"}
IN_A_ROW: dict[str, list[Any]] = {
    **{key: values for key, values in SETTINGS.items() if key not in OF_NO_ROW},
    **{key: [*SETTINGS.get(key, []), *values] for key, values in LATER.items()},
    "counting": ["plus_minus", "winners", "losers"],
    "times": [1, 2, 3, 9],
    "in_bock": ["plays", "plain", "skips", "keeps"],
}

OWN_SPECIALS = ["gans", "hirsch", "tuck", "sau", "jungfrau", "klabautermann", "stuhlbein"]
OWN_KINDS = ["nullo", "bordell", "ramsch_spiel", "koehler", "kontrasolo", "kloster", "genscher"]
LIKE = ["normal", "hochzeit", "armut", "ramsch", "ramsch", "ramsch", "stille_hochzeit", "hochzeit_allein", *ALL_KINDS]
WORDS = [*GROUP_WORDS, *GROUP_WORDS, *ALL_KINDS]
POINTS: list[Any] = [
    0, 1, 1, 2, 7, [1], [5, 10], [1, 1, 1, 2], [0, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9],
    {"times": 1}, {"times": 2}, {"times": 2}, {"times": 3}, {"times": 4},
]  # fmt: skip
KIND_TRIGGERS = [f"kind:{word}" for word in [*GROUP_WORDS, *ALL_KINDS]]
