"""An update is done or not done, wherever it is killed: the tables of a club as the first version left them are brought up to date,
with the plug taken out at its steps, by whatever migrations there are since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from scoring.core.migrations import Settled
from tests.installation import Installation, installed

SQLITE = connection.vendor == "sqlite"
FIRST = "0001_start"
# What people typed, and what follows from it: no update loses a row of these.
KEPT = ("club", "player", "evening", "table", "round", "seat", "game", "outcome", "score", "tableresult", "change")
Row = dict[str, Any]


# --- A club in the tables of the first version ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Installation]:
    """It is typed into today's tables and carried over: a column that both have had the same in it then."""
    with installed(tmp_path_factory.mktemp("update"), f"clubledger_update_{os.getpid()}") as made:
        made.begin(empty_database)
        made.done("archive", "import", settings.BASE_DIR / "fixtures" / "archive.json", "--admin", "vera")
        today = {table: rows(made, table) for table in tables(made)}
        made.empty()
        for app in sorted(MigrationLoader(None).migrated_apps - {"scoring"}):
            made.done("migrate", "--verbosity=0", app)
        made.done("migrate", "--verbosity=0", "scoring", FIRST)
        fill(made, today)
        made.keep()
        yield made


def tables(site: Installation) -> list[str]:
    """Those that a club fills."""
    found = site.ask(
        "SELECT name FROM sqlite_master WHERE type = 'table'" if SQLITE else "SELECT tablename FROM pg_tables"
    )
    return sorted(name for (name,) in found if name.startswith("scoring_") or name == "auth_user")


def rows(site: Installation, table: str) -> list[Row]:
    """Everything in a table, as JSON."""
    if not SQLITE:
        return [json.loads(row) for (row,) in site.ask(f'SELECT row_to_json(one)::text FROM "{table}" AS one')]
    names = [column[1] for column in site.ask(f'PRAGMA table_info("{table}")')]
    return [dict(zip(names, row, strict=True)) for row in site.ask(f'SELECT * FROM "{table}"')]


def blank(site: Installation, table: str) -> Row:
    """What stands in a column that must hold something and that today's tables do not have any more."""
    if SQLITE:
        columns = [(name, kind) for _, name, kind, needed, _, _ in site.ask(f'PRAGMA table_info("{table}")') if needed]
    else:
        columns = site.ask(
            "SELECT column_name, data_type FROM information_schema.columns "
            f"WHERE table_schema = 'public' AND table_name = '{table}' AND is_nullable = 'NO'"
        )
    return {name: "" if "char" in kind or kind == "text" else 0 for name, kind in columns}


def fill(site: Installation, today: dict[str, list[Row]]) -> None:
    """Put rows into the tables as they are here, all in one transaction."""
    statements = []
    for table in tables(site):
        for row in [{**blank(site, table), **row} for row in today.get(table, [])]:
            if SQLITE:
                names = [column[1] for column in site.ask(f'PRAGMA table_info("{table}")')]
                marks = ", ".join("?" for _ in names)
                statements.append((f'INSERT INTO "{table}" VALUES ({marks})', tuple(row.get(name) for name in names)))
            else:
                insert = f'INSERT INTO "{table}" SELECT * FROM json_populate_record(NULL::"{table}", %s)'
                statements.append((insert, (json.dumps(row),)))
        if not SQLITE and any("id" in row for row in today.get(table, [])):
            statements.append((f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM \"{table}\"", ()))
    site.do(statements)


# --- Old or new -----------------------------------------------------------------------------------------------------


def shape(site: Installation) -> list[tuple[Any, ...]]:
    """Every table, column, index and constraint, and how many rows there are. What guards the books is put in its place behind
    the last migration, and each time again: verify names what is missing."""
    if SQLITE:
        parts = site.ask("SELECT type, name, sql FROM sqlite_master WHERE name LIKE '%scoring%' ORDER BY 1, 2")
    else:
        parts = site.ask(
            "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY 1, 2"
        )
        parts += site.ask("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
        parts += site.ask(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype <> 't' ORDER BY 1, 2"
        )
    return [*parts, *counts(site, tables(site))]


def counts(site: Installation, names: list[str]) -> list[tuple[str, int]]:
    return [(name, int(site.ask(f'SELECT count(*) FROM "{name}"')[0][0])) for name in names]


def applied(site: Installation) -> frozenset[str]:
    return frozenset(name for (name,) in site.ask("SELECT name FROM django_migrations WHERE app = 'scoring'"))


def test_each_migration_is_one_transaction() -> None:
    disk = MigrationLoader(None).disk_migrations or {}
    ours = {name: migration for (app, name), migration in disk.items() if app == "scoring"}
    assert [name for name, migration in ours.items() if not migration.atomic] == []
    assert [name for name, migration in ours.items() if not isinstance(migration.operations[-1], Settled)] == []


@pytest.mark.parametrize("tries", [pytest.param(1, id="short"), pytest.param(100, id="long", marks=pytest.mark.soak)])
def test_an_update_killed_at_its_steps_is_old_or_new(old: Installation, tries: int) -> None:
    """In the middle of so many equal parts of all its steps; the short form does not count them, which takes a whole update."""
    old.put_back()
    kept = [f"scoring_{name}" for name in KEPT]
    before = counts(old, kept)
    assert all(count for name, count in before if name in ("scoring_game", "scoring_score", "scoring_change"))
    # How the tables are behind each migration, asked where a kill left them so.
    states: dict[frozenset[str], list[tuple[Any, ...]]] = {}
    steps = 1000 if tries == 1 else old.commands.run("migrate", "--verbosity=0").steps
    for step in sorted({1 + steps * (2 * n + 1) // (2 * tries) for n in range(tries)}):
        old.put_back()
        assert old.commands.run("migrate", "--verbosity=0", step=step).code is None
        left, found = applied(old), shape(old)
        old.done("migrate", "--verbosity=0")
        assert counts(old, kept) == before
        assert "Alles stimmt: 3 Tische" in old.done("verify")
        if left not in states:
            old.put_back()
            old.done("migrate", "--verbosity=0", "scoring", max(left))
            states[left] = shape(old)
        assert found == states[left], f"killed before step {step} of {steps}"
