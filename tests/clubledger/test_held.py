"""Answers that are held open until something is new: they cost no thread, hear what concerns them alone, and end when it is
time. Against the real server, in front of the echo."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from clubledger.server.bounds import THREADS
from scoring.table.views.live import BEAT, BEAT_SECONDS, MAX_STREAMS
from tests.server import PATIENCE, TOO_LONG, echo, heard, proxied


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("held")


@pytest.fixture(scope="module")
def port(place: Path) -> Iterator[int]:
    with echo(place) as (_, port):
        yield port


@pytest.fixture
def phones() -> Iterator[ExitStack]:
    with ExitStack() as open_lines:
        yield open_lines


def ask(phones: ExitStack, port: int, address: str, method: str = "GET") -> HTTPResponse:
    line = phones.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)))
    line.request(method, address)
    return phones.enter_context(line.getresponse())


def held(phones: ExitStack, port: int, topic: str) -> HTTPResponse:
    """The connection of a quiet phone, which has heard that it is held."""
    answer = ask(phones, port, f"/held/{topic}")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.read(len(BEAT)) == BEAT
    return answer


def test_news_reach_those_whom_they_concern(phones: ExitStack, port: int) -> None:
    one, other, elsewhere = (held(phones, port, topic) for topic in ("felt", "felt", "cellar"))
    assert ask(phones, port, "/told/felt/7").status == 200
    assert heard(one) == heard(other) == b"data:7\n\n"
    ask(phones, port, "/told/cellar/8")
    assert heard(elsewhere) == b"data:8\n\n", "and nothing before it"
    for number in (9, 10):
        ask(phones, port, f"/told/felt/{number}")
    assert [heard(one), heard(one)] == [b"data:9\n\n", b"data:10\n\n"], "each of them"


def test_whoever_is_held_hears_that_there_is_a_net(phones: ExitStack, port: int) -> None:
    """In time for a phone that says within three seconds that there is none: what a busy machine delays, the next one is not."""
    gaps: list[float] = []
    answer = held(phones, port, "felt")
    for _ in range(10):
        began = time.monotonic()
        assert answer.read(len(BEAT)) == BEAT
        gaps.append(time.monotonic() - began)
        if BEAT_SECONDS - 0.5 < gaps[-1] < 3:
            return
    raise AssertionError(gaps)


def test_only_get_is_held(phones: ExitStack, port: int) -> None:
    for method in ("HEAD", "POST"):
        answer = ask(phones, port, "/held/felt", method)
        assert (answer.status, answer.read()) == (204, b"")


def test_held_answers_cost_no_thread_and_have_places_of_their_own(phones: ExitStack, tmp_path: Path) -> None:
    with echo(tmp_path) as (_, port):
        with ExitStack() as crowd:
            for number in range(MAX_STREAMS):
                held(crowd, port, f"table-{number % 40}")
            assert MAX_STREAMS > THREADS
            assert ask(phones, port, "/told/table-7").status == 200, "everybody else is answered"
            assert ask(phones, port, "/held/felt").status == 204, "one too many asks every moment instead"
        give_up = time.monotonic() + PATIENCE
        while ask(phones, port, "/held/felt").status == 204:
            assert time.monotonic() < give_up, "whoever has gone leaves the place"


def test_the_server_stops_at_once(phones: ExitStack, tmp_path: Path) -> None:
    with echo(tmp_path) as (server, port):
        answer = held(phones, port, "felt")
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0
        assert TOO_LONG not in (tmp_path / "log").read_text(), "it did not wait the ten seconds that what has begun is given"
        answer.read()  # to its end


def test_news_come_through_the_proxy_at_once(port: int, tmp_path: Path) -> None:
    with proxied(port, tmp_path) as outside, ExitStack() as phones:
        answer = held(phones, outside, "felt")
        ask(phones, outside, "/told/felt/7")
        assert heard(answer) == b"data:7\n\n"
