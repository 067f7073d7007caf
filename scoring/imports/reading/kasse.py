"""The rows of an old Kasse: evenings with what everybody paid, income and expenses, or opening balances. The headings say which
it is. As long as one row cannot be read nothing is booked."""

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
from scoring.imports.rules import KasseRow, moved, opened, paid

from .cells import (
    DAY_HEADINGS,
    OTHERS,
    TOTALS,
    CellRefused,
    amount_in,
    below,
    cell_of,
    column_name,
    is_amount,
    read_day,
    read_euros,
)
from .file_formats import Rows
from .outline import Outline, PersonColumn, Remark, Said, understand
from .uploads import FileRefused, FileSheet

# A hundred thousand euros in one cell is a slip of the pen.
MOST_CENTS: Final = 10_000_000
# The headings stand among the first rows.
HEADINGS: Final = 20
SIDES: Final = {"einnahme": "income", "einnahmen": "income", "ausgabe": "expense", "ausgaben": "expense"}
# Columns of a cash book: what came in, what went out, what it is after each row, and one amount with its sign.
_INCOME: Final = re.compile(r"(einnahmen?|eingang|eingange|einzahlung(en)?|zugang|zugange|haben)\b")
_EXPENSE: Final = re.compile(r"(ausgaben?|ausgang|ausgange|auszahlung(en)?|abgang|abgange|soll)\b")
_BALANCE: Final = re.compile(r"((kassen?|konto)[ -]?)?(end|neuer? )?(bestand|saldo|stand)\b")
_AMOUNT: Final = re.compile(r"(betrag|umsatz|summe|euro?|€)\b")
# So many rows that grow by their amounts are no accident.
FEWEST_BALANCES: Final = 3
BOXES: Final = {"cash": "cash", "bar": "cash", "bank": "bank", "konto": "bank"}
_cents = partial(read_euros, most=MOST_CENTS)


@dataclass(frozen=True)
class KasseSheet:
    """A sheet understood: its kind, where its headings stand by their keys, and the `columns` of people; those of a list
    of balances are the names in its rows. `balances` are the columns that say what was in the Kasse, which are no people.
    `known` are the keys of people, whatever their names mean."""

    kind: str
    rows: Rows
    head: int
    headings: Mapping[str, int]
    columns: Sequence[PersonColumn]
    outline: Outline | None = None
    balances: Sequence[PersonColumn] = ()
    known: Collection[str] = ()

    def data(self) -> Iterator[tuple[int, list[str]]]:
        """Every row below the headings that holds anything, with its number."""
        return below(self.rows, self.head)

    def cell(self, row: Sequence[str], heading: str) -> str:
        index = self.headings.get(heading, len(row))
        return row[index] if index < len(row) else ""


@dataclass
class KasseReading:
    """What a sheet comes to. `seasons` are the last days of those it has evenings of, by their names; `unknown` are those of which
    nobody knows the day yet. Where the day is missing all of it waits for somebody to say it."""

    rows: list[KasseRow] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    seasons: dict[str, datetime.date] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    day_missing: bool = False

    def report(self) -> dict[str, Any]:
        """What is kept of it: days and numbers, no names of people."""
        return {
            "evenings": len(self.rows),
            "together": 0,
            "games": 0,
            "seasons": [[name, day.isoformat()] for name, day in self.seasons.items()],
        }


def understand_kasse(rows: Rows, known: Collection[str] = ()) -> KasseSheet:
    """Understand a sheet. `known` are the keys of people, whatever their names mean. Raises FileRefused where it is no Kasse."""
    for head, row in enumerate(rows[:HEADINGS]):
        names = {text_key(cell): index for index, cell in reversed(list(enumerate(row))) if cell}
        if {"art", "betrag"} <= names.keys() and names.keys() & {"saison", "datum"}:
            return KasseSheet(Import.Kind.MOVED, rows, head, names, [])
        if {"konto", "betrag"} <= names.keys():
            sheet = KasseSheet(Import.Kind.OPENED, rows, head, names, [])
            said = dict.fromkeys(sheet.cell(row, "konto") for _number, row in sheet.data() if not _is_total(row, known))
            people = list({name_key(name): name for name in said if name and text_key(name) not in BOXES}.values())
            columns = [PersonColumn(index, name, None) for index, name in enumerate(people)]
            return KasseSheet(Import.Kind.OPENED, rows, head, names, columns, known=known)
    _refuse_cash_book(rows, known)
    outline = understand(rows, known)
    if outline.day is None:
        raise FileRefused(_("Es fehlt eine Spalte mit dem Datum."))
    balances = [column for column in outline.columns if _is_balance(outline, column, known)]
    columns = [column for column in outline.columns if column not in balances]
    names = {text_key(cell): index for index, cell in reversed(list(enumerate(rows[outline.head]))) if cell}
    return KasseSheet(Import.Kind.PAID, rows, outline.head, names, columns, outline, balances)


def _refuse_cash_book(rows: Rows, known: Collection[str]) -> None:
    """Raise FileRefused where income and expenses have a column each, or both have one and no person has any."""
    for head, row in enumerate(rows[:HEADINGS]):
        keys = ["" if name_key(cell) in known else text_key(cell).rstrip(":") for cell in row]
        if any(map(_INCOME.match, keys)) and any(map(_EXPENSE.match, keys)):
            raise FileRefused(
                _(
                    "Das ist ein Kassenbuch mit Einnahmen und Ausgaben und keine Liste, wer was bezahlt hat. So lässt es sich noch "
                    "nicht übernehmen: Bitte jeden Betrag in eine Zeile mit „Datum“, „Art“ (Einnahme oder Ausgabe) und „Betrag“ "
                    "schreiben."
                )
            )
        if _has_one_amount(keys, rows[head + 1 :]):
            raise FileRefused(
                _(
                    "Das ist ein Kassenbuch mit einem Betrag je Zeile und keine Liste, wer was bezahlt hat. So lässt es sich "
                    "noch nicht übernehmen: Bitte daneben eine Spalte „Art“ mit „Einnahme“ oder „Ausgabe“ schreiben, und die "
                    "Beträge ohne Minus."
                )
            )


def _has_one_amount(keys: Sequence[str], body: Rows) -> bool:
    """Do these headings name days and an amount, and is there no other column with amounts but a balance?"""
    if DAY_HEADINGS.isdisjoint(keys) or not any(map(_AMOUNT.match, keys)):
        return False
    known = (_AMOUNT.match, _BALANCE.match, OTHERS.match, DAY_HEADINGS.__contains__)
    others = [index for index, key in enumerate(keys) if not any(is_known(key) for is_known in known)]
    return not any(is_amount(cell_of(row, index)) for row in body for index in others)


def _is_balance(outline: Outline, column: PersonColumn, known: Collection[str]) -> bool:
    """Is this what is in the Kasse after each row, by its heading or by its numbers?"""
    if _BALANCE.match(text_key(column.name).rstrip(":")) and name_key(column.name) not in known:
        return True
    if column.why_not:
        return False
    others = [index for index in outline.people if index != column.index]
    found: list[tuple[int, int]] = []
    for _number, row in outline.data():
        try:
            said = amount_in(row, column.index, _cents)
            moved = sum(amount_in(row, index, _cents) or 0 for index in others)
        except CellRefused:
            continue
        if said is not None:
            found.append((said, moved))
    grows = all(later == before + moved for (before, _moved), (later, moved) in pairwise(found))
    return len(found) >= FEWEST_BALANCES and grows and any(moved for _said, moved in found)


def first_of_kasse(sheets: Sequence[FileSheet], known: Collection[str]) -> tuple[int, KasseSheet]:
    """The first visible sheet of an old Kasse, and its index. Raises FileRefused, for the first of them, where there is none."""
    faults = []
    for index, sheet in enumerate(sheets):
        if sheet.hidden:
            continue
        try:
            return index, understand_kasse(sheet.rows, known)
        except FileRefused as refused:
            faults.append(refused)
    raise faults[0]


@dataclass(frozen=True)
class Known:
    """What is known beside the sheet: whose columns are taken in, the first day that is open in the books, the last days of
    seasons by their keys, and the day of rows that have none."""

    people: Sequence[int]
    first_open: datetime.date | None
    seasons: Mapping[str, datetime.date]
    day: datetime.date | None = None


def read_kasse(sheet: KasseSheet, known: Known) -> KasseReading:
    """What the rows say, by the kind of the sheet."""
    place = gettext_noop("Spalte %(column)s („%(name)s“)")
    reading = KasseReading(
        left_out=[
            Remark(0, _("ist ein laufender Bestand"), Said(place, {"column": column_name(column.index), "name": column.name}))
            for column in sheet.balances
        ]
    )
    read = {Import.Kind.PAID: _paid, Import.Kind.MOVED: _moved, Import.Kind.OPENED: _opened}[Import.Kind(sheet.kind)]
    seen: dict[str, int] = {}
    last: datetime.date | None = None
    for number, row in sheet.data():
        if sheet.outline.is_total(row, known.people) if sheet.outline else _is_total(row, sheet.known):
            reading.left_out.append(Remark(number, _("ist eine Summe")))
            continue
        try:
            found = read(_Place(sheet, known, reading, number, row, last, seen))
        except CellRefused as refused:
            reading.faults.append(Remark(number, f"{refused}."))
            continue
        if found is not None:
            last = found.date
            reading.rows.append(found)
    return reading


@dataclass(frozen=True)
class _Place:
    """A row that is being read, with the day of the one above and the accounts that were named before, by the row."""

    sheet: KasseSheet
    known: Known
    reading: KasseReading
    number: int
    row: list[str]
    last: datetime.date | None
    seen: dict[str, int]

    def said(self, heading: str) -> str:
        return self.sheet.cell(self.row, heading)

    def nothing(self) -> None:
        self.reading.left_out.append(Remark(self.number, _("ist ohne Beträge")))

    def amount(self, column: int, below_0: bool = False) -> int:
        """The cents in a column, 0 where nothing stands there. Raises CellRefused."""
        cents = amount_in(self.row, column, _cents) or 0
        if cents < 0 and not below_0:
            raise CellRefused(_("„%(text)s“ ist weniger als nichts") % {"text": self.row[column]})
        return cents

    def judged(self, day: datetime.date) -> datetime.date:
        """A day on which something may be booked. Raises CellRefused."""
        if day > timezone.localdate():
            raise CellRefused(_("Der Tag liegt in der Zukunft"))
        if day < FIRST_DAY:
            raise CellRefused(_("Der Tag liegt vor 1950"))
        if self.known.first_open and day < self.known.first_open:
            raise CellRefused(_("Dieser Monat der Kasse ist abgeschlossen"))
        return day


def _is_total(row: Sequence[str], known: Collection[str]) -> bool:
    first = next(filter(None, row))
    return bool(TOTALS.match(text_key(first))) and name_key(first) not in known


def _paid(place: _Place) -> KasseRow | None:
    people = {column: cents for column in place.known.people if (cents := place.amount(column))}
    if not people:
        place.nothing()
        return None
    said = place.sheet.outline.called(place.row) if place.sheet.outline else ""
    if not said:
        raise CellRefused(_("Das Datum fehlt"))
    day = place.judged(read_day(said, near=place.last))
    if season := place.said("saison"):
        place.reading.seasons[season] = max(day, place.reading.seasons.get(season, day))
    return paid(place.number, day, people)


def _moved(place: _Place) -> KasseRow | None:
    side = SIDES.get(text_key(place.said("art")))
    if side is None:
        raise CellRefused(_("„%(text)s“ ist weder Einnahme noch Ausgabe") % {"text": place.said("art")})
    cents = place.amount(place.sheet.headings["betrag"])
    if not cents:
        place.nothing()
        return None
    if place.said("datum"):
        return moved(place.number, place.judged(read_day(place.said("datum"), near=place.last)), cents, side)
    season = place.said("saison")
    if not season:
        raise CellRefused(_("Das Datum fehlt"))
    day = place.known.seasons.get(text_key(season))
    if day is None:
        if season not in place.reading.unknown:
            place.reading.unknown.append(season)
        return None
    return moved(place.number, place.judged(day), cents, side)


def _opened(place: _Place) -> KasseRow | None:
    name = place.said("konto")
    if not name:
        raise CellRefused(_("Das Konto fehlt"))
    box = BOXES.get(text_key(name))
    whose = box or name_key(name)
    if whose in place.seen:
        said = {"text": name, "row": place.seen[whose]}
        raise CellRefused(_("„%(text)s“ steht schon in Zeile %(row)s") % said)
    place.seen[whose] = place.number
    cents = place.amount(place.sheet.headings["betrag"], below_0=box != "cash")
    column = next((column.index for column in place.sheet.columns if name_key(column.name) == name_key(name)), None)
    if not cents:
        place.nothing()
        return None
    if box is None and column not in place.known.people:
        return None
    if place.said("datum"):
        day = read_day(place.said("datum"), near=place.last)
    elif place.known.day:
        day = place.known.day
    else:
        place.reading.day_missing = True
        return None
    account: int | str = box or column  # type: ignore[assignment]  # one of them is known here
    return opened(place.number, place.judged(day), account, cents)

