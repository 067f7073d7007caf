"""What the list would look like by other rules, as a page. Nothing is stored."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.club.access import Role, get_club
from scoring.core.heavy import heavy
from scoring.core.snapshot import snapshot
from scoring.standings.queries.standings import choices
from scoring.whatif.forms.lists import WhatIfForm
from scoring.whatif.queries.lists import what_if

# So many of the games that are left out are named with a link each; of more only the number is told.
NAMED = 100


@require_safe
def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    with snapshot():
        form = WhatIfForm(
            request.GET if "rules" in request.GET else None, choices=choices(access.club), club=access.club
        )
        context = {"access": access, "section": "standings", "form": form}
        if form.is_valid() and form.chosen:
            with heavy():
                found = what_if(access.club, form.selection, form.chosen)
            context |= {"found": found, "unvalued": [(why, lines[:NAMED], lines) for why, lines in found.unvalued]}
    return render(request, "scoring/whatif/whatif.html", context)
