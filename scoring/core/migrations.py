"""Makes a migration and the note that it is done one transaction. Django leaves some statements of a migration (indexes,
foreign keys) for its end, and then notes it in another transaction: an update killed in between would find its tables there
already and never go on. `Settled`, the last operation of every migration, runs those statements inside of it, and Django then
notes it in the same transaction."""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Settled(Operation):
    """Nothing of the tables is left for later. It changes no state, and the way back has nothing to undo."""

    reduces_to_sql = False
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        kept, schema_editor.deferred_sql[:] = [*schema_editor.deferred_sql], []
        for statement in kept:
            schema_editor.execute(statement, None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        pass

    def describe(self) -> str:
        return "Runs what was kept for the end of the migration"
