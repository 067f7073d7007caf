"""Everything that was done in a club, told: what each topic says of its own changes, gathered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.models import Change
from scoring.queries.evenings import LOOK_UPS as EVENINGS
from scoring.queries.imports import LOOK_UPS as IMPORTS
from scoring.queries.league import LOOK_UPS as SEASONS
from scoring.queries.people import LOOK_UPS as PEOPLE
from scoring.queries.records import LOOK_UPS as TABLES
from scoring.queries.rules import LOOK_UPS as RULE_SETS

from . import changes as told
from . import club, evenings, imports, league_changes, players, rulesets, table

CHANGES: Final[told.Tellings] = {
    **club.CHANGES,
    **rulesets.CHANGES,
    **table.CHANGES,
    **evenings.CHANGES,
    **league_changes.CHANGES,
    **players.CHANGES,
    **imports.CHANGES,
}
LOOK_UPS: Final = {**PEOPLE, **RULE_SETS, **TABLES, **EVENINGS, **SEASONS, **IMPORTS}


def entries(changes: Sequence[Change]) -> list[told.Entry]:
    """The changes in sentences, in their order."""
    return told.entries(changes, CHANGES, LOOK_UPS)


def may_be_told(change: Change) -> bool:
    """Can this change be told in sentences, whoever it names?"""
    return told.may_be_told(change, CHANGES, LOOK_UPS)
