"""Count wrong links and requested mails per client, and other actions per day; fetch links to join a club. A valid link works even
after too many wrong ones: 128 bits cannot be guessed, and honest clients may share the address of an attacker."""

from __future__ import annotations

from typing import Final

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.accounts.actions import JoinLinkExpired
from scoring.accounts.models import JoinLink
from scoring.accounts.queries import list_open_join_links
from scoring.club.access import Access, Role, fetch
from scoring.core.links import parse_link_id

# The kinds that are counted. Their sentences are in clubledger/web/throttle.py.
LINK: Final = "link"
MAIL: Final = "mail"
DAY_PREFIX: Final = "day "  # the prefix of counters of one day (clubledger/web/throttle.py)
ALL_ADDRESSES: Final = "255.255.255.255"  # the row of this address, which no client has, counts all addresses together
JOIN: Final = "join"  # the session key of the opened link; its value is the id of the row


def refuse_embedded(request: HttpRequest) -> None:
    """Raise Http404 if a page of another site embeds the address. A tap on a link there is allowed: it is a navigation, with the
    destination "empty" if it comes through our service worker."""
    headers = request.headers
    is_navigation = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") in (
        "document",
        "empty",
    )
    if headers.get("Sec-Fetch-Site") == "cross-site" and not is_navigation:
        raise Http404


def count_try(request: HttpRequest, kind: str, tried: str) -> None:
    """Count one failed try. Of the URL only the pattern is stored, since a wrong link may be a valid one with a typo. Raise
    PermissionDenied (429) after too many."""
    credentials = {"username": tried, "kind": kind}
    if not AxesProxyHandler.is_allowed(request, credentials):
        _lock_out(request, credentials)
    request.axes_path_info = request.resolver_match.route  # type: ignore[attr-defined, union-attr]  # axes reads it
    AxesProxyHandler.user_login_failed(__name__, credentials, request)
    if request.axes_locked_out:  # type: ignore[attr-defined]  # axes sets it
        _lock_out(request, credentials)


def get_counts_today(request: HttpRequest, kind: str) -> tuple[int, int]:
    """Return today's counts of this kind: of the client's address, and of all addresses."""
    AxesProxyHandler.update_request(request)
    address: str = request.axes_ip_address  # type: ignore[attr-defined]  # axes sets it
    rows = AccessAttempt.objects.filter(username=_get_day_name(kind), ip_address__in=(ALL_ADDRESSES, address))
    counts = dict(rows.values_list("ip_address", "failures_since_start"))
    return counts.get(address, 0), counts.get(ALL_ADDRESSES, 0)


def count_today(request: HttpRequest, kind: str) -> tuple[int, int]:
    """Add 1 to today's counts of this kind and return them. Until the transaction ends, other clients that count wait."""
    AxesProxyHandler.update_request(request)
    for address in (ALL_ADDRESSES, request.axes_ip_address):  # type: ignore[attr-defined]  # axes sets it
        row, _created = AccessAttempt.objects.get_or_create(
            username=_get_day_name(kind), ip_address=address, user_agent="", defaults={"failures_since_start": 0}
        )
        AccessAttempt.objects.filter(pk=row.pk).update(failures_since_start=F("failures_since_start") + 1)
    return get_counts_today(request, kind)


def was_counted(kind: str) -> bool:
    """Return whether this kind was counted within the two days for which counts of a day are kept."""
    rows = AccessAttempt.objects.filter(username__startswith=DAY_PREFIX, username__endswith=f" {kind}")
    return bool(rows.exists())


def _get_day_name(kind: str) -> str:
    return f"{DAY_PREFIX}{timezone.localdate()} {kind}"


def forget_tries(request: HttpRequest, login: str) -> None:
    """Delete the wrong passwords counted for a login from the address of this client."""
    AxesProxyHandler.update_request(request)
    AxesProxyHandler.get_implementation().reset_user_attempts(request, {"username": login})


def _lock_out(request: HttpRequest, credentials: dict[str, str]) -> None:
    request.axes_locked_out, request.axes_credentials = True, credentials  # type: ignore[attr-defined]  # axes reads them
    raise PermissionDenied


def get_join_link(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[JoinLink, Access]:
    return fetch(request, JoinLink.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)


def get_join_link_by_token(request: HttpRequest, token: str) -> JoinLink:
    """Fetch the link with this token. Raise JoinLinkExpired if it is not open, Http404 if no link has the
    token, PermissionDenied (429) after too many such tokens."""
    refuse_embedded(request)
    link = JoinLink.objects.filter(pk=parse_link_id(token)).first()
    if link is None or not link.opens_with(token):
        count_try(request, LINK, token)
        raise Http404(_("Diesen Link gibt es nicht."))
    return _get_open_link(link.pk)


def get_join_link_of_session(request: HttpRequest) -> JoinLink:
    """Fetch the link that was opened in this session. Raise Http404 if none was, JoinLinkExpired."""
    if JOIN not in request.session:
        raise Http404(_("Bitte den Link der Einladung noch einmal öffnen."))
    return _get_open_link(request.session[JOIN])


def _get_open_link(pk: int) -> JoinLink:
    link = list_open_join_links().filter(pk=pk).first()
    if link is None:
        raise JoinLinkExpired
    return link
