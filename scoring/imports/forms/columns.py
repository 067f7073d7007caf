"""Whose the columns of a list are: proposed by their headings, chosen by whoever brings it along, and judged before
anything is taken in. What is taken in is what was looked at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.club.models.people import NAME_LENGTH, Club, Player
from scoring.club.queries import ids_by_name, people_of
from scoring.core.text import fold
from scoring.imports.actions.lists import Newcomer
from scoring.imports.reading.outline import Column

NEW, SKIP = "new", "skip"


class ColumnsForm(forms.Form):
    """A field for each of the `asked` columns that could be somebody's; a cleaned form has the `people` they belong to."""

    club: Club
    asked: Sequence[Column]

    of_sheet = forms.CharField(required=False)
    seen = forms.CharField(required=False)

    def ask(self) -> None:
        """Add the fields."""
        people = [(str(player.pk), player.name) for player in self._people.values()]
        for column in self.asked:
            new = [(NEW, _("neue Person"))] if column.name else []
            self.fields[field_of(column)] = forms.ChoiceField(
                label=column.title, choices=[*new, (SKIP, _("auslassen")), *people], required=False
            )

    @cached_property
    def _people(self) -> dict[int, Player]:
        return {player.pk: player for player in people_of(self.club)}

    def proposed_people(self, said: Mapping[str, str]) -> dict[str, str]:
        """Whose each column is by its heading, found by the name, else somebody new; where somebody said so, by that."""
        known = ids_by_name(self.club)
        columns = {
            field_of(column): SKIP if column.why_not else str(known.get(fold(column.name), NEW))
            for column in self.asked
        }
        return columns | {name: value for name, value in said.items() if name in columns}

    def judge_people(self, cleaned: Mapping[str, Any]) -> bool:
        """Nobody twice, and no new name that somebody has or that is none. Answers whether anybody was chosen."""
        taken = ids_by_name(self.club)
        seen: set[object] = set()
        for column in self.asked:
            name = field_of(column)
            said = cleaned.get(name) or SKIP
            if said == SKIP:
                continue
            person = fold(column.name) if said == NEW else int(said)
            if person in seen:
                self.add_error(name, _("Diese Person steht schon bei einer anderen Spalte."))
            elif said == NEW and person in taken:
                self.add_error(name, _("Diesen Namen gibt es im Club schon. Bitte die Person wählen."))
            elif said == NEW and not person:
                self.add_error(name, _("Das ist kein Name. Bitte in der Datei ändern, oder hier die Person wählen."))
            elif said == NEW and (len(column.name) > NAME_LENGTH or len(fold(column.name)) > 2 * NAME_LENGTH):
                sentence = _(
                    "Der Name ist zu lang: Höchstens %(length)s Zeichen. Bitte in der Datei kürzen, oder hier die Person "
                    "wählen oder die Spalte auslassen."
                )
                self.add_error(name, sentence % {"length": NAME_LENGTH})
            seen.add(person)
        return bool(seen)

    @cached_property
    def people(self) -> dict[int, Player | Newcomer]:
        """By column: somebody of the club, or somebody new."""
        said = {column: self.cleaned_data.get(field_of(column)) or SKIP for column in self.asked}
        return {
            column.index: Newcomer(column.name) if person == NEW else self._people[int(person)]
            for column, person in said.items()
            if person != SKIP
        }

    @property
    def fingerprint(self) -> str:
        """Of everything that was said, so that nothing else is taken in than what was looked at."""
        said = {name: str(value) for name, value in self.cleaned_data.items() if name != "seen"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data.get("seen") == self.fingerprint)


def field_of(column: Column) -> str:
    return f"column_{column.index}"
