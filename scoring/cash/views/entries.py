"""The entries of the Kasse: the journal and its files, one entry, booking and taking back."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.cash.access import get_entry
from scoring.cash.actions.typed import TYPED, book, take_back
from scoring.cash.excel import write_legs, write_register
from scoring.cash.forms.booking import SAID, BookingForm, ReverseForm
from scoring.cash.forms.journal import RegisterForm
from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import balances, kasse_of, owed
from scoring.cash.queries.journal import IN_KASSE, among, as_booked, moved, names_in, register_of, sums_of
from scoring.cash.queries.reports import is_own_report
from scoring.cash.queries.tariffs import current_tariff
from scoring.cash.tables import Register
from scoring.cash.words.rows import register_rows, sentences_of
from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.errors import show_refusal_in
from scoring.core.limits import limit_slow_work
from scoring.core.tables import paginate
from scoring.core.text import parse_whole

from .files import new_book, taken_home

PER_PAGE = 30


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """The Kassenbuch, or a part of it: page by page, the latest first; `whole` to be printed, in the order of the books."""
    access = get_club(request, slug, Role.TREASURER)
    whole = bool(request.GET.get("whole"))
    with limit_slow_work() if whole else nullcontext(), snapshot():
        names = names_in(access.club)
        form = RegisterForm(request.GET, club=access.club, names=names, of_all=True)
        register, chosen = register_of(access.club, IN_KASSE), form.chosen
        nothing = _("Nichts gefunden.") if chosen else None
        table = Register(among(register, chosen), order_by=_sort(request, whole), empty_text=nothing)
        paginate(table, request, sys.maxsize if whole else PER_PAGE, partial(register_rows, names=names))
        sums = sums_of(register, chosen) if chosen else {}
        in_kasse = kasse_of(balances(access.club))
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "table": table,
        "sums": sums,
        "in_kasse": in_kasse,
        "query": urlencode(form.query),
    }
    return render(request, "scoring/cash/entries.html", context)


def _sort(request: HttpRequest, whole: bool) -> str:
    return request.GET.get("sort") or ("day" if whole else "-day")


@require_safe
@never_cache
def entries_file(request: HttpRequest, slug: str, as_csv: bool) -> HttpResponse:
    club = get_club(request, slug, Role.TREASURER).club
    book = new_book(_("Kassenbuch · %(club)s") % {"club": club.name}, club.name, as_csv)
    with limit_slow_work(), snapshot():
        names = names_in(club)
        chosen = RegisterForm(request.GET, club=club, names=names, of_all=True).chosen
        entries = as_booked(among(register_of(club, IN_KASSE), chosen))
        write_register(book, club.name, entries, names)
        if not as_csv:
            write_legs(book, club.name, entries, names)
        return taken_home(book, _("Kassenbuch"), club.name)


@require_safe
def entry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One entry with its legs in words."""
    booked, legs, access = get_entry(request, slug, pk)
    context = _told(access, booked, legs) | {"own_report": is_own_report(booked)}
    return render(request, "scoring/cash/entry.html", context)


def _told(access: Access, booked: Entry, legs: list[Any]) -> dict[str, Any]:
    names = names_in(access.club)
    return {
        "access": access,
        "section": "cash",
        "entry": booked,
        "cents": moved(booked),
        "sentences": sentences_of(booked, legs, names),
        "left_out": len(booked.legs.all()) - len(legs),
        "may_reverse": access.treasurer and may_be_reversed(booked),
    }


def may_be_reversed(booked: Entry) -> bool:
    """By hand, and once. What an evening costs is corrected in the evening."""
    return booked.kind not in (Kind.REVERSAL, Kind.EVENING) and not hasattr(booked, "reversed_by")


# --- Booking ----------------------------------------------------------------------------------------------------------


@require_safe
def entry_kinds(request: HttpRequest, slug: str) -> HttpResponse:
    """What happened is chosen first."""
    access = get_club(request, slug, Role.TREASURER)
    kinds = [(kind.value, kind.label, SAID[kind]) for kind in TYPED]
    return render(request, "scoring/cash/kinds.html", {"access": access, "section": "cash", "kinds": kinds})


@require_http_methods(["GET", "HEAD", "POST"])
def entry_new(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Its fields, and then the booking: the same form sent twice books once."""
    access = get_club(request, slug, Role.TREASURER)
    if kind not in TYPED:
        raise Http404(_("Das gibt es hier nicht."))
    data = request.POST if request.method == "POST" else None
    open_now = owed(access.club)
    initial = {"person": parse_whole(request.GET.get("person"))}
    # Whoever is named pays what they owe, or gets what they have to their credit.
    balance = open_now.get(initial["person"] or 0, 0)
    if (kind == Kind.PAYMENT and balance > 0) or (kind == Kind.PAYOUT and balance < 0):
        initial["cents"] = abs(balance)
    if kind == Kind.JOINING and (tariff := current_tariff(access.club)):
        initial["cents"] = tariff.content.get("joining", {}).get("cents")
    form = BookingForm(data, club=access.club, kind=Kind(kind), initial=initial, owed=open_now)
    if form.is_valid():
        with show_refusal_in(form):
            booked = book(club=access.club, actor=access.actor, key=form.cleaned_data["key"], typed=form.typed)
            messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": booked})
            return redirect("cash_entry", slug, booked.pk)
    context = {"access": access, "section": "cash", "form": form, "kind": Kind(kind), "said": SAID[Kind(kind)]}
    return render(request, "scoring/cash/booking.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_reverse(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What taking an entry back would book, and then that."""
    booked, legs, access = get_entry(request, slug, pk, Role.TREASURER)
    form = ReverseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        told = form.cleaned_data
        with show_refusal_in(form):
            mirror = take_back(entry=booked, actor=access.actor, key=told["key"], reason=told["reason"])
            messages.success(request, _("Storniert unter der Nummer %(number)s.") % {"number": mirror})
            return redirect("cash_entry", slug, mirror.pk)
    for leg in legs:
        leg.cents = -leg.cents
    context = _told(access, booked, legs) | {"form": form}
    return render(request, "scoring/cash/reverse.html", context, status=422 if form.errors else 200)
