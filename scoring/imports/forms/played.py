"""By which rules an old list was played: those of the club, or new ones that come with the file, in points or in cents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from scoring.club.models import Club
from scoring.evenings.queries import get_last_line_up
from scoring.imports.actions.lists import NewRules
from scoring.imports.models import Import
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets

from .columns import NEW

NEW_IN_CENTS: Final = "new_cents"


class ChoiceOfRules:
    """The rule sets to choose from."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._there = {str(rule_set.pk): rule_set for rule_set in list_current_rule_sets(club)}
        self._new = {
            NEW: NewRules(_("Übernommen")),
            NEW_IN_CENTS: NewRules(_("Übernommen in Cent"), RuleSet.Unit.CENTS),
        }

    def of(self, said: str) -> RuleSet | NewRules:
        return self._there.get(said) or self._new[said]

    def is_in_cents(self, said: str) -> bool:
        known = said in self._there or said in self._new
        return known and self.of(said).rules.unit == RuleSet.Unit.CENTS

    def choices(self) -> list[tuple[str, str]]:
        labels = {
            NEW: _("neu: „%(name)s“, ohne Bock"),
            NEW_IN_CENTS: _("neu: „%(name)s“, ohne Bock, für Beträge in Euro"),
        }
        names = {rule_set.name for rule_set in self._there.values()}
        new = [
            (key, labels[key] % {"name": rules.name}) for key, rules in self._new.items() if rules.name not in names
        ]
        return [*((pk, str(rule_set)) for pk, rule_set in self._there.items()), *new]

    def usual(self, kind: str, in_euros: bool) -> str:
        """Those of the last evening; for lines of games only without Bock, for euros only in cents."""
        last, _players = get_last_line_up(self._club)
        fitting = list(self._fitting(kind, in_euros))
        if last is not None and str(last.pk) in fitting:
            return str(last.pk)
        if in_euros:
            return next(iter(fitting), NEW_IN_CENTS)
        return next((pk for pk in fitting if self._there[pk].name == self._new[NEW].name), NEW)

    def _fitting(self, kind: str, in_euros: bool) -> Iterator[str]:
        for pk, rule_set in self._there.items():
            if (not in_euros or rule_set.unit == RuleSet.Unit.CENTS) and not (
                kind == Import.Kind.GAMES and has_bock(rule_set.rules)
            ):
                yield pk


def has_bock(rules: RuleSettings) -> bool:
    """Whether a Bock can start, at any size of table."""
    return any(rules.at(people).has_bock for people in SEATS)
