"""How many taps a game costs, saving included, and whether an ordinary one needs any scrolling on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import Cast
from tests.stories.table import Facts, TablePage, in_sight, sit_down

ORDINARY = {"kind": "normal", "re": [0, 2]}
SOLO = {"kind": "damensolo", "re": [1]}
RE_NO_90_AND_A_FOX = {**ORDINARY, "re_said": "no90", "re_specials": {"fuchs": 1}}


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, cast.table)


@pytest.mark.parametrize(
    ("facts", "taps"),
    [
        pytest.param({**ORDINARY, "band": "121-150"}, 4, id="ordinary by band"),
        pytest.param({**ORDINARY, "eyes": 137}, 6, id="ordinary by eyes"),
        pytest.param({**SOLO, "band": "151-180"}, 5, id="solo by band"),
        pytest.param({**SOLO, "eyes": 104}, 7, id="solo by eyes"),
        pytest.param({**SOLO, "duty": True, "eyes": 104}, 8, id="Pflichtsolo by eyes"),
        pytest.param({**RE_NO_90_AND_A_FOX, "band": "151-180"}, 8, id="keine 90 and a fox by band"),
        pytest.param({**RE_NO_90_AND_A_FOX, "eyes": 160}, 10, id="keine 90 and a fox by eyes"),
    ],
)
def test_taps(table: TablePage, facts: Facts, taps: int) -> None:
    table.enter_and_save(facts)
    assert table.taps == taps
    assert [line.label for line in table.lines()] == ["2", "1"]


@pytest.mark.parametrize("result", [{"band": "121-150"}, {"eyes": 137}], ids=["band", "eyes"])
def test_an_ordinary_game_needs_no_scrolling(table: TablePage, result: Facts) -> None:
    table.before_tap = in_sight
    table.enter_and_save({**ORDINARY, **result})
    assert table.page.evaluate("scrollY") == 0


def test_a_pflichtsolo_is_still_to_be_said_once_the_solo_is_chosen(table: TablePage) -> None:
    pill = table.page.get_by_role("checkbox", name="als Pflichtsolo")
    expect(pill).to_be_hidden()
    table.kind("damensolo")
    expect(table.page.locator("#solos")).to_be_hidden()
    table.before_tap = in_sight
    table.tap(pill)
    expect(table.page.locator("#solo-button")).to_have_text("Damensolo (Pflicht)")
    assert misfits(table.page, THUMB_AT_THE_TABLE) + barriers(table.page) == []
    table.tap(table.pill(table.group("Spielart"), "Normal"))
    expect(pill).to_be_hidden()
