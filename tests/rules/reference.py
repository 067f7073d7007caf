"""Decides, slowly and in plain words, what every line of an evening answers.

This is the description of the rules written out a second time, one function per paragraph, so that the real scorer can
be held against it. It shares no code with the project. It takes the lines of one evening as they are written for the
command line and answers each of them; a refused line answers the sorted names of the fields at fault.
"""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]
Settings = dict[str, Any]
Step = dict[str, Any]
Answer = dict[str, Any]

# --- 1. The facts of a game -------------------------------------------------------------------------------------------

PARTNER_KINDS = ["normal", "hochzeit", "armut"]
QUIET_SOLOS = ["stille_hochzeit", "hochzeit_allein"]
FARBSOLI = ["farbsolo_kreuz", "farbsolo_pik", "farbsolo_herz"]
ANNOUNCED_SOLOS = [
    "damensolo", "bubensolo", "koenigssolo", "fleischlos", "trumpfsolo", *FARBSOLI,
    "damen_buben_solo", "asse_solo", "zehner_solo", "grossspiel",
]  # fmt: skip
ALL_KINDS = PARTNER_KINDS + QUIET_SOLOS + ANNOUNCED_SOLOS

MOST_SPECIALS = {
    "fuchs": 2, "karlchen": 1, "karlchen_gefangen": 2, "doppelkopf": 4, "fuchs_am_ende": 1,
    "fuchs_am_ende_gefangen": 2, "dulle_gefangen": 2, "herzstich": 1,
}  # fmt: skip

SAID = ["none", "said", "no90", "no60", "no30", "schwarz"]
ABSAGEN = ["no90", "no60", "no30", "schwarz"]
LIMIT_OF = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}
LIMIT_CODE = {90: "under_90", 60: "under_60", 30: "under_30", 0: "no_trick"}
AGAINST = {"no90": 120, "no60": 90, "no30": 60, "schwarz": 30}
OTHER = {"re": "kontra", "kontra": "re"}

# One number of eyes out of every band stands for all of them.
BANDS = {
    "0": 0, "1-29": 15, "30-59": 45, "60-89": 75, "90-119": 105, "120": 120,
    "121-150": 135, "151-180": 165, "181-210": 195, "211-239": 225, "240": 240,
}  # fmt: skip

BOTH_FORMS = {"rules", "table", "dealer", "out", "starts_bock", "bock", "expect", "note"}
PLAYED_ONLY = {
    "kind", "duty", "re", "eyes", "band", "no_trick", "re_said", "kontra_said", "last_said",
    "re_specials", "kontra_specials",
}  # fmt: skip
SHORT_ONLY = {"winners", "base", "solo"}

# --- 3. The settings and the five rule sets ---------------------------------------------------------------------------

DDV: Settings = {
    "kinds": ["normal", "hochzeit", *QUIET_SOLOS, "damensolo", "bubensolo", "fleischlos", "trumpfsolo", *FARBSOLI],
    "deck": 48,
    "unit": "points",
    "kontra_121": "only_kontra",
    "tie_120": "re",
    "schwarz_by": "tricks",
    "won": 1,
    "limits": [90, 60, 30, 0],
    "limit": 1,
    "limit_counts": "reached",
    "re_kontra": {"add": 2},
    "absage": 1,
    "against_absage": "cumulative",
    "nobody_wins": "net",
    "gegen_die_alten": 1,
    "gegen_in": ["partner"],
    "gegen_when": "before",
    "specials": {"fuchs": 1, "karlchen": 1, "doppelkopf": 1},
    "specials_when": "before",
    "specials_in_solo": "none",
    "solo_point": 0,
    "lost_announcement": None,
    "solo_times": 1,
    "soloist_share": 3,
    "negative": "keep",
    "counting": "plus_minus",
    "sitter": "nothing",
    "special_payer": None,
    "deal_stays": ["duty_solo"],
    "seating": {"6": [1, 2, 4, 5], "7": [1, 3, 5, 6]},
    "duty_solo": {"rounds": 5},
    "bock": None,
    "at": {},
}

OHNE_NEUNEN: Settings = {
    **DDV,
    "kinds": [*DDV["kinds"], "armut"],
    "deck": 40,
    "duty_solo": {"rounds": 6},
}

ANLEITUNG: Settings = {
    "kinds": [*OHNE_NEUNEN["kinds"], "koenigssolo", "damen_buben_solo", "asse_solo", "zehner_solo"],
    "deck": 40,
    "unit": "points",
    "kontra_121": "kontra_said",
    "tie_120": "re",
    "schwarz_by": "eyes",
    "won": 1,
    "limits": [90, 60, 30, 0],
    "limit": 1,
    "limit_counts": "reached_or_missed",
    "re_kontra": {"times": 2},
    "absage": 1,
    "against_absage": "off",
    "nobody_wins": "zero",
    "gegen_die_alten": 1,
    "gegen_in": ["partner", "armut", "solo"],
    "gegen_when": "before",
    "specials": {
        "fuchs": 1, "karlchen": 1, "doppelkopf": 1, "karlchen_gefangen": 1, "fuchs_am_ende": 1, "dulle_gefangen": 1,
    },
    "specials_when": "before",
    "specials_in_solo": "by_kind",
    "solo_point": 0,
    "lost_announcement": {"times": 2, "when": "ansage"},
    "solo_times": 2,
    "soloist_share": 1,
    "negative": "keep",
    "counting": "plus_minus",
    "sitter": "nothing",
    "special_payer": None,
    "deal_stays": [],
    "seating": {"6": [1, 2, 4, 5], "7": [1, 3, 5, 6]},
    "duty_solo": None,
    "bock": {
        "triggers": ["lost_announcement"],
        "per_game": "one",
        "length": "table",
        "overlap": "append",
        "cap": 1,
        "effect": "all",
        "duty_solo_uses": True,
    },
    "at": {},
}  # fmt: skip

VLN: Settings = {
    "kinds": [*PARTNER_KINDS, *QUIET_SOLOS, "damensolo", "bubensolo", "koenigssolo", "trumpfsolo"],
    "deck": 40,
    "unit": "points",
    "kontra_121": "kontra_last",
    "tie_120": "re",
    "schwarz_by": "eyes",
    "won": 1,
    "limits": [90, 60, 30, 0],
    "limit": 1,
    "limit_counts": "reached",
    "re_kontra": {"times": 2},
    "absage": 1,
    "against_absage": "off",
    "nobody_wins": "zero",
    "gegen_die_alten": 1,
    "gegen_in": ["partner", "armut"],
    "gegen_when": "after",
    "specials": dict.fromkeys(MOST_SPECIALS, 1),
    "specials_when": "after",
    "specials_in_solo": "all",
    "solo_point": {"points": 1, "kinds": ["damensolo", "bubensolo", "koenigssolo", "trumpfsolo"], "when": "after"},
    "lost_announcement": None,
    "solo_times": 1,
    "soloist_share": 1,
    "negative": "keep",
    "counting": "plus_minus",
    "sitter": "nothing",
    "special_payer": None,
    "deal_stays": [],
    "seating": {"6": [1, 2, 4, 5], "7": [1, 3, 5, 6]},
    "duty_solo": None,
    "bock": None,
    "at": {},
}

KLASSISCH_LARGE: Settings = {
    "kinds": ["normal", "trumpfsolo", *FARBSOLI, "grossspiel"],
    "kontra_121": {"partner": "always", "solo": "never"},
    "gegen_in": [],
}
KLASSISCH: Settings = {
    "kinds": ["normal", "trumpfsolo", *FARBSOLI, "grossspiel", "hochzeit", "stille_hochzeit"],
    "deck": 48,
    "unit": "cents",
    "kontra_121": "never",
    "tie_120": "nobody",
    "schwarz_by": "tricks",
    "won": 5,
    "limits": [60, 0],
    "limit": 5,
    "limit_counts": "reached",
    "re_kontra": None,
    "absage": 0,
    "against_absage": "off",
    "nobody_wins": "zero",
    "gegen_die_alten": 5,
    "gegen_in": ["partner"],
    "gegen_when": "before",
    "specials": {"fuchs": 5, "karlchen": 5},
    "specials_when": "paid",
    "specials_in_solo": "all",
    "solo_point": 0,
    "lost_announcement": None,
    "solo_times": 2,
    "soloist_share": "opponents",
    "negative": "keep",
    "counting": {"partner": "winners", "solo": "plus_minus"},
    "sitter": "winners",
    "special_payer": "kasse",
    "deal_stays": [],
    "seating": {"6": [0, 1, 2, 3, 4, 5], "7": [1, 3, 5, 6], "8": [0, 1, 2, 3, 4, 5, 6, 7]},
    "duty_solo": None,
    "bock": None,
    "at": {
        "6": KLASSISCH_LARGE,
        "7": {"kinds": KLASSISCH_LARGE["kinds"]},
        "8": {**KLASSISCH_LARGE, "deck": 64},
    },
}

PRESETS: dict[str, Settings] = {
    "ddv": DDV,
    "ohne_neunen": OHNE_NEUNEN,
    "anleitung": ANLEITUNG,
    "vln": VLN,
    "klassisch": KLASSISCH,
}

PLAIN_BOCK: Settings = {
    "triggers": [],
    "per_game": "one",
    "length": "table",
    "overlap": "append",
    "cap": 8,
    "effect": "all",
    "duty_solo_uses": True,
}

# The values a setting can have: a list of choices, or the smallest number.
CHOICES: dict[str, list[Any] | int] = {
    "deck": [40, 48, 64],
    "unit": ["points", "cents"],
    "kontra_121": ["never", "only_kontra", "kontra_said", "kontra_last", "always"],
    "tie_120": ["re", "kontra", "nobody"],
    "schwarz_by": ["tricks", "eyes"],
    "won": 0,
    "limit": 0,
    "limit_counts": ["reached", "reached_or_missed"],
    "absage": 0,
    "against_absage": ["cumulative", "highest", "off"],
    "nobody_wins": ["net", "zero"],
    "gegen_die_alten": 0,
    "gegen_when": ["before", "after", "bock_only"],
    "specials_when": ["before", "after", "bock_only", "paid"],
    "specials_in_solo": ["none", "all", "by_kind"],
    "solo_times": [1, 2, 3],
    "soloist_share": [1, 2, 3, "opponents"],
    "negative": ["keep", "zero"],
    "counting": ["plus_minus", "winners", "losers"],
    "sitter": ["nothing", "winners", "kontra"],
    "special_payer": ["kasse", "players", None],
}
BOCK_CHOICES: dict[str, list[Any] | int] = {
    "per_game": ["one", "each"],
    "overlap": ["append", "stack", "extend", "ignore"],
    "cap": 1,
    "duty_solo_uses": [True, False],
    "carry": [True, False],
}


# --- 8. The lines of one evening --------------------------------------------------------------------------------------


def answer_evening(lines: list[Any]) -> list[Answer]:
    """One answer per line, in order. A line that starts a new evening answers nothing and empties the chain."""
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
    """The answer to one line. `chain` holds the open Bocks and is changed; a refused line leaves it alone."""
    if not isinstance(line, dict):
        return {"error": ["line"]}
    settings = settings_of(line, known)
    faults = first_faults(line, settings)
    if faults:
        return {"error": sorted(faults)}
    assert settings is not None
    faults = short_faults(line, settings) if is_short(line) else played_faults(line, settings)
    if faults:
        return {"error": sorted(faults)}
    open_before = list(chain)
    answer = answer_short(line, settings, chain) if is_short(line) else answer_played(line, settings, chain)
    if abs(answer["value"]) > 10_000_000:
        chain[:] = open_before
        return {"error": ["base" if is_short(line) else "line"]}
    return answer


def settings_of(line: Line, known: dict[str, Settings | None]) -> Settings | None:
    """The settings of this line at a table of this size, looked up once per evening; None where there are none."""
    rules, table = line.get("rules", "ddv"), line.get("table", 4)
    key = f"{rules!r} {table!r}"
    if key not in known:
        known[key] = resolve(rules, str(table))
    return known[key]


def resolve(rules: Any, table: str) -> Settings | None:
    """A name, or a base with settings: bock, specials and seating merged key by key, everything else replaced."""
    if isinstance(rules, str):
        rules = {"base": rules}
    if not isinstance(rules, dict) or rules.get("base") not in list(PRESETS) or not all_values_allowed(rules):
        return None
    base: Settings = PRESETS[rules["base"]]
    at = rules.get("at", base["at"]).get(table, {})
    settings = {**base, **at}
    for key, value in rules.items():
        if key == "bock" and value is not None:
            settings["bock"] = {**(base["bock"] or PLAIN_BOCK), **value}
        elif key in ("specials", "seating"):
            settings[key] = {**base[key], **value}
        elif key in base:
            settings[key] = value
        elif key != "base":
            return None
    return settings


def all_values_allowed(rules: Settings) -> bool:
    """Choices and numbers alone are looked at; one value for partner games and another for solos is two values."""
    for choices, given in ((CHOICES, rules), (BOCK_CHOICES, rules.get("bock") or {})):
        for key, value in given.items():
            values = value.values() if isinstance(value, dict) else [value]
            if key in choices and not all(is_allowed(single, choices[key]) for single in values):
                return False
    return True


def is_allowed(value: Any, choices: list[Any] | int) -> bool:
    return is_number(value, choices) if isinstance(choices, int) else value in choices


# --- 1.3 What is refused ----------------------------------------------------------------------------------------------


def is_short(line: Line) -> bool:
    return "kind" not in line and any(field in line for field in SHORT_ONLY)


def is_number(value: Any, low: int, high: int | None = None) -> bool:
    return type(value) is int and value >= low and (high is None or value <= high)


def first_faults(line: Line, settings: Settings | None) -> set[str]:
    """Rules, table and kind, which everything else is judged against."""
    faults = set()
    if settings is None:
        faults.add("rules")
    if not is_number(line.get("table", 4), 4, 8):
        faults.add("table")
    if not is_short(line):
        kind = line.get("kind")
        if kind not in (ALL_KINDS if settings is None else settings["kinds"]):
            faults.add("kind")
    return faults


def played_faults(line: Line, settings: Settings) -> set[str]:
    faults = set(line) - BOTH_FORMS - PLAYED_ONLY
    faults |= seating_faults(line, settings, "re")
    faults |= eyes_faults(line)
    faults |= no_trick_faults(line, settings)
    faults |= said_faults(line, settings)
    faults |= last_said_faults(line, settings)
    faults |= specials_faults(line, settings)
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


def is_seats(value: Any, table: int) -> bool:
    """A list of different seats at this table."""
    return isinstance(value, list) and all(is_number(s, 0, table - 1) for s in value) and len(set(value)) == len(value)


def players_count(table: int, settings: Settings) -> int:
    return len(settings["seating"].get(str(table), [1, 2, 3, 4]))


def seating_faults(line: Line, settings: Settings, party_field: str) -> set[str]:
    """Who deals, who sits out, and whether the party named (Re, or the winners of a short line) can be one."""
    table, faults = line.get("table", 4), set()
    if "dealer" in line and not is_number(line["dealer"], 0, table - 1):
        faults.add("dealer")
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
    """A soloist alone; two partners; with six or eight playing the even or the odd seats."""
    table = line.get("table", 4)
    players = players_count(table, settings)
    if is_solo(line):
        return len(seats) == 1 or (is_short(line) and len(seats) == players - 1)
    if players > 4:
        return sorted(seats) in (list(range(0, table, 2)), list(range(1, table, 2)))
    return len(seats) == 2


def eyes_faults(line: Line) -> set[str]:
    """Neither is named `eyes`, both `band`; each can be wrong in itself as well."""
    faults = set()
    if ("eyes" in line or "band" not in line) and not is_number(line.get("eyes"), 0, 240):
        faults.add("eyes")
    if "band" in line and ("eyes" in line or line["band"] not in list(BANDS)):
        faults.add("band")
    return faults


def has_eyes(line: Line) -> bool:
    """Whether there are eyes that anything else can be judged against."""
    return "eyes" not in eyes_faults(line) if "eyes" in line else not eyes_faults(line)


def no_trick_faults(line: Line, settings: Settings) -> set[str]:
    """A party with eyes had a trick; a trick worth nothing takes nines, and the bands 0 and 240 are without one."""
    if "no_trick" not in line:
        return set()
    if line["no_trick"] not in ("re", "kontra", "none"):
        return {"no_trick"}
    if line["no_trick"] == "none":
        without_trick = "band" in line and has_eyes(line) and eyes_of(line)["re"] in (0, 240)
        return {"no_trick"} if settings["deck"] == 40 or without_trick else set()
    return {"no_trick"} if has_eyes(line) and eyes_of(line)[line["no_trick"]] > 0 else set()


def said_faults(line: Line, settings: Settings) -> set[str]:
    allowed = SAID if settings["re_kontra"] else ["none"]
    return {field for field in ("re_said", "kontra_said") if line.get(field, "none") not in allowed}


def last_said_faults(line: Line, settings: Settings) -> set[str]:
    """Which Ansage came last: only of a party that said something, and not missing where it decides."""
    last = line.get("last_said")
    if "last_said" in line:
        if last not in ("re", "kontra") or line.get(f"{last}_said", "none") == "none":
            return {"last_said"}
        return set()
    both_said = line.get("re_said") == "said" and line.get("kontra_said") == "said"
    decides = kontra_121_of(line, settings) == "kontra_last" and both_said
    return {"last_said"} if decides and has_eyes(line) and eyes_of(line)["re"] == 120 else set()


def specials_faults(line: Line, settings: Settings) -> set[str]:
    """Counts of special points the rule set knows, no more than a game can hold, none for a party without a trick."""
    faults = {f"{party}_specials" for party in ("re", "kontra") if not are_possible(party, line, settings)}
    return {"kontra_specials"} if not faults and too_many(specials_together(line)) else faults


def are_possible(party: str, line: Line, settings: Settings) -> bool:
    """The special points of one party, looked at alone. A refused `no_trick` gives nobody a trick."""
    specials = line.get(f"{party}_specials", {})
    if not isinstance(specials, dict) or any(code not in settings["specials"] for code in specials):
        return False
    if not all(is_number(count, 0) for count in specials.values()) or too_many(specials):
        return False
    if not any(specials.values()) or not has_eyes(line):
        return True
    believed = {**line, "no_trick": None} if no_trick_faults(line, settings) else line
    return has_trick(party, believed)


def specials_together(line: Line) -> dict[str, int]:
    re, kontra = line.get("re_specials", {}), line.get("kontra_specials", {})
    return {code: re.get(code, 0) + kontra.get(code, 0) for code in {**re, **kontra}}


def too_many(specials: dict[str, int]) -> bool:
    if specials.get("karlchen", 0) + specials.get("fuchs_am_ende", 0) > 1:
        return True
    return any(count > MOST_SPECIALS[code] for code, count in specials.items())


def duty_faults(line: Line, settings: Settings) -> set[str]:
    duty = line.get("duty", False)
    if type(duty) is not bool:
        return {"duty"}
    possible = line["kind"] in ANNOUNCED_SOLOS and settings["duty_solo"] is not None
    return {"duty"} if duty and not possible else set()


def bock_faults(line: Line, settings: Settings) -> set[str]:
    faults, bock = set(), settings["bock"]
    level, starts = line.get("bock", 0), line.get("starts_bock", 0)
    if not is_number(level, 0, bock["cap"] if bock else 0):
        faults.add("bock")
    if not is_number(starts, 0) or (starts > 0 and not (bock and "manual" in bock["triggers"])):
        faults.add("starts_bock")
    return faults


# --- The facts, read --------------------------------------------------------------------------------------------------


def is_solo(line: Line) -> bool:
    return line.get("solo", False) is True if is_short(line) else line["kind"] not in PARTNER_KINDS


def form_of(line: Line) -> str:
    return "solo" if is_solo(line) else "partner"


def eyes_of(line: Line) -> dict[str, int]:
    re = line["eyes"] if "eyes" in line else BANDS[line["band"]]
    return {"re": re, "kontra": 240 - re}


def has_trick(party: str, line: Line) -> bool:
    """The party with 0 eyes had no trick unless it had one worth nothing."""
    return eyes_of(line)[party] > 0 or line.get("no_trick") == "none"


def is_schwarz(party: str, line: Line, settings: Settings) -> bool:
    """Without a trick, or without eyes."""
    return not has_trick(party, line) if settings["schwarz_by"] == "tricks" else eyes_of(line)[party] == 0


def has_said(party: str, line: Line) -> bool:
    return line.get(f"{party}_said", "none") != "none"


def absagen_of(party: str, line: Line) -> list[str]:
    """All Absagen of a party from no90 up to what it said."""
    said = line.get(f"{party}_said", "none")
    return ABSAGEN[: ABSAGEN.index(said) + 1] if said in ABSAGEN else []


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


# --- 2. From facts to points ------------------------------------------------------------------------------------------


def answer_played(line: Line, settings: Settings, chain: list[int]) -> Answer:
    level = line.get("bock", level_of(line, settings, chain))
    winner = winner_of(line, settings)
    steps = steps_of(line, settings, winner, level)
    value = fold(steps)
    plain_value = value if level == 0 else fold(steps_of(line, settings, winner, 0))
    started = advance(line, settings, chain, bocks_of_played(line, settings, winner, plain_value))
    out = seats_out(line, settings)
    sides = {"re": sorted(line["re"])}
    sides["kontra"] = [s for s in range(line.get("table", 4)) if s not in sides["re"] and s not in out]
    return {
        "winner": winner,
        "winners": sides[winner] if winner else [],
        "value": value,
        "points": points_of(line, settings, sides, out, winner, value, steps),
        "steps": steps,
        "bock": level,
        "bock_started": started,
    }


# 2.1 Winner


def winner_of(line: Line, settings: Settings) -> str | None:
    for party in ("re", "kontra"):
        if reaches_goal(party, line, settings):
            return party
    if absagen_of("re", line) or absagen_of("kontra", line):
        return None
    tie = settings["tie_120"]
    return None if tie == "nobody" else tie


def reaches_goal(party: str, line: Line, settings: Settings) -> bool:
    """Its own Absage; else to break that of the others; else half."""
    own, theirs = absagen_of(party, line), absagen_of(OTHER[party], line)
    if own:
        return stays_under(OTHER[party], own[-1], line, settings)
    if theirs:
        return not stays_under(party, theirs[-1], line, settings)
    needed = 120 if party == "kontra" and not kontra_needs_121(line, settings) else 121
    return eyes_of(line)[party] >= needed


def stays_under(party: str, absage: str, line: Line, settings: Settings) -> bool:
    if absage == "schwarz":
        return is_schwarz(party, line, settings)
    return eyes_of(line)[party] < LIMIT_OF[absage]


def kontra_121_of(line: Line, settings: Settings) -> str:
    setting = settings["kontra_121"]
    return setting[form_of(line)] if isinstance(setting, dict) else setting


def kontra_needs_121(line: Line, settings: Settings) -> bool:
    re, kontra = has_said("re", line), has_said("kontra", line)
    last = line.get("last_said") == "kontra" or not re
    return {
        "never": False,
        "only_kontra": kontra and not re,
        "kontra_said": kontra,
        "kontra_last": kontra and last,
        "always": True,
    }[kontra_121_of(line, settings)]


# 2.2 Steps


def steps_of(line: Line, settings: Settings, winner: str | None, level: int) -> list[Step]:
    """Lines, doublings, lines set after, in the order in which they are folded."""
    pays = special_lines(line, settings, "pay") if settings["specials_when"] == "paid" else []
    if winner is None and settings["nobody_wins"] == "zero":
        return pays
    plain, specials = plain_lines(line, settings, winner), special_lines(line, settings, "add")
    gegen, solo_point = gegen_line(line, settings, winner), solo_point_line(line, settings, winner)
    placed = [
        (settings["gegen_when"], gegen),
        (settings["specials_when"], specials),
        (settings["solo_point"]["when"] if solo_point else "before", solo_point),
    ]
    bock_only = [step for when, lines in placed if when == "bock_only" for step in lines]
    after = [step for when, lines in placed if when == "after" for step in lines]
    if settings["gegen_when"] == "before":
        plain = plain + gegen
    if placed[2][0] == "before":
        plain = plain + solo_point
    specials = specials if settings["specials_when"] == "before" else []
    bock = bock_step(settings, winner, level)
    if settings["bock"] and settings["bock"]["effect"] == "game":
        steps = plain + bock + specials + doublings(line, settings, winner) + bock_only + after
    else:
        steps = plain + specials + doublings(line, settings, winner) + bock_only + bock + after
    return steps + negative_step(steps, settings, winner) + pays


def fold(steps: list[Step]) -> int:
    """From 0 as Re sees it: add counts + for Re and - for Kontra, times multiplies."""
    value = 0
    for step in steps:
        if "add" in step:
            value += step["add"] if step["party"] == "re" else -step["add"]
        elif "times" in step:
            value *= step["times"]
    return value


def add(code: str, party: str | None, points: int) -> list[Step]:
    """A line, left out where it is worth nothing or where nobody is there to get it."""
    return [{"code": code, "party": party, "add": points}] if points and party else []


def times(code: str, factor: int) -> list[Step]:
    return [{"code": code, "times": factor}] if factor != 1 else []


def plain_lines(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """The lines that are no special points, but for gegen die Alten and the solo point."""
    steps = add("won", winner, settings["won"])
    for party in ("re", "kontra"):
        if winner in (party, None):
            steps += limit_lines(party, line, settings, winner)
    for party in ("re", "kontra"):
        if has_said(party, line):
            steps += add(f"{party}_said", winner, (settings["re_kontra"] or {}).get("add", 0))
    for party in ("re", "kontra"):
        for absage in absagen_of(party, line):
            steps += add(f"{party}_{absage}", winner, settings["absage"])
    for party in ("re", "kontra"):
        steps += against_lines(party, line, settings)
    return steps


def limit_lines(party: str, line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """The others under 90, 60, 30, without a trick; by setting also what the loser announced and missed, once."""
    steps, other = [], OTHER[party]
    missed = []
    if winner == party and settings["limit_counts"] == "reached_or_missed":
        missed = [LIMIT_OF[absage] for absage in absagen_of(other, line)]
    for limit in settings["limits"]:
        reached = eyes_of(line)[other] < limit if limit else is_schwarz(other, line, settings)
        if reached or limit in missed:
            steps += add(LIMIT_CODE[limit], party, settings["limit"])
    return steps


def against_lines(party: str, line: Line, settings: Settings) -> list[Step]:
    """120 eyes against no90, 90 against no60, 60 against no30, 30 against schwarz, for whoever reached it."""
    if settings["against_absage"] == "off":
        return []
    absagen = absagen_of(OTHER[party], line)
    reached = [absage for absage in absagen if eyes_of(line)[party] >= AGAINST[absage]]
    if settings["against_absage"] == "highest":
        reached = reached[-1:]
    return [step for absage in reached for step in add(f"against_{absage}", party, 1)]


def gegen_line(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    group = {"normal": "partner", "hochzeit": "partner", "armut": "armut"}.get(line["kind"], "solo")
    if winner != "kontra" or group not in settings["gegen_in"]:
        return []
    return add("gegen_die_alten", "kontra", settings["gegen_die_alten"])


def solo_point_line(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    point = settings["solo_point"]
    return add("solo_point", winner, point["points"]) if point and line["kind"] in point["kinds"] else []


def special_lines(line: Line, settings: Settings, word: str) -> list[Step]:
    """One step per special point and party that earned it: added, or paid."""
    steps = []
    for party in ("re", "kontra"):
        for code, count in line.get(f"{party}_specials", {}).items():
            points = count * settings["specials"].get(code, 0)
            if points and special_counts(code, line["kind"], settings):
                steps.append({"code": code, "party": party, word: points})
    return steps


def special_counts(code: str, kind: str, settings: Settings) -> bool:
    if kind in PARTNER_KINDS or settings["specials_in_solo"] == "all":
        return True
    if settings["specials_in_solo"] == "none":
        return False
    if kind == "trumpfsolo" or kind in QUIET_SOLOS:
        return True
    if kind in FARBSOLI:
        return code in ("doppelkopf", "karlchen", "karlchen_gefangen")
    return code == "doppelkopf"


def doublings(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """All but Bock. With nobody winning only that of the solo."""
    solo = times("solo", settings["solo_times"]) if is_solo(line) else []
    if winner is None:
        return solo
    steps = []
    for party in ("re", "kontra"):
        if has_said(party, line):
            steps += times(f"{party}_said", (settings["re_kontra"] or {}).get("times", 1))
    lost = settings["lost_announcement"]
    if lost:
        loser = OTHER[winner]
        if has_said(loser, line) if lost["when"] == "ansage" else absagen_of(loser, line):
            return steps + solo + times("lost_announcement", lost["times"])
    return steps + solo


def bock_step(settings: Settings, winner: str | None, level: int) -> list[Step]:
    """Times two per level, or so many points per level for the winner."""
    if level == 0:
        return []
    effect = settings["bock"]["effect"]
    if isinstance(effect, dict):
        return add("bock", winner, effect["add"] * level)
    return times("bock", 2**level)


def negative_step(steps: list[Step], settings: Settings, winner: str | None) -> list[Step]:
    value = fold(steps)
    loses = (winner == "re" and value < 0) or (winner == "kontra" and value > 0)
    return [{"code": "negative", "times": 0}] if loses and settings["negative"] == "zero" else []


# 2.3 Share-out


def points_of(
    line: Line,
    settings: Settings,
    sides: dict[str, list[int]],
    out: list[int],
    winner: str | None,
    value: int,
    steps: list[Step],
) -> list[int]:
    points = [0] * line.get("table", 4)
    for seat in sides["kontra"]:
        points[seat] = -value
    for seat in sides["re"]:
        points[seat] = value * soloist_share(settings, sides, out) if is_solo(line) else value
    for seat in out:
        points[seat] = sitter_points(line, settings, winner, value)
    points = [counted(entry, line, settings) for entry in points]
    for step in steps:
        if "pay" in step:
            pay(points, step, settings, sides)
    return points


def soloist_share(settings: Settings, sides: dict[str, list[int]], out: list[int]) -> int:
    """Once, twice, three times, or from everybody who pays like an opponent."""
    if settings["soloist_share"] != "opponents":
        return settings["soloist_share"]
    return len(sides["kontra"]) + (0 if settings["sitter"] == "nothing" else len(out))


def sitter_points(line: Line, settings: Settings, winner: str | None, value: int) -> int:
    """Nothing; what each winner gets, in a solo like an opponent; or always like Kontra."""
    if settings["sitter"] == "nothing":
        return 0
    if settings["sitter"] == "kontra" or is_solo(line):
        return -value
    return {"re": value, "kontra": -value, None: 0}[winner]


def counted(entry: int, line: Line, settings: Settings) -> int:
    counting = settings["counting"]
    if isinstance(counting, dict):
        counting = counting[form_of(line)]
    if counting == "winners":
        return max(entry, 0)
    if counting == "losers":
        return min(entry, 0)
    return entry


def pay(points: list[int], step: Step, settings: Settings, sides: dict[str, list[int]]) -> None:
    """Each earner from the Kasse; or each player of the other party pays, shared evenly, the odd cent to the Kasse."""
    earners, payers = sides[step["party"]], sides[OTHER[step["party"]]]
    amount = step["pay"]
    if settings["special_payer"] == "players":
        for seat in payers:
            points[seat] -= amount
        amount = amount * len(payers) // len(earners)
    for seat in earners:
        points[seat] += amount


# --- 4. Bock chains ---------------------------------------------------------------------------------------------------


def level_of(line: Line, settings: Settings, chain: list[int]) -> int:
    """How many Bocks are open, up to the cap; a Pflichtsolo may be played plain."""
    if settings["bock"] is None or plays_plain(line, settings):
        return 0
    return min(len(chain), settings["bock"]["cap"])


def plays_plain(line: Line, settings: Settings) -> bool:
    return line.get("duty", False) and not settings["bock"]["duty_solo_uses"]


def bocks_of_played(line: Line, settings: Settings, winner: str | None, plain_value: int) -> int:
    """How many Bocks the triggers of this game start."""
    if settings["bock"] is None:
        return 0
    losers = [OTHER[winner]] if winner else ["re", "kontra"]
    specials = specials_together(line)
    holds = {
        "lost_announcement": any(has_said(party, line) for party in losers),
        "lost_solo": is_solo(line) and winner == "kontra",
        "tie_120": eyes_of(line)["re"] == 120,
        "herzstich": specials.get("herzstich", 0) > 0,
        "zero_game": plain_value == 0,
        "schwarz": winner is not None and is_schwarz(OTHER[winner], line, settings),
        "manual": line.get("starts_bock", 0),
    }
    return bocks_counted(holds, settings)


def bocks_counted(holds: dict[str, int], settings: Settings) -> int:
    """One for the game, or one for every trigger that holds; manual counts its number."""
    count = sum(holds.get(trigger, 0) for trigger in settings["bock"]["triggers"])
    return min(count, 1) if settings["bock"]["per_game"] == "one" else count


def advance(line: Line, settings: Settings, chain: list[int], bocks: int) -> int:
    """The game uses one up, then its own triggers start new ones. How many Bock games that added."""
    bock = settings["bock"]
    if bock is None:
        return 0
    if not plays_plain(line, settings) and not (bock["length"] == "deal" and deal_stays(line, settings)):
        chain[:] = [left - 1 for left in chain if left > 1]
    if bocks == 0:
        return 0
    length = bock["length"] if isinstance(bock["length"], int) else line.get("table", 4)
    if bock["overlap"] == "ignore" and chain:
        return 0
    if bock["overlap"] in ("ignore", "extend"):
        chain[:] = [length]
        return length
    if bock["overlap"] == "append":
        longest = max(chain, default=0)
        if longest:
            chain.remove(longest)
        chain.append(longest + bocks * length)
    else:
        chain.extend([length] * bocks)
    return bocks * length


def deal_stays(line: Line, settings: Settings) -> bool:
    if line.get("kind") not in ANNOUNCED_SOLOS:
        return False
    return ("duty_solo" if line.get("duty", False) else "lustsolo") in settings["deal_stays"]


# --- 6. The short form ------------------------------------------------------------------------------------------------


def answer_short(line: Line, settings: Settings, chain: list[int]) -> Answer:
    """Who won and how much; Bock and share-out follow the rule set. The value is that of the winners.

    Its steps name no party: they favour the winners, whichever side that was.
    """
    level = line.get("bock", level_of(line, settings, chain))
    out, winners = seats_out(line, settings), sorted(line["winners"])
    losers = [s for s in range(line.get("table", 4)) if s not in winners and s not in out]
    winner = ("re" if len(winners) == 1 else "kontra") if is_solo(line) else None
    steps: list[Step] = [{"code": "base", "add": line["base"]}] if line["base"] else []
    if level and isinstance(settings["bock"]["effect"], dict):
        steps.append({"code": "bock", "add": settings["bock"]["effect"]["add"] * level})
    elif level:
        steps.append({"code": "bock", "times": 2**level})
    value = fold([{**step, "party": "re"} for step in steps])
    holds = {
        "lost_solo": winner == "kontra",
        "zero_game": line["base"] == 0,
        "manual": line.get("starts_bock", 0),
    }
    started = advance(line, settings, chain, bocks_counted(holds, settings) if settings["bock"] else 0)
    swap = winner == "kontra"
    sides = {"re": losers, "kontra": winners} if swap else {"re": winners, "kontra": losers}
    re_value, side = (-value if swap else value), winner or "re"
    return {
        "winner": winner,
        "winners": winners,
        "value": value,
        "points": points_of(line, settings, sides, out, side, re_value, []),
        "steps": steps,
        "bock": level,
        "bock_started": started,
    }
