"""Who may see a table and enter games there. Whoever opened the link of a table may see the tables of that evening and
enter their games, and nothing else. For some days after the link has ended they may hand in what they typed before."""

from __future__ import annotations

import datetime
from typing import TypeVar
from uuid import UUID

from django.db.models import DateTimeField, Exists, Model, OuterRef, QuerySet, UUIDField
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.club.access import Access, LoginNeeded, Role, admit, with_rights
from scoring.core.links import row_of
from scoring.core.ready import Hole, Ready
from scoring.play.models import Game, Table
from scoring.table.models.links import TableLink
from scoring.table.queries.late import late_counted

M = TypeVar("M", bound=Model)

# What the session keeps of the link that was opened with it: its row, and who at the table opened it.
LINK, SPOKEN_AS = "link", "spoken_as"
# How long after a link has ended a phone that held it may still hand in what it could not send.
LATE = datetime.timedelta(days=7)
# By this header a phone says who typed what it sends: the id of a login, or LINK- and that of a person who came by one.
TYPED_BY = "Typed-By"


class TypedByAnother(LoginNeeded):
    """A phone sends what somebody else typed there; in the history it would stand under a wrong name."""


def _tables() -> QuerySet[Table]:
    tables = Table.objects.filter(evening__club__slug=Hole("slug"), pk=Hole("pk"), without_games=False)
    tables = tables.select_related("evening__club", "evening__tariff", "rule_set")
    # Over what the class says where nobody has counted.
    tables = tables.annotate(waiting_late=late_counted(table=OuterRef("pk")))  # type: ignore[no-redef]  # on purpose
    return with_rights(tables, "evening__club", Hole("user"))


def _games() -> QuerySet[Game]:
    games = Game.objects.filter(
        round__table__evening__club__slug=Hole("slug"), round__table__pk=Hole("table"), key=Hole("key", UUIDField())
    )
    games = games.select_related("round__table__evening__club", "round__table__rule_set")
    return with_rights(games, "round__table__evening__club", Hole("user"))


def _by_link(to_evening: str) -> dict[str, Exists]:
    """Whether a link that was opened gives a right at the evening at the end of the path."""
    opened = TableLink.objects.filter(pk=Hole("link"), table__evening=OuterRef(to_evening))
    return {
        "by_link": Exists(opened.filter(ended_at=None)),
        "by_ended_link": Exists(opened.filter(ended_at__gt=Hole("late", DateTimeField()))),
    }


# Each without a link, and with the one that was opened with the session.
_TABLE = Ready(_tables), Ready(lambda: _tables().annotate(**_by_link("evening")))
_GAME = Ready(_games), Ready(lambda: _games().annotate(**_by_link("round__table__evening")))


def get_table(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Table, Access]:
    """A table at which games were played: one that came without has no sheet, its evening shows its results. How many
    late entries wait there is counted along."""
    return _admit(request, _TABLE, "evening__club", role, slug=slug, pk=pk)


def get_game(request: HttpRequest, slug: str, table: int, key: UUID, role: Role) -> tuple[Game, Access]:
    """A line of the sheet, struck out or not: what somebody typed for one that is gone by now must not be lost."""
    return _admit(request, _GAME, "round__table__evening__club", role, slug=slug, table=table, key=key)


def _admit(
    request: HttpRequest, asked: tuple[Ready[M], Ready[M]], to_club: str, role: Role, **named: object
) -> tuple[M, Access]:
    """What is named so, for its club, and for whoever opened a link with this session."""
    plain, by_link = asked
    user, spoken_as = request.user.pk or 0, request.session.get(SPOKEN_AS)
    if not spoken_as:
        return admit(request, plain.first(user=user, **named), to_club, role)
    late, link = timezone.now() - LATE, request.session[LINK]
    found = by_link.first(user=user, link=link, late=late, **named)
    return admit(request, found, to_club, role, ("by_link", "by_ended_link"), spoken_as=spoken_as, link=link)


def get_link(token: str) -> TableLink:
    """The link that stands and is opened by this token: having it is the right to it."""
    link = _standing_links().filter(pk=row_of(token)).first()
    if link is None or not link.opens_with(token):
        raise Http404(_("Dieser Link gilt nicht mehr."))
    return link


def opened_link(request: HttpRequest) -> TableLink:
    """The link that was opened with this session, where it still stands."""
    link = _standing_links().filter(pk=request.session.get(LINK, 0)).first()
    if link is None:
        raise Http404(_("Dieser Link gilt nicht mehr."))
    return link


def require_typist(request: HttpRequest) -> None:
    """What waited on a phone goes out under the name of whoever typed it, or not at all. A script need not say."""
    by_link = f"{LINK}-{request.session.get(SPOKEN_AS)}"
    here = str(request.user.pk) if request.user.is_authenticated else by_link
    if request.headers.get(TYPED_BY, here) != here:
        raise TypedByAnother


def _standing_links() -> QuerySet[TableLink]:
    return TableLink.objects.filter(ended_at=None).select_related("table__evening__club")
