"""The forms with which a treasurer books: what happened is chosen first, and then only its own fields are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.layout import Submit
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.actions.typed import TypedBooking
from scoring.cash.models.books import EXPLAINED, Kind
from scoring.cash.queries.books import first_open_day
from scoring.cash.queries.journal import headings_of
from scoring.cash.words.money import ACCOUNTS, balance
from scoring.club.models import Club, Player
from scoring.club.queries import list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.errors import ActionRefused
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ConfirmingForm, build_post_helper

from .amounts import AmountField
from .fields import DayField, KeyedForm, ReasonField, laid_out, unusual_sentence

# What each kind is, in the words of whoever books it.
SAID: Final[Mapping[Kind, Any]] = {
    Kind.PAYMENT: gettext_lazy("Jemand zahlt in die Kasse."),
    Kind.EXPENSE: gettext_lazy("Die Kasse bezahlt etwas."),
    Kind.INCOME: gettext_lazy("Geld kommt herein, das niemand schuldet."),
    Kind.PAYOUT: gettext_lazy("Die Kasse zahlt jemandem aus."),
    Kind.OUTLAY: gettext_lazy("Jemand hat etwas für den Club bezahlt."),
    Kind.FINE: gettext_lazy("Ein Strafgeld, das zu keinem Abend gehört."),
    Kind.JOINING: gettext_lazy("Neue Mitglieder zahlen einmal."),
    Kind.SETTLE: gettext_lazy("Zwei haben direkt miteinander abgerechnet."),
    Kind.HANDOVER: gettext_lazy("Jemand übernimmt, was ein anderer schuldet. Zum Beispiel: Anna zahlt für ihren Gast."),
    Kind.WAIVE: gettext_lazy("Der Club verzichtet auf einen Betrag. Zum Beispiel: Jemand ist weggezogen und zahlt nicht mehr."),
    Kind.TRANSFER: gettext_lazy("Geld wechselt zwischen Bar und Konto. Zum Beispiel: 200 € aus der Kasse zur Bank gebracht."),
    Kind.OPENING: gettext_lazy("Was schon da war oder noch zu zahlen war, als die Kasse hier begann."),
}
_FIELDS: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.PAYMENT: ("person", "cents", "box"),
    Kind.EXPENSE: ("cents", "heading", "box"),
    Kind.INCOME: ("cents", "heading", "box"),
    Kind.PAYOUT: ("person", "cents", "box"),
    Kind.OUTLAY: ("person", "cents", "heading"),
    Kind.FINE: ("person", "cents"),
    Kind.JOINING: ("person", "cents"),
    Kind.SETTLE: ("person", "other", "cents"),
    Kind.HANDOVER: ("person", "other", "cents"),
    Kind.WAIVE: ("person", "cents"),
    Kind.TRANSFER: ("box", "cents"),
    Kind.OPENING: ("heading", "person", "cents"),
}
_PERSON: Final[Mapping[Kind, Any]] = {
    Kind.PAYMENT: gettext_lazy("Wer zahlt?"),
    Kind.PAYOUT: gettext_lazy("Wer bekommt das Geld?"),
    Kind.OUTLAY: gettext_lazy("Wer hat bezahlt?"),
    Kind.SETTLE: gettext_lazy("Wer hat gezahlt?"),
    Kind.HANDOVER: gettext_lazy("Wessen Schuld?"),
    Kind.OPENING: gettext_lazy("Wer? (nur wo jemand etwas schuldet oder ein Guthaben hat)"),
}
_OTHER: Final[Mapping[Kind, Any]] = {
    Kind.SETTLE: gettext_lazy("An wen?"),
    Kind.HANDOVER: gettext_lazy("Wer übernimmt sie?"),
}
# What the program books by itself, and nobody chooses.
_OWN: Final = ("income:surplus", "expense:shortage", "expense:waived", "expense:leaving")


class BookingForm(ConfirmingForm, KeyedForm):
    """One kind of booking."""

    def __init__(
        self, data: QueryDict | None, *, club: Club, kind: Kind, initial: dict[str, Any], owed: Mapping[int, int]
    ) -> None:
        super().__init__(data, initial=initial)
        self.kind, self.club = kind, club
        for name in _FIELDS[kind]:
            self.fields[name] = self._field(name, club, owed)
        self.fields["date"] = DayField(first=first_open_day(club))
        required = kind in EXPLAINED
        label = _("Grund") if required else _("Wofür? (wer mag)")
        self.fields["reason"] = ReasonField(required=required, label=label)
        self.helper = build_post_helper(*laid_out(self), Submit("book", _("Buchen"), css_class="btn-primary w-100"))

    def _field(self, name: str, club: Club, owed: Mapping[int, int]) -> forms.Field:
        match name:
            case "cents":
                return AmountField(label=_("Betrag in Euro"))
            case "person":
                label = str(_PERSON.get(self.kind, _("Wer?")))
                return PersonField(club, owed, label=label, required=self.kind != Kind.OPENING)
            case "other":
                return PersonField(club, owed, label=str(_OTHER[self.kind]))
            case "box":
                return _pills(_("Wie?"), self._boxes())
        return self._headings(club)

    def _boxes(self) -> list[tuple[str, Any]]:
        match self.kind:
            case Kind.PAYMENT | Kind.INCOME:
                return [("cash", _("bar in die Kasse")), ("bank", _("auf das Konto"))]
            case Kind.TRANSFER:
                return [("cash", _("aus der Kasse auf das Konto")), ("bank", _("vom Konto in die Kasse"))]
        return [("cash", _("bar aus der Kasse")), ("bank", _("vom Konto"))]

    def _headings(self, club: Club) -> forms.Field:
        if self.kind == Kind.OPENING:
            choices = [
                ("cash", _("Bar in der Kasse")),
                ("bank", _("Auf dem Konto")),
                ("open", _("Jemand schuldet etwas")),
                ("credit", _("Jemand hat ein Guthaben")),
            ]
            return _pills(_("Was war da?"), choices)
        side = "income" if self.kind == Kind.INCOME else "expense"
        choices = [(code, name) for code, name in account_choices(headings_of(club)) if code.startswith(side)]
        last = f"{side}:other"
        return forms.ChoiceField(label=_("Wofür?"), choices=choices, initial=last)

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        if told.get("person") and told.get("person") == told.get("other"):
            self.add_error("other", _("Bitte zwei verschiedene Personen wählen."))
        if self.kind == Kind.OPENING and told.get("heading") in ("open", "credit") and not told.get("person"):
            self.add_error("person", _("Bitte sagen, wer etwas schuldet oder das Guthaben hat."))
        self.ask_once("cents", told.get("cents"), unusual_sentence(self.club.pk, [told.get("cents")]))
        self.ask_once("date", told.get("date"), build_long_ago_warning(self.club, told.get("date")))
        return told

    @property
    def typed(self) -> TypedBooking:
        told = {name: value for name, value in self.cleaned_data.items() if name != "key" and value is not None}
        return TypedBooking(kind=self.kind, **told)


def account_choices(own: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """The accounts of income and expense that somebody may choose, the club's own before the one for all others."""
    for side in ("income", "expense"):
        known = [code for code in ACCOUNTS if code.startswith(side) and code not in _OWN]
        for code in (*known[:-1], *(code for code in own if code.startswith(side)), known[-1]):
            yield code, str(own.get(code) or ACCOUNTS[code])


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's class takes no argument
    """Somebody of the club, with what they owe or have to their credit."""

    def __init__(self, club: Club, owed: Mapping[int, int], **kwargs: Any) -> None:
        nobody = {"required": _("Bitte jemanden wählen.")}
        select = forms.Select(attrs=NAME_ATTRS)
        super().__init__(list_people(club), empty_label=_("– wählen –"), error_messages=nobody, widget=select, **kwargs)
        self.owed = owed

    def label_from_instance(self, player: Player) -> str:
        cents = self.owed.get(player.pk)
        return f"{player} ({balance(cents)})" if cents else str(player)


def _pills(label: str, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, initial=choices[0][0], widget=forms.RadioSelect)


class ReverseForm(KeyedForm):
    """Why an entry is taken back."""

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.fields["reason"] = ReasonField(label=_("Grund"))
        self.helper = build_post_helper(
            *laid_out(self), StrictButton(_("Stornieren"), type="submit", css_class="btn-outline-danger w-100")
        )


class HeadingForm(forms.Form):
    """Another kind of income or expense that a club wants to tell from the others."""

    side = forms.ChoiceField(
        label=gettext_lazy("Was ist es?"),
        choices=[("income", gettext_lazy("eine Einnahme")), ("expense", gettext_lazy("eine Ausgabe"))],
        initial="expense",
        widget=forms.RadioSelect,
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=40)

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.helper = build_post_helper(*laid_out(self), Submit("add", _("Anlegen"), css_class="btn-primary w-100"))

    def refuse(self, error: ValidationError | ActionRefused) -> None:
        self.add_error("name", error.messages if isinstance(error, ValidationError) else str(error))
