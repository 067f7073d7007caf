"""The list of people: its order is that of `people_of`, and each is a row of its own kind in `club/list.html`."""

from __future__ import annotations

import django_tables2 as tables


class PeopleTable(tables.Table):
    """Players, with what the list says of each."""

    name = tables.Column(orderable=False)
