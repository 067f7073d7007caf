"""Choose who takes part in a settlement."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.cash.forms import PeopleField
from scoring.cash.texts import format_balance
from scoring.club.models import Player

from .queries import Amounts


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
