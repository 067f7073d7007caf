"""Open Bock games of an earlier evening: the box that carries them on to a new table, ticked if there are any, and the
choice for a running table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.club.models import Club, Player
from scoring.play.models import Evening, Table
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.queries.carry import Offer, offer, offers_to

from .seats import Seated, planned_field


class CarryingForm(Seated):
    """What a form needs that seats people at a new table. What is on offer follows from who is seated and by which rules;
    where that is not what the page showed, the page is shown once more."""

    offered: Offer | None = None

    def add_table(self, club: Club) -> None:
        """By which rules, how long, and who sits where."""
        self.fields["rule_set"] = forms.ModelChoiceField(
            list_current_rule_sets(club), label=_("Regelwerk"), empty_label=None
        )
        self.fields["planned_games"] = planned_field()
        # How many games the rules propose: as long as this is what stands there, it follows who is seated.
        self.fields["proposed"] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.add_seats(club)

    def add_offer(self, players: Sequence[Player] = ()) -> None:
        """The box, and which table it is about; `players` are those the form proposes."""
        self.fields["offered"] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        self.fields["carry"] = forms.BooleanField(required=False)
        if self.is_bound:
            return
        given = dict(self.initial)
        self._find(given.get("rule_set"), players, self._evening(given))
        if self.offered:
            self.initial = given | {"offered": self.offered.table.pk, "carry": True}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        has_errors = bool(self.errors)
        if not has_errors:
            self._find(cleaned["rule_set"], self.players, self._evening(cleaned))
        found = self.offered and self.offered.table.pk
        shown, wanted = cleaned.get("offered"), cleaned.get("carry")
        if found != shown:
            carry = "on" if found else self.data.get("carry")
            self.data = dict(self.data.items()) | {"offered": found or "", "carry": carry}
            if not has_errors and (found or wanted):
                self.add_error(
                    None,
                    _("So wie die Leute jetzt sitzen, gibt es übrige Böcke. Bitte ansehen und noch einmal bestätigen.")
                    if found
                    else _(
                        "So wie die Leute jetzt sitzen, gehen keine übrigen Böcke weiter. Bitte noch einmal bestätigen."
                    ),
                )
        return cleaned

    def _evening(self, given: dict[str, Any]) -> Evening:
        raise NotImplementedError

    def _find(self, rule_set: RuleSet | None, players: Sequence[Player], evening: Evening) -> None:
        # Whoever is new was at no earlier table.
        if rule_set is None or not players or not all(player.pk for player in players):
            return
        self.offered = offer(rule_set, players, evening)
        if self.offered:
            self["carry"].label = offer_words(self.offered)

    @property
    def carries_on(self) -> Table | None:
        """The table whose open Bock games go on; the form is valid."""
        return self.offered.table if self.offered and self.cleaned_data["carry"] else None


def offer_words(offer: Offer) -> str:
    """Whose Bock games these are, and how many."""
    return ngettext(
        "Böcke vom %(day)s gehen weiter: noch %(n)s",
        "Böcke vom %(day)s gehen weiter: noch %(n)s",
        offer.games,
    ) % {"day": date_format(offer.table.evening.held_on, "SHORT_DATE_FORMAT"), "n": offer.games}


class CarryForm(forms.Form):
    """Which table to carry on from, or none."""

    def __init__(self, data: Mapping[str, str] | None, table: Table) -> None:
        super().__init__(data)
        self.offers = {str(offer.table.pk): offer for offer in offers_to(table)}
        self.fields["earlier"] = forms.ChoiceField(
            choices=[("", _("– keine –")), *((pk, _named(offer)) for pk, offer in self.offers.items())],
            initial=table.carries_on_id or "",
            label=_("Übrige Böcke von"),
            required=False,
            widget=forms.Select(attrs={"class": "form-select"}),
        )

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
