"""Which fields every setting of a rule set is typed in, but its special points and its rows by kind of game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.rules import labels
from scoring.rules.constants import (
    BOCK_DEFAULTS,
    DEAL_STAYS,
    KIND_PREFIX,
    KINDS,
    PARTNER_KINDS,
    RAMSCH,
    SAID,
    SOLO_KINDS,
    SORTS,
    SPECIAL_PREFIX,
    SPECIALS,
    TRIGGERS,
)
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings_schema import (
    BOCK_CHOICES,
    CHOICES,
    GEGEN_IN,
    IN_BOCK,
    LIMITS,
    MAX_CAP,
    MAX_HIGHEST,
    MAX_NUMBER,
    MAX_TEXT_LENGTH,
    OPTIONAL_BOCK_CHOICES,
    OPTIONAL_CHOICES,
    SPLIT_SETTINGS,
)
from scoring.rulesets.words.bock import bock_sentence
from scoring.rulesets.words.parts import About, about, limit_name, said_name, trigger_name, word_name
from scoring.rulesets.words.settings import value_sentence

from .typed import Name, Number, One, Pair, SettingInput, Shape, Shapes, Some, Text, TypedGroup, fixed, number, record

LONG_TABLES: Final = (6, 7, 8)


def _named(names: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    return {key: capfirst(_(names[key])) for key in keys}


def own_kinds(settings: Mapping[str, Any]) -> dict[str, str]:
    """The own kinds of a rule set, each with the kind it is like."""
    return {word: row["like"] for word, row in settings.get("per_kind", {}).items() if "like" in row}


def words(settings: Mapping[str, Any]) -> dict[str, str]:
    """The words by which games are told apart that can hold in this rule set or are named in it, with what they are called:
    sorts first, then kinds."""
    own, known = own_kinds(settings), about(settings).kinds
    named = {
        *settings["kinds"],
        *settings.get("per_kind", {}),
        *(word for row in settings["specials"].values() if isinstance(row, Mapping) for word in row.get("kinds", ())),
    }
    if settings["bock"]:
        named |= {key.removeprefix(KIND_PREFIX) for key in settings["bock"]["triggers"]}
    # Where there is one Ramsch, its own name says all of them.
    sorts = [sort for sort in SORTS if sort in named or sort != RAMSCH or list(own.values()).count(RAMSCH) > 1]
    kinds = [kind for kind in KINDS if kind in named or kind in own.values()]
    return {word: capfirst(word_name(word, known)) for word in (*sorts, *kinds, *own)}


class _Settings:
    """What the fields of one rule set have in common: its sentences and its names."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.about: About = about(settings)
        self.own = own_kinds(settings)

    def say(self, key: str, value: Any) -> str:
        return value_sentence(key, value, self.about)

    def choice(self, key: str, values: Iterable[Any], label: str = "") -> One:
        return One({value: self.say(key, value) for value in values}, label)

    def named(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: capfirst(word_name(key, self.about.kinds)) for key in keys}

    def either(self) -> dict[str, SettingInput]:
        """The settings that a row by kind of game types like the rule set."""
        single = {key: values for key, values in {**CHOICES, **OPTIONAL_CHOICES}.items() if key not in SPLIT_SETTINGS}
        found: dict[str, SettingInput] = {key: self.choice(key, values) for key, values in single.items()}
        found |= {key: Number(_("Wie viel"), 0, MAX_NUMBER) for key in ("won", "gegen_die_alten", "against")}
        alone = self.named([*SOLO_KINDS, *(kind for kind, like in self.own.items() if like not in PARTNER_KINDS)])
        return found | {
            "limits": Some({limit: limit_name(limit) for limit in LIMITS}),
            "limit": self._by_step(
                {str(limit): limit_name(limit) for limit in LIMITS},
                _("Jede Stufe zählt gleich viel."),
                _("Jede Stufe vervielfacht den Wert."),
                _("Jede Stufe zählt anders."),
            ),
            "absage": self._by_step(
                {step: said_name(step) for step in SAID[2:]},
                _("Jede abgesagte Stufe zählt gleich viel."),
                _("Jede abgesagte Stufe vervielfacht den Wert."),
                _("Jede abgesagte Stufe zählt anders."),
            ),
            "re_kontra": self._re_kontra(),
            "gegen_in": Some(_named(labels.GEGEN_IN, GEGEN_IN)),
            "solo_point": Shapes(
                {
                    "no": fixed(self.say("solo_point", 0), 0),
                    "yes": record(
                        _("Bestimmte gewonnene Soli bringen etwas dazu."),
                        {
                            "points": Number(_("Wie viel"), 0, MAX_NUMBER),
                            "kinds": Some(alone, _("In welchen Soli")),
                            "when": One(_named(labels.WHEN, CHOICES["gegen_when"]), _("Wann er gerechnet wird")),
                        },
                        {"points": 1, "kinds": [], "when": "before"},
                    ),
                }
            ),
            "lost_announcement": self._lost_announcement(),
            "cowardice": self._cowardice(),
            "lost_times": Number(_("Wievielfach"), 1, 9),
            "highest": Shapes(
                {
                    "no": fixed(self.say("highest", None), None),
                    "yes": number(
                        _("Mehr als so viel ist kein Spiel wert."), "n", Number(_("Wie viel"), 1, MAX_HIGHEST), 100
                    ),
                }
            ),
        }

    def _by_step(self, steps: Mapping[str, str], each: str, times: str, by: str) -> Shapes:
        """So much for each, a factor for each, or so much by step; none of those are left out."""
        inner = {step: Number(name, 0, MAX_NUMBER, needed=False) for step, name in steps.items()}

        def take(value: Mapping[str, int]) -> dict[str, Any]:
            return {step: value.get(step) for step in steps}

        def make(typed: Mapping[str, int | None]) -> dict[str, int]:
            return {step: points for step, points in typed.items() if points is not None} or dict.fromkeys(steps, 0)

        return Shapes(
            {
                "each": number(each, "n", Number(_("Wie viel"), 0, MAX_NUMBER), 1),
                "times": record(times, {"times": Number(_("Wievielfach"), 1, 4)}, {"times": 2}),
                "by": Shape(by, lambda held: True, {"by": TypedGroup(inner, take, make)}, dict.fromkeys(steps, 1), _by, _unby),
            }
        )

    def _re_kontra(self) -> Shapes:
        def ansage(label: str = "") -> dict[str, Shape]:
            return {
                "add": record(_("Es gibt Punkte dazu."), {"add": Number(_("Wie viele Punkte"), 0, MAX_NUMBER)}, {"add": 2}),
                "times": record(
                    _("Es vervielfacht den Wert."), {"times": Number(_("Wievielfach"), 1, 9)}, {"times": 2}
                ),
            }

        def two(text: str, **names: str) -> Shape:
            parts = {key: Shapes(ansage(), label) for key, label in names.items()}
            return record(text, parts, {key: {"add": 2} for key in names})

        one = ansage()
        return Shapes(
            {
                "none": fixed(self.say("re_kontra", None), None),
                "add": Shape(_("Re und Kontra bringen jeweils Punkte."), *_rest(one["add"])),
                "times": Shape(_("Re und Kontra vervielfachen jeweils den Wert."), *_rest(one["times"])),
                "two": two(
                    _("Re und Kontra zählen verschieden."), re=_("Re gesagt"), kontra=_("Kontra gesagt")
                ),
                "result": two(
                    _("Gewonnen und verloren zählen verschieden."),
                    won=_("Gesagt und gewonnen"),
                    lost=_("Gesagt und verloren"),
                ),
                "order": two(
                    _("Die erste Ansage und die Antwort zählen verschieden."),
                    first=_("Die erste"),
                    answer=_("Die Antwort"),
                ),
            }
        )

    def _lost_announcement(self) -> Shapes:
        def times(text: str, when: str) -> Shape:
            return Shape(
                text,
                lambda held: held is not None and held["when"] == when,
                {when: Number(_("Wievielfach"), 1, 9)},
                {"times": 2, "when": when},
                lambda held: {when: held["times"]},
                lambda typed: {"times": typed[when], "when": when},
            )

        return Shapes(
            {
                "none": fixed(self.say("lost_announcement", None), None),
                "ansage": times(_("Nach angesagtem Re oder Kontra kostet eine Niederlage ein Mehrfaches."), "ansage"),
                "re": times(_("Nach angesagtem Re kostet eine Niederlage ein Mehrfaches; nach Kontra nicht."), "re"),
                "absage": times(_("Nach einer Absage kostet eine Niederlage ein Mehrfaches."), "absage"),
            }
        )

    def _cowardice(self) -> Shapes:
        then = Shapes(
            {
                "loses": fixed(_("Er hat verloren."), "loses"),
                "nobody": fixed(_("Niemand hat gewonnen."), "nobody"),
                "points": number(_("Er verliert, und es zählt immer so viel:"), "n", Number(_("Wie viel"), 0, MAX_NUMBER), 1),
            },
            _("Was dann gilt"),
        )
        levels = Number(_("So viele Stufen mehr erreicht als angesagt"), 2, 5)
        return Shapes(
            {
                "no": fixed(self.say("cowardice", None), None),
                "yes": record(
                    _("Viel mehr erreicht als angesagt: Das war feige."),
                    {"levels": levels, "then": then},
                    {"levels": 2, "then": "loses"},
                ),
            }
        )

    def bock(self) -> Shapes:
        """With each key of a Bock as a setting of its own."""

        def say(key: str, value: Any) -> str:
            return bock_sentence(key, {**PLAIN_BOCK, key: value}, self.about)

        held = self.settings["bock"] or PLAIN_BOCK
        triggers = [*TRIGGERS, *(SPECIAL_PREFIX + key for key in (*SPECIALS, *self.about.specials))]
        triggers += [KIND_PREFIX + word for word in words(self.settings)]
        # The Herzstich has two words: the older one is offered where it is held, and nowhere beside the other.
        triggers.remove(SPECIAL_PREFIX + "herzstich" if "herzstich" in held["triggers"] else "herzstich")
        triggers += [trigger for trigger in held["triggers"] if trigger not in triggers]
        parts: dict[str, SettingInput] = {
            "triggers": Some({key: capfirst(trigger_name(key, self.about)) for key in triggers}),
            **{key: One({v: say(key, v) for v in BOCK_CHOICES[key]}) for key in ("per_game",)},
            "length": Shapes(
                {
                    "table": fixed(say("length", "table"), "table"),
                    "deal": fixed(say("length", "deal"), "deal"),
                    "number": number(
                        _("Ein Bock dauert immer gleich viele Spiele."), "n", Number(_("Wie viele Spiele"), 1, 99), 4
                    ),
                }
            ),
            "overlap": One({value: say("overlap", value) for value in BOCK_CHOICES["overlap"]}),
            "cap": Number(_("Höchste Stufe"), 1, MAX_CAP),
            "effect": Shapes(
                {
                    "all": fixed(say("effect", "all"), "all"),
                    "game": fixed(say("effect", "game"), "game"),
                    "add": Shape(
                        _("Ein Bockspiel bringt je Stufe Punkte dazu."),
                        lambda value: isinstance(value, Mapping),
                        {"n": Number(_("Wie viel"), 0, MAX_NUMBER)},
                        {"add": 1},
                        lambda value: {"n": value["add"]},
                        lambda typed: {"add": typed["n"]},
                    ),
                }
            ),
            **{key: One({v: say(key, v) for v in values}) for key, values in OPTIONAL_BOCK_CHOICES.items()},
            **{key: One({v: say(key, v) for v in BOCK_CHOICES[key]}) for key in ("duty_solo_uses", "carry")},
        }
        there = Shape(
            _("Bock gibt es."),
            lambda value: value is not None,
            parts,
            PLAIN_BOCK,
            lambda value: {**BOCK_DEFAULTS, **value},
            lambda typed: {key: value for key, value in typed.items() if BOCK_DEFAULTS.get(key) != value},
        )
        return Shapes({"no": fixed(_("Bock gibt es nicht."), None), "yes": there}, apart=True)


def _by(value: Mapping[str, int]) -> dict[str, Any]:
    return {"by": value}


def _unby(typed: Mapping[str, Any]) -> Any:
    return typed["by"]


def _rest(shape: Shape) -> tuple[Any, ...]:
    return shape.is_it, shape.parts, shape.start, shape.take, shape.make


def setting_fields(settings: Mapping[str, Any]) -> dict[str, SettingInput]:
    """How every setting of a rule set is typed; sentences about amounts are in the unit of `settings`."""
    one = _Settings(settings)
    found = one.either()
    for key in SPLIT_SETTINGS:
        partner = one.choice(key, CHOICES[key], _("Im Spiel zu zweien"))
        found[key] = Pair(partner, one.choice(key, CHOICES[key], _("Im Solo")))
    seats = {people: {seat: str(seat) if seat else _("Geber") for seat in range(people)} for people in LONG_TABLES}
    long = {
        str(people): Some(seats[people], _("Zu %(people)s am Tisch spielen, vom Geber aus gezählt") % {"people": people})
        for people in LONG_TABLES
    }
    return found | {
        "kinds": Some(one.named([*KINDS, *one.own]), needed=True),
        "solo_times": one.choice("solo_times", (1, 2, 3)),
        "duty_solo": Shapes(
            {
                "no": fixed(one.say("duty_solo", None), None),
                "yes": record(
                    _("Jeder spielt Pflichtsoli."), {"rounds": Number(_("In wie vielen Umläufen"), 1, 99)}, {"rounds": 1}
                ),
            }
        ),
        "deal_stays": Some(_named(labels.DEAL_STAYS, DEAL_STAYS)),
        "seating": TypedGroup(
            long,
            lambda value: {size: value.get(size, []) for size in long},
            lambda typed: {size: seats for size, seats in typed.items() if seats},
        ),
        "bock": one.bock(),
        "text": Text(_("Weitere Hausregeln"), MAX_TEXT_LENGTH),
    }


def row_fields(settings: Mapping[str, Any]) -> dict[str, SettingInput]:
    """How the settings of a row by kind of game are typed."""
    one = _Settings(settings)
    not_in_rows = {"deck", "unit"}
    found = {key: typed for key, typed in one.either().items() if key not in not_in_rows}
    found |= {key: one.choice(key, CHOICES[key]) for key in SPLIT_SETTINGS}
    found["name"] = Name(_("Name"))
    return found | {"times": Number(_("Wievielfach"), 1, 9), "in_bock": one.choice("in_bock", IN_BOCK)}
