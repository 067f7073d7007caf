"""Decides how tests take the net away for good: a phone reaches the site over a wire that can be cut. Playwright's own way of
being offline lets single requests through where a service worker has just begun."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from tests.server import free_port


def _everything(data: bytes) -> bool:
    return True


def _pass_on(source: socket.socket, sink: socket.socket, passes: Callable[[bytes], bool] = _everything) -> None:
    """Everything until one of both ends hangs up, or until something does not get through; then the other does."""
    with suppress(OSError):
        while (data := source.recv(65536)) and passes(data):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class _Exchange(socketserver.ThreadingTCPServer):
    allow_reuse_address = True

    def __init__(self, port: int, site: tuple[str, int], passes: Callable[[bytes], bool]) -> None:
        self.site = site
        self.passes = passes
        self.talking: set[socket.socket] = set()
        self.is_cut = False
        super().__init__(("127.0.0.1", port), _Call)


class _Call(socketserver.BaseRequestHandler):
    server: _Exchange

    def handle(self) -> None:
        with socket.create_connection(self.server.site) as site:
            self.server.talking |= {self.request, site}
            # Accepted just before: whoever cuts has not seen it among those that are talking.
            if self.server.is_cut:
                return
            back = threading.Thread(target=_pass_on, args=(site, self.request, self.server.passes))
            back.start()
            _pass_on(self.request, site)
            back.join()
            self.server.talking -= {self.request, site}


class Net:
    """The net between phones and the site, at an address of its own. Cut, it refuses every connection. `passes` says which
    pieces of an answer get through."""

    passes: Callable[[bytes], bool] = staticmethod(_everything)

    def __init__(self, site: str) -> None:
        found = urlsplit(site)
        assert found.hostname and found.port
        self.site = (found.hostname, found.port)
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.exchange: _Exchange | None = None
        self.mend()

    def mend(self) -> None:
        self.exchange = _Exchange(self.port, self.site, lambda data: self.passes(data))
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
