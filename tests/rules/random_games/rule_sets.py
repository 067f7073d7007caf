"""Random rule sets: a preset, a preset with other settings, or one with rows, own kinds and own special points. No game
has too high a value under them.
"""

from __future__ import annotations

import random
from math import prod
from typing import Any

from tests.rules import reference
from tests.rules.reference import ALL_KINDS
from tests.rules.reference.constants import GROUP_WORDS, TRIGGERS
from tests.rules.reference.steps import row_of, worth

Rules = str | dict[str, Any]
Row = dict[str, Any]

_settings: dict[str, dict[str, Any]] = {}


def settings_for(rules: Rules, table: int) -> dict[str, Any]:
    key = f"{rules} {table}"
    if key not in _settings:
        settings = reference.resolve(rules, str(table))
        if settings is None:
            raise ValueError(f"no rules: {rules}")
        _settings[key] = settings
    return _settings[key]


def random_rules(rng: random.Random) -> Rules:
    """Return a random rule set; a third of them have only settings of the first five presets."""
    if rng.random() < 0.34:
        return rules_as_before(rng)
    rules = rules_of_later(rng)
    while most_on_the_way(rules) > 10**15:
        rules = rules_of_later(rng)
    if most_on_the_way(rules) > 10_000_000:
        for layer in (*rules.get("at", {}).values(), *rules.get("per_kind", {}).values()):
            layer.pop("highest", None)
            for row in layer.get("per_kind", {}).values():
                row.pop("highest", None)
        rules["highest"] = rng.choice([10, 1000, 1_000_000])
    return rules


def rules_as_before(rng: random.Random) -> Rules:
    base = rng.choice(list(reference.PRESETS))
    if rng.random() < 0.4:
        return base
    keys = rng.sample(list(SETTINGS), rng.choice([0, 1, 2, 4, 8, len(SETTINGS)]))
    rules: dict[str, Any] = {"base": base, **{key: rng.choice(SETTINGS[key]) for key in keys}}
    if rules.get("re_kontra") and base == "klassisch":
        rules.setdefault("absage", 1)
    if rng.random() < 0.1:
        rules["seating"] = {"6": rng.sample(range(6), 4)}
    if rng.random() < 0.8:
        rules["bock"] = bock_as_before(rng)
    return rules


def bock_as_before(rng: random.Random) -> dict[str, Any] | None:
    if rng.random() < 0.05:
        return None
    bock = {
        "triggers": rng.sample(TRIGGERS_BEFORE, rng.choice([1, 1, 2, 3, 7])),
        "per_game": rng.choice(["one", "each"]),
        "length": rng.choice(["table", "deal", 1, 2, 6]),
        "overlap": rng.choice(["append", "stack", "extend", "ignore"]),
        "cap": rng.choice([1, 2, 8]),
        "effect": rng.choice(["all", "all", "game", {"add": 1}, {"add": 3}]),
        "duty_solo_uses": rng.choice([True, False]),
    }
    return {key: value for key, value in bock.items() if key == "triggers" or rng.random() < 0.8}


def random_bock(rng: random.Random) -> dict[str, Any] | None:
    """Return a random Bock with older or all settings; its triggers exist in every rule set."""
    bock = bock_as_before(rng)
    if bock is None or rng.random() < 0.3:
        return bock
    bock["triggers"] = rng.sample([*TRIGGERS, *KIND_TRIGGERS], rng.choice([1, 1, 2, 5]))
    if rng.random() < 0.4:
        bock["triggers"] = [rng.choice([*TRIGGERS, *(f"kind:{word}" for word in GROUP_WORDS)])]
    if rng.random() < 0.4:
        bock.update(overlap="fill", cap=rng.choice([1, 2, 2, 3, 8]))
    if rng.random() < 0.5:
        bock["factor"] = rng.choice([2, 3, 4, "linear", "linear"])
    if rng.random() < 0.4:
        bock["drawn"] = rng.choice(["doubled", "plain", "plain"])
    return bock


# --- Later settings --------------------------------------------------------------------------------------------------


def rules_of_later(rng: random.Random) -> dict[str, Any]:
    """Add some of the later settings, rows of special points, own kinds and rows by kind."""
    before = rules_as_before(rng)
    rules = {"base": before} if isinstance(before, str) else before
    rules.pop("bock", None)
    for key in rng.sample(list(SET_LATER), rng.choice([0, 1, 1, 2, 3, 6])):
        rules[key] = rng.choice(SET_LATER[key])
    own_kinds: dict[str, Row] = {}
    if rng.random() < 0.5:
        own_kinds = random_own_kinds(rng)
        add_kinds(rng, rules, own_kinds)
    words = [*WORDS, *own_kinds, *own_kinds]
    if own_kinds or rng.random() < 0.5:
        rules["per_kind"] = {**random_rows(rng), **own_kinds}
    if rng.random() < 0.6:
        rules["specials"] = {**rules.get("specials", {}), **random_specials(rng, words)}
    if rng.random() < 0.25:
        rules["solo_point"] = random_solo_point(rng, own_kinds)
    if rng.random() < 0.75:
        rules["bock"] = random_bock(rng)
        add_own_triggers(rng, rules)
    if rng.random() < 0.25 and rules["base"] != "klassisch":
        rules["at"] = random_at(rng, rules)
    return rules


def random_own_kinds(rng: random.Random) -> dict[str, Row]:
    """Return own kinds with their rows, by key."""
    found = {}
    for key in rng.sample(OWN_KINDS, rng.choice([1, 1, 2, 3])):
        found[key] = {"name": key.replace("_", " ").title(), "like": rng.choice(LIKE), **random_row(rng)}
        if rng.random() < 0.4:
            found[key]["decided"] = rng.choice(["hand", "both"])
    return found


def add_kinds(rng: random.Random, rules: dict[str, Any], own_kinds: dict[str, Row]) -> None:
    """Return the kinds that are played: own ones with those of the base or a few; one may be missing."""
    kinds = list(reference.PRESETS[rules["base"]]["kinds"])
    if rng.random() < 0.4:
        kinds = ["normal", *rng.sample(reference.ALL_KINDS[1:], 3)]
    rules["kinds"] = kinds + [key for key in own_kinds if rng.random() < 0.9]


def random_rows(rng: random.Random) -> dict[str, Row]:
    """Return rows by words of section 10, without own kinds."""
    return {word: random_row(rng) for word in rng.sample(WORDS, rng.choice([1, 2, 4, 8]))}


def random_row(rng: random.Random) -> Row:
    row = {key: rng.choice(IN_A_ROW[key]) for key in rng.sample(list(IN_A_ROW), rng.choice([1, 1, 2, 3, 6]))}
    if rng.random() < 0.3:
        row["in_bock"] = rng.choice(IN_A_ROW["in_bock"])
    if rng.random() < 0.1:
        row["solo_point"] = random_solo_point(rng, {})
    return row


def random_solo_point(rng: random.Random, own_kinds: dict[str, Row]) -> Any:
    own = [key for key, row in own_kinds.items() if row["like"] not in reference.PARTNER_KINDS]
    kinds = rng.sample([*reference.QUIET_SOLOS, *reference.ANNOUNCED_SOLOS], 5) + [
        key for key in own if rng.random() < 0.7
    ]
    point = {"points": rng.choice([1, 2]), "kinds": kinds, "when": rng.choice(SETTINGS["gegen_when"])}
    return rng.choice([0, point, point, point])


def random_specials(rng: random.Random, words: list[str]) -> dict[str, Any]:
    """Return own special points and rows of built-in ones. At most two of them multiply."""
    codes = rng.sample(OWN_SPECIALS, rng.choice([0, 1, 2, 3])) + rng.sample(list(reference.MOST_SPECIALS), 2)
    rows = {code: random_special(rng, code, words) for code in codes}
    for code in [code for code in rows if isinstance(rows[code]["points"], dict)][2:]:
        rows[code]["points"] = 1
    return rows


def random_special(rng: random.Random, code: str, words: list[str]) -> Row:
    row: Row = {"points": rng.choice(POINTS)}
    if code in OWN_SPECIALS:
        row["name"] = code.title()
    if rng.random() < 0.5:
        row["most"] = rng.choice([1, 2, 2, 3, 4, 9])
    most = row.get("most", reference.MOST_SPECIALS.get(code, 1))
    if rng.random() < 0.3:
        row["most_party"] = rng.randint(1, most)
    if rng.random() < 0.3:
        row["kinds"] = list(dict.fromkeys(rng.choice(words) for _ in range(rng.choice([1, 2, 6]))))
    if rng.random() < 0.6:
        row["of"] = rng.choice(["party", "re", "kontra", "game", "game"])
    return row


def add_own_triggers(rng: random.Random, rules: dict[str, Any]) -> None:
    """Choose one or several special points or kinds of the rule set."""
    bock, base = rules["bock"], reference.PRESETS[rules["base"]]
    if not bock or rng.random() < 0.5:
        return
    codes = [*base["specials"], *rules.get("specials", {})]
    kinds = [
        *rules.get("kinds", base["kinds"]),
        *(row.get("like", "solo") for row in rules.get("per_kind", {}).values()),
    ]
    own = list(dict.fromkeys(rng.choice([[f"special:{code}" for code in codes], [f"kind:{kind}" for kind in kinds]])))
    further = bock["triggers"] if rng.random() < 0.3 else []
    bock["triggers"] = list(dict.fromkeys([*rng.sample(own, min(len(own), rng.choice([1, 1, 5]))), *further]))


def random_at(rng: random.Random, rules: dict[str, Any]) -> dict[str, Row]:
    """Return other settings for some sizes of table, without those that the rule set has itself."""
    found = {}
    for size in rng.sample(["5", "6", "7", "8"], rng.choice([1, 2])):
        later = [key for key in IN_A_ROW if key not in rules and key not in ("times", "in_bock")]
        found[size] = {key: rng.choice(IN_A_ROW[key]) for key in rng.sample(later, min(len(later), rng.choice([1, 2, 4])))}
        if "per_kind" not in rules and rng.random() < 0.4:
            found[size]["per_kind"] = random_rows(rng)
        if "bock" not in rules and rng.random() < 0.4:
            bock = random_bock(rng)
            found[size]["bock"] = bock and {**reference.PLAIN_BOCK, **bock}
    return found


# --- The highest possible value ---------------------------------------------------------------------------------------


def most_on_the_way(rules: dict[str, Any]) -> int:
    """Return an upper bound of all values of a game under these rules: the maximum of each setting."""
    found = settings_for(rules, 4)
    tables = [found, *rules.get("at", {}).values()]
    layers = [*tables, *(row for table in tables for row in table.get("per_kind", {}).values())]

    def most(key: str) -> int:
        return max([1, *(number for one in layers for number in numbers_in(one.get(key)))])

    def factor(key: str) -> int:
        return max([1, *(number for one in layers for number in times_in(one.get(key)))])

    rows = [row_of(code, found) for code in found["specials"]]
    doubling = [row["points"]["times"] ** row["most"] for row in rows if isinstance(row["points"], dict)]
    adding = [worth(row["most"], row["points"]) for row in rows if not isinstance(row["points"], dict)]
    bocks = [one["bock"] for one in tables if one.get("bock")]
    levels = [bock_factor(bock) for bock in bocks]
    lines = 30 * sum(most(key) for key in ("won", "limit", "re_kontra", "absage", "against", "gegen_die_alten"))
    lines += most("cowardice") + most("solo_point") + sum(adding) + 100
    factors = [factor("re_kontra") ** 2, factor("absage") ** 8, factor("limit") ** 8, factor("lost_announcement")]
    factors += [max(most("solo_times"), most("times")), most("lost_times"), *doubling, max([1, *levels])]
    return lines * prod(factors)


def numbers_in(value: Any) -> list[int]:
    """Yield every number of a setting."""
    if isinstance(value, dict):
        return [number for one in value.values() for number in numbers_in(one)]
    return [value] if type(value) is int else []


def times_in(value: Any) -> list[int]:
    """Yield every factor of a setting."""
    if not isinstance(value, dict):
        return []
    return [value["times"]] if "times" in value else [number for one in value.values() for number in times_in(one)]


def bock_factor(bock: dict[str, Any]) -> int:
    factor, cap = bock.get("factor", 2), bock.get("cap", 8)
    return cap + 1 if factor == "linear" else factor**cap


NUMBERS = [0, 1, 1, 2, 3]

# The settings of the first presets, before there were rows.
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
# The later settings of rule sets and of rows.
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
