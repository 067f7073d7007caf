"""The values that each setting of a rule set may have. Each check returns None or a sentence that says what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from . import labels
from .constants import (
    BOCK_DEFAULTS,
    DEAL_STAYS,
    DEFAULTS,
    KIND_PREFIX,
    KINDS,
    LIKE,
    OWN_KEY,
    PARTNER_KINDS,
    SOLO_KINDS,
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
# The settings with a few values, each with its sentence. SPLIT_SETTINGS may have one for partner games and one for solos.
CHOICES: Final[dict[str, dict[Any, str]]] = {
    "deck": {
        40: _("Gespielt wird mit 40 Karten, ohne Neunen."),
        48: _("Gespielt wird mit 48 Karten, mit Neunen."),
        64: _("Gespielt wird mit 64 Karten."),
    },
    "unit": {"points": _("Aufgeschrieben werden Punkte."), "cents": _("Aufgeschrieben werden Cent.")},
    "kontra_121": {
        "never": _("Kontra gewinnt schon mit 120 Augen."),
        "only_kontra": _("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
        "kontra_said": _("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
        "kontra_last": _("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
        "always": _("Kontra braucht immer 121 Augen."),
        "unless_re": _("Kontra braucht 121 Augen, wenn Re nichts angesagt hat, sonst 120."),
    },
    "tie_120": {
        "re": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
        "kontra": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
        "nobody": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
    },
    "schwarz_by": {"tricks": _("Schwarz ist, wer keinen Stich macht."), "eyes": _("Schwarz ist, wer kein Auge bekommt.")},
    "limit_counts": {
        "reached": _("Eine Stufe zählt, wenn sie erreicht ist."),
        "reached_or_missed": _("Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."),
        "reached_and_missed": _("Eine Stufe zählt, wenn sie erreicht ist, und noch einmal, wenn der Verlierer sie abgesagt hatte."),
    },
    "against_absage": {
        "cumulative": _("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
        "highest": _("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
        "off": _("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
    },
    "nobody_wins": {
        "net": _("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
        "zero": _("Gewinnt niemand, zählt das Spiel nichts."),
    },
    "gegen_when": dict.fromkeys(("before", "after", "bock_only"), _("Gegen die Alten wird %(when)s gerechnet.")),
    "specials_when": {
        **dict.fromkeys(("before", "after", "bock_only"), _("Sonderpunkte werden %(when)s gerechnet.")),
        "paid": _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht."),
    },
    "specials_in_solo": {
        "none": _("Im Solo gibt es keine Sonderpunkte."),
        "all": _("Im Solo zählen alle Sonderpunkte."),
        "by_kind": _("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
    },
    "soloist_share": {
        1: _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner."),
        **dict.fromkeys((2, 3), _("Der Solist bekommt oder zahlt das %(times)s-Fache.")),
        "opponents": _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner."),
    },
    "negative": {
        "keep": _("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
        "zero": _("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
    },
    "counting": {
        "plus_minus": _("Gewinner schreiben Plus, Verlierer Minus."),
        "winners": _("Nur die Gewinner schreiben etwas auf."),
        "losers": _("Nur die Verlierer schreiben etwas auf."),
    },
    "sitter": {
        "nothing": _("Fürs Aussetzen gibt es nichts."),
        "winners": _("Fürs Aussetzen gibt es so viel wie für einen Gewinner."),
        "kontra": _("Aussetzen zählt wie Kontra."),
        "re": _("Aussetzen zählt wie Re, im Solo wie die Gegner."),
    },
    "special_payer": {
        "kasse": _("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
        "players": _("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
    },
    "decided": {
        "eyes": _("Die Augen sagen, wer gewonnen hat."),
        "hand": _("Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat."),
        "both": _("Die Augen sagen, wer gewonnen hat, oder es wird eingetragen, etwa wo jemand aufgibt."),
    },
    "won_at_120": {
        True: _("Bei 120 zu 120 zählt der Gewinn wie sonst."),
        False: _("Bei 120 zu 120 zählt der Gewinn selbst nichts."),
    },
    "re_limit_more": {
        0: _("Auch Re ist erst mit weniger als 90, 60 oder 30 Augen unter der Stufe."),
        1: _("Re ist schon mit genau 90, 60 oder 30 Augen unter der Stufe."),
    },
    "missed_absage": {
        "loses": _("Eine verfehlte Absage verliert das Spiel."),
        "costs": _("Eine verfehlte Absage verliert nicht das Spiel; ihre Punkte bekommt die Gegenpartei."),
    },
}
SPLIT_SETTINGS: Final = ("kontra_121", "counting")
BOCK_CHOICES: Final[dict[str, dict[Any, str]]] = {
    "per_game": {"one": _("Ein Spiel löst höchstens einen Bock aus."), "each": _("Jeder Grund löst einen eigenen Bock aus.")},
    "overlap": {
        "append": _("Ein Bock im Bock wird hinten angehängt."),
        "stack": _("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal (Doppelbock)."),
        "extend": _("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
        "ignore": _("Ein Bock im Bock zählt nicht."),
        "fill": _("Ein Bock im Bock macht die nächsten Spiele zum Doppelbock; was über die höchste Stufe geht, hängt hinten an."),
    },
    "duty_solo_uses": {
        True: _("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
        False: _("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
    },
    "carry": {
        True: _("Übrige Bockspiele gelten am nächsten Abend derselben Leute weiter."),
        False: _("Übrige Bockspiele verfallen am Ende des Abends."),
    },
    "factor": {
        2: _("Jeder weitere Bock verdoppelt: doppelt, vierfach, achtfach."),
        3: _("Jeder weitere Bock verdreifacht."),
        4: _("Jeder weitere Bock vervierfacht."),
        "linear": _("Jeder weitere Bock zählt einmal mehr: doppelt, dreifach, vierfach."),
    },
    "drawn": {
        "doubled": _("Auch wenn niemand gewinnt, zählt ein Bockspiel mehrfach."),
        "plain": _("Gewinnt niemand, zählt ein Bockspiel einfach."),
    },
}
IN_BOCK: Final = {
    "plays": _("Im Bock ist es ein Bockspiel wie jedes andere."),
    "plain": _("Im Bock zählt es einfach und verbraucht ein Bockspiel."),
    "skips": _("Im Bock zählt es einfach und verbraucht kein Bockspiel."),
    "keeps": _("Im Bock zählt es mehrfach und verbraucht kein Bockspiel."),
}
# The settings that a rule set and its Bock must have, and those that a row of `per_kind` may override or has alone.
KEYS: Final = tuple(key for key in labels.SETTINGS if key not in (*DEFAULTS, "at"))
BOCK_KEYS: Final = tuple(key for key in labels.BOCK if key not in BOCK_DEFAULTS)
_NOT_IN_ROWS: Final = (
    *("deck", "kinds", "unit", "specials", "solo_times", "deal_stays", "seating", "duty_solo", "bock", "at"),
    *("per_kind", "text"),
)
ROW_KEYS: Final = tuple(key for key in labels.SETTINGS if key not in _NOT_IN_ROWS)
ROW_ONLY: Final = ("times", "in_bock")
# The pairs of keys by which Re and Kontra can be worth different amounts.
RE_KONTRA_BY: Final = (("re", "kontra"), ("won", "lost"), ("first", "answer"))
# Which announcement multiplies a lost game: any party's Re, Kontra or more; any party's Absage; only Re's.
LOST_WHEN: Final = ("ansage", "absage", "re")


def _split(check: Check) -> Check:
    return either(check, fields({"partner": check, "solo": check}))


def _check_own_key(key: object) -> Sentence | None:
    if isinstance(key, str) and OWN_KEY.fullmatch(key):
        return None
    return Sentence(
        _("„%(key)s“ ist kein Schlüssel: Bitte kleine Buchstaben, Ziffern und Striche angeben, vorn ein Buchstabe."),
        {"key": key if isinstance(key, str) else "?"},
    )


def _keys(value: Any) -> Sentence | None:
    """Accept a list of texts without duplicates. `_find_unknown` compares them with the rest of the rule set."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        return Sentence(_("Bitte eine Liste von Schlüsseln angeben."))
    if len(set(value)) < len(value):
        return Sentence(_("Ein Wert steht doppelt in der Liste. Bitte jeden nur einmal angeben."))
    return None


_POINTS = number(0, MAX_NUMBER)


def _points(value: Any) -> Sentence | None:
    if isinstance(value, (list, tuple)):
        if not 1 <= len(value) <= 9:
            return Sentence(_("Bitte eine bis neun Zahlen angeben."))
        return first_fault(map(_POINTS, value))
    return either(_POINTS, fields({"times": number(1, 4)}))(value)


_NAME: Final = text(MAX_NAME_LENGTH, blank=False)
_MORE: Final[dict[str, Check]] = {
    "most": number(1, 9),
    "most_party": number(1, 9),
    "kinds": _keys,
    "of": one_of(*SPECIAL_OF),
}
_BUILT_IN_ROW: Final = fields({"points": _points}, {"name": _NAME, **_MORE})
_OWN_ROW: Final = fields({"name": _NAME, "points": _points}, _MORE)


def _specials(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte nur diese Sonderpunkte angeben: %(specials)s."), {"specials": ", ".join(SPECIALS)})
    if sum(special not in SPECIALS for special in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_special(special, row) for special, row in value.items())


def _special(special: Any, row: Any) -> Sentence | None:
    if special not in SPECIALS:
        if (fault := _check_own_key(special)) is not None:
            return fault
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
_OPTIONAL_BOCK: Final = {key: one_of(*BOCK_CHOICES[key]) for key in BOCK_DEFAULTS}
_ANY_BOCK: Final[dict[str, Check]] = {
    **{key: one_of(*choices) for key, choices in BOCK_CHOICES.items()},
    "triggers": _keys,
    "length": either(one_of("table", "deal"), number(1, 99)),
    "cap": number(1, MAX_CAP),
    "effect": either(one_of("all", "game"), fields({"add": _POINTS})),
}
# The checks stand in the order of the labels, in which faults are told.
_BOCK_CHECKS: Final = {key: _ANY_BOCK[key] for key in BOCK_KEYS}
# `carry` is the same for all sizes of table, so it may be left out of `at`.
_BOCK_AT: Final = either(
    one_of(None),
    fields(
        {key: check for key, check in _BOCK_CHECKS.items() if key != "carry"},
        {"carry": _BOCK_CHECKS["carry"], **_OPTIONAL_BOCK},
    ),
)
_ANY: Final[dict[str, Check]] = {
    **{key: one_of(*choices) for key, choices in CHOICES.items()},
    **{key: _split(one_of(*CHOICES[key])) for key in SPLIT_SETTINGS},
    "kinds": _keys,
    "won": _POINTS,
    "limits": subset_of(LIMITS),
    "limit": either(_POINTS, _TIMES, any_fields(map(str, LIMITS), _POINTS)),
    "re_kontra": either(one_of(None), _ANSAGE, *(fields({one: _ANSAGE, other: _ANSAGE}) for one, other in RE_KONTRA_BY)),
    "absage": either(_POINTS, _TIMES, any_fields(("no90", "no60", "no30", "schwarz"), _POINTS)),
    "gegen_die_alten": _POINTS,
    "gegen_in": subset_of(labels.GEGEN_IN),
    "specials": _specials,
    "solo_point": either(one_of(0), fields({"points": _POINTS, "kinds": _keys, "when": one_of(*CHOICES["gegen_when"])})),
    "lost_announcement": either(one_of(None), fields({"times": number(1, 9), "when": one_of(*LOST_WHEN)})),
    "solo_times": number(1, 3),
    "deal_stays": subset_of(DEAL_STAYS),
    "seating": _seating,
    "duty_solo": either(one_of(None), fields({"rounds": number(1, 99)})),
    "bock": either(one_of(None), fields(_BOCK_CHECKS, _OPTIONAL_BOCK)),
}
_CHECKS: Final = {key: _ANY[key] for key in KEYS}


def _per_kind(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte je Spielart ihre Einstellungen angeben."))
    if sum(word not in WORDS for word in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_row(word, row) for word, row in value.items())


def _row(word: Any, row: Any) -> Sentence | None:
    own = {} if word in WORDS else _OWN_KIND
    if own and (fault := _check_own_key(word)) is not None:
        return fault
    if own and not (isinstance(row, Mapping) and own.keys() <= row.keys()):
        return Sentence(_("Eine eigene Spielart braucht einen Namen und die Spielart, der sie gleicht."))
    # A built-in kind may have another name; a sort of games has no name.
    return fields(own, {**_ROW, "name": _NAME} if word in KINDS else _ROW)(row)


_OPTIONAL: Final[dict[str, Check]] = {
    "per_kind": _per_kind,
    **{key: one_of(*choices) for key, choices in CHOICES.items() if key in DEFAULTS},
    "against": _POINTS,
    "cowardice": either(one_of(None), fields({"levels": number(2, 5), "then": either(_POINTS, one_of("loses", "nobody"))})),
    "lost_times": number(1, 9),
    "highest": either(one_of(None), number(1, MAX_HIGHEST)),
    "text": text(MAX_TEXT_LENGTH, blank=True),
}
_OWN_KIND: Final[dict[str, Check]] = {"name": _NAME, "like": one_of(*LIKE)}
_ROW: Final[dict[str, Check]] = {
    **{key: {**_CHECKS, **_OPTIONAL}[key] for key in ROW_KEYS},
    **{key: one_of(*CHOICES[key]) for key in SPLIT_SETTINGS},
    "times": number(1, 9),
    "in_bock": one_of(*IN_BOCK),
}


def validate_settings(data: object) -> dict[str, Sentence]:
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
    triggers = {*TRIGGERS, *(SPECIAL_PREFIX + key for key in data["specials"]), *(KIND_PREFIX + word for word in words)}

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
