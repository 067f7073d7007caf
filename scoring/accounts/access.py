"""Limits how often a client may try the secret of a link, or ask for a mail. Each kind has a counter of its own for an address
and never touches that of passwords. After too many, the middleware of django-axes refuses, as at the login. A right link is
never refused: 128 bits are not guessed, and whoever shares an address with a client that tries goes on. Also counts what an
address, and all addresses together, may do only so often in a day."""

from __future__ import annotations

from typing import Final

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.accounts.actions import JoinLinkOver
from scoring.accounts.models import JoinLink
from scoring.accounts.queries import open_links
from scoring.club.access import Access, Role, fetch
from scoring.core.links import parse_link_id

# What is counted, each by itself; the sentences for too many are in clubledger/web/throttle.py.
LINK: Final = "link"
MAIL: Final = "mail"
# The names of rows that count something of a day begin with this (clubledger/web/throttle.py).
OF_A_DAY: Final = "day "
# Under this address, which no client has, the row is kept that counts those of all addresses.
ALL: Final = "255.255.255.255"


def refuse_embedded(request: HttpRequest) -> None:
    """Refuse a link that a page of another site loads instead of leading to it, before anything is looked up. Raises Http404."""
    said = request.headers
    is_opened = said.get("Sec-Fetch-Mode") == "navigate" and said.get("Sec-Fetch-Dest") in ("document", "empty")
    # A tap on a link there, in a messenger for instance, is a navigation; passed on by our worker its destination is "empty".
    if said.get("Sec-Fetch-Site") == "cross-site" and not is_opened:
        raise Http404


def count_try(request: HttpRequest, kind: str, tried: str) -> None:
    """Count one more try of this kind, or refuse a client that tried too much. What is kept of it names the page, not the address:
    a link that lost its last letter is nearly a right one."""
    credentials = {"username": tried, "kind": kind}
    if not AxesProxyHandler.is_allowed(request, credentials):
        _lock_out(request, credentials)
    request.axes_path_info = request.resolver_match.route  # type: ignore[attr-defined, union-attr]  # axes reads it
    AxesProxyHandler.user_login_failed(__name__, credentials, request)
    if request.axes_locked_out:  # type: ignore[attr-defined]  # axes sets it
        _lock_out(request, credentials)


def counted_today(request: HttpRequest, kind: str) -> tuple[int, int]:
    """Return how often something of this kind was counted today: from the address of this client, and in all."""
    AxesProxyHandler.update_request(request)
    here: str = request.axes_ip_address  # type: ignore[attr-defined]  # axes sets it
    rows = AccessAttempt.objects.filter(username=_of_today(kind), ip_address__in=(ALL, here))
    found = dict(rows.values_list("ip_address", "failures_since_start"))
    return found.get(here, 0), found.get(ALL, 0)


def count_today(request: HttpRequest, kind: str) -> tuple[int, int]:
    """Count one more of this kind, and return `counted_today` with it. In a transaction, every other client that is counted waits
    until it ends."""
    AxesProxyHandler.update_request(request)
    for address in (ALL, request.axes_ip_address):  # type: ignore[attr-defined]  # axes sets it
        row, _made = AccessAttempt.objects.get_or_create(
            username=_of_today(kind), ip_address=address, user_agent="", defaults={"failures_since_start": 0}
        )
        AccessAttempt.objects.filter(pk=row.pk).update(failures_since_start=F("failures_since_start") + 1)
    return counted_today(request, kind)


def was_counted(kind: str) -> bool:
    """Return whether something of this kind was counted today or yesterday, from any address."""
    counted = AccessAttempt.objects.filter(username__startswith=OF_A_DAY, username__endswith=f" {kind}")
    return bool(counted.exists())


def _of_today(kind: str) -> str:
    """The name of the rows that count this today; they stay as `clubledger/web/throttle.py` says."""
    return f"{OF_A_DAY}{timezone.localdate()} {kind}"


def forget_tries(request: HttpRequest, login: str) -> None:
    """Forget the wrong passwords of a login that has a new one, at the address of this client."""
    AxesProxyHandler.update_request(request)
    AxesProxyHandler.get_implementation().reset_user_attempts(request, {"username": login})


def _lock_out(request: HttpRequest, credentials: dict[str, str]) -> None:
    """Let the middleware of axes answer this request."""
    request.axes_locked_out, request.axes_credentials = True, credentials  # type: ignore[attr-defined]  # axes reads them
    raise PermissionDenied


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
