"""Fifty months at random, a few of them in every run: each account, what is in the Kasse and what everybody owes is the same on the
page, in Excel, in CSV, in the statement and by plain SQL."""

from __future__ import annotations

import csv
import datetime
import json
from collections import Counter
from collections.abc import Iterable
from io import BytesIO, StringIO
from random import Random
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test import Client
from openpyxl import load_workbook

from scoring.cash.ledger.actions import take_back
from scoring.cash.ledger.queries import get_month_days, get_next_month
from scoring.cash.models import Kind
from scoring.cash.months.queries import build_draft, list_month_figures
from scoring.cash.texts import get_account_name
from scoring.club.actions import Actor
from scoring.models import Account, Club, Entry
from tests.cash.books import money_check
from tests.cash.kasse import at, typed
from tests.client import visit
from tests.effort import examples
from tests.factories import Cast

pytestmark = pytest.mark.django_db
MONTHS = examples(50)
KINDS = (
    (Kind.PAYMENT, {}), (Kind.PAYOUT, {}), (Kind.FINE, {}), (Kind.WAIVE, {"reason": "Geschenkt"}),
    (Kind.INCOME, {"heading": "income:other"}), (Kind.EXPENSE, {"heading": "expense:rent"}),
    (Kind.OUTLAY, {"heading": "expense:drinks"}), (Kind.TRANSFER, {}), (Kind.OPENING, {"heading": "open"}),
    (Kind.SETTLE, {}),
)  # fmt: skip


def random_books(club: Club, rng: Random) -> list[str]:
    """Some bookings in each of so many months, now and then one taken back."""
    people, months = list(club.players.order_by("pk")), ["2021-12"]
    for _month in range(MONTHS):
        months.append(get_next_month(months[-1]))
        for _booking in range(rng.randint(0, 5)):
            kind, told = rng.choice(KINDS)
            one, other = rng.sample(people, 2)
            day = f"{months[-1]}-{rng.randint(1, 28):02}"
            box, cents = rng.choice(["cash", "bank"]), rng.choice([1, 33, 1250, 99_999, 10**8])
            entry = typed(club, kind, cents, day, person=one, other=other, box=box, **told)
            if rng.random() < 0.1:
                take_back(entry=entry, actor=Actor(), key=uuid4(), reason="Vertippt")
    return months[1:]


def plain(club: Club, last: datetime.date) -> Counter[str]:
    """The cents on each account up to a day, by the plainest SQL."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT code, cents FROM scoring_leg JOIN scoring_entry ON scoring_entry.id = entry_id"
            " JOIN scoring_account ON scoring_account.id = account_id WHERE scoring_entry.club_id = %s AND date <= %s",
            [club.pk, last],
        )
        found: Counter[str] = Counter()
        for code, cents in cursor.fetchall():
            found[code] += cents
    return found


def but_nothing(found: Counter[str]) -> dict[str, int]:
    return {code: cents for code, cents in found.items() if cents}


def test_every_month_says_the_same_everywhere(cast: Cast) -> None:
    club, thea = cast.club, visit(cast.treasurer)
    months = random_books(club, Random(20260306))
    names = {
        one.code: one.player.name if one.player else get_account_name(one.code, {})
        for one in Account.objects.filter(club=club).select_related("player")
    }
    legs = thea.get(at("export_csv", "kasse-legs")).content.decode("utf-8-sig")
    listed = dict(thea.get(at("cash_months")).context["months"])
    before: Counter[str] = Counter()
    for month in months:
        _first, last = get_month_days(month)
        after = plain(club, last)
        stated = json.loads(build_draft(club, month))
        assert (stated["opening"], stated["closing"]) == (but_nothing(before), but_nothing(after))
        shown = thea.get(at("cash_month", month)).context["report"]
        assert shown.changes == {code: moved for code in after if (moved := after[code] - before[code])}
        assert (shown.start, shown.end) == (before["cash"] + before["bank"], after["cash"] + after["bank"])
        assert shown.end == listed.get(month, 0)
        assert (money_check(shown), shown.check) == (0, 0)
        assert months_money(thea, month) == (shown.start, shown.end, shown.income, shown.expense)
        of_file = but_nothing(Counter({names[code]: cents - before[code] for code, cents in after.items()}))
        assert in_csv(legs, month) == in_excel(thea, month) == of_file
        before = after
    for person in club.players.filter(account__isnull=False):
        lines = thea.get(at("cash_statement", person.pk)).context["table"].paginated_rows
        assert {line.record.balance for line in lines[:1]} == {plain(club, datetime.date.max)[person.account.code]}
    assert Entry.objects.filter(club=club, reverses__isnull=False).exists()
    a_year_is_its_months(thea, months[0][:4])


def a_year_is_its_months(thea: Client, year: str) -> None:
    """The charts, the figures behind them and the sheet of the file say what the report says."""
    context = thea.get(at("cash_year", int(year))).context
    report, (flow, there) = context["report"], context["charts"]
    course = list_month_figures(context["access"].club, [f"{year}-{month:02}" for month in range(1, 13)])
    assert (sum(one.income for one in course), sum(one.expense for one in course)) == (report.income, report.expense)
    assert [point["totals"] for point in flow["points"]] == [(one.income, one.expense) for one in course]
    assert [point["totals"] for point in there["points"]] == [(one.there,) for one in course]
    assert (len(context["figures_by_month"].rows), course[-1].there) == (12, report.end)
    sheet = load_workbook(BytesIO(thea.get(at("cash_year_excel", int(year))).content))["Monate"]
    rows = [[cell.value for cell in row[1:5]] for row in sheet.iter_rows(min_row=4) if row[3].value is not None][-12:]
    told = [(one.income, one.expense, one.there, one.result) for one in course]
    assert [tuple(round(100 * value) for value in row) for row in rows] == told


def months_money(client: Client, month: str) -> tuple[int, ...]:
    """What was in the Kasse before and after a month, its income and expense, as its two files say it; both the same."""
    book = load_workbook(BytesIO(client.get(at("cash_month_excel", month)).content))
    with ZipFile(BytesIO(client.get(at("cash_month_csv", month)).content)) as archive:
        texts = [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]
    money, charged, people = (list(csv.reader(StringIO(text), delimiter=";"))[1:] for text in texts)
    in_book = [[cell.value for cell in row] for row in book["A Geld"].iter_rows(min_row=4)]
    assert [round(100 * row[1]) for row in in_book[: len(money)]] == [cents(row[1]) for row in money]
    of_people = [[cell.value for cell in row[:3]] for row in book["Wer noch zahlen muss"].iter_rows(min_row=4)]
    assert [[name, round(100 * before), round(100 * after)] for name, before, after in of_people[: len(people)]] == [
        [name, cents(before), cents(after)] for name, before, after in people
    ]
    together = [sum(cents(row[column]) for row in people) for column in (1, 2)]
    assert [round(100 * value) for value in of_people[len(people)][1:]] == together
    sides = Counter[str]()
    for side, _name, amount in charged:
        sides[side] += cents(amount)
    return cents(money[0][1]), cents(money[-1][1]), sides["Einnahme"], sides["Ausgabe"]


def cents(text: str) -> int:
    return round(100 * float(text.replace(".", "").replace(",", ".")))


def in_csv(text: str, month: str) -> dict[str, int]:
    rows = [row for row in csv.reader(StringIO(text), delimiter=";") if f"{row[1][6:]}-{row[1][3:5]}" == month]
    return summed((row[3], round(100 * float(row[4].replace(",", ".")))) for row in rows)


def in_excel(client: Client, month: str) -> dict[str, int]:
    sheet = load_workbook(BytesIO(client.get(at("cash_entries_excel") + f"?month={month}").content))["Buchungszeilen"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=4)]
    return summed((row[3], round(100 * row[4])) for row in rows if str(row[0]).startswith("20"))


def summed(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name, cents in rows:
        found[name] += cents
    return but_nothing(found)
