"""What a phone hears when the database is too busy, and that other faults are none of its business."""

from __future__ import annotations

import _sqlite3
import errno
import json
import logging.config
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, close_old_connections, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from clubledger import SAFE_WAL, serve
from clubledger.web.errors import is_away, is_busy
from clubledger.web.middleware import OverloadMiddleware
from scoring.club.actions import Actor
from scoring.models import Session, TableLink
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.factories import PASSWORD, Cast
from tests.server import PATIENCE, environment, free_port, running


def wrapped(cause: Exception) -> OperationalError:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def answer(error: Exception, request: HttpRequest) -> HttpResponse | None:
    return OverloadMiddleware(lambda asked: HttpResponse()).process_exception(request, error)


def test_a_lock_is_known_whichever_sqlite_says_so() -> None:
    for library in (_sqlite3, *filter(None, [sys.modules.get("pysqlite3.dbapi2")])):
        assert is_busy(wrapped(library.OperationalError("database is locked")))
        assert not is_busy(wrapped(library.OperationalError("no such table: locked")))


@pytest.mark.parametrize(
    ("cause", "busy", "away"),
    [
        (psycopg.errors.LockNotAvailable(), True, False),
        (psycopg.errors.DeadlockDetected(), True, False),
        (psycopg.errors.TooManyConnections(), True, False),
        (psycopg.errors.AdminShutdown(), False, True),
        (psycopg.errors.ConnectionFailure(), False, True),
        (psycopg.OperationalError(), False, True),
        (psycopg.InterfaceError(), False, True),
        (psycopg.errors.DiskFull(), False, False),
        (psycopg.errors.QueryCanceled(), False, False),
    ],
)
def test_postgresql_says_what_is_the_matter(cause: Exception, busy: bool, away: bool) -> None:
    assert (is_busy(wrapped(cause)), is_away(wrapped(cause))) == (busy, away)


def test_another_fault_stays_a_fault(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as fault:
        sqlite3.connect(tmp_path / "db").execute("SELECT * FROM nothing")
    assert answer(wrapped(fault.value), RequestFactory().get("/")) is None
    assert answer(ValueError(), RequestFactory().get("/")) is None


@pytest.mark.postgres
@pytest.mark.django_db
def test_nobody_waits_for_ever() -> None:
    """On PostgreSQL neither because it would rather read a whole table than follow an index."""
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["timeout"] == 20
    else:
        with connection.cursor() as cursor:
            for name, value in (("lock_timeout", "20s"), ("random_page_cost", "1.1")):
                cursor.execute(f"SHOW {name}")
                assert cursor.fetchone() == (value,)


# --- A database that is really held, or really gone -----------------------------------------------------------------


@pytest.fixture
def impatient(transactional_db: None) -> None:
    """Who waits for a lock gives up soon; that it takes twenty seconds is asserted above."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100" if connection.vendor == "sqlite" else "SET lock_timeout = '100ms'")


@contextmanager
def held(reading_too: bool = False) -> Iterator[None]:
    """Somebody else writes, or with `reading_too` lets nobody read either, and does not finish."""
    other = connection.copy()
    with other.cursor() as cursor:
        if other.vendor == "sqlite":
            cursor.execute("BEGIN EXCLUSIVE" if reading_too else "BEGIN IMMEDIATE")
        else:
            tables = ", ".join(map(other.ops.quote_name, other.introspection.table_names(cursor)))
            cursor.execute("BEGIN")
            cursor.execute(f"LOCK TABLE {tables} IN {'ACCESS EXCLUSIVE' if reading_too else 'EXCLUSIVE'} MODE")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
    other.close()


def first_visit(cast: Cast) -> Callable[[], HttpResponse]:
    """A session that begins, saved after the view."""
    token = renew_link(table=cast.table, actor=Actor()).token
    return lambda: Client().get(reverse("link_open", args=[token]))


def later_visit(cast: Cast) -> Callable[[], HttpResponse]:
    """A session that is there already, changed and saved after the view."""
    phone, token = visit(cast.reader), renew_link(table=cast.table, actor=Actor()).token
    return lambda: phone.get(reverse("link_open", args=[token]))


def login(cast: Cast) -> Callable[[], HttpResponse]:
    return lambda: Client().post("/login/", {"username": "rita", "password": PASSWORD})


def wrong_password(cast: Cast) -> Callable[[], HttpResponse]:
    """The throttle writes it down."""
    return lambda: Client().post("/login/", {"username": "rita", "password": "falsch"})


def logout(cast: Cast) -> Callable[[], HttpResponse]:
    client = visit(cast.reader)
    return lambda: client.post("/logout/")


def entry(cast: Cast) -> Callable[[], HttpResponse]:
    client = visit(cast.scorer)
    game = {"key": str(uuid4()), "after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130}
    return lambda: client.post(reverse("games", args=["karo", cast.table.pk]), game, "application/json")


@pytest.mark.parametrize(
    ("asking", "then"),
    [(first_visit, 302), (later_visit, 302), (login, 302), (wrong_password, 422), (logout, 302), (entry, 201)],
)
def test_whoever_meets_a_held_database_is_told_when_to_come_again(
    impatient: None, cast: Cast, asking: Callable[[Cast], Callable[[], HttpResponse]], then: int
) -> None:
    ask = asking(cast)
    sessions = sorted(Session.objects.values_list("session_data"))
    with held():
        response = ask()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert "zu viel los" in (response.json()["error"] if asking is entry else response.content.decode())
    assert ("Content-Security-Policy" in response.headers) is (asking is not entry), "data is no document"
    assert not response.cookies.get("sessionid"), "it would name a session that is not there"
    assert sorted(Session.objects.values_list("session_data")) == sessions
    assert ask().status_code == then


def test_whoever_only_reads_is_told_as_well_or_need_not_wait(impatient: None, cast: Cast) -> None:
    """With SQLite's write-ahead log reading never waits for a writer."""
    client = visit(cast.reader)
    with held(reading_too=True):
        response = client.get("/c/karo/")
    if connection.vendor == "sqlite" and sqlite3.sqlite_version_info >= SAFE_WAL:
        assert response.status_code == 200
    else:
        assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert client.get("/c/karo/").status_code == 200


def test_a_session_that_ended_elsewhere_is_another_matter(cast: Cast, impatient: None) -> None:
    """Not too much is going on: whoever logged out on another phone has to begin again."""
    phone, token = visit(cast.reader), renew_link(table=cast.table, actor=Actor()).token
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "scoring.table.views.links.redirect", lambda *to: Session.objects.all().delete() and HttpResponse()
        )
        assert phone.get(reverse("link_open", args=[token])).status_code == 400


def test_a_database_that_went_away_is_told_and_found_again(transactional_db: None, cast: Cast) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is no server")
    client, other = visit(cast.scorer), connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    other.close()
    response = client.get("/c/karo/")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert "Die Datenbank antwortet gerade nicht" in response.content.decode()
    close_old_connections()  # as the server does between two requests
    assert client.get("/c/karo/").status_code == 200


def test_a_database_that_is_not_there_is_away(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is no server")
    nowhere = connection.copy()
    nowhere.settings_dict |= {"HOST": "127.0.0.1", "PORT": "1"}
    with pytest.raises(OperationalError) as refused:
        nowhere.ensure_connection()
    assert is_away(refused.value)


FULL, READ_ONLY = "Festplatte des Servers ist voll", "kann auf seine Festplatte gerade nicht schreiben"
CSRF = "c" * 32
ARCHIVE = "/c/karo/archive/"


def sqlite(name: str) -> Exception:
    error = sqlite3.OperationalError()
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("cause", "sentence", "code"),
    [
        (sqlite("SQLITE_FULL"), FULL, "sqlite_errorname=SQLITE_FULL"),
        (sqlite("SQLITE_READONLY_DBMOVED"), READ_ONLY, "sqlite_errorname=SQLITE_READONLY_DBMOVED"),
        (sqlite("SQLITE_IOERR"), READ_ONLY, "sqlite_errorname=SQLITE_IOERR"),
        (psycopg.errors.DiskFull(), FULL, "sqlstate=53100"),
        (psycopg.errors.ReadOnlySqlTransaction(), READ_ONLY, "sqlstate=25006"),
        (OSError(errno.ENOSPC, ""), FULL, "errno=28"),
        (OSError(errno.EDQUOT, ""), FULL, "errno=122"),
        (OSError(errno.EROFS, ""), READ_ONLY, "errno=30"),
    ],
)
def test_what_takes_nothing_is_told_and_named(
    cause: Exception, sentence: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.config.dictConfig(settings.LOGGING)
    error = cause if isinstance(cause, OSError) else DatabaseError()
    error.__cause__ = None if error is cause else cause
    for accept in ("text/html", "application/json"):
        request = RequestFactory().post("/", headers={"Accept": accept})
        request.resolver_match = None
        response = OverloadMiddleware(lambda asked: HttpResponse()).process_exception(request, error)
        assert response is not None
        assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
        said = json.loads(response.content)["error"] if "json" in accept else response.content.decode()
        assert sentence in said
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all("ERROR django.request: 503 Service Unavailable" in line and line.endswith(code) for line in lines)


# --- A disk that really is ------------------------------------------------------------------------------------------


def mount(*words: str | Path) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"NOT RUN: a small disk. Run as root where file systems may be mounted ({done.stderr.strip()}).")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """The folder of an installation on a file system that is small, in memory."""
    var = tmp_path / "small"
    var.mkdir()
    mount("-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", var)
    yield var
    subprocess.run(["umount", "--lazy", var], check=True)


@pytest.fixture
def breaking(tmp_path: Path) -> Iterator[Path]:
    """The same on ext4, which makes itself read-only when it finds itself damaged."""
    image, var = tmp_path / "image", tmp_path / "breaking"
    var.mkdir()
    with image.open("wb") as file:
        file.truncate(24 * 1024 * 1024)
    with suppress(FileNotFoundError):
        subprocess.run(["mkfs.ext4", "-q", "-b", "4096", image], capture_output=True, check=False)
    mount("-o", "loop,errors=remount-ro", image, var)
    var.chmod(0o700)
    yield var
    subprocess.run(["umount", "--lazy", var], check=True)


def damage(var: Path) -> None:
    """As a bad block would."""
    (device,) = (line.split()[0] for line in Path("/proc/mounts").read_text().splitlines() if f" {var} " in line)
    try:
        (Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error").write_text("x")
    except OSError:
        pytest.skip("NOT RUN: a disk that becomes read-only. Run as root where file systems may be mounted.")


def fill(var: Path) -> None:
    with suppress(OSError), (var / "fill").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(512))


def cookie(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={CSRF}"


class Phone:
    """Of the scorer, who is logged in since before the server began, in the copy of the test database that is in `var`."""

    def __init__(self, cast: Cast, var: Path) -> None:
        self.cookie, self.admin, self.linked = cookie(cast.scorer), cookie(cast.admin), Client()
        self.link = reverse("link_open", args=[TableLink.objects.create(table=cast.table).token])
        self.linked.get(self.link)
        self.games = reverse("games", args=["karo", cast.table.pk])
        self.page = reverse("evening", args=["karo", cast.table.evening_id])
        self.game = {"key": str(uuid4()), "after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130}
        self.port = free_port()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(var / "db.sqlite3")])

    @contextmanager
    def server(self, var: Path) -> Iterator[None]:
        with running(var, self.port, var.parent / "log", collected=True, SECRET_KEY=settings.SECRET_KEY):
            yield

    def ask(self, path: str, sent: object = None, cookie: str = "") -> tuple[int, str]:
        headers = {"Cookie": cookie or self.cookie, "X-CSRFToken": CSRF}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        if sent:
            request.data, request.headers["Content-type"] = json.dumps(sent).encode(), "application/json"
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def reads_alone(self, why: str) -> None:
        """Nothing that it types is stored, and it hears the reason."""
        assert self.ask(self.page)[0] == 200
        status, said = self.ask(self.games, self.game)
        assert (status, why in json.loads(said)["error"]) == (503, True)
        assert self.ask(self.page)[0] == 200
        assert self.ask(ARCHIVE, cookie=self.admin)[0] == 200, "the session cannot note that it was taken"
        opened = f"sessionid={self.linked.cookies['sessionid'].value}"
        assert self.ask(self.link, cookie=opened)[0] == 200, "whoever opened the link before is known"
        assert self.ask(self.link, cookie="none=0")[0] == 503
        assert self.ask("/healthz") == (200, "ok\n")


@pytest.fixture
def only_sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL is somewhere else")


def test_on_a_full_disk_the_server_starts_and_reads(
    transactional_db: None, only_sqlite: None, cast: Cast, small: Path
) -> None:
    phone = Phone(cast, small)
    with phone.server(small):
        fill(small)
        phone.reads_alone(FULL)
    assert "sqlite_errorname=SQLITE_FULL" in (small.parent / "log").read_text()
    assert not list(small.glob("db.sqlite3-*")), "what SQLite keeps beside the database has to be made anew"
    fill(small)
    with phone.server(small):
        phone.reads_alone(FULL)
        (small / "fill").unlink()
        assert phone.ask(phone.games, phone.game)[0] == 201, "the phone sends it again, and nothing was lost"
    assert "VAR_DIR has no room for new static files" in (small.parent / "log").read_text()


def test_a_disk_that_becomes_read_only_lets_people_read(
    transactional_db: None, only_sqlite: None, cast: Cast, breaking: Path
) -> None:
    phone = Phone(cast, breaking)
    with phone.server(breaking):
        # The locks that limit long work are made by the first of it.
        assert phone.ask(ARCHIVE, cookie=phone.admin)[0] == 200
        damage(breaking)
        phone.reads_alone(READ_ONLY)
    assert "sqlite_errorname=SQLITE_" in (breaking.parent / "log").read_text()


def test_a_start_on_a_read_only_disk_is_one_sentence(
    transactional_db: None, only_sqlite: None, cast: Cast, small: Path
) -> None:
    Phone(cast, small)
    (small / "secret_key").write_text(settings.SECRET_KEY)
    (small / "secret_key").chmod(0o600)
    mount("-o", "remount,ro", small)
    done = subprocess.run(
        [sys.executable, "-m", "clubledger.serve"],
        cwd=settings.BASE_DIR,
        env=environment(small, free_port()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith("The disk is read-only (see VAR_DIR and DATABASE_URL)")


def test_a_backup_that_finds_no_room_costs_no_older_one(
    transactional_db: None, only_sqlite: None, cast: Cast, small: Path, tmp_path: Path
) -> None:
    Phone(cast, tmp_path)
    before = small / "clubledger-20260306T043000Z.sqlite3"
    before.touch()
    fill(small)
    command = [sys.executable, "manage.py", "backup", "--check", "--keep", "1", "--to", str(small)]
    there = {**environment(tmp_path, 0), "SECRET_KEY": settings.SECRET_KEY}
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=there, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said = "CommandError: The backup is not finished: the disk is full. All older backups stay.\n"
    assert done.stderr == said
    assert sorted(small.iterdir()) == [before, small / "fill"]


def test_static_files_are_collected_again_only_where_they_changed_and_have_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Half of them would be worse than those of the last start."""
    collected: list[str] = []
    monkeypatch.setattr(serve, "call_command", lambda name, **said: collected.append(name))
    settings.VAR = settings.STATIC_ROOT = tmp_path
    for times, files in ((1, settings.STATICFILES_DIRS), (1, settings.STATICFILES_DIRS), (2, [])):
        settings.STATICFILES_DIRS = files
        serve.collect()
        assert collected == ["collectstatic"] * times
    settings.STATICFILES_DIRS = [tmp_path]
    monkeypatch.setattr(serve, "ROOM", 10**18)
    (tmp_path / "staticfiles.json").touch()
    serve.collect()
    assert len(collected) == 2
    (tmp_path / "staticfiles.json").unlink()
    serve.collect()
    assert len(collected) == 3
