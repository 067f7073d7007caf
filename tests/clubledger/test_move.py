"""An installation moves from SQLite to a PostgreSQL as it stands, or nothing of it does: real databases, commands in processes of
their own, some of them killed on the way."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings as ours
from django.db import OperationalError, connection

from clubledger.moving import NotMoved, compute_check_sums, move
from clubledger.private import hold
from scoring.models import Game, Player
from tests.everything import postgresql
from tests.factories import Cast
from tests.installation import Installation, installed

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="what moves is on SQLite"),
    pytest.mark.skipif(postgresql() is None, reason="there is no PostgreSQL to move to"),
]
SESSION = (
    "INSERT INTO scoring_session (session_key, session_data, expire_date, seen_on) "
    "VALUES ('mine', '', '2099-01-01 00:00:00', '2026-03-06')"
)
GAMES = "SELECT key, facts->>'kind', version FROM scoring_game ORDER BY key"

LOGINS = "SELECT id, username, password FROM auth_user ORDER BY id"


class Target:
    """A database on the PostgreSQL of this machine."""

    def __init__(self, name: str) -> None:
        self.name, self.server = name, str(postgresql())
        self.url = urlsplit(self.server)._replace(path=f"/{name}").geturl()

    def make(self) -> None:
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')
            server.execute(f'CREATE DATABASE "{self.name}"')

    def drop(self) -> None:
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(f'DROP DATABASE "{self.name}" WITH (FORCE)')

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as line:
            answer = line.execute(sql)
            return answer.fetchall() if answer.description else []

    def tables(self) -> int:
        (row,) = self.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        return int(row[0])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Installation]:
    """Two clubs with books, and somebody who is logged in."""
    with installed(tmp_path_factory.mktemp("site"), "old") as made:
        made.begin(empty_database)
        made.done("archive", "import", ours.BASE_DIR / "fixtures" / "archive_kasse.json", "--admin", "vera")
        made.done("generate", "--evenings", "4")
        made.ask(SESSION)
        yield made


@pytest.fixture
def target() -> Iterator[Target]:
    made = Target(f"clubledger_move_{os.getpid()}")
    made.make()
    yield made
    made.drop()


def test_everything_is_there_afterwards(site: Installation, target: Target) -> None:
    """Whole, its books guarded, with room for more."""
    done = site.commands.run("move", "--to", target.url)
    assert done.code == 0, done.fault
    assert "Umgezogen: " in done.said
    assert site.done("verify") in done.said
    assert [(key.hex, *rest) for key, *rest in target.ask(GAMES)] == site.ask(GAMES)
    assert target.ask(LOGINS) == site.ask(LOGINS)
    assert target.ask("SELECT session_key FROM scoring_session") == [("mine",)], "nobody logs in again"
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="An account never changes"):
        target.ask("UPDATE scoring_account SET code = 'x'")
    last = "SELECT max(id) FROM scoring_change"
    assert target.ask("SELECT nextval(pg_get_serial_sequence('scoring_change', 'id')) - 1") == target.ask(last) == site.ask(last)
    assert "nicht leer" in site.refused("move", "--to", target.url)


@pytest.mark.soak
def test_wherever_it_is_killed_it_is_empty(site: Installation, target: Target) -> None:
    steps = site.commands.run("move", "--to", target.url).steps
    dice = random.Random(13)
    for _ in range(10):
        target.make()
        # From the copying on: what comes before only reads.
        assert site.commands.run("move", "--to", target.url, step=steps - dice.randrange(90)).code is None
        assert target.tables() == 0


def test_what_cannot_move_is_said_in_one_sentence(site: Installation, target: Target) -> None:
    assert "muss PostgreSQL sein" in site.refused("move", "--to", "sqlite:///elsewhere")
    assert "nichts umgezogen" in site.refused("move", "--to", "postgres://nobody@127.0.0.1:1/nothing")
    target.ask("CREATE TABLE theirs (id integer)")
    said = site.refused("move", "--to", target.url)
    assert said == f"CommandError: Das Ziel ist nicht leer: In der Datenbank {target.name} stehen schon Tabellen."
    assert target.tables() == 1
    running = hold(site.var, alone=False)
    assert "Dienst läuft noch" in site.refused("move", "--to", target.url)
    os.close(running)
    last = "FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations WHERE app = 'scoring')"
    (noted,) = site.ask(f"SELECT app, name, applied {last}")
    site.ask(f"DELETE {last}")
    assert "manage.py migrate" in site.refused("move", "--to", target.url)
    site.do([("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", noted)])


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["", "foo", "foo://vera:secret@127.0.0.1/club", "postgres:club"])
def test_an_address_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    """A warning would be an error here."""
    with pytest.raises(NotMoved, match="muss PostgreSQL sein"):
        move(url)


@pytest.mark.django_db
def test_a_password_that_is_taken_for_a_port_is_not_repeated() -> None:
    with pytest.raises(NotMoved, match="Prozent kodieren"):
        move("postgres://vera:sec/ret@127.0.0.1/club")


@pytest.mark.django_db
def test_what_is_wrong_there_is_said_before_anything_is_read(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubledger.moving.compute_archive_digests", lambda: pytest.fail("that takes minutes"))
    with pytest.raises(OperationalError):
        move(f"{target.url}_missing")
    target.ask("CREATE TABLE theirs (id integer)")
    with pytest.raises(NotMoved, match="nicht leer"):
        move(target.url)


@pytest.mark.soak
def test_a_text_that_postgresql_cannot_hold_moves_nothing(site: Installation, target: Target) -> None:
    """SQLite holds any length in any column."""
    site.ask("UPDATE auth_user SET first_name = hex(zeroblob(500))")
    assert "nichts umgezogen: value too long" in site.refused("move", "--to", target.url)
    assert target.tables() == 0
    site.ask("UPDATE auth_user SET first_name = ''")


@pytest.mark.django_db
def test_two_tables_that_differ_anywhere_are_told_apart(cast: Cast) -> None:
    before = compute_check_sums(Game, "default")
    assert compute_check_sums(Game, "default") == before
    Player.objects.update(guest=True)
    assert compute_check_sums(Game, "default") == before
    Game.objects.filter(pk=cast.game.pk).update(facts={**cast.game.facts, "eyes": 0})
    assert (changed := compute_check_sums(Game, "default"))[0] == before[0]
    assert changed[2] != before[2]
