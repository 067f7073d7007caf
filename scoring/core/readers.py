"""Run the readers of uploaded files as processes of their own. They import this module, so it must not import Django."""

from __future__ import annotations

import json
import resource
import subprocess  # nosec B404  # our own readers
import sys
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[2]


class ReaderFailed(Exception):
    """The reader gave no answer: it failed, took too long or needed too much memory."""


def run_reader(reader: str, data: bytes, *args: str, seconds: int) -> Any:
    """Return the answer (JSON) of the module `reader`, within `seconds` and without our environment. Raise ReaderFailed."""
    command = [sys.executable, "-m", reader, *args]
    try:
        result = subprocess.run(  # nosec B603  # no argument comes from a request
            command, input=data, capture_output=True, cwd=_ROOT, env={}, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise ReaderFailed from error
    if result.returncode:
        raise ReaderFailed
    return json.loads(result.stdout)


def limit_process(*, seconds: int, memory: int) -> None:
    """Limit this process to `seconds` of CPU time, counted from its start, and to `memory` bytes of data."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
