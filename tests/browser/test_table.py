"""The table page with everything that strains it: what stands in the way, long names and sheets, large letters, forced
colours."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser.strained import Site, strained_site
from tests.browser_page import log_in
from tests.factories import add_game, make_club, make_table, make_user
from tests.stories.table import TablePage


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


@pytest.mark.soak
def test_what_stands_in_the_way_fits_too(page: Page, site: Site) -> None:
    """A refusal, a conflict, the effects of a correction, and the message after it, on the narrowest phone."""

    def look(state: str) -> None:
        assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == [], state

    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    table = TablePage(page, site.url, site.table).open()
    table.correct_game(12)
    table.say("re", "schwarz")
    table.save()
    expect(page.locator("#effects")).to_be_visible()
    look("effects")
    table.save()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    look("corrected")
    table.open()
    table.save()
    expect(page.locator("#fault-re")).to_be_visible()
    look("refused")
    table.open()
    # Typed before the phone can hear of the other game, which would take its place.
    table.enter({"kind": "normal", "re": [1, 3], "eyes": 200, "re_said": "schwarz"})
    add_game(site.table, actor=site.admin, dealer=0, re=[1, 3], kontra_said="no30", eyes=7)
    table.save()
    expect(page.get_by_role("alert")).to_be_visible()
    look("conflict")


def test_a_correction_says_at_once_what_everybody_would_get(page: Page, site: Site) -> None:
    table = TablePage(page, site.url, site.table).open().correct_game(4)
    tiles = page.locator(".tile:not(.out)")
    was = [text.removeprefix("statt ") for text in tiles.locator("small").all_text_contents()]
    assert was == tiles.locator("i").all_inner_texts() != []
    # It is a solo, and it is lost now.
    assert page.locator("[data-side]").all_inner_texts() == ["Solo", "Gegner"]
    # The button is soft until something is changed, and the range of the exact eyes is marked.
    form, within = page.locator("#entry"), page.locator(".bands > .filled")
    expect(form).not_to_have_class(re.compile("whole"))
    hint = page.get_by_text("Noch nichts geändert.")
    expect(hint).to_be_visible()
    expect(within).to_have_count(int(page.locator("#eyes").input_value() != ""))
    table.band("1-29")
    expect(form).to_have_class(re.compile("whole"))
    expect(hint).to_be_hidden()
    # What each side gets takes the line of a solo: its range stands on the pill.
    expect(page.locator("#live-steps > b")).to_have_text(re.compile(r"^Gegner gewinnen je \d+, Solo −\d+$"))
    expect(page.locator("#live-steps small")).to_have_count(0)
    expect(within).to_have_count(0)
    now = [int(text.replace("−", "-")) for text in tiles.locator("i").all_inner_texts()]
    assert [one > 0 for one in now] == [not text.startswith("+") for text in was]
    table.tap(table.pill(table.group("Spielart"), "Normal"))
    assert page.locator("[data-side]").all_inner_texts() == ["Re", "Kontra"]
    assert tiles.locator("i").all_inner_texts() == [""] * 4, "one Re player is missing"


def test_forced_colours_still_tell_what_is_marked(page: Page, site: Site) -> None:
    page.emulate_media(forced_colors="active")
    table = TablePage(page, site.url, site.table).open()
    table.mark("Wer ist Re?", [1, 3])
    looks = page.locator('[data-pick="re"] :enabled + span').evaluate_all(
        "pills => pills.map(pill => getComputedStyle(pill, '::before').content)"
    )
    assert looks == ['""', "none", '""', "none"]
    table.band("121-150")
    table.save()
    table.expect_saved()


CONTROLS = "#entry :is(label, button, summary)"
PLACES = f"""() => [...document.querySelectorAll("{CONTROLS}")].filter(one => one.checkVisibility()).map(one => {{
    const {{ x, y, width, height }} = one.getBoundingClientRect();
    return [x, y, width, height].join();
}})"""
# Is a part left out? None is cut in two.
IS_CUT = """() => {
    const line = document.getElementById("live-steps");
    if (line.scrollHeight > line.clientHeight) throw Error("cut in two");
    return [...line.querySelectorAll(".parts > span")].some((part) => !part.checkVisibility());
}"""


def test_an_explanation_without_room_ends_in_a_sign_and_opens_in_place(page: Page, live_server: LiveServer) -> None:
    """A missed Absage and who has won are told at the button; nothing moves for it, and it closes where the focus goes on."""
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    club = make_club(slug="karo")
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    table = TablePage(page, live_server.url, make_table(club, preset="anleitung")).open()
    table.enter({"kind": "normal", "re": [0, 1], "re_said": "no60", "kontra_said": "said", "band": "151-180"})
    page.keyboard.press("Escape")
    line = page.locator("#live-steps")
    expect(line).to_have_text(
        "Kontra gewinnt 48 Re 151–180 : 60–89 Kontra Punkte zusammen: +6, Re angesagt: ×2, Kontra angesagt: ×2, "
        "Ansage verloren: ×2, bringt 4 Bockspiele "
        "Gewonnen: +1, Keine 90 verfehlt: +1, Keine 60 verfehlt: +1, Re: keine 90 angesagt: +1, Re: keine 60 verfehlt: +1, "
        "Gegen die Alten: +1. Re hat keine 60 angesagt und verfehlt. Kontra je +48, Re je −48."
    )
    expect(line).to_have_css("-webkit-line-clamp", "3")
    expect(line).to_contain_class("longer")
    places = page.evaluate(PLACES)
    assert page.evaluate(IS_CUT) and misfits(page, THUMB_AT_THE_TABLE) == []
    for opens, closes in ((line.click, line.click), (lambda: line.press("Enter"), lambda: line.press("Tab"))):
        expect(line.locator(".more")).to_be_hidden()
        opens()
        expect(line).to_have_css("position", "absolute")
        expect(line.locator(".more")).to_be_visible()
        assert not page.evaluate(IS_CUT) and misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
        assert page.evaluate(PLACES) == places
        closes()
        expect(line).to_have_css("position", "relative")
