"""Every part of a tariff as fields, each named by its path in the tariff. What the tariff refuses is said at its field; a part
that has no field stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models.tariffs import Tariff, read_content
from scoring.cash.rules.fields import MISSING
from scoring.cash.words.tariff import AVERAGED, PAYERS
from scoring.core.formats import translate_sentence
from scoring.core.forms import WholeField
from scoring.rules.validation import Refused, Sentence

from .amounts import AmountsField, EurosField, PricesField, RateField
from .choices import ROUND_HOW, ROUND_TO, choice, select
from .fines import FineRows

_SCHEMES: Final = (
    ("", gettext_lazy("Punkte kosten nichts")),
    ("minus", gettext_lazy("Minuspunkte kosten")),
    ("each", gettext_lazy("Jeder rechnet mit jedem ab")),
    ("best", gettext_lazy("Abstand zum Besten")),
    ("better", gettext_lazy("Abstand zu allen Besseren")),
    ("rank", gettext_lazy("Nach dem Platz")),
)
_SCOPES: Final = (
    ("evening", gettext_lazy("der ganze Abend")),
    ("table", gettext_lazy("je Tisch")),
    ("game", gettext_lazy("Spiel für Spiel")),
)
_EMPTY: Final = (("charge", gettext_lazy("Jeder legt nach")), ("warn", gettext_lazy("Er darf ins Minus")))
_REST: Final = (("split", gettext_lazy("Er wird geteilt")), ("kasse", gettext_lazy("Er gehört der Kasse")))
_FROM: Final = (
    ("others", gettext_lazy("von den anderen Mitgliedern, je")),
    ("club", gettext_lazy("einmal aus der Kasse")),
)
_EVERY: Final = (
    ("month", gettext_lazy("im Monat")),
    ("quarter", gettext_lazy("im Quartal")),
    ("year", gettext_lazy("im Jahr")),
)
_WHEN: Final = (
    ("always", gettext_lazy("immer")),
    ("no_evening", gettext_lazy("nur in Monaten ohne Abend")),
)

# Every field: its path, what it is called, what it is typed in, and its choices.
Field = tuple[str, Any, str, Any]
_PARTS: Final[Sequence[tuple[Any, Sequence[Field]]]] = (
    (
        gettext_lazy("Punkte"),
        (
            ("points.scheme", gettext_lazy("Wofür gezahlt wird"), "choice", _SCHEMES),
            ("points.rate", gettext_lazy("Cent je Punkt"), "rate", None),
            ("points.amounts", gettext_lazy("Nach dem Platz: Euro für Platz 1; 2; 3 …"), "amounts", None),
            (
                "points.winners",
                gettext_lazy("Bei Minuspunkten: so viel davon an die mit Pluspunkten (0 bis 1)"),
                "part",
                None,
            ),
            ("points.scope", gettext_lazy("Was verglichen wird"), "choice", _SCOPES),
            ("points.guests", gettext_lazy("Gäste spielen um Geld mit"), "yes", None),
            ("points.dearer.beyond", gettext_lazy("Teurer, wenn jemand mehr Punkte hat als"), "number", None),
            ("points.dearer.rate", gettext_lazy("Dann Cent je Punkt"), "rate", None),
            ("points.round.to", gettext_lazy("Gerundet auf so viele Cent"), "cents", ROUND_TO),
            ("points.round.how", gettext_lazy("Gerundet wird"), "choice", ROUND_HOW),
            ("points.cap", gettext_lazy("Höchstens Euro je Person und Abend"), "euros", None),
        ),
    ),
    (
        gettext_lazy("Topf an Tischen in Cent"),
        (
            ("pot", gettext_lazy("Es gibt einen Topf"), "no", None),
            ("pot.buy_in", gettext_lazy("Einkauf in Euro"), "euros", None),
            ("pot.top_up", gettext_lazy("Nachlegen in Euro; leer: wie der Einkauf"), "euros", None),
            ("pot.empty", gettext_lazy("Wenn der Topf nicht reicht"), "choice", _EMPTY),
            ("pot.rest", gettext_lazy("Der Rest am Ende"), "choice", _REST),
        ),
    ),
    (
        gettext_lazy("Abend, Gäste, Gastgeber"),
        (
            ("fee.cents", gettext_lazy("Abendbeitrag in Euro"), "euros", None),
            ("fee.absent", gettext_lazy("Den zahlt auch, wer fehlt"), "no", None),
            ("guests.cents", gettext_lazy("Ein Gast kostet, in Euro"), "euros", None),
            ("guests.payer", gettext_lazy("Für Gäste zahlt"), "choice", tuple(PAYERS.items())),
            ("host.cents", gettext_lazy("Der Gastgeber bekommt, in Euro"), "euros", None),
            ("host.from", gettext_lazy("Er bekommt es"), "choice", _FROM),
        ),
    ),
    (
        gettext_lazy("Getränke"),
        (
            ("drinks.flat", gettext_lazy("Pauschale in Euro für jeden, der da ist"), "euros", None),
            ("drinks.list", gettext_lazy("Preise, je Zeile: bier 2,50"), "prices", None),
            ("drinks.shared", gettext_lazy("Eine Rechnung wird geteilt"), "no", None),
        ),
    ),
    (
        gettext_lazy("Wer fehlt"),
        (
            ("absence.excused.average", gettext_lazy("Entschuldigt: Durchschnitt der Anwesenden an"), "some", None),
            ("absence.excused.plus", gettext_lazy("Entschuldigt: dazu Euro"), "euros", None),
            ("absence.unexcused.average", gettext_lazy("Unentschuldigt: Durchschnitt der Anwesenden an"), "some", None),
            ("absence.unexcused.plus", gettext_lazy("Unentschuldigt: dazu Euro"), "euros", None),
            ("absence.round.to", gettext_lazy("Durchschnitt gerundet auf so viele Cent"), "cents", ROUND_TO),
            ("absence.round.how", gettext_lazy("Gerundet wird"), "choice", ROUND_HOW),
        ),
    ),
    (
        gettext_lazy("Beiträge"),
        (
            ("dues.cents", gettext_lazy("Beitrag in Euro"), "euros", None),
            ("dues.every", gettext_lazy("Fällig"), "choice", _EVERY),
            ("dues.reduced", gettext_lazy("Ermäßigt in Euro"), "euros", None),
            ("dues.when", gettext_lazy("Wann"), "choice", _WHEN),
            ("joining.cents", gettext_lazy("Eintrittsgeld in Euro"), "euros", None),
        ),
    ),
)
# What a part that was left empty charges nothing by.
_NEEDED: Final = {"points": "scheme", "fee": "cents", "host": "cents", "dues": "cents", "joining": "cents"}
# What may be said to be nothing.
_MAY_BE_0: Final = ("pot.buy_in",)
_PLAIN: Final = {
    "points.winners": 0, "points.scope": "evening", "points.guests": True, "points.round.to": 1,
    "points.round.how": "nearest", "pot": False, "pot.empty": "charge", "pot.rest": "split", "fee.absent": False,
    "guests.payer": "guest", "host.from": "others", "drinks.shared": False, "absence.round.to": 1,
    "absence.round.how": "nearest", "dues.every": "month", "dues.when": "always",
}  # fmt: skip


class TariffForm(forms.Form):
    """All parts; `before` is the tariff that the club has now."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, before: Tariff | None) -> None:
        self.before: dict[str, Any] = before.content if before else {}
        super().__init__(data, initial={"seen": before.version if before else 0})
        for _title, fields in _PARTS:
            for path, label, typed_in, choices in fields:
                self.fields[path] = _field(typed_in, label, choices)
                self.fields[path].initial = self._initial(path, typed_in)
        self.fines = FineRows(self, self.before)

    def _initial(self, path: str, typed_in: str) -> Any:
        found: Any = self.before
        for key in path.split("."):
            if not isinstance(found, dict) or key not in found:
                return _PLAIN.get(path, "" if path == "points.scheme" else None)
            found = found[key]
        return True if path == "pot" else found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.fines.clean()
        if cleaned.get("dues.reduced") and not cleaned.get("dues.cents"):
            self.add_error("dues.cents", _("Bitte ausfüllen."))
        if not self.errors:
            try:
                read_content(self.content)
            except Refused as refused:
                for path, fault in refused.fields.items():
                    field = self._field_at(path.removeprefix("tariff."))
                    self.add_error(field, _said_at(field or "", fault))
        return cleaned

    def _field_at(self, path: str) -> str | None:
        """The field of a path, or that of the part it lies in."""
        if found := self.fines.field_at(path):
            return found
        while path not in self.fields:
            if "." not in path:
                return None
            path = path.rpartition(".")[0]
        return path

    @property
    def content(self) -> dict[str, Any]:
        """The tariff that was typed; every field is sound."""
        found: dict[str, Any] = {}
        for _title, fields in _PARTS:
            for path, _label, _typed_in, _choices in fields:
                self._put(found, path, self.cleaned_data[path])
        for part, needed in _NEEDED.items():
            if needed not in found.get(part, {}):
                found.pop(part, None)
        if "points" in found and "factors" in self.before.get("points", {}):
            found["points"]["factors"] = self.before["points"]["factors"]
        if "leaving" in self.before:
            found["leaving"] = self.before["leaving"]
        if fines := self.fines.content:
            found["fines"] = fines
        return found

    def _put(self, found: dict[str, Any], path: str, value: Any) -> None:
        part, _dot, rest = path.partition(".")
        if not rest or (part == "pot" and not self.cleaned_data["pot"]):
            return
        is_nothing = value in (None, "", 0, [], {}) and not isinstance(value, bool)
        if (is_nothing and path not in _MAY_BE_0) or value == _PLAIN.get(path, object()):
            return
        *ways, key = path.split(".")
        inner = found
        for way in ways:
            inner = inner.setdefault(way, {})
        inner[key] = value

    @property
    def parts(self) -> list[tuple[str, list[BoundField]]]:
        return [(str(title), [self[path] for path, *_rest in fields]) for title, fields in _PARTS]


def _said_at(field: str, fault: Sentence) -> str:
    """A fault in the words of whoever fills in this page: in euros, and as they are typed here. A field that has a label needs
    no code."""
    if fault.text == MISSING:
        return _("Bitte ausfüllen.")
    if field == "points.amounts":
        return _("Bitte 1 bis 60 Beträge bis 10000 Euro eingeben, wie „2; 3; 4,50“.")
    if field == "pot.top_up":
        return _("Zum Nachlegen braucht es einen Betrag. Bitte hier einen eingeben, oder einen Einkauf.")
    if field.endswith(".steps"):
        return _("Bitte 1 bis 9 Stufen wie „3 × 0,50; 2 × 1; 2“ eingeben: Nur die letzte hat keine Anzahl.")
    return translate_sentence(fault)


def _field(typed_in: str, label: Any, choices: Any) -> forms.Field:
    match typed_in:
        case "choice":
            return choice(label, choices, required=False)
        case "cents":
            return forms.TypedChoiceField(label=label, choices=choices, coerce=int, widget=select())
        case "rate":
            return RateField(label=label, required=False)
        case "part":
            return RateField(label=label, required=False, from_0=True)
        case "amounts":
            return AmountsField(label=label)
        case "prices":
            return PricesField(label=label)
        case "number":
            widget = forms.NumberInput(attrs={"class": "form-control"})
            return WholeField(label=label, required=False, widget=widget, min_value=1, max_value=100_000)
        case "some":
            boxes = forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"})
            return forms.MultipleChoiceField(label=label, choices=list(AVERAGED.items()), required=False, widget=boxes)
        case "yes" | "no":
            yes_no = [("True", _("ja")), ("False", _("nein"))]
            return forms.TypedChoiceField(
                label=label, choices=yes_no, coerce=lambda said: said == "True", widget=select()
            )
    return EurosField(label=label)
