"""The first page of the Kasse, and the club's own accounts of income and expense."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.cash.dues.queries import get_fees_after_leaving, list_dues, list_newcomers
from scoring.cash.evening.queries import list_evenings_with_late_fines
from scoring.cash.ledger import queries as books
from scoring.cash.ledger.actions import add_heading
from scoring.cash.ledger.forms import HeadingForm, list_account_choices
from scoring.cash.ledger.tables import EntriesTable
from scoring.cash.ledger.texts import build_rows
from scoring.cash.months.queries import get_flow, get_last_closed, get_next_to_close
from scoring.cash.settling.queries import is_open, list_settlements
from scoring.cash.texts import ACCOUNT_NAMES
from scoring.club.access import Role, get_club
from scoring.club.queries import find_player_of_login, list_people
from scoring.core.database import snapshot
from scoring.core.dates import get_this_month
from scoring.core.errors import show_refusal_in

LATEST = 5


@require_safe
def cash(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    club = access.club
    with snapshot():
        on_accounts = books.get_balances(club)
        owing = books.compute_owed(club, on_accounts)
        me = find_player_of_login(club, access.user)
        balances = books.list_balances(list_people(club), owing, books.find_open_since(club, owing))
        month = get_this_month()
        latest = list(books.list_entries(club)[:LATEST]) if access.sees_books else []
        context = {
            "access": access,
            "section": "cash",
            "in_kasse": books.sum_kasse(on_accounts),
            "boxes": [(str(ACCOUNT_NAMES[code]), on_accounts.get(code, 0)) for code in books.KASSE],
            "month": month,
            "flow": get_flow(club, month),
            "open": [one for one in balances if one["cents"] > 0],
            "credit": [one for one in balances if one["cents"] < 0],
            "may_settle": access.treasurer and balances,
            "open_sum": sum(one["cents"] for one in balances if one["cents"] > 0),
            "credit_sum": -sum(one["cents"] for one in balances if one["cents"] < 0),
            "me": me,
            "mine": owing.get(me.pk, 0) if me else 0,
            "latest": EntriesTable(build_rows(latest, books.get_book_names(club))) if latest else None,
            "used": bool(on_accounts) or bool(latest),
            "waiting": books.list_waiting_reports(club, None if access.sees_books else me) if access.sees_books or me else [],
            "to_close": get_next_to_close(club) if access.treasurer else None,
            "due": list_dues(club) if access.treasurer else [],
            "late_fines": list_evenings_with_late_fines(club) if access.treasurer or access.admin else [],
            "newcomers": list_newcomers(club) if access.treasurer else [],
            "leavers": list(get_fees_after_leaving(club)) if access.treasurer else [],
            "closed": get_last_closed(club),
            "settlements": [one for one, lines in list_settlements(club).items() if is_open(lines)],
        }
    return render(request, "scoring/cash/cash.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def headings(request: HttpRequest, slug: str) -> HttpResponse:
    """List the accounts of income and expense, and add one."""
    access = get_club(request, slug, Role.TREASURER)
    form = HeadingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        taken = {code: str(name) for code, name in ACCOUNT_NAMES.items()}
        with show_refusal_in(form):
            heading = add_heading(club=access.club, actor=access.actor, **form.cleaned_data, taken=taken)
            messages.success(request, _("„%(name)s“ kann jetzt gewählt werden.") % {"name": heading.name})
            return redirect("cash_headings", slug)
    own = books.get_headings(access.club)
    context = {"access": access, "section": "cash", "form": form, "accounts": list(list_account_choices(own)), "own": own}
    return render(request, "scoring/cash/headings.html", context, status=422 if form.errors else 200)
