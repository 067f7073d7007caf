"""The first page of the Kasse: what came in and went out this month, who is open and since when, and who left."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.cash.ledger.actions import take_back
from scoring.cash.ledger.queries import find_open_since, get_owed
from scoring.cash.models import Kind
from scoring.cash.months.queries import get_flow
from scoring.club.actions import Actor
from scoring.club.models import ROLES
from scoring.models import Player
from tests.cash.kasse import typed
from tests.client import visit
from tests.factories import Cast

pytestmark = pytest.mark.django_db


def days_ago(days: int) -> str:
    return (timezone.localdate() - datetime.timedelta(days)).isoformat()


def since(player: Player) -> str | None:
    found = find_open_since(player.club, get_owed(player.club)).get(player.pk)
    return found.isoformat() if found else None


def test_a_debt_is_open_since_its_oldest_charge_that_is_not_paid(cast: Cast, bodo: Player) -> None:
    club = cast.club
    assert since(bodo) is None
    for days, cents in ((90, 300), (60, 200), (30, 100)):
        typed(club, Kind.FINE, cents, days_ago(days), person=bodo)
    assert since(bodo) == days_ago(90)
    typed(club, Kind.PAYMENT, 300, days_ago(20), person=bodo, box="cash")
    assert since(bodo) == days_ago(60)
    wrong = typed(club, Kind.FINE, 5000, days_ago(10), person=bodo)
    take_back(entry=wrong, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert since(bodo) == days_ago(60), "what was reversed was never open"
    typed(club, Kind.PAYMENT, 250, days_ago(5), person=bodo, box="bank")
    assert since(bodo) == days_ago(30)
    typed(club, Kind.PAYMENT, 50, days_ago(4), person=bodo, box="bank")
    assert since(bodo) is None


def test_a_debt_of_more_than_a_year_has_no_day(cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, days_ago(400), person=bodo)
    typed(cast.club, Kind.FINE, 100, days_ago(100), person=bodo)
    assert since(bodo) is None
    html = visit(cast.treasurer).get(reverse("cash", args=["karo"])).content.decode()
    assert "seit über einem Jahr" in html


def test_this_month_is_what_the_kassenbuch_says_of_it(cast: Cast, bodo: Player) -> None:
    club, today = cast.club, days_ago(0)
    typed(club, Kind.INCOME, 7777, "2026-01-05", heading="income:other", box="cash")
    typed(club, Kind.PAYMENT, 1250, today, person=bodo, box="cash")
    typed(club, Kind.EXPENSE, 300, today, heading="expense:rent", box="bank")
    typed(club, Kind.TRANSFER, 500, today, box="cash")
    typed(club, Kind.FINE, 10000, today, person=bodo)
    assert get_flow(club, today[:7]) == (1250, 300)
    html = " ".join(visit(cast.reader).get(reverse("cash", args=["karo"])).content.decode().split()).replace("\u00a0", " ")
    assert "12,50 € herein, 3,00 € hinaus" in html


def test_who_left_is_named_as_such_where_they_are_open(cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, days_ago(30), person=bodo)

    def listed() -> str:
        html = visit(cast.treasurer).get(reverse("cash", args=["karo"])).content.decode()
        return " ".join(html[html.index("Wer noch zahlen muss") :].split("</li>")[0].split())

    assert "Bodo" in listed() and "ausgeschieden" not in listed()
    bodo.left_on = timezone.localdate()
    bodo.save()
    assert "Bodo" in listed() and "ausgeschieden, seit" in listed()


def test_a_role_with_the_right_to_the_books_reads_and_writes_nothing(
    cast: Cast, bodo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = typed(cast.club, Kind.FINE, 300, days_ago(1), person=bodo)
    monkeypatch.setitem(ROLES, "scorer", ROLES["scorer"]._replace(rights=("books",)))
    auditor, paths = visit(cast.scorer), [("cash_entries",), ("cash_entry", entry.pk), ("cash_statement", bodo.pk)]
    assert [auditor.get(reverse(name, args=["karo", *args])).status_code for name, *args in paths] == [200] * 3
    html = auditor.get(reverse("cash", args=["karo"])).content.decode()
    assert reverse("cash_entries", args=["karo"]) in html and reverse("cash_kinds", args=["karo"]) not in html
    refused = [("cash_kinds",), ("cash_entry_reverse", entry.pk), ("cash_dues",), ("evening_new",), ("members",)]
    pages = [auditor.get(reverse(name, args=["karo", *args])) for name, *args in refused]
    assert [page.status_code for page in pages] == [403] * 5
    assert "„Kassenwart“" in pages[0].content.decode()


def test_what_is_printed_says_of_which_club_and_of_whom_it_is(cast: Cast) -> None:
    typed(cast.club, Kind.INCOME, 100, "2026-01-02", heading="income:other", box="cash")
    treasurer = visit(cast.treasurer)
    mine = cast.club.players.order_by("pk").first()
    assert mine is not None
    said = f'<span class="print-only" translate="no"> · {cast.club.name}</span>'
    for name, *args in (
        ("cash_entries",), ("cash_months",), ("cash_month", "2026-01"), ("cash_year", 2026), ("cash_dues",), ("tariff",),
        ("cash_statement", mine.pk),
    ):  # fmt: skip
        assert said in treasurer.get(reverse(name, args=["karo", *args])).content.decode(), name
    mine.user = cast.treasurer
    mine.save()
    html = treasurer.get(reverse("cash_statement", args=["karo", mine.pk])).content.decode()
    assert f'<span class="print-only" translate="no"> · {mine}</span>' in html and said in html
