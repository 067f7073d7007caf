"""Decides what the facts of a game say: who plays, how many eyes, what was announced."""

from __future__ import annotations

from tests.rules.reference.words import ABSAGEN, BANDS, SPECIAL_FIELDS, Line, Settings


def has_count(line: Line) -> bool:
    """Whether eyes were entered: a game decided by hand has none."""
    return "eyes" in line or "band" in line


def eyes_of(line: Line) -> dict[str, int]:
    re = line["eyes"] if "eyes" in line else BANDS[line["band"]]
    return {"re": re, "kontra": 240 - re}


def is_tie(line: Line) -> bool:
    return has_count(line) and eyes_of(line)["re"] == 120


def has_trick(party: str, line: Line) -> bool:
    """The party with 0 eyes had no trick unless it had one worth nothing; with a winner in place of eyes both had."""
    return not has_count(line) or eyes_of(line)[party] > 0 or line.get("no_trick") == "none"


def is_schwarz(party: str, line: Line, settings: Settings) -> bool:
    """Without a trick, or without eyes."""
    if settings["schwarz_by"] == "tricks":
        return not has_trick(party, line)
    return has_count(line) and eyes_of(line)[party] == 0


def is_under(party: str, limit: int, line: Line, settings: Settings) -> bool:
    """Under 90, 60, 30, or for 0 schwarz."""
    if limit == 0:
        return is_schwarz(party, line, settings)
    return has_count(line) and eyes_of(line)[party] < limit


def has_said(party: str, line: Line) -> bool:
    return line.get(f"{party}_said", "none") != "none"


def absagen_of(party: str, line: Line) -> list[str]:
    """All Absagen of a party from no90 up to what it said."""
    said = line.get(f"{party}_said", "none")
    return ABSAGEN[: ABSAGEN.index(said) + 1] if said in ABSAGEN else []


def was_entered(code: str, line: Line) -> bool:
    return any(line.get(field, {}).get(code, 0) > 0 for field in SPECIAL_FIELDS)


def specials_together(line: Line) -> dict[str, int]:
    """The special points of both parties."""
    re, kontra = line.get("re_specials", {}), line.get("kontra_specials", {})
    return {code: re.get(code, 0) + kontra.get(code, 0) for code in {**re, **kontra}}


def players_count(table: int, settings: Settings) -> int:
    return len(settings["seating"].get(str(table), [1, 2, 3, 4]))


def seats_out(line: Line, settings: Settings) -> list[int]:
    """Given, or following from the dealer."""
    table = line.get("table", 4)
    if "out" in line:
        return sorted(line["out"])
    if players_count(table, settings) == table:
        return []
    offsets = settings["seating"].get(str(table), [1, 2, 3, 4])
    playing = {(line["dealer"] + offset) % table for offset in offsets}
    return [seat for seat in range(table) if seat not in playing]
