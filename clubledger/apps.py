"""Decides that the safety checks of this project are registered as soon as Django is up."""

from django.apps import AppConfig


class Site(AppConfig):
    """The site itself: no models, only checks."""

    name = "clubledger"

    def ready(self) -> None:
        from clubledger import checks  # noqa: F401  importing registers them
