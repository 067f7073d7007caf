"""Write the workbook of a club: each table has one function that writes it to Excel or CSV. The row under a table has formulas
that are 0 if its figures agree with those of the other sheets."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain
from operator import itemgetter

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.cash.exports import AMOUNT, ReportRows, build_report_rows, to_euros, write_legs, write_register
from scoring.cash.ledger.queries import compute_owed
from scoring.cash.months.queries import BooksReport
from scoring.club.models import Player
from scoring.core.workbook import (
    DATE,
    NUMBER,
    TEXT,
    AnySheet,
    AnyWorkbook,
    CellStyle,
    Column,
    CsvWorkbook,
    ExcelSheet,
    ExcelWorkbook,
    Formula,
    Link,
    Value,
    build_sum_check,
)
from scoring.evenings.exports import (
    IDLE_STYLE,
    SITS_OUT,
    describe_line,
    format_total,
    get_bock_sign,
    get_cell_style,
    is_entered_by_hand,
)
from scoring.league.exports import get_season_title, write_month, write_season
from scoring.play.models import Evening, Game
from scoring.play.queries import GAMES, Row
from scoring.play.texts import describe_carried, describe_specials
from scoring.rules import labels
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rulesets.models import RuleSet
from scoring.rulesets.texts.rule_sets import list_sections
from scoring.standings.exports import ListCells, write_by_evening, write_standings
from scoring.standings.metrics import list_metrics
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.evenings import read_by_evening

from .queries import ClubFile, Span, TablePart, build_selection

DAY = CellStyle(DATE, "left")

# More lines of a chart cannot be told apart.
MAX_CHART_LINES = 10


def get_span_title(span: Span) -> str:
    if span.season:
        return str(span.season.name)
    return str(span.year) if span.year else _("alle Zeit")


def build_club_workbook(file: ClubFile, marks: Sequence[str] = ()) -> ExcelWorkbook:
    """Return the whole workbook. `marks` are the notes of the cover on the lists."""
    title = f"{file.club.name} · {get_span_title(file.span)}"
    workbook = ExcelWorkbook(title, file.club.name)
    cover = workbook.cover = _add_cover(workbook, file, title, marks)
    _write_all(workbook, file)
    _write_contents(workbook, cover)
    return workbook


def build_club_csv(file: ClubFile) -> CsvWorkbook:
    workbook = CsvWorkbook()
    _write_all(workbook, file)
    return workbook


def get_table_titles(file: ClubFile) -> dict[str, str]:
    """Return the titles of the tables by their keys, which are their names in addresses."""
    lists = {f"list-{unit}": _add_unit(_("Ewige Liste"), file, unit) for unit in file.units}
    seasons = {f"season-{season.pk}": get_season_title(season) for season in file.seasons}
    named = {"games": _("Spiele"), "people": _("Personen"), "rules": _("Hausregeln")}
    evenings = {f"evenings-{unit}": _add_unit(_("Datum × Name"), file, unit) for unit in file.units}
    return {**lists, **evenings, **seasons, **named, **get_kasse_titles(file)}


def build_table_csv(file: ClubFile, key: str) -> CsvWorkbook:
    workbook = CsvWorkbook()
    match key.partition("-"):
        case "list", _dash, unit:
            _write_list(workbook, file, unit)
        case "evenings", _dash, unit:
            _write_by_evening(workbook, file, unit)
        case "season", _dash, pk:
            write_season(workbook, next(table for table in file.league if str(table.season.pk) == pk))
        case "games", *_rest:
            write_games(workbook, file)
        case "people", *_rest:
            _write_people(workbook, file)
        case "rules", *_rest:
            _write_rules(workbook, file)
        case _:
            write_kasse(workbook, file, key)
    return workbook


def _write_all(workbook: AnyWorkbook, file: ClubFile) -> None:
    lists = {unit: _write_list(workbook, file, unit) for unit in file.units}
    for unit, listed in lists.items():
        if file.lists[unit]:
            _write_by_evening(workbook, file, unit)
            _write_course(workbook, file, unit, listed)
    for table in file.season_tables:
        write_season(workbook, table)
    for content in file.months:
        write_month(workbook, content)
    games = Games(workbook, file)
    games.write_openings(file.openings)
    _write_people(workbook, file, lists)
    _write_rules(workbook, file)
    for key in get_kasse_titles(file):
        write_kasse(workbook, file, key)
    # Last, because there are many. The flat table of games is written together with them, so that each game is read once.
    for parts in file.read_evenings():
        write_evening(workbook, file, games, parts)
    games.close(lists)


def _add_cover(workbook: ExcelWorkbook, file: ClubFile, title: str, marks: Sequence[str]) -> ExcelSheet:
    evenings = len(file.evenings)
    people = len({result.player_id for result in file.results} | {one.player_id for one in file.openings})
    counts = [
        ngettext("%(evenings)s Abend", "%(evenings)s Abende", evenings) % {"evenings": evenings},
        ngettext("%(people)s Person", "%(people)s Personen", people) % {"people": people},
    ]
    captions = [
        title,
        _("Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")},
        _format_days(file.evenings),
        ", ".join(counts),
        _get_rank_note(),
        _("Alle Zellen enthalten Werte. Unter jeder Tabelle steht eine Zeile mit Formeln, in der überall 0 stehen muss."),
        *marks,
    ]
    columns = [Column(_("Blatt"), 34, TEXT), Column(_("Zeilen"), 10, NUMBER), Column(_("Probe"), 10, NUMBER)]
    return workbook.add_sheet(_("Deckblatt"), columns, captions)


def _format_days(evenings: list[Evening]) -> str:
    if not evenings:
        return _("Noch kein Abend.")
    first, last = (date_format(evening.held_on, "SHORT_DATE_FORMAT") for evening in (evenings[0], evenings[-1]))
    return _("Abende vom %(first)s bis zum %(last)s") % {"first": first, "last": last}


def _write_contents(workbook: ExcelWorkbook, cover: ExcelSheet) -> None:
    """Write a row for each sheet: a link, its number of rows, and the sum of the squares of its checks, which must be 0."""
    for sheet in workbook.sheets[1:]:
        checks = Formula(f"=SUMSQ({','.join(sheet.checks)})") if sheet.checks else None
        cover.append([Link(sheet.name), sheet.row_count, checks])
    cover.add_filter()
    last = cover.row
    cover.append_totals([_("Summe"), sum(sheet.row_count for sheet in workbook.sheets[1:])])
    rows = build_sum_check(cover, 1, last)
    cover.append_check([_("Probe (muss 0 sein)"), rows, Formula(f"=SUM({cover.area(2, cover.first, 2, last)})")])


def _add_unit(title: str, file: ClubFile, unit: str) -> str:
    return f"{title} · {RuleSet.Unit(unit).label}" if len(file.units) > 1 else title


def _get_rank_note() -> str:
    """Return why a rank can differ from that on the page."""
    return _(
        "In der ewigen Liste hat hier jeder einen Platz, auch wer auf der Seite ausgeblendet ist: Gäste und lange nicht Dagewesene."
    )


def _write_list(workbook: AnyWorkbook, file: ClubFile, unit: str) -> ListCells:
    name = _add_unit(_("Ewige Liste"), file, unit)
    selection = f"{get_span_title(file.span)} · " + _("mit allen, die je dabei waren")
    captions = [f"{name} · {file.club.name}", selection, _get_rank_note()]
    return write_standings(workbook, name, file.lists[unit], list_metrics(unit, more=True), captions)


def _write_by_evening(workbook: AnyWorkbook, file: ClubFile, unit: str) -> None:
    """Write the points of each evening. The import of old lists reads this sheet."""
    name = _add_unit(_("Datum × Name"), file, unit)
    captions = [f"{name} · {file.club.name}", _("Was jeder Abend brachte. Dieses Blatt lässt sich als alte Datei einlesen.")]
    write_by_evening(workbook, name, read_by_evening(file.club, build_selection(unit, file.span)), captions)


def _write_course(workbook: AnyWorkbook, file: ClubFile, unit: str, listed: ListCells) -> None:
    name = _add_unit(_("Spielstände"), file, unit)
    people = file.lists[unit]
    columns = [Column(_("Datum"), 12, DAY), *(Column(row.name, 11, NUMBER) for row in people)]
    openings = _sum_openings([one for one in file.openings if one.unit == unit])
    captions = [_("Der Punktestand nach jedem Abend.")]
    for day, _points in openings:
        note = _("Die erste Zeile vom %(day)s ist der Anfangsstand.")
        captions.append(note % {"day": date_format(day, "SHORT_DATE_FORMAT")})
    sheet = workbook.add_sheet(name, columns, [f"{name} · {file.club.name}", *captions])
    totals: dict[int, int] = {}
    for day, points in merge(openings, _sum_evenings(file, unit), key=itemgetter(0)):
        for player, brought in points.items():
            totals[player] = totals.get(player, 0) + brought
        sheet.append([day, *(totals.get(row.player_id) for row in people)])
    sheet.add_filter()
    sheet.color_signs(range(1, len(columns)))
    sheet.add_line_chart(name, range(1, min(len(people), MAX_CHART_LINES) + 1))
    last = sheet.row
    checks = [Formula(f"={sheet.cell(1 + line, last)}-{listed.get_cell('points', line)}") for line in range(len(people))]
    sheet.append_check([_("Probe"), *checks])


def _sum_openings(openings: Sequence[OpeningStanding]) -> list[tuple[datetime.date, Mapping[int, int]]]:
    days: dict[datetime.date, dict[int, int]] = defaultdict(dict)
    for one in openings:
        days[one.until][one.player_id] = days[one.until].get(one.player_id, 0) + one.points
    return sorted(days.items())


def _sum_evenings(file: ClubFile, unit: str) -> Iterator[tuple[datetime.date, Mapping[int, int]]]:
    points: dict[int, dict[int, int]] = defaultdict(dict)
    for result in file.results:
        if result.table.rule_set.unit == unit:
            of_evening = points[result.table.evening_id]
            of_evening[result.player_id] = of_evening.get(result.player_id, 0) + result.points
    return ((evening.held_on, points[evening.pk]) for evening in file.evenings if evening.pk in points)


def _write_people(workbook: AnyWorkbook, file: ClubFile, lists: Mapping[str, ListCells] | None = None) -> None:
    """Write all people of the club, with their figures in the span, and check these against the totals of the lists."""
    metrics = {unit: {metric.key: str(metric.label) for metric in list_metrics(unit)} for unit in file.units}
    columns = [
        Column(_("Name"), 24, TEXT),
        Column(_("Gast"), 8, TEXT),
        Column(_("dabei seit"), 12, DAY),
        Column(_("ausgeschieden am"), 14, DAY),
        Column(_("erster Abend"), 12, DAY),
        Column(_("letzter Abend"), 12, DAY),
    ]
    for unit in file.units:
        for key in _FIGURES_OF_PERSON:
            label = metrics[unit][key]
            columns.append(Column(f"{label} ({RuleSet.Unit(unit).label})" if len(file.units) > 1 else label, 11, NUMBER))
    title = _("Personen")
    sheet = workbook.add_sheet(title, columns, [f"{title} · {file.club.name}", get_span_title(file.span)])
    figures = {unit: {row.player_id: row.figures for row in rows} for unit, rows in file.lists.items()}
    days = _get_first_and_last_days(file)
    for player in file.people:
        of_person: list[Value] = []
        for unit in file.units:
            there = figures[unit].get(player.pk)
            of_person += [int(there[key] or 0) if there else None for key in _FIGURES_OF_PERSON]
        about: list[Value] = [player.name, _("ja") if player.guest else None, player.joined_on, player.left_on]
        sheet.append([*about, *days.get(player.pk, (None, None)), *of_person])
    sheet.add_filter()
    last = sheet.row
    sheet.color_signs(range(8, 6 + 3 * len(file.units), 3))
    summed = [int(sum(row.figures[key] or 0 for row in file.lists[unit])) for unit in file.units for key in _FIGURES_OF_PERSON]
    sheet.append_totals([_("Summe"), *[None] * 5, *summed])
    totals = [listed.get_total(key) for listed in (lists or {}).values() for key in _FIGURES_OF_PERSON]
    checks = [Formula(f"=SUM({sheet.area(column, sheet.first, column, last)})-{total}") for column, total in enumerate(totals, 6)]
    sheet.append_check([_("Probe (muss 0 sein)"), *[None] * 5, *checks])


_FIGURES_OF_PERSON = ("evenings", "games", "points")


def _get_first_and_last_days(file: ClubFile) -> dict[int, tuple[Value, Value]]:
    days: dict[int, list[datetime.date]] = defaultdict(list)
    for result in file.results:
        days[result.player_id].append(result.table.evening.held_on)
    return {player: (min(there), max(there)) for player, there in days.items()}


def _write_rules(workbook: AnyWorkbook, file: ClubFile) -> None:
    columns = [
        Column(_("Regelwerk"), 24, TEXT),
        Column(_("Fassung"), 9, NUMBER),
        Column(_("Tische"), 8, NUMBER),
        Column(_("Abschnitt"), 24, TEXT),
        Column(_("Regel"), 90, TEXT),
    ]
    title = _("Hausregeln")
    sheet = workbook.add_sheet(title, columns, [f"{title} · {file.club.name}"])
    for rules, tables in file.rule_sets:
        for section, sentences in list_sections(rules.settings):
            for _key, sentence in sentences:
                sheet.append([rules.name, rules.version, tables, section, sentence])
    sheet.add_filter()
    last = sheet.row
    count = last - sheet.first + 1
    check = f"=COUNTA({sheet.area(4, sheet.first, 4, last)})-{count}" if count else "=0"
    sheet.append_check([None, None, None, _("Probe (muss 0 sein)"), Formula(check)])


# Unknown for tables without games: special points, announcement, eyes, band and dealer.
NO_DETAILS: tuple[None, ...] = (None,) * 5


class Games:
    """The flat table of all games, for a pivot: a row for each game and each player who played it or got points, with 1 or 0."""

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
        # Without line breaks, because a table this long would open slowly.
        columns = [column._replace(style=column.style._replace(wrap=False)) for column in columns]
        captions = [_("Spiele") + f" · {file.club.name}", _("Eine Zeile je Spiel und Person, fertig für eine Pivot-Tabelle.")]
        self.sheet = workbook.add_sheet(_("Spiele"), columns, captions, frozen=3)

    # The indexes of columns.
    NAME, COUNTS = 8, {"games": 10, "wins": 11, "solos": 12}
    POINTS = 13

    def write_openings(self, openings: Sequence[OpeningStanding]) -> None:
        """Write a row for each opening standing, so that the sums agree with the lists."""
        for one in openings:
            points = [one.points if unit == one.unit else None for unit in self.units]
            counts = [one.games, one.wins, one.solos]
            before: list[Value] = [one.until, None, None, _("Anfangsstand"), None, None, None, None]
            self.sheet.append([*before, one.player.name, None, *counts, *points, *NO_DETAILS, None])

    def write(self, part: TablePart) -> tuple[int, int]:
        """Write the games of a table. Return the numbers of its first and last row."""
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
                self._get_kind(row),
                row.result.level if played else None,
                None if is_entered_by_hand(row) else row.value,
            ]
            eyes, band = self._get_result(row)
            last: list[Value] = [eyes, band, row.dealer.name if row.dealer else None, place_of_evening]
            parties = {cell.party for cell in row.cells}
            details = {party: (_describe_specials(row, party), self._describe_announcement(row, party)) for party in parties}
            for cell in row.cells:
                in_it = played and cell.seat is not None and not cell.out
                if in_it or cell.points:
                    of_party = details[cell.party] if in_it else (None, None)
                    counts = [1, int(cell.won), int(cell.solo)] if in_it else [None] * 3
                    of_person = [cell.player.name, self._parties.get(cell.party), *counts]
                    self.sheet.append([*line, *of_person, *before, cell.points, *behind, *of_party, *last])
        if part.sheet is None:
            line = [*table, None, _("ohne Spiele übernommen"), rules, None, None, None]
            for result in part.results:
                counts = [result.games, result.wins, result.solos]
                points = [*before, result.points, *behind]
                self.sheet.append([*line, result.player.name, None, *counts, *points, *NO_DETAILS, place_of_evening])
        return first, self.sheet.row

    def _get_kind(self, row: Row) -> str | None:
        facts = row.result.facts
        if isinstance(facts, GameFacts):
            return row.rules.kind_names.get(facts.kind) or self._kinds[facts.kind]
        return _("Solo") if isinstance(facts, ShortFacts) and facts.solo else None

    def _get_result(self, row: Row) -> tuple[int | None, str | None]:
        facts = row.result.facts
        if not isinstance(facts, GameFacts):
            return None, None
        return facts.eyes, self._bands.get(facts.band or "") if facts.eyes is None else None

    def _describe_announcement(self, row: Row, party: str) -> str | None:
        """Return the announcement of a party; a plain Re or Kontra is the name of the party."""
        facts = row.result.facts
        if not isinstance(facts, GameFacts):
            return None
        said = facts.re_said if party == "re" else facts.kontra_said
        return None if said == "none" else self._parties.get(party) if said == "said" else self._announcements[said]

    def build_sum(self, head: str, unit: str, first: int, last: int) -> str:
        """Return a formula for the points of the player named in the cell `head`. SUMIF would read some names as patterns."""
        if last < first:
            return "0"
        column = self.POINTS + self.units.index(unit)
        names = self.sheet.area(self.NAME, first, self.NAME, last)
        points = self.sheet.area(column, first, column, last)
        return f"SUMPRODUCT(({names}={head})*{points})"

    def close(self, lists: Mapping[str, ListCells]) -> None:
        """Check the sum of each column against the totals of the lists."""
        self.sheet.add_filter()
        self.sheet.color_signs(range(self.POINTS, self.POINTS + len(self.units)))
        last = self.sheet.row
        checks: list[Value] = [*[None] * self.NAME, _("Probe (muss 0 sein)"), None]
        for key, column in self.COUNTS.items():
            totals = "".join(f"-{listed.get_total(key)}" for listed in lists.values())
            checks.append(Formula(f"=SUM({self.sheet.area(column, self.sheet.first, column, last)}){totals}"))
        for column, listed in enumerate(lists.values(), start=self.POINTS):
            area = self.sheet.area(column, self.sheet.first, column, last)
            checks.append(Formula(f"=SUM({area})-{listed.get_total('points')}"))
        self.sheet.append_gap()
        self.sheet.append_check(checks)


def _describe_specials(row: Row, party: str) -> str | None:
    facts = row.result.facts
    if not isinstance(facts, GameFacts):
        return None
    sides = {"re": facts.re_specials, "kontra": facts.kontra_specials}
    entered = {**sides.get(party, {}), **facts.game_specials}
    return describe_specials(entered, row.rules) if entered else None


def write_evening(workbook: AnyWorkbook, file: ClubFile, games: Games, parts: Sequence[TablePart]) -> None:
    """Write the tables of an evening as on paper, one under the other. An evening without games gets no sheet."""
    if all(part.sheet is None for part in parts):
        for part in parts:
            games.write(part)
        return
    held = parts[0].table.evening
    people = list({player.pk: player for part in parts for player in part.players}.values())
    columns = [
        Column(_("Tisch"), 7, NUMBER),
        Column(_("Nr."), 6, NUMBER),
        Column(_("Geber"), 14, TEXT),
        *(Column(player.name, 11, NUMBER) for player in people),
        Column(_("Wert"), 8, NUMBER),
        Column(_("Bock"), 7, TEXT),
        Column(_("Was"), 30, TEXT),
    ]
    day = date_format(held.held_on, "SHORT_DATE_FORMAT")
    captions = [
        " · ".join(text for text in [day, held.place, file.club.name] if text),
        ", ".join(dict.fromkeys(str(part.table.rule_set) for part in parts)),
        *filter(None, (describe_carried(part.sheet) for part in parts if part.sheet)),
    ]
    sheet = workbook.add_sheet(day, columns, captions, frozen=3, named=False)
    for part in parts:
        _write_lines(sheet, part, people)
        if len(parts) == 1:
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


def _write_totals(sheet: AnySheet, part: TablePart, people: list[Player], games: Games, rows: tuple[int, int]) -> None:
    """Write the stored results, and check them against the flat table of games."""
    stored = {result.player_id: result.points for result in part.results}
    unit = str(RuleSet.Unit(part.unit).label)
    totals = [stored.get(player.pk) for player in people]
    sheet.append_totals([part.table.number, None, _("Summe %(unit)s") % {"unit": unit}, *totals, sum(stored.values())])
    last = sheet.row
    head = sheet.first - 1
    checks = [
        Formula(f"={games.build_sum(sheet.cell(column, head), part.unit, *rows)}-{sheet.cell(column, last)}")
        if player.pk in stored
        else None
        for column, player in enumerate(people, start=3)
    ]
    across = Formula(f"=SUM({sheet.area(3, last, 2 + len(people), last)})-{sheet.cell(3 + len(people), last)}")
    sheet.append_check([None, None, _("Probe"), *checks, across, None, _("Überall muss 0 stehen.")])


def write_games(workbook: AnyWorkbook, file: ClubFile) -> None:
    games = Games(workbook, file)
    games.write_openings(file.openings)
    for part in chain.from_iterable(file.read_evenings()):
        games.write(part)


def get_kasse_titles(file: ClubFile) -> dict[str, str]:
    if not file.has_kasse:
        return {}
    journal = {"kasse-entries": _("Kassenbuch"), "kasse-legs": _("Buchungszeilen")} if file.sees_books else {}
    return {"kasse-years": _("Kassenbericht"), "kasse-people": _("Wer noch zahlen muss"), **journal}


def write_kasse(workbook: AnyWorkbook, file: ClubFile, key: str) -> None:
    match key:
        case "kasse-years":
            _write_years(workbook, file)
        case "kasse-people":
            _write_debts(workbook, file)
        case "kasse-entries" if file.sees_books:
            write_register(workbook, file.club.name, file.entries, file.book_names)
        case "kasse-legs" if file.sees_books:
            write_legs(workbook, file.club.name, file.entries, file.book_names)


def _write_years(workbook: AnyWorkbook, file: ClubFile) -> None:
    title = _("Kassenbericht")
    columns = [Column(_("Jahr"), 10, TEXT), Column(_("Seite"), 11, TEXT), Column(_("Was"), 40, TEXT)]
    columns.append(Column(_("Betrag"), 13, AMOUNT))
    sheet = workbook.add_sheet(title, columns, [f"{title} · {file.club.name}"])
    checks = [_write_year(sheet, name, one, build_report_rows(one, file.book_names)) for name, one in file.reports.items()]
    sheet.add_filter()
    sheet.append_check([None, None, _("Probe (muss 0 sein)"), Formula("=" + "+".join(checks))])


def _write_year(sheet: AnySheet, year: str, report: BooksReport, said: ReportRows) -> str:
    """Write the rows of a year. Return a formula that is 0 if its money adds up."""
    first = sheet.row + 1
    rows = [
        (_("Geld"), _("In der Kasse am Anfang"), report.start),
        *((_("Geld"), name, cents) for name, cents in said["money"]),
        (_("Geld"), _("In der Kasse am Ende"), report.end),
        *((_("Einnahme"), name, cents) for name, cents in said["income"]),
        *((_("Ausgabe"), name, cents) for name, cents in said["expense"]),
    ]
    for side, name, cents in rows:
        sheet.append([year, side, name, to_euros(cents)])
    end = first + 1 + len(said["money"])
    return f"ABS(ROUND(SUM({sheet.area(3, first, 3, end - 1)})-{sheet.cell(3, end)},2))"


def _write_debts(workbook: AnyWorkbook, file: ClubFile) -> None:
    title = _("Wer noch zahlen muss")
    columns = [Column(_("Name"), 24, TEXT), Column(_("Schuldet"), 13, AMOUNT)]
    captions = [f"{title} · {file.club.name}", _("Plus ist zu zahlen, Minus ein Guthaben.")]
    sheet = workbook.add_sheet(title, columns, captions)
    owed = compute_owed(file.club, file.balances)
    for name, cents in sorted((file.book_names.people[pk], cents) for pk, cents in owed.items()):
        sheet.append([name, to_euros(cents)])
    sheet.add_filter()
    last = sheet.row
    summed = f"SUM({sheet.area(1, sheet.first, 1, last)})" if last >= sheet.first else "0"
    members = sum(cents for code, cents in file.balances.items() if code.startswith("member:"))
    sheet.append_check([_("Probe (muss 0 sein)"), Formula(f"=ROUND({summed}-{to_euros(members)},2)")])
