"""What the log says: one line of an answer that was meant, everything of a fault."""

import logging.config
import re
import socket
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from tests.clubledger import test_headers
from tests.factories import Cast, make_user
from tests.server import PATIENCE, free_port, running
from tests.soak.test_phones import told


def logged(log: pytest.CaptureFixture[str], client: Client, address: str, **headers: str) -> tuple[int, list[str]]:
    """What is answered, and what the real server would write to its terminal meanwhile."""
    logging.config.dictConfig(settings.LOGGING)
    status = client.get(address, headers=headers).status_code
    return status, log.readouterr().err.splitlines()


def test_a_refusal_is_one_line(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    reader = Client()
    reader.force_login(cast.reader)
    status, (line,) = logged(capsys, reader, reverse("members", args=["karo"]))
    assert status == 403
    assert line.endswith("django.request: 403 Forbidden: c/<slug:slug>/rights/")


def test_a_host_nobody_listed_is_one_line(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    status, (line,) = logged(capsys, Client(), "/", host="evil.example")
    assert status == 400
    assert line.endswith("django.security.DisallowedHost: 400 Bad Request: no page of ours")
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} ", line), "times carry a zone"


def test_what_is_not_found_is_no_line(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    assert logged(capsys, Client(), "/wp-login.php") == (404, [])


@pytest.mark.django_db
@pytest.mark.urls(test_headers.__name__)
def test_a_fault_is_told_with_the_way_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = logged(capsys, Client(raise_request_exception=False), "/500")
    assert status == 500
    assert "Traceback (most recent call last):" in lines
    assert lines[-1] == "RuntimeError", "what it says of the fault may quote what somebody typed"


def test_a_sentence_is_said_without_what_was_put_into_it(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    log = logging.getLogger("somewhere")
    log.warning("%d failures of %r at %(here", 3, "Schmidt")
    log.warning("%(who)s was here", {"who": "Schmidt"})
    log.error(ValueError("Schmidt"))
    log.warning("never retrieved\nfuture: Schmidt")
    said = capsys.readouterr().err
    assert "Schmidt" not in said
    assert [line.partition("somewhere: ")[2] for line in said.splitlines()] == [
        "… failures of … at %(here",
        "… was here",
        "ValueError",
        "never retrieved",
    ]


def test_an_error_and_what_led_to_it_are_told_without_their_words(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    words = {"who": "Schmidt"}
    try:
        try:
            raise KeyError(words["who"])
        except KeyError as error:
            raise IntegrityError(words["who"]) from error
    except IntegrityError:
        logging.getLogger("somewhere").exception("It broke")
    said = capsys.readouterr().err
    assert "Schmidt" not in said
    assert said.index("\nKeyError\n") < said.index("This led to:") < said.index("\ndjango.db.utils.IntegrityError\n")


# --- The real server --------------------------------------------------------------------------------------------------

SOMEWHERE, PEER = "203.0.113.77", "127.0.0.2"


def say(port: int, request: str) -> int:
    """The status of the answer to these lines."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE, (PEER, 0)) as end:
        end.sendall(request.replace("\n", "\r\n").encode())
        return int(end.recv(65536).split()[1])


def post(address: str, body: str, *headers: str, kind: str = "application/x-www-form-urlencoded") -> str:
    lines = [f"POST {address} HTTP/1.1", "Connection: close", f"X-Forwarded-For: {SOMEWHERE}", *headers]
    return "\n".join([*lines, f"Content-Type: {kind}", f"Content-Length: {len(body)}", "", body])


@pytest.mark.django_db(transaction=True)
def test_whatever_strangers_send_the_log_names_nobody(tmp_path: Path) -> None:
    make_user("schmidt")
    port, token = free_port(), "A" * 22
    here, secret = "Host: localhost", "c" * 32
    known = (here, f"Cookie: csrftoken={secret}; sessionid=schmidt", f"X-CSRFToken: {secret}")
    fields = "&".join(f"schmidt{n}=" for n in range(2000))
    with running(tmp_path / "var", port, tmp_path / "log", collected=True, TRUSTED_PROXIES="1", **told()):
        for _ in range(6):
            status = say(port, post("/login/", "username=schmidt&password=falsch", *known))
        assert status == 429
        assert say(port, post("/login/", "username=schmidt", here, "Origin: https://schmidt.example")) == 403
        assert say(port, post("/login/", "username=schmidt", here, f"Referer: http://{SOMEWHERE}/schmidt")) == 403
        assert say(port, post("/login/", fields, *known)) == 400
        assert say(port, post("/login/", "schmidt", *known, kind="multipart/form-data; boundary=ä")) == 400
        assert say(port, post("/login/?q=schmidt", "", "Host: schmidt.example")) == 400
        assert say(port, post(f"/t/{token}/", "{", *known, kind="application/json")) in {403, 404, 405}
        assert say(port, f"GET /schmidt?q=schmidt HTTP/1.1\n{here}\n\n") == 404
        assert say(port, f"SCHMIDT /healthz HTTP/1.1\n{here}\n\n") == 403
        assert (
            say(port, f"GET /login/ HTTP/1.1\n{here}\nConnection: upgrade\nUpgrade: websocket\nX: schmidt\n\n") == 200
        )
        assert say(port, "schmidt\n\n") == 400
        assert say(port, f"GET /schmidt HTTP/1.1\n{here}\nX: {'schmidt' * 3000}\n\n") in {400, 431}
        assert say(port, f"POST /schmidt HTTP/1.1\n{here}\nContent-Length: 99999999\n\n") == 413
    _, _, said = (tmp_path / "log").read_text().lower().partition("ctrl-c stops it.")
    assert "403 forbidden (origin checking failed): login/" in said
    assert "locking out … after repeated login failures." in said
    for name in ("schmidt", SOMEWHERE, PEER, "127.0.0.1", token.lower(), secret):
        assert name not in said
