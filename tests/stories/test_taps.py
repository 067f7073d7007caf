"""How many taps a game costs, saving included, and whether an ordinary one needs any scrolling on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.effort import LONG, in_soak
from tests.factories import Cast
from tests.stories.table import Facts, TablePage, in_sight, sit_down

ORDINARY = {"kind": "normal", "re": [0, 2]}
SOLO = {"kind": "damensolo", "re": [1]}
RE_NO_90_AND_A_FOX = {**ORDINARY, "re_said": "no90", "re_specials": {"fuchs": 1}}


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, cast.table)


TAPS = {
    "ordinary by band": ({**ORDINARY, "band": "121-150"}, 4),
    "ordinary by eyes": ({**ORDINARY, "eyes": 137}, 6),
    "solo by band": ({**SOLO, "band": "151-180"}, 5),
    "solo by eyes": ({**SOLO, "eyes": 104}, 7),
    "Pflichtsolo by eyes": ({**SOLO, "duty": True, "eyes": 104}, 8),
    "keine 90 and a fox by band": ({**RE_NO_90_AND_A_FOX, "band": "151-180"}, 8),
    "keine 90 and a fox by eyes": ({**RE_NO_90_AND_A_FOX, "eyes": 160}, 10),
}


def test_taps(table: TablePage) -> None:
    """One evening: each kind of game costs the same however many stand on the sheet."""
    needed = {}
    taps = (
        TAPS
        if LONG
        else {name: TAPS[name] for name in ("ordinary by band", "solo by eyes", "keine 90 and a fox by band")}
    )
    for name, (facts, _) in taps.items():
        # The phone remembers how results are typed in this club.
        table.by("eyes" if "eyes" in facts else "band")
        before = table.taps
        table.enter_and_save(facts)
        needed[name] = table.taps - before
    assert needed == {name: most for name, (_, most) in taps.items()}
    assert [line.label for line in table.lines()] == [str(number) for number in range(len(taps) + 1, 0, -1)]


@pytest.mark.parametrize("result", [{"band": "121-150"}, in_soak({"eyes": 137})], ids=["band", "eyes"])
def test_an_ordinary_game_needs_no_scrolling(table: TablePage, result: Facts) -> None:
    table.before_tap = in_sight
    table.enter_and_save({**ORDINARY, **result})
    assert table.page.evaluate("scrollY") == 0


def test_a_pflichtsolo_is_still_to_be_said_once_the_solo_is_chosen(table: TablePage) -> None:
    # Playwright scrolls for what is still rising.
    table.page.emulate_media(reduced_motion="reduce")
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
