"""Limit wrong passwords with django-axes: five for a name from one address, thirty for all names from one address.
Only the address that failed is locked, so no client locks a login elsewhere. A club in its pub, with one address, makes fewer than
thirty mistakes in 15 minutes. Wrong links and requests for mails are counted apart, so that they lock no passwords: any web page
can make a browser open wrong links.
Axes has one limit and one count of failures, and deletes the failures of an address at each login from it. This module adds the
second limit and the kinds of failures, and a login deletes only the failures of its name."""

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

MAX_FAILURES_PER_NAME: Final = settings.AXES_FAILURE_LIMIT
MAX_FAILURES_PER_ADDRESS: Final = 30
# The allowed difference between the clocks of machines on one database. A failure further in the future is due to a wrong clock.
_CLOCKS_DIFFER: Final = datetime.timedelta(minutes=1)
_HOST_BITS: Final = 64  # a client with IPv6 has at least 2**64 addresses, so only the /64 is counted
_UNKNOWN_ADDRESS: Final = "0.0.0.0"  # noqa: S104  # nosec B104  # compared, not listened on
# Kinds of attempts that are counted apart from passwords: `kind` in the credentials given to axes (scoring/accounts/access.py).
LINK: Final = "link"
MAIL: Final = "mail"
# The prefix of the names of rows that count the attempts of one day. They are kept for two days, until the day is over in every
# time zone.
DAY_PREFIX: Final = "day "
_DAYS_KEPT: Final = datetime.timedelta(days=2)


class Handler(AxesDatabaseHandler):
    """Count like axes by the two AXES_LOCKOUT_PARAMETERS (name with address, address alone), but each kind separately."""

    def counted(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> tuple[int, int]:
        """Return two numbers of recent failures of this kind: for this name from this address, and for all names from it."""
        of_name, of_address = self.get_user_attempts(request, credentials)
        if kind := kind_of(credentials):
            of_address = of_address.filter(username__startswith=f"{kind} ")
        else:
            of_address = of_address.exclude(username__contains=" ")
        first, second = (found.aggregate(sum=Sum("failures_since_start"))["sum"] or 0 for found in (of_name, of_address))
        return first, second

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the number that axes compares with AXES_FAILURE_LIMIT, which is MAX_FAILURES_PER_NAME; failures of the address are
        scaled to it."""
        of_name, of_address = self.counted(request, credentials)
        return max(of_name, of_address * MAX_FAILURES_PER_NAME // MAX_FAILURES_PER_ADDRESS)

    def get_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> list[QuerySet[AccessAttempt]]:
        """Leave out failures from the future: if the clock was ahead for a while, they would lock for too long."""
        latest = timezone.now() + _CLOCKS_DIFFER
        return [found.filter(attempt_time__lte=latest) for found in super().get_user_attempts(request, credentials)]

    def clean_expired_user_attempts(
        self, request: HttpRequest | None = None, credentials: dict[str, Any] | None = None
    ) -> int:
        return int(self.expired().delete()[0])

    def expired(self) -> QuerySet[AccessAttempt]:
        """Return the failures that no longer count, and those from the future (the clock was wrong): axes would add the next
        failure to such a row, where it would not count."""
        now, of_a_day = timezone.now(), Q(username__startswith=DAY_PREFIX)
        of_the_past = Q(attempt_time__lte=now - settings.AXES_COOLOFF_TIME) & ~of_a_day
        of_a_past_day = Q(attempt_time__lte=now - _DAYS_KEPT) & of_a_day
        found: QuerySet[AccessAttempt] = AccessAttempt.objects.filter(
            of_the_past | of_a_past_day | Q(attempt_time__gt=now + _CLOCKS_DIFFER)
        )
        return found

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Delete only the failures of this name: else a login would reset the count of the address."""
        return int(self.filter_user_attempts(request, credentials)[0].delete()[0])


def counted_address(request: HttpRequest) -> str:
    """Return the address by which failures are counted; of an IPv6 address the /64 network."""
    try:
        address = ipaddress.ip_address(client_address(request))
    except ValueError:
        return _UNKNOWN_ADDRESS
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS))
        return str(address.ipv4_mapped)
    return str(address)


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return the name under which a failure is stored: its kind and a digest. The typed text is not stored, since users sometimes
    type their password into the wrong field."""
    digest = salted_hmac("clubledger.web.throttle", (credentials or request.POST).get("username") or "").hexdigest()
    kind = kind_of(credentials)
    return f"{kind} {digest}" if kind else digest


def kind_of(credentials: dict[str, Any] | None) -> str:
    return str((credentials or {}).get("kind", ""))


def locked(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    minutes = settings.AXES_COOLOFF_TIME.seconds // 60
    of_name, _of_address = AxesProxyHandler.get_implementation().counted(request, credentials)
    kind = kind_of(credentials)
    if kind == LINK:
        sentence = _(
            "Von diesem Internetanschluss kamen zu viele falsche Links. "
            "Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    elif of_name >= MAX_FAILURES_PER_NAME:
        sentence = _("Unter diesem Namen wurde es zu oft versucht. Bitte in %(minutes)s Minuten noch einmal versuchen.")
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
