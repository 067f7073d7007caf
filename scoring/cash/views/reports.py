"""Payments that somebody reports: „Ich habe gezahlt“, taken back by themselves, confirmed or refused by the treasurer."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.cash.access import get_report
from scoring.cash.actions.reports import confirm_report, refuse_report, report_payment, withdraw_report
from scoring.cash.forms.beside import RefuseForm, ReportForm
from scoring.cash.queries.books import owed
from scoring.club.access import Role, get_club
from scoring.club.queries import find_player_of_login
from scoring.core.errors import show_refusal_in, warn_of_refusal


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Somebody says that they paid; what they owe is proposed."""
    access = get_club(request, slug, Role.READER)
    me = find_player_of_login(access.club, access.user)
    if me is None:
        raise PermissionDenied(
            _("Dafür muss Ihr Zugang zu einer Person des Clubs gehören. Das richtet ein Verwalter ein.")
        )
    mine = owed(access.club).get(me.pk, 0)
    initial = {"cents": mine} if mine > 0 else {}
    data = request.POST if request.method == "POST" else None
    form = ReportForm(data, club=access.club, initial=initial)
    if form.is_valid():
        with show_refusal_in(form):
            report_payment(player=me, actor=access.actor, **form.cleaned_data)
            messages.success(request, _("Gemeldet. Es zählt, sobald der Kassenwart es bestätigt."))
            return redirect("cash_statement", slug, me.pk)
    context = {"access": access, "section": "cash", "form": form, "mine": mine}
    return render(request, "scoring/cash/report.html", context, status=422 if form.errors else 200)


@require_POST
def report_withdraw(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    reported, access = get_report(request, slug, key, Role.READER)
    with warn_of_refusal(request):
        withdraw_report(report=reported, actor=access.actor)
        messages.success(request, _("Die Meldung ist zurückgezogen."))
    return redirect("cash_statement", slug, reported.player_id)


@require_POST
def report_confirm(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Two who confirm book once."""
    reported, access = get_report(request, slug, key, Role.TREASURER)
    with warn_of_refusal(request):
        booked = confirm_report(report=reported, actor=access.actor)
        messages.success(request, _("Bestätigt und gebucht unter der Nummer %(number)s.") % {"number": booked})
    return redirect("cash", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def report_refuse(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    reported, access = get_report(request, slug, key, Role.TREASURER)
    form = RefuseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with show_refusal_in(form):
            refuse_report(report=reported, actor=access.actor, reason=form.cleaned_data["reason"])
            messages.success(request, _("Abgelehnt. Das Mitglied liest den Grund in seinem Auszug."))
            return redirect("cash", slug)
    context = {"access": access, "section": "cash", "form": form, "report": reported}
    return render(request, "scoring/cash/refuse.html", context, status=422 if form.errors else 200)
