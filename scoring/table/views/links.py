"""The link of a table: the page that shows it to be shared, opening it, and saying who one is. The address with the secret
is left at once for a clean one, so that it stays out of what is bookmarked, shown or sent along; messengers see a card there."""

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
from scoring.club.actions import NotInDemo
from scoring.club.models import Player
from scoring.core.errors import warn_of_refusal
from scoring.core.links import build_link_context
from scoring.core.text import parse_whole
from scoring.play.models import Table
from scoring.play.queries import read_records
from scoring.table.access import LINK, SPOKEN_AS, get_link, get_table, opened_link
from scoring.table.actions.tables import renew_link
from scoring.table.models import TableLink


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The link of the table to be shared; POST makes a new one, which ends the one before."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    if access.club.is_visitor_club:
        raise PermissionDenied(NotInDemo.sentence)
    if request.method == "POST":
        with warn_of_refusal(request):
            renew_link(table=table, actor=access.actor)
        return redirect("table_link", slug, pk)
    link = table.links.filter(ended_at=None).first()
    context = {"access": access, "section": "evenings", "table": table}
    if link is not None:
        context["link"] = build_link_context(request, reverse("link_card", args=[link.token]))
    return render(request, "scoring/table/link.html", context)


@never_cache
@require_safe
def link_card(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the address that is sent round. The link is opened one address further on, which no messenger asks for."""
    day = date_format(get_link(token).table.evening.held_on, "DATE_FORMAT")
    context = {
        "title": _("Am Tisch mitschreiben"),
        "sentence": _("Abend am %(day)s, ohne Zugang") % {"day": day},
        "address": reverse("link_open", args=[token]),
    }
    return render(request, "scoring/link_card.html", context)


@never_cache
@require_safe
def link_open(request: HttpRequest, token: str) -> HttpResponse:
    """Let whoever holds the link in. They say who they are once: at the next link they are known."""
    link = get_link(token)
    if request.session.get(LINK) != link.pk:
        request.session[LINK] = link.pk
    table = _table_of(_tables(link), request.session.get(SPOKEN_AS))
    if table is not None:
        return redirect("table", link.table.evening.club.slug, table.pk)
    request.session.pop(SPOKEN_AS, None)
    return redirect("link_speaker")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link_speaker(request: HttpRequest) -> HttpResponse:
    """Who is speaking: one tap out of the people of the evening, which leads to the table where they sit."""
    link = opened_link(request)
    tables = _tables(link)
    if request.method == "POST":
        said = parse_whole(request.POST.get("player"))
        table = _table_of(tables, said)
        if table is not None:
            request.session[SPOKEN_AS] = said
            return redirect("table", link.table.evening.club.slug, table.pk)
        messages.warning(request, _("Bitte antippen, wer Sie am Tisch sind."))
    context = {"evening": link.table.evening, "tables": tables, "spoken_as": request.session.get(SPOKEN_AS)}
    return render(request, "scoring/table/speaker.html", context)


def _tables(link: TableLink) -> list[tuple[Table, list[Player]]]:
    """The tables of the evening with who sits there now; that of the link comes first."""
    tables = link.table.evening.tables.filter(without_games=False).select_related("rule_set").order_by("number")
    return [(table, read_records(table).current) for table in sorted(tables, key=lambda one: one.pk != link.table_id)]


def _table_of(tables: list[tuple[Table, list[Player]]], player: int | None) -> Table | None:
    """Where this person (by id) sits; None where that is nowhere."""
    return next((table for table, people in tables if player in {one.pk for one in people}), None)
