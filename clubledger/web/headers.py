"""Sets headers on every answer: which abilities of the browser it may use (a page some, data none), that nobody keeps a
copy of it, and that no search engine lists it; and the title of a page that refuses what was sent."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

# What loads nothing and stands in no frame: pictures among our files, and what is refused before it reaches a page.
CSP_OF_DATA = "default-src 'none'; frame-ancestors 'none'"
# Scripts, styles and data are no documents: with nosniff a browser uses them as their declared type or not at all, so a
# policy for them has no effect. It would only cost bytes, with every game and every module of a script. The worker is
# served by a view, because its policy rules what it loads. An answer 304 needs no policy: the browser keeps the headers
# that it has.
CODE = ("text/javascript", "text/css")
DATA = "application/json"
# Where a document leads, who finds it, and what it is read aloud in.
OF_DOCUMENTS = ("Referrer-Policy", "X-Robots-Tag", "Content-Language")
# What is about windows; frames are refused by the policy of data already.
OF_PAGES = ("Cross-Origin-Opener-Policy", "X-Frame-Options")
# By what something could be asked for again. Our files never change under their names, and browsers are told so.
OF_CHANGES = ("Last-Modified", "ETag")

KEPT_BY_NOBODY = "no-store"


class PolicyMiddleware:
    """Adds Permissions-Policy from settings.PERMISSIONS_POLICY to pages, and takes from files and data what means nothing for them.
    Of the files only pictures have a Content-Security-Policy, the shortest."""

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
    """Begins the title of each page that refuses what was sent with "Fehler:", the first thing that a screen reader says of it."""

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
    """No search engine keeps anything of the site, but pages of a club that wants to be found, as `access` says, and the front page
    of a site where every visitor may found a club. None sends a form, so only what is asked for says so."""

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
    a shared phone, "back" asks the server again. Static files are answered before it is their turn. Data that answers what was sent
    says nothing of it: without a word on how long it is good no browser keeps what is no GET (RFC 9111, section 3), and a
    phone in a cellar is sent it with every game."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", KEPT_BY_NOBODY)
        if response.headers["Cache-Control"] == KEPT_BY_NOBODY:
            # It says for whom else an answer that is kept would be right.
            response.headers.pop("Vary", None)
            if request.method == "POST" and response.headers.get("Content-Type") == DATA:
                response.headers.pop("Cache-Control")
        return response
