"""The form for all settings of a rule set, and each setting as a line of its page.

What is typed becomes complete settings again; a setting that was not changed stays exactly as it was stored. The tables of
the form can grow while it is filled in, also without a script: a button sends the form and gets it back with one more row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.core.text import tidy
from scoring.rules import labels
from scoring.rules.constants import DEFAULTS, KIND_PREFIX, KINDS, SPECIAL_PREFIX, WORDS
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings_schema import validate_settings
from scoring.rules.validation import Sentence
from scoring.rulesets.texts.collection import called, finds
from scoring.rulesets.texts.rule_sets import SECTIONS, Notes, notes_of
from scoring.rulesets.texts.settings import about, bock_line, sentence, special_name, word_name

from .inputs import LONG_TABLES, MISSING, Data, NeededField, Part, kept, setting_fields, words
from .rows import KINDS_NAME, SPECIALS_NAME, KindRow, KindRows, Pair, SpecialRow, SpecialRows, is_misnamed, new_rows

# Which settings mean nothing while another one, the last of the names, is as the style of the page looks for.
NEEDS: Final = {
    **dict.fromkeys(("limit", "limit_counts", "re_limit_more"), "limits"),
    **dict.fromkeys(("absage", "missed_absage", "against_absage", "lost_announcement"), "re_kontra"),
    "against": "against_absage",
    **dict.fromkeys(("gegen_die_alten", "gegen_when"), "gegen_in"),
    "special_payer": "specials_when",
    "tie_120": "kontra_121",
    **dict.fromkeys(
        (f"bock__{key}" for key in ("triggers", "per_game", "length", "overlap", "effect", "carry")), "bock"
    ),
    "bock__cap": "bock__overlap",
    **dict.fromkeys(("bock__factor", "bock__drawn"), "bock__effect"),
    "bock__duty_solo_uses": "duty_solo",
}


@dataclass(frozen=True)
class Setting:
    """One setting on the page: its name, the sentence that explains it, other words for it, its value in words, its fields,
    notes, its values at tables of other sizes, the setting that it depends on, and whether a search found it."""

    key: str
    name: str
    explained: str
    called: str
    sentence: str
    parts: list[Part]
    open: bool
    faulty: bool
    notes: list[str]
    elsewhere: list[str]
    needs: str
    found: bool


def setting_lines(form: SettingsForm) -> list[tuple[str, list[Setting]]]:
    """All settings of the form, grouped as they are told."""
    said, notes = form.said, form.notes.settings
    found = [
        (str(title), [_setting(form, key, labels.SETTINGS[key], sentence(key, said), notes) for key in keys])
        for title, keys in SECTIONS
    ]
    known = about(said)
    there = _("Bock gibt es nicht.") if said["bock"] is None else _("Bock gibt es.")
    lines = [_setting(form, "bock", labels.SETTINGS["bock"], there, notes)]
    lines += [
        _setting(form, f"bock__{key}", explained, bock_line(key, said, known), notes)
        for key, explained in labels.BOCK.items()
    ]
    found.append((_("Bock"), lines))
    text = said.get("text") or _("Sonst ist nichts aufgeschrieben.")
    found.append((_("Außerdem"), [_setting(form, "text", labels.SETTINGS["text"], text, notes)]))
    shown = [(title, [line for line in lines if line.parts or line.key == "specials"]) for title, lines in found]
    found_keys = {line.key for _title, lines in shown for line in lines if line.found}
    # What means nothing as things are is found with what it needs for that.
    needed = {need for key in found_keys for need in _needs(key)}
    return [
        (title, [replace(line, found=True, open=True) if line.key in needed else line for line in lines])
        for title, lines in shown
        if lines
    ]


def _needs(key: str) -> Iterator[str]:
    while need := NEEDS.get(key):
        yield need
        key = need


def _setting(
    form: SettingsForm, key: str, explained: labels.Label, said: str, notes: Mapping[str, list[str]]
) -> Setting:
    inner = key.removeprefix("bock__")
    if inner == key:
        typed = form.typed.get(key)
    else:
        typed = form.typed["bock"].shapes["yes"].parts.get(inner)  # type: ignore[attr-defined]  # of the Bock it is an Either
    fields = [] if typed is None else [name for name in typed.fields(key) if name in form.fields]
    if key == "specials":
        fields = list(form.specials.fields())
    if key == "bock":
        fields = ["bock"]
    parts = typed.parts(key, form) if typed and fields else []
    changed = not form.fields.keys().isdisjoint(fields) and bool(set(fields) & set(form.changed_data))
    faulty = form.is_bound and any(name in form.errors for name in fields)
    also = called(key)
    found = bool(form.found) and finds(form.found, _(explained.name), _(explained.sentence), also, said)
    return Setting(
        key=key,
        name=_(explained.name),
        explained=_(explained.sentence),
        called=also,
        sentence=said,
        parts=parts,
        open=form.is_bound and changed or faulty or found or (key == "specials" and form.add == "special"),
        faulty=faulty,
        notes=notes.get(key, []),
        elsewhere=_elsewhere(form, key),
        needs="" if faulty or _said_by_kind(form, key) else NEEDS.get(key, ""),
        found=found,
    )


def _said_by_kind(form: SettingsForm, key: str) -> bool:
    """Does a row by kind of game decide whether a setting means something?"""
    return any(NEEDS.get(key) in row for row in form.current.get("per_kind", {}).values())


def _elsewhere(form: SettingsForm, key: str) -> list[str]:
    """What this setting says at tables of other sizes."""
    if form.people is not None or key.startswith("bock"):
        return []
    return [
        _("Mit %(people)s am Tisch: %(sentence)s")
        % {"people": size, "sentence": sentence(key, {**form.stored, **other})}
        for size, other in sorted(form.stored.get("at", {}).items())
        if key in other
    ]


# What somebody asks for who does not want to save yet.
ADD: Final = ("special", "kind", "row")


class SettingsForm(forms.Form):
    """Every setting of a rule set. With `people` what differs at a table of so many; the unit is that of all tables."""

    def __init__(self, data: Any = None, *, settings: Mapping[str, Any], people: int | None = None) -> None:
        self.stored, self.people = dict(settings), people
        self.current = {**settings, **settings.get("at", {}).get(str(people), {})}
        add = data.get("add") if data is not None else None
        self.add = add if add in ADD else None
        self.found = tidy(data.get("find", "")) if data is not None else ""
        asked, self.row_asked = self._asked(data)
        self.words = words(self.current)
        self.specials = SpecialRows(
            self.current, self.words, new_rows(data, SPECIALS_NAME, self.add == "special")
        )
        self.rows = KindRows(self.current, new_rows(data, KINDS_NAME, self.add == "kind"), asked)
        self.typed = setting_fields(self.current)
        initial = self._shown()
        super().__init__(data if data is None else self._with_added(data, initial), initial=initial)
        for key, typed in self.typed.items():
            self.fields |= typed.fields(key)
        self.fields |= self.specials.fields() | self.rows.fields()
        if people is not None:
            # What holds for all tables: what is written down, whether open Bocks outlast the evening, and the text.
            del self.fields["unit"], self.fields["bock__carry"], self.fields["text"]

    @staticmethod
    def _asked(data: Any) -> tuple[list[Pair], Pair | None]:
        """The settings by kind of game that the form has besides the stored ones, by word and key, and the one that was just
        asked for."""
        if data is None:
            return [], None
        sent = data.getlist("shown") if hasattr(data, "getlist") else data.get("shown", [])
        asked = [(word, key) for word, _dot, key in (str(pair).partition(".") for pair in sent)]
        word, key = data.get("row_word"), data.get("row_key")
        if word and key:
            return [*asked, (word, key)], (word, key)
        return asked, None

    def _with_added(self, data: Any, initial: Data) -> Any:
        """What was sent, with what the fields begin with that were asked for with it."""
        name = ""
        begins: tuple[str, ...] = ()
        if self.add == "special":
            begins = (f"{SPECIALS_NAME}__{self.specials.new[-1]}-",)
        elif self.add == "kind":
            begins = (f"{KINDS_NAME}__{self.rows.new[-1]}-",)
        elif self.row_asked:
            word, key = self.row_asked
            name = f"{KINDS_NAME}__{word}-{key}"
            begins = (f"{name}-", f"{name}__")
            initial = {**initial, f"{name}-set": True}
        whole = data.copy()
        for key, held in initial.items():
            if key != name and not key.startswith(begins):
                continue
            if isinstance(held, list):
                whole.setlist(key, held)
            elif held not in (None, False):
                whole[key] = "on" if held is True else str(held)
        return whole

    @property
    def unfinished(self) -> bool:
        """Does somebody want one more row or look for something, instead of saving?"""
        return self.add is not None or self.row_asked is not None

    # --- What is held and what it means -------------------------------------------------------------------------------

    def _shown(self) -> Data:
        """What the fields hold for the settings."""
        held: Data = {}
        for key, typed in self.typed.items():
            held |= typed.show(key, self.current.get(key, DEFAULTS.get(key)))
        return held | self.specials.show(self.current["specials"]) | self.rows.show(self.current.get("per_kind", {}))

    def _read(self, held: Mapping[str, Any]) -> Data:
        """The settings in the fields, without those that may be left out. A field that is not asked for has the value of
        all tables."""
        everywhere = {
            "unit": self.stored["unit"],
            "bock__carry": (self.stored["bock"] or PLAIN_BOCK)["carry"],
            "text": self.stored.get("text", ""),
        }
        held = {**(everywhere if self.people else {}), **held}
        settings = {key: typed.read(key, held) for key, typed in self.typed.items()}
        rows = self.rows.read(held)
        stored = self.current.get("per_kind", {})
        gone = {key for key in stored if key not in WORDS and key not in rows}
        new = [key for key in rows if key not in WORDS and key not in stored]
        settings["kinds"] = [kind for kind in settings["kinds"] if kind not in gone] + new
        settings |= {"specials": self.specials.read(held), "per_kind": rows}
        return {key: value for key, value in settings.items() if key not in DEFAULTS or value != DEFAULTS[key]}

    def _held_as_shown(self) -> Data:
        """What the fields would hold, cleaned, if nobody had changed them."""
        held = {}
        for name, field in self.fields.items():
            held[name] = self.get_initial_for_field(field, name)
            # A stored name can be one that nobody may type.
            with suppress(forms.ValidationError):
                held[name] = field.clean(held[name])
        return held

    @property
    def settings(self) -> Data:
        """The complete rule set as it was typed; the form is valid."""
        return self._whole(self.cleaned_data)

    def _whole(self, cleaned: Mapping[str, Any]) -> Data:
        typed = kept(self.current, {**self._read(self._held_as_shown()), "at": 0}, {**self._read(cleaned), "at": 0})
        if self.people is None:
            return typed
        size, base = str(self.people), {**DEFAULTS, **self.stored}
        at = dict(self.stored.get("at", {}))
        before = at.get(size, {})
        told = {**DEFAULTS, **typed}
        at[size] = {
            key: value
            for key, value in told.items()
            if key not in ("at", "text") and (value != base[key] or key in before and value == before[key])
        }
        if not at[size] and self.stored.get("at", {}).get(size) != {}:
            del at[size]
        return {**self.stored, "at": dict(sorted(at.items()))} if at or "at" in self.stored else dict(self.stored)

    # --- What cannot be -----------------------------------------------------------------------------------------------

    def clean(self) -> Data:
        cleaned = super().clean() or {}
        used = {name for key, typed in self.typed.items() for name in typed.used(key, cleaned)}
        used |= {*self.specials.used(cleaned), *self.rows.used(cleaned)}
        for name, field in self.fields.items():
            if name in self.errors and name not in used:
                # It belongs to a choice that was not made.
                del self.errors[name]
                cleaned[name] = None
            elif name in used and isinstance(field, NeededField) and name not in self.errors and cleaned[name] is None:
                self.add_error(name, MISSING)
        for name, fault in (*self.specials.faults(cleaned), *self.rows.faults(cleaned)):
            if name not in self.errors:
                self.add_error(name, fault)
        if not self.errors:
            for key, found in validate_settings(self._whole(cleaned)).items():
                self.add_error(*self._fault(key, found, cleaned))
        return cleaned

    def _fault(self, key: str, found: Sentence, cleaned: Mapping[str, Any]) -> tuple[str | None, str]:
        """The field at which to say what is wrong with a setting, and what. What is no more has its name in the settings
        that are being changed."""
        name, known = str(found.values.get("name", "")), about(self.current)
        called = capfirst(
            special_name(name.removeprefix(SPECIAL_PREFIX), known.specials)
            if name.startswith(SPECIAL_PREFIX)
            else word_name(name.removeprefix(KIND_PREFIX), known.kinds)
        )
        if key == "bock" and cleaned["bock"] == "yes" and name in cleaned["bock__triggers"]:
            text = _(
                "„%(name)s“ löst noch einen Bock aus, ist aber in diesem Regelwerk nicht angekreuzt. Bitte auch hier "
                "wegnehmen oder dort ankreuzen."
            )
            return "bock__triggers", text % {"name": called}
        return self._place(key, cleaned), _(found.text) % {**found.values, "name": called}

    def _place(self, key: str, cleaned: Mapping[str, Any]) -> str | None:
        """The field at which to say what is wrong with a setting."""
        if key == "seating" or key == "at" and self.people:
            wrong = [people for people in LONG_TABLES if not _seats_fit(people, len(cleaned[f"seating__{people}"]))]
            if wrong:
                return f"seating__{wrong[0]}"
        return next((name for name in self.fields if name == key or name.startswith(f"{key}__")), None)

    # --- How it is shown ----------------------------------------------------------------------------------------------

    @property
    def said(self) -> Mapping[str, Any]:
        """The settings of which the sentences are."""
        if not self.is_bound or not self.is_valid():
            return self.current
        return {**self.settings, **self.settings.get("at", {}).get(str(self.people), {})}

    @cached_property
    def notes(self) -> Notes:
        """What is to be known about the settings of which the sentences are."""
        return notes_of(self.said)

    @cached_property
    def sections(self) -> list[tuple[str, list[Setting]]]:
        """All settings, grouped as they are told."""
        return setting_lines(self)

    @property
    def found_lines(self) -> list[tuple[str, str]]:
        """Keys and names of the settings that were looked for."""
        lines = [(line.key, line.name) for _title, lines in self.sections for line in lines if line.found]
        told = (row.said for row in self.kind_rows)
        by_kind = [(KINDS_NAME, _("Einzelne Spiele und eigene Spielarten"))]
        return lines + (by_kind if finds(self.found, self.kinds_called, *told) else [])

    @property
    def kinds_called(self) -> str:
        """By which words settings by kind of game are found."""
        return called(KINDS_NAME)

    @property
    def row_choices(self) -> dict[str, str]:
        """The settings that can be different in a kind of game."""
        return self.rows.choices

    @property
    def other_kinds(self) -> dict[str, str]:
        """The built-in kinds that the stored rule set lacks: one that was just ticked can be chosen at once."""
        return {kind: capfirst(word_name(kind, {})) for kind in KINDS if kind not in self.words}

    @property
    def new_kinds(self) -> dict[str, str]:
        return self.rows.new_kinds(self)

    @property
    def shown_pairs(self) -> list[str]:
        return self.rows.shown_pairs

    @property
    def kind_rows(self) -> list[KindRow]:
        new = (self.rows.new[-1], "") if self.add == "kind" else None
        return self.rows.shown(self, new or self.row_asked, self.said)

    @property
    def row_missing(self) -> bool:
        """Does somebody want another setting by kind of game without saying which?"""
        return self.add == "row" and self.row_asked is None

    @property
    def row_misnamed(self) -> bool:
        """Return whether another name was just asked for, for what has none of the program's."""
        return self.row_asked is not None and is_misnamed(*self.row_asked)

    @property
    def kinds_faulty(self) -> bool:
        return any(name in self.errors for name in self.rows.fields())

    @property
    def special_rows(self) -> list[SpecialRow]:
        return self.specials.shown(self, self.specials.new[-1] if self.add == "special" else None, self.notes.specials)


def _seats_fit(people: int, playing: int) -> bool:
    """Four play, or at six and eight all of them; none: it is said with each game."""
    return playing in (0, 4) or playing == people != 7
