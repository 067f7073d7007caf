"""The eternal list, and the sheet of every evening's points, each as a page and as files that are made anew for every download."""

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
from scoring.standings.metrics import metrics_in
from scoring.standings.queries.selection import openings_of
from scoring.standings.queries.standings import choices, listed, named

from .exports import by_evening_workbook, standings_workbook, write_by_evening
from .forms import ByEveningForm, RecordsForm, StandingsForm
from .queries.evenings import ByEvening, name_people, read_by_evening
from .queries.records import read_records
from .tables import StandingsTable, arrows, marks_of
from .texts import RECORDS, called

# Who shares a record is named, up to so many.
MOST_HOLDERS = 4


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = choices(access.club, not access.member, openings_of(access.club))
    form = StandingsForm(request.GET, choices=offered)
    metrics = metrics_in(form.selection.unit, form.more_figures)
    rows, hidden, last_day = listed(access.club, form.selection, form.more_figures, offered.openings)
    rows = named(rows, access.names)
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "best": rows[:3],
        "metrics": metrics,
        "explained": [called(metric) for metric in metrics],
        "table": StandingsTable(rows, metrics, slug, last_day, request.GET.get("sort", "")),
        "arrows": arrows(rows, last_day),
        "hidden": [(access.names.get(one.player_id, one.name), one.guest) for one in hidden],
        "marks": marks_of(offered, form.selection),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, "scoring/standings/standings.html", context)


@require_safe
@never_cache
def standings_excel(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = choices(access.club, not access.member, openings_of(access.club))
    form = StandingsForm(request.GET, choices=offered)
    if not form.is_valid():
        # The page names the fault at its field; a file could not, and would count something else than was asked for.
        return redirect(f"{reverse('standings', args=[slug])}?{request.GET.urlencode()}")
    metrics = metrics_in(form.selection.unit, form.more_figures)
    with limit_slow_work():
        rows, _hidden, last_day = listed(access.club, form.selection, form.more_figures, offered.openings)
        marks = marks_of(offered, form.selection)
        body = standings_workbook(
            access.club, named(rows, access.names), metrics, form.summary, marks, last_day
        ).as_bytes()
    return attachment(body, "xlsx", _("Ewige Liste"), access.club.name)


@require_safe
def by_evening(request: HttpRequest, slug: str) -> HttpResponse:
    access, form = _asked(request, slug)
    with limit_slow_work():
        sheet = _sheet(access, form)
        context = {
            "access": access,
            "section": "standings",
            "form": form,
            "people": sheet.people,
            # The latest first, as evenings stand everywhere.
            "rows": [(row, sheet.cells(row)) for row in reversed(sheet.rows)],
        }
        return render(request, "scoring/standings/by_evening.html", context)


@require_safe
@never_cache
def by_evening_file(request: HttpRequest, slug: str, as_csv: bool) -> HttpResponse:
    access, form = _asked(request, slug)
    if not form.is_valid():
        return redirect(f"{reverse('by_evening', args=[slug])}?{request.GET.urlencode()}")
    with limit_slow_work():
        sheet = _sheet(access, form)
        if as_csv:
            workbook = CsvWorkbook()
            write_by_evening(workbook, _("Datum × Name"), sheet, [])
            body = workbook.sheets[0].as_bytes()
        else:
            body = by_evening_workbook(access.club, sheet, form.summary).as_bytes()
    return attachment(body, "csv" if as_csv else "xlsx", _("Datum × Name"), access.club.name)


def _asked(request: HttpRequest, slug: str) -> tuple[Access, ByEveningForm]:
    access = get_club(request, slug, Role.LIST)
    return access, ByEveningForm(request.GET, choices=choices(access.club, closed_only=not access.member))


def _sheet(access: Access, form: ByEveningForm) -> ByEvening:
    return name_people(read_by_evening(access.club, form.selection), access.names)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    form = RecordsForm(request.GET, choices=choices(access.club, closed_only=not access.member))
    with limit_slow_work():
        found, people = read_records(access.club, form.selection)
    access.names.apply_to(people.values())
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "records": [
            (
                record,
                RECORDS[record.kind.key],
                [(people[feat.player], feat) for feat in record.feats[:MOST_HOLDERS]],
                len(record.feats) - MOST_HOLDERS,
            )
            for record in found
        ],
    }
    return render(request, "scoring/standings/records.html", context)
