"""Move an installation from SQLite to PostgreSQL, in one transaction of the new database. The old one is only read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from io import StringIO
from typing import Any, Final

import environ
from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, Model
from django.db.utils import load_backend
from django.utils.translation import gettext as _

OLD: Final = "old"  # the alias of the old database while "default" is the new one
BATCH_SIZE: Final = 2000  # rows


class NotMoved(Exception):
    """Nothing was moved. The message is one sentence with the reason."""


# The figures by which two tables are compared: rows, the sum of all integers, and the SHA-256 of all rows.
CheckSums = tuple[int, int, str]


def move(url: str) -> tuple[dict[str, CheckSums], str]:
    """Copy everything to the empty database at `url`; return the check sums by table and the report of `verify`. Raise NotMoved."""
    old = connections["default"]
    if old.vendor != "sqlite":
        raise NotMoved(_("Diese Installation ist schon auf PostgreSQL."))
    executor = MigrationExecutor(old)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotMoved(_("Die Tabellen sind von einer älteren Version. Bitte zuerst: manage.py migrate"))
    with closing(_open_database(url)) as new, transaction.atomic():
        # Check the new database before the archives are written, which takes minutes. No connection stays open during that time.
        _refuse_non_empty(new)
        new.close()
        archives = compute_archive_digests()  # only the new database is written to; the transaction keeps the old one unchanged
        with _make_default(new), transaction.atomic():
            _refuse_non_empty(new)
            call_command("migrate", interactive=False, verbosity=0)
            _copy(new)
            sums = {model._meta.db_table: compute_check_sums(model, "default") for model in tables()}
            for model in tables():
                if compute_check_sums(model, OLD) != sums[model._meta.db_table]:
                    raise NotMoved(_("%(table)s ist nicht so angekommen, wie es war.") % {"table": model._meta.db_table})
            if compute_archive_digests() != archives:
                raise NotMoved(_("Ein Archiv ist nicht mehr dasselbe."))
            report = StringIO()
            try:
                call_command("verify", stdout=report)
            except SystemExit as end:
                reason = {"reason": report.getvalue().strip()}
                raise NotMoved(_("Nachgerechnet stimmt etwas nicht: %(reason)s") % reason) from end
            return sums, report.getvalue().strip()


def tables() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed and not model._meta.proxy]


def compute_check_sums(model: type[Model], database: str) -> CheckSums:
    rows = whole = 0
    digest = hashlib.sha256()
    for row in _rows(model, database, model._meta.concrete_fields):
        rows += 1
        whole += sum(value for value in row if isinstance(value, int))
        values = [bytes(value).hex() if isinstance(value, (bytes, memoryview)) else value for value in row]
        digest.update(json.dumps(values, sort_keys=True, default=str).encode())
    return rows, whole, digest.hexdigest()


def compute_archive_digests() -> dict[str, str]:
    """Return the SHA-256 of the archive of each club by its slug."""
    digests = {}
    for slug in apps.get_model("scoring.Club").objects.order_by("slug").values_list("slug", flat=True):
        archive = StringIO()
        call_command("archive", "export", slug, stdout=archive)
        digests[slug] = hashlib.sha256(archive.getvalue().encode()).hexdigest()
    return digests


def _open_database(url: str) -> BaseDatabaseWrapper:
    # environ's error for an unknown scheme would quote the whole URL with the password.
    if environ.Env.DB_SCHEMES.get(url.partition("://")[0].lower()) != "django.db.backends.postgresql":
        raise NotMoved(_("Das Ziel muss PostgreSQL sein: --to postgres://benutzer@rechner/datenbank"))
    try:
        options = environ.Env.db_url_config(url)
    except ValueError as error:
        # With a slash in the password, the part before it is parsed as a port, and the error quotes it.
        raise NotMoved(_("Die Adresse lässt sich nicht lesen. Sonderzeichen im Passwort bitte mit Prozent kodieren.")) from error
    database = {**connections.settings["default"], "OPTIONS": {}, **options}
    made: BaseDatabaseWrapper = load_backend(options["ENGINE"]).DatabaseWrapper(database, "default")
    return made


@contextmanager
def _make_default(new: BaseDatabaseWrapper) -> Iterator[None]:
    """Make the new database the default one, and the old one available under the alias OLD."""
    old = connections["default"]
    connections["default"], connections[OLD] = new, old
    try:
        yield
    finally:
        connections["default"] = old
        del connections[OLD]


def _refuse_non_empty(new: BaseDatabaseWrapper) -> None:
    if new.introspection.table_names():
        sentence = _("Das Ziel ist nicht leer: In der Datenbank %(name)s stehen schon Tabellen.")
        raise NotMoved(sentence % {"name": new.settings_dict["NAME"]})


def _copy(new: BaseDatabaseWrapper) -> None:
    """Copy every row. Triggers are off meanwhile, since those of the books expect rows to be written step by step. Foreign keys are
    checked at the end."""
    models = tables()
    with new.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        for model in models:
            cursor.execute(f"ALTER TABLE {_quote_table(new, model)} DISABLE TRIGGER USER")
        for model in models:
            # `migrate` has already created rows (such as content types); the rows of the old database replace them.
            cursor.execute(f"DELETE FROM {_quote_table(new, model)}")  # nosec B608  # the name comes from a model
        for model in models:
            _copy_rows(new, cursor, model)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for model in models:
            cursor.execute(f"ALTER TABLE {_quote_table(new, model)} ENABLE TRIGGER USER")
        for statement in new.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _copy_rows(new: BaseDatabaseWrapper, cursor: Any, model: type[Model]) -> None:
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    columns = ", ".join(new.ops.quote_name(str(field.column)) for field in fields)
    with cursor.copy(f"COPY {_quote_table(new, model)} ({columns}) FROM STDIN") as copy:
        for row in _rows(model, OLD, fields):
            copy.write_row([field.get_db_prep_save(value, new) for field, value in zip(fields, row, strict=True)])


def _rows(model: type[Model], database: str, fields: Sequence[Field[Any, Any]]) -> Iterator[tuple[Any, ...]]:
    rows = model._base_manager.using(database).order_by("pk")
    return rows.values_list(*(field.attname for field in fields)).iterator(BATCH_SIZE)


def _quote_table(new: BaseDatabaseWrapper, model: type[Model]) -> str:
    return new.ops.quote_name(model._meta.db_table)
