"""The site's addresses and one more: the yardstick, a page of a club that is nothing but what stands around every page, with one
query beside who asks. The others are measured against it. It is a copy of the base template and of the query for the rights, and is
not edited with them: what makes every page cheaper would otherwise make every other page look dearer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from scoring.club.access import Access
from scoring.models import Club


def yardstick(request: HttpRequest, slug: str) -> HttpResponse:
    uses = Q(memberships__treasurer=True) | Q(entries__isnull=False) | Q(tariffs__isnull=False)
    rows = Club.objects.filter(slug=slug).annotate(
        mine=FilteredRelation("memberships", condition=Q(memberships__user=request.user.pk)),
        my_scorer=F("mine__scorer"),
        my_treasurer=F("mine__treasurer"),
        my_admin=F("mine__admin"),
        has_cash=Exists(Club.objects.filter(uses, pk=OuterRef("pk"))),
    )
    found: Any = rows.get()
    roles = [name for name in ("scorer", "treasurer", "admin") if getattr(found, f"my_{name}")]
    access = Access(found, request.user, True, roles, has_cash=found.has_cash)
    return HttpResponse(_template().render({"access": access}, request))


@cache
def _template() -> Any:
    return engines["django"].from_string((Path(__file__).parent / "yardstick.html").read_text())


urlpatterns = [path("c/<slug:slug>/yardstick/", yardstick), path("", include("clubledger.urls"))]
