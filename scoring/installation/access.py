"""Who may found a club: whoever opened a link that is still good. The secret stays in the address for one request only; from then
on the session knows which link it was."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest

from scoring.installation.errors import FoundingLinkOver
from scoring.installation.queries import digest_of, open_links
from scoring.logins.access import LINK, count_try, refuse_embedded

FOUNDING: Final = "founding"


def open_founding_link(request: HttpRequest, secret: str) -> None:
    """Let whoever came with this secret found a club. Raises FoundingLinkOver."""
    refuse_embedded(request)
    link = open_links().filter(digest=digest_of(secret)).first()
    if link is None:
        count_try(request, LINK, secret)
        raise FoundingLinkOver
    request.session[FOUNDING] = link.pk


def opened_founding_link(request: HttpRequest) -> int:
    """Which link was opened here. Nobody begins to type for one that is over; of what was typed already, founding itself says
    whether it came in time. Raises FoundingLinkOver."""
    link: int | None = request.session.get(FOUNDING)
    if link is None or (request.method != "POST" and not open_links().filter(pk=link).exists()):
        raise FoundingLinkOver
    return link
