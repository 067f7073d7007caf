"""Kassensturz: the box is counted by two, and compared with the books."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.cash.actions.counting import Counted, count_cash
from scoring.cash.forms.beside import CountForm
from scoring.cash.models.beside import CashCount
from scoring.cash.queries.books import balances
from scoring.cash.words.money import euros
from scoring.club.access import Role, get_club
from scoring.club.queries import find_player_of_login
from scoring.core.errors import ActionRefused, add_refusal_to

EARLIER = 12


@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    booked = balances(access.club).get("cash", 0)
    me = find_player_of_login(access.club, access.user)
    form = CountForm(request.POST if request.method == "POST" else None, club=access.club, booked=booked, counter=me)
    status = 200
    if form.is_valid():
        told = dict(form.cleaned_data)
        try:
            kept = count_cash(club=access.club, actor=access.actor, key=told.pop("key"), counted=Counted(**told))
        except ActionRefused as refused:
            add_refusal_to(form, refused)
            status = refused.status
            # What is compared with next is what the page says now.
            form.data = dict(form.data.items()) | {"booked": booked}
        else:
            messages.success(request, _said(kept))
            return redirect("cash_count", slug)
    counts = CashCount.objects.filter(club=access.club).select_related("counter", "witness", "entry")
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "booked": booked,
        "counts": list(counts.order_by("-counted_at", "-pk")[:EARLIER]),
    }
    if form.errors and status == 200:
        status = 422
    return render(request, "scoring/cash/count.html", context, status=status)


def _said(kept: CashCount) -> str:
    if kept.entry is None:
        return _("Es stimmt: %(amount)s.") % {"amount": euros(kept.cents)}
    difference = kept.cents - kept.booked
    said = {"amount": euros(abs(difference)), "number": kept.entry}
    if difference > 0:
        return _("%(amount)s zu viel, gebucht unter der Nummer %(number)s.") % said
    return _("%(amount)s zu wenig, gebucht unter der Nummer %(number)s.") % said
