"""Check who may found a club: the holder of a valid link, or with FOUNDING=open every visitor, within daily limits."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.access import LINK, count_today, count_try, get_counts_today, refuse_embedded, was_counted
from scoring.core.errors import ActionRefused

from .actions import LinkOverMeanwhile
from .queries import hash_secret, list_valid_links

# Keys of the session: id of an opened link of the operator, secret of one from a mail, and address to which one was sent.
FOUNDING: Final = "founding"
CONFIRMED: Final = "founding_secret"
ASKED: Final = "founding_address"
SALT: Final = "scoring.installation.founding"  # signs the links in mails; sent links depend on it
GOOD_FOR: Final = datetime.timedelta(days=1)  # the same as for a link to a new password
FOUNDED: Final = "founded"
MAILED: Final = "founding mail"
# For each kind the daily limit of one network address (IPv6: a /64), and of all together. In one pub hardly more than three clubs
# are founded on a day. Twice as many mails are allowed, because addresses are mistyped and mails are lost.
DAILY_LIMITS: Final = {FOUNDED: (3, 30), MAILED: (6, 60)}
DAILY_LIMIT_PER_RECIPIENT: Final = 3  # mails


class FoundingLinkOver(ActionRefused):
    """The link is used, too old, replaced, or never existed; the sentence does not say which."""

    sentence = gettext_lazy(
        "Der Link zum Gründen gilt nicht mehr: Jeder gilt einmal, eine Woche lang, und nur, bis es einen neuen gibt. "
        "Einen neuen hat, wer diese Seite betreibt."
    )
    status = 410


def check_founding_link(request: HttpRequest, secret: str) -> dict[str, int | str]:
    """Return the values of the session that open the link with this secret. Raise FoundingLinkOver."""
    refuse_embedded(request)
    if link := list_valid_links().filter(digest=hash_secret(secret)).first():
        return {FOUNDING: link.pk}
    if _parse_address(secret) and not was_counted(_get_use_key(secret)):
        return {CONFIRMED: secret}
    count_try(request, LINK, secret)
    raise FoundingLinkOver


def make_mail_secret(address: str) -> str:
    """Return the secret of a link in a mail to this address; it is not stored before it has founded a club."""
    return signing.dumps([address, get_random_string(8)], salt=SALT)


def _parse_address(secret: str) -> str:
    """Return the mail address to which this link was sent; "" if it is invalid or expired."""
    with suppress(signing.BadSignature):
        if settings.FOUNDING == "open":
            return str(signing.loads(secret, salt=SALT, max_age=GOOD_FOR)[0])
    return ""


def _get_use_key(secret: str) -> str:
    return f"{FOUNDED} by {hash_secret(secret)}"


def get_confirmed_address(request: HttpRequest) -> str:
    """Return the address of the link opened in this session, or "". Only a POST finds it after the link was used."""
    secret: str = request.session.get(CONFIRMED, "")
    return "" if request.method != "POST" and was_counted(_get_use_key(secret)) else _parse_address(secret)


def get_founding_link(request: HttpRequest) -> int | None:
    """Return the id of the link opened in this session, None without one. A POST is checked by the founding itself.
    Raise FoundingLinkOver, or ActionRefused above the daily limit."""
    link: int | None = request.session.get(FOUNDING)
    is_asking = request.method != "POST"
    if link is not None and not (is_asking and not list_valid_links().filter(pk=link).exists()):
        return link
    if settings.FOUNDING != "open":
        raise FoundingLinkOver
    if is_asking:
        here, of_all = get_counts_today(request, FOUNDED)
        _refuse_above_limit(FOUNDED, here + 1, of_all + 1)
    return None


def count_founding(request: HttpRequest) -> None:
    """Count one more club without a link, and the use of a link from a mail, in the transaction of the founding.
    Raise ActionRefused above the daily limit, LinkOverMeanwhile."""
    _refuse_above_limit(FOUNDED, *count_today(request, FOUNDED))
    if secret := request.session.get(CONFIRMED):
        # A second founding by the same link waits in the line above.
        if was_counted(_get_use_key(secret)):
            raise LinkOverMeanwhile
        count_today(request, _get_use_key(secret))


def count_mail(request: HttpRequest, recipient: str) -> None:
    """Count one more mail with a link to this recipient, in a transaction. Raise ActionRefused above the limit."""
    _refuse_above_limit(MAILED, *count_today(request, MAILED))
    digest = salted_hmac(SALT, recipient.casefold(), algorithm="sha256").hexdigest()
    _here, of_all = count_today(request, f"{MAILED} to {digest}")
    if of_all > DAILY_LIMIT_PER_RECIPIENT:
        sentence = _(
            "An diese Adresse ging heute schon mehrmals ein Link. Bitte auch unter Spam nachsehen, sonst morgen wiederkommen."
        )
        raise ActionRefused(sentence, status=429)


def _refuse_above_limit(kind: str, here: int, of_all: int) -> None:
    if here > DAILY_LIMITS[kind][0] or of_all > DAILY_LIMITS[kind][1]:
        sentence = _(
            "Von hier lässt sich heute kein Club mehr gründen: Je Tag geht das nur wenige Male. Bitte morgen wiederkommen."
        )
        raise ActionRefused(sentence, status=429)
