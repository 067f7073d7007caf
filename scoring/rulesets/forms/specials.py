"""Special points as rows of the form: whether each exists, what it counts and in which games, and own ones by their name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.text import text_key, tidy
from scoring.rules.constants import SPECIAL_OF, SPECIALS
from scoring.rules.settings_schema import MAX_NUMBER
from scoring.rulesets.rules import key_of
from scoring.rulesets.words.parts import about, special_name
from scoring.rulesets.words.specials import OF

from .rows import NAME_MISSING, NAME_TAKEN, BoxField, NameField
from .typed import Data, Fields, Number, One, SettingInput, Some

NAME: Final = "specials"


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
        return f"{NAME}__{row}-{column}" if column else f"{NAME}__{row}"

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
