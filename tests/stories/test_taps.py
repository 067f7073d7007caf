"""How many taps a game costs, saving included, and whether an ordinary one needs any scrolling on a phone."""

from __future__ import annotations

import datetime
import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Game, Table
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.effort import in_soak
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.stories.table import TablePage, in_sight, sit_down

ORDINARY = {"kind": "normal", "re": [0, 2]}
SOLO = {"kind": "damensolo", "re": [1], "duty": True}
@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, cast.table)


def test_the_first_solo_of_those_who_owe_one_is_a_pflichtsolo(table: TablePage) -> None:
    # Playwright scrolls for what is still rising.
    table.page.emulate_media(reduced_motion="reduce")
    pill, label = table.page.get_by_role("checkbox", name="als Pflichtsolo"), table.page.locator("#duty")
    preset = re.compile(r"\bpreset\b")
    expect(pill).to_be_hidden()
    table.kind("damensolo")
    expect(table.page.locator("#solos")).to_be_hidden()
    table.before_tap = in_sight
    expect(pill).not_to_be_checked()
    table.mark("Wer spielt?", [1])
    expect(pill).to_be_checked()
    expect(label).to_have_class(preset)
    assert misfits(table.page, THUMB_AT_THE_TABLE) + barriers(table.page) == []
    # One tap changes it, and it stays so until the solo is another one's.
    table.tap(pill)
    expect(label).not_to_have_class(preset)
    table.kind("bubensolo")
    expect(pill).not_to_be_checked()
    table.mark("Wer spielt?", [2])
    expect(pill).to_be_checked()
    table.tap(table.pill(table.group("Spielart"), "Normal"))
    expect(pill).to_be_hidden()
    table.tap(table.pill(table.group("Spielart"), "Hochzeit"))
    table.mark("Wer ist Re?", [1, 2])
    table.band("151-180")
    table.save()
    table.expect_saved()
    assert "duty" not in Game.objects.get(facts__kind="hochzeit").facts


def test_whoever_is_made_to_play_is_in_the_form_and_looks_like_nothing_tapped(
    page: Page, live_server: LiveServer, cast: Cast
) -> None:
    rules = make_rule_set(cast.club, "ddv", "kurz", duty_solo={"rounds": 1})
    owing = make_table(cast.club, 5, rule_set=rules)
    for dealer in range(5):
        add_game(owing, re=[(dealer + 1) % 5, (dealer + 2) % 5])
    table = sit_down(page, live_server.url, cast.scorer, owing)
    tiles, button = page.locator(".tiles"), page.locator("#solo-button")
    in_sight(page.locator('.head-line [data-head="soloist"]'))
    expect(page.locator('.head-line [data-head="soloist"]')).to_have_text("Bodo")
    preset = re.compile(r"\bpreset\b")
    looks = """() => [...document.querySelectorAll(".tile, #solo-button, #duty > span")].map(one => {
        const { color, backgroundColor } = getComputedStyle(one);
        return `${color} on ${backgroundColor}`;
    })"""

    def expect_proposed(name: str) -> None:
        assert table.marked("Wer spielt?") == [name]
        expect(table.message).to_have_text(f"Vorführung: Welches Solo spielt {name}?")
        expect(tiles).to_have_class(preset)
        expect(button).to_have_class(preset)
        expect(button).to_have_text("Welches Solo?")
        expect(page.get_by_role("checkbox", name="als Pflichtsolo")).to_be_checked()
        expect(table.pill(table.group("Spielart"), "Normal")).not_to_be_checked()

    expect_proposed("Bodo")
    own, *others, chosen, _duty = page.evaluate(looks)[1:]
    assert own == others[0], "his tile is no lit one"
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    # A tap on him says that it is right.
    table.tap(table.pill(table.group("Wer spielt?"), "Bodo"))
    expect(tiles).not_to_have_class(preset)
    assert table.marked("Wer spielt?") == ["Bodo"]
    table.kind("damensolo")
    assert page.evaluate(looks)[-2] != chosen
    table.band("151-180")
    table.save()
    table.expect_saved()
    assert Game.objects.get(facts__kind="damensolo").facts == {"kind": "damensolo", "re": [1], "duty": True, "band": "151-180"}
    expect(table.message).to_have_text("Gespeichert: Spiel 6. Solo gewinnt 6, Gegner je −2. Vorführung: Welches Solo spielt Çelik?")
    # The next one owes as well, on this page and on one that is opened anew.
    assert table.marked("Wer spielt?") == ["Çelik"]
    expect(page.locator('.head-line [data-head="soloist"]')).to_have_text("Çelik")
    # Behind him stand those who owe one besides.
    for _ in range(2):
        owing = page.locator(".head-line .owing").inner_text()
        assert re.sub(r"\s+", " ", owing).strip() == "danach: Ärmel, Özlem, Željko"
        page.reload()
    expect_proposed("Çelik")
    # Without a net the phone says it by itself.
    page.context.set_offline(True)
    table.kind("damensolo")
    table.band("151-180")
    table.save()
    expect(table.message).to_contain_text("und wartet auf Versand. Vorführung: Welches Solo spielt Özlem?")
    table.tap(page.locator("#undo-button"))
    page.context.set_offline(False)
    page.reload()
    expect_proposed("Çelik")
    # They play something else all the same: nobody is marked as Re for it.
    table.tap(table.pill(table.group("Spielart"), "Normal"))
    assert table.marked("Wer ist Re?") == []
    expect(tiles).not_to_have_class(preset)
    # Half typed, it comes back.
    table.tap(button)
    table.tap(table.pill(page.locator("#solos"), "Bubensolo"))
    table.mark("Wer spielt?", [2])
    page.reload()
    expect(button).to_have_text("Bubensolo")
    assert table.marked("Wer spielt?") == ["Çelik"]


def test_a_full_list_says_so_and_offers_the_result(page: Page, live_server: LiveServer, cast: Cast) -> None:
    full = make_table(cast.club)
    Table.objects.filter(pk=full.pk).update(planned_games=2)
    table = sit_down(page, live_server.url, cast.scorer, full)
    number, complete = page.locator('[data-head="number"]'), page.locator("#complete")
    expect(number).to_have_text("Spiel 1 von 2")
    table.enter_and_save({**ORDINARY, "band": "121-150"})
    expect(number).to_have_text("Spiel 2 von 2")
    expect(complete).to_be_hidden()
    table.enter_and_save({**ORDINARY, "band": "121-150"})
    expect(number).to_have_text("Alle 2 gespielt")
    expect(table.message).to_contain_text("Gespeichert: Spiel 2. Re gewinnt 1. Alle geplanten Spiele sind gespielt.")
    in_sight(complete)
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    # Whoever plays on is not kept from it.
    table.enter_and_save({**ORDINARY, "band": "121-150"})
    expect(number).to_have_text("Alle 3 gespielt")
    page.reload()
    expect(table.message).to_have_text("Alle geplanten Spiele sind gespielt.")
    complete.tap()
    page.wait_for_url("**/result/")


# Words on two lines, on the phone's narrowest screen, with its widest letters.
BROKEN = """places => [...document.querySelectorAll(places)].flatMap(place => {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (!text.parentElement.checkVisibility() || text.parentElement.closest(".visually-hidden")) continue;
        for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+-?/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top)));
            if (lines.size > 1) broken.push(word);
        }
    }
    return broken;
})"""


@pytest.mark.soak
def test_the_round_stands_in_the_head_whole_or_below_it(page: Page, live_server: LiveServer, cast: Cast) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    owing = make_table(cast.club, 4)
    table = sit_down(page, live_server.url, cast.scorer, owing)
    place = """one => {
        const [own, line] = [one, one.parentElement].map(part => part.getBoundingClientRect());
        return one.scrollWidth <= one.clientWidth && own.bottom <= line.bottom ? "whole" : own.top >= line.bottom ? "below" : "cut";
    }"""
    cycle, below = page.locator('[data-head="cycle"]'), page.locator('[data-head="round"]')
    assert cycle.evaluate(place) == "whole"
    Table.objects.filter(pk=owing.pk).update(planned_games=24)
    table.open()
    assert cycle.evaluate(place) != "cut"
    table.tap(page.locator(".facts-line > summary"))
    expect(below).to_be_visible()
    expect(below).to_have_text("Umlauf 1")


@pytest.mark.parametrize("preset", [*map(in_soak, ["ddv", "ohne_neunen", "vln", "anleitung", "klassisch"]), "hausrunde"])
def test_no_word_of_a_pill_is_on_two_lines(page: Page, live_server: LiveServer, cast: Cast, preset: str) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    rules = make_rule_set(cast.club, preset, "alles")
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, rule_set=rules))
    assert page.evaluate(BROKEN, ".kinds, .eyes-row, .bands, .beside, .drawers > details > summary, .head-line") == []
    solos = page.locator("#solos .pill").filter(visible=True)
    table.tap(page.locator("#solo-button"))
    names = [name.strip() for name in solos.all_text_contents()]
    assert page.evaluate(BROKEN, "#solos") == []
    table.tap(page.locator("#solo-button"))
    for name in names:
        table.tap(page.locator("#solo-button"))
        table.tap(table.pill(page.locator("#solos"), name))
        assert page.evaluate(BROKEN, ".kinds, .eyes-row") == [], name
    if page.locator("[data-specials]").count():
        table.unfold("Sonderpunkte")
        assert page.evaluate(BROKEN, "[data-specials]") == []
    if page.locator("#said").count():
        table.unfold("Ansagen")
        assert page.evaluate(BROKEN, "#said") == []


# What every click hits, noted at once: later the page has moved on.
COUNT_HITS = """() => {
    window.hits = [];
    document.addEventListener('click', event => window.hits.push(event.target.id), true);
}"""


def test_a_double_tap_books_once(page: Page, live_server: LiveServer, cast: Cast) -> None:
    paper = make_table(cast.club, 4)
    table = sit_down(page, live_server.url, cast.scorer, paper)
    table.enter({"kind": "normal", "re": [0, 1], "eyes": 153, "re_said": "said"})
    # The page gives its thumb six tenths of a second, however slow this machine is.
    page.clock.install()
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(minutes=1))
    page.evaluate(COUNT_HITS)
    page.locator("#save").dblclick()
    table.expect_saved()
    assert page.evaluate("window.hits") == ["save", "save"], "it stayed under the thumb"
    page.clock.run_for(1000)
    expect(page.locator("#head")).to_be_in_viewport(ratio=1)
    table.save()
    page.clock.resume()
    page.wait_for_timeout(200)
    table.expect_saved()
    assert [line.label for line in table.lines()] == ["1"]
    assert Game.objects.filter(round__table=paper).count() == 1
