"""The evenings of one or two people as a django-tables2 table: so many on a page, and `players/_ways.html` tells each."""

from __future__ import annotations

import django_tables2 as tables


class FiguresTable(tables.Table):
    """What each evening brought, the latest first."""

    evening = tables.Column(orderable=False)
