"""Register the safety checks, and keep loaded modules out of garbage collection."""

import gc

from django.apps import AppConfig


class Site(AppConfig):
    name = "clubledger"

    def ready(self) -> None:
        from clubledger import checks  # noqa: F401  importing registers them

        # Loaded modules stay in memory, so the garbage collector need not search them each time a command has created many rows.
        gc.freeze()
