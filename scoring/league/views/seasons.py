"""The pages of the seasons: the one of today, each by itself, a new one, and changing one."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_tables2.utils import A

from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.league.access import get_season
from scoring.league.actions.seasons import add_season, change_season
from scoring.league.drawing import draw_season
from scoring.league.errors import CountingStays, SeasonChanged
from scoring.league.forms import SeasonForm
from scoring.league.models import Season
from scoring.league.queries.books import Books, current_season, month_of, read_books, seasons_of
from scoring.league.queries.news import news_before, undecided_among
from scoring.league.queries.seasons import season_table
from scoring.league.queries.strangers import published_only, season_for
from scoring.league.tables import ranked_season
from scoring.league.words.league import missing_groups, season_sentences
from scoring.league.words.share import season_text

LONGEST_MONTH = datetime.timedelta(31)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """The season of today."""
    access = get_club(request, slug, Role.MONTHS)
    seasons = list(seasons_of(access.club))
    if current := current_season(seasons):
        return _season_page(request, access, current, seasons)
    return render(request, "scoring/league/none.html", {"access": access, "section": "league"})


@require_safe
def season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, access = get_season(request, slug, pk, Role.MONTHS)
    return _season_page(request, access, season, list(seasons_of(access.club)))


def _season_page(request: HttpRequest, access: Access, season: Season, seasons: list[Season]) -> HttpResponse:
    with snapshot():
        books = read_books(season) if access.member else published_only(read_books(season))
    table = season_table(books)
    shown = season_for(access.names, table)

    def page_of(month: str) -> str:
        return reverse("month", args=[access.club.slug, season.pk, month])

    at = seasons.index(season)
    name_leads = ("player", [access.club.slug, A("player")]) if access.member else None
    context = {
        "access": access,
        "section": "league",
        "season": season,
        "is_current": season == current_season(seasons),
        "others": [other for other in seasons if other.pk != season.pk],
        "later": seasons[at - 1] if at else None,
        "earlier": seasons[at + 1] if at + 1 < len(seasons) else None,
        "table": shown,
        "ranked": ranked_season(shown, books.left, page_of, name_leads, request.GET.get("sort")),
        **(_waiting(books, seasons) if access.member else {}),
        "missing": missing_groups(table) if access.member else [],
        "sentences": season_sentences(season.settings),
        # The same in the addresses of its file and of its table.
        "span": f"season-{season.pk}",
    }
    if access.member and table.rows:
        picture = reverse("season_picture", args=[access.club.slug, season.pk])
        shows = _("Die Tabelle der Saison als Bild.")
        context |= {
            "text": season_text(table),
            "title": f"{season.name} · {access.club.name}",
            "pictures": [(picture, f"{access.club.slug}-{slugify(season.name)}", shows)],
        }
    return render(request, "scoring/league/season.html", context)


def _waiting(books: Books, seasons: list[Season]) -> dict[str, Any]:
    """What waits for a decision: the months of this season, and those of others that lie before its end."""
    every = news_before(books, month_of(books.season.last_day.replace(day=1) + LONGEST_MONTH), seasons)
    return {"waiting": every, "undecided": undecided_among(every)}


@require_safe
@never_cache
def season_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The table of the season as it stands, as an SVG to send round."""
    season, _access = get_season(request, slug, pk, Role.READER)
    with snapshot():
        table = season_table(read_books(season))
    context = {"picture": draw_season(table)}
    return render(request, "scoring/picture.svg", context, content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = SeasonForm(request.POST or None, club=access.club)
    if request.method == "POST" and form.is_valid():
        try:
            season = add_season(club=access.club, actor=access.actor, **form.told)
        except (ActionRefused, ValidationError) as refused:
            form.add_error(None, _said(refused))
        else:
            messages.success(request, _("Die Saison „%(name)s“ ist angelegt.") % {"name": season.name})
            return redirect("season", slug, season.pk)
    context = {"access": access, "section": "league", "form": form}
    return render(request, "scoring/league/edit.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, access = get_season(request, slug, pk, Role.ADMIN)
    form = SeasonForm(request.POST or None, club=access.club, season=season)
    status = 422
    if request.method == "POST" and form.is_valid():
        version = form.cleaned_data["version"] or 0
        try:
            change_season(season=season, version=version, actor=access.actor, **form.told)
        except SeasonChanged as refused:
            # What was typed stays; saving once more replaces what somebody else saved.
            typed = request.POST.copy()
            typed["version"] = str(season.version)
            form.data = typed
            form.add_error(None, str(refused))
            status = refused.status
        except CountingStays as refused:
            form.add_error("counting", str(refused))
        except (ActionRefused, ValidationError) as refused:
            form.add_error(None, _said(refused))
        else:
            messages.success(request, _("Gespeichert. Was abgeschlossen ist, bleibt, wie es veröffentlicht wurde."))
            return redirect("season", slug, pk)
    context = {"access": access, "section": "league", "form": form, "season": season}
    return render(request, "scoring/league/edit.html", context, status=status if form.errors else 200)


def _said(refused: ActionRefused | ValidationError) -> list[str]:
    return refused.messages if isinstance(refused, ValidationError) else [str(refused)]
