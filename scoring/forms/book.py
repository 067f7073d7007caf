"""What is what in our own workbook that waits: who is who, and by which rules of the club its evenings stand. Games whose
results alone are known need rules without Bock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from scoring.actions.errors import RulesHaveBock
from scoring.actions.imports import Newcomer, NewRules
from scoring.imports.book import read_book
from scoring.imports.book_reading import BookRules, nearest_preset, read_own, rules_of
from scoring.imports.files import Sheet
from scoring.imports.outline import Column
from scoring.imports.reading import Reading
from scoring.imports.titles import written_in
from scoring.models import Import, RuleSet
from scoring.models.text import fold
from scoring.queries.evenings import current_rule_sets

from .imports import NEW, ImportForm, WhoIsWhoForm, field_of, has_bock, proposed_people, settings_of

NAME_OF_RULES = RuleSet._meta.get_field("name").max_length or 0


def import_form(posted: Mapping[str, str] | None, *, brought: Import) -> ImportForm | BookForm:
    """What has to be said of a file that waits."""
    ours = written_in([sheet["name"] for sheet in brought.sheets])
    return BookForm(posted, brought=brought) if ours else ImportForm(posted, brought=brought)


class BookForm(WhoIsWhoForm):
    """Everybody of the workbook has a column, also who never came; a cleaned form has the `reading` that follows."""

    def __init__(self, posted: Mapping[str, str] | None, *, brought: Import) -> None:
        self.club = brought.club
        self.book = read_book([Sheet(**sheet) for sheet in brought.sheets])
        self.book_rules = [] if self.book.faults else rules_of(self.book)
        self._rule_sets = {str(rule_set.pk): rule_set for rule_set in current_rule_sets(self.club)}
        asked = [Column(index, person.name, "") for index, person in enumerate(self.book.people)]
        rules = {_field(index): self._proposed(entry) for index, entry in enumerate(self.book_rules)}
        data = {**rules, **proposed_people(self.club, asked), **(posted or {})}
        super().__init__(data, brought=brought, asked=asked)
        for index, entry in enumerate(self.book_rules):
            self.fields[_field(index)] = forms.ChoiceField(
                label=_("Unter welchen Regeln? Bisher „%(name)s“") % {"name": entry.name}, choices=self._choices(entry)
            )

    # --- What is proposed ---------------------------------------------------------------------------------------------

    def _proposed(self, entry: BookRules) -> str:
        """Those of the same name, those that came with a file before, else new ones."""
        for name in (entry.name, new_name(entry)):
            for pk, rule_set in self._offered(entry).items():
                if _is_called(rule_set, name) and not (entry.games and has_bock(rule_set.rules)):
                    return pk
        return NEW

    def _offered(self, entry: BookRules) -> dict[str, RuleSet]:
        return {pk: rule_set for pk, rule_set in self._rule_sets.items() if rule_set.unit == entry.unit}

    def _choices(self, entry: BookRules) -> list[tuple[str, str]]:
        choices = [(pk, str(rule_set)) for pk, rule_set in self._offered(entry).items()]
        if any(fold(rule_set.name) == fold(new_name(entry)) for rule_set in self._rule_sets.values()):
            return choices
        return [*choices, (NEW, _("neu: „%(name)s“, ohne Bock") % {"name": new_name(entry)})]

    def may_skip(self, column: Column) -> bool:
        """Whoever was there once belongs to the sums."""
        return not any(evenings or points for evenings, points in self.book.people[column.index].sums)

    def newcomer(self, column: Column) -> Newcomer:
        person = self.book.people[column.index]
        return Newcomer(person.name, person.guest, person.joined_on, person.left_on)

    # --- What was said ------------------------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.book.faults:
            return cleaned
        for index, entry in enumerate(self.book_rules):
            chosen = self._rule_sets.get(cleaned.get(_field(index), ""))
            if chosen and entry.games and has_bock(chosen.rules):
                self.add_error(_field(index), str(RulesHaveBock()))
        for column in self.asked:
            if not cleaned.get(field_of(column)) and not self.may_skip(column):
                self.add_error(field_of(column), _("Bitte die Person wählen."))
        self.judge_people(cleaned)
        return cleaned

    @property
    def row_kind(self) -> str:
        return Import.Kind.GAMES

    @property
    def played_by(self) -> dict[str, RuleSet | NewRules]:
        return {
            entry.name: self._rule_sets.get(self.cleaned_data[_field(index)])
            or NewRules(new_name(entry), nearest_preset(self.book, entry))
            for index, entry in enumerate(self.book_rules)
        }

    @cached_property
    def reading(self) -> Reading:
        if self.book.faults or not self.is_valid():
            return Reading(faults=self.book.faults)
        return read_own(self.book, {name: settings_of(rules) for name, rules in self.played_by.items()})

    # --- How it is shown ----------------------------------------------------------------------------------------------

    @property
    def questions(self) -> list[BoundField]:
        """What is asked besides who is who."""
        return [self[_field(index)] for index in range(len(self.book_rules))]


def new_name(entry: BookRules) -> str:
    """What a rule set is called that comes with the file: its results are known, its rules are not."""
    ending = _(", übernommen")
    return entry.name[: NAME_OF_RULES - len(ending)] + ending


def _is_called(rule_set: RuleSet, name: str) -> bool:
    """Whether a file says this of a rule set, in whatever language it was written: from the second version on the number
    stands behind the name."""
    if rule_set.version == 1:
        return name == rule_set.name
    told = re.fullmatch(r"(.*) \(\D*([0-9]+)\)", name)
    return told is not None and (told[1], told[2]) == (rule_set.name, str(rule_set.version))


def _field(index: int) -> str:
    return f"rules_{index}"
