"""The form for an old list. Everything is proposed from the file, and exactly what was shown is taken in."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.club.models import Club
from scoring.core.formats import format_signed
from scoring.core.forms import build_day_field
from scoring.core.names import name_key
from scoring.core.text import text_key
from scoring.evenings.queries import get_last_line_up
from scoring.imports.actions import TOO_BIG, WITHOUT_BOCK, build_old_rules, is_too_big
from scoring.imports.models import Import
from scoring.imports.queries import find_usual_weekday, get_taken_sheets
from scoring.imports.reading.cells import format_column, get_cell, is_week, is_word, read_euros, read_points
from scoring.imports.reading.days import MONTHLY
from scoring.imports.reading.evenings import (
    BY_SHEET,
    BY_YEAR,
    NO_DAY,
    NO_ZEROS,
    OVER_ALL_EVENINGS,
    POINTS,
    TOTALS,
    Reading,
    ReadingOptions,
    is_certainly_in_euros,
    lacks_month,
    lacks_year,
    list_new_starts,
    preview_column,
    preview_total,
    propose_cells,
    propose_kind,
    read_evenings,
    read_games,
)
from scoring.imports.reading.layouts import AS_IS, LONG, TURNED
from scoring.imports.reading.outline import (
    NO_COLUMN,
    Exclusion,
    Outline,
    PersonColumn,
    Phrase,
    Remark,
    format_points,
    format_row,
)
from scoring.imports.reading.sheets import explain_no_list, join_sheets, outline_sheet, outline_sheets, select_alike
from scoring.imports.reading.uploads import FileRefused, FileSheet, select_lists
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets

from .files import (
    LEAVE,
    NEW,
    SKIP,
    TEXTS,
    ColumnsForm,
    get_field_name,
    get_guest_field_name,
    get_leave_field_name,
    list_repeated,
    propose_joins,
)
from .grid import AMOUNT, DAY, NOTE, OUT, PLACE, PLAYER, TOTAL, iter_grid_rows, list_legend, list_skipped, list_titles

SHAPES: Final = (AS_IS, TURNED, LONG)


def get_sheet_field_name(index: int) -> str:
    return f"sheet_{index}"


# The fields for the rows of headings and of the first points and the column of days, with their arguments of `build_outline`.
SPOTS: Final = {"head": "head", "from_row": "first", "day_column": "day"}
_SPOT: Final = re.compile(r"(head|first|day)=(-?[0-9]{1,4})")
# How many rows can be chosen, and the length of the text that shows one.
ROWS_TO_CHOOSE: Final = 25
LENGTH_OF_ROW: Final = 50
Choices = list[tuple[str, str]]


class Layout:
    """The selected sheets of a file and their shape, by default all sheets that are lists and were not taken in before.
    `shape` is the posted one, empty if each sheet keeps its own; `spots` are the `SPOTS` that the user has chosen; `faults` are
    errors by field. `taken` are the sheets that were taken in before, `known` the name keys of players. Creating it raises
    FileRefused if no sheet is a list."""

    def __init__(
        self, sheets: Sequence[FileSheet], posted: Mapping[str, str], taken: Collection[int], known: Collection[str]
    ) -> None:
        self._sheets, self._taken, self._known = sheets, taken, known
        self.faults: dict[str, str] = {}
        self._outlines = outline_sheets(sheets, known=known)
        before, shape_before, spots_before = [*posted.get("of_sheet", "").split("|"), "", ""][:3]
        self._selected_before = [int(index[:4]) for index in before.split(".") if index.isdecimal()]
        self._shape_before = shape_before if shape_before in SHAPES else ""
        self._spots_before = {name: int(value) for name, value in _SPOT.findall(spots_before)}
        # The posted shape counts if it differs from the guess, or was posted before.
        shape, guess = posted.get("shape", ""), next(iter(self._outlines.values())).shape
        self.shape = shape if shape in SHAPES and (shape != guess or self._shape_before) else ""
        if self.shape:
            try:
                self._outlines = outline_sheets(sheets, self.shape, known)
            except FileRefused as refused:
                self.faults["shape"], self.shape = str(refused), ""
        self.selected = self._select(posted)
        self.has_same_rows = (self._selected_before, self._shape_before) == (self.selected, self.shape)
        self.spots: dict[str, int] = {}
        if self.has_same_rows and self.spot_choices:
            self._choose_spots(posted)

    def _choose_spots(self, posted: Mapping[str, str]) -> None:
        """Use the spots of before, and then the posted ones that differ from those that the page has shown."""
        self._use_spots(self._spots_before, "head")
        shown, choices = self.build_spot_values(), self.spot_choices
        changed = [name for name in SPOTS if posted.get(name) in dict(choices[name]) and posted[name] != shown[name]]
        if changed:
            self._use_spots({**self.spots, **{SPOTS[name]: int(posted[name]) for name in changed}}, changed[0])

    def _use_spots(self, spots: dict[str, int], field: str) -> None:
        if spots == self.spots:
            return
        try:
            outlines = {index: outline_sheet(self._sheets[index], self.shape, self._known, **spots) for index in self.selected}
        except FileRefused as refused:
            self.faults[field] = str(refused)
        else:
            self._outlines, self.spots = self._outlines | outlines, spots

    @property
    def spot_choices(self) -> dict[str, Choices]:
        """The choices of each spot; empty if the rows of the sheets are rearranged or their spots differ."""
        first, sheet = self._outlines[self.selected[0]], self._sheets[self.selected[0]]
        outlines = [self._outlines[index] for index in self.selected]
        spots = {(outline.head, outline.first, outline.label) for outline in outlines}
        if len(spots) > 1 or any(outline.places for outline in outlines):
            return {}
        labels = {
            index: f"{format_row(index + 1)}: {Truncator(' · '.join(filter(None, row))).chars(LENGTH_OF_ROW)}"
            for index, row in enumerate(sheet.rows)
            if any(row)
        }
        heads, below = list(labels)[:ROWS_TO_CHOOSE], [index for index in labels if index > first.head][:ROWS_TO_CHOOSE]
        rows = sheet.rows[first.head :]
        above = sheet.rows[first.head - 1] if first.head else []
        texts = [
            next(filter(None, (get_cell(row, index) for row in (rows[0], above, *rows[1:]))), "")
            for index in range(max(map(len, rows)))
        ]
        columns = [(str(index), f"{format_column(index)}: {text}") for index, text in enumerate(texts) if text]
        return {
            "head": [(str(index), labels[index]) for index in heads],
            "from_row": [(str(index), labels[index]) for index in below],
            "day_column": [*columns, (str(NO_COLUMN), _("in keiner"))],
        }

    def build_spot_values(self) -> dict[str, str]:
        """Return the values of the spots that are used."""
        outline = self._outlines[self.selected[0]]
        first = next((index for index, _label in self.spot_choices["from_row"] if int(index) >= outline.first), "")
        # Days from a title or the name of the sheet are in no column of the file.
        day = str(outline.label) if str(outline.label) in dict(self.spot_choices["day_column"]) else str(NO_COLUMN)
        return {"head": str(outline.head), "from_row": first, "day_column": day}

    def _select(self, posted: Mapping[str, str]) -> list[int]:
        together = select_alike(self._sheets, self._outlines)
        proposed = [index for index in together if index not in self._taken] or together
        if "of_sheet" not in posted or len(self._outlines) == 1:
            return proposed
        selected = [index for index in self._outlines if get_sheet_field_name(index) in posted]
        if not selected:
            self.faults[get_sheet_field_name(proposed[0])] = _("Bitte mindestens ein Blatt wählen.")
        return selected or proposed

    @property
    def key(self) -> str:
        """The value of the field `of_sheet`: the indexes of the selected sheets, the shape and the chosen spots."""
        spots = ",".join(f"{name}={value}" for name, value in sorted(self.spots.items()))
        return f"{'.'.join(map(str, self.selected))}|{self.shape}" + (f"|{spots}" if spots else "")

    @cached_property
    def outline(self) -> Outline:
        return join_sheets(self._sheets, {index: self._outlines[index] for index in self.selected})

    def list_previous_columns(self) -> Sequence[PersonColumn]:
        selected = [index for index in self._selected_before if index < len(self._sheets)]
        try:
            outlines = {
                index: outline_sheet(self._sheets[index], self._shape_before, self._known, **self._spots_before)
                for index in selected
            }
        except FileRefused:
            return []
        return join_sheets(self._sheets, outlines).columns if outlines else []

    def build_values(self) -> dict[str, str]:
        return {
            "of_sheet": self.key,
            "shape": self.shape or self.outline.shape,
            **(self.build_spot_values() if self.spot_choices else {}),
            **{get_sheet_field_name(index): "on" for index in self.selected if len(self._outlines) > 1},
        }

    def build_labels(self) -> dict[int, str]:
        if len(self._outlines) == 1:
            return {}
        labels = {index: self._sheets[index].name for index in self._outlines}
        for index, name in labels.items():
            if index in self._taken:
                labels[index] = _("%(sheet)s (schon übernommen)") % {"sheet": name}
            elif self._sheets[index].hidden:
                labels[index] = _("%(sheet)s (ausgeblendet)") % {"sheet": name}
        return labels

    def list_hidden(self) -> list[tuple[str, str]]:
        """Return the hidden sheets that are lists and not selected, each with its field."""
        return [
            (get_sheet_field_name(index), self._sheets[index].name)
            for index in self._outlines
            if self._sheets[index].hidden and index not in self.selected and index not in self._taken
        ]

    def list_left_out(self) -> list[Remark]:
        """Return remarks about the sheets that are no lists or not selected."""
        place = _("Blatt „%(sheet)s“")
        remarks = []
        for index in sorted(range(len(self._sheets)), key=self._outlines.__contains__):
            sheet, is_list = self._sheets[index], index in self._outlines
            if is_list and (index in self.selected or index in self._taken):
                continue
            reason = _("ist nicht angekreuzt") if is_list else ""
            if sheet.hidden:
                reason = _("ist ausgeblendet")
            reason = reason or explain_no_list(sheet, self.shape, self._known)
            remarks.append(Remark(0, reason, place % {"sheet": sheet.name}))
        return remarks


NEW_IN_CENTS: Final = "new_cents"


class RuleChoices:
    """The rule sets to choose from: those of the club, and new ones in points or cents."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._existing = {str(rule_set.pk): rule_set for rule_set in list_current_rule_sets(club)}
        self._new = {
            NEW: build_old_rules(_("Übernommen")),
            NEW_IN_CENTS: build_old_rules(_("Übernommen in Cent"), RuleSet.Unit.CENTS),
        }

    def get(self, choice: str) -> RuleSet:
        return self._existing.get(choice) or self._new[choice]

    def is_in_cents(self, choice: str) -> bool:
        rules = self._existing.get(choice) or self._new.get(choice)
        return rules is not None and rules.unit == RuleSet.Unit.CENTS

    def build_choices(self) -> list[tuple[str, str]]:
        labels = {NEW: _("neu: „%(name)s“, ohne Bock"), NEW_IN_CENTS: _("neu: „%(name)s“, ohne Bock, für Beträge in Euro")}
        names = {rule_set.name for rule_set in self._existing.values()}
        new = [(key, labels[key] % {"name": rules.name}) for key, rules in self._new.items() if rules.name not in names]
        return [*((pk, str(rule_set)) for pk, rule_set in self._existing.items()), *new]

    def propose(self, kind: str, in_euros: bool) -> str:
        """Propose the rules of the last evening; for games only without Bock, for euros only in cents."""
        last, _players = get_last_line_up(self._club)
        without_bock = kind == Import.Kind.GAMES
        fitting = [
            pk
            for pk, rule_set in self._existing.items()
            if not (in_euros and rule_set.unit != RuleSet.Unit.CENTS) and not (without_bock and has_bock(rule_set.rules))
        ]
        if last is not None and str(last.pk) in fitting:
            return str(last.pk)
        if in_euros:
            return next(iter(fitting), NEW_IN_CENTS)
        return next((pk for pk in fitting if self._existing[pk].name == self._new[NEW].name), NEW)


def has_bock(rules: RuleSettings) -> bool:
    """Return whether a Bock can start, at any size of table."""
    return any(rules.at(people).has_bock for people in SEATS)


def build_cell_choices(outline: Outline, people: Sequence[int], kind: str, sure: bool) -> Choices:
    """Return the choices of what the cells hold. Unless the guess is `sure`, each shows the total of the first person by it."""
    if kind == Import.Kind.GAMES:
        return [
            (POINTS, _("Punkte dieses Spiels")),
            (TOTALS, _("Punktestand nach dem Spiel")),
            (OVER_ALL_EVENINGS, _("Punktestand nach dem Spiel, über alle Abende")),
        ]
    anew = {
        BY_SHEET: _("Punktestand nach dem Abend, auf jedem Blatt von vorn"),
        BY_YEAR: _("Punktestand nach dem Abend, jedes Jahr von vorn"),
    }
    choices = [
        (POINTS, _("Punkte dieses Abends")),
        (NO_ZEROS, _("Punkte dieses Abends, 0 heißt: nicht dabei")),
        (TOTALS, _("Punktestand nach dem Abend")),
    ]
    choices += [(options, anew[options]) for options in list_new_starts(outline, people)]
    if sure:
        return choices
    please = ("", _("Bitte wählen"))
    column = next((column for column in outline.columns if column.index in people), None)
    if column is None:
        return [please, *choices]
    sentence = _("%(choice)s: %(name)s kommt auf %(points)s")
    totals = {key: preview_total(outline, people, column.index, key) for key, _label in choices}
    values = [(key, {"choice": label, "name": column.title, "points": totals[key]}) for key, label in choices]
    return [please, *((key, sentence % of_choice) for key, of_choice in values)]


EUROS, CENTS = "euros", "cents"
# Headings of a column with places.
PLACES: Final = frozenset({"ort", "wo", "bei", "spielort", "lokal", "gastgeber", "gastgeberin"})
# Headings of a column with remarks.
NOTES: Final = frozenset({"bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "kommentar", "notiz", "notizen", "note"})
# Headings of a column for guests.
GUESTS: Final = frozenset({"gast", "gaste", "gaeste"})
FIRST_YEAR: Final = NO_DAY.year


def list_word_columns(outline: Outline) -> list[int]:
    """List the columns that are no person's and have mostly words, by index."""
    cells = {column.index: list(filter(None, outline.list_cells([column.index]))) for column in outline.columns if column.exclusion}
    return [index for index, texts in cells.items() if texts and 2 * sum(map(is_word, texts)) > len(texts)]


class ImportForm(ColumnsForm):
    """The preview of a waiting list, always bound: to the posted values, otherwise to proposals.
    A cleaned form has the `people` of the columns, the `rules` and the `reading`. Creating it raises FileRefused if the file is no
    list."""

    joins = True

    shape = forms.ChoiceField(
        label=gettext_lazy("Wie ist das Blatt aufgebaut?"),
        choices=[
            (AS_IS, gettext_lazy("Personen nebeneinander, Tage untereinander")),
            (TURNED, gettext_lazy("Personen untereinander, Tage nebeneinander")),
            (LONG, gettext_lazy("Eine Zeile je Person und Abend")),
        ],
    )
    head = forms.ChoiceField(label=gettext_lazy("Wo stehen die Überschriften?"), required=False)
    from_row = forms.ChoiceField(label=gettext_lazy("Wo beginnt die Liste?"), required=False)
    day_column = forms.ChoiceField(label=gettext_lazy("In welcher Spalte stehen die Tage?"), required=False)
    kind = forms.ChoiceField(
        label=gettext_lazy("Was steht in einer Zeile?"),
        choices=[(Import.Kind.EVENINGS, gettext_lazy("Ein Abend")), (Import.Kind.GAMES, gettext_lazy("Ein Spiel"))],
    )
    cells = forms.ChoiceField(
        label=gettext_lazy("Was steht in den Zellen?"),
        error_messages={"required": gettext_lazy("Das lässt sich der Datei nicht sicher ansehen. Bitte wählen.")},
    )
    money = forms.ChoiceField(
        label=gettext_lazy("Wie sind die Beträge geschrieben?"),
        choices=[(EUROS, gettext_lazy("In Euro, wie 2,50")), (CENTS, gettext_lazy("In Cent, wie 250"))],
    )
    day = build_day_field(gettext_lazy("Tag des Abends"))
    first = build_day_field(gettext_lazy("Tag des ersten Abends"))
    rhythm = forms.ChoiceField(
        label=gettext_lazy("Wie oft wurde gespielt?"),
        choices=[
            ("week", gettext_lazy("jede Woche")),
            ("fortnight", gettext_lazy("alle zwei Wochen")),
            ("three_weeks", gettext_lazy("alle drei Wochen")),
            ("four_weeks", gettext_lazy("alle vier Wochen")),
            (MONTHLY, gettext_lazy("jeden Monat am gleichen Wochentag")),
        ],
    )
    year = forms.IntegerField(label=gettext_lazy("Jahr des ersten Abends"), required=False, min_value=FIRST_YEAR, max_value=9999)
    month = forms.TypedChoiceField(
        label=gettext_lazy("Monat des ersten Abends"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", gettext_lazy("Bitte wählen")), *((str(month), name) for month, name in MONTHS.items())],
    )
    weekday = forms.ChoiceField(
        label=gettext_lazy("An welchem Wochentag wurde gespielt?"), choices=[(str(day), name) for day, name in WEEKDAYS.items()]
    )

    def __init__(self, posted: Mapping[str, str] | None, *, file: Import) -> None:
        self.file, self.club = file, file.club
        self.sheets = select_lists([FileSheet.load(**sheet) for sheet in file.sheets or ()])
        self._posted = posted or {}
        self._rule_choices = RuleChoices(self.club)
        self.taken = get_taken_sheets(file)
        self.layout = Layout(self.sheets, self._posted, self.taken, self.known.keys())
        self.outline = self.layout.outline
        self.candidates = self.outline.columns
        super().__init__({**self._propose(), **self._values, **self.tick_rows(self._values, self.outline)})
        choices = {"cells": build_cell_choices(self.outline, self._selected, self.data["kind"], sure="cells" not in self._doubtful)}
        for name, values in (choices | self.layout.spot_choices).items():
            self.fields[name].choices = values  # type: ignore[attr-defined]  # a field of choices
        for index, label in self.layout.build_labels().items():
            self.fields[get_sheet_field_name(index)] = forms.BooleanField(label=label, required=False)
        self.fields["rule_set"] = forms.ChoiceField(label=_("Unter welchen Regeln?"), choices=self._rule_choices.build_choices())
        self.add_column_fields()

    @cached_property
    def _values(self) -> dict[str, str]:
        """The posted values; for another selection of sheets only those that still apply, with the players by name."""
        if self._posted.get("of_sheet") == self.layout.key:
            return dict(self._posted)
        names = ("rule_set", "day", "first", "rhythm", "year", "month", "weekday", "money")
        leave = filter(LEAVE.fullmatch, self._posted) if self.layout.has_same_rows else ()
        values = {name: self._posted[name] for name in (*names, *leave) if name in self._posted}
        for column in self.layout.list_previous_columns():
            if get_field_name(column) in self._posted and column.name:
                same = (new for new in self.outline.columns if name_key(new.name) == name_key(column.name) and not new.exclusion)
                values |= {get_field_name(new): self._posted[get_field_name(column)] for new in same}
        return values

    def _propose(self) -> dict[str, str]:
        kind = self._values.get("kind") or propose_kind(self.outline)
        columns = self.propose_people(self._values)
        columns |= {name: join for name, join in propose_joins(self.outline, columns).items() if name not in self._values}
        self.word_columns = list_word_columns(self.outline)
        headings = {column.index: text_key(column.name).rstrip(":") for column in self.outline.columns}
        texts = {f"column_{index}": NOTE for index in self.word_columns if headings[index] in NOTES}
        places = [index for index in self.word_columns if headings[index] in PLACES]
        texts |= {f"column_{index}": PLACE for index in places[:1]}
        columns |= {name: role for name, role in texts.items() if name not in self._values}
        twice = list_repeated(self.outline)
        self.undecided = {column.index for column in twice}
        columns |= {get_field_name(column): "" for column in twice if get_field_name(column) not in self._values}
        excluded = (SKIP, *TEXTS, "")
        self._selected = [column.index for column in self.outline.columns if columns[get_field_name(column)] not in excluded]
        cells = propose_cells(self.outline, self._selected, kind)
        self._doubtful = {"day", "first", "rhythm", "month", "weekday", *([] if cells else ["cells"])}
        proposed = {
            **self.layout.build_values(),
            "kind": kind,
            "cells": cells,
            "money": EUROS if self.outline.looks_like_euros(self._selected) else CENTS,
            "rhythm": "fortnight",
            "rule_set": self._rule_choices.propose(kind, in_euros=is_certainly_in_euros(self.outline, self._selected)),
            "weekday": str(find_usual_weekday(self.club) if self._has_weeks else 0),
            **columns,
        }
        if "of_sheet" not in self._values:
            new = (column for column in self.outline.columns if columns[get_field_name(column)] == NEW)
            guests = (column for column in new if column.guest or text_key(column.name).split(" ")[0] in GUESTS)
            proposed |= {get_guest_field_name(column): "on" for column in guests}
        years = self.outline.years
        if self._lacks_year and (len(years) == 1 or (years and not self.outline.parts)):
            proposed["year"] = str(years[0])
        if len(years) != 1:
            self._doubtful.add("year")
        if self.outline.label is None:
            self._doubtful |= {"kind", "day_column"}
        return proposed

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for field, sentence in self.layout.faults.items():
            self.add_error(field, sentence)
        if cleaned.get("kind") == Import.Kind.EVENINGS and self.outline.label is None:
            sentence = _(
                "Für eine Liste nach Abenden fehlt eine Spalte mit dem Datum. Bitte in der Datei zu jedem Abend seinen Tag "
                "schreiben, oder eine Spalte mit den Nummern der Abende „Abend“ nennen; sind nur Summen übrig, „Anfangsstand "
                "eingeben“."
            )
            self.add_error("kind", sentence)
        if cleaned.get("kind") == Import.Kind.GAMES and "rule_set" in cleaned and has_bock(self.rules):
            self.add_error("rule_set", WITHOUT_BOCK)
        for field in ("day", "first"):
            if (day := cleaned.get(field)) and not NO_DAY <= day <= timezone.localdate():
                self.add_error(field, _("Bitte einen Tag von 1950 bis heute."))
        if (year := cleaned.get("year")) and year > timezone.localdate().year:
            self.add_error("year", _("Dieses Jahr liegt in der Zukunft."))
        if not self.check_people():
            self.add_error(None, _("Mindestens eine Spalte muss zu einer Person gehören."))
        return cleaned

    @property
    def chosen_rules(self) -> RuleSet:
        return self._rule_choices.get(self.cleaned_data["rule_set"])

    @property
    def rules(self) -> RuleSettings:
        return self.chosen_rules.rules

    @cached_property
    def reading(self) -> Reading:
        if not self.is_valid():
            return Reading()
        if self.cleaned_data["kind"] == Import.Kind.EVENINGS:
            return read_evenings(self.outline, list(self.first_columns), self.options)
        return read_games(self.outline, list(self.first_columns), self.options, self.rules)

    @property
    def options(self) -> ReadingOptions:
        cleaned = self.cleaned_data
        return ReadingOptions(
            parse=read_euros if self._in_euros else read_points,
            cells=cleaned["cells"],
            day=cleaned["day"],
            first=cleaned["first"],
            rhythm=cleaned["rhythm"],
            year=cleaned["year"],
            month=cleaned["month"],
            weekday=int(cleaned["weekday"]),
            first_columns=self.first_columns,
            leave=frozenset(self.leave),
            place=next(iter(self._list_texts(PLACE)), None),
            notes=self._list_texts(NOTE),
        )

    def _list_texts(self, role: str) -> list[int]:
        """List the columns with this role: places or remarks."""
        return [index for index in self.word_columns if self.data[f"column_{index}"] == role]

    @property
    def report(self) -> dict[str, Any]:
        report = self.reading.report()
        by_hand = [[self.outline.place(row) or row, Phrase(gettext_noop("ist von Hand ausgelassen"))] for row in sorted(self.leave)]
        return {**report, "left_out": [*report["left_out"], *by_hand], "sheets": self.layout.selected}

    @property
    def may_be_taken(self) -> bool:
        if not self.is_valid() or self.reading.faults or self.reading.asks:
            return False
        return bool(self.reading.sittings) and not self.too_big

    @cached_property
    def too_big(self) -> str:
        """The reason why this cannot be taken in all at once, or an empty string."""
        return str(TOO_BIG) if is_too_big(self.reading.sittings) else ""

    @property
    def sheet_fields(self) -> list[BoundField]:
        return [self[get_sheet_field_name(index)] for index in self.layout.build_labels()]

    @property
    def questions(self) -> list[BoundField]:
        """The fields except those of sheets and columns."""
        names = ["shape", *self.layout.spot_choices, "kind", "cells"]
        if self.outline.day is None and self.outline.number is not None:
            names += ["first", "rhythm"]
        elif self.outline.day is None and self.data["kind"] == Import.Kind.GAMES:
            names.append("day")
        if lacks_month(self.outline):
            names.append("month")
        if self._lacks_year:
            names.append("year")
        if self._has_weeks:
            names.append("weekday")
        names.append("rule_set")
        if self._rule_choices.is_in_cents(self.data["rule_set"]):
            names.append("money")
        return [self[name] for name in names]

    @property
    def open_questions(self) -> list[BoundField]:
        """The questions that the file leaves in doubt, and those with errors."""
        doubtful = self._doubtful | ({"rule_set", "money"} if self.may_be_in_euros else set())
        return [field for field in self.questions if field.name in doubtful or field.errors]

    @property
    def folded_questions(self) -> list[BoundField]:
        return [field for field in self.questions if field.name not in {field.name for field in self.open_questions}]

    @property
    def folded_guesses(self) -> list[str]:
        """The labels of the guesses about the figures that are folded."""
        folded = [field for field in self.folded_questions if field.name in ("shape", "kind", "cells")]
        return [str(dict(field.field.choices).get(field.value(), "")) for field in folded]  # type: ignore[attr-defined]  # choices

    @property
    def _lacks_year(self) -> bool:
        return lacks_year(self.outline) or lacks_month(self.outline)

    @cached_property
    def _has_weeks(self) -> bool:
        return any(map(is_week, self.outline.days()))

    @cached_property
    def columns(self) -> list[dict[str, Any]]:
        """The columns, each with its fields, its points and evenings, and what it would bring if it is left out."""
        return [self._show(column) for column in self.outline.columns]

    def _show(self, column: PersonColumn) -> dict[str, Any]:
        index, first_columns = column.index, self.first_columns if self.is_valid() else {}
        first = first_columns.get(index)
        left_out = bool(first_columns) and first is None
        is_new = self.data[get_field_name(column)] == NEW and bool(column.name)
        return {
            "column": column,
            "field": self[get_field_name(column)],
            "guest": self[get_guest_field_name(column)] if is_new else None,
            "sums": self.reading.totals(index),
            "role": self._find_role(column),
            "letters": "" if self.outline.places else format_column(index),
            "would": preview_column(self.outline, list(first_columns), index, self.options) if left_out else (0, 0),
            "says": format_points(("", cell) for cell in self.outline.list_cells([index])),
            "together": next((one.title for one in self.outline.columns if one.index == first and first != index), ""),
        }

    def _find_role(self, column: PersonColumn) -> str:
        texts = {**dict.fromkeys(self._list_texts(NOTE), NOTE), **dict.fromkeys(self._list_texts(PLACE)[:1], PLACE)}
        if column.index in self._selected:
            return PLAYER
        return texts.get(column.index, TOTAL if column.exclusion is Exclusion.SUM else OUT)

    @cached_property
    def remarks(self) -> list[Remark]:
        """The remarks about rows that cannot be read, or that are taken in and should be checked."""
        if self.reading.asks:
            return self.reading.faults
        sentence = _("Die Zeile ergibt %(sum)s und nicht 0.")
        odd = [self.outline.remark(one["row"], sentence % {"sum": format_signed(one["sum"])}) for one in self.reading.odd]
        return [*self.reading.faults, *self.reading.doubts, *odd]

    @property
    def grid(self) -> dict[str, Any]:
        """The sheet as a table: the texts above its headings, its columns, and its rows."""
        label = self.outline.label
        heads = [] if label is None else [{"name": get_cell(self.outline.rows[self.outline.head], label), "index": label}]
        columns = [{**column, "index": column["column"].index} for column in self.columns]
        ordered = sorted([*heads, *columns], key=lambda column: column["index"])
        roles = {column["index"]: column.get("role", DAY) for column in ordered}
        rows = list(iter_grid_rows(self.outline, roles, self.remarks, self.reading.left_out, self.leave))
        return {
            "titles": list_titles(self.outline),
            "skipped": list_skipped(self.outline),
            "legend": list_legend(rows, roles, {AMOUNT: _("Punkte")}),
            "columns": ordered,
            "span": len(ordered) + 1,
            "rows": rows,
        }

    @property
    def totals(self) -> list[tuple[str, int, int]]:
        """The name, the points and the number of evenings of each player."""
        return [(player.name, *self.reading.totals(index)) for index, player in self.people.items()]

    @property
    def notes(self) -> list[str]:
        """Notes about what was recognized, for the user to check."""
        shapes = {
            TURNED: _("Hier stehen die Personen untereinander und die Tage nebeneinander: Für die Vorschau ist das Blatt gedreht."),
            LONG: _("Hier steht je Person und Abend eine Zeile: Für die Vorschau ist jeder Abend zusammengestellt."),
        }
        notes = [shapes[self.outline.shape]] if self.outline.shape in shapes else []
        notes += self.outline.notes
        if self._has_weeks:
            notes.append(_("Für die Tage stehen Kalenderwochen da: Bitte den Wochentag angeben, an dem gespielt wurde."))
        if self._in_euros:
            notes.append(_("Die Beträge sind in Euro geschrieben: Sie zählen in Cent, in der ewigen Liste für sich."))
        if self.data["cells"] not in ("", POINTS, NO_ZEROS):
            notes.append(_("In den Zellen stehen Spielstände: Was ein Abend oder Spiel brachte, ist daraus ausgerechnet."))
            if self.data["kind"] == Import.Kind.EVENINGS:
                notes.append(
                    _("Kein Punktestand an einem Abend heißt: nicht dabei. Derselbe Punktestand wie vorher heißt: dabei, mit 0.")
                    if self.reading.keeps_there
                    else _("Derselbe Punktestand wie vorher heißt: an dem Abend nicht dabei.")
                )
        if self.data["cells"] == POINTS and (zeros := self.reading.zeros):
            sentence = _(
                "Niemand fehlt je, und %(zeros)s-mal steht 0: Eine 0 gilt als dabei. War das anders, bitte unten „0 heißt: "
                "nicht dabei“ wählen."
            )
            notes.append(sentence % {"zeros": zeros})
        return notes

    @property
    def may_be_in_euros(self) -> bool:
        """True if amounts cannot be read that may be euros, by rules in points."""
        is_in_cents = self._rule_choices.is_in_cents(self.data["rule_set"])
        return bool(self.reading.faults) and not is_in_cents and self.outline.looks_like_euros(self._selected)

    @property
    def _in_euros(self) -> bool:
        return self._rule_choices.is_in_cents(self.data["rule_set"]) and self.data["money"] == EUROS

    @property
    def shown_names(self) -> list[str]:
        guests = [column["guest"].name for column in self.columns if column["guest"]]
        ticks = [get_leave_field_name(row) for row in self.leave]
        fields = [field.name for field in [*self.sheet_fields, *self.questions]]
        return ["of_sheet", "rows_out", *fields, *map(get_field_name, self.candidates), *guests, *ticks]

