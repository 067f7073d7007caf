"""Random valid games and evenings, and faults for them: all sizes of table and kinds, decided by eyes or by hand, short
forms and redeals.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.rules import reference
from tests.rules.random_games.limit_cases import INVALID_RULES
from tests.rules.random_games.rule_sets import Rules, random_rules, settings_for
from tests.rules.reference.game import is_alone, is_announced, like_of, settings_of_game, specials_together
from tests.rules.reference.steps import row_of

Line = dict[str, Any]

# The eyes on both sides of every border.
CORNERS = [0, 1, 120, 120, 120, 239, 240] + [eyes + step for eyes in range(30, 240, 30) for step in (-1, 0, 1)]
EYES = CORNERS * 5 + list(range(241))
SAID = ["none"] * 5 + ["said"] * 4 + ["no90", "no90", "no60", "no30", "schwarz"]

# Only one of them makes the last trick.
EXCLUDED = {"karlchen": "fuchs_am_ende", "fuchs_am_ende": "karlchen"}


def random_evening(rng: random.Random, lines: int, rules: Rules | None = None) -> list[Line]:
    """Return an evening of valid lines under one rule set, some under a preset, some in the short form."""
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


def with_redeals(rng: random.Random, evening: list[Line]) -> list[Line]:
    """Insert some redeals into an evening."""
    found = []
    for line in evening:
        if rng.random() < 0.05:
            found.append(random_redeal(rng, line))
        found.append(line)
    return found


def random_redeal(rng: random.Random, line: Line) -> Line:
    """Return a redeal at the table of this line."""
    around = {field: line[field] for field in ("rules", "table") if field in line}
    dealer = {"dealer": rng.randrange(line.get("table", 4))} if rng.random() < 0.5 else {}
    return {**around, **dealer, "redeal": True}


def random_game(rng: random.Random, rules: Rules, table: int) -> Line:
    """Return a valid full game under these rules at this table."""
    settings = settings_for(rules, table)
    line, playing = random_seats(rng, rules, table, settings)
    line["kind"] = random_kind(rng, settings)
    if settings["duty_solo"] and is_announced(line, settings) and rng.random() < 0.4:
        line["duty"] = True
    game = settings_of_game(line, settings)
    line["re"] = random_party(rng, not is_alone(line, game), playing)
    add_result(rng, line, game)
    add_said(rng, line, game)
    add_specials(rng, line, game)
    add_bock(rng, line, game)
    return line


def random_kind(rng: random.Random, settings: dict[str, Any]) -> str:
    """Choose a kind: often an own one, more often a partner game."""
    kinds, dice = settings["kinds"], rng.random()
    own = [kind for kind in kinds if kind not in reference.ALL_KINDS]
    if own and dice < 0.3:
        return rng.choice(own)
    if dice < 0.6:
        return rng.choice(kinds)
    return rng.choice([kind for kind in kinds if like_of(kind, settings) in reference.PARTNER_KINDS])


def random_short(rng: random.Random, rules: Rules, table: int) -> Line:
    """Return a valid short form."""
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


def random_seats(rng: random.Random, rules: Rules, table: int, settings: dict[str, Any]) -> tuple[Line, list[int]]:
    """Return rules, table, dealer and who sits out, as far as required or by chance; and who plays."""
    line: Line = {"rules": rules}
    if table != 4 or rng.random() < 0.1:
        line["table"] = table
    offsets = settings["seating"].get(str(table), [1, 2, 3, 4])
    all_play = len(offsets) == table
    by_dealer = all_play or (table != 8 and rng.random() < 0.7)
    if rng.random() < 0.3 or (by_dealer and not all_play):
        line["dealer"] = rng.randrange(table)
    if not by_dealer or (all_play and rng.random() < 0.1):
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


def add_result(rng: random.Random, line: Line, game: dict[str, Any]) -> None:
    """Return a winner if the game is decided by hand, else eyes or a band."""
    if game["decided"] == "hand" or (game["decided"] == "both" and rng.random() < 0.4):
        line["winner"] = rng.choice(["re", "kontra"])
        return
    if rng.random() < 0.15:
        undecided = {30: "30-59", 60: "60-89", 90: "90-119"} if game["re_limit_more"] else {}
        barred = [band for limit, band in undecided.items() if limit in game["limits"]]
        line["band"] = rng.choice([band for band in reference.BANDS if band not in barred])
        return
    line["eyes"] = eyes = rng.choice(EYES)
    if eyes in (0, 240) and rng.random() < 0.6:
        nines = game["deck"] != 40 and rng.random() < 0.6
        line["no_trick"] = "none" if nines else "re" if eyes == 0 else "kontra"


def add_said(rng: random.Random, line: Line, game: dict[str, Any]) -> None:
    """Return the announcements, and `last_said` where it decides or by chance."""
    sides = [f"{party}_said" for party in ("re", "kontra")]
    for field in sides:
        said = rng.choice(SAID) if game["re_kontra"] else "none"
        if said != "none" or rng.random() < 0.1:
            line[field] = said
    spoke = [party for party in ("re", "kontra") if line.get(f"{party}_said", "none") != "none"]
    tie = line.get("eyes", line.get("band")) in (120, "120")
    halves = line.get(sides[0]) == line.get(sides[1]) == "said" or game["missed_absage"] == "costs"
    asked = (tie and halves) or "first" in (game["re_kontra"] or {})
    if spoke and ((asked and len(spoke) == 2) or rng.random() < 0.05):
        line["last_said"] = rng.choice(spoke)


def add_specials(rng: random.Random, line: Line, game: dict[str, Any]) -> None:
    """Return possible special points for parties with a trick, and those of the game."""
    takers = [party for party in ("re", "kontra") if reference.has_trick(party, line)]
    if rng.random() < 0.4:
        return
    left = {code: row_of(code, game)["most"] for code in game["specials"]}
    for code in rng.sample(list(left), min(len(left), rng.choice([1, 1, 2, 3, 8]))):
        row = row_of(code, game)
        parties = ["game"] if row["of"] == "game" else [p for p in takers if row["of"] in (p, "party")]
        if row["of"] != "game" and specials_together(line).get(EXCLUDED.get(code, "")):
            continue
        for party in rng.sample(parties, rng.randint(min(1, len(parties)), len(parties))):
            most = left[code] if party == "game" else min(left[code], row["most_party"])
            count = rng.randint(0 if most == 0 else 1, most)
            left[code] -= count
            line.setdefault(f"{party}_specials", {})[code] = count


def add_bock(rng: random.Random, line: Line, settings: dict[str, Any]) -> None:
    bock = settings["bock"]
    if bock and "manual" in bock["triggers"] and rng.random() < 0.25:
        line["starts_bock"] = rng.choice([0, 1, 1, 2, 3])
    if bock and rng.random() < 0.04:
        line["bock"] = rng.randint(0, bock["cap"])



def spoil(rng: random.Random, line: Line) -> Any:
    """Return the line with one to three faults, or a value that is no line."""
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
    "rules": ["", "DDV", 5, [], {"base": "x"}, {"base": "ddv", "farbe": 1}, {"base": "ddv", "won": -1}, *INVALID_RULES],
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
    """Add one to a special point in any of the three fields."""
    base = line["rules"]["base"] if isinstance(line["rules"], dict) else line["rules"]
    own = line["rules"].get("specials", {}) if isinstance(line["rules"], dict) else {}
    field = rng.choice(["re_specials", "kontra_specials", "game_specials"])
    code = rng.choice([*reference.PRESETS[base]["specials"], *own, *own])
    before = line.get(field) if isinstance(line.get(field), dict) else {}
    line[field] = {**before, code: rng.choice([0, 1, 1, 2, 3, 4, 5, 10, -1, None, True])}


def one_too_few(rng: random.Random, line: Line) -> None:
    """Remove a field, but not `winners`, without which a line is no short form."""
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
