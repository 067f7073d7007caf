"""Pages for old lists, opening standings, an old Kasse, and corrections of evenings."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role, fetch, get_club
from scoring.club.queries import find_archive_change, list_people
from scoring.core.errors import ActionRefused, add_refusal_to, warn_of_refusal
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.core.workbook import DATE, NUMBER, TEXT, TWO_DIGITS, CellStyle, Column, ExcelWorkbook
from scoring.evenings.actions import correct_evening
from scoring.imports.forms.evenings import CorrectionForm
from scoring.imports.forms.files import ColumnsForm, UploadForm, take_back_choice
from scoring.imports.forms.kasse import KasseForm, KasseUploadForm
from scoring.imports.forms.lists import ImportForm
from scoring.imports.forms.opening_standings import OpeningStandingsForm, TotalsUploadForm
from scoring.imports.reading.outline import Phrase, Remark, format_row
from scoring.imports.reading.uploads import FileRefused
from scoring.play.models import Table
from scoring.table.access import get_evening

from .actions import (
    book_kasse,
    discard_file,
    find_obstacle,
    preview_correction,
    remove_evening,
    store_file,
    take_list,
    take_opening,
    undo_import,
    undo_kasse,
)
from .models import KASSE_KINDS, Import
from .queries import (
    find_same_file,
    has_dependents,
    list_booked_entries,
    list_days_with_evenings,
    list_evenings,
    list_imports,
    list_waiting_imports,
    preview_removal,
)
from .texts import describe_consequences

# How many rows of a template have the formats of days and amounts.
ROWS_TO_FILL_IN = 200
# The rows that a page lists, for the filter `slice`.
SHOWN = ":200"


def _show_uploads(request: HttpRequest, access: Access, *, kasse: bool) -> HttpResponse:
    """Show the imported files and the form for another file, or store an uploaded one and go to its preview."""
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = (KasseUploadForm if kasse else UploadForm)(*posted, club=access.club)
    if form.is_bound:
        with limit_slow_work():
            if form.is_valid():
                file = store_file(
                    club=access.club,
                    actor=access.actor,
                    kind=form.kind,
                    file_name=form.file_name,
                    digest=form.digest,
                    sheets=form.stored_sheets,
                )
                return redirect("cash_old_file" if kasse else "import", access.club.slug, file.pk)
    context = {
        "access": access,
        "section": "cash" if kasse else "more",
        "form": form,
        "imports": list_imports(access.club, kasse),
        "waiting": list_waiting_imports(access.club, kasse),
        "from_archive": None if kasse else find_archive_change(access.club),
    }
    template = "scoring/imports/kasse.html" if kasse else "scoring/imports/list.html"
    return render(request, template, context, status=422 if form.errors else 200)


@require_safe
def list_template(request: HttpRequest, slug: str) -> HttpResponse:
    """Send an empty list with a column for each player of the club; filled in, it is our own list "Datum × Name"."""
    access = get_club(request, slug, Role.ADMIN)
    names = [player.name for player in list_people(access.club)]
    names = names or [_("Name %(number)s") % {"number": number} for number in range(1, 5)]
    columns = [Column(name, max(7, len(name) + 2), NUMBER) for name in names]
    return _send_template(access, _("Datum × Name"), columns)


@require_safe
def kasse_template(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    money = CellStyle(TWO_DIGITS, "right")
    columns = [Column(_("Zweck"), 32, TEXT), Column(_("Einnahme"), 12, money), Column(_("Ausgabe"), 12, money)]
    return _send_template(access, _("Kassenbuch"), [*columns, Column(_("Beleg"), 12, TEXT)])


def _send_template(access: Access, title: str, columns: Sequence[Column]) -> HttpResponse:
    """Send a workbook with headings and dated rows to fill in."""
    with limit_slow_work():
        workbook = ExcelWorkbook(title, access.club.name)
        sheet = workbook.add_sheet(title, [Column(_("Datum"), 12, CellStyle(DATE, "left")), *columns], named=False)
        for _row in range(ROWS_TO_FILL_IN):
            sheet.append([None] * (len(columns) + 1))
        body = workbook.as_bytes()
    return attachment(body, "xlsx", _("Vorlage"), title, access.club.name)


def _get_file(request: HttpRequest, slug: str, pk: int, *, kasse: bool) -> tuple[Import, Access]:
    """Fetch a list or a file of an old Kasse, waiting or imported."""
    files = Import.objects.filter(club__slug=slug, pk=pk).select_related("club")
    files = files.filter(kind__in=KASSE_KINDS) if kasse else files.exclude(kind__in=KASSE_KINDS)
    return fetch(request, files, "club", Role.TREASURER if kasse else Role.ADMIN)


def _explain_refusal(take: Callable[[], HttpResponse]) -> HttpResponse | str:
    """Take in a file, or return why not."""
    try:
        return take()
    except ActionRefused as error:
        return str(error)
    except ValidationError as error:
        # A new player has one of the names meanwhile.
        return " ".join(error.messages)


def take_confirmed(request: HttpRequest, form: ColumnsForm, take: Callable[[], HttpResponse]) -> HttpResponse | str:
    """Take in a file if the user confirmed exactly this preview; else return why not, empty for a mere look at the preview."""
    if "take" not in request.POST or not form.may_be_taken:
        return ""
    if not form.was_seen:
        return _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann übernehmen.")
    return _explain_refusal(take)


# --- Lists ------------------------------------------------------------------------------------------------------------

# The evenings that can be corrected from the page of a list, as above; older ones have their own pages.
EVENINGS_SHOWN = ":500"


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest, slug: str) -> HttpResponse:
    return _show_uploads(request, get_club(request, slug, Role.ADMIN), kasse=False)


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, access = _get_file(request, slug, pk, kasse=False)
    if file.is_taken:
        return redirect("import", slug, pk) if request.method == "POST" else _report_list(request, access, file)
    with limit_slow_work():
        return _preview_list(request, access, file)


def _preview_list(request: HttpRequest, access: Access, file: Import) -> HttpResponse:
    posted, earlier = take_back_choice(request.POST.dict())
    try:
        form = ImportForm(posted if request.method == "POST" else None, file=file)
    except FileRefused as refusal:
        # An earlier version has read it.
        context = {"access": access, "section": "more", "file": file, "refused": str(refusal)}
        return render(request, "scoring/imports/refused.html", context, status=422 if request.method == "POST" else 200)
    refused = take_confirmed(request, form, lambda: _take_list(request, access, file, form))
    if isinstance(refused, HttpResponse):
        return refused
    reading = form.reading
    days = set() if reading.asks else {sitting.held_on for sitting in reading.sittings}
    context = {
        "access": access,
        "section": "more",
        "file": file,
        "form": form,
        "earlier": json.dumps(earlier),
        "may_undo": bool(earlier),
        "reading": reading,
        "refused": refused,
        "first": min(days, default=None),
        "last": max(days, default=None),
        "standing": list_days_with_evenings(access.club, days),
        "twin": find_same_file(file) if not form.taken or form.taken & set(form.layout.selected) else None,
        "shown": SHOWN,
    }
    failed = request.method == "POST" and (refused or not form.may_be_taken)
    return render(request, "scoring/imports/preview.html", context, status=422 if failed else 200)


def _take_list(request: HttpRequest, access: Access, file: Import, form: ImportForm) -> HttpResponse:
    take_list(
        file=file,
        actor=access.actor,
        kind=form.cleaned_data["kind"],
        sittings=form.reading.sittings,
        people=form.people,
        rules=form.chosen_rules,
        report=form.report,
    )
    messages.success(request, _("Die Datei ist übernommen."))
    return redirect("import", access.club.slug, file.pk)


def _report_list(request: HttpRequest, access: Access, file: Import) -> HttpResponse:
    report = file.report
    odd = [
        {"where": Phrase.read(where), "day": datetime.date.fromisoformat(day), "sum": total}
        for where, day, total in report.get("odd", [])
    ]
    left_out = [_read_remark(*stored) for stored in report.get("left_out", [])]
    context = {
        "access": access,
        "section": "more",
        "file": file,
        "odd": odd,
        "left_out": left_out,
        "by_hand": [Phrase.read(row) for row in report.get("by_hand", [])],
        "shown": SHOWN,
        "evenings": list_evenings(file),
        "evenings_shown": EVENINGS_SHOWN,
        "obstacle": "" if file.undone_at else find_obstacle(file),
    }
    if file.kind == Import.Kind.SUMS:
        context["until"] = datetime.date.fromisoformat(report["until"])
    return render(request, "scoring/imports/report.html", context)


def _read_remark(row: Any, phrase: Any, sheet: str = "") -> Remark:
    """Read a stored remark; earlier versions stored the name of its sheet separately."""
    if not isinstance(row, int):
        return Remark(0, Phrase.read(phrase), Phrase.read(row))
    return Remark(row, Phrase.read(phrase), f"{sheet}: {format_row(row)}" if sheet else "")


@require_POST
def import_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, _access = _get_file(request, slug, pk, kasse=False)
    discard_file(file=file)
    return redirect("imports", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def import_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, access = _get_file(request, slug, pk, kasse=False)
    if not file.is_taken:
        return redirect("imports", slug)
    if request.method == "POST":
        with limit_slow_work():
            return _undo(request, access, file)
    if file.undone_at or find_obstacle(file):
        return redirect("import", slug, pk)
    context = {"access": access, "section": "more", "file": file, "removal": preview_removal(file)}
    return render(request, "scoring/imports/undo.html", context)


def _undo(request: HttpRequest, access: Access, file: Import) -> HttpResponse:
    removal = preview_removal(file)
    with warn_of_refusal(request):
        undo_import(file=file, actor=access.actor)
        done = _("Zurückgenommen: Die Abende dieser Datei zählen nicht mehr.")
        if file.kind == Import.Kind.SUMS:
            done = _("Zurückgenommen: Der Anfangsstand zählt nicht mehr.")
        if removal["months"]:
            done += " " + _("Was von ihren Monaten veröffentlicht ist, bleibt, wie es ist; die Liga zeigt den Unterschied.")
        messages.success(request, done)
    return redirect("import", access.club.slug, file.pk)


# --- Opening standings ------------------------------------------------------------------------------------------------

@require_http_methods(["GET", "HEAD", "POST"])
def opening_standing(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a row for each person. More rows and the content of a file are shown without validation."""
    access = get_club(request, slug, Role.ADMIN)
    if "read" in request.POST:
        upload = TotalsUploadForm(request.POST, request.FILES, club=access.club)
        with limit_slow_work():
            if upload.is_valid():
                form = OpeningStandingsForm(upload.values, club=access.club, validate=False)
                return _render_opening(request, access, form, upload)
        return _render_opening(request, access, OpeningStandingsForm(None, club=access.club), upload, 422)
    form = OpeningStandingsForm(request.POST.dict() if request.method == "POST" else None, club=access.club)
    refused = _explain_refusal(lambda: _take_opening(access, form, request)) if form.is_valid() else ""
    if isinstance(refused, HttpResponse):
        return refused
    return _render_opening(request, access, form, TotalsUploadForm(club=access.club), 422 if form.is_bound else 200, refused)


def _render_opening(
    request: HttpRequest, access: Access, form: OpeningStandingsForm, upload: TotalsUploadForm, status: int = 200, refused: str = ""
) -> HttpResponse:
    read = upload if upload.is_bound and upload.is_valid() else None
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
    return _show_uploads(request, get_club(request, slug, Role.TREASURER), kasse=True)


@require_http_methods(["GET", "HEAD", "POST"])
def old_kasse_file(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, access = _get_file(request, slug, pk, kasse=True)
    if file.is_taken:
        return redirect("cash_old_file", slug, pk) if request.method == "POST" else _report_kasse(request, access, file)
    with limit_slow_work():
        return _preview_kasse(request, access, file)


def _preview_kasse(request: HttpRequest, access: Access, file: Import) -> HttpResponse:
    posted, earlier = take_back_choice(request.POST.dict())
    try:
        form = KasseForm(posted if request.method == "POST" else None, file=file)
    except FileRefused as error:
        # An earlier version has read it.
        messages.warning(request, str(error))
        return redirect("cash_old", access.club.slug)
    refused = take_confirmed(request, form, lambda: _take_kasse(request, access, file, form))
    if isinstance(refused, HttpResponse):
        return refused
    context = {
        "access": access,
        "section": "cash",
        "file": file,
        "form": form,
        "earlier": json.dumps(earlier),
        "may_undo": bool(earlier),
        "reading": form.reading,
        "days": sorted({row.date for row in form.reading.rows}),
        "refused": refused or form.obstacle,
        "shown": SHOWN,
    }
    failed = request.method == "POST" and (refused or not form.may_be_taken)
    return render(request, "scoring/imports/kasse_preview.html", context, status=422 if failed else 200)


def _take_kasse(request: HttpRequest, access: Access, file: Import, form: KasseForm) -> HttpResponse:
    book_kasse(
        file=file,
        actor=access.actor,
        kind=form.sheet.kind,
        sheet=form.selected,
        rows=form.reading.rows,
        people=form.people,
        report=form.reading.report(),
    )
    messages.success(request, _("Die alte Kasse ist gebucht."))
    return redirect("cash_old_file", access.club.slug, file.pk)


def _report_kasse(request: HttpRequest, access: Access, file: Import) -> HttpResponse:
    context = {
        "access": access,
        "section": "cash",
        "file": file,
        "entries": list_booked_entries(file).count(),
        "may_undo": not file.undone_at and not has_dependents(file),
    }
    return render(request, "scoring/imports/kasse_report.html", context)


@require_POST
def old_kasse_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, _access = _get_file(request, slug, pk, kasse=True)
    discard_file(file=file)
    return redirect("cash_old", slug)


@require_POST
def old_kasse_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    file, access = _get_file(request, slug, pk, kasse=True)
    with limit_slow_work(), warn_of_refusal(request):
        undo_kasse(file=file, actor=access.actor)
        messages.success(request, _("Zurückgenommen: Was diese Datei gebucht hat, ist storniert."))
    return redirect("cash_old_file", slug, pk)


# --- Correcting evenings ----------------------------------------------------------------------------------------------

@require_http_methods(["GET", "HEAD", "POST"])
def evening_correction(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Correct the day and place of an evening, after a preview of the consequences.
    An admin can also correct the points of an imported evening, or remove it."""
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    if not access.may_change(evening):
        raise PermissionDenied
    if evening.dropped:
        return redirect("evening", slug, pk)
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set", "imported"))
    # The only table is from a list: then the whole evening is.
    table = tables[0] if access.admin and len(tables) == 1 and tables[0].imported_id else None
    with_points = table if table and table.without_games else None
    form = CorrectionForm(request.POST.dict() if request.method == "POST" else None, evening=evening, table=with_points)
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
        "lines": [] if consequences is None else describe_consequences(evening, form.cleaned_data["held_on"], *consequences),
        "standing": form.changes_day and list_days_with_evenings(access.club, {form.cleaned_data["held_on"]}),
        "removing": "remove" in request.POST,
        "shown": consequences is not None,
    }
    failed = request.method == "POST" and (refused or form.errors)
    return render(request, "scoring/imports/mend.html", context, status=422 if failed else 200)

