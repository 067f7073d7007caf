"""The program says which version and commit it is, and neither starts nor calls itself up on the database of a newer one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from clubledger import __version__, version
from clubledger.version import list_newer_migrations, program
from tests.server import environment, free_port, told

NAMED = re.compile(r"Club Ledger \d+\.\d+\.\d+ \([0-9a-f]{12}\)")


def test_the_command_says_version_and_commit() -> None:
    said = subprocess.run(
        [sys.executable, "manage.py", "version"], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    assert NAMED.fullmatch(said.stdout.strip())


def test_without_git_the_version_is_said_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    assert program.__wrapped__() == __version__
    monkeypatch.undo()
    monkeypatch.setattr(version, "_ROOT", tmp_path)
    assert program.__wrapped__() == __version__


@pytest.mark.django_db
def test_the_database_of_a_newer_program_is_not_up() -> None:
    assert list_newer_migrations() == []
    MigrationRecorder(connection).record_applied("scoring", "9999_more")
    assert list_newer_migrations() == ["scoring.9999_more"]
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (503, b"the database is newer than this program\n")


@pytest.fixture
def newer(transactional_db: None) -> Iterator[None]:
    """A database with a migration of a newer program."""
    MigrationRecorder(connection).record_applied("scoring", "9999_more")
    yield
    MigrationRecorder(connection).record_unapplied("scoring", "9999_more")


def started(tmp_path: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env={**environment(tmp_path / "var", free_port()), **told(), **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


NEWER = "The database is newer than this program (scoring.9999_more): update the program, or restore a backup."


@pytest.mark.usefixtures("newer")
def test_it_is_not_started_on_and_the_first_line_says_what_was_started(tmp_path: Path) -> None:
    done = started(tmp_path, "-m", "clubledger.serve")
    assert done.returncode == 1
    assert NAMED.fullmatch(done.stdout.splitlines()[0])
    assert done.stderr.strip() == NEWER


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize(
    "command",
    [
        ("manage.py", "runserver", "--noreload", "0"),
        ("-c", "import clubledger.wsgi"),
        ("-m", "uvicorn", "--factory", "clubledger.asgi:create", "--port", "0", "--interface", "asgi3"),
    ],
    ids=["runserver", "wsgi", "asgi"],
)
def test_nor_by_any_other_start(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = started(tmp_path, *command, DEBUG="1")  # runserver starts with it only
    assert done.returncode != 0
    assert NEWER in done.stderr


@pytest.mark.django_db
def test_up() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-cache" in response.headers["Cache-Control"]
    assert not response.cookies


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_503() -> None:
    def broken(*args: object) -> None:
        raise OperationalError("gone")

    with connection.execute_wrapper(broken):
        response = Client().get("/healthz")
    assert response.status_code == 503


@pytest.mark.django_db
def test_only_reading() -> None:
    assert Client().post("/healthz").status_code == 405
