"""The Kasse as files for Excel and as CSV: the Kassenbuch with its running balance and leg by leg, the statement of a person, the
cost of an evening, the report of a month or year. Amounts are numbers in euros; plus is what the club has or is owed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.cash.evening.texts import PersonBill
from scoring.cash.ledger.queries import BookNames
from scoring.cash.ledger.texts import RegisterRow, build_register_rows, get_purpose, translate_reason
from scoring.cash.models import Entry
from scoring.cash.months.queries import PAYMENTS, PAYOUTS, BooksReport, MonthMoney
from scoring.cash.texts import get_account_name
from scoring.core.formats import format_month
from scoring.core.responses import attachment
from scoring.core.workbook import (
    DATE,
    INSTANT,
    TEXT,
    TWO_DIGITS,
    CellStyle,
    Column,
    CsvWorkbook,
    ExcelWorkbook,
    Formula,
    Value,
    build_sum_check,
)


def create_workbook(title: str, club: str, as_csv: bool) -> ExcelWorkbook | CsvWorkbook:
    return CsvWorkbook() if as_csv else ExcelWorkbook(title, club)


def respond_with_file(workbook: ExcelWorkbook | CsvWorkbook, *name: str) -> HttpResponse:
    """Send a workbook: an Excel file, a CSV file, or a ZIP archive for several CSV files."""
    if isinstance(workbook, ExcelWorkbook):
        return attachment(workbook.as_bytes(), "xlsx", *name)
    if len(workbook.sheets) == 1:
        return attachment(workbook.sheets[0].as_bytes(), "csv", *name)
    return attachment(workbook.as_zip(), "zip", *name)


AMOUNT = CellStyle(TWO_DIGITS, "right")


def to_euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def write_register(workbook: ExcelWorkbook | CsvWorkbook, club: str, entries: Iterable[Entry], names: BookNames) -> None:
    """Write the Kassenbuch: one row per entry of the register, with the balance of the Kasse after it."""
    columns = [
        Column(_("Tag"), 11, CellStyle(DATE)),
        Column(_("Nummer"), 10, TEXT),
        Column(_("Art"), 18, TEXT),
        Column(_("Text"), 34, TEXT),
        Column(_("Person"), 26, TEXT),
        Column(_("Einnahme"), 12, AMOUNT),
        Column(_("Ausgabe"), 12, AMOUNT),
        Column(_("Bestand"), 13, AMOUNT._replace(bold=True)),
    ]
    captions = [
        _("Kassenbuch · %(club)s") % {"club": club},
        _("Bestand ist, was nach der Buchung bar und auf dem Konto lag; was dort nichts bewegt, hat keinen Betrag."),
    ]
    sheet = workbook.add_sheet(_("Kassenbuch"), columns, captions, frozen=2)
    rows = build_register_rows(entries, names)
    for row in rows:
        sheet.append(_build_register_cells(row, [", ".join(row.people)]))
    sheet.add_filter()
    plus, minus = sum(row.plus for row in rows), sum(row.minus for row in rows)
    sheet.append_totals([pgettext("Summe", "zusammen"), None, None, None, None, to_euros(plus), to_euros(minus), None])


def _build_register_cells(row: RegisterRow, who: Sequence[Value]) -> list[Value]:
    """Build a row of a register, without an amount if nothing moved."""
    entry = row.entry
    amounts = (to_euros(cents) if cents else None for cents in (row.plus, row.minus))
    return [entry.date, str(entry), entry.kind_label, " · ".join(row.details), *who, *amounts, to_euros(row.balance)]


def write_legs(workbook: ExcelWorkbook | CsvWorkbook, club: str, entries: Iterable[Entry], names: BookNames) -> None:
    """Write one row per leg of these entries. The entries bring their legs and tariffs."""
    columns = [
        Column(_("Nummer"), 10, TEXT),
        Column(_("Tag"), 11, CellStyle(DATE)),
        Column(_("Art"), 18, TEXT),
        Column(_("Konto"), 26, TEXT),
        Column(_("Betrag"), 11, AMOUNT),
        Column(_("Grund"), 34, TEXT),
        Column(_("Storniert"), 10, TEXT),
        Column(_("Gebucht"), 17, CellStyle(INSTANT)),
        Column(_("Wofür"), 18, TEXT),
    ]
    captions = [
        _("Buchungszeilen · %(club)s") % {"club": club},
        _("Plus ist, was der Club hat oder bekommt. Jede Buchung geht auf: zusammen 0."),
    ]
    sheet = workbook.add_sheet(_("Buchungszeilen"), columns, captions, frozen=1)
    for entry in entries:
        reverses = str(entry.reverses) if entry.reverses else ""
        for leg in entry.legs.all():
            account = leg.account
            who = names.people.get(account.player_id or 0) or get_account_name(account.code, names.headings)
            kind = entry.kind_label
            amount, purpose = to_euros(leg.cents), get_purpose(entry, leg)
            sheet.append([str(entry), entry.date, kind, who, amount, translate_reason(entry), reverses, entry.booked_at, purpose])
    sheet.add_filter()
    last = sheet.row
    if last >= sheet.first:
        amounts = sheet.area(4, sheet.first, 4, last)
        sheet.append_check([_("Probe (muss 0 sein)"), None, None, None, Formula(f"=ROUND(SUM({amounts}),2)")])


def write_statement(workbook: ExcelWorkbook | CsvWorkbook, title: str, rows: Iterable[RegisterRow]) -> None:
    columns = [
        Column(_("Tag"), 11, CellStyle(DATE)),
        Column(_("Nummer"), 10, TEXT),
        Column(_("Art"), 20, TEXT),
        Column(_("Text"), 34, TEXT),
        Column(_("Berechnet"), 12, AMOUNT),
        Column(_("Gutgeschrieben"), 15, AMOUNT),
        Column(_("Danach zu zahlen"), 13, AMOUNT._replace(bold=True)),
    ]
    captions = [title, _("Plus ist zu zahlen, Minus ein Guthaben.")]
    sheet = workbook.add_sheet(_("Auszug"), columns, captions, frozen=2)
    for row in rows:
        sheet.append(_build_register_cells(row, []))
    sheet.add_filter()


def write_evening(workbook: ExcelWorkbook | CsvWorkbook, title: str, bills: Sequence[PersonBill]) -> None:
    """Write the cost of an evening: a row per amount with its explanation; the sum is that of the Kasse."""
    columns = [
        Column(_("Name"), 24, TEXT),
        Column(_("Wofür"), 20, TEXT),
        Column(_("Wie es zustande kommt"), 46, TEXT),
        Column(_("Betrag"), 11, AMOUNT),
    ]
    captions = [title, _("Plus ist zu zahlen, Minus zu bekommen.")]
    sheet = workbook.add_sheet(_("Kosten"), columns, captions, frozen=1)
    for bill in bills:
        who = str(bill.player or _("Kasse, für Gäste"))
        for step in bill.steps:
            what = f"{step['label']} ({step['guest']})" if step["guest"] else step["label"]
            sheet.append([who, what, step["how"], to_euros(step["cents"])])
    last = sheet.row
    sheet.append([_("Die Kasse"), None, None, to_euros(-sum(bill.cents for bill in bills))])
    sheet.add_filter()
    amounts = sheet.area(3, sheet.first, 3, last + 1)
    sheet.append_check([_("Probe (muss 0 sein)"), None, None, Formula(f"=ROUND(SUM({amounts}),2)")])


# The figures of a report with their names, in the order of page and files: of its "money", "income" and "expense", and of its
# "people" their debts before and after.
ReportRows = Mapping[str, Sequence[tuple[Any, ...]]]


def build_report_rows(report: BooksReport, names: BookNames) -> ReportRows:
    people = sorted((names.people[pk], before, after) for pk, (before, after) in report.people.items())
    changes = [(code, get_account_name(code, names.headings), cents) for code, cents in report.changes.items()]
    # In the books income is below 0.
    income = [(name, -cents) for code, name, cents in changes if code.startswith("income:")]
    expense = [(name, cents) for code, name, cents in changes if code.startswith("expense:")]
    return {"money": _build_money_rows(report.money, names), "income": income, "expense": expense, "people": people}


def _build_money_rows(money: Mapping[str, int], names: BookNames) -> list[tuple[str, int]]:
    """Return what came into the Kasse and left it, by its source: members first, then accounts."""
    labels = {PAYMENTS: _("Einzahlungen der Mitglieder"), PAYOUTS: _("Auszahlungen an Mitglieder")}
    order = sorted(money, key=lambda code: (code not in labels, code != PAYMENTS, not code.startswith("income:"), code))
    return [(labels.get(code) or get_account_name(code, names.headings), money[code]) for code in order]


def write_report(
    workbook: ExcelWorkbook | CsvWorkbook, title: str, report: BooksReport, figures: ReportRows, course: Sequence[MonthMoney] = ()
) -> None:
    """Write the report of a year or a month for the auditors, a sheet per part."""
    days = " – ".join(date_format(day, "SHORT_DATE_FORMAT") for day in (report.days.first, report.days.last))
    columns = [Column(_("Was"), 34, TEXT), Column(_("Betrag"), 13, AMOUNT)]
    money = workbook.add_sheet(_("A Geld"), columns, [title, days], frozen=1)
    money.append([_("In der Kasse am Anfang"), to_euros(report.start)])
    for name, cents in figures["money"]:
        money.append([name, to_euros(cents)])
    last = money.row
    money.append([_("In der Kasse am Ende"), to_euros(report.end)])
    money.append_check([_("Probe (muss 0 sein)"), build_sum_check(money, 1, last)])
    charged = workbook.add_sheet(_("B Einnahmen und Ausgaben"), [Column(_("Seite"), 11, TEXT), *columns], [title, days], frozen=1)
    for side, rows in ((_("Einnahme"), figures["income"]), (_("Ausgabe"), figures["expense"])):
        for name, cents in rows:
            charged.append([side, name, to_euros(cents)])
    if report.begun:
        charged.append([_("Anfang"), _("Anfangsbestand"), to_euros(report.begun)])
    label = _("Ergebnis weniger Änderung der Kasse und dessen, was zu zahlen ist (muss 0 sein)")
    charged.append([_("Probe"), label, to_euros(report.check)])
    people = [
        Column(_("Name"), 24, TEXT),
        Column(_("Zu zahlen am Anfang"), 16, AMOUNT),
        Column(_("Zu zahlen am Ende"), 16, AMOUNT),
    ]
    sheet = workbook.add_sheet(_("Wer noch zahlen muss"), people, [title, _("Plus ist zu zahlen, Minus ein Guthaben.")], frozen=1)
    for name, before, after in figures["people"]:
        sheet.append([name, to_euros(before), to_euros(after)])
    last = sheet.row
    sheet.append_totals([pgettext("Summe", "zusammen"), to_euros(report.open_start), to_euros(report.open_end)])
    if figures["people"]:
        sheet.append_check([_("Probe (muss 0 sein)"), *(build_sum_check(sheet, column, last) for column in (1, 2))])
    if course:
        _write_months(workbook, title, course)


def _write_months(workbook: ExcelWorkbook | CsvWorkbook, title: str, course: Sequence[MonthMoney]) -> None:
    columns = [
        Column(_("Monat"), 18, TEXT),
        Column(_("Einnahmen"), 13, AMOUNT),
        Column(_("Ausgaben"), 13, AMOUNT),
        Column(_("In der Kasse"), 13, AMOUNT._replace(bold=True)),
        Column(pgettext("Kasse", "Ergebnis"), 13, AMOUNT),
    ]
    sheet = workbook.add_sheet(_("Monate"), columns, [title, _("In der Kasse: am Ende des Monats.")], frozen=1)
    for one in course:
        sheet.append([format_month(one.month), *map(to_euros, (one.income, one.expense, one.there, one.result))])
    sheet.add_line_chart(_("Monat für Monat"), range(1, 4))
    last = sheet.row
    figures = [(one.income, one.expense, one.result) for one in course]
    income, expense, result = (sum(column) for column in zip(*figures, strict=True))
    sheet.append_totals([pgettext("Summe", "zusammen"), to_euros(income), to_euros(expense), None, to_euros(result)])
    checks = [build_sum_check(sheet, column, last) for column in (1, 2, 4)]
    sheet.append_check([_("Probe (muss 0 sein)"), *checks[:2], None, checks[2]])
