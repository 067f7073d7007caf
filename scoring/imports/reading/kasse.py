"""An old Kasse: a cash book or bank statement, evenings with payments, or balances. What each column holds is guessed from its
heading and its cells, and users can change it. Nothing is booked while one row cannot be read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.cash.texts import format_euros
from scoring.core.dates import FIRST_DAY
from scoring.core.names import name_key
from scoring.core.text import text_key, tidy
from scoring.imports.models import Import
from scoring.imports.rules import KasseRow, build_balance, build_evening, build_movement

from .cells import (
    DAY_CHARACTERS,
    DAY_HEADINGS,
    HEADING_ROWS,
    MINUS,
    TOTAL_LABELS,
    CellRefused,
    get_cell,
    is_absent,
    is_day,
    is_word,
    iter_rows_below,
    read_amount,
    read_day,
)
from .file_formats import UNCALCULATED, Rows
from .outline import Outline, PersonColumn, Remark, find_exclusion, strip_names
from .uploads import FileRefused, FileSheet

# A hundred thousand euros in one cell is a typing error.
MAX_CENTS: Final = 10_000_000
# The longest reason of an entry.
REASON_LENGTH: Final = 200

# What a column holds; ASK if only the user knows. A person's column has the payments of that person.
DAY, SEASON, IN, OUT, AMOUNT, SIDE = "day", "season", "in", "out", "amount", "side"
BALANCE, PURPOSE, RECEIPT, ACCOUNT = "balance", "purpose", "receipt", "account"
PERSON, SKIP, ASK = "person", "skip", ""
MONEY: Final = (IN, OUT, AMOUNT)
# The roles that only one column can have.
SINGLE: Final = (DAY, SEASON, AMOUNT, SIDE, BALANCE, RECEIPT, ACCOUNT)

# The headings of the roles, as text keys.
_HEADINGS: Final = {
    SEASON: re.compile(r"saison$"),
    IN: re.compile(r"(einnahmen?|einn\.|eingange?|einzahlung(en)?|zugange?|rein|haben|income|credit)\b|gutschrift(en)?$"),
    OUT: re.compile(r"(ausgaben?|ausg\.|ausgange?|auszahlung(en)?|abgange?|raus|soll|expenses?|debit)\b|lastschrift(en)?$"),
    BALANCE: re.compile(r"((kassen?|konto)[ -]?)?(end|neuer? )?(bestand|saldo|stand)\b|balance\b|guthaben|in der kasse|kasse$"),
    AMOUNT: re.compile(r"((buchungs|kassen)?betrag|umsatz|summe|euro?|€|netto|amount)\b"),
    RECEIPT: re.compile(r"(beleg|quittung|receipt)"),
    PURPOSE: re.compile(
        r"(verwendungszweck|zweck|buchungstext|text|beschreibung|bemerkung|anlass|wofur|betreff|vorgang|auftraggeber|empfanger"
        r"|begu(e)?nstigter|zahlungspflichtige|name zahlungsbeteiligter|purpose|description)"
    ),
}
# Headings of a bank whose numbers are no amounts.
_BANK: Final = re.compile(
    r"(iban|bic\b|blz|kontonummer|konto-?nr|auftragskonto|wahrung|valuta|wertstellung|buchungstag|glaubiger|mandat|kundenref)"
)
_SIDE_HEADING: Final = re.compile(r"(art|vorzeichen|soll ?/ ?haben|s ?/ ?h|einnahme ?/ ?ausgabe|ein ?/ ?aus|e ?/ ?a|[+] ?/ ?-)$")
_INCOME_WORDS: Final = "ein rein einnahme einnahmen eingang einzahlung zugang gutschrift haben credit h e +"
_EXPENSE_WORDS: Final = "aus raus ausgabe ausgaben ausgang auszahlung abgang lastschrift belastung soll debit s a -"
SIDES: Final = dict.fromkeys(_INCOME_WORDS.split(), IN) | dict.fromkeys(_EXPENSE_WORDS.split(), OUT)
BOXES: Final = {"cash": "cash", "bar": "cash", "bank": "bank", "konto": "bank"}
# Purposes of rows that are no bookings: a sum, or what was there before.
_SUM: Final = re.compile(r"(zwischen|monats|jahres|gesamt)?summen?\b|gesamt\b|total\b")
_CARRIED: Final = re.compile(
    r"(anfangs|start|kassen|konto)?(bestand|stand)\b|(saldo)?(ubertrag|uebertrag|vortrag)\b|eroffnung|alter? (konto|kassen)stand"
)
# How many columns of words without a known heading are the purpose.
MAX_PURPOSES: Final = 3
# How many rows that grow by their amounts are no accident.
MIN_BALANCES: Final = 3


# --- Amounts ----------------------------------------------------------------------------------------------------------

_CURRENCY: Final = re.compile(r"€|euro?", re.IGNORECASE)
# A minus or the letter of a bank for debit (S) and credit (H) may stand behind; brackets are a minus.
_MONEY: Final = re.compile(
    r"(?P<open>\()?(?P<sign>[+-]?)(?P<number>[0-9.,' ]*[0-9])(?P<even>[.,]-{1,2})?(?P<close>\))?(?P<behind>[-+]?)(?P<side>[sh]?)"
)
_NUMBER: Final = re.compile(
    r"(?P<whole>[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+(?=,|$)|[0-9]{1,3}(?:,[0-9]{3})+(?=\.)|[0-9]{1,3}(?:[' ][0-9]{3})+)"
    r"(?:[.,](?P<cents>[0-9]{1,2}))?"
)


@lru_cache(maxsize=4096)  # called for every cell by each guess about a sheet
def parse_money(text: str) -> int | None:
    """Return an amount of euros as people and banks write it, in cents; None if it is none. "1.234" and "1,234" are none: both
    could be thousands or a slip of the pen."""
    plain = _CURRENCY.sub("", text.translate(MINUS)).strip().casefold().replace("\u00a0", " ")
    match = _MONEY.fullmatch(re.sub(r"(?<=[+(-]) +| +(?=[)sh+-])", "", plain))
    number = match and _NUMBER.fullmatch(match["number"])
    if not match or not number or bool(match["open"]) != bool(match["close"]):
        return None
    whole = number["whole"]
    if (match["even"] and number["cents"]) or (number["cents"] is None and "." in whole and not match["even"]):
        return None
    cents = int(re.sub("[^0-9]", "", whole) + (number["cents"] or "").ljust(2, "0"))
    minus = [match["open"] == "(", match["sign"] == "-", match["behind"] == "-", match["side"] == "s"]
    contradicts = match["side"] == "h" and any(minus[:3])
    return None if sum(minus[:3]) > 1 or contradicts else -cents if any(minus) else cents


def read_money(text: str) -> int | None:
    """Return an amount of euros in cents, None for an empty cell. Raise CellRefused."""
    if is_absent(text):
        return None
    if text == UNCALCULATED:
        raise CellRefused(
            _("Da steht eine Formel ohne ihren Wert; bitte die Datei in Excel oder LibreOffice öffnen, speichern und neu hochladen")
        )
    cents = parse_money(text)
    if cents is None:
        raise CellRefused(_("„%(text)s“ ist kein Betrag in Euro") % {"text": text})
    if abs(cents) > MAX_CENTS:
        raise CellRefused(_("„%(text)s“ ist zu groß") % {"text": text})
    return cents


def is_money(text: str) -> bool:
    return not is_absent(text) and parse_money(text) is not None


# --- The sheet and what its columns hold ------------------------------------------------------------------------------


@dataclass
class KasseReading:
    """The result of reading a sheet.
    `seasons` are the last days of the seasons with evenings, by name; `unknown` are seasons without a known last day, and
    `day_missing` says that balances have no day: the user has to give them. `opening` is what was there before the first row,
    which the user is asked about, `closing` the last balance of the file, and `doubts` are rows whose balance does not fit.
    `misfits` says that hardly any balance fits."""

    rows: list[KasseRow] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    seasons: dict[str, datetime.date] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    day_missing: bool = False
    opening: int = 0
    closing: int | None = None
    doubts: list[Remark] = field(default_factory=list)
    misfits: bool = False

    def report(self) -> dict[str, Any]:
        """Return what is stored: days and numbers, no names of people."""
        seasons = [[name, day.isoformat()] for name, day in self.seasons.items()]
        return {"evenings": len(self.rows), "together": 0, "games": 0, "seasons": seasons}


# The cents that came in with a row, and the balance after it, None if it has none.
Step = tuple[int, int, int | None]


@dataclass(frozen=True)
class KasseSheet(Outline):
    """A sheet of an old Kasse, with the `roles` of its columns and the answers of the user.
    `known` are the name keys of players, `leave` the rows that are left out, and `owners` the people of `accounts` whose balances
    are booked. `first_open` is the first day that is open in the books, `last_days` are the last days of seasons by text key, and
    `book_day` is the day of balances without one. What came in and went out belongs to the account `box`; `books_opening` adds
    what was there before the first row."""

    roles: Mapping[int, str] = field(default_factory=dict)
    known: Collection[str] = ()
    leave: Collection[int] = ()
    first_open: datetime.date | None = None
    last_days: Mapping[str, datetime.date] = field(default_factory=dict)
    owners: Collection[int] = ()
    book_day: datetime.date | None = None
    box: str = "cash"
    books_opening: bool = False

    def list_columns(self, *roles: str) -> list[int]:
        return [index for index, role in self.roles.items() if role in roles]

    def get_text(self, row: Sequence[str], role: str) -> str:
        """Return the cell of the only column with this role, empty if there is none."""
        return next((get_cell(row, index) for index in self.list_columns(role)), "")

    @property
    def kind(self) -> str:
        if self.list_columns(ACCOUNT):
            return Import.Kind.OPENED
        return Import.Kind.PAID if self.list_columns(PERSON) else Import.Kind.MOVED

    def guess_box(self) -> str:
        """Guess where the money is: headings that only banks use mean their account."""
        return "bank" if any(_BANK.match(text_key(cell)) for cell in self.rows[self.head]) else "cash"

    @property
    def accounts(self) -> list[PersonColumn]:
        """The names of people in the rows of a list of balances, each like a column behind those of the sheet."""
        texts = [self.get_text(row, ACCOUNT) for _number, row in self.iter_rows() if not self.is_total(row, ())]
        people = {name_key(name): name for name in texts if name and text_key(name) not in BOXES}
        return [PersonColumn(index, name, None) for index, name in enumerate(people.values(), max(map(len, self.rows)))]

    def is_total(self, cells: Sequence[str], people: Sequence[int], words: re.Pattern[str] = TOTAL_LABELS) -> bool:
        """Return whether the first cell without money is a word for a total, and the name of no player."""
        money = self.list_columns(*MONEY, PERSON, BALANCE)
        label = next((cell for index, cell in enumerate(cells) if cell and index not in money), "")
        return bool(words.match(text_key(label).lstrip(DAY_CHARACTERS))) and name_key(label) not in self.known

    def get_purpose(self, row: Sequence[str]) -> str:
        texts = dict.fromkeys(tidy(get_cell(row, index)) for index in self.list_columns(PURPOSE))
        if number := self.get_text(row, RECEIPT):
            texts[_("Beleg %(number)s") % {"number": tidy(number)}] = None
        return " · ".join(filter(None, texts))[:REASON_LENGTH]

    # --- Money --------------------------------------------------------------------------------------------------------

    def read_row(self, row: Sequence[str]) -> tuple[dict[int, int], int, int]:
        """Return the cents of each person, and what else came in and went out. Raise CellRefused."""
        people = {index: cents for index in self.list_columns(PERSON) if (cents := self._read(row, index))}
        into = sum(self._read(row, index) for index in self.list_columns(IN))
        out_of = sum(self._read(row, index) for index in self.list_columns(OUT))
        for index in self.list_columns(AMOUNT):
            cents = read_amount(row, index, read_money) or 0
            if cents and self.list_columns(SIDE):
                cents = self._read(row, index) * (1 if self._get_side(row) == IN else -1)
            into, out_of = into + max(cents, 0), out_of + max(-cents, 0)
        return people, into, out_of

    def _read(self, row: Sequence[str], index: int) -> int:
        """Return the cents in a cell without their sign, 0 if it is empty. Raise CellRefused if the sign contradicts the column."""
        cents = read_amount(row, index, read_money) or 0
        signed = self._get_side(row) == OUT if self.roles[index] == AMOUNT else True
        cents = -cents if signed and index in self._negative else cents
        if cents < 0:
            raise CellRefused(_("„%(text)s“ ist weniger als nichts") % {"text": row[index]}, index)
        return cents

    def _get_side(self, row: Sequence[str]) -> str:
        """Return IN or OUT by the word in a row. Raise CellRefused."""
        text = self.get_text(row, SIDE)
        if (side := SIDES.get(text_key(text.translate(MINUS)))) is None:
            raise CellRefused(_("„%(text)s“ ist weder Einnahme noch Ausgabe") % {"text": text}, *self.list_columns(SIDE))
        return side

    @cached_property
    def _negative(self) -> set[int]:
        """The columns in which every expense has a minus, as some people write them."""
        negative = set()
        for index in self.list_columns(OUT, AMOUNT):
            amounts = []
            for _number, row in self.iter_rows():
                with suppress(CellRefused):
                    if not self.is_total(row, ()) and (self.roles[index] == OUT or self._get_side(row) == OUT):
                        amounts.append(parse_money(get_cell(row, index)) or 0)
            if max(amounts, default=0) <= 0 > min(amounts, default=0):
                negative.add(index)
        return negative

    # --- Rows that are no bookings, and balances ----------------------------------------------------------------------

    def look_aside(self, reading: KasseReading) -> dict[int, str]:
        """Return the rows that are no bookings, each with its reason. What was there before goes to the reading, and rows that may
        be sums are its doubts."""
        rows = [(number, row) for number, row in self.iter_rows() if number not in self.leave]
        head = [text_key(cell) for cell in self.rows[self.head]]
        ends = {number for number, _row in (rows[:1] + rows[-1:] if self._days and self._days[0] > self._days[-1] else rows[:1])}
        aside: dict[int, str] = {}
        nothing = (0, 0, 0)
        since_start, since_sum = nothing, nothing
        for number, row in rows:
            money: tuple[int, int, int] | None = None
            with suppress(CellRefused):
                people, into, out_of = self.read_row(row)
                money = sum(people.values()), into, out_of
            first = next(cell for cell in row if cell)
            texts = [text_key(cell) for cell in (first, *(get_cell(row, index) for index in self.list_columns(PURPOSE)))]
            may_be_sum = any(_SUM.match(text) or _CARRIED.match(text) for text in texts) and name_key(first) not in self.known
            if number in ends and money and not money[0] and any(map(_CARRIED.match, texts)) and may_be_sum:
                aside[number] = _("ist der Anfangsbestand")
                reading.opening += money[1] - money[2]
            elif [text_key(cell) for cell in row] == head[: len(row)]:
                aside[number] = _("ist noch einmal die Kopfzeile")
            elif self.is_total(row, ()) or (may_be_sum and money != nothing and money in (since_start, since_sum)):
                aside[number], since_sum = _("ist eine Summe"), nothing
            elif money == nothing:
                aside[number] = _("ist ohne Beträge")
            elif money:
                since_start, since_sum = _add(since_start, money), _add(since_sum, money)
                if may_be_sum:
                    sentence = _("Ist das eine Summe oder ein Übertrag? Dann bitte diese Zeile auslassen.")
                    reading.doubts.append(Remark(number, sentence))
        return aside

    @cached_property
    def _days(self) -> list[datetime.date]:
        """The days of the rows that have a year."""
        days = []
        for _number, row in self.iter_rows():
            with suppress(CellRefused):
                days.append(read_day(self.get_text(row, DAY)))
        return days

    @property
    def _near(self) -> datetime.date | None:
        """The day next to which the first row without a year is: a day of another row, or the middle of the only year above."""
        years = {year for row in self.rows[: self.head] for year in re.findall(r"\b20[0-9]{2}\b", " ".join(row))}
        return self._days[0] if self._days else datetime.date(int(*years), 7, 1) if len(years) == 1 else None

    def list_steps(self, aside: Collection[int]) -> list[Step]:
        """Return what each row changed and its balance, the oldest first: the first row may be the oldest or the newest one."""
        steps: list[Step] = []
        for column in self.list_columns(BALANCE):
            for number, row in self.iter_rows():
                with suppress(CellRefused):
                    if number not in self.leave and not self.is_total(row, ()):
                        people, into, out_of = self.read_row(row)
                        change = 0 if number in aside else sum(people.values()) + into - out_of
                        steps.append((number, change, read_amount(row, column, read_money)))
        return min(steps, steps[::-1], key=lambda ordered: len(list_misfits(ordered)))

    def count_misfits(self) -> int:
        """Count the rows whose balance does not fit the one before."""
        return len(list_misfits(self.list_steps(self.look_aside(KasseReading()))))

    @property
    def grows(self) -> bool:
        """Whether each of at least three balances is the one before with the amounts of its row."""
        steps = self.list_steps(self.look_aside(KasseReading()))
        balances = [balance for _number, _change, balance in steps if balance is not None]
        return len(balances) >= MIN_BALANCES and any(change for _number, change, _balance in steps) and not list_misfits(steps)

    def _check_balances(self, reading: KasseReading, aside: Collection[int]) -> None:
        """Add the first and the last balance to the reading, and a doubt for each one that does not fit the one before."""
        steps = self.list_steps(aside)
        misfits = list_misfits(steps)
        reading.misfits = 2 * len(misfits) >= len(steps) > 1
        sentence = _("Der Bestand ist %(balance)s; mit dem davor wären es %(expected)s.")
        for number, expected, found in misfits:
            values = {"balance": format_euros(found), "expected": format_euros(expected)}
            reading.doubts.append(Remark(number, sentence % values, column=self.list_columns(BALANCE)[0]))
        changed = 0
        for _number, change, balance in steps:
            changed += change
            if balance is not None:
                reading.opening = balance - changed if reading.closing is None else reading.opening
                reading.closing = balance

    # --- Entries ------------------------------------------------------------------------------------------------------

    def read(self) -> KasseReading:
        """Read all rows. What cannot be read is a fault of the reading."""
        reading = KasseReading()
        aside = self.look_aside(reading)
        self._check_balances(reading, aside)
        seen: dict[str, int] = {}
        last = self._near
        for number, row in self.iter_rows():
            if number in self.leave:
                continue
            try:
                if self.list_columns(ACCOUNT):
                    entry = None if self.is_total(row, ()) else self._read_balance(number, row, last, seen, reading)
                else:
                    entry = None if number in aside else self._read_entries(number, row, last, reading)
            except CellRefused as refused:
                reading.faults.append(Remark(number, f"{refused}.", column=refused.column))
                continue
            if entry is not None:
                last = entry.date
                reading.rows.append(entry)
            elif number in aside:
                reading.left_out.append(Remark(number, aside[number]))
        if self.books_opening and reading.opening and reading.rows:
            first = min(row.date for row in reading.rows)
            # The row of headings stands for what was there before.
            reading.rows.insert(0, build_balance(self.head + 1, first, self.box, reading.opening))
        return reading

    def _read_entries(self, number: int, row: list[str], last: datetime.date | None, reading: KasseReading) -> KasseRow | None:
        """Read what people paid and what else came in and went out; None if the season of the row has no known last day."""
        people, into, out_of = self.read_row(row)
        text, season = self.get_text(row, DAY), self.get_text(row, SEASON)
        if not text and (not season or people):
            raise CellRefused(_("Das Datum fehlt"), next(iter(self.list_columns(DAY)), None))
        day = self._read_day(text, last) if text else self.last_days.get(text_key(season))
        if day is None:
            if season not in reading.unknown:
                reading.unknown.append(season)
            return None
        day = self._check_day(day)
        if people and season:
            reading.seasons[season] = max(day, reading.seasons.get(season, day))
        entries = dict(build_evening(number, day, people).entries) if people else {}
        for cents, kind in ((into, "income"), (out_of, "expense")):
            entries |= build_movement(number, day, cents, kind, self.box).entries if cents else {}
        return KasseRow(number, day, entries, self.get_purpose(row))

    def _read_balance(
        self, number: int, row: list[str], last: datetime.date | None, seen: dict[str, int], reading: KasseReading
    ) -> KasseRow | None:
        """Read the balance of an account or a person; None if it is 0, the person is left out, or the day is missing."""
        column = self.list_columns(ACCOUNT)[0]
        name = get_cell(row, column)
        if not name:
            raise CellRefused(_("Das Konto fehlt"), column)
        box = BOXES.get(text_key(name))
        key = box or name_key(name)
        if key in seen:
            raise CellRefused(_("„%(text)s“ steht schon in Zeile %(row)s") % {"text": name, "row": seen[key]}, column)
        seen[key] = number
        amount = self.list_columns(AMOUNT)[0]
        cents = read_amount(row, amount, read_money) or 0
        if cents < 0 and box == "cash":
            raise CellRefused(_("„%(text)s“ ist weniger als nichts") % {"text": row[amount]}, amount)
        account = box or next((one.index for one in self.accounts if name_key(one.name) == key), "")
        if not cents or (not box and account not in self.owners):
            return None
        text = self.get_text(row, DAY)
        day = self._read_day(text, last) if text else self.book_day
        if day is None:
            reading.day_missing = True
            return None
        return build_balance(number, self._check_day(day), account, cents)

    def _read_day(self, text: str, last: datetime.date | None) -> datetime.date:
        try:
            return read_day(text, near=last)
        except CellRefused as refused:
            raise CellRefused(str(refused), next(iter(self.list_columns(DAY)), None)) from refused

    def _check_day(self, day: datetime.date) -> datetime.date:
        """Return a day that is open for bookings. Raise CellRefused."""
        column = next(iter(self.list_columns(DAY)), None)
        if day > timezone.localdate():
            raise CellRefused(_("Der Tag liegt in der Zukunft"), column)
        if day < FIRST_DAY:
            raise CellRefused(_("Der Tag liegt vor 1950"), column)
        if self.first_open and day < self.first_open:
            raise CellRefused(_("Dieser Monat der Kasse ist abgeschlossen"), column)
        return day


def _add(sums: tuple[int, int, int], money: tuple[int, int, int]) -> tuple[int, int, int]:
    return sums[0] + money[0], sums[1] + money[1], sums[2] + money[2]


def list_misfits(steps: Sequence[Step]) -> list[tuple[int, int, int]]:
    """Return the number of each row whose balance does not fit, with the expected balance and its own."""
    misfits = []
    last: int | None = None
    for number, change, balance in steps:
        expected = None if last is None else last + change
        if balance is not None and expected is not None and balance != expected:
            misfits.append((number, expected, balance))
        last = expected if balance is None else balance
    return misfits


# --- Guesses ----------------------------------------------------------------------------------------------------------


def outline_kasse(rows: Rows, known: Collection[str] = (), head: int | None = None) -> KasseSheet:
    """Build the outline of a sheet with the given or the guessed row of headings, and with a guess for each column. `known` are the
    name keys of players. Raise FileRefused if it is no Kasse."""
    head = _find_head(rows) if head is None else head
    body = [row for _number, row in iter_rows_below(rows, head)]
    width = max(map(len, rows[head:]))
    names = {index: get_cell(rows[head], index) for index in range(width)}
    strip_names(names, known)
    keys = {index: "" if name_key(name) in known else text_key(name).rstrip(":") for index, name in names.items()}
    filled = {index: [cell for row in body if (cell := get_cell(row, index))] for index in range(width)}
    days = [index for index in range(width) if _are_mostly(filled[index], _is_only_day)]
    days = days or [index for index in range(width) if keys[index] in DAY_HEADINGS and not filled[index]]
    day = next((index for index in days if keys[index] in DAY_HEADINGS), next(iter(days), None))
    roles = dict.fromkeys(range(width), SKIP)
    seen: set[str] = set()
    for index, key in keys.items():
        is_amount = index not in days and (_are_mostly(filled[index], is_money) or not filled[index])
        role = next((role for role, heading in _HEADINGS.items() if heading.match(key)), SKIP)
        if index == day:
            roles[index] = DAY
        elif key == "konto" and "betrag" in keys.values() and (_are_mostly(filled[index], is_word) or not filled[index]):
            roles[index] = ACCOUNT
        elif _SIDE_HEADING.match(key) and filled[index] and _are_mostly(filled[index], _is_side):
            roles[index] = SIDE
        elif _BANK.match(key):
            continue
        elif role in (SEASON, RECEIPT) or (role == PURPOSE and not is_amount) or (role in (*MONEY, BALANCE) and is_amount):
            roles[index] = role
        elif role == SKIP and find_exclusion(names[index], filled[index], seen, known) is None and is_amount:
            roles[index] = PERSON
            seen.add(name_key(names[index]))
    columns = [PersonColumn(index, name, None) for index, name in names.items()]
    sheet = KasseSheet(rows, head, day, columns, roles=roles, known=known)
    return replace(sheet, roles=_weigh(sheet, keys))


def _are_mostly(cells: Sequence[str], is_so: Callable[[str], bool]) -> bool:
    return 2 * sum(map(is_so, cells)) > len(cells)


def _is_only_day(text: str) -> bool:
    return is_day(text) and not is_money(text)


def _is_side(text: str) -> bool:
    return text_key(text.translate(MINUS)) in SIDES


def _find_head(rows: Rows) -> int:
    """Return the row of headings: words only, with amounts below, and days or seasons or accounts. Raise FileRefused."""
    heads: dict[int, int] = {}
    for index, row in enumerate(rows[:HEADING_ROWS]):
        words = {at: text_key(cell) for at, cell in enumerate(row) if cell}
        if heads and any(map(is_money, row)):
            break
        if len(words) < 2 or any(map(is_money, row)) or any(map(is_day, row)):
            continue
        body = [cells for _number, cells in iter_rows_below(rows, index)]
        columns = [[cell for cells in body if (cell := get_cell(cells, at))] for at in range(len(row))]
        money = (at in words and _are_mostly(cells, is_money) for at, cells in enumerate(columns))
        has_word = not {"saison", "konto", *DAY_HEADINGS}.isdisjoint(words.values())
        if any(money) and (has_word or any(_are_mostly(cells, _is_only_day) for cells in columns)):
            heads[index] = len(words)
    if not heads:
        raise FileRefused(_(
            "Das ist keine Kasse: Es fehlt eine Kopfzeile über einer Spalte mit dem Datum und einer mit Beträgen in Euro."
        ))
    return max(heads, key=lambda index: (heads[index], index))


def _weigh(sheet: KasseSheet, keys: Mapping[int, str]) -> dict[int, str]:
    """Return the roles of the columns after comparing their amounts: which are sums, whose is a balance, what is not certain."""
    roles = dict(sheet.roles)
    of = sheet.list_columns
    if accounts := of(ACCOUNT):
        if not of(IN, OUT) and len(sheet.accounts) + len(BOXES) >= sum(1 for _row in sheet.iter_rows()):
            kept = (DAY, ACCOUNT, AMOUNT)
            return {index: role if role in kept else SKIP for index, role in roles.items()}
        roles[accounts[0]] = PURPOSE
    for role in (IN, OUT, *SINGLE):
        roles |= dict.fromkeys(of(role)[1:], ASK if role in MONEY else SKIP)
    if of(SIDE) and not of(AMOUNT):
        roles[of(SIDE)[0]] = PURPOSE
    people = [index for index in of(PERSON) if roles[index] == PERSON]
    for index in people if not of(BALANCE) else ():
        tried = replace(sheet, roles={**roles, index: BALANCE})
        if name_key(sheet.columns[index].name) not in sheet.known and tried.grows:
            roles[index] = BALANCE
            break
    roles = _weigh_people(replace(sheet, roles=roles))
    has_balance = BALANCE in roles.values()
    sides = {index: OUT if role == IN else IN for index, role in roles.items() if role in (IN, OUT)}
    if has_balance and replace(sheet, roles=roles | sides).count_misfits() < replace(sheet, roles=roles).count_misfits():
        roles |= sides
    elif not has_balance and len(sides) > 1:
        roles |= {index: ASK for index in sides if keys[index].startswith(("soll", "haben"))}
    if not has_balance and SIDE not in roles.values():
        cells = sheet.list_cells([index for index, role in roles.items() if role == AMOUNT])
        if not any((parse_money(cell) or 0) < 0 for cell in cells):
            roles |= {index: ASK for index, role in roles.items() if role == AMOUNT}
    if PURPOSE not in roles.values():
        words = [index for index, role in roles.items() if role == SKIP and not _BANK.match(keys[index])]
        words = [index for index in words if _are_mostly(list(filter(None, sheet.list_cells([index]))), is_word)]
        roles |= dict.fromkeys(words[:MAX_PURPOSES], PURPOSE)
    return roles


def _weigh_people(sheet: KasseSheet) -> dict[int, str]:
    """Return the roles of a sheet with columns of people and others of money: one may be the sum of the other."""
    roles = dict(sheet.roles)
    people = [index for index, role in roles.items() if role == PERSON]
    others = [index for index, role in roles.items() if role in (IN, AMOUNT, BALANCE)]
    if not people or not any(role in (*MONEY, BALANCE, ASK) for role in roles.values()):
        return roles
    for index in others:
        sums = []
        for _number, row in sheet.iter_rows():
            paid = [parse_money(get_cell(row, person)) or 0 for person in people]
            sums += [sum(paid) == parse_money(get_cell(row, index))] if any(paid) else []
        if 2 * sum(sums) > len(sums):
            return roles | {index: SKIP}
    without = roles | dict.fromkeys(people, SKIP)
    if not any(role in (*MONEY, ASK) for role in roles.values()):
        return roles
    if BALANCE in roles.values():
        return min((roles, without), key=lambda tried: replace(sheet, roles=tried).count_misfits())
    if any(name_key(sheet.columns[index].name) in sheet.known for index in people):
        return roles
    return roles | dict.fromkeys(people, ASK)


def explain_question(sheet: KasseSheet, index: int) -> str:
    """Return the question about a column whose guess is ASK."""
    key = text_key(sheet.columns[index].name)
    if key.startswith(("soll", "haben")):
        return _("Ohne einen Bestand ist nicht sicher, ob „Soll“ oder „Haben“ in die Kasse kam. Bitte wählen.")
    if _HEADINGS[AMOUNT].match(key):
        return _(
            "Kein Betrag hat ein Minus: Sind das Einnahmen oder Ausgaben? Ist beides dabei, bitte in der Datei ein Minus davor "
            "schreiben, oder daneben eine Spalte „Art“ mit „Einnahme“ oder „Ausgabe“."
        )
    return _("Ist das eine Einnahme, eine Ausgabe oder die Zahlung einer Person? Bitte wählen.")


def refuse_cash_book(rows: Rows, known: Collection[str]) -> None:
    """Raise FileRefused if a sheet that is to be a list of evenings has columns for money in and out, and none of people."""
    is_book = False
    with suppress(FileRefused):
        sheet = outline_kasse(rows, known)
        roles = list(sheet.roles.values())
        is_book = sum(role in (IN, OUT, ASK) for role in roles) > 1 and AMOUNT not in roles and sheet.kind == Import.Kind.MOVED
    if is_book:
        raise FileRefused(_(
            "Das ist ein Kassenbuch mit Einnahmen und Ausgaben und keine Liste von Abenden. Bitte unter „Kasse“ mit „Alte Kasse "
            "mitbringen“ lesen lassen."
        ))


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
