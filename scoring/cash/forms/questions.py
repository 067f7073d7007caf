"""The five questions that set a tariff up, as fields, with the fines to tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models.tariffs import Tariff, read_content
from scoring.cash.rules.fields import Fields
from scoring.cash.rules.fines import read_fine
from scoring.cash.rules.questions import FINES, NOTHING, OTHER, TariffAnswers, answers_of, tariff_of
from scoring.cash.words.fines import fine_name, fine_said
from scoring.cash.words.tariff import PAYERS
from scoring.core.formats import translate_sentence
from scoring.rules.validation import Refused

from .amounts import EurosField, RateField
from .choices import ROUND_HOW, ROUND_TO, choice, select

_POINTS: Final = (
    ("kasse", gettext_lazy("Minuspunkte kosten, in die Kasse")),
    ("half", gettext_lazy("Minuspunkte kosten, halb in die Kasse, halb an die mit Pluspunkten")),
    ("winners", gettext_lazy("Minuspunkte kosten, an die mit Pluspunkten")),
    ("each", gettext_lazy("Jeder rechnet mit jedem ab")),
    ("best", gettext_lazy("Jeder zahlt den Abstand zum Besten, in die Kasse")),
    ("better", gettext_lazy("Jeder zahlt den Abstand zu allen Besseren, in die Kasse")),
    (NOTHING, gettext_lazy("Punkte kosten nichts")),
)
_ABSENCE: Final = (
    (NOTHING, gettext_lazy("Fehlen kostet nichts")),
    ("fixed", gettext_lazy("Einen festen Betrag")),
    ("average", gettext_lazy("Den Durchschnitt dessen, was die Anwesenden für Punkte zahlen, und den Betrag dazu")),
)
# The fields of each question, and which paths of the tariff are said at them.
_QUESTIONS: Final[Sequence[tuple[Any, Sequence[str]]]] = (
    (gettext_lazy("1. Was kostet ein Punkt, und wer bekommt es?"), ("points", "rate")),
    (gettext_lazy("2. Wird gerundet, und gibt es eine Grenze?"), ("to", "how", "cap")),
    (gettext_lazy("3. Was kostet ein Abend, und was ein Gast?"), ("fee", "guest", "payer")),
    (gettext_lazy("4. Und wer fehlt?"), ("absence", "missed")),
    (gettext_lazy("5. Monatsbeitrag?"), ("dues",)),
    (gettext_lazy("Strafgelder zum Antippen"), ("fines",)),
)


class TariffQuestionsForm(forms.Form):
    """The answers; `before` is the tariff that the club has now, whose other parts stay."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any] | None, *, before: Tariff | None) -> None:
        self.before: dict[str, Any] = before.content if before else {}
        said = answers_of(self.before) if before else TariffAnswers()
        initial = said._asdict() | {
            "fines": list(said.fines),
            "cap": said.cap or 0,
            "seen": before.version if before else 0,
        }
        super().__init__(data, initial=initial)
        own = [(OTHER, _("So wie jetzt"))]
        self.fields["points"] = _one(_("Wofür und an wen"), [*_POINTS, *(own if said.points == OTHER else [])])
        self.fields["rate"] = RateField(label=_("Cent je Punkt"), required=False)
        self.fields["to"] = forms.TypedChoiceField(
            label=_("Auf so viele Cent"), coerce=int, choices=ROUND_TO, widget=select()
        )
        self.fields["how"] = choice(_("Wie"), ROUND_HOW)
        self.fields["cap"] = EurosField(label=_("Höchstens so viele Euro je Person und Abend; leer: keine Grenze"))
        self.fields["fee"] = EurosField(label=_("Euro für jedes Mitglied, das da ist"))
        self.fields["guest"] = EurosField(label=_("Euro für einen Gast"))
        self.fields["payer"] = choice(_("Wer zahlt"), list(PAYERS.items()))
        self.fields["absence"] = _one(_("Beitrag, wenn jemand fehlt"), [*_ABSENCE, *(own if said.absence == OTHER else [])])
        self.fields["missed"] = EurosField(label=_("Euro, wenn jemand fehlt"))
        self.fields["dues"] = EurosField(label=_("Euro im Monat für jedes Mitglied"))
        self.fields["fines"] = forms.MultipleChoiceField(
            label=_("Ankreuzen, was es bei Ihnen gibt"),
            choices=[(code, self._fine(code)) for code in FINES],
            required=False,
            widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
        )

    def _fine(self, code: str) -> str:
        form = self.before.get("fines", {}).get(code, FINES[code])
        return f"{fine_name(self.before, code)}: {fine_said(read_fine(Fields(form, '', {})))}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            cleaned.get("points") not in (NOTHING, OTHER, None)
            and not self.errors.get("rate")
            and not cleaned.get("rate")
        ):
            self.add_error("rate", _("Bitte Cent je Punkt angeben, wie 10 oder 2,5 oder 1/8."))
        if cleaned.get("absence") == "fixed" and not self.errors.get("missed") and not cleaned.get("missed"):
            self.add_error("missed", _("Bitte einen Betrag wie 3,50 eingeben."))
        if not self.errors:
            try:
                read_content(self.content)
            except Refused as refused:
                for fault in refused.fields.values():
                    self.add_error(None, translate_sentence(fault))
        return cleaned

    @property
    def content(self) -> dict[str, Any]:
        """The tariff that was answered; every field is sound."""
        given = {name: self.cleaned_data[name] for name in TariffAnswers._fields}
        return tariff_of(TariffAnswers(**{**given, "fines": tuple(given["fines"]), "cap": given["cap"] or None}), self.before)

    @property
    def questions(self) -> list[tuple[str, list[BoundField]]]:
        return [(str(title), [self[name] for name in names]) for title, names in _QUESTIONS]


def _one(label: str, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, widget=forms.RadioSelect(attrs={"class": "form-check-input"})
    )
