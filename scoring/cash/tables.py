"""The lists of the Kasse, the latest first."""

from __future__ import annotations

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

NOTHING = _("Hier ist nichts gebucht.")


class EntriesTable(tables.Table):
    """Entries with who they are about: the journal, or some of it."""

    entry = tables.TemplateColumn(template_name="scoring/cash/_entry.html", context_object_name="row")

    class Meta:
        empty_text = NOTHING


class StatementTable(tables.Table):
    """The statement of a person."""

    entry = tables.TemplateColumn(template_name="scoring/cash/_statement_line.html", context_object_name="row")

    class Meta:
        empty_text = NOTHING
