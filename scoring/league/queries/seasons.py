"""The table of a season, and the league as strangers read it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from scoring.club.names import Names
from scoring.core.names import name_key
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.rules import Content, MonthOf, SeasonRow, Share, count_season, is_averaged
from scoring.play.models import Evening, TableResult

from .books import Books, content_in, months_of
from .months import content_of


@dataclass(frozen=True)
class SeasonTable:
    """A `season` with all its months: `months` and in each row what every one of them brought. `final` once it is over
    and every month closed: then the first of the table is its champion. `averaged`: the total is an average over all
    games."""

    season: Season
    months: list[Content]
    rows: list[SeasonRow]
    names: Mapping[int, str]
    final: bool
    averaged: bool

    @property
    def leaders(self) -> list[str]:
        return [self.names[row.player] for row in self.rows if row.rank == 1]

    @property
    def lines(self) -> list[tuple[str, SeasonRow]]:
        return [(self.names[row.player], row) for row in self.rows]

    @property
    def leaves_out(self) -> bool:
        """Does anybody have a month that does not count, or no rank for being there too seldom?"""
        return any(row.dropped or row.few for row in self.rows)

    @property
    def gaps(self) -> set[bool]:
        """For the figures that months lack: whether the player was there. Empty where none is missing."""
        there = [{row["player"] for row in content["rows"]} for content in self.months]
        return {
            row.player in people
            for row in self.rows
            for people, points in zip(there, row.months, strict=True)
            if points is None
        }

    @property
    def missing(self) -> list[tuple[int, Content, str]]:
        """Who was there in a month and has no figure of it in the season, with what was missing."""
        return [
            (row["player"], content, row["why"])
            for content in self.months
            for row in content["rows"]
            if row["rank"] is None and not row["brought"] and row["why"]
        ]

    @property
    def digits(self) -> int:
        """Two behind the comma as soon as any figure has one."""
        return 2 if self.averaged or any((points or 0) % 100 for row in self.rows for points in row.months) else 0


def season_table(books: Books) -> SeasonTable:
    """The season as it stands: closed months as they were published, the others as they are counted now. An average takes
    the games of a month as they were supplemented last: the difference of two averages is nobody's points."""
    season = books.season
    everything = (content_of(books, month) for month in months_of(season))
    months = [content for content in everything if content["rows"]]
    names = {row["player"]: row["name"] for content in months for row in content["rows"]} | books.names
    averaged = is_averaged(season.settings)
    rows = count_season(
        season.settings,
        [
            MonthOf(
                {row["player"]: row["rank"] for row in content["rows"]},
                {row["player"]: row["brought"] for row in content["rows"] if row["rank"] or row["brought"]},
                _shares(_as_supplemented(books, content)) if averaged else {},
                {row["player"]: row["evenings"] for row in content["rows"]},
            )
            for content in months
        ],
        {player: name_key(name) for player, name in names.items()},
    )
    over = season.last_day < timezone.localdate()
    final = over and all(content["month"] in books.latest for content in months)
    return SeasonTable(season, months, rows, names, final, averaged)


def filled(seasons: Sequence[Season]) -> list[Season]:
    """Those whose table has lines: something was published of them, or was played that counts there. One query."""
    told = Q(Exists(MonthClosing.objects.filter(season=OuterRef("pk"))))
    told |= Q(Exists(Supplement.objects.filter(season=OuterRef("pk"))))
    alike: dict[tuple[bool, tuple[str, ...]], list[int]] = defaultdict(list)
    for season in seasons:
        alike[season.settings["guests"], tuple(season.settings["rule_sets"])].append(season.pk)
    for (guests, rule_sets), of_them in alike.items():
        told |= Q(_counting(guests, rule_sets), pk__in=of_them)
    found = set(Season.objects.filter(told, pk__in=[one.pk for one in seasons]).values_list("pk", flat=True))
    return [season for season in seasons if season.pk in found]


def seasons_counting(evening: Evening, day: datetime.date) -> list[Season]:
    """Return the seasons in which an evening counts if it is held on this day, whoever was there."""
    rules = {(table.rule_set.unit, table.rule_set.name) for table in evening.tables.select_related("rule_set")}
    seasons = Season.objects.filter(club=evening.club_id, first_day__lte=day, last_day__gte=day).order_by("pk")
    return [
        season
        for season in seasons
        if any(unit == season.unit and name in (season.settings["rule_sets"] or [name]) for unit, name in rules)
    ]


def _counting(guests: bool, rule_sets: Sequence[str]) -> Exists:
    """Whether anybody took part in an evening of a season that counts in this way."""
    results = TableResult.objects.filter(
        Q(games__gt=0) | ~Q(points=0) | Q(table__without_games=True),
        table__evening__club=OuterRef("club"),
        table__evening__held_on__range=(OuterRef("first_day"), OuterRef("last_day")),
        table__rule_set__unit=OuterRef("unit"),
    )
    if not guests:
        results = results.filter(player__guest=False)
    return Exists(results.filter(table__rule_set__name__in=rule_sets) if rule_sets else results)


def _as_supplemented(books: Books, content: Content) -> Content:
    """A month as it was counted for its last supplement, else as it stands."""
    told = [one for one in books.supplements if one.about == content["month"]]
    return content_in(told[-1])["counted"] if told else content


def _shares(content: Content) -> dict[int, Share]:
    """The games of a month that a season's average is made of: those of the evenings that count, of whoever has a rank."""
    found = {}
    for row in content["rows"]:
        cells = [cell for cell in row["cells"] if cell and not cell["why"] and cell["games"]]
        if row["rank"] is not None and cells:
            found[row["player"]] = Share(
                points=sum(cell["points"] for cell in cells),
                games=sum(cell["games"] or 0 for cell in cells),
                deduction=sum(step["value"] for step in row["steps"] if step["kind"] == "deduction"),
            )
    return found


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
