"""Test that every code of the rules is known to Python, the scripts and the reference, and occurs in the random games.

A code added in one place fails here, with the other places where it belongs.
"""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import constants, labels
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rules.settings_schema import BOCK_CHOICES, BOCK_KEYS, CHOICES, KEYS
from tests.rules import random_games, reference

SCRIPTS = Path(__file__).parents[2] / "assets"
ON_THE_PHONE = "the scripts beside score.js in assets"
HANDED_OVER = "FOR_SCRIPTS of scoring/rules/constants.py"
IN_THE_REFERENCE = "tests/rules/reference/"
IN_RANDOM_GAMES = "what tests/rules/random_games/ draws from"
IN_PYTHON = "scoring/rules/constants.py (and what steps.py, outcome.py and bock.py make of it)"

# One sheet is worth the same whatever it is counted in and whether its Bock games go on another evening.
OF_NO_SHEET = {"unit", "carry"}
# What a rule set may leave out is asked for by itself.
LEFT_OUT = {*constants.DEFAULTS, *constants.BOCK_DEFAULTS}


@cache
def scripts() -> str:
    """Return the scripts of assets/rules/."""
    return "\n".join(path.read_text() for path in sorted((SCRIPTS / "rules").glob("*.js")))


def on_the_phone(name: str) -> list[str]:
    """Return the codes of a constant of the scripts: the entries of a list, the keys of an object."""
    found = re.search(rf"const {name} = ([\[{{].*?\n? ?[\]}}]);\n", scripts(), re.S)
    assert found, f"no script beside score.js has a constant {name} any more"
    if found[1][0] == "[":
        return [text or number for text, number in re.findall(r'"([^"]+)"|(\d+)', found[1])]
    return re.findall(r"(?:^|[{,])\s*(\w+):", found[1], re.M)


def fired_in_reference() -> set[str]:
    """Return the triggers that alone started a Bock in the random games, without those with a key."""
    found: set[str] = set()
    for evening in random_evenings():
        for line, answer in zip(evening, reference.answer_evening(evening), strict=True):
            bock = random_games.settings_for(line["rules"], line.get("table", 4))["bock"]
            if bock and len(bock["triggers"]) == 1 and answer["bock_started"]:
                found |= {trigger for trigger in bock["triggers"] if ":" not in trigger}
    return found


@cache
def random_evenings() -> list[list[dict[str, Any]]]:
    """Return evenings like those that scorer, scripts and reference are compared with."""
    rng = random.Random(2026)
    return [random_games.with_redeals(rng, random_games.random_evening(rng, 20)) for _ in range(1000)]


@cache
def random_lines() -> list[dict[str, Any]]:
    return [line for evening in random_evenings() for line in evening]


@cache
def random_settings() -> list[dict[str, Any]]:
    return [random_games.settings_for(line["rules"], line.get("table", 4)) for line in random_lines()]


def played(*fields: str) -> set[str]:
    """Return the values of these fields in the random games, for special points those with a count; without own keys."""
    found: set[str] = set()
    for line in random_lines():
        own = {key for named in ("specials", "per_kind") for key in own_keys(line["rules"], named)}
        for value in (line[field] for field in fields if field in line):
            found |= {code for code, count in value.items() if count} if isinstance(value, dict) else {value}
        found -= own
    return found


def own_keys(rules: random_games.Rules, named: str) -> list[str]:
    """Return the keys of own special points or kinds, which have a name."""
    rows = rules.get(named, {}) if isinstance(rules, dict) else {}
    return [key for key, row in rows.items() if isinstance(row, dict) and "name" in row]


def single(value: Any) -> list[Any]:
    """Return the values of a setting that may have one for partner games and one for solos."""
    return list(value.values()) if isinstance(value, dict) else [value]


def varied(key: str) -> list[Any]:
    """Return the values of a setting, or of a key of the Bock, in the random games."""
    found: list[Any] = []
    for settings in random_settings():
        within = (settings["bock"] or {}) if key in {*BOCK_KEYS, *constants.BOCK_DEFAULTS} else settings
        found += [value for value in ([within[key]] if key in within else []) if value not in found]
    return found


KNOWN: dict[str, tuple[set[str], dict[str, Any]]] = {
    "kind of game": (
        set(constants.KINDS),
        {
            "scoring/rules/labels.py": lambda: labels.KINDS,
            "a preset in scoring/rules/presets.json": lambda: [k for p in PRESETS for k in get_preset_data(p)["kinds"]],
            IN_THE_REFERENCE: lambda: reference.ALL_KINDS,
            IN_RANDOM_GAMES: lambda: played("kind"),
        },
    ),
    "kind that is no announced solo": (
        {*constants.PARTNER_KINDS, *constants.QUIET_SOLOS},
        {
            HANDED_OVER: lambda: [*constants.FOR_SCRIPTS["partner"], *constants.FOR_SCRIPTS["quiet"]],
            IN_THE_REFERENCE: lambda: [*reference.PARTNER_KINDS, *reference.QUIET_SOLOS],
        },
    ),
    "special point": (
        set(constants.SPECIALS),
        {
            "scoring/rules/labels.py": lambda: labels.SPECIALS,
            HANDED_OVER: lambda: constants.FOR_SCRIPTS["specials"],
            IN_THE_REFERENCE: lambda: reference.MOST_SPECIALS,
            IN_RANDOM_GAMES: lambda: played("re_specials", "kontra_specials"),
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
            HANDED_OVER: lambda: constants.FOR_SCRIPTS["said"],
            IN_THE_REFERENCE: lambda: reference.SAID,
            IN_RANDOM_GAMES: lambda: played("re_said", "kontra_said"),
        },
    ),
    "band": (
        set(constants.BANDS),
        {
            "scoring/rules/labels.py": lambda: labels.BANDS,
            ON_THE_PHONE: lambda: on_the_phone("BANDS"),
            IN_THE_REFERENCE: lambda: reference.BANDS,
            IN_RANDOM_GAMES: lambda: played("band"),
        },
    ),
    "trigger": (
        set(constants.TRIGGERS),
        {
            "scoring/rules/labels.py": lambda: labels.TRIGGERS,
            ON_THE_PHONE: lambda: on_the_phone("TRIGGERS"),
            f"{IN_THE_REFERENCE}, where it has to hold for a game of {IN_RANDOM_GAMES}": fired_in_reference,
        },
    ),
    "setting": (
        {*KEYS, *BOCK_KEYS},
        {
            "scoring/rules/labels.py": lambda: {*labels.SETTINGS, *labels.BOCK} - {"at", *LEFT_OUT},
            "scoring/rules/presets.json": lambda: (
                {*get_preset_data("anleitung"), *get_preset_data("anleitung")["bock"]} - {"at"}
            ),
            ON_THE_PHONE: lambda: [key for key in (*KEYS, *BOCK_KEYS) if key in OF_NO_SHEET or is_read(key)],
            IN_THE_REFERENCE: lambda: {*reference.DDV, *reference.PLAIN_BOCK, *OF_NO_SHEET} - {"at", *LEFT_OUT},
            IN_RANDOM_GAMES: lambda: [k for k in (*KEYS, *BOCK_KEYS) if k in OF_NO_SHEET or len(varied(k)) > 1],
        },
    ),
    "setting that may be left out": (
        LEFT_OUT - {"text"},
        {
            "scoring/rules/labels.py": lambda: [
                key for key in (*labels.SETTINGS, *labels.BOCK) if key not in {*KEYS, *BOCK_KEYS, "at", "text"}
            ],
            IN_THE_REFERENCE: lambda: {*reference.DEFAULTS, *reference.BOCK_DEFAULTS} - {"text", *OF_NO_SHEET},
            ON_THE_PHONE: lambda: [key for key in LEFT_OUT - {"text"} if is_read(key)],
            IN_RANDOM_GAMES: lambda: [key for key in LEFT_OUT - {"text"} if varied(key)],
        },
    ),
}


def is_read(key: str) -> bool:
    """Return whether a script reads this setting."""
    return re.search(rf"\.{key}\b|[{{,]\s*{key}\b[^}}]*}}\s*[=,)]", scripts()) is not None


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
    assert constants.FOR_SCRIPTS["specials"] == reference.MOST_SPECIALS == constants.SPECIALS


def test_the_eyes_of_each_absage_are_the_same_everywhere() -> None:
    assert reference.LIMIT_OF == constants.ABSAGE_EYES
    assert on_the_phone("LIMITS") == [str(eyes) for eyes in constants.ABSAGE_EYES.values()]


ALL_CHOICES = {**CHOICES, **BOCK_CHOICES}


@pytest.mark.parametrize("key", sorted(ALL_CHOICES.keys() - OF_NO_SHEET))
def test_every_choice_of_a_setting_is_played(key: str) -> None:
    choices = ALL_CHOICES[key]
    chosen = [one for value in varied(key) for one in single(value)]
    missing = [value for value in choices if value not in chosen]
    assert not missing, f"{key}: {missing} also belongs into {IN_RANDOM_GAMES}"
