"""The statement of a person with its running balance, on a page and as files."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.cash.access import get_left, get_statement
from scoring.cash.actions.leaving import take_back_fees
from scoring.cash.excel import write_statement
from scoring.cash.forms.journal import RegisterForm
from scoring.cash.models.beside import Report
from scoring.cash.queries.journal import among, as_booked, balance_of, family_of, names_in, statement_of, sums_of
from scoring.cash.queries.leaving import fees_after_leaving, stands_for
from scoring.cash.tables import Statement
from scoring.cash.words.rows import register_rows
from scoring.club.access import Role
from scoring.club.models import Player
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.limits import limit_slow_work
from scoring.core.tables import paginate

from .files import new_book, taken_home

PER_PAGE = 30


@require_safe
def statement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    whole = bool(request.GET.get("whole"))
    with limit_slow_work() if whole else nullcontext(), snapshot():
        family, names = family_of(access.club, player), names_in(access.club)
        form = RegisterForm(request.GET, club=access.club, names=names, of_all=False)
        register, chosen = statement_of(access.club, family), form.chosen
        nothing = _("Nichts gefunden.") if chosen else None
        sort = request.GET.get("sort") or ("day" if whole else "-day")
        table = Statement(among(register, chosen), order_by=sort, empty_text=nothing)
        paginate(table, request, sys.maxsize if whole else PER_PAGE, partial(register_rows, names=names, family=family))
        sums = sums_of(register, chosen) if chosen else {}
        reports = list(
            Report.objects.filter(player__in=family).exclude(state="confirmed").order_by("-reported_at")[:10]
        )
    context = {
        "access": access,
        "section": "cash",
        "player": player,
        "is_me": player.user_id == access.user.pk,
        "balance": balance_of(family),
        "form": form,
        "table": table,
        "sums": sums,
        "query": urlencode(form.query),
        "reports": reports,
    }
    return render(request, "scoring/cash/statement.html", context)


@require_safe
@never_cache
def statement_file(request: HttpRequest, slug: str, pk: int, as_csv: bool) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    book = new_book(_title(player), access.club.name, as_csv)
    with limit_slow_work(), snapshot():
        family, names = family_of(access.club, player), names_in(access.club)
        chosen = RegisterForm(request.GET, club=access.club, names=names, of_all=False).chosen
        lines = register_rows(as_booked(among(statement_of(access.club, family), chosen)), names, family)
        write_statement(book, _title(player), lines)
        return taken_home(book, _("Auszug"), player.name)


@require_http_methods(["GET", "HEAD", "POST"])
def left(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What a member leaves behind: their balance, and the fees for days after they left, which the treasurer takes back."""
    player, access = get_left(request, slug, pk, Role.TREASURER if request.method == "POST" else Role.READER)
    refused: ActionRefused | None = None
    if request.method == "POST" and player.left_on:
        try:
            take_back_fees(player=player, actor=access.actor, seen=request.POST.get("seen", ""))
        except ActionRefused as why:
            refused = why
        else:
            messages.success(request, _("Zurückgenommen und neu gebucht."))
            return redirect("cash_left", slug, pk)
    with snapshot():
        fees = fees_after_leaving(access.club).get(player, [])
        balance = balance_of(family_of(access.club, player))
    if not player.left_on or not (fees or balance or refused):
        return redirect("player", slug, player.pk)
    context = {
        "access": access,
        "section": "cash",
        "player": player,
        "balance": balance,
        "fees": fees,
        "fees_sum": sum(fee.cents for fee in fees),
        "seen": stands_for(fees),
        "refused": refused,
    }
    return render(request, "scoring/cash/left.html", context, status=refused.status if refused else 200)


def _title(player: Player) -> str:
    return _("Auszug · %(name)s · %(club)s") % {"name": player.name, "club": player.club.name}
