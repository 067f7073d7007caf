from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club import actions, queries
from scoring.club.access import Role, get_club, get_invitation, get_member, get_player, get_sent_invitation
from scoring.club.forms import MemberForm, PlayerForm, RolesForm, SearchForm
from scoring.club.models import Player
from scoring.core.errors import ActionRefused, show_refusal_in, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.responses import retry_later
from scoring.core.tables import LineTable, paginate

PER_PAGE = 50


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    form = SearchForm(request.GET)
    search = form.cleaned_data["q"] if form.is_valid() else ""
    empty = _("Niemand heißt so ähnlich wie „%(search)s“.") % {"search": search} if search else _("Noch ist niemand aufgenommen.")
    table = LineTable(queries.list_people(access.club, search), "scoring/club/_line.html", empty_text=empty)
    paginate(table, request, PER_PAGE)
    context = {"access": access, "section": "more", "form": form, "search": search, "table": table}
    return render(request, "scoring/club/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def player_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = PlayerForm(request.POST or None, instance=Player(club=access.club))
    if request.method == "POST" and form.is_valid():
        with show_refusal_in(form):
            try:
                player = actions.add_player(club=access.club, actor=access.actor, **form.cleaned_data)
                messages.success(request, fill_in_names(_("%(name)s ist aufgenommen."), name=mark_as_name(player)))
                return redirect("players", slug)
            except ValidationError as error:
                form.add_error(None, error)
    context = {"access": access, "section": "more", "form": form}
    return render(request, "scoring/club/new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def player_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id or player.erased_on:
        return redirect("player", slug, pk)
    left_on = player.left_on
    form = PlayerForm(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        with show_refusal_in(form):
            try:
                actions.change_player(player=player, actor=access.actor, **form.cleaned_data)
                messages.success(request, _("Gespeichert."))
                # The Kasse says what a member leaves behind.
                leaves = access.has_cash and form.cleaned_data["left_on"] not in (None, left_on)
                return redirect("cash_left" if leaves else "player", slug, pk)
            except ValidationError as error:
                form.add_error(None, error)
    context = {"access": access, "section": "more", "form": form, "player": player}
    return render(request, "scoring/club/edit.html", context, status=422 if form.errors else 200)


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    # The addresses of the invitations are no secret: each opens for one login only.
    members, invitations = queries.list_members(access.club), queries.list_open_invitations(access.club).order_by("pk")
    context = {"access": access, "section": "more", "members": members, "invitations": invitations}
    return render(request, "scoring/club/members.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def member_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite an existing login, or create one: only this response shows its password, so there is no redirect."""
    access = get_club(request, slug, Role.ADMIN)
    form = MemberForm(request.POST or None)
    context = {"access": access, "section": "more", "form": form}
    if request.method == "POST" and form.is_valid():
        wanted = {"club": access.club, "actor": access.actor, "login": form.cleaned_data["login"], "roles": form.roles}
        try:
            if form.cleaned_data["existing"]:
                actions.invite_member(**wanted)
                messages.success(request, _("Die Einladung steht bereit. Bitte ihren Link weitergeben."))
                return redirect("members", slug)
            member, password = actions.add_new_login(**wanted)
            context |= {"member": member, "password": password}
            return render(request, "scoring/club/password.html", context, status=201)
        except actions.TooManyPasswords as refused:
            form.add_error(None, str(refused))
            return retry_later(render(request, "scoring/club/member_new.html", context), refused.retry_after)
        except ActionRefused as refused:
            form.add_error("login", str(refused))
    return render(request, "scoring/club/member_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    invitation, user = get_invitation(request, slug, pk)
    if request.method == "POST":
        with warn_of_refusal(request):
            actions.accept_invitation(invitation=invitation, user=user)
            messages.success(request, fill_in_names(_("Willkommen im Club %(club)s."), club=mark_as_name(invitation.club)))
            return redirect("club", slug)
        return redirect("home")
    return render(request, "scoring/club/invitation.html", {"invitation": invitation})


@require_POST
def invitation_withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    invitation, access = get_sent_invitation(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        actions.withdraw_invitation(invitation=invitation, actor=access.actor)
        messages.success(request, _("Die Einladung ist zurückgenommen."))
    return redirect("members", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    member, access = get_member(request, slug, pk, Role.ADMIN)
    last_admin = queries.is_last_admin(member)
    form = RolesForm(request.POST if request.method == "POST" else None, instance=member)
    if request.method == "POST" and form.is_valid():
        with show_refusal_in(form):
            actions.change_member(membership=member, actor=access.actor, roles=form.roles)
            messages.success(request, _("Gespeichert."))
            return redirect("more" if member.user == request.user else "members", slug)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "member": member,
        "person": queries.find_player_of_login(access.club, member.user),
        "of_others_too": queries.is_shared_login(member),
        "last_admin": last_admin,
    }
    return render(request, "scoring/club/member.html", context, status=422 if form.errors else 200)


@require_POST
def member_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    member, access = get_member(request, slug, pk, Role.ADMIN)
    with warn_of_refusal(request):
        actions.remove_member(membership=member, actor=access.actor)
        login = mark_as_name(member.user.username)
        messages.success(request, fill_in_names(_("%(login)s gehört nicht mehr zum Club."), login=login))
        return redirect("home") if member.user == request.user else redirect("members", slug)
    return redirect("member", slug, pk)
