"""What a club keeps of people: the page that says so, somebody's own data as a file, and how long the history is kept."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import Role, get_club, get_own_player
from scoring.club.queries import members_of, person_with
from scoring.core.heavy import heavy
from scoring.files.download import attachment
from scoring.privacy.actions.retention import keep_history
from scoring.privacy.file import own_data
from scoring.privacy.forms.retention import RetentionForm
from scoring.privacy.queries.retention import forgettable


@require_safe
def privacy(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {
        "access": access,
        "section": "more",
        "me": person_with(access.club, access.user),
        "admins": members_of(access.club).filter(admin=True),
    }
    return render(request, "scoring/privacy/privacy.html", context)


@require_safe
@never_cache
def player_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything about one person as a file, for themselves; an admin, who sees all of it anyway, hands it out as well."""
    player, access = get_own_player(request, slug, pk)
    day = timezone.localdate().isoformat()
    with heavy():
        body = own_data(player)
    return attachment(body, "application/json", "json", _("Meine Daten"), access.club.name, day)


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
            keep_history(club=access.club, actor=request.user, years=years)
            messages.success(request, _("Gespeichert."))
            return redirect("history_kept", slug)
        context |= {"years": years, "asked": True}
        context["going"] = len(forgettable(access.club, years, timezone.now())) if years else 0
    status = 422 if posted and form.errors else 200
    return render(request, "scoring/privacy/history_kept.html", context, status=status)
