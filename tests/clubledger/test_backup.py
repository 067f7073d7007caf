"""A backup holds everything, is read by nobody else and is there whole or not at all; restoring leaves old or new, and says no
where it should. Each test has an installation of its own, asked from outside."""

from __future__ import annotations

import getpass
import hashlib
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings as ours
from django.db import connection

from clubledger import backups
from clubledger.backups import STAMP, BackupFailed, backups_in, future_good, last_good, locked_folder, mark_of, rotate
from clubledger.dumps import of_this_database
from clubledger.private import hold
from clubledger.version import program
from tests import installation
from tests.installation import Installation, installed

SQLITE = connection.vendor == "sqlite"
HERE = f"clubledger_{os.getpid()}"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Installation]:
    """With a club in it."""
    with installed(tmp_path_factory.mktemp("site"), HERE) as made:
        made.begin(empty_database)
        made.done("archive", "import", ours.BASE_DIR / "fixtures" / "archive.json", "--admin", "vera")
        made.keep()
        yield made


@pytest.fixture
def site(filled: Installation) -> Installation:
    """One to do anything with."""
    filled.put_back()
    return filled


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def game_count(site: Installation) -> int:
    (row,) = site.ask("SELECT count(*) FROM scoring_game")
    return int(row[0])


def lose_games(site: Installation) -> None:
    """Something that a restored backup must bring back, and a session that it must not."""
    for table in ("scoring_score", "scoring_outcome", "scoring_game"):
        site.ask(f"DELETE FROM {table}")


SESSION = (
    "INSERT INTO scoring_session (session_key, session_data, expire_date, seen_on) "
    "VALUES ('stolen', '', '2099-01-01 00:00:00', '2026-03-06')"
)


# --- Writing --------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_a_backup_is_verified_and_comes_back_without_its_sessions(site: Installation) -> None:
    games = game_count(site)
    site.ask(SESSION)
    said = site.done("backup", "--check")
    assert "Alles stimmt: 3 Tische" in said
    (file,) = site.written()
    assert mode(site.backups) == 0o700
    assert [mode(path) for path in site.backups.iterdir()] == [0o600, 0o600]
    line, program_of = mark_of(file).read_text().splitlines()
    assert program_of == f"# Club Ledger {program()}"
    subprocess.run(["sha256sum", "--check", "--strict", mark_of(file)], cwd=site.backups, check=True, capture_output=True)
    digest, name = line.split()
    assert (digest, name) == (hashlib.sha256(file.read_bytes()).hexdigest(), file.name)

    lose_games(site)
    assert game_count(site) == 0
    site.alone()
    kept = site.done("restore", file, "--overwrite")
    assert game_count(site) == games
    assert site.ask("SELECT * FROM scoring_session") == [], "what somebody ended since must not begin anew"
    assert "Alles stimmt: 3 Tische" in site.done("verify")

    # What was there is kept, and can be had back the same way.
    before = Path(kept.splitlines()[0].rpartition(" ")[2].rstrip("."))
    site.alone()
    site.done("restore", before, "--overwrite")
    assert game_count(site) == 0


@pytest.mark.postgres
def test_a_backup_that_is_wrong_is_kept_and_not_called_good(site: Installation) -> None:
    site.ask("UPDATE scoring_score SET points = points + 1 WHERE points > 0")
    code, _, fault, _ = site.commands.run("backup", "--check")
    assert code == 1
    assert "nicht in Ordnung" in fault
    assert "points" in fault
    (file,) = site.written()
    assert not mark_of(file).exists()
    assert [path.name for path in site.backups.iterdir()] == [file.name], "nothing is left of the check"


def test_a_folder_that_others_can_read_is_refused(site: Installation, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o750)
    assert f"chmod 700 {tmp_path / 'open'}" in site.refused("backup", "--to", tmp_path / "open")
    assert list((tmp_path / "open").iterdir()) == []


@pytest.mark.postgres
def test_no_password_stands_on_a_command_line(site: Installation, tmp_path: Path) -> None:
    """A tool that writes down how it was called stands in for each of PostgreSQL's."""
    if SQLITE:
        pytest.skip("SQLite needs no tools")
    (tmp_path / "bin").mkdir()
    for tool in ("pg_dump", "pg_restore", "psql"):
        script = tmp_path / "bin" / tool
        script.write_text(
            f'#!/bin/sh\necho "$0 $@" "PGPASSWORD=$PGPASSWORD" >> {tmp_path}/calls\nexec /usr/bin/{tool} "$@"\n'
        )
        script.chmod(0o755)
    there = installation.environment(site.var, site.name)
    url = urlsplit(there["DATABASE_URL"])
    secret = url.password or "geheimes-wort"
    place = f"{url.username or getpass.getuser()}:{secret}@{url.netloc.rpartition('@')[2]}"
    there["DATABASE_URL"] = f"{url.scheme}://{place}{url.path}"
    there["PATH"] = f"{tmp_path / 'bin'}:{there['PATH']}"
    subprocess.run([sys.executable, "manage.py", "backup", "--check"], cwd=ours.BASE_DIR, env=there, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) >= 2
    for call in calls:
        words, _, password = call.partition(" PGPASSWORD=")
        assert secret not in words
        assert password == secret


# --- Which ones stay ------------------------------------------------------------------------------------------------


def written(folder: Path, moment: datetime, *, good: bool) -> Path:
    path = folder / f"clubledger-{moment.strftime(STAMP)}.sqlite3"
    path.touch()
    if good:
        mark_of(path).touch()
    return path


def test_the_newest_the_months_and_the_last_good_one_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    days = [noon - timedelta(days=day) for day in range(500)]
    files = {day: written(tmp_path, day, good=day < noon - timedelta(days=40)) for day in days}
    for name in ("clubledger.sqlite3", "clubledger-20200101T000000Z.sqlite3.old", "notes.txt"):
        (tmp_path / name).touch()
    with locked_folder(tmp_path):
        rotate(tmp_path, keep=14, written=list(backups_in(tmp_path))[-1])
    left = set(backups_in(tmp_path))
    ends = [day for day in days if (day + timedelta(days=1)).day == 1 and day > noon - timedelta(days=365)]
    assert left == {files[day] for day in [*days[:14], *ends[:11], days[41]]}
    assert (tmp_path / "notes.txt").exists()
    assert (tmp_path / "clubledger.sqlite3").exists()
    assert (tmp_path / "clubledger-20200101T000000Z.sqlite3.old").exists()
    assert sorted(mark_of(path).exists() for path in left).count(True) == len(
        [path for path in left if mark_of(path).exists()]
    )


def test_the_last_good_one_is_the_newest_that_was_verified(settings: object, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "nowhere"
    assert last_good() is None
    settings.BACKUP_DIR = tmp_path
    first = datetime(2026, 11, 20, 4, 30, tzinfo=UTC)
    written(tmp_path, first, good=True)
    written(tmp_path, first + timedelta(days=1), good=False)
    assert last_good() == first


def test_a_good_one_to_come_is_named_and_not_taken_for_the_last(settings: object, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path
    now = datetime.now(UTC).replace(microsecond=0)
    written(tmp_path, now - timedelta(days=1), good=True)
    written(tmp_path, now + timedelta(days=2), good=False)
    assert (last_good(), future_good()) == (now - timedelta(days=1), None)
    written(tmp_path, now + timedelta(days=1), good=True)
    assert (last_good(), future_good()) == (now - timedelta(days=1), now + timedelta(days=1))


def test_a_clock_that_is_ten_years_back_costs_no_backup(site: Installation) -> None:
    site.backups.mkdir(mode=0o700)
    later = datetime(datetime.now(UTC).year + 10, 3, 6, 4, 30, tzinfo=UTC)
    there = [written(site.backups, later + timedelta(hours=hour), good=True) for hour in range(5)]
    for _day in range(2):
        done = site.commands.run("backup", "--check", "--keep", "1")
        assert done.code == 0
        assert f"liegt in der Zukunft ({later:%Y-%m-%d} 08:30 UTC)" in done.fault
        (new,) = set(site.written()) - set(there)
        assert f"Gesichert: {new}" in done.said
        assert mark_of(new).exists()


def test_what_a_call_wrote_stays_though_the_clock_went_on_meanwhile(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    old, new, newer = (written(tmp_path, noon + timedelta(hours=hour), good=hour == 2) for hour in range(3))
    with locked_folder(tmp_path):
        rotate(tmp_path, keep=1, written=list(backups_in(tmp_path))[1])
    assert list(backups_in(tmp_path)) == [new, newer]
    assert not old.exists()


def test_one_backup_at_a_time_and_the_rest_of_a_killed_one_goes(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    rest = tmp_path / ".clubledger-20261122T043000Z.sqlite3.part-check-wal"
    rest.touch()
    (tmp_path / ".part").touch()
    with locked_folder(tmp_path):
        assert not rest.exists()
        assert (tmp_path / ".part").exists()
        with pytest.raises(BackupFailed, match="gerade eine andere Sicherung"), locked_folder(tmp_path):
            pass


# --- When restoring is refused --------------------------------------------------------------------------------------


@pytest.fixture
def backup(site: Installation) -> Path:
    site.done("backup")
    (file,) = site.written()
    return file


@pytest.mark.postgres
def test_when_restoring_is_refused(site: Installation, backup: Path, tmp_path: Path) -> None:
    lose_games(site)
    assert "--overwrite" in site.refused("restore", backup)
    # The lock is the very one that the server takes; that it does is asked in test_recipe.py.
    handle = hold(site.var, alone=False)
    assert "systemctl stop clubledger" in site.refused("restore", backup, "--overwrite")
    os.close(handle)
    # Another command, or a server with another folder.
    other = sqlite3.connect(site.database) if SQLITE else psycopg.connect(installation.on_server(site.name))
    try:
        other.execute("BEGIN")
        other.execute("DELETE FROM django_session")
        assert "Jemand arbeitet gerade" in site.refused("restore", backup, "--overwrite")
    finally:
        other.close()
    site.alone()

    strange = tmp_path / "other"
    strange.write_text("Datum;Anton;Berta")
    assert "keine Sicherung von der Art dieser Datenbank" in site.refused("restore", strange, "--overwrite")
    assert "lässt sich nicht lesen" in site.refused("restore", tmp_path / "nothing", "--overwrite")

    half = tmp_path / "half"
    half.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    said = site.refused("restore", half, "--overwrite")
    assert "beschädigt" in said or "pg_restore ist gescheitert" in said

    # One bit of what was found good.
    backups.mark_good(next(iter(backups_in(site.backups))))
    data = bytearray(backup.read_bytes())
    data[-100] ^= 1
    backup.write_bytes(data)
    assert "beschädigt" in site.refused("restore", backup, "--overwrite")
    assert game_count(site) == 0


@pytest.mark.postgres
def test_another_program_and_a_newer_one(site: Installation) -> None:
    site.ask("INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9999_more', '2030-01-01')")
    site.done("backup")
    said = site.refused("restore", site.written()[-1], "--overwrite")
    assert "neuer als dieses Programm (scoring.9999_more)" in said
    site.ask("DELETE FROM django_migrations WHERE app = 'scoring'")
    site.done("backup")
    assert "keine Sicherung von Club Ledger" in site.refused("restore", site.written()[-1], "--overwrite")


@pytest.mark.postgres
def test_a_damaged_database_is_replaced_all_the_same(site: Installation, backup: Path) -> None:
    """That is what restoring is for; a journal that lies beside it must not be read into the new one."""
    if not SQLITE:
        pytest.skip("PostgreSQL looks after its own files")
    games = game_count(site)
    for path in (site.database, site.var / "db.sqlite3-journal", site.var / "db.sqlite3-wal"):
        path.write_bytes(b"not a database" * 1000)
    site.done("restore", backup, "--overwrite")
    assert game_count(site) == games
    assert len(list(site.var.glob("db.sqlite3.before-*"))) == 3, "all of it is kept"
    assert {path.name for path in site.var.glob("db.sqlite3*") if "before" not in path.name} == {"db.sqlite3"}


@pytest.mark.postgres
def test_into_an_empty_installation(site: Installation, backup: Path, tmp_path: Path) -> None:
    games, copy = game_count(site), tmp_path / backup.name
    copy.write_bytes(backup.read_bytes())
    site.empty()
    assert site.done("restore", copy).count("\n") == 1, "nothing was there to be kept"
    assert game_count(site) == games


# --- Killed on the way ----------------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_a_backup_killed_at_every_step_is_there_whole_or_not_at_all(site: Installation) -> None:
    step = 1
    while site.commands.run("backup", step=step).code is None:
        for file in site.written() if site.backups.exists() else []:
            assert ("scoring", "0001_start") in of_this_database().migrations_in(file)
        step += 1
    assert step > 5
    assert not [path for path in site.backups.iterdir() if path.name.startswith(".")], "the last one cleared up"


@pytest.mark.postgres
def test_a_restore_killed_at_every_step_leaves_old_or_new(site: Installation, backup: Path) -> None:
    games, step, found = game_count(site), 1, set()
    lose_games(site)
    site.alone()
    while site.commands.run("restore", backup, "--overwrite", step=step).code is None:
        found.add(game_count(site))
        lose_games(site)
        site.alone()
        step += 1
    assert step > 5
    assert {0} <= found <= {0, games}
    assert game_count(site) == games
    site.done("verify")
