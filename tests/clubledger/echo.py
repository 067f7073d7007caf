"""Decides what stands behind the real server where a test asks about the server alone: pages that say what reached them, and do by
their address what slow or large pages do. Run as a module, it serves until it is stopped."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import django
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, re_path

MEGABYTE = b"x" * 1_000_000


def wait(request: HttpRequest) -> HttpResponse:
    """Say in the log that it waits, until the file `over` is beside it."""
    print("waiting", flush=True)
    while not Path(os.environ["VAR_DIR"]).with_name("over").exists():
        time.sleep(0.01)
    return HttpResponse()


def large(request: HttpRequest, megabytes: int) -> HttpResponse:
    return HttpResponse(MEGABYTE * megabytes)


async def broken(request: HttpRequest) -> HttpResponseBase:
    """Break off after a megabyte, quoting the query."""
    said = request.META["QUERY_STRING"]

    async def pieces() -> AsyncIterator[bytes]:
        yield MEGABYTE
        raise ValueError(said)

    return StreamingHttpResponse(pieces())


async def held(request: HttpRequest, club: str) -> HttpResponseBase:
    """As scoring/table/views/live.py, of any club."""
    from scoring.table.views.live import MAX_STREAMS, streams

    if request.method != "GET" or len(streams) >= MAX_STREAMS:
        return HttpResponse(status=204, content_type="text/event-stream")
    return StreamingHttpResponse(streams.events(club), content_type="text/event-stream")


def told(request: HttpRequest, club: str, change: str) -> HttpResponse:
    from scoring.table.views.live import streams

    streams.send(club, change)
    return HttpResponse()


def echo(request: HttpRequest) -> HttpResponse:
    """What the request is, and its body."""
    said = {name: value for name, value in request.META.items() if isinstance(value, str)}
    body = request.body
    return JsonResponse({**said, "body": len(body), "first": body[:100].decode(errors="replace")})


urlpatterns = [
    path("wait", wait),
    path("large/<int:megabytes>", large),
    path("broken", broken),
    path("held/<str:club>", held),
    path("told/<str:club>/<str:change>", told),
    re_path("", echo),
]


def create() -> object:
    django.setup()
    from django.core.asgi import get_asgi_application

    from clubledger.asgi import stop_before_exit, tune
    from clubledger.server.bounds import Bounds
    from scoring.table.views import live

    settings.ROOT_URLCONF, settings.MIDDLEWARE, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = __name__, [], None
    stop_before_exit(live.stop)
    tune()
    return Bounds(get_asgi_application(), proxies=int(os.environ["PROXIES"]))


if __name__ == "__main__":
    os.environ |= {"DJANGO_SETTINGS_MODULE": "clubledger.settings", "PROXIES": sys.argv[1]}
    django.setup()
    from clubledger.serve import bind_listener, serve

    listener = bind_listener("127.0.0.1", int(os.environ["PORT"]))
    print("listening", flush=True)
    serve("tests.clubledger.echo:create", listener)
