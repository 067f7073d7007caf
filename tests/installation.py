"""An installation of its own, with a folder, a database and a club in it, on the kind of database that the run is about; its
database and its manage.py asked from outside. manage.py runs quickly, as a fork of a process that has loaded everything, and can
be killed before the n-th time that it opens, renames, links or removes a file, starts a program, or sends a statement."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import django
import psycopg
from django.conf import settings
from django.core.management import call_command, execute_from_command_line, load_command_class
from django.db import connection

from tests.server import PATIENCE

FILES = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "sqlite3.connect"}
NEVER = 1_000_000


class Done(NamedTuple):
    """How a command ended (`code` is None where it was killed), what it said, and how many steps it had."""

    code: int | None
    said: str
    fault: str
    steps: int


class Commands:
    """manage.py of one installation."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, *words: str | Path, step: int = NEVER) -> Done:
        """Run it, killed before this step if it has so many."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([step, *map(str, words)]) + "\n")
        self.process.stdin.flush()
        return Done(*json.loads(self.process.stdout.readline()))


@contextmanager
def commands(place: Path, environment: dict[str, str]) -> Iterator[Commands]:
    """For the installation in the folder `place`."""
    command = [sys.executable, "-m", "tests.installation", str(place)]
    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Commands(process)
        assert process.stdin is not None
        process.stdin.close()
    assert process.returncode == 0


def die_before(last: int, place: str) -> list[int]:
    """From now on the steps of this process are counted, in the only number of the answer; it is gone before the last one."""
    taken = [0]

    def step() -> None:
        taken[0] += 1
        if taken[0] == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def of_files(event: str, words: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" or (event in FILES and any(place in str(word) for word in words)):
            step()

    def of_statements(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        step()
        return execute(sql, params, many, context)

    sys.addaudithook(of_files)
    connection.execute_wrappers.append(of_statements)
    return taken


def child(step: int, place: str, words: list[str], steps: int) -> None:
    """One command, its steps written to the descriptor `steps` if it lives."""
    taken = die_before(step, place)
    code = 0
    try:
        execute_from_command_line(["manage.py", *words])
    except SystemExit as end:
        code = int(end.code or 0)
    os.write(steps, str(taken[0]).encode())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main(place: str) -> None:
    """Each line of standard input is a command; what came of it is a line of standard output."""
    django.setup()
    call_command("check", stdout=sys.stderr)  # loads what every command would load again
    load_command_class("clubledger", "restore")
    with os.fdopen(os.dup(1), "w") as answers:
        for line in sys.stdin:
            step, *words = json.loads(line)
            with TemporaryFile() as said, TemporaryFile() as fault, TemporaryFile() as steps:
                pid = os.fork()
                if not pid:
                    os.dup2(said.fileno(), 1)
                    os.dup2(fault.fileno(), 2)
                    child(step, place, words, steps.fileno())
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                texts = []
                for file in (said, fault, steps):
                    file.seek(0)
                    texts.append(file.read().decode())
            killed = code == -signal.SIGKILL
            answers.write(json.dumps([None if killed else code, texts[0], texts[1], int(texts[2] or 0)]) + "\n")
            answers.flush()


OURS = {"SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "HTTPS", "TRUSTED_PROXIES", "WORKERS", "DEBUG", "VAR_DIR", "BACKUP_DIR"}


def on_server(name: str) -> str:
    """The URL of this database on the PostgreSQL of the run."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    return f"{parts.scheme}://{parts.netloc}/{name}" + (f"?{parts.query}" if parts.query else "")


def empty_of_run(pid: int) -> str:
    """The database with all tables and nobody in them, that a run on PostgreSQL began by this process copies."""
    return f"clubledger_empty_{pid}"


def on_postgresql(statement: str) -> bool:
    """Something about whole databases; whether there is any."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        return server.execute(statement).rowcount > 0


@dataclass
class Installation:
    """Its folder; `name` is that of its database on PostgreSQL."""

    var: Path
    name: str
    commands: Commands

    @property
    def database(self) -> Path:
        return self.var / "db.sqlite3"

    def done(self, *words: str | Path) -> str:
        """What a command said that succeeded."""
        done = self.commands.run(*words)
        assert done.code == 0, done.said + done.fault
        return done.said

    def refused(self, *words: str | Path) -> str:
        """The one sentence of a command that did not do it."""
        done = self.commands.run(*words)
        assert done.code == 1, done.said + done.fault
        assert done.fault.count("\n") == 1, done.fault
        return done.fault.strip()

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Its database, past the program."""
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(self.database, isolation_level=None)) as line:
                return line.execute(sql).fetchall()
        with psycopg.connect(on_server(self.name), autocommit=True) as server:
            answer = server.execute(sql)
            return answer.fetchall() if answer.description else []

    def do(self, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        """All of these, or none."""
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(self.database)) as line, line:
                for sql, values in statements:
                    line.execute(sql, values)
        else:
            with psycopg.connect(on_server(self.name)) as server:
                for sql, values in statements:
                    server.execute(sql, values)

    def alone(self) -> None:
        """Wait until nobody is in its database. PostgreSQL may take a moment to notice that somebody has gone, or was killed, and
        what wants a database to itself is refused until then."""
        give_up = time.monotonic() + PATIENCE
        while connection.vendor != "sqlite" and on_postgresql(f"SELECT FROM pg_stat_activity WHERE datname = '{self.name}'"):
            assert time.monotonic() < give_up
            time.sleep(0.01)

    @property
    def backups(self) -> Path:
        return self.var / "backups"

    def written(self) -> list[Path]:
        """Its backups, the oldest first."""
        return sorted(path for path in self.backups.iterdir() if path.suffix in {".sqlite3", ".dump"})

    def begin(self, empty: Path) -> None:
        """All tables, and nobody there: a copy of a database with them."""
        if connection.vendor == "sqlite":
            shutil.copyfile(empty, self.database)
            self.database.chmod(0o600)
        else:
            self._copy(empty.read_text())

    def keep(self) -> None:
        """Remember how everything is now."""
        shutil.copytree(self.var, self._kept)
        if connection.vendor != "sqlite":
            on_postgresql(f'CREATE DATABASE "{self.name}_kept" TEMPLATE "{self.name}"')

    def put_back(self) -> None:
        """Everything as it was remembered."""
        shutil.rmtree(self.var)
        shutil.copytree(self._kept, self.var)
        if connection.vendor != "sqlite":
            self._copy(f"{self.name}_kept")

    def _copy(self, template: str) -> None:
        on_postgresql(f'DROP DATABASE "{self.name}" WITH (FORCE)')
        on_postgresql(f'CREATE DATABASE "{self.name}" TEMPLATE "{template}"')

    def empty(self) -> None:
        """Nothing in it, and nothing beside it."""
        shutil.rmtree(self.var)
        self.var.mkdir(mode=0o700)
        if connection.vendor != "sqlite":
            on_postgresql(f'DROP DATABASE "{self.name}" WITH (FORCE)')
            on_postgresql(f'CREATE DATABASE "{self.name}"')

    @property
    def _kept(self) -> Path:
        return self.var.with_name("kept")


@contextmanager
def installed(place: Path, name: str) -> Iterator[Installation]:
    """An empty one in the folder `place`; its database goes afterwards, and the one that was remembered."""
    var = place / "var"
    var.mkdir(mode=0o700)
    if connection.vendor != "sqlite":
        on_postgresql(f'CREATE DATABASE "{name}"')
    try:
        with commands(var, environment(var, name)) as ready:
            yield Installation(var, name, ready)
    finally:
        if connection.vendor != "sqlite":
            for one in (name, f"{name}_kept"):
                on_postgresql(f'DROP DATABASE IF EXISTS "{one}" WITH (FORCE)')


def environment(var: Path, name: str) -> dict[str, str]:
    """What its commands find in theirs."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    url = {} if connection.vendor == "sqlite" else {"DATABASE_URL": on_server(name)}
    return {**clean, **url, "VAR_DIR": str(var), "LANGUAGE": "de"}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    main(sys.argv[1])
