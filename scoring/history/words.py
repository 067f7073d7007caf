"""Everything that was done in a club, told: what each topic says of its own changes, gathered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from scoring.cash.words import changes as cash
from scoring.cash.words import facts
from scoring.club import texts as club
from scoring.club.models import Change
from scoring.club.queries import LOOKUPS as PEOPLE
from scoring.club.queries import Lookups
from scoring.evenings import texts as evenings
from scoring.evenings.queries import LOOKUPS as EVENINGS
from scoring.imports import words as imports
from scoring.imports.queries import LOOKUPS as IMPORTS
from scoring.league import texts as league_changes
from scoring.league.queries.books import LOOKUPS as SEASONS
from scoring.play.queries import LOOKUPS as TABLES
from scoring.play.queries import get_game_numbers
from scoring.players import words as players
from scoring.rulesets.queries import LOOKUPS as RULE_SETS
from scoring.rulesets.texts import rule_sets as rulesets
from scoring.table import texts as table

CHANGES: Final[club.ChangeFormats] = {
    **club.CHANGES,
    **rulesets.CHANGES,
    **table.CHANGES,
    **evenings.CHANGES,
    **league_changes.CHANGES,
    **players.CHANGES,
    **imports.CHANGES,
    **cash.CHANGES,
    **facts.CHANGES,
}
LOOKUPS: Final[Lookups] = {**PEOPLE, **RULE_SETS, **TABLES, **EVENINGS, **SEASONS, **IMPORTS}


def describe_changes(changes: Sequence[Change]) -> list[club.ChangeDescription]:
    """The changes in sentences, in their order."""
    return club.describe_changes(changes, CHANGES, LOOKUPS)


def describe_changes_with_numbers(changes: Sequence[Change]) -> list[club.ChangeDescription]:
    """The changes in sentences, with the numbers of their games."""
    found = get_game_numbers({change.table_id for change in changes if change.table_id})
    numbered = []
    for row in describe_changes(changes):
        number, struck = found.get(row.change.subject_id, (None, False))
        numbered.append(replace(row, number=number, struck=struck))
    return numbered


def check_description(changes: Sequence[Change]) -> None:
    """Tells the changes to nobody, to see whether they can be club. Raises what `tell` would."""
    club.check_description(changes, CHANGES, LOOKUPS)


def is_describable(change: Change) -> bool:
    """Can this change be told in sentences, whoever it names?"""
    return club.is_describable(change, CHANGES, LOOKUPS)
