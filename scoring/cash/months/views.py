"""The months and years of the Kasse: figures, closing and countersigning a month, its statement, reports and their files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.cash.access import get_period
from scoring.cash.exports import build_report_rows, create_workbook, respond_with_file, write_report
from scoring.cash.forms import YearForm
from scoring.cash.ledger.queries import compute_hash, get_book_names, get_month_days
from scoring.cash.models import Period
from scoring.cash.texts import describe_broken_law
from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, handle_refusal, warn_of_refusal
from scoring.core.formats import format_month
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment

from . import queries
from .actions import BooksBroken, close_month, close_months, countersign, set_first_month
from .charts import build_months_table, draw_months


@require_http_methods(["GET", "HEAD", "POST"])
def months(request: HttpRequest, slug: str) -> HttpResponse:
    """List the months and years; the treasurer sets the month in which a year begins."""
    access = get_club(request, slug, Role.TREASURER if request.method == "POST" else Role.READER)
    begins = queries.get_first_month_of_year(access.club)
    form = YearForm(request.POST if request.method == "POST" else None, first_month=begins)
    if form.is_valid():
        set_first_month(club=access.club, actor=access.actor, first_month=form.cleaned_data["first_month"])
        messages.success(request, _("Gespeichert."))
        return redirect("cash_months", slug)
    with snapshot():
        to_close, course = queries.list_open_months(access.club), queries.list_month_figures(access.club)
        context = {
            "access": access,
            "section": "cash",
            "form": form,
            "months": [(one.month, one.there) for one in reversed(course)],
            "figures_by_month": build_months_table(course),
            "charts": draw_months(course),
            "closed": set(Period.objects.filter(club=access.club).values_list("month", flat=True)),
            "to_close": to_close[0] if to_close else None,
            "several": access.treasurer and len(to_close) > 1,
            "years": queries.list_years(access.club, begins),
        }
    return render(request, "scoring/cash/months.html", context, status=422 if form.errors else 200)


@require_safe
def month(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Show a month, and what to check before it is closed."""
    access = get_club(request, slug, Role.READER)
    return _render_month(request, access, month)


@require_POST
def month_close(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    try:
        close_month(club=access.club, actor=access.actor, month=month, seen=request.POST.get("seen", ""))
    except ActionRefused as refused:
        return _render_month(request, access, month, refused)
    messages.success(request, _("%(month)s ist abgeschlossen.") % {"month": format_month(month)})
    return redirect("cash_month", slug, month)


@require_http_methods(["GET", "HEAD", "POST"])
def months_close(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which months would be closed in one step, up to the chosen one, and close them."""
    access = get_club(request, slug, Role.TREASURER)
    data = request.POST if request.method == "POST" else request.GET
    requested = data.get("until", "")
    context: dict[str, Any] = {"access": access, "section": "cash"}
    refusal = handle_refusal(lambda refused: context.update(_describe_refusal(refused)))
    with limit_slow_work():
        if request.method == "POST":
            with refusal:
                closed = close_months(club=access.club, actor=access.actor, until=requested, seen=data.get("seen", ""))
                month = {"month": format_month(closed[-1].month)}
                messages.success(request, _("Alle Monate bis %(month)s sind abgeschlossen.") % month)
                return redirect("cash_months", slug)
        with snapshot():
            months = queries.list_open_months(access.club)
            until = requested if requested in months else (months or [""])[-1]
            selected = [month for month in months if month <= until]
            context |= {
                "months": months,
                "until": until,
                "selected": selected,
                "sums": [(format_month(one.month), one.there) for one in queries.list_month_figures(access.club, selected)],
                "seen": compute_hash(list(queries.build_drafts(access.club, selected))[-1]) if selected else "",
                "first": queries.get_closing_checks(access.club, selected[0], until) if selected else None,
            }
        return render(request, "scoring/cash/months_close.html", context, status=refusal.status or 200)


def _describe_refusal(refused: ActionRefused) -> dict[str, Any]:
    faults = refused.faults if isinstance(refused, BooksBroken) else ()
    return {"refused": refused, "faults": [describe_broken_law(fault) for fault in faults]}


def _render_month(request: HttpRequest, access: Access, month: str, refused: ActionRefused | None = None) -> HttpResponse:
    with snapshot():
        report = queries.build_report(access.club, queries.ReportDays(*get_month_days(month)))
        period = Period.objects.filter(club=access.club, month=month).select_related("closed_by").first()
        closes = access.treasurer and queries.get_next_to_close(access.club) == month
        context = {
            "access": access,
            "section": "cash",
            "month": month,
            "period": period,
            "signed": period.countersignatures.select_related("signed_by").order_by("signed_at", "pk") if period else (),
            "may_sign": period and period.closed_by_id != access.user.pk,
            "report": report,
            "figures": build_report_rows(report, get_book_names(access.club)),
            "closes": closes,
            "seen": compute_hash(queries.build_draft(access.club, month)) if closes else "",
            "first": queries.get_closing_checks(access.club, month) if closes else None,
        } | (_describe_refusal(refused) if refused else {})
        return render(request, "scoring/cash/month.html", context, status=refused.status if refused else 200)


@require_safe
def month_statement(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Send the exact text that was hashed for a closed month. It contains the payments of each person."""
    period, access = get_period(request, slug, month, Role.BOOKS)
    return attachment(period.statement.encode(), "json", _("Kasse"), access.club.name, month)


@require_POST
def month_sign(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    period, access = get_period(request, slug, month, Role.READER)
    with warn_of_refusal(request):
        countersign(period=period, actor=access.actor)
        messages.success(request, _("Gegengezeichnet."))
    return redirect("cash_month", slug, month)


@require_safe
@never_cache
def month_file(request: HttpRequest, slug: str, month: str, as_csv: bool) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    return _respond_with_report(access, queries.ReportDays(*get_month_days(month)), month, format_month(month), as_csv)


@require_safe
def year(request: HttpRequest, slug: str, year: int) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    with snapshot():
        requested = _get_year(access, year)
        report, course = queries.build_report(access.club, requested), queries.list_months_of_year(access.club, requested)
        context = {
            "access": access,
            "section": "cash",
            "year": requested,
            "report": report,
            "figures": build_report_rows(report, get_book_names(access.club)),
            "figures_by_month": build_months_table(course),
            "charts": draw_months(course),
        }
    return render(request, "scoring/cash/year.html", context)


@require_safe
@never_cache
def year_file(request: HttpRequest, slug: str, year: int, as_csv: bool) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    requested = _get_year(access, year)
    return _respond_with_report(access, requested, requested.name, requested.name, as_csv)


def _get_year(access: Access, year: int) -> queries.ReportDays:
    if not 1900 <= year <= 9998:
        raise Http404(_("Das gibt es hier nicht."))
    return queries.build_year(year, queries.get_first_month_of_year(access.club))


def _respond_with_report(access: Access, days: queries.ReportDays, name: str, label: str, as_csv: bool) -> HttpResponse:
    """Send the report of these days as a file; for a year with its months."""
    club = access.club
    title = _("Kasse %(year)s · %(club)s") % {"year": label, "club": club.name}
    book = create_workbook(title, club.name, as_csv)
    with limit_slow_work(), snapshot():
        report = queries.build_report(club, days)
        course = queries.list_months_of_year(club, days) if days.number is not None else []
        write_report(book, title, report, build_report_rows(report, get_book_names(club)), course)
        return respond_with_file(book, _("Kasse"), club.name, name)
