"""Who may found a club: whoever opened a link that is still good. The secret stays in the address for one request only; from then
on the session knows which link it was."""

from __future__ import annotations

from typing import Final

from axes.helpers import get_client_ip_address
from django.core.cache import cache
from django.http import HttpRequest

from scoring.installation.errors import LinkOver, TooManyLinks
from scoring.installation.queries import digest_of, open_links

FOUNDING: Final = "founding"
# A secret is not guessed in a thousand years; whoever tries all the same does not keep the server busy. In this process, for
# each address, in so many seconds.
MOST_WRONG: Final = 10
COUNTED_FOR: Final = 15 * 60


def open_founding_link(request: HttpRequest, secret: str) -> None:
    """Let whoever came with this secret found a club. Raises LinkOver, TooManyLinks."""
    here = f"{FOUNDING}-{get_client_ip_address(request)}"
    wrong: int = cache.get(here, 0)
    if wrong >= MOST_WRONG:
        raise TooManyLinks
    link = open_links().filter(digest=digest_of(secret)).first()
    if link is None:
        cache.set(here, wrong + 1, COUNTED_FOR)
        raise LinkOver
    request.session[FOUNDING] = link.pk


def opened_founding_link(request: HttpRequest) -> int:
    """Which link was opened here. Nobody begins to type for one that is over; of what was typed already, founding itself says
    whether it came in time. Raises LinkOver."""
    link: int | None = request.session.get(FOUNDING)
    if link is None or (request.method != "POST" and not open_links().filter(pk=link).exists()):
        raise LinkOver
    return link
