"""The triggers of the books, and the receivers of signals, connected here: topics must not import what is to their right."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Warning, register
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import post_migrate, pre_migrate


class Scoring(AppConfig):
    name = "scoring"
    verbose_name = "Club Ledger"

    def ready(self) -> None:
        from scoring.play.replay import years_updated

        from .league.actions import follow_renaming, update_waits
        from .rulesets.actions import renamed

        _collect_changes()
        years_updated.connect(update_waits)
        renamed.connect(follow_renaming)
        pre_migrate.connect(_before, sender=self)
        post_migrate.connect(_after, sender=self)
        register(unguarded_books, "books")


def _collect_changes() -> None:
    from scoring.club.texts import FORMATS, LOOKUPS

    texts = ("club", "table", "evenings", "league", "players", "imports", "cash")
    for module in (*(f"{topic}.texts" for topic in texts), "rulesets.texts.rule_sets"):
        FORMATS.update(import_module(f"scoring.{module}").CHANGES)
    queries = ("club", "rulesets", "play", "evenings", "imports")
    for module in (*(f"{topic}.queries" for topic in queries), "league.queries.books"):
        LOOKUPS.update(import_module(f"scoring.{module}").LOOKUPS)


def _before(plan: Sequence[Any], **kwargs: Any) -> None:
    from scoring.cash.laws import drop_triggers

    if plan:
        drop_triggers()


def _after(plan: Sequence[Any] = (), **kwargs: Any) -> None:
    from scoring.cash.laws import create_triggers

    create_triggers()
    if plan and _is_of_today():
        from .league.actions import fill_missing_waits

        fill_missing_waits()


def _is_of_today() -> bool:
    """Return whether the tables are those of this version, not of one on the way from an old one."""
    loader = MigrationLoader(connection)
    return set(loader.graph.leaf_nodes("scoring")) <= set(loader.applied_migrations)


def unguarded_books(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return a warning for each missing trigger. An error would keep `migrate` from putting it back."""
    from scoring.cash.laws import list_missing_triggers

    # A connection would create the missing file of a database.
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return []
    was_connected = connection.connection is not None
    try:
        missing = list_missing_triggers()
    except Error:
        return []
    finally:
        if not was_connected:
            connection.close()
    hint = "Run: manage.py migrate"
    return [Warning(f"The books are not guarded: {name} is missing.", hint=hint, id="scoring.W001") for name in missing]
