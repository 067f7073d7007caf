"""An old Kasse: evenings with payments, income and expenses, or balances. Nothing is booked while one row cannot be read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.cash.texts import format_euros
from scoring.core.dates import FIRST_DAY
from scoring.core.names import name_key
from scoring.core.text import text_key, tidy
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
    is_day,
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
# The longest reason of an entry.
REASON_LENGTH: Final = 200
# The headings are in one of the first rows.
HEADING_ROWS: Final = 20
SIDES: Final = {"einnahme": "income", "einnahmen": "income", "ausgabe": "expense", "ausgaben": "expense"}
# Headings of a cash book: income, expenses, the balance after each row, and one amount with its sign.
_INCOME: Final = re.compile(r"(einnahmen?|eingang|eingange|einzahlung(en)?|zugang|zugange|haben)\b")
_EXPENSE: Final = re.compile(r"(ausgaben?|ausgang|ausgange|auszahlung(en)?|abgang|abgange|soll)\b")
_BALANCE: Final = re.compile(r"((kassen?|konto)[ -]?)?(end|neuer? )?(bestand|saldo|stand)\b")
_PURPOSE: Final = re.compile(
    r"(verwendungszweck|zweck|buchungstext|text|beschreibung|bemerkung|anlass|wofur|betreff|vorgang|auftraggeber|empfanger|begunstigter)"
)
_RECEIPT: Final = re.compile(r"(beleg|quittung)")
# Headings of a bank whose numbers are no amounts.
_ACCOUNT: Final = re.compile(
    r"(iban|bic\b|blz|kontonummer|konto-?nr|auftragskonto|wahrung|valuta|wertstellung|glaubiger|mandat|kundenref)"
)
_AMOUNT: Final = re.compile(r"(betrag|umsatz|summe|euro?|€)\b")
# How many rows that grow by their amounts are no accident.
MIN_BALANCES: Final = 3
BOXES: Final = {"cash": "cash", "bar": "cash", "bank": "bank", "konto": "bank"}
_parse_cents = partial(read_euros, most=MAX_CENTS)


@dataclass(frozen=True)
class CashBook:
    """The columns of a cash book: days, money in and out, balances after each row, purposes and receipt numbers. Without a column
    for money out the amounts have a sign."""

    day: int
    into: int
    out_of: int | None
    balance: int | None
    purposes: Sequence[int]
    receipt: int | None

    def read_change(self, row: Sequence[str]) -> int:
        """Return the cents that came in, negative for those that went out. Raise CellRefused."""
        into = read_amount(row, self.into, _parse_cents) or 0
        if self.out_of is None:
            return into
        out_of = read_amount(row, self.out_of, _parse_cents) or 0
        for index, cents in ((self.into, into), (self.out_of, out_of)):
            if cents < 0:
                raise CellRefused(_("„%(text)s“ ist weniger als nichts") % {"text": row[index]}, index)
        if into and out_of:
            raise CellRefused(_("In der Zeile stehen eine Einnahme und eine Ausgabe: bitte in der Datei auf zwei Zeilen verteilen"))
        return into - out_of

    def get_purpose(self, row: Sequence[str]) -> str:
        texts = dict.fromkeys(tidy(get_cell(row, index)) for index in self.purposes)
        if self.receipt is not None and (number := get_cell(row, self.receipt)):
            texts[_("Beleg %(number)s") % {"number": tidy(number)}] = None
        return " · ".join(filter(None, texts))[:REASON_LENGTH]


@dataclass(frozen=True)
class KasseSheet:
    """The outline of a sheet of an old Kasse.
    `headings` are the columns of the headings by text key, `columns` the people; in a list of balances these are the names in its
    rows. `balances` are columns with the balance of the Kasse. `known` are the name keys of players. `book` are the columns of a
    cash book."""

    kind: str
    rows: Rows
    head: int
    headings: Mapping[str, int]
    columns: Sequence[PersonColumn]
    outline: Outline | None = None
    balances: Sequence[PersonColumn] = ()
    known: Collection[str] = ()
    book: CashBook | None = None

    def iter_rows(self) -> Iterator[tuple[int, list[str]]]:
        return iter_rows_below(self.rows, self.head)

    def get_cell(self, row: Sequence[str], heading: str) -> str:
        return get_cell(row, self.headings.get(heading, len(row)))


@dataclass
class KasseReading:
    """The result of reading a sheet.
    `seasons` are the last days of the seasons with evenings, by name; `unknown` are seasons without a known last day, and
    `day_missing` says that balances have no day: the user has to give them. `opening` is what was there before the first row of a
    cash book, which the user is asked about; `doubts` are rows whose balance does not fit."""

    rows: list[KasseRow] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    seasons: dict[str, datetime.date] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    day_missing: bool = False
    opening: int = 0
    doubts: list[Remark] = field(default_factory=list)

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
    if found := _find_cash_book(rows, known):
        head, book = found
        _refuse_unclear_sides(rows, head, book)
        balances = [] if book.balance is None else [PersonColumn(book.balance, get_cell(rows[head], book.balance), None)]
        sheet = KasseSheet(Import.Kind.MOVED, rows, head, {}, [], balances=balances, known=known, book=book)
        _check_balances(sheet, KasseReading())
        return sheet
    outline = build_outline(rows, known)
    if outline.day is None:
        raise FileRefused(_("Es fehlt eine Spalte mit dem Datum."))
    balances = [column for column in outline.columns if _is_balance(outline, column, known)]
    columns = [column for column in outline.columns if column not in balances]
    names = {text_key(cell): index for index, cell in reversed(list(enumerate(rows[outline.head]))) if cell}
    return KasseSheet(Import.Kind.PAID, rows, outline.head, names, columns, outline, balances)


def _find_cash_book(rows: Rows, known: Collection[str]) -> tuple[int, CashBook] | None:
    """Return the row of headings and the columns of a cash book, None if it is none: it has columns for money in and out, or one
    amount with its sign, and no columns of people."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        keys = ["" if name_key(cell) in known else text_key(cell).rstrip(":") for cell in row]
        body = [cells for _number, cells in iter_rows_below(rows, head)]
        day = next((index for index in range(len(row)) if _are_days(body, index)), None)
        into, out_of, amount = (_find_heading(keys, pattern) for pattern in (_INCOME, _EXPENSE, _AMOUNT))
        if into is None or out_of is None:
            into, out_of = amount, None
        if day is None or into is None or into == day or any(map(is_amount, row)):
            continue
        if out_of is None and not _is_only_amount(keys, body, day, into):
            continue
        balance = _find_heading(keys, _BALANCE)
        purposes = [index for index, key in enumerate(keys) if _PURPOSE.match(key)]
        return head, CashBook(day, into, out_of, balance, purposes, _find_heading(keys, _RECEIPT))
    return None


def _refuse_unclear_sides(rows: Rows, head: int, book: CashBook) -> None:
    """Raise FileRefused if it is not certain what came in and what went out."""
    if book.balance is None and book.out_of is not None and text_key(rows[head][book.into]).startswith("haben"):
        raise FileRefused(_(
            "Ohne einen Bestand ist nicht sicher, ob „Soll“ oder „Haben“ in die Kasse kam. Bitte die Spalten „Einnahme“ und "
            "„Ausgabe“ nennen."
        ))
    cells = [get_cell(row, book.into) for _number, row in iter_rows_below(rows, head)]
    if book.balance is None and book.out_of is None and not any(cell.startswith(("-", "−")) for cell in cells):
        raise FileRefused(_(
            "Das ist ein Kassenbuch mit einem Betrag je Zeile, und kein Betrag hat ein Minus: Was davon Ausgaben sind, steht "
            "nicht da. Bitte ein Minus davor schreiben, oder daneben eine Spalte „Art“ mit „Einnahme“ oder „Ausgabe“."
        ))


def refuse_cash_book(rows: Rows, known: Collection[str]) -> None:
    """Raise FileRefused if a sheet that is to be a list of evenings has columns for money in and out."""
    found = _find_cash_book(rows, known)
    if found and found[1].out_of is not None:
        raise FileRefused(_(
            "Das ist ein Kassenbuch mit Einnahmen und Ausgaben und keine Liste von Abenden. Bitte unter „Kasse“ mit „Alte Kasse "
            "mitbringen“ lesen lassen."
        ))


def _find_heading(keys: Sequence[str], pattern: re.Pattern[str]) -> int | None:
    return next((index for index, key in enumerate(keys) if pattern.match(key)), None)


def _are_days(body: Rows, index: int) -> bool:
    """Return whether most cells of a column are days."""
    cells = [cell for row in body if (cell := get_cell(row, index))]
    return 2 * sum(is_day(cell) and not is_amount(cell) for cell in cells) > len(cells)


def _is_only_amount(keys: Sequence[str], body: Rows, day: int, amount: int) -> bool:
    """Return whether no other column but a balance has amounts."""
    known = (_BALANCE.match, OTHER_HEADINGS.match, DAY_HEADINGS.__contains__, _PURPOSE.match, _RECEIPT.match, _ACCOUNT.match)
    others = [index for index, key in enumerate(keys) if not any(is_known(key) for is_known in known)]
    return not any(is_amount(get_cell(row, index)) for row in body for index in others if index not in (day, amount))


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
    box: str = "cash",
    books_opening: bool = False,
) -> KasseReading:
    """Read a sheet.
    `people` are the columns that are taken in, `first_open` is the first day that is open in the books, `seasons` are the last days
    of seasons by text key, and `day` is the day of balances without one. The rows of a cash book belong to the account `box`, and
    `books_opening` adds what was there before."""
    place = gettext_noop("Spalte %(column)s („%(name)s“)")
    reading = KasseReading()
    swaps = bool(sheet.book) and _check_balances(sheet, reading)
    for column in sheet.balances:
        values = {"column": format_column(column.index), "name": column.name}
        reading.left_out.append(Remark(0, _("ist ein laufender Bestand"), Phrase(place, values)))
    readers = {Import.Kind.PAID: _read_evening, Import.Kind.MOVED: _read_movement, Import.Kind.OPENED: _read_balance}
    read = partial(_read_cash_book, sheet.book) if sheet.book else readers[Import.Kind(sheet.kind)]
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
                    box=box,
                    swaps=swaps,
                )
            )
        except CellRefused as refused:
            reading.faults.append(Remark(number, f"{refused}."))
            continue
        if entry is not None:
            last = entry.date
            reading.rows.append(entry)
    if books_opening and reading.opening and reading.rows:
        first = min(row.date for row in reading.rows)
        # The row of headings stands for what was there before.
        reading.rows.insert(0, build_balance(sheet.head + 1, first, box, reading.opening))
    return reading


# The cents that came in with a row, and the balance after it, None if it has none.
Step = tuple[int, int, int | None]


def _check_balances(sheet: KasseSheet, reading: KasseReading) -> bool:
    """Compare each balance with the one before. Add the opening balance and the doubts to the reading; return whether the columns
    for money in and out are the other way round. The first row may be the oldest or the newest. Raise FileRefused if hardly any
    balance fits."""
    book = sheet.book
    if book is None or book.balance is None:
        return False
    steps: list[Step] = []
    for number, row in sheet.iter_rows():
        with suppress(CellRefused):
            if not _is_total(row, sheet.known):
                steps.append((number, book.read_change(row), read_amount(row, book.balance, _parse_cents)))
    ways = [(steps[::order], sign) for order in (1, -1) for sign in (1, -1)]
    ordered, sign = min(ways, key=lambda way: len(_list_misfits(*way)))
    misfits = _list_misfits(ordered, sign)
    if 2 * len(misfits) > len(steps):
        raise FileRefused(_(
            "Der Bestand passt nicht zu den Beträgen daneben. Bitte in der Datei nachsehen, ob eine Spalte fehlt oder anders "
            "heißt: „Einnahme“, „Ausgabe“, „Bestand“."
        ))
    sentence = _("Der Bestand ist %(balance)s; mit dem davor wären es %(expected)s.")
    for number, expected, balance in misfits:
        values = {"balance": format_euros(balance), "expected": format_euros(expected)}
        reading.doubts.append(Remark(number, sentence % values, column=book.balance))
    changed = 0
    for _number, change, first in ordered:
        changed += sign * change
        if first is not None:
            reading.opening = first - changed
            break
    return sign < 0


def _list_misfits(steps: Sequence[Step], sign: int) -> list[tuple[int, int, int]]:
    """Return the number of each row whose balance does not fit, with the expected balance and its own."""
    misfits = []
    last: int | None = None
    for number, change, balance in steps:
        expected = None if last is None else last + sign * change
        if balance is not None and expected is not None and balance != expected:
            misfits.append((number, expected, balance))
        last = expected if balance is None else balance
    return misfits


@dataclass(frozen=True)
class _Row:
    """A row that is being read, with the arguments of `read_kasse`.
    `last` is the day of the row above, `seen` are the accounts of the rows above, each with its row. `swaps` says that the columns
    for money in and out of a cash book are the other way round."""

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
    box: str = "cash"
    swaps: bool = False

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


def _read_cash_book(book: CashBook, row: _Row) -> KasseRow | None:
    change = book.read_change(row.cells) * (-1 if row.swaps else 1)
    if not change:
        row.leave_out()
        return None
    if not get_cell(row.cells, book.day):
        raise CellRefused(_("Das Datum fehlt"))
    day = row.check_day(read_day(get_cell(row.cells, book.day), near=row.last))
    side = "income" if change > 0 else "expense"
    return build_movement(row.number, day, abs(change), side, row.box, book.get_purpose(row.cells))


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

