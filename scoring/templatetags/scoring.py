"""How numbers and signs of the game are written on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from scoring.core import words
from scoring.core.compact import Compact
from scoring.play.queries.sheet import Next, Row, Sheet
from scoring.play.words.bock import bock_from, bock_sign, carried, open_from
from scoring.rules.refused import Sentence

register = template.Library()

register.filter("points", words.points)
register.filter("signed", words.signed)
register.filter("percent", words.percent)
register.filter("mean", words.mean)
register.filter("sentence", words.sentence)
register.filter("announcement", words.announcement)
register.filter("bock_from", bock_from)
register.filter("carried", carried)


@register.filter
def bock_sign_of(row: Row) -> str:
    return bock_sign(row.rules, row.result.level)


@register.filter
def size_of_totals(sheet: Sheet) -> str:
    """How the longest running total has it: more than four characters need smaller figures in five columns on a phone, more
    than five more room than a phone has."""
    longest = max((len(words.points(cell.total)) for row in sheet.rows for cell in row.cells), default=0)
    return " long huge" if longest > 5 else " long" if longest > 4 else ""


@register.filter
def compact_script(data: Any, element_id: str) -> SafeString:
    """Django's filter `json_script`, in fewer bytes."""
    return json_script(data, element_id, Compact)


@register.simple_tag
def bock_open(following: Next) -> str:
    """How many Bock games are still to come, how dear the next is, and which games started them."""
    levels, origin = following.levels, open_from(following)
    left = ngettext("Bock: noch %(n)s", "Bock: noch %(n)s", len(levels)) % {"n": len(levels)}
    factor = "" if levels[0] == 1 else f" ({bock_sign(following.rules, levels[0])})"
    return left + factor + (": " if origin[:1].isdigit() else " ") + origin


@register.inclusion_tag("scoring/table/_fault.html")
def fault(refused: Mapping[str, Sentence] | None, name: str) -> dict[str, str]:
    """The place for what is wrong with one field; the script fills it as well."""
    found = (refused or {}).get(name)
    return {"name": name, "sentence": words.sentence(found) if found else ""}
