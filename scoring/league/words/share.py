"""A month and a season as a text for the group chat: what stands in their tables, the first places first."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.formats import format_month
from scoring.league.queries.seasons import SeasonTable
from scoring.league.rules.content import Content
from scoring.rulesets.models import RuleSet

from .league import digits_of, figure

# Rank, name and result as it is written.
ShareLine = tuple[int | None, str, str]


def month_lines(content: Content) -> list[ShareLine]:
    digits = digits_of(content)
    return [(row["rank"], row["name"], _figure(row["result"], digits, content["unit"])) for row in content["rows"]]


def season_lines(table: SeasonTable) -> list[ShareLine]:
    return [
        (row.rank, name, _figure(row.total, table.digits, table.season.unit))
        for name, row in table.lines
        if row.total is not None
    ]


def month_state(content: Content) -> str:
    return _("Abgeschlossen") if content.get("closed_at") else _("Vorläufig")


def season_state(table: SeasonTable) -> str:
    return _("Endstand") if table.final else _("Zwischenstand")


def evenings_said(content: Content) -> str:
    evenings = len(content["evenings"])
    return ngettext("%(evenings)s Abend", "%(evenings)s Abende", evenings) % {"evenings": evenings}


def month_text(content: Content) -> str:
    head = [f"{format_month(content['month'])} · {content['season']}", content["club"]]
    said = f"{month_state(content)} · {evenings_said(content)}"
    return _text([*head, said], month_lines(content))


def season_text(table: SeasonTable) -> str:
    return _text([table.season.name, table.season.club.name, season_state(table)], season_lines(table))


def _text(head: Sequence[str], lines: Sequence[ShareLine]) -> str:
    """The head, everybody with a rank, and who has none by name alone."""
    placed = [f"{rank}. {name}: {result}" for rank, name, result in lines if rank]
    without = [name for rank, name, _result in lines if not rank]
    behind = [_("Ohne Platz: %(names)s") % {"names": ", ".join(without)}] if without else []
    return "\n".join([*head, "", *placed, *behind]) + "\n"


def _figure(hundredths: int | None, digits: int, unit: str) -> str:
    said = figure(hundredths, digits)
    return said + " " + _("Cent") if unit == RuleSet.Unit.CENTS and hundredths is not None else said
