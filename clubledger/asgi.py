"""Create the ASGI application; uvicorn calls `create` in each process of the server."""

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
ORPHAN = 1.0  # seconds between two checks whether the parent process still runs


def create() -> object:
    """Set up Django in this process and return its application. Called by uvicorn in the main thread, inside the running loop."""
    django.setup()
    from django.conf import settings
    from django.core.asgi import get_asgi_application

    from clubledger import tidying
    from clubledger.checks import refuse_newer, refuse_unsafe
    from clubledger.private import hold
    from clubledger.server.bounds import Bounds

    refuse_unsafe()
    with ThreadPoolExecutor(1) as apart:  # Django refuses database queries in a thread with a running loop
        apart.submit(refuse_newer).result()
    hold(settings.VAR, alone=False)  # until this process ends
    tidying.begin()
    live = import_module(settings.STREAMS)
    live.listen()
    stop_before_exit(live.stop)
    if settings.WORKERS > 1:
        stop_with_parent()
    tune()
    return Bounds(get_asgi_application(), proxies=settings.TRUSTED_PROXIES)


def stop_before_exit(stop: Callable[[], object]) -> None:
    """Call `stop` at SIGINT and SIGTERM, before uvicorn waits for the open responses; it does not notify applications."""
    for number in (signal.SIGINT, signal.SIGTERM):
        then = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, then: object = then) -> None:
            stop()
            if callable(then):
                then(number, frame)

        signal.signal(number, handle)


def stop_with_parent() -> None:
    """End this process when its parent is gone. A killed supervisor of uvicorn cannot end its processes itself."""
    parent, loop = os.getppid(), asyncio.get_running_loop()

    def look() -> None:
        if os.getppid() == parent:
            loop.call_later(ORPHAN, look)
        else:
            signal.raise_signal(signal.SIGTERM)

    look()


def tune() -> None:
    """Switch threads after 0.5 ms instead of 5: saving a game must not wait for a large file. Let glibc return freed memory."""
    sys.setswitchinterval(0.0005)
    trim_threshold, mmap_threshold, large = -1, -3, 256 * 1024
    with suppress(OSError, AttributeError):
        for what in (trim_threshold, mmap_threshold):
            ctypes.CDLL(None).mallopt(what, large)
