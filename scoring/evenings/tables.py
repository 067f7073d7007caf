"""The list of evenings, in the order of its question."""

from __future__ import annotations

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _


class EveningsTable(tables.Table):
    """Evenings with their tables."""

    evening = tables.TemplateColumn(template_name="scoring/evenings/_line.html", context_object_name="row")

    class Meta:
        template_name = "scoring/tables/lines.html"
        empty_text = _("Noch gab es keinen Abend.")
