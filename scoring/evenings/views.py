"""Pages of evenings: list, new evening, tables, close and reopen; result, text and picture to share, paper, Excel file."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

import django_tables2 as tables
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.cash.evening.queries import list_absent_members, read_facts
from scoring.cash.evening.texts import build_bills
from scoring.cash.exports import write_evening
from scoring.club.access import Access, Role, get_club
from scoring.core.charts import Chart
from scoring.core.database import snapshot
from scoring.core.dates import get_evening_date
from scoring.core.errors import show_refusal_in, warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.core.tables import FiguresTable, paginate
from scoring.core.text import parse_whole
from scoring.evenings import actions, queries
from scoring.evenings.charts import build_totals_table, draw_evening_picture, draw_table_chart
from scoring.evenings.exports import build_evening_workbook
from scoring.evenings.forms import CloseForm, EveningForm, EveningsForm, TableForm
from scoring.evenings.texts import LINE_UP
from scoring.play.models import Evening
from scoring.play.queries import Sheet, filter_evenings, list_signers
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.access import get_evening
from scoring.table.forms.seats import draw_seats
from scoring.table.views.seats import warn_of_two_tables

# A year with an evening a week fits on one page.
PER_PAGE = 60


@require_safe
def evenings(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.EVENINGS)
    listed = queries.list_evenings(access.club).filter(filter_evenings("", closed_only=not access.member))
    form = EveningsForm(request.GET, access=access, evenings=listed)
    table = EveningsTable(form.evenings, empty_text=_("Nichts gefunden.") if form.is_filtered else None)
    paginate(table, request, PER_PAGE, queries.build_listed_evenings)
    context = {"access": access, "section": "evenings", "form": form, "table": table}
    return render(request, "scoring/evenings/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def evening_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.SCORER)
    last_rule_set, last = queries.get_last_line_up(access.club, parse_whole(request.GET.get("again")))
    data = request.POST if request.method == "POST" else None
    # The requested rule set, else that of the last evening, else the newest that no import created.
    asked = parse_whole(request.GET.get("rule_set"))
    rule_set = list_current_rule_sets(access.club).filter(pk=asked).first() if asked else None
    rule_set = rule_set or last_rule_set or queries.get_newest_rule_set(access.club)
    initial = {"key": uuid4(), "held_on": get_evening_date(), "rule_set": rule_set}
    form = EveningForm(data, club=access.club, last=last, initial=initial)
    duplicate: actions.EveningIsRunning | None = None
    if request.method == "POST" and form.is_valid() and form.is_final:
        with show_refusal_in(form):
            try:
                typed = form.cleaned_data
                table = actions.open_evening(
                    club=access.club,
                    actor=access.actor,
                    players=form.players,
                    carries_on=form.carries_on,
                    refuse_running=not typed["beside"],
                    **{name: typed[name] for name in ("held_on", "place", "rule_set", "planned_games", "key")},
                )
                return redirect("table", slug, table.pk)
            except actions.EveningIsRunning as refused:
                duplicate = refused
    context = {
        "access": access,
        "section": "evenings",
        "form": form,
        "drawn": "draw" in request.POST,
        "today": timezone.localdate(),
        "duplicate": duplicate,
        "has_played": last_rule_set is not None,
        "sentences": LINE_UP,
    }
    status = duplicate.status if duplicate else _get_status(request, form)
    return render(request, "scoring/evenings/new.html", context, status=status)


@require_safe
def evening(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the tables of an open evening, or redirect to its only table; a closed one to its result, a dropped one to its costs."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    if evening.dropped:
        return redirect("evening_cash", slug, pk)
    if not evening.is_open:
        return redirect("result", slug, pk)
    tables = list(evening.tables.select_related("rule_set").order_by("number"))
    if len(tables) == 1:
        return redirect("result", slug, pk) if tables[0].without_games else redirect("table", slug, tables[0].pk)
    context = {"access": access, "section": "evenings", "evening": evening, "tables": tables}
    return render(request, "scoring/evenings/evening.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Add a table to the evening; the form proposes the rule set of the latest evening."""
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    draw = "draw" in request.POST
    rule_set, _players = queries.get_last_line_up(access.club)
    data = draw_seats(request.POST) if draw else request.POST or None
    form = TableForm(data, evening=evening, initial={"rule_set": rule_set})
    if request.method == "POST" and form.is_valid() and not draw:
        with warn_of_refusal(request):
            table = actions.add_table(
                evening=evening,
                actor=access.actor,
                rule_set=form.cleaned_data["rule_set"],
                players=form.players,
                planned_games=form.cleaned_data["planned_games"],
                carries_on=form.carries_on,
            )
            warn_of_two_tables(request, table)
            return redirect("table", slug, table.pk)
        return redirect("evening", slug, pk)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form, "drawn": draw}
    return render(request, "scoring/evenings/table_new.html", context, status=_get_status(request, form))


def _get_status(request: HttpRequest, form: Form) -> int:
    return 422 if request.method == "POST" and form.errors else 200


@require_http_methods(["GET", "HEAD", "POST"])
def evening_close(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Close the evening. The page warns of players who still owe a Pflichtsolo, which does not prevent closing."""
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    with snapshot():
        sheets = queries.read_evening(evening)
    form = CloseForm(request.POST if request.method == "POST" else None, people=sheets.players)
    if request.method != "POST" or not form.is_valid():
        owing = [(sheet.table, sheet.next.owing) for sheet in sheets.sheets if sheet.next.owing]
        absent = list_absent_members(evening) if evening.tariff_id else []
        context = {
            "access": access,
            "section": "evenings",
            "evening": evening,
            "form": form,
            "owing": owing,
            "absent": [player for player in absent if not player.is_resting_on(evening.held_on)],
            "resting": [player for player in absent if player.is_resting_on(evening.held_on)],
        }
        return render(request, "scoring/evenings/close.html", context, status=_get_status(request, form))
    with warn_of_refusal(request):
        actions.close_evening(evening=evening, actor=access.actor, present=form.cleaned_data["present"])
        messages.success(request, _("Der Abend ist abgeschlossen."))
        return redirect("result", slug, pk)
    return redirect("evening", slug, pk)


@require_POST
def evening_reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        actions.reopen_evening(evening=evening, actor=access.actor)
        messages.success(request, _("Der Abend läuft wieder."))
    return redirect("evening", slug, pk)


@require_POST
def evening_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    if not access.may_change(evening):
        raise PermissionDenied
    with warn_of_refusal(request):
        actions.discard_evening(evening=evening, actor=access.actor)
        messages.success(request, _("Der leere Abend ist entfernt."))
        return redirect("evenings", slug)
    return redirect("evening", slug, pk)


class EveningsTable(tables.Table):
    evening = tables.TemplateColumn(template_name="scoring/evenings/_line.html", context_object_name="row")

    class Meta:
        template_name = "scoring/tables/lines.html"
        empty_text = gettext_lazy("Noch gab es keinen Abend.")


@require_safe
def result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.EVENINGS)
    with snapshot():
        sheets, signed = queries.read_evening(evening), list_signers(evening) if access.member else []
    rankings = queries.build_rankings(sheets)
    queries.apply_names(sheets, access.names)
    context = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "signed": signed,
        "several": len(sheets.sheets) > 1,
        "has_sheets": bool(sheets.sheets),
        "tables": [sheet.table for sheet in sheets.sheets],
        "rankings": [(ranking, _draw_charts(ranking)) for ranking in rankings],
        "text": _render_chat_text(access, sheets, rankings) if access.member else "",
        "title": _("Ergebnis") + f" {access.club.name}",
        "pictures": _list_pictures(access, evening, rankings),
    }
    return render(request, "scoring/evenings/result.html", context)


@require_safe
@never_cache
def result_text(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return the text of the result as a file, for browsers without a share sheet and clipboard."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        sheets = queries.read_evening(evening)
        text = _render_chat_text(access, sheets, queries.build_rankings(sheets))
    return attachment(text.encode(), "txt", _("Ergebnis"), access.club.name, evening.held_on.isoformat())


@require_safe
@never_cache
def result_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return the ranking in one unit (`?unit=`, else that of the first table) as an SVG."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        rankings = queries.build_rankings(queries.read_evening(evening))
    unit = request.GET.get("unit", rankings[0].unit)
    ranking = next((ranking for ranking in rankings if ranking.unit == unit), None)
    if ranking is None:
        raise Http404(_("Das gibt es hier nicht."))
    context = {"picture": draw_evening_picture(ranking, access.club.name, evening)}
    return render(request, "scoring/picture.svg", context, content_type="image/svg+xml")


@require_safe
def paper(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the sheets for printing, in playing order, each on its own pages. An evening without sheets redirects to the result."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        sheets, signed = queries.read_evening(evening).sheets, list_signers(evening)
    if not sheets:
        return redirect("result", slug, pk)
    # The names below a sheet: its players who confirmed the evening, or all of them before the evening is closed.
    papers = [(sheet, [player for player in sheet.players if not signed or player in signed]) for sheet in sheets]
    context = {"access": access, "section": "evenings", "evening": evening, "papers": papers, "signed": signed}
    return render(request, "scoring/evenings/paper.html", context)


def _draw_charts(ranking: queries.Ranking) -> list[tuple[Sheet, Chart | None, FiguresTable | None]]:
    charts = [(sheet, draw_table_chart(sheet)) for sheet in ranking.sheets]
    return [(sheet, chart, build_totals_table(chart) if chart else None) for sheet, chart in charts]


def _list_pictures(access: Access, evening: Evening, rankings: Sequence[queries.Ranking]) -> list[tuple[str, str, str]]:
    address = reverse("result_picture", args=[access.club.slug, evening.pk])
    name = f"{access.club.slug}-{evening.held_on.isoformat()}"
    alt = _("Das Ergebnis als Bild: Rangliste und Verlauf wie oben.")
    return [
        (f"{address}?unit={ranking.unit}", f"{name}-{ranking.unit}" if number else name, alt)
        for number, ranking in enumerate(rankings)
        if ranking.standings
    ]


def _render_chat_text(access: Access, sheets: queries.EveningSheets, rankings: Sequence[queries.Ranking]) -> str:
    context = {"access": access, "sheets": sheets, "rankings": rankings}
    return render_to_string("scoring/evenings/chat.txt", context).strip() + "\n"


@require_safe
@never_cache
def evening_excel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.READER)
    with limit_slow_work():
        with snapshot():
            sheets = queries.read_evening(evening)
            costs = build_bills(read_facts(evening), evening.tariff) if evening.tariff and not evening.dropped else []
        workbook = build_evening_workbook(sheets)
        if costs:
            title = _("Was der Abend kostet, %(day)s") % {"day": date_format(evening.held_on, "SHORT_DATE_FORMAT")}
            write_evening(workbook, title, costs)
        body = workbook.as_bytes()
    return attachment(body, "xlsx", _("Abend"), access.club.name, evening.held_on.isoformat())
