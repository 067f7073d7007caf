"""Pages for who needs them large, or holds the phone on its side: with letters twice as large, zoomed to twice their size, and at
740 x 360, and the tables of most people on the smallest phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import misfits
from tests.browser.strained import Site, strained_site
from tests.effort import LONG, in_soak
from tests.factories import make_club, make_table, make_user
from tests.stories.table import TablePage, sit_down

# Those with the most on them; the others are made of the same parts.
HEAVY = (
    "home", "club", "evening_new", "table", "table closed", "table of eight", "table?form=penalty", "game", "seats", "result",
    "standings", "player of many games", "month", "rule_set_edit", "club_file", "cash", "cash_entries",
    "cash_entry_new of payment", "cash_month", "cash_year", "evening_cash", "result without games",
)  # fmt: skip


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


def enlarge(page: Page, how: str) -> None:
    """Letters that the browser writes twice as large, or a page that it zooms: then a phone of 360 px is one of 180."""
    page.emulate_media(reduced_motion="reduce")
    if how == "letters":
        page.set_viewport_size({"width": 360, "height": 640})
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    else:
        page.set_viewport_size({"width": 180, "height": 320})


@pytest.mark.parametrize("how", ["letters", in_soak("zoom")])
def test_heavy_pages_fit_at_200_percent_and_a_game_is_entered(page: Page, site: Site, how: str) -> None:
    """In `make test` every other page with large letters."""
    enlarge(page, how)
    found = {}
    for name in HEAVY if LONG else HEAVY[::2]:
        page.goto(site.url + site.addresses[name])
        if faults := misfits(page):
            found[name] = faults
    assert not found, "\n".join(f"{name}:\n    " + "\n    ".join(faults) for name, faults in found.items())
    table = TablePage(page, site.url, site.table).open()
    table.enter_and_save({"kind": "normal", "re": [1, 3], "eyes": 137, "re_said": "no90"})
    table.expect_saved()


def test_nothing_is_scrolled_for_an_ordinary_game_on_a_phone_on_its_side(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 740, "height": 360})
    club = make_club(slug="karo")
    table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_table(club, 5))
    assert misfits(page) == []
    for result in ({"band": "121-150"}, {"eyes": 137}):
        for target in page.locator(".tile, .kinds > *, .eyes-row > *, .bands > *, #save").all():
            if target.is_visible():
                expect(target).to_be_in_viewport(ratio=1)
        table.enter({"kind": "normal", "re": [2, 3], **result})
        assert page.evaluate("scrollY") == 0
        table.save()
        table.expect_saved()
    table.unfold("Ansagen")
    assert misfits(page) == []
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)


@pytest.mark.soak
@pytest.mark.parametrize("people", [7, 8])
def test_seven_and_eight_at_a_table_fit_the_smallest_phone(page: Page, live_server: LiveServer, people: int) -> None:
    """Their tiles take two rows, so that the form is longer; the button stays in sight, and nothing lies over another thing."""
    page.set_viewport_size({"width": 360, "height": 640})
    club = make_club(slug="karo")
    table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_table(club, people))
    assert misfits(page) == []
    expect(page.locator(".tile")).to_have_count(people)
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    assert table.people == [tile.strip() for tile in page.locator(".tile .pill > span").all_inner_texts()]
