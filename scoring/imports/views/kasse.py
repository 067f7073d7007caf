"""Bringing the old Kasse along: uploading a file, looking at what it would book, booking it, and taking it back. All of it is the
treasurer's."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.club.access import Access, Role, fetch, get_club
from scoring.core.errors import warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.imports.actions.kasse import take_in_kasse, undo_kasse
from scoring.imports.actions.lists import discard_file
from scoring.imports.forms.kasse import KasseForm, KasseUploadForm
from scoring.imports.models import OF_KASSE, Import
from scoring.imports.queries import booked_by, imports_of, is_built_on, waiting_imports
from scoring.imports.reading.files import FileRefused

from .uploads import SHOWN, kept, take_seen, upload_of


@require_http_methods(["GET", "HEAD", "POST"])
def old_kasse(request: HttpRequest, slug: str) -> HttpResponse:
    """The ways to bring it along, and what was brought so far."""
    access = get_club(request, slug, Role.TREASURER)
    form = upload_of(request, KasseUploadForm, access.club)
    if brought := kept(access, form):
        return redirect("cash_old_file", slug, brought.pk)
    context = {
        "access": access,
        "section": "cash",
        "form": form,
        "imports": imports_of(access.club, kasse=True),
        "waiting": waiting_imports(access.club, kasse=True),
    }
    return render(request, "scoring/imports/kasse.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def old_kasse_file(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What a file would book, as long as it waits; what it booked, once it is taken in."""
    brought, access = _get_file(request, slug, pk)
    if brought.is_taken:
        return redirect("cash_old_file", slug, pk) if request.method == "POST" else _report(request, access, brought)
    with limit_slow_work():
        return _waiting(request, access, brought)


def _waiting(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    try:
        form = KasseForm(request.POST.dict() if request.method == "POST" else None, brought=brought)
    except FileRefused as error:
        # It was read by a former version.
        messages.warning(request, str(error))
        return redirect("cash_old", access.club.slug)
    refused = take_seen(request, form, lambda: _take(request, access, brought, form))
    if isinstance(refused, HttpResponse):
        return refused
    context = {
        "access": access,
        "section": "cash",
        "brought": brought,
        "form": form,
        "reading": form.reading,
        "days": sorted({row.date for row in form.reading.rows}),
        "refused": refused or form.in_the_way,
        "shown": SHOWN,
    }
    failed = request.method == "POST" and (refused or not form.may_be_taken)
    return render(request, "scoring/imports/kasse_preview.html", context, status=422 if failed else 200)


def _take(request: HttpRequest, access: Access, brought: Import, form: KasseForm) -> HttpResponse:
    take_in_kasse(
        brought=brought,
        actor=access.actor,
        kind=form.sheet.kind,
        sheet=form.chosen,
        rows=form.reading.rows,
        people=form.people,
        report=form.reading.report(),
    )
    messages.success(request, _("Die alte Kasse ist gebucht."))
    return redirect("cash_old_file", access.club.slug, brought.pk)


def _report(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    context = {
        "access": access,
        "section": "cash",
        "brought": brought,
        "entries": booked_by(brought).count(),
        "may_undo": not brought.undone_at and not is_built_on(brought),
    }
    return render(request, "scoring/imports/kasse_report.html", context)


@require_POST
def old_kasse_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    brought, _access = _get_file(request, slug, pk)
    discard_file(brought=brought)
    return redirect("cash_old", slug)


@require_POST
def old_kasse_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    brought, access = _get_file(request, slug, pk)
    with limit_slow_work(), warn_of_refusal(request):
        undo_kasse(brought=brought, actor=access.actor)
        messages.success(request, _("Zurückgenommen: Was diese Datei gebucht hat, ist storniert."))
    return redirect("cash_old_file", slug, pk)


def _get_file(request: HttpRequest, slug: str, pk: int) -> tuple[Import, Access]:
    """A file of an old Kasse, taken in or not."""
    files = Import.objects.filter(club__slug=slug, pk=pk, kind__in=OF_KASSE).select_related("club")
    return fetch(request, files, "club", Role.TREASURER)
