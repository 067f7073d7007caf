"""The evenings of one or two players as a table, the latest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.formats import format_points, format_signed
from scoring.core.tables import NumberColumn
from scoring.players.queries import EveningSum, Life
from scoring.rulesets.models import RuleSet


class FigureColumn(NumberColumn):
    def __init__(self, header: str, accessor: str, format_value: Callable[[int], str]) -> None:
        super().__init__(header, accessor=accessor, default="")
        self._format_value = format_value

    def render(self, value: int) -> str:
        return self._format_value(value)


class PlayerEveningsTable(tables.Table):
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
                (f"points_{place}", FigureColumn(header, f"results__{place}__points", format_signed)),
                (f"total_{place}", FigureColumn(gettext("Summe"), f"results__{place}__total", format_points)),
            ]
        super().__init__(evenings, extra_columns=columns)
