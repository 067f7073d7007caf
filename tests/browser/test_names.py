"""A browser that translates what scripts draw leaves names as they are: "Sommer" does not become "Summer". Names of whole pages
are looked at in test_pages.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import EXCEPT, TRANSLATED, translated
from tests.browser.strained import UNUSUAL, Site, strained_site


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


def test_what_scripts_draw_and_what_is_said_of_a_request_has_no_name_translated(page: Page, site: Site) -> None:
    """The chips of a new evening, the drawers of the table, its tiles and columns once a guest has come, and a message."""
    page.goto(site.url + site.addresses["evening_new"])
    page.locator("button.chip").first.click()
    page.locator("#round .cut").wait_for()
    assert page.locator("#said [translate=no]").count()
    assert not translated(page)
    for name, drawer in (("Strafpunkte", "penalties"), ("Jemand geht", "seating"), ("Gast kommt", "seating")):
        page.goto(site.url + site.addresses["table empty"])
        page.locator(".beside").get_by_role("link", name=name).click()
        page.locator(f"#{drawer} .names button").first.wait_for()
        assert not translated(page), name
    page.locator("#seating").get_by_role("button", name=UNUSUAL[0]).click()
    page.locator(".tile", has_text=UNUSUAL[0]).wait_for()
    page.locator("#live-steps [translate=no]").first.wait_for()
    page.locator("#spoken [translate=no]").first.wait_for(state="attached")
    assert not translated(page)
    page.goto(site.url + site.addresses["player_new"])
    page.get_by_label("Name").fill("Sommer")
    page.get_by_role("button", name="Aufnehmen").click()
    assert page.locator(".alert [translate=no]", has_text="Sommer").count() == 1
    assert not page.evaluate(TRANSLATED, [["Sommer"], EXCEPT])
