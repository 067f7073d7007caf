"""Decides how PostgreSQL's own tools write a database into a file and read it back. They learn where it is from the settings, and
the password from the environment: a command line can be read by everybody on the machine."""

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

from clubledger.backups import SESSIONS, BackupFailed, draft_of, new_path, opened, write
from clubledger.dumps.checked import verified
from clubledger.version import Migration

SUFFIX = "dump"
MAGIC = b"PGDMP"
# Everything that the newer tables of a failed update left goes as well: a backup knows only its own. Nor does it know the functions
# of triggers that are here already.
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
    """One moment of the database."""
    _run("pg_dump", _ours(), "--format=custom", f"--file={draft}")


def check(file: Path) -> str:
    """It is restored into a database of its own for that."""
    with _empty_database() as name:
        _run("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={name}", str(file))
        return verified(_beside(os.environ["DATABASE_URL"], name))


def _beside(url: str, name: str) -> str:
    """The URL of another database on the same server, reached in the same way."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}/{quote(name)}{query}"


def migrations_in(file: Path) -> set[Migration]:
    """The migrations it has; every byte of it is read for that."""
    _run("pg_restore", f"--file={os.devnull}", str(file))
    rows = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file))
    cells = [row.split("\t") for row in rows.splitlines()]
    return {(row[1], row[2]) for row in cells if len(row) == 4}


def holds_something() -> bool:
    """Are there tables already?"""
    return bool(connection.introspection.table_names())


def restore(file: Path) -> Path | None:
    """One transaction takes every table away, brings those of the backup and empties the sessions: what somebody ended since must
    not begin anew. What stood there is a backup of its own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend')"
        )
        if cursor.fetchone() == (True,):
            raise BackupFailed(
                _(
                    "Jemand arbeitet gerade mit der Datenbank. Bitte zuerst den Dienst anhalten: systemctl stop clubledger"
                )
            )
    something = holds_something()
    connection.close()
    with opened(settings.BACKUP_DIR):
        kept = write(settings.BACKUP_DIR, SUFFIX, dump).path if something else None
        # A pipe would not do: psql commits what it has read so far when whoever writes into it is killed.
        script = draft_of(new_path(settings.BACKUP_DIR, SUFFIX), "-restore")
        try:
            _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
            _run(
                "psql", _ours(), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
                "--command=SET lock_timeout = '20s'", f"--command={DROP_TABLES}", f"--file={script}",
                *(f"--command={_emptied(table)}" for table in SESSIONS),
            )  # fmt: skip
        finally:
            script.unlink(missing_ok=True)
    return kept


def _emptied(table: str) -> str:
    """Empties a table where there is one."""
    there = f"to_regclass('public.{table}') IS NOT NULL"
    return f"DO $$ BEGIN IF {there} THEN EXECUTE 'DELETE FROM public.{table}'; END IF; END $$"  # nosec B608


@contextmanager
def _empty_database() -> Iterator[str]:
    """The name of an empty database beside ours, which goes afterwards; one that was left by a killed check goes first."""
    name = f"{connection.settings_dict['NAME'][:50]}_check"
    quoted = connection.ops.quote_name(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (True,):
            said = _(
                "Die Sicherung ist geschrieben, aber nicht geprüft: Die Rolle %(role)s darf dafür keine Datenbank anlegen "
                "(ALTER ROLE %(role)s CREATEDB)."
            )
            raise BackupFailed(said % {"role": connection.settings_dict["USER"] or "clubledger"})
        cursor.execute(f"DROP DATABASE IF EXISTS {quoted}")
        cursor.execute(f"CREATE DATABASE {quoted} TEMPLATE template0")
    try:
        yield name
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {quoted} WITH (FORCE)")


def _run(tool: str, *words: str) -> str:
    """What a tool of PostgreSQL prints when it is told where our server is."""
    command, more = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    try:
        done = subprocess.run(  # nosec B603  # every word is from the settings, or a path
            [tool, *command[1:-1], *words],
            env={**os.environ, **(more or {})},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        said = _("%(tool)s fehlt auf diesem Rechner: apt install postgresql-client")
        raise BackupFailed(said % {"tool": tool}) from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [""]
        raise BackupFailed(_("%(tool)s ist gescheitert: %(reason)s") % {"tool": tool, "reason": lines[0]})
    return done.stdout


def _ours() -> str:
    return f"--dbname={connection.settings_dict['NAME']}"
