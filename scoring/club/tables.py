"""The list of people, in the order of `people_of`."""

from __future__ import annotations

import django_tables2 as tables


class PeopleTable(tables.Table):
    """Players, with what the list says of each."""

    name = tables.TemplateColumn(template_name="scoring/club/_line.html", context_object_name="row")

    class Meta:
        template_name = "scoring/tables/lines.html"
