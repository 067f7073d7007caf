"""The rows of the settings form that a club adds itself: special points, and what is different in single kinds of game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.text import text_key, tidy
from scoring.rules import labels
from scoring.rules.constants import DEFAULTS, KINDS, LIKE, ROW_ONLY, SPECIAL_OF, SPECIALS, WORDS
from scoring.rules.settings_schema import MAX_NUMBER
from scoring.rulesets.rules import key_of
from scoring.rulesets.texts.settings import OF, about, row_sentence, special_name, word_name

from .inputs import Data, Fields, NameField, Number, One, Part, SettingInput, Some, row_fields


class BoxField(forms.BooleanField):
    """A box that says whether something exists."""

    def __init__(self, label: str) -> None:
        widget = forms.CheckboxInput(attrs={"class": "form-check-input"})
        super().__init__(label=label, required=False, widget=widget)


NAME_MISSING: Final = gettext_lazy("Bitte einen Namen angeben.")
NAME_TAKEN: Final = gettext_lazy("So heißt schon etwas anderes. Bitte einen anderen Namen wählen.")


def new_rows(data: Mapping[str, Any] | None, name: str, one_more: bool) -> list[str]:
    """The rows of the form that are not stored yet, by number: an empty one at first, then those that came back and, where
    that was asked for, one more."""
    if data is None:
        return ["0"]
    found = [match[1] for key in data if (match := re.fullmatch(rf"{name}__([0-9]{{1,2}})-name", key))]
    if one_more or not found:
        found.append(next(str(number) for number in range(100) if str(number) not in found))
    return found


SPECIALS_NAME: Final = "specials"


class PointsField(forms.CharField):
    """A number, or several by how often: "5, 10"."""

    wrong = gettext_lazy("Bitte eine Zahl von 0 bis 10000 angeben oder bis zu neun mit Komma: 5, 10.")
    # How several are typed, beside the field.
    hint = gettext_lazy("„5, 10“: der erste 5, jeder weitere 10")

    def clean(self, value: Any) -> int | list[int] | None:
        text = super().clean(value).strip()
        if not text:
            return None
        numbers = re.split(r"\s*[,;]\s*|\s+", text)
        if len(numbers) > 9 or not all(re.fullmatch("[0-9]{1,5}", one) and int(one) <= MAX_NUMBER for one in numbers):
            raise forms.ValidationError(self.wrong)
        found = [int(one) for one in numbers]
        return found if len(found) > 1 else found[0]


@dataclass(frozen=True)
class SpecialRow:
    """One row as it is shown; `there` is the box of a stored one, `name` the field of an `own` one or of the club's word
    for a built-in one, `notes` what is to be known about it. `added`: it was just asked for."""

    key: str

    title: str
    there: forms.BoundField | None
    own: bool
    name: forms.BoundField
    points: forms.BoundField
    how: forms.BoundField
    most: forms.BoundField
    most_party: forms.BoundField
    of: forms.BoundField
    kinds: forms.BoundField
    faulty: bool
    notes: list[str]
    added: bool


class SpecialRows:
    """How the rows of `specials` are typed: the built-in ones, the own ones of `settings`, and those that are `new`."""

    def __init__(self, settings: Mapping[str, Any], words: Mapping[str, str], new: list[str]) -> None:
        own = about(settings).specials
        self.titles = {key: special_name(key, own) for key in (*SPECIALS, *own)}
        self.new = new
        self.rows = [*self.titles, *new]
        # An offered Herzstich counts nothing: it is asked for by a Bock alone.
        bock = settings["bock"]
        self.idle = {"herzstich"} if bock and "herzstich" in bock["triggers"] else set()
        times = {"points": _("Punkte"), **{str(n): _("Wert × %(times)s") % {"times": n} for n in (2, 3, 4, 1)}}
        self.how = One(times, _("Zählt"), short=True)
        self.columns: dict[str, SettingInput] = {
            "most": Number(_("Höchstens im Spiel"), 1, 9, needed=False),
            "most_party": Number(_("Höchstens je Partei"), 1, 9, needed=False),
            "of": One({of: _(OF[of]) for of in SPECIAL_OF}, _("Wer ihn bekommt"), short=True),
            "kinds": Some(words, _("Nur in diesen Spielen")),
        }

    def fields(self) -> Fields:
        found: Fields = {}
        for row in self.rows:
            if row in self.titles:
                found[self._name(row)] = BoxField(self.titles[row])
            found[self._name(row, "name")] = NameField(_("Heißt bei uns") if row in SPECIALS else _("Name"))
            widget = forms.TextInput(attrs={"class": "form-control num", "autocomplete": "off"})
            # Who has a second one at all reads how that is typed.
            hint = PointsField.hint if SPECIALS.get(row, 2) > 1 else ""
            found[self._name(row, "points")] = PointsField(label=_("Punkte"), required=False, help_text=hint, widget=widget)
            found |= self.how.fields(self._name(row, "how"))
            for column, typed in self.columns.items():
                found |= typed.fields(self._name(row, column))
        return found

    def show(self, specials: Mapping[str, Any]) -> Data:
        held: Data = {}
        for row in self.rows:
            stored = specials.get(row, {"points": 0 if row in self.idle else 1})
            stored = stored if isinstance(stored, Mapping) else {"points": stored}
            points = stored["points"]
            held |= {
                self._name(row): row in specials,
                self._name(row, "name"): stored.get("name", ""),
                self._name(row, "points"): "1" if isinstance(points, Mapping) else _text(points),
                self._name(row, "how"): str(points["times"]) if isinstance(points, Mapping) else "points",
                self._name(row, "most"): stored.get("most"),
                self._name(row, "most_party"): stored.get("most_party"),
                self._name(row, "of"): stored.get("of", "party"),
                self._name(row, "kinds"): list(stored.get("kinds", ())),
            }
        return held

    def used(self, held: Mapping[str, Any]) -> Iterator[str]:
        for row in self.rows:
            if row in self.titles:
                yield self._name(row)
            if row not in SPECIALS:
                yield self._name(row, "name")
            if self._there(row, held):
                if row in SPECIALS:
                    yield self._name(row, "name")
                yield from (self._name(row, column) for column in ("points", "how", *self.columns))

    def faults(self, held: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What is missing in a row or does not fit together, by field."""
        for row in self.rows:
            if row not in SPECIALS and held.get(self._name(row, "name")) == "" and self._meant(row, held):
                yield self._name(row, "name"), str(NAME_MISSING)
            if not self._there(row, held):
                continue
            named = held.get(self._name(row, "name"))
            if named and self._called(row, held) in (self._called(one, held) for one in self.rows if one != row):
                yield self._name(row, "name"), str(NAME_TAKEN)
            points = self._name(row, "points")
            if held.get(self._name(row, "how")) == "points" and held.get(points, 0) is None:
                yield points, str(PointsField.wrong)
            most = held.get(self._name(row, "most")) or SPECIALS.get(row, 1)
            if (held.get(self._name(row, "most_party")) or 1) > most:
                yield self._name(row, "most_party"), _("Eine Partei kann nicht mehr davon haben als beide zusammen.")

    def _called(self, row: str, held: Mapping[str, Any]) -> str:
        return text_key(held.get(self._name(row, "name")) or (special_name(row, {}) if row in SPECIALS else ""))

    def _meant(self, row: str, held: Mapping[str, Any]) -> bool:
        """Is this row of an own one ticked or, a new one, was anything typed in it?"""
        if row in self.titles:
            return bool(held.get(self._name(row)))
        shown = self.show({})
        columns = ("points", "how", *self.columns)
        return any(_texts(held.get(self._name(row, key))) != _texts(shown[self._name(row, key)]) for key in columns)

    def read(self, held: Mapping[str, Any]) -> Data:
        found: Data = {}
        for row in self.rows:
            if not self._there(row, held):
                continue
            how = held[self._name(row, "how")]
            points = held[self._name(row, "points")] if how == "points" else {"times": int(how)}
            name = held[self._name(row, "name")]
            special: Data = {} if row in SPECIALS and not name else {"name": name}
            special["points"] = points
            for column in ("most", "most_party", "kinds"):
                value = self.columns[column].read(self._name(row, column), held)
                if value:
                    special[column] = value
            if (of := held[self._name(row, "of")]) != "party":
                special["of"] = of
            key = key_of(special["name"], {*self.titles, *found}) if row in self.new else row
            found[key] = points if special == {"points": points} and type(points) is int else special
        return found

    def _there(self, row: str, held: Mapping[str, Any]) -> bool:
        return bool(held.get(self._name(row, "name") if row in self.new else self._name(row)))

    @staticmethod
    def _name(row: str, column: str = "") -> str:
        return f"{SPECIALS_NAME}__{row}-{column}" if column else f"{SPECIALS_NAME}__{row}"

    def shown(self, form: forms.Form, added: str | None, notes: Mapping[str, list[str]]) -> list[SpecialRow]:
        """The rows for the page; `added` is one that was just asked for, `notes` by what a special point is called."""
        found = []
        for row in self.rows:
            fields = {column: form[self._name(row, column)] for column in ("points", "how", *self.columns)}
            own = row not in SPECIALS
            name = form[self._name(row, "name")]
            there = form[self._name(row)] if row in self.titles else None
            faulty = any(field.errors for field in fields.values()) or (not own and bool(name.errors))
            title = self.titles.get(row, _("Eigener Sonderpunkt"))
            known = notes.get(tidy(name.value() or "") or title, [])
            found.append(SpecialRow(row, title, there, own, name, faulty=faulty, notes=known, added=row == added, **fields))
        return found


def _text(points: int | list[int]) -> str:
    return ", ".join(map(str, points)) if isinstance(points, (list, tuple)) else str(points)


def _texts(value: Any) -> str:
    return str(value or "")


KINDS_NAME: Final = "per_kind"
# What an own kind is asked for from the start.
MAIN: Final = ("decided", "won", "limits", "times", "in_bock")
# What a setting of a row begins with that the rule set does not have; an own kind with a price has no limits.
FIRST: Final[Data] = {"times": 1, "in_bock": "plays", "name": ""}
FIRST_OF_OWN: Final[Data] = {"limits": []}

Pair = tuple[str, str]


@dataclass(frozen=True)
class KindLine:
    """One setting of a row as it is shown: the box that it is different here, and its fields. `added`: it was just asked
    for."""

    name: str
    differs: forms.BoundField
    parts: list[Part]
    faulty: bool
    added: bool


@dataclass(frozen=True)
class KindRow:
    """One row as it is shown; an own kind has a name and what it is like, a stored one the box that it exists."""

    key: str
    said: str
    there: forms.BoundField | None
    name: forms.BoundField | None
    like: forms.BoundField | None
    lines: list[KindLine]
    open: bool
    added: bool


def setting_name(key: str) -> str:
    """What a setting of a row is called."""
    names = {"times": _("Das Spiel zählt"), "in_bock": _("Im Bock"), "name": _("Heißt bei uns (nur eine Spielart)")}
    return names.get(key) or _(labels.SETTINGS[key].name)


def is_misnamed(word: str, key: str) -> bool:
    """Return whether a row would call something by a club's own word that is no kind of game of the program."""
    return key == "name" and word not in KINDS


class KindRows:
    """How the rows of `per_kind` are typed: those of `settings`, those that are `new`, and the settings `asked` for by word
    and key besides the stored ones."""

    def __init__(self, settings: Mapping[str, Any], new: list[str], asked: Iterable[Pair]) -> None:
        self.stored: Mapping[str, Any] = settings.get("per_kind", {})
        self.settings, self.new = settings, new
        self.typed = row_fields(settings)
        known = about(settings)
        self.known = known
        self.lines = {
            word: [key for key in self.typed if key in row and not is_misnamed(word, key)]
            for word, row in self.stored.items()
        }
        for word in self.lines:
            if word not in WORDS:
                self.lines[word] += [key for key in MAIN if key not in self.lines[word]]
        self.lines |= {row: list(MAIN) for row in new}
        for word, key in asked:
            if key in self.typed and (word in self.lines or word in WORDS) and not is_misnamed(word, key):
                lines = self.lines.setdefault(word, [])
                lines += [] if key in lines else [key]
        likes = {"": _("Bitte wählen"), **{like: capfirst(word_name(like, {})) for like in LIKE}}
        self.like = One(likes, _("Gespielt wie"), short=True)

    @property
    def shown_pairs(self) -> list[str]:
        """The settings that the form shows, as it sends them back with itself."""
        return [
            f"{word}.{key}"
            for word, keys in self.lines.items()
            for key in keys
            if word not in self.new or key not in MAIN
        ]

    def new_kinds(self, form: forms.Form) -> dict[str, str]:
        """The own kinds that are not stored yet, by row, each with the name typed so far."""
        names = {row: tidy(form[self._name(row, "name")].value() or "") for row in self.new}
        return {row: name or _("Neue eigene Spielart") for row, name in names.items()}

    def fields(self) -> Fields:
        found: Fields = {}
        for row, keys in self.lines.items():
            if self._own(row):
                if row not in self.new:
                    found[self._name(row)] = BoxField(_("Diese Spielart gibt es"))
                found[self._name(row, "name")] = NameField(_("Name"))
                found |= self.like.fields(self._name(row, "like"))
                found[self._name(row, "like")].required = False
            for key in keys:
                found[self._name(row, key, "set")] = BoxField(setting_name(key))
                found |= self.typed[key].fields(self._name(row, key))
        return found

    def show(self, rows: Mapping[str, Any]) -> Data:
        held: Data = {}
        for row, keys in self.lines.items():
            stored = rows.get(row, {})
            held |= {
                self._name(row): True,
                self._name(row, "name"): stored.get("name", ""),
                self._name(row, "like"): stored.get("like", ""),
            }
            for key in keys:
                held[self._name(row, key, "set")] = key in stored
                held |= self.typed[key].show(self._name(row, key), stored.get(key, self._usual(row, key)))
        return held

    def _usual(self, row: str, key: str) -> Any:
        """What a setting begins with where a row does not say it."""
        value = {**DEFAULTS, **FIRST, **self.settings, **(FIRST_OF_OWN if self._own(row) else {})}[key]
        by_party_game = isinstance(value, Mapping) and set(value) == {"partner", "solo"}
        return value["solo"] if by_party_game else value

    def used(self, held: Mapping[str, Any]) -> Iterator[str]:
        for row, keys in self.lines.items():
            if self._own(row):
                yield from (self._name(row), self._name(row, "name"), self._name(row, "like"))
            if self._there(row, held):
                for key in keys:
                    yield self._name(row, key, "set")
                    yield from self.typed[key].used(self._name(row, key), held)

    def faults(self, held: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What an own kind lacks, by field."""
        for row in self.lines:
            if not self._own(row) or row not in self.new and not self._there(row, held):
                continue
            name, like = held.get(self._name(row, "name")), held.get(self._name(row, "like"))
            begun = row not in self.new or like or any(self._set(row, key, held) for key in self.lines[row])
            if name == "" and begun:
                yield self._name(row, "name"), str(NAME_MISSING)
            elif name and like == "":
                yield self._name(row, "like"), _("Bitte wählen, welcher Spielart sie gleicht.")
            elif name and text_key(name) in self._other_names(row, held):
                yield self._name(row, "name"), str(NAME_TAKEN)

    def _other_names(self, row: str, held: Mapping[str, Any]) -> set[str]:
        typed = [held.get(self._name(one, "name")) for one in self.lines if one != row and self._own(one)]
        return {text_key(name) for name in (*map(_, labels.KINDS.values()), *typed) if name}

    def read(self, held: Mapping[str, Any]) -> Data:
        found: Data = {}
        for row, keys in self.lines.items():
            if not self._there(row, held):
                continue
            read: Data = {}
            if self._own(row):
                read = {"name": held[self._name(row, "name")], "like": held[self._name(row, "like")]}
            set_here = (key for key in keys if self._set(row, key, held))
            read |= {key: self.typed[key].read(self._name(row, key), held) for key in set_here}
            if read:
                taken = {*WORDS, *self.lines, *found}
                found[key_of(read["name"], taken) if row in self.new else row] = read
        return found

    def _set(self, row: str, key: str, held: Mapping[str, Any]) -> bool:
        return bool(held.get(self._name(row, key, "set"))) and (key != "name" or bool(held.get(self._name(row, key))))

    def _own(self, row: str) -> bool:
        return row not in WORDS

    def _there(self, row: str, held: Mapping[str, Any]) -> bool:
        if not self._own(row):
            return True
        return bool(held.get(self._name(row, "name") if row in self.new else self._name(row)))

    @staticmethod
    def _name(row: str, *parts: str) -> str:
        return "-".join((f"{KINDS_NAME}__{row}", *parts))

    def shown(self, form: forms.Form, added: Pair | None, said: Mapping[str, Any]) -> list[KindRow]:
        """The rows for the page; `added` is a new row, or the setting of one, that was just asked for, `said` the settings
        of which the sentences are."""
        changed = set(form.changed_data) if form.is_bound else set()
        found = []
        for row, keys in self.lines.items():
            lines = [self._line(form, row, key, added == (row, key)) for key in keys]
            own, new = self._own(row), row in self.new
            touched = any(name.startswith(f"{KINDS_NAME}__{row}-") for name in (*changed, *form.errors))
            found.append(
                KindRow(
                    row,
                    self._sentence(row, form, said),
                    form[self._name(row)] if own and not new else None,
                    form[self._name(row, "name")] if own else None,
                    form[self._name(row, "like")] if own else None,
                    lines,
                    touched or added is not None and added[0] == row,
                    added == (row, ""),
                )
            )
        return found

    def _sentence(self, row: str, form: forms.Form, said: Mapping[str, Any]) -> str:
        """What holds by a row; a new one is known by its name."""
        rows: Mapping[str, Any] = said.get("per_kind", {})
        if row in self.new:
            name = tidy(form[self._name(row, "name")].value() or "")
            own = next((key for key in rows if key not in self.stored and rows[key].get("name") == name), None)
            return row_sentence(own, rows[own], about(said)) if own else _("Eine eigene Spielart dazunehmen")
        return row_sentence(row, rows.get(row, {}), about(said) if row in rows else self.known)

    def _line(self, form: forms.Form, row: str, key: str, added: bool) -> KindLine:
        parts = self.typed[key].parts(self._name(row, key), form)
        fields = list(self.typed[key].fields(self._name(row, key)))
        faulty = any(name in form.errors for name in fields)
        return KindLine(setting_name(key), form[self._name(row, key, "set")], parts, faulty, added)

    @property
    def choices(self) -> dict[str, str]:
        """The settings that can be different in a kind of game, by name."""
        return {key: setting_name(key) for key in (*ROW_ONLY, *(key for key in self.typed if key not in ROW_ONLY))}
