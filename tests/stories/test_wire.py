"""What saving one game costs on the wire: request and answer, headers and bodies, compressed as in the pub."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

import pytest
from django.core.servers.basehttp import ServerHandler
from django.middleware.gzip import GZipMiddleware
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.chromium import PATIENCE
from tests.factories import add_game, make_club, make_table, make_user
from tests.stories.table import Facts, sit_down

MOST = 2000
ORDINARY = {"kind": "normal", "re": [0, 1], "band": "121-150"}
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


@pytest.mark.parametrize("before", [0, 29])
@pytest.mark.parametrize("facts", [ORDINARY, WITH_EVERYTHING], ids=["ordinary", "with everything"])
def test_saving_a_game_moves_two_kilobytes_at_most(
    page: Page, live_server: LiveServer, db: None, monkeypatch: pytest.MonkeyPatch, before: int, facts: Facts
) -> None:
    """With the most that chance can add: compression pads every answer, as a guard against guessing from lengths."""
    chance = GZipMiddleware.max_random_bytes
    monkeypatch.setattr(GZipMiddleware, "max_random_bytes", 0)
    # The server of these tests says what it is, the real one does not.
    monkeypatch.setattr(ServerHandler, "server_software", "")
    club = make_club("Doppelkopffreunde", slug="doppelkopffreunde")
    table = make_table(club, 5, preset="anleitung")
    for number in range(before):
        dealer = number % 5
        re = [seat for seat in range(5) if seat != dealer][:2]
        add_game(table, dealer=dealer, re=re, eyes=100 + number, re_said="said" if number > 26 else "none")
    phone = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), table)
    posts = Posts(page)
    playing = [seat for seat in range(5) if seat != before % 5]
    phone.enter_and_save({**facts, "re": playing[:2]})
    (cost,) = posts.bytes()
    print(f"game {before + 1}: {cost} to {cost + chance} bytes")
    assert cost + chance <= MOST
