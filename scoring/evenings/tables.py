"""The list of evenings, in the order of its question."""

from __future__ import annotations

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from scoring.core.pages import LineColumn


class EveningsTable(tables.Table):
    """Evenings with their tables."""

    evening = LineColumn("scoring/evenings/_line.html")

    class Meta:
        empty_text = _("Noch gab es keinen Abend.")
