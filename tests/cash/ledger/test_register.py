"""The registers of the Kasse, the Kassenbuch and a statement: sorted and filtered in place, with a running balance that is the
same on the page, on paper, in Excel and in CSV, whatever is shown of them."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.cash.ledger.posting import reverse_all
from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Entry, Kind
from scoring.club.actions import Actor
from scoring.models import Leg, Player
from scoring.players.actions import merge_players
from tests.cash.books import in_the_kasse
from tests.cash.kasse import at, typed
from tests.client import visit
from tests.factories import Cast, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def rita(cast: Cast) -> Player:
    return make_player(cast.club, "Rita")


@pytest.fixture
def thea(cast: Cast, bodo: Player, rita: Player) -> Client:
    """The phone of the treasurer; the books are not in the order of the days, and the box falls below 0."""
    club = cast.club
    typed(club, Kind.OPENING, 10000, "2026-01-01", heading="cash")
    typed(club, Kind.FINE, 300, "2026-01-05", person=bodo, reason="Zu spät")
    typed(club, Kind.EXPENSE, 12050, "2026-02-01", heading="expense:trip", box="bank", reason="Überfahrt nach Föhr")
    typed(club, Kind.PAYMENT, 300, "2026-01-31", person=bodo, box="cash")
    typed(club, Kind.HANDOVER, 150, "2026-02-03", person=bodo, other=rita, reason="Wette")
    typed(club, Kind.TRANSFER, 5000, "2026-02-03", box="cash")
    typed(club, Kind.INCOME, 2500, "2026-02-05", heading="income:other", box="cash")
    return visit(cast.treasurer)


# Number, what came in, what went out, what was there.
BOOK = [
    ("2026-001", 10000, 0, 10000), ("2026-002", 0, 0, 10000), ("2026-004", 300, 0, 10300), ("2026-003", 0, 12050, -1750),
    ("2026-005", 0, 0, -1750), ("2026-006", 0, 0, -1750), ("2026-007", 2500, 0, 750),
]  # fmt: skip
BODO = [("2026-002", 300, 0, 300), ("2026-004", 0, 300, 0), ("2026-005", 0, 150, -150)]
Row = tuple[str, int, int, int]


def on_page(client: Client, address: str) -> list[Row]:
    """What the cells of the page say. Of a person, a balance is written in words."""
    html = client.get(address).content.decode()
    body = re.search(r'<table class="register".*?<tbody>(.*?)</tbody>', html, re.DOTALL)
    assert body
    found = []
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body[1], re.DOTALL):
        cells = [re.sub(r"<[^>]*>|\s+", " ", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        if len(cells) > 1:
            found.append((cells[1].strip(), *map(cents_said, cells[-3:])))
    return found


def cents_said(text: str) -> int:
    digits = re.sub(r"[^0-9]", "", text)
    return int(digits or 0) * (-1 if "−" in text or "Guthaben" in text else 1)


def in_csv(client: Client, address: str) -> list[Row]:
    rows = csv.reader(StringIO(client.get(address).content.decode("utf-8-sig")), delimiter=";")
    return [(row[1], *(cents(cell.replace(",", ".")) for cell in row[-3:])) for row in rows if row[1][:2] == "20"]


def in_excel(client: Client, address: str) -> list[Row]:
    sheet = load_workbook(BytesIO(client.get(address).content)).worksheets[0]
    rows = ([cell.value for cell in row] for row in sheet.iter_rows())
    return [(row[1], *(cents(cell) for cell in row[-3:])) for row in rows if str(row[1])[:2] == "20"]


def cents(value: object) -> int:
    return int(Decimal(str(value or 0)) * 100)


def everywhere(client: Client, name: str, *args: object, query: str = "") -> list[Row]:
    """The register in the order of the books, which is the same on paper, in Excel and in CSV, and backwards on the page."""
    paper = on_page(client, at(name, *args) + f"?whole=1&{query}")
    assert on_page(client, at(name, *args) + f"?{query}") == paper[::-1]
    assert in_csv(client, at(f"{name}_csv", *args) + f"?{query}") == paper
    assert in_excel(client, at(f"{name}_excel", *args) + f"?{query}") == paper
    return paper


def test_a_balance_is_the_same_on_screen_on_paper_in_excel_and_in_csv(thea: Client, cast: Cast, bodo: Player) -> None:
    assert everywhere(thea, "cash_entries") == BOOK
    assert BOOK[-1][-1] == in_the_kasse(cast.club)
    assert 'Bestand <strong class="num">7,50\u00a0€' in thea.get(at("cash_entries") + "?month=2026-01").content.decode()
    assert everywhere(thea, "cash_statement", bodo.pk) == BODO
    assert BODO[-1][-1] == get_owed(cast.club)[bodo.pk]


def test_what_moves_nothing_in_the_kasse_says_what_it_does(thea: Client) -> None:
    page = thea.get(at("cash_entries")).content.decode()
    assert "<bdi>3,00\u00a0€ belastet</bdi>" in page
    assert [f"<bdi>über {amount}\u00a0€</bdi>" in page for amount in ("1,50", "50,00", "3,00")] == [True, True, False]


def test_the_balance_is_that_of_the_entry_whatever_is_chosen(thea: Client, bodo: Player) -> None:
    for query, numbers in (
        ("month=2026-02", ["003", "005", "006", "007"]),
        ("month=2026", ["001", "002", "004", "003", "005", "006", "007"]),
        (f"person={bodo.pk}", ["002", "004", "005"]),
        ("kind=income", ["007"]),
        ("text=FÖHR", ["003"]),
        ("text=überf", ["003"]),
        ("text=einn", ["007"]),
        ("text=2026-4", ["004"]),
        ("text=120,50 €", ["003"]),
        ("text=rit", ["005"]),
        (f"text=wette&person={bodo.pk}&month=2026-02&kind=handover", ["005"]),
        ("text=[a-z]", []),
        ("kind=theft&month=1&person=x", ["001", "002", "004", "003", "005", "006", "007"]),
    ):
        rows = on_page(thea, at("cash_entries") + f"?whole=1&{query}")
        assert rows == [row for row in BOOK if row in rows], query
        assert [row[0] for row in rows] == [f"2026-{number}" for number in numbers], query
    assert everywhere(thea, "cash_entries", query="text=überf&month=2026-02") == [BOOK[3]]
    assert everywhere(thea, "cash_statement", bodo.pk, query="text=wette&month=2026-02") == BODO[2:]


@pytest.mark.parametrize(
    ("sort", "numbers"),
    [
        ("day", "1243567"), ("-day", "7653421"), ("number", "1234567"), ("-number", "7654321"),
        ("plus", "471"), ("-plus", "174"), ("-minus", "3"), ("balance", "6"), ("person", "245"), ("text", "13"),
        ("nothing", "1243567"),
    ],
)  # fmt: skip
def test_sorted_by_any_column_the_balance_stays_that_of_the_entry(thea: Client, sort: str, numbers: str) -> None:
    rows = on_page(thea, at("cash_entries") + f"?sort={sort}")
    assert sorted(rows) == sorted(BOOK)
    found = "".join(row[0][-1] for row in rows)
    if sort in ("balance", "text", "nothing"):
        keys = {"balance": [row[3] for row in rows], "text": [], "nothing": []}[sort]
        assert keys == sorted(keys)
    else:
        assert found.startswith(numbers)


def test_a_sorted_register_says_so_and_stays_sorted_when_it_is_filtered(thea: Client) -> None:
    html = thea.get(at("cash_entries") + "?sort=-plus&kind=payment").content.decode()
    assert html.count("aria-sort") == 1 and 'aria-sort="descending"' in html
    assert '<input type="hidden" name="sort" value="-plus"' in html
    assert 'href="?sort=-balance&amp;kind=payment"' in html or 'href="?kind=payment&amp;sort=-balance"' in html


def test_a_part_of_a_register_says_what_it_comes_to_and_leads_back(thea: Client, bodo: Player) -> None:
    def told(name: str, query: str, *args: object) -> str:
        html = thea.get(at(name, *args) + query).content.decode()
        return " ".join(re.sub(r"<[^>]*>", " ", html).split()).replace("\u00a0", " ")

    assert "Alle zeigen" not in told("cash_entries", "")
    page = told("cash_entries", "?month=2026-02")
    assert "Februar 2026 4 Buchungen · Einnahme 25,00 € · Ausgabe 120,50 € Alle zeigen" in page
    page = told("cash_statement", "?kind=payment", bodo.pk)
    assert "Einzahlung 1 Buchung · Gutgeschrieben 3,00 € Alle zeigen" in page
    page = told("cash_entries", "?text=zzz")
    assert "zzz Alle zeigen" in page and "Nichts gefunden." in page and "Einnahme 0" not in page


def test_a_merged_person_has_one_running_balance(thea: Client, cast: Cast, bodo: Player, rita: Player) -> None:
    merge_players(player=rita, into=bodo, actor=Actor())
    rows = everywhere(thea, "cash_statement", bodo.pk)
    assert rows == [*BODO[:2], ("2026-005", 0, 0, 0)]


def test_another_club_moves_no_balance(thea: Client, cast: Cast) -> None:
    other = Leg.objects.filter(entry__club=cast.other_club)
    typed(cast.other_club, Kind.OPENING, 777, "2026-01-01", heading="cash")
    assert other.exists() and everywhere(thea, "cash_entries") == BOOK


def test_the_legs_are_a_sheet_of_their_own(thea: Client) -> None:
    book = load_workbook(BytesIO(thea.get(at("cash_entries_excel")).content))
    assert book.sheetnames == ["Kassenbuch", "Buchungszeilen"]
    amounts = [row[4].value for row in book["Buchungszeilen"].iter_rows(min_row=4) if str(row[0].value)[:2] == "20"]
    assert len(amounts) == 14 and sum(map(cents, amounts)) == 0


def test_what_was_reversed_is_muted_with_its_reversal(thea: Client, cast: Cast, bodo: Player) -> None:
    fine = Entry.objects.get(club=cast.club, number=2)
    reverse_all(club=cast.club, actor=Actor(cast.treasurer), entries=[fine], reason="Irrtum")
    for page in (reverse("cash_entries", args=["karo"]), reverse("cash_statement", args=["karo", bodo.pk])):
        html = thea.get(page).content.decode()
        muted = re.findall(r'<tr class="void [^>]*>\s*<td class="day">[^<]*</td>\s*<td class="number">([^<]*)', html)
        assert sorted(muted) == ["2026-002", "2026-008"], page
