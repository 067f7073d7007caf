"""A browser that translates a page leaves names of people and clubs as they are: "Sommer" does not become "Summer"."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.strained import NAMES, PAGES, UNUSUAL, Site, strained_site

CLUB = "Doppelkopffreunde Wolfratshausen-Geretsried e. V."
# What no browser translates, and a value in the history or of a line that came too late, which may be anything.
EXCEPT = "script, style, textarea, template, bdi:not([translate])"
TRANSLATED = r"""([names, except]) => {
    const whole = new RegExp(`(?<!\\p{L})(${names.join("|").replaceAll(".", "\\.")})(?!\\p{L})`, "u");
    const texts = document.evaluate("//body//text()", document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    return Array.from({ length: texts.snapshotLength }, (_, place) => texts.snapshotItem(place))
        .filter((text) => whole.test(text.data) && !text.parentElement.closest(`[translate=no], ${except}`))
        .map((text) => `${text.parentElement.parentElement.outerHTML.slice(0, 80)}: ${text.data.trim()}`);
}"""


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


def translated(page: Page) -> list[str]:
    """Return the texts of the page with a name that its browser would translate."""
    found: list[str] = page.evaluate(TRANSLATED, [[*NAMES, *UNUSUAL, CLUB], EXCEPT])
    return found


def test_no_page_has_a_name_translated(page: Page, site: Site, page_complaints: list[str]) -> None:
    found = {}
    for name in PAGES:
        page.goto(site.url + site.addresses[name])
        if texts := translated(page):
            found[name] = texts
    assert "status of 404" in page_complaints.pop()  # the page of PAGES that does not exist
    assert not found, "\n".join(f"{name}:\n    " + "\n    ".join(texts) for name, texts in found.items())


def test_what_scripts_draw_has_no_name_translated(page: Page, site: Site) -> None:
    """The chips of a new evening, the drawers of the table, and its tiles and columns once a guest has come."""
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


def test_what_is_said_of_the_last_request_has_no_name_translated(page: Page, site: Site) -> None:
    page.goto(site.url + site.addresses["player_new"])
    page.get_by_label("Name").fill("Sommer")
    page.get_by_role("button", name="Aufnehmen").click()
    assert page.locator(".alert [translate=no]", has_text="Sommer").count() == 1
    assert not page.evaluate(TRANSLATED, [["Sommer"], EXCEPT])
