from __future__ import annotations

import logging
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as log_in
from django.contrib.auth import logout as log_out
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.generic import FormView

from scoring.accounts import actions, forms
from scoring.accounts.access import (
    JOIN,
    LINK,
    MAIL,
    count_try,
    forget_tries,
    get_join_link,
    get_join_link_by_token,
    get_join_link_of_session,
    refuse_embedded,
)
from scoring.accounts.models import DEVICE, SINCE, JoinLink
from scoring.accounts.queries import is_member, list_devices, list_open_join_links, parse_user_agent
from scoring.club.access import Role, get_club, get_member, get_own_login, require_login, require_own_login
from scoring.club.actions import AlreadyMember, LoginTaken, TooManyPasswords
from scoring.core.errors import ActionRefused, add_refusal_to, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.links import build_link_context
from scoring.core.mails import send_later
from scoring.core.names import login_key
from scoring.core.responses import retry_later

_log: Final = logging.getLogger(__name__)


def save_device(request: HttpRequest) -> None:
    device = parse_user_agent(request.headers.get("User-Agent", ""))
    request.session.update({SINCE: timezone.localdate().isoformat(), DEVICE: device})


def log_in_directly(request: HttpRequest, user: User) -> None:
    log_in(request, user, "django.contrib.auth.backends.ModelBackend")
    save_device(request)


def _set_error_status(form: BaseForm, response: HttpResponse) -> HttpResponse:
    """Set the status of an invalid form: 422, or 503 if too many passwords are hashed now."""
    response.status_code = 422
    return retry_later(response, TooManyPasswords.retry_after) if forms.is_busy(form) else response


class PasswordFormMixin(FormView):  # type: ignore[type-arg]  # generic for mypy alone
    """Answer a refused form with 422, and with 503 if too many passwords are hashed now."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except TooManyPasswords as refused:
            form.add_error(None, ValidationError(str(refused), code=forms.BUSY))
            return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        return _set_error_status(form, super().form_invalid(form))


class Login(PasswordFormMixin, views.LoginView):
    form_class = forms.LoginForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        save_device(self.request)
        return response


class PasswordChange(PasswordFormMixin, views.PasswordChangeView):
    form_class = forms.NewPasswordForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        require_own_login(request)
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


class PasswordReset(PasswordFormMixin, views.PasswordResetView):
    """Request a link to a new password. Content and time of the answer do not tell whether the login exists."""

    form_class = forms.ForgottenPasswordForm
    success_url = reverse_lazy("login")
    token_generator = actions.RESET_TOKENS
    email_template_name = "registration/password_reset_email.txt"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Send nothing without a mail server, or without SITE_URL for the links in mails: the page says who can help."""
        if request.method == "POST" and not (settings.CAN_MAIL and settings.SITE_URL):
            if settings.CAN_MAIL:
                _log.error("A mail was refused: set SITE_URL, the address of this site for the links in mails.")
            return redirect("password_reset")
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(can_mail=settings.CAN_MAIL, site=settings.SITE_URL, **kwargs)

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        count_try(self.request, MAIL, login_key(form.cleaned_data["email"]))
        site = urlsplit(settings.SITE_URL)
        send_later(
            partial(
                form.save,
                domain_override=site.netloc,
                use_https=site.scheme == "https",
                token_generator=self.token_generator,
                email_template_name=self.email_template_name,
            )
        )
        sentence = _("Wenn zu diesem Zugang eine E-Mail-Adresse gehört, ist ein Link dorthin unterwegs.")
        messages.info(self.request, sentence)
        return redirect(self.get_success_url())


class PasswordResetConfirm(PasswordFormMixin, views.PasswordResetConfirmView):
    """Set a new password by a link. Django redirects from the address with the secret to one without."""

    form_class = forms.ResetForm
    success_url = reverse_lazy("login")
    token_generator = actions.RESET_TOKENS

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        refuse_embedded(request)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        response = super().form_valid(form)
        if form.errors:
            return response
        forget_tries(self.request, form.user.get_username())
        messages.success(self.request, _("Ab jetzt gilt das neue Passwort."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        if self.validlink:
            return super().render_to_response(context, **kwargs)
        count_try(self.request, LINK, f"{self.kwargs['uidb64']} {self.kwargs['token']}")
        return render(self.request, "registration/password_link_over.html", status=410)


login = Login.as_view()
logout = views.LogoutView.as_view()
password_change = PasswordChange.as_view()
password_change_done = require_safe(views.PasswordChangeDoneView.as_view())
password_reset = PasswordReset.as_view()
password_reset_confirm = PasswordResetConfirm.as_view()


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def mail_address(request: HttpRequest) -> HttpResponse:
    user = require_own_login(request)
    form = forms.MailForm(request.POST if request.method == "POST" else None, request, user)
    if form.is_valid():
        actions.save_mail_address(user=user, address=form.cleaned_data["email"])
        messages.success(request, _("Gespeichert."))
        return redirect("mail_address")
    response = render(request, "scoring/accounts/mail.html", {"form": form})
    return _set_error_status(form, response) if form.errors else response


@never_cache
@require_POST
def member_password(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a link to a new password. Only this response contains it, so there is no redirect."""
    member, access = get_member(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        path = actions.make_reset_link(membership=member, actor=access.actor)
        context = {"access": access, "section": "more", "member": member, "link": build_link_context(request, path)}
        return render(request, "scoring/accounts/password_link.html", context)
    return redirect("member", slug, pk)


@require_http_methods(["GET", "HEAD", "POST"])
def login_delete(request: HttpRequest) -> HttpResponse:
    user = require_own_login(request)
    if request.method == "POST":
        try:
            actions.delete_login(user=user)
        except ActionRefused as refused:
            messages.warning(request, str(refused))
            return render(request, "registration/login_delete.html", status=refused.status)
        log_out(request)
        messages.success(request, _("Der Zugang ist gelöscht."))
        return redirect("login")
    return render(request, "registration/login_delete.html")


def _get_device_label(browser: str, system: str) -> str:
    if browser and system:
        return _("%(browser)s auf %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Ein Gerät, das nicht sagt, was es ist")


@require_http_methods(["GET", "HEAD", "POST"])
def devices(request: HttpRequest) -> HttpResponse:
    user, current_key = require_login(request), request.session.session_key or ""
    if request.method == "POST":
        if request.POST.get("device") == "others":
            actions.end_other_sessions(user=user, current_key=current_key)
            messages.success(request, _("Alle anderen Geräte sind abgemeldet."))
        elif actions.end_session(user=user, hashed_key=request.POST.get("device", "")):
            messages.success(request, _("Das Gerät ist abgemeldet."))
        else:
            messages.warning(request, _("Dieses Gerät war schon abgemeldet."))
        return redirect("devices")
    listed = [(_get_device_label(one["browser"], one["system"]), one) for one in list_devices(user, current_key)]
    return render(request, "scoring/accounts/devices.html", {"devices": listed})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_links(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = forms.JoinLinkForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        actions.create_join_link(club=access.club, actor=access.actor, **form.cleaned_data)
        messages.success(request, _("Der Link steht bereit."))
        return redirect("join_links", slug)
    links = [
        (link, build_link_context(request, reverse("join_preview", args=[link.token])))
        for link in list_open_join_links(access.club)
    ]
    context = {"access": access, "section": "more", "form": form, "links": links}
    return render(request, "scoring/accounts/links.html", context, status=422 if form.errors else 200)


@require_POST
def join_link_end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    link, access = get_join_link(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        actions.end_join_link(link=link, actor=access.actor)
        messages.success(request, _("Der Link gilt nicht mehr."))
    return redirect("join_links", slug)


@never_cache
@require_safe
def join_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the shared address with a page that messengers may read for a preview; it names only a public club. Its button opens
    the link, at an address that they do not fetch."""
    try:
        link = get_join_link_by_token(request, token)
    except actions.JoinLinkExpired as refused:
        return _render_expired(request, refused)
    named = fill_in_names(_("Einladung in den Club %(club)s"), club=link.club.name)
    context = {
        "title": named if link.club.is_public else _("Einladung in einen Club"),
        "sentence": _("gilt bis %(day)s") % {"day": date_format(link.ends_on, "SHORT_DATE_FORMAT")},
        "address": reverse("join_open", args=[token]),
    }
    return render(request, "scoring/link_preview.html", context)


@never_cache
@require_safe
def join_open(request: HttpRequest, token: str) -> HttpResponse:
    """Store the link in the session and redirect to an address without the secret. This is no use of the link."""
    try:
        request.session[JOIN] = get_join_link_by_token(request, token).pk
    except actions.JoinLinkExpired as refused:
        return _render_expired(request, refused)
    return redirect("join")


@never_cache
@sensitive_post_parameters("new_password1", "new_password2")
@require_http_methods(["GET", "HEAD", "POST"])
def join_page(request: HttpRequest) -> HttpResponse:
    try:
        link = get_join_link_of_session(request)
        user = get_own_login(request)
        if is_member(link.club, user):
            raise AlreadyMember
        form = forms.JoinForm(request.POST if request.method == "POST" else None, link=link, user=user)
        if form.is_valid():
            if isinstance(user, User):
                actions.join(link=link, user=user, player_id=form.player_id)
            else:
                login, password = form.cleaned_data["login"], form.cleaned_data["new_password1"]
                member = actions.join_with_new_login(link=link, login=login, password=password, player_id=form.player_id)
                log_in_directly(request, member.user)
            request.session.pop(JOIN, None)
            messages.success(request, fill_in_names(_("Willkommen im Club %(club)s."), club=mark_as_name(link.club)))
            return redirect("club", link.club.slug)
    except actions.JoinLinkExpired as refused:
        return _render_expired(request, refused)
    except AlreadyMember as refused:
        messages.info(request, str(refused))
        return redirect("club", link.club.slug)
    except TooManyPasswords as refused:
        form.add_error(None, str(refused))
        return retry_later(_render_join_page(request, link, form), refused.retry_after)
    except LoginTaken as refused:
        form.add_error("login", str(refused))
    except ActionRefused as refused:
        add_refusal_to(form, refused)
    except ValidationError as error:
        form.add_error("login", error.messages)
    return _render_join_page(request, link, form)


def _render_join_page(request: HttpRequest, link: JoinLink, form: forms.JoinForm) -> HttpResponse:
    context = {"link": link, "form": form}
    return render(request, "scoring/accounts/join.html", context, status=422 if form.errors else 200)


def _render_expired(request: HttpRequest, refused: ActionRefused) -> HttpResponse:
    return render(request, "scoring/accounts/over.html", {"sentence": str(refused)}, status=refused.status)
