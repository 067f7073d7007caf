"""Pages and data are compressed as browsers take it, and how long they are tells nobody what is in them."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from clubledger.web.compression import Compression, compressed

TEXT = b"Spiel 17: Re gewinnt mit 153 Augen. " * 40


def answer(accepts: str, **more: str) -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(more.pop("content", TEXT), headers=more)

    return Compression(view)(RequestFactory().get("/", headers={"accept-encoding": accepts}))


@pytest.mark.parametrize(
    ("accepts", "encoding", "read"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gzip.decompress),
        ("zebra", None, bytes),
    ],
)
def test_a_browser_gets_what_it_can_read(accepts: str, encoding: str | None, read: Callable[[bytes], bytes]) -> None:
    response = answer(accepts, ETag='"7"')
    assert response.headers.get("Content-Encoding") == encoding
    assert read(response.content) == TEXT
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["ETag"] == ('W/"7"' if encoding else '"7"')
    if encoding:
        assert response.headers["Content-Length"] == str(len(response.content))


def test_what_is_short_or_compressed_stays_as_it_is() -> None:
    assert answer("br", content="kurz").content == b"kurz"
    assert answer("br", **{"Content-Encoding": "identity"}).content == TEXT


@pytest.mark.parametrize("padding", [0, 1, 2, 57, 100])
def test_what_is_skipped_is_read_by_nobody(padding: int) -> None:
    assert brotli.decompress(compressed(TEXT, padding)) == TEXT
    assert len(compressed(TEXT, padding)) == len(compressed(TEXT, 0)) + padding + (2 if padding else 0)


def test_data_that_answers_what_our_own_pages_sent_is_as_long_as_it_is() -> None:
    def lengths(method: str, kind: str) -> set[int]:
        asks = RequestFactory().generic(method, "/", headers={"accept-encoding": "br"})
        pack = Compression(lambda request: HttpResponse(TEXT, content_type=kind))
        return {len(pack(asks).content) for _ in range(50)}

    assert lengths("POST", "application/json") == {len(compressed(TEXT, 0))}
    assert len(lengths("GET", "application/json")) > 1
    assert len(lengths("POST", "text/html")) > 1


def test_how_long_an_answer_is_is_a_matter_of_chance() -> None:
    shortest = len(compressed(TEXT, 0))
    lengths = {len(answer("br").content) for _ in range(400)}
    assert len(lengths) > 60
    assert shortest <= min(lengths) and max(lengths) <= shortest + 102
