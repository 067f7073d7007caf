"""Clients that send a byte a second, read nothing, or come by the hundred, against the real server and behind the proxy of
docs/server.md: the evening goes on meanwhile. Short in every run, a minute with `make soak`."""

from __future__ import annotations

import selectors
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from clubledger.server.bounds import BODY_SECONDS, THREADS
from scoring.models import Game, Table
from tests.effort import in_soak
from tests.factories import make_club, make_somebody, make_table
from tests.server import PATIENCE, free_port, proxied, running
from tests.soak.test_phones import Phone, everything_fits, phones_at, short_and_long, told

pytestmark = pytest.mark.django_db(transaction=True)

# A head without its end, and a body that never comes; what has come of it is more than the proxy keeps to itself.
A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
A_BODY = (
    b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: csrftoken=" + b"c" * 32 + b"\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 10_000
)
# Whoever is served waits no longer than this on a busy machine; the drips would let them wait for as long as they last.
SERVED = 20


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """The server alone."""
    place, port = tmp_path_factory.mktemp("site"), free_port()
    with django_db_blocker.unblock():
        somebody = make_somebody()
        with running(place / "var", port, place / "log", collected=True, **told()):
            somebody.delete()
            yield port


@pytest.fixture
def port(request: pytest.FixtureRequest, site: int, tmp_path: Path) -> Iterator[int]:
    """Where clients find it: the server alone, or the proxy."""
    if request.param == "alone":
        yield site
        return
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not here")
    with proxied(site, tmp_path) as port:
        yield port


both_ways = pytest.mark.parametrize("port", ["behind the proxy", in_soak("alone", id="alone")], indirect=True)


@pytest.fixture
def table() -> Table:
    return make_table(make_club(slug="soak"))


class Drips:
    """Connections that began with `opening` and send one byte more each second. Whichever is closed comes again at once."""

    def __init__(self, port: int, count: int, opening: bytes) -> None:
        self.port, self.opening = port, opening
        self.lasted: list[float] = []
        self.began: dict[socket.socket, float] = {}
        for _ in range(count):
            self.begin()

    def begin(self) -> None:
        with suppress(OSError):
            end = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            end.sendall(self.opening)
            self.began[end] = time.monotonic()

    def drip(self) -> None:
        """One byte on each; who was hung up on is noted, and calls again."""
        with selectors.DefaultSelector() as selector:
            for end in self.began:
                selector.register(end, selectors.EVENT_READ)
            over = {key.fileobj for key, _ in selector.select(0)}
        for end in list(self.began):
            with suppress(OSError):
                end.send(b"x")
                continue
            over.add(end)
        for end in over:
            self.lasted.append(time.monotonic() - self.began.pop(end))
            end.close()
            self.begin()

    def close(self) -> None:
        now = time.monotonic()
        for end, began in self.began.items():
            self.lasted.append(now - began)
            end.close()


@contextmanager
def dripping(*drips: Drips) -> Iterator[None]:
    over = threading.Event()

    def drip() -> None:
        while not over.wait(1):
            for one in drips:
                one.drip()

    with ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        for one in drips:
            stack.callback(one.close)
        done = pool.submit(drip)
        try:
            yield
        finally:
            over.set()
            done.result()


def served(phone: Phone, path: str) -> None:
    began = time.monotonic()
    assert phone.ask("GET", path).status == 200
    assert time.monotonic() - began < SERVED


def an_evening(phone: Phone, seconds: float) -> None:
    """What a phone does in so many seconds, and each of it is answered."""
    over = time.monotonic() + seconds
    while time.monotonic() < over:
        served(phone, "/healthz")
        served(phone, reverse("login"))
        served(phone, reverse("state", args=["soak", phone.table.pk]))
        began, game = time.monotonic(), phone.game()
        assert phone.send(game).status == 201
        assert time.monotonic() - began < SERVED
        phone.last = str(game["key"])
        time.sleep(0.5)


@both_ways
@pytest.mark.parametrize("seconds", short_and_long(12, 60))
def test_drips_stop_nobody(port: int, table: Table, seconds: int) -> None:
    (phone,) = phones_at(table, 1, port)
    heads, bodies = Drips(port, 200, A_HEAD), Drips(port, 200, A_BODY)
    with dripping(heads, bodies):
        an_evening(phone, seconds)
    everything_fits(Game.objects.count())
    assert Game.objects.exists()
    assert max(bodies.lasted) < BODY_SECONDS + SERVED


@both_ways
def test_slow_readers_stop_nobody(port: int, table: Table) -> None:
    """Each asks for more than the system itself keeps for it, and reads nothing."""
    (phone,) = phones_at(table, 1, port)
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as caller:
        caller.request("GET", reverse("login"))
        page = caller.getresponse().read().decode()
    sheet = page.split('rel="stylesheet" href="')[1].split('"')[0]
    with ExitStack() as stack:
        for _ in range(3 * THREADS):
            end = stack.enter_context(closing(socket.socket()))
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            end.connect(("127.0.0.1", port))
            end.setblocking(False)
            with suppress(BlockingIOError):
                end.send(f"GET {sheet} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 100)
        time.sleep(1)
        an_evening(phone, 2)


@both_ways
def test_five_hundred_at_once_are_answered_or_told_when_to_come_again(port: int, table: Table) -> None:
    (phone,) = phones_at(table, 1, port)
    ends = []
    for n in range(500):
        end = socket.create_connection(("127.0.0.1", port), PATIENCE)
        path = "/healthz" if n % 2 else "/login/"
        end.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        ends.append(end)
    for end in ends:
        head = end.recv(100_000).decode()
        end.close()
        assert head.startswith(("HTTP/1.1 200", "HTTP/1.1 503"))
        assert head.startswith("HTTP/1.1 200") or "retry-after: 2" in head.lower()
    an_evening(phone, 1)
