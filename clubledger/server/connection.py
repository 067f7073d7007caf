"""Decides how long a client may take, and how many clients may be connected at once. A connection that waits for its client
costs no thread and has a time limit. When there are too many connections, or they hold too much memory, those that wait are
closed first.

Nothing is counted for each address: all phones in a pub share one, and behind a proxy all have the same. The connection
that has waited longest for its client is closed first, so a flood pushes out its own connections before those of people who
send and read."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# Seconds: for the whole head of a request, from the beginning of the connection or from its first byte on a kept one; until
# the next request on a kept one, longer than the proxy of docs/server.md keeps its own; for the next piece of an answer.
HEAD, IDLE, TAKE = 10, 30, 60
# With those that the system still holds in front of the door, less than the 1024 files that a process may have open.
CONNECTIONS, BACKLOG = 600, 256
# Bytes of requests and answers in memory, all connections together, where one holds more than a little.
MEMORY, LITTLE = 64_000_000, 64 * 1024


class Connection(H11Protocol):
    """uvicorn's connection with limits. Each request finds it in its scope, as `scope["state"]["connection"]`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app_state = {"connection": self}
        self.held = 0
        self.waits_since: float | None = None
        self.is_between_requests = False
        # An answer that is only waiting for news (held.py).
        self.is_held = False
        self._limit: asyncio.TimerHandle | None = None

    def hold(self, count: int) -> None:
        """Count bytes of this connection that are in memory. Where that is too much, others are cut off, or this one."""
        self.held += count
        while sum(other.held for other in self._all()) > MEMORY and self._cut_longest_waiting(holding=LITTLE):
            pass

    # --- What uvicorn and asyncio call --------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as asyncio calls it for a connection
        """A client is there: the first head has to come, and somebody may have to go for it."""
        super().connection_made(transport)
        self._wait_for_client(HEAD)
        if len(self.connections) > CONNECTIONS:
            self._cut_longest_waiting()

    def data_received(self, data: bytes) -> None:
        """A piece of a head or of a body. How long a body may take is known by whoever collects it (front.py)."""
        if self.is_between_requests:
            self.is_between_requests = False
            self._wait_for_client(HEAD)
        super().data_received(data)
        self._look_whose_turn_it_is()

    def on_response_complete(self) -> None:
        """The answer is on its way; the next request may have arrived already."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE or self.transport.is_closing():
            self.is_between_requests = True
            self._wait_for_client(IDLE)
        else:
            self._look_whose_turn_it_is()

    def pause_writing(self) -> None:
        """The client does not take its answer as fast as it is written."""
        super().pause_writing()
        self._wait_for_client(TAKE)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.is_between_requests:
            self._wait_for_client(IDLE)
        else:
            self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._go_on()

    def shutdown(self) -> None:
        """The server stops; nobody waits for news that will not come."""
        super().shutdown()
        if self.is_held:
            self.transport.close()

    # --- Waiting ------------------------------------------------------------------------------------------------------

    def _wait_for_client(self, seconds: float) -> None:
        self._go_on()
        self.waits_since = self.loop.time()
        self._limit = self.loop.call_later(seconds, self.transport.abort)

    def _go_on(self) -> None:
        self.waits_since = None
        self._lift_limit()

    def _lift_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _look_whose_turn_it_is(self) -> None:
        if self.flow.write_paused or self.transport.is_closing():
            return
        if self.conn.their_state is h11.SEND_BODY:
            self._lift_limit()
        elif self.conn.their_state is not h11.IDLE:
            self._go_on()

    def _all(self) -> set[Connection]:
        return cast("set[Connection]", self.connections)

    def _cut_longest_waiting(self, holding: int = -1) -> bool:
        """Whether there was one, holding more than so many bytes. Nobody is cut off who waits for us."""
        waiting = [
            (other.waits_since, id(other), other)
            for other in self._all()
            if other.waits_since is not None and other.held > holding and not other.transport.is_closing()
        ]
        if not waiting:
            return False
        min(waiting)[-1].transport.abort()
        return True
