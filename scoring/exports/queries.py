"""Read the content of the workbook of a club. Games are read while it is written, so that not all of them are in memory."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.db.models import Q, QuerySet

from scoring.cash.ledger.queries import (
    IN_KASSE,
    BookNames,
    build_register,
    filter_register,
    get_balances,
    get_book_names,
    order_as_booked,
)
from scoring.cash.models import Entry
from scoring.cash.months.queries import BooksReport, build_report, get_first_month_of_year, list_years
from scoring.club.models import Club, Player
from scoring.club.queries import list_people
from scoring.league.models import Season
from scoring.league.queries.books import list_seasons, read_all_books
from scoring.league.queries.seasons import SeasonTable, list_filled_seasons, read_season_table
from scoring.league.rules import Content
from scoring.play.models import Evening, Game, Seat, Table, TableResult
from scoring.play.queries import Sheet, build_records, build_sheet, get_played_years
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import UNITS, Selection, list_openings
from scoring.standings.queries.standings import Standing, list_standings

Days = tuple[datetime.date, datetime.date]
# Games that are fetched at once.
CHUNK_SIZE = 500


@dataclass(frozen=True)
class Span:
    """A season, a year, or all time (`days` is None); `key` is its name in addresses."""

    key: str
    days: Days | None = None
    season: Season | None = None
    year: int | None = None

    def filter(self, day: str) -> Q:
        """Return the condition that the field `day` is in the span."""
        return Q((f"{day}__range", self.days)) if self.days else Q()

    def overlaps(self, first: datetime.date, last: datetime.date) -> bool:
        return self.days is None or (self.days[0] <= last and first <= self.days[1])

    def contains(self, season: Season) -> bool:
        return self.days is None or (self.days[0] <= season.first_day and season.last_day <= self.days[1])


def list_spans(club: Club) -> list[Span]:
    """Return all time, then the seasons, then the years with games, the latest first. Two queries."""
    seasons = [
        Span(f"season-{season.pk}", (season.first_day, season.last_day), season=season)
        for season in Season.objects.filter(club=club).order_by("-first_day", "name")
    ]
    years = [
        Span(f"year-{year}", (datetime.date(year, 1, 1), datetime.date(year, 12, 31)), year=year)
        for year in sorted(get_played_years(club), reverse=True)
    ]
    return [Span(""), *seasons, *years]


@dataclass(frozen=True)
class TablePart:
    """A table of an evening; `sheet` is None if it was imported without games. The best result is the first."""

    table: Table
    sheet: Sheet | None
    results: Sequence[TableResult]

    @property
    def players(self) -> Sequence[Player]:
        return self.sheet.players if self.sheet else [result.player for result in self.results]

    @property
    def unit(self) -> str:
        return self.table.rule_set.unit


@dataclass(frozen=True)
class ClubFile:
    """The content of the workbook; each part is read when it is used, within a snapshot. With `sees_books` also each payment."""

    club: Club
    span: Span
    sees_books: bool = False

    @cached_property
    def units(self) -> Sequence[str]:
        """The units of the eternal lists; points if the club has no games yet."""
        played = _tables_in(self.club, self.span).order_by().values_list("rule_set__unit", flat=True).distinct()
        used = {*played, *(opening.unit for opening in self.openings)}
        return [unit for unit in UNITS if unit in used] or [UNITS[0]]

    @cached_property
    def evening_count(self) -> int:
        return _tables_in(self.club, self.span).order_by().values("evening").distinct().count()

    @cached_property
    def openings(self) -> Sequence[OpeningStanding]:
        return [] if self.span.days else list_openings(self.club)

    @cached_property
    def league(self) -> list[SeasonTable]:
        return [read_season_table(books) for books in read_all_books(_seasons_in(self.club, self.span))]

    @property
    def seasons(self) -> Sequence[Season]:
        """The seasons of `season_tables`, found without counting them."""
        return list_filled_seasons([season for season in _seasons_in(self.club, self.span) if self.span.contains(season)])

    @property
    def season_tables(self) -> Sequence[SeasonTable]:
        return [table for table in self.league if table.rows and self.span.contains(table.season)]

    @property
    def months(self) -> Sequence[Content]:
        months = [month for table in self.league for month in table.months]
        return [month for month in months if self.span.overlaps(*map(datetime.date.fromisoformat, month["days"]))]

    @cached_property
    def has_kasse(self) -> bool:
        return Entry.objects.filter(club=self.club, number__isnull=False).exists()

    @cached_property
    def people(self) -> Sequence[Player]:
        return list(list_people(self.club))

    @cached_property
    def tables(self) -> Sequence[Table]:
        tables = _tables_in(self.club, self.span).select_related("evening", "carries_on__evening")
        return list(tables.prefetch_related("rule_set").order_by("evening__held_on", "evening_id", "number"))

    @cached_property
    def results(self) -> Sequence[TableResult]:
        """The results of all tables, by table; the best result of a table is the first."""
        players, tables = {row.pk: row for row in self.people}, {row.pk: row for row in self.tables}
        in_span = self.span.filter("table__evening__held_on")
        results = list(TableResult.objects.filter(in_span, table__evening__club=self.club).order_by("pk"))
        for result in results:
            result.player, result.table = players[result.player_id], tables[result.table_id]
        order = {pk: index for index, pk in enumerate(tables)}
        results.sort(key=lambda row: (order[row.table_id], -row.points, row.player.name_key, row.player_id))
        return results

    @cached_property
    def _days_of_tables(self) -> Mapping[int, datetime.date]:
        return dict(Table.objects.filter(evening__club=self.club).values_list("pk", "evening__held_on"))

    @cached_property
    def book_names(self) -> BookNames:
        return get_book_names(self.club)

    @cached_property
    def balances(self) -> Mapping[str, int]:
        """The cents of each account of the Kasse at the end of the span."""
        return get_balances(self.club, self.span.days[1] if self.span.days else None)

    @property
    def reports(self) -> Mapping[str, BooksReport]:
        """The reports of the years of the Kasse that overlap the span, by name, the latest first."""
        years = list_years(self.club, get_first_month_of_year(self.club))
        return {year.name: build_report(self.club, year) for year in years if self.span.overlaps(year.first, year.last)}

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The entries of the Kasse in the span, for those who may see the books."""
        if not self.sees_books:
            return []
        return list(order_as_booked(filter_register(build_register(self.club, IN_KASSE), self.span.filter("date"))))

    @cached_property
    def lists(self) -> Mapping[str, list[Standing]]:
        return {unit: list_standings(self.club, build_selection(unit, self.span), True, self.openings) for unit in self.units}

    @property
    def evenings(self) -> list[Evening]:
        return list({table.evening_id: table.evening for table in self.tables}.values())

    @property
    def evenings_without_games(self) -> int:
        return len({table.evening_id for table in self.tables if table.without_games})

    @property
    def rule_sets(self) -> list[tuple[RuleSet, int]]:
        """The rule sets with their numbers of tables."""
        tables = Counter(table.rule_set_id for table in self.tables)
        rule_sets = {table.rule_set_id: table.rule_set for table in self.tables}
        in_order = sorted(rule_sets.values(), key=lambda row: (row.name.casefold(), row.name, -row.version))
        return [(row, tables[row.pk]) for row in in_order]

    def read_evenings(self) -> Iterator[list[TablePart]]:
        """Yield the tables of each evening with their games, the oldest first. Two queries for any number of evenings."""
        people = {player.pk: player for player in self.people}
        seats = self._read_seats(people)
        tables_of = {seat.round_id: table for table, of_table in seats.items() for seat in of_table}
        results = defaultdict(list)
        for result in self.results:
            results[result.table_id].append(result)
        played = groupby(self._list_games().iterator(chunk_size=CHUNK_SIZE), key=lambda game: tables_of[game.round_id])
        following = next(played, None)
        for _evening, tables in groupby(self.tables, key=lambda table: table.evening_id):
            parts = []
            for table in tables:
                sheet = None
                if not table.without_games:
                    games: list[Game] = []
                    if following and following[0] == table.pk:
                        games, following = list(following[1]), next(played, None)
                    records = build_records(table, games, seats[table.pk])
                    # The days of all tables are read once instead of once for each table.
                    records.days = self._days_of_tables  # type: ignore[assignment]  # replaces a method
                    sheet = build_sheet(records)
                parts.append(TablePart(table, sheet, results[table.pk]))
            yield parts

    def _list_games(self) -> QuerySet[Game]:
        in_span = self.span.filter("round__table__evening__held_on")
        games = Game.objects.filter(in_span, round__table__evening__club=self.club, deleted=False)
        of_table = ("round__table__evening__held_on", "round__table__evening_id", "round__table__number")
        return games.order_by(*of_table, "round__position", "position", "entered_at")

    def _read_seats(self, people: Mapping[int, Player]) -> Mapping[int, list[Seat]]:
        tables = {table.pk: table for table in self.tables}
        in_span = self.span.filter("round__table__evening__held_on")
        seats: dict[int, list[Seat]] = defaultdict(list)
        for seat in Seat.objects.filter(in_span, round__table__evening__club=self.club).select_related("round"):
            seat.player, seat.round.table = people[seat.player_id], tables[seat.round.table_id]
            seats[seat.round.table_id].append(seat)
        return seats


def _tables_in(club: Club, span: Span) -> QuerySet[Table]:
    return Table.objects.filter(span.filter("evening__held_on"), evening__club=club)


def build_selection(unit: str, span: Span) -> Selection:
    since, until = span.days or (None, None)
    return Selection(unit=unit, since=since, until=until, everyone=True)


def _seasons_in(club: Club, span: Span) -> list[Season]:
    """Return the seasons that overlap the span, the oldest first; only that season if the span is one."""
    seasons = [span.season] if span.season else list(list_seasons(club))[::-1]
    return [season for season in seasons if span.overlaps(season.first_day, season.last_day)]
