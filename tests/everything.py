"""Decides what `make test` runs: everything but the long forms on SQLite, beside it on PostgreSQL what a database decides (the
marker `postgres`, see tests/conftest.py), and browser tests in whatever browser can be had. What could not be run is said
loudly, and fails where CI=true. With SOAK=1 both run everything but the marker `soak`, and with many more random cases.

Words after the command go to pytest: `make test ARGS="-k bock"`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

import psycopg

from tests import chromium
from tests.effort import LONG
from tests.engines import phones

_LOCAL = ("postgres://postgres@127.0.0.1:5432/postgres", "postgres:///postgres")


def _attempt(*command: str, seconds: int) -> bool:
    try:
        done = subprocess.run(command, timeout=seconds, check=False, stdin=subprocess.DEVNULL, capture_output=True)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def browser() -> str | None:
    """The path of a browser: one that is there, else Playwright's own, else Debian's; None when none is to be had."""
    if found := chromium.executable():
        return found
    print("No chromium here: asking Playwright for its own ...", flush=True)
    _attempt(sys.executable, "-m", "playwright", "install", "chromium", seconds=300)
    if chromium.executable() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Not to be had: installing Debian's chromium ...", flush=True)
        _attempt("apt-get", "update", "-qq", seconds=300)
        _attempt("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", seconds=600)
    return chromium.executable()


def postgresql() -> str | None:
    """The URL of a PostgreSQL that answers and lets us make databases, or None."""
    said = os.environ.get("TEST_DATABASE_URL")
    for url in [said] if said else _LOCAL:
        try:
            with psycopg.connect(url, connect_timeout=20) as server:
                row = server.execute(
                    "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
                ).fetchone()
                if row and row[0]:
                    return url
        except psycopg.Error as error:
            if said:
                print(f"TEST_DATABASE_URL does not answer: {error}", flush=True)
    return None


def pytest(*words: str, database: str | None, notes: list[str], workers: int, output: IO[bytes] | None = None) -> Popen[bytes]:
    """Start pytest on so many cores; `notes` are shown above its closing line."""
    # Whatever is compiled (each assert of a test for its message, each server that a test starts) is compiled once.
    unwanted = {"DATABASE_URL", "DEBUG", "PYTHONDONTWRITEBYTECODE"}
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"DATABASE_URL": database} if database else {}
    environment["TEST_NOTES"] = "\n".join(notes)
    command = [sys.executable, "-m", "pytest", "-n", str(workers), *words]
    return subprocess.Popen(command, env=environment, stdout=output, stderr=output)


def write_down_asserts(workers: int) -> None:
    """pytest rewrites each assert of a test for its message, and keeps what it wrote. In a fresh clone five workers would all do
    it for each file, which takes longer than anything else before the first test: it is done once, by so many processes."""
    tests = Path(__file__).parent
    files = [file for file in sorted(tests.rglob("test_*.py")) if not [*file.parent.glob(f"__pycache__/{file.stem}.*-pytest-*")]]
    shares = [files[first::workers] for first in range(workers)]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet"]
    for process in [Popen([*command, *map(str, share)], env=clean, stdout=DEVNULL) for share in shares if share]:
        process.wait()


def _minutes(begun: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - begun), 60)
    return f"{minutes}:{seconds:02} min"


def main(words: list[str]) -> int:
    """Run everything; 0 when all that had to run did and passed."""
    notes, marked, strict = [], "not soak", os.environ.get("CI") == "true"
    if browser() is None:
        marked += " and not browser"
        notes.append("NOT RUN: the browser tests. Install chromium (on Debian: apt install chromium) and run again.")
    notes += [
        f"NOT RUN: the tests in {engine}. Install it (on Debian: apt install {packages})."
        for engine, packages in phones.missing().items()
    ]
    server = postgresql()
    if server is None:
        notes.append(
            "NOT RUN: the tests on PostgreSQL. Start a local server, or name one whose user may create databases: "
            "TEST_DATABASE_URL=postgres://user:password@host/postgres"
        )
    if shutil.which("xgettext") is None:
        notes.append(
            "NOT RUN: is every sentence in the English catalog? Install gettext (on Debian: apt install gettext)."
        )
    if shutil.which("soffice") is None:
        notes.append(
            "NOT RUN: does LibreOffice read our Excel files? Install it (on Debian: apt install libreoffice-calc-nogui)."
        )
    if shutil.which("node") is None:
        notes.append("NOT RUN: the unit tests of the scripts. Install node (on Debian: apt install nodejs).")
    if shutil.which("caddy") is None:
        notes.append("NOT RUN: does the proxy of docs/server.md hold? Install caddy (on Debian: apt install caddy).")
    if shutil.which("buildah") is None:
        print("NOT RUN: the container image. Install buildah (on Debian: apt install buildah) and call make image.")
    for note in notes:
        print(note, flush=True)
    failed = bool(notes) and strict

    # Browser tests, the last half of the time, wait more than they compute, and PostgreSQL's run has ended then: two workers more
    # than there are cores. A worker on PostgreSQL waits for its server: one alone is the last to end.
    cores = min(os.cpu_count() or 1, 4)
    elsewhere = marked if LONG else f"{marked} and postgres"
    print("\nEverything on SQLite; beside it, and shown after it, what a database decides on PostgreSQL", flush=True)
    begun = time.monotonic()
    write_down_asserts(cores)
    with TemporaryFile() as output, TemporaryDirectory() as static:
        os.environ["TEST_STATIC"] = static
        beside = server and pytest("-m", elsewhere, *words, database=server, notes=notes, workers=cores, output=output)
        code = pytest("-m", marked, *words, database=None, notes=notes, workers=cores + 2).wait()
        took = [f"SQLite {_minutes(begun)}"]
        failed = failed or code != 0
        if beside:
            failed = beside.wait() != 0 or failed
            took.append(f"PostgreSQL {_minutes(begun)}")
            output.seek(0)
            print(f"\nOn PostgreSQL{' (the run on SQLite above FAILED)' if code else ''}", flush=True)
            shutil.copyfileobj(output, sys.stdout.buffer)
            sys.stdout.flush()
    print(f"\nDone after: {', '.join(took)}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
