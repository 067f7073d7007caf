"""The rows of the settings form: special points, and what is different in single kinds of game, also the club's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.forms import WholeField
from scoring.core.text import text_key, tidy
from scoring.rules import labels
from scoring.rules.constants import KINDS, LIKE, SPECIAL_OF, SPECIALS, WORDS
from scoring.rules.settings_schema import DEFAULTS, IN_ROWS, MAX_NUMBER, ROW_ONLY
from scoring.rulesets.rules import make_key
from scoring.rulesets.texts.settings import SPECIAL_OF_LABELS, Terms, get_special_name, get_word_name, render_row

from .inputs import (
    ChoiceInput,
    Data,
    Fields,
    MultipleInput,
    NameField,
    SettingInput,
    build_row_inputs,
    list_names,
    make_number_input,
)


class BoxField(forms.BooleanField):
    def __init__(self, label: str, initial: bool) -> None:
        widget = forms.CheckboxInput(attrs={"class": "form-check-input"})
        super().__init__(label=label, initial=initial, required=False, widget=widget)


NAME_MISSING: Final = gettext_lazy("Bitte einen Namen angeben.")
NAME_TAKEN: Final = gettext_lazy("So heißt schon etwas anderes. Bitte einen anderen Namen wählen.")


def list_new_rows(data: Mapping[str, Any] | None, name: str, one_more: bool) -> list[str]:
    """Return the numbers of the rows that are not stored yet: those sent, or an empty one, and `one_more` on request."""
    if data is None:
        return ["0"]
    found = [match[1] for key in data if (match := re.fullmatch(rf"{name}__([0-9]{{1,2}})-name", key))]
    if one_more or not found:
        found.append(next(str(number) for number in range(100) if str(number) not in found))
    return found


SPECIALS_NAME: Final = "specials"


class PointsField(forms.CharField):
    """A number, or the points of the first, the second and so on: "5, 10"."""

    wrong = gettext_lazy("Bitte eine Zahl von 0 bis 10000 angeben oder bis zu neun mit Komma: 5, 10.")
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


class SpecialRows(SettingInput):
    """The rows of `specials`: built-in ones, own ones of `settings`, and `new` ones. The page lists them by `list_rows`."""

    def __init__(self, settings: Mapping[str, Any], words: Mapping[str, str], new: list[str]) -> None:
        own = Terms(settings).specials
        self.titles = {key: get_special_name(key, own) for key in (*SPECIALS, *own)}
        self.new = new
        self.rows = [*self.titles, *new]
        # A Herzstich that only starts a Bock is offered with 0 points.
        bock = settings["bock"]
        self.idle = {"herzstich"} if bock and "herzstich" in bock["triggers"] else set()
        times = {"points": _("Punkte"), **{str(n): _("Wert × %(times)s") % {"times": n} for n in (2, 3, 4, 1)}}
        self.how = ChoiceInput(times, _("Zählt"), short=True)
        self.columns: dict[str, SettingInput] = {
            "most": make_number_input(_("Höchstens im Spiel"), 1, 9, WholeField),
            "most_party": make_number_input(_("Höchstens je Partei"), 1, 9, WholeField),
            "of": ChoiceInput({of: _(SPECIAL_OF_LABELS[of]) for of in SPECIAL_OF}, _("Wer ihn bekommt"), short=True),
            "kinds": MultipleInput(words, _("Nur in diesen Spielen")),
        }

    def build_fields(self, name: str, value: Mapping[str, Any]) -> Fields:
        found: Fields = {}
        for row in self.rows:
            stored = value.get(row, {"points": 0 if row in self.idle else 1})
            stored = {"of": "party", "kinds": [], **(stored if isinstance(stored, Mapping) else {"points": stored})}
            points = stored["points"]
            if row in self.titles:
                found[self._name(row)] = BoxField(self.titles[row], row in value)
            label = _("Heißt bei uns") if row in SPECIALS else _("Name")
            found[self._name(row, "name")] = NameField(label, stored.get("name", ""))
            found[self._name(row, "points")] = PointsField(
                label=_("Punkte"),
                initial="1" if isinstance(points, Mapping) else _text(points),
                required=False,
                help_text=PointsField.hint if SPECIALS.get(row, 2) > 1 else "",
                widget=forms.TextInput(attrs={"class": "form-control num", "autocomplete": "off"}),
            )
            found |= self.how.build_fields(self._name(row, "how"), points["times"] if isinstance(points, Mapping) else "points")
            for column, part in self.columns.items():
                found |= part.build_fields(self._name(row, column), stored.get(column))
        return found

    def list_used(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        for row in self.rows:
            if row in self.titles:
                yield self._name(row)
            if row not in SPECIALS:
                yield self._name(row, "name")
            if self._exists(row, data):
                if row in SPECIALS:
                    yield self._name(row, "name")
                yield from (self._name(row, column) for column in ("points", "how", *self.columns))

    def list_faults(self, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for row in self.rows:
            if row not in SPECIALS and data.get(self._name(row, "name")) == "" and self._is_filled(row, data):
                yield self._name(row, "name"), str(NAME_MISSING)
            if not self._exists(row, data):
                continue
            others = (self._get_name_key(other, data) for other in self.rows if other != row)
            if data.get(self._name(row, "name")) and self._get_name_key(row, data) in others:
                yield self._name(row, "name"), str(NAME_TAKEN)
            points = self._name(row, "points")
            if data.get(self._name(row, "how")) == "points" and data.get(points, 0) is None:
                yield points, str(PointsField.wrong)
            most = data.get(self._name(row, "most")) or SPECIALS.get(row, 1)
            if (data.get(self._name(row, "most_party")) or 1) > most:
                yield self._name(row, "most_party"), _("Eine Partei kann nicht mehr davon haben als beide zusammen.")

    def _get_name_key(self, row: str, data: Mapping[str, Any]) -> str:
        return text_key(data.get(self._name(row, "name")) or (get_special_name(row, {}) if row in SPECIALS else ""))

    def _is_filled(self, row: str, data: Mapping[str, Any]) -> bool:
        """Return whether an own row is ticked or, if new, filled in."""
        if row in self.titles:
            return bool(data.get(self._name(row)))
        shown = self.build_fields(SPECIALS_NAME, {})
        names = [self._name(row, column) for column in ("points", "how", *self.columns)]
        return any(str(data.get(name) or "") != str(shown[name].initial or "") for name in names)

    def read(self, name: str, data: Mapping[str, Any]) -> Data:
        found: Data = {}
        for row in self.rows:
            if not self._exists(row, data):
                continue
            how = data[self._name(row, "how")]
            points = data[self._name(row, "points")] if how == "points" else {"times": int(how)}
            own_name = data[self._name(row, "name")]
            special: Data = {} if row in SPECIALS and not own_name else {"name": own_name}
            special["points"] = points
            for column in ("most", "most_party", "kinds"):
                value = self.columns[column].read(self._name(row, column), data)
                if value:
                    special[column] = value
            if (of := data[self._name(row, "of")]) != "party":
                special["of"] = of
            key = make_key(special["name"], {*self.titles, *found}) if row in self.new else row
            found[key] = points if special == {"points": points} and type(points) is int else special
        return found

    def _exists(self, row: str, data: Mapping[str, Any]) -> bool:
        return bool(data.get(self._name(row, "name") if row in self.new else self._name(row)))

    @staticmethod
    def _name(row: str, column: str = "") -> str:
        return f"{SPECIALS_NAME}__{row}-{column}" if column else f"{SPECIALS_NAME}__{row}"

    def list_rows(self, form: forms.Form, added: str | None, notes: Mapping[str, list[str]]) -> list[Data]:
        """Return the rows for the page. `added` is the row just asked for, `notes` are by name of the special point."""
        found = []
        for row in self.rows:
            fields = {column: form[self._name(row, column)] for column in ("points", "how", *self.columns)}
            own = row not in SPECIALS
            name = form[self._name(row, "name")]
            title = self.titles.get(row, _("Eigener Sonderpunkt"))
            found.append(
                {
                    "key": row,
                    "title": title,
                    "box": form[self._name(row)] if row in self.titles else None,
                    "own": own,
                    "name": name,
                    **fields,
                    "faulty": any(field.errors for field in fields.values()) or (not own and bool(name.errors)),
                    "notes": notes.get(tidy(name.value() or "") or title, []),
                    "added": row == added,
                }
            )
        return found


def _text(points: int | list[int]) -> str:
    return ", ".join(map(str, points)) if isinstance(points, (list, tuple)) else str(points)


KINDS_NAME: Final = "per_kind"
# The settings that an own kind shows from the start.
MAIN: Final = ("decided", "won", "limits", "times", "in_bock")
# Initial values of settings that only a row has. A new own kind has no limits, because it usually has a fixed price.
FIRST: Final[Data] = {key: setting.default for key, setting in ROW_ONLY.items()} | {"name": ""}
FIRST_OF_OWN: Final[Data] = {"limits": []}

WordKey = tuple[str, str]


def get_setting_name(key: str) -> str:
    return _("Heißt bei uns (nur eine Spielart)") if key == "name" else _(IN_ROWS[key].name)


def is_misnamed(word: str, key: str) -> bool:
    """Return whether a row would give a club's name to a word that is no built-in kind of game."""
    return key == "name" and word not in KINDS


class KindRows(SettingInput):
    """The rows of `per_kind`: those of `settings`, `new` ones, and `requests` for further settings by word and key."""

    def __init__(self, settings: Mapping[str, Any], new: list[str], requests: Iterable[WordKey]) -> None:
        self.stored: Mapping[str, Any] = settings.get("per_kind", {})
        self.settings, self.new = settings, new
        self.inputs = build_row_inputs(settings)
        self.terms = Terms(settings)
        self.lines = {
            word: [key for key in self.inputs if key in row and not is_misnamed(word, key)]
            for word, row in self.stored.items()
        }
        for word in self.lines:
            if word not in WORDS:
                self.lines[word] += [key for key in MAIN if key not in self.lines[word]]
        self.lines |= {row: list(MAIN) for row in new}
        for word, key in requests:
            if key in self.inputs and (word in self.lines or word in WORDS) and not is_misnamed(word, key):
                lines = self.lines.setdefault(word, [])
                lines += [] if key in lines else [key]
        likes = {"": _("Bitte wählen"), **{like: capfirst(get_word_name(like, {})) for like in LIKE}}
        self.like = ChoiceInput(likes, _("Gespielt wie"), short=True)

    @property
    def shown_pairs(self) -> list[str]:
        return [f"{word}.{key}" for word, keys in self.lines.items() for key in keys if word not in self.new or key not in MAIN]

    def new_kinds(self, form: forms.Form) -> dict[str, str]:
        names = {row: tidy(form[self._name(row, "name")].value() or "") for row in self.new}
        return {row: name or _("Neue eigene Spielart") for row, name in names.items()}

    def build_fields(self, name: str, value: Mapping[str, Any]) -> Fields:
        found: Fields = {}
        for row, keys in self.lines.items():
            stored = value.get(row, {})
            if self._is_own(row):
                if row not in self.new:
                    found[self._name(row)] = BoxField(_("Diese Spielart gibt es"), True)
                found[self._name(row, "name")] = NameField(_("Name"), stored.get("name", ""))
                found |= self.like.build_fields(self._name(row, "like"), stored.get("like", ""))
                found[self._name(row, "like")].required = False
            for key in keys:
                found[self._name(row, key, "set")] = BoxField(get_setting_name(key), key in stored)
                found |= self.inputs[key].build_fields(self._name(row, key), stored.get(key, self._get_default(row, key)))
        return found

    def _get_default(self, row: str, key: str) -> Any:
        value = {**DEFAULTS, **FIRST, **self.settings, **(FIRST_OF_OWN if self._is_own(row) else {})}[key]
        by_party_game = isinstance(value, Mapping) and set(value) == {"partner", "solo"}
        return value["solo"] if by_party_game else value

    def list_used(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        for row, keys in self.lines.items():
            if self._is_own(row):
                yield from (self._name(row), self._name(row, "name"), self._name(row, "like"))
            if self._exists(row, data):
                for key in keys:
                    yield self._name(row, key, "set")
                    yield from self.inputs[key].list_used(self._name(row, key), data)

    def list_faults(self, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for row in self.lines:
            if not self._is_own(row) or row not in self.new and not self._exists(row, data):
                continue
            name, like = data.get(self._name(row, "name")), data.get(self._name(row, "like"))
            begun = row not in self.new or like or any(self._is_set(row, key, data) for key in self.lines[row])
            if name == "" and begun:
                yield self._name(row, "name"), str(NAME_MISSING)
            elif name and like == "":
                yield self._name(row, "like"), _("Bitte wählen, welcher Spielart sie gleicht.")
            elif name and text_key(name) in self._other_names(row, data):
                yield self._name(row, "name"), str(NAME_TAKEN)

    def _other_names(self, row: str, data: Mapping[str, Any]) -> set[str]:
        typed = [data.get(self._name(one, "name")) for one in self.lines if one != row and self._is_own(one)]
        return {text_key(name) for name in (*map(_, labels.KINDS.values()), *typed) if name}

    def read(self, name: str, data: Mapping[str, Any]) -> Data:
        found: Data = {}
        for row, keys in self.lines.items():
            if not self._exists(row, data):
                continue
            read: Data = {}
            if self._is_own(row):
                read = {"name": data[self._name(row, "name")], "like": data[self._name(row, "like")]}
            set_here = (key for key in keys if self._is_set(row, key, data))
            read |= {key: self.inputs[key].read(self._name(row, key), data) for key in set_here}
            if read:
                taken = {*WORDS, *self.lines, *found}
                found[make_key(read["name"], taken) if row in self.new else row] = read
        return found

    def _is_set(self, row: str, key: str, data: Mapping[str, Any]) -> bool:
        return bool(data.get(self._name(row, key, "set"))) and (key != "name" or bool(data.get(self._name(row, key))))

    def _is_own(self, row: str) -> bool:
        return row not in WORDS

    def _exists(self, row: str, data: Mapping[str, Any]) -> bool:
        if not self._is_own(row):
            return True
        return bool(data.get(self._name(row, "name") if row in self.new else self._name(row)))

    @staticmethod
    def _name(row: str, *parts: str) -> str:
        return "-".join((f"{KINDS_NAME}__{row}", *parts))

    def list_rows(self, form: forms.Form, added: WordKey | None, current: Mapping[str, Any]) -> list[Data]:
        """Return the rows for the page. `added` is the row or setting just asked for, `current` the settings to put in words."""
        changed = set(form.changed_data) if form.is_bound else set()
        found = []
        for row, keys in self.lines.items():
            own, new = self._is_own(row), row in self.new
            touched = any(name.startswith(f"{KINDS_NAME}__{row}-") for name in (*changed, *form.errors))
            found.append(
                {
                    "key": row,
                    "sentence": self._render(row, form, current),
                    "box": form[self._name(row)] if own and not new else None,
                    "name": form[self._name(row, "name")] if own else None,
                    "like": form[self._name(row, "like")] if own else None,
                    "lines": [self._build_line(form, row, key) | {"added": added == (row, key)} for key in keys],
                    "open": touched or added is not None and added[0] == row,
                    "added": added == (row, ""),
                }
            )
        return found

    def _render(self, row: str, form: forms.Form, current: Mapping[str, Any]) -> str:
        """Return the sentence of a row. A new row is found by its name."""
        rows: Mapping[str, Any] = current.get("per_kind", {})
        if row in self.new:
            name = tidy(form[self._name(row, "name")].value() or "")
            own = next((key for key in rows if key not in self.stored and rows[key].get("name") == name), None)
            return render_row(own, rows[own], Terms(current)) if own else _("Eine eigene Spielart dazunehmen")
        return render_row(row, rows.get(row, {}), Terms(current) if row in rows else self.terms)

    def _build_line(self, form: forms.Form, row: str, key: str) -> Data:
        name, setting = self._name(row, key), self.inputs[key]
        return {
            "name": get_setting_name(key),
            "differs": form[self._name(row, key, "set")],
            "parts": setting.list_parts(name, form),
            "faulty": bool(list_names(form.errors, name)),
        }

    @property
    def choices(self) -> dict[str, str]:
        return {key: get_setting_name(key) for key in (*ROW_ONLY, *(key for key in self.inputs if key not in ROW_ONLY))}
