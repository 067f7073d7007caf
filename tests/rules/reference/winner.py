"""The winner of a game: goals, 120:120, Feigheit (sections 2.1, 10 and 13)."""

from __future__ import annotations

from typing import NamedTuple

from tests.rules.reference.constants import LIMIT_OF, OTHER, SAID, Line, Settings
from tests.rules.reference.game import absagen_of, eyes_of, group_of, has_said, is_under


class Verdict(NamedTuple):
    """The final winner, and the party that had won before Feigheit gave the game to the others."""

    winner: str | None
    coward: str | None = None


def verdict_of(line: Line, settings: Settings) -> Verdict:
    if "winner" in line:
        return Verdict(line["winner"])
    first = winner_of(line, settings)
    if first is None or not is_coward(first, line, settings):
        return Verdict(first)
    if settings["cowardice"]["then"] == "nobody":
        return Verdict(None)
    return Verdict(OTHER[first], first)


def is_coward(first: str, line: Line, settings: Settings) -> bool:
    """Return whether the winner announced too few levels. `limits` and `re_limit_more` do not matter."""
    if settings["cowardice"] is None:
        return False
    reached = 1 + sum(is_under(OTHER[first], limit, line, settings) for limit in (90, 60, 30, 0))
    said = SAID.index(line.get(f"{first}_said", "none"))
    return reached - said >= settings["cowardice"]["levels"]


def winner_of(line: Line, settings: Settings) -> str | None:
    for party in ("re", "kontra"):
        if reaches_goal(party, line, settings):
            return party
    if goals_of("re", line, settings) or goals_of("kontra", line, settings):
        return None
    tie = settings["tie_120"]
    return None if tie == "nobody" else tie


def goals_of(party: str, line: Line, settings: Settings) -> list[str]:
    """Return the Absagen of a party; none if a missed one only costs points."""
    return [] if settings["missed_absage"] == "costs" else absagen_of(party, line)


def reaches_goal(party: str, line: Line, settings: Settings) -> bool:
    """Return whether a party reaches its own Absage, else breaks that of the others, else has half."""
    own, theirs = goals_of(party, line, settings), goals_of(OTHER[party], line, settings)
    if own:
        return is_under(OTHER[party], LIMIT_OF[own[-1]], line, settings)
    if theirs:
        return not is_under(party, LIMIT_OF[theirs[-1]], line, settings)
    needed = 120 if party == "kontra" and not kontra_needs_121(line, settings) else 121
    return eyes_of(line)[party] >= needed


def kontra_121_of(line: Line, settings: Settings) -> str:
    """Return the value for partner games or for solos."""
    setting = settings["kontra_121"]
    if not isinstance(setting, dict):
        return setting
    return setting["partner" if group_of(line, settings) == "partner" else "solo"]


def kontra_needs_121(line: Line, settings: Settings) -> bool:
    re, kontra = has_said("re", line), has_said("kontra", line)
    last = line.get("last_said") == "kontra" or not re
    return {
        "never": False,
        "only_kontra": kontra and not re,
        "kontra_said": kontra,
        "kontra_last": kontra and last,
        "always": True,
        "unless_re": not re,
    }[kontra_121_of(line, settings)]
