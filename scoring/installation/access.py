"""Who may found a club: the holder of a link that is still good, or with FOUNDING=open every visitor, as often as a day allows.
The secret of a link stays in the address for one request only; from then on the session knows which link it was."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

from scoring.installation.errors import EnoughToday, FoundingLinkOver
from scoring.installation.queries import digest_of, open_links
from scoring.logins.access import LINK, count_today, count_try, counted_today, refuse_embedded

FOUNDING: Final = "founding"
# Where the session keeps the mail address to which a link was sent that was opened here, and of what such a link is made.
CONFIRMED: Final = "founding_address"
SALT: Final = "scoring.installation.founding"
# As long as a link to a new password.
GOOD_FOR: Final = datetime.timedelta(days=1)
# What is counted of a day, and how much of it may come from one address (IPv6: a /64) and from all. Several clubs share a pub or a
# network of phones, but hardly found more than three on one day. Thirty are more than a site of friends of friends will see; and
# a day on which all of them are junk leaves some megabytes, for two weeks.
FOUNDED: Final = "founded"
# Twice as many mails with a link to found one: an address is mistyped, or the mail is lost among others.
MAILED: Final = "founding mail"
OF_A_DAY: Final = {FOUNDED: (3, 30), MAILED: (6, 60)}


def open_founding_link(request: HttpRequest, secret: str) -> None:
    """Let the client that came with this secret found a club. Raises FoundingLinkOver."""
    refuse_embedded(request)
    if link := open_links().filter(digest=digest_of(secret)).first():
        request.session[FOUNDING] = link.pk
    elif address := _address_in(secret):
        request.session[CONFIRMED] = address
    else:
        count_try(request, LINK, secret)
        raise FoundingLinkOver


def secret_for(address: str) -> str:
    """Return the secret of a link that is mailed to this address: nothing of it is stored."""
    return signing.dumps(address, salt=SALT)


def _address_in(secret: str) -> str:
    """Return the mail address to which this link was sent; "" if it is no such link, or is over."""
    with suppress(signing.BadSignature):
        address: str = signing.loads(secret, salt=SALT, max_age=GOOD_FOR) if settings.FOUNDING == "open" else ""
        return address
    return ""


def opened_founding_link(request: HttpRequest) -> int | None:
    """Return the id of the link that was opened here; None where a club is founded without one. Nobody begins to type for a link
    that is over, or for a club too many; of what was typed already, founding itself says whether it came in time. Raises
    FoundingLinkOver, EnoughToday."""
    link: int | None = request.session.get(FOUNDING)
    is_asking = request.method != "POST"
    if link is not None and not (is_asking and not open_links().filter(pk=link).exists()):
        return link
    if settings.FOUNDING != "open":
        raise FoundingLinkOver
    if is_asking:
        here, of_all = counted_today(request, FOUNDED)
        _refuse_beyond(FOUNDED, here + 1, of_all + 1)
    return None


def count_of_day(request: HttpRequest, kind: str) -> None:
    """Count one more of this kind today; call it in the transaction that does what is counted. Raises EnoughToday."""
    _refuse_beyond(kind, *count_today(request, kind))


def _refuse_beyond(kind: str, here: int, of_all: int) -> None:
    if here > OF_A_DAY[kind][0] or of_all > OF_A_DAY[kind][1]:
        raise EnoughToday
