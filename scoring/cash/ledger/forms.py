"""The forms with which a treasurer books, a member reports a payment, and both filter a register."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.layout import Submit
from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.forms import AmountField, DayField, KeyedForm, ReasonField, build_unusual_warning, list_fields
from scoring.cash.models import EXPLAINED, MAX_LEG_CENTS, Box, Heading, Kind, Leg
from scoring.cash.rules.money import build_member_account, parse_cents
from scoring.cash.texts import ACCOUNT_NAMES, format_balance
from scoring.club.models import Club, Player
from scoring.club.queries import list_active_players, list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.formats import NAME_ATTRS, format_month, mark_as_name
from scoring.core.forms import (
    ConfirmingForm,
    ListFilterForm,
    build_filter_helper,
    build_filter_layout,
    build_post_helper,
)
from scoring.core.names import matches_search
from scoring.core.text import text_key, tidy, validate_plain

from .actions import BOX_CHANGED
from .queries import (
    KASSE,
    BookNames,
    get_first_open_day,
    get_headings,
    get_month_days,
    hash_shown,
    list_family_ids,
    list_months,
)

# The kinds of typed bookings, the most frequent ones first: the sentence for the treasurer, and the fields.
TYPED: Final[Mapping[Kind, tuple[Any, tuple[str, ...]]]] = {
    Kind.PAYMENT: (gettext_lazy("Jemand zahlt in die Kasse."), ("person", "cents", "box")),
    Kind.EXPENSE: (gettext_lazy("Die Kasse bezahlt etwas."), ("cents", "heading", "box")),
    Kind.INCOME: (gettext_lazy("Geld kommt herein, das niemand schuldet."), ("cents", "heading", "box")),
    Kind.PAYOUT: (gettext_lazy("Die Kasse zahlt jemandem aus."), ("person", "cents", "box")),
    Kind.OUTLAY: (gettext_lazy("Jemand hat etwas für den Club bezahlt."), ("person", "cents", "heading")),
    Kind.FINE: (gettext_lazy("Ein Strafgeld, das zu keinem Abend gehört."), ("person", "cents")),
    Kind.JOINING: (gettext_lazy("Neue Mitglieder zahlen einmal."), ("person", "cents")),
    Kind.SETTLE: (gettext_lazy("Zwei haben direkt miteinander abgerechnet."), ("person", "other", "cents")),
    Kind.HANDOVER: (
        gettext_lazy("Jemand übernimmt, was ein anderer schuldet. Zum Beispiel: Anna zahlt für ihren Gast."),
        ("person", "other", "cents"),
    ),
    Kind.WAIVE: (
        gettext_lazy("Der Club verzichtet auf einen Betrag. Zum Beispiel: Jemand ist weggezogen und zahlt nicht mehr."),
        ("person", "cents"),
    ),
    Kind.TRANSFER: (
        gettext_lazy("Geld wechselt zwischen Bar und Konto. Zum Beispiel: 200 € aus der Kasse zur Bank gebracht."),
        ("box", "cents"),
    ),
    Kind.OPENING: (
        gettext_lazy("Was schon da war oder noch zu zahlen war, als die Kasse hier begann."),
        ("heading", "person", "cents"),
    ),
}
_LABELS: Final[Mapping[tuple[Kind, str], Any]] = {
    (Kind.PAYMENT, "person"): gettext_lazy("Wer zahlt?"),
    (Kind.PAYOUT, "person"): gettext_lazy("Wer bekommt das Geld?"),
    (Kind.OUTLAY, "person"): gettext_lazy("Wer hat bezahlt?"),
    (Kind.SETTLE, "person"): gettext_lazy("Wer hat gezahlt?"),
    (Kind.SETTLE, "other"): gettext_lazy("An wen?"),
    (Kind.HANDOVER, "person"): gettext_lazy("Wessen Schuld?"),
    (Kind.HANDOVER, "other"): gettext_lazy("Wer übernimmt sie?"),
    (Kind.OPENING, "person"): gettext_lazy("Wer? (nur wo jemand etwas schuldet oder ein Guthaben hat)"),
}
# Accounts that only the program books on.
_OWN_ACCOUNTS: Final = ("income:surplus", "expense:shortage", "expense:waived", "expense:leaving")


class BookingForm(ConfirmingForm, KeyedForm):
    def __init__(
        self, data: QueryDict | None, *, club: Club, kind: Kind, initial: dict[str, Any], owed: Mapping[int, int]
    ) -> None:
        super().__init__(data, initial=initial)
        self.kind, self.club = kind, club
        for name in TYPED[kind][1]:
            self.fields[name] = self._field(name, club, owed)
        self.fields["date"] = DayField(first=get_first_open_day(club))
        label = _("Grund") if kind in EXPLAINED else _("Wofür? (wer mag)")
        self.fields["reason"] = ReasonField(required=kind in EXPLAINED, label=label)
        self.helper = build_post_helper(*list_fields(self), Submit("book", _("Buchen"), css_class="btn-primary w-100"))

    def _field(self, name: str, club: Club, owed: Mapping[int, int]) -> forms.Field:
        match name:
            case "cents":
                return AmountField(label=_("Betrag in Euro"))
            case "person" | "other":
                label = str(_LABELS.get((self.kind, name), _("Wer?")))
                return PersonField(list_people(club), owed, label=label, required=self.kind != Kind.OPENING)
            case "box":
                return _build_radios(_("Wie?"), self._boxes())
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
            return _build_radios(_("Was war da?"), choices)
        side = "income" if self.kind == Kind.INCOME else "expense"
        choices = [(code, name) for code, name in list_account_choices(get_headings(club)) if code.startswith(side)]
        return forms.ChoiceField(label=_("Wofür?"), choices=choices, initial=f"{side}:other")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("person") and cleaned.get("person") == cleaned.get("other"):
            self.add_error("other", _("Bitte zwei verschiedene Personen wählen."))
        if self.kind == Kind.OPENING and cleaned.get("heading") in ("open", "credit") and not cleaned.get("person"):
            self.add_error("person", _("Bitte sagen, wer etwas schuldet oder das Guthaben hat."))
        self.ask_once("cents", cleaned.get("cents"), build_unusual_warning(self.club.pk, [cleaned.get("cents")]))
        self.ask_once("date", cleaned.get("date"), build_long_ago_warning(self.club, cleaned.get("date")))
        return cleaned


def list_account_choices(own: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """List the accounts of income and expense to choose from; the club's own stand before the account for everything else."""
    for side in ("income", "expense"):
        known = [code for code in ACCOUNT_NAMES if code.startswith(side) and code not in _OWN_ACCOUNTS]
        for code in (*known[:-1], *(code for code in own if code.startswith(side)), known[-1]):
            yield code, str(own.get(code) or ACCOUNT_NAMES[code])


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's class takes no argument
    def __init__(self, people: QuerySet[Player], owed: Mapping[int, int], **kwargs: Any) -> None:
        messages = {"required": _("Bitte jemanden wählen.")}
        select = forms.Select(attrs=NAME_ATTRS)
        super().__init__(people, empty_label=_("– wählen –"), error_messages=messages, widget=select, **kwargs)
        self.owed = owed

    def label_from_instance(self, player: Player) -> str:
        cents = self.owed.get(player.pk)
        return f"{player} ({format_balance(cents)})" if cents else str(player)


def _build_radios(label: str, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, initial=choices[0][0], widget=forms.RadioSelect)


class ReverseForm(KeyedForm):
    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.fields["reason"] = ReasonField(label=_("Grund"))
        button = StrictButton(_("Stornieren"), type="submit", css_class="btn-outline-danger w-100")
        self.helper = build_post_helper(*list_fields(self), button)


class HeadingForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for mypy alone
    field_order = ("side", "name")
    side = forms.ChoiceField(
        label=gettext_lazy("Was ist es?"),
        choices=[("income", gettext_lazy("eine Einnahme")), ("expense", gettext_lazy("eine Ausgabe"))],
        initial="expense",
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Heading
        fields = ("name",)

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.helper = build_post_helper(*list_fields(self), Submit("add", _("Anlegen"), css_class="btn-primary w-100"))

    def clean_name(self) -> str:
        """Return the name in the form in which it is stored. It can be longer: the model checks it again."""
        return tidy(self.cleaned_data["name"])


class OpeningBalancesForm(KeyedForm):
    """The opening balance of the boxes and of every person. A valid form has `amounts` by account, below 0 for a credit."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, club: Club) -> None:
        super().__init__(data)
        self.club = club
        self.people: list[Player] = list(list_people(club))
        self.fields["date"] = DayField(first=get_first_open_day(club))
        for code in KASSE:
            self.fields[code] = AmountField(label=str(ACCOUNT_NAMES[code]), least=0, required=False)
        for player in self.people:
            self.fields[f"amount_{player.pk}"] = AmountField(label=mark_as_name(player), least=0, required=False)
            self.fields[f"side_{player.pk}"] = forms.ChoiceField(
                label=_("%(who)s: schuldet etwas oder hat gut?") % {"who": player},
                choices=[("open", _("schuldet")), ("credit", _("Guthaben"))],
                initial="open",
                required=False,
                widget=forms.Select(attrs={"class": "form-select mb-3"}),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        found: dict[str, int] = {code: cleaned.get(code) or 0 for code in KASSE}
        for player in self.people:
            cents = cleaned.get(f"amount_{player.pk}") or 0
            found[build_member_account(player.pk)] = -cents if cleaned.get(f"side_{player.pk}") == "credit" else cents
        self.amounts = {account: cents for account, cents in found.items() if cents}
        if not self.errors and not self.amounts:
            self.add_error(None, _("Bitte mindestens einen Betrag eingeben."))
        elif sum(map(abs, self.amounts.values())) > MAX_LEG_CENTS:
            self.add_error(None, _("Das ist zusammen zu viel. Bitte die Beträge prüfen."))
        return cleaned

    @property
    def sums(self) -> dict[str, int]:
        of_people = [cents for account, cents in self.amounts.items() if account not in KASSE]
        return {
            "in_kasse": sum(self.amounts.get(code, 0) for code in KASSE),
            "open": sum(cents for cents in of_people if cents > 0),
            "credit": -sum(cents for cents in of_people if cents < 0),
        }

    @property
    def odd(self) -> list[str]:
        day = build_long_ago_warning(self.club, self.cleaned_data["date"])
        return [odd for odd in (day, build_unusual_warning(self.club.pk, self.amounts.values())) if odd]

    @property
    def fingerprint(self) -> str:
        """Return a hash of all values, so that only a previewed form is booked."""
        return hash_shown((self.cleaned_data["date"], self.amounts))

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data["seen"] == self.fingerprint)

    @property
    def rows(self) -> Iterator[tuple[BoundField, BoundField]]:
        """List the fields of each person: the amount, and debt or credit."""
        for player in self.people:
            yield self[f"amount_{player.pk}"], self[f"side_{player.pk}"]


class ReportForm(ConfirmingForm, KeyedForm):
    def __init__(self, data: QueryDict | None, *, club: Club, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.club = club
        self.fields["cents"] = AmountField(label=_("Betrag in Euro"))
        self.fields["box"] = _build_radios(_("Wie?"), Box.choices)
        self.fields["date"] = DayField(first=get_first_open_day(club))
        self.fields["note"] = ReasonField(required=False, label=_("Notiz (wer mag)"))
        self.helper = build_post_helper(*list_fields(self), Submit("report", _("Melden"), css_class="btn-primary w-100"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.ask_once("cents", cleaned.get("cents"), build_unusual_warning(self.club.pk, [cleaned.get("cents")]))
        self.ask_once("date", cleaned.get("date"), build_long_ago_warning(self.club, cleaned.get("date")))
        return cleaned


class RefuseForm(forms.Form):
    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.fields["reason"] = ReasonField(label=_("Warum nicht?"))
        button = StrictButton(_("Ablehnen"), type="submit", css_class="btn-outline-danger w-100")
        self.helper = build_post_helper("reason", button)


class CountForm(ConfirmingForm, KeyedForm):
    """A count of the cash box with its counter and witness. `booked` is the balance that the page showed."""

    def __init__(self, data: QueryDict | None, *, club: Club, booked: int, counter: Player | None) -> None:
        super().__init__(data, initial={"booked": booked, "counter": counter})
        self.club = club
        self.fields["booked"] = forms.IntegerField(widget=forms.HiddenInput, required=False)
        self.fields["cents"] = AmountField(label=_("Gezählt, in Euro"), least=0)
        for name, label in (("counter", _("Wer hat gezählt?")), ("witness", _("Wer war Zeuge?"))):
            self.fields[name] = PersonField(list_active_players(club), {}, label=label)
        self.fields["reason"] = ReasonField(required=False, label=_("Grund, wenn es nicht stimmt"))
        self.helper = build_post_helper(*self.fields, Submit("count", _("Zählung festhalten"), css_class="btn-primary w-100"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("booked") is None:
            self.errors.pop("booked", None)
            self.add_error(None, BOX_CHANGED)
        if cleaned.get("cents") != cleaned.get("booked"):
            self.ask_once("cents", cleaned.get("cents"), build_unusual_warning(self.club.pk, [cleaned.get("cents")]))
        return cleaned


class RegisterForm(ListFilterForm):
    """Filter a register by a text, a year of the books or a month, a kind, and (for the whole club) a person."""

    sort = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, club: Club, names: BookNames, of_all: bool) -> None:
        super().__init__(data)
        self.club, self.names = club, names
        self.named: dict[str, dict[str, str]] = {}
        self.people = {str(player.pk): player for player in list_people(club)} if of_all else {}
        months = list_months(club)
        years = dict.fromkeys(month[:4] for month in months)
        self.fields["text"] = forms.CharField(
            label=_("Suche"), required=False, max_length=100, validators=[validate_plain], widget=forms.SearchInput
        )
        people = [("person", _("Person"), [(pk, str(player)) for pk, player in self.people.items()])] if of_all else []
        for field, label, choices in (
            ("month", _("Zeitraum"), [*((year, year) for year in years), *((one, format_month(one)) for one in months)]),
            *people,
            ("kind", _("Art"), [(kind.value, str(kind.label)) for kind in Kind]),
        ):
            self.named[field] = dict(choices)
            self.fields[field] = forms.ChoiceField(choices=[("", _("alle")), *choices], label=label, required=False)
        if of_all:
            self.fields["person"].widget.attrs |= NAME_ATTRS
        self.helper = build_filter_helper("sort", build_filter_layout(self, "text", *self.named))

    @property
    def query(self) -> dict[str, str]:
        """Return the selection as it stands in the address."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value and name != "sort"}

    @property
    def is_filtered(self) -> bool:
        return bool(self.query)

    @property
    def summary(self) -> str:
        return " · ".join(self.named[field][value] if field in self.named else value for field, value in self.query.items())

    @property
    def condition(self) -> Q:
        """Return the condition for the selected entries. An invalid choice counts as none and is refused at its field."""
        query, found = self.query, Q()
        if text := query.get("text"):
            found &= self._about(text)
        if period := query.get("month"):
            found &= Q(year=period) if len(period) == 4 else Q(date__range=get_month_days(period))
        if person := query.get("person"):
            found &= _has_leg(account__player__in=list_family_ids(self.club, self.people[person]))
        if kind := query.get("kind"):
            found &= Q(kind=kind)
        return found

    def _about(self, text: str) -> Q:
        """Match entries whose reason, kind or number contains this text, or whose amount or person it is."""
        key = text_key(text)
        kinds = [kind for kind in Kind if key in text_key(str(kind.label))]
        found = Q(reason__iregex=re.escape(text)) | Q(kind__in=kinds)
        if number := re.fullmatch(r"([0-9]{4})-0*([0-9]{1,6})", text):
            found |= Q(year=number[1], number=number[2])
        if cents := parse_cents(text):
            found |= _has_leg(cents__in=(cents, -cents))
        if self.people:
            found |= _has_leg(account__player__in=[pk for pk, name in self.names.people.items() if matches_search(name, text)])
        return found


def _has_leg(**legs: Any) -> Q:
    return Q(Exists(Leg.objects.filter(entry=OuterRef("pk"), **legs)))
