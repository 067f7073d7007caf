"""The network between a phone and the site: it can be cut, and it counts bytes. Playwright's own way of being offline lets single
requests through where a service worker has just begun, and what a worker asks for no page hears of."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page

from tests.chromium import PATIENCE
from tests.server import free_port

_REQUEST = re.compile(rb"[A-Z]+ (\S+) HTTP/1\.1\r\n")


def _everything(path: str, data: bytes) -> bool:
    return True


def _pass_on(source: socket.socket, sink: socket.socket, passes: Callable[[bytes], bool]) -> None:
    """Everything until one of both ends hangs up, or until something does not get through; then the other does."""
    with suppress(OSError):
        while (data := source.recv(65536)) and passes(data):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class _Exchange(socketserver.ThreadingTCPServer):
    allow_reuse_address = True

    def __init__(self, net: Net) -> None:
        self.net = net
        self.talking: set[socket.socket] = set()
        self.is_cut = False
        super().__init__(("127.0.0.1", net.port), _Call)


class _Call(socketserver.BaseRequestHandler):
    """One connection, on which one thing is asked at a time."""

    server: _Exchange
    path = ""

    def asks(self, data: bytes) -> bool:
        self.path = self.server.net.ask(data) or self.path
        return True

    def answers(self, data: bytes) -> bool:
        return self.server.net.answer(self.path, data)

    def handle(self) -> None:
        with socket.create_connection(self.server.net.site) as site:
            self.server.talking |= {self.request, site}
            # Accepted just before: whoever cuts has not seen it among those that are talking.
            if self.server.is_cut:
                return
            back = threading.Thread(target=_pass_on, args=(site, self.request, self.answers))
            back.start()
            _pass_on(self.request, site, self.asks)
            back.join()
            self.server.talking -= {self.request, site}


class Net:
    """The net between phones and the site, at an address of its own. Cut, it refuses every connection. `passes` says, by the
    path that was asked, which pieces of an answer get through."""

    passes: Callable[[str, bytes], bool] = staticmethod(_everything)

    def __init__(self, site: str) -> None:
        found = urlsplit(site)
        assert found.hostname and found.port
        self.site = (found.hostname, found.port)
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.exchange: _Exchange | None = None
        # The paths of all requests, and how long each piece was. Appending is one step, whichever threads do it; adding up is not.
        self.asked: list[str] = []
        self._sent: list[int] = []
        self._received: list[int] = []
        self.mend()

    @property
    def moved(self) -> tuple[int, int]:
        """So many bytes were sent over it until now, and so many received: heads and bodies."""
        return sum(self._sent), sum(self._received)

    def ask(self, data: bytes) -> str:
        """The path, where this piece begins a request."""
        self._sent.append(len(data))
        if not (found := _REQUEST.match(data)):
            return ""
        self.asked.append(path := found[1].decode())
        return path

    def answer(self, path: str, data: bytes) -> bool:
        self._received.append(len(data))
        return self.passes(path, data)

    def mend(self) -> None:
        self.exchange = _Exchange(self)
        threading.Thread(target=self.exchange.serve_forever, kwargs={"poll_interval": 0.05}).start()

    def cut(self) -> None:
        if self.exchange is None:
            return
        self.exchange.shutdown()
        self.exchange.is_cut = True
        for end in list(self.exchange.talking):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.exchange.server_close()
        self.exchange = None


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
