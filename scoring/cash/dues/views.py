"""The dues: the status of each member, the months to book, and the fees of members who left."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.cash.access import get_leaver
from scoring.cash.ledger.queries import get_balance, hash_shown, list_family_ids
from scoring.cash.models import DUES_FIELDS, DuesStatus
from scoring.cash.tariff.queries import get_current_tariff
from scoring.club.access import Role, get_club
from scoring.core.database import snapshot
from scoring.core.dates import get_this_month
from scoring.core.errors import handle_refusal, show_refusal_in
from scoring.core.formats import format_month
from scoring.core.text import parse_whole

from . import forms, queries
from .actions import book_dues, set_dues_status, take_back_fees


@require_http_methods(["GET", "HEAD", "POST"])
def dues(request: HttpRequest, slug: str) -> HttpResponse:
    """List the members with their statuses and the dues to book; change the status of a member."""
    access = get_club(request, slug, Role.TREASURER)
    members = queries.list_members(access.club)
    data = request.POST if request.method == "POST" else None
    form = forms.StatusForm(data, members=members, initial={"person": parse_whole(request.GET.get("person"))})
    if form.is_valid():
        values = {name: form.cleaned_data[name] for name in DUES_FIELDS}
        with show_refusal_in(form):
            set_dues_status(player=form.player, actor=access.actor, **values)
            messages.success(request, _("Gespeichert. Was schon gebucht ist, bleibt."))
            return redirect("cash_dues", slug)
    with snapshot():
        tariff, statuses = get_current_tariff(access.club), queries.get_statuses(access.club)
        context = {
            "access": access,
            "section": "cash",
            "form": form,
            "members": [(player, _describe_statuses(statuses.get(player.pk, []))) for player in members],
            "due": queries.list_dues(access.club),
            "newcomers": queries.list_newcomers(access.club),
            "dues": tariff.rules.dues if tariff else None,
        }
    return render(request, "scoring/cash/dues.html", context, status=422 if form.errors else 200)


def _describe_statuses(rows: list[DuesStatus]) -> list[str]:
    """Describe the status of a member now and later, each with its month; a status without a beginning has none."""
    last = max((n for n, row in enumerate(rows) if row.month <= get_this_month()), default=-1)
    now = [] if last >= 0 else [str(DuesStatus.Status.FULL.label)]
    later = [
        _("%(status)s ab %(month)s") % {"status": row.get_status_display(), "month": format_month(row.month)}
        for row in rows[max(last, 0) :]
    ]
    return now + later


@require_http_methods(["GET", "HEAD", "POST"])
def dues_month(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Show the dues of a month, and book them once as they were seen."""
    access = get_club(request, slug, Role.TREASURER)
    context: dict[str, Any] = {"access": access, "section": "cash", "month": month}
    refusal = handle_refusal(lambda refused: context.update(refused=refused))
    if request.method == "POST":
        with refusal:
            booked = book_dues(club=access.club, actor=access.actor, month=month, seen=request.POST.get("seen", ""))
            messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": booked})
            return redirect("cash_entry", slug, booked.pk)
    with snapshot():
        due, booked_before = queries.get_due(access.club, month), queries.get_standing_dues(access.club, month)
    if due is None and booked_before is not None:
        return redirect("cash_entry", slug, booked_before.pk)
    return render(request, "scoring/cash/dues_month.html", context | {"due": due}, status=refusal.status or 200)


@require_http_methods(["GET", "HEAD", "POST"])
def leaver(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the balance of a member who left, and the fees for days after that, which the treasurer takes back."""
    player, access = get_leaver(request, slug, pk, Role.TREASURER if request.method == "POST" else Role.READER)
    context: dict[str, Any] = {"access": access, "section": "cash", "player": player}
    refusal = handle_refusal(lambda refused: context.update(refused=refused))
    if request.method == "POST" and player.left_on:
        with refusal:
            take_back_fees(player=player, actor=access.actor, seen=request.POST.get("seen", ""))
            messages.success(request, _("Zurückgenommen und neu gebucht."))
            return redirect("cash_left", slug, pk)
    with snapshot():
        fees = queries.get_fees_after_leaving(access.club).get(player, [])
        balance = get_balance(list_family_ids(access.club, player))
    if not player.left_on or not (fees or balance or refusal.status):
        return redirect("player", slug, player.pk)
    context |= {
        "balance": balance,
        "fees": fees,
        "fees_sum": sum(fee["cents"] for fee in fees),
        "seen": hash_shown(fees),
    }
    return render(request, "scoring/cash/left.html", context, status=refusal.status or 200)
