"""Download the archive of a club, upload an archive, preview it, import it as a new club, and undo that."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.archive.actions import (
    ArchiveRefused,
    build_valid_club,
    discard_archive,
    keep_archive,
    take_archive_back,
    take_waiting,
)
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import build_archive, has_changed_since
from scoring.archive.reading.archive import parse_valid, summarize, validate_upload
from scoring.club.access import Role, get_club, require_admin
from scoring.club.models import Club
from scoring.club.queries import find_archive_change
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment

DOWNLOADED = "archive_taken_along"
# Faults that are shown.
MAX_FAULTS = 5


class ArchiveForm(forms.Form):
    """One file; `text` is the valid archive in it after the form was cleaned."""

    file = forms.FileField(
        label=gettext_lazy("Archiv"),
        widget=forms.FileInput(attrs={"accept": ".json,.zip"}),
        error_messages={"required": gettext_lazy("Bitte eine Datei wählen.")},
        help_text=gettext_lazy(
            "Eine Datei .json, auch als ZIP gepackt, höchstens 10 MB. Erst kommt eine Vorschau. Eine größere Datei "
            "liest ein, wer die Seite betreibt: mit „manage.py archive import“ auf dem Server."
        ),
    )
    text: str

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.text = validate_upload(file.read())
        except ArchiveRefused as refused:
            raise ValidationError(refused.faults[:MAX_FAULTS]) from refused
        return file


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def archive_upload(request: HttpRequest) -> HttpResponse:
    """The upload. It checks the rights before it reads the file, so the CSRF token must come before the file in the form."""
    return _upload(request, require_admin(request))


@csrf_protect
def _upload(request: HttpRequest, user: User) -> HttpResponse:
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ArchiveForm(*posted)
    if request.method == "POST":
        with limit_slow_work():
            if form.is_valid():
                keep_archive(user=user, text=form.text)
                return redirect("archive_preview")
    context = {"form": form, "waiting": WaitingArchive.objects.filter(user=user).first()}
    return render(request, "scoring/archive/upload.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def archive_preview(request: HttpRequest) -> HttpResponse:
    """The preview of the uploaded archive; POST imports it."""
    user = require_admin(request)
    waiting = WaitingArchive.objects.filter(user=user).first()
    if waiting is None:
        return redirect("archive_upload")
    with limit_slow_work():
        return _import(request, user, waiting) if request.method == "POST" else _preview(request, waiting)


def _import(request: HttpRequest, user: User, waiting: WaitingArchive) -> HttpResponse:
    try:
        # Validate again: the program may have been updated since the upload.
        document = parse_valid(validate_upload(waiting.text.encode()))
        club = take_waiting(user=user, seen=request.POST.get("seen", ""), document=document)
    except ArchiveRefused as refused:
        return _preview(request, waiting, refused.faults)
    except ActionRefused as refused:
        return _preview(request, waiting, [str(refused)])
    messages.success(request, fill_in_names(_("%(club)s ist eingelesen."), club=mark_as_name(club)))
    return redirect("archive_imported", club.slug)


def _preview(request: HttpRequest, waiting: WaitingArchive, faults: list[str] | None = None) -> HttpResponse:
    document = parse_valid(waiting.text)
    obstacles: list[str] = []
    try:
        build_valid_club(document)
    except ArchiveRefused as refused:
        obstacles = refused.faults
    context = {
        "waiting": waiting,
        "contents": summarize(document),
        "faults": (faults or obstacles)[:MAX_FAULTS],
        "may_be_taken": not obstacles,
    }
    return render(request, "scoring/archive/preview.html", context, status=422 if faults else 200)


@require_POST
def archive_discard(request: HttpRequest) -> HttpResponse:
    discard_archive(user=require_admin(request))
    return redirect("archive_upload")


@require_safe
def archive_imported(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    taken = find_archive_change(access.club)
    if taken is None:
        raise Http404(_("Dieser Club kam nicht aus einem Archiv."))
    context = {"access": access, "section": "more", "taken": taken, "changed": has_changed_since(taken)}
    return render(request, "scoring/archive/imported.html", context)


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
    """The download of the archive. The session keeps its digest, because deleting the club requires the present archive."""
    access = get_club(request, slug, Role.ADMIN)
    day = timezone.localdate().isoformat()
    with limit_slow_work():
        body = build_archive(access.club)
    if request.method == "GET":
        request.session[DOWNLOADED] = {"club": access.club.pk, "sha256": sha256(body).hexdigest()}
    return attachment(body, "json", _("Archiv"), access.club.name, day)


def get_downloaded_digest(request: HttpRequest, club: Club) -> str:
    """Return the SHA-256 of the archive of this club that was last downloaded in this session, "" if none was."""
    taken = request.session.get(DOWNLOADED, {})
    return taken["sha256"] if taken.get("club") == club.pk else ""
