"""Late entries: members enter them, after a preview if lines stand behind their place, or discard them. A person whose link has
ended sees only what they sent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from scoring.cash.evening.queries import list_late_fines
from scoring.cash.evening.texts import describe_entered_fine
from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import translate_sentence
from scoring.play.models import Table
from scoring.play.queries import Records, build_sheet, get_content, read_records
from scoring.play.replay import refuse_closed
from scoring.play.texts import describe_line, describe_refusal, get_line_name
from scoring.rules.validation import Refused
from scoring.table.access import get_table
from scoring.table.actions.late import (
    discard_late_entries,
    discard_late_entry,
    enter_late_entry,
    list_waiting_entries,
    preview_late_entry,
)
from scoring.table.forms.games import parse_key
from scoring.table.texts import describe_preview
from scoring.table.views.data import build_saved


@require_POST
def late_enter(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    try:
        if not request.POST.get("confirm") and (page := _render_effects(request, access, table, key)):
            return page
        saved = enter_late_entry(table=table, actor=access.actor, key=key)
    except (Refused, ActionRefused) as refused:
        messages.warning(request, describe_refusal(refused))
    else:
        label = get_line_name(build_sheet(saved.records), saved.game)
        messages.success(request, _("Gespeichert: {label}.").format(label=label))
        for remark in build_saved(saved)["remarks"]:
            messages.info(request, remark)
    return redirect("table", slug, pk)


def _render_effects(request: HttpRequest, access: Access, table: Table, key: UUID) -> HttpResponse | None:
    """Render the preview of entering a late entry; None if no line stands behind its place."""
    with snapshot():
        records = read_records(table)
        refuse_closed(records, access.actor)
        entry = next((one for one in list_waiting_entries(records) if one.key == key), None)
        if entry is None or entry.is_last or entry.refused:
            return None
        effects = preview_late_entry(records=records, key=key)
        context = {
            "access": access,
            "section": "evenings",
            "table": table,
            "effects": describe_preview(build_sheet(records), effects),
        }
    return render(request, "scoring/table/late_enter.html", context)


@require_POST
def late_discard(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    with warn_of_refusal(request):
        discard_late_entry(table=table, actor=access.actor, key=key)
        messages.success(request, _("Verworfen. Im Verlauf steht es weiterhin."))
    return redirect("table", slug, pk)


@require_POST
def late_discard_all(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Discard all late entries that the page showed and that still wait."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    keys = [key for key in map(parse_key, request.POST.getlist("key")) if key]
    with warn_of_refusal(request):
        discarded = discard_late_entries(table=table, actor=access.actor, keys=keys)
        sentence = ngettext(
            "%(lines)s Spiel verworfen. Im Verlauf steht es weiterhin.",
            "%(lines)s Spiele verworfen. Im Verlauf stehen sie weiterhin.",
            discarded,
        )
        messages.success(request, sentence % {"lines": discarded})
    return redirect("table", slug, pk)


def list_late_lines(records: Records) -> list[dict[str, Any]]:
    lines = []
    for entry in list_waiting_entries(records):
        players, refused = records.line_ups[entry.round_id], entry.refused
        names, rules = [player.name for player in players], records.table.rule_set.rules.at(len(players))
        lines.append(
            {
                "entry": entry,
                "words": describe_line(get_content(entry), names.__getitem__, rules).items(),
                "points": [(player, entry.points[player.pk]) for player in players if player.pk in entry.points],
                "refused": [translate_sentence(found) for found in refused.fields.values()] if refused else [],
                "last": entry.is_last,
            }
        )
    return lines


def render_ended_page(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    """Render the page of a link that has ended: the reason, and what this person sent since."""
    own = []
    if table.waiting_late:
        with snapshot():
            lines = list_late_lines(read_records(table))
        own = [line for line in lines if line["entry"].spoken_as_id == access.spoken_as]
    tariff = table.evening.tariff
    sent = list_late_fines(table.evening, access.spoken_as) if tariff else []
    fines = [describe_entered_fine(fine, tariff.content if tariff else {}) for fine in sent]
    context = {"access": access, "table": table, "late": own, "fines": fines}
    return render(request, "scoring/table/ended.html", context, status=410)
