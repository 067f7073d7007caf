"""What stood there when the Kasse begins here, typed on one page and looked at before it is booked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.cash.actions.opening import book_opening
from scoring.cash.forms.opening import OpeningBalancesForm
from scoring.cash.queries.books import standing_openings
from scoring.cash.queries.journal import entries_of, names_in
from scoring.cash.tables import EntriesTable
from scoring.cash.words.rows import begun_with, rows_of
from scoring.club.access import Role, get_club
from scoring.core.errors import ActionRefused, add_refusal_to


@require_http_methods(["GET", "HEAD", "POST"])
def opening(request: HttpRequest, slug: str) -> HttpResponse:
    """The first time its sums are shown; sent as they were seen they are booked, and the same form sent twice books once.
    Where an opening balance is booked already, that is shown, and the form only to whoever sent it."""
    access = get_club(request, slug, Role.TREASURER)
    form = OpeningBalancesForm(request.POST if request.method == "POST" else None, club=access.club)
    status, shown = 200, form.is_valid()
    if shown and form.was_seen:
        told = form.cleaned_data
        try:
            entry = book_opening(
                club=access.club, actor=access.actor, key=told["key"], date=told["date"], amounts=form.amounts
            )
        except ActionRefused as refused:
            add_refusal_to(form, refused)
            status, shown = refused.status, False
        else:
            messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": entry})
            return redirect("cash_entry", slug, entry.pk)
    names = names_in(access.club)
    booked = rows_of(entries_of(access.club).filter(pk__in=standing_openings(access.club)), names)
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "sums": form.sums if shown else None,
        "booked": booked,
        "entries": EntriesTable(booked),
        "begun": begun_with(booked, names),
    }
    if form.errors and status == 200:
        status = 422
    return render(request, "scoring/cash/opening.html", context, status=status)
