"""The level of a game, the Bocks it starts, and the open Bocks after it (sections 4, 10 and 12).

What is open is a list of Bocks side by side, each as the number of games it has left.
"""

from __future__ import annotations

from tests.rules.reference.constants import OTHER, Line, Settings
from tests.rules.reference.game import has_said, is_announced, is_schwarz, is_solo, is_tie, was_entered, words_of


def level_of(settings: Settings, chain: list[int]) -> int:
    """Return the number of open Bocks up to the cap, 0 for a kind of game that is plain."""
    if settings["bock"] is None or settings["in_bock"] in ("plain", "skips"):
        return 0
    return min(len(chain), settings["bock"]["cap"])


def bocks_of_played(line: Line, settings: Settings, winner: str | None, plain_value: int) -> int:
    """Count the Bocks that the triggers of this game start."""
    if settings["bock"] is None:
        return 0
    losers = [OTHER[winner]] if winner else ["re", "kontra"]
    said_and_lost = [party for party in losers if has_said(party, line)]
    holds = {
        "lost_announcement": len(said_and_lost) > 0,
        "lost_re": "re" in said_and_lost,
        "lost_kontra": "kontra" in said_and_lost,
        "both_said": has_said("re", line) and has_said("kontra", line),
        "lost_solo": is_solo(line, settings) and winner == "kontra",
        "won_solo": is_solo(line, settings) and winner == "re",
        "tie_120": is_tie(line),
        "herzstich": was_entered("herzstich", line),
        "zero_game": plain_value == 0,
        "schwarz": winner is not None and is_schwarz(OTHER[winner], line, settings),
        "manual": line.get("starts_bock", 0),
        **kinds_that_hold(line, settings),
        **{f"special:{code}": was_entered(code, line) for code in settings["specials"]},
    }
    return bocks_counted(holds, settings)


def bocks_of_short(line: Line, settings: Settings, winner: str | None) -> int:
    """Count the Bocks that a short form starts. Its winning party is known only for a solo."""
    if settings["bock"] is None:
        return 0
    holds = {
        "lost_solo": winner == "kontra",
        "won_solo": winner == "re",
        "zero_game": line["base"] == 0,
        "manual": line.get("starts_bock", 0),
        **kinds_that_hold(line, settings),
    }
    return bocks_counted(holds, settings)


def kinds_that_hold(line: Line, settings: Settings) -> dict[str, int]:
    return {f"kind:{word}": 1 for word in words_of(line, settings)}


def bocks_counted(holds: dict[str, int], settings: Settings) -> int:
    """Count one Bock for the game, or one for each trigger that holds; manual counts its number."""
    count = sum(holds.get(trigger, 0) for trigger in settings["bock"]["triggers"])
    return min(count, 1) if settings["bock"]["per_game"] == "one" else count


def advance(line: Line, settings: Settings, chain: list[int], bocks: int) -> int:
    """Use up one Bock game, then start new Bocks. Return the number of added Bock games."""
    bock = settings["bock"]
    if bock is None:
        return 0
    if settings["in_bock"] in ("plays", "plain") and not (bock["length"] == "deal" and deal_stays(line, settings)):
        chain[:] = [left - 1 for left in chain if left > 1]
    return start(line, settings, chain, bocks)


def start(line: Line, settings: Settings, chain: list[int], bocks: int) -> int:
    """Start new Bocks by `overlap`. Return the number of added Bock games."""
    bock = settings["bock"]
    if bocks == 0 or (bock["overlap"] == "ignore" and chain):
        return 0
    length = bock["length"] if isinstance(bock["length"], int) else line.get("table", 4)
    if bock["overlap"] in ("ignore", "extend"):
        chain[:] = [length]
        return length
    if bock["overlap"] == "append":
        longest = max(chain, default=0)
        if longest:
            chain.remove(longest)
        chain.append(longest + bocks * length)
    elif bock["overlap"] == "fill":
        for _ in range(bocks):
            fill(chain, length, bock["cap"])
    else:
        chain.extend([length] * bocks)
    return bocks * length


def fill(chain: list[int], length: int, cap: int) -> None:
    """Raise the first `length` games to come that are below the cap by one level."""
    levels = [sum(left > game for left in chain) for game in range(max(chain, default=0) + length)]
    below = [game for game, level in enumerate(levels) if level < cap][:length]
    for game in below:
        levels[game] += 1
    # Levels never rise from game to game, so the next game's level is the number of parallel Bocks.
    chain[:] = [sum(level > side for level in levels) for side in range(levels[0])]


def deal_stays(line: Line, settings: Settings) -> bool:
    if not is_announced(line, settings):
        return False
    return ("duty_solo" if line.get("duty", False) else "lustsolo") in settings["deal_stays"]
