"""The table of a season, and the league as strangers read it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from scoring.club.names import Names
from scoring.core.names import name_key
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.rules import Content, SeasonRow, count_season, is_averaged
from scoring.play.models import Evening, TableResult

from .books import Books, list_months, read_content
from .months import get_content, get_last_counted


@dataclass(frozen=True)
class SeasonTable:
    """A season; `final` once it is over and all months are closed. `averaged`: the total is one average over all games. The `rows`
    have a `name` besides their figures."""

    season: Season
    months: list[Content]
    rows: list[SeasonRow]
    final: bool
    averaged: bool

    @property
    def leaders(self) -> list[str]:
        return [row["name"] for row in self.rows if row["rank"] == 1]

    @property
    def leaves_out(self) -> bool:
        """True if a month of a player does not count, or a rank is missing for too few evenings."""
        return any(row["dropped"] or row["few"] for row in self.rows)

    @property
    def gaps(self) -> set[bool]:
        """For the legend of missing figures: has True if a player was there in such a month, False if one was not."""
        players = [{row["player"] for row in content["rows"]} for content in self.months]
        missing = ((row, at) for row in self.rows for at, points in enumerate(row["months"]) if points is None)
        return {row["player"] in players[at] for row, at in missing}

    @property
    def missing(self) -> list[tuple[int, Content, str]]:
        """The players who were in a month and have no figure of it, with the content and the reason."""
        return [
            (row["player"], content, row["why"])
            for content in self.months
            for row in content["rows"]
            if row["rank"] is None and not row["brought"] and row["why"]
        ]

    @property
    def digits(self) -> int:
        """2 if any figure has decimals, else 0."""
        return 2 if self.averaged or any((points or 0) % 100 for row in self.rows for points in row["months"]) else 0


def read_season_table(books: Books) -> SeasonTable:
    """Return the table of a season. An average uses the games of a month as supplemented last, because a difference of averages is
    no number of points."""
    season = books.season
    everything = (get_content(books, month) for month in list_months(season))
    months = [content for content in everything if content["rows"]]
    names = {row["player"]: row["name"] for content in months for row in content["rows"]} | books.names
    counted = [get_last_counted(books, content)["rows"] for content in months] if is_averaged(season.settings) else []
    sort_keys = {player: name_key(name) for player, name in names.items()}
    rows = count_season(season.settings, [content["rows"] for content in months], counted, sort_keys)
    named = [row | {"name": names[row["player"]]} for row in rows]
    over = season.last_day < timezone.localdate()
    final = over and all(content["month"] in books.latest for content in months)
    return SeasonTable(season, months, named, final, is_averaged(season.settings))


def list_filled_seasons(seasons: Sequence[Season]) -> list[Season]:
    """Return the seasons with published months or results that count. One query."""
    filled = Q(Exists(MonthClosing.objects.filter(season=OuterRef("pk"))))
    filled |= Q(Exists(Supplement.objects.filter(season=OuterRef("pk"))))
    by_counting: dict[tuple[bool, tuple[str, ...]], list[int]] = defaultdict(list)
    for season in seasons:
        by_counting[season.settings["guests"], tuple(season.settings["rule_sets"])].append(season.pk)
    for (guests, rule_sets), pks in by_counting.items():
        filled |= Q(_has_results(guests, rule_sets), pk__in=pks)
    found = set(Season.objects.filter(filled, pk__in=[one.pk for one in seasons]).values_list("pk", flat=True))
    return [season for season in seasons if season.pk in found]


def list_counting_seasons(evening: Evening, day: datetime.date) -> list[Season]:
    """Return the seasons that count a table of this evening if it is held on `day`."""
    rules = {(table.rule_set.unit, table.rule_set.name) for table in evening.tables.select_related("rule_set")}
    seasons = Season.objects.filter(club=evening.club_id, first_day__lte=day, last_day__gte=day).order_by("pk")
    return [
        season
        for season in seasons
        if any(unit == season.unit and name in (season.settings["rule_sets"] or [name]) for unit, name in rules)
    ]


def _has_results(guests: bool, rule_sets: Sequence[str]) -> Exists:
    results = TableResult.objects.filter(
        Q(games__gt=0) | ~Q(points=0) | Q(table__without_games=True),
        table__evening__club=OuterRef("club"),
        table__evening__held_on__range=(OuterRef("first_day"), OuterRef("last_day")),
        table__rule_set__unit=OuterRef("unit"),
    )
    if not guests:
        results = results.filter(player__guest=False)
    return Exists(results.filter(table__rule_set__name__in=rule_sets) if rule_sets else results)


def redact_month(names: Names, content: Content) -> Content:
    """Return a published month without places, names of admins, reasons and hidden names, for a stranger."""
    if names.whole:
        return content
    return content | {
        "closed_by": "",
        "evenings": [evening | {"place": ""} for evening in content["evenings"]],
        "supplements": [one | {"reason": ""} for one in content["supplements"]],
        "rows": [row | {"name": names.get(row["player"], row["name"])} for row in content["rows"]],
        "differences": [one | {"name": names.get(one["player"], one["name"])} for one in content.get("differences", [])],
    }


def redact_season(names: Names, table: SeasonTable) -> SeasonTable:
    rows = [row | {"name": names.get(row["player"], row["name"])} for row in table.rows]
    return replace(table, months=[redact_month(names, month) for month in table.months], rows=rows)


def keep_published(books: Books) -> Books:
    """Return the books of published months only, without those with an evening that is still running. At most one query."""
    published: list[MonthClosing | Supplement] = [*books.closings, *books.supplements]
    were_open = {row: _list_open_evenings(row) for row in published}
    running = set[int]()
    if evenings := set[int]().union(*were_open.values()):
        running = set(Evening.objects.filter(pk__in=evenings, closed_at=None).values_list("pk", flat=True))
    closed = replace(books, results=[], closings=[one for one in books.closings if not were_open[one] & running])
    supplements = [one for one in books.supplements if one.month in closed.latest and not were_open[one] & running]
    return replace(closed, supplements=supplements)


def _list_open_evenings(row: MonthClosing | Supplement) -> set[int]:
    content = read_content(row)["counted"] if isinstance(row, Supplement) else read_content(row)
    return {evening["id"] for evening in content["evenings"] if evening["open"]}
