"""The page of the devices on which somebody is logged in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.logins.actions.devices import end_other_sessions, end_session
from scoring.logins.queries import devices_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def devices(request: HttpRequest) -> HttpResponse:
    """POST ends one session, or all others."""
    here = request.session.session_key
    if request.method == "POST":
        if request.POST.get("device") == "others":
            end_other_sessions(user=request.user, here=here)
            messages.success(request, _("Alle anderen Geräte sind abgemeldet."))
        elif end_session(user=request.user, name=request.POST.get("device", "")):
            messages.success(request, _("Das Gerät ist abgemeldet."))
        else:
            messages.warning(request, _("Dieses Gerät war schon abgemeldet."))
        return redirect("devices")
    return render(request, "scoring/logins/devices.html", {"devices": devices_of(request.user, here)})
