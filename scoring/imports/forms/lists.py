"""Which sheets of a file are read together, and in which shape. By default these are all sheets that are lists and were not
taken in before, each in the shape that it looks like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.club.models import Club
from scoring.core.forms import build_day_field
from scoring.core.names import name_key
from scoring.core.text import text_key
from scoring.evenings.queries import get_last_line_up
from scoring.imports.actions import NewRules, is_too_big
from scoring.imports.errors import ImportTooBig, RulesHaveBock
from scoring.imports.models import Import
from scoring.imports.queries import sheets_taken, usual_weekday
from scoring.imports.reading.cells import is_week, read_euros, read_points
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
    lacks_year,
    read_evenings,
    read_games,
)
from scoring.imports.reading.layouts import AS_IS, LONG, TURNED, format_points
from scoring.imports.reading.outline import Outline, PersonColumn, Phrase, Remark, format_row
from scoring.imports.reading.proposals import (
    is_certainly_in_euros,
    list_new_starts,
    looks_like_euros_anywhere,
    preview_column,
    preview_total,
    propose_cells,
    propose_kind,
)
from scoring.imports.reading.sheets import explain_no_list, join_sheets, outline_sheets, select_alike
from scoring.imports.reading.uploads import FileRefused, FileSheet, select_lists
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets

from .files import NEW, SKIP, ColumnsForm, field_of, guest_field, proposed_joins, twice_with_points

SHAPES: Final = (AS_IS, TURNED, LONG)


def sheet_field(index: int) -> str:
    return f"sheet_{index}"


class Layout:
    """The sheets of a file as they were chosen. `shape` is the one that was said, empty where each sheet is read as it looks;
    `faults` are the sentences for fields, `taken` the sheets that were taken in before, `known` the keys of the names of the
    club. Raises FileRefused where no sheet is a list."""

    def __init__(
        self, sheets: Sequence[FileSheet], posted: Mapping[str, str], taken: Collection[int], known: Collection[str]
    ) -> None:
        self._sheets, self._taken, self._known = sheets, taken, known
        self.faults: dict[str, str] = {}
        self._found = outline_sheets(sheets, known=known)
        self._before = self._key_of(posted.get("of_sheet", ""))
        self.shape = self._said_shape(posted.get("shape", ""))
        if self.shape:
            try:
                self._found = outline_sheets(sheets, self.shape, known)
            except FileRefused as refused:
                self.faults["shape"], self.shape = str(refused), ""
        self.chosen = self._chosen(posted)

    def _said_shape(self, said: str) -> str:
        """A shape that is not what the sheets look like, or was said before."""
        looks = next(iter(self._found.values())).shape
        return said if said in SHAPES and (said != looks or self._before[1]) else ""

    def _chosen(self, posted: Mapping[str, str]) -> list[int]:
        together = select_alike(self._sheets, self._found)
        proposed = [index for index in together if index not in self._taken] or together
        if "of_sheet" not in posted or len(self._found) == 1:
            return proposed
        chosen = [index for index in self._found if sheet_field(index) in posted]
        if not chosen:
            self.faults[sheet_field(proposed[0])] = _("Bitte mindestens ein Blatt wählen.")
        return chosen or proposed

    @staticmethod
    def _key_of(key: str) -> tuple[list[int], str]:
        chosen, _between, shape = key.partition("|")
        return [int(index[:4]) for index in chosen.split(".") if index.isdecimal()], shape if shape in SHAPES else ""

    @property
    def key(self) -> str:
        """Tells this arrangement from every other."""
        return f"{'.'.join(map(str, self.chosen))}|{self.shape}"

    @cached_property
    def outline(self) -> Outline:
        return join_sheets(self._sheets, {index: self._found[index] for index in self.chosen})

    def columns_before(self) -> Sequence[PersonColumn]:
        """The columns of the arrangement that was shown before."""
        chosen, shape = self._before
        try:
            found = outline_sheets(self._sheets, shape, self._known)
        except FileRefused:
            return []
        outlines = {index: found[index] for index in chosen if index in found}
        return join_sheets(self._sheets, outlines).columns if outlines else []

    def proposed(self) -> dict[str, str]:
        return {
            "of_sheet": self.key,
            "shape": self.shape or self.outline.shape,
            **{sheet_field(index): "on" for index in self.chosen if len(self._found) > 1},
        }

    def labels(self) -> dict[int, str]:
        """What each sheet is called that can be chosen, by its index, where there are several."""
        if len(self._found) == 1:
            return {}
        plain, taken, hidden = "%(sheet)s", _("%(sheet)s (schon übernommen)"), _("%(sheet)s (ausgeblendet)")
        return {
            index: (taken if index in self._taken else hidden if self._sheets[index].hidden else plain)
            % {"sheet": self._sheets[index].name}
            for index in self._found
        }

    def hidden(self) -> list[tuple[str, str]]:
        """The hidden sheets that could belong to the list and are not chosen, each with its field."""
        return [
            (sheet_field(index), self._sheets[index].name)
            for index in self._found
            if self._sheets[index].hidden and index not in self.chosen and index not in self._taken
        ]

    def left_out(self) -> list[Remark]:
        """The sheets that are no lists, with why, and those that are not chosen."""
        place = _("Blatt „%(sheet)s“")
        return [
            Remark(
                0,
                _("ist ausgeblendet") if sheet.hidden else explain_no_list(sheet, self.shape, self._known),
                place % {"sheet": sheet.name},
            )
            for index, sheet in enumerate(self._sheets)
            if index not in self._found
        ] + [
            Remark(
                0,
                _("ist ausgeblendet") if self._sheets[index].hidden else _("ist nicht angekreuzt"),
                place % {"sheet": self._sheets[index].name},
            )
            for index in self._found
            if index not in self.chosen and index not in self._taken
        ]


# --- Rows that are left out -------------------------------------------------------------------------------------------


# So much may be typed.
LONGEST: Final = 500
MAX_LEFT_OUT: Final = 200
_LEAVE: Final = re.compile(r"leave_([0-9]{1,5})")
_DASH: Final = re.compile(r"\s*[-–]\s*")
_ROWS: Final = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def leave_field(row: int) -> str:
    return f"leave_{row}"


def ticked(posted: Mapping[str, str]) -> set[int]:
    return {int(found[1]) for name in posted if (found := _LEAVE.fullmatch(name))}


def typed(text: str, there: Collection[int]) -> tuple[set[int], str]:
    """The row numbers that were typed, like "5, 12-14", among the rows of the sheet; and a sentence about what is wrong
    with them, empty if nothing is."""
    rows: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", _DASH.sub("-", text[:LONGEST]))):
        found = _ROWS.fullmatch(part)
        if not found:
            return set(), _("„%(text)s“ ist keine Zeile. So geht es: 5, 12-14") % {"text": part[:40]}
        meant = {row for row in there if int(found[1]) <= row <= int(found[2] or found[1])}
        if not meant:
            return set(), _("In Zeile %(row)s steht nichts.") % {"row": part}
        rows |= meant
        if len(rows) > MAX_LEFT_OUT:
            return set(), _("Mehr als %(rows)s Zeilen bitte in der Datei löschen.") % {"rows": MAX_LEFT_OUT}
    return rows, ""


# --- Rules ------------------------------------------------------------------------------------------------------------


NEW_IN_CENTS: Final = "new_cents"


class ChoiceOfRules:
    """The rule sets to choose from."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._there = {str(rule_set.pk): rule_set for rule_set in list_current_rule_sets(club)}
        self._new = {
            NEW: NewRules(_("Übernommen")),
            NEW_IN_CENTS: NewRules(_("Übernommen in Cent"), RuleSet.Unit.CENTS),
        }

    def of(self, said: str) -> RuleSet | NewRules:
        return self._there.get(said) or self._new[said]

    def is_in_cents(self, said: str) -> bool:
        known = said in self._there or said in self._new
        return known and self.of(said).rules.unit == RuleSet.Unit.CENTS

    def choices(self) -> list[tuple[str, str]]:
        labels = {
            NEW: _("neu: „%(name)s“, ohne Bock"),
            NEW_IN_CENTS: _("neu: „%(name)s“, ohne Bock, für Beträge in Euro"),
        }
        names = {rule_set.name for rule_set in self._there.values()}
        new = [
            (key, labels[key] % {"name": rules.name}) for key, rules in self._new.items() if rules.name not in names
        ]
        return [*((pk, str(rule_set)) for pk, rule_set in self._there.items()), *new]

    def usual(self, kind: str, in_euros: bool) -> str:
        """Those of the last evening; for lines of games only without Bock, for euros only in cents."""
        last, _players = get_last_line_up(self._club)
        fitting = list(self._fitting(kind, in_euros))
        if last is not None and str(last.pk) in fitting:
            return str(last.pk)
        if in_euros:
            return next(iter(fitting), NEW_IN_CENTS)
        return next((pk for pk in fitting if self._there[pk].name == self._new[NEW].name), NEW)

    def _fitting(self, kind: str, in_euros: bool) -> Iterator[str]:
        for pk, rule_set in self._there.items():
            if (not in_euros or rule_set.unit == RuleSet.Unit.CENTS) and not (
                kind == Import.Kind.GAMES and has_bock(rule_set.rules)
            ):
                yield pk


def has_bock(rules: RuleSettings) -> bool:
    """Whether a Bock can start, at any size of table."""
    return any(rules.at(people).has_bock for people in SEATS)


# --- Cells ------------------------------------------------------------------------------------------------------------


Choices = list[tuple[str, str]]


def cell_choices(outline: Outline, people: Sequence[int], kind: str, sure: bool) -> Choices:
    """The choices for a list of this kind, of these columns."""
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
    return choices if sure else [("", _("Bitte wählen")), *_with_ends(outline, people, choices)]


def _with_ends(outline: Outline, people: Sequence[int], choices: Choices) -> Choices:
    column = next((column for column in outline.columns if column.index in people), None)
    if column is None:
        return choices
    said = _("%(choice)s: %(name)s kommt auf %(points)s")
    return [
        (key, said % {
            "choice": label, "name": column.title, "points": preview_total(outline, people, column.index, key),
        })
        for key, label in choices
    ]  # fmt: skip


# --- The form ---------------------------------------------------------------------------------------------------------


EUROS, CENTS = "euros", "cents"
# Headings of a column for whoever came along.
GUESTS: Final = frozenset({"gast", "gaste", "gaeste"})
FIRST_YEAR: Final = NO_DAY.year


class ShownColumn(NamedTuple):
    """A column with its choice, its points and its evenings, what it would bring where it is left out, what stands there that is no
    points, and the column that it is one person with."""

    column: PersonColumn
    field: BoundField
    guest: BoundField | None
    sums: tuple[int, int]
    would: tuple[int, int]
    says: str
    together: str


class ImportForm(ColumnsForm):
    """What is what in a list that waits. It is always bound, to what was proposed where nobody said otherwise; a cleaned form
    has the `people` of the columns, the `rules` and the `reading` that follows. Raises FileRefused where it is no list."""

    joins = True

    shape = forms.ChoiceField(
        label=gettext_lazy("Wie ist das Blatt aufgebaut?"),
        choices=[
            (AS_IS, gettext_lazy("Personen nebeneinander, Tage untereinander")),
            (TURNED, gettext_lazy("Personen untereinander, Tage nebeneinander")),
            (LONG, gettext_lazy("Eine Zeile je Person und Abend")),
        ],
    )
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
    year = forms.IntegerField(
        label=gettext_lazy("Jahr des ersten Abends"), required=False, min_value=FIRST_YEAR, max_value=9999
    )
    weekday = forms.ChoiceField(
        label=gettext_lazy("An welchem Wochentag wurde gespielt?"),
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
    )

    rows_out = forms.CharField(
        label=gettext_lazy("Zeilen auslassen"),
        required=False,
        max_length=LONGEST,
        help_text=gettext_lazy("Ihre Nummern in der Datei, zum Beispiel 5, 12-14."),
    )

    def __init__(self, posted: Mapping[str, str] | None, *, brought: Import) -> None:
        self.brought, self.club = brought, brought.club
        self.sheets = select_lists([FileSheet(**sheet) for sheet in brought.sheets or ()])
        self._posted = posted or {}
        self._played = ChoiceOfRules(self.club)
        self.taken = sheets_taken(brought)
        self.layout = Layout(self.sheets, self._posted, self.taken, self.known.keys())
        self.outline = self.layout.outline
        self.asked = self.outline.columns
        super().__init__({**self._proposed(), **self._said, **self._left_by_hand()})
        choices = cell_choices(self.outline, self._chosen, self.data["kind"], sure=bool(self.data["cells"]))
        self.fields["cells"].choices = choices  # type: ignore[attr-defined]  # a field of choices
        for index, label in self.layout.labels().items():
            self.fields[sheet_field(index)] = forms.BooleanField(label=label, required=False)
        for row in sorted(self.leave):
            self.fields[leave_field(row)] = forms.BooleanField(label=self._row_label(row), required=False)
        self.fields["rule_set"] = forms.ChoiceField(label=_("Unter welchen Regeln?"), choices=self._played.choices())
        self.ask()

    # --- What is proposed ---------------------------------------------------------------------------------------------

    @cached_property
    def _said(self) -> dict[str, str]:
        """What was posted; of another arrangement of the sheets only what does not hang on it, and whose each name is."""
        if self._posted.get("of_sheet") == self.layout.key:
            return dict(self._posted)
        kept = ("rule_set", "day", "first", "rhythm", "year", "weekday", "money")
        said = {name: self._posted[name] for name in kept if name in self._posted}
        for column in self.layout.columns_before():
            if field_of(column) in self._posted and column.name:
                same = (
                    new
                    for new in self.outline.columns
                    if name_key(new.name) == name_key(column.name) and not new.exclusion
                )
                said |= {field_of(new): self._posted[field_of(column)] for new in same}
        return said

    def _proposed(self) -> dict[str, str]:
        kind = self._said.get("kind") or propose_kind(self.outline)
        columns = self.proposed_people(self._said)
        columns |= {
            name: said for name, said in proposed_joins(self.outline, columns).items() if name not in self._said
        }
        twice = twice_with_points(self.outline)
        self.undecided = {column.index for column in twice}
        columns |= {field_of(column): "" for column in twice if field_of(column) not in self._said}
        nobodys = (SKIP, "")
        self._chosen = [column.index for column in self.outline.columns if columns[field_of(column)] not in nobodys]
        proposed = {
            **self.layout.proposed(),
            "kind": kind,
            "cells": propose_cells(self.outline, self._chosen, kind),
            "money": EUROS if looks_like_euros_anywhere(self.outline, self._chosen) else CENTS,
            "rhythm": "fortnight",
            "rule_set": self._played.usual(kind, in_euros=is_certainly_in_euros(self.outline, self._chosen)),
            "weekday": str(usual_weekday(self.club) if self._has_weeks else 0),
            **columns,
        }
        if "of_sheet" not in self._said:
            guests = (
                column
                for column in self.outline.columns
                if column.guest or text_key(column.name).split(" ")[0] in GUESTS
            )
            proposed |= {guest_field(column): "on" for column in guests}
        if len(self.outline.years) == 1 and lacks_year(self.outline):
            proposed["year"] = str(self.outline.years[0])
        return proposed

    def _left_by_hand(self) -> dict[str, str]:
        """The rows that were left out by hand, as ticks: what was typed becomes some."""
        there = {number for number, _row in self.outline.iter_rows()}
        text = self._said.get("rows_out", "")
        rows, self._rows_fault = typed(text, there)
        self.leave = (ticked(self._said) & there) | rows
        return {**{leave_field(row): "on" for row in self.leave}, "rows_out": text if self._rows_fault else ""}

    def _row_label(self, row: int) -> str:
        """What a row is called, with its day and what it would have brought."""
        cells = self.outline.rows[row - 1]
        names = {column.index: column.title for column in self.outline.columns if column.index in self._chosen}
        would = format_points((names[index], cell) for index, cell in enumerate(cells) if index in names)
        label = self.outline.label
        day = cells[label] if label is not None and label < len(cells) else ""
        return " · ".join(filter(None, [str(self.outline.place(row) or format_row(row)), day, would]))

    # --- What was said ------------------------------------------------------------------------------------------------

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
            self.add_error("rule_set", str(RulesHaveBock()))
        if self._rows_fault:
            self.add_error("rows_out", self._rows_fault)
        for field in ("day", "first"):
            if (said := cleaned.get(field)) and not NO_DAY <= said <= timezone.localdate():
                self.add_error(field, _("Bitte einen Tag von 1950 bis heute."))
        if (year := cleaned.get("year")) and year > timezone.localdate().year:
            self.add_error("year", _("Dieses Jahr liegt in der Zukunft."))
        if not self.judge_people(cleaned):
            self.add_error(None, _("Mindestens eine Spalte muss zu einer Person gehören."))
        return cleaned

    @property
    def played_by(self) -> RuleSet | NewRules:
        """The rules that were chosen."""
        return self._played.of(self.cleaned_data["rule_set"])

    @property
    def rules(self) -> RuleSettings:
        return self.played_by.rules

    @cached_property
    def reading(self) -> Reading:
        if not self.is_valid():
            return Reading()
        if self.cleaned_data["kind"] == Import.Kind.EVENINGS:
            return read_evenings(self.outline, list(self.joined), self.options)
        return read_games(self.outline, list(self.joined), self.options, self.rules)

    @property
    def options(self) -> ReadingOptions:
        """How the sheet is read."""
        said = self.cleaned_data
        return ReadingOptions(
            parse=read_euros if self._in_euros else read_points,
            cells=said["cells"],
            day=said["day"],
            first=said["first"],
            rhythm=said["rhythm"],
            year=said["year"],
            weekday=int(said["weekday"]),
            joined=self.joined,
            leave=frozenset(self.leave),
        )

    @property
    def report(self) -> dict[str, Any]:
        """What is kept of it."""
        report = self.reading.report()
        by_hand = [[self.outline.place(row) or row, Phrase(gettext_noop("ist von Hand ausgelassen"))] for row in sorted(self.leave)]
        return {**report, "left_out": [*report["left_out"], *by_hand], "sheets": self.layout.chosen}

    @property
    def may_be_taken(self) -> bool:
        if not self.is_valid() or self.reading.faults or self.reading.asks:
            return False
        return bool(self.reading.sittings) and not self.too_big

    @cached_property
    def too_big(self) -> str:
        """Why this cannot be taken in all at once; empty where it can."""
        return str(ImportTooBig()) if is_too_big(self.reading.sittings) else ""

    # --- How it is shown ----------------------------------------------------------------------------------------------

    @property
    def sheet_fields(self) -> list[BoundField]:
        """The sheets to choose from, where there are several."""
        return [self[sheet_field(index)] for index in self.layout.labels()]

    @property
    def questions(self) -> list[BoundField]:
        """What is asked of this file besides whose its columns are."""
        asked = ["shape"] if self.outline.shape != AS_IS or self.layout.shape else []
        asked += ["kind", "cells"]
        if self.outline.day is None and self.outline.number is not None:
            asked += ["first", "rhythm"]
        elif self.outline.day is None and self.data["kind"] == Import.Kind.GAMES:
            asked.append("day")
        if lacks_year(self.outline):
            asked.append("year")
        if self._has_weeks:
            asked.append("weekday")
        asked.append("rule_set")
        if self._played.is_in_cents(self.data["rule_set"]):
            asked.append("money")
        return [self[name] for name in asked]

    @cached_property
    def _has_weeks(self) -> bool:
        return any(map(is_week, self.outline.days()))

    @property
    def leave_fields(self) -> list[BoundField]:
        return [self[leave_field(row)] for row in sorted(self.leave)]

    @property
    def columns(self) -> list[ShownColumn]:
        return [self._shown(column) for column in self.outline.columns]

    def _shown(self, column: PersonColumn) -> ShownColumn:
        join_sheets = self.joined if self.is_valid() else {}
        first = join_sheets.get(column.index)
        left_out = bool(join_sheets) and first is None
        is_new = self.data[field_of(column)] == NEW and bool(column.name)
        return ShownColumn(
            column,
            self[field_of(column)],
            self[guest_field(column)] if is_new else None,
            self.reading.totals(column.index),
            preview_column(self.outline, list(join_sheets), column.index, self.options) if left_out else (0, 0),
            format_points(("", row[column.index]) for _n, row in self.outline.iter_rows() if column.index < len(row)),
            next((other.title for other in self.outline.columns if other.index == first and first != column.index), ""),
        )

    @property
    def notes(self) -> list[str]:
        """What was found by itself and is to be looked at."""
        said = {
            TURNED: _(
                "Hier stehen die Personen untereinander und die Tage nebeneinander: Für die Vorschau ist das Blatt gedreht."
            ),
            LONG: _("Hier steht je Person und Abend eine Zeile: Für die Vorschau ist jeder Abend zusammengestellt."),
        }
        notes = [said[self.outline.shape]] if self.outline.shape in said else []
        notes += self.outline.notes
        if self._has_weeks:
            notes.append(
                _("Für die Tage stehen Kalenderwochen da: Bitte den Wochentag angeben, an dem gespielt wurde.")
            )
        if self._in_euros:
            notes.append(_("Die Beträge sind in Euro geschrieben: Sie zählen in Cent, in der ewigen Liste für sich."))
        if self.data["cells"] not in ("", POINTS, NO_ZEROS):
            notes.append(
                _("In den Zellen stehen Spielstände: Was ein Abend oder Spiel brachte, ist daraus ausgerechnet.")
            )
            if self.data["kind"] == Import.Kind.EVENINGS:
                notes.append(
                    _(
                        "Kein Punktestand an einem Abend heißt: nicht dabei. Derselbe Punktestand wie vorher heißt: dabei, "
                        "mit 0."
                    )
                    if self.reading.keeps_there
                    else _("Derselbe Punktestand wie vorher heißt: an dem Abend nicht dabei.")
                )
        if self.data["cells"] == POINTS and (zeros := self.reading.zeros):
            said_of_zeros = _(
                "Niemand fehlt je, und %(zeros)s-mal steht 0: Eine 0 gilt als dabei. War das anders, bitte unten „0 heißt: "
                "nicht dabei“ wählen."
            )
            notes.append(said_of_zeros % {"zeros": zeros})
        return notes

    @property
    def may_be_in_euros(self) -> bool:
        """Can amounts not be read that may be euros, by rules in points?"""
        is_in_cents = self._played.is_in_cents(self.data["rule_set"])
        return bool(self.reading.faults) and not is_in_cents and looks_like_euros_anywhere(self.outline, self._chosen)

    @property
    def _in_euros(self) -> bool:
        return self._played.is_in_cents(self.data["rule_set"]) and self.data["money"] == EUROS

    @property
    def hidden_sheets(self) -> list[tuple[str, str]]:
        return self.layout.hidden()

    @property
    def said(self) -> list[tuple[str, str]]:
        """What the form says now, to be sent by a button of another form."""
        return [(name, value) for name, value in self.data.items() if name not in ("take", "seen", "csrfmiddlewaretoken")]

    @property
    def sheets_left_out(self) -> list[Remark]:
        return self.layout.left_out()

