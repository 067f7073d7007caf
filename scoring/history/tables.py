"""The list of changes, the latest first."""

from __future__ import annotations

import django_tables2 as tables

from scoring.core.pages import LineColumn


class ChangesTable(tables.Table):
    """Changes; those of a page are told together."""

    change = LineColumn("scoring/history/_line.html")
