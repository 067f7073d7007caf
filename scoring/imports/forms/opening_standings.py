"""The form for opening standings, typed or read from a file: one row for each person, blank cells for unknown figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import KEY_LENGTH, NAME_LENGTH, Club, Player
from scoring.club.queries import find_other_spelling, get_ids_by_name_key, list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.forms import ConfirmingForm, DayInput, WholeField
from scoring.core.names import name_key
from scoring.core.text import parse_whole, tidy, validate_plain
from scoring.imports.models import Import
from scoring.imports.reading.opening_standings import read_totals
from scoring.imports.reading.uploads import FileRefused, FileSheet
from scoring.rulesets.models import RuleSet
from scoring.standings.models import FIGURES, MOST_COUNTED, MOST_POINTS, OpeningStanding

from .files import UploadForm, clean_file_name

# How many blank rows are added to those of the club's players, and by the button for more rows.
SPARE: Final = 4
MAX_ROWS: Final = 120
# Figures that are parts of others: part, whole, the field for the error, and its message.
_PARTS: Final = (
    ("solos_won", "wins", "solos_won", gettext_lazy("Mehr gewonnene Soli als Siege kann niemand haben.")),
    ("solos_won", "solos", "solos_won", gettext_lazy("Mehr gewonnene Soli als gespielte kann niemand haben.")),
    ("solos", "games", "solos", gettext_lazy("Mehr Soli als Spiele kann niemand haben.")),
    ("wins", "games", "wins", gettext_lazy("Mehr Siege als Spiele kann niemand haben.")),
    ("evenings", "games", "games", gettext_lazy("Weniger Spiele als Abende: Was nicht bekannt ist, bleibt bitte leer.")),
)


def find_contradictions(figures: Mapping[str, int | None]) -> dict[str, str]:
    errors: dict[str, str] = {}
    for one, other, figure, sentence in _PARTS:
        part, whole = figures.get(one), figures.get(other)
        if part is not None and whole is not None and part > whole:
            errors[figure] = str(sentence)
    if figures.get("games") and figures.get("evenings") == 0:
        errors["evenings"] = _("Spiele ohne einen Abend: Was nicht bekannt ist, bleibt bitte leer.")
    return errors


class TotalsUploadForm(UploadForm):
    """The upload of a list of totals; a cleaned form has what `read_totals` returns."""

    people: Sequence[Mapping[str, str]]
    until: str
    left_out: Sequence[str]

    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        return sheets

    def guess_kind(self, sheets: Sequence[FileSheet]) -> str:
        self.people, self.until, self.left_out = read_totals(sheets)
        if len(self.people) > MAX_ROWS:
            raise FileRefused(_("In der Datei stehen mehr als %(people)s Personen. Bitte teilen.") % {"people": MAX_ROWS})
        return Import.Kind.SUMS

    @property
    def values(self) -> dict[str, str]:
        values = {"until": self.until, "rows": str(len(self.people)), "file_name": self.file_name}
        for row, person in enumerate(self.people):
            values |= {f"{figure}_{row}": cell for figure, cell in person.items()}
            values[f"name_{row}"] = find_other_spelling(self.club, person["name"])
        return values


class OpeningStandingsForm(ConfirmingForm):
    """Opening standings; a cleaned form has the `people` and their `figures` by row, without rows that have only a name."""

    until = forms.DateField(
        label=gettext_lazy("Stand vom"), widget=DayInput(), help_text=gettext_lazy("Der letzte Tag, der darin enthalten ist.")
    )
    unit = forms.ChoiceField(label=gettext_lazy("Gezählt in"), choices=RuleSet.Unit.choices)

    # The file that was read, empty for typed standings.
    file_name = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, posted: Mapping[str, str] | None, *, club: Club, validate: bool = True) -> None:
        """Take typed values, or those of a file, which are not validated before the user has seen them."""
        self.club = club
        self._ids = get_ids_by_name_key(club)
        self._people = {player.pk: player for player in list_people(club)}
        counted = set(RuleSet.objects.filter(club=club).values_list("unit", flat=True))
        self.units = [unit for unit in RuleSet.Unit.values if unit in counted] or [RuleSet.Unit.POINTS.value]
        # The button for more rows does not validate yet.
        validate = validate and posted is not None and "more" not in posted
        super().__init__(posted if validate else None, initial={"unit": self.units[0], **(posted or {})})
        names = self._list_names() if posted is None else []
        rows = len(names) + SPARE
        if posted is not None:
            rows = min((parse_whole(posted.get("rows", "")) or SPARE) + (SPARE if "more" in posted else 0), MAX_ROWS)
        for row in range(rows):
            self._add_row(row, names[row] if row < len(names) else "")

    def _list_names(self) -> list[str]:
        existing = set(OpeningStanding.objects.filter(player__club=self.club).values_list("player", flat=True))
        offered = [one.name for one in self._people.values() if not one.guest and one.pk not in existing]
        return offered[: MAX_ROWS - SPARE]

    def _add_row(self, row: int, name: str) -> None:
        self.fields[f"name_{row}"] = forms.CharField(
            label=_("Name"),
            required=False,
            max_length=NAME_LENGTH,
            validators=[validate_plain],
            initial=name or None,
            widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
        )
        for key, field in forms.fields_for_model(OpeningStanding, FIGURES).items():
            least, most = (-MOST_POINTS, MOST_POINTS) if key == "points" else (0, MOST_COUNTED)
            self.fields[f"{key}_{row}"] = WholeField(label=field.label, required=False, min_value=least, max_value=most)

    def clean_until(self) -> Any:
        day = self.cleaned_data["until"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("Dieser Tag liegt in der Zukunft."))
        return day

    def clean_file_name(self) -> str:
        return clean_file_name(self.cleaned_data["file_name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.ask_once("until", cleaned.get("until"), build_long_ago_warning(self.club, cleaned.get("until")))
        known = OpeningStanding.objects.filter(player__club=self.club, unit=cleaned.get("unit", ""))
        existing = set(known.values_list("player", flat=True))
        seen: set[str] = set()
        for row in self._numbers:
            self._check_row(row, cleaned, seen, existing)
        if not self.errors and not self.people:
            self.add_error(None, _("Bitte für mindestens eine Person die Punkte eingeben."))
        return cleaned

    def _check_row(self, row: int, cleaned: Mapping[str, Any], seen: set[str], existing: set[int]) -> None:
        figures = self._get_figures(row)
        is_filled = any(self.data.get(f"{key}_{row}", "").strip() for key in FIGURES)
        if not is_filled or any(f"{key}_{row}" in self.errors for key in ("name", *FIGURES)):
            return
        name = tidy(cleaned.get(f"name_{row}", ""))
        key = name_key(name)
        if not key:
            self.add_error(f"name_{row}", _("Bitte einen Namen eingeben."))
        elif len(key) > KEY_LENGTH:
            self.add_error(f"name_{row}", _("Bitte einen kürzeren Namen eingeben."))
        elif key in seen:
            self.add_error(f"name_{row}", _("Diese Person steht schon weiter oben."))
        elif self._ids.get(key) in existing:
            sentence = _("Diese Person hat schon einen Anfangsstand. Er lässt sich zurücknehmen und neu eingeben.")
            self.add_error(f"name_{row}", sentence)
        seen.add(key)
        if figures["points"] is None:
            self.add_error(f"points_{row}", _("Ohne Punkte lässt sich nichts übernehmen. Gab es keine, bitte 0 eintragen."))
        for figure, sentence in find_contradictions(figures).items():
            self.add_error(f"{figure}_{row}", sentence)

    def _get_figures(self, row: int) -> dict[str, int | None]:
        return {key: self.cleaned_data.get(f"{key}_{row}") for key in FIGURES}

    @property
    def _numbers(self) -> list[int]:
        return [int(name.removeprefix("name_")) for name in self.fields if name.startswith("name_")]

    @cached_property
    def people(self) -> dict[int, Player]:
        people: dict[int, Player] = {}
        for row in self._numbers:
            name = tidy(self.cleaned_data.get(f"name_{row}") or "")
            if self.cleaned_data.get(f"points_{row}") is not None:
                known = self._ids.get(name_key(name))
                people[row] = Player(name=name) if known is None else self._people[known]
        return people

    @property
    def figures(self) -> dict[int, dict[str, int | None]]:
        return {row: self._get_figures(row) for row in self.people}

    @property
    def names(self) -> list[str]:
        return [player.name for player in self._people.values()]

    @property
    def cards(self) -> list[tuple[BoundField, list[BoundField], bool]]:
        """The rows: the field of the name, those of the figures, and whether this is a new player."""
        cards = []
        for row in self._numbers:
            name = self[f"name_{row}"]
            key = name_key(tidy(name.value() or ""))
            is_new = bool(key) and key not in self._ids
            cards.append((name, [self[f"{figure}_{row}"] for figure in FIGURES], is_new))
        return cards

