"""The ASGI application, as uvicorn makes it in each process of the server (`create`)."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from types import FrameType

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
# Seconds until a process notices that the one that started it is gone.
ORPHAN = 1.0


def create() -> object:
    """Set up Django in this process and return its application. Called by uvicorn in the main thread, inside the running loop."""
    django.setup()
    from django.conf import settings
    from django.core.asgi import get_asgi_application

    from clubledger import tidying
    from clubledger.checks import refuse_newer, refuse_unsafe
    from clubledger.server.bounds import Bounds
    from clubledger.server.occupied import hold

    refuse_unsafe()
    with ThreadPoolExecutor(1) as apart:  # Django asks no database in the thread of a loop
        apart.submit(refuse_newer).result()
    hold(settings.VAR, alone=False)  # as long as this process lives
    tidying.begin()
    live = import_module(settings.STREAMS)
    live.listen()
    stop_before_exit(live.stop)
    if settings.WORKERS > 1:
        stop_with_parent()
    tune()
    return Bounds(get_asgi_application(), proxies=settings.TRUSTED_PROXIES)


def stop_before_exit(stop: Callable[[], object]) -> None:
    """Call `stop` at SIGINT and SIGTERM, before uvicorn waits for the responses that are open: it tells no application."""
    for number in (signal.SIGINT, signal.SIGTERM):
        then = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, then: object = then) -> None:
            stop()
            if callable(then):
                then(number, frame)

        signal.signal(number, handle)


def stop_with_parent() -> None:
    """End this process when the one that started it is gone: uvicorn's supervisor cannot end it when it was killed itself."""
    parent, loop = os.getppid(), asyncio.get_running_loop()

    def look() -> None:
        if os.getppid() == parent:
            loop.call_later(ORPHAN, look)
        else:
            signal.raise_signal(signal.SIGTERM)

    look()


def tune() -> None:
    """Let threads take turns sooner, and give memory back.

    Python lets a thread that computes go on for 5 ms. A request changes threads several times: beside a long file, saving a game
    would take seconds. glibc keeps the memory of a large request, in each thread."""
    sys.setswitchinterval(0.0005)
    trim_threshold, mmap_threshold, large = -1, -3, 256 * 1024
    with suppress(OSError, AttributeError):
        for what in (trim_threshold, mmap_threshold):
            ctypes.CDLL(None).mallopt(what, large)
