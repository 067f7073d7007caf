"""Erasing a person, after a page has said what goes and what stays."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Role, get_player
from scoring.club.queries import kept_as
from scoring.core.errors import ActionRefused
from scoring.core.heavy import heavy
from scoring.core.snapshot import snapshot
from scoring.league.excel import month_file
from scoring.privacy.actions.erasing import erase_player
from scoring.privacy.forms.erasing import EraseForm
from scoring.privacy.queries.erasing import mentions_in, traces_of

# How many of the texts are shown; all are counted.
MOST_SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
def player_erase(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player_erase", slug, kept_as(player).pk)
    form, status = EraseForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        try:
            with heavy():
                erased = erase_player(
                    player=player, actor=request.user, texts=form.cleaned_data["texts"], as_file=month_file
                )
        except ActionRefused as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            messages.success(request, _("Der Name ist entfernt: Hier steht jetzt „%(name)s“.") % {"name": erased})
            return redirect("player", slug, player.pk)
    elif form.errors:
        status = 422
    with snapshot():
        traces = traces_of(player)
        mentions = list(mentions_in(access.club, traces.words)) if traces.people else []
    context = {
        "access": access,
        "section": "more",
        "player": player,
        "form": form,
        "traces": traces,
        "mentions": mentions[:MOST_SHOWN],
        "more": len(mentions) - MOST_SHOWN,
    }
    return render(request, "scoring/privacy/erase.html", context, status=status)
