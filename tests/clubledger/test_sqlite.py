"""That this site has an SQLite whose write-ahead log is sound, and what that is good for: nobody who reads makes a writer
wait. Asked of the database that the tests run on, and of files of their own."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from clubledger import SAFE_WAL
from scoring.models import Club

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="what SQLite does"),
    pytest.mark.skipif(sqlite3.sqlite_version_info < SAFE_WAL, reason="without pysqlite3 an older SQLite has no log"),
]


def test_it_is_one_whose_log_is_sound() -> None:
    assert sqlite3.sqlite_version_info >= SAFE_WAL
    assert sqlite3.connect(":memory:").execute("SELECT sqlite_version()").fetchone() == (sqlite3.sqlite_version,)


def test_pythons_own_stays_where_there_is_no_other() -> None:
    """And then without a log, where it is an older one."""
    told = (
        "import sys, sqlite3; own = sqlite3; sys.modules['pysqlite3'] = None\n"
        "from clubledger import use_newest_sqlite\n"
        "print(use_newest_sqlite() == own.sqlite_version_info, sys.modules['sqlite3'] is own)"
    )
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"]


@pytest.fixture
def other(transactional_db: None) -> Iterator[BaseDatabaseWrapper]:
    """Another connection to the database of the tests, as another phone has one."""
    other = connection.copy()
    yield other
    other.close()


@pytest.mark.parametrize("begin", ["BEGIN DEFERRED", "BEGIN IMMEDIATE"])
def test_a_long_read_stops_no_writer(other: BaseDatabaseWrapper, begin: str) -> None:
    """With a rollback journal nobody could commit before the reader is done."""
    Club.objects.create(name="Karo", slug="karo")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    with other.cursor() as reader:
        reader.execute("BEGIN DEFERRED")
        reader.execute("SELECT name FROM scoring_club")
        with connection.cursor() as writer:
            writer.execute(begin)
            writer.execute("UPDATE scoring_club SET name = 'Herz'")
            writer.execute("COMMIT")
        reader.execute("SELECT name FROM scoring_club")
        assert reader.fetchall() == [("Karo",)], "of the moment at which it began"
        reader.execute("ROLLBACK")
    assert Club.objects.get().name == "Herz"


@pytest.mark.django_db
def test_a_database_of_an_older_version_gets_a_log(tmp_path: Path) -> None:
    """As soon as it is opened, and what is beside it can be read by nobody who cannot read the database."""
    path = tmp_path / "db.sqlite3"
    with sqlite3.connect(path) as old:
        old.execute("PRAGMA journal_mode = DELETE")
        old.execute("CREATE TABLE club (name TEXT)")
        old.execute("INSERT INTO club VALUES ('Karo')")
    old.close()
    path.chmod(0o600)
    opened = connection.copy()
    opened.settings_dict = {**opened.settings_dict, "NAME": str(path)}
    try:
        with opened.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone() == ("wal",)
            cursor.execute("INSERT INTO club VALUES ('Herz')")
            cursor.execute("SELECT count(*) FROM club")
            assert cursor.fetchone() == (2,)
        files = sorted((file.name, oct(file.stat().st_mode & 0o777)) for file in tmp_path.iterdir())
        assert files == [("db.sqlite3", "0o600"), ("db.sqlite3-shm", "0o600"), ("db.sqlite3-wal", "0o600")]
    finally:
        opened.close()
