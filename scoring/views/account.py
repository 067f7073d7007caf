"""Logging in and out, one's password, and the page with everything that is not needed at the table."""

from __future__ import annotations

from django.contrib.auth import views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.access import Role, get_club
from scoring.forms.account import LoginForm, NewPasswordForm
from scoring.queries.people import person_with

login = views.LoginView.as_view(form_class=LoginForm)
logout = views.LogoutView.as_view()
password_change = views.PasswordChangeView.as_view(form_class=NewPasswordForm)
password_change_done = require_safe(views.PasswordChangeDoneView.as_view())


@require_safe
def more(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "me": person_with(access.club, access.user)}
    return render(request, "scoring/more.html", context)
