"""The Kasse at the table, from a form or from a phone. The link of a table opens the costs and the fines, nothing else of it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.cash.evening.actions import (
    NOT_CHARGED,
    add_drinks,
    bring_guest,
    discard_fine,
    enter_fine,
    keep_fine,
    strike_fine,
)
from scoring.cash.evening.forms import FineForm
from scoring.cash.evening.queries import Facts, build_lines, read_facts
from scoring.cash.evening.rules import compute_pot
from scoring.cash.evening.texts import build_bills, describe_entered_fine, describe_kasse_share, describe_pot
from scoring.cash.ledger.queries import get_usual_limit
from scoring.cash.models import Fine, Tariff
from scoring.cash.tariff.texts import describe_fine_briefly, get_fine_name
from scoring.cash.texts import format_euros
from scoring.club.access import Access, Role, build_denial
from scoring.club.models import Player
from scoring.club.queries import find_player
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, InvalidInput, show_refusal_in
from scoring.play.models import Evening, Table
from scoring.play.queries import Sheet, read_sheet
from scoring.play.replay import EveningIsClosed
from scoring.rules.validation import Refused, Sentence
from scoring.table.access import LinkIsOver, get_table, require_typist
from scoring.table.forms.cash import parse_note
from scoring.table.texts import describe_late_fine
from scoring.table.views.data import answer_refusal, get_status, is_json, wants_json


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_cash(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Answer with a page, or with JSON: 200 for a fine, also when it is repeated, and 202 if it arrived too late and is kept."""
    late = Role.LATE_ENTRY if is_json(request) else Role.ENTRY
    table, access = get_table(request, slug, pk, late if request.method == "POST" else Role.AT_TABLE)
    if request.method == "POST":
        require_typist(request)
        return _answer_phone(request, access, table) if is_json(request) else _answer_form(request, access, table)
    if table.evening.tariff_id is None or table.evening.dropped:
        return redirect("table", slug, pk)
    with snapshot():
        return JsonResponse(_render_part(request, access, table)) if wants_json(request) else _render_page(request, access, table)


def build_cash_context(access: Access, sheet: Sheet) -> dict[str, Any]:
    """Return the costs up to the last game of this sheet, and the data for entering more. Empty without a tariff."""
    evening = sheet.table.evening
    if evening.tariff is None or evening.dropped:
        return {}
    facts = read_facts(evening, {sheet.table.pk: build_lines(sheet.records)})
    found = build_bills(facts, evening.tariff)
    after = sheet.next.number - 1
    running = {
        "bills": found,
        "kasse_said": describe_kasse_share(found),
        "as_of": _("Stand: nach Spiel %(number)s") % {"number": after} if after else _("Stand: vor dem ersten Spiel"),
        "pot": _build_pot(facts, evening.tariff, sheet.table),
        "late_fines": sum(fine.waits for fine in facts.fines),
        "url": reverse("table_cash", args=[access.club.slug, sheet.table.pk]),
    }
    return {"running": running, "till": _build_till(access, facts, evening.tariff)}


def _build_pot(facts: Facts, tariff: Tariff, table: Table) -> dict[str, Any]:
    """Return the pot of this table; empty without one, or if no games were played for cents."""
    if tariff.rules.pot is None:
        return {}
    place = [one.pk for one in facts.tables].index(table.pk)
    charged = facts.charged.tables[place]
    if charged.in_points or not charged.lines:
        return {}
    cents, topped_up = compute_pot(charged, tariff.rules.pot)
    return {"said": describe_pot(cents, topped_up), "is_due": cents < 0}


def may_fine(access: Access, evening: Evening) -> bool:
    """Return whether this reader may enter a fine here. On a closed evening its own page does that, with the costs first."""
    return evening.is_open and access.may_enter(evening)


def may_note(access: Access) -> bool:
    """Return whether this reader may enter more than fines. The link of a table does not allow it."""
    return access.may_score or access.treasurer


def _build_till(access: Access, facts: Facts, tariff: Tariff) -> dict[str, Any] | None:
    """Return what a phone offers, with fines, drinks and guests entered so far; None if nothing can be entered."""
    fines = {code: form for code, form in tariff.rules.fines.items() if not form.lost_games}
    here = [row for row in facts.rows if not row.absence]
    guests = {row.player_id: row.brought_by_id or 0 for row in here if row.guest}
    prices = tariff.rules.drinks["list"] if may_note(access) else {}
    bringing = may_note(access) and tariff.rules.guests["payer"] == "bringer"
    if not may_fine(access, facts.evening) or not (fines or prices or bringing):
        return None
    return {
        "people": [[row.player_id, row.player.name] for row in here],
        "fines": [
            {
                "code": code,
                "name": get_fine_name(tariff.content, code),
                "price": describe_fine_briefly(form),
                "asks": form.amount[0],
            }
            # A larger amount has to be confirmed.
            | ({"beyond": get_usual_limit(access.club.pk)} if form.amount[0] == "cents" else {})
            for code, form in fines.items()
        ],
        "entered": [
            {"key": str(fine.key), "what": describe_entered_fine(fine, tariff.content)}
            for fine in reversed(facts.fines)
            if not (fine.struck or fine.waits)
        ],
        "drinks": [[code, format_euros(cents)] for code, cents in prices.items()],
        "drunk": {row.player_id: row.drinks for row in here if row.drinks} if prices else {},
        "guests": guests if bringing else {},
    }


def _render_part(request: HttpRequest, access: Access, table: Table) -> dict[str, Any]:
    context = {"access": access, "table": table, **build_cash_context(access, read_sheet(table))}
    return {"cash": render_to_string("scoring/table/_cash.html", context, request)}


def _render_page(request: HttpRequest, access: Access, table: Table, form: FineForm | None = None) -> HttpResponse:
    evening = table.evening
    context = {"access": access, "section": "evenings", "table": table, **build_cash_context(access, read_sheet(table))}
    if evening.tariff and evening.tariff.rules.fines and (form or may_fine(access, evening)):
        context["fine_form"] = form or FineForm(None, tariff=evening.tariff, rows=read_facts(evening).rows)
    return render(request, "scoring/table/cash.html", context, status=422 if form else 200)


_NOT_THERE: Final = Sentence(gettext_noop("Diese Person steht nicht in der Anwesenheit dieses Abends."))
# The field of the entry for the field of a refusal; `by_12` is the field of one person.
_FIELDS: Final = {"player": "who", "code": "code", "amount": "amount", "fine": "key", "drink": "drink", "by": "brought_by"}


def _answer_phone(request: HttpRequest, access: Access, table: Table) -> JsonResponse:
    try:
        sent = parse_note(request.body)
        fine = _save_note(access, table.evening, sent)
    except (Refused, ActionRefused) as refused:
        if isinstance(refused, ActionRefused) and (field := _FIELDS.get(refused.field.partition("_")[0])):
            return JsonResponse({"errors": {field: str(refused)}}, status=get_status(refused))
        return answer_refusal(table, refused)
    key = {"key": str(sent["key"])}
    if fine and fine.waits:
        return JsonResponse(key | {"late": describe_late_fine(table.evening)}, status=202)
    if not access.may(Role.AT_TABLE):
        return JsonResponse(key)
    with snapshot():
        return JsonResponse(key | _render_part(request, access, table))


def _save_note(access: Access, evening: Evening, sent: dict[str, Any]) -> Fine | None:
    """Save an entry; return the fine, if it is one. Raise Refused and what the actions raise."""
    actor, key = access.actor, sent["key"]
    if "struck" in sent:
        _delete_fine(access, evening, key)
        return None
    if "code" not in sent and not may_note(access):
        raise build_denial()
    player = _find_attendee(evening, "who", sent["who"])
    match sent:
        case {"code": code, "amount": amount}:
            fine: dict[str, Any] = {"evening": evening, "actor": actor, "key": key, "player": player, "code": code}
            if access.may(Role.ENTRY):
                with suppress(EveningIsClosed):
                    return enter_fine(**fine, amount=amount)
            # It may have waited on a phone, and is kept for a decision.
            return keep_fine(**fine, amount=amount)
        case {"drink": code, "count": count}:
            add_drinks(evening=evening, actor=actor, key=key, player=player, code=code, count=count)
        case {"brought_by": who}:
            bringer = _find_attendee(evening, "brought_by", who)
            bring_guest(evening=evening, actor=actor, key=key, guest=player, bringer=bringer)
    return None


def _find_attendee(evening: Evening, field: str, who: int | str) -> Player:
    """Return a player on the attendance list, also by the id or name from before a merge. Raise Refused."""
    if isinstance(who, str):
        player = find_player(evening.club, who)
    else:
        player = Player.objects.filter(club=evening.club_id, pk=who).first()
    facts = read_facts(evening)
    row = facts.row_by_player.get(facts.merged.resolve(player.pk)) if player else None
    if row is None:
        raise Refused({field: _NOT_THERE})
    return row.player


def _delete_fine(access: Access, evening: Evening, key: UUID) -> None:
    """Delete a fine, also again, since the answer may have been lost. Raise LinkIsOver and what the actions raise."""
    fine = Fine.objects.filter(evening=evening, key=key).select_related("evening__club").first()
    if fine is None:
        raise InvalidInput(gettext_lazy("Dieses Strafgeld gibt es an diesem Abend nicht."), field="fine")
    if fine.waits:
        discard_fine(fine=fine, actor=access.actor)
    elif not fine.struck and not access.may(Role.ENTRY):
        raise LinkIsOver
    elif not fine.struck:
        strike_fine(fine=fine, actor=access.actor)


def _answer_form(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    evening = table.evening
    if evening.tariff is None:
        messages.warning(request, str(NOT_CHARGED))
        return redirect("table", access.club.slug, table.pk)
    form = FineForm(request.POST, tariff=evening.tariff, rows=read_facts(evening).rows)
    if form.is_valid():
        given = form.cleaned_data
        fine = {name: given[name] for name in ("key", "code", "amount")}
        with show_refusal_in(form):
            if not may_fine(access, evening):
                raise EveningIsClosed
            enter_fine(evening=evening, actor=access.actor, player=form.people[given["player"]], **fine)
            messages.success(request, _("Das Strafgeld ist eingetragen."))
            return redirect("table_cash", access.club.slug, table.pk)
    with snapshot():
        return _render_page(request, access, table, form)
