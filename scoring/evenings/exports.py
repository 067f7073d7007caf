"""The Excel file of an evening: a sheet per table as on paper, then all lines as entered, and the steps to each value. The last
row of a paper sheet checks its totals against the points of all lines, by formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.core.workbook import (
    DATE,
    INSTANT,
    NUMBER,
    TEXT,
    CellStyle,
    Column,
    ExcelSheet,
    ExcelWorkbook,
    Formula,
    Value,
)
from scoring.evenings.queries import EveningSheets
from scoring.play.models import Table
from scoring.play.queries import Cell, Row, Sheet
from scoring.play.texts import build_explanation, describe_carried, describe_specials
from scoring.play.texts import get_bock_sign as level_sign
from scoring.rules import labels
from scoring.rules.constants import ALL_EYES
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.steps import Step, fold_steps

SITS_OUT = "–"
IDLE_STYLE = CellStyle(align="right")
# Winners are bold, soloists have a box, as on paper.
_PLAYER_STYLES = {(won, solo): NUMBER._replace(bold=won, box=solo) for won in (False, True) for solo in (False, True)}
BOCK_SHEET_SIGN = "B"
# The first column with points of the facts.
FIRST_POINTS = 26


def build_evening_workbook(evening: EveningSheets) -> ExcelWorkbook:
    """Build one sheet "Zettel" per table, or "Ergebnis" for a table without games, then "Fakten" and "Schritte" for all lines."""
    club = evening.evening.club.name
    workbook = ExcelWorkbook(f"{club} · {date_format(evening.evening.held_on, 'SHORT_DATE_FORMAT')}", club)
    several = len(evening.tables) > 1
    papers = []
    for paper in evening.sheets:
        captions = _list_captions(evening, paper.table)
        if carried := describe_carried(paper):
            captions.append(carried)
        columns = [
            Column(_("Nr."), 6, NUMBER),
            Column(_("Geber"), 14, TEXT),
            *(Column(player.name, 11, NUMBER) for player in paper.players),
            Column(_("Wert"), 8, NUMBER),
            Column(_("Bock"), 7, TEXT),
            Column(_("Was"), 30, TEXT),
        ]
        name = _("Zettel %(number)s") % {"number": paper.table.number} if several else _("Zettel")
        papers.append((paper, workbook.add_sheet(name, columns, captions, frozen=2)))
    for table in evening.tables_without_games:
        _write_results(workbook, evening, table)
    if not papers:
        return workbook
    facts = workbook.add_sheet(_("Fakten"), _build_facts_columns(evening.players), frozen=3)
    steps = workbook.add_sheet(_("Schritte"), _build_step_columns(), frozen=2)
    for paper, sheet in papers:
        checks = _write_facts(facts, evening, paper)
        _write_paper(sheet, evening, paper, checks)
        _write_steps(steps, paper)
    facts.add_filter()
    steps.add_filter()
    return workbook


def _write_results(workbook: ExcelWorkbook, evening: EveningSheets, table: Table) -> None:
    name = _("Ergebnis %(number)s") % {"number": table.number} if len(evening.tables) > 1 else _("Ergebnis")
    captions = [*_list_captions(evening, table), _("Ohne Spiele übernommen.")]
    sheet = workbook.add_sheet(name, [Column(_("Name"), 24, TEXT), Column(_("Punkte"), 11, NUMBER)], captions)
    results = evening.list_results(table)
    for result in results:
        sheet.append([result.player.name, result.points])
    total = sum(result.points for result in results)
    sheet.append([_("Summe"), total], [TEXT._replace(bold=True), NUMBER._replace(bold=True)])


def _list_captions(evening: EveningSheets, table: Table) -> list[str]:
    day, place = date_format(evening.evening.held_on, "SHORT_DATE_FORMAT"), evening.evening.place
    parts = [day, place, _("Tisch %(number)s") % {"number": table.number}, str(table.rule_set)]
    return [evening.evening.club.name, " · ".join(part for part in parts if part)]


def _write_paper(sheet: ExcelSheet, evening: EveningSheets, paper: Sheet, checks: Sequence[str]) -> None:
    """Write the lines, the stored totals, and the check row; `checks` are the cell ranges with the points of each player."""
    for row in paper.rows:
        dealer, value = row.dealer.name if row.dealer else "", None if is_entered_by_hand(row) else row.value
        running = [format_total(cell) for cell in row.cells]
        styles = [None, None, *(get_cell_style(cell) for cell in row.cells)]
        cells = [row.number, dealer, *running, value, get_bock_sign(row), describe_line(row)]
        sheet.append(cells, styles, line=row.ends_cycle)
    stored = {result.player_id: result.points for result in evening.list_results(paper.table)}
    totals = [stored.get(player.pk, 0) for player in paper.players]
    bold = [NUMBER._replace(bold=True), TEXT._replace(bold=True), *[NUMBER._replace(bold=True)] * (len(totals) + 1)]
    sheet.append([None, _("Summe"), *totals, sum(totals), None, _("Probe in der Spalte „Wert“")], bold)
    last = sheet.row
    all_totals = sheet.area(2, last, 1 + len(totals), last)
    checked = [Formula(f"=SUM({span})-{sheet.cell(column, last)}") for column, span in enumerate(checks, start=2)]
    checked.append(Formula(f"=SUM({all_totals})-{sheet.cell(2 + len(totals), last)}"))
    sheet.append([None, _("Probe"), *checked, None, _("Überall muss 0 stehen.")])


def format_total(cell: Cell) -> Value:
    """Return the running total, or "–" for a player who sat out without points."""
    return SITS_OUT if cell.is_idle else cell.total


def get_cell_style(cell: Cell) -> CellStyle:
    return IDLE_STYLE if cell.is_idle else _PLAYER_STYLES[cell.won, cell.solo]


def get_bock_sign(row: Row) -> str:
    level = row.result.level
    return "" if not level else BOCK_SHEET_SIGN if level == 1 else f"{BOCK_SHEET_SIGN} {level_sign(row.rules, level)}"


def is_entered_by_hand(row: Row) -> bool:
    return not isinstance(row.result.facts, (GameFacts, ShortFacts))


def describe_line(row: Row) -> str:
    facts = row.result.facts
    if isinstance(facts, GameFacts):
        kind = _(labels.kind_name(facts.kind, row.rules.kind_names)) if facts.kind != "normal" else ""
        words = [_("Pflichtsolo: %(kind)s") % {"kind": kind} if facts.duty else kind]
    elif isinstance(facts, ShortFacts):
        words = [_("Solo") if facts.solo else ""]
    else:
        words = [row.game.get_form_display(), facts.reason]
    if row.in_turn:
        words.append(_("gegeben außer der Reihe, dran wäre %(turn)s gewesen") % {"turn": row.in_turn.name})
    return " · ".join(word for word in [*words, row.game.note] if word)


def _build_facts_columns(players: Sequence[Player]) -> list[Column]:
    return [
        Column(_("Datum"), 12, CellStyle(DATE, "left")),
        Column(_("Tisch"), 7, NUMBER),
        Column(_("Nr."), 6, NUMBER),
        Column(_("Zeile"), 13, TEXT),
        Column(_("Umlauf"), 8, NUMBER),
        Column(_("Geber"), 14, TEXT),
        Column(_("Setzt aus"), 14, TEXT),
        Column(_("Spielart"), 17, TEXT),
        Column(_("Pflichtsolo"), 11, TEXT),
        Column(_("Re"), 20, TEXT),
        Column(_("Kontra"), 20, TEXT),
        Column(_("Augen Re"), 8, NUMBER),
        Column(_("Augen Kontra"), 8, NUMBER),
        Column(_("Spanne Re"), 10, TEXT),
        Column(_("Ohne Stich"), 10, TEXT),
        Column(_("Ansage Re"), 10, TEXT),
        Column(_("Ansage Kontra"), 10, TEXT),
        Column(_("Zuletzt angesagt"), 10, TEXT),
        Column(_("Sonderpunkte Re"), 24, TEXT),
        Column(_("Sonderpunkte Kontra"), 24, TEXT),
        Column(_("Sonderpunkte des Spiels"), 24, TEXT),
        Column(_("Sieger"), 20, TEXT),
        Column(_("Punkte vor Bock"), 9, NUMBER),
        Column(_("Bock selbst eingetragen"), 8, NUMBER),
        Column(_("Bockstufe"), 9, NUMBER),
        Column(_("Wert"), 8, NUMBER),
        *(Column(player.name, 11, NUMBER) for player in players),
        Column(_("Grund"), 24, TEXT),
        Column(_("Bemerkung"), 30, TEXT),
        Column(_("Eingetragen von"), 16, TEXT),
        Column(_("Eingetragen am"), 16, CellStyle(INSTANT, "left")),
        Column(_("Fassung"), 8, NUMBER),
    ]


def _write_facts(sheet: ExcelSheet, evening: EveningSheets, paper: Sheet) -> list[str]:
    """Write the lines of a table as entered; return the cell range with the points of each player."""
    first = sheet.row + 1
    players = evening.players
    for row in paper.rows:
        points_of = {cell.player.pk: cell.points for cell in row.cells if cell.seat is not None}
        sheet.append(
            [
                evening.evening.held_on,
                paper.table.number,
                row.number,
                row.game.get_form_display(),
                row.cycle,
                row.dealer.name if row.dealer else "",
                *_list_facts(row),
                *(points_of.get(player.pk) for player in players),
                getattr(row.result.facts, "reason", ""),
                row.game.note,
                evening.writers.get(row.game.entered_by_id or 0, ""),
                row.game.entered_at,
                row.game.version,
            ]
        )
    if not paper.rows:
        return ["0"] * len(paper.players)
    columns = [FIRST_POINTS + players.index(player) for player in paper.players]
    return [sheet.area(column, first, column, sheet.row) for column in columns]


def _list_facts(row: Row) -> list[Value]:
    """Return the cells from "Setzt aus" to "Wert"."""
    facts = row.result.facts
    winners = _list_names(row, row.result.outcome.winners)
    if isinstance(facts, GameFacts):
        band, no_trick = row.game.facts.get("band"), row.game.facts.get("no_trick")
        return [
            _list_names(row, facts.out),
            _(labels.kind_name(facts.kind, row.rules.kind_names)),
            _("ja") if facts.duty else "",
            _list_names(row, facts.re),
            _list_names(row, facts.kontra),
            facts.eyes,
            None if facts.eyes is None else ALL_EYES - facts.eyes,
            _(labels.BANDS[band]) if band else "",
            _("niemand") if no_trick == "none" else _get_party_label(no_trick),
            _get_announcement_label(facts.re_said, "re"),
            _get_announcement_label(facts.kontra_said, "kontra"),
            _get_party_label(facts.last_said),
            describe_specials(facts.re_specials, row.rules),
            describe_specials(facts.kontra_specials, row.rules),
            describe_specials(facts.game_specials, row.rules),
            winners,
            None,
            facts.starts_bock or None,
            row.result.level,
            row.value,
        ]
    if isinstance(facts, ShortFacts):
        kind = _("Solo") if facts.solo else ""
        worth: list[Value] = [winners, facts.base, facts.starts_bock or None, row.result.level, row.value]
        return [_list_names(row, facts.out), kind, *[None] * 13, *worth]
    return [None] * 20


def _list_names(row: Row, seats: Sequence[int]) -> str:
    cells = sorted(row.cells, key=lambda cell: cell.seat or 0)
    return ", ".join(cell.player.name for cell in cells if cell.seat in seats)


def _get_party_label(party: str | None) -> str:
    return _(labels.PARTIES[party]) if party else ""


def _get_announcement_label(announcement: str, party: str) -> str:
    """Return the announcement of a party; a plain Ansage has the name of the party."""
    if announcement == "none":
        return ""
    return _get_party_label(party) if announcement == "said" else _(labels.SAID[announcement])


def _build_step_columns() -> list[Column]:
    return [
        Column(_("Tisch"), 7, NUMBER),
        Column(_("Nr."), 6, NUMBER),
        Column(_("Schritt"), 8, NUMBER),
        Column(_("Wofür"), 34, TEXT),
        Column(_("Partei"), 9, TEXT),
        Column(_("Rechnung"), 10, TEXT),
        Column(_("Zahl"), 8, NUMBER),
        Column(_("Zwischenstand (Re oder Solo +)"), 17, NUMBER),
    ]


def _write_steps(sheet: ExcelSheet, paper: Sheet) -> None:
    for row in paper.rows:
        steps = row.result.outcome.steps
        lines = build_explanation(row.result, row.rules).steps
        for index, (step, line) in enumerate(zip(steps, lines, strict=True), start=1):
            counted: list[Value] = [*_get_operation(step), fold_steps(steps[:index])]
            cells = [paper.table.number, row.number, index, line.label, line.party, *counted]
            sheet.append(cells, line=index == len(steps))


def _get_operation(step: Step) -> tuple[str, int]:
    data: Mapping[str, Any] = step.data
    if "add" in data:
        return _("plus"), data["add"]
    if "times" in data:
        return _("mal"), data["times"]
    return _("gezahlt"), data["pay"]
