"""The fields under which a line is refused (sections 1.3 and 14)."""

from __future__ import annotations

from typing import Any

from tests.rules.reference.constants import (
    ALL_KINDS,
    BANDS,
    BOTH_FORMS,
    EVERY_FORM,
    EXCLUSIVE,
    PLAYED_ONLY,
    SAID,
    SHORT_ONLY,
    Line,
    Settings,
)
from tests.rules.reference.game import (
    eyes_of,
    has_count,
    has_trick,
    is_alone,
    is_announced,
    is_redeal,
    is_short,
    is_tie,
    players_count,
    seats_out,
    specials_together,
)
from tests.rules.reference.settings import is_number
from tests.rules.reference.steps import row_of
from tests.rules.reference.winner import kontra_121_of

# Bands that are not exact enough if Re is under a limit with exactly these eyes.
LOWER_END = {"30-59": 30, "60-89": 60, "90-119": 90}


def first_faults(line: Line, settings: Settings | None) -> set[str]:
    """Check rules, table and kind, on which the other checks depend."""
    faults = set()
    if settings is None:
        faults.add("rules")
    if not is_number(line.get("table", 4), 4, 8):
        faults.add("table")
    if not is_short(line) and not is_redeal(line):
        kind = line.get("kind")
        # Question: under refused rules a kind is checked against the built-in ones.
        if kind not in (ALL_KINDS if settings is None else settings["kinds"]):
            faults.add("kind")
    return faults


def played_faults(line: Line, settings: Settings) -> set[str]:
    faults = set(line) - BOTH_FORMS - PLAYED_ONLY
    faults |= seating_faults(line, settings, "re")
    faults |= winner_faults(line, settings)
    faults |= eyes_faults(line, settings)
    faults |= no_trick_faults(line, settings)
    faults |= said_faults(line, settings)
    faults |= last_said_faults(line, settings)
    faults |= specials_faults(line, settings)
    faults |= game_specials_faults(line, settings)
    faults |= duty_faults(line, settings)
    faults |= bock_faults(line, settings)
    return faults


def short_faults(line: Line, settings: Settings) -> set[str]:
    faults = set(line) - BOTH_FORMS - SHORT_ONLY
    faults |= seating_faults(line, settings, "winners")
    if not is_number(line.get("base"), 0):
        faults.add("base")
    if type(line.get("solo", False)) is not bool:
        faults.add("solo")
    faults |= bock_faults(line, settings)
    return faults


def redeal_faults(line: Line) -> set[str]:
    faults = set(line) - EVERY_FORM - {"redeal"}
    if line["redeal"] is not True:
        faults.add("redeal")
    return faults | dealer_faults(line)


def dealer_faults(line: Line) -> set[str]:
    wrong = "dealer" in line and not is_number(line["dealer"], 0, line.get("table", 4) - 1)
    return {"dealer"} if wrong else set()


def is_seats(value: Any, table: int) -> bool:
    """Return whether this is a list of different seats at this table."""
    return isinstance(value, list) and all(is_number(s, 0, table - 1) for s in value) and len(set(value)) == len(value)


def seating_faults(line: Line, settings: Settings, party_field: str) -> set[str]:
    """Check the dealer, who sits out, and the party (Re, or the winners of a short form)."""
    table, faults = line.get("table", 4), dealer_faults(line)
    party = line.get(party_field)
    party_ok = is_seats(party, table)
    if not party_ok or not is_party(party, line, settings):
        faults.add(party_field)
    if "out" in line:
        if not is_seats(line["out"], table) or len(line["out"]) != table - players_count(table, settings):
            return faults | {"out"}
        return faults | {"out"} if party_ok and set(line["out"]) & set(party) else faults
    if players_count(table, settings) == table:
        return faults
    if table == 8 and "8" not in settings["seating"]:
        return faults | {"out"}
    if "dealer" not in line or "dealer" in faults:
        return faults | {"dealer"}
    return faults | {party_field} if party_ok and set(seats_out(line, settings)) & set(party) else faults


def is_party(seats: list[int], line: Line, settings: Settings) -> bool:
    """Return whether these seats are a party: one, two partners, or the even or odd seats where six or eight play."""
    table = line.get("table", 4)
    players = players_count(table, settings)
    if is_alone(line, settings):
        return len(seats) == 1 or (is_short(line) and len(seats) == players - 1)
    if players > 4:
        return sorted(seats) in (list(range(0, table, 2)), list(range(1, table, 2)))
    return len(seats) == 2


# Eyes, or a winner


def winner_faults(line: Line, settings: Settings) -> set[str]:
    """Check the winner: only if `decided` allows one, and not with eyes."""
    decided = settings["decided"]
    if "winner" not in line:
        return {"winner"} if decided == "hand" else set()
    beside = decided == "both" and has_count(line)
    wrong = decided == "eyes" or line["winner"] not in ("re", "kontra")
    return {"winner"} if wrong or beside else set()


def eyes_faults(line: Line, settings: Settings) -> set[str]:
    """Check eyes and band: without both `eyes` is faulty, with both `band`. A game decided by hand has none."""
    if settings["decided"] == "hand":
        return {"eyes", "band"} & set(line)
    faults = set()
    wanted = "band" not in line and not (settings["decided"] == "both" and "winner" in line)
    if ("eyes" in line or wanted) and not is_number(line.get("eyes"), 0, 240):
        faults.add("eyes")
    if "band" in line and ("eyes" in line or not is_band(line["band"], settings)):
        faults.add("band")
    return faults


def is_band(band: Any, settings: Settings) -> bool:
    """Return whether this is a band that is exact enough for the limits that count."""
    if band not in list(BANDS):
        return False
    return settings["re_limit_more"] == 0 or LOWER_END.get(band) not in settings["limits"]


def has_eyes(line: Line, settings: Settings) -> bool:
    """Return whether there are valid eyes for the other checks.

    Question: eyes beside a winner are valid, the winner is refused; a band that is not exact enough is invalid.
    """
    if settings["decided"] == "hand" or not has_count(line):
        return False
    faults = eyes_faults(line, settings)
    return "eyes" not in faults if "eyes" in line else not faults


def no_trick_faults(line: Line, settings: Settings) -> set[str]:
    """Check `no_trick`: a party with eyes has a trick; a trick of 0 eyes needs nines; the bands 0 and 240 have no trick."""
    if "no_trick" not in line:
        return set()
    # Question: with a winner it is refused, even if the winner is refused too.
    if settings["decided"] == "hand" or "winner" in line or line["no_trick"] not in ("re", "kontra", "none"):
        return {"no_trick"}
    known = has_eyes(line, settings)
    if line["no_trick"] == "none":
        without_trick = "band" in line and known and eyes_of(line)["re"] in (0, 240)
        return {"no_trick"} if settings["deck"] == 40 or without_trick else set()
    return {"no_trick"} if known and eyes_of(line)[line["no_trick"]] > 0 else set()


# Announcements


def said_faults(line: Line, settings: Settings) -> set[str]:
    allowed = SAID if settings["re_kontra"] else ["none"]
    return {field for field in ("re_said", "kontra_said") if line.get(field, "none") not in allowed}


def last_said_faults(line: Line, settings: Settings) -> set[str]:
    """Check `last_said`: only a party that announced, and required where it decides."""
    last = line.get("last_said")
    if "last_said" in line:
        if last not in ("re", "kontra") or line.get(f"{last}_said", "none") == "none":
            return {"last_said"}
        return set()
    said = [line.get("re_said"), line.get("kontra_said")]
    both = all(one in SAID[1:] for one in said)
    if both and "first" in (settings["re_kontra"] or {}):
        return {"last_said"}
    # An Absage is a goal, so half does not decide, unless a missed one only costs points.
    half_decides = both and (said == ["said", "said"] or settings["missed_absage"] == "costs")
    decides = half_decides and kontra_121_of(line, settings) == "kontra_last"
    return {"last_said"} if decides and has_eyes(line, settings) and is_tie(line) else set()


# Special points


def specials_faults(line: Line, settings: Settings) -> set[str]:
    """Check counts of special points: known ones, at most the maximum, none for a party without a trick."""
    faults = {f"{party}_specials" for party in ("re", "kontra") if not are_possible(party, line, settings)}
    if not faults and too_many(specials_together(line), settings, "most"):
        return {"kontra_specials"}
    return faults


def are_possible(party: str, line: Line, settings: Settings) -> bool:
    """Return whether the special points of one party are possible. A refused `no_trick` gives no party a trick."""
    specials = line.get(f"{party}_specials", {})
    if not isinstance(specials, dict) or any(code not in settings["specials"] for code in specials):
        return False
    # Question: in the wrong field a count of 0 is refused too, as for an unknown special point.
    if any(row_of(code, settings)["of"] not in ("party", party) for code in specials):
        return False
    if not all(is_number(count, 0) for count in specials.values()) or too_many(specials, settings, "most_party"):
        return False
    if not any(specials.values()) or not has_eyes(line, settings):
        return True
    believed = {**line, "no_trick": None} if no_trick_faults(line, settings) else line
    return has_trick(party, believed)


def too_many(specials: dict[str, int], settings: Settings, column: str) -> bool:
    if all(specials.get(code, 0) > 0 for code in EXCLUSIVE):
        return True
    return any(count > row_of(code, settings)[column] for code, count in specials.items())


def game_specials_faults(line: Line, settings: Settings) -> set[str]:
    specials = line.get("game_specials", {})
    if not isinstance(specials, dict) or any(code not in settings["specials"] for code in specials):
        return {"game_specials"}
    rows = {code: row_of(code, settings) for code in specials}
    possible = all(rows[code]["of"] == "game" and is_number(specials[code], 0, rows[code]["most"]) for code in rows)
    return set() if possible else {"game_specials"}


# Pflichtsolo and Bock


def duty_faults(line: Line, settings: Settings) -> set[str]:
    duty = line.get("duty", False)
    if type(duty) is not bool:
        return {"duty"}
    possible = is_announced(line, settings) and settings["duty_solo"] is not None
    return {"duty"} if duty and not possible else set()


def bock_faults(line: Line, settings: Settings) -> set[str]:
    faults, bock = set(), settings["bock"]
    level, starts = line.get("bock", 0), line.get("starts_bock", 0)
    if not is_number(level, 0, bock["cap"] if bock else 0):
        faults.add("bock")
    if not is_number(starts, 0) or (starts > 0 and not (bock and "manual" in bock["triggers"])):
        faults.add("starts_bock")
    return faults
