"""The form fields of each setting of a rule set, but its special points and its rows by kind of game (`rows.py`).

A setting is typed as a number, a choice, a choice with more fields beside it, or several of a list. Each of these inputs
knows its fields by the name it is given, which of them are used as they are filled in, and how a value becomes fields and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.forms import WholeField
from scoring.core.text import tidy, validate_plain
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
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MAX_TEXT_LENGTH,
    OPTIONAL_BOCK_CHOICES,
    OPTIONAL_CHOICES,
    SPLIT_SETTINGS,
)
from scoring.rulesets.texts.settings import (
    About,
    about,
    bock_sentence,
    limit_name,
    said_name,
    trigger_name,
    value_sentence,
    word_name,
)

Data = dict[str, Any]
Fields = dict[str, forms.Field]

MISSING: Final = gettext_lazy("Bitte eine Zahl angeben.")


@dataclass(frozen=True)
class Part:
    """One field as it is shown: `rows` to choose from, `pills` to mark, a `number` or a `text`. `options` are the radio
    buttons of rows, each with the fields that appear when it is chosen."""

    field: forms.BoundField
    shown: str
    label: str
    options: Sequence[tuple[Any, list[Part]]] = ()


class SettingInput(Protocol):
    """How values of one setting are typed."""

    def fields(self, name: str) -> Fields: ...

    def show(self, name: str, value: Any) -> Data:
        """What the fields hold for a value."""

    def used(self, name: str, held: Mapping[str, Any]) -> Iterator[str]:
        """The names of those fields that count."""

    def read(self, name: str, held: Mapping[str, Any]) -> Any:
        """The value that valid fields hold, the inverse of `show`."""

    def parts(self, name: str, form: forms.Form) -> list[Part]: ...


class _Single:
    """A value in a field of its own."""

    shown: str
    label: str

    def show(self, name: str, value: Any) -> Data:
        return {name: value}

    def used(self, name: str, held: Mapping[str, Any]) -> Iterator[str]:
        yield name

    def read(self, name: str, held: Mapping[str, Any]) -> Any:
        return held[name]

    def parts(self, name: str, form: forms.Form) -> list[Part]:
        return [Part(form[name], self.shown, self.label)]


class NameField(forms.CharField):
    """The name of something of a club's own, tidied."""

    def __init__(self, label: str) -> None:
        widget = forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"})
        super().__init__(
            label=label, max_length=MAX_NAME_LENGTH, required=False, validators=[validate_plain], widget=widget
        )

    def clean(self, value: Any) -> str:
        return tidy(super().clean(value))


class NeededField(WholeField):
    """A whole number that has to be there where it counts."""


@dataclass(frozen=True)
class Number(_Single):
    label: str
    lowest: int
    highest: int
    needed: bool = True
    shown = "number"

    def fields(self, name: str) -> Fields:
        made = (NeededField if self.needed else WholeField)(
            label=self.label,
            min_value=self.lowest,
            max_value=self.highest,
            required=False,
            widget=forms.NumberInput(attrs={"class": "form-control num", "inputmode": "numeric"}),
        )
        return {name: made}


@dataclass(frozen=True)
class Text(_Single):
    """Several lines of text."""

    label: str
    longest: int
    shown = "text"

    def fields(self, name: str) -> Fields:
        widget = forms.Textarea(attrs={"class": "form-control", "rows": 6})
        return {name: forms.CharField(label=self.label, max_length=self.longest, required=False, widget=widget)}

    def read(self, name: str, held: Mapping[str, Any]) -> str:
        return str(held[name]).replace("\r\n", "\n")


@dataclass(frozen=True)
class Name(_Single):
    """What the club calls something that is built in."""

    label: str
    shown = "text"

    def fields(self, name: str) -> Fields:
        return {name: NameField(self.label)}


@dataclass(frozen=True)
class One(_Single):
    """One of a few values, each with a sentence; what comes back is the value itself. With `short` from a closed list."""

    choices: Mapping[Any, str]
    label: str = ""
    short: bool = False

    @property
    def shown(self) -> str:  # type: ignore[override]  # nobody sets it
        return "number" if self.short else "rows"

    def fields(self, name: str) -> Fields:
        by_text = {str(value): value for value in self.choices}
        radios = forms.RadioSelect(attrs={"class": "form-check-input"})
        made = forms.TypedChoiceField(
            label=self.label,
            choices=[(str(value), text) for value, text in self.choices.items()],
            coerce=lambda text: by_text.get(text, text),  # what is none of them is refused elsewhere
            widget=forms.Select(attrs={"class": "form-select"}) if self.short else radios,
        )
        return {name: made}

    def show(self, name: str, value: Any) -> Data:
        return {name: str(value)}

    def parts(self, name: str, form: forms.Form) -> list[Part]:
        options: list[tuple[Any, list[Part]]] = [] if self.short else [(radio, []) for radio in form[name]]
        return [Part(form[name], self.shown, self.label, options)]


@dataclass(frozen=True)
class Some(_Single):
    """Any of a few values, at least one of them with `needed`. They come back in the order in which they are offered."""

    choices: Mapping[Any, str]
    label: str = ""
    needed: bool = False
    shown = "pills"

    def fields(self, name: str) -> Fields:
        choices = [(str(value), text) for value, text in self.choices.items()]
        made = forms.MultipleChoiceField(
            label=self.label, choices=choices, required=self.needed, widget=forms.CheckboxSelectMultiple
        )
        return {name: made}

    def show(self, name: str, value: Any) -> Data:
        return {name: [str(one) for one in value]}

    def read(self, name: str, held: Mapping[str, Any]) -> list[Any]:
        return [value for value in self.choices if str(value) in held[name]]


@dataclass(frozen=True)
class Pair:
    """One value for partner games and one for solos, or one for both."""

    partner: One
    solo: One

    def fields(self, name: str) -> Fields:
        return self.partner.fields(f"{name}__partner") | self.solo.fields(f"{name}__solo")

    def show(self, name: str, value: Any) -> Data:
        two = {"partner": value, "solo": value} if isinstance(value, str) else value
        return {f"{name}__partner": two["partner"], f"{name}__solo": two["solo"]}

    def used(self, name: str, held: Mapping[str, Any]) -> Iterator[str]:
        yield from (f"{name}__partner", f"{name}__solo")

    def read(self, name: str, held: Mapping[str, Any]) -> Any:
        partner, solo = held[f"{name}__partner"], held[f"{name}__solo"]
        return partner if partner == solo else {"partner": partner, "solo": solo}

    def parts(self, name: str, form: forms.Form) -> list[Part]:
        return self.partner.parts(f"{name}__partner", form) + self.solo.parts(f"{name}__solo", form)


@dataclass(frozen=True)
class Shape:
    """One of the forms that a value can have: the sentence that chooses it, which values have it, and what else is typed
    then, by what stands behind the name. `take` and `make` lead from a value to those and back; `start` is the value from
    which they are shown while the value has another form."""

    text: str
    is_it: Callable[[Any], bool]
    parts: Mapping[str, SettingInput]
    start: Any
    take: Callable[[Any], Mapping[str, Any]] = dict
    make: Callable[[Data], Any] = dict


def fixed(text: str, value: Any) -> Shape:
    """This value and nothing to type."""
    return Shape(text, lambda held: held == value and type(held) is type(value), {}, value, lambda _: {}, lambda _: value)


def number(text: str, suffix: str, typed: SettingInput, start: int) -> Shape:
    """A bare number."""
    return Shape(
        text, lambda held: type(held) is int, {suffix: typed}, start, lambda held: {suffix: held}, lambda d: d[suffix]
    )


def record(text: str, parts: Mapping[str, SettingInput], start: Mapping[str, Any]) -> Shape:
    """An object with these keys, told by the first of them."""
    key = next(iter(parts))
    return Shape(text, lambda held: isinstance(held, Mapping) and key in held, parts, start)


@dataclass(frozen=True)
class Shapes:
    """A value that has one of several forms. `apart` are parts that are shown elsewhere, as settings of their own."""

    shapes: Mapping[str, Shape]
    label: str = ""
    apart: bool = False

    def fields(self, name: str) -> Fields:
        found = self._choice.fields(name)
        for shape in self.shapes.values():
            for suffix, typed in shape.parts.items():
                found |= typed.fields(f"{name}__{suffix}")
        return found

    @property
    def _choice(self) -> One:
        return One({key: shape.text for key, shape in self.shapes.items()}, self.label)

    def show(self, name: str, value: Any) -> Data:
        has = next(key for key, shape in self.shapes.items() if shape.is_it(value))
        found: Data = {name: has}
        for key, shape in self.shapes.items():
            taken = shape.take(value if key == has else shape.start)
            for suffix, typed in shape.parts.items():
                found |= typed.show(f"{name}__{suffix}", taken[suffix])
        return found

    def used(self, name: str, held: Mapping[str, Any]) -> Iterator[str]:
        yield name
        shape = self.shapes.get(held.get(name, ""))
        for suffix, typed in shape.parts.items() if shape else ():
            yield from typed.used(f"{name}__{suffix}", held)

    def read(self, name: str, held: Mapping[str, Any]) -> Any:
        shape = self.shapes[held[name]]
        return shape.make({suffix: typed.read(f"{name}__{suffix}", held) for suffix, typed in shape.parts.items()})

    def parts(self, name: str, form: forms.Form) -> list[Part]:
        beside = []
        for shape in self.shapes.values():
            inner = {} if self.apart else shape.parts
            beside.append([part for key, typed in inner.items() for part in typed.parts(f"{name}__{key}", form)])
        return [Part(form[name], "rows", self.label, list(zip(form[name], beside, strict=True)))]


@dataclass(frozen=True)
class TypedGroup:
    """An object whose values are typed side by side."""

    inner: Mapping[str, SettingInput]
    take: Callable[[Any], Mapping[str, Any]] = dict
    make: Callable[[Data], Any] = dict

    def fields(self, name: str) -> Fields:
        found: Fields = {}
        for key, typed in self.inner.items():
            found |= typed.fields(f"{name}__{key}")
        return found

    def show(self, name: str, value: Any) -> Data:
        found: Data = {}
        taken = self.take(value)
        for key, typed in self.inner.items():
            found |= typed.show(f"{name}__{key}", taken[key])
        return found

    def used(self, name: str, held: Mapping[str, Any]) -> Iterator[str]:
        for key, typed in self.inner.items():
            yield from typed.used(f"{name}__{key}", held)

    def read(self, name: str, held: Mapping[str, Any]) -> Any:
        return self.make({key: typed.read(f"{name}__{key}", held) for key, typed in self.inner.items()})

    def parts(self, name: str, form: forms.Form) -> list[Part]:
        return [part for key, typed in self.inner.items() for part in typed.parts(f"{name}__{key}", form)]


def kept(stored: Mapping[str, Any], shown: Mapping[str, Any], typed: Mapping[str, Any]) -> Data:
    """`stored` with the changes that were typed. A setting that nobody changed stays exactly as it was stored, with the
    same keys. `shown` is `stored` as the fields hold it, read in the same way as `typed`."""
    found: Data = {}
    for key in [*stored, *(key for key in typed if key not in stored)]:
        if key in shown and key in typed and all(isinstance(one.get(key), Mapping) for one in (stored, shown, typed)):
            found[key] = kept(stored[key], shown[key], typed[key])
        elif (key in shown) == (key in typed) and shown.get(key) == typed.get(key):
            if key in stored:
                found[key] = stored[key]
        elif key in typed:
            found[key] = typed[key]
    return found


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
