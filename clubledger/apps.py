"""Decides what holds as soon as Django is up: the safety checks of this project are registered, and what was loaded stays."""

import gc

from django.apps import AppConfig


class Site(AppConfig):
    """The site itself: no models, only checks."""

    name = "clubledger"

    def ready(self) -> None:
        from clubledger import checks  # noqa: F401  importing registers them

        # What is loaded by now stays: Python need not look through it for garbage each time that a command has made many rows.
        gc.freeze()
