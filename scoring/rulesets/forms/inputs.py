"""The inputs of the settings of a rule set; `rows.py` has special points and rows by kind of game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.forms import WholeField
from scoring.core.text import tidy, validate_plain
from scoring.rules import labels
from scoring.rules.constants import (
    KIND_PREFIX,
    KINDS,
    PARTNER_KINDS,
    RAMSCH,
    SAID,
    SOLO_KINDS,
    SORTS,
    SPECIAL_PREFIX,
    SPECIALS,
)
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings_schema import (
    BOCK,
    BOCK_DEFAULTS,
    IN_ROWS,
    LIMITS,
    MAX_CAP,
    MAX_HIGHEST,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MAX_TEXT_LENGTH,
    SETTINGS,
    Setting,
)
from scoring.rulesets.texts.settings import (
    Terms,
    get_announcement_name,
    get_limit_name,
    get_word_name,
    render_bock_value,
    render_value,
)

Data = dict[str, Any]
Fields = dict[str, forms.Field]

MISSING: Final = gettext_lazy("Bitte eine Zahl angeben.")


@dataclass(frozen=True)
class Part:
    """One field on the page. `style`: `rows` (radios, each with fields beside it), `pills` (checkboxes), `number` or `text`."""

    field: forms.BoundField
    style: str
    options: Sequence[tuple[Any, list[Part]]] = ()


class SettingInput:
    """An input of one setting; by default one field that holds the value itself."""

    def __init__(self, style: str, field: forms.Field) -> None:
        self.style = style
        self.field = field

    def build_fields(self, name: str, value: Any) -> Fields:
        """Return the fields by name; this value is their initial one."""
        field = deepcopy(self.field)
        field.initial = value
        return {name: field}

    def list_used(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names of the fields that count for this `data`."""
        yield name

    def read(self, name: str, data: Mapping[str, Any]) -> Any:
        """Return the value of valid fields, the inverse of `build_fields`."""
        return data[name]

    def list_parts(self, name: str, form: forms.Form) -> list[Part]:
        return [Part(form[name], self.style)]


class NameField(forms.CharField):
    def __init__(self, label: str, initial: str = "") -> None:
        widget = forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"})
        super().__init__(
            label=label, initial=initial, max_length=MAX_NAME_LENGTH, required=False, validators=[validate_plain], widget=widget
        )

    def clean(self, value: Any) -> str:
        return tidy(super().clean(value))


class LinesField(forms.CharField):
    def clean(self, value: Any) -> str:
        return str(super().clean(value)).replace("\r\n", "\n")


class NeededField(WholeField):
    """A whole number, required if `list_used` yields it."""


def make_number_input(label: str, lowest: int, highest: int, kind: type[WholeField] = NeededField) -> SettingInput:
    widget = forms.NumberInput(attrs={"class": "form-control num", "inputmode": "numeric"})
    return SettingInput("number", kind(label=label, min_value=lowest, max_value=highest, required=False, widget=widget))


class ChoiceInput(SettingInput):
    """One of a few values, each with a sentence: radio buttons, or a select if `short`."""

    def __init__(self, choices: Mapping[Any, str], label: str = "", short: bool = False) -> None:
        by_text = {str(value): value for value in choices}
        radios = forms.RadioSelect(attrs={"class": "form-check-input"})
        field = forms.TypedChoiceField(
            label=label,
            choices=[(str(value), text) for value, text in choices.items()],
            coerce=lambda text: by_text.get(text, text),  # other texts are refused in validation
            widget=forms.Select(attrs={"class": "form-select"}) if short else radios,
        )
        super().__init__("number" if short else "rows", field)

    def build_fields(self, name: str, value: Any) -> Fields:
        return super().build_fields(name, str(value))

    def list_parts(self, name: str, form: forms.Form) -> list[Part]:
        return [Part(form[name], self.style, [(radio, []) for radio in form[name]] if self.style == "rows" else [])]


class MultipleInput(SettingInput):
    """Any of a few values, in the order of `choices`."""

    def __init__(self, choices: Mapping[Any, str], label: str = "", needed: bool = False) -> None:
        self.choices = choices
        boxes = [(str(value), text) for value, text in choices.items()]
        field = forms.MultipleChoiceField(label=label, choices=boxes, required=needed, widget=forms.CheckboxSelectMultiple)
        super().__init__("pills", field)

    def build_fields(self, name: str, value: Any) -> Fields:
        return super().build_fields(name, [str(one) for one in value])

    def read(self, name: str, data: Mapping[str, Any]) -> list[Any]:
        return [value for value in self.choices if str(value) in data[name]]


@dataclass(frozen=True)
class GroupInput(SettingInput):
    """An input for each key; `take` and `make` convert a value to those of the inputs and back."""

    parts: Mapping[str, SettingInput]
    take: Callable[[Any], Mapping[str, Any]] = dict
    make: Callable[[Data], Any] = dict

    def build_fields(self, name: str, value: Any) -> Fields:
        found: Fields = {}
        taken = self.take(value)
        for key, part in self.parts.items():
            found |= part.build_fields(f"{name}__{key}", taken[key])
        return found

    def list_used(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        for key, part in self.parts.items():
            yield from part.list_used(f"{name}__{key}", data)

    def read(self, name: str, data: Mapping[str, Any]) -> Any:
        return self.make({key: part.read(f"{name}__{key}", data) for key, part in self.parts.items()})

    def list_parts(self, name: str, form: forms.Form) -> list[Part]:
        return [shown for key, part in self.parts.items() for shown in part.list_parts(f"{name}__{key}", form)]


def make_split(partner: ChoiceInput, solo: ChoiceInput) -> GroupInput:
    """Return an input of one value for partner games and one for solos; a single value where both are the same."""
    return GroupInput(
        {"partner": partner, "solo": solo},
        lambda value: {"partner": value, "solo": value} if isinstance(value, str) else value,
        lambda two: two["partner"] if two["partner"] == two["solo"] else two,
    )


@dataclass(frozen=True)
class Variant:
    """One of the shapes of a value: the sentence that chooses it, and `start`, which its inputs show while it is not chosen."""

    text: str
    matches: Callable[[Any], bool]
    start: Any
    group: GroupInput


def make_fixed(text: str, value: Any) -> Variant:
    """Return a variant that is this value and has no inputs."""
    group = GroupInput({}, lambda _: {}, lambda _: value)
    return Variant(text, lambda other: other == value and type(other) is type(value), value, group)


def make_number(text: str, part: SettingInput, start: int) -> Variant:
    group = GroupInput({"n": part}, lambda value: {"n": value}, lambda parts: parts["n"])
    return Variant(text, lambda value: type(value) is int, start, group)


def make_record(text: str, parts: Mapping[str, SettingInput], start: Mapping[str, Any]) -> Variant:
    """Return a variant that is an object with these keys, recognized by the first one."""
    key = next(iter(parts))
    return Variant(text, lambda value: isinstance(value, Mapping) and key in value, start, GroupInput(parts))


class VariantInput(ChoiceInput):
    """A value of one of several shapes. With `apart` the inputs of the variants are shown as settings of their own."""

    def __init__(self, variants: Mapping[str, Variant], label: str = "", apart: bool = False) -> None:
        super().__init__({key: variant.text for key, variant in variants.items()}, label)
        self.variants = variants
        self.apart = apart

    def build_fields(self, name: str, value: Any) -> Fields:
        has = next(key for key, variant in self.variants.items() if variant.matches(value))
        found = super().build_fields(name, has)
        for key, variant in self.variants.items():
            found |= variant.group.build_fields(name, value if key == has else variant.start)
        return found

    def list_used(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        yield name
        if variant := self.variants.get(data.get(name, "")):
            yield from variant.group.list_used(name, data)

    def read(self, name: str, data: Mapping[str, Any]) -> Any:
        return self.variants[data[name]].group.read(name, data)

    def list_parts(self, name: str, form: forms.Form) -> list[Part]:
        beside = [[] if self.apart else variant.group.list_parts(name, form) for variant in self.variants.values()]
        return [Part(form[name], self.style, list(zip(form[name], beside, strict=True)))]


def list_names(names: Iterable[str], key: str) -> list[str]:
    """Return the names of the fields of one setting."""
    return [name for name in names if name == key or name.startswith(f"{key}__")]


def merge_changes(stored: Mapping[str, Any], shown: Mapping[str, Any], typed: Mapping[str, Any]) -> Data:
    """Return `stored` with the changes between `shown` and `typed`. An unchanged setting stays exactly as it was stored."""
    found: Data = {}
    for key in [*stored, *(key for key in typed if key not in stored)]:
        if key in shown and key in typed and all(isinstance(one.get(key), Mapping) for one in (stored, shown, typed)):
            found[key] = merge_changes(stored[key], shown[key], typed[key])
        elif (key in shown) == (key in typed) and shown.get(key) == typed.get(key):
            if key in stored:
                found[key] = stored[key]
        elif key in typed:
            found[key] = typed[key]
    return found


LONG_TABLES: Final = (6, 7, 8)


def _capitalize(names: Mapping[str, str]) -> dict[str, str]:
    return {key: capfirst(_(name)) for key, name in names.items()}


def get_own_kinds(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the club's own kinds of game, each with the built-in kind it is like."""
    return {word: row["like"] for word, row in settings.get("per_kind", {}).items() if "like" in row}


def list_words(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the sorts (Ramsch not always), then the kinds that the settings have or name, each with its name."""
    own, known = get_own_kinds(settings), Terms(settings).kinds
    named = {
        *settings["kinds"],
        *settings.get("per_kind", {}),
        *(word for row in settings["specials"].values() if isinstance(row, Mapping) for word in row.get("kinds", ())),
    }
    if settings["bock"]:
        named |= {key.removeprefix(KIND_PREFIX) for key in settings["bock"]["triggers"]}
    # A single Ramsch is offered by its own name, not by its sort.
    sorts = [sort for sort in SORTS if sort in named or sort != RAMSCH or list(own.values()).count(RAMSCH) > 1]
    kinds = [kind for kind in KINDS if kind in named or kind in own.values()]
    return {word: capfirst(get_word_name(word, known)) for word in (*sorts, *kinds, *own)}


class _InputBuilder:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.terms: Terms = Terms(settings)
        self.own = get_own_kinds(settings)

    def render(self, key: str, value: Any) -> str:
        return render_value(key, value, self.terms)

    def build_choice(self, key: str, choices: Iterable[Any], label: str = "") -> ChoiceInput:
        return ChoiceInput({value: self.render(key, value) for value in choices}, label)

    def build_plain(self, key: str, setting: Setting) -> SettingInput | None:
        """Return the input of a setting with a few values, an amount or a factor; None for a structured value."""
        if setting.choices:
            return self.build_choice(key, setting.choices)
        if setting.amount:
            return make_number_input(_("Wie viel"), 0, MAX_NUMBER)
        return make_number_input(_("Wievielfach"), 1, 9) if setting.factors else None

    def get_names(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: capfirst(self.terms.get_word(key)) for key in keys}

    def build_structured(self) -> dict[str, SettingInput]:
        """Return the inputs of structured values that a row by kind of game has as well."""
        amount = make_number_input(_("Wie viel"), 0, MAX_NUMBER)
        alone = self.get_names([*SOLO_KINDS, *(kind for kind, like in self.own.items() if like not in PARTNER_KINDS)])
        solo_point = make_record(
            _("Bestimmte gewonnene Soli bringen etwas dazu."),
            {
                "points": amount,
                "kinds": MultipleInput(alone, _("In welchen Soli")),
                "when": ChoiceInput(_capitalize(labels.WHEN), _("Wann er gerechnet wird")),
            },
            {"points": 1, "kinds": [], "when": "before"},
        )
        highest = make_number(_("Mehr als so viel ist kein Spiel wert."), make_number_input(_("Wie viel"), 1, MAX_HIGHEST), 100)
        return {
            "limits": MultipleInput({limit: get_limit_name(limit) for limit in LIMITS}),
            "limit": _make_by_step(
                {str(limit): get_limit_name(limit) for limit in LIMITS},
                _("Jede Stufe zählt gleich viel."),
                _("Jede Stufe vervielfacht den Wert."),
                _("Jede Stufe zählt anders."),
            ),
            "absage": _make_by_step(
                {step: get_announcement_name(step) for step in SAID[2:]},
                _("Jede abgesagte Stufe zählt gleich viel."),
                _("Jede abgesagte Stufe vervielfacht den Wert."),
                _("Jede abgesagte Stufe zählt anders."),
            ),
            "re_kontra": self._build_re_kontra(),
            "gegen_in": MultipleInput(_capitalize(labels.GEGEN_IN)),
            "solo_point": self.make_optional("solo_point", 0, solo_point),
            "lost_announcement": self._build_lost_announcement(),
            "cowardice": self._build_cowardice(),
            "highest": self.make_optional("highest", None, highest),
        }

    def make_optional(self, key: str, nothing: Any, yes: Variant, apart: bool = False) -> VariantInput:
        return VariantInput({"no": make_fixed(self.render(key, nothing), nothing), "yes": yes}, apart=apart)

    def _build_re_kontra(self) -> VariantInput:
        def make_variants(add: str, times: str) -> dict[str, Variant]:
            return {
                "add": make_record(add, {"add": make_number_input(_("Wie viele Punkte"), 0, MAX_NUMBER)}, {"add": 2}),
                "times": make_record(times, {"times": make_number_input(_("Wievielfach"), 1, 9)}, {"times": 2}),
            }

        def make_two(text: str, **names: str) -> Variant:
            variants = make_variants(_("Es gibt Punkte dazu."), _("Es vervielfacht den Wert."))
            parts = {key: VariantInput(variants, label) for key, label in names.items()}
            return make_record(text, parts, {key: {"add": 2} for key in names})

        both = _("Re und Kontra bringen jeweils Punkte."), _("Re und Kontra vervielfachen jeweils den Wert.")
        won, lost = _("Gesagt und gewonnen"), _("Gesagt und verloren")
        first, answer = _("Die erste"), _("Die Antwort")
        return VariantInput(
            {
                "none": make_fixed(self.render("re_kontra", None), None),
                **make_variants(*both),
                "two": make_two(_("Re und Kontra zählen verschieden."), re=_("Re gesagt"), kontra=_("Kontra gesagt")),
                "result": make_two(_("Gewonnen und verloren zählen verschieden."), won=won, lost=lost),
                "order": make_two(_("Die erste Ansage und die Antwort zählen verschieden."), first=first, answer=answer),
            }
        )

    def _build_lost_announcement(self) -> VariantInput:
        def times(text: str, when: str) -> Variant:
            group = GroupInput(
                {when: make_number_input(_("Wievielfach"), 1, 9)},
                lambda value: {when: value["times"]},
                lambda parts: {"times": parts[when], "when": when},
            )
            return Variant(text, lambda value: value is not None and value["when"] == when, {"times": 2, "when": when}, group)

        return VariantInput(
            {
                "none": make_fixed(self.render("lost_announcement", None), None),
                "ansage": times(_("Nach angesagtem Re oder Kontra kostet eine Niederlage ein Mehrfaches."), "ansage"),
                "re": times(_("Nach angesagtem Re kostet eine Niederlage ein Mehrfaches; nach Kontra nicht."), "re"),
                "absage": times(_("Nach einer Absage kostet eine Niederlage ein Mehrfaches."), "absage"),
            }
        )

    def _build_cowardice(self) -> VariantInput:
        amount = make_number_input(_("Wie viel"), 0, MAX_NUMBER)
        outcomes = {
            "loses": make_fixed(_("Er hat verloren."), "loses"),
            "nobody": make_fixed(_("Niemand hat gewonnen."), "nobody"),
            "points": make_number(_("Er verliert, und es zählt immer so viel:"), amount, 1),
        }
        parts = {
            "levels": make_number_input(_("So viele Stufen mehr erreicht als angesagt"), 2, 5),
            "then": VariantInput(outcomes, _("Was dann gilt")),
        }
        yes = make_record(_("Viel mehr erreicht als angesagt: Das war feige."), parts, {"levels": 2, "then": "loses"})
        return self.make_optional("cowardice", None, yes)

    def build_bock(self) -> VariantInput:
        """The keys of the Bock are shown as settings of their own."""

        def make_text(key: str, value: Any) -> Variant:
            return make_fixed(render_bock_value(key, {**PLAIN_BOCK, key: value}, self.terms), value)

        bock = self.settings["bock"] or PLAIN_BOCK
        triggers = [*labels.TRIGGERS, *(SPECIAL_PREFIX + key for key in (*SPECIALS, *self.terms.specials))]
        triggers += [KIND_PREFIX + word for word in list_words(self.settings)]
        # The Herzstich has two triggers: the older one is offered only to a rule set that has it.
        triggers.remove(SPECIAL_PREFIX + "herzstich" if "herzstich" in bock["triggers"] else "herzstich")
        triggers += [trigger for trigger in bock["triggers"] if trigger not in triggers]
        games = make_number(_("Ein Bock dauert immer gleich viele Spiele."), make_number_input(_("Wie viele Spiele"), 1, 99), 4)
        add = Variant(
            _("Ein Bockspiel bringt je Stufe Punkte dazu."),
            lambda value: isinstance(value, Mapping),
            {"add": 1},
            GroupInput(
                {"n": make_number_input(_("Wie viel"), 0, MAX_NUMBER)},
                lambda value: {"n": value["add"]},
                lambda parts: {"add": parts["n"]},
            ),
        )
        lengths = {"table": make_text("length", "table"), "deal": make_text("length", "deal"), "number": games}
        effects = {"all": make_text("effect", "all"), "game": make_text("effect", "game"), "add": add}
        structured: dict[str, SettingInput] = {
            "triggers": MultipleInput({key: capfirst(self.terms.get_trigger(key)) for key in triggers}),
            "length": VariantInput(lengths),
            "cap": make_number_input(_("Höchste Stufe"), 1, MAX_CAP),
            "effect": VariantInput(effects),
        }
        group = GroupInput(
            {
                key: structured.get(key) or ChoiceInput({value: _(sentence) for value, sentence in setting.choices.items()})
                for key, setting in BOCK.items()
            },
            lambda value: {**BOCK_DEFAULTS, **value},
            lambda parts: {key: value for key, value in parts.items() if BOCK_DEFAULTS.get(key) != value},
        )
        yes = Variant(_("Bock gibt es."), lambda value: value is not None, PLAIN_BOCK, group)
        return self.make_optional("bock", None, yes, apart=True)


def _make_by_step(steps: Mapping[str, str], each: str, times: str, by: str) -> VariantInput:
    by_step = GroupInput(
        {step: make_number_input(name, 0, MAX_NUMBER, WholeField) for step, name in steps.items()},
        lambda value: {step: value.get(step) for step in steps},
        lambda parts: {step: n for step, n in parts.items() if n is not None} or dict.fromkeys(steps, 0),
    )
    group = GroupInput({"by": by_step}, lambda value: {"by": value}, lambda parts: parts["by"])
    return VariantInput(
        {
            "each": make_number(each, make_number_input(_("Wie viel"), 0, MAX_NUMBER), 1),
            "times": make_record(times, {"times": make_number_input(_("Wievielfach"), 1, 4)}, {"times": 2}),
            "by": Variant(by, lambda value: True, dict.fromkeys(steps, 1), group),
        }
    )


def build_setting_inputs(settings: Mapping[str, Any]) -> dict[str, SettingInput]:
    """Return the input of each setting, without special points and rows by kind of game."""
    builder = _InputBuilder(settings)
    label = _("Zu %(people)s am Tisch spielen, vom Geber aus gezählt")
    long = {
        str(people): MultipleInput({seat: str(seat) if seat else _("Geber") for seat in range(people)}, label % {"people": people})
        for people in LONG_TABLES
    }
    rounds = {"rounds": make_number_input(_("In wie vielen Umläufen"), 1, 99)}
    duty = make_record(_("Jeder spielt Pflichtsoli."), rounds, {"rounds": 1})
    widget = forms.Textarea(attrs={"class": "form-control", "rows": 6})
    text = LinesField(label=_("Weitere Hausregeln"), max_length=MAX_TEXT_LENGTH, required=False, widget=widget)
    structured = builder.build_structured() | {
        "kinds": MultipleInput(builder.get_names([*KINDS, *builder.own]), needed=True),
        "duty_solo": builder.make_optional("duty_solo", None, duty),
        "deal_stays": MultipleInput(_capitalize(labels.DEAL_STAYS)),
        "seating": GroupInput(
            long,
            lambda value: {size: value.get(size, []) for size in long},
            lambda parts: {size: seats for size, seats in parts.items() if seats},
        ),
        "bock": builder.build_bock(),
        "text": SettingInput("text", text),
    }

    def build(key: str, setting: Setting) -> SettingInput | None:
        if setting.split:
            partner = builder.build_choice(key, setting.choices, _("Im Spiel zu zweien"))
            return make_split(partner, builder.build_choice(key, setting.choices, _("Im Solo")))
        return structured.get(key) or builder.build_plain(key, setting)

    return {key: found for key, setting in SETTINGS.items() if (found := build(key, setting))}


def build_row_inputs(settings: Mapping[str, Any]) -> dict[str, SettingInput]:
    builder = _InputBuilder(settings)
    structured = builder.build_structured()
    found = {key: structured.get(key) or builder.build_plain(key, setting) for key, setting in IN_ROWS.items()}
    return {key: part for key, part in found.items() if part} | {"name": SettingInput("text", NameField(_("Name")))}
