"""Run a migration and record it in one transaction, so that a killed update can continue. Django runs deferred statements
(indexes, foreign keys) after it; `Settled`, the last operation of every migration, runs them within."""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Settled(Operation):
    reduces_to_sql = False

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        deferred, schema_editor.deferred_sql[:] = [*schema_editor.deferred_sql], []
        for statement in deferred:
            schema_editor.execute(statement, None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        pass

    def describe(self) -> str:
        return "Run the deferred statements of the migration"
