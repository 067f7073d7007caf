"""Deciding about what came too late: taking it in, shown with its effects first where other lines stand behind its place,
or discarding it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import translate_sentence
from scoring.play.actions import refuse_closed
from scoring.play.models import Table
from scoring.play.queries import build_sheet, read_records
from scoring.play.texts import get_line_name
from scoring.rules.validation import Refused
from scoring.table.access import get_table
from scoring.table.actions.late import discard_all_late, discard_late, look_through, preview_late, take_in
from scoring.table.forms.games import read_key

from .data import saved_data
from .previews import preview_lines


@require_POST
def late_enter(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """Put a late entry on the sheet: at its end at once, between other lines after its effects were shown."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    try:
        if not request.POST.get("confirm") and (page := _effects(request, access, table, key)):
            return page
        saved = take_in(table=table, actor=access.actor, key=key)
    except Refused as refused:
        messages.warning(request, " ".join(translate_sentence(found) for found in refused.fields.values()))
    except ActionRefused as refused:
        messages.warning(request, str(refused))
    else:
        label = get_line_name(build_sheet(saved.records), saved.game)
        messages.success(request, _("Gespeichert: {label}.").format(label=label))
        for remark in saved_data(saved)["remarks"]:
            messages.info(request, remark)
    return redirect("table", slug, pk)


def _effects(request: HttpRequest, access: Access, table: Table, key: UUID) -> HttpResponse | None:
    """What taking it in would change, where anything stands behind its place."""
    with snapshot():
        records = read_records(table)
        refuse_closed(records, access.actor)
        waiting = next((one for one in look_through(records) if one.entry.key == key), None)
        if waiting is None or waiting.last or waiting.refused:
            return None
        effects = preview_late(records=records, key=key)
        context = {
            "access": access,
            "section": "evenings",
            "table": table,
            "effects": preview_lines(build_sheet(records), effects),
        }
    return render(request, "scoring/table/late_enter.html", context)


@require_POST
def late_discard(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    with warn_of_refusal(request):
        discard_late(table=table, actor=access.actor, key=key)
        messages.success(request, _("Verworfen. Im Verlauf steht es weiterhin."))
    return redirect("table", slug, pk)


@require_POST
def late_discard_all(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Discard every late entry that the page showed and that still waits."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    keys = [key for key in map(read_key, request.POST.getlist("key")) if key]
    with warn_of_refusal(request):
        discarded = discard_all_late(table=table, actor=access.actor, keys=keys)
        said = ngettext(
            "%(lines)s Spiel verworfen. Im Verlauf steht es weiterhin.",
            "%(lines)s Spiele verworfen. Im Verlauf stehen sie weiterhin.",
            discarded,
        )
        messages.success(request, said % {"lines": discarded})
    return redirect("table", slug, pk)
