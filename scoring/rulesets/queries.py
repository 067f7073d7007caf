"""Read the rule sets of a club, their versions, and the tables that played by them."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch
from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club
from scoring.club.queries import LookUps
from scoring.core.database import CodePoints

from .models import RuleSet

# How many tables play by a rule set, without those of a list that is just arriving.
PLAYED = Count("tables", filter=Q(tables__evening__club=F("club")))
# How the rows are found that the history names by these keys.
LOOK_UPS: Final[LookUps] = {"rule_set": RuleSet.objects.in_bulk}


def rule_sets_of(club: Club) -> list[list[RuleSet]]:
    """The club's rule sets by name, each with its latest version first, then those that were played, and how many
    tables play by them."""
    rows = RuleSet.objects.filter(club=club).annotate(played=PLAYED)
    rows = rows.order_by(CodePoints("name"), "-version")
    found = [list(versions) for _name, versions in groupby(rows, key=lambda row: row.name)]
    return [[newest, *(row for row in older if row.played)] for newest, *older in found]


def versions_of(rule_set: RuleSet) -> list[RuleSet]:
    """All versions of this rule set, the latest first, and how many tables play by each."""
    rows = RuleSet.objects.filter(club=rule_set.club_id, name=rule_set.name).annotate(played=PLAYED)
    return list(rows.order_by("-version"))


def tables_under(rule_set: RuleSet) -> QuerySet[Any]:
    """The tables that play by this version, the latest first."""
    tables = rule_set.tables.filter(evening__club=F("rule_set__club")).select_related("evening", "rule_set")
    return tables.order_by("-evening__held_on", "-evening_id", "number")


def is_referred_to(rule_set: RuleSet) -> bool:
    """Is there a table of this version, of an evening or of a list that is just arriving; or was one moved away from it? The
    lines struck out there are still judged by it."""
    moves = Change.objects.filter(club=rule_set.club_id, verb=Verb.RULES_MOVED)
    moved = moves.filter(Q(before__rule_set=rule_set.pk) | Q(after__rule_set=rule_set.pk))
    return bool(rule_set.tables.exists() or moved.exists())


def current_rule_sets(club: Club) -> QuerySet[RuleSet]:
    """The latest version of each rule set of the club, by name."""
    newer = RuleSet.objects.filter(club=club, name=OuterRef("name"), version__gt=OuterRef("version"))
    return RuleSet.objects.filter(~Exists(newer), club=club).order_by(CodePoints("name"))


def get_rule_set(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[RuleSet, Access]:
    return fetch(request, RuleSet.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)
