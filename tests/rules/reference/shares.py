"""Decides who gets what of the value of a game (sections 2.3, 10 and 13)."""

from __future__ import annotations

from tests.rules.reference.rows import is_alone
from tests.rules.reference.words import OTHER, Line, Settings, Step

Sides = dict[str, list[int]]


def points_of(
    line: Line, settings: Settings, sides: Sides, out: list[int], winner: str | None, value: int
) -> list[int]:
    """Points per seat for a value as Re sees it, without what is paid beside it."""
    points = [0] * line.get("table", 4)
    for seat in sides["kontra"]:
        points[seat] = -value
    for seat in sides["re"]:
        points[seat] = value * soloist_share(settings, sides, out) if is_alone(line, settings) else value
    for seat in out:
        points[seat] = sitter_points(line, settings, winner, value)
    return [counted(entry, line, settings) for entry in points]


def soloist_share(settings: Settings, sides: Sides, out: list[int]) -> int:
    """Once, twice, three times, or from everybody who pays like an opponent."""
    if settings["soloist_share"] != "opponents":
        return settings["soloist_share"]
    return len(sides["kontra"]) + (0 if settings["sitter"] == "nothing" else len(out))


def sitter_points(line: Line, settings: Settings, winner: str | None, value: int) -> int:
    """Nothing; else like an opponent in a solo, and in a partner game what each winner, Kontra or Re player gets."""
    if settings["sitter"] == "nothing":
        return 0
    if settings["sitter"] == "kontra" or is_alone(line, settings):
        return -value
    if settings["sitter"] == "re":
        return value
    return {"re": value, "kontra": -value, None: 0}[winner]


def counted(entry: int, line: Line, settings: Settings) -> int:
    counting = settings["counting"]
    if isinstance(counting, dict):
        counting = counting["solo" if is_alone(line, settings) else "partner"]
    if counting == "winners":
        return max(entry, 0)
    if counting == "losers":
        return min(entry, 0)
    return entry


def pay(points: list[int], step: Step, settings: Settings, sides: Sides) -> None:
    """Each earner from the Kasse; or each player of the other party pays, shared evenly, the odd cent to the Kasse."""
    earners, payers = sides[step["party"]], sides[OTHER[step["party"]]]
    amount = step["pay"]
    if settings["special_payer"] == "players":
        for seat in payers:
            points[seat] -= amount
        amount = amount * len(payers) // len(earners)
    for seat in earners:
        points[seat] += amount
