"""The fines of a tariff as rows of fields: what each is called, in which form it costs, and how much."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.rules.amounts import cents_typed
from scoring.cash.rules.fines import LONGEST_NAME
from scoring.cash.words.fines import FINES, fine_name
from scoring.core.forms import WholeField
from scoring.core.text import build_code, tidy, validate_plain

from .amounts import EurosField, written

_BLANK: Final = 3
_FORMS: Final = (
    ("each", gettext_lazy("je Mal")),
    ("minutes", gettext_lazy("für jede angefangene Zahl von Minuten")),
    ("steps", gettext_lazy("in Stufen")),
    ("lost", gettext_lazy("je verlorenem Spiel, in Stufen")),
    ("open", gettext_lazy("Betrag wird eingetragen")),
)
_STEP: Final = re.compile(r"(?:([0-9]{1,3})\s*[x×*]\s*)?(\S+)")


class FineRows:
    """The rows of a form: those that there are, and a few blank ones. A row whose name is emptied goes."""

    def __init__(self, form: forms.Form, before: Mapping[str, Any]) -> None:
        self.form, self.before = form, before
        self.codes: list[str] = [*before.get("fines", {}), *[""] * _BLANK]
        for number, code in enumerate(self.codes):
            fine = before.get("fines", {}).get(code, {})
            name = fine_name(before, code) if code else ""
            self._add(number, "name", forms.CharField(label=_("Strafgeld"), required=False, max_length=LONGEST_NAME), name)
            kinds = forms.ChoiceField(label=_("Kostet"), choices=_FORMS, required=False)
            self._add(number, "form", kinds, _form_of(fine))
            self._add(number, "cents", EurosField(label=_("Euro")), fine.get("cents"))
            minutes = WholeField(label=_("Minuten"), required=False, min_value=1, max_value=1440)
            self._add(number, "minutes", minutes, fine.get("minutes"))
            self._add(number, "cap", EurosField(label=_("Höchstens Euro")), fine.get("cap"))
            steps = forms.CharField(label=_("Stufen, wie 3 × 0,50; 2 × 1; 2"), required=False, max_length=200)
            self._add(number, "steps", steps, _steps_written(fine.get("steps", [])))

    def _add(self, number: int, name: str, field: forms.Field, initial: Any) -> None:
        field.initial = initial
        is_choice = isinstance(field, forms.ChoiceField)
        field.widget.attrs["class"] = "form-select" if is_choice else "form-control"
        self.form.fields[f"fine{number}.{name}"] = field

    @property
    def rows(self) -> list[tuple[str, list[BoundField]]]:
        """Each row with what it is called; "" for a blank one."""
        names = ("name", "form", "cents", "minutes", "cap", "steps")
        return [
            (code and fine_name(self.before, code), [self.form[f"fine{number}.{name}"] for name in names])
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
            if name and self._value(number, "form") in ("steps", "lost") and _steps_read(steps or "") is None:
                self.form.add_error(f"fine{number}.steps", _("Bitte Stufen wie „3 × 0,50; 2 × 1; 2“ eingeben."))

    def _value(self, number: int, name: str) -> Any:
        return self.form.cleaned_data.get(f"fine{number}.{name}")

    @property
    def content(self) -> dict[str, Any]:
        return {code: self._fine(number) for code, number in self._named().items()}

    def _named(self) -> dict[str, int]:
        """The code of every row that has a name, its own or one made from the name."""
        found: dict[str, int] = {}
        for number, code in enumerate(self.codes):
            if name := tidy(self._value(number, "name") or ""):
                code = code or build_code(name, {*found, *self.codes})
                found[code] = number
        return found

    def _fine(self, number: int) -> dict[str, Any]:
        code = next(code for code, row in self._named().items() if row == number)
        name, form = tidy(self._value(number, "name")), self._value(number, "form") or "each"
        said: dict[str, Any] = {} if name == str(FINES.get(code, "")) else {"name": name}
        if form == "open":
            return said | {"open": True}
        if form in ("steps", "lost"):
            steps = {"steps": _steps_read(self._value(number, "steps") or "") or []}
            return said | steps | ({"counts": "lost_games"} if form == "lost" else {})
        said["cents"] = self._value(number, "cents") or 0
        if form == "minutes":
            said["minutes"] = self._value(number, "minutes") or 1
            if cap := self._value(number, "cap"):
                said["cap"] = cap
        return said

    def field_at(self, path: str) -> str | None:
        """The field of a path of the tariff that lies in its fines."""
        part, _dot, rest = path.partition(".")
        code, _dot, key = rest.partition(".")
        number = self._named().get(code) if part == "fines" else None
        if number is None:
            return None
        known = f"fine{number}.{key.partition('.')[0]}"
        return known if known in self.form.fields else f"fine{number}.name"


def _form_of(fine: Mapping[str, Any]) -> str:
    if "steps" in fine:
        return "lost" if fine.get("counts") == "lost_games" else "steps"
    return "open" if "open" in fine else "minutes" if "minutes" in fine else "each"


def _steps_written(steps: Any) -> str:
    return "; ".join(f"{many} × {written(cents) or '0'}" if many else written(cents) or "0" for many, cents in steps)


def _steps_read(text: str) -> list[list[int | None]] | None:
    """The steps as the tariff says them; None where they cannot be read."""
    found: list[list[int | None]] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        match = _STEP.fullmatch(part)
        cents = cents_typed(match[2]) if match else None
        if match is None or cents is None:
            return None
        found.append([int(match[1]) if match[1] else None, cents])
    return found or None
