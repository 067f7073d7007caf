"""The form for all settings of a rule set. Without a script, a button sends it and gets it back with one more row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.core.text import tidy
from scoring.rules.constants import KIND_PREFIX, KINDS, SPECIAL_PREFIX, WORDS
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings import get_settings_at
from scoring.rules.settings_schema import BY_FIELD, DEFAULTS, SECTIONS, validate_settings
from scoring.rules.validation import Sentence
from scoring.rulesets.texts.collection import contains_words, get_search_words
from scoring.rulesets.texts.rule_sets import Notes, list_notes
from scoring.rulesets.texts.settings import (
    Terms,
    get_word_name,
    render_bock_setting,
    render_setting,
)

from .inputs import (
    LONG_TABLES,
    MISSING,
    Data,
    Fields,
    NeededField,
    build_setting_inputs,
    list_names,
    list_words,
    merge_changes,
)
from .rows import (
    KINDS_NAME,
    SPECIALS_NAME,
    KindRows,
    SpecialRows,
    WordKey,
    is_misnamed,
    list_new_rows,
)


class SettingLine:
    """One setting on the page. `elsewhere` are its values at tables of other sizes, `needs` is the setting it depends on."""

    def __init__(self, form: SettingsForm, key: str, sentence: str) -> None:
        setting, part = BY_FIELD[key], form.inputs.get(key)
        if key.startswith("bock__"):
            variants = form.inputs["bock"].variants  # type: ignore[attr-defined]  # the Bock is a VariantInput
            part = variants["yes"].group.parts[key.removeprefix("bock__")]
        fields = ["bock"] if key == "bock" else list_names(form.fields, key)
        changed = form.is_bound and not set(fields).isdisjoint(form.changed_data)
        differs_by_kind = any(setting.needs in row for row in form.current.get("per_kind", {}).values())
        self.key, self.name, self.explained, self.sentence = key, _(setting.name), _(setting.explained), sentence
        self.search_words = get_search_words(key)
        self.parts = part.list_parts(key, form) if part and fields and key != SPECIALS_NAME else []
        self.faulty = form.is_bound and any(name in form.errors for name in fields)
        self.found = bool(form.search) and contains_words(form.search, self.name, self.explained, self.search_words, sentence)
        self.open = changed or self.faulty or self.found or (key == SPECIALS_NAME and form.add == "special")
        self.notes = form.notes[0].get(key, [])
        self.elsewhere = _list_elsewhere(form, key)
        self.needs = "" if self.faulty or differs_by_kind else setting.needs


def list_setting_lines(form: SettingsForm) -> list[tuple[str, list[SettingLine]]]:
    settings = form.shown_settings
    terms = Terms(settings)

    def render(key: str) -> str:
        if key.startswith("bock__"):
            return render_bock_setting(key.removeprefix("bock__"), settings, terms)
        return render_setting(key, settings)

    sections = []
    for title, keys in SECTIONS.items():
        shown = [key for key in BY_FIELD if key.partition("__")[0] in keys and key != KINDS_NAME]
        lines = [SettingLine(form, key, render(key)) for key in shown]
        sections.append((_(title), [line for line in lines if line.parts or line.key == SPECIALS_NAME]))
    by_key = {line.key: line for _title, lines in sections for line in lines}
    for line in by_key.values():
        # A setting that is hidden is found together with the settings that it needs.
        needed = line.found and BY_FIELD[line.key].needs
        while needed:
            by_key[needed].found = by_key[needed].open = True
            needed = BY_FIELD[needed].needs
    return [(title, lines) for title, lines in sections if lines]


def _list_elsewhere(form: SettingsForm, key: str) -> list[str]:
    """Return the sentences of a setting at tables of other sizes."""
    if form.people is not None or key.startswith("bock"):
        return []
    return [
        _("Mit %(people)s am Tisch: %(sentence)s")
        % {"people": size, "sentence": render_setting(key, get_settings_at(form.stored, size))}
        for size, other in sorted(form.stored.get("at", {}).items())
        if key in other
    ]


# The buttons that send the form for one more row instead of saving.
ADD: Final = ("special", "kind", "row")


class SettingsForm(forms.Form):
    """The form of every setting: of all tables, or with `people` of tables of this size, in the unit of all tables.

    `stored` are all settings; settings["at"][str(people)] has those that differ at a size. `current` are those of this size,
    `settings` the valid ones to store, and `shown_settings` those of this size as typed if valid, else as stored."""

    def __init__(self, data: Any = None, *, settings: Mapping[str, Any], people: int | None = None) -> None:
        self.stored, self.people = dict(settings), people
        self.current = get_settings_at(settings, people)
        add = data.get("add") if data is not None else None
        self.add = add if add in ADD else None
        self.search = tidy(data.get("find", "")) if data is not None else ""
        requests, self.requested = self._list_requests(data)
        self.words = list_words(self.current)
        self.specials = SpecialRows(self.current, self.words, list_new_rows(data, SPECIALS_NAME, self.add == "special"))
        self.rows = KindRows(self.current, list_new_rows(data, KINDS_NAME, self.add == "kind"), requests)
        self.inputs = build_setting_inputs(self.current) | {SPECIALS_NAME: self.specials, KINDS_NAME: self.rows}
        fields: Fields = {}
        for key, part in self.inputs.items():
            fields |= part.build_fields(key, self.current.get(key, DEFAULTS.get(key)))
        super().__init__(data if data is None else self._add_initial(data, fields))
        self.fields |= fields
        if people is not None:
            # These are the same at tables of all sizes.
            del self.fields["unit"], self.fields["bock__carry"], self.fields["text"]

    @staticmethod
    def _list_requests(data: Any) -> tuple[list[WordKey], WordKey | None]:
        """Return the settings by kind of game beyond the stored ones, as word and key, and the one just asked for."""
        if data is None:
            return [], None
        sent = data.getlist("shown") if hasattr(data, "getlist") else data.get("shown", [])
        requests = [(word, key) for word, _dot, key in (str(pair).partition(".") for pair in sent)]
        word, key = data.get("row_word"), data.get("row_key")
        if word and key:
            return [*requests, (word, key)], (word, key)
        return requests, None

    def _add_initial(self, data: Any, fields: Fields) -> Any:
        """Return the data that was sent, with the initial values of the fields that were just asked for."""
        name = ""
        begins: tuple[str, ...] = ()
        if self.add == "special":
            begins = (f"{SPECIALS_NAME}__{self.specials.new[-1]}-",)
        elif self.add == "kind":
            begins = (f"{KINDS_NAME}__{self.rows.new[-1]}-",)
        elif self.requested:
            word, key = self.requested
            name = f"{KINDS_NAME}__{word}-{key}"
            begins = (f"{name}-", f"{name}__")
        sent = data.copy()
        for key, field in fields.items():
            if key != name and not key.startswith(begins):
                continue
            value = key == f"{name}-set" or field.initial
            if isinstance(value, list):
                sent.setlist(key, value)
            elif value not in (None, False):
                sent[key] = "on" if value is True else str(value)
        return sent

    @property
    def unfinished(self) -> bool:
        return self.add is not None or self.requested is not None

    def _read(self, data: Mapping[str, Any]) -> Data:
        """Return the settings in the fields, without defaults. Fields that the form lacks have the value of all tables."""
        everywhere = {
            "unit": self.stored["unit"],
            "bock__carry": (self.stored["bock"] or PLAIN_BOCK)["carry"],
            "text": self.stored.get("text", ""),
        }
        data = {**(everywhere if self.people else {}), **data}
        settings = {key: part.read(key, data) for key, part in self.inputs.items()}
        rows = settings["per_kind"]
        stored = self.current.get("per_kind", {})
        gone = {key for key in stored if key not in WORDS and key not in rows}
        new = [key for key in rows if key not in WORDS and key not in stored]
        settings["kinds"] = [kind for kind in settings["kinds"] if kind not in gone] + new
        return {key: value for key, value in settings.items() if key not in DEFAULTS or value != DEFAULTS[key]}

    def _clean_shown(self) -> Data:
        data = {}
        for name, field in self.fields.items():
            data[name] = self.get_initial_for_field(field, name)
            # A stored name can be one that the field refuses.
            with suppress(forms.ValidationError):
                data[name] = field.clean(data[name])
        return data

    @property
    def settings(self) -> Data:
        return self._complete(self.cleaned_data)

    def _complete(self, cleaned: Mapping[str, Any]) -> Data:
        """Return the whole settings to store. At one size only what differs from all tables is stored, but an exception that was
        stored and not changed stays, also an equal or an empty one."""
        typed = merge_changes(self.current, self._read(self._clean_shown()), self._read(cleaned))
        if self.people is None:
            return typed
        size, base = str(self.people), {**DEFAULTS, **self.stored}
        at = dict(self.stored.get("at", {}))
        before = at.get(size, {})
        complete = {**DEFAULTS, **typed}
        unchanged = {key for key in before if complete.get(key) == self.current[key]}
        at[size] = {
            key: before[key] if key in unchanged else value
            for key, value in complete.items()
            if key not in ("at", "text") and (key in unchanged or value != base[key])
        }
        if not at[size] and self.stored.get("at", {}).get(size) != {}:
            del at[size]
        return {**self.stored, "at": dict(sorted(at.items()))} if at or "at" in self.stored else dict(self.stored)

    def clean(self) -> Data:
        cleaned = super().clean() or {}
        used = {name for key, part in self.inputs.items() for name in part.list_used(key, cleaned)}
        for name, field in self.fields.items():
            if name in self.errors and name not in used:
                # The field belongs to a choice that was not made.
                del self.errors[name]
                cleaned[name] = None
            elif name in used and isinstance(field, NeededField) and name not in self.errors and cleaned[name] is None:
                self.add_error(name, MISSING)
        for name, fault in (*self.specials.list_faults(cleaned), *self.rows.list_faults(cleaned)):
            if name not in self.errors:
                self.add_error(name, fault)
        if not self.errors:
            for key, found in validate_settings(self._complete(cleaned)).items():
                self.add_error(*self._locate_fault(key, found, cleaned))
        return cleaned

    def _locate_fault(self, key: str, found: Sentence, cleaned: Mapping[str, Any]) -> tuple[str | None, str]:
        """Return the field and the sentence of a fault. A name that was removed is read from the stored settings."""
        name, terms = str(found.values.get("name", "")), Terms(self.current)
        title = capfirst(
            terms.get_special(name.removeprefix(SPECIAL_PREFIX))
            if name.startswith(SPECIAL_PREFIX)
            else terms.get_word(name.removeprefix(KIND_PREFIX))
        )
        if key == "bock" and cleaned["bock"] == "yes" and name in cleaned["bock__triggers"]:
            text = _(
                "„%(name)s“ löst noch einen Bock aus, ist aber in diesem Regelwerk nicht angekreuzt. Bitte auch hier "
                "wegnehmen oder dort ankreuzen."
            )
            return "bock__triggers", text % {"name": title}
        return self._get_field(key, cleaned), _(found.text) % {**found.values, "name": title}

    def _get_field(self, key: str, cleaned: Mapping[str, Any]) -> str | None:
        """Return the first field of a faulty setting, of the seating the first size that does not fit; None: the whole form."""
        if key == "seating" or key == "at" and self.people:
            wrong = [people for people in LONG_TABLES if not _seats_fit(people, len(cleaned[f"seating__{people}"]))]
            if wrong:
                return f"seating__{wrong[0]}"
        return next(iter(list_names(self.fields, key)), None)

    @property
    def shown_settings(self) -> Mapping[str, Any]:
        if not self.is_bound or not self.is_valid():
            return self.current
        return get_settings_at(self.settings, self.people)

    @cached_property
    def notes(self) -> Notes:
        return list_notes(self.shown_settings)

    @cached_property
    def sections(self) -> list[tuple[str, list[SettingLine]]]:
        return list_setting_lines(self)

    @property
    def search_results(self) -> list[tuple[str, str]]:
        lines = [(line.key, line.name) for _title, lines in self.sections for line in lines if line.found]
        sentences = (row["sentence"] for row in self.kind_rows)
        by_kind = [(KINDS_NAME, _("Einzelne Spiele und eigene Spielarten"))]
        return lines + (by_kind if contains_words(self.search, self.kinds_search_words, *sentences) else [])

    @property
    def kinds_search_words(self) -> str:
        return get_search_words(KINDS_NAME)

    @property
    def other_kinds(self) -> dict[str, str]:
        """The built-in kinds that the stored rule set lacks: all are offered, so that one that was only just ticked can be chosen
        before it is saved."""
        return {kind: capfirst(get_word_name(kind, {})) for kind in KINDS if kind not in self.words}

    @property
    def new_kinds(self) -> dict[str, str]:
        return self.rows.new_kinds(self)

    @property
    def kind_rows(self) -> list[Data]:
        new = (self.rows.new[-1], "") if self.add == "kind" else None
        return self.rows.list_rows(self, new or self.requested, self.shown_settings)

    @property
    def row_missing(self) -> bool:
        """Return whether another setting by kind of game was requested without a kind."""
        return self.add == "row" and self.requested is None

    @property
    def row_misnamed(self) -> bool:
        return self.requested is not None and is_misnamed(*self.requested)

    @property
    def kinds_faulty(self) -> bool:
        return bool(list_names(self.errors, KINDS_NAME))

    @property
    def special_rows(self) -> list[Data]:
        return self.specials.list_rows(self, self.specials.new[-1] if self.add == "special" else None, self.notes[1])


def _seats_fit(people: int, playing: int) -> bool:
    """Return whether so many can play: four, or all at six and eight; none if each game says who plays."""
    return playing in (0, 4) or playing == people != 7
