"""Decides how it is weighed what a visit of a table costs: everything that goes over the wire until the phone needs nothing more,
the worker and the page of no net among it, heads and bodies, both ways."""

from __future__ import annotations

import time

from playwright.sync_api import BrowserContext, Page

from tests.chromium import PATIENCE
from tests.net import Net

# A page in the background does not ask what is new: the slower the machine, the more often it would have asked meanwhile.
IN_THE_BACKGROUND = "Object.defineProperty(Document.prototype, 'hidden', { get: () => true })"
# This page is kept with its files, and so is the page of no net.
HAS_ALL = """async () => {
    const names = await caches.keys();
    return Boolean(await caches.match(location.pathname) && await caches.match("/offline/"))
        && ["table ", "offline "].every(kind => names.some(name => name.startsWith(kind)));
}"""
# So many seconds without a byte are an end.
QUIET = 1.0


def background(phone: BrowserContext) -> Page:
    phone.add_init_script(IN_THE_BACKGROUND)
    return phone.new_page()


def visit(page: Page, net: Net, address: str) -> tuple[int, int]:
    """The bytes that a visit sends and receives."""
    sent, received = net.moved
    before = net.asked.count("/sw.js")
    page.goto(net.url + address, wait_until="networkidle")
    page.wait_for_function(HAS_ALL)
    deadline = time.monotonic() + PATIENCE / 1000
    moved, since = net.moved, time.monotonic()
    # The browser looks after the worker when it finds time.
    while net.asked.count("/sw.js") == before or time.monotonic() - since < QUIET:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)
        if net.moved != moved:
            moved, since = net.moved, time.monotonic()
    return moved[0] - sent, moved[1] - received
