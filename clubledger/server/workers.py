"""Decides how several processes work as one server. They share one listening socket. A process that ends by itself is
replaced. All of them finish their requests when the server stops, or when the process that started them is gone. They
exchange nothing else: what a request needs is in the database or is the lock of a file."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

logger = logging.getLogger(__name__)

_STOP: Final = {signal.SIGINT, signal.SIGTERM}
# Seconds before another one begins: one that cannot live ends again at once.
PAUSE: Final = 1.0


def keep(count: int, work: Callable[[int, int], object]) -> None:
    """So many processes, until SIGINT or SIGTERM, and until the last one has ended. Each gets its number, and the end of a pipe
    that can be read when it is to stop. Nothing here runs in a thread: a process is made of whatever this one is."""
    heard = {*_STOP, signal.SIGCHLD}
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    over, kept = os.pipe()
    numbers: dict[int, int] = {}

    def begin(number: int) -> None:
        if pid := os.fork():
            numbers[pid] = number
            return
        os.close(kept)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for stop in _STOP:
            signal.signal(stop, signal.SIG_IGN)  # until the server can finish what has begun
        signal.pthread_sigmask(signal.SIG_UNBLOCK, heard)
        try:
            work(number, over)
        except Exception:
            logger.exception("A process of the server could not begin.")
        finally:
            os._exit(1)

    for number in range(count):
        begin(number)
    while signal.sigwait(heard) not in _STOP:
        for pid in _ended():
            logger.error("A process of the server has ended by itself: another one takes its place.")
            time.sleep(PAUSE)
            begin(numbers.pop(pid))
    os.close(kept)
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _ended() -> Iterator[int]:
    with suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            yield pid
