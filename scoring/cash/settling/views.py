"""Direct settlements: who would pay whom among the chosen people, the settlements that were made, and their paid lines."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.cash.access import get_settlement, get_settlement_line, may_tick
from scoring.cash.forms import PeopleField
from scoring.cash.models import Box, Settlement, SettlementLine
from scoring.cash.texts import format_balance
from scoring.club.access import Access, Role, get_club
from scoring.club.models import Player
from scoring.core.database import snapshot
from scoring.core.errors import handle_refusal, warn_of_refusal
from scoring.core.text import parse_whole
from scoring.play.models import Evening

from .actions import make_settlement, tick_line
from .queries import Amounts, compute_transfers, get_amounts, hash_transfers, is_open, list_settlements


class ChosenForm(forms.Form):
    def __init__(self, data: Any, *, amounts: Amounts) -> None:
        super().__init__(data)
        self.amounts = amounts
        self.fields["players"] = PeopleField(
            {player: format_balance(cents) for player, cents in amounts.items()},
            label=_("Wer macht mit?"),
            initial=[str(player.pk) for player in amounts],
            error_messages={"required": _("Bitte ankreuzen, wer mitmacht.")},
        )

    @property
    def players(self) -> list[Player]:
        selected = self.cleaned_data.get("players", []) if self.is_bound else self.amounts
        return [player for player in self.amounts if player in selected]


class SettleForm(ChosenForm):
    """The choice as it is sent to be stored. `seen` is the hash of the shown transfers, so that only these are stored."""

    key = forms.UUIDField()
    seen = forms.CharField(max_length=64)


@require_http_methods(["GET", "HEAD", "POST"])
def settle(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who would pay whom among the chosen people, for an evening or for whole balances; store it as it was seen."""
    access = get_club(request, slug, Role.TREASURER)
    evening_pk = parse_whole((request.POST if request.method == "POST" else request.GET).get("evening"))
    evening = get_object_or_404(Evening, club=access.club, pk=evening_pk) if evening_pk else None
    with snapshot():
        amounts = get_amounts(access.club, evening)
    form: ChosenForm
    if request.method == "POST":
        form = SettleForm(request.POST, amounts=amounts)
    else:
        form = ChosenForm(request.GET if "players" in request.GET else None, amounts=amounts)
    context: dict[str, Any] = {"access": access, "section": "cash", "evening": evening, "form": form}
    refusal = handle_refusal(lambda refused: context.update(refused=refused))
    if form.is_valid() and request.method == "POST":
        values = {name: form.cleaned_data[name] for name in ("key", "seen")} | {"evening": evening, "players": form.players}
        with refusal:
            made = make_settlement(club=access.club, actor=access.actor, **values)
            return redirect("cash_settlement", slug, made.key)
    lines = compute_transfers({player: amounts[player] for player in form.players})
    context |= {
        "key": uuid4(),
        "lines": lines,
        "selected": form.players,
        "seen": hash_transfers(lines),
    }
    status = refusal.status or (422 if form.errors else 200)
    return render(request, "scoring/cash/settle.html", context, status=status)


@require_safe
def settlement(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Show who pays whom and what was paid, with the text for the group chat."""
    stored, access = get_settlement(request, slug, key)
    with snapshot():
        lines = list_settlements(access.club)[stored]
    context = {
        "access": access,
        "section": "cash",
        "settlement": stored,
        "lines": [(line, line.state == SettlementLine.State.OPEN and may_tick(line, access)) for line in lines],
        "is_open": is_open(lines),
        "boxes": Box.choices,
        "text": render_chat_text(access, stored, lines),
    }
    return render(request, "scoring/cash/settlement.html", context)


def render_chat_text(access: Access, settlement: Settlement, lines: list[SettlementLine]) -> str:
    values: dict[str, Any] = {"access": access, "settlement": settlement, "lines": lines}
    return render_to_string("scoring/cash/settlement.txt", values).strip() + "\n"


@require_POST
def settlement_tick(request: HttpRequest, slug: str, key: UUID, place: int) -> HttpResponse:
    """Mark a line as paid; a second tap books nothing."""
    stored, access = get_settlement_line(request, slug, key, place)
    box = Box.BANK if request.POST.get("box") == Box.BANK else Box.CASH
    with warn_of_refusal(request):
        booked = tick_line(settlement=stored, actor=access.actor, place=place, box=box)
        messages.success(request, _("Gebucht unter der Nummer %(number)s.") % {"number": booked})
    return redirect("cash_settlement", slug, key)
