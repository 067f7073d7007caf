"""The server starts from nothing, says where it is, keeps what it has, and stops when it is asked to."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from clubledger.serve import _code, bind_listener, welcome
from clubledger.server.port import address, complaint
from tests.browser_page import read_code
from tests.client import try_the_demo
from tests.server import PATIENCE, ask, environment, free_port, lay_tables, running


def test_from_nothing_to_a_running_site_and_again(tmp_path: Path) -> None:
    """By `make run`, without its installing."""
    var, port, log = tmp_path / "var", free_port(), tmp_path / "log"
    here = [f"VENV={sys.prefix}", f"PYTHON={sys.executable}", f"--old-file={sys.prefix}/.pins"]
    with running(var, port, log, command=["make", "run", *here]):
        try_the_demo(f"http://127.0.0.1:{port}")
        status, _, body = ask(f"http://127.0.0.1:{port}/accounts/no-such-page")
        assert status == 404
        sheet = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', body)
        assert sheet, body
        status, headers, _ = ask(f"http://127.0.0.1:{port}{sheet[1]}")
        assert status == 200
        assert "immutable" in headers["Cache-Control"]
    said = log.read_text()
    assert f"http://127.0.0.1:{port}/" in said
    logins = json.loads((var / "demo_logins.json").read_text())
    assert logins
    assert all(login["login"] in said and login["password"] in said for login in logins)
    (link,) = re.findall(rf"http://127.0.0.1:{port}/found/\S+/", said)
    assert (var / "demo_logins.json").stat().st_mode & 0o777 == 0o600
    assert (var / "secret_key").stat().st_mode & 0o777 == 0o600

    key, database = (var / "secret_key").read_text(), (var / "db.sqlite3").stat()
    with running(var, port, log, collected=True) as server:
        assert ask(link)[0] == 410, "another start makes another link"
    assert server.returncode == 0
    assert "Inventing" not in log.read_text()
    assert "/found/" in log.read_text()
    assert (var / "secret_key").read_text() == key
    assert (var / "db.sqlite3").stat().st_ino == database.st_ino


def test_without_a_demo_club_nobody_is_there_yet(tmp_path: Path, empty_database: Path) -> None:
    var, port, log = tmp_path / "var", free_port(), tmp_path / "log"
    lay_tables(var, empty_database)
    with running(var, port, log, collected=True, DEMO="0"):
        assert ask(f"http://127.0.0.1:{port}/login/")[0] == 200
        said = log.read_text()
        (link,) = re.findall(rf"http://127.0.0.1:{port}/found/\S+/", said)
        phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with phone.open(f"{link}open/", timeout=PATIENCE) as page:
            assert (page.status, page.url) == (200, f"http://127.0.0.1:{port}/found/")
            assert "<h1>Runde oder Club gründen</h1>" in page.read().decode()
    assert link not in log.read_text().replace(said, ""), "the log says nothing of it"
    assert "demo" not in said.lower()
    assert not (var / "demo_logins.json").exists()
    with closing(sqlite3.connect(var / "db.sqlite3")) as database:
        kept = [database.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("auth_user", "scoring_club")]
    assert kept == [(0,), (0,)]
    journal = log.stat()
    with running(var, port, log, collected=True, DEMO="0", JOURNAL_STREAM=f"{journal.st_dev}:{journal.st_ino}"):
        said = log.read_text()
    assert "/found/" not in said, "what goes into the journal is read by others"
    assert "manage.py founding_link" in said


def test_a_taken_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "clubledger.serve"],
            cwd=settings.BASE_DIR,
            env=environment(tmp_path / "var", port),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"Port {port} is taken by another program")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "var").exists(), "nothing was begun"


def test_a_second_request_on_a_connection_does_not_wait() -> None:
    """asyncio sets the option on no socket that it is handed."""
    with bind_listener("127.0.0.1", free_port()) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, ("0.0.0.0", 8000)),
        ({"HOST": "127.0.0.1", "PORT": "9000"}, ("127.0.0.1", 9000)),
        ({"HOST": "[::1]"}, ("::1", 8000)),
        ({"HOST": "", "PORT": ""}, ("0.0.0.0", 8000)),
    ],
)
def test_where_to_listen(said: dict[str, str], expected: tuple[str, int]) -> None:
    assert address(said) == expected


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "80 80", "٨٠"])
def test_a_port_that_is_none(port: str) -> None:
    with pytest.raises(ValueError, match="PORT must be a number"):
        address({"PORT": port})


def test_an_address_of_another_machine_is_said() -> None:
    assert complaint("198.51.100.1", 8000).startswith("Nothing can listen on 198.51.100.1")


def test_the_welcome_names_every_login() -> None:
    logins = [
        {"login": "anna", "password": "geheim", "role": "Admin"},
        {"login": "bo", "password": "x", "role": "Leser"},
    ]
    said = welcome("127.0.0.1", 8000, logins, "")
    assert "anna  geheim  (Admin)" in said
    assert "bo    x  (Leser)" in said
    assert "phone" not in said, "a phone cannot reach loopback"
    assert "http://192.0.2.7:8000/" in welcome("192.0.2.7", 8000, [], "")


@pytest.mark.parametrize(
    ("logins", "codes"), [([], 1), ([{"login": "anna", "password": "geheim", "role": "Admin"}], 2)]
)
def test_the_welcome_leads_to_founding(logins: list[dict[str, str]], codes: int) -> None:
    """The code of the start page is of no use where nobody can log in."""
    said = welcome("192.0.2.7", 8000, logins, "/found/abc/")
    assert "    http://192.0.2.7:8000/found/abc/\n" in said
    assert "manage.py" not in said
    code, home = (_code(f"http://192.0.2.7:8000{path}") for path in ("/found/abc/", "/"))
    assert ("\n".join(code) in said, "\n".join(home) in said) == (True, codes == 2)


def test_a_phone_reads_the_code_in_the_terminal() -> None:
    """Half blocks are two points above each other, here three times as large; the terminal around them is dark."""
    address = "http://192.0.2.7:8000/"
    light: list[int] = []
    lines = _code(address)
    for line in ["", *lines, ""]:
        cells = line.ljust(len(lines[0]) + 2)
        for lit in ("█▀", "█▄"):
            row = [255 if cell in lit else 0 for cell in cells for _ in range(3)]
            light += row * 3
    assert read_code(light, 3 * len(cells)) == [address]
