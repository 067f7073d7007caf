"""The league as a stranger reads it: published months and nothing else, of them the figures, with the names that a stranger
knows."""

from __future__ import annotations

from dataclasses import replace

from scoring.club.names import Names
from scoring.league.models import MonthClosing, Supplement
from scoring.league.rules.content import Content
from scoring.play.models import Evening

from .books import Books, content_in
from .seasons import SeasonTable


def month_for(names: Names, content: Content) -> Content:
    """A published month. A stranger reads neither where an evening was nor who closed it, nor why something was corrected."""
    if names.whole:
        return content
    return content | {
        "closed_by": "",
        "evenings": [evening | {"place": ""} for evening in content["evenings"]],
        "supplements": [one | {"reason": ""} for one in content["supplements"]],
        "rows": [row | {"name": names.get(row["player"], row["name"])} for row in content["rows"]],
        "differences": [one | {"name": names.get(one["player"], one["name"])} for one in content.get("differences", [])],
    }


def season_for(names: Names, table: SeasonTable) -> SeasonTable:
    called = {player: names.get(player, name) for player, name in table.names.items()}
    return replace(table, months=[month_for(names, month) for month in table.months], names=called)


def published_only(books: Books) -> Books:
    """The books of a season without what no closed month says, and without a month that was closed while one of its evenings
    was running, as long as that still is. At most one query."""
    told: list[MonthClosing | Supplement] = [*books.closings, *books.supplements]
    were_open = {row: _open_evenings(row) for row in told}
    running = set[int]()
    if any(were_open.values()):
        asked = set[int]().union(*were_open.values())
        running = set(Evening.objects.filter(pk__in=asked, closed_at=None).values_list("pk", flat=True))
    closed = replace(books, results=[], closings=[one for one in books.closings if not were_open[one] & running])
    supplements = [one for one in books.supplements if one.month in closed.latest and not were_open[one] & running]
    return replace(closed, supplements=supplements)


def _open_evenings(row: MonthClosing | Supplement) -> set[int]:
    """The evenings of a month that were running when it was closed or supplemented."""
    content = content_in(row)["counted"] if isinstance(row, Supplement) else content_in(row)
    return {evening["id"] for evening in content["evenings"] if evening["open"]}
