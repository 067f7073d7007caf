"""Logging in and out, one's password, deleting one's login, and the devices on which somebody is logged in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout as log_out
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import require_login
from scoring.club.errors import TooManyPasswords
from scoring.club.views import come_again
from scoring.core.errors import ActionRefused
from scoring.logins.actions.logins import delete_login, end_other_sessions, end_session
from scoring.logins.forms.account import BUSY, LoginForm, NewPasswordForm, is_busy
from scoring.logins.models import DEVICE, SINCE
from scoring.logins.queries import browser_and_system, devices_of
from scoring.logins.words import device_name


def note_device(request: HttpRequest) -> None:
    """Since when this device is logged in, and what it is: for the page of one's own devices."""
    device = browser_and_system(request.headers.get("User-Agent", ""))
    request.session.update({SINCE: timezone.localdate().isoformat(), DEVICE: device})


class Login(views.LoginView):
    form_class = LoginForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        note_device(self.request)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)
        return come_again(response, TooManyPasswords) if is_busy(form) else response


class PasswordChange(views.PasswordChangeView):
    form_class = NewPasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """With the request, by which wrong passwords are counted."""
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except TooManyPasswords as refused:
            form.add_error(None, ValidationError(str(refused), code=BUSY))
            return self.form_invalid(form)

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)
        return come_again(response, TooManyPasswords) if is_busy(form) else response


login = Login.as_view()
logout = views.LogoutView.as_view()
password_change = PasswordChange.as_view()
password_change_done = require_safe(views.PasswordChangeDoneView.as_view())


@require_http_methods(["GET", "HEAD", "POST"])
def login_delete(request: HttpRequest) -> HttpResponse:
    """Asks first; POST deletes the login, where it belongs to no club."""
    user = require_login(request)
    if request.method == "POST":
        try:
            delete_login(user=user)
        except ActionRefused as refused:
            messages.warning(request, str(refused))
            return render(request, "registration/login_delete.html", status=refused.status)
        log_out(request)
        messages.success(request, _("Die Anmeldung ist gelöscht."))
        return redirect("login")
    return render(request, "registration/login_delete.html")


@require_http_methods(["GET", "HEAD", "POST"])
def devices(request: HttpRequest) -> HttpResponse:
    """POST ends one session, or all others."""
    user, here = require_login(request), request.session.session_key or ""
    if request.method == "POST":
        if request.POST.get("device") == "others":
            end_other_sessions(user=user, here=here)
            messages.success(request, _("Alle anderen Geräte sind abgemeldet."))
        elif end_session(user=user, name=request.POST.get("device", "")):
            messages.success(request, _("Das Gerät ist abgemeldet."))
        else:
            messages.warning(request, _("Dieses Gerät war schon abgemeldet."))
        return redirect("devices")
    found = [(device, device_name(device.browser, device.system)) for device in devices_of(user, here)]
    return render(request, "scoring/logins/devices.html", {"devices": found})
