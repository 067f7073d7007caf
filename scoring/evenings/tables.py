"""The list of evenings as a django-tables2 table: in the order of its question, a card for each evening, so many on a page."""

from __future__ import annotations

import django_tables2 as tables


class EveningsTable(tables.Table):
    held_on = tables.Column()

    class Meta:
        orderable = False
