"""The games in the file with everything of a club: all of them as one flat table, and every evening as on paper. Both are
written side by side, each game read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.core.csv import CsvSheet, CsvWorkbook
from scoring.core.workbook import DATE, NUMBER, TEXT, CellStyle, Column, ExcelSheet, ExcelWorkbook, Formula, Value
from scoring.evenings.exports import (
    IDLE_STYLE,
    SITS_OUT,
    describe_line,
    format_total,
    get_bock_sign,
    get_cell_style,
    is_entered_by_hand,
)
from scoring.play.models import Game
from scoring.play.queries import GAMES, Cell, Row
from scoring.play.texts import describe_carried, describe_specials
from scoring.rules import labels
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rulesets.models import RuleSet
from scoring.standings.excel import ListPlaces
from scoring.standings.models import OpeningStanding
from scoring.workbook.queries import ClubFile, EveningPart, TablePart

DAY = CellStyle(DATE, "left")

AnyWorkbook = ExcelWorkbook | CsvWorkbook
AnySheet = ExcelSheet | CsvSheet


# --- All games --------------------------------------------------------------------------------------------------------


# Of what came without its games nobody knows special points, announcements, eyes, band and dealer.
NOTHING: tuple[None, ...] = (None,) * 5


class _Slice(NamedTuple):
    """Where the rows of one table stand among all games."""

    first: int
    last: int


class Games:
    """All games as one flat table, ready for a pivot: a row for each game and each person it brought something or who
    played it. What was played, won or a solo is 1, so that it can be added up; points and cents have columns of their
    own. Behind them stands what was typed: special points of the person's party and of the game, what the party announced, the
    eyes of Re or the band, who dealt, and where it was."""

    def __init__(self, workbook: AnyWorkbook, file: ClubFile) -> None:
        self.units = file.units
        # Translated once: there are several in each of very many rows.
        self._forms = {form.value: str(form.label) for form in Game.Form}
        self._kinds = {kind: _(word) for kind, word in labels.KINDS.items()}
        self._bands = {band: _(word) for band, word in labels.BANDS.items()}
        self._announcements = {said: _(word) for said, word in labels.SAID.items()}
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
            Column(_("Sonderpunkte"), 24, TEXT),
            Column(_("Ansage"), 12, TEXT),
            Column(_("Augen Re"), 9, NUMBER),
            Column(_("Ergebnis"), 22, TEXT),
            Column(_("Geber"), 14, TEXT),
            Column(_("Ort"), 18, TEXT),
        ]
        # A line of a table this long is never broken, which spares whoever opens it a long wait.
        columns = [column._replace(style=column.style._replace(wrap=False)) for column in columns]
        captions = [
            _("Spiele") + f" · {file.club.name}",
            _("Eine Zeile je Spiel und Person, fertig für eine Pivot-Tabelle."),
        ]
        self.sheet = workbook.add_sheet(_("Spiele"), columns, captions, frozen=3)

    NAME, COUNTS = 8, {"games": 10, "wins": 11, "solos": 12}
    POINTS = 13

    def write_openings(self, openings: Sequence[OpeningStanding]) -> None:
        """What people had before the first evening: a row for each, so that all games come to what the lists say."""
        for one in openings:
            points = [one.points if unit == one.unit else None for unit in self.units]
            counts = [one.games, one.wins, one.solos]
            before: list[Value] = [one.until, None, None, _("Anfangsstand"), None, None, None, None]
            self.sheet.append([*before, one.player.name, None, *counts, *points, *NOTHING, None])

    def write(self, part: TablePart) -> _Slice:
        first = self.sheet.row + 1
        table: list[Value] = [part.table.evening.held_on, part.table.number]
        rules = str(part.table.rule_set)
        place = self.units.index(part.unit)
        place_of_evening = part.table.evening.place or None
        before: list[Value] = [None] * place
        behind: list[Value] = [None] * (len(self.units) - place - 1)
        for row in part.sheet.rows if part.sheet else ():
            played = row.game.form in GAMES
            line: list[Value] = [
                *table,
                row.number,
                self._forms[row.game.form],
                rules,
                self._kind(row),
                row.result.level if played else None,
                None if is_entered_by_hand(row) else row.value,
            ]
            eyes, band = self._result(row)
            dealer = row.dealer
            last: list[Value] = [eyes, band, dealer.name if dealer else None, place_of_evening]
            typed = {party: (_specials(row, party), self._said(row, party)) for party in {cell.party for cell in row.cells}}
            for cell in row.cells:
                in_it = played and cell.seat is not None and not cell.out
                if in_it or cell.points:
                    of_party = typed[cell.party] if in_it else (None, None)
                    self.sheet.append([*line, *self._of_person(cell, in_it), *before, cell.points, *behind, *of_party, *last])
        if part.sheet is None:
            line = [*table, None, _("ohne Spiele übernommen"), rules, None, None, None]
            for result in part.results:
                counts = [result.games, result.wins, result.solos]
                points = [*before, result.points, *behind]
                self.sheet.append([*line, result.player.name, None, *counts, *points, *NOTHING, place_of_evening])
        return _Slice(first, self.sheet.row)

    def _kind(self, row: Row) -> str | None:
        facts = row.result.facts
        if isinstance(facts, GameFacts):
            return row.rules.kind_names.get(facts.kind) or self._kinds[facts.kind]
        return _("Solo") if isinstance(facts, ShortFacts) and facts.solo else None

    def _result(self, row: Row) -> tuple[int | None, str | None]:
        """The eyes of Re, and the band where nothing but that is known."""
        facts = row.result.facts
        if not isinstance(facts, GameFacts):
            return None, None
        return facts.eyes, self._bands.get(facts.band or "") if facts.eyes is None else None

    def _said(self, row: Row, party: str) -> str | None:
        """What a party announced; a bare Ansage goes by the party's own name."""
        facts = row.result.facts
        if not isinstance(facts, GameFacts):
            return None
        said = facts.re_said if party == "re" else facts.kontra_said
        return None if said == "none" else self._parties.get(party) if said == "said" else self._announcements[said]

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

    def close(self, lists: Mapping[str, ListPlaces]) -> None:
        """The check: every column comes to what the lists say, which are added up from the results."""
        self.sheet.add_filter()
        self.sheet.color_signs(range(self.POINTS, self.POINTS + len(self.units)))
        last = self.sheet.row
        checks: list[Value] = [*[None] * self.NAME, _("Probe (muss 0 sein)"), None]
        for key, column in self.COUNTS.items():
            totals = "".join(f"-{listed.total(key)}" for listed in lists.values())
            checks.append(Formula(f"=SUM({self.sheet.area(column, self.sheet.first, column, last)}){totals}"))
        for column, listed in enumerate(lists.values(), start=self.POINTS):
            area = self.sheet.area(column, self.sheet.first, column, last)
            checks.append(Formula(f"=SUM({area})-{listed.total('points')}"))
        self.sheet.append_gap()
        self.sheet.append_check(checks)


def _specials(row: Row, party: str) -> str | None:
    """What was entered for a party and for the whole game."""
    facts = row.result.facts
    if not isinstance(facts, GameFacts):
        return None
    sides = {"re": facts.re_specials, "kontra": facts.kontra_specials}
    entered = {**sides.get(party, {}), **facts.game_specials}
    return describe_specials(entered, row.rules) if entered else None


# --- The evenings -----------------------------------------------------------------------------------------------------


def write_evening(workbook: AnyWorkbook, file: ClubFile, games: Games, evening: EveningPart) -> None:
    """The tables of an evening as on paper, one under the other; everybody who was there has a column. An evening of which only the
    points are known has no sheet: they stand in all games and in "Datum × Name"."""
    if all(part.sheet is None for part in evening.parts):
        for part in evening.parts:
            games.write(part)
        return
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
        " · ".join(text for text in [date_format(held.held_on, "SHORT_DATE_FORMAT"), held.place, file.club.name] if text),
        rules,
        *(describe_carried(part.sheet.carried) for part in evening.parts if part.sheet and part.sheet.carried),
    ]
    sheet = workbook.add_sheet(date_format(held.held_on, "SHORT_DATE_FORMAT"), columns, captions, frozen=3, named=False)
    for part in evening.parts:
        _write_lines(sheet, part, people)
        if not several:
            sheet.add_filter()
        _write_totals(sheet, part, people, games, games.write(part))
    sheet.color_signs(range(3, 3 + len(people)))
    sheet.close()


def _write_lines(sheet: AnySheet, part: TablePart, people: list[Player]) -> None:
    number = part.table.number
    if part.sheet is None:
        sheet.append([number, *[None] * (len(people) + 4), _("ohne Spiele übernommen")])
        return
    for row in part.sheet.rows:
        cells = {cell.player.pk: cell for cell in row.cells}
        there = [cells.get(player.pk) for player in people]
        dealer = row.dealer
        sheet.append(
            [
                number,
                row.number,
                dealer.name if dealer else None,
                *(format_total(cell) if cell else SITS_OUT for cell in there),
                None if is_entered_by_hand(row) else row.value,
                get_bock_sign(row),
                describe_line(row),
            ],
            [None, None, None, *(get_cell_style(cell) if cell else IDLE_STYLE for cell in there)],
            line=row.ends_cycle,
        )


def _write_totals(sheet: AnySheet, part: TablePart, people: list[Player], games: Games, rows: _Slice) -> None:
    """What is stored as everybody's result, and the check against their points in all games."""
    stored = {result.player_id: result.points for result in part.results}
    unit = str(RuleSet.Unit(part.unit).label)
    totals = [stored.get(player.pk) for player in people]
    sheet.append_totals([part.table.number, None, _("Summe %(unit)s") % {"unit": unit}, *totals, sum(stored.values())])
    last = sheet.row
    head = sheet.first - 1
    checks = [
        Formula(f"={games.points_of(sheet.cell(column, head), part.unit, rows)}-{sheet.cell(column, last)}")
        if player.pk in stored
        else None
        for column, player in enumerate(people, start=3)
    ]
    across = Formula(f"=SUM({sheet.area(3, last, 2 + len(people), last)})-{sheet.cell(3 + len(people), last)}")
    sheet.append_check([None, None, _("Probe"), *checks, across, None, _("Überall muss 0 stehen.")])


def write_games(workbook: AnyWorkbook, file: ClubFile) -> None:
    games = Games(workbook, file)
    games.write_openings(file.openings)
    for evening in file.parts():
        for part in evening.parts:
            games.write(part)
