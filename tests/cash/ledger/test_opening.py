"""What stood there when the Kasse begins: typed on one page, its sums shown before, booked once as one entry, and refused where it
cannot be right."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.cash.ledger.actions import book_opening, take_back
from scoring.cash.ledger.queries import get_balances
from scoring.cash.models import Kind
from scoring.cash.months.queries import build_report, build_year
from scoring.cash.rules.money import build_member_account
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.models import Entry, Player
from tests.cash.books import money_check
from tests.cash.kasse import closed, typed
from tests.client import visit
from tests.factories import Cast, make_table
from tests.html import flat

pytestmark = pytest.mark.django_db
PAGE = reverse("cash_opening", args=["karo"])


@pytest.fixture
def people(cast: Cast) -> list[Player]:
    return list(cast.club.players.order_by("pk")[:2])


def told(people: list[Player], **more: Any) -> dict[str, Any]:
    one, two = (player.pk for player in people)
    sent = {"key": str(uuid4()), "date": "2026-01-01", "cash": "209,22", "bank": "1250"}
    sent |= {f"amount_{one}": "3,50", f"side_{one}": "open", f"amount_{two}": "12.00", f"side_{two}": "credit"}
    return sent | more


def test_what_is_odd_is_asked_about_beside_the_sums(thea: Client, cast: Cast, people: list[Player]) -> None:
    """A day long before the first evening, and an amount beyond 1000 euros where there was no Kasse for a year."""
    make_table(cast.club)
    sent = told(people, bank="1000", date="2025-03-06")
    assert "Bitte prüfen" not in flat(thea.post(PAGE, sent))
    sent |= {"bank": "1000,01", "date": "1950-01-01"}
    page = flat(thea.post(PAGE, sent))
    assert "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026). Bitte prüfen" in page
    assert "1.000,01\u00a0€ ist hier ungewöhnlich viel. Bitte prüfen, ob das stimmt." in page
    assert booked(thea, sent).status_code == 302


def booked(client: Client, sent: dict[str, Any]) -> HttpResponse:
    """Looked at, and then booked as it was seen."""
    return client.post(PAGE, sent | {"seen": client.post(PAGE, sent).context["form"].fingerprint})


def test_the_sums_are_shown_and_then_it_is_one_entry_once(thea: Client, cast: Cast, people: list[Player]) -> None:
    sent = told(people)
    page = thea.post(PAGE, sent)
    assert (page.status_code, Entry.objects.count()) == (200, 0)
    html = page.content.decode()
    assert [amount in html for amount in ("1.459,22\u00a0€", "3,50\u00a0€", "12,00\u00a0€")] == [True] * 3
    # What was changed behind the sums is looked at again.
    seen = {"seen": page.context["form"].fingerprint}
    assert thea.post(PAGE, sent | seen | {"bank": "1251"}).status_code == 200
    assert Entry.objects.count() == 0

    assert thea.post(PAGE, sent | seen).status_code == 302 == thea.post(PAGE, sent | seen).status_code, "a double tap"
    entry = Entry.objects.get()
    assert (entry.kind, str(entry.date)) == ("opening", "2026-01-01")
    assert get_balances(cast.club) == {
        "cash": 20922, "bank": 125000, "equity:opening": -145072, "member:1": 350, "member:2": -1200,
    }  # fmt: skip
    # Of what people owe when the books begin no money moved.
    report = build_report(cast.club, build_year(2026, 1))
    assert (report.money, report.end, money_check(report), report.check) == ({"equity:opening": 145922}, 145922, 0, 0)
    other = booked(visit(cast.treasurer), told(people))
    assert (other.status_code, "bitte einzeln buchen" in other.content.decode()) == (409, True), "another phone"
    assert 'value="209,22"' in other.content.decode(), "nothing typed is lost"
    take_back(entry=entry, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert booked(thea, told(people, cash="200")).status_code == 302
    assert get_balances(cast.club)["cash"] == 20000


def test_what_is_booked_is_shown_instead_of_the_form(thea: Client, cast: Cast, people: list[Player]) -> None:
    assert 'name="cash"' in thea.get(PAGE).content.decode()
    entry = Entry.objects.get(pk=booked(thea, told(people)).url.rstrip("/").rpartition("/")[2])
    more = typed(cast.club, Kind.OPENING, 78, "2026-01-02", heading="cash")
    page = thea.get(PAGE)
    html = page.content.decode()
    assert 'name="cash"' not in html
    assert page.context["begun"]["boxes"] == {"Bar": 21000, "Konto": 125000}
    assert page.context["begun"]["people"] == {people[0].name: 350, people[1].name: -1200}
    assert [amount in html for amount in ("210,00\u00a0€", "1.250,00\u00a0€")] == [True] * 2
    addresses = [reverse("cash_entry", args=["karo", one.pk]) for one in (entry, more)]
    addresses.append(reverse("cash_entry_new", args=["karo", "opening"]))
    assert [f'href="{address}"' in html for address in addresses] == [True] * 3
    # What was taken back is gone, and behind the last of them the whole form stands there again.
    take_back(entry=entry, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert thea.get(PAGE).context["begun"]["boxes"] == {"Bar": 78, "Konto": 0}
    take_back(entry=more, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert 'name="cash"' in thea.get(PAGE).content.decode()


def test_what_cannot_be_right_is_refused_at_its_field_and_kept(thea: Client, cast: Cast, people: list[Player]) -> None:
    typed(cast.club, Kind.INCOME, 1, "2025-12-01", heading="income:other", box="cash")
    closed(cast.club, "2025-12")
    amount = f"amount_{people[0].pk}"
    for field, value, sentence in (
        ("cash", "1,234", "lässt sich auf zwei Arten lesen"),
        (amount, "-5", "Bitte einen Betrag wie 3,50 eingeben."),
        ("date", "2025-12-31", "Bitte einen Tag vom 01.01.2026 bis zum"),
        ("date", "2999-01-01", "Bitte einen Tag vom 01.01.2026 bis zum"),
        ("key", "", "Bitte die Seite neu laden"),
        ("nothing", "", "Bitte mindestens einen Betrag eingeben."),
    ):
        sent = {"key": str(uuid4()), "date": "2026-01-01"} if field == "nothing" else told(people) | {field: value}
        page = thea.post(PAGE, sent)
        assert (page.status_code, Entry.objects.count()) == (422, 1)
        assert list(page.context["form"].errors) == ["__all__" if field in ("key", "nothing") else field]
        assert sentence in page.content.decode() and str(sent.get("bank", "")) in page.content.decode()


def test_a_key_of_something_else_and_a_second_opening_are_refused(cast: Cast, people: list[Player]) -> None:
    said = {"club": cast.club, "actor": Actor(), "key": uuid4(), "date": "2026-01-01"}
    entry = typed(cast.club, Kind.OPENING, 100, "2026-01-01", heading="cash")
    with pytest.raises(ActionRefused, match="Ein Anfangsbestand ist schon gebucht"):
        book_opening(**said | {"date": entry.date, "amounts": {"cash": 100}})
    with pytest.raises(InvalidInput, match="Hier ist schon etwas gebucht"):
        book_opening(**said | {"date": entry.date, "key": entry.key, "amounts": {"cash": 200}})
    # Those who owe as much as others have to their credit balance each other.
    take_back(entry=entry, actor=Actor(), key=uuid4(), reason="Vertippt")
    one, two = (build_member_account(person.pk) for person in people[:2])
    book_opening(**said | {"date": entry.date, "amounts": {one: 5, two: -5}})
    assert get_balances(cast.club) == {"member:1": 5, "member:2": -5}
