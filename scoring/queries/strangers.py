"""What somebody who does not belong to a club reads there, where it shows anything at all: of whoever wants that an initial
instead of the name, and of published months only the figures. Everything that names people goes through `Names` on its way
to a page that strangers may open; for a reader of the club that changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from scoring.models import Club, Evening, MonthClosing, Player, Supplement
from scoring.models.text import fold

from .league import Books, Content, SeasonTable, content_in
from .results import EveningResult
from .selection import over
from .standings import Standing


@dataclass(frozen=True)
class Names:
    """What people are called for one reader: `instead` of their names, by id. `whole`: the reader belongs to the club."""

    whole: bool = True
    instead: Mapping[int, str] = field(default_factory=dict)

    def of(self, player: int, name: str) -> str:
        return self.instead.get(player, name)

    def on(self, people: Iterable[Player]) -> list[Player]:
        """The people as the reader knows them; they are read only, and never saved after this."""
        found = list(people)
        for player in found:
            player.name = self.of(player.pk, player.name)
            player.name_key = fold(player.name)
        return found

    def in_list(self, rows: Iterable[Standing]) -> list[Standing]:
        named = [(row, self.of(row.player_id, row.name)) for row in rows]
        return [replace(row, name=name, name_key=fold(name)) for row, name in named]

    def in_result(self, found: EveningResult) -> EveningResult:
        """An evening whose people are called so on its sheets, in its rankings and curves."""
        for sheet in found.sheets:
            self.on(player for line_up in sheet.records.line_ups.values() for player in line_up)
        for ranking in found.rankings:
            self.on(player for sums in ranking.sums for player in sums.players)
        return found

    def in_month(self, content: Content) -> Content:
        """A published month. A stranger reads neither where an evening was nor who closed it, nor why something was
        corrected."""
        if self.whole:
            return content
        return content | {
            "closed_by": "",
            "evenings": [evening | {"place": ""} for evening in content["evenings"]],
            "supplements": [one | {"reason": ""} for one in content["supplements"]],
            "rows": self._in_lines(content["rows"]),
            "differences": self._in_lines(content.get("differences", ())),
        }

    def _in_lines(self, lines: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [{**line, "name": self.of(line["player"], line["name"])} for line in lines]

    def in_season(self, table: SeasonTable) -> SeasonTable:
        names = {player: self.of(player, name) for player, name in table.names.items()}
        return replace(table, months=[self.in_month(month) for month in table.months], names=names)


def names_for_strangers(club: Club) -> Names:
    """The initials of whoever wants to be read by strangers only so, with everybody who turned out to be them. One query."""
    people = Player.objects.filter(club=club).values_list("pk", "name", "by_initial", "merged_into")
    rows = {pk: (name, by_initial, into) for pk, name, by_initial, into in people}
    instead = {}
    for player in rows:
        kept, hidden = player, False
        while True:
            name, by_initial, into = rows[kept]
            hidden = hidden or by_initial
            if into is None:
                break
            kept = into
        if hidden:
            instead[player] = initial(name)
    return Names(whole=False, instead=instead)


def initial(name: str) -> str:
    """„A.“ for Anna and for Armin: who wants to be an initial is not told apart by more of the name."""
    return f"{name[:1].upper()}."


class Examples(NamedTuple):
    """What strangers could look at: the last published month and the last closed evening, None where there is none; and how
    many people they read as an initial."""

    month: MonthClosing | None
    evening: Evening | None
    by_initial: int


def read_examples(club: Club) -> Examples:
    """Three queries."""
    closings = MonthClosing.objects.filter(season__club=club).defer("content", "file")
    evenings = Evening.objects.filter(over("", closed_only=True), club=club)
    return Examples(
        month=closings.order_by("-month", "-pk").first(),
        evening=evenings.order_by("-held_on", "-pk").first(),
        by_initial=Player.objects.filter(club=club, by_initial=True, merged_into=None).count(),
    )


def findable_clubs() -> QuerySet[Club]:
    """The clubs that want to be found by search engines and show anything."""
    shown = Q(shows_list=True) | Q(shows_months=True) | Q(shows_evenings=True)
    return Club.objects.filter(shown, findable=True).order_by("slug")


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
    content = content_in(row)
    return {evening["id"] for evening in content.get("counted", content)["evenings"] if evening["open"]}
