"""Who may join by a link: whoever holds it, while it stands."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from scoring.club.access import Access, Role, fetch
from scoring.core.links import parse_link_id
from scoring.logins.access import LINK, count_try, refuse_embedded

from .errors import JoinLinkOver
from .models import JoinLink
from .queries import open_links

# What the session keeps of the link that was opened with it: its row.
JOIN = "join"


def get_join_link(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[JoinLink, Access]:
    """A link of the club, standing or over, for those who run it."""
    return fetch(request, JoinLink.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)


def link_by_token(request: HttpRequest, token: str) -> JoinLink:
    """The link that is opened by this token: having it is the right to it. Raises JoinLinkOver to whoever has the token of one
    that stands no more; to others it was never there."""
    refuse_embedded(request)
    link = JoinLink.objects.filter(pk=parse_link_id(token)).first()
    if link is None or not link.opens_with(token):
        count_try(request, LINK, token)
        raise Http404(_("Diesen Link gibt es nicht."))
    return _standing(link.pk)


def opened_join_link(request: HttpRequest) -> JoinLink:
    """The link that was opened with this session, while it stands. Raises JoinLinkOver."""
    if JOIN not in request.session:
        raise Http404(_("Bitte den Link der Einladung noch einmal öffnen."))
    return _standing(request.session[JOIN])


def _standing(pk: int) -> JoinLink:
    link = open_links().filter(pk=pk).first()
    if link is None:
        raise JoinLinkOver
    return link
