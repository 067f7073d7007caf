"""Decides what a random evening looks like: every rule set and setting, every size of table, every kind of game.

`random_game` and `random_short` make lines that are legal under the rules given, `random_evening` a whole evening of
them, `random_rules` a preset or a preset with other settings, and `spoil` turns a legal line into one to be refused.
Everything comes from the generator handed in, so a seed repeats an evening.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from scoring.rules import codes
from tests.rules import reference

Rules = str | dict[str, Any]
Line = dict[str, Any]

# The numbers of eyes on both sides of everything that is counted.
CORNERS = [0, 1, 120, 120, 120, 239, 240] + [eyes + step for eyes in range(30, 240, 30) for step in (-1, 0, 1)]
EYES = CORNERS * 5 + list(range(241))
SAID = ["none"] * 5 + ["said"] * 4 + ["no90", "no90", "no60", "no30", "schwarz"]
NUMBERS = [0, 1, 1, 2, 3]

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
    "lost_announcement": [{"times": 2, "when": "ansage"}, {"times": 3, "when": "absage"}, None],
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
TRIGGERS = list(codes.TRIGGERS)


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
REFUSED_BEYOND = [[], ["base"], ["base"], [], ["base"], ["line"], ["line"], [], ["base"], []]


def random_evening(rng: random.Random, lines: int, rules: Rules | None = None) -> list[Line]:
    """An evening of legal lines under one rule set, now and then one of a set without Bock, some in the short form."""
    rules = random_rules(rng) if rules is None else rules
    table = rng.choice([4, 4, 5, 6, 7, 8])
    short_share = rng.choice([0, 0, 0.1, 0.9])
    evening = []
    for _ in range(lines):
        if rng.random() < 0.03:
            table = rng.randint(4, 8)
        own = rules if rng.random() > 0.04 else rng.choice(["ddv", "vln", "klassisch"])
        evening.append((random_short if rng.random() < short_share else random_game)(rng, own, table))
    return evening


def random_rules(rng: random.Random) -> Rules:
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
        rules["bock"] = random_bock(rng)
    return rules


def random_bock(rng: random.Random) -> dict[str, Any] | None:
    if rng.random() < 0.05:
        return None
    bock = {
        "triggers": rng.sample(TRIGGERS, rng.choice([1, 1, 2, 3, 7])),
        "per_game": rng.choice(["one", "each"]),
        "length": rng.choice(["table", "deal", 1, 2, 6]),
        "overlap": rng.choice(["append", "stack", "extend", "ignore"]),
        "cap": rng.choice([1, 2, 8]),
        "effect": rng.choice(["all", "all", "game", {"add": 1}, {"add": 3}]),
        "duty_solo_uses": rng.choice([True, False]),
    }
    return {key: value for key, value in bock.items() if key == "triggers" or rng.random() < 0.8}


def random_game(rng: random.Random, rules: Rules, table: int) -> Line:
    """A legal played line under these rules at this table."""
    settings = settings_for(rules, table)
    kinds = settings["kinds"]
    kind = rng.choice(kinds) if rng.random() < 0.6 else rng.choice([k for k in kinds if k in reference.PARTNER_KINDS])
    line, playing = random_seats(rng, rules, table, settings)
    line["kind"] = kind
    line["re"] = random_party(rng, kind in reference.PARTNER_KINDS, playing)
    add_eyes(rng, line, settings)
    add_said(rng, line, settings)
    add_specials(rng, line, settings)
    add_bock(rng, line, settings)
    if settings["duty_solo"] and kind in reference.ANNOUNCED_SOLOS and rng.random() < 0.4:
        line["duty"] = True
    return line


def random_short(rng: random.Random, rules: Rules, table: int) -> Line:
    """A legal line in the short form."""
    settings = settings_for(rules, table)
    line, playing = random_seats(rng, rules, table, settings)
    solo = rng.random() < 0.3
    winners = random_party(rng, not solo, playing)
    if solo and rng.random() < 0.5:
        winners = [seat for seat in playing if seat not in winners]
    line.update(winners=winners, base=rng.choice([0, 1, 1, 2, 3, 4, 8, 30]))
    if solo or rng.random() < 0.2:
        line["solo"] = solo
    add_bock(rng, line, settings)
    return line


_settings: dict[str, dict[str, Any]] = {}


def settings_for(rules: Rules, table: int) -> dict[str, Any]:
    key = f"{rules} {table}"
    if key not in _settings:
        settings = reference.resolve(rules, str(table))
        if settings is None:
            raise ValueError(f"no rules: {rules}")
        _settings[key] = settings
    return _settings[key]


def random_seats(rng: random.Random, rules: Rules, table: int, settings: dict[str, Any]) -> tuple[Line, list[int]]:
    """Rules, table, dealer and who sits out, as far as they have to be said or by chance; and who plays."""
    line: Line = {"rules": rules}
    if table != 4 or rng.random() < 0.1:
        line["table"] = table
    offsets = settings["seating"].get(str(table), [1, 2, 3, 4])
    everybody = len(offsets) == table
    by_dealer = everybody or (table != 8 and rng.random() < 0.7)
    if rng.random() < 0.3 or (by_dealer and not everybody):
        line["dealer"] = rng.randrange(table)
    if not by_dealer or (everybody and rng.random() < 0.1):
        line["out"] = rng.sample(range(table), table - len(offsets))
        return line, [seat for seat in range(table) if seat not in line["out"]]
    dealer = line.get("dealer", 0)
    return line, sorted((dealer + offset) % table for offset in offsets)


def random_party(rng: random.Random, partner: bool, playing: list[int]) -> list[int]:
    if not partner:
        return [rng.choice(playing)]
    if len(playing) > 4:
        return playing[rng.randint(0, 1) :: 2]
    return rng.sample(playing, 2)


def add_eyes(rng: random.Random, line: Line, settings: dict[str, Any]) -> None:
    if rng.random() < 0.15:
        line["band"] = rng.choice(list(reference.BANDS))
        return
    line["eyes"] = eyes = rng.choice(EYES)
    if eyes in (0, 240) and rng.random() < 0.6:
        nines = settings["deck"] != 40 and rng.random() < 0.6
        line["no_trick"] = "none" if nines else "re" if eyes == 0 else "kontra"


def add_said(rng: random.Random, line: Line, settings: dict[str, Any]) -> None:
    """What both parties said, and which Ansage came last where it decides, or by chance."""
    sides = [f"{party}_said" for party in ("re", "kontra")]
    for field in sides:
        said = rng.choice(SAID) if settings["re_kontra"] else "none"
        if said != "none" or rng.random() < 0.1:
            line[field] = said
    spoke = [party for party in ("re", "kontra") if line.get(f"{party}_said", "none") != "none"]
    tie = line.get("eyes", line.get("band")) in (120, "120")
    asked = tie and line.get(sides[0]) == line.get(sides[1]) == "said"
    if spoke and (asked or rng.random() < 0.05):
        line["last_said"] = rng.choice(spoke)


def add_specials(rng: random.Random, line: Line, settings: dict[str, Any]) -> None:
    """Special points the rule set knows, as many as one game can hold, for parties with a trick."""
    takers = [party for party in ("re", "kontra") if reference.has_trick(party, line)]
    if rng.random() < 0.4:
        return
    left = dict(reference.MOST_SPECIALS)
    for code in rng.sample(list(settings["specials"]), min(len(settings["specials"]), rng.choice([1, 1, 2, 3, 8]))):
        if code in ("karlchen", "fuchs_am_ende") and left["karlchen"] + left["fuchs_am_ende"] < 2:
            continue
        for party in rng.sample(takers, rng.randint(1, len(takers))):
            count = rng.randint(0 if left[code] == 0 else 1, left[code])
            left[code] -= count
            line.setdefault(f"{party}_specials", {})[code] = count


def add_bock(rng: random.Random, line: Line, settings: dict[str, Any]) -> None:
    bock = settings["bock"]
    if bock and "manual" in bock["triggers"] and rng.random() < 0.25:
        line["starts_bock"] = rng.choice([0, 1, 1, 2, 3])
    if bock and rng.random() < 0.04:
        line["bock"] = rng.randint(0, bock["cap"])


# --- Lines to be refused ----------------------------------------------------------------------------------------------


def spoil(rng: random.Random, line: Line) -> Any:
    """The line with one to three faults, or no line at all. By chance a fault can be none; both sides must agree."""
    if rng.random() < 0.03:
        return rng.choice([None, 7, "ddv", [], [line], True])
    spoiled = {**line}
    if rng.random() < 0.15:
        field = rng.choice(list(FIRST))
        spoiled[field] = rng.choice(FIRST[field])
        return spoiled
    for _ in range(rng.choice([1, 1, 2, 3])):
        rng.choice([wrong_value, wrong_value, wrong_value, one_too_few, of_the_other_form])(rng, spoiled)
    return spoiled


ODD = [-1, 1.5, "1", True, None, [], {}, "x", 99]
ODD_SEATS = [[0], [0, 0], [1, 2, 3], [0, 9], [-1, 2], [True, 2], [], "01", 3, [0, "1"], [[0], [1]], [0, 2], [1, 3]]
FIRST: dict[str, list[Any]] = {
    "rules": ["", "DDV", 5, [], {"base": "x"}, {"base": "ddv", "farbe": 1}, {"base": "ddv", "won": -1}],
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
    "band": [0, "0", "100-119", "120", "1-30", None, ["0"]],
    "no_trick": ["re", "kontra", "none", "", None, 1],
    "re_said": [True, "re", "", None, 2, "no0", "said"],
    "kontra_said": ["kontra", "no_90", ["said"], "schwarz"],
    "last_said": ["re", "kontra", "none", None, 1],
    "re_specials": ODD_SPECIALS,
    "kontra_specials": ODD_SPECIALS,
}
WRONG_SHORT: dict[str, list[Any]] = {
    **WRONG,
    "winners": ODD_SEATS,
    "base": ODD[:-1],
    "solo": [1, "x", None, True, False],
}


def wrong_value(rng: random.Random, line: Line) -> None:
    wrong = WRONG_SHORT if "winners" in line else WRONG_PLAYED
    field = rng.choice(list(wrong))
    line[field] = rng.choice(wrong[field])


def one_too_few(rng: random.Random, line: Line) -> None:
    """A field gone; without `winners` a line would no longer be a short one, so that one stays."""
    there = [field for field in ("dealer", "out", "re", "eyes", "band", "last_said", "base") if field in line]
    if there:
        del line[rng.choice(there)]


def of_the_other_form(rng: random.Random, line: Line) -> None:
    fields: list[Callable[[], tuple[str, Any]]]
    if "winners" in line:
        fields = [lambda: ("eyes", 121), lambda: ("re_said", "none"), lambda: ("re", [0, 1]), lambda: ("duty", False)]
    else:
        fields = [lambda: ("winners", [0, 1]), lambda: ("base", 1), lambda: ("solo", False)]
    field, value = rng.choice(fields)()
    line[field] = value
