"""Decides what is odd but possible in a game that was played (section 14)."""

from __future__ import annotations

from tests.rules.reference.reading import absagen_of, specials_together
from tests.rules.reference.words import LIMIT_OF, OF_THE_LAST_TRICK, OTHER, Line, Settings


def odd_codes(line: Line, settings: Settings) -> list[str]:
    codes = {
        "foxes": too_many_foxes(line),
        "karlchen": together(line, "karlchen", "karlchen_gefangen") > 2,
        "last_trick": all(has_last_trick(party, line) for party in OTHER),
        "doppelkopf": any(too_few_for_doppelkopf(party, line) for party in OTHER),
        "eyes": any(seldom_eyes(party, line, settings) for party in OTHER),
        "sides": any(may_be_swapped(party, line) for party in OTHER),
    }
    return sorted(code for code, holds in codes.items() if holds)


def together(line: Line, *codes: str) -> int:
    found = specials_together(line)
    return sum(found.get(code, 0) for code in codes)


def too_many_foxes(line: Line) -> bool:
    caught = together(line, "fuchs", "fuchs_am_ende") > 2
    return caught or together(line, "fuchs_am_ende", "fuchs_am_ende_gefangen") > 2


def has_last_trick(party: str, line: Line) -> bool:
    return any(line.get(f"{party}_specials", {}).get(code, 0) for code in OF_THE_LAST_TRICK)


def exact_eyes(party: str, line: Line) -> int | None:
    """Question: the bands 0, 120 and 240 are bands, although they hold one number."""
    if "eyes" not in line:
        return None
    return line["eyes"] if party == "re" else 240 - line["eyes"]


def most_eyes(party: str, line: Line) -> int | None:
    """The most that a band allows."""
    if "band" not in line:
        return exact_eyes(party, line)
    ends = [int(end) for end in line["band"].split("-")]
    return max(ends) if party == "re" else 240 - min(ends)


def too_few_for_doppelkopf(party: str, line: Line) -> bool:
    eyes = most_eyes(party, line)
    return eyes is not None and eyes < 40 * line.get(f"{party}_specials", {}).get("doppelkopf", 0)


def seldom_eyes(party: str, line: Line, settings: Settings) -> bool:
    """1 eye; without nines 1 to 7."""
    eyes = exact_eyes(party, line)
    return eyes is not None and 1 <= eyes <= (7 if settings["deck"] == 40 else 1)


def may_be_swapped(party: str, line: Line) -> bool:
    """Fewer eyes than the limit of its own highest Absage, and the others made none."""
    eyes, own = exact_eyes(party, line), absagen_of(party, line)
    if eyes is None or not own or absagen_of(OTHER[party], line):
        return False
    return eyes == 0 if own[-1] == "schwarz" else eyes < LIMIT_OF[own[-1]]
