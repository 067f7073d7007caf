"""The figures of a report with their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.cash.ledger.queries import BookNames
from scoring.cash.texts import get_account_name

from .queries import PAYMENTS, PAYOUTS, BooksReport


def _build_money_rows(money: Mapping[str, int], names: BookNames) -> list[tuple[str, int]]:
    """Return what came into the Kasse and left it, by its source: members first, then accounts."""
    labels = {PAYMENTS: _("Einzahlungen der Mitglieder"), PAYOUTS: _("Auszahlungen an Mitglieder")}
    order = sorted(money, key=lambda code: (code not in labels, code != PAYMENTS, not code.startswith("income:"), code))
    return [(labels.get(code) or get_account_name(code, names.headings), money[code]) for code in order]


@dataclass(frozen=True)
class ReportRows:
    """The figures of a report with their names, in the order of page and files; `people` with their debts before and after."""

    money: list[tuple[str, int]]
    income: list[tuple[str, int]]
    expense: list[tuple[str, int]]
    people: list[tuple[str, int, int]]


def build_report_rows(report: BooksReport, names: BookNames) -> ReportRows:
    people = sorted((names.people[pk], before, after) for pk, (before, after) in report.people.items())
    changes = [(code, get_account_name(code, names.headings), cents) for code, cents in report.changes.items()]
    # In the books income is below 0.
    income = [(name, -cents) for code, name, cents in changes if code.startswith("income:")]
    expense = [(name, cents) for code, name, cents in changes if code.startswith("expense:")]
    return ReportRows(_build_money_rows(report.money, names), income, expense, people)
