"""What a phone hears when the database is too busy, and that other faults are none of its business."""

from __future__ import annotations

import _sqlite3
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from clubledger.sqlite import SAFE_WAL
from clubledger.web.overload import OverloadMiddleware, is_away, is_busy
from scoring.club.actions import Actor
from scoring.models import Session
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.factories import PASSWORD, Cast


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
