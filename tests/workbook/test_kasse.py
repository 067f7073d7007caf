"""The Kasse in the workbook: the same figures as on its pages, and single payments for the treasurer alone."""

from __future__ import annotations

import datetime
from decimal import Decimal
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from scoring.cash.models.books import Kind
from scoring.cash.queries.books import owed
from scoring.models import Player
from scoring.workbook.excel.book import one_table
from scoring.workbook.queries import ClubFile, Span
from tests.cash.books import in_the_kasse
from tests.cash.kasse import make_kasse, typed
from tests.factories import Cast
from tests.visits import visit
from tests.workbook.full import rows_of

pytestmark = pytest.mark.django_db
SHEETS = ["Kassenbericht", "Wer noch zahlen muss", "Kassenbuch", "Buchungszeilen"]


@pytest.fixture
def kasse(cast: Cast) -> Cast:
    """Two years of books."""
    make_kasse(cast.club)
    one = cast.club.players.order_by("pk")[0]
    typed(cast.club, Kind.FINE, 250, "2026-06-01", person=one)
    typed(cast.club, Kind.PAYMENT, 1005, "2026-07-01", person=one, box="bank")
    return cast


def workbook(cast: Cast, login: str, query: str = "") -> Workbook:
    answer = visit(getattr(cast, login)).get(reverse("club_excel", args=["karo"]) + query)
    return load_workbook(BytesIO(answer.content))


def test_its_figures_are_those_of_the_books(kasse: Cast) -> None:
    book = workbook(kasse, "treasurer")
    years = rows_of(book["Kassenbericht"])
    said = {(row["Jahr"], row["Seite"], row["Was"]): Decimal(str(row["Betrag"])) for row in years}
    assert said["2026", "Geld", "In der Kasse am Ende"] * 100 == in_the_kasse(kasse.club)
    assert said["2026", "Einnahme", "Strafgelder"] == Decimal("5.50")
    people = {row["Name"]: Decimal(str(row["Schuldet"])) * 100 for row in rows_of(book["Wer noch zahlen muss"])}
    assert people == {Player.objects.get(pk=pk).name: cents for pk, cents in owed(kasse.club).items()}
    register = rows_of(book["Kassenbuch"])
    assert len(register) == 7 and Decimal(str(register[-1]["Bestand"])) * 100 == in_the_kasse(kasse.club)
    entries = rows_of(book["Buchungszeilen"])
    assert len(entries) == 14 and sum(Decimal(str(row["Betrag"])) for row in entries) == 0


@pytest.mark.parametrize("login", ["reader", "scorer", "admin"])
def test_single_payments_are_the_treasurers(kasse: Cast, login: str) -> None:
    names = workbook(kasse, login).sheetnames
    assert [name for name in SHEETS if name in names] == SHEETS[:2]
    client = visit(getattr(kasse, login))
    keys = ("kasse-years", "kasse-people", "kasse-entries", "kasse-legs")
    found = [client.get(reverse("table_csv", args=["karo", key])) for key in keys]
    assert [answer.status_code for answer in found] == [200, 200, 404, 404]


def test_a_year_has_its_own_entries(kasse: Cast) -> None:
    held = Span("", (datetime.date(2026, 6, 1), datetime.date(2026, 6, 30)))
    file = ClubFile(kasse.club, held, treasurer=True)
    assert [str(entry) for entry in file.kasse.entries] == ["2026-006"]
    text = one_table(file, "kasse-people").sheets[0].as_bytes().decode("utf-8-sig")
    assert text.splitlines()[1:3] == ["Bodo;-8,50", "Ärmel;4,50"]


def test_without_books_there_is_no_sheet_of_it(cast: Cast) -> None:
    assert not set(SHEETS) & set(workbook(cast, "treasurer").sheetnames)
