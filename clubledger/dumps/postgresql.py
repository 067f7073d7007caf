"""Dump and restore a PostgreSQL database with its own tools, which get the password through the environment."""

from __future__ import annotations

import os
import subprocess  # nosec B404  # pg_dump, pg_restore and psql
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from clubledger.backups import (
    SESSIONS,
    BackupFailed,
    build_in_use_error,
    draft_of,
    locked_folder,
    new_path,
    verify_database,
    write,
)
from clubledger.version import Migration

SUFFIX = "dump"
MAGIC = b"PGDMP"
# Drops all tables and trigger functions. A failed update to a newer version may have created some that are not in the backup.
DROP_TABLES = """
DO $$ DECLARE one text; BEGIN
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DROP TABLE public.%I CASCADE', one);
    END LOOP;
    FOR one IN SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prorettype = 'trigger'::regtype LOOP
        EXECUTE 'DROP FUNCTION ' || one;
    END LOOP;
END $$"""


def dump(draft: Path) -> None:
    _run("pg_dump", _build_database_option(), "--format=custom", f"--file={draft}")


def check(file: Path) -> str:
    with _empty_database() as name:
        _run("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={name}", str(file))
        return verify_database(_build_url_of(os.environ["DATABASE_URL"], name))


def _build_url_of(url: str, name: str) -> str:
    """Return the URL of the database `name` on the server of `url`."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}/{quote(name)}{query}"


def migrations_in(file: Path) -> set[Migration]:
    """Return the migrations in a backup. The whole file is read first, so a damaged one raises BackupFailed."""
    _run("pg_restore", f"--file={os.devnull}", str(file))
    rows = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file))
    cells = [row.split("\t") for row in rows.splitlines()]
    return {(row[1], row[2]) for row in cells if len(row) == 4}


def holds_something() -> bool:
    return bool(connection.introspection.table_names())


def restore(file: Path) -> Path | None:
    """Replace all tables in one transaction, without sessions: ended ones must not come back. Back the old ones up first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend')"
        )
        if cursor.fetchone() == (True,):
            raise build_in_use_error()
    something = holds_something()
    connection.close()
    with locked_folder(settings.BACKUP_DIR):
        kept = write(settings.BACKUP_DIR, SUFFIX, dump) if something else None
        # Not a pipe: if pg_restore is killed, psql takes that for the end of the script and commits what it has read so far.
        script = draft_of(new_path(settings.BACKUP_DIR, SUFFIX), "-restore")
        try:
            _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
            _run(
                "psql", _build_database_option(), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
                "--command=SET lock_timeout = '20s'", f"--command={DROP_TABLES}", f"--file={script}",
                *(f"--command={_build_delete(table)}" for table in SESSIONS),
            )  # fmt: skip
        finally:
            script.unlink(missing_ok=True)
    return kept


def _build_delete(table: str) -> str:
    there = f"to_regclass('public.{table}') IS NOT NULL"
    return f"DO $$ BEGIN IF {there} THEN EXECUTE 'DELETE FROM public.{table}'; END IF; END $$"  # nosec B608


@contextmanager
def _empty_database() -> Iterator[str]:
    """Create an empty database, yield its name, and drop it. A killed check may have left one, which is dropped first."""
    name = f"{connection.settings_dict['NAME'][:50]}_check"
    quoted = connection.ops.quote_name(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (True,):
            sentence = _(
                "Die Sicherung ist geschrieben, aber nicht geprüft: Die Rolle %(role)s darf dafür keine Datenbank anlegen "
                "(ALTER ROLE %(role)s CREATEDB)."
            )
            raise BackupFailed(sentence % {"role": connection.settings_dict["USER"] or "clubledger"})
        cursor.execute(f"DROP DATABASE IF EXISTS {quoted}")
        cursor.execute(f"CREATE DATABASE {quoted} TEMPLATE template0")
    try:
        yield name
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {quoted} WITH (FORCE)")


def _run(tool: str, *words: str) -> str:
    """Return the output of a tool that connects to the server of this database. Raise BackupFailed."""
    # The command of psql: its name, the options of the server, and the database.
    command, more = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    try:
        done = subprocess.run(  # nosec B603  # every argument is from the settings, or a path
            [tool, *command[1:-1], *words],
            env={**os.environ, **(more or {})},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        sentence = _("%(tool)s fehlt auf diesem Rechner: apt install postgresql-client")
        raise BackupFailed(sentence % {"tool": tool}) from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [""]
        raise BackupFailed(_("%(tool)s ist gescheitert: %(reason)s") % {"tool": tool, "reason": lines[0]})
    return done.stdout


def _build_database_option() -> str:
    return f"--dbname={connection.settings_dict['NAME']}"
