"""What a club shows to strangers: the page on which an admin sets it, with each page as a stranger sees it, and what is told
to search engines."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Role, get_club, get_player
from scoring.club.actions import set_by_initial

from .actions import change_shown
from .forms import ShownForm
from .queries import read_examples


@require_http_methods(["GET", "HEAD", "POST"])
def shown(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = ShownForm(request.POST if request.method == "POST" else None, instance=access.club)
    if form.is_valid():
        change_shown(club=access.club, actor=access.actor, shown=form.cleaned_data)
        messages.success(request, _("Gespeichert."))
        return redirect("shown", slug)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "examples": read_examples(access.club),
    }
    return render(request, "scoring/strangers/shown.html", context)


@require_POST
def player_initial(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Somebody decides for themself whether strangers read their name: whoever has the login of this person."""
    player, access = get_player(request, slug, pk, Role.READER)
    access.require_own(player)
    set_by_initial(player=player, actor=access.actor, by_initial="by_initial" in request.POST)
    messages.success(request, _("Gespeichert."))
    return redirect("player", slug, pk)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Let every client read every address, so that messengers show cards. Each page says itself whether search engines may keep
    it (clubledger/web/headers.py), and they have to read it for that."""
    return HttpResponse("User-agent: *\nDisallow:\n", content_type="text/plain; charset=utf-8")
