"""Test that every code of the rules is known to Python, the scripts and the reference, and that the random games use everything:
every value of a setting, every step, trigger and oddity, and every fault.

A code added in one place fails here, with the other places where it belongs.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import constants, labels
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rules.settings_schema import BOCK, BOCK_DEFAULTS, DEFAULTS, FOR_SCRIPTS, ROW_ONLY, SETTINGS
from tests.rules import random_games, reference
from tests.rules.reference.constants import ALL_KINDS, GROUP_WORDS, LIMIT_CODE, SPECIAL_FIELDS
from tests.rules.reference.game import is_redeal, is_short, settings_of_game, words_of
from tests.rules.reference.presets import PRESETS as REFERENCE_PRESETS
from tests.rules.reference.presets import ROW_DEFAULTS

Line = dict[str, Any]
Played = tuple[Line, dict[str, Any], dict[str, Any]]

SCRIPTS = Path(__file__).parents[2] / "assets"
ON_THE_PHONE = "the scripts beside score.ts in assets"
HANDED_OVER = "FOR_SCRIPTS of scoring/rules/settings_schema.py"
IN_THE_REFERENCE = "tests/rules/reference/"
IN_RANDOM_GAMES = "what tests/rules/random_games/ draws from"
IN_PYTHON = "scoring/rules/constants.py (and what steps.py, outcome.py and bock.py make of it)"

# One sheet is worth the same whatever it is counted in and whether its Bock games go on another evening.
OF_NO_SHEET = {"unit", "carry"}
# What a rule set may leave out is asked for by itself.
LEFT_OUT = {*DEFAULTS, *BOCK_DEFAULTS}
NEEDED = {*SETTINGS, *BOCK} - LEFT_OUT


@cache
def scripts() -> str:
    """Return the scripts of assets/rules/."""
    return "\n".join(path.read_text() for path in sorted((SCRIPTS / "rules").glob("*.ts")))


def on_the_phone(name: str) -> list[str]:
    """Return the codes of a constant of the scripts: the entries of a list, the keys of an object."""
    found = re.search(rf"const {name}\b.*? = ([\[{{].*?\n? ?[\]}}]);\n", scripts(), re.S)
    assert found, f"no script beside score.ts has a constant {name} any more"
    if found[1][0] == "[":
        return [text or number for text, number in re.findall(r'"([^"]+)"|(\d+)', found[1])]
    return re.findall(r"(?:^|[{,])\s*(\w+):", found[1], re.M)


@cache
def played() -> list[Played]:
    """Return the lines of evenings like those that are compared, each with its settings and its answer."""
    rng, found = random.Random(19), []
    for _ in range(1000):
        evening = random_games.with_redeals(rng, random_games.random_evening(rng, 20))
        for line, answer in zip(evening, reference.answer_evening(evening), strict=True):
            settings = random_games.settings_for(line["rules"], line.get("table", 4))
            found.append((line, settings if is_redeal(line) else settings_of_game(line, settings), answer))
    return found


def fired_in_reference() -> set[str]:
    """Return the triggers that alone started a Bock, without those with a key."""
    return {
        trigger
        for _, settings, answer in played()
        if answer["bock_started"] and len(settings["bock"]["triggers"]) == 1
        for trigger in settings["bock"]["triggers"]
        if ":" not in trigger
    }


def typed(*fields: str) -> set[str]:
    """Return the values of these fields in the random games, for special points those with a count; without own keys."""
    found: set[str] = set()
    for line, _, _ in played():
        own = {key for named in ("specials", "per_kind") for key in own_keys(line["rules"], named)}
        for value in (line[field] for field in fields if field in line):
            found |= {code for code, count in value.items() if count} if isinstance(value, dict) else {value}
        found -= own
    return found


def own_keys(rules: random_games.Rules, named: str) -> list[str]:
    """Return the keys of own special points or kinds, which have a name."""
    rows = rules.get(named, {}) if isinstance(rules, dict) else {}
    return [key for key, row in rows.items() if isinstance(row, dict) and "name" in row]


def varied(key: str) -> list[Any]:
    """Return the values of a setting, or of a key of the Bock, in the random games."""
    found: list[Any] = []
    for _, settings, _ in played():
        within = (settings["bock"] or {}) if key in BOCK else settings
        found += [value for value in ([within[key]] if key in within else []) if value not in found]
    return found


KNOWN: dict[str, tuple[set[str], dict[str, Any]]] = {
    "kind of game": (
        set(constants.KINDS),
        {
            "scoring/rules/labels.py": lambda: labels.KINDS,
            "a preset in scoring/rules/presets.json": lambda: [k for p in PRESETS for k in get_preset_data(p)["kinds"]],
            IN_THE_REFERENCE: lambda: reference.ALL_KINDS,
            IN_RANDOM_GAMES: lambda: typed("kind"),
        },
    ),
    "kind that is no announced solo": (
        {*constants.PARTNER_KINDS, *constants.QUIET_SOLOS},
        {
            HANDED_OVER: lambda: [*FOR_SCRIPTS["partner"], *FOR_SCRIPTS["quiet"]],
            IN_THE_REFERENCE: lambda: [*reference.PARTNER_KINDS, *reference.QUIET_SOLOS],
        },
    ),
    "special point": (
        set(constants.SPECIALS),
        {
            "scoring/rules/labels.py": lambda: labels.SPECIALS,
            HANDED_OVER: lambda: FOR_SCRIPTS["specials"],
            IN_THE_REFERENCE: lambda: reference.MOST_SPECIALS,
            IN_RANDOM_GAMES: lambda: typed("re_specials", "kontra_specials"),
        },
    ),
    "special point of which one alone makes the last trick": (
        set(constants.EXCLUSIVE),
        {ON_THE_PHONE: lambda: on_the_phone("EXCLUSIVE"), IN_THE_REFERENCE: lambda: reference.EXCLUSIVE},
    ),
    "special point of the last trick": (
        set(constants.LAST_TRICK),
        {ON_THE_PHONE: lambda: on_the_phone("LAST_TRICK"), IN_THE_REFERENCE: lambda: reference.OF_THE_LAST_TRICK},
    ),
    "word of a solo that counts every special point": (
        set(constants.ORDINARY_TRUMPS),
        {ON_THE_PHONE: lambda: on_the_phone("ORDINARY_TRUMPS"), IN_THE_REFERENCE: lambda: reference.ORDINARY_TRUMPS},
    ),
    "special point of a Farbsolo": (
        set(constants.IN_FARBSOLO),
        {ON_THE_PHONE: lambda: on_the_phone("IN_FARBSOLO"), IN_THE_REFERENCE: lambda: reference.IN_FARBSOLO},
    ),
    "announcement": (
        set(constants.SAID),
        {
            "scoring/rules/labels.py": lambda: labels.SAID,
            HANDED_OVER: lambda: FOR_SCRIPTS["said"],
            IN_THE_REFERENCE: lambda: reference.SAID,
            IN_RANDOM_GAMES: lambda: typed("re_said", "kontra_said"),
        },
    ),
    "band": (
        set(constants.BANDS),
        {
            "scoring/rules/labels.py": lambda: labels.BANDS,
            ON_THE_PHONE: lambda: on_the_phone("BANDS"),
            IN_THE_REFERENCE: lambda: reference.BANDS,
            IN_RANDOM_GAMES: lambda: typed("band"),
        },
    ),
    "trigger": (
        set(labels.TRIGGERS),
        {
            ON_THE_PHONE: lambda: on_the_phone("TRIGGERS"),
            f"{IN_THE_REFERENCE}, where it has to hold for a game of {IN_RANDOM_GAMES}": fired_in_reference,
        },
    ),
    "setting": (
        NEEDED,
        {
            "scoring/rules/presets.json": lambda: (
                {*get_preset_data("anleitung"), *get_preset_data("anleitung")["bock"]} - {"at"}
            ),
            ON_THE_PHONE: lambda: [key for key in NEEDED if key in OF_NO_SHEET or is_read(key)],
            IN_THE_REFERENCE: lambda: {*reference.DDV, *reference.PLAIN_BOCK, *OF_NO_SHEET} - {"at", *LEFT_OUT},
            IN_RANDOM_GAMES: lambda: [k for k in NEEDED if k in OF_NO_SHEET or len(varied(k)) > 1],
        },
    ),
    "setting that may be left out": (
        LEFT_OUT - {"text"},
        {
            IN_THE_REFERENCE: lambda: {*reference.DEFAULTS, *reference.BOCK_DEFAULTS} - {"text", *OF_NO_SHEET},
            ON_THE_PHONE: lambda: [key for key in LEFT_OUT - {"text"} if is_read(key)],
            IN_RANDOM_GAMES: lambda: [key for key in LEFT_OUT - {"text"} if varied(key)],
        },
    ),
}


def is_read(key: str) -> bool:
    """Return whether a script reads this setting of the rules or of their Bock: by a dot or by unpacking, not in a comment."""
    unpacked = rf"{{[^{{}}]*(?<![\w.]){key}\b[^{{}}]*}} ?(?:= [\w.]*\b(?:rules|bock|atTable)\b|: R)"
    code = re.sub(r"/\*(?s:.*?)\*/|//.*", "", scripts())
    return re.search(rf"\b(?:rules|bock|atTable)\??\.{key}\b|{unpacked}", code) is not None


@pytest.mark.parametrize("what", KNOWN)
def test_a_code_is_known_wherever_games_are_scored(what: str) -> None:
    ours, places = KNOWN[what]
    found = {place: set(codes_there()) for place, codes_there in places.items()}
    missing = [
        f"the {what} “{code}” also belongs into {place}"
        for place, theirs in found.items()
        for code in sorted(ours - theirs)
    ]
    beyond = [
        f"the {what} “{code}” of {place} also belongs into {IN_PYTHON}"
        for place, theirs in found.items()
        for code in sorted(theirs - ours)
    ]
    assert not missing + beyond, "\n".join(["", *missing, *beyond])


def test_the_maximum_of_each_special_point_is_the_same_everywhere() -> None:
    assert FOR_SCRIPTS["specials"] == reference.MOST_SPECIALS == constants.SPECIALS


def test_the_eyes_of_each_absage_are_the_same_everywhere() -> None:
    assert reference.LIMIT_OF == constants.ABSAGE_EYES
    assert on_the_phone("LIMITS") == [str(eyes) for eyes in constants.ABSAGE_EYES.values()]


# --- What the random games use -----------------------------------------------------------------------------------------

def shape(value: Any, choices: Collection[Any] = ()) -> str:
    """Return one of the choices or a code as it is; for other numbers, lists and rows the kind of value."""
    if value is None or isinstance(value, bool | str) or value in [*choices]:
        return str(value)
    if not isinstance(value, dict):
        return "list" if isinstance(value, list) else "number"
    if "levels" in value:
        return f"{value['levels']} {shape(value['then'])}"
    if "when" in value:
        return value["when"]
    keys = " ".join(value)
    return keys if keys[0].islower() and "no" not in keys and "schwarz" not in keys else "by key"


CHOICES = {key: one.choices for key, one in (SETTINGS | ROW_ONLY | BOCK).items()}
# What a setting can be: its values if they are few, else their shapes.
SHAPES: dict[str, list[Any]] = {
    "deck": ["40", "48", "64"],
    "decided": ["eyes", "hand", "both"],
    "kontra_121": ["never", "only_kontra", "kontra_said", "kontra_last", "always", "unless_re", "partner solo"],
    "tie_120": ["re", "kontra", "nobody"],
    "schwarz_by": ["tricks", "eyes"],
    "nobody_wins": ["net", "zero"],
    "won_at_120": ["True", "False"],
    "limit_counts": ["reached", "reached_or_missed", "reached_and_missed"],
    "re_limit_more": ["0", "1"],
    "gegen_when": ["before", "after", "bock_only"],
    "missed_absage": ["loses", "costs"],
    "against_absage": ["cumulative", "highest", "off"],
    "specials_when": ["before", "after", "bock_only", "paid"],
    "specials_in_solo": ["none", "all", "by_kind"],
    "solo_times": ["1", "2", "3"],
    "soloist_share": ["1", "2", "3", "opponents"],
    "negative": ["keep", "zero"],
    "sitter": ["nothing", "winners", "kontra", "re"],
    "in_bock": ["plays", "plain", "skips", "keeps"],
    "won": ["number"],
    "limits": ["list"],
    "limit": ["number", "times", "by key"],
    "re_kontra": ["None", "add", "times", "re kontra", "won lost", "first answer"],
    "absage": ["number", "times", "by key"],
    "gegen_in": ["list"],
    "solo_point": ["number", "before", "after", "bock_only"],
    "lost_announcement": ["None", "ansage", "absage", "re"],
    "times": ["None", "number"],
    "counting": ["plus_minus", "winners", "losers", "partner solo"],
    "special_payer": ["kasse", "players", "None"],
    "against": ["number"],
    "cowardice": ["None", *(f"{levels} {then}" for levels in (2, 3, 4, 5) for then in ("loses", "nobody", "number"))],
    "lost_times": ["number"],
    "highest": ["None", "number"],
    "text": ["", "Schmeißen bei fünf Neunen."],
}
BOCK_SHAPES: dict[str, list[Any]] = {
    "per_game": ["one", "each"],
    "overlap": ["append", "stack", "extend", "ignore", "fill"],
    "factor": ["2", "3", "4", "linear"],
    "drawn": ["doubled", "plain"],
    "duty_solo_uses": ["True", "False"],
    "length": ["table", "deal", "number"],
    "effect": ["all", "game", "add"],
}
TRIGGERS = [
    "lost_announcement", "lost_solo", "tie_120", "herzstich", "zero_game", "schwarz", "manual",
    "lost_re", "lost_kontra", "both_said", "won_solo", "redeal", "special:", "special: own", "kind: own",
    *(f"kind:{word}" for word in GROUP_WORDS),
]  # fmt: skip
COLUMNS = [
    "name", "most", "most_party", "kinds", "of party", "of re", "of kontra", "of game", "number", "list", "times",
]  # fmt: skip
LIMITS = list(LIMIT_CODE.values())
SAID = ["re_said", "kontra_said", *(f"{party}_{step}" for party in ("re", "kontra") for step in reference.SAID[2:])]
SPECIALS = [*reference.MOST_SPECIALS, "special:"]
STEPS = {
    "add": [
        "won", "cowardice", *LIMITS, *SAID, *(f"against_{step}" for step in reference.SAID[2:]),
        "gegen_die_alten", *SPECIALS, "solo_point", "bock", "highest", "base",
    ],
    "times": [*LIMITS, *SAID, *SPECIALS, "solo", "kind", "lost", "lost_announcement", "bock", "negative"],
    "pay": SPECIALS,
}  # fmt: skip
ODD = ["foxes", "karlchen", "last_trick", "doppelkopf", "eyes", "sides"]
LIKE = [*ALL_KINDS, "ramsch"]
# A fault in a game that is decided so: by its field.
FAULTS = {
    "eyes": ["winner", "eyes", "band", "no_trick", "last_said", "re_said", "kontra_said", *SPECIAL_FIELDS],
    "hand": ["winner", "eyes", "band", "no_trick", "re_said", "last_said", *SPECIAL_FIELDS],
    "both": ["winner", "eyes", "band", "no_trick", "last_said", *SPECIAL_FIELDS],
    "redeal": ["redeal", "dealer", "out", "kind", "eyes", "winner", "bock", "starts_bock", "table", "rules"],
}


def in_force(key: str) -> Counter[str]:
    games = [settings for line, settings, _ in played() if not is_redeal(line)]
    return Counter(shape(settings[key], CHOICES[key]) for settings in games)


@pytest.mark.parametrize("key", SHAPES)
def test_each_value_of_a_setting_is_in_force(key: str) -> None:
    found = in_force(key)
    assert {value: found[value] for value in SHAPES[key] if found[value] < 3} == {}


@pytest.mark.parametrize("key", BOCK_SHAPES)
def test_each_value_of_the_bock_is_in_force(key: str) -> None:
    bocks = [{**reference.BOCK_DEFAULTS, **settings["bock"]} for _, settings, _ in played() if settings["bock"]]
    found = Counter(shape(bock[key], CHOICES[key]) for bock in bocks)
    assert {value: found[value] for value in BOCK_SHAPES[key] if found[value] < 3} == {}


def test_no_setting_is_forgotten() -> None:
    constant = {"kinds", "unit", "specials", "gegen_die_alten", "deal_stays", "seating", "duty_solo", "bock", "at"}
    known = {*REFERENCE_PRESETS["ddv"], *reference.DEFAULTS, *ROW_DEFAULTS} - constant - {"per_kind"}
    assert known == set(SHAPES)
    assert {*reference.PLAIN_BOCK, *reference.BOCK_DEFAULTS} - {"triggers", "cap", "carry"} == set(BOCK_SHAPES)


def test_each_trigger_starts_a_bock_alone() -> None:
    found = Counter()
    for _, settings, answer in played():
        if answer["bock_started"] and len(settings["bock"]["triggers"]) == 1:
            found.update(trigger_words(settings["bock"]["triggers"][0]))
    assert {trigger: found[trigger] for trigger in TRIGGERS if not found[trigger]} == {}


def test_a_game_of_each_kind_starts_a_bock_for_it() -> None:
    """An own kind that is like it counts too."""
    found = Counter()
    for line, settings, answer in played():
        if answer["bock_started"] and not is_redeal(line):
            triggers = settings["bock"]["triggers"]
            found.update(word for word in words_of(line, settings) if f"kind:{word}" in triggers)
    assert {kind: found[kind] for kind in ALL_KINDS if not found[kind]} == {}


def trigger_words(trigger: str) -> Iterator[str]:
    yield trigger
    mechanism, _, key = trigger.partition(":")
    if mechanism == "special":
        yield "special:" if key in reference.MOST_SPECIALS else "special: own"
    elif mechanism == "kind" and key not in [*GROUP_WORDS, *ALL_KINDS]:
        yield "kind: own"


def test_a_game_is_played_under_a_row_of_each_word() -> None:
    found = Counter()
    for line, settings, _ in played():
        if not is_redeal(line):
            rows = settings["per_kind"]
            found.update(word for word in words_of(line, settings) if word in rows and "like" not in rows[word])
    assert {word: found[word] for word in [*GROUP_WORDS, *ALL_KINDS] if not found[word]} == {}


def test_an_own_kind_like_each_kind_is_played() -> None:
    rows = [settings["per_kind"].get(line.get("kind"), {}) for line, settings, _ in played() if not is_redeal(line)]
    found = Counter(row["like"] for row in rows if "like" in row)
    assert {kind: found[kind] for kind in LIKE if not found[kind]} == {}


def test_special_points_of_each_column_are_earned() -> None:
    found = Counter()
    for line, settings, _ in played():
        for code in {code for field in SPECIAL_FIELDS for code, count in line.get(field, {}).items() if count}:
            row = settings["specials"][code]
            row = row if isinstance(row, dict) else {"points": row}
            found.update([*row, shape(row["points"]), f"of {row.get('of', 'party')}"])
    assert {column: found[column] for column in COLUMNS if found[column] < 3} == {}


@pytest.mark.parametrize("how", STEPS)
def test_each_step_is_taken(how: str) -> None:
    found = Counter()
    for _, _, answer in played():
        codes = [step["code"] for step in answer["steps"] if how in step]
        found.update("special:" if code.startswith("special:") else code for code in codes)
    assert {code: found[code] for code in STEPS[how] if not found[code]} == {}
    assert set(found) == set(STEPS[how])


def test_each_odd_thing_happens() -> None:
    found = Counter(code for _, _, answer in played() for code in answer.get("odd", []))
    assert {code: found[code] for code in ODD if found[code] < 3} == {}
    assert set(found) == set(ODD)


def test_no_line_without_faults_is_refused() -> None:
    assert [(line, answer) for line, _, answer in played() if "error" in answer] == []


def test_a_third_of_the_rule_sets_has_no_later_setting() -> None:
    rng = random.Random(3)
    before = sum(not is_later(random_games.random_rules(rng)) for _ in range(1000))
    assert 300 < before < 420


def is_later(rules: random_games.Rules) -> bool:
    """Return whether it has a key, a word or a row that the first presets do not have."""
    if isinstance(rules, str):
        return False
    old = {*REFERENCE_PRESETS["ddv"], "base"}
    rows = [value for value in rules.get("specials", {}).values() if isinstance(value, dict)]
    bock = rules.get("bock") or {}
    new_words = {"unless_re", "reached_and_missed", "fill", "linear"} & {shape(value) for value in rules.values()}
    triggers = [trigger for trigger in bock.get("triggers", []) if trigger not in reference.TRIGGERS[:7]]
    return bool({*rules} - old or rows or new_words or triggers or {"factor", "drawn"} & {*bock})


@pytest.mark.parametrize("decided", FAULTS)
def test_each_fault_is_refused(decided: str) -> None:
    rng, found = random.Random(4), Counter()
    for line, settings, _ in played()[:8000]:
        how = "redeal" if is_redeal(line) else settings["decided"]
        if how == decided and not is_short(line):
            (answer,) = reference.answer_evening([random_games.spoil(rng, line)])
            found.update(answer.get("error", []))
    assert {field: found[field] for field in FAULTS[decided] if found[field] < 3} == {}
