"""Middleware for the headers of every response, and for the title of a page that refuses a form."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

# The policy for responses that load nothing and may not be framed: static pictures, and requests refused before Django.
CSP_OF_DATA = "default-src 'none'; frame-ancestors 'none'"
# Scripts, styles and data are not documents: with nosniff a browser uses them as their declared type or not at all, so a policy
# for them has no effect. It would only cost bytes, with every game and every script module. The service worker is served by a view
# because it needs a policy for what it loads. A 304 response needs no policy: the browser uses the headers that it has stored.
CODE = ("text/javascript", "text/css")
DATA = "application/json"
# Headers for documents only: the referrer of links, search engines, the language.
OF_DOCUMENTS = ("Referrer-Policy", "X-Robots-Tag", "Content-Language")
# Headers for pages only: other windows, and frames, which CSP_OF_DATA refuses as well.
OF_PAGES = ("Cross-Origin-Opener-Policy", "X-Frame-Options")
# Headers for revalidation. Static files do not need them: they never change under their names, and Cache-Control says so.
OF_CHANGES = ("Last-Modified", "ETag")

KEPT_BY_NOBODY = "no-store"


class PolicyMiddleware:
    """Add Permissions-Policy to pages, and remove headers that have no effect from static files and data."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = ", ".join(f"{name}={who}" for name, who in settings.PERMISSIONS_POLICY.items())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        headers = response.headers
        kind = headers.get("Content-Type", "").partition(";")[0]
        is_file = request.path.startswith(settings.STATIC_URL) and response.status_code == 200
        is_code = kind in CODE
        is_no_document = kind == DATA or response.status_code == 304 or (is_file and is_code)
        if is_no_document:
            headers.pop("Content-Security-Policy", None)
        elif is_file:
            headers["Content-Security-Policy"] = CSP_OF_DATA
        elif not is_code:
            headers.setdefault("Permissions-Policy", self.policy)
        for name in (
            *(OF_DOCUMENTS if is_no_document or is_code else ()),
            *(OF_PAGES if is_no_document or is_code or is_file else ()),
            *(OF_CHANGES if is_file else ()),
        ):
            headers.pop(name, None)
        return response


class RefusedTitleMiddleware:
    """Begins the title of a page that refuses a form with "Fehler:", since screen readers read the title first."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_refusal = request.method == "POST" and response.status_code >= 400
        if is_refusal and isinstance(response, HttpResponse) and response["Content-Type"].startswith("text/html"):
            begun = "<title>" + _("Fehler:") + " "
            response.content = response.content.replace(b"<title>", begun.encode(), 1)
        return response


class NotFoundBySearchMiddleware:
    """Set X-Robots-Tag: noindex for GET and HEAD, except on pages that a view marked `findable`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        keeps = response.status_code == 200 and getattr(request, "findable", False)
        if request.method in ("GET", "HEAD") and not keeps:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


class NotKeptMiddleware:
    """Set Cache-Control: no-store unless the view has set a value, so that "back" after a logout asks the server.
    JSON answers to POST get none, to save bytes: browsers do not cache them (RFC 9111, section 3)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", KEPT_BY_NOBODY)
        if response.headers["Cache-Control"] == KEPT_BY_NOBODY:
            # Vary has no effect on a response that is not cached.
            response.headers.pop("Vary", None)
            if request.method == "POST" and response.headers.get("Content-Type") == DATA:
                response.headers.pop("Cache-Control")
        return response
