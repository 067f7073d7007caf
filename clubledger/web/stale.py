"""Offer the values of a form whose CSRF token is too old to be sent again."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# Fields with this in their names are not written into the page; the user types them again.
_SECRET = "password"  # noqa: S105  # nosec B105  # part of the names of fields
_TOKEN = "csrfmiddlewaretoken"  # noqa: S105  # nosec B105  # a name of a field


def answer_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for what Django's CSRF middleware refuses, with the typed values in a form with a new token.
    Values from another site are not shown: one tap on our page would send them with a valid token."""
    context: dict[str, list[Any]] = {"fields": [], "secrets": [], "files": []}
    site, origin = request.headers.get("Sec-Fetch-Site"), f"{request.scheme}://{request.get_host()}"
    is_from_our_page = site == "same-origin" if site else request.headers.get("Origin") == origin  # without HTTPS only Origin
    if is_from_our_page:
        names = [name for name in request.POST if name != _TOKEN]
        context = {
            "fields": [(name, value) for name in names if _SECRET not in name for value in request.POST.getlist(name)],
            "secrets": [name for name in names if _SECRET in name],
            "files": list(request.FILES),
        }
    return render(request, "403_csrf.html", {**context, "reason": reason}, status=403)
