"""Decides what stands behind the real server where a test asks about the server alone: an application that says what reached it,
and does by its address what slow or large pages do. Run as a module, it serves until it is stopped."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import django

from clubledger.serve import opened_door, serve
from clubledger.server.front import Front

MEGABYTE = b"x" * 1_000_000


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
    """/wait says in the log that it waits, until the file `over` is beside it; /large/20 says twenty megabytes, /whole/20 in one
    piece, /broken breaks off after one, quoting its query; /held/felt is held open for news of the felt, which /told/felt/7
    brings as number 7; anything else says what the environ is and what the body is."""
    _, what, *number = environ["PATH_INFO"].split("/")
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    if what == "wait":
        print("waiting", flush=True)
        while not Path(os.environ["VAR_DIR"]).with_name("over").exists():
            time.sleep(0.01)
    if what in {"large", "whole"}:
        start_response("200 OK", [])
        yield from [MEGABYTE] * int(number[0]) if what == "large" else [MEGABYTE * int(number[0])]
    elif what == "held":
        start_response("204 No Content", [("Content-Type", "text/event-stream"), ("Content-Length", "0"), ("Held-For", number[0])])
    elif what == "broken":
        start_response("200 OK", [])
        yield MEGABYTE
        raise ValueError(environ["QUERY_STRING"])
    else:
        if what == "told":
            front.held.tell(*number)
        said = {name: value for name, value in environ.items() if isinstance(value, str)}
        start_response("200 OK", [("Content-Type", "application/json")])
        yield json.dumps({**said, "body": len(body), "first": body[:100].decode(errors="replace")}).encode()


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubledger.settings"
    django.setup()
    front = Front(application, proxies=int(sys.argv[1]))
    door = opened_door("127.0.0.1", int(os.environ["PORT"]))
    print("listening", flush=True)
    serve(front, door)
