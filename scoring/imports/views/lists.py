"""Bringing an old list along: uploading a file, looking at what it says, taking it in, and taking it back."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.club.access import Access, Role, fetch, get_club
from scoring.club.queries import find_archive_change
from scoring.core.errors import warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.imports.actions.lists import discard_file, take_in, undo_import
from scoring.imports.forms.lists import ImportForm
from scoring.imports.forms.upload import UploadForm
from scoring.imports.models import OF_KASSE, Import
from scoring.imports.queries import (
    days_with_evenings,
    evenings_of,
    imports_of,
    same_file,
    waiting_imports,
    what_goes,
    why_it_stays,
)
from scoring.imports.reading.files import FileRefused
from scoring.imports.reading.listed.found import Odd
from scoring.imports.reading.outline import Remark, Said, row_called

from .uploads import SHOWN, kept, take_seen, upload_of

# So many of its evenings can be corrected from the page of a list; those before them from their own pages.
EVENINGS_SHOWN = ":500"


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest, slug: str) -> HttpResponse:
    """What was brought along so far, and one more file."""
    access = get_club(request, slug, Role.ADMIN)
    form = upload_of(request, UploadForm, access.club)
    if brought := kept(access, form):
        return redirect("import", slug, brought.pk)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "imports": imports_of(access.club),
        "waiting": waiting_imports(access.club),
        "from_archive": find_archive_change(access.club),
    }
    return render(request, "scoring/imports/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def brought_along(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What a file says, as long as it waits; what it brought, once it is taken in."""
    brought, access = _get_import(request, slug, pk, Role.ADMIN)
    if brought.is_taken:
        return redirect("import", slug, pk) if request.method == "POST" else _report(request, access, brought)
    with limit_slow_work():
        return _waiting(request, access, brought)


def _waiting(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    try:
        form = ImportForm(request.POST.dict() if request.method == "POST" else None, brought=brought)
    except FileRefused as refusal:
        # It was read by a former version.
        context = {"access": access, "section": "more", "brought": brought, "refused": str(refusal)}
        return render(request, "scoring/imports/refused.html", context, status=422 if request.method == "POST" else 200)
    refused = take_seen(request, form, lambda: _take(request, access, brought, form))
    if isinstance(refused, HttpResponse):
        return refused
    return _preview(request, access, brought, form, refused)


def _take(request: HttpRequest, access: Access, brought: Import, form: ImportForm) -> HttpResponse:
    take_in(
        brought=brought,
        actor=access.actor,
        kind=form.cleaned_data["kind"],
        sittings=form.reading.sittings,
        people=form.people,
        rules=form.played_by,
        report=form.report,
    )
    messages.success(request, _("Die Datei ist übernommen."))
    return redirect("import", access.club.slug, brought.pk)


def _preview(
    request: HttpRequest, access: Access, brought: Import, form: ImportForm, refused: str = ""
) -> HttpResponse:
    reading = form.reading
    days = set() if reading.asks else {sitting.held_on for sitting in reading.sittings}
    context = {
        "access": access,
        "section": "more",
        "brought": brought,
        "form": form,
        "reading": reading,
        "refused": refused,
        "first": min(days, default=None),
        "last": max(days, default=None),
        "standing": days_with_evenings(access.club, days),
        "twin": same_file(brought) if not form.taken or form.taken & set(form.layout.chosen) else None,
        "shown": SHOWN,
    }
    failed = request.method == "POST" and (refused or not form.may_be_taken)
    return render(request, "scoring/imports/preview.html", context, status=422 if failed else 200)


def _report(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    report = brought.report
    odd = [_odd(row, datetime.date.fromisoformat(day), total) for row, day, total in report.get("odd", [])]
    left_out = [_remark(*said) for said in report.get("left_out", [])]
    context = {
        "access": access,
        "section": "more",
        "brought": brought,
        "odd": odd,
        "left_out": left_out,
        "by_hand": [Said.read(row) for row in report.get("by_hand", [])],
        "shown": SHOWN,
        "evenings": evenings_of(brought),
        "evenings_shown": EVENINGS_SHOWN,
        "stays": None if brought.undone_at else why_it_stays(brought),
    }
    if brought.kind == Import.Kind.SUMS:
        context["until"] = datetime.date.fromisoformat(report["until"])
    return render(request, "scoring/imports/report.html", context)


def _odd(row: Any, day: datetime.date, total: int) -> Odd:
    return Odd(row, day, total) if isinstance(row, int) else Odd(0, day, total, Said.read(row))


def _remark(row: Any, said: Any, sheet: str = "") -> Remark:
    """A row that was left out; former versions kept the name of its sheet beside it."""
    if not isinstance(row, int):
        return Remark(0, Said.read(said), Said.read(row))
    return Remark(row, Said.read(said), f"{sheet}: {row_called(row)}" if sheet else "")


@require_POST
def import_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    brought, _access = _get_import(request, slug, pk, Role.ADMIN)
    discard_file(brought=brought)
    return redirect("imports", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def import_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What goes where a file is taken back; and taking it back."""
    brought, access = _get_import(request, slug, pk, Role.ADMIN)
    if not brought.is_taken:
        return redirect("imports", slug)
    if request.method == "POST":
        with limit_slow_work():
            return _undo(request, access, brought)
    if brought.undone_at or why_it_stays(brought):
        return redirect("import", slug, pk)
    context = {"access": access, "section": "more", "brought": brought, "leaving": what_goes(brought)}
    return render(request, "scoring/imports/undo.html", context)


def _undo(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    leaving = what_goes(brought)
    with warn_of_refusal(request):
        undo_import(brought=brought, actor=access.actor)
        done = _("Zurückgenommen: Die Abende dieser Datei zählen nicht mehr.")
        if brought.kind == Import.Kind.SUMS:
            done = _("Zurückgenommen: Der Anfangsstand zählt nicht mehr.")
        if leaving.months:
            done += " " + _(
                "Was von ihren Monaten veröffentlicht ist, bleibt, wie es ist; die Liga zeigt den Unterschied."
            )
        messages.success(request, done)
    return redirect("import", access.club.slug, brought.pk)


def _get_import(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Import, Access]:
    """A list that was brought along, taken in or not."""
    lists = Import.objects.filter(club__slug=slug, pk=pk).exclude(kind__in=OF_KASSE)
    return fetch(request, lists.select_related("club"), "club", role)
