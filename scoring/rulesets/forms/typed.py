"""What a setting is typed in: a number, a choice, a choice with more to type beside it, several of a list. Each of them knows
its fields by the name it is given, what they hold for a value, which of them count as they are held, and the value then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.core.forms import WholeField

from .rows import NameField

Data = dict[str, Any]
Fields = dict[str, forms.Field]

MISSING: Final = _("Bitte eine Zahl angeben.")


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
