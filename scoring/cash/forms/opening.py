"""The form for what stood there when the Kasse begins here: box, bank and everybody, on one page, booked as it was looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.cash.models.books import MOST_CENTS
from scoring.cash.queries.books import KASSE, first_open_day
from scoring.cash.words.money import ACCOUNTS
from scoring.club.models import Club, Player
from scoring.club.queries import list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.formats import mark_as_name

from .amounts import AmountField
from .fields import DayField, KeyedForm, unusual_sentence

OPEN, CREDIT = "open", "credit"


@dataclass(frozen=True)
class OpeningSums:
    """What would be booked, in cents."""

    in_kasse: int
    open: int
    credit: int


class OpeningBalancesForm(KeyedForm):
    """A cleaned form has the `amounts` by account, below 0 where somebody has a credit."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, club: Club) -> None:
        super().__init__(data)
        self.club = club
        self.people: list[Player] = list(list_people(club))
        self.fields["date"] = DayField(first=first_open_day(club))
        for code in KASSE:
            self.fields[code] = AmountField(label=str(ACCOUNTS[code]), least=0, required=False)
        for player in self.people:
            self.fields[f"amount_{player.pk}"] = AmountField(label=mark_as_name(player), least=0, required=False)
            self.fields[f"side_{player.pk}"] = forms.ChoiceField(
                label=_("%(who)s: schuldet etwas oder hat gut?") % {"who": player},
                choices=[(OPEN, _("schuldet")), (CREDIT, _("Guthaben"))],
                initial=OPEN,
                required=False,
                widget=forms.Select(attrs={"class": "form-select mb-3"}),
            )

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        if not self.errors and not self._amounts(told):
            self.add_error(None, _("Bitte mindestens einen Betrag eingeben."))
        elif sum(map(abs, self._amounts(told).values())) > MOST_CENTS:
            self.add_error(None, _("Das ist zusammen zu viel. Bitte die Beträge prüfen."))
        return told

    def _amounts(self, told: dict[str, Any]) -> dict[Player | str, int]:
        found: dict[Player | str, int] = {code: told.get(code) or 0 for code in KASSE}
        for player in self.people:
            cents = told.get(f"amount_{player.pk}") or 0
            found[player] = -cents if told.get(f"side_{player.pk}") == CREDIT else cents
        return {account: cents for account, cents in found.items() if cents}

    @cached_property
    def amounts(self) -> dict[Player | str, int]:
        return self._amounts(self.cleaned_data)

    @property
    def sums(self) -> OpeningSums:
        of_people = [cents for account, cents in self.amounts.items() if account not in KASSE]
        return OpeningSums(
            sum(self.amounts.get(code, 0) for code in KASSE),
            sum(cents for cents in of_people if cents > 0),
            -sum(cents for cents in of_people if cents < 0),
        )

    @property
    def odd(self) -> list[str]:
        """What the preview asks about."""
        day = build_long_ago_warning(self.club, self.cleaned_data["date"])
        return [odd for odd in (day, unusual_sentence(self.club.pk, self.amounts.values())) if odd]

    @property
    def fingerprint(self) -> str:
        """Of everything that was typed, so that nothing else is booked than what was looked at."""
        said = [(str(getattr(account, "pk", account)), cents) for account, cents in self.amounts.items()]
        return hashlib.sha256(repr((self.cleaned_data["date"], said)).encode()).hexdigest()[:16]

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data["seen"] == self.fingerprint)

    @property
    def rows(self) -> Iterator[tuple[BoundField, BoundField]]:
        """The amount of each person, and which it is."""
        for player in self.people:
            yield self[f"amount_{player.pk}"], self[f"side_{player.pk}"]
