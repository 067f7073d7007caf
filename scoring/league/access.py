"""A season with the right to it."""

from __future__ import annotations

from django.http import HttpRequest

from scoring.club.access import Access, Role, fetch

from .models import Season


def get_season(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Season, Access]:
    seasons = Season.objects.filter(club__slug=slug, pk=pk).select_related("club")
    return fetch(request, seasons, "club", role)
