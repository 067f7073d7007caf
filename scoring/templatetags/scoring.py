"""How numbers and signs of the game are written on a page."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.queries.bock import bock_from, carried, open_from
from scoring.queries.sheet import Next, Sheet
from scoring.rules import labels
from scoring.rules.ranking import half_up
from scoring.rules.refused import Sentence

register = template.Library()


@register.filter
def points(value: int | None) -> str:
    """Points with a real minus sign; a dash where there are none."""
    if value is None:
        return "–"
    return str(value).replace("-", "−")


@register.filter
def signed(value: int | None) -> str:
    """Points that were won or lost in one game: with their sign."""
    return f"+{value}" if value and value > 0 else points(value)


@register.filter
def times(level: int) -> str:
    """The factor of a Bock level: ×2, ×4 …"""
    return f"×{2**level}"


@register.filter
def size_of_totals(sheet: Sheet) -> str:
    """How the longest running total has it: more than four characters need smaller figures in five columns on a phone, more
    than five more room than a phone has."""
    longest = max((len(points(cell.total)) for row in sheet.rows for cell in row.cells), default=0)
    return " long huge" if longest > 5 else " long" if longest > 4 else ""


@register.filter
def sentence(value: Sentence | Any) -> str:
    """A sentence of the rules in the reader's language; the names it holds are German, too."""
    if isinstance(value, Sentence):
        values = {name: _(held) if isinstance(held, str) else held for name, held in value.values.items()}
        return _(value.text) % values if values else _(value.text)
    return str(value)


@register.filter
def percent(figure: Fraction | None) -> str:
    """A part of 1 with one digit behind the comma; a dash where there is none."""
    return "–" if figure is None else f"{number_format(half_up(figure, 3).scaleb(2), 1)}\u00a0%"


@register.filter
def mean(figure: Fraction | None) -> str:
    """A quotient with two digits behind the comma, and a real minus sign."""
    return "–" if figure is None else number_format(half_up(figure, 2), 2).replace("-", "−")


@register.filter
def kind(code: str) -> str:
    """What a kind of game is called; the short form does not say which it was."""
    return _(labels.KINDS[code]) if code else _("ohne Angabe (Kurzform)")


@register.filter
def announcement(code: str) -> str:
    """What an announcement is called."""
    return _("Re oder Kontra") if code == "said" else _(labels.SAID[code])


@register.simple_tag
def bock_open(following: Next) -> str:
    """How many Bock games are still to come, how dear the next is, and which games started them."""
    levels, origin = following.levels, open_from(following)
    left = ngettext("Bock: noch %(n)s", "Bock: noch %(n)s", len(levels)) % {"n": len(levels)}
    factor = "" if levels[0] == 1 else f" ({times(levels[0])})"
    return left + factor + (": " if origin[:1].isdigit() else " ") + origin


register.filter("bock_from", bock_from)
register.filter("carried", carried)


@register.inclusion_tag("scoring/games/_fault.html")
def fault(refused: Mapping[str, Sentence] | None, name: str) -> dict[str, str]:
    """The place for what is wrong with one field; the script fills it as well."""
    found = (refused or {}).get(name)
    return {"name": name, "sentence": sentence(found) if found else ""}
