"""Somebody joins a club by the code on another phone: an admin makes the link, they read it, choose a login, say who they are,
and see the club."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Player
from tests.browser.fit import faults_of
from tests.browser_page import another_page, log_in, read_image
from tests.factories import make_club, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club() -> Club:
    return make_table(make_club("Karo Eins", slug="karo"), 5).evening.club


def test_a_code_on_one_phone_lets_another_in(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer, club: Club
) -> None:
    log_in(page.context, live_server.url, make_user("anna", club, ["admin"]))
    page.goto(f"{live_server.url}/c/karo/more/")
    page.get_by_role("link", name="Zugänge und Rechte").click()
    page.get_by_role("link", name="Leute einladen").click()
    page.get_by_label("Schreiber").check()
    with another_page(page):
        page.get_by_role("button", name="Link machen").click()
    (address,) = read_image(page.get_by_role("img", name="QR-Code mit dem Link zum Beitreten"))
    assert address == page.get_by_label("Oder diese Adresse weitergeben:").input_value()

    theirs = new_context().new_page()
    theirs.goto(address)
    theirs.wait_for_url("**/j/")  # the card goes on by itself
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Einladung in den Club Karo Eins")
    assert [*faults_of(theirs)] == []
    theirs.get_by_label("Anmeldename").fill("bodo")
    theirs.get_by_label("Wer sind Sie?").select_option("Bodo")
    for field in ("new_password1", "new_password2"):
        theirs.locator(f"[name={field}]").fill("kurz")
    with another_page(theirs):
        theirs.get_by_role("button", name="Beitreten").click()
    assert [*faults_of(theirs)] == []
    for field in ("new_password1", "new_password2"):
        theirs.locator(f"[name={field}]").fill("Vier ganz andere Wörter")
    with another_page(theirs):
        theirs.get_by_role("button", name="Beitreten").click()
    expect(theirs.get_by_text("Willkommen im Club Karo Eins.")).to_be_visible()
    expect(theirs.get_by_role("link", name="Neuer Abend")).to_be_visible()
    assert Player.objects.get(club=club, name="Bodo").user.username == "bodo"

    page.reload()
    expect(page.get_by_role("img")).to_have_count(0)
    expect(page.get_by_text("Noch ein Link")).to_have_count(0)
