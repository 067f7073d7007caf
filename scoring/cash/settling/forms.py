"""Choose who takes part in a settlement."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.cash.texts import format_balance
from scoring.club.models import Player
from scoring.core.formats import mark_as_name

from .queries import Amounts


class ChosenForm(forms.Form):
    def __init__(self, data: Any, *, amounts: Amounts) -> None:
        super().__init__(data)
        self.by_id = {str(player.pk): player for player in amounts}
        self.fields["players"] = forms.MultipleChoiceField(
            label=_("Wer macht mit?"),
            choices=[
                (str(player.pk), format_html("{}: {}", mark_as_name(player), format_balance(cents)))
                for player, cents in amounts.items()
            ],
            initial=list(self.by_id),
            error_messages={"required": _("Bitte ankreuzen, wer mitmacht.")},
            widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
        )

    @property
    def players(self) -> list[Player]:
        selected = self.cleaned_data.get("players", []) if self.is_bound else list(self.by_id)
        return [player for pk, player in self.by_id.items() if pk in selected]


class SettleForm(ChosenForm):
    """The choice as it is sent to be stored. `seen` is the hash of the shown transfers, so that only these are stored."""

    key = forms.UUIDField()
    seen = forms.CharField(max_length=64)
