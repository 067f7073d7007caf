"""A season with the right to it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest

from scoring.club.access import Access, Role, admit, with_rights
from scoring.core.ready import Hole, Ready

from .models import Season


def get_season(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Season, Access]:
    return admit(request, _SEASON.first(slug=slug, pk=pk, user=request.user.pk or 0), "club", role)


def _seasons() -> QuerySet[Season]:
    seasons = Season.objects.filter(club__slug=Hole("slug"), pk=Hole("pk")).select_related("club")
    return with_rights(seasons, "club", Hole("user"))


_SEASON = Ready(_seasons)
