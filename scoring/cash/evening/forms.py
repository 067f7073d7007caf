"""The forms of an evening in the Kasse: attendance and host, drinks and the bill, a fine, cash payers, its tariff."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.forms.boundfield import BoundWidget
from django.utils.translation import gettext as _

from scoring.cash.forms import EurosField, KeyedForm, PeopleField, build_choice, build_unusual_warning
from scoring.cash.models import Attendance, Tariff
from scoring.cash.tariff.rules import MOST_COUNT, MOST_MINUTES
from scoring.cash.tariff.texts import get_fine_name
from scoring.club.models import Player
from scoring.core.errors import ActionRefused
from scoring.core.formats import mark_as_name
from scoring.core.forms import ConfirmingForm, WholeField
from scoring.play.models import Evening

from .actions import serialize_attendance
from .rules import MOST_DRINKS

_MEMBER, _GUEST = "member", "guest"


class AttendanceForm(forms.Form):
    """A line per person on the list, one person to add, and the host."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=20_000)

    def __init__(self, data: Any, *, evening: Evening, rows: Sequence[Attendance], others: Sequence[Player]) -> None:
        super().__init__(data, initial={"seen": serialize_attendance(evening, rows), "host": evening.host_id})
        self.rows = rows
        self.people = {str(player.pk): player for player in [*(row.player for row in rows), *others]}
        names = [("", "–"), *((str(row.player_id), str(row.player)) for row in rows if not row.guest)]
        for row in rows:
            self.fields[f"as_{row.player_id}"] = build_choice(mark_as_name(row.player), _list_standings(), _get_standing(row))
            if row.guest:
                field = build_choice(_("Mitgebracht von"), names, row.brought_by_id or "", required=False, people=True)
                self.fields[f"by_{row.player_id}"] = field
        also = [("", "–"), *((str(player.pk), str(player)) for player in others)]
        self.fields["also"] = build_choice(_("Noch jemand"), also, "", required=False, people=True)
        self.fields["also_as"] = build_choice(_("Als"), _list_standings(), _MEMBER)
        self.fields["host"] = build_choice(_("Gastgeber"), names, evening.host_id or "", required=False, people=True)

    @property
    def lines(self) -> list[tuple[Attendance, BoundField, BoundField | None]]:
        """List each person with the field of their role, and for a guest the field of the bringer."""
        return [(row, self[f"as_{row.player_id}"], self[f"by_{row.player_id}"] if row.guest else None) for row in self.rows]

    @property
    def attendance(self) -> dict[Player, Attendance]:
        found = {row.player: self._build_row(f"as_{row.player_id}", f"by_{row.player_id}") for row in self.rows}
        if also := self.cleaned_data["also"]:
            found[self.people[also]] = self._build_row("also_as")
        return found

    def _build_row(self, standing_field: str, bringer_field: str = "") -> Attendance:
        standing, bringer = self.cleaned_data[standing_field], self.cleaned_data.get(bringer_field)
        guest = standing == _GUEST
        absence = "" if standing in (_GUEST, _MEMBER) else standing
        return Attendance(guest=guest, absence=absence, brought_by=self.people[bringer] if bringer and guest else None)

    @property
    def host(self) -> Player | None:
        host = self.cleaned_data["host"]
        return self.people[host] if host else None

    def refuse(self, refused: ActionRefused) -> None:
        """Show a refusal at its field; of the person to add there is one field."""
        is_added = refused.field.startswith(("as_", "by_")) and refused.field not in self.fields
        self.add_error("also_as" if is_added else refused.field if refused.field in self.fields else None, str(refused))


def _get_standing(row: Attendance) -> str:
    return row.absence or (_GUEST if row.guest else _MEMBER)


def _list_standings() -> list[tuple[str, Any]]:
    return [(_MEMBER, _("da")), (_GUEST, _("da, als Gast")), *Attendance.Absence.choices]


class FineForm(ConfirmingForm, KeyedForm):
    def __init__(self, data: Any, *, tariff: Tariff, rows: Sequence[Attendance]) -> None:
        super().__init__(data)
        self.club = tariff.club_id
        self.forms = {code: form for code, form in tariff.rules.fines.items() if not form.lost_games}
        self.people = {str(row.player_id): row.player for row in rows}
        people = [(pk, str(player)) for pk, player in self.people.items()]
        codes = [(code, get_fine_name(tariff.content, code)) for code in self.forms]
        self.fields["player"] = forms.ChoiceField(label=_("Wer"), choices=people, widget=forms.RadioSelect)
        self.fields["code"] = forms.ChoiceField(
            label=_("Wofür"), choices=codes, initial=next(iter(self.forms), None), widget=forms.RadioSelect
        )
        self.fields["amount"] = EurosField(label=_("Anzahl, Minuten oder Euro; leer: einmal"))

    @property
    def payers(self) -> list[tuple[BoundWidget, Player]]:
        return [(radio, self.people[radio.data["value"]]) for radio in self["player"]]

    @property
    def reasons(self) -> list[tuple[BoundWidget, str]]:
        """List the radio buttons of the fines, each with the key of its amount."""
        return [(radio, self.forms[radio.data["value"]].amount[0]) for radio in self["code"]]

    def clean(self) -> dict[str, Any]:
        """Read the amount as euros, or as a whole number of minutes or events."""
        cleaned = super().clean() or {}
        form, typed = self.forms.get(cleaned.get("code", "")), cleaned.get("amount")
        if form is None:
            return cleaned
        key = form.amount[0]
        if key == "cents":
            amount, fault = typed, _("Bitte einen Betrag wie 3,50 eingeben.")
        else:
            # A fault as an amount in euros says nothing about minutes or events.
            self.errors.pop("amount", None)
            most = MOST_COUNT if key == "count" else MOST_MINUTES
            if typed is None or typed % 100:
                amount = -1
            else:
                amount = typed // 100 or (1 if key == "count" else 0)
            fault = _("Bitte eine ganze Zahl bis %(most)s eingeben.") % {"most": most}
        if amount is None:
            return cleaned
        if form.amount[1](amount) is not None or (key == "minutes" and not self.data.get("amount")):
            raise ValidationError({"amount": fault})
        if key == "cents":
            self.ask_once("amount", amount, build_unusual_warning(self.club, [amount]))
        return cleaned | {"amount": amount}


class CollectForm(KeyedForm):
    """The people with an unpaid amount. Those who were `here` are ticked: only they had money in their hand."""

    def __init__(self, data: Any, *, people: Mapping[Player, str], here: Collection[Player]) -> None:
        super().__init__(data)
        self.fields["players"] = PeopleField(
            people,
            label=_("Wer bar gezahlt oder bekommen hat"),
            initial=[str(player.pk) for player in people if player in here],
            error_messages={
                "required": _("Bitte ankreuzen, wer gezahlt hat."),
                "invalid_choice": _("Bei jemandem ist inzwischen schon kassiert. Bitte noch einmal nachsehen."),
            },
        )


class PinForm(forms.Form):
    def __init__(self, data: Any, *, tariffs: Collection[Tariff], evening: Evening) -> None:
        super().__init__(data)
        self.by_id = {str(tariff.pk): tariff for tariff in tariffs}
        choices = [*((pk, str(tariff)) for pk, tariff in self.by_id.items()), ("none", _("Nichts berechnen"))]
        self.fields["tariff"] = build_choice(_("Abgerechnet nach"), choices, str(evening.tariff_id or "none"))

    @property
    def selected_tariff(self) -> Tariff | None:
        return self.by_id.get(self.cleaned_data["tariff"])


class DrinksForm(ConfirmingForm):
    """A number per present person and drink of the tariff; the bill if it is shared."""

    def __init__(self, data: Any, *, evening: Evening, tariff: Tariff, rows: Sequence[Attendance]) -> None:
        super().__init__(data)
        self.club, drinks = evening.club, tariff.rules.drinks
        self.rows, self.codes = [row for row in rows if not row.absence], list(drinks["list"])
        for row in self.rows:
            for code in self.codes:
                self.fields[f"{code}.{row.player_id}"] = _build_count_field(f"{row.player}: {code}", row.drinks.get(code))
        self.people = {str(row.player_id): row.player for row in rows}
        self.is_shared = drinks["shared"]
        if drinks["shared"]:
            payers = [("", _("die Kasse")), *((pk, str(player)) for pk, player in self.people.items())]
            self.fields["bill"] = EurosField(label=_("Rechnung in Euro"), initial=evening.bill_cents or 0)
            payer = evening.bill_paid_by_id or ""
            self.fields["paid_by"] = build_choice(_("Bezahlt von"), payers, payer, required=False, people=True)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.ask_once("bill", cleaned.get("bill"), build_unusual_warning(self.club.pk, [cleaned.get("bill")]))
        return cleaned

    @property
    def counts(self) -> list[tuple[Player, list[tuple[str, BoundField]]]]:
        return [(row.player, [(code, self[f"{code}.{row.player_id}"]) for code in self.codes]) for row in self.rows]

    @property
    def drunk(self) -> Mapping[Player, Mapping[str, int]]:
        return {row.player: {code: self.cleaned_data[f"{code}.{row.player_id}"] or 0 for code in self.codes} for row in self.rows}

    @property
    def bill(self) -> int | None:
        return self.cleaned_data.get("bill") or None

    @property
    def paid_by(self) -> Player | None:
        return self.people.get(self.cleaned_data.get("paid_by", ""))


def _build_count_field(label: str, initial: int | None) -> WholeField:
    widget = forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"})
    return WholeField(label=label, initial=initial, required=False, min_value=0, max_value=MOST_DRINKS, widget=widget)
