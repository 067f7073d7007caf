"""Tell phones about changes by server-sent events. An event has only the id of a history row; the phone then requests the state,
which checks its rights again. Beats, events without content, show that the network works. An open stream holds no thread and no
database connection."""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from threading import Thread
from typing import Any, Final

import psycopg
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError, connection, connections, transaction
from django.db.models import Model
from django.db.models.signals import post_save
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.club.access import Role
from scoring.core.database import snapshot
from scoring.play.queries import count_untouched_lines, get_last_change, read_sheet
from scoring.table.access import get_table
from scoring.table.views.data import build_etag, build_state

# The history has a row for each change in a club.
HISTORY: Final = "scoring.Change"
MAX_STREAMS = 200  # open streams of a process; further phones poll
MAX_SECONDS = 300  # for which a stream stays open, within the limit of the proxy in docs/server.md
BEAT_SECONDS = 1.5  # between two beats; watch.ts waits longer than this for the next one
# The beat is an event with a name, so that older pages ignore it.
NEWS, BEAT = b"data:%s\n\n", b"event:b\ndata\n\n"
# On PostgreSQL a notification reaches all processes, on any machine, at the commit.
CHANNEL: Final = "clubledger_news"
RETRY_SECONDS: Final = 1.0  # until a lost connection is opened again


class Streams:
    """The open streams of this process, by club. Use it from the event loop only, except `send`."""

    def __init__(self) -> None:
        self._queues: defaultdict[str, set[asyncio.Queue[str | None]]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def send(self, club: str | None, change: str | None = "") -> None:
        """Send a change to the streams of a club, or of every club if it is None. A change None ends them. Safe in any thread."""
        if self._loop:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._put, club, change)

    def _put(self, club: str | None, change: str | None) -> None:
        for queue in chain.from_iterable(self._queues.values()) if club is None else self._queues.get(club, ()):
            queue.put_nowait(change)

    async def events(self, club: str) -> AsyncIterator[bytes]:
        """Yield the events of one stream, until it has been open for MAX_SECONDS seconds."""
        self._loop = asyncio.get_running_loop()
        until, queue = self._loop.time() + MAX_SECONDS, asyncio.Queue[str | None]()
        self._queues[club].add(queue)
        try:
            yield BEAT
            while self._loop.time() < until:
                try:
                    change = await asyncio.wait_for(queue.get(), BEAT_SECONDS)
                except TimeoutError:
                    yield BEAT
                    continue
                if change is None:
                    return
                yield NEWS % change.encode()
        finally:
            self._queues[club].discard(queue)
            if not self._queues[club]:
                del self._queues[club]


streams = Streams()


def stop() -> None:
    """End all streams."""
    streams.send(None, None)


def listen() -> None:
    """Send each new history row of a club to its streams; on PostgreSQL also rows of other processes."""
    post_save.connect(_send_change, sender=HISTORY)
    if connection.vendor == "postgresql":
        Thread(target=_forward_notifications, args=[streams.send], name="news", daemon=True).start()


def _send_change(instance: Model, **_: Any) -> None:
    club, change = str(instance.club_id), str(instance.pk)  # type: ignore[attr-defined]  # a field of that model
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{club} {change}"])
    else:
        transaction.on_commit(partial(streams.send, club, change))


def _forward_notifications(send: Callable[[str | None, str], None]) -> None:
    """Send every notification to its club, in a thread of its own that never ends. After a lost connection, which may have cost
    some, send an event to all clubs."""
    while True:
        try:
            with closing(connections.create_connection("default")) as line:
                with line.cursor() as cursor:
                    cursor.execute(f"LISTEN {CHANNEL}")
                send(None, "")
                for news in line.connection.notifies():
                    club, _, change = news.payload.partition(" ")
                    send(club, change)
        except (DatabaseError, psycopg.Error):
            time.sleep(RETRY_SECONDS)


@never_cache
@require_safe
async def live(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Return a stream of events. Under WSGI, or with too many streams, return 204: the browser then does not connect again."""
    _table, access = await sync_to_async(get_table)(request, slug, pk, Role.AT_TABLE)
    if not isinstance(request, ASGIRequest) or request.method != "GET" or len(streams) >= MAX_STREAMS:
        return HttpResponse(status=204, content_type="text/event-stream")
    return StreamingHttpResponse(streams.events(str(access.club.pk)), content_type="text/event-stream")


@never_cache
@require_safe
def state(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Answer with 304 (one query) if the table has not changed since the ETag, else with the lines from the first changed one."""
    table, access = get_table(request, slug, pk, Role.AT_TABLE)
    known = request.headers.get("If-None-Match", "")
    tag = build_etag(access, table, get_last_change(table))
    if known.removeprefix("W/") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    with snapshot():
        last, sheet = get_last_change(table), read_sheet(table)
        number = re.match(r'(?:W/)?"(\d{1,18})-', known)
        keep = count_untouched_lines(sheet.records, int(number[1]) if number else None)
        tag = build_etag(access, table, last)
        return JsonResponse(build_state(access, sheet, last, keep), headers={"ETag": tag})
