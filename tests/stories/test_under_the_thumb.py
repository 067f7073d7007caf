"""An evening of many games at 360 x 640: nothing needs a swipe, nothing moves but in answer to a tap, and it costs few taps.
After a game some go on at once, some wait a little, some until everything has come to rest."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.play.queries import read_sheet
from tests.effort import LONG
from tests.factories import Cast, make_player, make_table
from tests.stories.table import sit_down

# In `make test` each hand once.
GAMES = 40 if LONG else 8
MOST_TAPS = 7 * GAMES
# So long somebody waits after saving, in milliseconds: no time, less than an answer takes, longer than everything.
PACES = (0, 200, 700)
# Who is Re stands in seats behind the dealer.
HAND: list[dict[str, Any]] = [
    {"re": [1, 2], "band": "121-150"},
    {"re": [2, 4], "eyes": 133},
    {"re": [1, 3], "band": "151-180", "re_said": "said"},
    {"re": [3, 4], "band": "121-150", "re_specials": {"fuchs": 1}},
    {"kind": "damensolo", "re": [2], "band": "121-150"},
    {"re": [1, 4], "band": "90-119"},
    {"kind": "hochzeit", "re": [2, 3], "band": "181-210"},
    {"re": [1, 2], "band": "60-89", "kontra_said": "no90", "kontra_specials": {"fuchs": 1}},
]
# Notes what moves between the answer to one tap and the next tap, and what the browser itself calls a shift.
WATCH = """() => {
    window.moved = [];
    window.compared = 0;
    let before = null;
    const name = (one) => `${one.localName} ${one.id} ${one.textContent.trim().slice(0, 20)}`;
    const controls = ".site-head a, summary, #eyes, #entry :is(label, button, a, .tile)";
    const seen = () => [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility());
    const places = () => new Map(seen().map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one, [x, y, width, height].map(Math.round).join()];
    }));
    addEventListener("pointerdown", () => {
        if (!before) return;
        const now = places();
        for (const [one, place] of now) if (before.get(one) !== place) moved.push(`${name(one)}: ${before.get(one)} -> ${place}`);
        for (const one of before.keys()) if (!now.has(one)) moved.push(`${name(one)} went away`);
        compared += 1;
        before = null;
    }, true);
    addEventListener("click", () => requestAnimationFrame(() => (before = places())));
    new PerformanceObserver((list) => {
        for (const { hadRecentInput, sources } of list.getEntries()) {
            if (!hadRecentInput) moved.push(...sources.map(({ node }) => `a shift of ${node?.textContent}`));
        }
    }).observe({ type: "layout-shift", buffered: false });
}"""
IS_IN_REACH = """target => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    const parts = [target, ...(target.labels ?? [])];
    return there !== null && parts.some((one) => one.contains(there) || there.contains(one));
}"""


def test_an_evening_under_the_thumb(page: Page, live_server: LiveServer, cast: Cast) -> None:
    people = [make_player(cast.club, name) for name in ("Heike", "Bernd", "Jürgen", "Dörte", "Annegret")]
    paper = make_table(cast.club, people, preset="anleitung")
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    table = sit_down(page, live_server.url, cast.scorer, paper)
    expect(page.locator("#save")).to_be_in_viewport()
    page.wait_for_load_state("networkidle")
    page.evaluate(WATCH)
    swipes = []

    def look(target: Locator) -> None:
        if not target.evaluate(IS_IN_REACH):
            swipes.append(str(target))

    table.before_tap = look
    typed = []
    for number, hand in enumerate(islice(cycle(HAND), GAMES)):
        expect(page.locator('[data-head="number"]')).to_have_text(f"Spiel {number + 1}")
        dealer = table.people.index(table.dealer)
        facts = {"kind": "normal", **hand, "re": sorted((dealer + seat) % 5 for seat in hand["re"])}
        table.enter(facts)
        table.save()
        typed.append(facts)
        page.wait_for_timeout(PACES[number % len(PACES)])
    table.expect_saved()
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(GAMES)

    assert swipes == []
    found = page.evaluate("moved")
    assert found == [], "\n".join(found)
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("compared") > GAMES * 4, "most taps were looked at"
    assert table.taps <= MOST_TAPS
    print(f"{table.taps} taps for {GAMES} games")
    assert [row.game.facts for row in read_sheet(paper).rows] == typed
