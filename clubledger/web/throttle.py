"""Limits wrong passwords: five for one name from one address, and thirty from one address for all names together. Both count
only where the tries came from, so a client cannot lock out a login at another address. Thirty are more mistakes than a whole
club makes in its pub in a quarter of an hour. Wrong links, and mails that are asked for, have the same two limits and counters
of their own, which never touch those of passwords: any page can make a browser open wrong links. What an address may do only so
often in a day (scoring/accounts/access.py) is counted in the same table, in one row for each day and one for all addresses.

django-axes counts and locks. It knows one limit and one kind of tries, and forgets all its counts when a user logs in. So this
module adds the second limit and the kinds, and a right password clears only the failures of the same name."""

from __future__ import annotations

import datetime
import ipaddress
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from clubledger.web.addresses import client_address

OF_A_NAME: Final = 5
OF_AN_ADDRESS: Final = 30
# By so much the clocks of several machines on one database may differ. What failed later than that was counted by a wrong clock.
_CLOCKS_DIFFER: Final = datetime.timedelta(minutes=1)
# Whoever has IPv6 has 2**64 addresses at the least.
_HOST_BITS: Final = 64
# Where nobody can say from where somebody comes, all of them are one.
_NOWHERE: Final = "0.0.0.0"  # noqa: S104  # nosec B104  # compared, not listened on
# What is counted apart from passwords: the `kind` of the credentials that axes is given (scoring/accounts/access.py).
LINK: Final = "link"
MAIL: Final = "mail"
# The names of rows that count something of a day begin with this, and stay for two days: until then it is over everywhere.
OF_A_DAY: Final = "day "
_DAYS_KEPT: Final = datetime.timedelta(days=2)


class Handler(AxesDatabaseHandler):
    """Counts as axes does, by the two AXES_LOCKOUT_PARAMETERS: name and address, address alone; each kind by itself."""

    def counted(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> tuple[int, int]:
        """Return the failures of this kind in the last quarter of an hour: of this name from this address, and from this
        address."""
        of_name, of_address = self.get_user_attempts(request, credentials)
        if kind := kind_of(credentials):
            of_address = of_address.filter(username__startswith=f"{kind} ")
        else:
            of_address = of_address.exclude(username__contains=" ")
        first, second = (found.aggregate(sum=Sum("failures_since_start"))["sum"] or 0 for found in (of_name, of_address))
        return first, second

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """What axes compares with OF_A_NAME: as many from an address as that may bring weigh as much."""
        of_name, of_address = self.counted(request, credentials)
        return max(of_name, of_address * OF_A_NAME // OF_AN_ADDRESS)

    def get_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> list[QuerySet[AccessAttempt]]:
        """Leave out failures from the future: after a clock that was ahead, they would lock for as long as it was."""
        latest = timezone.now() + _CLOCKS_DIFFER
        return [found.filter(attempt_time__lte=latest) for found in super().get_user_attempts(request, credentials)]

    def clean_expired_user_attempts(
        self, request: HttpRequest | None = None, credentials: dict[str, Any] | None = None
    ) -> int:
        deleted: int = self.expired().delete()[0]
        return deleted

    def expired(self) -> QuerySet[AccessAttempt]:
        """Return the failures that count no more, and those from the future: axes would add the next one to them."""
        now, of_a_day = timezone.now(), Q(username__startswith=OF_A_DAY)
        of_the_past = Q(attempt_time__lte=now - settings.AXES_COOLOFF_TIME) & ~of_a_day
        of_a_past_day = Q(attempt_time__lte=now - _DAYS_KEPT) & of_a_day
        found: QuerySet[AccessAttempt] = AccessAttempt.objects.filter(
            of_the_past | of_a_past_day | Q(attempt_time__gt=now + _CLOCKS_DIFFER)
        )
        return found

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Forget the failures for this name from this address; else whoever has a login could guess all others."""
        deleted: int = self.filter_user_attempts(request, credentials)[0].delete()[0]
        return deleted


def counted_address(request: HttpRequest) -> str:
    """From where a request came, as far as guessing is concerned: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        address = ipaddress.ip_address(client_address(request))
    except ValueError:
        return _NOWHERE
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS))
        return str(address.ipv4_mapped)
    return str(address)


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return a name as it is counted and stored: a digest, as long for every name, since people type passwords there, too;
    behind its kind where it is no login's."""
    digest = salted_hmac("clubledger.web.throttle", (credentials or request.POST).get("username") or "").hexdigest()
    kind = kind_of(credentials)
    return f"{kind} {digest}" if kind else digest


def kind_of(credentials: dict[str, Any] | None) -> str:
    """Return what is counted by these credentials, "" for a password."""
    kind: str = (credentials or {}).get("kind", "")
    return kind


def locked(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    """Return the page of a client that is locked out: 429, with the minutes that it lasts."""
    minutes = settings.AXES_COOLOFF_TIME.seconds // 60
    of_name, _of_address = AxesProxyHandler.get_implementation().counted(request, credentials)
    kind = kind_of(credentials)
    if kind == LINK:
        sentence = _(
            "Von diesem Internetanschluss kamen zu viele falsche Links. "
            "Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    elif of_name >= OF_A_NAME:
        sentence = _(
            "Unter diesem Namen wurde es zu oft versucht. Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    elif kind == MAIL:
        sentence = _(
            "Von diesem Internetanschluss wurde zu oft nach einem neuen Passwort gefragt. "
            "Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    else:
        sentence = _(
            "Von diesem Internetanschluss kamen zu viele falsche Passwörter. "
            "Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    answer = render(request, "registration/locked.html", {"sentence": sentence % {"minutes": minutes}}, status=429)
    answer.headers["Retry-After"] = str(60 * minutes)
    return answer
