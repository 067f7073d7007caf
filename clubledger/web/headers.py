"""Decides which abilities of the browser an answer may use (a page some, data none at all), that nobody keeps a copy of it, and
that no search engine finds it: told in headers on every answer."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Data and files load nothing and stand in no frame; a phone in a cellar should not be sent the rules for pages with every
# game, nor with every module of a script.
CSP_OF_DATA = "default-src 'none'; frame-ancestors 'none'"
# What is about windows says nothing of data, and frames are refused by its policy already.
OF_PAGES = ("Cross-Origin-Opener-Policy", "X-Frame-Options")


class PolicyMiddleware:
    """Adds Permissions-Policy from settings.PERMISSIONS_POLICY to pages, and to JSON and static files the shortest
    Content-Security-Policy, which django-csp then leaves as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = ", ".join(f"{name}={who}" for name, who in settings.PERMISSIONS_POLICY.items())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_file = request.path.startswith(settings.STATIC_URL) and response.status_code == 200
        if is_file or response.headers.get("Content-Type") == "application/json":
            response.headers.setdefault("Content-Security-Policy", CSP_OF_DATA)
            for name in OF_PAGES:
                response.headers.pop(name, None)
        else:
            response.headers.setdefault("Permissions-Policy", self.policy)
        return response


class NotFoundBySearchMiddleware:
    """No search engine keeps anything of the site, but pages of which `access` says that their club wants to be found. None sends
    a form, so only what is asked for says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        keeps = response.status_code == 200 and getattr(request, "findable", False)
        if request.method in ("GET", "HEAD") and not keeps:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


class NotKeptMiddleware:
    """Nothing that the site answers is kept on the way or in the phone, unless the view says otherwise: after logging out on
    a shared phone, "back" asks the server again. Static files are answered before it is their turn."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response
