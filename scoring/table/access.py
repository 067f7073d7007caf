"""Fetch a table, a line or a link and check the right to it.

A person who opened the link of a table may see the tables of that evening and enter games there, nothing else. For some days
after the link has ended, the phone may still send lines that were typed before.
"""

from __future__ import annotations

import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.access import Access, LoginNeeded, Role, admit, annotate_rights, fetch, refuse_outsider
from scoring.core.database import count_related
from scoring.core.errors import ActionRefused
from scoring.core.links import parse_link_id
from scoring.play.models import Evening, Game, Table
from scoring.table.models import LateEntry, TableLink

M = TypeVar("M", bound=Model)

# Keys in the session: the id of the opened link, and the id of the player who opened it.
LINK, SPOKEN_AS = "link", "spoken_as"
# For this long after a link has ended, its phones may send what was typed before.
LATE = datetime.timedelta(days=7)
# The header that names the author of an entry: the id of a login, or "link-" and the id of a player.
TYPED_BY = "Typed-By"


class TypedByAnother(LoginNeeded):
    """A phone sends what another user typed there; the history would name the wrong author."""


class LinkIsOver(ActionRefused):
    """A phone whose link has ended sends a change of a line on the sheet. Only its new lines are kept, as late entries."""

    sentence = gettext_lazy(
        "Der Link für den Tisch gilt nicht mehr: Was auf dem Zettel steht, ändert nur noch, wer angemeldet ist."
    )


def count_late_entries(**of: OuterRef) -> Any:
    """Count the late entries that wait, for each row of a queryset."""
    return count_related(LateEntry.objects.filter(discarded=False), **of)


def get_evening(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    """Return an evening and the reader's rights. The row also has `waiting_late`, the number of late entries that wait at its
    tables, and `from_list`: whether all its tables came with an import."""
    tables = Table.objects.filter(evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club__slug=slug, pk=pk).select_related("club")
    evenings = evenings.annotate(
        waiting_late=count_late_entries(table__evening=OuterRef("pk")),
        from_list=Exists(tables.filter(imported__isnull=False)) & ~Exists(tables.filter(imported=None)),
    )
    evening, access = fetch(request, evenings, "club", role)
    if (evening.is_open or evening.dropped) and not access.member:
        refuse_outsider(request)
    return evening, access


def get_table(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Table, Access]:
    """Return a table and the reader's rights; the row also has the number of late entries that wait there. A table that came
    without games has no sheet and is not found: the page of its evening shows its results."""
    tables = Table.objects.filter(evening__club__slug=slug, pk=pk, without_games=False)
    tables = tables.select_related("evening__club", "evening__tariff", "rule_set")
    # The annotation replaces the default of the class.
    tables = tables.annotate(waiting_late=count_late_entries(table=OuterRef("pk")))  # type: ignore[no-redef]  # on purpose
    return _fetch(request, tables, "evening", role)


def get_game(request: HttpRequest, slug: str, table: int, key: UUID, role: Role) -> tuple[Game, Access]:
    """Return a line of the sheet and the reader's rights. A struck-out line is found too, so that a correction that was typed
    for it is not lost."""
    games = Game.objects.filter(round__table__evening__club__slug=slug, round__table__pk=table, key=key)
    games = games.select_related("round__table__evening__club", "round__table__rule_set")
    return _fetch(request, games, "round__table__evening", role)


def _fetch(request: HttpRequest, things: QuerySet[M], to_evening: str, role: Role) -> tuple[M, Access]:
    """Fetch like `club.access.fetch`, and give rights by the link that was opened in this session, if any: at all tables of the
    evening at the end of the path `to_evening`. One query."""
    to_club, spoken_as = f"{to_evening}__club", request.session.get(SPOKEN_AS)
    if not spoken_as:
        return fetch(request, things, to_club, role)
    link = request.session[LINK]
    opened = TableLink.objects.filter(pk=link, table__evening=OuterRef(to_evening))
    rows = annotate_rights(things, to_club, request.user.pk or 0).annotate(
        by_link=Exists(opened.filter(ended_at=None)),
        by_ended_link=Exists(opened.filter(ended_at__gt=timezone.now() - LATE)),
    )
    return admit(request, rows.first(), to_club, role, ("by_link", "by_ended_link"), spoken_as=spoken_as, link=link)


def get_link(token: str) -> TableLink:
    """Return the standing link that this token opens. The token itself is the right to it."""
    link = _list_standing_links().filter(pk=parse_link_id(token)).first()
    if link is None or not link.opens_with(token):
        raise Http404(_("Dieser Link gilt nicht mehr."))
    return link


def get_opened_link(request: HttpRequest) -> TableLink:
    """Return the link that was opened in this session. A link that has ended is not found."""
    link = _list_standing_links().filter(pk=request.session.get(LINK, 0)).first()
    if link is None:
        raise Http404(_("Dieser Link gilt nicht mehr."))
    return link


def require_typist(request: HttpRequest) -> None:
    """Refuse an entry from a phone whose Typed-By header names another user than this session. A client may leave the header
    out. Raises TypedByAnother."""
    by_link = f"{LINK}-{request.session.get(SPOKEN_AS)}"
    here = str(request.user.pk) if request.user.is_authenticated else by_link
    if request.headers.get(TYPED_BY, here) != here:
        raise TypedByAnother


def _list_standing_links() -> QuerySet[TableLink]:
    return TableLink.objects.filter(ended_at=None).select_related("table__evening__club")
