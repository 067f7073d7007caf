"""The forms for an old Kasse: uploading a file, and the preview with a choice for each column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.forms import build_unusual_warning
from scoring.cash.ledger.queries import get_first_open_day
from scoring.cash.texts import format_euros
from scoring.club.queries import get_ids_by_name_key
from scoring.club.texts import build_long_ago_warning
from scoring.core.forms import build_day_field
from scoring.core.text import text_key
from scoring.imports.actions import BOOKED_ALREADY, MAX_ROWS, TOO_BIG
from scoring.imports.models import Import
from scoring.imports.queries import get_last_days, list_unbooked
from scoring.imports.reading.cells import HEADING_ROWS, format_column, get_cell
from scoring.imports.reading.file_formats import OUR_LISTS
from scoring.imports.reading.kasse import (
    ACCOUNT,
    AMOUNT,
    ASK,
    BALANCE,
    DAY,
    IN,
    MONEY,
    OUT,
    PERSON,
    PURPOSE,
    RECEIPT,
    SEASON,
    SIDE,
    SINGLE,
    KasseReading,
    KasseSheet,
    explain_question,
    find_kasse_sheet,
    outline_kasse,
    parse_money,
)
from scoring.imports.reading.outline import Exclusion, PersonColumn, Remark, format_row
from scoring.imports.reading.uploads import FileRefused, FileSheet
from scoring.imports.rules import KASSE

from . import grid
from .files import NEW, SKIP, ColumnsForm, UploadForm, get_field_name, get_leave_field_name


class KasseUploadForm(UploadForm):
    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        if any(sheet.name.startswith(OUR_LISTS) for sheet in sheets):
            raise FileRefused(_(
                "Das ist unsere eigene Excel-Datei mit allem; ihre Kasse ist zum Lesen da. Einen ganzen Club bringt sein "
                "Archiv mit: Bitte „Archiv einlesen“ wählen."
            ))
        return sheets

    def guess_kind(self, sheets: Sequence[FileSheet]) -> str:
        return find_kasse_sheet(sheets, get_ids_by_name_key(self.club))[1].kind


# The choices of a column that is no person's.
ROLES: Final = {
    DAY: gettext_lazy("Tag"),
    SEASON: gettext_lazy("Saison"),
    IN: gettext_lazy("Einnahme"),
    OUT: gettext_lazy("Ausgabe"),
    AMOUNT: gettext_lazy("Betrag"),
    SIDE: gettext_lazy("Art"),
    BALANCE: gettext_lazy("Bestand"),
    PURPOSE: gettext_lazy("Zweck"),
    RECEIPT: gettext_lazy("Beleg"),
    ACCOUNT: gettext_lazy("Konto"),
}
# What a role is in the grid, and the words of its legend.
_IN_GRID: Final = {
    **dict.fromkeys((DAY, SEASON, ACCOUNT), grid.DAY),
    **dict.fromkeys(MONEY, grid.AMOUNT),
    **dict.fromkeys((SIDE, PURPOSE, RECEIPT), grid.NOTE),
    PERSON: grid.PLAYER,
    BALANCE: grid.PLACE,
}
_LEGEND: Final = {
    grid.AMOUNT: gettext_lazy("wird gebucht"),
    grid.NOTE: gettext_lazy("Zweck"),
    grid.PLACE: gettext_lazy("Bestand"),
}
# The choice to book what was there before the first row.
BOOK: Final = "book"
# The length of the text that shows a row of headings.
LENGTH_OF_ROW: Final = 50


class KasseForm(ColumnsForm):
    """The preview of a waiting file, always bound: to the posted values, otherwise to proposals. A cleaned form has its `reading`.
    Creating it raises FileRefused if the file is no Kasse."""

    day = build_day_field(gettext_lazy("Tag der Bestände"))
    box = forms.ChoiceField(
        label=gettext_lazy("Wo ist dieses Geld?"),
        choices=[("cash", gettext_lazy("In der Kasse, bar")), ("bank", gettext_lazy("Auf dem Konto"))],
        required=False,
    )
    opening = forms.ChoiceField(
        choices=[
            ("", gettext_lazy("Bitte wählen")),
            (BOOK, gettext_lazy("Ja, als Anfangsbestand buchen")),
            ("leave", gettext_lazy("Nein, das ist schon gebucht")),
        ],
        required=False,
    )

    def __init__(self, posted: Mapping[str, str] | None, *, file: Import) -> None:
        self.file, self.club = file, file.club
        self.sheets = [FileSheet.load(**sheet) for sheet in file.sheets or ()]
        self._sheet_fault = ""
        self.selected, guess = self._find_sheet(posted or {})
        self._guesses = guess.roles
        of_sheet = f"{self.selected}.{guess.head}"
        values = dict(posted or {}) if (posted or {}).get("of_sheet") == of_sheet else {}
        guess = replace(guess, roles={index: values.get(f"column_{index}", role) for index, role in guess.roles.items()})
        self.candidates = [
            *(replace(one, exclusion=None if self._guesses[one.index] == PERSON else Exclusion.OTHER) for one in guess.columns),
            *(guess.accounts if guess.list_columns(ACCOUNT) else []),
        ]
        people = self.propose_people(values)
        roles = {f"column_{index}": role for index, role in self._guesses.items() if role != PERSON}
        fixed = {"sheet": str(self.selected), "head": str(guess.head), "of_sheet": of_sheet}
        super().__init__({**people, **roles, "box": guess.guess_box(), **values, **fixed, **self.tick_rows(values, guess)})
        self.add_column_fields()
        self._add_questions(guess)

    def _find_sheet(self, posted: Mapping[str, str]) -> tuple[int, KasseSheet]:
        """Return the chosen sheet with the chosen row of headings, by default the first sheet that is a Kasse."""
        known, head, before = self.known, posted.get("head", ""), posted.get("of_sheet", "").split(".")[0]
        sheet = posted.get("sheet", before)
        if not sheet.isdecimal() or int(sheet[:4]) >= len(self.sheets):
            return find_kasse_sheet(self.sheets, known)
        index, rows = int(sheet[:4]), self.sheets[int(sheet[:4])].rows
        if sheet == before and head.isdecimal() and int(head[:4]) < min(len(rows), HEADING_ROWS):
            return index, outline_kasse(rows, known, int(head))
        try:
            return index, outline_kasse(rows, known)
        except FileRefused as refused:
            self._sheet_fault = str(refused)
        return find_kasse_sheet(self.sheets, known)

    def add_column_fields(self) -> None:
        super().add_column_fields()
        for index, guess in self._guesses.items():
            field: Any = self.fields[f"column_{index}"]
            field.choices = [*([("", _("Bitte wählen"))] if guess == ASK else []), *ROLES.items(), *field.choices]

    def _add_questions(self, guess: KasseSheet) -> None:
        hidden = _("%(sheet)s (ausgeblendet)")
        labels = [hidden % {"sheet": sheet.name} if sheet.hidden else sheet.name or "1" for sheet in self.sheets]
        self.fields["sheet"] = forms.ChoiceField(label=_("Blatt"), choices=list(enumerate(labels)))
        heads = [
            (index, f"{format_row(index + 1)}: {Truncator(' · '.join(filter(None, row))).chars(LENGTH_OF_ROW)}")
            for index, row in enumerate(guess.rows[:HEADING_ROWS])
            if any(row)
        ]
        self.fields["head"] = forms.ChoiceField(label=_("Wo stehen die Überschriften?"), choices=heads, required=False)
        roles = {index: self._get_role(index) for index in self._guesses}
        owners = [column.index for column in self.candidates if self.data[get_field_name(column)] != SKIP]
        self._seasons = get_last_days(self.club)
        self.sheet = replace(
            guess, roles=roles, owners=owners, leave=self.leave, first_open=get_first_open_day(self.club), last_days=self._seasons
        )
        self.role_faults = dict(self._list_role_faults())
        read = KasseReading() if self.role_faults else self.sheet.read()
        if read.misfits:
            self.role_faults[f"column_{self.sheet.list_columns(BALANCE)[0]}"] = _(
                "Dieser Bestand passt nicht zu den Beträgen daneben. Bitte ansehen, ob eine Spalte falsch gelesen ist oder fehlt, "
                "oder den Bestand auslassen."
            )
        self._first_reading, self.unknown, self.asks_opening = read, read.unknown, bool(read.opening)
        sentence = _("Vor der ersten Zeile waren %(amount)s da. Gehört das dazu?")
        self.fields["opening"].label = sentence % {"amount": format_euros(read.opening)}
        for index, season in enumerate(self.unknown):
            self.fields[f"season_{index}"] = build_day_field(_("Letzter Abend von „%(season)s“") % {"season": season})

    def _get_role(self, index: int) -> str:
        choice = str(self.data[f"column_{index}"])
        if choice in ROLES or choice in (ASK, SKIP):
            return choice
        return PERSON if choice == NEW or choice.isdecimal() else SKIP

    def _get_choice(self, column: PersonColumn) -> str:
        choice = super()._get_choice(column)
        return SKIP if choice in ROLES else choice

    def _list_role_faults(self) -> list[tuple[str, str]]:
        """Return why the sheet cannot be read with these roles, by field."""
        roles, of = self.sheet.roles, self.sheet.list_columns
        faults = [(f"column_{index}", explain_question(self.sheet, index)) for index in of(ASK)]
        times = Counter(roles.values())
        again = [index for index, role in roles.items() if role in SINGLE and times[role] > 1 and index != of(role)[0]]
        faults += [(f"column_{index}", _("Das ist schon eine andere Spalte.")) for index in again]
        if not of(AMOUNT):
            faults += [(f"column_{index}", _("Dazu fehlt die Spalte mit dem Betrag.")) for index in of(SIDE, ACCOUNT)]
        elif of(ACCOUNT) or of(IN, OUT):
            wrong = of(IN, OUT, PERSON) if of(ACCOUNT) else of(AMOUNT)
            faults += [(f"column_{index}", _("Das passt nicht zu den anderen Spalten mit Geld.")) for index in wrong]
        if not of(*MONEY, PERSON, ASK):
            faults.append(("", _("Bitte wählen, in welcher Spalte das Geld steht.")))
        if not of(DAY, SEASON, ACCOUNT):
            faults.append(("", _("Bitte wählen, in welcher Spalte der Tag steht.")))
        return faults

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self._sheet_fault:
            self.add_error("sheet", self._sheet_fault)
        for field, sentence in self.role_faults.items():
            self.add_error(field or None, sentence)
        self.check_people()
        for index, season in enumerate(self.unknown):
            if day := cleaned.get(f"season_{index}"):
                self._seasons[text_key(season)] = day
        return cleaned

    @cached_property
    def reading(self) -> KasseReading:
        """The rows as they would be booked; as far as they can be read, if a choice is missing."""
        if not self.is_valid():
            return self._first_reading
        cleaned = self.cleaned_data
        books_opening = cleaned["opening"] == BOOK
        return replace(self.sheet, book_day=cleaned["day"], box=cleaned["box"] or "cash", books_opening=books_opening).read()

    @cached_property
    def sums(self) -> dict[str, int]:
        """The sums in cents that would be booked, and the number of rows that are booked already."""
        missing = list_unbooked(self.file, self.selected, self.reading.rows)
        rows = {row.number: row for row, _part, _key in missing}
        cents: Counter[str] = Counter()
        for row, part, _key in missing:
            money = sum(leg.cents for leg in row.entries[part] if leg.account in KASSE)
            cents["opening" if part == "opening" else "income" if money > 0 else "expense"] += money
        sums = {"opening": cents["opening"], "income": cents["income"], "expense": -cents["expense"], "in_kasse": cents.total()}
        return {**sums, "booked": len(self.reading.rows) - len(rows)}

    @property
    def odd(self) -> list[str]:
        """Warnings about a day long ago and about unusual amounts."""
        rows = self.reading.rows
        day = build_long_ago_warning(self.club, min((row.date for row in rows), default=None))
        amount = build_unusual_warning(self.club.pk, (cents for row in rows for cents in row.amounts))
        return [odd for odd in (day, amount) if odd]

    @cached_property
    def obstacle(self) -> str:
        """The reason why a readable file cannot be booked, or an empty string."""
        rows = self.reading.rows
        if len(rows) > MAX_ROWS:
            return str(TOO_BIG)
        return str(BOOKED_ALREADY) if rows and self.sums["booked"] == len(rows) else ""

    @property
    def may_be_taken(self) -> bool:
        reading = self.reading
        incomplete = reading.faults or reading.unknown or reading.day_missing or self.opening_missing
        return bool(self.is_valid() and reading.rows and not incomplete and not self.obstacle)

    @property
    def opening_missing(self) -> bool:
        """True if the user has to say whether what was there before is booked."""
        return self.asks_opening and not self.data.get("opening")

    @property
    def questions(self) -> list[BoundField]:
        """The fields except those of the columns."""
        names = ["sheet"] if len(self.sheets) > 1 else []
        names += ["head"] if len(self.sheet.rows) > 1 else []
        if self.has_balances and (self.reading.day_missing or self.data.get("day")):
            names.append("day")
        names += ["box"] if self.sheet.list_columns(*MONEY) and not self.has_balances else []
        names += ["opening"] if self.asks_opening else []
        return [self[name] for name in [*names, *(f"season_{index}" for index, _season in enumerate(self.unknown))]]

    @property
    def has_balances(self) -> bool:
        """True if the amounts are balances of accounts and debts of people. (In a template `form.sheet` is a field.)"""
        return bool(self.sheet.list_columns(ACCOUNT))

    @property
    def accounts(self) -> list[tuple[BoundField, int]]:
        """The people of a list of balances, each with its field and its balance in cents."""
        accounts = self.candidates[len(self._guesses) :]
        sums = [sum(row.sum_column(column.index) for row in self.reading.rows) for column in accounts]
        return [(self[get_field_name(column)], cents) for column, cents in zip(accounts, sums, strict=True)]

    @property
    def paid(self) -> list[tuple[str, int]]:
        """The name and the payments in cents of each person with a column."""
        rows = self.reading.rows
        people = self.people if rows and not self.has_balances else {}
        return [(person.name, sum(row.sum_column(index) for row in rows)) for index, person in people.items()]

    @property
    def asked(self) -> list[BoundField]:
        """The fields of the columns that do not fit or need an answer."""
        return [self[get_field_name(column)] for column in self.candidates if get_field_name(column) in self.errors]

    @property
    def remarks(self) -> list[Remark]:
        return [*self.reading.faults, *self.reading.doubts]

    @property
    def grid(self) -> dict[str, Any]:
        """The sheet as a table: the texts above its headings, its columns, and its rows."""
        columns = [self._show(column) for column in self.candidates[: len(self._guesses)]]
        roles = {column["index"]: column["role"] for column in columns}
        rows = list(grid.iter_grid_rows(self.sheet, roles, self.remarks, self.reading.left_out, self.leave))
        return {
            "titles": grid.list_titles(self.sheet),
            "columns": columns,
            "span": len(columns) + 1,
            "rows": rows,
            "legend": grid.list_legend(rows, roles, {role: str(label) for role, label in _LEGEND.items()}),
        }

    def _show(self, column: PersonColumn) -> dict[str, Any]:
        role = self.sheet.roles[column.index]
        numbers = {row.number for row in self.reading.rows}
        cells = [get_cell(row, column.index) for number, row in self.sheet.iter_rows() if number in numbers]
        total = format_euros(sum(parse_money(cell) or 0 for cell in cells))
        notes = {PERSON: _("zusammen %(amount)s gezahlt"), SKIP: _("wird nicht gebucht")}
        notes |= {} if self.has_balances else dict.fromkeys((IN, OUT), _("zusammen %(amount)s"))
        notes |= {AMOUNT: _("Ausgaben haben ein Minus"), SIDE: _("Einnahme oder Ausgabe"), BALANCE: _("nach jeder Zeile")}
        notes |= {AMOUNT: ""} if self.has_balances or self.sheet.list_columns(SIDE) else {}
        return {
            "index": column.index,
            "field": self[get_field_name(column)],
            "letters": format_column(column.index),
            "role": _IN_GRID.get(role, grid.OUT),
            "note": notes.get(role, "") % {"amount": total} if numbers else "",
        }

    @property
    def shown_names(self) -> list[str]:
        ticks = [get_leave_field_name(row) for row in self.leave]
        return ["of_sheet", "rows_out", *(field.name for field in self.questions), *map(get_field_name, self.candidates), *ticks]
