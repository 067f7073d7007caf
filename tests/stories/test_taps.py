"""How many taps a game costs, saving included, and whether an ordinary one needs any scrolling on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Game, Table
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.effort import LONG, in_soak
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.stories.table import Facts, TablePage, in_sight, sit_down

ORDINARY = {"kind": "normal", "re": [0, 2]}
SOLO = {"kind": "damensolo", "re": [1], "duty": True}
RE_NO_90_AND_A_FOX = {**ORDINARY, "re_said": "no90", "re_specials": {"fuchs": 1}}


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, cast.table)


TAPS = {
    "ordinary by band": ({**ORDINARY, "band": "121-150"}, 4),
    "ordinary by eyes": ({**ORDINARY, "eyes": 137}, 6),
    "solo by band": ({**SOLO, "band": "151-180"}, 5),
    "solo by eyes": ({**SOLO, "re": [3], "eyes": 104}, 7),
    "Lustsolo by eyes": ({**SOLO, "re": [3], "duty": False, "eyes": 104}, 7),
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


def test_a_lustsolo_before_the_pflichtsolo_and_a_second_pflichtsolo_are_asked_about_once(table: TablePage) -> None:
    asked = {
        "Ein Lustsolo vor dem Pflichtsolo?": {**SOLO, "duty": False, "band": "151-180"},
        "": {**SOLO, "band": "151-180"},
        "Noch ein Pflichtsolo derselben Person?": {**SOLO, "band": "121-150"},
    }
    for question, facts in asked.items():
        table.enter(facts)
        table.save()
        if question:
            expect(table.message).to_have_text(f"{question} Wenn es stimmt, noch einmal tippen.")
            table.save()
        table.expect_saved()
    assert [line.label for line in table.lines()] == ["4", "3", "2", "1"]


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
    assert Game.objects.get(facts__kind="damensolo").facts == {
        "kind": "damensolo",
        "re": [1],
        "duty": True,
        "band": "151-180",
    }
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


@pytest.mark.parametrize("preset", ["ddv", *map(in_soak, ["ohne_neunen", "vln", "anleitung", "klassisch"]), "hausrunde"])
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
