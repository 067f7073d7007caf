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
from scoring.files.book import CONTENT_TYPE, Book
from scoring.files.csv import CSV_TYPE, CsvBook
from scoring.files.download import attachment

PER_PAGE = 50


@require_safe
def statement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    with snapshot():
        family = family_of(access.club, player)
        course = course_of(family)
        table = StatementTable(course[::-1])
        turn_to(table, request, PER_PAGE)
        lines = told([row.record for row in table.paginated_rows])
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
        "lines": lines,
        "reports": reports,
    }
    return render(request, "scoring/cash/statement.html", context)


@require_safe
@never_cache
def statement_excel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    with heavy(), snapshot():
        book = Book(_title(player), access.club.name)
        write_statement(book, _title(player), statement_of(family_of(access.club, player)))
        body = book.as_bytes()
    return attachment(body, CONTENT_TYPE, "xlsx", _("Auszug"), player.name)


@require_safe
@never_cache
def statement_csv(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_statement(request, slug, pk)
    with heavy(), snapshot():
        book = CsvBook()
        write_statement(book, _title(player), statement_of(family_of(access.club, player)))
        body = book.sheets[0].as_bytes()
    return attachment(body, CSV_TYPE, "csv", _("Auszug"), player.name)


def _title(player: Player) -> str:
    return _("Auszug · %(name)s · %(club)s") % {"name": player.name, "club": player.club.name}
