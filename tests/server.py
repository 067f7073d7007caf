"""Decides how tests start the real server: in a process of its own, with a place of its own to keep things."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import Message
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

# So many seconds a busy machine may take for what a quick one does at once.
PATIENCE = 240
# What a server says that had to be stopped by force: what it had begun did not end in time.
TOO_LONG = "graceful shutdown exceeded"

# Bound and not listening: whoever says so beforehand, as servers do, may listen there, and nobody else is given the port.
_kept: list[socket.socket] = []


def free_port() -> int:
    """A port that is ours as long as this process lives: below those from which the system takes one for each connection
    that somebody opens, whether another process has bound it or not."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _kept.append(place)
    while True:
        port = secrets.choice(range(10_000, 32_000))
        with suppress(OSError):
            place.bind(("127.0.0.1", port))
            return port


def environment(var: Path, port: int) -> dict[str, str]:
    ours = {"SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "HTTPS", "TRUSTED_PROXIES", "WORKERS", "DEBUG"}
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    return {**clean, "VAR_DIR": str(var), "HOST": "127.0.0.1", "PORT": str(port)}


def lay_tables(var: Path, empty: Path) -> None:
    """Begin the installation in `var` with the copy of a database with all tables: to migrate takes longer than most tests."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    if connection.vendor == "sqlite":
        shutil.copyfile(empty, var / "db.sqlite3")
        (var / "db.sqlite3").chmod(0o600)


def lay_static(var: Path) -> None:
    """Give the installation in `var` the static files of this run: to collect and compress them takes ten seconds."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (var / "static").exists():
        (var / "static").symlink_to(settings.STATIC_ROOT)


def told() -> dict[str, str]:
    """Where the test database is, as a server in another process is told of it."""
    said = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{said['NAME']}"
    else:
        host = f"{said['USER']}:{quote(said['PASSWORD'])}@{said['HOST']}:{said['PORT'] or 5432}" if said["HOST"] else ""
        url = f"postgres://{host}/{said['NAME']}"
    return {"DATABASE_URL": url, "SECRET_KEY": settings.SECRET_KEY}


def ask(url: str) -> tuple[int, Message, str]:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.headers, refusal.read().decode()


def answers(port: int) -> bool:
    try:
        return ask(f"http://127.0.0.1:{port}/healthz")[0] == 200
    except OSError:
        return False


def kill(server: subprocess.Popen[bytes]) -> None:
    """Take the plug out: the server and its worker are gone in the middle of whatever they do."""
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


@contextmanager
def running(
    var: Path,
    port: int,
    log: Path,
    *,
    collected: bool = False,
    command: Sequence[str] = (sys.executable, "-m", "clubledger.serve"),
    folder: Path | None = None,
    **more: str,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the server in `folder` (the checkout unless given) until the block ends, writing to `log`; enter the block once it
    answers. It is stopped as by Ctrl-C: every process gets the signal. `more` goes into its environment. `collected`: with the
    static files of this run, for tests that are not about how it starts."""
    if collected:
        lay_static(var)
    with log.open("wb") as out:
        server = subprocess.Popen(
            command,
            cwd=folder or settings.BASE_DIR,
            env={**environment(var, port), **more},
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        give_up = time.monotonic() + PATIENCE
        while not answers(port):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < give_up, log.read_text()
            time.sleep(0.1)
        yield server
    finally:
        # A test may have killed all of them.
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGINT)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            raise


@contextmanager
def echo(place: Path, *, proxies: int = 0) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The real server in front of the echo, and its port; its log is `place`/log."""
    port = free_port()
    with (place / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.clubledger.echo", str(proxies)],
            cwd=settings.BASE_DIR,
            env=environment(place / "var", port),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        give_up = time.monotonic() + PATIENCE
        while "listening" not in (place / "log").read_text():
            assert server.poll() is None, (place / "log").read_text()
            assert time.monotonic() < give_up
            time.sleep(0.1)
        yield server, port
    finally:
        server.kill()
        server.wait()


def recipe() -> str:
    """The Caddyfile of docs/server.md."""
    text = (settings.BASE_DIR / "docs" / "server.md").read_text()
    found = re.search(r"\*\*The proxy\*\*.*?\n\n((?: {4}[^\n]*\n|\n)+)", text, re.DOTALL)
    assert found
    return textwrap.dedent(found[1])


@contextmanager
def proxied(site: int, place: Path) -> Iterator[int]:
    """Caddy in front of the server at port `site`, as docs/server.md says, but on plain HTTP, a free port of this machine and
    without patience for a restart; its log is `place`/caddy.log. Yields its port."""
    port = free_port()
    config = recipe().replace("{\n", "{\n    admin off\n", 1)
    config = config.replace("{$SITE:club.example} {", f"http://:{port} {{\n    bind 127.0.0.1")
    config = config.replace("lb_try_duration 30s", "lb_try_duration 1s")
    config = config.replace("{$SERVER:127.0.0.1:8000}", f"127.0.0.1:{site}")
    (place / "Caddyfile").write_text(config)
    with (place / "caddy.log").open("wb") as log:
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", str(place / "Caddyfile"), "--adapter", "caddyfile"],
            env={**os.environ, "HOME": str(place), "XDG_DATA_HOME": str(place), "XDG_CONFIG_HOME": str(place)},
            stdout=log,
            stderr=log,
        )
    try:
        give_up = time.monotonic() + PATIENCE
        while not answers(port):
            assert caddy.poll() is None, (place / "caddy.log").read_text()
            assert time.monotonic() < give_up, (place / "caddy.log").read_text()
            time.sleep(0.1)
        yield port
    finally:
        caddy.terminate()
        caddy.wait(PATIENCE)


def heard(answer: HTTPResponse) -> bytes:
    """The next event that is no beat."""
    from scoring.table.views.live import BEAT  # this module is also used where Django is not set up

    while (event := answer.readline() + answer.readline()) and event.startswith(b"event"):
        assert event + answer.readline() == BEAT
    return event
