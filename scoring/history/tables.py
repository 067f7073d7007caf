"""The list of changes: the latest first, and each is told in `history/list.html`."""

from __future__ import annotations

import django_tables2 as tables


class ChangesTable(tables.Table):
    """Changes; `entries` tells those of a page together."""

    at = tables.Column(orderable=False)
