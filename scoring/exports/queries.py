"""Everything a club has of a season, of a year or of all time, for the one file with all of it. The games are not held
all at once: they come evening by evening, in one query, while the file is written."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from django.db.models import Q, QuerySet

from scoring.cash.models.books import Entry
from scoring.cash.queries.books import balances, owed_of
from scoring.cash.queries.journal import IN_KASSE, BookNames, among, as_booked, names_in, register_of
from scoring.cash.queries.years import BooksReport, report_of, year_begins, years_of
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
from scoring.standings.queries.openings import openings_of
from scoring.standings.queries.selection import UNITS, Selection
from scoring.standings.queries.standings import Standing, standings

Days = tuple[datetime.date, datetime.date]
# How many games are read at a time: few enough to hold, many enough to be quick.
CHUNK = 500


@dataclass(frozen=True)
class Span:
    """A stretch of days with its key in addresses: a season, a year, or all time, where it has no days."""

    key: str
    days: Days | None = None
    season: Season | None = None
    year: int | None = None

    @property
    def selection(self) -> Q:
        return Q(evening__held_on__range=self.days) if self.days else Q()


def spans_of(club: Club) -> list[Span]:
    """All time first, then the seasons and the years that were played in, the latest first. Two queries."""
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
    """One table of an evening: its sheet, or None where it came without its games; its results, the most first."""

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
class EveningPart:
    """An evening with all its tables."""

    evening: Evening
    parts: Sequence[TablePart]

    @property
    def players(self) -> list[Player]:
        """Everybody who sat at one of the tables, in the order they came."""
        return list({player.pk: player for part in self.parts for player in part.players}.values())


@dataclass(frozen=True)
class KasseInSpan:
    """The Kasse in a span: the years that meet it by name, the latest first, every entry of its days, what everybody owed at their
    end, by id, and what their accounts then summed up to."""

    years: Mapping[str, BooksReport]
    entries: Sequence[Entry] = field(repr=False)
    owed: Mapping[int, int]
    open: int
    names: BookNames


def read_kasse(club: Club, span: Span, single: bool) -> KasseInSpan:
    """The entries are read where somebody may see single payments."""
    last = span.days[1] if span.days else None
    found = balances(club, last)
    in_span = Q(date__range=span.days) if span.days else Q()
    years = [year for year in years_of(club, year_begins(club)) if _meets(span, year.first, year.last)]
    return KasseInSpan(
        years={year.name: report_of(club, year) for year in years},
        entries=list(as_booked(among(register_of(club, IN_KASSE), in_span))) if single else [],
        owed=owed_of(club, found),
        open=sum(cents for code, cents in found.items() if code.startswith("member:")),
        names=names_in(club),
    )


@dataclass(frozen=True)
class ClubFile:
    """What the file is made of, each part read when it is asked for: the page that offers the tables goes without most of them.
    Ask within a snapshot. A `treasurer` reads single payments."""

    club: Club
    span: Span
    treasurer: bool = False

    @cached_property
    def units(self) -> Sequence[str]:
        """Those of its lists. The list of a club that has played nothing yet is empty, in points."""
        played = _tables_in(self.club, self.span).order_by().values_list("rule_set__unit", flat=True).distinct()
        counted = {*played, *(one.unit for one in self.openings)}
        return [unit for unit in UNITS if unit in counted] or [UNITS[0]]

    @cached_property
    def evening_count(self) -> int:
        return _tables_in(self.club, self.span).order_by().values("evening").distinct().count()

    @cached_property
    def openings(self) -> Sequence[OpeningStanding]:
        """What people had before, in the file of all time."""
        return [] if self.span.days else openings_of(self.club)

    @cached_property
    def league(self) -> list[SeasonTable]:
        """The seasons with a day in the span, the oldest first."""
        return [read_season_table(books) for books in read_all_books(_seasons_in(self.club, self.span))]

    @property
    def seasons(self) -> Sequence[Season]:
        """Those whose table has lines and that lie in the span as a whole. Nothing is counted for that."""
        return list_filled_seasons([season for season in _seasons_in(self.club, self.span) if _holds(self.span, season)])

    @property
    def season_tables(self) -> Sequence[SeasonTable]:
        """The tables of those `seasons`, with every figure."""
        return [table for table in self.league if table.rows and _holds(self.span, table.season)]

    @property
    def months(self) -> Sequence[Content]:
        """The months of the league that lie in the span and have anybody in their tables."""
        return [month for table in self.league for month in table.months if _meets(self.span, *_days(month))]

    @cached_property
    def has_kasse(self) -> bool:
        return Entry.objects.filter(club=self.club, number__isnull=False).exists()

    @cached_property
    def people(self) -> Sequence[Player]:
        return list(list_people(self.club))

    @cached_property
    def tables(self) -> Sequence[Table]:
        """The tables of the span, in the order of their evenings."""
        tables = _tables_in(self.club, self.span).select_related("evening", "carries_on__evening")
        return list(tables.prefetch_related("rule_set").order_by("evening__held_on", "evening_id", "number"))

    @cached_property
    def results(self) -> Sequence[TableResult]:
        """What each table brought each person: in the order of the tables, and for each the most points first."""
        named, known = {row.pk: row for row in self.people}, {row.pk: row for row in self.tables}
        in_span = Table.objects.filter(self.span.selection)
        results = list(TableResult.objects.filter(table__evening__club=self.club, table__in=in_span).order_by("pk"))
        for result in results:
            result.player, result.table = named[result.player_id], known[result.table_id]
        order = {pk: place for place, pk in enumerate(known)}
        results.sort(key=lambda row: (order[row.table_id], -row.points, row.player.name_key, row.player_id))
        return results

    @cached_property
    def _days_of_tables(self) -> Mapping[int, datetime.date]:
        return dict(Table.objects.filter(evening__club=self.club).values_list("pk", "evening__held_on"))

    @cached_property
    def kasse(self) -> KasseInSpan:
        return read_kasse(self.club, self.span, self.treasurer)

    @cached_property
    def lists(self) -> Mapping[str, list[Standing]]:
        """The eternal lists by unit, with everybody and all figures."""
        return {unit: standings(self.club, everybody(unit, self.span), True, self.openings) for unit in self.units}

    @property
    def evenings(self) -> list[Evening]:
        return list({table.evening_id: table.evening for table in self.tables}.values())

    @property
    def evenings_without_games(self) -> int:
        return len({table.evening_id for table in self.tables if table.without_games})

    @property
    def rule_sets(self) -> list[tuple[RuleSet, int]]:
        played: dict[int, int] = defaultdict(int)
        for table in self.tables:
            played[table.rule_set_id] += 1
        found = {table.rule_set_id: table.rule_set for table in self.tables}
        return [
            (row, played[row.pk])
            for row in sorted(found.values(), key=lambda row: (row.name.casefold(), row.name, -row.version))
        ]

    def parts(self) -> Iterator[EveningPart]:
        """The evenings with their games, the oldest first: two queries, whatever their number."""
        people = {player.pk: player for player in self.people}
        seats = self._seats(people)
        tables_of = {seat.round_id: table for table, of_table in seats.items() for seat in of_table}
        results = defaultdict(list)
        for result in self.results:
            results[result.table_id].append(result)
        played = groupby(self._games().iterator(chunk_size=CHUNK), key=lambda game: tables_of[game.round_id])
        following = next(played, None)
        for _evening, tables in groupby(self.tables, key=lambda table: table.evening_id):
            parts = []
            for table in tables:
                sheet = None
                if not table.without_games:
                    games: list[Game] = []
                    if following and following[0] == table.pk:
                        games, following = list(following[1]), next(played, None)
                    sheet = self._sheet(table, games, seats[table.pk])
                parts.append(TablePart(table, sheet, results[table.pk]))
            yield EveningPart(parts[0].table.evening, parts)

    def _sheet(self, table: Table, games: Sequence[Game], seats: Sequence[Seat]) -> Sheet:
        records = build_records(table, games, seats)
        # Known for all tables at once, instead of asked for at each.
        records.days = self._days_of_tables  # type: ignore[assignment]  # in place of what it would ask
        return build_sheet(records)

    def _games(self) -> QuerySet[Game]:
        in_span = Q(round__table__evening__held_on__range=self.span.days) if self.span.days else Q()
        return (
            Game.objects.filter(in_span, round__table__evening__club=self.club, deleted=False)
            .order_by(
                "round__table__evening__held_on", "round__table__evening_id", "round__table__number",
                "round__position", "position", "entered_at",
            )
        )  # fmt: skip

    def _seats(self, people: Mapping[int, Player]) -> Mapping[int, list[Seat]]:
        tables = {table.pk: table for table in self.tables}
        in_span = Q(round__table__evening__held_on__range=self.span.days) if self.span.days else Q()
        found: dict[int, list[Seat]] = defaultdict(list)
        for seat in Seat.objects.filter(in_span, round__table__evening__club=self.club).select_related("round"):
            seat.player, seat.round.table = people[seat.player_id], tables[seat.round.table_id]
            found[seat.round.table_id].append(seat)
        return found


def _tables_in(club: Club, span: Span) -> QuerySet[Table]:
    return Table.objects.filter(span.selection, evening__club=club)


def everybody(unit: str, span: Span) -> Selection:
    since, until = span.days or (None, None)
    return Selection(unit=unit, since=since, until=until, everyone=True)


def _seasons_in(club: Club, span: Span) -> list[Season]:
    """The seasons with a day in the span, the oldest first: of a season itself alone."""
    seasons = [span.season] if span.season else list(list_seasons(club))[::-1]
    return [season for season in seasons if _meets(span, season.first_day, season.last_day)]


def _days(month: Content) -> Days:
    first, last = (datetime.date.fromisoformat(day) for day in month["days"])
    return first, last


def _holds(span: Span, season: Season) -> bool:
    return span.days is None or (span.days[0] <= season.first_day and season.last_day <= span.days[1])


def _meets(span: Span, first: datetime.date, last: datetime.date) -> bool:
    return span.days is None or (span.days[0] <= last and first <= span.days[1])
