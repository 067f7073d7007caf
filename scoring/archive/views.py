"""A club as one file: downloading it, uploading an archive, looking at what is in it, making it a club of its own, and
taking that back."""

from __future__ import annotations

from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.archive.actions.archive import discard_archive, judged_club, keep_archive, take_archive_back, take_waiting
from scoring.archive.errors import ArchiveRefused
from scoring.archive.forms import TOLD, ArchiveForm
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import changed_since, club_archive, waiting_archive
from scoring.archive.reading.archive import judged, read_judged
from scoring.archive.reading.contents import contents_of
from scoring.club.access import Role, get_club, require_admin
from scoring.club.models import Club
from scoring.club.queries import find_archive_change
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment

TAKEN_ALONG = "archive_taken_along"


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def archive_upload(request: HttpRequest) -> HttpResponse:
    """Checks the rights of who uploads before anything of the file is read. So the token must stand before the file in the
    form."""
    user = require_admin(request)
    return _upload(request, user)


@csrf_protect
def _upload(request: HttpRequest, user: User) -> HttpResponse:
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ArchiveForm(*posted)
    if request.method == "POST":
        with limit_slow_work():
            if form.is_valid():
                keep_archive(user=user, text=form.text)
                return redirect("archive_waiting")
    context = {"form": form, "waiting": waiting_archive(user)}
    return render(request, "scoring/archive/upload.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def archive_waiting(request: HttpRequest) -> HttpResponse:
    """What is in the archive that waits; and taking it in, as it was seen."""
    user = require_admin(request)
    waiting = waiting_archive(user)
    if waiting is None:
        return redirect("archive_upload")
    with limit_slow_work():
        return _take(request, user, waiting) if request.method == "POST" else _preview(request, waiting)


def _take(request: HttpRequest, user: User, waiting: WaitingArchive) -> HttpResponse:
    try:
        # Once more: what was uploaded before an update was judged by what stood then.
        document = read_judged(judged(waiting.text.encode()))
        club = take_waiting(user=user, seen=request.POST.get("seen", ""), document=document)
    except ArchiveRefused as refused:
        return _preview(request, waiting, refused.faults)
    except ActionRefused as refused:
        return _preview(request, waiting, [str(refused)])
    messages.success(request, fill_in_names(_("%(club)s ist eingelesen."), club=mark_as_name(club)))
    return redirect("archive_taken", club.slug)


def _preview(request: HttpRequest, waiting: WaitingArchive, faults: list[str] | None = None) -> HttpResponse:
    document = read_judged(waiting.text)
    standing: list[str] = []
    try:
        judged_club(document)
    except ArchiveRefused as refused:
        standing = refused.faults
    context = {
        "waiting": waiting,
        "contents": contents_of(document),
        "faults": (faults or standing)[:TOLD],
        "may_be_taken": not standing,
    }
    return render(request, "scoring/archive/preview.html", context, status=422 if faults else 200)


@require_POST
def archive_discard(request: HttpRequest) -> HttpResponse:
    discard_archive(user=require_admin(request))
    return redirect("archive_upload")


@require_safe
def archive_taken(request: HttpRequest, slug: str) -> HttpResponse:
    """How a club came here from its archive."""
    access = get_club(request, slug, Role.ADMIN)
    taken = find_archive_change(access.club)
    if taken is None:
        raise Http404(_("Dieser Club kam nicht aus einem Archiv."))
    context = {"access": access, "section": "more", "taken": taken, "changed": changed_since(taken)}
    return render(request, "scoring/archive/taken.html", context)


@require_POST
def archive_undo(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    with warn_of_refusal(request), limit_slow_work():
        take_archive_back(club=access.club)
        gone = _("Zurückgenommen: Der Club %(club)s ist nicht mehr hier.")
        messages.success(request, fill_in_names(gone, club=mark_as_name(access.club)))
        return redirect("home")
    return redirect("more", slug)


@require_safe
@never_cache
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything of the club but its logins, to be kept or taken in elsewhere. The session remembers which one was taken
    along: whoever deletes the club has to have it."""
    access = get_club(request, slug, Role.ADMIN)
    day = timezone.localdate().isoformat()
    with limit_slow_work():
        body = club_archive(access.club)
    if request.method == "GET":
        request.session[TAKEN_ALONG] = {"club": access.club.pk, "sha256": sha256(body).hexdigest()}
    return attachment(body, "json", _("Archiv"), access.club.name, day)


def taken_along(request: HttpRequest, club: Club) -> str:
    """The SHA-256 of the archive of this club that was downloaded last with this session, empty where none was."""
    taken = request.session.get(TAKEN_ALONG, {})
    return taken["sha256"] if taken.get("club") == club.pk else ""
