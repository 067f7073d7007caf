"""The pages about people, rights, rules and history, the login and the pages that say what went wrong, on a phone: no
sideways scrolling, nothing cut off, every target big enough for a thumb, axe finds nothing in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Membership, RuleSet
from tests.browser.fit import faults_of
from tests.browser_page import another_page, log_in
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Donaudampfschifffahrtsgesellschaftskapit"


@pytest.fixture
def ids(live_server: LiveServer, page: Page) -> dict[str, int]:
    """A club with long names, as its admin sees it."""
    club = make_club("Doppelkopffreunde Wolfratshausen", slug="karo")
    admin = make_user("friedrich-wilhelm.oberwiesenmueller@long", club, ["admin", "scorer", "treasurer"])
    player = make_player(club, LONG, guest=True, user=admin)
    table = make_table(club, [player, *(make_player(club, name) for name in ("Bo", "Özlem", "محمّد"))], actor=admin)
    add_game(table, actor=admin, kontra_specials={"fuchs": 2}, re_said="no90", note="Ein_sehr_langes_Wort" * 5)
    rule_set = make_rule_set(club, "klassisch", "Vereinsmeisterschaftsbestimmungen2026")
    RuleSet.objects.create(club=club, name=rule_set.name, version=2, settings=rule_set.settings, unit="cents")
    log_in(page.context, live_server.url, admin)
    return {"player": player.pk, "member": Membership.objects.get().pk, "rule_set": rule_set.pk}


@pytest.mark.soak
def test_the_login_and_what_goes_wrong_there_fit_a_phone(page: Page, live_server: LiveServer, page_complaints: list[str]) -> None:
    user = make_user("rita", make_club(slug="karo"))
    page.goto(f"{live_server.url}/c/karo/")
    for n in range(5):
        assert n > 1 or [*faults_of(page)] == []
        page.get_by_label("Anmeldename").fill("rita")
        page.get_by_label("Passwort").fill(f"falsch {n}")
        # The next try stands on a page like this one.
        with another_page(page):
            page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading")).to_have_text("Zu viele Versuche")
    assert [*faults_of(page)] == []
    log_in(page.context, live_server.url, user)
    for path, says in (("/c/karo/rights/", "Dafür fehlt das Recht"), ("/c/pik/", "Hier ist nichts")):
        page.goto(live_server.url + path)
        expect(page.get_by_role("heading")).to_have_text(says)
        assert [*faults_of(page)] == []
    # The browser notes each answer that is not 200.
    assert len(page_complaints) == 3
    page_complaints.clear()


@pytest.mark.soak
def test_the_password_of_a_new_login_can_be_read(page: Page, live_server: LiveServer, ids: dict[str, int]) -> None:
    page.goto(f"{live_server.url}/c/karo/rights/new/")
    page.get_by_label("Anmeldename").fill("jürgen.oberwiesenmüller@verein-example")
    page.get_by_label("Schreiber").check()
    page.get_by_role("button", name="Aufnehmen").click()
    expect(page.locator("code")).to_have_count(2)
    assert [*faults_of(page)] == []


@pytest.mark.soak
def test_a_refused_form_fits_and_says_which_field(page: Page, live_server: LiveServer, ids: dict[str, int]) -> None:
    page.goto(f"{live_server.url}/c/karo/people/new/")
    page.get_by_label("Name").fill(LONG.upper())
    page.get_by_role("button", name="Aufnehmen").click()
    name = page.get_by_label("Name")
    expect(name).to_have_attribute("aria-invalid", "true")
    page.wait_for_load_state()
    described = name.get_attribute("aria-describedby")
    assert "gibt es im Club schon" in page.locator(f"#{described}").inner_text()
    assert [*faults_of(page)] == []


def test_what_gets_the_focus_is_not_behind_the_menu(page: Page, live_server: LiveServer, ids: dict[str, int]) -> None:
    page.set_viewport_size({"width": 360, "height": 480})
    page.goto(f"{live_server.url}/c/karo/more/")
    page.bring_to_front()
    menu = page.locator(".tabs").evaluate("menu => menu.getBoundingClientRect().top")
    page.locator("main a").first.focus()
    while page.evaluate("document.activeElement.closest('main') !== null"):
        assert page.evaluate("document.activeElement.getBoundingClientRect().bottom") <= menu
        page.keyboard.press("Tab")
    assert page.evaluate("scrollY") > 0
