"""The settings of a line at its table, and whether they are valid (sections 3, 8 to 13 and 15)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.rules.reference.constants import (
    ABSAGEN,
    ALL_KINDS,
    GROUP_WORDS,
    MOST_SPECIALS,
    PARTNER_KINDS,
    SPECIAL_COLUMNS,
    TRIGGERS,
    Line,
    Settings,
)
from tests.rules.reference.presets import BOCK_DEFAULTS, DEFAULTS, PLAIN_BOCK, PRESETS


def settings_of(line: Line, known: dict[str, Settings | None]) -> Settings | None:
    """Return the settings of this line at its table, cached in `known`; None if invalid."""
    rules, table = line.get("rules", "ddv"), line.get("table", 4)
    key = f"{rules!r} {table!r}"
    if key not in known:
        known[key] = resolve(rules, str(table))
    return known[key]


def resolve(rules: Any, table: str) -> Settings | None:
    """Return the settings at a table of this size, from a name or a base with settings; None if invalid at any table."""
    if isinstance(rules, str):
        rules = {"base": rules}
    if not isinstance(rules, dict) or rules.get("base") not in list(PRESETS) or not can_be_merged(rules):
        return None
    at = rules.get("at", PRESETS[rules["base"]]["at"])
    if not all(is_allowed_everywhere(merge(rules, size)) for size in ["", *at]):
        return None
    return merge(rules, table)


def can_be_merged(rules: Settings) -> bool:
    """Return whether all keys are known, and the keys that are merged have objects."""
    keys = PRESETS[rules["base"]].keys() | DEFAULTS.keys()
    if not rules.keys() <= keys | {"base"}:
        return False
    if not all(isinstance(rules.get(key, {}), dict) for key in ("specials", "seating", "at")):
        return False
    bock = rules.get("bock")
    if bock is not None and not (isinstance(bock, dict) and bock.keys() <= PLAIN_BOCK.keys() | BOCK_DEFAULTS.keys()):
        return False
    sizes = rules.get("at", {})
    within = keys - {"at", "text"}
    return all(
        size in ("4", "5", "6", "7", "8") and isinstance(one, dict) and one.keys() <= within
        for size, one in sizes.items()
    )


def merge(rules: Settings, table: str) -> Settings:
    """Merge the base, its settings for this size of table, and the given settings: bock, specials and seating key
    by key, everything else replaced.

    Question: the given settings hold at every table, even if the `at` given with them has the same key.
    """
    base = PRESETS[rules["base"]]
    settings = {**base, **rules.get("at", base["at"]).get(table, {})}
    for key, value in rules.items():
        if key == "bock" and value is not None:
            settings["bock"] = {**(base["bock"] or PLAIN_BOCK), **value}
        elif key in ("specials", "seating"):
            settings[key] = {**base[key], **value}
        elif key != "base":
            settings[key] = value
    return settings


Judge = Callable[[Any], bool]
MOST_POINTS = 10_000
MOST_OWN = 24


def is_number(value: Any, low: int, high: int | None = None) -> bool:
    return type(value) is int and value >= low and (high is None or value <= high)


def is_points(value: Any) -> bool:
    return is_number(value, 0, MOST_POINTS)


def one_of(*choices: Any) -> Judge:
    return lambda value: any(type(value) is type(choice) and value == choice for choice in choices)


def number(low: int, high: int | None = None) -> Judge:
    return lambda value: is_number(value, low, high)


def list_of(*choices: Any) -> Judge:
    return lambda value: isinstance(value, list) and all(one_of(*choices)(one) for one in value)


def has_keys(value: Any, *keys: str) -> bool:
    """Return whether this is an object with exactly these keys."""
    return isinstance(value, dict) and set(value) == set(keys)


def is_times(value: Any) -> bool:
    return has_keys(value, "times") and is_number(value["times"], 1, 4)


def is_text(value: Any) -> bool:
    """Return whether this is a name of 1 to 40 characters that is not blank."""
    return isinstance(value, str) and 1 <= len(value) <= 40 and value.strip() != ""


def points_or(*keys: str) -> Judge:
    """Accept one number, a factor, or numbers by these keys."""

    def judge(value: Any) -> bool:
        if not isinstance(value, dict):
            return is_points(value)
        by_key = len(value) > 0 and set(value) <= set(keys) and all(is_points(one) for one in value.values())
        return is_times(value) or by_key

    return judge


def is_ansage(value: Any) -> bool:
    return (has_keys(value, "add") and is_points(value["add"])) or (
        has_keys(value, "times") and is_number(value["times"], 1)
    )


def is_re_kontra(value: Any) -> bool:
    if value is None or is_ansage(value):
        return True
    pairs = [("re", "kontra"), ("won", "lost"), ("first", "answer")]
    return any(has_keys(value, *pair) and all(is_ansage(one) for one in value.values()) for pair in pairs)


def is_lost_announcement(value: Any) -> bool:
    if value is None:
        return True
    if not has_keys(value, "times", "when"):
        return False
    return is_number(value["times"], 1) and value["when"] in ["ansage", "absage", "re"]


def is_cowardice(value: Any) -> bool:
    if value is None:
        return True
    if not has_keys(value, "levels", "then"):
        return False
    return is_number(value["levels"], 2, 5) and (value["then"] in ["loses", "nobody"] or is_points(value["then"]))


def is_highest(value: Any) -> bool:
    return value is None or is_number(value, 1, 1_000_000)


KONTRA_121 = one_of("never", "only_kontra", "kontra_said", "kontra_last", "always", "unless_re")
COUNTING = one_of("plus_minus", "winners", "losers")

# Settings of the steps, which a row may have too.
OF_A_GAME: dict[str, Judge] = {
    "kontra_121": KONTRA_121,
    "tie_120": one_of("re", "kontra", "nobody"),
    "schwarz_by": one_of("tricks", "eyes"),
    "won": is_points,
    "limits": list_of(90, 60, 30, 0),
    "limit": points_or("90", "60", "30", "0"),
    "limit_counts": one_of("reached", "reached_or_missed", "reached_and_missed"),
    "re_kontra": is_re_kontra,
    "absage": points_or(*ABSAGEN),
    "against_absage": one_of("cumulative", "highest", "off"),
    "nobody_wins": one_of("net", "zero"),
    "gegen_die_alten": is_points,
    "gegen_in": list_of("partner", "armut", "solo"),
    "gegen_when": one_of("before", "after", "bock_only"),
    "specials_when": one_of("before", "after", "bock_only", "paid"),
    "specials_in_solo": one_of("none", "all", "by_kind"),
    "lost_announcement": is_lost_announcement,
    "soloist_share": one_of(1, 2, 3, "opponents"),
    "negative": one_of("keep", "zero"),
    "counting": COUNTING,
    "sitter": one_of("nothing", "winners", "kontra", "re"),
    "special_payer": one_of("kasse", "players", None),
    "decided": one_of("eyes", "hand", "both"),
    "won_at_120": one_of(True, False),
    "re_limit_more": one_of(0, 1),
    "against": is_points,
    "missed_absage": one_of("loses", "costs"),
    "cowardice": is_cowardice,
    "lost_times": number(1, 9),
    "highest": is_highest,
}
# Settings that only a row has, besides `name` and `like` of an own kind.
OF_A_ROW: dict[str, Judge] = {"times": number(1, 9), "in_bock": one_of("plays", "plain", "skips", "keeps")}
IN_A_ROW = {**OF_A_GAME, **OF_A_ROW}
OF_A_SET: dict[str, Judge] = {
    "deck": one_of(40, 48, 64),
    "unit": one_of("points", "cents"),
    "solo_times": one_of(1, 2, 3),
    "deal_stays": list_of("duty_solo", "lustsolo", "penalty", "redeal"),
    "text": lambda value: isinstance(value, str) and len(value) <= 4000,
}
OF_ANY = {**OF_A_GAME, **OF_A_SET}


def is_allowed_everywhere(settings: Settings) -> bool:
    """Return whether a whole rule set at one size of table is valid."""
    for key, value in settings.items():
        if key in ("kontra_121", "counting") and isinstance(value, dict):
            if not has_keys(value, "partner", "solo") or not all(OF_A_GAME[key](one) for one in value.values()):
                return False
        elif key in OF_ANY and not OF_ANY[key](value):
            return False
    if not are_kind_rows(settings.get("per_kind", {})):
        return False
    return all(
        judge(settings)
        for judge in (are_kinds, has_possible_solo_points, are_special_rows, is_duty_solo, is_bock_allowed)
    )


# Own kinds and special points, and the rows by kind


def is_own_key(key: Any, taken: list[str]) -> bool:
    return isinstance(key, str) and re.fullmatch("[a-z][a-z0-9_]{0,29}", key) is not None and key not in taken


def own_kinds(settings: Settings) -> dict[str, str]:
    """Return the own kinds with the kind that each is like."""
    return {key: row["like"] for key, row in settings.get("per_kind", {}).items() if "like" in row}


def known_words(settings: Settings) -> list[str]:
    return [*ALL_KINDS, *GROUP_WORDS, *own_kinds(settings)]


def are_kind_rows(rows: Any) -> bool:
    if not isinstance(rows, dict):
        return False
    own = [key for key in rows if key not in ALL_KINDS + GROUP_WORDS]
    return len(own) <= MOST_OWN and all(is_kind_row(key, row) for key, row in rows.items())


def is_kind_row(key: Any, row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    rest = row
    if key not in ALL_KINDS + GROUP_WORDS:
        like = row.get("like")
        if not is_own_key(key, []) or not is_text(row.get("name")) or like not in [*ALL_KINDS, "ramsch"]:
            return False
        rest = {key: value for key, value in row.items() if key not in ("name", "like")}
    elif key in ALL_KINDS and "name" in row:
        if not is_text(row["name"]):
            return False
        rest = {key: value for key, value in row.items() if key != "name"}
    # The kinds of a solo point are checked with those of the rule set.
    judged = {key: value for key, value in rest.items() if key != "solo_point"}
    return all(key in IN_A_ROW and IN_A_ROW[key](value) for key, value in judged.items())


def are_kinds(settings: Settings) -> bool:
    """Return whether all kinds are built-in or have a row."""
    kinds = settings["kinds"]
    return isinstance(kinds, list) and all(kind in [*ALL_KINDS, *own_kinds(settings)] for kind in kinds)


def has_possible_solo_points(settings: Settings) -> bool:
    """Return whether each solo point is 0 or has kinds that are no partner games."""
    own = [key for key, like in own_kinds(settings).items() if like not in PARTNER_KINDS]
    given = [settings, *settings.get("per_kind", {}).values()]
    for value in (one["solo_point"] for one in given if "solo_point" in one):
        if one_of(0)(value):
            continue
        if not has_keys(value, "points", "kinds", "when") or not is_points(value["points"]):
            return False
        if not list_of(*ALL_KINDS, *own)(value["kinds"]) or not OF_A_GAME["gegen_when"](value["when"]):
            return False
    return True


def is_duty_solo(settings: Settings) -> bool:
    duty = settings["duty_solo"]
    return duty is None or (has_keys(duty, "rounds") and is_number(duty["rounds"], 1))


# Rows of special points


def are_special_rows(settings: Settings) -> bool:
    rows = settings["specials"]
    own = [key for key in rows if key not in MOST_SPECIALS]
    if len(own) > MOST_OWN or not all(is_own_key(key, []) for key in own):
        return False
    return all(is_special_row(key, row, known_words(settings)) for key, row in rows.items())


def is_special_row(key: str, row: Any, words: list[str]) -> bool:
    """Return whether this is a row, or a number for a built-in special point."""
    if not isinstance(row, dict):
        return key in MOST_SPECIALS and is_points(row)
    if not set(row) <= set(SPECIAL_COLUMNS) or not is_worth(row.get("points")):
        return False
    if ("name" in row or key not in MOST_SPECIALS) and not is_text(row.get("name")):
        return False
    most = row.get("most", MOST_SPECIALS.get(key, 1))
    if not is_number(most, 1, 9) or not is_number(row.get("most_party", most), 1, most):
        return False
    if not one_of("party", "re", "kontra", "game")(row.get("of", "party")):
        return False
    return "kinds" not in row or (list_of(*words)(row["kinds"]) and len(row["kinds"]) > 0)


def is_worth(points: Any) -> bool:
    if isinstance(points, list):
        return 1 <= len(points) <= 9 and all(is_points(one) for one in points)
    return is_points(points) or is_times(points)


# Bock

BOCK: dict[str, Judge] = {
    "triggers": lambda value: isinstance(value, list),
    "per_game": one_of("one", "each"),
    "length": lambda value: value in ("table", "deal") or is_number(value, 1),
    "overlap": one_of("append", "stack", "extend", "ignore", "fill"),
    "cap": number(1),
    "effect": lambda value: value in ("all", "game") or (has_keys(value, "add") and is_points(value["add"])),
    "duty_solo_uses": one_of(True, False),
    "carry": one_of(True, False),
    "factor": one_of(2, 3, 4, "linear"),
    "drawn": one_of("doubled", "plain"),
}


def is_bock_allowed(settings: Settings) -> bool:
    """Return whether all keys of the Bock are valid, and all triggers exist."""
    bock = settings["bock"]
    if bock is None:
        return True
    if not isinstance(bock, dict) or not set(PLAIN_BOCK) <= set(bock) <= set(PLAIN_BOCK) | set(BOCK_DEFAULTS):
        return False
    if not all(BOCK[key](value) for key, value in bock.items()):
        return False
    known = [*TRIGGERS, *(f"special:{key}" for key in settings["specials"])]
    known += [f"kind:{word}" for word in known_words(settings)]
    return all(trigger in known for trigger in bock["triggers"])
