"""How long a thumb waits at the table: from the tap on "Eintragen und weiter" until the new line stands painted on the sheet, in a
real chromium against the real server with its demo club, on this machine as it is and as on an old phone in a pub (CPU four
times slower, 150 ms of round trip, 1.6 Mbit/s). And what a phone receives that was never here, and one
that comes again, behind the proxy of docs/server.md (caddy)."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from tests import chromium, network, server
from tests.network import Net

GAMES = 9
LIMIT_MS = 400
SLOWER = 4
ROUND_TRIP_MS = 150
BYTES_A_SECOND = 1.6e6 / 8
# kB, of the demo club's running evening.
FIRST, NEXT = 90, 15

# From the finger that touches the button to the first frame after the one that holds the new line.
STOPWATCH = """() => {
    const rows = document.getElementById("rows");
    const before = rows.children.length;
    window.waited = null;
    let tapped = null;
    document.getElementById("save").addEventListener("pointerdown", (event) => (tapped = event.timeStamp), { once: true });
    new MutationObserver((changes, observer) => {
        if (rows.children.length <= before) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => (window.waited = performance.now() - tapped)));
    }).observe(rows, { childList: true });
}"""


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, milliseconds, limit)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place, port = Path(folder), server.free_port()
        with server.running(place / "var", port, place / "log"):
            browser = playwright.chromium.launch(**chromium.launch_options())
            with server.proxied(port, place) as outside:
                yield from _visits(browser, f"http://127.0.0.1:{outside}", place / "var" / "demo_logins.json")
            page = browser.new_context(
                viewport={"width": 360, "height": 740}, locale="de-DE", has_touch=True
            ).new_page()
            _to_the_table(page, f"http://127.0.0.1:{port}", place / "var" / "demo_logins.json")
            lines = page.locator("#rows tr").count()
            yield f"tap to new line, ms (game {lines + 1} and on)", _typical(page), LIMIT_MS
            _slow_down(page.context.new_cdp_session(page))
            yield f"tap to new line on a slow phone and line, ms (game {lines + GAMES + 1})", _typical(page), LIMIT_MS
            browser.close()


def _visits(browser: Browser, site: str, logins: Path) -> Iterator[tuple[str, float, float]]:
    """Of a phone that has nothing of the site but its login."""
    with browser.new_context() as another:
        page = another.new_page()
        _to_the_table(page, site, logins)
        table, cookies = urlsplit(page.url).path, another.cookies()
    net = Net(site)
    with browser.new_context(locale="de-DE") as phone:
        phone.add_cookies([{"name": one["name"], "value": one["value"], "url": net.url} for one in cookies])
        page = network.background(phone)
        for name, limit in (("first", FIRST), ("next", NEXT)):
            sent, received = network.visit(page, net, table)
            yield f"{name} visit of the table, kB received ({sent / 1000:.1f} sent)", received / 1000, limit
    net.cut()


def _to_the_table(page: Page, site: str, logins: Path) -> None:
    """The table of the demo club's running evening."""
    admin = next(login for login in json.loads(logins.read_text()) if login["login"] == "annegret")
    page.goto(f"{site}/login/")
    page.fill("input[name=username]", admin["login"])
    page.fill("input[name=password]", admin["password"])
    page.press("input[name=password]", "Enter")
    page.locator('a[href*="/tables/"]').first.click()
    expect(page.locator("#save")).to_be_visible()


def _slow_down(session: CDPSession) -> None:
    session.send("Network.enable")
    speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    session.send("Network.emulateNetworkConditions", {"offline": False, "latency": ROUND_TRIP_MS, **speed})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _typical(page: Page) -> float:
    """The median over some games, each answered before the next is tapped in."""
    waited = []
    for _ in range(GAMES):
        for pill in page.locator('[data-pick="re"] input:enabled').all()[:2]:
            pill.tap()
        page.locator('input[name="band"][value="121-150"]').tap()
        page.evaluate(STOPWATCH)
        page.locator("#save").tap()
        expect(page.locator("#live-steps")).to_contain_text("Gespeichert", timeout=30_000)
        waited.append(page.evaluate("window.waited"))
    return median(waited)
