"""How money is written on a page."""

from __future__ import annotations

from django import template

from scoring.cash.words import money
from scoring.cash.words.rows import reason_said
from scoring.core.formats import format_month

register = template.Library()

register.filter("euros", money.euros)
register.filter("bare_euros", money.bare_euros)
register.filter("short_euros", money.short_euros)
register.filter("balance", money.balance)
register.filter("own_balance", money.own_balance)
register.filter("cash_month", format_month)
register.filter("owes_more", money.owes_more)
register.filter("pays", money.pays)
register.filter("reason_said", reason_said)
