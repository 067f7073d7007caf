"""A rule set with the right to it."""

from __future__ import annotations

from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch

from .models import RuleSet


def get_rule_set(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[RuleSet, Access]:
    return fetch(request, RuleSet.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)
