"""The pages that belong to no other topic."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from scoring.cash.ledger.queries import get_owed
from scoring.club.access import Access, LoginNeeded, Role, get_club, get_player, list_clubs, require_login
from scoring.club.actions import change_visibility, set_by_initial
from scoring.club.models import ROLES, VISIBILITY_FIELDS, Club, Player
from scoring.club.queries import find_player_of_login, list_active_players
from scoring.core.forms import build_post_helper
from scoring.evenings.queries import build_listed_evenings, list_evenings, list_open_tables
from scoring.evenings.views import EveningsTable
from scoring.league.models import MonthClosing
from scoring.league.queries.books import get_current_season, list_seasons, read_books
from scoring.league.queries.months import get_current_month
from scoring.league.queries.news import get_league_today
from scoring.league.queries.seasons import keep_published, redact_month
from scoring.play.models import Evening
from scoring.play.queries import filter_evenings, read_sheet
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import apply_names, list_standings
from scoring.table.access import LINK, TypedByAnother
from scoring.table.models import TableLink
from scoring.table.views.data import wants_json


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if settings.FRONT_PAGE and not request.user.is_authenticated and APP not in request.GET:
        return _render_front_page(request)
    clubs = list(list_clubs(require_login(request)))
    if len(clubs) == 1:
        return redirect("club", clubs[0].slug)
    return render(request, "scoring/site/clubs.html", {"clubs": clubs})


def _render_front_page(request: HttpRequest) -> HttpResponse:
    """Return the front page for visitors: of the program, or of the only club if it is public."""
    is_for_one_club = not settings.DEMO and settings.FOUNDING != "open"
    clubs = list(Club.objects.all()[:2]) if is_for_one_club else []
    if len(clubs) == 1 and clubs[0].is_public:
        return club(request, clubs[0].slug)
    context = {
        "language": get_language(),
        "demo": settings.DEMO,
        "founding": settings.FOUNDING == "open",
        "login": settings.FRONT_LOGIN,
    }
    # Read by clubledger.web.middleware: search engines may index the page if every visitor may found a club.
    request.findable = settings.FOUNDING == "open"  # type: ignore[attr-defined]  # ours
    return render(request, "scoring/site/front.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.CLUB)
    if not access.member:
        return _render_public_page(request, access)
    running = list_open_tables(access.club)
    evenings = build_listed_evenings(list_evenings(access.club)[:6])
    earlier = [row for row in evenings if not running or row["evening"].pk != running[0].evening_id][:5]
    listed, me = list_standings(access.club), find_player_of_login(access.club, access.user)
    row = next((row for row in listed if me and row.player_id == me.pk), None)
    owes = get_owed(access.club).get(me.pk, 0) if me and access.has_cash else None
    players = [] if evenings else list(list_active_players(access.club))
    to_set_up = access.admin and not evenings and not players
    context = {
        "access": access,
        "section": "home",
        "league": get_league_today(access.club),
        "running": running,
        "sheet": read_sheet(running[0]) if running else None,
        "evenings": EveningsTable(earlier),
        "usual_rules": evenings[0]["rule_sets"] if evenings else [],
        "to_set_up": to_set_up,
        "is_first_evening": access.may_score and not evenings and not to_set_up,
        "players": players[:8],
        "top": listed[:5],
        "me": me,
        "people": [me],
        "mine": row,
        "balance": None if owes is None else -owes,
    }
    return render(request, "scoring/site/club.html", context)


def _render_public_page(request: HttpRequest, access: Access) -> HttpResponse:
    club, names = access.club, access.names
    context: dict[str, object] = {"access": access, "section": "home"}
    if access.sees_list:
        context["top"] = apply_names(list_standings(club, Selection(closed_only=True)), names)[:5]
    season = get_current_season(list_seasons(club)) if access.sees_months else None
    month = season and get_current_month(keep_published(read_books(season)))
    if month:
        context["months"] = [(season, redact_month(names, month))]
    if access.sees_evenings:
        closed = list_evenings(club).filter(filter_evenings("", closed_only=True))
        context["evenings"] = EveningsTable(build_listed_evenings(closed[:5]))
    return render(request, "scoring/site/club_public.html", context)


@require_safe
def more(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "me": find_player_of_login(access.club, access.user)}
    context["can_mail"] = settings.CAN_MAIL
    return render(request, "scoring/site/more.html", context)


class VisibilityForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument
    class Meta:
        model = Club
        fields = VISIBILITY_FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        *pages, findable = VISIBILITY_FIELDS
        self.helper = build_post_helper(
            Fieldset(_("Fremde sehen"), *pages),
            Fieldset(_("Außerdem"), findable),
            Submit("save", _("Speichern"), css_class="btn-primary w-100"),
        )


@require_http_methods(["GET", "HEAD", "POST"])
def visibility(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = VisibilityForm(request.POST if request.method == "POST" else None, instance=access.club)
    if form.is_valid():
        change_visibility(club=access.club, actor=access.actor, visibility=form.cleaned_data)
        messages.success(request, _("Gespeichert."))
        return redirect("visibility", slug)
    closings = MonthClosing.objects.filter(season__club=access.club).defer("content", "file")
    evenings = Evening.objects.filter(filter_evenings("", closed_only=True), club=access.club)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "month": closings.order_by("-month", "-pk").first(),
        "evening": evenings.order_by("-held_on", "-pk").first(),
        "by_initial": Player.objects.filter(club=access.club, by_initial=True, merged_into=None).count(),
    }
    return render(request, "scoring/site/visibility.html", context)


@require_POST
def player_initial(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Set whether strangers see only the initial of this person's name."""
    player, access = get_player(request, slug, pk, Role.READER)
    access.require_own(player)
    set_by_initial(player=player, actor=access.actor, by_initial="by_initial" in request.POST)
    messages.success(request, _("Gespeichert."))
    return redirect("player", slug, pk)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Forbid no address: messengers read a page to show a preview of it, and search engines obey X-Robots-Tag: noindex only on
    pages that they may read."""
    return HttpResponse("User-agent: *\nDisallow:\n", content_type="text/plain; charset=utf-8")


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """The help: one template for each language. Names of buttons in it come from the catalog."""
    language = get_language()
    context = {"language": language, "text": f"scoring/site/help_{language}.html", "roles": ROLES.values()}
    return render(request, "scoring/site/guide.html", context)


APP = "app"  # the parameter in the start address of the installed app: it shows the login instead of the front page
FELT, GROUND = "#17543a", "#f1f4ee"  # the colours of the header and the background, as in style.css
ICONS = (("192", "192x192", "any"), ("512", "512x512", "any"), ("maskable", "512x512", "maskable"))
OFFLINE_FILES = ("scoring/style.css", "scoring/icon.svg", "scoring/site/offline.js")  # the files of the offline page


@require_safe
@conditional_page
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, at the root, so that it may answer for every page. It contains the hashes of the static files: if
    one of them changes, the browser installs a new worker."""
    site = {
        "version": staticfiles_storage.manifest_hash,  # type: ignore[attr-defined]  # ours has a manifest
        # With DEBUG the names of files do not change with their content.
        "static": None if settings.DEBUG else settings.STATIC_URL,
        "offline": reverse("offline"),
        "files": [static(name) for name in OFFLINE_FILES],
        # A POST to one of these deletes the kept pages of tables.
        "leaving": [reverse("login"), reverse("logout"), reverse("join")],
    }
    script = Path(str(finders.find("scoring/site/worker.js"))).read_text(encoding="utf-8")
    content = f"const SITE = {json.dumps(site)};\n{script}"
    return HttpResponse(content, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return render(request, "scoring/site/offline.html")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    icons = [
        {"src": static(f"scoring/icon-{name}.png"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    content = {
        "id": "/",
        "name": "Club Ledger",
        "short_name": "Club Ledger",
        "description": _("Doppelkopf am Tisch aufschreiben. Punkte und Listen entstehen von selbst."),
        "lang": get_language(),
        "start_url": reverse("home", query={APP: 1}),
        "scope": "/",
        "display": "standalone",
        "theme_color": FELT,
        "background_color": GROUND,
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


class LoginRedirect(MiddlewareMixin):
    """Redirect a request that needs a login, or that another user has typed (TypedByAnother), to the login page; answer a script
    with 401 and a sentence."""

    async_capable = False

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, LoginNeeded):
            return None
        if wants_json(request):
            return JsonResponse({"error": _get_reason(request, exception)}, status=401)
        return redirect_to_login(request.get_full_path())


def _get_reason(request: HttpRequest, needed: LoginNeeded) -> str:
    if isinstance(needed, TypedByAnother):
        return _("Nicht gespeichert: hier trägt jetzt jemand anders ein. Bitte die Seite neu laden.")
    if link := request.session.get(LINK):
        if TableLink.objects.filter(pk=link, table__evening__closed_at__isnull=False).exists():
            return _("Der Abend ist abgeschlossen.")
        return _("Der Link für den Tisch gilt nicht mehr. Bitte den neuen öffnen.")
    if request.method == "GET":
        return _("Bitte in einem anderen Fenster neu anmelden.")
    return _("Nicht gespeichert: bitte in einem anderen Fenster neu anmelden.")
