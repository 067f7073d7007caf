"""Run a migration and record it in one transaction.

Django defers some statements of a migration (indexes, foreign keys) to its end and then records the migration in another
transaction. An update that is killed in between finds its tables there already and can never continue. `Settled`, the last
operation of every migration, runs the deferred statements, so that Django records the migration in the same transaction.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Settled(Operation):
    """Run the deferred statements now. It changes no state and has nothing to undo."""

    reduces_to_sql = False
    reversible = True

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
