"""A treasurer's month on a phone: opening balances, payments, an expense, a payment that a member reports and the treasurer
confirms, a count that is 1.50 off, and the month closed. In the end every figure is the same wherever it stands."""

from __future__ import annotations

import csv
import datetime
import json
from io import StringIO
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.cash.queries import list_broken_laws
from scoring.models import Club, Entry, Period, Report
from tests.factories import PEOPLE, make_club, make_player, make_user
from tests.phones import another_page, log_in

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


def text_of(page: Page, link: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name=link, exact=True).click()
    return Path(download.value.path()).read_bytes()


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

    # The count is 1.50 off.
    with another_page(page):
        page.get_by_role("link", name="Kassensturz").click()
    page.get_by_label("Gezählt, in Euro").fill("191,10")
    page.get_by_label("Wer hat gezählt?").select_option(label="Çelik")
    page.get_by_label("Wer war Zeuge?").select_option(label="Bodo")
    with another_page(page):
        page.get_by_role("button", name="Zählung festhalten").click()
    expect(page.get_by_text("Bitte einen Grund angeben")).to_be_visible()
    page.get_by_label("Grund, wenn es nicht stimmt").fill("Falsch herausgegeben")
    with another_page(page):
        page.get_by_role("button", name="Zählung festhalten").click()
    expect(page.get_by_text("1,50\u00a0€ zu wenig")).to_be_visible()

    # The month is closed.
    with another_page(page):
        page.get_by_role("link", name="Kasse", exact=True).click()
    with another_page(page):
        page.get_by_role("link", name="abschließen").click()
    with another_page(page):
        page.get_by_role("button", name="abschließen").click()
    period = Period.objects.get()
    page.get_by_text("Prüfsumme").click()
    expect(page.get_by_text(period.sha256)).to_be_visible()

    # Every figure is the same wherever it stands.
    assert text_of(page, "Abschluss herunterladen").decode() == period.statement
    closing = json.loads(period.statement)["closing"]
    assert (closing["cash"], closing["bank"]) == (19260, 3000)
    page.goto(f"{live_server.url}/c/karo/cash/")
    expect(page.locator(".hero .sum")).to_have_text("221,10\u00a0€")
    page.goto(f"{live_server.url}/c/karo/cash/entries/")
    rows = list(csv.reader(StringIO(text_of(page, "CSV").decode("utf-8-sig")), delimiter=";"))[1:]
    booked = [[round(100 * float(amount.replace(",", ".") or 0)) for amount in row[5:8]] for row in rows if row[1]]
    in_file = sum(income - expense for income, expense, _there in booked)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT SUM(cents) FROM scoring_leg JOIN scoring_account ON scoring_account.id = account_id"
            " WHERE code IN ('cash', 'bank')"
        )
        plain = int(cursor.fetchone()[0])
    assert in_file == booked[-1][-1] == plain == 22110
    assert list(list_broken_laws()) == []
