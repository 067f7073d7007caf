"""The forms that lists and the Kasse share: uploading a file, and saying whose each column is."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import KEY_LENGTH, NAME_LENGTH, Club, Player
from scoring.club.queries import get_ids_by_name_key, list_people
from scoring.core.formats import NAME_ATTRS, mark_as_name
from scoring.core.names import are_alike, name_key, normalize_spelling, put_first_name_first
from scoring.core.text import build_file_name, tidy, validate_plain
from scoring.imports.reading.file_formats import OUR_LISTS
from scoring.imports.reading.outline import Exclusion, Outline, PersonColumn
from scoring.imports.reading.sheets import outline_sheets
from scoring.imports.reading.uploads import FileRefused, FileSheet, read_file, select_lists

from .grid import NOTE, PLACE

FILE_NAME_LENGTH: Final = 100


def clean_file_name(name: str) -> str:
    """Return the end of a name that can be stored, or an empty string if it is invalid: the user did not type it."""
    name = tidy(name)[-FILE_NAME_LENGTH:]
    try:
        validate_plain(name)
    except ValidationError:
        return ""
    return name


class UploadForm(forms.Form):
    """One file, or cells that are pasted; a cleaned form has its `sheets`, its `digest` and the `kind` that it seems to have."""

    file = forms.FileField(
        label=gettext_lazy("Datei"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.xls,.ods"}),
        help_text=gettext_lazy("CSV, Excel (.xlsx, .xls) oder LibreOffice (.ods), höchstens 2 MB. Erst kommt eine Vorschau."),
    )
    cells = forms.CharField(
        label=gettext_lazy("Oder Zellen einfügen"),
        required=False,
        # The first cell may be empty.
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "wrap": "off", "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy("In Excel oder LibreOffice die Zellen mit ihrer Kopfzeile kopieren, hier einfügen."),
    )
    sheets: Sequence[FileSheet]
    kind: str
    digest: str

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file, cells = cleaned.get("file"), cleaned.get("cells", "")
        try:
            if file and cells.strip():
                self.add_error("cells", _("Bitte nur eines: eine Datei oder eingefügte Zellen."))
            elif cells.strip():
                self._read(cells.encode(), "")
            elif file:
                self._read(file.read(), file.name)
            elif not self.errors:
                self.add_error("file", _("Bitte eine Datei wählen oder Zellen einfügen."))
        except FileRefused as refused:
            self.add_error("file" if file else "cells", str(refused))
        return cleaned

    def _read(self, data: bytes, name: str) -> None:
        # In CSV only the name of the file identifies our own list "Datum × Name".
        title = next((title for title in OUR_LISTS if name.startswith(build_file_name(title))), "")
        self.sheets = self.select_lists([sheet._replace(name=sheet.name or title) for sheet in read_file(data)])
        self.kind = self.guess_kind(self.sheets)
        self.digest = hashlib.sha256(data).hexdigest()

    def guess_kind(self, sheets: Sequence[FileSheet]) -> str:
        """Guess the kind of the first list. Raise FileRefused if there is none."""
        return next(iter(outline_sheets(sheets, known=set(get_ids_by_name_key(self.club))).values())).guess_kind()

    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        return select_lists(sheets)

    @property
    def file_name(self) -> str:
        file = self.cleaned_data["file"]
        return clean_file_name(file.name if file else _("Eingefügte Zellen")) or _("Datei")

    @property
    def stored_sheets(self) -> list[dict[str, Any]]:
        """The sheets as `Import.sheets` stores them."""
        return [sheet._asdict() for sheet in self.sheets]


# What a preview sends with the choices: those that it has shown, and the earlier ones, the last of which can be taken back.
SHOWN, EARLIER = "shown", "earlier"
MAX_EARLIER: Final = 10
NO_CHOICES: Final = frozenset({SHOWN, EARLIER, "undo", "take", "seen", "csrfmiddlewaretoken"})


def take_back_choice(posted: Mapping[str, str]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the posted values and all earlier choices. With the button "undo" the last of these replace the posted values."""
    choices = {name: value for name, value in posted.items() if name not in NO_CHOICES}
    [shown] = _read_choices(f"[{posted.get(SHOWN) or '{}'}]") or [{}]
    earlier = _read_choices(posted.get(EARLIER, ""))
    if shown and shown != {name: value for name, value in choices.items() if value}:
        earlier = [*earlier, shown][-MAX_EARLIER:]
    if "undo" in posted and earlier:
        return earlier.pop(), earlier
    return dict(posted), earlier


def _read_choices(text: str) -> list[dict[str, str]]:
    """Read a list of choices that a page has stored; empty if the text is none."""
    try:
        stored = json.loads(text)
    except ValueError:
        return []
    if not isinstance(stored, list) or not all(isinstance(choices, dict) for choices in stored):
        return []
    return [{name: str(value) for name, value in choices.items()} for choices in stored]


# The characters of row numbers that may be typed, and the rows that may be left out.
LONGEST: Final = 500
MAX_LEFT_OUT: Final = 200
LEAVE: Final = re.compile(r"leave_([0-9]{1,5})")
_DASH: Final = re.compile(r"\s*[-–]\s*")
_ROWS: Final = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def get_leave_field_name(row: int) -> str:
    return f"leave_{row}"


def parse_typed_rows(text: str, there: Collection[int]) -> tuple[set[int], str]:
    """Parse row numbers like "5, 12-14"; return those among the rows `there`, and an error message, empty if there is none."""
    rows: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", _DASH.sub("-", text[:LONGEST]))):
        match = _ROWS.fullmatch(part)
        if not match:
            return set(), _("„%(text)s“ ist keine Zeile. So geht es: 5, 12-14") % {"text": part[:40]}
        matching = {row for row in there if int(match[1]) <= row <= int(match[2] or match[1])}
        if not matching:
            return set(), _("In Zeile %(row)s steht nichts.") % {"row": part}
        rows |= matching
        if len(rows) > MAX_LEFT_OUT:
            return set(), _("Mehr als %(rows)s Zeilen bitte in der Datei löschen.") % {"rows": MAX_LEFT_OUT}
    return rows, ""


NEW, SKIP = "new", "skip"
# What a column may be that has only a text about the evening.
TEXTS: Final = {PLACE: gettext_lazy("Ort des Abends"), NOTE: gettext_lazy("Bemerkung")}
# The prefix of the value for a column that is joined to another.
WITH: Final = "with_"


class ColumnsForm(forms.Form):
    """A field for each column that could be a player; a cleaned form has the `people` of the columns."""

    club: Club
    candidates: Sequence[PersonColumn]
    # Whether several columns may be one person.
    joins = False
    # The columns for which the user has to choose.
    undecided: Collection[int] = ()
    # The columns with words, which may be places or remarks.
    word_columns: Collection[int] = ()

    # The sheets that the posted values belong to, and the fingerprint of the preview that was shown.
    of_sheet = forms.CharField(required=False)
    seen = forms.CharField(required=False)

    rows_out = forms.CharField(
        label=gettext_lazy("Zeilen auslassen"),
        required=False,
        max_length=LONGEST,
        help_text=gettext_lazy("Ihre Nummern in der Datei, zum Beispiel 5, 12-14."),
    )

    def tick_rows(self, values: Mapping[str, str], outline: Outline) -> dict[str, str]:
        """Return the rows that the user leaves out as ticked fields; typed numbers become ticks."""
        there = {number for number, _row in outline.iter_rows()}
        text = values.get("rows_out", "")
        rows, self._rows_fault = parse_typed_rows(text, there)
        ticked = {int(match[1]) for name in values if (match := LEAVE.fullmatch(name))}
        self.leave = (ticked & there) | rows
        return {**{get_leave_field_name(row): "on" for row in self.leave}, "rows_out": text if self._rows_fault else ""}

    def add_column_fields(self) -> None:
        for row in sorted(self.leave):
            self.fields[get_leave_field_name(row)] = forms.BooleanField(required=False)
        people = [(str(player.pk), player.name) for player in self._people.values()]
        for column in self.candidates:
            new = [(NEW, _("neue Person"))] if column.name else []
            if column.index in self.undecided:
                new = [("", _("Bitte wählen"))]
            choices = [*new, (SKIP, _("auslassen")), *self._list_joins(column), *people]
            if column.index in self.word_columns:
                choices = [*((role, str(label)) for role, label in TEXTS.items()), *choices]
            label, widget = mark_as_name(column.title), forms.Select(attrs=NAME_ATTRS)
            field = forms.ChoiceField(label=label, choices=choices, required=False, widget=widget)
            self.fields[get_field_name(column)] = field
            if self.joins and column.name:
                self.fields[get_guest_field_name(column)] = forms.BooleanField(label=_("Gast"), required=False)

    def _list_joins(self, column: PersonColumn) -> list[tuple[str, str]]:
        if not self.joins:
            return []
        others = (other for other in self.candidates if other.index != column.index and other.name and not other.exclusion)
        together = _("zusammen mit „%(name)s“")
        return [(f"{WITH}{other.index}", together % {"name": other.name}) for other in others]

    @cached_property
    def _people(self) -> dict[int, Player]:
        return {player.pk: player for player in list_people(self.club)}

    @cached_property
    def known(self) -> dict[str, int]:
        return get_ids_by_name_key(self.club)

    def propose_people(self, choices: Mapping[str, str]) -> dict[str, str]:
        """Return the choice for each column.
        It is the posted one, otherwise the player with this name or the only one with another spelling of it, otherwise a new one.
        """
        keys = {column.index: (name_key(column.name), name_key(put_first_name_first(column.name))) for column in self.candidates}
        exact = {index: self.known.get(key) or self.known.get(other) for index, (key, other) in keys.items()}
        spellings: dict[str, set[int]] = {}
        for player in self._people.values():
            if player.pk not in exact.values():
                spellings.setdefault(normalize_spelling(player.name), set()).add(player.pk)
        columns = {}
        for column in self.candidates:
            person, others = exact[column.index], spellings.get(normalize_spelling(column.name), set())
            if person is None and not column.exclusion and len(others) == 1:
                person = others.pop()
            columns[get_field_name(column)] = SKIP if column.exclusion else str(person or NEW)
        return columns | {name: value for name, value in choices.items() if name in columns}

    def _get_choice(self, column: PersonColumn) -> str:
        choice = self.cleaned_data.get(get_field_name(column)) or SKIP
        return SKIP if choice in TEXTS else choice

    def check_people(self) -> bool:
        """Add errors for rows that are not there, players selected twice and invalid new names; return whether any player is
        selected."""
        if self._rows_fault:
            self.add_error("rows_out", self._rows_fault)
        seen: set[object] = set()
        for column in self.candidates:
            name = get_field_name(column)
            if column.index in self.undecided and not self.cleaned_data.get(name):
                sentence = _(
                    "„%(name)s“ steht zweimal da, beide Male mit Punkten: Bitte in der Datei eine Spalte umbenennen oder beide "
                    "zusammenzählen, oder hier sagen, wessen diese ist, oder sie auslassen."
                )
                self.add_error(name, sentence % {"name": column.name})
            choice = self._get_choice(column)
            if choice == SKIP:
                continue
            if choice.startswith(WITH):
                if self._joined_to(column) is None:
                    self.add_error(name, _("Diese Spalte ist selbst ausgelassen oder zu einer anderen gelegt."))
                continue
            person = name_key(column.name) if choice == NEW else int(choice)
            if person in seen and not self.joins:
                self.add_error(name, _("Diese Person steht schon bei einer anderen Spalte."))
            elif choice == NEW and (sentence := _check_new_name(column.name, self.known)):
                self.add_error(name, sentence)
            seen.add(person)
        return bool(seen)

    def _joined_to(self, column: PersonColumn) -> PersonColumn | None:
        """Return the column that this one is joined to, if that one is a player."""
        choice = self._get_choice(column)
        others = (other for other in self.candidates if choice == f"{WITH}{other.index}")
        return next((other for other in others if not self._get_choice(other).startswith((SKIP, WITH))), None)

    @cached_property
    def first_columns(self) -> dict[int, int]:
        """The first column of the same player, for each column that is a player."""
        first: dict[object, int] = {}
        columns: dict[int, int] = {}
        for column in self.candidates:
            choice = self._get_choice(column)
            if not choice.startswith((SKIP, WITH)):
                person = name_key(column.name) if choice == NEW else int(choice)
                columns[column.index] = first.setdefault(person, column.index)
        joined = {column.index: columns[other.index] for column in self.candidates if (other := self._joined_to(column))}
        return dict(sorted((columns | joined).items()))

    @cached_property
    def people(self) -> dict[int, Player]:
        """The players by the index of their first column; new ones are unsaved."""
        people: dict[int, Player] = {}
        for column in self.candidates:
            choice = self._get_choice(column)
            if choice == NEW and self.first_columns[column.index] == column.index:
                people[column.index] = Player(name=column.name, guest=bool(self.cleaned_data.get(get_guest_field_name(column))))
            elif choice != SKIP and self.first_columns[column.index] == column.index:
                people[column.index] = self._people[int(choice)]
        return people

    @property
    def may_be_taken(self) -> bool:
        """True if the file is not empty and has no errors."""
        raise NotImplementedError

    @property
    def shown_names(self) -> list[str]:
        """The names of the fields that the page shows."""
        raise NotImplementedError

    @property
    def shown_choices(self) -> str:
        """The choices that the page shows, as JSON."""
        return json.dumps({name: str(self.data[name]) for name in self.shown_names if self.data.get(name)})

    @property
    def fingerprint(self) -> str:
        """A hash of all choices: only what the user has seen is taken in."""
        choices = {name: str(value) for name, value in self.cleaned_data.items() if name != "seen"}
        return hashlib.sha256(json.dumps(choices, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data.get("seen") == self.fingerprint)


def get_field_name(column: PersonColumn) -> str:
    return f"column_{column.index}"


def get_guest_field_name(column: PersonColumn) -> str:
    return f"guest_{column.index}"


def propose_joins(outline: Outline, choices: Mapping[str, str]) -> dict[str, str]:
    """Return the proposed joins: to the only column with a similar name and more evenings, if no row has points in both."""
    joins: dict[str, str] = {}
    groups: dict[int, list[PersonColumn]] = {}
    for column in sorted(outline.columns, key=lambda column: (bool(column.exclusion), -outline.count_amounts(column.index))):
        again = bool(column.exclusion) and bool(_list_same_name_before(outline, column))
        if not again and (column.exclusion or choices[get_field_name(column)] != NEW):
            if not column.exclusion:
                groups[column.index] = [column]
            continue
        fitting = [
            first
            for first, group in groups.items()
            if all(are_alike(column.name, one.name) and not outline.both_in_a_row(column.index, one.index) for one in group)
        ]
        same = [first for first in fitting if name_key(groups[first][0].name) == name_key(column.name)]
        if len(same or fitting) == 1:
            [first] = same or fitting
            joins[get_field_name(column)] = f"{WITH}{first}"
            groups[first].append(column)
        elif not column.exclusion:
            groups[column.index] = [column]
    return joins


def list_repeated(outline: Outline) -> list[PersonColumn]:
    """List the columns with the name of one before, if some row has points in both."""
    return [
        column
        for column in outline.columns
        if column.exclusion is Exclusion.CALLED_BEFORE
        and any(outline.both_in_a_row(column.index, other.index) for other in _list_same_name_before(outline, column))
    ]


def _list_same_name_before(outline: Outline, column: PersonColumn) -> list[PersonColumn]:
    return [
        other
        for other in outline.columns
        if other.index < column.index and not other.exclusion and name_key(other.name) == name_key(column.name)
    ]


def _check_new_name(name: str, taken: Mapping[str, int]) -> str:
    """Return why a new player cannot have this name, or an empty string."""
    if name_key(name) in taken:
        return _("Diesen Namen gibt es im Club schon. Bitte die Person wählen.")
    if not name_key(name):
        return _("Das ist kein Name. Bitte in der Datei ändern, oder hier die Person wählen.")
    if len(name) > NAME_LENGTH or len(name_key(name)) > KEY_LENGTH:
        sentence = _(
            "Der Name ist zu lang: Höchstens %(length)s Zeichen. Bitte in der Datei kürzen, oder hier die Person "
            "wählen oder die Spalte auslassen."
        )
        return sentence % {"length": NAME_LENGTH}
    return ""

