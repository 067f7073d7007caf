"""Refuses what a page of another site sends, and answers a form whose CSRF token is too old: the form as it was typed, to be
sent once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

# Never sent back into a page: these are typed once more.
_SECRET = "password"  # noqa: S105  # nosec B105  # part of the names of fields
_TOKEN = "csrfmiddlewaretoken"  # noqa: S105  # nosec B105  # a name of a field


class CrossSiteMiddleware:
    """Refuses every form that the browser says comes from another site, before a password in it is looked at or counted. The
    CSRF token says the same; this does not depend on it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and request.headers.get("Sec-Fetch-Site") == "cross-site":
            return answer_stale_form(request)
        return self.get_response(request)


def answer_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 with what was typed as a form with a new token, or without it where the request may be of another site.

    A form of another site must not come back: one tap on our page would send it with a token that is good.
    """
    context: dict[str, list[Any]] = {"fields": [], "secrets": [], "files": []}
    if _is_of_our_own_page(request):
        names = [name for name in request.POST if name != _TOKEN]
        context = {
            "fields": [(name, value) for name in names if _SECRET not in name for value in request.POST.getlist(name)],
            "secrets": [name for name in names if _SECRET in name],
            "files": list(request.FILES),
        }
    return render(request, "403_csrf.html", {**context, "reason": reason}, status=403)


def _is_of_our_own_page(request: HttpRequest) -> bool:
    """Return what the browser says of the page that sends; without HTTPS it says its origin only."""
    site = request.headers.get("Sec-Fetch-Site")
    origin = f"{request.scheme}://{request.get_host()}"
    return site == "same-origin" if site else request.headers.get("Origin") == origin
