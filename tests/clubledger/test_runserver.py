"""`runserver` shows styled pages and a readable log in a fresh checkout, with the environment of requirements-dev.txt that runs
the tests (`.ci/run` makes it anew)."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from tests.server import PATIENCE, answers, ask, environment, free_port, lay_tables

LINE = re.compile(r'\[\d\d/\w{3}/\d{4} \d\d:\d\d:\d\d\] "GET (\S+) HTTP/1.1" (\d{3}) \d+')


class Checkout:
    """A copy of the files that git has or would take, and nothing else."""

    def __init__(self, place: Path) -> None:
        self.place = place / "checkout"
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            target = self.place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(settings.BASE_DIR / name, target)
        self.environment = environment(self.place / "var", 0)

    def manage(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=self.place,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    @contextmanager
    def served(self, log: Path) -> Iterator[str]:
        """The address of runserver, which writes to `log`."""
        port = free_port()
        with log.open("wb") as out:
            server = subprocess.Popen(
                [sys.executable, "manage.py", "runserver", f"127.0.0.1:{port}"],
                cwd=self.place,
                env={**self.environment, "DEBUG": "1"},
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
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(PATIENCE)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Checkout:
    made = Checkout(tmp_path_factory.mktemp("runserver"))
    lay_tables(made.place / "var", empty_database)
    return made


def test_pages_are_styled_and_the_log_can_be_read(checkout: Checkout, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with checkout.served(log) as site:
        status, _, page = ask(f"{site}/login/")
        assert status == 200
        files = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"', page)
        assert {"/static/scoring/style.css", "/static/scoring/pages.css"} <= {*files}
        # And what a table loads.
        for name in (*files, "/static/table/de.js", "/static/scoring/table/entry.js"):
            assert ask(site + name)[0] == 200, name
        sheet = ask(f"{site}/static/scoring/style.css")[2]
        assert sheet == (checkout.place / "built" / "scoring" / "style.css").read_text()
        assert '"static": null' in ask(f"{site}/sw.js")[2], "a phone asks for files whose names do not change"
        assert ask(f"{site}/no-such-page")[0] == 404
        template = checkout.place / "templates" / "base.html"
        template.write_text(template.read_text().replace("<body", '<body data-changed="1"', 1))
        give_up = time.monotonic() + PATIENCE
        while "data-changed" not in ask(f"{site}/login/")[2]:
            assert time.monotonic() < give_up, "a change is seen without a restart"
            time.sleep(0.1)
    lines = [line for line in log.read_text().splitlines() if "GET" in line]
    asked = [LINE.fullmatch(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines]
    assert all(asked), lines
    assert ("/static/scoring/style.css", "200") in {found.groups() for found in asked if found}
    assert "Traceback" not in log.read_text()


def test_without_debug_it_says_what_to_do(checkout: Checkout) -> None:
    done = checkout.manage("runserver")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "DEBUG=1" in done.stderr
    assert "make run" in done.stderr
