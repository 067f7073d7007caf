"""Decides which settings hold for a line at its table, and whether they are a rule set (sections 3, 8 and 15)."""

from __future__ import annotations

from typing import Any

from tests.rules.reference.allowed import is_allowed_everywhere
from tests.rules.reference.presets import BOCK_DEFAULTS, DEFAULTS, PLAIN_BOCK, PRESETS
from tests.rules.reference.words import Line, Settings


def settings_of(line: Line, known: dict[str, Settings | None]) -> Settings | None:
    """The settings of this line at a table of this size, looked up once per evening; None where there are none."""
    rules, table = line.get("rules", "ddv"), line.get("table", 4)
    key = f"{rules!r} {table!r}"
    if key not in known:
        known[key] = resolve(rules, str(table))
    return known[key]


def resolve(rules: Any, table: str) -> Settings | None:
    """A name, or a base with settings, at a table of this size; None where that is no rule set at some table."""
    if isinstance(rules, str):
        rules = {"base": rules}
    if not isinstance(rules, dict) or rules.get("base") not in list(PRESETS) or not can_be_laid(rules):
        return None
    at = rules.get("at", PRESETS[rules["base"]]["at"])
    if not all(is_allowed_everywhere(laid(rules, size)) for size in ["", *at]):
        return None
    return laid(rules, table)


def can_be_laid(rules: Settings) -> bool:
    """Known keys, and a rule set in a rule set where one is merged."""
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


def laid(rules: Settings, table: str) -> Settings:
    """The base, what it holds for this size of table, and over both what somebody sets: bock, specials and seating key
    by key, everything else replaced.

    Question: what a set holds beside its own `at` is read as counting at every table, also where that names the key.
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
