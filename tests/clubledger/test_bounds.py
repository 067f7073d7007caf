"""What the server does with a request before any page is asked, and with an answer after it: nothing a client claims is
believed, nothing it does slowly costs a thread, and what has begun is finished."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPMessage, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import Any

import pytest

from clubledger.server.bounds import (
    MAX_BODY_BYTES,
    MAX_BUFFERED_BYTES,
    MAX_UPLOAD_BYTES,
    MAX_WAITING,
    READ_SECONDS,
    THREADS,
)
from tests.effort import in_soak
from tests.server import PATIENCE, TOO_LONG, echo, proxied

# A client from elsewhere, as far as a machine has one.
ELSEWHERE = "127.0.0.2"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("echo")


@pytest.fixture(scope="module")
def port(place: Path) -> Iterator[int]:
    with echo(place) as (_, port):
        yield port


def line(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE, (ELSEWHERE, 0))


def told(end: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    pieces = []
    while piece := end.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)


def raw(port: int, request: str | bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the last answer to these bytes, after which the server must hang up."""
    with line(port) as end:
        end.sendall(request.encode() if isinstance(request, str) else request)
        head, _, body = told(end).partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return int(first.split()[1]), dict(row.lower().split(": ", 1) for row in rest), body


def reached(port: int, *headers: str) -> dict[str, Any]:
    """The environ of a request with these headers."""
    lines = ["GET /a/b?q=c HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
    status, _, body = raw(port, "\r\n".join(lines))
    assert status == 200
    found: dict[str, Any] = json.loads(body.split(b"\r\n")[1])
    return found


# --- What is believed -----------------------------------------------------------------------------------------------


def test_nothing_that_only_a_server_may_say_is_taken_from_a_client(port: int) -> None:
    plain = reached(port)
    claims = [
        "SCRIPT_NAME",
        "PATH_INFO",
        "REMOTE_USER",
        "REMOTE_ADDR",
        "CONTENT_LENGTH",
        "X_Forwarded_For",
        "X_CSRFToken",
    ]
    forwarded = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port", "Forwarded"]
    said = reached(port, *(f"{name}: /a" for name in [*claims, *forwarded]))
    assert said == plain
    assert (said["SCRIPT_NAME"], said["PATH_INFO"], said["REMOTE_ADDR"]) == ("", "/a/b", ELSEWHERE)


def test_a_trusted_proxy_says_where_a_request_came_from_and_nothing_else(tmp_path: Path) -> None:
    with echo(tmp_path, proxies=1) as (_, port):
        said = reached(
            port,
            "X-Forwarded-For: 192.0.2.1",
            "X-Forwarded-For: 203.0.113.5",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: evil",
        )
        assert said["HTTP_X_FORWARDED_FOR"] == "192.0.2.1,203.0.113.5"
        assert said["HTTP_X_FORWARDED_PROTO"] == "https"
        assert "HTTP_X_FORWARDED_HOST" not in said
        assert said["REMOTE_ADDR"] == ELSEWHERE
        assert "HTTP_X_FORWARDED_FOR" not in reached(port, "X_Forwarded_For: 203.0.113.5")


@pytest.mark.parametrize(
    "lengths",
    [
        ["Content-Length: 4", "Content-Length: 5"],
        ["Content-Length: 4", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        ["Transfer-Encoding: gzip"],
        ["Content-Length: -1"],
        ["Content-Length: +4"],
        ["Content-Length : 4"],
    ],
)
def test_a_body_with_two_lengths_is_refused(port: int, lengths: list[str]) -> None:
    status, headers, _ = raw(
        port, "\r\n".join(["POST / HTTP/1.1", "Host: localhost", *lengths, "", "0\r\n\r\nGET / HTTP/1.1"])
    )
    assert status == 400
    assert headers["connection"] == "close"


@pytest.mark.parametrize(
    "request_",
    [
        "\x00\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n",
        "\x16\x03\x01" * 9 + "\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(port: int, request_: str) -> None:
    assert raw(port, request_)[0] == 400


def test_a_head_has_its_bounds(port: int) -> None:
    for long in (
        "GET /" + "a" * 20_000 + " HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a" * 20_000 + "\r\n\r\n",
    ):
        assert raw(port, long)[0] == 431


def test_nobody_is_told_what_the_server_is(port: int) -> None:
    _, headers, _ = raw(port, "GET / HTTP/1.0\r\n\r\n")
    assert "server" not in headers
    assert "date" in headers


# --- How a request may come -----------------------------------------------------------------------------------------


def test_http_1_0_is_answered_and_the_line_closed(port: int) -> None:
    status, _, body = raw(port, "GET /old HTTP/1.0\r\n\r\n")
    assert (status, json.loads(body)["PATH_INFO"]) == (200, "/old")


def test_a_body_in_chunks_has_a_length(port: int) -> None:
    chunks = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
    head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    said = json.loads(raw(port, head + chunks)[2].split(b"\r\n")[1])
    assert (said["CONTENT_LENGTH"], said["first"]) == ("5", "abcde")


def test_requests_that_come_at_once_are_answered_in_their_order(port: int) -> None:
    one = "POST /{} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
    with line(port) as end:
        end.sendall(
            (
                one.format("one") + one.format("two") + "GET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            ).encode()
        )
        said = told(end)
    assert said.count(b"HTTP/1.1 200") == 3
    assert -1 < said.find(b'"/one"') < said.find(b'"/two"') < said.find(b'"/three"')


def test_head_says_what_get_would_and_no_more(port: int) -> None:
    status, headers, body = raw(port, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert (status, headers["content-type"], body) == (200, "application/json", b"")


def test_who_asks_first_whether_to_send_is_told(port: int) -> None:
    with line(port) as end:
        end.sendall(
            b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        assert end.recv(100).startswith(b"HTTP/1.1 100")
        end.sendall(b"ab")
        assert b'"body": 2' in told(end)
    with line(port) as end:
        end.sendall(
            f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {MAX_BODY_BYTES + 1}\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert end.recv(100).startswith(b"HTTP/1.1 413")


def sent(port: int, body: bytes, *, in_chunks: bool = False, to: str = "/") -> tuple[HTTPMessage, int, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as caller:
        caller.request("POST", to, iter([body]) if in_chunks else body)
        answer = caller.getresponse()
        return answer.headers, answer.status, answer.read().decode()


@pytest.mark.parametrize("in_chunks", [in_soak(False), True])
@pytest.mark.parametrize(("to", "size"), [("/login/", MAX_BODY_BYTES), ("/archives/", MAX_UPLOAD_BYTES)])
def test_the_largest_body_is_taken_and_a_larger_one_is_not(port: int, in_chunks: bool, to: str, size: int) -> None:
    largest = b"x" * size
    _, status, said = sent(port, largest, in_chunks=in_chunks, to=to)
    assert (status, json.loads(said)["body"]) == (200, size)
    headers, status, said = sent(port, largest + b"x", in_chunks=in_chunks, to=to)
    assert status == 413
    assert "zu groß" in said
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


# --- Threads ----------------------------------------------------------------------------------------------------------


def asked(port: int, address: str) -> HTTPResponse:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as caller:
        caller.request("GET", address)
        answer = caller.getresponse()
        answer.read()
        return answer


def ask_to_wait(port: int, place: Path, lines: ExitStack, count: int) -> list[socket.socket]:
    """So many requests that each have a thread of the echo at `place`, until `over` is there."""
    ends = [lines.enter_context(line(port)) for _ in range(count)]
    for end in ends:
        end.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    give_up = time.monotonic() + PATIENCE
    while waited(place) < count:
        assert time.monotonic() < give_up
        time.sleep(0.01)
    return ends


def waited(place: Path) -> int:
    """How many such requests have had a thread."""
    return (place / "log").read_text().count("waiting")


def test_more_than_may_wait_are_told_when_to_come_again(tmp_path: Path) -> None:
    """Those before them wait on: they would be told so as well, but later."""
    with echo(tmp_path) as (server, port), ExitStack() as lines:
        idle = count_threads(server)
        ask_to_wait(port, tmp_path, lines, THREADS)
        assert count_threads(server) == idle + THREADS
        waiting = [lines.enter_context(line(port)) for _ in range(MAX_WAITING)]
        for end in waiting:
            end.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = asked(port, "/")
        assert (answer.status, answer.headers["Retry-After"], answer.headers["Connection"]) == (503, "2", "close")
        assert count_threads(server) == idle + THREADS
        (tmp_path / "over").touch()
        assert {told(end)[:12] for end in waiting} == {b"HTTP/1.1 200"}
        assert asked(port, "/").status == 200


def test_who_has_gone_before_its_turn_costs_no_thread(tmp_path: Path) -> None:
    with echo(tmp_path) as (_, port), ExitStack() as lines:
        ask_to_wait(port, tmp_path, lines, THREADS)
        for _ in range(MAX_WAITING - 10):
            with line(port) as gone:
                gone.sendall(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
                gone.shutdown(socket.SHUT_WR)
                assert told(gone) == b"", "the server knows"
        (tmp_path / "over").touch()
        assert asked(port, "/").status == 200, "behind all of them"
        assert waited(tmp_path) == THREADS


def test_who_reads_slowly_holds_no_thread_and_little_memory(tmp_path: Path) -> None:
    with echo(tmp_path) as (server, port), ExitStack() as lines:
        for _ in range(THREADS + 3):
            lines.enter_context(line(port)).sendall(b"GET /large/10 HTTP/1.1\r\nHost: a\r\n\r\n")
        assert asked(port, "/").status == 200
        with ThreadPoolExecutor(4) as pool:
            assert [answer.status for answer in pool.map(lambda _: asked(port, "/large/5"), range(8))] == [200] * 8
        # What begins at once may be there as a whole before anything is known of its reader.
        assert memory(server) < 500_000_000


def memory(server: subprocess.Popen[bytes]) -> int:
    """Bytes that the server has in memory."""
    return 1024 * read_status(server, "VmRSS")


def count_threads(server: subprocess.Popen[bytes]) -> int:
    return read_status(server, "Threads")


def read_status(server: subprocess.Popen[bytes], name: str) -> int:
    """Return a number that Linux keeps of the process."""
    return int(Path(f"/proc/{server.pid}/status").read_text().split(f"{name}:")[1].split()[0])


def test_bodies_that_do_not_come_to_an_end_hold_little_memory(tmp_path: Path) -> None:
    head = b"POST /archives/ HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % MAX_UPLOAD_BYTES
    with echo(tmp_path) as (server, port), ExitStack() as lines:
        before = memory(server)
        for _ in range(20):
            with suppress(OSError):
                lines.enter_context(line(port)).sendall(head + b"x" * (MAX_UPLOAD_BYTES - 1))
        assert asked(port, "/").status == 200
        assert sent(port, b"x" * 2_000_000)[1] == 200
        assert memory(server) - before < 3 * MAX_BUFFERED_BYTES


def test_whole_bodies_that_wait_hold_little_memory(tmp_path: Path) -> None:
    head = b"POST /archives/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % MAX_UPLOAD_BYTES
    with echo(tmp_path) as (server, port), ExitStack() as lines:
        ask_to_wait(port, tmp_path, lines, THREADS)
        before, fitting = memory(server), MAX_BUFFERED_BYTES // MAX_UPLOAD_BYTES
        uploads = [lines.enter_context(line(port)) for _ in range(2 * fitting)]
        for end in uploads:
            end.sendall(head + b"x" * MAX_UPLOAD_BYTES)
        assert {told(end)[:12] for end in uploads[fitting:]} == {b"HTTP/1.1 503"}
        assert memory(server) - before < 3 * MAX_BUFFERED_BYTES
        (tmp_path / "over").touch()
        assert {told(end)[:12] for end in uploads[:fitting]} == {b"HTTP/1.1 200"}


@pytest.mark.soak
def test_who_takes_nothing_is_cut_off_and_is_no_fault_of_the_server(tmp_path: Path) -> None:
    with echo(tmp_path) as (_, port), line(port) as end:
        end.sendall(b"GET /large/20 HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(READ_SECONDS + 5)
        assert len(told(end)) < 20_000_000
        assert "ERROR" not in (tmp_path / "log").read_text()


@pytest.mark.soak
def test_the_memory_of_large_bodies_is_given_back(tmp_path: Path) -> None:
    with echo(tmp_path) as (server, port):
        sent(port, b"x" * MAX_UPLOAD_BYTES, to="/archives/")
        before = memory(server)
        with ThreadPoolExecutor(4) as pool:
            taken = pool.map(lambda _: sent(port, b"x" * MAX_UPLOAD_BYTES, to="/archives/")[1], range(20))
            assert list(taken) == [200] * 20
        # Django keeps a request in a cycle, which Python frees some requests later.
        assert any(sent(port, b"x") and memory(server) - before < 60_000_000 for _ in range(200))


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(port: int, place: Path) -> None:
    with pytest.raises(IncompleteRead):
        asked(port, "/broken?q=Schmidt")
    said = (place / "log").read_text()
    assert "ValueError" in said
    assert "Schmidt" not in said


# --- Connections ------------------------------------------------------------------------------------------------------


def test_the_proxy_does_not_write_down_who_asked_in_vain(tmp_path: Path) -> None:
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not here")
    with echo(tmp_path) as (server, site), proxied(site, tmp_path) as port:
        server.kill()
        server.wait()
        assert raw(port, "GET /t/secret/?q=schmidt HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")[0] == 502
        said = (tmp_path / "caddy.log").read_text()
    for name in ("schmidt", "secret", ELSEWHERE):
        assert name not in said


# --- Stopping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_has_begun_is_finished(tmp_path: Path, number: signal.Signals) -> None:
    with echo(tmp_path) as (server, port), line(port) as idle, ExitStack() as lines:
        idle.sendall(b"GET / HTTP/1.1\r\n")
        (end,) = ask_to_wait(port, tmp_path, lines, 1)
        server.send_signal(number)
        assert told(idle) == b"", "it stops"
        (tmp_path / "over").touch()
        assert told(end).startswith(b"HTTP/1.1 200")
        assert server.wait(PATIENCE) == 0


@pytest.mark.soak
def test_who_never_finishes_does_not_keep_it_from_stopping(tmp_path: Path) -> None:
    with echo(tmp_path) as (server, port), ExitStack() as lines:
        ask_to_wait(port, tmp_path, lines, 1)
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0
        assert TOO_LONG in (tmp_path / "log").read_text()
