"""The pages about what a club stores of people: one that explains it, somebody's own data as a file, how long the history
is kept, and erasing a person after a page has shown what goes and what stays."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import Role, get_club, get_own_player, get_player
from scoring.club.queries import find_player_of_login, get_merge_target, list_members
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.league.exports import build_month_file
from scoring.privacy.actions.erasing import erase_player
from scoring.privacy.actions.retention import keep_history
from scoring.privacy.file import own_data
from scoring.privacy.forms import EraseForm, RetentionForm
from scoring.privacy.queries.erasing import mentions_in, traces_of
from scoring.privacy.queries.retention import forgettable
from scoring.privacy.words import place_of


@require_safe
def privacy(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {
        "access": access,
        "section": "more",
        "me": find_player_of_login(access.club, access.user),
        "admins": list_members(access.club).filter(admin=True),
    }
    return render(request, "scoring/privacy/privacy.html", context)


@require_safe
@never_cache
def player_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything about one person as a file, for themselves; an admin, who sees all of it but
    the address of mail anyway, hands it out as well."""
    player, access = get_own_player(request, slug, pk)
    day = timezone.localdate().isoformat()
    with limit_slow_work():
        body = own_data(player, access.user)
    return attachment(body, "json", _("Meine Daten"), access.club.name, day)


@require_http_methods(["GET", "HEAD", "POST"])
def history_kept(request: HttpRequest, slug: str) -> HttpResponse:
    """How long the history is kept, after the number of rows was shown that would go."""
    access = get_club(request, slug, Role.ADMIN)
    posted = request.method == "POST"
    asked = request.POST if posted else request.GET if "years" in request.GET else None
    form = RetentionForm(asked, initial={"years": access.club.keep_history_years})
    context = {"access": access, "section": "more", "form": form}
    if form.is_bound and form.is_valid():
        years = form.cleaned_data["years"]
        if posted:
            keep_history(club=access.club, actor=access.actor, years=years)
            messages.success(request, _("Gespeichert."))
            return redirect("history_kept", slug)
        context |= {"years": years, "asked": True}
        context["going"] = len(forgettable(access.club, years, timezone.now())) if years else 0
    status = 422 if posted and form.errors else 200
    return render(request, "scoring/privacy/history_kept.html", context, status=status)


# How many of the texts are shown; all are counted.
MOST_SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
def player_erase(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player_erase", slug, get_merge_target(player).pk)
    form, status = EraseForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        try:
            with limit_slow_work():
                erased = erase_player(
                    player=player, actor=access.actor, texts=form.cleaned_data["texts"], as_file=build_month_file
                )
        except ActionRefused as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            sentence = _("Der Name ist entfernt: Hier steht jetzt „%(name)s“.")
            messages.success(request, fill_in_names(sentence, name=mark_as_name(erased)))
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
        "mentions": [(mention, place_of(mention.row)) for mention in mentions[:MOST_SHOWN]],
        "more": len(mentions) - MOST_SHOWN,
    }
    return render(request, "scoring/privacy/erase.html", context, status=status)
