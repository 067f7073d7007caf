"""Everything of a club in one file: a cover that says what is in it, the eternal lists, how they came about, the seasons and
months of the league, all games as one flat table, people, house rules, and every evening as on paper. One function writes each
table, to Excel or to CSV; what is checked against what stands in the row under each table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.club.models.people import Player
from scoring.evenings.excel import SITS_OUT, SITTER, bock_sign, by_hand, cell_look, total_shown, what
from scoring.files.book import Book, Sheet
from scoring.files.cells import DATE, NUMBER, TEXT, Column, Formula, Link, Look, Value
from scoring.files.csv import CsvBook, CsvSheet
from scoring.league.excel import season_title, write_month, write_season
from scoring.play.models import Evening, Game
from scoring.play.queries.records import GAMES
from scoring.play.queries.sheet import Cell, Row
from scoring.play.words.bock import carried
from scoring.rules import labels
from scoring.rules.facts import GameFacts, ShortFacts
from scoring.rulesets.models import RuleSet
from scoring.rulesets.words.rulesets import explain
from scoring.standings.excel import Listed, write_standings
from scoring.standings.queries.metrics import metrics_in

from .queries import ClubFile, EveningPart, Span, TablePart

DAY = Look(DATE, "left")
# More lines than that nobody can tell apart.
MOST_LINES = 10

AnyBook = Book | CsvBook
AnySheet = Sheet | CsvSheet


def span_title(span: Span) -> str:
    if span.season:
        return str(span.season.name)
    return str(span.year) if span.year else _("alle Zeit")


def club_workbook(file: ClubFile, mark: str = "") -> Book:
    """The whole file. It reads the games while it is written. `mark` is what one has to know of its lists."""
    title = f"{file.club.name} · {span_title(file.span)}"
    book = Book(title, file.club.name)
    cover = book.cover = _cover(book, file, title, mark)
    _write_all(book, file)
    _contents(book, cover)
    return book


def club_tables(file: ClubFile) -> CsvBook:
    """Every table of the file as text."""
    book = CsvBook()
    _write_all(book, file)
    return book


def table_keys(file: ClubFile) -> dict[str, str]:
    """The tables that can be had by themselves, with what they are called; evenings stand in all games."""
    lists = {f"list-{unit}": _list_name(file, unit) for unit in file.units}
    seasons = {f"season-{table.season.pk}": season_title(table.season) for table in file.seasons}
    return {**lists, **seasons, "games": _("Spiele"), "people": _("Personen"), "rules": _("Hausregeln")}


def one_table(file: ClubFile, key: str) -> CsvBook:
    """One of the tables of `table_keys`."""
    book = CsvBook()
    if key.startswith("list-"):
        _write_list(book, file, key.removeprefix("list-"))
    elif key.startswith("season-"):
        write_season(book, next(table for table in file.seasons if key == f"season-{table.season.pk}"))
    else:
        _SINGLE[key](book, file)
    return book


def _write_all(book: AnyBook, file: ClubFile) -> None:
    lists = {unit: _write_list(book, file, unit) for unit in file.units}
    for unit, listed in lists.items():
        if file.lists[unit]:
            _write_course(book, file, unit, listed)
    for table in file.seasons:
        write_season(book, table)
    for content in file.months:
        write_month(book, content)
    games = _Games(book, file)
    _write_people(book, file, lists)
    _write_rules(book, file)
    # Last, since there are so many of them; all games are written beside them, each game read once.
    for evening in file.parts():
        _write_evening(book, file, games, evening)
    games.close(lists)


# --- The cover --------------------------------------------------------------------------------------------------------


def _cover(book: Book, file: ClubFile, title: str, mark: str) -> Sheet:
    evenings = file.evenings
    captions = [
        title,
        _("Stand %(day)s") % {"day": f"{timezone.localdate():%d.%m.%Y}"},
        _days(evenings),
        _counted(len(evenings), len({result.player_id for result in file.results})),
        _everybody_ranks(),
        _(
            "Alle Zellen enthalten Werte. Unter jeder Tabelle steht eine Zeile mit Formeln, in der überall 0 stehen muss."
        ),
    ]
    if mark:
        captions.append(mark)
    columns = [Column(_("Blatt"), 34, TEXT), Column(_("Zeilen"), 10, NUMBER), Column(_("Probe"), 10, NUMBER)]
    return book.sheet(_("Deckblatt"), columns, captions)


def _days(evenings: list[Evening]) -> str:
    if not evenings:
        return _("Noch kein Abend.")
    days = {"first": f"{evenings[0].held_on:%d.%m.%Y}", "last": f"{evenings[-1].held_on:%d.%m.%Y}"}
    return _("Abende vom %(first)s bis zum %(last)s") % days


def _counted(evenings: int, people: int) -> str:
    return ", ".join(
        [
            ngettext("%(evenings)s Abend", "%(evenings)s Abende", evenings) % {"evenings": evenings},
            ngettext("%(people)s Person", "%(people)s Personen", people) % {"people": people},
        ]
    )


def _contents(book: Book, cover: Sheet) -> None:
    """Each sheet with a link to it, its rows, and whether all of its checks show 0: squares, so that nothing cancels."""
    for sheet in book.sheets[1:]:
        checks = Formula(f"=SUMSQ({','.join(sheet.checks)})") if sheet.checks else None
        cover.append([Link(sheet.name), sheet.lines_written, checks])
    cover.filter()
    last = cover.row
    cover.sums([_("Summe"), sum(sheet.lines_written for sheet in book.sheets[1:])])
    cover.check(
        [
            _("Probe (muss 0 sein)"),
            Formula(f"=SUM({cover.area(1, cover.first, 1, last)})-{cover.at(1, last + 1)}"),
            Formula(f"=SUM({cover.area(2, cover.first, 2, last)})"),
        ]
    )


# --- The lists --------------------------------------------------------------------------------------------------------


def _list_name(file: ClubFile, unit: str) -> str:
    return _named(_("Ewige Liste"), file, unit)


def _named(title: str, file: ClubFile, unit: str) -> str:
    return f"{title} · {RuleSet.Unit(unit).label}" if len(file.units) > 1 else title


def _everybody_ranks() -> str:
    """Why somebody can have another rank here than on the page."""
    return _(
        "In der ewigen Liste hat hier jeder einen Platz, auch wer auf der Seite ausgeblendet ist: "
        "Gäste, Ausgeschiedene und lange nicht Dagewesene."
    )


def _write_list(book: AnyBook, file: ClubFile, unit: str) -> Listed:
    name = _list_name(file, unit)
    captions = [
        f"{name} · {file.club.name}",
        " · ".join([span_title(file.span), _("mit allen, die je dabei waren")]),
        _everybody_ranks(),
    ]
    return write_standings(book, name, file.lists[unit], metrics_in(unit, more=True), captions)


def _write_course(book: AnyBook, file: ClubFile, unit: str, listed: Listed) -> None:
    """What everybody of the list had after each evening."""
    name = _named(_("Spielstände"), file, unit)
    people = file.lists[unit]
    columns = [Column(_("Datum"), 12, DAY), *(Column(row.name, 11, NUMBER) for row in people)]
    sheet = book.sheet(name, columns, [f"{name} · {file.club.name}", _("Der Stand nach jedem Abend.")])
    totals: dict[int, int] = {}
    for evening, points in _by_evening(file, unit):
        for player, brought in points.items():
            totals[player] = totals.get(player, 0) + brought
        sheet.append([evening.held_on, *(totals.get(row.player_id) for row in people)])
    sheet.filter()
    sheet.colour(range(1, len(columns)))
    sheet.lines(name, range(1, min(len(people), MOST_LINES) + 1))
    last = sheet.row
    sheet.check(
        [
            _("Probe"),
            *(Formula(f"={sheet.at(1 + line, last)}-{listed.of('points', line)}") for line in range(len(people))),
        ]
    )


def _by_evening(file: ClubFile, unit: str) -> Iterator[tuple[Evening, Mapping[int, int]]]:
    points: dict[int, dict[int, int]] = defaultdict(dict)
    for result in file.results:
        if result.table.rule_set.unit == unit:
            of_evening = points[result.table.evening_id]
            of_evening[result.player_id] = of_evening.get(result.player_id, 0) + result.points
    return ((evening, points[evening.pk]) for evening in file.evenings if evening.pk in points)


# --- All games --------------------------------------------------------------------------------------------------------


class _Slice(NamedTuple):
    """Where the rows of one table stand among all games."""

    first: int
    last: int


class _Games:
    """All games as one flat table, ready for a pivot: a row for each game and each person it brought something or who
    played it. What was played, won or a solo is 1, so that it can be added up; points and cents have columns of their
    own."""

    def __init__(self, book: AnyBook, file: ClubFile) -> None:
        self.units = file.units
        # Translated once: there are several in each of very many rows.
        self._forms = {form.value: str(form.label) for form in Game.Form}
        self._kinds = {kind: _(word) for kind, word in labels.KINDS.items()}
        self._parties = {party: _(word) for party, word in labels.PARTIES.items()}
        columns = [
            Column(_("Datum"), 12, DAY),
            Column(_("Tisch"), 7, NUMBER),
            Column(_("Nr."), 6, NUMBER),
            Column(_("Zeile"), 14, TEXT),
            Column(_("Regelwerk"), 22, TEXT),
            Column(_("Spielart"), 17, TEXT),
            Column(_("Bockstufe"), 11, NUMBER),
            Column(_("Wert"), 8, NUMBER),
            Column(_("Name"), 24, TEXT),
            Column(_("Partei"), 9, TEXT),
            Column(_("Spiele"), 8, NUMBER),
            Column(_("Siege"), 8, NUMBER),
            Column(_("Soli gespielt"), 10, NUMBER),
            *(Column(str(RuleSet.Unit(unit).label), 9, NUMBER) for unit in self.units),
        ]
        # A line of a table this long is never broken, which spares whoever opens it a long wait.
        columns = [column._replace(look=column.look._replace(wrap=False)) for column in columns]
        captions = [
            f"{_('Spiele')} · {file.club.name}",
            _("Eine Zeile je Spiel und Person, fertig für eine Pivot-Tabelle."),
        ]
        self.sheet = book.sheet(_("Spiele"), columns, captions, frozen=3)

    NAME, COUNTS = 8, {"games": 10, "wins": 11, "solos": 12}
    POINTS = 13

    def write(self, part: TablePart) -> _Slice:
        first = self.sheet.row + 1
        table = [part.table.evening.held_on, part.table.number]
        rules = str(part.table.rule_set)
        place = self.units.index(part.unit)
        before, behind = [None] * place, [None] * (len(self.units) - place - 1)
        for row in part.sheet.rows if part.sheet else ():
            played = row.game.form in GAMES
            line = [
                *table,
                row.number,
                self._forms[row.game.form],
                rules,
                self._kind(row),
                row.result.level if played else None,
                None if by_hand(row) else row.value,
            ]
            for cell in row.cells:
                in_it = played and cell.seat is not None and not cell.out
                if in_it or cell.points:
                    self.sheet.append([*line, *self._of_person(cell, in_it), *before, cell.points, *behind])
        if part.sheet is None:
            line = [*table, None, _("ohne Spiele übernommen"), rules, None, None, None]
            for result in part.results:
                counts = [result.games, result.wins, result.solos]
                self.sheet.append([*line, result.player.name, None, *counts, *before, result.points, *behind])
        return _Slice(first, self.sheet.row)

    def _kind(self, row: Row) -> str | None:
        facts = row.result.facts
        if isinstance(facts, GameFacts):
            return self._kinds[facts.kind]
        return _("Solo") if isinstance(facts, ShortFacts) and facts.solo else None

    def _of_person(self, cell: Cell, in_it: bool) -> list[Value]:
        party = self._parties.get(cell.party)
        if not in_it:
            return [cell.player.name, party, None, None, None]
        return [cell.player.name, party, 1, int(cell.won), int(cell.solo)]

    def points_of(self, head: str, unit: str, rows: _Slice) -> str:
        """What one person, whose name stands in the cell `head`, has in these rows, as a part of a formula. Compared as
        text: names can hold what SUMIF takes for a pattern."""
        if rows.last < rows.first:
            return "0"
        column = self.POINTS + self.units.index(unit)
        names = self.sheet.area(self.NAME, rows.first, self.NAME, rows.last)
        points = self.sheet.area(column, rows.first, column, rows.last)
        return f"SUMPRODUCT(({names}={head})*{points})"

    def close(self, lists: Mapping[str, Listed]) -> None:
        """The check: every column comes to what the lists say, which are added up from the results."""
        self.sheet.filter()
        self.sheet.colour(range(self.POINTS, self.POINTS + len(self.units)))
        last = self.sheet.row
        checks: list[Value] = [None] * self.NAME + [_("Probe (muss 0 sein)"), None]
        for key, column in self.COUNTS.items():
            totals = "".join(f"-{listed.total(key)}" for listed in lists.values())
            checks.append(Formula(f"=SUM({self.sheet.area(column, self.sheet.first, column, last)}){totals}"))
        for column, listed in enumerate(lists.values(), start=self.POINTS):
            area = self.sheet.area(column, self.sheet.first, column, last)
            checks.append(Formula(f"=SUM({area})-{listed.total('points')}"))
        self.sheet.gap()
        self.sheet.check(checks)


# --- People and rules -------------------------------------------------------------------------------------------------


def _write_people(book: AnyBook, file: ClubFile, lists: Mapping[str, Listed] | None = None) -> None:
    """Everybody of the club, also who did not come."""
    metrics = {unit: {metric.key: str(metric.label) for metric in metrics_in(unit)} for unit in file.units}
    columns = [
        Column(_("Name"), 24, TEXT),
        Column(_("Gast"), 8, TEXT),
        Column(_("dabei seit"), 12, DAY),
        Column(_("ausgeschieden am"), 14, DAY),
        Column(_("erster Abend"), 12, DAY),
        Column(_("letzter Abend"), 12, DAY),
        *(Column(_in_unit(file, unit, metrics[unit][key]), 11, NUMBER) for unit in file.units for key in _OF_PERSON),
    ]
    title = _("Personen")
    sheet = book.sheet(title, columns, [f"{title} · {file.club.name}", span_title(file.span)])
    figures = {unit: {row.player_id: row.figures for row in rows} for unit, rows in file.lists.items()}
    days = _first_and_last(file)
    for player in file.people:
        of_person: list[Value] = []
        for unit in file.units:
            there = figures[unit].get(player.pk)
            of_person += [int(there[key] or 0) if there else None for key in _OF_PERSON]
        guest = _("ja") if player.guest else None
        sheet.append(
            [player.name, guest, player.joined_on, player.left_on, *days.get(player.pk, (None, None)), *of_person]
        )
    sheet.filter()
    _check_people(sheet, file, lists or {})


_OF_PERSON = ("evenings", "games", "points")


def _in_unit(file: ClubFile, unit: str, label: str) -> str:
    return f"{label} ({RuleSet.Unit(unit).label})" if len(file.units) > 1 else label


def _first_and_last(file: ClubFile) -> dict[int, tuple[Value, Value]]:
    days: dict[int, list] = defaultdict(list)
    for result in file.results:
        days[result.player_id].append(result.table.evening.held_on)
    return {player: (min(there), max(there)) for player, there in days.items()}


def _check_people(sheet: AnySheet, file: ClubFile, lists: Mapping[str, Listed]) -> None:
    """The figures of everybody come to the sums of the lists."""
    last = sheet.row
    sheet.colour(range(8, 6 + 3 * len(file.units), 3))
    summed = [int(sum(row.figures[key] or 0 for row in file.lists[unit])) for unit in file.units for key in _OF_PERSON]
    sheet.sums([_("Summe"), *[None] * 5, *summed])
    totals = [listed.total(key) for listed in lists.values() for key in _OF_PERSON]
    checks = [
        Formula(f"=SUM({sheet.area(column, sheet.first, column, last)})-{total}")
        for column, total in enumerate(totals, start=6)
    ]
    sheet.check([_("Probe (muss 0 sein)"), *[None] * 5, *checks])


def _write_rules(book: AnyBook, file: ClubFile) -> None:
    """The rule sets that were played, in sentences."""
    columns = [
        Column(_("Regelwerk"), 24, TEXT),
        Column(_("Fassung"), 9, NUMBER),
        Column(_("Tische"), 8, NUMBER),
        Column(_("Abschnitt"), 24, TEXT),
        Column(_("Regel"), 90, TEXT),
    ]
    title = _("Hausregeln")
    sheet = book.sheet(title, columns, [f"{title} · {file.club.name}"])
    for rules, tables in file.rule_sets:
        for section in explain(rules.settings):
            for _key, sentence in section.sentences:
                sheet.append([rules.name, rules.version, tables, section.title, sentence])
    sheet.filter()
    last = sheet.row
    count = last - sheet.first + 1
    check = f"=COUNTA({sheet.area(4, sheet.first, 4, last)})-{count}" if count else "=0"
    sheet.check([None, None, None, _("Probe (muss 0 sein)"), Formula(check)])


# --- The evenings -----------------------------------------------------------------------------------------------------


def _write_evening(book: AnyBook, file: ClubFile, games: _Games, evening: EveningPart) -> None:
    """The tables of an evening as on paper, one under the other; everybody who was there has a column."""
    held, people = evening.evening, evening.players
    several = len(evening.parts) > 1
    columns = [
        Column(_("Tisch"), 7, NUMBER),
        Column(_("Nr."), 6, NUMBER),
        Column(_("Geber"), 14, TEXT),
        *(Column(player.name, 11, NUMBER) for player in people),
        Column(_("Wert"), 8, NUMBER),
        Column(_("Bock"), 7, TEXT),
        Column(_("Was"), 30, TEXT),
    ]
    rules = ", ".join(dict.fromkeys(str(part.table.rule_set) for part in evening.parts))
    captions = [
        " · ".join(text for text in [f"{held.held_on:%d.%m.%Y}", held.place, file.club.name] if text),
        rules,
        *(carried(part.sheet.carried) for part in evening.parts if part.sheet and part.sheet.carried),
    ]
    sheet = book.sheet(f"{held.held_on:%d.%m.%Y}", columns, captions, frozen=3)
    for part in evening.parts:
        _write_lines(sheet, part, people)
        if not several:
            sheet.filter()
        _write_totals(sheet, part, people, games, games.write(part))
    sheet.colour(range(3, 3 + len(people)))
    sheet.close()


def _write_lines(sheet: AnySheet, part: TablePart, people: list[Player]) -> None:
    number = part.table.number
    if part.sheet is None:
        sheet.append([number, *[None] * (len(people) + 4), _("ohne Spiele übernommen")])
        return
    for row in part.sheet.rows:
        cells = {cell.player.pk: cell for cell in row.cells}
        there = [cells.get(player.pk) for player in people]
        dealer = row.dealer.name if row.dealer else None
        sheet.append(
            [
                number,
                row.number,
                dealer,
                *(total_shown(cell) if cell else SITS_OUT for cell in there),
                None if by_hand(row) else row.value,
                bock_sign(row.result.level),
                what(row),
            ],
            [None, None, None, *(cell_look(cell) if cell else SITTER for cell in there)],
            line=row.ends_cycle,
        )


def _write_totals(sheet: AnySheet, part: TablePart, people: list[Player], games: _Games, rows: _Slice) -> None:
    """What is stored as everybody's result, and the check against their points in all games."""
    stored = {result.player_id: result.points for result in part.results}
    unit = str(RuleSet.Unit(part.unit).label)
    totals = [stored.get(player.pk) for player in people]
    sheet.sums([part.table.number, None, _("Summe %(unit)s") % {"unit": unit}, *totals, sum(stored.values())])
    last = sheet.row
    head = sheet.first - 1
    checks = [
        Formula(f"={games.points_of(sheet.at(column, head), part.unit, rows)}-{sheet.at(column, last)}")
        if player.pk in stored
        else None
        for column, player in enumerate(people, start=3)
    ]
    across = Formula(f"=SUM({sheet.area(3, last, 2 + len(people), last)})-{sheet.at(3 + len(people), last)}")
    sheet.check([None, None, _("Probe"), *checks, across, None, _("Überall muss 0 stehen.")])


def _write_games(book: AnyBook, file: ClubFile) -> None:
    games = _Games(book, file)
    for evening in file.parts():
        for part in evening.parts:
            games.write(part)


_SINGLE: dict[str, Callable[[AnyBook, ClubFile], None]] = {
    "games": _write_games,
    "people": _write_people,
    "rules": _write_rules,
}
