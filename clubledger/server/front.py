"""Decides what must be true before a request gets a thread: headers that only a proxy may set are removed, the body has
arrived as a whole, and a thread is free or will be soon. Answers for slow readers wait here, without a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from a2wsgi import WSGIMiddleware

from clubledger.server.connection import Connection
from clubledger.server.held import HeldAnswers
from clubledger.web.headers import CSP_OF_DATA
from clubledger.web.overload import COME_AGAIN

# So many requests are worked on at once, and so many more may wait for that, for so many seconds.
THREADS, WAITING, PATIENCE = 12, 300, 20
# Bytes: no page takes more in its head, or in its body; where files are brought along a larger one is told so by the page.
LARGEST_HEAD, LARGEST_BODY, LARGEST_FILE = 16 * 1024, 2_700_000, 16_000_000
WITH_FILES: Final = ("/archives/", "/imports/")
# A body has so many seconds, and one more for each so many bytes that have arrived.
BODY, BYTES_PER_SECOND = 20, 50_000
# Whoever sends too much is listened to for so many seconds more: cut off at once, a browser shows no answer.
FAREWELL = 5
# A slow reader takes an answer in pieces of so many bytes, each with its own limit.
PIECE = 64 * 1024

FROM_PROXY: Final = {b"x-forwarded-for", b"x-forwarded-proto"}

SENTENCES: Final = {
    400: "Diese Anfrage ist nicht zu verstehen. / This request cannot be understood.",
    408: "Das kam zu langsam an. Bitte noch einmal. / This came too slowly. Please try again.",
    413: "Das ist zu groß. / This is too large.",
    431: "Die Adresse oder ein Kopf der Anfrage ist zu lang. / The address or a header is too long.",
    503: "Gerade ist zu viel los. Bitte gleich noch einmal. / Too much is going on. Please try again soon.",
}

Message = Any  # an ASGI message or scope: a dict whose keys depend on its type


class TurnedAway(Exception):
    """A request that no thread is spent on: the status of the answer, and whether its body is still coming."""

    def __init__(self, status: int, *, is_coming: bool = False) -> None:
        self.status = status
        self.is_coming = is_coming


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class Front:
    """The ASGI application in front of a WSGI application. `proxies`: as TRUSTED_PROXIES."""

    def __init__(self, application: Any, *, proxies: int) -> None:
        self.application = WSGIMiddleware(application, workers=THREADS)
        self.proxies = proxies
        self.free = asyncio.Semaphore(THREADS)
        self.waiting = 0
        self.held = HeldAnswers()

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        connection: Connection = scope["state"]["connection"]
        try:
            _refuse_bad_head(scope)
            body = await _whole_body(receive, connection, _largest(scope))
            await self._take_thread(receive)
        except TurnedAway as refused:
            await _refuse(refused, receive, send)
        except ClientGone:
            pass
        else:
            headers = _believed(scope["headers"], length=len(body), proxies=self.proxies)
            await self._answer({**scope, "headers": headers}, body, connection, receive, send)

    async def _take_thread(self, receive: Any) -> None:
        """Wait until one is free. Raises TurnedAway, and ClientGone: what nobody waits for is not even begun."""
        if not self.free.locked():
            await self.free.acquire()
            return
        if self.waiting >= WAITING:
            raise TurnedAway(503)
        self.waiting += 1
        turn, gone = asyncio.create_task(self.free.acquire()), asyncio.create_task(receive())
        await asyncio.wait({turn, gone}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        self.waiting -= 1
        if turn.done() and not gone.done():
            gone.cancel()
            return
        if turn.done():
            self.free.release()
        turn.cancel()
        if gone.done():
            raise ClientGone
        gone.cancel()
        raise TurnedAway(503)

    async def _answer(self, scope: Message, body: bytes, connection: Connection, receive: Any, send: Any) -> None:
        """Let a thread answer, and give it back as soon as it is done, however slowly the answer is taken, or long it is held."""
        said: asyncio.Queue[Message] = asyncio.Queue()
        # Handed on and let go of: what the application leaves behind is a circle of objects, which Python finds much later.
        bodies = [body]

        async def whole() -> Message:
            return {"type": "http.request", "body": bodies.pop() if bodies else b"", "more_body": False}

        async def keep(message: Message) -> None:
            connection.hold(len(message.get("body", b"")))
            said.put_nowait(message)

        async def work() -> None:
            try:
                await self.application(scope, whole, keep)
            finally:
                self.free.release()
                said.put_nowait(None)

        topic = None
        working = asyncio.create_task(work())
        while (message := await said.get()) is not None:
            if message["type"] == "http.response.start":
                topic, message = self.held.begun(message, scope["method"])
            # What is held has said nothing yet.
            for piece in _pieces(message) if topic is None or "body" not in message else ():
                await send(piece)
            connection.held -= len(message.get("body", b""))
        connection.held -= len(body)
        bodies.clear()
        await working
        if topic is not None:
            await self.held.hold(topic, connection, receive, send)


def _refuse_bad_head(scope: Message) -> None:
    """Raises TurnedAway for a head that is too long, or says in two ways how long its body is."""
    names = {name for name, _ in scope["headers"]}
    size = len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(n) + len(v) for n, v in scope["headers"])
    if size > LARGEST_HEAD:
        raise TurnedAway(431, is_coming=True)
    if {b"content-length", b"transfer-encoding"} <= names:
        raise TurnedAway(400, is_coming=True)
    if int(dict(scope["headers"]).get(b"content-length", 0)) > _largest(scope):
        raise TurnedAway(413, is_coming=True)


def _largest(scope: Message) -> int:
    """How many bytes the body of a request to this address may have."""
    return LARGEST_FILE if scope["path"].endswith(WITH_FILES) else LARGEST_BODY


async def _whole_body(receive: Any, connection: Connection, largest: int) -> bytes:
    """The body of a request once all of it is there, of so many bytes at most, counted at its connection. Raises TurnedAway and
    ClientGone: that ends the connection, and with it what it holds."""
    body, more, began = bytearray(), True, asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(began + BODY) as limit:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                connection.hold(len(message["body"]))
                body += message["body"]
                more = message["more_body"]
                if len(body) > largest:
                    raise TurnedAway(413, is_coming=more)
                limit.reschedule(began + BODY + len(body) / BYTES_PER_SECOND)
    except TimeoutError:
        raise TurnedAway(408) from None
    return bytes(body)


def _believed(headers: Iterable[tuple[bytes, bytes]], *, length: int, proxies: int) -> list[tuple[bytes, bytes]]:
    """The headers of a client as the application may see them. WSGI turns a dash into an underscore, so a name with an
    underscore could pass for another header and is dropped. The headers of a proxy are believed only where there is a
    proxy. The length of the body is the real one."""
    return [
        (name, value)
        for name, value in headers
        if b"_" not in name
        and name not in {b"content-length", b"transfer-encoding", b"forwarded"}
        and (not name.startswith(b"x-forwarded-") or (proxies and name in FROM_PROXY))
    ] + [(b"content-length", b"%d" % length)]


async def _refuse(refused: TurnedAway, receive: Any, send: Any) -> None:
    """Say why, and close."""
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
        headers.append((b"retry-after", b"%d" % COME_AGAIN))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": True})
    if refused.is_coming:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while (await receive()).get("more_body"):
                    pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _pieces(message: Message) -> Iterable[Message]:
    """The same in messages that are sent one after the other, each as soon as most of the one before was taken."""
    body = message.get("body", b"")
    if len(body) <= PIECE:
        return [message]
    return [{**message, "body": body[at : at + PIECE], "more_body": True} for at in range(0, len(body), PIECE)] + [
        {**message, "body": b""}
    ]
