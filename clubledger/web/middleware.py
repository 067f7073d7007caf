"""Middleware for the headers of every response, the title of a page that refuses a form, and errors that pass."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from clubledger.disk import get_disk_trouble
from clubledger.web.errors import answer_overload

# The policy for responses that load nothing and may not be framed: static pictures, and requests refused before Django.
CSP_OF_DATA = "default-src 'none'; frame-ancestors 'none'"
# With nosniff a policy for scripts, styles and data has no effect, and with a 304 the browser uses the stored headers. The service
# worker is served by a view because it needs a policy for what it loads.
CODE = ("text/javascript", "text/css")
DATA = "application/json"
OF_DOCUMENTS = ("Referrer-Policy", "X-Robots-Tag", "Content-Language")  # headers for documents only
OF_PAGES = ("Cross-Origin-Opener-Policy", "X-Frame-Options")  # headers for pages only; CSP_OF_DATA refuses frames as well
# Headers for revalidation, which static files do not need: they never change under their names.
OF_CHANGES = ("Last-Modified", "ETag")

NO_STORE = "no-store"


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


class ErrorTitleMiddleware(MiddlewareMixin):
    """Begin the title of a page that refuses a form with "Fehler:", since screen readers read the title first."""

    async_capable = False

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_refusal = request.method == "POST" and response.status_code >= 400
        if is_refusal and isinstance(response, HttpResponse) and response["Content-Type"].startswith("text/html"):
            begun = "<title>" + _("Fehler:") + " "
            response.content = response.content.replace(b"<title>", begun.encode(), 1)
        return response


class NoIndexMiddleware(MiddlewareMixin):
    """Set X-Robots-Tag: noindex for GET and HEAD, except on pages that a view marked `findable`."""

    async_capable = False

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        keeps = response.status_code == 200 and getattr(request, "findable", False)
        if request.method in ("GET", "HEAD") and not keeps:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


class NoStoreMiddleware(MiddlewareMixin):
    """Set Cache-Control: no-store unless the view has set a value, so that "back" after a logout asks the server.
    JSON answers to POST get none, to save bytes: browsers do not cache them (RFC 9111, section 3)."""

    async_capable = False

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Cache-Control", NO_STORE)
        if response.headers["Cache-Control"] == NO_STORE:
            # Vary has no effect on a response that is not cached.
            response.headers.pop("Vary", None)
            if request.method == "POST" and response.headers.get("Content-Type") == DATA:
                response.headers.pop("Cache-Control")
        return response


class FilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise that sends each file as one piece: under ASGI Django would collect a stream piece by piece."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


class OverloadMiddleware(MiddlewareMixin):
    """Answer errors of views with 503 if waiting helps."""

    async_capable = False

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer_overload(request, exception)


class Sessions(SessionMiddleware):
    """Django's session middleware with 503 for errors while the session is saved, where no other middleware catches them."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the response, or 503 if the session cannot be saved. A GET is answered on a full disk all the same."""
        try:
            return super().process_response(request, response)
        except (DatabaseError, InterfaceError, SessionInterrupted) as error:
            if get_disk_trouble(_get_cause(error)) and request.method in ("GET", "HEAD") and response.status_code == 200:
                patch_vary_headers(response, ["Cookie"])
                return response
            answer = answer_overload(request, _get_cause(error))
            if answer is None:
                raise
            return answer


def _get_cause(error: BaseException) -> BaseException | None:
    """Return the error behind SessionInterrupted: the session store turns any error of writing into a deleted session."""
    if isinstance(error, SessionInterrupted) and error.__context__ is not None:
        return error.__context__.__context__
    return error
