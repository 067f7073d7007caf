from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from scoring.club.access import LoginNeeded
from scoring.table.access import LINK, TypedByAnother
from scoring.table.models import TableLink


class LoginRedirect(MiddlewareMixin):
    """Redirect a request without a login to the login page; answer a script with 401 and a sentence."""

    async_capable = False

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, LoginNeeded):
            return None
        types = ["text/html", "application/json"]
        if request.content_type == types[1] or request.get_preferred_type(types) == types[1]:
            return JsonResponse({"error": _get_reason(request, exception)}, status=401)
        return redirect_to_login(request.get_full_path())


def _get_reason(request: HttpRequest, needed: LoginNeeded) -> str:
    if isinstance(needed, TypedByAnother):
        return _("Nicht gespeichert: hier trägt jetzt jemand anders ein. Bitte die Seite neu laden.")
    if link := request.session.get(LINK):
        if TableLink.objects.filter(pk=link, table__evening__closed_at__isnull=False).exists():
            return _("Der Abend ist abgeschlossen.")
        return _("Der Link für den Tisch gilt nicht mehr. Bitte den neuen öffnen.")
    if request.method == "GET":
        return _("Bitte in einem anderen Fenster neu anmelden.")
    return _("Nicht gespeichert: bitte in einem anderen Fenster neu anmelden.")
