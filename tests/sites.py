"""Decides how tests get an installation of their own, with a folder, a database and a club in it, on the kind of database that
the run is about; and how they ask its database and its manage.py from outside."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.db import connection

from tests.commands import Commands, commands
from tests.server import PATIENCE

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
