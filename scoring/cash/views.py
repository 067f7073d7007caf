"""The first page of the Kasse, and the club's own accounts of income and expense."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.cash.dues.queries import fees_after_leaving, months_due, newcomers
from scoring.cash.evening.queries import fines_waiting
from scoring.cash.ledger.actions import add_heading
from scoring.cash.ledger.forms import HeadingForm, account_choices
from scoring.cash.ledger.queries import (
    KASSE,
    balances,
    entries_of,
    headings_of,
    kasse_of,
    names_in,
    open_and_credit,
    open_since,
    owed_of,
    waiting_reports,
)
from scoring.cash.ledger.tables import EntriesTable
from scoring.cash.ledger.texts import rows_of
from scoring.cash.months.queries import flow_of, last_closed, next_to_close
from scoring.cash.settling.queries import settlements_of
from scoring.cash.texts import ACCOUNTS
from scoring.club.access import Role, get_club
from scoring.club.queries import find_player_of_login, list_people
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused

LATEST = 5


@require_safe
def cash(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    club = access.club
    with snapshot():
        on_accounts = balances(club)
        owing = owed_of(club, on_accounts)
        people = list(list_people(club))
        me = find_player_of_login(club, access.user)
        who_is_open, in_credit = open_and_credit(people, owing, open_since(club, owing))
        month = f"{timezone.localdate():%Y-%m}"
        latest = list(entries_of(club)[:LATEST]) if access.treasurer else []
        context = {
            "access": access,
            "section": "cash",
            "in_kasse": kasse_of(on_accounts),
            "boxes": [(str(ACCOUNTS[code]), on_accounts.get(code, 0)) for code in KASSE],
            "month": month,
            "flow": flow_of(club, month),
            "open": who_is_open,
            "credit": in_credit,
            "may_settle": access.treasurer and (who_is_open or in_credit),
            "open_sum": sum(one.cents for one in who_is_open),
            "credit_sum": -sum(one.cents for one in in_credit),
            "me": me,
            "mine": owing.get(me.pk, 0) if me else 0,
            "latest": EntriesTable(rows_of(latest, names_in(club))) if latest else None,
            "used": bool(on_accounts) or access.treasurer and bool(latest),
            "waiting": waiting_reports(club, None if access.treasurer else me) if access.treasurer or me else [],
            "to_close": next_to_close(club) if access.treasurer else None,
            "due": months_due(club) if access.treasurer else [],
            "late_fines": fines_waiting(club) if access.treasurer or access.admin else [],
            "newcomers": newcomers(club) if access.treasurer else [],
            "leavers": list(fees_after_leaving(club)) if access.treasurer else [],
            "closed": last_closed(club),
            "settlements": [one.settlement for one in settlements_of(club) if one.is_open],
        }
    return render(request, "scoring/cash/cash.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def headings(request: HttpRequest, slug: str) -> HttpResponse:
    """Which kinds of income and expense there are, and another one."""
    access = get_club(request, slug, Role.TREASURER)
    form = HeadingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        taken = {code: str(name) for code, name in ACCOUNTS.items()}
        told = form.cleaned_data
        try:
            heading = add_heading(
                club=access.club, actor=access.actor, side=told["side"], name=told["name"], taken=taken
            )
        except (ActionRefused, ValidationError) as refused:
            form.refuse(refused)
        else:
            messages.success(request, _("„%(name)s“ kann jetzt gewählt werden.") % {"name": heading.name})
            return redirect("cash_headings", slug)
    own = headings_of(access.club)
    context = {"access": access, "section": "cash", "form": form, "accounts": list(account_choices(own)), "own": own}
    return render(request, "scoring/cash/headings.html", context, status=422 if form.errors else 200)
