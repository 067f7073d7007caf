"""Decides when phones hear that something is new. A view that has nothing new answers 204 and names in `Held-For` what the
phone waits for. This server then holds the request open as server-sent events, without a thread. The events only say that
there is something new; the phone then asks for it, and its rights are checked again. Behind another server the answer stays
a 204."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from functools import partial
from itertools import chain
from threading import Thread
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Model
from django.db.models.signals import post_save

from clubledger.server.connection import Connection
from clubledger.server.news import announce, hear

HELD_FOR: Final = b"held-for"
# Whatever anybody does is written down there, with the club in which it was done.
HISTORY: Final = "scoring.Change"
# So many answers are held at once; whoever comes then asks every moment, as where nothing is held. Seconds: one is held no
# longer than the proxy of docs/server.md lets an answer take, and says now and then that it is still there.
PLACES, LONGEST, STILL = 200, 300, 20
NEWS, STILL_THERE = b"data:\n\n", b":\n\n"


class HeldAnswers:
    """The answers that are held, by their topic."""

    def __init__(self) -> None:
        self._bells: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self) -> None:
        """From now on, whatever this process writes into the history of a club is news there, as soon as it is written; on
        PostgreSQL also what other processes write."""
        post_save.connect(self._written, sender=HISTORY)
        if connection.vendor == "postgresql":
            Thread(target=hear, args=[self.tell], name="news", daemon=True).start()

    def _written(self, instance: Model, **_: Any) -> None:
        topic = str(instance.club_id)  # type: ignore[attr-defined]  # a field of that model
        if connection.vendor == "postgresql":
            announce(topic)
        else:
            transaction.on_commit(partial(self.tell, topic))

    def tell(self, topic: str | None) -> None:
        """Something is new there, or may be anywhere. Any thread may say so."""
        if self._loop:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._ring, topic)

    def _ring(self, topic: str | None) -> None:
        for bell in chain.from_iterable(self._bells.values()) if topic is None else self._bells.get(topic, ()):
            bell.set()

    def begun(self, start: Any, method: str) -> tuple[str | None, Any]:
        """The topic that the beginning of an answer is to be held for, and the beginning as the client sees it."""
        topic = dict(start["headers"]).get(HELD_FOR)
        if topic is None:
            return None, start
        # A length is of the answer that has nothing.
        headers = [header for header in start["headers"] if header[0] not in {HELD_FOR, b"content-length"}]
        if method != "GET" or sum(map(len, self._bells.values())) >= PLACES:
            return None, {**start, "headers": headers}
        return topic.decode(), {**start, "status": 200, "headers": headers}

    async def hold(self, topic: str, connection: Connection, receive: Any, send: Any) -> None:
        """Until the client goes, the server stops, or it has been long enough."""
        self._loop = asyncio.get_running_loop()
        bell, gone = asyncio.Event(), asyncio.create_task(receive())
        self._bells[topic].add(bell)
        connection.is_held = True
        try:
            await self._say(self._loop.time() + LONGEST, bell, gone, send)
        finally:
            connection.is_held = False
            gone.cancel()
            self._bells[topic].discard(bell)
            if not self._bells[topic]:
                del self._bells[topic]

    async def _say(self, until: float, bell: asyncio.Event, gone: asyncio.Task[Any], send: Any) -> None:
        loop, said = asyncio.get_running_loop(), STILL_THERE
        while not gone.done() and loop.time() < until:
            await send({"type": "http.response.body", "body": said, "more_body": True})
            ringing = asyncio.create_task(bell.wait())
            await asyncio.wait({ringing, gone}, timeout=STILL, return_when=asyncio.FIRST_COMPLETED)
            ringing.cancel()
            said = NEWS if bell.is_set() else STILL_THERE
            bell.clear()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
