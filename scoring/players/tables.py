"""The evenings of one or two people as figures, the latest first."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import NamedTuple

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.formats import format_points, format_signed
from scoring.core.tables import NumberColumn
from scoring.rulesets.models import RuleSet

from .queries import EveningSum, Life


class EveningFigures(NamedTuple):
    """An evening with what it brought everybody, None to whoever was not there."""

    evening: int
    held_on: datetime.date
    brought: Sequence[EveningSum | None]


class FigureColumn(NumberColumn):
    def __init__(self, header: str, accessor: str, written: Callable[[int], str]) -> None:
        super().__init__(header, accessor=accessor, default="")
        self._written = written

    def render(self, value: int) -> str:
        return self._written(value)


class WaysTable(tables.Table):
    """What each evening brought everybody, and what they had behind it."""

    held_on = tables.TemplateColumn(
        template_name="scoring/players/_evening.html",
        context_object_name="row",
        verbose_name=_("Abend"),
        attrs={"td": {"scope": "row"}},
    )

    class Meta:
        template_name = "scoring/tables/table.html"
        orderable = False
        attrs = {"class": "list tallies figures", "aria-label": _("Als Zahlen")}

    def __init__(self, evenings: Sequence[EveningSum], lives: Sequence[Life]) -> None:
        columns = []
        for place, life in enumerate(lives):
            unit = gettext("Cent") if life.unit == RuleSet.Unit.CENTS else gettext("Punkte")
            header = format_html('<bdi translate="no">{}</bdi>', life.player.name) if len(lives) > 1 else unit
            columns += [
                (f"points_{place}", FigureColumn(header, f"brought__{place}__points", format_signed)),
                (f"total_{place}", FigureColumn(gettext("Summe"), f"brought__{place}__total", format_points)),
            ]
        super().__init__(evenings, extra_columns=columns)
