"""ASGI middleware in front of Django. It limits the number and size of requests, how long they take to arrive and to wait, and how
long clients take to read a response. A running view is never cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings

from clubledger.web.errors import RETRY_AFTER
from clubledger.web.middleware import CSP_OF_DATA

THREADS = 12  # requests that run at once, each in a slot
MAX_WAITING = 300  # requests that may wait for a slot
WAIT_SECONDS = 20  # how long they may wait
# The size of the head of a request, with its address, and of its body. The pages for uploads (WITH_FILES) accept a larger body, so
# that they can answer themselves that a file is too large.
MAX_HEAD_BYTES = 16 * 1024
MAX_BODY_BYTES = 2_700_000
MAX_UPLOAD_BYTES = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
WITH_FILES: Final = ("/archives/", "/imports/")
# A body must arrive within BODY_SECONDS, and one more second for each BYTES_PER_SECOND bytes that have arrived.
BODY_SECONDS = 20
BYTES_PER_SECOND = 50_000
# The bytes of all incomplete bodies together, without those up to SMALL_BODY_BYTES; and the same again for complete ones that wait.
MAX_BUFFERED_BYTES = 64_000_000
SMALL_BODY_BYTES = 64 * 1024
READ_SECONDS = 60  # in this time a client must read the next chunk of a response
# How long the rest of a refused body is read: if the connection is closed meanwhile, a browser does not show the response.
DRAIN_SECONDS = 5

PROXY_HEADERS: Final = {b"x-forwarded-for", b"x-forwarded-proto"}

SENTENCES: Final = {
    400: "Diese Anfrage ist nicht zu verstehen. / This request cannot be understood.",
    408: "Das kam zu langsam an. Bitte noch einmal. / This came too slowly. Please try again.",
    413: "Das ist zu groß. / This is too large.",
    431: "Die Adresse oder ein Kopf der Anfrage ist zu lang. / The address or a header is too long.",
    503: "Gerade ist zu viel los. Bitte gleich noch einmal. / Too much is going on. Please try again soon.",
}

Message = Any  # an ASGI message or scope: a dict whose keys depend on its type
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class RequestRefused(Exception):
    """A request is refused before Django sees it, with this status. `body_follows`: the client may still be sending the body."""

    def __init__(self, status: int, *, body_follows: bool = False) -> None:
        self.status = status
        self.body_follows = body_follows


class ClientGone(Exception):
    """The client has closed the connection."""


class Bounds:
    """The middleware. A running request uses one of THREADS executors, each with one thread and one database connection. The
    headers of proxies are passed on only if the number of trusted `proxies` is above 0."""

    def __init__(self, application: Any, *, proxies: int) -> None:
        self.application = application
        self.proxies = proxies
        self.executors = [ThreadPoolExecutor(1, thread_name_prefix="request") for _ in range(THREADS)]
        self.free = asyncio.Semaphore(THREADS)
        self.waiting = self.waiting_bytes = 0
        # The large incomplete bodies, the oldest first: the timeout of each, and its number of bytes.
        self.bodies: dict[asyncio.Timeout, int] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        try:
            _refuse_bad_head(scope)
            body = await self._read_body(receive, _get_body_limit(scope))
            await self._acquire_slot(receive, len(body))
        except RequestRefused as refused:
            await _refuse(refused, receive, send)
        except ClientGone:
            pass
        else:
            headers = _filter_headers(scope["headers"], length=len(body), proxies=self.proxies)
            await self._respond({**scope, "headers": headers}, body, receive, send)

    async def _read_body(self, receive: Receive, largest: int) -> bytes:
        """Return the body, of at most `largest` bytes. Raise RequestRefused if it is too long or too slow, or ClientGone."""
        body, more, began = bytearray(), True, asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(began + BODY_SECONDS) as limit:
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientGone
                    body += message["body"]
                    more = message["more_body"]
                    if len(body) > largest:
                        raise RequestRefused(413, body_follows=more)
                    limit.reschedule(began + BODY_SECONDS + len(body) / BYTES_PER_SECOND)
                    if more and len(body) > SMALL_BODY_BYTES:
                        self.bodies[limit] = len(body)
                        self._time_out_oldest_bodies()
        except TimeoutError:
            raise RequestRefused(408) from None
        finally:
            self.bodies.pop(limit, None)
        return bytes(body)

    def _time_out_oldest_bodies(self) -> None:
        """Let the oldest incomplete bodies time out until the others fit into MAX_BUFFERED_BYTES."""
        while sum(self.bodies.values()) > MAX_BUFFERED_BYTES:
            oldest = next(iter(self.bodies))
            del self.bodies[oldest]
            oldest.reschedule(0)

    async def _acquire_slot(self, receive: Receive, size: int) -> None:
        """Wait for a slot, with a body of `size` bytes. Raise RequestRefused if too many wait or after WAIT_SECONDS, ClientGone."""
        if not self.free.locked():
            await self.free.acquire()
            return
        if self.waiting >= MAX_WAITING or self.waiting_bytes + size > MAX_BUFFERED_BYTES:
            raise RequestRefused(503)
        self.waiting += 1
        self.waiting_bytes += size
        # The body is complete, so the next message is the disconnect.
        turn, gone = asyncio.ensure_future(self.free.acquire()), asyncio.ensure_future(receive())
        await asyncio.wait({turn, gone}, timeout=WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        self.waiting -= 1
        self.waiting_bytes -= size
        if turn.done() and not gone.done():
            gone.cancel()
            return
        if turn.done():
            self.free.release()
        turn.cancel()
        if gone.done():
            raise ClientGone
        gone.cancel()
        raise RequestRefused(503)

    async def _respond(self, scope: Message, body: bytes, receive: Receive, send: Send) -> None:
        """Let Django answer. The slot is free as soon as the response begins: a slow client must not block it."""
        executor, has_begun = self.executors.pop(), asyncio.Event()
        bodies = [body]

        def free_slot() -> None:
            if not has_begun.is_set():
                has_begun.set()
                self.executors.append(executor)
                self.free.release()

        async def receive_once() -> Message:
            if bodies:
                return {"type": "http.request", "body": bodies.pop(), "more_body": False}
            # Hide a disconnect until the response begins, since Django would cancel the view. A view that has begun must finish.
            await has_begun.wait()
            return await receive()

        async def send_in_time(message: Message) -> None:
            free_slot()
            async with asyncio.timeout(READ_SECONDS):
                await send(message)

        try:
            async with ThreadSensitiveContext(executor=executor):
                await self.application(scope, receive_once, send_in_time)
        except TimeoutError:
            pass  # uvicorn closes a connection whose response is incomplete
        finally:
            free_slot()


def _refuse_bad_head(scope: Message) -> None:
    """Raise RequestRefused if the head is too long, ambiguous about the length, or announces too large a body."""
    names = {name for name, _ in scope["headers"]}
    size = len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(n) + len(v) for n, v in scope["headers"])
    if size > MAX_HEAD_BYTES:
        raise RequestRefused(431, body_follows=True)
    if {b"content-length", b"transfer-encoding"} <= names:
        raise RequestRefused(400, body_follows=True)
    if int(dict(scope["headers"]).get(b"content-length", 0)) > _get_body_limit(scope):
        raise RequestRefused(413, body_follows=True)


def _get_body_limit(scope: Message) -> int:
    return MAX_UPLOAD_BYTES if scope["path"].endswith(WITH_FILES) else MAX_BODY_BYTES


def _filter_headers(headers: Iterable[tuple[bytes, bytes]], *, length: int, proxies: int) -> list[tuple[bytes, bytes]]:
    """Return the headers that Django may see, with the real length; those of a proxy only if one is trusted."""
    # Django turns `-` into `_`, so a name with `_` could replace one with `-`.
    return [
        (name, value)
        for name, value in headers
        if b"_" not in name
        and name not in {b"content-length", b"transfer-encoding", b"forwarded"}
        and (not name.startswith(b"x-forwarded-") or (proxies and name in PROXY_HEADERS))
    ] + [(b"content-length", b"%d" % length)]


async def _refuse(refused: RequestRefused, receive: Receive, send: Send) -> None:
    text = f"{SENTENCES[refused.status]}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(text)),
        (b"content-security-policy", CSP_OF_DATA.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if refused.status == 503:
        headers.append((b"retry-after", b"%d" % RETRY_AFTER))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": True})
    if refused.body_follows:
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while (await receive()).get("more_body"):
                    pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})
