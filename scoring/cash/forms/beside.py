"""The forms beside the books: a payment that somebody reports, why it is refused, a count of the box, the month in which a year
begins."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.layout import Submit
from django import forms
from django.http import QueryDict
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _

from scoring.cash.errors import BoxChanged
from scoring.cash.models.beside import Box
from scoring.cash.queries.books import first_open_day
from scoring.club.models import Club, Player
from scoring.club.queries import list_active_players
from scoring.club.texts import build_long_ago_warning
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ConfirmingForm, build_post_helper

from .amounts import AmountField
from .fields import DayField, KeyedForm, ReasonField, laid_out, unusual_sentence


class ReportForm(ConfirmingForm, KeyedForm):
    """„Ich habe gezahlt“: how much, how, when."""

    def __init__(self, data: QueryDict | None, *, club: Club, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.club = club
        self.fields["cents"] = AmountField(label=_("Betrag in Euro"))
        self.fields["box"] = forms.ChoiceField(
            label=_("Wie?"), choices=Box.choices, initial=Box.CASH, widget=forms.RadioSelect
        )
        self.fields["date"] = DayField(first=first_open_day(club))
        self.fields["note"] = ReasonField(required=False, label=_("Notiz (wer mag)"))
        self.helper = build_post_helper(*laid_out(self), Submit("report", _("Melden"), css_class="btn-primary w-100"))

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        self.ask_once("cents", told.get("cents"), unusual_sentence(self.club.pk, [told.get("cents")]))
        self.ask_once("date", told.get("date"), build_long_ago_warning(self.club, told.get("date")))
        return told


class RefuseForm(forms.Form):
    """Why a payment is refused that somebody reported."""

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.fields["reason"] = ReasonField(label=_("Warum nicht?"))
        self.helper = build_post_helper(
            "reason", StrictButton(_("Ablehnen"), type="submit", css_class="btn-outline-danger w-100")
        )


class CountForm(ConfirmingForm, KeyedForm):
    """What was counted, by whom and before whom. `booked` is what the page said: whoever counts compares with that."""

    def __init__(self, data: QueryDict | None, *, club: Club, booked: int, counter: Player | None) -> None:
        super().__init__(data, initial={"booked": booked, "counter": counter})
        self.club = club
        people = list_active_players(club)
        self.fields["booked"] = forms.IntegerField(widget=forms.HiddenInput, required=False)
        self.fields["cents"] = AmountField(label=_("Gezählt, in Euro"), least=0)
        for name, label in (("counter", _("Wer hat gezählt?")), ("witness", _("Wer war Zeuge?"))):
            self.fields[name] = forms.ModelChoiceField(
                people,
                label=label,
                empty_label=_("– wählen –"),
                widget=forms.Select(attrs=NAME_ATTRS),
                error_messages={"required": _("Bitte jemanden wählen.")},
            )
        self.fields["reason"] = ReasonField(required=False, label=_("Grund, wenn es nicht stimmt"))
        self.helper = build_post_helper(*self.fields, Submit("count", _("Zählung festhalten"), css_class="btn-primary w-100"))

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        if told.get("booked") is None:
            self.errors.pop("booked", None)
            self.add_error(None, str(BoxChanged()))
        if told.get("cents") != told.get("booked"):
            self.ask_once("cents", told.get("cents"), unusual_sentence(self.club.pk, [told.get("cents")]))
        return told


class YearForm(forms.Form):
    """In which month a year of the Kasse begins."""

    def __init__(self, data: QueryDict | None, *, first_month: int) -> None:
        super().__init__(data, initial={"first_month": first_month})
        self.fields["first_month"] = forms.TypedChoiceField(
            coerce=int, choices=list(MONTHS.items()), label=_("Ein Kassenjahr beginnt im")
        )
        self.helper = build_post_helper(
            "first_month", StrictButton(_("Speichern"), type="submit", css_class="btn-outline-secondary w-100")
        )
