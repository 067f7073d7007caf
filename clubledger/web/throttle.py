"""Decides after how many wrong passwords an address may not try again: five for one name from one address, and thirty from
one address for all names together. Both count only where the tries came from, so nobody can lock out somebody at another
address. Thirty are more mistakes than a whole club makes in its pub in a quarter of an hour.

django-axes counts and locks. It knows one limit only, and forgets all its counts when somebody logs in. So this module adds
the second limit, and a right password clears only the failures of the same name."""

from __future__ import annotations

import ipaddress
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from clubledger.web.addresses import client_address

OF_A_NAME: Final = 5
OF_AN_ADDRESS: Final = 30
# Whoever has IPv6 has 2**64 addresses at the least.
_HOST_BITS: Final = 64
# Where nobody can say from where somebody comes, all of them are one.
_NOWHERE: Final = "0.0.0.0"  # noqa: S104  # nosec B104  # compared, not listened on


class Handler(AxesDatabaseHandler):
    """Counts as axes does, by the two AXES_LOCKOUT_PARAMETERS: name and address, address alone."""

    def counted(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> tuple[int, int]:
        """The wrong passwords of the last quarter of an hour: for this name from this address, and from this address."""
        of_name, of_address = (
            attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        return of_name, of_address

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """What axes compares with OF_A_NAME: as many from an address as that may bring weigh as much."""
        of_name, of_address = self.counted(request, credentials)
        return max(of_name, of_address * OF_A_NAME // OF_AN_ADDRESS)

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
    """A name as it is counted and stored: as a digest, as long for every name. People type passwords there, too."""
    return salted_hmac(__name__, (credentials or request.POST).get("username") or "").hexdigest()


def locked(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    """The page of somebody who is locked out: 429, with the minutes that it lasts."""
    minutes = settings.AXES_COOLOFF_TIME.seconds // 60
    of_name, _of_address = AxesProxyHandler.get_implementation().counted(request, credentials)
    if of_name >= OF_A_NAME:
        sentence = _(
            "Unter diesem Namen wurde es zu oft versucht. Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    else:
        sentence = _(
            "Von diesem Internetanschluss kamen zu viele falsche Passwörter oder Links. "
            "Bitte in %(minutes)s Minuten noch einmal versuchen."
        )
    answer = render(request, "registration/locked.html", {"sentence": sentence % {"minutes": minutes}}, status=429)
    answer.headers["Retry-After"] = str(60 * minutes)
    return answer
