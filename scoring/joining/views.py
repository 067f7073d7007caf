"""The links by which a club invites, for its admins; opening one, and joining by it. The address with the secret is left at once
for a clean one, so that it stays out of what is bookmarked, shown or sent along."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Role, get_club, own_login
from scoring.club.errors import AlreadyMember, LoginTaken, TooManyPasswords
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.links import build_link_context
from scoring.core.responses import retry_later
from scoring.logins.views import let_in

from .access import JOIN, get_join_link, link_by_token, opened_join_link
from .actions import end_link, join, join_as_new, make_link
from .errors import JoinLinkOver, PersonTaken
from .forms import JoinForm, JoinLinkForm
from .models import JoinLink
from .queries import belongs_to, open_links


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_links(request: HttpRequest, slug: str) -> HttpResponse:
    """What the club offers by link, to be handed on; POST makes another one."""
    access = get_club(request, slug, Role.ADMIN)
    form = JoinLinkForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        wanted = {name: form.cleaned_data[name] for name in ("most_uses", "ends_on")}
        make_link(club=access.club, actor=access.actor, roles=form.roles, **wanted)
        messages.success(request, _("Der Link steht bereit."))
        return redirect("join_links", slug)
    links = [(link, build_link_context(request, reverse("join_card", args=[link.token]))) for link in open_links(access.club)]
    context = {"access": access, "section": "more", "form": form, "links": links}
    return render(request, "scoring/joining/links.html", context, status=422 if form.errors else 200)


@require_POST
def join_link_end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    link, access = get_join_link(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        end_link(link=link, actor=access.actor)
        messages.success(request, _("Der Link gilt nicht mehr."))
    return redirect("join_links", slug)


@never_cache
@require_safe
def join_card(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the address that is sent round. The link is opened one address further on, which no messenger asks for."""
    try:
        link = link_by_token(request, token)
    except JoinLinkOver as refused:
        return _over(request, refused)
    context = {
        "title": fill_in_names(_("Einladung in den Club %(club)s"), club=link.club.name),
        "sentence": _("gilt bis %(day)s") % {"day": date_format(link.ends_on, "SHORT_DATE_FORMAT")},
        "address": reverse("join_open", args=[token]),
    }
    return render(request, "scoring/link_card.html", context)


@never_cache
@require_safe
def join_open(request: HttpRequest, token: str) -> HttpResponse:
    """Looking uses nothing up."""
    try:
        request.session[JOIN] = link_by_token(request, token).pk
    except JoinLinkOver as refused:
        return _over(request, refused)
    return redirect("join")


@never_cache
@sensitive_post_parameters("new_password1", "new_password2")
@require_http_methods(["GET", "HEAD", "POST"])
def join_page(request: HttpRequest) -> HttpResponse:
    """Who one is, and with which login; POST joins."""
    try:
        link = opened_join_link(request)
        user = own_login(request)
        if belongs_to(link.club, user):
            raise AlreadyMember
        form = JoinForm(request.POST if request.method == "POST" else None, link=link, user=user)
        if form.is_valid():
            _join(request, link, form)
            request.session.pop(JOIN, None)
            messages.success(request, fill_in_names(_("Willkommen im Club %(club)s."), club=mark_as_name(link.club)))
            return redirect("club", link.club.slug)
    except JoinLinkOver as refused:
        return _over(request, refused)
    except AlreadyMember as refused:
        messages.info(request, str(refused))
        return redirect("club", link.club.slug)
    except TooManyPasswords as refused:
        form.add_error(None, str(refused))
        return retry_later(_page(request, link, form), refused.retry_after)
    except (LoginTaken, PersonTaken) as refused:
        form.add_error("person" if isinstance(refused, PersonTaken) else "login", str(refused))
    except ValidationError as error:
        form.add_error("login", error.messages)
    return _page(request, link, form)


def _join(request: HttpRequest, link: JoinLink, form: JoinForm) -> None:
    """The login that is here joins, or a new one that is here from then on. Raises what those actions raise."""
    user = own_login(request)
    if isinstance(user, User):
        join(link=link, user=user, person=form.person)
        return
    typed = {"login": form.cleaned_data["login"], "password": form.cleaned_data["new_password1"]}
    member = join_as_new(link=link, person=form.person, **typed)
    let_in(request, member.user)


def _page(request: HttpRequest, link: JoinLink, form: JoinForm) -> HttpResponse:
    context = {"link": link, "form": form}
    return render(request, "scoring/joining/join.html", context, status=422 if form.errors else 200)


def _over(request: HttpRequest, refused: ActionRefused) -> HttpResponse:
    return render(request, "scoring/joining/over.html", {"sentence": str(refused)}, status=refused.status)
