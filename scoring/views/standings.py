"""The eternal list as a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.access import Role, get_club
from scoring.forms.standings import StandingsForm
from scoring.queries.metrics import metrics_in
from scoring.queries.standings import choices, evenings_without_games, listed
from scoring.tables import StandingsTable, without_games


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = choices(access.club, closed_only=not access.member)
    form = StandingsForm(request.GET, choices=offered)
    metrics = metrics_in(form.selection.unit, form.more_figures)
    rows, hidden = listed(access.club, form.selection, form.more_figures)
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "metrics": metrics,
        "table": StandingsTable(access.names.in_list(rows), metrics, request.GET.get("sort", "")),
        "hidden": hidden,
        "mark": without_games(evenings_without_games(offered, form.selection)),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, "scoring/standings/standings.html", context)
