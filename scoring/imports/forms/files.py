"""Uploading one file of an old list: read at once, and refused with a sentence where it is none."""

from __future__ import annotations

import hashlib
import json
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
from scoring.imports.actions import Newcomer
from scoring.imports.reading.columns import Exclusion
from scoring.imports.reading.file_formats import OUR_LISTS
from scoring.imports.reading.outline import Outline, PersonColumn
from scoring.imports.reading.sheets import outline_sheets
from scoring.imports.reading.uploads import FileRefused, FileSheet, read_file, select_lists

FILE_NAME_LENGTH: Final = 100


def _titled(sheets: Sequence[FileSheet], name: str) -> Sequence[FileSheet]:
    """The sheets; the only one of our own "Datum × Name" as CSV under its title, which only the name of that file says."""
    title = next((title for title in OUR_LISTS if name.startswith(build_file_name(title))), "")
    return [sheet._replace(name=sheet.name or title) for sheet in sheets]


class UploadForm(forms.Form):
    """One file. What a cleaned form knows of it: its `sheets`, its `digest` and the `kind` it looks like."""

    file = forms.FileField(
        label=gettext_lazy("Datei"),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.xls,.ods"}),
        help_text=gettext_lazy(
            "CSV, Excel (.xlsx, .xls) oder LibreOffice (.ods), höchstens 2 MB. Erst kommt eine Vorschau."
        ),
    )
    sheets: Sequence[FileSheet]
    kind: str
    digest: str

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.fields["file"].error_messages["required"] = _("Bitte eine Datei wählen.")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        data = file.read()
        try:
            self.sheets = self.select_lists(_titled(read_file(data), file.name))
            self.kind = self.kind_of(self.sheets)
        except FileRefused as refused:
            raise ValidationError(str(refused)) from refused
        self.digest = hashlib.sha256(data).hexdigest()
        return file

    def kind_of(self, sheets: Sequence[FileSheet]) -> str:
        """What the first sheet of a list looks like. Raises FileRefused where there is none."""
        return next(iter(outline_sheets(sheets, known=set(get_ids_by_name_key(self.club))).values())).guess_kind()

    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        """Those that can be lists. Raises FileRefused where there is none."""
        return select_lists(sheets)

    @property
    def file_name(self) -> str:
        name = tidy(self.cleaned_data["file"].name)[-FILE_NAME_LENGTH:]
        try:
            validate_plain(name)
        except ValidationError:
            return str(_("Datei"))
        return name

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The sheets as they are kept."""
        return [sheet._asdict() for sheet in self.sheets]


# --- Columns ----------------------------------------------------------------------------------------------------------


NEW, SKIP = "new", "skip"
# Stands before the index of the column that one is joined to.
WITH: Final = "with_"


class ColumnsForm(forms.Form):
    """A field for each of the `asked` columns that could be somebody's; a cleaned form has the `people` they belong to."""

    club: Club
    asked: Sequence[PersonColumn]
    # May several columns be one person?
    joins = False
    # The columns of which somebody has to say whose they are.
    undecided: Collection[int] = ()

    of_sheet = forms.CharField(required=False)
    seen = forms.CharField(required=False)

    def ask(self) -> None:
        """Add the fields."""
        people = [(str(player.pk), player.name) for player in self._people.values()]
        for column in self.asked:
            new = [(NEW, _("neue Person"))] if column.name else []
            if column.index in self.undecided:
                new = [("", _("Bitte wählen"))]
            choices = [*new, (SKIP, _("auslassen")), *self._others(column), *people]
            self.fields[field_of(column)] = forms.ChoiceField(
                label=mark_as_name(column.title),
                choices=choices,
                required=False,
                widget=forms.Select(attrs=NAME_ATTRS),
            )
            if self.joins and column.name:
                self.fields[guest_field(column)] = forms.BooleanField(label=_("Gast"), required=False)

    def _others(self, column: PersonColumn) -> list[tuple[str, str]]:
        """The columns before this one, each of which can be the same person."""
        if not self.joins:
            return []
        before = (other for other in self.asked if other.index < column.index and other.name and not other.exclusion)
        together = _("zusammen mit „%(name)s“")
        return [(f"{WITH}{other.index}", together % {"name": other.name}) for other in before]

    @cached_property
    def _people(self) -> dict[int, Player]:
        return {player.pk: player for player in list_people(self.club)}

    @cached_property
    def known(self) -> dict[str, int]:
        """The ids of the people of the club, by the keys of their names."""
        return get_ids_by_name_key(self.club)

    def proposed_people(self, said: Mapping[str, str]) -> dict[str, str]:
        """The person of each column: as was chosen, otherwise the person of that name or the only one of whose name this is another
        spelling, otherwise a new one."""
        named = {column.index: (name_key(column.name), name_key(put_first_name_first(column.name))) for column in self.asked}
        exact = {index: self.known.get(key) or self.known.get(other) for index, (key, other) in named.items()}
        spelled: dict[str, set[int]] = {}
        for player in self._people.values():
            if player.pk not in exact.values():
                spelled.setdefault(normalize_spelling(player.name), set()).add(player.pk)
        columns = {}
        for column in self.asked:
            person, others = exact[column.index], spelled.get(normalize_spelling(column.name), set())
            if person is None and not column.exclusion and len(others) == 1:
                person = others.pop()
            columns[field_of(column)] = SKIP if column.exclusion else str(person or NEW)
        return columns | {name: value for name, value in said.items() if name in columns}

    def judge_people(self, cleaned: Mapping[str, Any]) -> bool:
        """Nobody twice, unless columns may be joined, and no new name that somebody has or that is none. Answers whether anybody
        was chosen."""
        seen: set[object] = set()
        for column in self.asked:
            name = field_of(column)
            if column.index in self.undecided and not cleaned.get(name):
                self.add_error(name, _said_twice(column))
            said = cleaned.get(name) or SKIP
            if said == SKIP:
                continue
            if said.startswith(WITH):
                if self._joined_to(cleaned, column) is None:
                    self.add_error(name, _("Diese Spalte ist selbst ausgelassen oder zu einer anderen gelegt."))
                continue
            person = name_key(column.name) if said == NEW else int(said)
            if person in seen and not self.joins:
                self.add_error(name, _("Diese Person steht schon bei einer anderen Spalte."))
            elif said == NEW and (sentence := _no_new_name(column.name, self.known)):
                self.add_error(name, sentence)
            seen.add(person)
        return bool(seen)

    def _joined_to(self, cleaned: Mapping[str, Any], column: PersonColumn) -> PersonColumn | None:
        """The column that this one was joined to, which is somebody's."""
        said = cleaned.get(field_of(column)) or SKIP
        other = next((other for other in self.asked if said == f"{WITH}{other.index}"), None)
        of_other = (cleaned.get(field_of(other)) or SKIP) if other else SKIP
        return None if of_other == SKIP or of_other.startswith(WITH) else other

    @cached_property
    def joined(self) -> dict[int, int]:
        """By column that is somebody's: the first column of theirs."""
        first: dict[object, int] = {}
        found: dict[int, int] = {}
        for column in self.asked:
            said = self.cleaned_data.get(field_of(column)) or SKIP
            if said == SKIP:
                continue
            other = self._joined_to(self.cleaned_data, column)
            if other is not None:
                found[column.index] = found[other.index]
                continue
            person = name_key(column.name) if said == NEW else int(said)
            found[column.index] = first.setdefault(person, column.index)
        return found

    @cached_property
    def people(self) -> dict[int, Player | Newcomer]:
        """By the first column of each: somebody of the club, or somebody new."""
        said = {column: self.cleaned_data.get(field_of(column)) or SKIP for column in self.asked}
        return {
            column.index: Newcomer(column.name, bool(self.cleaned_data.get(guest_field(column))))
            if person == NEW
            else self._people[int(person)]
            for column, person in said.items()
            if person != SKIP and self.joined[column.index] == column.index
        }

    @property
    def may_be_taken(self) -> bool:
        """Can all of it be read, and is there anything in it?"""
        raise NotImplementedError

    @property
    def fingerprint(self) -> str:
        """A hash of everything that was chosen, so that only what somebody has seen is taken in."""
        said = {name: str(value) for name, value in self.cleaned_data.items() if name != "seen"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data.get("seen") == self.fingerprint)


def field_of(column: PersonColumn) -> str:
    return f"column_{column.index}"


def guest_field(column: PersonColumn) -> str:
    return f"guest_{column.index}"


def proposed_joins(outline: Outline, choices: Mapping[str, str]) -> dict[str, str]:
    """The columns that are proposed to be one with another before: those of names that are alike, where never both of them have
    points, and where it could be one person alone."""
    found: dict[str, str] = {}
    groups: dict[int, list[PersonColumn]] = {}
    for column in outline.columns:
        again = bool(column.exclusion) and bool(_called_so_before(outline, column))
        if not again and (column.exclusion or choices[field_of(column)] != NEW):
            if not column.exclusion:
                groups[column.index] = [column]
            continue
        fitting = [first for first, group in groups.items() if _could_be_one(outline, column, group)]
        same = [first for first in fitting if name_key(groups[first][0].name) == name_key(column.name)]
        if len(same or fitting) == 1:
            [first] = same or fitting
            found[field_of(column)] = f"{WITH}{first}"
            groups[first].append(column)
        elif not column.exclusion:
            groups[column.index] = [column]
    return found


def _could_be_one(outline: Outline, column: PersonColumn, group: Sequence[PersonColumn]) -> bool:
    return all(
        are_alike(column.name, other.name) and not outline.both_in_a_row(column.index, other.index) for other in group
    )


def twice_with_points(outline: Outline) -> list[PersonColumn]:
    """The columns of a name that one before has as well, where some row has points in both."""
    return [
        column
        for column in outline.columns
        if column.exclusion is Exclusion.CALLED_BEFORE
        and any(outline.both_in_a_row(column.index, other.index) for other in _called_so_before(outline, column))
    ]


def _called_so_before(outline: Outline, column: PersonColumn) -> list[PersonColumn]:
    """Those of somebody with this name in front of this column."""
    return [
        other
        for other in outline.columns
        if other.index < column.index and not other.exclusion and name_key(other.name) == name_key(column.name)
    ]


def _said_twice(column: PersonColumn) -> str:
    sentence = _(
        "„%(name)s“ steht zweimal da, beide Male mit Punkten: Bitte in der Datei eine Spalte umbenennen oder beide "
        "zusammenzählen, oder hier sagen, wessen diese ist, oder sie auslassen."
    )
    return sentence % {"name": column.name}


def _no_new_name(name: str, taken: Mapping[str, int]) -> str:
    """Why nobody new can be called so; empty where somebody can."""
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

