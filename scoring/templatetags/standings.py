"""How the eternal list is written on a page: the figures of a row, and who climbed and who fell."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from scoring.standings.queries.metrics import Metric
from scoring.standings.queries.standings import Standing
from scoring.standings.tables import figure_text, movement
from scoring.templatetags.scoring import cells

register = template.Library()

register.filter("places_moved", movement)


@register.filter
def figures(row: Standing, metrics: Iterable[Metric]) -> SafeString:
    """The cells of a row behind the name."""
    return cells(*(figure_text(metric, row.figures[metric.key]) for metric in metrics))
