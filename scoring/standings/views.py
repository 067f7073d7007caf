"""The eternal list as a page, and as a file that is made anew for every download."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.club.access import Role, get_club
from scoring.core.heavy import heavy
from scoring.files.book import CONTENT_TYPE
from scoring.files.download import attachment
from scoring.standings.queries.metrics import metrics_in
from scoring.standings.queries.standings import choices, evenings_without_games, listed, named

from .excel import standings_workbook
from .forms import StandingsForm
from .queries import standings as asked
from .tables import StandingsTable, without_games


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
        "table": StandingsTable(named(rows, access.names), metrics, request.GET.get("sort", "")),
        "hidden": [(access.names.of(one.player_id, one.name), one.guest) for one in hidden],
        "mark": without_games(evenings_without_games(offered, form.selection)),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, "scoring/standings/standings.html", context)


@require_safe
@never_cache
def standings_excel(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = choices(access.club, closed_only=not access.member)
    form = StandingsForm(request.GET, choices=offered)
    if not form.is_valid():
        # The page names the fault at its field; a file could not, and would count something else than was asked for.
        return redirect(f"{reverse('standings', args=[slug])}?{request.GET.urlencode()}")
    metrics = metrics_in(form.selection.unit, form.more_figures)
    with heavy():
        rows = named(asked.standings(access.club, form.selection, form.more_figures), access.names)
        mark = without_games(evenings_without_games(offered, form.selection))
        body = standings_workbook(access.club, rows, metrics, form.summary, mark).as_bytes()
    return attachment(body, CONTENT_TYPE, "xlsx", _("Ewige Liste"), access.club.name)
