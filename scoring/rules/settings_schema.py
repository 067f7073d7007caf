"""The values that each setting of a rule set may have. Each check returns None or a sentence that says what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from .constants import (
    DEAL_STAYS,
    DEFAULTS,
    KIND_PREFIX,
    KINDS,
    LIKE,
    OWN_KEY,
    OWN_KIND,
    PARTNER_KINDS,
    ROW_KEYS,
    ROW_ONLY,
    SOLO_KINDS,
    SPECIAL_COLUMNS,
    SPECIAL_OF,
    SPECIAL_PREFIX,
    SPECIALS,
    TABLES,
    TRIGGERS,
    WORDS,
)
from .validation import (
    Check,
    Sentence,
    _,
    any_fields,
    either,
    fields,
    find_faults,
    first_fault,
    number,
    one_of,
    subset_of,
    text,
)

LIMITS: Final = (90, 60, 30, 0)
MAX_CAP: Final = 16
MAX_NUMBER: Final = 10_000
MAX_HIGHEST: Final = 1_000_000
MAX_OWN: Final = 24
MAX_NAME_LENGTH: Final = 40
MAX_TEXT_LENGTH: Final = 4_000
# The settings with a few possible values. Those of SPLIT_SETTINGS may have one value for partner games and one for solos.
CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "deck": (40, 48, 64),
    "unit": ("points", "cents"),
    "kontra_121": ("never", "only_kontra", "kontra_said", "kontra_last", "always", "unless_re"),
    "tie_120": ("re", "kontra", "nobody"),
    "schwarz_by": ("tricks", "eyes"),
    "limit_counts": ("reached", "reached_or_missed", "reached_and_missed"),
    "against_absage": ("cumulative", "highest", "off"),
    "nobody_wins": ("net", "zero"),
    "gegen_when": ("before", "after", "bock_only"),
    "specials_when": ("before", "after", "bock_only", "paid"),
    "specials_in_solo": ("none", "all", "by_kind"),
    "soloist_share": (1, 2, 3, "opponents"),
    "negative": ("keep", "zero"),
    "counting": ("plus_minus", "winners", "losers"),
    "sitter": ("nothing", "winners", "kontra", "re"),
    "special_payer": ("kasse", "players"),
}
SPLIT_SETTINGS: Final = ("kontra_121", "counting")
BOCK_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "per_game": ("one", "each"),
    "overlap": ("append", "stack", "extend", "ignore", "fill"),
    "duty_solo_uses": (True, False),
    "carry": (True, False),
}
# The same for settings that may be left out.
OPTIONAL_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "decided": ("eyes", "hand", "both"),
    "won_at_120": (True, False),
    "re_limit_more": (0, 1),
    "missed_absage": ("loses", "costs"),
}
OPTIONAL_BOCK_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "factor": (2, 3, 4, "linear"),
    "drawn": ("doubled", "plain"),
}
IN_BOCK: Final = ("plays", "plain", "skips", "keeps")
# The pairs of keys by which Re and Kontra can be worth different amounts.
RE_KONTRA_BY: Final = (("re", "kontra"), ("won", "lost"), ("first", "answer"))
GEGEN_IN: Final = ("partner", "armut", "solo")
# Which announcement multiplies a lost game: any party's Re, Kontra or more; any party's Absage; only Re's.
LOST_WHEN: Final = ("ansage", "absage", "re")


# --- The settings of a rule set --------------------------------------------------------------------------------------


def _split(check: Check) -> Check:
    """Accept one value for all games, or one for partner games and one for solos."""
    return either(check, fields({"partner": check, "solo": check}))


def _own_key(key: object, known: Iterable[str]) -> bool:
    """Return whether this can be the key of a club's own kind or special point."""
    return isinstance(key, str) and OWN_KEY.fullmatch(key) is not None and key not in known


def _keys(value: Any) -> Sentence | None:
    """Accept a list of texts without duplicates. `_find_unknown` compares them with the rest of the rule set."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        return Sentence(_("Bitte eine Liste von Schlüsseln angeben."))
    if len(set(value)) < len(value):
        return Sentence(_("Ein Wert steht doppelt in der Liste. Bitte jeden nur einmal angeben."))
    return None


_POINTS = number(0, MAX_NUMBER)


def _points(value: Any) -> Sentence | None:
    """Accept the worth of a special point: a number, a list of numbers by count, or a factor."""
    if isinstance(value, (list, tuple)):
        if not 1 <= len(value) <= 9:
            return Sentence(_("Bitte eine bis neun Zahlen angeben."))
        return first_fault(map(_POINTS, value))
    return either(_POINTS, fields({"times": number(1, 4)}))(value)


_COLUMNS: Final[dict[str, Check]] = {
    "name": text(MAX_NAME_LENGTH, blank=False),
    "points": _points,
    "most": number(1, 9),
    "most_party": number(1, 9),
    "kinds": _keys,
    "of": one_of(*SPECIAL_OF),
}
_BUILT_IN_ROW: Final = fields({"points": _points}, {key: _COLUMNS[key] for key in SPECIAL_COLUMNS if key != "points"})
_OWN_ROW: Final = fields(
    {key: _COLUMNS[key] for key in ("name", "points")}, {key: _COLUMNS[key] for key in SPECIAL_COLUMNS[2:]}
)


def _specials(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte nur diese Sonderpunkte angeben: %(specials)s."), {"specials": ", ".join(SPECIALS)})
    if sum(special not in SPECIALS for special in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_special(special, row) for special, row in value.items())


def _special(special: Any, row: Any) -> Sentence | None:
    if special not in SPECIALS:
        if not _own_key(special, ()):
            return _no_key(special)
        fault = _OWN_ROW(row)
    elif isinstance(row, Mapping):
        fault = _BUILT_IN_ROW(row)
    else:
        return _POINTS(row)
    if fault is None and "most_party" in row and row["most_party"] > row.get("most", SPECIALS.get(special, 1)):
        return Sentence(_("Eine Partei kann davon nicht mehr haben als beide zusammen. Bitte ändern."))
    if fault is None and row.get("kinds") == []:
        return Sentence(_("Bitte mindestens eine Spielart angeben, in der der Sonderpunkt zählt."))
    return fault


def _no_key(key: object) -> Sentence:
    return Sentence(
        _("„%(key)s“ ist kein Schlüssel: Bitte kleine Buchstaben, Ziffern und Striche angeben, vorn ein Buchstabe."),
        {"key": key if isinstance(key, str) else "?"},
    )


def _seating(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {"6", "7", "8"}:
        return Sentence(_("Bitte die Sitzordnung nur für 6, 7 oder 8 am Tisch angeben."))
    for table, offsets in value.items():
        people = int(table)
        if subset_of(range(people))(offsets) is not None or not (len(offsets) == 4 or len(offsets) == people in (6, 8)):
            return Sentence(
                _("Bitte für %(table)s am Tisch vier verschiedene Abstände zum Geber angeben, von 0 bis %(last)s."),
                {"table": people, "last": people - 1},
            )
    return None


_TIMES: Final = fields({"times": number(1, 4)})
_ANSAGE: Final = either(fields({"add": _POINTS}), fields({"times": number(1, 9)}))
_BOCK_CHECKS: Final[dict[str, Check]] = {
    "triggers": _keys,
    "per_game": one_of(*BOCK_CHOICES["per_game"]),
    "length": either(one_of("table", "deal"), number(1, 99)),
    "overlap": one_of(*BOCK_CHOICES["overlap"]),
    "cap": number(1, MAX_CAP),
    "effect": either(one_of("all", "game"), fields({"add": number(0, MAX_NUMBER)})),
    "duty_solo_uses": one_of(*BOCK_CHOICES["duty_solo_uses"]),
    "carry": one_of(*BOCK_CHOICES["carry"]),
}
_OPTIONAL_BOCK: Final = {key: one_of(*choices) for key, choices in OPTIONAL_BOCK_CHOICES.items()}
_CHECKS: Final[dict[str, Check]] = {
    "deck": one_of(*CHOICES["deck"]),
    "kinds": _keys,
    "unit": one_of(*CHOICES["unit"]),
    "kontra_121": _split(one_of(*CHOICES["kontra_121"])),
    "tie_120": one_of(*CHOICES["tie_120"]),
    "schwarz_by": one_of(*CHOICES["schwarz_by"]),
    "won": number(0, MAX_NUMBER),
    "limits": subset_of(LIMITS),
    "limit": either(_POINTS, _TIMES, any_fields(map(str, LIMITS), _POINTS)),
    "limit_counts": one_of(*CHOICES["limit_counts"]),
    "re_kontra": either(
        one_of(None),
        _ANSAGE,
        *(fields({one: _ANSAGE, other: _ANSAGE}) for one, other in RE_KONTRA_BY),
    ),
    "absage": either(_POINTS, _TIMES, any_fields(("no90", "no60", "no30", "schwarz"), _POINTS)),
    "against_absage": one_of(*CHOICES["against_absage"]),
    "nobody_wins": one_of(*CHOICES["nobody_wins"]),
    "gegen_die_alten": number(0, MAX_NUMBER),
    "gegen_in": subset_of(GEGEN_IN),
    "gegen_when": one_of(*CHOICES["gegen_when"]),
    "specials": _specials,
    "specials_when": one_of(*CHOICES["specials_when"]),
    "specials_in_solo": one_of(*CHOICES["specials_in_solo"]),
    "solo_point": either(
        one_of(0),
        fields({"points": number(0, MAX_NUMBER), "kinds": _keys, "when": one_of(*CHOICES["gegen_when"])}),
    ),
    "lost_announcement": either(one_of(None), fields({"times": number(1, 9), "when": one_of(*LOST_WHEN)})),
    "solo_times": number(1, 3),
    "soloist_share": one_of(*CHOICES["soloist_share"]),
    "negative": one_of(*CHOICES["negative"]),
    "counting": _split(one_of(*CHOICES["counting"])),
    "sitter": one_of(*CHOICES["sitter"]),
    "special_payer": one_of(*CHOICES["special_payer"]),
    "deal_stays": subset_of(DEAL_STAYS),
    "seating": _seating,
    "duty_solo": either(one_of(None), fields({"rounds": number(1, 99)})),
    "bock": either(one_of(None), fields(_BOCK_CHECKS, _OPTIONAL_BOCK)),
}
KEYS: Final = tuple(_CHECKS)
BOCK_KEYS: Final = tuple(_BOCK_CHECKS)
# `carry` is the same for all sizes of table, so it may be left out of `at`.
_BOCK_AT: Final = either(
    one_of(None),
    fields(
        {key: check for key, check in _BOCK_CHECKS.items() if key != "carry"},
        {"carry": _BOCK_CHECKS["carry"], **_OPTIONAL_BOCK},
    ),
)


# --- Rows by kind of game --------------------------------------------------------------------------------------------


def _per_kind(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte je Spielart ihre Einstellungen angeben."))
    if sum(word not in WORDS for word in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_row(word, row) for word, row in value.items())


def _row(word: Any, row: Any) -> Sentence | None:
    own = {} if word in WORDS else _OWN_KIND
    if own and not _own_key(word, ()):
        return _no_key(word)
    if own and not (isinstance(row, Mapping) and own.keys() <= row.keys()):
        return Sentence(_("Eine eigene Spielart braucht einen Namen und die Spielart, der sie gleicht."))
    # A built-in kind may have another name; a sort of games has no name.
    return fields(own, {**_ROW, "name": _OWN_KIND["name"]} if word in KINDS else _ROW)(row)


_OPTIONAL: Final[dict[str, Check]] = {
    "per_kind": _per_kind,
    **{key: one_of(*choices) for key, choices in OPTIONAL_CHOICES.items()},
    "against": _POINTS,
    "cowardice": either(
        one_of(None), fields({"levels": number(2, 5), "then": either(_POINTS, one_of("loses", "nobody"))})
    ),
    "lost_times": number(1, 9),
    "highest": either(one_of(None), number(1, MAX_HIGHEST)),
    "text": text(MAX_TEXT_LENGTH, blank=True),
}
_OWN_KIND: Final[dict[str, Check]] = dict(zip(OWN_KIND, (text(MAX_NAME_LENGTH, blank=False), one_of(*LIKE)), strict=True))
_ROW: Final[dict[str, Check]] = {
    **{key: {**_CHECKS, **_OPTIONAL}[key] for key in ROW_KEYS},
    **{key: one_of(*CHOICES[key]) for key in SPLIT_SETTINGS},
    **dict(zip(ROW_ONLY, (number(1, 9), one_of(*IN_BOCK)), strict=True)),
}


# --- A whole rule set ------------------------------------------------------------------------------------------------


def validate_settings(data: object) -> dict[str, Sentence]:
    """Return a sentence for each setting of this rule set that is missing, unknown or invalid."""
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    faults = find_faults(data, {**_CHECKS, **_OPTIONAL}, needed=_CHECKS, also="at")
    if (fault := _validate_at(data.get("at", {}))) is not None:
        faults["at"] = fault
    if not faults:
        for other in ({}, *data.get("at", {}).values()):
            faults |= _find_unknown({**DEFAULTS, **data, **other})
    return faults


def _validate_at(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {str(table) for table in TABLES}:
        return Sentence(_("Bitte andere Werte nur für 4 bis 8 am Tisch angeben."))
    known = {**_CHECKS, **_OPTIONAL, "bock": _BOCK_AT}
    del known["text"]
    for other in value.values():
        if not isinstance(other, Mapping) or not set(other) <= set(known):
            return Sentence(_("Bitte je Tischgröße nur bekannte Einstellungen angeben."))
        if (fault := first_fault(known[key](entry) for key, entry in other.items())) is not None:
            return fault
    return None


def _find_unknown(data: Mapping[str, Any]) -> dict[str, Sentence]:
    """Return a sentence for each setting that names a kind, special point or word that this rule set does not have."""
    own = {word: row["like"] for word, row in data["per_kind"].items() if word not in WORDS}
    words = {*WORDS, *own}
    alone = {*SOLO_KINDS, *(kind for kind, like in own.items() if like not in PARTNER_KINDS)}
    triggers = {
        *TRIGGERS,
        *(SPECIAL_PREFIX + special for special in data["specials"]),
        *(KIND_PREFIX + word for word in words),
    }

    def solo_point(row: Mapping[str, Any]) -> list[str]:
        return row["solo_point"]["kinds"] if row.get("solo_point") else []

    named = {
        "kinds": (data["kinds"], {*KINDS, *own}),
        "specials": ([w for row in data["specials"].values() if type(row) is not int for w in row.get("kinds", ())], words),
        "solo_point": (solo_point(data), alone),
        "per_kind": ([kind for row in data["per_kind"].values() for kind in solo_point(row)], alone),
        "bock": (data["bock"]["triggers"] if data["bock"] else [], triggers),
    }  # fmt: skip
    return {
        key: Sentence(_("„%(name)s“ gibt es in diesem Regelwerk nicht. Bitte weglassen oder angeben, was es ist."), {"name": name})
        for key, (names, known) in named.items()
        for name in names
        if name not in known
    }  # fmt: skip
