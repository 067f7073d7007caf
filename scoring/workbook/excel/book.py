"""Everything of a club in one file: a cover that says what is in it, the eternal lists, how they came about, the seasons and
months of the league, all games as one flat table, people, house rules, the Kasse, and every evening as on paper. One function
writes each table, to Excel or to CSV; what is checked against what stands in the row under each table."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import merge
from operator import itemgetter

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.csv import CsvWorkbook
from scoring.core.workbook import NUMBER, TEXT, Column, ExcelSheet, ExcelWorkbook, Formula, Link, Value
from scoring.league.exports import get_season_title, write_month, write_season
from scoring.play.models import Evening
from scoring.rulesets.models import RuleSet
from scoring.rulesets.texts.rule_sets import list_sections
from scoring.standings.excel import ListPlaces, write_by_evening, write_standings
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.by_evening import by_evening
from scoring.standings.queries.metrics import metrics_in
from scoring.standings.words import called
from scoring.workbook.queries import ClubFile, Span, everybody

from .games import DAY, AnySheet, AnyWorkbook, Games, write_evening, write_games
from .kasse import kasse_keys, write_kasse

# More lines than that nobody can tell apart.
MOST_LINES = 10


def span_title(span: Span) -> str:
    if span.season:
        return str(span.season.name)
    return str(span.year) if span.year else _("alle Zeit")


def club_workbook(file: ClubFile, marks: Sequence[str] = ()) -> ExcelWorkbook:
    """The whole file. It reads the games while it is written. `marks` are what one has to know of its lists."""
    title = f"{file.club.name} · {span_title(file.span)}"
    workbook = ExcelWorkbook(title, file.club.name)
    cover = workbook.cover = _cover(workbook, file, title, marks)
    _write_all(workbook, file)
    _contents(workbook, cover)
    return workbook


def club_tables(file: ClubFile) -> CsvWorkbook:
    """Every table of the file as text."""
    workbook = CsvWorkbook()
    _write_all(workbook, file)
    return workbook


def table_keys(file: ClubFile) -> dict[str, str]:
    """The tables that can be had by themselves, with what they are called; evenings stand in all games."""
    lists = {f"list-{unit}": _list_name(file, unit) for unit in file.units}
    seasons = {f"season-{season.pk}": get_season_title(season) for season in file.seasons}
    named = {"games": _("Spiele"), "people": _("Personen"), "rules": _("Hausregeln")}
    evenings = {f"evenings-{unit}": _named(_("Datum × Name"), file, unit) for unit in file.units}
    return {**lists, **evenings, **seasons, **named, **kasse_keys(file)}


def one_table(file: ClubFile, key: str) -> CsvWorkbook:
    """One of the tables of `table_keys`."""
    workbook = CsvWorkbook()
    if key.startswith("list-"):
        _write_list(workbook, file, key.removeprefix("list-"))
    elif key.startswith("evenings-"):
        _write_by_evening(workbook, file, key.removeprefix("evenings-"))
    elif key.startswith("season-"):
        write_season(workbook, next(table for table in file.league if key == f"season-{table.season.pk}"))
    elif key.startswith("kasse-"):
        write_kasse(workbook, file, key)
    else:
        _SINGLE[key](workbook, file)
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
    for key in kasse_keys(file):
        write_kasse(workbook, file, key)
    # Last, since there are so many of them; all games are written beside them, each game read once.
    for evening in file.parts():
        write_evening(workbook, file, games, evening)
    games.close(lists)


# --- The cover --------------------------------------------------------------------------------------------------------


def _cover(workbook: ExcelWorkbook, file: ClubFile, title: str, marks: Sequence[str]) -> ExcelSheet:
    evenings = file.evenings
    people = {result.player_id for result in file.results} | {one.player_id for one in file.openings}
    captions = [
        title,
        _("Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")},
        _days(evenings),
        _counted(len(evenings), len(people)),
        _everybody_ranks(),
        _(
            "Alle Zellen enthalten Werte. Unter jeder Tabelle steht eine Zeile mit Formeln, in der überall 0 stehen muss."
        ),
        *marks,
    ]
    columns = [Column(_("Blatt"), 34, TEXT), Column(_("Zeilen"), 10, NUMBER), Column(_("Probe"), 10, NUMBER)]
    return workbook.add_sheet(_("Deckblatt"), columns, captions)


def _days(evenings: list[Evening]) -> str:
    if not evenings:
        return _("Noch kein Abend.")
    first, last = (date_format(evening.held_on, "SHORT_DATE_FORMAT") for evening in (evenings[0], evenings[-1]))
    return _("Abende vom %(first)s bis zum %(last)s") % {"first": first, "last": last}


def _counted(evenings: int, people: int) -> str:
    return ", ".join(
        [
            ngettext("%(evenings)s Abend", "%(evenings)s Abende", evenings) % {"evenings": evenings},
            ngettext("%(people)s Person", "%(people)s Personen", people) % {"people": people},
        ]
    )


def _contents(workbook: ExcelWorkbook, cover: ExcelSheet) -> None:
    """Each sheet with a link to it, its rows, and whether all of its checks show 0: squares, so that nothing cancels."""
    for sheet in workbook.sheets[1:]:
        checks = Formula(f"=SUMSQ({','.join(sheet.checks)})") if sheet.checks else None
        cover.append([Link(sheet.name), sheet.row_count, checks])
    cover.add_filter()
    last = cover.row
    cover.append_totals([_("Summe"), sum(sheet.row_count for sheet in workbook.sheets[1:])])
    cover.append_check(
        [
            _("Probe (muss 0 sein)"),
            Formula(f"=SUM({cover.area(1, cover.first, 1, last)})-{cover.cell(1, last + 1)}"),
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
        "Gäste und lange nicht Dagewesene."
    )


def _write_list(workbook: AnyWorkbook, file: ClubFile, unit: str) -> ListPlaces:
    name = _list_name(file, unit)
    captions = [
        f"{name} · {file.club.name}",
        " · ".join([span_title(file.span), _("mit allen, die je dabei waren")]),
        _everybody_ranks(),
    ]
    return write_standings(workbook, name, file.lists[unit], metrics_in(unit, more=True), captions)


def _write_by_evening(workbook: AnyWorkbook, file: ClubFile, unit: str) -> None:
    """The sheet that comes in again as a list."""
    name = _named(_("Datum × Name"), file, unit)
    captions = [f"{name} · {file.club.name}", _("Was jeder Abend brachte. Dieses Blatt lässt sich als alte Datei einlesen.")]
    write_by_evening(workbook, name, by_evening(file.club, everybody(unit, file.span)), captions)


def _write_course(workbook: AnyWorkbook, file: ClubFile, unit: str, listed: ListPlaces) -> None:
    """What everybody of the list had after each evening."""
    name = _named(_("Spielstände"), file, unit)
    people = file.lists[unit]
    columns = [Column(_("Datum"), 12, DAY), *(Column(row.name, 11, NUMBER) for row in people)]
    openings = _by_day([one for one in file.openings if one.unit == unit])
    captions = [_("Der Punktestand nach jedem Abend."), *(_told(day) for day, _points in openings)]
    sheet = workbook.add_sheet(name, columns, [f"{name} · {file.club.name}", *captions])
    totals: dict[int, int] = {}
    evenings = ((evening.held_on, points) for evening, points in _by_evening(file, unit))
    for day, points in merge(openings, evenings, key=itemgetter(0)):
        for player, brought in points.items():
            totals[player] = totals.get(player, 0) + brought
        sheet.append([day, *(totals.get(row.player_id) for row in people)])
    sheet.add_filter()
    sheet.color_signs(range(1, len(columns)))
    sheet.add_line_chart(name, range(1, min(len(people), MOST_LINES) + 1))
    last = sheet.row
    sheet.append_check(
        [
            _("Probe"),
            *(Formula(f"={sheet.cell(1 + line, last)}-{listed.of('points', line)}") for line in range(len(people))),
        ]
    )


def _by_day(openings: Sequence[OpeningStanding]) -> list[tuple[datetime.date, Mapping[int, int]]]:
    """What people had before, by the day up to which it is counted."""
    days: dict[datetime.date, dict[int, int]] = defaultdict(dict)
    for one in openings:
        days[one.until][one.player_id] = days[one.until].get(one.player_id, 0) + one.points
    return sorted(days.items())


def _told(day: datetime.date) -> str:
    return _("Die erste Zeile vom %(day)s ist der Anfangsstand.") % {"day": date_format(day, "SHORT_DATE_FORMAT")}


def _by_evening(file: ClubFile, unit: str) -> Iterator[tuple[Evening, Mapping[int, int]]]:
    points: dict[int, dict[int, int]] = defaultdict(dict)
    for result in file.results:
        if result.table.rule_set.unit == unit:
            of_evening = points[result.table.evening_id]
            of_evening[result.player_id] = of_evening.get(result.player_id, 0) + result.points
    return ((evening, points[evening.pk]) for evening in file.evenings if evening.pk in points)


# --- People and rules -------------------------------------------------------------------------------------------------


def _write_people(workbook: AnyWorkbook, file: ClubFile, lists: Mapping[str, ListPlaces] | None = None) -> None:
    """Everybody of the club, also who did not come."""
    metrics = {unit: {metric.key: str(called(metric).label) for metric in metrics_in(unit)} for unit in file.units}
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
    sheet = workbook.add_sheet(title, columns, [f"{title} · {file.club.name}", span_title(file.span)])
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
    sheet.add_filter()
    _check_people(sheet, file, lists or {})


_OF_PERSON = ("evenings", "games", "points")


def _in_unit(file: ClubFile, unit: str, label: str) -> str:
    return f"{label} ({RuleSet.Unit(unit).label})" if len(file.units) > 1 else label


def _first_and_last(file: ClubFile) -> dict[int, tuple[Value, Value]]:
    days: dict[int, list[datetime.date]] = defaultdict(list)
    for result in file.results:
        days[result.player_id].append(result.table.evening.held_on)
    return {player: (min(there), max(there)) for player, there in days.items()}


def _check_people(sheet: AnySheet, file: ClubFile, lists: Mapping[str, ListPlaces]) -> None:
    """The figures of everybody come to the sums of the lists."""
    last = sheet.row
    sheet.color_signs(range(8, 6 + 3 * len(file.units), 3))
    summed = [int(sum(row.figures[key] or 0 for row in file.lists[unit])) for unit in file.units for key in _OF_PERSON]
    sheet.append_totals([_("Summe"), *[None] * 5, *summed])
    totals = [listed.total(key) for listed in lists.values() for key in _OF_PERSON]
    checks = [
        Formula(f"=SUM({sheet.area(column, sheet.first, column, last)})-{total}")
        for column, total in enumerate(totals, start=6)
    ]
    sheet.append_check([_("Probe (muss 0 sein)"), *[None] * 5, *checks])


def _write_rules(workbook: AnyWorkbook, file: ClubFile) -> None:
    """The rule sets that were played, in sentences."""
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
        for section in list_sections(rules.settings):
            for _key, sentence in section.sentences:
                sheet.append([rules.name, rules.version, tables, section.title, sentence])
    sheet.add_filter()
    last = sheet.row
    count = last - sheet.first + 1
    check = f"=COUNTA({sheet.area(4, sheet.first, 4, last)})-{count}" if count else "=0"
    sheet.append_check([None, None, None, _("Probe (muss 0 sein)"), Formula(check)])


_SINGLE: dict[str, Callable[[AnyWorkbook, ClubFile], None]] = {
    "games": write_games,
    "people": _write_people,
    "rules": _write_rules,
}
