"""Who may found a club: the holder of a link that is still good, or with FOUNDING=open every visitor, as often as a day allows.
The secret of a link stays in the address for one request only; from then on the session knows which link it was."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.utils.crypto import get_random_string, salted_hmac

from scoring.accounts.access import LINK, count_today, count_try, get_counts_today, refuse_embedded, was_counted

from .actions import EnoughMails, EnoughToday, FoundingLinkOver, LinkOverMeanwhile
from .queries import digest_of, open_links

# Where the session keeps which link was opened in it: the id of one of the operator, or the secret of one that was mailed; and the
# address to which a link was asked for in it.
FOUNDING: Final = "founding"
CONFIRMED: Final = "founding_secret"
ASKED: Final = "founding_address"
# Of what a link that is mailed is made.
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
# So many of these mails one recipient gets on a day, from wherever they are asked for.
TO_A_RECIPIENT: Final = 3


def good_founding_link(request: HttpRequest, secret: str) -> dict[str, int | str]:
    """Return what a session keeps that opens the link with this secret. Raises FoundingLinkOver."""
    refuse_embedded(request)
    if link := open_links().filter(digest=digest_of(secret)).first():
        return {FOUNDING: link.pk}
    if _address_in(secret) and not was_counted(_used(secret)):
        return {CONFIRMED: secret}
    count_try(request, LINK, secret)
    raise FoundingLinkOver


def secret_for(address: str) -> str:
    """Return the secret of a link that is mailed to this address: nothing of it is stored until it has founded a club."""
    return signing.dumps([address, get_random_string(8)], salt=SALT)


def _address_in(secret: str) -> str:
    """Return the mail address to which this link was sent; "" if it is no such link, or is over."""
    with suppress(signing.BadSignature):
        if settings.FOUNDING == "open":
            address: str = signing.loads(secret, salt=SALT, max_age=GOOD_FOR)[0]
            return address
    return ""


def _used(secret: str) -> str:
    """Return what is counted when a club is founded by a link that was mailed."""
    return f"{FOUNDED} by {digest_of(secret)}"


def confirmed_address(request: HttpRequest) -> str:
    """Return the mail address of the link that was opened here, "" if there is none. What is posted finds it also where the link
    was used meanwhile: founding itself says so."""
    secret: str = request.session.get(CONFIRMED, "")
    return "" if request.method != "POST" and was_counted(_used(secret)) else _address_in(secret)


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
        here, of_all = get_counts_today(request, FOUNDED)
        _refuse_beyond(FOUNDED, here + 1, of_all + 1)
    return None


def count_founding(request: HttpRequest) -> None:
    """Count one more club that is founded without a link of the operator, and use up the link that was mailed; call it in the
    transaction that founds it. Raises EnoughToday, LinkOverMeanwhile."""
    _refuse_beyond(FOUNDED, *count_today(request, FOUNDED))
    if secret := request.session.get(CONFIRMED):
        # Whoever founds by the same link meanwhile waits in the line above.
        if was_counted(_used(secret)):
            raise LinkOverMeanwhile
        count_today(request, _used(secret))


def count_mail(request: HttpRequest, recipient: str) -> None:
    """Count one more mail with a link to this recipient; call it in a transaction. Raises EnoughToday, EnoughMails."""
    _refuse_beyond(MAILED, *count_today(request, MAILED))
    digest = salted_hmac(SALT, recipient.casefold(), algorithm="sha256").hexdigest()
    _here, of_all = count_today(request, f"{MAILED} to {digest}")
    if of_all > TO_A_RECIPIENT:
        raise EnoughMails


def _refuse_beyond(kind: str, here: int, of_all: int) -> None:
    if here > OF_A_DAY[kind][0] or of_all > OF_A_DAY[kind][1]:
        raise EnoughToday
