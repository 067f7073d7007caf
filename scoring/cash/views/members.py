"""The statement of a person with its running balance, on a page and as files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.cash.access import get_statement
from scoring.cash.excel import write_statement
from scoring.cash.models.beside import Report
from scoring.cash.queries.journal import course_of, family_of, statement_of, told
from scoring.cash.tables import StatementTable
from scoring.club.models.people import Player
from scoring.core.heavy import heavy
from scoring.core.pages import turn_to
from scoring.core.snapshot import snapshot

from .files import new_book, taken_home

PER_PAGE = 50


@require_safe
def statement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    with snapshot():
        family = family_of(access.club, player)
        course = course_of(family)
        table = StatementTable(course[::-1])
        turn_to(table, request, PER_PAGE, told)
        reports = list(
            Report.objects.filter(player__in=family).exclude(state="confirmed").order_by("-reported_at")[:10]
        )
    context = {
        "access": access,
        "section": "cash",
        "player": player,
        "is_me": player.user_id == access.user.pk,
        "balance": course[-1].balance if course else 0,
        "table": table,
        "reports": reports,
    }
    return render(request, "scoring/cash/statement.html", context)


@require_safe
@never_cache
def statement_file(request: HttpRequest, slug: str, pk: int, as_csv: bool) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    book = new_book(_title(player), access.club.name, as_csv)
    with heavy(), snapshot():
        write_statement(book, _title(player), statement_of(family_of(access.club, player)))
        return taken_home(book, _("Auszug"), player.name)


def _title(player: Player) -> str:
    return _("Auszug · %(name)s · %(club)s") % {"name": player.name, "club": player.club.name}
