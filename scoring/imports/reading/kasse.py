"""An old Kasse: evenings with payments, income and expenses, or balances. Nothing is booked while one row cannot be read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.dates import FIRST_DAY
from scoring.core.names import name_key
from scoring.core.text import text_key
from scoring.imports.models import Import
from scoring.imports.rules import KasseRow, build_balance, build_evening, build_movement

from .cells import (
    DAY_HEADINGS,
    OTHER_HEADINGS,
    TOTAL_LABELS,
    CellRefused,
    format_column,
    get_cell,
    is_amount,
    iter_rows_below,
    read_amount,
    read_day,
    read_euros,
)
from .file_formats import Rows
from .outline import Outline, PersonColumn, Phrase, Remark, build_outline
from .uploads import FileRefused, FileSheet

# A hundred thousand euros in one cell is a typing error.
MAX_CENTS: Final = 10_000_000
# The headings are in one of the first rows.
HEADING_ROWS: Final = 20
SIDES: Final = {"einnahme": "income", "einnahmen": "income", "ausgabe": "expense", "ausgaben": "expense"}
# Headings of a cash book: income, expenses, the balance after each row, and one amount with its sign.
_INCOME: Final = re.compile(r"(einnahmen?|eingang|eingange|einzahlung(en)?|zugang|zugange|haben)\b")
_EXPENSE: Final = re.compile(r"(ausgaben?|ausgang|ausgange|auszahlung(en)?|abgang|abgange|soll)\b")
_BALANCE: Final = re.compile(r"((kassen?|konto)[ -]?)?(end|neuer? )?(bestand|saldo|stand)\b")
_AMOUNT: Final = re.compile(r"(betrag|umsatz|summe|euro?|€)\b")
# How many rows that grow by their amounts are no accident.
MIN_BALANCES: Final = 3
BOXES: Final = {"cash": "cash", "bar": "cash", "bank": "bank", "konto": "bank"}
_parse_cents = partial(read_euros, most=MAX_CENTS)


@dataclass(frozen=True)
class KasseSheet:
    """The outline of a sheet of an old Kasse.
    `headings` are the columns of the headings by text key, `columns` the people; in a list of balances these are the names in its
    rows. `balances` are columns with the balance of the Kasse. `known` are the name keys of players."""

    kind: str
    rows: Rows
    head: int
    headings: Mapping[str, int]
    columns: Sequence[PersonColumn]
    outline: Outline | None = None
    balances: Sequence[PersonColumn] = ()
    known: Collection[str] = ()

    def iter_rows(self) -> Iterator[tuple[int, list[str]]]:
        return iter_rows_below(self.rows, self.head)

    def get_cell(self, row: Sequence[str], heading: str) -> str:
        return get_cell(row, self.headings.get(heading, len(row)))


@dataclass
class KasseReading:
    """The result of reading a sheet.
    `seasons` are the last days of the seasons with evenings, by name; `unknown` are seasons without a known last day, and
    `day_missing` says that balances have no day: the user has to give them."""

    rows: list[KasseRow] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    seasons: dict[str, datetime.date] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    day_missing: bool = False

    def report(self) -> dict[str, Any]:
        """Return what is stored: days and numbers, no names of people."""
        seasons = [[name, day.isoformat()] for name, day in self.seasons.items()]
        return {"evenings": len(self.rows), "together": 0, "games": 0, "seasons": seasons}


def outline_kasse(rows: Rows, known: Collection[str] = ()) -> KasseSheet:
    """Build the outline of a sheet. `known` are the name keys of players. Raise FileRefused if it is no Kasse."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        names = {text_key(cell): index for index, cell in reversed(list(enumerate(row))) if cell}
        if {"art", "betrag"} <= names.keys() and names.keys() & {"saison", "datum"}:
            return KasseSheet(Import.Kind.MOVED, rows, head, names, [])
        if {"konto", "betrag"} <= names.keys():
            body = [row for _number, row in iter_rows_below(rows, head) if not _is_total(row, known)]
            accounts = dict.fromkeys(get_cell(row, names["konto"]) for row in body)
            people = {name_key(name): name for name in accounts if name and text_key(name) not in BOXES}
            columns = [PersonColumn(index, name, None) for index, name in enumerate(people.values())]
            return KasseSheet(Import.Kind.OPENED, rows, head, names, columns, known=known)
    _refuse_cash_book(rows, known)
    outline = build_outline(rows, known)
    if outline.day is None:
        raise FileRefused(_("Es fehlt eine Spalte mit dem Datum."))
    balances = [column for column in outline.columns if _is_balance(outline, column, known)]
    columns = [column for column in outline.columns if column not in balances]
    names = {text_key(cell): index for index, cell in reversed(list(enumerate(rows[outline.head]))) if cell}
    return KasseSheet(Import.Kind.PAID, rows, outline.head, names, columns, outline, balances)


def _refuse_cash_book(rows: Rows, known: Collection[str]) -> None:
    """Raise FileRefused for a cash book: columns of income and expenses, or one amount, and no columns of people."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        keys = ["" if name_key(cell) in known else text_key(cell).rstrip(":") for cell in row]
        if any(map(_INCOME.match, keys)) and any(map(_EXPENSE.match, keys)):
            raise FileRefused(_(
                "Das ist ein Kassenbuch mit Einnahmen und Ausgaben und keine Liste, wer was bezahlt hat. So lässt es sich noch "
                "nicht übernehmen: Bitte jeden Betrag in eine Zeile mit „Datum“, „Art“ (Einnahme oder Ausgabe) und „Betrag“ "
                "schreiben."
            ))
        if _has_one_amount(keys, rows[head + 1 :]):
            raise FileRefused(_(
                "Das ist ein Kassenbuch mit einem Betrag je Zeile und keine Liste, wer was bezahlt hat. So lässt es sich "
                "noch nicht übernehmen: Bitte daneben eine Spalte „Art“ mit „Einnahme“ oder „Ausgabe“ schreiben, und die "
                "Beträge ohne Minus."
            ))


def _has_one_amount(keys: Sequence[str], body: Rows) -> bool:
    """Return whether these are headings of days and one amount, and no other column but a balance has amounts."""
    if DAY_HEADINGS.isdisjoint(keys) or not any(map(_AMOUNT.match, keys)):
        return False
    known = (_AMOUNT.match, _BALANCE.match, OTHER_HEADINGS.match, DAY_HEADINGS.__contains__)
    others = [index for index, key in enumerate(keys) if not any(is_known(key) for is_known in known)]
    return not any(is_amount(get_cell(row, index)) for row in body for index in others)


def _is_balance(outline: Outline, column: PersonColumn, known: Collection[str]) -> bool:
    """Return whether a column is the balance of the Kasse after each row, by its heading or by its numbers."""
    if _BALANCE.match(text_key(column.name).rstrip(":")) and name_key(column.name) not in known:
        return True
    if column.exclusion:
        return False
    others = [index for index in outline.people if index != column.index]
    steps: list[tuple[int, int]] = []
    for _number, row in outline.iter_rows():
        try:
            balance = read_amount(row, column.index, _parse_cents)
            change = sum(read_amount(row, index, _parse_cents) or 0 for index in others)
        except CellRefused:
            continue
        if balance is not None:
            steps.append((balance, change))
    grows = all(later == before + change for (before, _change), (later, change) in pairwise(steps))
    return len(steps) >= MIN_BALANCES and grows and any(change for _balance, change in steps)


def find_kasse_sheet(sheets: Sequence[FileSheet], known: Collection[str]) -> tuple[int, KasseSheet]:
    """Return the first visible sheet of an old Kasse and its index. Raise FileRefused, for the first sheet, if there is none."""
    faults = []
    for index, sheet in enumerate(sheets):
        try:
            if not sheet.hidden:
                return index, outline_kasse(sheet.rows, known)
        except FileRefused as refused:
            faults.append(refused)
    raise faults[0]


def read_kasse(
    sheet: KasseSheet,
    *,
    people: Sequence[int],
    first_open: datetime.date | None,
    seasons: Mapping[str, datetime.date],
    day: datetime.date | None = None,
) -> KasseReading:
    """Read a sheet.
    `people` are the columns that are taken in, `first_open` is the first day that is open in the books, `seasons` are the last days
    of seasons by text key, and `day` is the day of balances without one."""
    place = gettext_noop("Spalte %(column)s („%(name)s“)")
    reading = KasseReading()
    for column in sheet.balances:
        values = {"column": format_column(column.index), "name": column.name}
        reading.left_out.append(Remark(0, _("ist ein laufender Bestand"), Phrase(place, values)))
    readers = {Import.Kind.PAID: _read_evening, Import.Kind.MOVED: _read_movement, Import.Kind.OPENED: _read_balance}
    read = readers[Import.Kind(sheet.kind)]
    seen: dict[str, int] = {}
    last: datetime.date | None = None
    for number, row in sheet.iter_rows():
        if sheet.outline.is_total(row, people) if sheet.outline else _is_total(row, sheet.known):
            reading.left_out.append(Remark(number, _("ist eine Summe")))
            continue
        try:
            entry = read(
                _Row(
                    sheet=sheet,
                    people=people,
                    first_open=first_open,
                    seasons=seasons,
                    day=day,
                    reading=reading,
                    number=number,
                    cells=row,
                    last=last,
                    seen=seen,
                )
            )
        except CellRefused as refused:
            reading.faults.append(Remark(number, f"{refused}."))
            continue
        if entry is not None:
            last = entry.date
            reading.rows.append(entry)
    return reading


@dataclass(frozen=True)
class _Row:
    """A row that is being read, with the arguments of `read_kasse`.
    `last` is the day of the row above, `seen` are the accounts of the rows above, each with its row."""

    sheet: KasseSheet
    people: Sequence[int]
    first_open: datetime.date | None
    seasons: Mapping[str, datetime.date]
    day: datetime.date | None
    reading: KasseReading
    number: int
    cells: list[str]
    last: datetime.date | None
    seen: dict[str, int]

    def get_text(self, heading: str) -> str:
        return self.sheet.get_cell(self.cells, heading)

    def leave_out(self) -> None:
        self.reading.left_out.append(Remark(self.number, _("ist ohne Beträge")))

    def read_cents(self, column: int, below_0: bool = False) -> int:
        """Return the cents in a column, 0 if it is empty. Raise CellRefused."""
        cents = read_amount(self.cells, column, _parse_cents) or 0
        if cents < 0 and not below_0:
            raise CellRefused(_("„%(text)s“ ist weniger als nichts") % {"text": self.cells[column]})
        return cents

    def check_day(self, day: datetime.date) -> datetime.date:
        """Return a day that is open for bookings. Raise CellRefused."""
        if day > timezone.localdate():
            raise CellRefused(_("Der Tag liegt in der Zukunft"))
        if day < FIRST_DAY:
            raise CellRefused(_("Der Tag liegt vor 1950"))
        if self.first_open and day < self.first_open:
            raise CellRefused(_("Dieser Monat der Kasse ist abgeschlossen"))
        return day


def _is_total(row: Sequence[str], known: Collection[str]) -> bool:
    first = next(filter(None, row))
    return bool(TOTAL_LABELS.match(text_key(first))) and name_key(first) not in known


def _read_evening(row: _Row) -> KasseRow | None:
    people = {column: cents for column in row.people if (cents := row.read_cents(column))}
    if not people:
        row.leave_out()
        return None
    label = row.sheet.outline.get_label(row.cells) if row.sheet.outline else ""
    if not label:
        raise CellRefused(_("Das Datum fehlt"))
    day = row.check_day(read_day(label, near=row.last))
    if season := row.get_text("saison"):
        row.reading.seasons[season] = max(day, row.reading.seasons.get(season, day))
    return build_evening(row.number, day, people)


def _read_movement(row: _Row) -> KasseRow | None:
    side = SIDES.get(text_key(row.get_text("art")))
    if side is None:
        raise CellRefused(_("„%(text)s“ ist weder Einnahme noch Ausgabe") % {"text": row.get_text("art")})
    cents = row.read_cents(row.sheet.headings["betrag"])
    if not cents:
        row.leave_out()
        return None
    date, season = row.get_text("datum"), row.get_text("saison")
    if not date and not season:
        raise CellRefused(_("Das Datum fehlt"))
    day = read_day(date, near=row.last) if date else row.seasons.get(text_key(season))
    if day is None:
        if season not in row.reading.unknown:
            row.reading.unknown.append(season)
        return None
    return build_movement(row.number, row.check_day(day), cents, side)


def _read_balance(row: _Row) -> KasseRow | None:
    name = row.get_text("konto")
    if not name:
        raise CellRefused(_("Das Konto fehlt"))
    box = BOXES.get(text_key(name))
    key = box or name_key(name)
    if key in row.seen:
        raise CellRefused(_("„%(text)s“ steht schon in Zeile %(row)s") % {"text": name, "row": row.seen[key]})
    row.seen[key] = row.number
    cents = row.read_cents(row.sheet.headings["betrag"], below_0=box != "cash")
    column = next((column.index for column in row.sheet.columns if name_key(column.name) == name_key(name)), None)
    if not cents:
        row.leave_out()
        return None
    if box is None and column not in row.people:
        return None
    day = read_day(row.get_text("datum"), near=row.last) if row.get_text("datum") else row.day
    if day is None:
        row.reading.day_missing = True
        return None
    account: int | str = box or column  # type: ignore[assignment]  # one of them is known here
    return build_balance(row.number, row.check_day(day), account, cents)

