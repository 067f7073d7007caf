"""What the table costs on the wire: a visit and a saved game, heads and bodies, compressed as in the pub."""

from __future__ import annotations

import shutil
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.servers.basehttp import ServerHandler
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Table
from tests.browser_page import log_in
from tests.cash.tariffs import give_tariff
from tests.chromium import PATIENCE
from tests.effort import in_soak
from tests.factories import add_game, make_club, make_table, make_user
from tests.network import Net, background, visit
from tests.server import proxied
from tests.stories.offline import address
from tests.stories.table import sit_down

# Bytes: of a visit what is received, of a saved game what is sent as well.
FIRST, NEXT, MOST = 90_000, 15_000, 2_500
WITH_EVERYTHING = {
    "kind": "normal",
    "re": [0, 2],
    "eyes": 90,
    "re_said": "no60",
    "kontra_said": "said",
    "re_specials": {"fuchs": 1},
    "kontra_specials": {"doppelkopf": 1, "karlchen": 1},
}


class Posts:
    """Every POST of a page, in bytes as they went over the wire."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: dict[str, int] = {}
        self.headers: dict[str, int] = {}
        self.received: dict[str, int] = defaultdict(int)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._request)
        session.on("Network.requestWillBeSentExtraInfo", self._headers)
        session.on("Network.loadingFinished", self._answer)

    def _request(self, event: dict[str, Any]) -> None:
        request = event["request"]
        if request["method"] == "POST":
            path = "/" + request["url"].split("/", 3)[3]
            first_line = f"POST {path} HTTP/1.1\r\n\r\n"
            self.sent[event["requestId"]] = len(first_line) + len(request.get("postData", "").encode())

    def _headers(self, event: dict[str, Any]) -> None:
        lines = (f"{name}: {value}\r\n" for name, value in event["headers"].items())
        self.headers[event["requestId"]] = sum(map(len, lines))

    def _answer(self, event: dict[str, Any]) -> None:
        self.received[event["requestId"]] += event["encodedDataLength"]

    def bytes(self) -> list[int]:
        """What each cost, once the browser has told of all of it."""
        give_up = time.monotonic() + PATIENCE / 1000
        while not self.sent.keys() <= self.headers.keys() & self.received.keys():
            assert time.monotonic() < give_up
            self.page.wait_for_timeout(50)
        return [sent + self.headers[request] + self.received[request] for request, sent in self.sent.items()]


@pytest.fixture(autouse=True)
def as_it_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of these tests says what it is, the real one does not."""
    monkeypatch.setattr(ServerHandler, "server_software", "")


@pytest.fixture
def site(live_server: LiveServer, tmp_path: Path) -> Iterator[str]:
    """Behind the proxy of docs/server.md, which compresses."""
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not here")
    with proxied(int(live_server.url.rpartition(":")[2]), tmp_path) as port:
        yield f"http://localhost:{port}"


@pytest.fixture
def net(site: str) -> Iterator[Net]:
    between = Net(site)
    yield between
    between.cut()


def evening(games: int, is_charged: bool = False) -> Table:
    club = make_club("Doppelkopffreunde", slug="doppelkopffreunde")
    if is_charged:
        give_tariff(club)
    table = make_table(club, 5, preset="anleitung")
    play(table, games)
    return table


def play(table: Table, games: int) -> None:
    for number in range(games):
        dealer = number % 5
        re = [seat for seat in range(5) if seat != dealer][:2]
        add_game(table, dealer=dealer, re=re, eyes=100 + number, re_said="said" if number > 26 else "none")


@pytest.mark.browser_context_args(service_workers="allow")
@pytest.mark.parametrize("is_charged", [False, in_soak(True)], ids=["plain", "charged"])
def test_a_visit_of_the_table_costs_little(new_context: CreateContextCallback, net: Net, db: None, is_charged: bool) -> None:
    """A phone that was never here opens the table, and opens it again when sixty games are on the sheet. Its requests are as long
    as its browser makes them."""
    table = evening(0, is_charged)
    phone = new_context()
    log_in(phone, net.url, make_user("schorsch", table.evening.club, ["scorer"]))
    page = background(phone)
    sent, received = visit(page, net, address(table))
    print(f"first visit: {received} bytes received, {sent} sent in {len(net.asked)} requests")
    assert received <= FIRST
    play(table, 60)
    before = len(net.asked)
    sent, received = visit(page, net, address(table))
    print(f"next visit: {received} bytes received, {sent} sent in {net.asked[before:]}")
    assert received <= NEXT


def test_saving_a_game_costs_little(page: Page, site: str, db: None) -> None:
    before = 29
    table = evening(before)
    phone = sit_down(page, site, make_user("schorsch", table.evening.club, ["scorer"]), table)
    posts = Posts(page)
    playing = [seat for seat in range(5) if seat != before % 5]
    phone.enter_and_save({**WITH_EVERYTHING, "re": playing[:2]})
    (cost,) = posts.bytes()
    print(f"game {before + 1}: {cost} bytes")
    assert cost <= MOST
