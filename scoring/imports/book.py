"""What our own workbook says: the people, every row of "Spiele", and the sheet of every evening with its tables. Each game
stands there twice, as points on "Spiele" and as totals on its evening, and everybody's sum once more under "Personen": where
these differ somebody has changed the file, and the row is named."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.models import Evening, Game, RuleSet
from scoring.models.people import NAME_LENGTH
from scoring.models.text import fold, validate_plain

from .cells import CellRefused, read_day, read_points
from .files import FileRefused, Rows, Sheet, column_name
from .reading import Remark
from .titles import EVENING, GAMES, PEOPLE, written_in

UNITS: Final = tuple(RuleSet.Unit.values)
MOST_TABLES: Final = 99
LONGEST_PLACE: Final = Evening._meta.get_field("place").max_length or 0
BETWEEN: Final = " · "
# How many of its rows without a place on any evening are named.
MOST_FOREIGN: Final = 20


class Headings(NamedTuple):
    """What stands above and in the tables, in the language of the file."""

    people: list[str]
    games: list[str]
    evening: list[str]
    evening_end: list[str]
    units: dict[str, str]
    sums: set[str]
    sum: str
    check: str
    checks: str
    yes: str
    without_games: str
    out_of_turn: str
    forms: dict[str, str]


@lru_cache
def headings(language: str) -> Headings:
    with override(language):
        units = {str(RuleSet.Unit(unit).label): unit for unit in UNITS}
        return Headings(
            people=[_("Name"), _("Gast"), _("dabei seit"), _("ausgeschieden am"), _("erster Abend"), _("letzter Abend")],
            games=[
                _("Datum"), _("Tisch"), _("Nr."), _("Zeile"), _("Regelwerk"), _("Spielart"), _("Bockstufe"), _("Wert"),
                _("Name"), _("Partei"), _("Spiele"), _("Siege"), _("Soli gespielt"),
            ],
            evening=[_("Tisch"), _("Nr."), _("Geber")],
            evening_end=[_("Wert"), _("Bock"), _("Was")],
            units=units,
            sums={_("Summe %(unit)s") % {"unit": label} for label in units},
            sum=_("Summe"),
            check=_("Probe"),
            checks=_("Probe (muss 0 sein)"),
            yes=_("ja"),
            without_games=_("ohne Spiele übernommen"),
            out_of_turn=_("gegeben außer der Reihe, dran wäre %(turn)s gewesen").partition("%(turn)s")[0],
            forms={str(label): form for form, label in Game.Form.choices},
        )  # fmt: skip


class Person(NamedTuple):
    """A row of "Personen"; `sums` are evenings and points by unit."""

    row: int
    name: str
    guest: bool
    joined_on: datetime.date | None
    left_on: datetime.date | None
    sums: Sequence[tuple[int, int]]


class Part(NamedTuple):
    """A row of "Spiele": what one line was to one person. `number` is that of a game, None for every other line."""

    row: int
    number: int | None
    form: str
    rules: str
    unit: str
    person: int
    points: int
    played: bool
    won: bool
    solo: bool


@dataclass(frozen=True)
class Told:
    """A line of a table: on its row of the evening's sheet what it brought everybody, and the same from "Spiele". `what`
    are the words beside it: of a game its kind and note, else what form of line it is and why."""

    row: int
    number: int | None
    dealer: int | None
    what: tuple[str, ...]
    brought: Mapping[int, int]
    parts: Sequence[Part] = ()


@dataclass(frozen=True)
class Paper:
    """A table of an evening: `sums` is what it brought whom, by person, with the row where that stands."""

    sheet: str
    day: datetime.date
    place: str
    number: int
    lines: Sequence[Told]
    without_games: bool
    row: int
    sums: Mapping[int, int]
    rules: str = ""
    unit: str = ""


@dataclass
class OwnBook:
    """All of it: `evenings` by sheet, in order. Where there are `faults` nothing else is to be believed."""

    people: list[Person] = field(default_factory=list)
    evenings: list[list[Paper]] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)


def read_book(sheets: Sequence[Sheet]) -> OwnBook:
    """The workbook, told as ours by `titles.written_in`. Raises FileRefused where one of its tables is missing."""
    rows = {sheet.name: sheet.rows for sheet in sheets}
    return _Reader(rows, written_in(rows) or "").read()


class _Reader:
    """First every sheet by itself; only where all of them can be read, what they say of each other."""

    def __init__(self, sheets: Mapping[str, Rows], language: str) -> None:
        self.sheets = sheets
        self.said = headings(language)
        with override(language):
            self.people_sheet, self.games_sheet = _(PEOPLE), _(GAMES)
        self.book = OwnBook()
        self.persons: dict[str, int] = {}
        # By day and number of the table, in the order of the file: two evenings of one day stand behind each other.
        self.parts: dict[tuple[datetime.date, int], deque[Part]] = defaultdict(deque)

    def read(self) -> OwnBook:
        for name in (self.people_sheet, self.games_sheet):
            if name not in self.sheets:
                raise FileRefused(_("In unserer Excel-Datei fehlt das Blatt „%(sheet)s“.") % {"sheet": name})
        self._read_people()
        self._read_games()
        papers = [self._read_evening(name) for name in self.sheets if EVENING.match(name)]
        if not self.book.faults:
            self.book.evenings = [self._held_against_games(of_sheet) for of_sheet in papers]
        if not self.book.faults:
            self._judge_rest()
        if not self.book.faults:
            self._judge_sums()
        return self.book

    def _fault(self, sheet: str, row: int, sentence: str) -> None:
        self.book.faults.append(Remark(row, f"{sentence}.", sheet))

    def _rows(self, sheet: str, is_head: Callable[[list[str]], bool]) -> Iterator[tuple[int, list[str]]]:
        """The headings, then every row below that holds anything, filled up to their width."""
        rows = iter(enumerate(self.sheets[sheet], 1))
        head = next(((number, row) for number, row in rows if is_head(row)), None)
        if head is None:
            raise FileRefused(_("Auf dem Blatt „%(sheet)s“ fehlt die Zeile mit den Überschriften.") % {"sheet": sheet})
        yield head
        for number, row in rows:
            if any(row):
                yield number, row + [""] * (len(head[1]) - len(row))

    def _read_rows(
        self, sheet: str, rows: Iterator[tuple[int, list[str]]], read: Callable[[int, list[str]], None]
    ) -> None:
        for number, row in rows:
            try:
                read(number, row)
            except CellRefused as refused:
                self._fault(sheet, number, str(refused))

    # --- The people -------------------------------------------------------------------------------------------------------

    def _read_people(self) -> None:
        width = len(self.said.people)
        rows = self._rows(self.people_sheet, lambda row: row[:width] == self.said.people)
        next(rows)

        def read(number: int, row: list[str]) -> None:
            if row[0] in (self.said.sum, self.said.checks) and not any(row[1:width]):
                return
            person = _person(number, row, self.said)
            if fold(person.name) in self.persons:
                raise CellRefused(_("Der Name „%(name)s“ steht hier zweimal") % {"name": person.name})
            self.persons[fold(person.name)] = len(self.book.people)
            self.book.people.append(person)

        self._read_rows(self.people_sheet, rows, read)

    def _person_of(self, name: str) -> int:
        try:
            return self.persons[fold(name)]
        except KeyError as error:
            said = {"name": name, "sheet": self.people_sheet}
            raise CellRefused(_("„%(name)s“ steht nicht auf dem Blatt „%(sheet)s“") % said) from error

    # --- All games --------------------------------------------------------------------------------------------------------

    def _read_games(self) -> None:
        width = len(self.said.games)
        rows = self._rows(self.games_sheet, lambda row: row[:width] == self.said.games)
        units = [
            (index, self.said.units.get(title)) for index, title in enumerate(next(rows)[1][width:], width) if title
        ]

        def read(number: int, row: list[str]) -> None:
            if not row[0] and row[8] == self.said.checks:
                return
            day, table = read_day(row[0]), _number(row, 1, MOST_TABLES)
            points = [(unit, _points(row, index)) for index, unit in units if unit and row[index]]
            if len(points) != 1 or points[0][1] is None:
                raise CellRefused(_("Die Punkte fehlen"))
            unit, brought = points[0]
            played, won, solo = (bool(_points(row, index)) for index in (10, 11, 12))
            game = _number(row, 2) if row[2] else None
            person = self._person_of(row[8])
            form = self.said.forms.get(row[3], "")
            part = Part(number, game, form, row[4], unit, person, brought, played, won, solo)
            self.parts[day, table].append(part)

        self._read_rows(self.games_sheet, rows, read)

    # --- The evenings -----------------------------------------------------------------------------------------------------

    def _read_evening(self, sheet: str) -> list[Paper]:
        rows = self._rows(sheet, self._is_evening_head)
        head_row, head = next(rows)
        try:
            day, place = _day_of(sheet), self._place(sheet)
            people = [self._person_of(name) for name in head[3 : _last(head) - 2]]
        except CellRefused as refused:
            self._fault(sheet, head_row, str(refused))
            return []
        found: list[_EveningRow] = []

        def read(number: int, row: list[str]) -> None:
            if row[0] or row[2] != self.said.check:
                found.append(self._evening_row(number, row, people))

        self._read_rows(sheet, rows, read)
        if found and not found[-1].is_sum:
            self._fault(sheet, found[-1].told.row, _("Unter dieser Zeile fehlt die mit der Summe"))
        try:
            return list(_papers(sheet, day, place, found))
        except _Differs as differs:
            self._fault(sheet, differs.row, str(differs))
            return []

    def _evening_row(self, number: int, row: list[str], people: Sequence[int]) -> _EveningRow:
        """`people` are those of the columns between dealer and value."""
        game = _number(row, 1) if row[1] else None
        shown = {person: _points(row, index) for index, person in enumerate(people, 3)}
        # Whose turn it would have been follows from who dealt.
        words = row[len(people) + 5].split(BETWEEN)
        what = tuple(word for word in words if word and not word.startswith(self.said.out_of_turn))
        there = {person: points for person, points in shown.items() if points is not None}
        return _EveningRow(
            table=_number(row, 0, MOST_TABLES),
            told=Told(number, game, self.persons.get(fold(row[2])), what, there),
            is_sum=game is None and row[2] in self.said.sums,
            # In files of before it stood where the dealer stands.
            is_without_games=game is None
            and (row[2], *what) in ((self.said.without_games,), ("", self.said.without_games)),
        )

    def _is_evening_head(self, row: list[str]) -> bool:
        last = _last(row) + 1
        return row[:3] == self.said.evening and row[last - 3 : last] == self.said.evening_end

    def _place(self, sheet: str) -> str:
        """What stands between day and club above the table."""
        caption = next((row[0] for row in self.sheets[sheet] if any(row)), "")
        title = next((row[0] for row in self.sheets[self.people_sheet] if any(row)), "")
        club = title.removeprefix(self.people_sheet)
        place = caption[len("01.01.2000") :].removesuffix(club).removeprefix(BETWEEN)
        if len(place) > LONGEST_PLACE:
            raise CellRefused(_("Der Ort ist zu lang"))
        return place

    # --- What they say of each other --------------------------------------------------------------------------------------

    def _held_against_games(self, papers: list[Paper]) -> list[Paper]:
        """The tables of an evening with what "Spiele" says of each of their lines; of one that differs the first row."""
        found = []
        for paper in papers:
            try:
                found.append(self._held(paper, self.parts[paper.day, paper.number]))
            except _Differs as differs:
                self._fault(paper.sheet, differs.row, str(differs))
        return found

    def _held(self, paper: Paper, ahead: deque[Part]) -> Paper:
        lines, before = [], 0
        totals: Counter[int] = Counter()
        seen: list[Part] = []
        for line in paper.lines:
            if line.number is not None:
                before += 1
                if line.number != before:
                    said = {"number": line.number, "expected": before}
                    raise _Differs(line.row, _("Hier steht Nr. %(number)s, es müsste Nr. %(expected)s sein") % said)
            parts = _taken(ahead, line)
            # Who played a game has a row, though it brought nothing; any other line is told of those whom it brought some.
            told = (
                line.brought if line.number is not None else {who: some for who, some in line.brought.items() if some}
            )
            self._judge_same(line.row, told, parts, ahead)
            if any(part.form != self.said.forms.get((*line.what, "")[0]) for part in parts if part.number is None):
                raise _Differs(line.row, self._otherwise(parts[0]))
            lines.append(replace(line, parts=parts))
            totals.update(line.brought)
            seen += parts
        if paper.without_games:
            parts = [ahead.popleft() for _part in range(min(len(ahead), len(paper.sums)))]
            self._judge_same(paper.row, paper.sums, parts, ahead)
            seen += parts
        elif any(totals[person] != paper.sums.get(person, 0) for person in {*totals, *paper.sums}):
            raise _Differs(paper.row, _("Die Summe ist nicht der Stand nach der letzten Zeile"))
        if any(part.person not in paper.sums for part in seen):
            raise _Differs(paper.row, _("In dieser Zeile fehlt eine Summe"))
        if len({(part.rules, part.unit) for part in seen}) > 1:
            said = {"sheet": self.games_sheet, "row": seen[0].row}
            raise _Differs(paper.row, _("Auf „%(sheet)s“ sind es ab Zeile %(row)s verschiedene Regelwerke") % said)
        rules, unit = (seen[0].rules, seen[0].unit) if seen else ("", "")
        return replace(paper, lines=lines, rules=rules, unit=unit)

    def _judge_same(self, row: int, brought: Mapping[int, int], parts: Sequence[Part], ahead: deque[Part]) -> None:
        """Does "Spiele" say the same of a line?"""
        if dict(brought) != {part.person: part.points for part in parts}:
            near = parts[0] if parts else ahead[0] if ahead else None
            if near is None:
                raise _Differs(row, _("Auf dem Blatt „%(sheet)s“ fehlt diese Zeile") % {"sheet": self.games_sheet})
            raise _Differs(row, self._otherwise(near))

    def _otherwise(self, part: Part) -> str:
        said = {"sheet": self.games_sheet, "row": part.row}
        return _("Auf dem Blatt „%(sheet)s“ steht es anders, dort in Zeile %(row)s") % said

    def _judge_rest(self) -> None:
        """Every row of "Spiele" is of an evening."""
        left = [(ahead[0].row, day) for (day, _table), ahead in self.parts.items() if ahead]
        for row, day in left[:MOST_FOREIGN]:
            said = {"day": f"{day:%d.%m.%Y}"}
            self._fault(self.games_sheet, row, _("Diese Zeile steht auf keinem Blatt vom %(day)s") % said)

    def _judge_sums(self) -> None:
        """Everybody has what "Personen" says."""
        points: Counter[tuple[int, str]] = Counter()
        evenings: Counter[tuple[int, str]] = Counter()
        for papers in self.book.evenings:
            there = set()
            for paper in papers:
                points.update({(person, paper.unit): brought for person, brought in paper.sums.items()})
                there |= {(person, paper.unit) for person in attending(paper)}
            evenings.update(there)
        units = [unit for unit in UNITS if any(of == unit for _person, of in points)] or UNITS[:1]
        for index, person in enumerate(self.book.people):
            found = [(evenings[index, unit], points[index, unit]) for unit in units]
            if found != list(person.sums):
                self._fault(
                    self.people_sheet,
                    person.row,
                    _("Abende und Punkte von „%(name)s“ sind nicht, was die Blätter der Abende ergeben")
                    % {"name": person.name},
                )


class _EveningRow(NamedTuple):
    """A row of an evening as it stands: `told` has the totals, not yet what the line brought."""

    table: int
    told: Told
    is_sum: bool
    is_without_games: bool


def _papers(sheet: str, day: datetime.date, place: str, rows: Sequence[_EveningRow]) -> Iterator[Paper]:
    """The tables of an evening: each ends with its sums. Raises _Differs where the numbers of tables do not fit that."""
    tables: list[int] = []
    lines: list[Told] = []
    totals: dict[int, int] = {}
    without_games = begun = False
    for row in rows:
        there = row.told.brought
        if not begun and row.table in tables or begun and row.table != tables[-1]:
            raise _Differs(row.told.row, _("Tisch %(number)s gehört nicht hierher") % {"number": row.table})
        if not begun:
            tables.append(row.table)
        begun = not row.is_sum
        if row.is_sum:
            yield Paper(sheet, day, place, row.table, lines, without_games, row.told.row, there)
            lines, totals, without_games = [], {}, False
        elif row.is_without_games:
            without_games = True
        else:
            brought = {person: points - totals.get(person, 0) for person, points in there.items()}
            lines.append(replace(row.told, brought=brought))
            totals.update(there)


def _day_of(sheet: str) -> datetime.date:
    day = read_day(EVENING.sub(r"\1", sheet))
    if day > timezone.localdate():
        raise CellRefused(_("Der Tag liegt in der Zukunft"))
    return day


class _Differs(Exception):
    """Two sheets do not say the same: the row of the evening, and the sentence."""

    def __init__(self, row: int, sentence: str) -> None:
        super().__init__(sentence)
        self.row = row


def attending(paper: Paper) -> set[int]:
    """Who was there in the sense of the list: whoever played, or has a sum where no games are known."""
    if paper.without_games:
        return set(paper.sums)
    return {part.person for line in paper.lines for part in line.parts if part.played}


def _taken(ahead: deque[Part], line: Told) -> list[Part]:
    """The next rows of "Spiele" that can be of this line, each person once. One without a number has rows of those alone
    whom it brought something."""
    found: list[Part] = []
    seen: set[int] = set()
    while ahead and ahead[0].number == line.number and ahead[0].person not in seen:
        if line.number is None and not line.brought.get(ahead[0].person):
            break
        seen.add(ahead[0].person)
        found.append(ahead.popleft())
    return found


def _person(number: int, row: list[str], said: Headings) -> Person:
    name = row[0]
    if not fold(name) or len(name) > NAME_LENGTH:
        raise CellRefused(_("Der Name fehlt oder ist zu lang"))
    try:
        validate_plain(name)
    except ValidationError as error:
        raise CellRefused(_("Der Name fehlt oder ist zu lang")) from error
    joined_on, left_on = (read_day(row[index]) if row[index] else None for index in (2, 3))
    if joined_on and left_on and left_on < joined_on:
        raise CellRefused(_("Ausgeschieden ist man erst nach dem Eintritt"))
    sums = [
        (_points(row, index) or 0, _points(row, index + 2) or 0)
        for index in range(len(said.people), len(row) - 2, 3)
    ]  # fmt: skip
    return Person(number, name, row[1] == said.yes, joined_on, left_on, sums)


def _points(row: Sequence[str], index: int) -> int | None:
    try:
        return read_points(row[index])
    except CellRefused as refused:
        raise CellRefused(f"{_where(index)}: {refused}") from refused


def _number(row: Sequence[str], index: int, most: int = 1_000_000) -> int:
    """A number from 1."""
    text = row[index]
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= most):
        sentence = _("„%(text)s“ ist keine Nummer") % {"text": text}
        raise CellRefused(f"{_where(index)}: {sentence}")
    return int(text[:9])


def _where(index: int) -> str:
    return _("Spalte %(column)s") % {"column": column_name(index)}


def _last(row: Sequence[str]) -> int:
    """The index of the last cell that holds anything."""
    return max((index for index, cell in enumerate(row) if cell), default=-1)
