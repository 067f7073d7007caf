"""Every setting of a rule set as fields, so that what is typed is a complete rule set again: the fields, and the way from
a rule set to what they hold and back. A setting of several values is several fields, named after it with two underscores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.core.numbers import WholeField
from scoring.rules import labels
from scoring.rules.allowed import BOCK_CHOICES, BY_PARTY_GAME, CHOICES, GEGEN_IN, HIGHEST_CAP, LIMITS, MOST
from scoring.rules.codes import DEAL_STAYS, KINDS, SOLO_KINDS, SPECIALS, TRIGGERS
from scoring.rules.settings import PLAIN_BOCK
from scoring.rulesets.words.bock import bock_sentence
from scoring.rulesets.words.settings import limit_name, sentence

Data = dict[str, Any]

AMOUNTS: Final = ("won", "limit", "absage", "gegen_die_alten")
LONG_TABLES: Final = (6, 7, 8)


def _one(choices: Mapping[Any, str], label: str = "") -> forms.TypedChoiceField:
    """One of a few values, each with a text; what comes back is the value itself."""
    by_text = {str(value): value for value in choices}
    return forms.TypedChoiceField(
        label=label,
        choices=[(str(value), text) for value, text in choices.items()],
        coerce=lambda text: by_text.get(text, text),  # what is none of them is refused elsewhere
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )


def _some(choices: Mapping[Any, str], label: str = "", required: bool = False) -> forms.TypedMultipleChoiceField:
    """Any of a few values. They come back in the order in which they are offered."""
    by_text = {str(value): value for value in choices}
    order = list(choices)
    return forms.TypedMultipleChoiceField(
        label=label,
        choices=[(str(value), text) for value, text in choices.items()],
        coerce=lambda text: order.index(by_text[text]),
        required=required,
        widget=forms.CheckboxSelectMultiple,
    )


def _number(label: str, lowest: int, highest: int, required: bool = True) -> WholeField:
    return WholeField(
        label=label,
        min_value=lowest,
        max_value=highest,
        required=required,
        widget=forms.NumberInput(attrs={"class": "form-control num", "inputmode": "numeric"}),
    )


def _named(names: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    return {key: capfirst(_(names[key])) for key in keys}


def setting_fields(settings: Mapping[str, Any]) -> dict[str, forms.Field]:
    """The fields of every setting; sentences about amounts are in the unit of `settings`."""

    def say(key: str, value: Any) -> str:
        return sentence(key, {**settings, key: value})

    def choice(key: str, label: str = "") -> forms.Field:
        return _one({value: say(key, value) for value in CHOICES[key]}, label)

    fields: dict[str, forms.Field] = {key: choice(key) for key in CHOICES if key not in BY_PARTY_GAME}
    for key in BY_PARTY_GAME:
        fields[f"{key}__partner"] = choice(key, _("Im Spiel zu zweien"))
        fields[f"{key}__solo"] = choice(key, _("Im Solo"))
    fields |= {key: _number(_("Wie viel"), 0, MOST) for key in AMOUNTS}
    kinds = _named(labels.KINDS, KINDS)
    fields["kinds"] = _some(kinds, required=True)
    fields["limits"] = _some({limit: limit_name(limit) for limit in LIMITS})
    fields["re_kontra"] = _one(
        {
            "none": say("re_kontra", None),
            "add": _("Re und Kontra bringen jeweils Punkte."),
            "times": _("Re und Kontra vervielfachen jeweils den Wert."),
        }
    )
    fields["re_kontra__n"] = _number(_("Wie viele Punkte oder wievielfach"), 0, MOST, required=False)
    fields["gegen_in"] = _some(_named(labels.GEGEN_IN, GEGEN_IN))
    for special in SPECIALS:
        fields[f"specials__{special}"] = _number(_(labels.SPECIALS[special].name), 0, MOST, required=False)
    fields["solo_point"] = _one(
        {"no": say("solo_point", 0), "yes": _("Wer ein bestimmtes Solo gewinnt, bekommt etwas dazu.")}
    )
    fields["solo_point__points"] = _number(_("Wie viel"), 0, MOST, required=False)
    fields["solo_point__kinds"] = _some(_named(labels.KINDS, SOLO_KINDS), _("In welchen Soli"))
    fields["solo_point__when"] = _one(_named(labels.WHEN, CHOICES["gegen_when"]), _("Wann er gerechnet wird"))
    fields["lost_announcement"] = _one(
        {
            "none": say("lost_announcement", None),
            "ansage": _("Wer Re oder Kontra ansagt und verliert, verliert mehrfach."),
            "absage": _("Wer eine Absage macht und verliert, verliert mehrfach."),
        }
    )
    fields["lost_announcement__times"] = _number(_("Wievielfach"), 1, 9, required=False)
    fields["solo_times"] = _one({times: say("solo_times", times) for times in (1, 2, 3)})
    fields["duty_solo"] = _one({"no": say("duty_solo", None), "yes": _("Jeder spielt Pflichtsoli.")})
    fields["duty_solo__rounds"] = _number(_("In wie vielen Runden"), 1, 99, required=False)
    fields["deal_stays"] = _some(_named(labels.DEAL_STAYS, DEAL_STAYS))
    for people in LONG_TABLES:
        seats = {seat: str(seat) if seat else _("Geber") for seat in range(people)}
        label = _("Zu %(people)s am Tisch spielen, vom Geber aus gezählt") % {"people": people}
        fields[f"seating__{people}"] = _some(seats, label)
    return fields | _bock_fields()


def _bock_fields() -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "bock": _one({"no": _("Bock gibt es nicht."), "yes": _("Bock gibt es.")}),
        "bock__triggers": _some(_named(labels.TRIGGERS, TRIGGERS)),
        "bock__length": _one(
            {
                "table": bock_sentence("length", "table"),
                "deal": bock_sentence("length", "deal"),
                "number": _("Ein Bock dauert immer gleich viele Spiele."),
            }
        ),
        "bock__length__n": _number(_("Wie viele Spiele"), 1, 99, required=False),
        "bock__cap": _number(_("Höchste Stufe"), 1, HIGHEST_CAP),
        "bock__effect": _one(
            {
                "all": bock_sentence("effect", "all"),
                "game": bock_sentence("effect", "game"),
                "add": _("Ein Bockspiel bringt je Stufe Punkte dazu."),
            }
        ),
        "bock__effect__n": _number(_("Wie viel"), 0, MOST, required=False),
    }
    for key, values in BOCK_CHOICES.items():
        fields[f"bock__{key}"] = _one({value: bock_sentence(key, value) for value in values})
    return fields


# --- From a rule set to fields and back -------------------------------------------------------------------------------

# What a number is asked for beside a choice, and with which of its values it counts.
BESIDE: Final = {
    "re_kontra__n": ("re_kontra", ("add", "times")),
    "solo_point__points": ("solo_point", ("yes",)),
    "lost_announcement__times": ("lost_announcement", ("ansage", "absage")),
    "duty_solo__rounds": ("duty_solo", ("yes",)),
    "bock__length__n": ("bock__length", ("number",)),
    "bock__effect__n": ("bock__effect", ("add",)),
}


def as_fields(settings: Mapping[str, Any]) -> Data:
    """What the fields hold for a complete rule set."""
    re_kontra, lost = settings["re_kontra"] or {}, settings["lost_announcement"] or {}
    solo_point = settings["solo_point"] or {"points": 1, "kinds": [], "when": "before"}
    duty = settings["duty_solo"]
    held: Data = {key: str(settings[key]) for key in CHOICES if key not in BY_PARTY_GAME}
    for key in BY_PARTY_GAME:
        value = settings[key]
        held[f"{key}__partner"] = value if isinstance(value, str) else value["partner"]
        held[f"{key}__solo"] = value if isinstance(value, str) else value["solo"]
    held |= {key: settings[key] for key in (*AMOUNTS, "kinds", "gegen_in", "deal_stays")}
    held |= {f"specials__{special}": settings["specials"].get(special) for special in SPECIALS}
    held |= {f"seating__{people}": _texts(settings["seating"].get(str(people), ())) for people in LONG_TABLES}
    return held | {
        "limits": _texts(settings["limits"]),
        "re_kontra": next(iter(re_kontra), "none"),
        "re_kontra__n": next(iter(re_kontra.values()), 2),
        "solo_point": "no" if settings["solo_point"] == 0 else "yes",
        **{f"solo_point__{key}": value for key, value in solo_point.items()},
        "lost_announcement": lost.get("when", "none"),
        "lost_announcement__times": lost.get("times", 2),
        "solo_times": str(settings["solo_times"]),
        "duty_solo": "no" if duty is None else "yes",
        "duty_solo__rounds": 1 if duty is None else duty["rounds"],
        **_bock_as_fields(settings["bock"]),
    }


def _bock_as_fields(settings: Mapping[str, Any] | None) -> Data:
    bock = settings or PLAIN_BOCK
    length, effect = bock["length"], bock["effect"]
    held = {f"bock__{key}": str(bock[key]) for key in BOCK_CHOICES}
    return held | {
        "bock": "no" if settings is None else "yes",
        "bock__triggers": bock["triggers"],
        "bock__length": length if isinstance(length, str) else "number",
        "bock__length__n": 4 if isinstance(length, str) else length,
        "bock__cap": bock["cap"],
        "bock__effect": effect if isinstance(effect, str) else "add",
        "bock__effect__n": 1 if isinstance(effect, str) else effect["add"],
    }


def _texts(values: Iterable[int]) -> list[str]:
    return [str(value) for value in values]


def from_fields(held: Mapping[str, Any]) -> Data:
    """The complete rule set (without other sizes of table) that valid fields hold; the inverse of `as_fields`."""
    settings: Data = {key: held[key] for key in CHOICES if key not in BY_PARTY_GAME}
    for key in BY_PARTY_GAME:
        partner, solo = held[f"{key}__partner"], held[f"{key}__solo"]
        settings[key] = partner if partner == solo else {"partner": partner, "solo": solo}
    settings |= {key: held[key] for key in (*AMOUNTS, "solo_times")}
    settings |= {
        "kinds": [KINDS[index] for index in sorted(held["kinds"])],
        "limits": [LIMITS[index] for index in sorted(held["limits"])],
        "gegen_in": [GEGEN_IN[index] for index in sorted(held["gegen_in"])],
        "deal_stays": [DEAL_STAYS[index] for index in sorted(held["deal_stays"])],
        "re_kontra": None if held["re_kontra"] == "none" else {held["re_kontra"]: held["re_kontra__n"]},
        "specials": {
            special: held[f"specials__{special}"] for special in SPECIALS if held[f"specials__{special}"] is not None
        },
        "solo_point": 0,
        "lost_announcement": None,
        "seating": {
            str(people): sorted(held[f"seating__{people}"]) for people in LONG_TABLES if held[f"seating__{people}"]
        },
        "duty_solo": {"rounds": held["duty_solo__rounds"]} if held["duty_solo"] == "yes" else None,
        "bock": _bock_from_fields(held) if held["bock"] == "yes" else None,
    }
    if held["solo_point"] == "yes":
        settings["solo_point"] = {
            "points": held["solo_point__points"],
            "kinds": [SOLO_KINDS[index] for index in sorted(held["solo_point__kinds"])],
            "when": held["solo_point__when"],
        }
    if held["lost_announcement"] != "none":
        settings["lost_announcement"] = {"times": held["lost_announcement__times"], "when": held["lost_announcement"]}
    return settings


def _bock_from_fields(held: Mapping[str, Any]) -> Data:
    length, effect = held["bock__length"], held["bock__effect"]
    return {
        "triggers": [TRIGGERS[index] for index in sorted(held["bock__triggers"])],
        "length": held["bock__length__n"] if length == "number" else length,
        "cap": held["bock__cap"],
        "effect": {"add": held["bock__effect__n"]} if effect == "add" else effect,
        **{key: held[f"bock__{key}"] for key in BOCK_CHOICES},
    }
