"""A treasurer's month on a phone: opening balances, payments, an expense, and a payment that a member reports and the treasurer
confirms. `test_kasse_year` counts the box and closes months."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.cash.ledger.queries import get_balances
from scoring.cash.queries import list_broken_laws
from scoring.models import Club, Entry, Report
from tests.browser_page import another_page, log_in
from tests.factories import PEOPLE, make_club, make_player, make_user

pytestmark = pytest.mark.django_db(transaction=True)

LAST_MONTH = timezone.localdate().replace(day=1) - datetime.timedelta(days=1)
DAY = LAST_MONTH.isoformat()


@pytest.fixture
def club() -> Club:
    club = make_club("Karo Eins", slug="karo")
    for name in PEOPLE[:4]:
        make_player(club, name)
    return club


def book(page: Page, kind: str, amount: str, day: str = DAY, **chosen: str) -> None:
    """One booking from the overview: what happened, its fields, the button."""
    with another_page(page):
        page.get_by_role("link", name="Kasse", exact=True).click()
    with another_page(page):
        page.get_by_role("link", name="Buchen ›").click()
    with another_page(page):
        page.get_by_role("link", name=kind).click()
    for label, value in chosen.items():
        field = page.locator(f"[name={label}]")
        if label in ("box", "heading") and field.first.get_attribute("type") == "radio":
            page.get_by_label(value, exact=True).check()
        elif label == "reason":
            field.fill(value)
        else:
            field.select_option(label=value)
    page.get_by_label("Betrag in Euro").fill(amount)
    page.get_by_label("Tag").fill(day)
    with another_page(page):
        page.get_by_role("button", name="Buchen").click()


def test_a_month_of_a_treasurer(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer, club: Club
) -> None:
    log_in(page.context, live_server.url, make_user("thea", club, ["treasurer"]))
    rita = make_user("rita", club)
    club.players.filter(name="Bodo").update(user=rita)
    page.goto(f"{live_server.url}/c/karo/")
    book(page, "Anfangsbestand", "200", heading="Bar in der Kasse")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Anfangsbestand {LAST_MONTH.year}-001")
    book(page, "Anfangsbestand", "12,50", heading="Jemand schuldet etwas", person="Bodo")
    book(page, "Einzahlung", "1.234", person="Ärmel", box="auf das Konto")
    expect(page.get_by_text("lässt sich auf zwei Arten lesen")).to_be_visible()
    page.get_by_label("Betrag in Euro").fill("30")
    with another_page(page):
        page.get_by_role("button", name="Buchen").click()
    book(page, "Ausgabe", "19,90", heading="Preise", reason="Pokal für den Ersten")
    expect(page.get_by_text("Ausgabe „Preise“: 19,90\u00a0€")).to_be_visible()

    # A member says on another phone that they paid.
    theirs = new_context().new_page()
    log_in(theirs.context, live_server.url, rita)
    theirs.goto(f"{live_server.url}/c/karo/cash/")
    expect(theirs.get_by_text("schuldet 12,50\u00a0€").first).to_be_visible()
    with another_page(theirs):
        theirs.get_by_role("link", name="Ich habe gezahlt ›").click()
    expect(theirs.get_by_label("Betrag in Euro")).to_have_value("12,50")
    theirs.get_by_label("Tag").fill(DAY)
    with another_page(theirs):
        theirs.get_by_role("button", name="Melden").click()
    expect(theirs.get_by_text("wartet auf Bestätigung")).to_be_visible()
    with another_page(page):
        page.get_by_role("link", name="Kasse", exact=True).click()
    with another_page(page):
        page.get_by_role("button", name="12,50\u00a0€ bestätigen").click()
    theirs.reload()
    expect(theirs.locator(".hero .sum")).to_have_text("ausgeglichen")
    assert Report.objects.get().key == Entry.objects.latest("pk").key

    page.goto(f"{live_server.url}/c/karo/cash/")
    expect(page.locator(".hero .sum")).to_have_text("222,60\u00a0€")
    assert (get_balances(club)["cash"], get_balances(club)["bank"]) == (19260, 3000)
    assert list(list_broken_laws()) == []
