"""The eternal list, the sheet of points by evening and the records: pages, and files that are written anew for each download."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.club.access import Access, Role, get_club
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.core.workbook import CsvWorkbook
from scoring.standings.exports import build_by_evening_workbook, build_standings_workbook, write_by_evening
from scoring.standings.forms import ByEveningForm, RecordsForm, StandingsForm
from scoring.standings.metrics import list_metrics
from scoring.standings.queries.evenings import read_by_evening
from scoring.standings.queries.records import read_records
from scoring.standings.queries.selection import list_openings
from scoring.standings.queries.standings import apply_names, read_choices, read_list
from scoring.standings.tables import StandingsTable
from scoring.standings.texts import explain_arrows, list_remarks

# Players named for a shared record.
MOST_HOLDERS = 4


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = read_choices(access.club, not access.member, list_openings(access.club))
    form = StandingsForm(request.GET, choices=offered)
    metrics = list_metrics(form.selection.unit, form.has_more)
    rows, hidden, last_day = read_list(access.club, form.selection, form.has_more, offered.openings)
    rows = apply_names(rows, access.names)
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "best": rows[:3],
        "metrics": metrics,
        "table": StandingsTable(rows, metrics, slug, last_day, request.GET.get("sort", "")),
        "arrows": explain_arrows(rows, last_day),
        "hidden": [(access.names.get(player, name), guest) for player, name, guest in hidden],
        "remarks": list_remarks(offered, form.selection),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, "scoring/standings/standings.html", context)


@require_safe
@never_cache
def standings_excel(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = read_choices(access.club, not access.member, list_openings(access.club))
    form = StandingsForm(request.GET, choices=offered)
    if not form.is_valid():
        # The page shows the fault at its field; a file could not, and would count another selection.
        return redirect(f"{reverse('standings', args=[slug])}?{request.GET.urlencode()}")
    metrics = list_metrics(form.selection.unit, form.has_more)
    with limit_slow_work():
        rows, _hidden, last_day = read_list(access.club, form.selection, form.has_more, offered.openings)
        rows, remarks = apply_names(rows, access.names), list_remarks(offered, form.selection)
        body = build_standings_workbook(access.club, rows, metrics, form.summary, remarks, last_day).as_bytes()
    return attachment(body, "xlsx", _("Ewige Liste"), access.club.name)


@require_safe
def by_evening(request: HttpRequest, slug: str) -> HttpResponse:
    access, form = _get_access_and_form(request, slug)
    with limit_slow_work():
        people, evenings = read_by_evening(access.club, form.selection, access.names)
        # The latest evening first, as on all pages.
        rows = reversed(evenings)
        context = {"access": access, "section": "standings", "form": form, "people": people, "rows": list(rows)}
        return render(request, "scoring/standings/by_evening.html", context)


@require_safe
@never_cache
def by_evening_file(request: HttpRequest, slug: str, as_csv: bool) -> HttpResponse:
    access, form = _get_access_and_form(request, slug)
    if not form.is_valid():
        return redirect(f"{reverse('by_evening', args=[slug])}?{request.GET.urlencode()}")
    with limit_slow_work():
        sheet = read_by_evening(access.club, form.selection, access.names)
        if as_csv:
            workbook = CsvWorkbook()
            write_by_evening(workbook, _("Datum × Name"), sheet, [])
            body = workbook.sheets[0].as_bytes()
        else:
            body = build_by_evening_workbook(access.club, sheet, form.summary).as_bytes()
    return attachment(body, "csv" if as_csv else "xlsx", _("Datum × Name"), access.club.name)


def _get_access_and_form(request: HttpRequest, slug: str) -> tuple[Access, ByEveningForm]:
    access = get_club(request, slug, Role.LIST)
    return access, ByEveningForm(request.GET, choices=read_choices(access.club, closed_only=not access.member))


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    form = RecordsForm(request.GET, choices=read_choices(access.club, closed_only=not access.member))
    with limit_slow_work():
        found, people = read_records(access.club, form.selection)
    access.names.apply_to(people.values())
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "records": [
            (record, [(people[player], *spots) for player, *spots in record.feats[:MOST_HOLDERS]], len(record.feats) - MOST_HOLDERS)
            for record in found
        ],
    }
    return render(request, "scoring/standings/records.html", context)
