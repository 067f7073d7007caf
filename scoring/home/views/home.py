"""Where somebody arrives: the one club they belong to, else the choice; and the start page of a club, the running
evening first; and the page with everything that is not needed at the table."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from scoring.club.access import Role, clubs_of, get_club
from scoring.club.queries import person_with
from scoring.evenings.queries.evenings import latest_evenings, running_tables
from scoring.league.queries.months import start_month
from scoring.standings.queries.standings import standings


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    clubs = list(clubs_of(request.user))
    if len(clubs) == 1:
        return redirect("club", clubs[0].slug)
    return render(request, "scoring/home/clubs.html", {"clubs": clubs})


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    season, month = start_month(access.club) or (None, None)
    context = {
        "access": access,
        "section": "home",
        "season": season,
        "month": month,
        "running": running_tables(access.club),
        "evenings": latest_evenings(access.club),
        "top": standings(access.club)[:5],
    }
    return render(request, "scoring/home/club.html", context)


@require_safe
def more(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "me": person_with(access.club, access.user)}
    return render(request, "scoring/home/more.html", context)
