"""The list of changes, the latest first."""

from __future__ import annotations

import django_tables2 as tables


class ChangesTable(tables.Table):
    """Changes; those of a page are told together."""

    change = tables.TemplateColumn(template_name="scoring/history/_line.html", context_object_name="row")
