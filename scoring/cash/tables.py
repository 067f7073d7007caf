"""The lists of the Kasse as django-tables2 tables; the templates tell each of their rows."""

from __future__ import annotations

import django_tables2 as tables


class EntriesTable(tables.Table):
    """The journal: the latest entries first, page by page."""

    date = tables.Column(orderable=False)


class StatementTable(tables.Table):
    """The statement of a person, the latest line first."""

    balance = tables.Column(orderable=False)
