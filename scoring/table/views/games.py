"""Add, open, correct, delete, insert, move and undo lines. Most views answer a browser with pages and a script with JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.text import parse_whole
from scoring.play.models import Game, Table
from scoring.play.queries import Records, build_sheet, get_last_change, propose_next, read_records, read_sheet
from scoring.play.replay import Effect, EveningIsClosed
from scoring.play.texts import describe_refusal, get_line_name
from scoring.rules.validation import Refused, Sentence
from scoring.table.access import LinkIsOver, get_game, get_table, require_typist
from scoring.table.actions import games as actions
from scoring.table.actions.late import keep_late_entry
from scoring.table.actions.seats import is_line_up_undoable, undo_line_up
from scoring.table.forms.games import LineForm, parse_entry, parse_version
from scoring.table.texts import describe_late_game, describe_later_evenings, describe_oddities, describe_preview
from scoring.table.views import pages
from scoring.table.views.data import answer_refusal, build_effect, build_saved, is_json, wants_json
from scoring.table.views.late import render_ended_page
from scoring.table.views.seats import show_line_up


@require_safe
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.LATE_AT_TABLE)
    if not access.may(Role.AT_TABLE):
        return render_ended_page(request, access, table)
    with snapshot():
        sheet = read_sheet(table)
        # On a closed evening the form is shown only for a URL with a query.
        with_form = access.may_enter(table.evening) and (table.evening.is_open or request.GET)
        form = pages.build_new_form(sheet, request.GET) if with_form else None
        return pages.render_table_page(request, access, sheet, form)


@require_POST
def games(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Add a line: 201; 200 if the same request was saved before; 202 if it is kept as a late entry (JSON only:
    a phone may send it late); 409 with the conflicting line; 422 with sentences by field."""
    table, access = get_table(request, slug, pk, Role.LATE_ENTRY if is_json(request) else Role.ENTRY)
    require_typist(request)

    def save(typed: actions.Typed, form: LineForm | None) -> actions.Saved | HttpResponse:
        line: dict[str, Any] = {
            "table": table,
            "actor": access.actor,
            "key": _require_key(typed),
            "after": typed.after,
            "round_id": typed.round_id,
            "typed": typed,
            "people": typed.people,
        }
        if not is_json(request) and not request.POST.get("odd"):
            with snapshot():
                records = read_records(table)
                rules = table.rule_set.rules.at(len(records.current))
                if odd := describe_oddities(typed, rules, propose_next(records).owing):
                    # Show the page again with all that was typed, to be confirmed.
                    return pages.render_table_page(request, access, build_sheet(records), form, odd=odd)
        if access.may(Role.ENTRY):
            try:
                return actions.add_game(**line)
            except EveningIsClosed:
                if not is_json(request):
                    raise
        kept = keep_late_entry(**line)
        if isinstance(kept, actions.Saved):
            return kept
        return JsonResponse({"key": str(kept.key), "late": describe_late_game(kept)}, status=202)

    return _answer(request, access, table, None, save)


@require_http_methods(["GET", "HEAD", "POST"])
def game(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """Show how the points of a line came about, or correct it. A correction is previewed first."""
    role = _get_role_of_change(request) if request.method == "POST" else Role.AT_TABLE
    found, access = get_game(request, slug, pk, key, role)
    table = found.round.table
    if request.method != "POST":
        with snapshot():
            return pages.render_game_page(request, access, read_sheet(table), key)
    require_typist(request)

    def save(typed: actions.Typed, form: LineForm | None) -> actions.Saved | HttpResponse:
        _require_entry(access)
        if typed.confirmed:
            return actions.correct_game(table=table, actor=access.actor, key=key, version=typed.version, typed=typed)
        with snapshot():
            records = read_records(table)
            _refuse_stale(records, key, typed.version)
            effects = actions.preview_correction(records=records, key=key, typed=typed)
            if wants_json(request):
                return _answer_effects(effects)
            return pages.render_game_page(request, access, build_sheet(records), key, form=form, effects=effects)

    return _answer(request, access, table, found, save)


@require_http_methods(["GET", "HEAD", "POST"])
def game_delete(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    role = _get_role_of_change(request) if request.method == "POST" else Role.ENTRY
    found, access = get_game(request, slug, pk, key, role)
    table = found.round.table
    try:
        if request.method != "POST":
            with snapshot():
                sheet = read_sheet(table)
                effects = actions.preview_deletion(records=sheet.records, key=pages.get_standing_row(sheet, key).game.key)
                return pages.render_game_page(request, access, sheet, key, effects=effects, deleting=True)
        require_typist(request)
        _require_entry(access)
        version, confirmed = _parse_change(request)
        if not confirmed:
            with snapshot():
                return _answer_effects(actions.preview_deletion(records=read_records(table), key=key))
        saved = actions.delete_game(table=table, actor=access.actor, key=key, version=version)
        if saved.change is None and not wants_json(request):
            raise ActionRefused(actions.GAME_IS_DELETED)
    except (Refused, ActionRefused) as refused:
        return _refuse_change(request, table, key, refused, describe_refusal(refused))
    return _answer_change(request, table, saved, _("Gestrichen. Im Verlauf steht es weiterhin."))


def _get_role_of_change(request: HttpRequest) -> Role:
    """Return the role that a change needs. A script with an ended link gets in, to be refused with LinkIsOver."""
    return Role.LATE_ENTRY if is_json(request) else Role.ENTRY


def _require_entry(access: Access) -> None:
    if not access.may(Role.ENTRY):
        raise LinkIsOver


def _require_key(typed: actions.Typed) -> UUID:
    if typed.key is None:
        raise Refused({"key": Sentence(gettext_noop("Bitte einen Schlüssel (UUID) für das neue Spiel mitgeben."))})
    return typed.key


def _parse_change(request: HttpRequest) -> tuple[int, bool]:
    """Return the version that a move or a deletion saw, and whether it is confirmed: a script asks for the effects first. Raise
    Refused."""
    return parse_version(request.body) if is_json(request) else (parse_whole(request.POST.get("version")) or 0, True)


def _refuse_change(
    request: HttpRequest, table: Table, key: UUID, refused: Refused | ActionRefused, sentence: str
) -> HttpResponse:
    """Answer a move or a deletion that was refused, for a browser on the page of the line if it is still there."""
    if request.method == "POST" and wants_json(request):
        return answer_refusal(table, refused)
    messages.warning(request, sentence)
    stays = isinstance(refused, (Refused, actions.NowhereToMove, actions.PeopleMissing, actions.StaleVersion))
    slug = table.evening.club.slug
    return redirect("game", slug, table.pk, key) if stays else redirect("table", slug, table.pk)


def _answer_change(request: HttpRequest, table: Table, saved: actions.Saved, done: str) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(build_saved(saved))
    messages.success(request, done)
    return redirect("table", table.evening.club.slug, table.pk)


def _refuse_stale(records: Records, key: UUID, version: int) -> None:
    standing = records.find(key)
    if standing is not None and standing.version != version:
        raise actions.StaleVersion(standing)


def _answer_effects(effects: Sequence[Effect]) -> JsonResponse:
    return JsonResponse({"effects": [build_effect(effect) for effect in effects]})


@require_POST
def game_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Undo the last change of the table. The client names it, so that no other change is undone by mistake."""
    table, access = get_table(request, slug, pk, Role.ENTRY)
    change_id = parse_whole(request.POST.get("change")) or 0
    with warn_of_refusal(request):
        last = get_last_change(table)
        if last and access.may_score and is_line_up_undoable(last):
            show_line_up(request, undo_line_up(table=table, actor=access.actor, change_id=change_id))
        else:
            saved = actions.undo(table=table, actor=access.actor, change_id=change_id)
            messages.success(request, " ".join([_("Zurückgenommen."), *describe_later_evenings(saved)]))
    return redirect("table", slug, pk)


def _answer(
    request: HttpRequest,
    access: Access,
    table: Table,
    standing: Game | None,
    save: Callable[[actions.Typed, LineForm | None], actions.Saved | HttpResponse],
    behind: bool | None = None,
) -> HttpResponse:
    """Parse a line, save it, and answer as a page or as JSON. The line is new, or a correction of `standing`; `behind`
    not None: a line beside it."""
    form = None
    try:
        if is_json(request):
            typed = parse_entry(request.body)
        else:
            form = pages.build_typed_form(read_records(table), request.POST, standing)
            typed = form.parse()
        saved = save(typed, form)
    except (Refused, ActionRefused) as refused:
        return _render_refusal(request, access, table, form, standing, refused, behind)
    if isinstance(saved, HttpResponse):
        return saved
    answer = build_saved(saved, is_new=standing is None)
    if wants_json(request):
        created = saved.change and (standing is None or behind is not None)
        return JsonResponse(answer, status=201 if created else 200)
    if behind is not None:
        messages.success(request, _("Eingefügt."))
    elif saved.change is None:
        messages.info(request, _("Dieses Spiel war schon gespeichert."))
    elif standing is not None:
        messages.success(request, _("Berichtigt."))
    else:
        label = get_line_name(build_sheet(saved.records), saved.game)
        messages.success(request, _("Gespeichert: {label}.").format(label=label))
    for remark in answer["remarks"]:
        messages.info(request, remark)
    return redirect("table", access.club.slug, table.pk)


def _render_refusal(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: LineForm | None,
    standing: Game | None,
    refused: Refused | ActionRefused,
    behind: bool | None,
) -> HttpResponse:
    if form is None or wants_json(request):
        return answer_refusal(table, refused)
    with snapshot():
        sheet = read_sheet(table)
        if standing and behind is not None:
            return pages.render_insertion_page(request, access, sheet, standing.key, behind, form=form, refused=refused)
        if standing and sheet.find_row(standing.key):
            return pages.render_game_page(request, access, sheet, standing.key, form=form, refused=refused)
        if standing:
            # What was typed for a deleted line can be added as a new one.
            pages.replace_fields(form, key=str(uuid4()))
        return pages.render_table_page(request, access, sheet, form, refused)


@require_http_methods(["GET", "HEAD", "POST"])
def game_insert(request: HttpRequest, slug: str, pk: int, key: UUID, behind: bool) -> HttpResponse:
    found, access = get_game(request, slug, pk, key, Role.SCORER)
    table = found.round.table
    if request.method != "POST":
        with snapshot():
            return pages.render_insertion_page(request, access, read_sheet(table), key, behind)
    require_typist(request)

    def save(typed: actions.Typed, form: LineForm | None) -> actions.Saved | HttpResponse:
        new_key = _require_key(typed)
        if typed.confirmed:
            return actions.insert_game(table=table, actor=access.actor, key=new_key, beside=key, behind=behind, typed=typed)
        with snapshot():
            sheet = read_sheet(table)
            effects = actions.preview_insertion(records=sheet.records, beside=key, behind=behind, typed=typed)
            if wants_json(request):
                return _answer_effects(effects)
            return pages.render_insertion_page(request, access, sheet, key, behind, form=form, effects=effects)

    return _answer(request, access, table, found, save, behind)


@require_http_methods(["GET", "HEAD", "POST"])
def game_move(request: HttpRequest, slug: str, pk: int, key: UUID, up: bool) -> HttpResponse:
    found, access = get_game(request, slug, pk, key, Role.SCORER)
    table = found.round.table
    try:
        if request.method != "POST":
            with snapshot():
                return _render_move_page(request, access, table, key, up)
        version, confirmed = _parse_change(request)
        if not confirmed:
            with snapshot():
                records = read_records(table)
                _refuse_stale(records, key, version)
                return _answer_effects(actions.preview_move(records=records, key=key, up=up))
        saved = actions.move_game(table=table, actor=access.actor, key=key, version=version, up=up)
    except (Refused, ActionRefused) as refused:
        sentence = describe_refusal(refused)
        if isinstance(refused, Refused):
            faults = {"faults": sentence}
            sentence = _("Verschieben geht nicht, an jenem Tisch kann diese Zeile so nicht stehen: %(faults)s") % faults
        return _refuse_change(request, table, key, refused, sentence)
    return _answer_change(request, table, saved, _("Verschoben."))


def _render_move_page(request: HttpRequest, access: Access, table: Table, key: UUID, up: bool) -> HttpResponse:
    sheet = read_sheet(table)
    row = pages.get_standing_row(sheet, key)
    effects = actions.preview_move(records=sheet.records, key=key, up=up)
    next_round, _position = actions.find_next_place(sheet.records, row.game, up)
    context = {
        "access": access,
        "section": "evenings",
        "table": table,
        "row": row,
        "up": up,
        "among": sheet.records.line_ups[next_round.pk] if next_round.pk != row.game.round_id else (),
        "effects": describe_preview(sheet, effects),
    }
    return render(request, "scoring/table/move.html", context)
