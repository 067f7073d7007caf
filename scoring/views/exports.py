"""Files to take home: an evening and the eternal list for Excel, and the whole club as an archive. They are made anew for every
download and kept by nobody on the way."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.access import Role, get_club, get_evening
from scoring.exports.archive import CONTENT_TYPE as ARCHIVE_TYPE
from scoring.exports.archive import club_archive
from scoring.exports.evening import evening_workbook
from scoring.exports.standings import standings_workbook
from scoring.exports.workbook import CONTENT_TYPE
from scoring.forms.standings import StandingsForm
from scoring.models import Club
from scoring.queries.evening_sheets import read_evening
from scoring.queries.metrics import metrics_in
from scoring.queries.snapshot import snapshot
from scoring.queries.standings import choices, evenings_without_games, standings
from scoring.tables import without_games

from .downloads import attachment
from .heavy import heavy

TAKEN_ALONG = "archive_taken_along"


@require_safe
@never_cache
def evening_excel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.READER)
    with heavy():
        with snapshot():
            sheets = read_evening(evening)
        body = evening_workbook(sheets).as_bytes()
    return attachment(body, CONTENT_TYPE, "xlsx", _("Abend"), access.club.name, evening.held_on.isoformat())


@require_safe
@never_cache
def standings_excel(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.LIST)
    offered = choices(access.club, closed_only=not access.member)
    form = StandingsForm(request.GET, choices=offered)
    if not form.is_valid():
        # The page names the fault at its field; a file could not, and would count something else than was asked for.
        return redirect(f"{reverse('standings', args=[slug])}?{request.GET.urlencode()}")
    metrics = metrics_in(form.selection.unit, form.more_figures)
    with heavy():
        rows = access.names.in_list(standings(access.club, form.selection, form.more_figures))
        mark = without_games(evenings_without_games(offered, form.selection))
        body = standings_workbook(access.club, rows, metrics, form.summary, mark).as_bytes()
    return attachment(body, CONTENT_TYPE, "xlsx", _("Ewige Liste"), access.club.name)


@require_safe
@never_cache
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything of the club but its logins, to be kept or taken in elsewhere. The session remembers which one was taken
    along: whoever deletes the club has to have it."""
    access = get_club(request, slug, Role.ADMIN)
    day = timezone.localdate().isoformat()
    with heavy():
        body = club_archive(access.club)
    if request.method == "GET":
        request.session[TAKEN_ALONG] = {"club": access.club.pk, "sha256": sha256(body).hexdigest()}
    return attachment(body, ARCHIVE_TYPE, "json", _("Archiv"), access.club.name, day)


def taken_along(request: HttpRequest, club: Club) -> str:
    """The SHA-256 of the archive of this club that was downloaded last with this session, empty where none was."""
    taken = request.session.get(TAKEN_ALONG, {})
    return taken["sha256"] if taken.get("club") == club.pk else ""
