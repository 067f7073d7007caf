"""Read the rule sets of a club, their versions, and the tables that played by them."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch
from scoring.club.models import Change, Club, Verb
from scoring.club.queries import Lookups
from scoring.core.database import CodePoints

from .models import RuleSet

# The number of tables of a rule set, without those of a list that is still being imported.
PLAYED = Count("tables", filter=Q(tables__evening__club=F("club")))
LOOKUPS: Final[Lookups] = {"rule_set": RuleSet.objects.in_bulk}


def list_rule_sets(club: Club) -> list[list[RuleSet]]:
    """Return the rule sets by name: the latest version, then older ones that were played. `played` counts their tables."""
    rows = RuleSet.objects.filter(club=club).annotate(played=PLAYED)
    rows = rows.order_by(CodePoints("name"), "-version")
    found = [list(versions) for _name, versions in groupby(rows, key=lambda row: row.name)]
    return [[newest, *(row for row in older if row.played)] for newest, *older in found]


def list_versions(rule_set: RuleSet) -> list[RuleSet]:
    rows = RuleSet.objects.filter(club=rule_set.club_id, name=rule_set.name).annotate(played=PLAYED)
    return list(rows.order_by("-version"))


def list_tables(rule_set: RuleSet) -> QuerySet[Any]:
    tables = rule_set.tables.filter(evening__club=F("rule_set__club")).select_related("evening", "rule_set")
    return tables.order_by("-evening__held_on", "-evening_id", "number")


def is_used(rule_set: RuleSet) -> bool:
    """Return whether a table plays by this version or was moved to or from it: deleted lines of such a table are judged by it."""
    moves = Change.objects.filter(club=rule_set.club_id, verb=Verb.RULES_MOVED)
    moved = moves.filter(Q(before__rule_set=rule_set.pk) | Q(after__rule_set=rule_set.pk))
    return bool(rule_set.tables.exists() or moved.exists())


def list_current_rule_sets(club: Club) -> QuerySet[RuleSet]:
    newer = RuleSet.objects.filter(club=club, name=OuterRef("name"), version__gt=OuterRef("version"))
    return RuleSet.objects.filter(~Exists(newer), club=club).order_by(CodePoints("name"))


def get_rule_set(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[RuleSet, Access]:
    return fetch(request, RuleSet.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)
