"""A rule set with the right to it."""

from __future__ import annotations

from django.http import HttpRequest

from scoring.models import RuleSet

from .club import Access, Role, fetch


def get_rule_set(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[RuleSet, Access]:
    return fetch(request, RuleSet.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)
