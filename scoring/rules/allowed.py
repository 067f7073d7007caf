"""What a setting may hold, for the settings of a rule set and of a season alike: each check takes a value as it came and
answers nothing, or a sentence that says what is asked for instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from .codes import DEAL_STAYS, KINDS, SOLO_KINDS, SPECIALS, TABLES, TRIGGERS
from .refused import Sentence

LIMITS: Final = (90, 60, 30, 0)
HIGHEST_CAP: Final = 16
MOST: Final = 10_000
# What the settings that hold one word of a few may hold; of BY_PARTY_GAME one for all games, or one for partner games and
# one for solos.
CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "deck": (40, 48, 64),
    "unit": ("points", "cents"),
    "kontra_121": ("never", "only_kontra", "kontra_said", "kontra_last", "always"),
    "tie_120": ("re", "kontra", "nobody"),
    "schwarz_by": ("tricks", "eyes"),
    "limit_counts": ("reached", "reached_or_missed"),
    "against_absage": ("cumulative", "highest", "off"),
    "nobody_wins": ("net", "zero"),
    "gegen_when": ("before", "after", "bock_only"),
    "specials_when": ("before", "after", "bock_only", "paid"),
    "specials_in_solo": ("none", "all", "by_kind"),
    "soloist_share": (1, 2, 3, "opponents"),
    "negative": ("keep", "zero"),
    "counting": ("plus_minus", "winners", "losers"),
    "sitter": ("nothing", "winners", "kontra"),
    "special_payer": ("kasse", "players"),
}
BY_PARTY_GAME: Final = ("kontra_121", "counting")
BOCK_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "per_game": ("one", "each"),
    "overlap": ("append", "stack", "extend", "ignore"),
    "duty_solo_uses": (True, False),
    "carry": (True, False),
}
GEGEN_IN: Final = ("partner", "armut", "solo")


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


# --- One value -------------------------------------------------------------------------------------------------------


def whole_number(value: object, lowest: int, highest: int) -> bool:
    """Is this an int (no bool, no float) from lowest to highest?"""
    return type(value) is int and lowest <= value <= highest


Check = Callable[[Any], Sentence | None]


def one_of(*choices: object) -> Check:
    """One of these values, of the same type: `True` is not 1."""
    text = ", ".join(json.dumps(choice) for choice in choices)

    def check(value: Any) -> Sentence | None:
        if any(value == choice and type(value) is type(choice) for choice in choices):
            return None
        return Sentence(_("Bitte einen dieser Werte wählen: %(choices)s."), {"choices": text})

    return check


def number(lowest: int, highest: int) -> Check:
    """A whole number, both ends included."""

    def check(value: Any) -> Sentence | None:
        if whole_number(value, lowest, highest):
            return None
        return Sentence(
            _("Bitte eine ganze Zahl von %(lowest)s bis %(highest)s angeben."), {"lowest": lowest, "highest": highest}
        )

    return check


def some_of(choices: Iterable[object]) -> Check:
    """A list of these values, none of them twice, in any order."""
    known = tuple(choices)
    text = ", ".join(json.dumps(choice) for choice in known)

    def check(value: Any) -> Sentence | None:
        if not isinstance(value, (list, tuple)) or any(one_of(*known)(entry) is not None for entry in value):
            return Sentence(_("Bitte eine Liste aus diesen Werten angeben: %(choices)s."), {"choices": text})
        if len(set(value)) < len(value):
            return Sentence(_("Ein Wert steht doppelt in der Liste. Bitte jeden nur einmal angeben."))
        return None

    return check


def fields(required: Mapping[str, Check]) -> Check:
    """An object with exactly these keys."""

    def check(value: Any) -> Sentence | None:
        if not isinstance(value, Mapping) or set(value) != set(required):
            return Sentence(_("Bitte genau diese Angaben machen: %(keys)s."), {"keys": ", ".join(required)})
        return next((fault for key, inner in required.items() if (fault := inner(value[key])) is not None), None)

    return check


def either(*checks: Check) -> Check:
    """What one of these checks takes; the sentence is that of the last one that fits the shape."""

    def check(value: Any) -> Sentence | None:
        faults = [inner(value) for inner in checks]
        return None if None in faults else faults[-1 if isinstance(value, Mapping) else 0]

    return check


# --- The settings of a rule set --------------------------------------------------------------------------------------


def _by_party_game(check: Check) -> Check:
    """One value, or one for partner games and one for solos."""
    return either(check, fields({"partner": check, "solo": check}))


def _specials(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= set(SPECIALS):
        return Sentence(_("Bitte nur diese Sonderpunkte angeben: %(specials)s."), {"specials": ", ".join(SPECIALS)})
    return next((fault for points in value.values() if (fault := number(0, MOST)(points)) is not None), None)


def _seating(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {"6", "7", "8"}:
        return Sentence(_("Bitte die Sitzordnung nur für 6, 7 oder 8 am Tisch angeben."))
    for table, offsets in value.items():
        people = int(table)
        if some_of(range(people))(offsets) is not None or not (len(offsets) == 4 or len(offsets) == people in (6, 8)):
            return Sentence(
                _("Bitte für %(table)s am Tisch vier verschiedene Abstände zum Geber angeben, von 0 bis %(last)s."),
                {"table": people, "last": people - 1},
            )
    return None


_BOCK_CHECKS: Final[dict[str, Check]] = {
    "triggers": some_of(TRIGGERS),
    "per_game": one_of(*BOCK_CHOICES["per_game"]),
    "length": either(one_of("table", "deal"), number(1, 99)),
    "overlap": one_of(*BOCK_CHOICES["overlap"]),
    "cap": number(1, HIGHEST_CAP),
    "effect": either(one_of("all", "game"), fields({"add": number(0, MOST)})),
    "duty_solo_uses": one_of(*BOCK_CHOICES["duty_solo_uses"]),
    "carry": one_of(*BOCK_CHOICES["carry"]),
}
_CHECKS: Final[dict[str, Check]] = {
    "deck": one_of(*CHOICES["deck"]),
    "kinds": some_of(KINDS),
    "unit": one_of(*CHOICES["unit"]),
    "kontra_121": _by_party_game(one_of(*CHOICES["kontra_121"])),
    "tie_120": one_of(*CHOICES["tie_120"]),
    "schwarz_by": one_of(*CHOICES["schwarz_by"]),
    "won": number(0, MOST),
    "limits": some_of(LIMITS),
    "limit": number(0, MOST),
    "limit_counts": one_of(*CHOICES["limit_counts"]),
    "re_kontra": either(one_of(None), fields({"add": number(0, MOST)}), fields({"times": number(1, 9)})),
    "absage": number(0, MOST),
    "against_absage": one_of(*CHOICES["against_absage"]),
    "nobody_wins": one_of(*CHOICES["nobody_wins"]),
    "gegen_die_alten": number(0, MOST),
    "gegen_in": some_of(GEGEN_IN),
    "gegen_when": one_of(*CHOICES["gegen_when"]),
    "specials": _specials,
    "specials_when": one_of(*CHOICES["specials_when"]),
    "specials_in_solo": one_of(*CHOICES["specials_in_solo"]),
    "solo_point": either(
        one_of(0),
        fields({"points": number(0, MOST), "kinds": some_of(SOLO_KINDS), "when": one_of(*CHOICES["gegen_when"])}),
    ),
    "lost_announcement": either(one_of(None), fields({"times": number(1, 9), "when": one_of("ansage", "absage")})),
    "solo_times": number(1, 3),
    "soloist_share": one_of(*CHOICES["soloist_share"]),
    "negative": one_of(*CHOICES["negative"]),
    "counting": _by_party_game(one_of(*CHOICES["counting"])),
    "sitter": one_of(*CHOICES["sitter"]),
    "special_payer": one_of(*CHOICES["special_payer"]),
    "deal_stays": some_of(DEAL_STAYS),
    "seating": _seating,
    "duty_solo": either(one_of(None), fields({"rounds": number(1, 99)})),
    "bock": either(one_of(None), fields(_BOCK_CHECKS)),
}
KEYS: Final = tuple(_CHECKS)
BOCK_KEYS: Final = tuple(_BOCK_CHECKS)


def judge_settings(data: object) -> dict[str, Sentence]:
    """What is wrong with this rule set, by setting; a key missing, unknown or with a value it cannot have."""
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    faults = {
        str(key): Sentence(_("Die Einstellung „%(key)s“ gibt es nicht. Bitte weglassen."), {"key": str(key)})
        for key in data
        if key not in (*KEYS, "at")
    }
    for key, check in _CHECKS.items():
        if key not in data:
            faults[key] = Sentence(_("Die Einstellung „%(key)s“ fehlt. Bitte angeben."), {"key": key})
        elif (fault := check(data[key])) is not None:
            faults[key] = fault
    if (fault := _judge_at(data.get("at", {}))) is not None:
        faults["at"] = fault
    return faults


def _judge_at(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {str(table) for table in TABLES}:
        return Sentence(_("Bitte andere Werte nur für 4 bis 8 am Tisch angeben."))
    for other in value.values():
        if not isinstance(other, Mapping) or not set(other) <= set(KEYS):
            return Sentence(_("Bitte je Tischgröße nur bekannte Einstellungen angeben."))
        for key, entry in other.items():
            if (fault := _CHECKS[key](entry)) is not None:
                return fault
    return None
