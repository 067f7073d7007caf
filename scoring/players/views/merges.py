"""Merging two people who are one, after what that does was shown, and taking it apart again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.club.access import Role, get_player
from scoring.club.queries import get_merge_target
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.players.actions import merge_players, part_player, preview_merge
from scoring.players.forms.merges import MergeForm


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player", slug, get_merge_target(player).pk)
    asked = request.POST if request.method == "POST" else request.GET if "into" in request.GET else None
    form = MergeForm(asked, player=player)
    context = {"access": access, "section": "more", "player": player, "form": form}
    if not form.is_bound or not form.is_valid():
        return render(request, "scoring/players/merge.html", context, status=422 if request.method == "POST" else 200)
    into = form.cleaned_data["into"]
    try:
        if request.method == "POST":
            merge_players(player=player, into=into, actor=access.actor)
            done = fill_in_names(_("%(name)s wird jetzt als %(into)s geführt."), name=mark_as_name(player), into=mark_as_name(into))
            messages.success(request, done)
            return redirect("player", slug, into.pk)
        with snapshot():
            context |= {"into": into, "merge": preview_merge(player=player, into=into)}
    except ActionRefused as refused:
        context["refused"] = str(refused)
        return render(
            request, "scoring/players/merge.html", context, status=refused.status if request.method == "POST" else 200
        )
    return render(request, "scoring/players/merge.html", context)


@require_POST
def part(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    try:
        into = part_player(player=player, actor=access.actor)
    except ActionRefused as refused:
        messages.warning(request, str(refused))
        return redirect("player", slug, get_merge_target(player).pk)
    sentence = _("%(name)s und %(into)s sind wieder zwei Personen.")
    parted = fill_in_names(sentence, name=mark_as_name(player), into=mark_as_name(into))
    messages.success(request, parted)
    return redirect("player", slug, player.pk)
