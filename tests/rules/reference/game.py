"""What follows from the facts of a game: eyes, announcements, players, words and settings (section 10), oddities (section 14)."""

from __future__ import annotations

from tests.rules.reference.constants import (
    ABSAGEN,
    ANNOUNCED_SOLOS,
    BANDS,
    LIMIT_OF,
    OF_THE_LAST_TRICK,
    OTHER,
    PARTNER_KINDS,
    QUIET_SOLOS,
    SHORT_ONLY,
    SPECIAL_FIELDS,
    Line,
    Settings,
)
from tests.rules.reference.presets import DEFAULTS, ROW_DEFAULTS


def has_count(line: Line) -> bool:
    """Return whether eyes were entered; a game decided by hand has none."""
    return "eyes" in line or "band" in line


def eyes_of(line: Line) -> dict[str, int]:
    re = line["eyes"] if "eyes" in line else BANDS[line["band"]]
    return {"re": re, "kontra": 240 - re}


def is_tie(line: Line) -> bool:
    return has_count(line) and eyes_of(line)["re"] == 120


def has_trick(party: str, line: Line) -> bool:
    """Return whether a party made a trick: with eyes, with a trick of 0 eyes, or in a game decided by hand."""
    return not has_count(line) or eyes_of(line)[party] > 0 or line.get("no_trick") == "none"


def is_schwarz(party: str, line: Line, settings: Settings) -> bool:
    """Return whether a party is without a trick, or without eyes, by `schwarz_by`."""
    if settings["schwarz_by"] == "tricks":
        return not has_trick(party, line)
    return has_count(line) and eyes_of(line)[party] == 0


def is_under(party: str, limit: int, line: Line, settings: Settings) -> bool:
    """Return whether a party is under 90, 60 or 30, or for 0 schwarz."""
    if limit == 0:
        return is_schwarz(party, line, settings)
    return has_count(line) and eyes_of(line)[party] < limit


def has_said(party: str, line: Line) -> bool:
    return line.get(f"{party}_said", "none") != "none"


def absagen_of(party: str, line: Line) -> list[str]:
    """Return all Absagen of a party from no90 to its highest."""
    said = line.get(f"{party}_said", "none")
    return ABSAGEN[: ABSAGEN.index(said) + 1] if said in ABSAGEN else []


def was_entered(code: str, line: Line) -> bool:
    return any(line.get(field, {}).get(code, 0) > 0 for field in SPECIAL_FIELDS)


def specials_together(line: Line) -> dict[str, int]:
    """Return the counts of special points of both parties together."""
    re, kontra = line.get("re_specials", {}), line.get("kontra_specials", {})
    return {code: re.get(code, 0) + kontra.get(code, 0) for code in {**re, **kontra}}


def players_count(table: int, settings: Settings) -> int:
    return len(settings["seating"].get(str(table), [1, 2, 3, 4]))


def seats_out(line: Line, settings: Settings) -> list[int]:
    """Return who sits out: as entered, or by the dealer."""
    table = line.get("table", 4)
    if "out" in line:
        return sorted(line["out"])
    if players_count(table, settings) == table:
        return []
    offsets = settings["seating"].get(str(table), [1, 2, 3, 4])
    playing = {(line["dealer"] + offset) % table for offset in offsets}
    return [seat for seat in range(table) if seat not in playing]


# The settings of a row that hold for a short form.
FOR_SHORT = ["soloist_share", "counting", "sitter", "special_payer", "in_bock"]


def is_redeal(line: Line) -> bool:
    # Question: a line with a kind and `redeal` is a redeal with an unknown field.
    return "redeal" in line


def is_short(line: Line) -> bool:
    return "kind" not in line and not is_redeal(line) and any(field in line for field in SHORT_ONLY)


def like_of(kind: str, settings: Settings) -> str:
    """Return the built-in kind that a kind is like."""
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
    """Return whether one plays against all others: in a solo or a Ramsch."""
    return group_of(line, settings) != "partner"


def is_announced(line: Line, settings: Settings) -> bool:
    return not is_short(line) and like_of(line["kind"], settings) in ANNOUNCED_SOLOS


def is_duty(line: Line, settings: Settings) -> bool:
    """Return whether it was entered as Pflichtsolo. Question: if that is refused, the word does not hold."""
    return line.get("duty") is True and is_announced(line, settings) and settings["duty_solo"] is not None


def words_of(line: Line, settings: Settings) -> list[str]:
    """Return the words that hold for the game; the row of a later word overrides earlier ones."""
    words = [group_of(line, settings)]
    if is_short(line):
        return words
    like = like_of(line["kind"], settings)
    if words == ["solo"]:
        words.append("quiet" if like in QUIET_SOLOS else "announced")
    words += [like, line["kind"]]
    return [*words, "duty"] if is_duty(line, settings) else words


def settings_of_game(line: Line, settings: Settings) -> Settings:
    """Return the settings at this table, overridden by the rows of this game."""
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
    """Return a party's eyes, None for a band. Question: 0, 120 and 240 are bands too, although each is one number."""
    if "eyes" not in line:
        return None
    return line["eyes"] if party == "re" else 240 - line["eyes"]


def most_eyes(party: str, line: Line) -> int | None:
    """Return the most eyes of a party by its eyes or band."""
    if "band" not in line:
        return exact_eyes(party, line)
    ends = [int(end) for end in line["band"].split("-")]
    return max(ends) if party == "re" else 240 - min(ends)


def too_few_for_doppelkopf(party: str, line: Line) -> bool:
    eyes = most_eyes(party, line)
    return eyes is not None and eyes < 40 * line.get(f"{party}_specials", {}).get("doppelkopf", 0)


def seldom_eyes(party: str, line: Line, settings: Settings) -> bool:
    """Return whether a party has eyes that no cards give: 1; without nines 1 to 7."""
    eyes = exact_eyes(party, line)
    return eyes is not None and 1 <= eyes <= (7 if settings["deck"] == 40 else 1)


def may_be_swapped(party: str, line: Line) -> bool:
    """Return whether a party has fewer eyes than its own Absage, and the opponents have no Absage."""
    eyes, own = exact_eyes(party, line), absagen_of(party, line)
    if eyes is None or not own or absagen_of(OTHER[party], line):
        return False
    return eyes == 0 if own[-1] == "schwarz" else eyes < LIMIT_OF[own[-1]]
