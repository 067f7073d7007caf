"""The list of people, in the order of `people_of`."""

from __future__ import annotations

import django_tables2 as tables

from scoring.core.pages import LineColumn


class PeopleTable(tables.Table):
    """Players, with what the list says of each."""

    name = LineColumn("scoring/club/_line.html")
