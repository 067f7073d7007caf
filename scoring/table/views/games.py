"""The table: entering a line, opening, correcting and deleting one, undoing the last change. Every address answers a
browser with pages and a script with JSON; both go through the same actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import translate_sentence
from scoring.core.text import parse_whole
from scoring.play.actions import EveningIsClosed
from scoring.play.models import Game, Table
from scoring.play.queries import build_sheet, get_last_change, propose_next, read_records, read_sheet
from scoring.play.replay import WorthTooMuch
from scoring.play.texts import get_line_name
from scoring.rules.validation import Refused, Sentence
from scoring.table.access import LinkIsOver, get_game, get_table, require_typist
from scoring.table.actions.games import (
    GameIsDeleted,
    NowhereToMove,
    PeopleMissing,
    Saved,
    StaleVersion,
    add_game,
    correct_game,
    delete_game,
    insert_game,
    move_game,
    next_place,
    preview_correction,
    preview_deletion,
    preview_insertion,
    preview_move,
    undo,
)
from scoring.table.actions.late import keep_late
from scoring.table.actions.seats import is_line_up_undoable, undo_line_up
from scoring.table.forms.games import Envelope, LineForm, read_json, read_version
from scoring.table.texts import later_lines, odd_lines, preview_lines
from scoring.table.views.data import effect_data, is_json, late_data, refusal_data, saved_data, status_of, wants_json
from scoring.table.views.late import ended_page
from scoring.table.views.pages import (
    Trouble,
    become_new,
    game_page,
    insertion_page,
    new_form,
    standing_row,
    table_page,
    typed_form,
)
from scoring.table.views.seats import say_who_sits


@require_safe
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.LATE_AT_TABLE)
    if not access.may(Role.AT_TABLE):
        return ended_page(request, access, table)
    with snapshot():
        sheet = read_sheet(table)
        # What comes after the evening was closed is asked for, and then by a query.
        asked = access.may_enter(table.evening) and (table.evening.is_open or request.GET)
        form = new_form(sheet, request.GET) if asked else None
        return table_page(request, access, sheet, form)


@require_POST
def games(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Enter a line: 201 new, 200 the same again, 202 too late but kept, 409 with what is in the way, 422 with sentences by
    field. A page that is too late says so; what a script sends may have waited on a phone, and is kept."""
    table, access = get_table(request, slug, pk, Role.LATE_ENTRY if is_json(request) else Role.ENTRY)
    require_typist(request)

    def save(envelope: Envelope) -> Saved | HttpResponse:
        if envelope.key is None:
            raise Refused({"key": Sentence(gettext_noop("Bitte einen Schlüssel (UUID) für das neue Spiel mitgeben."))})
        line: dict[str, Any] = {
            "table": table,
            "actor": access.actor,
            "key": envelope.key,
            "after": envelope.after,
            "line_up": envelope.line_up,
            "typed": envelope.typed,
        }
        if not is_json(request) and (page := _ask(request, access, table, envelope)):
            return page
        if access.may(Role.ENTRY):
            try:
                return add_game(**line, people=envelope.people)
            except EveningIsClosed:
                if not is_json(request):
                    raise
        kept = keep_late(**line, people=envelope.people)
        return kept if isinstance(kept, Saved) else JsonResponse(late_data(kept), status=202)

    return _answer(request, access, table, None, save)


@require_http_methods(["GET", "HEAD", "POST"])
def game(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """One line: how its points came about, and correcting it. A correction is shown before it is done."""
    role = _role_of_change(request) if request.method == "POST" else Role.AT_TABLE
    found, access = get_game(request, slug, pk, key, role)
    table = found.round.table
    if request.method != "POST":
        with snapshot():
            return game_page(request, access, read_sheet(table), key)
    require_typist(request)

    def save(envelope: Envelope) -> Saved | HttpResponse:
        _require_entry(access)
        if not envelope.confirmed:
            return _preview(request, access, table, key, envelope)
        return correct_game(
            table=table,
            actor=access.actor,
            key=key,
            version=envelope.version,
            typed=envelope.typed,
        )

    return _answer(request, access, table, found, save)


@require_http_methods(["GET", "HEAD", "POST"])
def game_delete(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """Strike a line out, after its effects were shown."""
    role = _role_of_change(request) if request.method == "POST" else Role.ENTRY
    found, access = get_game(request, slug, pk, key, role)
    table = found.round.table
    if request.method == "POST" and is_json(request):
        return _delete_by_script(request, access, table, key)
    try:
        if request.method != "POST":
            with snapshot():
                sheet = read_sheet(table)
                effects = preview_deletion(records=sheet.records, key=standing_row(sheet, key).game.key)
                return game_page(request, access, sheet, key, effects=effects, deleting=True)
        version = parse_whole(request.POST.get("version")) or 0
        if delete_game(table=table, actor=access.actor, key=key, version=version).change is None:
            raise GameIsDeleted
    except ActionRefused as refused:
        messages.warning(request, str(refused))
        stays = isinstance(refused, (StaleVersion, WorthTooMuch))
        return redirect("game", slug, pk, key) if stays else redirect("table", slug, pk)
    messages.success(request, _("Gestrichen. Im Verlauf steht es weiterhin."))
    return redirect("table", slug, pk)


def _role_of_change(request: HttpRequest) -> Role:
    """What a script sends may have waited on a phone until its link was over, and is answered then as well."""
    return Role.LATE_ENTRY if is_json(request) else Role.ENTRY


def _require_entry(access: Access) -> None:
    if not access.may(Role.ENTRY):
        raise LinkIsOver


def _delete_by_script(request: HttpRequest, access: Access, table: Table, key: UUID) -> JsonResponse:
    """The same as JSON: what it changes, or that it is done; 200 as well where it was struck out before."""
    require_typist(request)
    try:
        _require_entry(access)
        version, confirmed = read_version(request.body)
        if not confirmed:
            with snapshot():
                effects = preview_deletion(records=read_records(table), key=key)
                return JsonResponse({"effects": [effect_data(effect) for effect in effects]})
        saved = delete_game(table=table, actor=access.actor, key=key, version=version)
    except (Refused, ActionRefused) as refused:
        with snapshot():
            return JsonResponse(refusal_data(read_sheet(table), refused), status=status_of(refused))
    return JsonResponse(saved_data(saved))


@require_POST
def game_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the last change of the table back, named by its number so that nobody else's is hit."""
    table, access = get_table(request, slug, pk, Role.ENTRY)
    taken_back: dict[str, Any] = {
        "table": table,
        "actor": access.actor,
        "change_id": parse_whole(request.POST.get("change")) or 0,
    }
    with warn_of_refusal(request):
        last = get_last_change(table)
        if last and access.may_score and is_line_up_undoable(last):
            say_who_sits(request, undo_line_up(**taken_back))
        else:
            saved = undo(**taken_back)
            messages.success(request, " ".join([_("Zurückgenommen."), *later_lines(saved)]))
    return redirect("table", slug, pk)


def _answer(
    request: HttpRequest,
    access: Access,
    table: Table,
    standing: Game | None,
    save: Callable[[Envelope], Saved | HttpResponse],
) -> HttpResponse:
    """Read an entry (for `standing`, else a new line), save it, and answer in the manner it was sent."""
    form = None
    try:
        if is_json(request):
            envelope = read_json(request.body)
        else:
            form = typed_form(read_records(table), request.POST, standing)
            envelope = form.envelope()
        saved = save(envelope)
    except (Refused, ActionRefused) as refused:
        return _refusal(request, access, table, form, standing, refused)
    if isinstance(saved, HttpResponse):
        return saved
    if wants_json(request):
        status = 201 if standing is None and saved.change else 200
        return JsonResponse(saved_data(saved, is_new=standing is None), status=status)
    if saved.change is None:
        messages.info(request, _("Dieses Spiel war schon gespeichert."))
    elif standing is not None:
        messages.success(request, _("Berichtigt."))
    else:
        label = get_line_name(build_sheet(saved.records), saved.game)
        messages.success(request, _("Gespeichert: {label}.").format(label=label))
    for remark in saved_data(saved, is_new=standing is None)["remarks"]:
        messages.info(request, remark)
    return redirect("table", access.club.slug, table.pk)


def _ask(request: HttpRequest, access: Access, table: Table, envelope: Envelope) -> HttpResponse | None:
    """The page once more with all that was typed, where something is odd about it; the second time it is meant so."""
    if request.POST.get("odd"):
        return None
    with snapshot():
        records = read_records(table)
        odd = odd_lines(envelope.typed, table.rule_set.rules.at(len(records.current)), propose_next(records).owing)
        if not odd:
            return None
        form = typed_form(records, request.POST, None)
        return table_page(request, access, build_sheet(records), form, Trouble(odd=odd))


def _preview(request: HttpRequest, access: Access, table: Table, key: UUID, envelope: Envelope) -> HttpResponse:
    """What a correction would change, with all that was typed and the button that does it."""
    with snapshot():
        records = read_records(table)
        standing = records.find(key)
        if standing is not None and standing.version != envelope.version:
            raise StaleVersion(standing)
        effects = preview_correction(records=records, key=key, typed=envelope.typed)
        if wants_json(request):
            return JsonResponse({"effects": [effect_data(effect) for effect in effects]})
        form = typed_form(records, request.POST, records.find(key))
        return game_page(request, access, build_sheet(records), key, form=form, effects=effects)


def _refusal(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: LineForm | None,
    standing: Game | None,
    refused: Refused | ActionRefused,
) -> HttpResponse:
    """Say what is wrong where it is wrong, and keep what was typed."""
    with snapshot():
        sheet = read_sheet(table)
        if form is None or wants_json(request):
            return JsonResponse(refusal_data(sheet, refused), status=status_of(refused))
        trouble = Trouble.of(refused, sheet)
        if standing and sheet.find_row(standing.key):
            return game_page(request, access, sheet, standing.key, form=form, trouble=trouble)
        if standing:
            become_new(form)
        return table_page(request, access, sheet, form, trouble)


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
