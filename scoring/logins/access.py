"""Limits how often somebody may try the secret of a link. A link that does not exist counts as a wrong password from that
address. After too many, the middleware of django-axes refuses, as at the login."""

from __future__ import annotations

from axes.handlers.proxy import AxesProxyHandler
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def require_patience(request: HttpRequest, tried: str) -> None:
    """Whoever tried too much of this kind, or from this address, waits before anything is looked up."""
    credentials = {"username": tried}
    if not AxesProxyHandler.is_allowed(request, credentials):
        _lock_out(request, credentials)


def count_try(request: HttpRequest, tried: str) -> None:
    """One more of what was `tried`: a sentence that no login can be called, and its secret where each counts by itself.
    What is kept of it names the page, not the address: a link that lost its last letter is nearly a right one."""
    credentials = {"username": tried}
    AxesProxyHandler.update_request(request)
    request.axes_path_info = request.resolver_match.route  # type: ignore[attr-defined, union-attr]  # axes reads it
    AxesProxyHandler.user_login_failed(__name__, credentials, request)
    if request.axes_locked_out:  # type: ignore[attr-defined]  # axes sets it
        _lock_out(request, credentials)


def forget_tries(request: HttpRequest, login: str) -> None:
    """Whoever has chosen a new password need not wait for the wrong ones of before, here where they are."""
    AxesProxyHandler.update_request(request)
    AxesProxyHandler.get_implementation().reset_user_attempts(request, {"username": login})


def _lock_out(request: HttpRequest, credentials: dict[str, str]) -> None:
    """The middleware takes the page of this answer for its own."""
    request.axes_locked_out, request.axes_credentials = True, credentials  # type: ignore[attr-defined]  # axes reads them
    raise PermissionDenied
