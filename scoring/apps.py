"""Decides what the app is called."""

from django.apps import AppConfig


class Scoring(AppConfig):
    """The game, the people, the standings."""

    name = "scoring"
    verbose_name = "Club Ledger"
