"""How many of each drink everybody had, and the bill, as fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from scoring.cash.models.facts import Attendance
from scoring.cash.models.tariffs import Tariff
from scoring.cash.rules.evening import MOST_DRINKS
from scoring.club.models import Player
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ConfirmingForm, WholeField
from scoring.play.models import Evening

from .amounts import EurosField
from .fields import unusual_sentence


class DrinksForm(ConfirmingForm):
    """A number for everybody who is there and each drink of the tariff; the bill where it is shared."""

    def __init__(self, data: Any, *, evening: Evening, tariff: Tariff, rows: Sequence[Attendance]) -> None:
        super().__init__(data)
        self.club, drinks = evening.club, tariff.rules.drinks
        self.rows, self.codes = [row for row in rows if not row.absence], list(drinks.prices)
        for row in self.rows:
            for code in self.codes:
                self.fields[f"{code}.{row.player_id}"] = _count(f"{row.player}: {code}", row.drinks.get(code))
        self.people = {str(row.player_id): row.player for row in rows}
        self.is_shared = drinks.shared
        if drinks.shared:
            payers = [("", _("die Kasse")), *((pk, str(player)) for pk, player in self.people.items())]
            self.fields["bill"] = EurosField(label=_("Rechnung in Euro"), initial=evening.bill_cents or 0)
            self.fields["paid_by"] = forms.ChoiceField(
                label=_("Bezahlt von"),
                choices=payers,
                initial=evening.bill_paid_by_id or "",
                required=False,
                widget=forms.Select(attrs={"class": "form-select"} | NAME_ATTRS),
            )

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        self.ask_once("bill", told.get("bill"), unusual_sentence(self.club.pk, [told.get("bill")]))
        return told

    @property
    def counts(self) -> list[tuple[Player, list[tuple[str, BoundField]]]]:
        """Everybody with a field for each drink."""
        return [(row.player, [(code, self[f"{code}.{row.player_id}"]) for code in self.codes]) for row in self.rows]

    @property
    def bill_field(self) -> BoundField:
        return self["bill"]

    @property
    def payer_field(self) -> BoundField:
        return self["paid_by"]

    @property
    def drunk(self) -> Mapping[Player, Mapping[str, int]]:
        return {
            row.player: {code: self.cleaned_data[f"{code}.{row.player_id}"] or 0 for code in self.codes}
            for row in self.rows
        }

    @property
    def bill(self) -> int | None:
        return self.cleaned_data.get("bill") or None

    @property
    def paid_by(self) -> Player | None:
        return self.people.get(self.cleaned_data.get("paid_by", ""))


def _count(label: str, initial: int | None) -> WholeField:
    widget = forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"})
    return WholeField(
        label=label, initial=initial, required=False, min_value=0, max_value=MOST_DRINKS, widget=widget
    )
