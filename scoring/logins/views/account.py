"""Logging in and out, one's password, deleting one's login."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout as end_session
from django.contrib.auth import update_session_auth_hash, views
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.errors import TooManyPasswords
from scoring.club.views.busy import come_again
from scoring.core.errors import ActionRefused
from scoring.logins.actions.logins import delete_login
from scoring.logins.forms.account import LoginForm, NewPasswordForm, is_busy
from scoring.logins.models.sessions import begun
from scoring.logins.queries import browser_and_system


class Login(views.LoginView):
    form_class = LoginForm

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Logged in; the session notes where."""
        response: HttpResponse = super().form_valid(form)
        self.request.session.update(begun(browser_and_system(self.request.headers.get("User-Agent", ""))))
        return response

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        """The form with what was wrong, or that it has to wait."""
        response: HttpResponse = super().form_invalid(form)
        return come_again(response, TooManyPasswords) if is_busy(form) else response


class PasswordChange(views.PasswordChangeView):
    form_class = NewPasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """With the request, by which wrong passwords are counted."""
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        """Changed, unless that has to wait."""
        if not form.try_to_save():
            return self.form_invalid(form)
        update_session_auth_hash(self.request, form.user)
        return redirect("password_change_done")

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        """The form with what was wrong, or that it has to wait."""
        response: HttpResponse = super().form_invalid(form)
        return come_again(response, TooManyPasswords) if is_busy(form) else response


login = Login.as_view()
logout = views.LogoutView.as_view()
password_change = PasswordChange.as_view()
password_change_done = require_safe(views.PasswordChangeDoneView.as_view())


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def login_delete(request: HttpRequest) -> HttpResponse:
    """Asks first; POST deletes the login, where it belongs to no club."""
    if request.method == "POST":
        try:
            delete_login(user=request.user)
        except ActionRefused as refused:
            messages.warning(request, str(refused))
            return render(request, "registration/login_delete.html", status=refused.status)
        end_session(request)
        messages.success(request, _("Die Anmeldung ist gelöscht."))
        return redirect("login")
    return render(request, "registration/login_delete.html")
