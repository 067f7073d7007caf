"""How money is written on a page."""

from __future__ import annotations

from django import template

from scoring.cash import texts
from scoring.cash.ledger.texts import reason_said
from scoring.core.formats import format_month

register = template.Library()

register.filter("euros", texts.euros)
register.filter("bare_euros", texts.bare_euros)
register.filter("short_euros", texts.short_euros)
register.filter("balance", texts.balance)
register.filter("own_balance", texts.own_balance)
register.filter("cash_month", format_month)
register.filter("owes_more", texts.owes_more)
register.filter("pays", texts.pays)
register.filter("reason_said", reason_said)
