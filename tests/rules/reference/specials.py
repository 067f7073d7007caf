"""Decides what special points are worth in a game: rows with columns (section 9)."""

from __future__ import annotations

from typing import Any

from tests.rules.reference.rows import group_of, words_of
from tests.rules.reference.words import FARBSOLI, IN_FARBSOLO, MOST_SPECIALS, ORDINARY_TRUMPS, Line, Settings, Step


def row_of(code: str, settings: Settings) -> dict[str, Any]:
    """The row of a special point with all its columns; a number is its points."""
    given = settings["specials"][code]
    row = given if isinstance(given, dict) else {"points": given}
    most = row.get("most", MOST_SPECIALS.get(code, 1))
    return {"most": most, "most_party": most, "kinds": None, "of": "party", **row}


def step_code(code: str) -> str:
    return code if code in MOST_SPECIALS else f"special:{code}"


def earned(line: Line, settings: Settings, winner: str | None) -> list[tuple[str | None, str, int]]:
    """(whom it favours, special point, count) for each field that holds one which counts in this game."""
    sides = [("re_specials", "re"), ("kontra_specials", "kontra"), ("game_specials", winner)]
    return [
        (party, code, count)
        for field, party in sides
        for code, count in line.get(field, {}).items()
        if count and counts(code, line, settings)
    ]


def counts(code: str, line: Line, settings: Settings) -> bool:
    """Its own kinds decide alone; else partner games count it, solos by `specials_in_solo`, a Ramsch not."""
    kinds = row_of(code, settings)["kinds"]
    if kinds is not None:
        return any(word in kinds for word in words_of(line, settings))
    group = group_of(line, settings)
    if group == "ramsch":
        return False
    if group == "partner" or settings["specials_in_solo"] == "all":
        return True
    return settings["specials_in_solo"] == "by_kind" and counts_by_kind(code, words_of(line, settings))


def counts_by_kind(code: str, words: list[str]) -> bool:
    """An own one counts where `fuchs` does."""
    if any(word in ORDINARY_TRUMPS for word in words):
        return True
    if any(word in FARBSOLI for word in words):
        return code in IN_FARBSOLO
    return code == "doppelkopf"


def worth(count: int, points: Any) -> int:
    """c times n, or the sum of the first c numbers of the list, its last one repeated."""
    if isinstance(points, list):
        return sum(points[min(index, len(points) - 1)] for index in range(count))
    return count * points


def special_lines(line: Line, settings: Settings, winner: str | None, word: str) -> list[Step]:
    """One step per special point and field: added, or paid. What is the game's goes to the winner, if there is one."""
    steps = []
    for party, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if party and not isinstance(points, dict) and worth(count, points):
            steps.append({"code": step_code(code), "party": party, word: worth(count, points)})
    return steps


def special_doublings(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """One step per special point that doubles and field."""
    steps = []
    for _, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if isinstance(points, dict) and points["times"] > 1:
            steps.append({"code": step_code(code), "times": points["times"] ** count})
    return steps
