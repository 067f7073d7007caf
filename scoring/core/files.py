"""Hand out a file, and read an uploaded one in a process of its own. Whatever an uploaded file does to its reader ends with that
process, and leaves no memory behind in the server."""

from __future__ import annotations

import json
import resource
import subprocess  # nosec B404  # our own readers
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.text import slugify

from .text import build_file_name

_ROOT: Final = Path(__file__).resolve().parents[2]


class ReaderFailed(Exception):
    """A reader that came to no answer: it took too long or too much."""


def run_reader(reader: str, data: bytes, *words: str, seconds: int) -> Any:
    """What the module `reader`, started anew and knowing no secret of ours, answers in JSON to these bytes on its standard
    input. `seconds` are of the clock on the wall: one that does not get its share of a core is given up. Raises GaveUp."""
    command = [sys.executable, "-m", reader, *words]
    try:
        done = subprocess.run(  # nosec B603  # no word of it comes from elsewhere
            command, input=data, capture_output=True, cwd=_ROOT, env={}, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise ReaderFailed from error
    if done.returncode:
        raise ReaderFailed
    return json.loads(done.stdout)


def limit_process(*, seconds: int, memory: int) -> None:
    """From now on this process ends after so many seconds of a core, counted from its start, or when it wants more bytes
    than that."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def attachment(body: bytes, content_type: str, ending: str, *name: str) -> HttpResponse:
    """A download under a name of letters, digits and hyphens; in plain ASCII for whoever knows nothing else."""
    response = HttpResponse(body, content_type=content_type)
    words = " ".join(name)
    plain, full = build_file_name(words), quote(slugify(words, allow_unicode=True))
    response["Content-Disposition"] = f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{full}.{ending}"
    return response
