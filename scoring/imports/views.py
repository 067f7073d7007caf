"""What old lists and an old Kasse have in common: a file is uploaded and kept, and taken in once it was seen as it is."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.club.access import Access, Role, fetch, get_club
from scoring.club.models import Club
from scoring.club.queries import find_archive_change
from scoring.core.errors import ActionRefused, add_refusal_to, warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.evenings.actions import correct_evening
from scoring.imports.forms.evenings import MendForm
from scoring.imports.forms.files import ColumnsForm, UploadForm
from scoring.imports.forms.kasse import KasseForm, KasseUploadForm
from scoring.imports.forms.lists import ImportForm
from scoring.imports.forms.opening_standings import OpeningStandingsForm, SumsUploadForm
from scoring.imports.reading.evenings import Odd
from scoring.imports.reading.outline import Phrase, Remark, format_row
from scoring.imports.reading.uploads import FileRefused
from scoring.play.models import Table
from scoring.table.access import get_evening

from .actions import (
    discard_file,
    keep_file,
    preview_correction,
    remove_evening,
    take_in,
    take_in_kasse,
    take_opening,
    undo_import,
    undo_kasse,
)
from .models import OF_KASSE, Import
from .queries import (
    booked_by,
    days_with_evenings,
    evenings_of,
    imports_of,
    is_built_on,
    same_file,
    waiting_imports,
    what_goes,
    why_it_stays,
)
from .texts import consequence_lines

# So many rows are named on a page; nobody reads more.
SHOWN = ":200"


def upload_of(request: HttpRequest, form: type[UploadForm], club: Club) -> UploadForm:
    """The form of a file, with the file where one was sent."""
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    return form(*posted, club=club)


def kept(access: Access, form: UploadForm) -> Import | None:
    """What was read from the file, to be looked at; None where there is none or it cannot be read."""
    if not form.is_bound:
        return None
    with limit_slow_work():
        if not form.is_valid():
            return None
        return keep_file(
            club=access.club,
            actor=access.actor,
            kind=form.kind,
            file_name=form.file_name,
            digest=form.digest,
            sheets=form.rows,
        )


def take_seen(request: HttpRequest, form: ColumnsForm, take: Callable[[], HttpResponse]) -> HttpResponse | str:
    """Take in the import if somebody confirmed it and has seen exactly this. Otherwise returns the reason why not, empty if
    nobody asked."""
    if "take" not in request.POST or not form.may_be_taken:
        return ""
    if not form.was_seen:
        return _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann übernehmen.")
    try:
        return take()
    except ActionRefused as error:
        return str(error)
    except ValidationError as error:
        # Somebody took a name in the meantime.
        return " ".join(error.messages)


# --- Lists ------------------------------------------------------------------------------------------------------------


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
        return redirect("import", slug, pk) if request.method == "POST" else _report_list(request, access, brought)
    with limit_slow_work():
        return _preview_list(request, access, brought)


def _preview_list(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    try:
        form = ImportForm(request.POST.dict() if request.method == "POST" else None, brought=brought)
    except FileRefused as refusal:
        # It was read by a former version.
        context = {"access": access, "section": "more", "brought": brought, "refused": str(refusal)}
        return render(request, "scoring/imports/refused.html", context, status=422 if request.method == "POST" else 200)
    refused = take_seen(request, form, lambda: _take_list(request, access, brought, form))
    if isinstance(refused, HttpResponse):
        return refused
    return _preview(request, access, brought, form, refused)


def _take_list(request: HttpRequest, access: Access, brought: Import, form: ImportForm) -> HttpResponse:
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


def _report_list(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    report = brought.report
    odd = [_odd(row, datetime.date.fromisoformat(day), total) for row, day, total in report.get("odd", [])]
    left_out = [_remark(*said) for said in report.get("left_out", [])]
    context = {
        "access": access,
        "section": "more",
        "brought": brought,
        "odd": odd,
        "left_out": left_out,
        "by_hand": [Phrase.read(row) for row in report.get("by_hand", [])],
        "shown": SHOWN,
        "evenings": evenings_of(brought),
        "evenings_shown": EVENINGS_SHOWN,
        "stays": None if brought.undone_at else why_it_stays(brought),
    }
    if brought.kind == Import.Kind.SUMS:
        context["until"] = datetime.date.fromisoformat(report["until"])
    return render(request, "scoring/imports/report.html", context)


def _odd(row: Any, day: datetime.date, total: int) -> Odd:
    return Odd(row, day, total) if isinstance(row, int) else Odd(0, day, total, Phrase.read(row))


def _remark(row: Any, said: Any, sheet: str = "") -> Remark:
    """A row that was left out; former versions kept the name of its sheet beside it."""
    if not isinstance(row, int):
        return Remark(0, Phrase.read(said), Phrase.read(row))
    return Remark(row, Phrase.read(said), f"{sheet}: {format_row(row)}" if sheet else "")


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


# --- Opening standings ------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def opening_standing(request: HttpRequest, slug: str) -> HttpResponse:
    """A row for each person. More rows, and what a file says, are offered without anything being judged."""
    access = get_club(request, slug, Role.ADMIN)
    if "read" in request.POST:
        upload = SumsUploadForm(request.POST, request.FILES, club=access.club)
        with limit_slow_work():
            if upload.is_valid():
                form = OpeningStandingsForm(upload.typed, club=access.club, judged=False)
                return _render_opening(request, access, form, upload)
        return _render_opening(request, access, OpeningStandingsForm(None, club=access.club), upload, 422)
    form = OpeningStandingsForm(request.POST.dict() if request.method == "POST" else None, club=access.club)
    refused = ""
    if form.is_valid():
        try:
            return _take_opening(access, form, request)
        except ActionRefused as error:
            refused = str(error)
        except ValidationError as error:
            # Somebody took a name in the meantime.
            refused = " ".join(error.messages)
    return _render_opening(request, access, form, SumsUploadForm(club=access.club), 422 if form.is_bound else 200, refused)


def _render_opening(
    request: HttpRequest,
    access: Access,
    form: OpeningStandingsForm,
    upload: SumsUploadForm,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    read = upload.sums if upload.is_bound and upload.is_valid() else None
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "upload": upload,
        "read": read,
        "file_name": form["file_name"].value() or "",
        "refused": refused,
    }
    return render(request, "scoring/imports/opening.html", context, status=status)


def _take_opening(access: Access, form: OpeningStandingsForm, request: HttpRequest) -> HttpResponse:
    until = form.cleaned_data["until"]
    taken = take_opening(
        club=access.club,
        actor=access.actor,
        file_name=form.cleaned_data["file_name"] or until.isoformat(),
        unit=form.cleaned_data["unit"],
        until=until,
        people=form.people,
        figures=form.figures,
    )
    messages.success(request, _("Der Anfangsstand ist übernommen."))
    return redirect("import", access.club.slug, taken.pk)


# --- The Kasse --------------------------------------------------------------------------------------------------------


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
        return redirect("cash_old_file", slug, pk) if request.method == "POST" else _report_kasse(request, access, brought)
    with limit_slow_work():
        return _preview_kasse(request, access, brought)


def _preview_kasse(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
    try:
        form = KasseForm(request.POST.dict() if request.method == "POST" else None, brought=brought)
    except FileRefused as error:
        # It was read by a former version.
        messages.warning(request, str(error))
        return redirect("cash_old", access.club.slug)
    refused = take_seen(request, form, lambda: _take_kasse(request, access, brought, form))
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


def _take_kasse(request: HttpRequest, access: Access, brought: Import, form: KasseForm) -> HttpResponse:
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


def _report_kasse(request: HttpRequest, access: Access, brought: Import) -> HttpResponse:
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


# --- Correcting evenings ----------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def evening_mend(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The day and the place of an evening; an admin also corrects the points of one that came from a list, or removes it."""
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    if not access.may_change(evening):
        raise PermissionDenied
    if evening.dropped:
        return redirect("evening", slug, pk)
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set", "imported"))
    # Of a list alone, and of one table: then the whole evening came with it.
    table = tables[0] if access.admin and len(tables) == 1 and tables[0].imported_id else None
    with_points = table if table and table.without_games else None
    form = MendForm(request.POST.dict() if request.method == "POST" else None, evening=evening, table=with_points)
    refused, consequences = "", None
    if request.method == "POST":
        try:
            if table and "remove" in request.POST and "sure" in request.POST:
                remove_evening(evening=evening, actor=access.actor)
                messages.success(request, _("Der Abend ist entfernt."))
                return redirect("import", slug, table.imported_id)
            if "remove" not in request.POST and form.is_valid():
                if "save" in request.POST and form.cleaned_data["seen"] == form.fingerprint:
                    correct_evening(evening=evening, actor=access.actor, **form.correction)
                    messages.success(request, _("Der Abend ist berichtigt."))
                    return redirect("evening" if evening.is_open else "result", slug, pk)
                if "save" in request.POST:
                    refused = _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann speichern.")
                consequences = preview_correction(evening=evening, actor=access.actor, **form.correction)
        except ActionRefused as error:
            if error.field:
                add_refusal_to(form, error)
            else:
                refused = str(error)
    context = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "table": table,
        "form": form,
        "refused": refused,
        "lines": [] if consequences is None else consequence_lines(evening, form.cleaned_data["held_on"], consequences),
        "standing": form.moves and days_with_evenings(access.club, {form.cleaned_data["held_on"]}),
        "removing": "remove" in request.POST,
        "shown": consequences is not None,
    }
    failed = request.method == "POST" and (refused or form.errors)
    return render(request, "scoring/imports/mend.html", context, status=422 if failed else 200)

