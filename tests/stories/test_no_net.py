"""A line that is dead, or that stalls: whoever taps is told within three seconds where it was tapped, before anything waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Change
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.chromium import PATIENCE
from tests.effort import in_soak
from tests.factories import Cast, add_game, make_table
from tests.network import Net
from tests.server import free_port, running, told
from tests.stories.offline import waits
from tests.stories.table import TablePage, sit_down

pytestmark = [pytest.mark.browser]

# Milliseconds by the clock of the page, which no busy machine slows down.
THREE_SECONDS = 3000
NEAR = 60
SAYS = "Keine Verbindung"
# Has the page heard from the server since something was tapped?
HEAR = """() => document.addEventListener("reach", ({ detail }) => (window.isHeard ||= detail))"""
LISTEN = """() => addEventListener("pointerdown", ({ clientY }) => (window.finger = clientY), { once: true, capture: true })"""
# How far from the finger the page says so in sight; null where it does not.
SAID = """([says, where]) => {
    for (const place of document.querySelectorAll(where)) {
        const { top, bottom, height } = place.getBoundingClientRect();
        if (!place.textContent.includes(says) || !height || top < 0 || bottom > innerHeight) continue;
        return Math.max(top - window.finger, window.finger - bottom, 0);
    }
    return null;
}"""


def stop_the_clock(page: Page) -> None:
    """Just ahead, so that nothing else falls due. A busy machine may be past that moment when it hears of it: then the clock
    stands where it was, and the next moment is ahead for sure. One that stands stays there: without a net, whatever falls due
    tells the page before the tap."""
    before = page.evaluate("Date.now()")
    page.wait_for_timeout(50)
    if page.evaluate("Date.now()") == before:
        return
    with suppress(Error):
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 0.1)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 0.1)


def wait(page: Page, is_there: Callable[[], Any], missing: str) -> None:
    give_up = time.monotonic() + PATIENCE / 1000
    while not is_there():
        assert time.monotonic() < give_up, missing
        page.wait_for_timeout(50)


@pytest.fixture(params=["dead", in_soak("stalled")])
def lose(request: pytest.FixtureRequest, page: Page, net: Net) -> Iterator[Callable[[], None]]:
    """Takes the net away: each connection is refused, or nothing comes back on any. The clock of the page stands before, and
    what was asked is answered, so that it finds out by nothing but a tap."""
    is_back = threading.Event()
    asked: set[Request] = set()
    page.on("request", lambda request: None if request.url.endswith("/live/") else asked.add(request))
    page.on("requestfinished", lambda request: asked.discard(request))
    page.on("requestfailed", lambda request: asked.discard(request))

    def lost() -> None:
        stop_the_clock(page)
        # What the page asked before this answer is known by then.
        page.evaluate("() => fetch(location.href).then(answer => answer.text())")
        wait(page, lambda: not asked, "it is not answered")
        if request.param == "dead":
            net.cut()
        else:
            net.passes = lambda path, data: is_back.wait(2 * PATIENCE / 1000)

    yield lost
    is_back.set()


@pytest.fixture
def net(request: pytest.FixtureRequest, live_server: LiveServer, tmp_path: Path) -> Iterator[Net]:
    """To a server that holds no answer, so that each tap asks; or to the real one, which beats on one that it holds (held.py)."""
    with ExitStack() as until_then:
        site = live_server.url
        if hasattr(request, "param"):
            port = free_port()
            until_then.enter_context(running(tmp_path, port, tmp_path / "log", collected=True, **told()))
            site = f"http://localhost:{port}"
        between = Net(site)
        yield between
        between.cut()


@pytest.fixture
def table(page: Page, net: Net, cast: Cast) -> TablePage:
    paper = make_table(cast.club, 5)
    add_game(paper, re=[1, 2])
    page.clock.install()
    return sit_down(page, net.url, cast.scorer, paper)


def tap(table: TablePage, target: Locator, place: str = "[role=alert]") -> int:
    """Told in time? How far from the finger the page says so. A refused connection is heard of whenever the machine gets to it."""
    page = table.page
    stop_the_clock(page)
    page.evaluate(LISTEN)
    table.tap(target)
    page.clock.run_for(THREE_SECONDS)
    wait(page, lambda: page.evaluate(SAID, [SAYS, place]) is not None, "it does not say so")
    page.clock.resume()
    return round(page.evaluate(SAID, [SAYS, place]))


def test_whoever_types_is_told_above_the_button(table: TablePage, lose: Callable[[], None]) -> None:
    lose()
    assert tap(table, table.page.locator(".tile:not(.out) input").first) <= NEAR
    assert misfits(table.page, THUMB_AT_THE_TABLE) + barriers(table.page) == []
    expect(table.message).to_have_text(f"{SAYS} Es fehlt: wer noch Re ist, Augen")
    expect(waits(table)).to_be_hidden()
    table.mark("Wer ist Re?", [2, 3])
    table.band("121-150")
    expect(table.message).to_contain_text(f"{SAYS} ")
    assert misfits(table.page, THUMB_AT_THE_TABLE) == []
    tap(table, table.page.locator("#save"), "#live-steps")
    expect(table.message).to_contain_text("wartet auf Versand")


@pytest.mark.parametrize("net", ["beats"], indirect=True)
@pytest.mark.parametrize("lose", ["stalled", in_soak("dead")], indirect=True)
def test_whoever_asks_nothing_is_told_as_well(page: Page, net: Net, table: TablePage, lose: Callable[[], None]) -> None:
    counts = [0]
    # A phone that had no connection yet would have asked twice.
    while len(net.asked) != counts[-1]:
        counts.append(len(net.asked))
        assert len(counts) < 15, net.asked
        page.wait_for_timeout(THREE_SECONDS)
    stop_the_clock(page)
    page.evaluate(HEAR)
    table.mark("Wer ist Re?", [2])
    # A busy machine makes a beat late.
    wait(page, lambda: page.evaluate("window.isHeard"), "it hears no beat")
    page.clock.run_for(THREE_SECONDS)
    page.wait_for_timeout(500)
    assert net.asked[counts[-1] :] == [], "it hears that there is a net"
    lose()
    assert tap(table, table.page.locator(".tile:not(.out) input:not(:checked)").first) <= NEAR
    expect(table.message).to_contain_text(f"{SAYS} ")


def test_whoever_goes_elsewhere_stays_and_is_told_at_the_finger(table: TablePage, lose: Callable[[], None]) -> None:
    page, address = table.page, table.page.url
    lose()
    assert tap(table, page.locator("#rows a")) <= NEAR
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    for target in (page.get_by_role("button", name="Rückgängig"), page.locator(".site-head a").first):
        assert tap(table, target) <= NEAR
    # The next tap takes it away.
    table.mark("Wer ist Re?", [2, 3])
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.url == address


@pytest.mark.soak
def test_a_line_that_is_tapped_tells_its_steps_without_a_net(table: TablePage, lose: Callable[[], None]) -> None:
    """Its page does not open; what this phone knows of the line is told at the finger."""
    page = table.page
    lose()
    assert tap(table, page.locator("#rows a")) <= NEAR
    note = page.get_by_role("alert")
    expect(note).to_contain_text("Spiel 1: Re ")
    expect(note).to_contain_text(". Gewonnen: +1. ")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    # Any other place tells nothing but that.
    tap(table, page.get_by_role("button", name="Rückgängig"))
    expect(note).not_to_contain_text("Spiel 1")


def test_what_the_phone_takes_back_is_not_taken_back_once_more_by_the_server(table: TablePage, net: Net) -> None:
    """The answer comes after the page has helped itself."""
    page, is_answered = table.page, threading.Event()
    table.enter_and_save({"kind": "normal", "re": [2, 3], "band": "121-150"})
    table.expect_saved()
    net.passes = lambda path, data: path != "/healthz" or is_answered.wait(2 * PATIENCE / 1000)
    tap(table, page.get_by_role("button", name="Rückgängig"))
    expect(page.get_by_role("alert")).to_contain_text("Zurückgenommen.")
    is_answered.set()
    expect(page.locator("#rows tr")).to_have_count(1)
    wait(page, lambda: Change.objects.latest("id").verb == "game.deleted", "it is not struck out")
    page.wait_for_timeout(500)
    assert [path for path in net.asked if path.endswith("/undo/")] == []
    expect(page.get_by_text("nicht mehr rückgängig")).to_have_count(0)
