"""The sheets of the Kasse: every year of its books as it goes to the auditors, what everybody owes, and, for who may see single
payments, the journal."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.cash.excel import AMOUNT, exact, write_legs, write_register
from scoring.cash.queries.years import BooksReport
from scoring.cash.words.rows import ReportSaid, report_said
from scoring.core.workbook import TEXT, Column, Formula
from scoring.workbook.queries import ClubFile, KasseInSpan

from .games import AnySheet, AnyWorkbook


def kasse_keys(file: ClubFile) -> dict[str, str]:
    """The tables of the Kasse that can be had by themselves."""
    if not file.has_kasse:
        return {}
    journal = {"kasse-entries": _("Kassenbuch"), "kasse-legs": _("Buchungszeilen")} if file.treasurer else {}
    return {"kasse-years": _("Kassenbericht"), "kasse-people": _("Wer noch zahlen muss"), **journal}


def write_kasse(workbook: AnyWorkbook, file: ClubFile, key: str) -> None:
    kasse = file.kasse
    match key:
        case "kasse-years":
            _write_years(workbook, file, kasse)
        case "kasse-people":
            _write_people(workbook, file, kasse)
        case "kasse-entries" if file.treasurer:
            write_register(workbook, file.club.name, kasse.entries, kasse.names)
        case "kasse-legs" if file.treasurer:
            write_legs(workbook, file.club.name, kasse.entries, kasse.names)


def _write_years(workbook: AnyWorkbook, file: ClubFile, kasse: KasseInSpan) -> None:
    title = _("Kassenbericht")
    columns = [
        Column(_("Jahr"), 10, TEXT),
        Column(_("Seite"), 11, TEXT),
        Column(_("Was"), 40, TEXT),
        Column(_("Betrag"), 13, AMOUNT),
    ]
    sheet = workbook.add_sheet(title, columns, [f"{title} · {file.club.name}"])
    checks = [_write_year(sheet, name, one, report_said(one, kasse.names)) for name, one in kasse.years.items()]
    sheet.add_filter()
    sheet.append_check([None, None, _("Probe (muss 0 sein)"), Formula("=" + "+".join(checks))])


def _write_year(sheet: AnySheet, year: str, report: BooksReport, said: ReportSaid) -> str:
    """The rows of a year; answers a formula that is 0 where its money adds up."""
    first = sheet.row + 1
    rows = [
        (_("Geld"), _("In der Kasse am Anfang"), report.start),
        *((_("Geld"), name, cents) for name, cents in said.money),
        (_("Geld"), _("In der Kasse am Ende"), report.end),
        *((_("Einnahme"), name, cents) for name, cents in said.sums.income),
        *((_("Ausgabe"), name, cents) for name, cents in said.sums.expense),
    ]
    for side, name, cents in rows:
        sheet.append([year, side, name, exact(cents)])
    end = first + 1 + len(said.money)
    return f"ABS(ROUND(SUM({sheet.area(3, first, 3, end - 1)})-{sheet.cell(3, end)},2))"


def _write_people(workbook: AnyWorkbook, file: ClubFile, kasse: KasseInSpan) -> None:
    title = _("Wer noch zahlen muss")
    columns = [Column(_("Name"), 24, TEXT), Column(_("Schuldet"), 13, AMOUNT)]
    captions = [f"{title} · {file.club.name}", _("Plus ist zu zahlen, Minus ein Guthaben.")]
    sheet = workbook.add_sheet(title, columns, captions)
    for name, cents in sorted((kasse.names.people[pk], cents) for pk, cents in kasse.owed.items()):
        sheet.append([name, exact(cents)])
    sheet.add_filter()
    last = sheet.row
    summed = f"SUM({sheet.area(1, sheet.first, 1, last)})" if last >= sheet.first else "0"
    sheet.append_check([_("Probe (muss 0 sein)"), Formula(f"=ROUND({summed}-{exact(kasse.open)},2)")])
