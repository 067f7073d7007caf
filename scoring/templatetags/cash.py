"""How money is written on a page."""

from __future__ import annotations

from django import template

from scoring.cash import texts
from scoring.cash.ledger.texts import translate_reason
from scoring.core.formats import format_month

register = template.Library()

register.filter("euros", texts.format_euros)
register.filter("bare_euros", texts.format_amount)
register.filter("short_euros", texts.format_short_amount)
register.filter("balance", texts.format_balance)
register.filter("own_balance", texts.format_own_balance)
register.filter("cash_month", format_month)
register.filter("owes_more", texts.format_charge)
register.filter("pays", texts.format_transfer)
register.filter("reason_said", translate_reason)
