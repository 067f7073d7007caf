"""The page of what was done in a club."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.club.access import Role, get_club

from .queries import changes_of
from .words import entries

PER_PAGE = 50


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    page = Paginator(changes_of(access.club), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "section": "more", "page": page, "entries": entries(list(page))}
    return render(request, "scoring/history/list.html", context)
