"""The tariff as fields: by five questions, or every part by its path. A part without a field stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.forms import ROUND_HOW, ROUND_TO, EurosField, build_choice, build_select, write_amount
from scoring.cash.models import Tariff, parse_content
from scoring.cash.rules.fields import MISSING, Fields, parse_fraction
from scoring.cash.rules.money import parse_cents
from scoring.cash.texts import FINE_NAMES
from scoring.core.formats import translate_sentence
from scoring.core.forms import WholeField
from scoring.core.text import build_code, tidy, validate_plain
from scoring.rules.validation import Refused, Sentence

from .rules import LONGEST_NAME, OFFERED_FINES, get_default, read_fine
from .texts import AVERAGED, PAYERS, describe_fine, format_rate, get_fine_name

# A name, and behind it the price, with a euro sign or without.
_PRICED: Final = re.compile(r"(.*\S)\s+(\S*[0-9]\S*(?: (?:€|EUR|Euro))?)", re.IGNORECASE)


class RateField(forms.CharField):
    """Cents per point, such as 10, 2,5 or 1/8, as the tariff stores them; with `from_0` a part of 1 instead."""

    def __init__(self, from_0: bool = False, **kw: Any) -> None:
        self.from_0 = from_0
        widget = forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "class": "form-control"})
        super().__init__(widget=widget, max_length=12, **kw)

    def prepare_value(self, value: Any) -> Any:
        found = parse_fraction(value)
        is_typed = isinstance(value, str) and "/" not in value
        return value if found is None or is_typed else format_rate(found)

    def clean(self, value: Any) -> Any:
        text = (super().clean(value) or "").replace(",", ".")
        if not text:
            return None
        digits = text.replace(".", "", 1)
        if "." in text and "/" not in text and digits.isascii() and digits.isdigit():
            found = Fraction(text).limit_denominator(9999)
            text = f"{found.numerator}/{found.denominator}"
        rate = parse_fraction(int(text) if text.isascii() and text.isdigit() else text)
        if self.from_0:
            if rate is None or rate > 1:
                raise ValidationError(_("Bitte einen Teil von 0 bis 1 angeben, wie 0,5 oder 1/2."))
        elif rate is None or not 0 < rate <= 10_000:
            raise ValidationError(_("Bitte Cent je Punkt angeben, wie 10 oder 2,5 oder 1/8."))
        return int(rate) if rate.denominator == 1 else f"{rate.numerator}/{rate.denominator}"


class AmountsField(forms.CharField):
    """Several amounts in euros, separated by semicolons, as a list of cents."""

    def __init__(self, **kw: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"})
        super().__init__(required=False, widget=widget, max_length=600, **kw)

    def prepare_value(self, value: Any) -> Any:
        return "; ".join(write_amount(cents) or "0" for cents in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        parts = [part for part in map(str.strip, (super().clean(value) or "").split(";")) if part]
        cents = [parse_cents(part) for part in parts]
        if None in cents:
            raise ValidationError(_("Bitte Beträge wie „2; 3; 4,50“ eingeben."))
        return cents


class PricesField(forms.CharField):
    """A name and its price on each line, as cents by code."""

    def __init__(self, **kw: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "class": "form-control"})
        super().__init__(required=False, widget=widget, max_length=2000, **kw)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return "\n".join(f"{code} {write_amount(cents) or '0'}" for code, cents in value.items())
        return value

    def clean(self, value: Any) -> Any:
        found: dict[str, int] = {}
        for line in filter(None, map(str.strip, (super().clean(value) or "").splitlines())):
            parts = _PRICED.fullmatch(line)
            name, cents = parts[1] if parts else "", parse_cents(parts[2]) if parts else None
            if cents is None:
                raise ValidationError(_("Bitte je Zeile ein Getränk und einen Betrag: bier 2,50."))
            if (code := build_code(name)) in found:
                raise ValidationError(_("„%(name)s“ steht hier zweimal. Bitte jedes Getränk einmal.") % {"name": name})
            found[code] = cents
        return found


_BLANK_ROWS: Final = 3
_FORMS: Final = (
    ("each", gettext_lazy("je Mal")),
    ("minutes", gettext_lazy("für jede angefangene Zahl von Minuten")),
    ("steps", gettext_lazy("in Stufen")),
    ("lost", gettext_lazy("je verlorenem Spiel, in Stufen")),
    ("open", gettext_lazy("Betrag wird eingetragen")),
)
_FINE_FIELDS: Final[Mapping[str, forms.Field]] = {
    "name": forms.CharField(label=gettext_lazy("Strafgeld"), required=False, max_length=LONGEST_NAME),
    "form": forms.ChoiceField(label=gettext_lazy("Kostet"), choices=_FORMS, required=False),
    "cents": EurosField(label=gettext_lazy("Euro")),
    "minutes": WholeField(label=gettext_lazy("Minuten"), required=False, min_value=1, max_value=1440),
    "cap": EurosField(label=gettext_lazy("Höchstens Euro")),
    "steps": forms.CharField(label=gettext_lazy("Stufen, wie 3 × 0,50; 2 × 1; 2"), required=False, max_length=200),
}
_STEP: Final = re.compile(r"(?:([0-9]{1,3})\s*[x×*]\s*)?(\S+)")


class FineRows:
    """The rows of fines in a form: the existing fines and a few blank rows. Emptying the name of a row removes its fine."""

    def __init__(self, form: forms.Form, before: Mapping[str, Any]) -> None:
        self.form, self.before = form, before
        self.codes: list[str] = [*before.get("fines", {}), *[""] * _BLANK_ROWS]
        for number, code in enumerate(self.codes):
            fine = before.get("fines", {}).get(code, {})
            name, steps = get_fine_name(before, code) if code else "", _write_steps(fine.get("steps", []))
            initial = {**fine, "name": name, "form": _get_form(fine), "steps": steps}
            for part, field in deepcopy(_FINE_FIELDS).items():
                field.initial = initial.get(part)
                field.widget.attrs["class"] = "form-select" if part == "form" else "form-control"
                form.fields[f"fine{number}.{part}"] = field

    @property
    def rows(self) -> list[tuple[str, list[BoundField]]]:
        """List each row with the name of its fine, "" for a blank row, and its fields."""
        return [
            (code and get_fine_name(self.before, code), [self.form[f"fine{number}.{name}"] for name in _FINE_FIELDS])
            for number, code in enumerate(self.codes)
        ]

    def clean(self) -> None:
        for number in range(len(self.codes)):
            name, steps = self._value(number, "name"), self._value(number, "steps")
            if name:
                try:
                    validate_plain(name)
                except forms.ValidationError as error:
                    self.form.add_error(f"fine{number}.name", error)
            typed = any(self._value(number, part) for part in ("cents", "minutes", "cap", "steps"))
            if typed and not name and not self.codes[number]:
                self.form.add_error(f"fine{number}.name", _("Bitte sagen, wofür dieses Strafgeld ist."))
            if name and self._value(number, "form") in ("steps", "lost") and _parse_steps(steps or "") is None:
                self.form.add_error(f"fine{number}.steps", _("Bitte Stufen wie „3 × 0,50; 2 × 1; 2“ eingeben."))

    def _value(self, number: int, name: str) -> Any:
        return self.form.cleaned_data.get(f"fine{number}.{name}")

    @property
    def content(self) -> dict[str, Any]:
        return {code: self._fine(code, number) for code, number in self._named().items()}

    def _named(self) -> dict[str, int]:
        """Return the row number of every named row by its code, an existing one or one made from the name."""
        found: dict[str, int] = {}
        for number, code in enumerate(self.codes):
            if name := tidy(self._value(number, "name") or ""):
                code = code or build_code(name, {*found, *self.codes})
                found[code] = number
        return found

    def _fine(self, code: str, number: int) -> dict[str, Any]:
        name, form = tidy(self._value(number, "name")), self._value(number, "form") or "each"
        values: dict[str, Any] = {} if name == str(FINE_NAMES.get(code, "")) else {"name": name}
        if form == "open":
            return values | {"open": True}
        if form in ("steps", "lost"):
            steps = {"steps": _parse_steps(self._value(number, "steps") or "") or []}
            return values | steps | ({"counts": "lost_games"} if form == "lost" else {})
        values["cents"] = self._value(number, "cents") or 0
        if form == "minutes":
            values["minutes"] = self._value(number, "minutes") or 1
            if cap := self._value(number, "cap"):
                values["cap"] = cap
        return values

    def field_at(self, path: str) -> str | None:
        """Return the field for a path of the tariff that lies in its fines; None for other paths."""
        part, _dot, rest = path.partition(".")
        code, _dot, key = rest.partition(".")
        number = self._named().get(code) if part == "fines" else None
        if number is None:
            return None
        known = f"fine{number}.{key.partition('.')[0]}"
        return known if known in self.form.fields else f"fine{number}.name"


def _get_form(fine: Mapping[str, Any]) -> str:
    if "steps" in fine:
        return "lost" if fine.get("counts") == "lost_games" else "steps"
    return "open" if "open" in fine else "minutes" if "minutes" in fine else "each"


def _write_steps(steps: Any) -> str:
    return "; ".join(f"{many} × {write_amount(cents) or '0'}" if many else write_amount(cents) or "0" for many, cents in steps)


def _parse_steps(text: str) -> list[list[int | None]] | None:
    found: list[list[int | None]] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        match = _STEP.fullmatch(part)
        cents = parse_cents(match[2]) if match else None
        if match is None or cents is None:
            return None
        found.append([int(match[1]) if match[1] else None, cents])
    return found or None


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
_FROM: Final = (("others", gettext_lazy("von den anderen Mitgliedern, je")), ("club", gettext_lazy("einmal aus der Kasse")))
_EVERY: Final = (
    ("month", gettext_lazy("im Monat")),
    ("quarter", gettext_lazy("im Quartal")),
    ("year", gettext_lazy("im Jahr")),
)
_WHEN: Final = (("always", gettext_lazy("immer")), ("no_evening", gettext_lazy("nur in Monaten ohne Abend")))

_YES_NO: Final = (("True", gettext_lazy("ja")), ("False", gettext_lazy("nein")))


def _choose_cents(label: Any) -> forms.Field:
    return forms.TypedChoiceField(label=label, choices=ROUND_TO, coerce=int, widget=build_select())


def _choose_yes_no(label: Any) -> forms.Field:
    return forms.TypedChoiceField(label=label, choices=_YES_NO, coerce=lambda text: text == "True", widget=build_select())


def _choose_parts(label: Any) -> forms.Field:
    boxes = forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"})
    return forms.MultipleChoiceField(label=label, choices=list(AVERAGED.items()), required=False, widget=boxes)


# The parts with their fields, each named by its path in the tariff.
_PARTS: Final[Sequence[tuple[Any, Mapping[str, forms.Field]]]] = (
    (
        gettext_lazy("Punkte"),
        {
            "points.scheme": build_choice(gettext_lazy("Wofür gezahlt wird"), _SCHEMES, required=False),
            "points.rate": RateField(label=gettext_lazy("Cent je Punkt"), required=False),
            "points.amounts": AmountsField(label=gettext_lazy("Nach dem Platz: Euro für Platz 1; 2; 3 …")),
            "points.winners": RateField(
                label=gettext_lazy("Bei Minuspunkten: so viel davon an die mit Pluspunkten (0 bis 1)"), required=False, from_0=True
            ),
            "points.scope": build_choice(gettext_lazy("Was verglichen wird"), _SCOPES, required=False),
            "points.guests": _choose_yes_no(gettext_lazy("Gäste spielen um Geld mit")),
            "points.dearer.beyond": WholeField(
                label=gettext_lazy("Teurer, wenn jemand mehr Punkte hat als"),
                required=False,
                widget=forms.NumberInput(attrs={"class": "form-control"}),
                min_value=1,
                max_value=100_000,
            ),
            "points.dearer.rate": RateField(label=gettext_lazy("Dann Cent je Punkt"), required=False),
            "points.round.to": _choose_cents(gettext_lazy("Gerundet auf so viele Cent")),
            "points.round.how": build_choice(gettext_lazy("Gerundet wird"), ROUND_HOW, required=False),
            "points.cap": EurosField(label=gettext_lazy("Höchstens Euro je Person und Abend")),
        },
    ),
    (
        gettext_lazy("Topf an Tischen in Cent"),
        {
            "pot": _choose_yes_no(gettext_lazy("Es gibt einen Topf")),
            "pot.buy_in": EurosField(label=gettext_lazy("Einkauf in Euro")),
            "pot.top_up": EurosField(label=gettext_lazy("Nachlegen in Euro; leer: wie der Einkauf")),
            "pot.empty": build_choice(gettext_lazy("Wenn der Topf nicht reicht"), _EMPTY, required=False),
            "pot.rest": build_choice(gettext_lazy("Der Rest am Ende"), _REST, required=False),
        },
    ),
    (
        gettext_lazy("Abend, Gäste, Gastgeber"),
        {
            "fee.cents": EurosField(label=gettext_lazy("Abendbeitrag in Euro")),
            "fee.absent": _choose_yes_no(gettext_lazy("Den zahlt auch, wer fehlt")),
            "guests.cents": EurosField(label=gettext_lazy("Ein Gast kostet, in Euro")),
            "guests.payer": build_choice(gettext_lazy("Für Gäste zahlt"), tuple(PAYERS.items()), required=False),
            "host.cents": EurosField(label=gettext_lazy("Der Gastgeber bekommt, in Euro")),
            "host.from": build_choice(gettext_lazy("Er bekommt es"), _FROM, required=False),
        },
    ),
    (
        gettext_lazy("Getränke"),
        {
            "drinks.flat": EurosField(label=gettext_lazy("Pauschale in Euro für jeden, der da ist")),
            "drinks.list": PricesField(label=gettext_lazy("Preise, je Zeile: bier 2,50")),
            "drinks.shared": _choose_yes_no(gettext_lazy("Eine Rechnung wird geteilt")),
        },
    ),
    (
        gettext_lazy("Wer fehlt"),
        {
            "absence.excused.average": _choose_parts(gettext_lazy("Entschuldigt: Durchschnitt der Anwesenden an")),
            "absence.excused.plus": EurosField(label=gettext_lazy("Entschuldigt: dazu Euro")),
            "absence.unexcused.average": _choose_parts(gettext_lazy("Unentschuldigt: Durchschnitt der Anwesenden an")),
            "absence.unexcused.plus": EurosField(label=gettext_lazy("Unentschuldigt: dazu Euro")),
            "absence.round.to": _choose_cents(gettext_lazy("Durchschnitt gerundet auf so viele Cent")),
            "absence.round.how": build_choice(gettext_lazy("Gerundet wird"), ROUND_HOW, required=False),
        },
    ),
    (
        gettext_lazy("Beiträge"),
        {
            "dues.cents": EurosField(label=gettext_lazy("Beitrag in Euro")),
            "dues.every": build_choice(gettext_lazy("Fällig"), _EVERY, required=False),
            "dues.reduced": EurosField(label=gettext_lazy("Ermäßigt in Euro")),
            "dues.when": build_choice(gettext_lazy("Wann"), _WHEN, required=False),
            "joining.cents": EurosField(label=gettext_lazy("Eintrittsgeld in Euro")),
        },
    ),
)
_FIELDS: Final = {path: field for _title, fields in _PARTS for path, field in fields.items()}
# The key without which a part charges nothing.
_REQUIRED_KEYS: Final = {"points": "scheme", "fee": "cents", "host": "cents", "dues": "cents", "joining": "cents"}
# Fields that may be 0.
_MAY_BE_0: Final = ("pot.buy_in",)


class ContentForm(forms.Form):
    """Values of a tariff in fields named by their paths. `before` is the current tariff of the club, whose other values stay."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, before: Tariff | None, paths: Iterable[str]) -> None:
        self.before: dict[str, Any] = before.content if before else {}
        super().__init__(data, initial={"seen": before.version if before else 0})
        self.paths = list(paths)
        for path in self.paths:
            self.fields[path] = deepcopy(_FIELDS[path])
            self.fields[path].initial = self._initial(path)

    def _initial(self, path: str) -> Any:
        found: Any = self.before
        for key in path.split("."):
            if not isinstance(found, dict) or key not in found:
                return False if path == "pot" else get_default(path)
            found = found[key]
        return True if path == "pot" else found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.check()
        if not self.errors:
            try:
                parse_content(self.content)
            except Refused as refused:
                for path, fault in refused.fields.items():
                    field = self.field_at(path.removeprefix("tariff."))
                    self.add_error(field, _describe_fault(field or "", fault))
        return cleaned

    def check(self) -> None:
        """Note faults of several fields together, before the content is checked."""

    def field_at(self, path: str) -> str | None:
        """Return the field for a path, or for the part that it lies in."""
        while path not in self.fields:
            if "." not in path:
                return None
            path = path.rpartition(".")[0]
        return path

    @property
    def content(self) -> dict[str, Any]:
        found = deepcopy(self.before)
        self.fill(found)
        for part, needed in _REQUIRED_KEYS.items():
            if needed not in found.get(part, {}):
                found.pop(part, None)
        found = _drop_defaults(found)
        return self.before if found == _drop_defaults(self.before) else found

    def fill(self, content: dict[str, Any]) -> None:
        """Set the value of each field; remove one that is nothing."""
        for path in self.paths:
            # `pot` has no value of its own.
            if path == "pot":
                continue
            *ways, key = path.split(".")
            inner, value = content, self.cleaned_data[path]
            for way in ways:
                inner = inner.setdefault(way, {})
            if value in (None, "", 0, [], {}) and not isinstance(value, bool) and path not in _MAY_BE_0:
                inner.pop(key, None)
            else:
                inner[key] = value


def _drop_defaults(content: Mapping[str, Any], part: str = "") -> dict[str, Any]:
    """Leave out what is empty and what is the default: an earlier version of the program stored some defaults."""
    cleaned = {key: _drop_defaults(value, f"{part}{key}.") if isinstance(value, dict) else value for key, value in content.items()}
    return {key: value for key, value in cleaned.items() if value not in ({}, [], get_default(part + key))}


class TariffForm(ContentForm):
    """All parts of a tariff."""

    def __init__(self, data: Any, *, before: Tariff | None) -> None:
        super().__init__(data, before=before, paths=_FIELDS)
        self.fines = FineRows(self, self.before)

    def check(self) -> None:
        self.fines.clean()
        if self.cleaned_data.get("dues.reduced") and not self.cleaned_data.get("dues.cents"):
            self.add_error("dues.cents", _("Bitte ausfüllen."))

    def field_at(self, path: str) -> str | None:
        return self.fines.field_at(path) or super().field_at(path)

    def fill(self, content: dict[str, Any]) -> None:
        super().fill(content)
        if not self.cleaned_data["pot"]:
            content.pop("pot", None)
        content["fines"] = self.fines.content

    @property
    def parts(self) -> list[tuple[str, list[BoundField]]]:
        return [(str(title), [self[path] for path in fields]) for title, fields in _PARTS]


# Each answer to the question about points, with what it sets in the part `points`.
_ANSWERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "kasse": {"scheme": "minus"},
    "half": {"scheme": "minus", "winners": "1/2"},
    "winners": {"scheme": "minus", "winners": 1},
    "each": {"scheme": "each"},
    "best": {"scheme": "best"},
    "better": {"scheme": "better"},
}
_ANSWERED: Final = ("scheme", "winners", "amounts")
_NOTHING: Final = "nothing"
# No answer describes the tariff.
_OTHER: Final = "other"
# The rate that is proposed where points cost nothing yet.
_USUAL_RATE: Final = 10
_POINTS: Final = (
    ("kasse", gettext_lazy("Minuspunkte kosten, in die Kasse")),
    ("half", gettext_lazy("Minuspunkte kosten, halb in die Kasse, halb an die mit Pluspunkten")),
    ("winners", gettext_lazy("Minuspunkte kosten, an die mit Pluspunkten")),
    ("each", gettext_lazy("Jeder rechnet mit jedem ab")),
    ("best", gettext_lazy("Jeder zahlt den Abstand zum Besten, in die Kasse")),
    ("better", gettext_lazy("Jeder zahlt den Abstand zu allen Besseren, in die Kasse")),
    (_NOTHING, gettext_lazy("Punkte kosten nichts")),
)
_ABSENCE: Final = (
    (_NOTHING, gettext_lazy("Fehlen kostet nichts")),
    ("fixed", gettext_lazy("Einen festen Betrag")),
    ("average", gettext_lazy("Den Durchschnitt dessen, was die Anwesenden für Punkte zahlen, und den Betrag dazu")),
)
# The fields of each question with their labels: paths of the tariff, and `points`, `absence`, `missed` and `fines`.
_QUESTIONS: Final[Sequence[tuple[Any, Mapping[str, Any]]]] = (
    (
        gettext_lazy("1. Was kostet ein Punkt, und wer bekommt es?"),
        {"points": gettext_lazy("Wofür und an wen"), "points.rate": gettext_lazy("Cent je Punkt")},
    ),
    (
        gettext_lazy("2. Wird gerundet, und gibt es eine Grenze?"),
        {
            "points.round.to": gettext_lazy("Auf so viele Cent"),
            "points.round.how": gettext_lazy("Wie"),
            "points.cap": gettext_lazy("Höchstens so viele Euro je Person und Abend; leer: keine Grenze"),
        },
    ),
    (
        gettext_lazy("3. Was kostet ein Abend, und was ein Gast?"),
        {
            "fee.cents": gettext_lazy("Euro für jedes Mitglied, das da ist"),
            "guests.cents": gettext_lazy("Euro für einen Gast"),
            "guests.payer": gettext_lazy("Wer zahlt"),
        },
    ),
    (
        gettext_lazy("4. Und wer fehlt?"),
        {"absence": gettext_lazy("Beitrag, wenn jemand fehlt"), "missed": gettext_lazy("Euro, wenn jemand fehlt")},
    ),
    (gettext_lazy("5. Monatsbeitrag?"), {"dues.cents": gettext_lazy("Euro im Monat für jedes Mitglied")}),
    (gettext_lazy("Strafgelder zum Antippen"), {"fines": gettext_lazy("Ankreuzen, was es bei Ihnen gibt")}),
)
# The names of these fields in the previous version of the program, whose page may still be open.
_EARLIER_NAMES: Final = {
    "rate": "points.rate",
    "to": "points.round.to",
    "how": "points.round.how",
    "cap": "points.cap",
    "fee": "fee.cents",
    "guest": "guests.cents",
    "payer": "guests.payer",
    "dues": "dues.cents",
}


class TariffQuestionsForm(ContentForm):
    """The answers to the five questions."""

    def __init__(self, data: QueryDict | None, *, before: Tariff | None) -> None:
        if data is not None:
            data = data.copy()
            for earlier, name in _EARLIER_NAMES.items():
                if earlier in data:
                    data.setlist(name, data.getlist(earlier))
        labels = {name: label for _title, fields in _QUESTIONS for name, label in fields.items()}
        super().__init__(data, before=before, paths=[name for name in labels if name in _FIELDS])
        points = _read_points_answer(self.before) if before else "kasse"
        absence, missed = _read_absence_answer(self.before)
        self.fields["points"] = _build_answers(_POINTS, points)
        if self.fields["points.rate"].initial is None:
            self.fields["points.rate"].initial = _USUAL_RATE
        self.fields["absence"] = _build_answers(_ABSENCE, absence)
        self.fields["missed"] = EurosField(initial=missed)
        self.fields["fines"] = forms.MultipleChoiceField(
            choices=[(code, self._fine(code)) for code in OFFERED_FINES],
            initial=[code for code in OFFERED_FINES if code in self.before.get("fines", {})],
            required=False,
            widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
        )
        for name, label in labels.items():
            self.fields[name].label = label

    def _fine(self, code: str) -> str:
        form = self.before.get("fines", {}).get(code, OFFERED_FINES[code])
        return f"{get_fine_name(self.before, code)}: {describe_fine(read_fine(Fields(form, '', {})))}"

    def check(self) -> None:
        cleaned = self.cleaned_data
        if cleaned.get("points") == _OTHER:
            # What a point costs stays as well.
            cleaned["points.rate"] = self._initial("points.rate")
        if cleaned.get("points") in _ANSWERS and not self.errors.get("points.rate") and not cleaned.get("points.rate"):
            self.add_error("points.rate", _("Bitte Cent je Punkt angeben, wie 10 oder 2,5 oder 1/8."))
        if cleaned.get("absence") == "fixed" and not self.errors.get("missed") and not cleaned.get("missed"):
            self.add_error("missed", _("Bitte einen Betrag wie 3,50 eingeben."))

    def fill(self, content: dict[str, Any]) -> None:
        answer, absence, missed = (self.cleaned_data[name] for name in ("points", "absence", "missed"))
        super().fill(content)
        if answer in _ANSWERS:
            kept = {key: value for key, value in content["points"].items() if key not in _ANSWERED}
            content["points"] = {**kept, **_ANSWERS[answer]}
        elif answer == _NOTHING:
            del content["points"]
        if absence != _OTHER:
            average = {"average": ["points"]} if absence == "average" else {}
            cost = average | ({"plus": missed} if absence != _NOTHING and missed else {})
            content["absence"] = {"excused": cost, "unexcused": cost}
        fines = content.get("fines", {})
        ticked = {code: fines.get(code, OFFERED_FINES[code]) for code in self.cleaned_data["fines"]}
        content["fines"] = ticked | {code: form for code, form in fines.items() if code not in OFFERED_FINES}

    @property
    def questions(self) -> list[tuple[str, list[BoundField]]]:
        return [(str(title), [self[name] for name in fields]) for title, fields in _QUESTIONS]


def _build_answers(choices: Sequence[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    own = [(_OTHER, _("So wie jetzt"))] if initial == _OTHER else []
    radios = forms.RadioSelect(attrs={"class": "form-check-input"})
    return forms.ChoiceField(choices=[*choices, *own], initial=initial, widget=radios)


def _read_points_answer(content: Mapping[str, Any]) -> str:
    if "points" not in content:
        return _NOTHING
    scheme = {key: value for key, value in content["points"].items() if key in _ANSWERED}
    scheme = {key: value for key, value in scheme.items() if (key, value) not in (("winners", 0), ("winners", "0"))}
    return next((answer for answer, part in _ANSWERS.items() if part == scheme), _OTHER)


def _read_absence_answer(content: Mapping[str, Any]) -> tuple[str, int]:
    """Return the answer to the question who is absent, and the cents of it."""
    if "absence" not in content:
        return _NOTHING, 0
    absence = content["absence"]
    cost = absence.get("excused", {})
    is_asked = absence.keys() == {"excused", "unexcused"} and cost == absence["unexcused"]
    if is_asked and cost.get("average", []) in ([], ["points"]):
        return "average" if cost.get("average") else "fixed", cost.get("plus", 0)
    return _OTHER, 0


def _describe_fault(field: str, fault: Sentence) -> str:
    """Describe a fault in euros and without codes, since the field has a label."""
    if fault.text == MISSING:
        return _("Bitte ausfüllen.")
    if field == "points.amounts":
        return _("Bitte 1 bis 60 Beträge bis 10000 Euro eingeben, wie „2; 3; 4,50“.")
    if field == "pot.top_up":
        return _("Zum Nachlegen braucht es einen Betrag. Bitte hier einen eingeben, oder einen Einkauf.")
    if field.endswith(".steps"):
        return _("Bitte 1 bis 9 Stufen wie „3 × 0,50; 2 × 1; 2“ eingeben: Nur die letzte hat keine Anzahl.")
    return translate_sentence(fault)
