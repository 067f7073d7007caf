"""Decides which words hold for a game and which settings they give it (section 10)."""

from __future__ import annotations

from tests.rules.reference.presets import DEFAULTS, ROW_DEFAULTS
from tests.rules.reference.words import ANNOUNCED_SOLOS, PARTNER_KINDS, QUIET_SOLOS, SHORT_ONLY, Line, Settings

# What a row gives a line in the short form.
FOR_SHORT = ["soloist_share", "counting", "sitter", "special_payer", "in_bock"]


def is_redeal(line: Line) -> bool:
    # Question: a line with a kind and `redeal` is read as a redeal with a field too many.
    return "redeal" in line


def is_short(line: Line) -> bool:
    return "kind" not in line and not is_redeal(line) and any(field in line for field in SHORT_ONLY)


def like_of(kind: str, settings: Settings) -> str:
    """The kind it is like: a built-in one is itself."""
    return settings.get("per_kind", {}).get(kind, {}).get("like", kind)


def group_of(line: Line, settings: Settings) -> str:
    if is_short(line):
        return "solo" if line.get("solo", False) is True else "partner"
    like = like_of(line["kind"], settings)
    if like == "ramsch":
        return "ramsch"
    return "partner" if like in PARTNER_KINDS else "solo"


def is_solo(line: Line, settings: Settings) -> bool:
    return group_of(line, settings) == "solo"


def is_alone(line: Line, settings: Settings) -> bool:
    """One against all others: a solo, or a Ramsch, which shares out like one."""
    return group_of(line, settings) != "partner"


def is_announced(line: Line, settings: Settings) -> bool:
    return not is_short(line) and like_of(line["kind"], settings) in ANNOUNCED_SOLOS


def is_duty(line: Line, settings: Settings) -> bool:
    """Entered as Pflichtsolo. Question: where that is refused, the word is read as not holding."""
    return line.get("duty") is True and is_announced(line, settings) and settings["duty_solo"] is not None


def words_of(line: Line, settings: Settings) -> list[str]:
    """The words that hold for the game, in the order in which their rows lie over each other."""
    words = [group_of(line, settings)]
    if is_short(line):
        return words
    like = like_of(line["kind"], settings)
    if words == ["solo"]:
        words.append("quiet" if like in QUIET_SOLOS else "announced")
    words += [like, line["kind"]]
    return [*words, "duty"] if is_duty(line, settings) else words


def settings_of_game(line: Line, settings: Settings) -> Settings:
    """The settings of the rule set at this table with the rows of this game over them."""
    game = {**DEFAULTS, **ROW_DEFAULTS, **settings}
    for word in words_of(line, settings):
        row = game["per_kind"].get(word, {})
        if is_short(line):
            row = {key: row[key] for key in FOR_SHORT if key in row}
        if word == "duty" and game["bock"] and not game["bock"]["duty_solo_uses"]:
            game["in_bock"] = "skips"
        game.update(row)
    if group_of(line, settings) == "ramsch":
        game.update(decided="hand", re_kontra=None)
    return game
