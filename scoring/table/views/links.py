"""The link of a table: share it, open it, and name the player who opened it. The address with the secret redirects to one
without it, so that the secret is not bookmarked or forwarded; messengers see a card there."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import Role
from scoring.club.actions import IN_DEMO
from scoring.club.models import Player
from scoring.core.errors import warn_of_refusal
from scoring.core.links import build_link_context
from scoring.core.text import parse_whole
from scoring.play.models import Table
from scoring.play.queries import read_records
from scoring.table.access import LINK, SPOKEN_AS, get_link, get_opened_link, get_table
from scoring.table.actions.tables import renew_link
from scoring.table.models import TableLink


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the link of the table to share. POST creates a new link, which ends the one before."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    if access.club.is_visitor_club:
        raise PermissionDenied(IN_DEMO)
    if request.method == "POST":
        with warn_of_refusal(request):
            renew_link(table=table, actor=access.actor)
        return redirect("table_link", slug, pk)
    link = table.links.filter(ended_at=None).first()
    context = {"access": access, "section": "evenings", "table": table}
    if link is not None:
        context["link"] = build_link_context(request, reverse("link_preview", args=[link.token]))
    return render(request, "scoring/table/link.html", context)


@never_cache
@require_safe
def link_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the shared address with a page that messengers may read for a preview. Its button opens the link, at an address that
    they do not fetch."""
    day = date_format(get_link(token).table.evening.held_on, "DATE_FORMAT")
    context = {
        "title": _("Am Tisch mitschreiben"),
        "sentence": _("Abend am %(day)s, ohne Zugang") % {"day": day},
        "address": reverse("link_open", args=[token]),
    }
    return render(request, "scoring/link_preview.html", context)


@never_cache
@require_safe
def link_open(request: HttpRequest, token: str) -> HttpResponse:
    """Open the link in this session. The player is asked for a name only once, also for later links."""
    link = get_link(token)
    if request.session.get(LINK) != link.pk:
        request.session[LINK] = link.pk
    table = _find_table(_list_tables(link), request.session.get(SPOKEN_AS))
    if table is not None:
        return redirect("table", link.table.evening.club.slug, table.pk)
    request.session.pop(SPOKEN_AS, None)
    return redirect("link_speaker")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link_speaker(request: HttpRequest) -> HttpResponse:
    link = get_opened_link(request)
    tables = _list_tables(link)
    if request.method == "POST":
        player = parse_whole(request.POST.get("player"))
        table = _find_table(tables, player)
        if table is not None:
            request.session[SPOKEN_AS] = player
            return redirect("table", link.table.evening.club.slug, table.pk)
        messages.warning(request, _("Bitte antippen, wer Sie am Tisch sind."))
    context = {"evening": link.table.evening, "tables": tables, "spoken_as": request.session.get(SPOKEN_AS)}
    return render(request, "scoring/table/speaker.html", context)


def _list_tables(link: TableLink) -> list[tuple[Table, list[Player]]]:
    """Return the tables of the evening with their players; the table of the link comes first."""
    tables = link.table.evening.tables.filter(without_games=False).select_related("rule_set").order_by("number")
    return [(table, read_records(table).current) for table in sorted(tables, key=lambda one: one.pk != link.table_id)]


def _find_table(tables: list[tuple[Table, list[Player]]], player: int | None) -> Table | None:
    return next((table for table, people in tables if player in {one.pk for one in people}), None)
