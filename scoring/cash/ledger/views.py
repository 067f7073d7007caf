"""The pages of the books: registers, entries, bookings and reversals, reported payments, counts, the opening balance."""

from __future__ import annotations

import sys
from collections.abc import Collection
from contextlib import nullcontext
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.cash.access import get_entry, get_report, get_statement
from scoring.cash.exports import create_workbook, respond_with_file, write_legs, write_register, write_statement
from scoring.cash.models import CashCount, Entry, Kind, Report
from scoring.cash.tariff.queries import get_current_tariff
from scoring.cash.texts import format_euros
from scoring.club.access import Access, Role, get_club
from scoring.club.models import Club, Player
from scoring.club.queries import find_player_of_login
from scoring.core.database import snapshot
from scoring.core.errors import show_refusal_in, warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.core.tables import paginate
from scoring.core.text import parse_whole

from . import actions, forms, queries
from .tables import EntriesTable, Register, Statement
from .texts import build_register_rows, build_rows, describe_legs, sum_openings

PER_PAGE = 30


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the Kassenbuch page by page, the latest first; with `whole` all of it for printing, in the order of booking."""
    access = get_club(request, slug, Role.BOOKS)
    with limit_slow_work() if request.GET.get("whole") else nullcontext(), snapshot():
        context = _build_register(request, access.club, Register, queries.build_register(access.club, queries.IN_KASSE))
        context["in_kasse"] = queries.sum_kasse(queries.get_balances(access.club))
    return render(request, "scoring/cash/entries.html", context | {"access": access})


def _build_register(
    request: HttpRequest, club: Club, kind: type[Register], register: QuerySet[Entry], family: Collection[int] = ()
) -> dict[str, Any]:
    whole, names = bool(request.GET.get("whole")), queries.get_book_names(club)
    form = forms.RegisterForm(request.GET, club=club, names=names, of_all=not family)
    condition = form.condition
    sort, nothing = request.GET.get("sort") or ("day" if whole else "-day"), _("Nichts gefunden.") if condition else None
    table = kind(queries.filter_register(register, condition), order_by=sort, empty_text=nothing)
    paginate(table, request, sys.maxsize if whole else PER_PAGE, partial(build_register_rows, names=names, family=family))
    return {
        "section": "cash",
        "form": form,
        "table": table,
        "sums": queries.sum_register(register, condition) if condition else {},
        "query": urlencode(form.query),
    }


@require_safe
@never_cache
def entries_file(request: HttpRequest, slug: str, as_csv: bool) -> HttpResponse:
    club = get_club(request, slug, Role.BOOKS).club
    workbook = create_workbook(_("Kassenbuch · %(club)s") % {"club": club.name}, club.name, as_csv)
    with limit_slow_work(), snapshot():
        names = queries.get_book_names(club)
        condition = forms.RegisterForm(request.GET, club=club, names=names, of_all=True).condition
        entries = queries.order_as_booked(queries.filter_register(queries.build_register(club, queries.IN_KASSE), condition))
        write_register(workbook, club.name, entries, names)
        if not as_csv:
            write_legs(workbook, club.name, entries, names)
        return respond_with_file(workbook, _("Kassenbuch"), club.name)


@require_safe
def entry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    booked, legs, access = get_entry(request, slug, pk)
    context = _build_context(access, booked, legs) | {"own_report": queries.is_own_report(booked)}
    return render(request, "scoring/cash/entry.html", context)


def _build_context(access: Access, booked: Entry, legs: list[Any]) -> dict[str, Any]:
    names = queries.get_book_names(access.club)
    return {
        "access": access,
        "section": "cash",
        "entry": booked,
        "cents": queries.sum_moved(booked),
        "sentences": describe_legs(booked, legs, names),
        "left_out": len(booked.legs.all()) - len(legs),
        # The entry of an evening is corrected at the evening.
        "may_reverse": access.treasurer and booked.kind not in (Kind.REVERSAL, Kind.EVENING) and not hasattr(booked, "reversed_by"),
    }


@require_safe
def entry_kinds(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    kinds = [(kind.value, kind.label, sentence) for kind, (sentence, _fields) in forms.TYPED.items()]
    return render(request, "scoring/cash/kinds.html", {"access": access, "section": "cash", "kinds": kinds})


@require_http_methods(["GET", "HEAD", "POST"])
def entry_new(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show the fields of one kind, and book. The same form sent twice books once."""
    access = get_club(request, slug, Role.TREASURER)
    if kind not in forms.TYPED:
        raise Http404(_("Das gibt es hier nicht."))
    data = request.POST if request.method == "POST" else None
    open_now = queries.get_owed(access.club)
    initial = {"person": parse_whole(request.GET.get("person"))}
    # Propose the whole debt of the person, or their whole credit.
    balance = open_now.get(initial["person"] or 0, 0)
    if (kind == Kind.PAYMENT and balance > 0) or (kind == Kind.PAYOUT and balance < 0):
        initial["cents"] = abs(balance)
    if kind == Kind.JOINING and (tariff := get_current_tariff(access.club)):
        initial["cents"] = tariff.content.get("joining", {}).get("cents")
    form = forms.BookingForm(data, club=access.club, kind=Kind(kind), initial=initial, owed=open_now)
    if form.is_valid():
        with show_refusal_in(form):
            booked = actions.book(club=access.club, actor=access.actor, kind=Kind(kind), **form.cleaned_data)
            messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": booked})
            return redirect("cash_entry", slug, booked.pk)
    context = {"access": access, "section": "cash", "form": form, "kind": Kind(kind), "sentence": forms.TYPED[Kind(kind)][0]}
    return render(request, "scoring/cash/booking.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_reverse(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    booked, legs, access = get_entry(request, slug, pk, Role.TREASURER)
    form = forms.ReverseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with show_refusal_in(form):
            mirror = actions.take_back(entry=booked, actor=access.actor, **form.cleaned_data)
            messages.success(request, _("Storniert unter der Nummer %(number)s.") % {"number": mirror})
            return redirect("cash_entry", slug, mirror.pk)
    for leg in legs:
        leg.cents = -leg.cents
    context = _build_context(access, booked, legs) | {"form": form}
    return render(request, "scoring/cash/reverse.html", context, status=422 if form.errors else 200)


@require_safe
def statement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    with limit_slow_work() if request.GET.get("whole") else nullcontext(), snapshot():
        family = queries.list_family_ids(access.club, player)
        context = _build_register(request, access.club, Statement, queries.build_statement(access.club, family), family)
        reports = Report.objects.filter(player__in=family).exclude(state="confirmed").order_by("-reported_at")
        context |= {
            "access": access,
            "player": player,
            "is_me": player.user_id == access.user.pk,
            "balance": queries.get_balance(family),
            "reports": list(reports[:10]),
        }
    return render(request, "scoring/cash/statement.html", context)


@require_safe
@never_cache
def statement_file(request: HttpRequest, slug: str, pk: int, as_csv: bool) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    workbook = create_workbook(_build_title(player), access.club.name, as_csv)
    with limit_slow_work(), snapshot():
        family, names = queries.list_family_ids(access.club, player), queries.get_book_names(access.club)
        condition = forms.RegisterForm(request.GET, club=access.club, names=names, of_all=False).condition
        lines = build_register_rows(
            queries.order_as_booked(queries.filter_register(queries.build_statement(access.club, family), condition)), names, family
        )
        write_statement(workbook, _build_title(player), lines)
        return respond_with_file(workbook, _("Auszug"), player.name)


def _build_title(player: Player) -> str:
    return _("Auszug · %(name)s · %(club)s") % {"name": player.name, "club": player.club.name}


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    me = find_player_of_login(access.club, access.user)
    if me is None:
        raise PermissionDenied(_("Dafür muss Ihr Zugang zu einer Person des Clubs gehören. Das richtet ein Verwalter ein."))
    mine = queries.get_owed(access.club).get(me.pk, 0)
    initial = {"cents": mine} if mine > 0 else {}
    data = request.POST if request.method == "POST" else None
    form = forms.ReportForm(data, club=access.club, initial=initial)
    if form.is_valid():
        with show_refusal_in(form):
            actions.report_payment(player=me, actor=access.actor, **form.cleaned_data)
            messages.success(request, _("Gemeldet. Es zählt, sobald der Kassenwart es bestätigt."))
            return redirect("cash_statement", slug, me.pk)
    context = {"access": access, "section": "cash", "form": form, "mine": mine}
    return render(request, "scoring/cash/report.html", context, status=422 if form.errors else 200)


@require_POST
def report_withdraw(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    reported, access = get_report(request, slug, key, Role.READER)
    with warn_of_refusal(request):
        actions.withdraw_report(report=reported, actor=access.actor)
        messages.success(request, _("Die Meldung ist zurückgezogen."))
    return redirect("cash_statement", slug, reported.player_id)


@require_POST
def report_confirm(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Confirm a payment; two confirmations book once."""
    reported, access = get_report(request, slug, key, Role.TREASURER)
    with warn_of_refusal(request):
        booked = actions.confirm_report(report=reported, actor=access.actor)
        messages.success(request, _("Bestätigt und gebucht unter der Nummer %(number)s.") % {"number": booked})
    return redirect("cash", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def report_refuse(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    reported, access = get_report(request, slug, key, Role.TREASURER)
    form = forms.RefuseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with show_refusal_in(form):
            actions.refuse_report(report=reported, actor=access.actor, reason=form.cleaned_data["reason"])
            messages.success(request, _("Abgelehnt. Das Mitglied liest den Grund in seinem Auszug."))
            return redirect("cash", slug)
    context = {"access": access, "section": "cash", "form": form, "report": reported}
    return render(request, "scoring/cash/refuse.html", context, status=422 if form.errors else 200)


EARLIER = 12


@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    booked = queries.get_balances(access.club).get("cash", 0)
    me = find_player_of_login(access.club, access.user)
    form = forms.CountForm(request.POST if request.method == "POST" else None, club=access.club, booked=booked, counter=me)
    refusal = show_refusal_in(form)
    if form.is_valid():
        with refusal:
            stored = actions.count_cash(club=access.club, actor=access.actor, **form.cleaned_data)
            messages.success(request, _describe_count(stored))
            return redirect("cash_count", slug)
        # The next comparison is with the balance that this page shows.
        form.data = dict(form.data.items()) | {"booked": booked}
    counts = CashCount.objects.filter(club=access.club).select_related("counter", "witness", "entry")
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "booked": booked,
        "counts": list(counts.order_by("-counted_at", "-pk")[:EARLIER]),
    }
    status = refusal.status or (422 if form.errors else 200)
    return render(request, "scoring/cash/count.html", context, status=status)


def _describe_count(stored: CashCount) -> str:
    if stored.entry is None:
        return _("Es stimmt: %(amount)s.") % {"amount": format_euros(stored.cents)}
    difference = stored.cents - stored.booked
    values = {"amount": format_euros(abs(difference)), "number": stored.entry}
    if difference > 0:
        return _("%(amount)s zu viel, gebucht unter der Nummer %(number)s.") % values
    return _("%(amount)s zu wenig, gebucht unter der Nummer %(number)s.") % values


@require_http_methods(["GET", "HEAD", "POST"])
def opening(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the sums of an opening balance; book it if it is sent again unchanged. A booked one is shown instead of the form."""
    access = get_club(request, slug, Role.TREASURER)
    form = forms.OpeningBalancesForm(request.POST if request.method == "POST" else None, club=access.club)
    refusal = show_refusal_in(form)
    is_valid = form.is_valid()
    if is_valid and form.was_seen:
        given = {"key": form.cleaned_data["key"], "date": form.cleaned_data["date"], "amounts": form.amounts}
        with refusal:
            entry = actions.book_opening(club=access.club, actor=access.actor, **given)
            messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": entry})
            return redirect("cash_entry", slug, entry.pk)
    names = queries.get_book_names(access.club)
    booked = build_rows(queries.list_entries(access.club).filter(pk__in=queries.list_openings(access.club)), names)
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "sums": form.sums if is_valid and not refusal.status else None,
        "booked": booked,
        "entries": EntriesTable(booked),
        "begun": sum_openings(booked, names),
    }
    status = refusal.status or (422 if form.errors else 200)
    return render(request, "scoring/cash/opening.html", context, status=status)
