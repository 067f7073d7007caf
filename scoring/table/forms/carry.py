"""Open Bock games of an earlier evening: the box by which a new table carries them on, ticked where there are any, and the
choice for a table that is running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.club.models.people import Player
from scoring.play.models import Evening, Table
from scoring.rulesets.models import RuleSet
from scoring.table.queries.carry import Offer, offer, offers_to


class Carrying:
    """What a form needs that seats people at a new table. What is on offer follows from who is seated and by which rules;
    where that is not what the page showed, the page is shown once more."""

    offered: Offer | None = None

    def add_offer(self) -> None:
        """The box, and which table it is about; to be called when the layout is there."""
        self.fields["offered"] = forms.IntegerField(required=False, widget=forms.HiddenInput)  # type: ignore[attr-defined]
        self.fields["carry"] = forms.BooleanField(required=False)  # type: ignore[attr-defined]
        if self.is_bound:  # type: ignore[attr-defined]
            return
        given: dict[str, Any] = self.initial  # type: ignore[attr-defined]
        players = [given[name] for name in sorted(given) if name.startswith("seat_")]
        self._find(given.get("rule_set"), players, self._evening(given))
        if self.offered:
            given |= {"offered": self.offered.table.pk, "carry": True}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        has_errors = bool(self.errors)  # type: ignore[attr-defined]
        if not has_errors:
            self._find(cleaned["rule_set"], self.players, self._evening(cleaned))  # type: ignore[attr-defined]
        found = self.offered and self.offered.table.pk
        shown, wanted = cleaned.get("offered"), cleaned.get("carry")
        if found != shown:
            data = self.data.copy()  # type: ignore[has-type]
            data["offered"] = found or ""
            if found:
                data["carry"] = "on"
            self.data = data
            if not has_errors and (found or wanted):
                self.add_error(None, self._news())  # type: ignore[attr-defined]
        return cleaned

    def _news(self) -> str:
        if self.offered:
            return _("So wie die Leute jetzt sitzen, gibt es offene Böcke. Bitte ansehen und noch einmal bestätigen.")
        return _("So wie die Leute jetzt sitzen, gehen keine offenen Böcke weiter. Bitte noch einmal bestätigen.")

    def _evening(self, given: dict[str, Any]) -> Evening:
        raise NotImplementedError

    def _find(self, rule_set: RuleSet | None, players: Sequence[Player], evening: Evening) -> None:
        if rule_set is None or not players:
            return
        self.offered = offer(rule_set, players, evening)
        if self.offered:
            self["carry"].label = offer_words(self.offered)  # type: ignore[index]
            # Right above the button.
            self.helper.layout.insert(-1, "carry")  # type: ignore[attr-defined]

    @property
    def carries_on(self) -> Table | None:
        """The table whose open Bock games go on; the form is valid."""
        return self.offered.table if self.offered and self.cleaned_data["carry"] else None  # type: ignore[attr-defined]


def offer_words(offer: Offer) -> str:
    """Whose Bock games these are, and how many."""
    return ngettext(
        "Offene Böcke vom %(day)s gehen weiter: noch %(n)s",
        "Offene Böcke vom %(day)s gehen weiter: noch %(n)s",
        offer.games,
    ) % {"day": date_format(offer.table.evening.held_on, "SHORT_DATE_FORMAT"), "n": offer.games}


class CarryForm(forms.Form):
    """Which table to carry on from, or none."""

    earlier = forms.ChoiceField(
        label=gettext_lazy("Offene Böcke von"), required=False, widget=forms.Select(attrs={"class": "form-select"})
    )

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, initial={"earlier": table.carries_on_id or ""}, **kwargs)
        self.offers = {str(offer.table.pk): offer for offer in offers_to(table)}
        self.fields["earlier"].choices = [("", _("– keine –")), *((pk, _named(o)) for pk, o in self.offers.items())]

    @property
    def chosen(self) -> Table | None:
        """The form is valid."""
        found = self.offers.get(self.cleaned_data["earlier"])
        return found.table if found else None


def _named(offer: Offer) -> str:
    return _("%(day)s, Tisch %(number)s, %(rules)s: noch %(n)s") % {
        "day": date_format(offer.table.evening.held_on, "SHORT_DATE_FORMAT"),
        "number": offer.table.number,
        "rules": offer.table.rule_set,
        "n": offer.games,
    }
