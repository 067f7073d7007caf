"""Every page of the site on a phone and on a desk, in a club with everything that strains a page. A page that is in no list
here fails the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import (
    ALL_BUT_CONTRAST,
    EVERYTHING,
    EXCEPT,
    THUMB,
    THUMB_AT_THE_TABLE,
    TRANSLATED,
    barriers,
    faults_of,
    misfits,
    translated,
)
from tests.browser.strained import PAGES, UNUSUAL, Site, name_of, strained_site
from tests.effort import LONG

AT_THE_TABLE = ("table", "game", "game_insert")


# What answers with no page of its own: files, a redirect, or POST alone.
NO_PAGES = {
    "healthz", "worker", "robots", "player_initial", "rule_set_preview", "rule_set_same_dealer", "manifest", "games", "state",
    "live", "link_preview", "link_open", "founding_link", "founding_open", "join_preview", "join_open", "join_link_end",
    "demo-visit", "guest", "planned", "late_enter", "late_discard", "late_discard_all", "undo", "evening_discard", "evening_reopen",
    "evening_fine", "evening_fine_strike", "evening_fine_accept", "evening_fines_discard", "evening_collect", "evening_excel",
    "archive", "player_data", "archive_undo", "archive_discard", "cash_entries_excel", "cash_entries_csv",
    "cash_statement_excel", "cash_statement_csv", "cash_report_withdraw", "cash_report_confirm", "cash_month_close",
    "cash_settlement_tick", "cash_month_statement", "cash_month_sign", "cash_month_excel", "cash_month_csv", "cash_year_excel",
    "cash_year_csv", "club_excel", "club_csv", "export_csv", "import_discard", "cash_old_discard", "cash_old_undo", "unmerge",
    "list_template", "kasse_template",
    "result_text", "result_picture", "standings_excel", "by_evening_excel", "by_evening_csv", "month_picture", "season_picture",
    "month_excel", "month_supplement", "version_excel", "version_data", "member_password", "member_remove",
    "invitation_withdraw", "logout", "set_language",
}  # fmt: skip


def names_of(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names_of(pattern.url_patterns)
        else:
            yield str(pattern.name)


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    # For a hundred pages: whoever looks at one page alone has it sent there.
    page.add_init_script(AXE_SCRIPT)
    return strained_site(page, live_server)


def test_every_address_is_looked_at() -> None:
    assert set(names_of(get_resolver().url_patterns)) - NO_PAGES == {name_of(page) for page in PAGES} - {"no"}


PARTS = 3
# Each page once, and the table in all its forms; what else a page can look like is looked at in `make soak`.
LOOKS = [
    page
    for number, page in enumerate(PAGES)
    if LONG or name_of(page) in AT_THE_TABLE or name_of(page) not in map(name_of, PAGES[:number])
]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_fits_and_is_open_to_everybody(page: Page, site: Site, page_complaints: list[str], part: int) -> None:
    """At three widths nothing is cut off or too small, and axe finds nothing: on a phone, in the dark, on a desk. In `make test`
    most are looked at on a phone, and the colours of every sixth. No browser translates a name of a person or a club."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = {}
    for number, name in enumerate(LOOKS[part::PARTS]):
        answer = page.goto(site.url + site.addresses[name])
        assert answer.status == (404 if name == "no such page" else 200), name
        thumb = THUMB_AT_THE_TABLE if name_of(name) in AT_THE_TABLE else THUMB
        is_looked_at_closely = LONG or number % 24 == 0
        look = faults_of(page, thumb, closely=True) if is_looked_at_closely else faults_on_a_phone(page, thumb, number % 6 == 1)
        if faults := [*look, *(f"a name is translated: {text}" for text in translated(page))]:
            found[name] = faults
        if name == "no such page":
            # The browser notes on its console that it was not found.
            assert "status of 404" in page_complaints.pop()
    assert not found, "\n".join(f"{name}:\n    " + "\n    ".join(faults) for name, faults in found.items())


def faults_on_a_phone(page: Page, thumb: int, colours: bool) -> Iterator[str]:
    yield from misfits(page, thumb)
    yield from barriers(page, EVERYTHING if colours else ALL_BUT_CONTRAST)


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
