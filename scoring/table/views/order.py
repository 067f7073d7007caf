"""The order of the lines on a sheet: putting a forgotten one before or behind another, and moving one up or down, each shown
with its effects before it is done. A browser gets pages, a script the same as JSON."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import translate_sentence
from scoring.core.text import parse_whole
from scoring.play.models import Game, Table
from scoring.play.queries import read_records, read_sheet
from scoring.rules.validation import Refused, Sentence
from scoring.table.access import get_game, require_typist
from scoring.table.actions.order import insert_game, move_game, next_place, preview_insertion, preview_move
from scoring.table.errors import NowhereToMove, PeopleMissing, StaleVersion
from scoring.table.forms.games import Envelope, LineForm, read_json, read_version

from .data import effect_data, is_json, refusal_data, saved_data, status_of, wants_json
from .pages import Trouble, insertion_page, standing_row, typed_form
from .previews import preview_lines


@require_http_methods(["GET", "HEAD", "POST"])
def game_insert(request: HttpRequest, slug: str, pk: int, key: UUID, behind: bool) -> HttpResponse:
    """A line before or behind this one: the same entry, its effects, then done."""
    found, access = get_game(request, slug, pk, key, Role.SCORER)
    table = found.round.table
    if request.method != "POST":
        with snapshot():
            return insertion_page(request, access, read_sheet(table), key, behind)
    form = None
    require_typist(request)
    try:
        if is_json(request):
            envelope = read_json(request.body)
        else:
            form = typed_form(read_records(table), request.POST, found)
            envelope = form.envelope()
        return _insert(request, access, found, behind, form, envelope)
    except (Refused, ActionRefused) as refused:
        sheet = read_sheet(table)
        if form is None or wants_json(request):
            return JsonResponse(refusal_data(sheet, refused), status=status_of(refused))
        return insertion_page(request, access, sheet, key, behind, form=form, trouble=Trouble.of(refused, sheet))


def _insert(
    request: HttpRequest, access: Access, found: Game, behind: bool, form: LineForm | None, envelope: Envelope
) -> HttpResponse:
    table, key = found.round.table, found.key
    if envelope.key is None:
        raise Refused({"key": Sentence(gettext_noop("Bitte einen Schlüssel (UUID) für das neue Spiel mitgeben."))})
    if not envelope.confirmed:
        with snapshot():
            sheet = read_sheet(table)
            effects = preview_insertion(records=sheet.records, beside=key, behind=behind, typed=envelope.typed)
            if wants_json(request):
                return JsonResponse({"effects": [effect_data(effect) for effect in effects]})
            return insertion_page(request, access, sheet, key, behind, form=form, effects=effects)
    saved = insert_game(
        table=table,
        actor=access.actor,
        key=envelope.key,
        beside=key,
        behind=behind,
        typed=envelope.typed,
    )
    if wants_json(request):
        return JsonResponse(saved_data(saved), status=201 if saved.change else 200)
    messages.success(request, _("Eingefügt."))
    for remark in saved_data(saved)["remarks"]:
        messages.info(request, remark)
    return redirect("table", access.club.slug, table.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def game_move(request: HttpRequest, slug: str, pk: int, key: UUID, up: bool) -> HttpResponse:
    """Move a line by one place, after its effects were shown."""
    found, access = get_game(request, slug, pk, key, Role.SCORER)
    if wants_json(request) and request.method == "POST":
        return _move_by_script(request, access, found, up)
    table = found.round.table
    try:
        if request.method != "POST":
            with snapshot():
                return _move_page(request, access, table, key, up)
        version = parse_whole(request.POST.get("version")) or 0
        move_game(table=table, actor=access.actor, key=key, version=version, up=up)
    except (Refused, ActionRefused) as refused:
        messages.warning(request, _why_not(refused))
        stays = isinstance(refused, (Refused, NowhereToMove, PeopleMissing, StaleVersion))
        return redirect("game", slug, pk, key) if stays else redirect("table", slug, pk)
    messages.success(request, _("Verschoben."))
    return redirect("table", slug, pk)


def _why_not(refused: Refused | ActionRefused) -> str:
    """One sentence; where the other table is what refuses the line, it says so."""
    if isinstance(refused, ActionRefused):
        return str(refused)
    faults = " ".join(translate_sentence(found) for found in refused.fields.values())
    return _("Verschieben geht nicht, an jenem Tisch kann diese Zeile so nicht stehen: %(faults)s") % {"faults": faults}


def _move_by_script(request: HttpRequest, access: Access, found: Game, up: bool) -> HttpResponse:
    """The same as JSON: its effects first, done with `confirm`; a form that wants JSON is done at once."""
    table, key = found.round.table, found.key
    try:
        version, confirmed = read_version(request.body) if is_json(request) else (parse_whole(request.POST.get("version")), True)
        if confirmed:
            saved = move_game(table=table, actor=access.actor, key=key, version=version or 0, up=up)
            return JsonResponse(saved_data(saved))
        with snapshot():
            records = read_records(table)
            standing = records.find(key)
            if standing is not None and standing.version != version:
                raise StaleVersion(standing)
            effects = preview_move(records=records, key=key, up=up)
        return JsonResponse({"effects": [effect_data(effect) for effect in effects]})
    except (Refused, ActionRefused) as refused:
        return JsonResponse(refusal_data(read_sheet(table), refused), status=status_of(refused))


def _move_page(request: HttpRequest, access: Access, table: Table, key: UUID, up: bool) -> HttpResponse:
    sheet = read_sheet(table)
    row = standing_row(sheet, key)
    effects = preview_move(records=sheet.records, key=key, up=up)
    line_up = next_place(sheet.records, row.game, up).line_up
    context = {
        "access": access,
        "section": "evenings",
        "table": table,
        "row": row,
        "up": up,
        "among": sheet.records.line_ups[line_up.pk] if line_up.pk != row.game.round_id else (),
        "effects": preview_lines(sheet, effects),
    }
    return render(request, "scoring/table/move.html", context)
