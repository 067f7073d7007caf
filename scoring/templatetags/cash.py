"""How money is written and drawn on a page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from scoring.cash.drawing import MonthsChart
from scoring.cash.words import money
from scoring.cash.words.rows import reason_said
from scoring.core.words import month_name

register = template.Library()

register.filter("euros", money.euros)
register.filter("bare_euros", money.bare_euros)
register.filter("short_euros", money.short_euros)
register.filter("balance", money.balance)
register.filter("own_balance", money.own_balance)
register.filter("cash_month", month_name)
register.filter("owes_more", money.owes_more)
register.filter("pays", money.pays)
register.filter("reason_said", reason_said)


@register.filter
def bars(chart: MonthsChart) -> SafeString:
    """Those of a chart: it has dozens, and a loop of the template costs more than they."""
    drawn = ((" lost" if one.lost else "", one.left, one.top, one.width, one.height) for one in chart.bars)
    return format_html_join("", '<rect class="bar{}" x="{}" y="{}" width="{}" height="{}"/>', drawn)


@register.filter
def spots_of_months(chart: MonthsChart) -> SafeString:
    """The months of a chart that can be asked, each with its cents, a space between them."""
    place = f'y1="{chart.scale[0][1]}" y2="{chart.foot}"'
    line = f'<line class="spot" x1="{{0}}" x2="{{0}}" {place} data-at="{{1}}" data-totals="{{2}}"/>'
    said = ((one.across, one.named, " ".join(map(money.bare_euros, one.cents))) for one in chart.spots)
    return format_html_join("", line, said)
