"""Decides when phones hear that something is new. A view that has nothing new answers 204 and names in `Held-For` what the
phone waits for. This server then holds the request open as server-sent events, without a thread. An event only says that there
is something new, and the number of the change; the phone then asks for it, and its rights are checked again. In between comes a
beat, so a phone knows without a question that there is a net. Behind another server the answer stays a 204."""

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
# longer than the proxy of docs/server.md lets an answer take, and a phone that waits for a beat (table/watch.js) has one in time.
PLACES, LONGEST, PAUSE = 200, 300, 1.5
# A page that knows no beat does not hear an event with a name.
NEWS, BEAT = b"data:%s\n\n", b"event:b\ndata\n\n"


class HeldAnswers:
    """The answers that are held, by their topic."""

    def __init__(self) -> None:
        self._lines: defaultdict[str, set[asyncio.Queue[str]]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self) -> None:
        """From now on, whatever this process writes into the history of a club is news there, as soon as it is written; on
        PostgreSQL also what other processes write."""
        post_save.connect(self._written, sender=HISTORY)
        if connection.vendor == "postgresql":
            Thread(target=hear, args=[self.tell], name="news", daemon=True).start()

    def _written(self, instance: Model, **_: Any) -> None:
        topic, change = str(instance.club_id), str(instance.pk)  # type: ignore[attr-defined]  # a field of that model
        if connection.vendor == "postgresql":
            announce(topic, change)
        else:
            transaction.on_commit(partial(self.tell, topic, change))

    def tell(self, topic: str | None, change: str = "") -> None:
        """This is new there, or something may be anywhere. Any thread may say so."""
        if self._loop:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._pass_on, topic, change)

    def _pass_on(self, topic: str | None, change: str) -> None:
        for line in chain.from_iterable(self._lines.values()) if topic is None else self._lines.get(topic, ()):
            line.put_nowait(change)

    def begun(self, start: Any, method: str) -> tuple[str | None, Any]:
        """The topic that the beginning of an answer is to be held for, and the beginning as the client sees it."""
        topic = dict(start["headers"]).get(HELD_FOR)
        if topic is None:
            return None, start
        # A length is of the answer that has nothing.
        headers = [header for header in start["headers"] if header[0] not in {HELD_FOR, b"content-length"}]
        if method != "GET" or sum(map(len, self._lines.values())) >= PLACES:
            return None, {**start, "headers": headers}
        return topic.decode(), {**start, "status": 200, "headers": headers}

    async def hold(self, topic: str, connection: Connection, receive: Any, send: Any) -> None:
        """Until the client goes, the server stops, or it has been long enough."""
        self._loop = asyncio.get_running_loop()
        news, gone = asyncio.Queue[str](), asyncio.create_task(receive())
        self._lines[topic].add(news)
        connection.is_held = True
        try:
            await self._say(self._loop.time() + LONGEST, news, gone, send)
        finally:
            connection.is_held = False
            gone.cancel()
            self._lines[topic].discard(news)
            if not self._lines[topic]:
                del self._lines[topic]

    async def _say(self, until: float, news: asyncio.Queue[str], gone: asyncio.Task[Any], send: Any) -> None:
        loop, said = asyncio.get_running_loop(), BEAT
        while not gone.done() and loop.time() < until:
            await send({"type": "http.response.body", "body": said, "more_body": True})
            change = asyncio.create_task(news.get())
            await asyncio.wait({change, gone}, timeout=PAUSE, return_when=asyncio.FIRST_COMPLETED)
            said = NEWS % change.result().encode() if change.done() else BEAT
            change.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
