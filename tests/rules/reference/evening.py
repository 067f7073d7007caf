"""The answer to every line of an evening, and the points of each seat (sections 2.3, 6, 8, 10, 13 and 14)."""

from __future__ import annotations

from typing import Any

from tests.rules.reference.bock import advance, bocks_of_played, bocks_of_short, level_of, start
from tests.rules.reference.constants import OTHER, Answer, Line, Settings, Step
from tests.rules.reference.faults import first_faults, played_faults, redeal_faults, short_faults
from tests.rules.reference.game import is_alone, is_redeal, is_short, is_solo, odd_codes, seats_out, settings_of_game
from tests.rules.reference.settings import settings_of
from tests.rules.reference.steps import bock_factor, course, fold, steps_of
from tests.rules.reference.winner import verdict_of

MAX_VALUE = 10_000_000
MAX_INTERMEDIATE = 10**15


def answer_evening(lines: list[Any]) -> list[Answer]:
    """Return one answer per line. A line that starts a new evening has none and empties the chain."""
    chain: list[int] = []
    known: dict[str, Settings | None] = {}
    answers = []
    for line in lines:
        if isinstance(line, dict) and line.get("evening") == "new":
            chain = []
            continue
        answers.append(answer_line(line, chain, known))
    return answers


def answer_line(line: Any, chain: list[int], known: dict[str, Settings | None]) -> Answer:
    """Answer one line. `chain` holds the open Bocks and is changed, but not by a refused line."""
    if not isinstance(line, dict):
        return {"error": ["line"]}
    settings = settings_of(line, known)
    faults = first_faults(line, settings)
    if faults:
        return {"error": sorted(faults)}
    assert settings is not None
    open_before = list(chain)
    if is_redeal(line):
        faults = redeal_faults(line)
        return {"error": sorted(faults)} if faults else answer_redeal(line, settings, chain)
    game = settings_of_game(line, settings)
    faults = short_faults(line, game) if is_short(line) else played_faults(line, game)
    if faults:
        return {"error": sorted(faults)}
    answer = answer_short(line, game, chain) if is_short(line) else answer_played(line, game, chain)
    too_much = too_much_of(answer, line)
    if too_much:
        chain[:] = open_before
        return {"error": [too_much]}
    return answer


def too_much_of(answer: Answer, line: Line) -> str | None:
    """Return the faulty field if the value of a game, or a value on the way to it, is too high."""
    if not is_short(line) and max(map(abs, course(answer["steps"]))) > MAX_INTERMEDIATE:
        return "kind"
    if abs(answer["value"]) > MAX_VALUE:
        return "base" if is_short(line) else "line"
    return None


def answer_played(line: Line, settings: Settings, chain: list[int]) -> Answer:
    level = line.get("bock", level_of(settings, chain))
    verdict = verdict_of(line, settings)
    winner, steps = verdict.winner, steps_of(line, settings, verdict, level)
    value = fold(steps)
    plain_value = value if level == 0 else fold(steps_of(line, settings, verdict, 0))
    started = advance(line, settings, chain, bocks_of_played(line, settings, winner, plain_value))
    out = seats_out(line, settings)
    sides = {"re": sorted(line["re"])}
    sides["kontra"] = [s for s in range(line.get("table", 4)) if s not in sides["re"] and s not in out]
    points = points_of(line, settings, sides, out, winner, value)
    for step in steps:
        if "pay" in step:
            pay(points, step, settings, sides)
    odd = odd_codes(line, settings)
    return {
        "winner": winner,
        "winners": sides[winner] if winner else [],
        "value": value,
        "points": points,
        "steps": steps,
        "bock": level,
        "bock_started": started,
        **({"odd": odd} if odd else {}),
    }


def answer_short(line: Line, settings: Settings, chain: list[int]) -> Answer:
    """Answer a short form: Bock and share-out follow the rule set. The value is that of the winners.

    Its steps name no party: they favour the winners, whichever side that was.
    """
    level = line.get("bock", level_of(settings, chain))
    out, winners = seats_out(line, settings), sorted(line["winners"])
    losers = [s for s in range(line.get("table", 4)) if s not in winners and s not in out]
    winner = ("re" if len(winners) == 1 else "kontra") if is_solo(line, settings) else None
    steps: list[Step] = [{"code": "base", "add": line["base"]}] if line["base"] else []
    if level and isinstance(settings["bock"]["effect"], dict):
        if settings["bock"]["effect"]["add"]:
            steps.append({"code": "bock", "add": settings["bock"]["effect"]["add"] * level})
    elif level:
        steps.append({"code": "bock", "times": bock_factor(settings["bock"], level)})
    value = fold([{**step, "party": "re"} for step in steps])
    started = advance(line, settings, chain, bocks_of_short(line, settings, winner))
    swap = winner == "kontra"
    sides = {"re": losers, "kontra": winners} if swap else {"re": winners, "kontra": losers}
    re_value, side = (-value if swap else value), winner or "re"
    return {
        "winner": winner,
        "winners": winners,
        "value": value,
        "points": points_of(line, settings, sides, out, side, re_value),
        "steps": steps,
        "bock": level,
        "bock_started": started,
    }


def answer_redeal(line: Line, settings: Settings, chain: list[int]) -> Answer:
    """Answer a redeal: it uses up no Bock, and starts one if it is a trigger."""
    starts = settings["bock"] is not None and "redeal" in settings["bock"]["triggers"]
    return {
        "winner": None,
        "winners": [],
        "value": 0,
        "points": [0] * line.get("table", 4),
        "steps": [],
        "bock": 0,
        "bock_started": start(line, settings, chain, 1) if starts else 0,
    }


Sides = dict[str, list[int]]


def points_of(
    line: Line, settings: Settings, sides: Sides, out: list[int], winner: str | None, value: int
) -> list[int]:
    """Return the points per seat for Re's value, without special points that are paid."""
    points = [0] * line.get("table", 4)
    for seat in sides["kontra"]:
        points[seat] = -value
    for seat in sides["re"]:
        points[seat] = value * soloist_share(settings, sides, out) if is_alone(line, settings) else value
    for seat in out:
        points[seat] = sitter_points(line, settings, winner, value)
    return [counted(entry, line, settings) for entry in points]


def soloist_share(settings: Settings, sides: Sides, out: list[int]) -> int:
    """Return how often the soloist gets the value: 1 to 3 times, or from each opponent and sitter who pays like one."""
    if settings["soloist_share"] != "opponents":
        return settings["soloist_share"]
    return len(sides["kontra"]) + (0 if settings["sitter"] == "nothing" else len(out))


def sitter_points(line: Line, settings: Settings, winner: str | None, value: int) -> int:
    """Return the points of a seat that sits out: 0, those of an opponent in a solo, or those of a winner, Kontra or Re player."""
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
    """Pay each earner from the Kasse, or from the other party, shared evenly; the odd cent goes to the Kasse."""
    earners, payers = sides[step["party"]], sides[OTHER[step["party"]]]
    amount = step["pay"]
    if settings["special_payer"] == "players":
        for seat in payers:
            points[seat] -= amount
        amount = amount * len(payers) // len(earners)
    for seat in earners:
        points[seat] += amount
