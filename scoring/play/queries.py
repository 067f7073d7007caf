"""Read what was played: the records of a table, its sheet, the next deal, changes, and the sums of years."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import accumulate, takewhile
from operator import itemgetter, or_
from typing import Any, Final, NamedTuple

from django.db.models import F, Model, OuterRef, Q, QuerySet

from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import Lookups, get_merge_target
from scoring.play.models import Evening, Game, Round, Seat, Table, TableCareer, TableResult, YearCareer
from scoring.play.rules import RESULT_FIELDS, sum_years
from scoring.rules.bock import CarriedBock, Chain, Origin, dump_chain, load_chain
from scoring.rules.parsing import GameFacts, OtherFacts, ShortFacts
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import Line, LineResult, Progress, Proposal, fold
from scoring.rulesets.models import RuleSet

GAMES = (Game.Form.PLAYED, Game.Form.SHORT)


@dataclass
class Records:
    """The facts of one table: its `rounds` in order, the players of each in seating order by its id (`line_ups`), its lines in
    order (`games`), the `deleted` ones, and the Bock left open by the table that it carries on from (`carried`)."""

    table: Table
    rounds: list[Round]
    line_ups: dict[int, list[Player]]
    games: list[Game]
    deleted: list[Game]
    carried: CarriedBock

    def line_up(self, game: Game) -> list[Player]:
        return self.line_ups[game.round_id]

    def get_rules(self, game: Game) -> RuleSettings:
        return self.table.rule_set.rules.at(len(self.line_up(game)))

    @property
    def current(self) -> list[Player]:
        return self.line_ups[self.rounds[-1].pk]

    @property
    def players(self) -> list[Player]:
        """All people who ever sat here, in the order in which they came: the columns of the sheet."""
        return list({player.pk: player for line_up in self.line_ups.values() for player in line_up}.values())

    @property
    def last(self) -> Game | None:
        return self.games[-1] if self.games else None

    def find(self, key: object) -> Game | None:
        return next((game for game in [*self.games, *self.deleted] if game.key == key), None)

    def lines(self) -> list[Line]:
        return [Line(game.form, self.line_up(game), game.dealer, game.facts) for game in self.games]

    def numbers(self) -> list[int]:
        """Return for each line the number of games played up to it."""
        return list(accumulate(int(game.form in GAMES) for game in self.games))

    @cached_property
    def results(self) -> list[LineResult]:
        """The result of each line in order, computed once. For changed lines use a copy of the records (`replace`)."""
        rules = self.table.rule_set.rules
        return fold(self.lines(), rules, self.start(rules), self.line_ups[self.rounds[0].pk] if self.rounds else ())

    @property
    def progress(self) -> Progress:
        """The deals before the next game, at the seats of the people who sit here now."""
        if self.last is None:
            return Progress().move(self.line_ups[self.rounds[0].pk], self.current)
        return self.results[-1].progress.move(self.line_up(self.last), self.current)

    @property
    def row(self) -> Table:
        """The table as read with the seats, after waiting for a lock; `table` may be older."""
        return self.rounds[-1].table if self.rounds else self.table

    @property
    def later(self) -> Table | None:
        return getattr(self.row, "carried_on_by", None)

    def start(self, rules: RuleSettings) -> Chain:
        """Return the Bock that is open before the first line, if these rules carry it on."""
        return load_chain(self.carried) if rules.carry else Chain()

    @property
    def left_open(self) -> CarriedBock:
        rules = self.table.rule_set.rules
        if not rules.carry:
            return []
        chain = self.results[-1].chain if self.results else self.start(rules)
        return dump_chain(chain, self.table.pk, self.numbers())

    @cached_property
    def days(self) -> dict[int, datetime.date]:
        """The days of the tables whose Bock games are carried on here, by id. One query or none."""
        tables = {run[0] for side in self.carried for run in side}
        if not tables:
            return {}
        return dict(Table.objects.filter(pk__in=tables).values_list("pk", "evening__held_on"))


def _select_games() -> QuerySet[Game]:
    return Game.objects.order_by("round__position", "position", "entered_at")


def _select_seats() -> QuerySet[Seat]:
    return Seat.objects.select_related("player", "round__table__evening", "round__table__carries_on", "round__table__carried_on_by")


def read_records(table: Table) -> Records:
    """Two queries."""
    return build_records(table, list(_select_games().filter(round__table=table)), _select_seats().filter(round__table=table))


def get_game_numbers(tables: Collection[int]) -> dict[str, tuple[int, bool]]:
    """Return number and deletion of each game of these tables by key; a deleted one has the number it would have. One query."""
    games = _select_games().filter(round__table__in=tables, form__in=GAMES)
    counted: Counter[int] = Counter()
    numbers = {}
    for table, key, deleted in games.values_list("round__table", "key", "deleted"):
        numbers[str(key)] = counted[table] + 1, deleted
        counted[table] += not deleted
    return numbers


def read_all_records(tables: Sequence[Table]) -> list[Records]:
    """Two queries."""
    games: dict[int, list[Game]] = {table.pk: [] for table in tables}
    for game in _select_games().filter(round__table__in=tables).annotate(table=F("round__table")):
        games[game.table].append(game)
    seats: dict[int, list[Seat]] = {table.pk: [] for table in tables}
    for seat in _select_seats().filter(round__table__in=tables):
        seats[seat.round.table_id].append(seat)
    return [build_records(table, games[table.pk], seats[table.pk]) for table in tables]


def build_records(table: Table, games: Sequence[Game], seats: Iterable[Seat]) -> Records:
    """Build the records of one table from rows: seats with their round, its table and the tables that it is linked to."""
    rounds: dict[int, Round] = {}
    carries_on: Table | None = None
    line_ups: dict[int, list[Player]] = {}
    for seat in sorted(seats, key=lambda seat: (seat.round.position, seat.place)):
        rounds.setdefault(seat.round_id, seat.round)
        carries_on = seat.round.table.carries_on
        line_ups.setdefault(seat.round_id, []).append(seat.player)
    for game in games:
        # The round is read once, with its seats. A round without seats is damaged, which `verify` reports.
        if game.round_id in rounds:
            game.round = rounds[game.round_id]
    return Records(
        table=table,
        rounds=list(rounds.values()),
        line_ups=line_ups,
        games=[game for game in games if not game.deleted],
        deleted=[game for game in games if game.deleted],
        carried=carries_on.open_bocks if carries_on else [],
    )


def get_line_ups(rounds: set[int]) -> dict[int, tuple[RuleSet, dict[int, str]]]:
    """Return the rule set of each round and the names of its players by place. One query."""
    line_ups: dict[int, tuple[RuleSet, dict[int, str]]] = {}
    for seat in Seat.objects.filter(round__in=rounds).select_related("player", "round__table__rule_set"):
        _rule_set, people = line_ups.setdefault(seat.round_id, (seat.round.table.rule_set, {}))
        people[seat.place] = seat.player.name
    return line_ups


LOOKUPS: Final[Lookups] = {"round": get_line_ups, "carries_on": Table.objects.select_related("evening").in_bulk}


def list_signers(evening: Evening) -> list[Player]:
    """Return who signed the evening when it was last closed, merged players as the remaining row. Empty for an open evening."""
    if evening.is_open:
        return []
    closings = Change.objects.filter(club=evening.club_id, verb=Verb.EVENING_CLOSED, subject_id=str(evening.pk))
    signed = (closings.order_by("-id").values_list("after", flat=True).first() or {}).get("players", [])
    people = Player.objects.select_related("merged_into").in_bulk(signed)
    return list(dict.fromkeys(get_merge_target(people[pk]) for pk in signed if pk in people))


def filter_evenings(path: str, closed_only: bool) -> Q:
    """Return a filter for evenings at this path ("" or "table__evening__"): all, or those that strangers can see."""
    return Q(**{f"{path}closed_at__isnull": False, f"{path}dropped": False}) if closed_only else Q()


# Log entries about late entries: they change no line of the sheet.
_LATE: Final = (Verb.GAME_CAME_LATE, Verb.GAME_NOT_TAKEN)


def list_sheet_changes(table: Table | OuterRef) -> QuerySet[Change]:
    return Change.objects.filter(table=table).exclude(verb__in=_LATE)


def get_last_change(table: Table) -> Change | None:
    """Return the last change of a table. A table is locked while it changes, so a later change has a higher id. One query."""
    return list_sheet_changes(table).order_by("-id").first()


def count_untouched_lines(records: Records, known: int | None) -> int:
    """Count the lines at the head of the sheet that are as after the change with this id (0: before all); 0 if it is unknown."""
    if known is None:
        return 0
    since = list(list_sheet_changes(records.table).filter(id__gte=known).order_by("id"))
    if known and (not since or since[0].pk != known):
        return 0
    rounds = {line_up.pk: index for index, line_up in enumerate(records.rounds)}
    touched = [place for change in since if change.pk != known for place in _list_places(rounds, change)]
    first = min(touched, default=(len(rounds), 0))
    return sum((rounds[game.round_id], game.position) < first for game in records.games)


def _list_places(rounds: dict[int, int], change: Change) -> list[tuple[int, int]]:
    """Return the round and position of a change's line before and after it; the head of the sheet if it has none."""
    sides = [side for side in (change.before, change.after) if side and change.verb.startswith("game.")]
    return [(rounds.get(side["round"], -1), side["position"]) for side in sides] or [(-1, 0)]


def get_content(line: Model) -> dict[str, Any]:
    """Return what was typed for a game or a late entry."""
    return {name: getattr(line, name) for name in ("form", "dealer", "facts", "note")}


def get_logged_values(game: Game) -> dict[str, Any]:
    return {**get_content(game), "round": game.round_id, "position": game.position, "version": game.version}


def propose_next(records: Records) -> Proposal:
    return records.progress.propose(records.table.rule_set.rules.at(len(records.current)))


def propose_at(records: Records, game: Game, behind: bool = False) -> Proposal:
    """Propose the game at the position of this line, or `behind` it, for its people and from the lines before."""
    before = list(takewhile(lambda other: other.key != game.key, records.games))
    rounds = [line_up for line_up in records.rounds if line_up.position <= game.round.position]
    return propose_next(replace(records, games=[*before, game] if behind else before, rounds=rounds))


# The numbers of games that started a Bock, by the day of their evening; None are those of this sheet, the last ones.
Sources = Mapping[datetime.date | None, Sequence[int]]


class Cell(NamedTuple):
    """A line for one person of the sheet: `total` is the sum after it, None for a person who was not at the table."""

    player: Player
    seat: int | None
    points: int
    total: int | None
    out: bool
    won: bool
    solo: bool
    deals: bool
    party: str

    @property
    def is_idle(self) -> bool:
        """Return whether the sheet has a dash for this person instead of a total."""
        return self.total is None or (self.out and not self.points)

    @property
    def shown(self) -> int | None:
        return None if self.is_idle else self.total


@dataclass(frozen=True)
class Row:
    """One line of the sheet. `number` counts the games, None for other lines; `turn` is the seat whose turn it was to deal, None if
    that seat dealt or the line has no dealer; `bock_from` are the games whose Bock raised it."""

    game: Game
    rules: RuleSettings
    result: LineResult
    number: int | None
    cycle: int
    ends_cycle: bool
    cells: Sequence[Cell]
    bock_from: Sources
    turn: int | None

    @property
    def dealer(self) -> Player | None:
        return self._seated(self.game.dealer)

    @property
    def in_turn(self) -> Player | None:
        return self._seated(self.turn)

    @property
    def label(self) -> str:
        return str(self.number or self.game.get_form_display())

    @property
    def reason(self) -> str:
        """The reason of a line that is no game, and the person who caused a redeal, if known."""
        facts = self.result.facts
        if not isinstance(facts, OtherFacts):
            return ""
        person = self._seated(facts.seat)
        return ": ".join(part for part in (str(person or ""), facts.reason) if part)

    def _seated(self, seat: int | None) -> Player | None:
        return None if seat is None else next((cell.player for cell in self.cells if cell.seat == seat), None)

    @property
    def value(self) -> int:
        """The value of the game for its winners; for Re without a winner."""
        outcome = self.result.outcome
        return -outcome.value if outcome.winner == "kontra" and self.game.form == Game.Form.PLAYED else outcome.value

    @property
    def sum(self) -> int:
        return sum(cell.points for cell in self.cells)


@dataclass(frozen=True)
class NextGame:
    """The next game and the `levels` of the Bock games to come. `bock_from` started the next one of them, `bock_runs` all of them,
    each with the number of games to come (see Chain.list_runs)."""

    rules: RuleSettings
    number: int
    proposal: Proposal
    people: Sequence[Player]
    levels: Sequence[int]
    bock_from: Sources
    bock_runs: Sequence[tuple[Sources, int]]

    @property
    def dealer(self) -> Player:
        return self.people[self.proposal.dealer]

    @property
    def leader(self) -> Player | None:
        return None if self.proposal.leader is None else self.people[self.proposal.leader]

    @property
    def out(self) -> list[Player]:
        return [self.people[seat] for seat in self.proposal.out or ()]

    @property
    def owing(self) -> list[Player]:
        return [self.people[seat] for seat in self.proposal.owing]

    @property
    def soloist(self) -> Player | None:
        return None if self.proposal.soloist is None else self.people[self.proposal.soloist]

    @property
    def owing_besides(self) -> list[Player]:
        return [player for player in self.owing if player != self.soloist]

    @property
    def playing(self) -> list[tuple[int, Player]]:
        """Seat and player of all who play; all people if it is not known who sits out."""
        out = self.proposal.out or ()
        return [(seat, player) for seat, player in enumerate(self.people) if seat not in out]

    @property
    def level(self) -> int:
        return self.levels[0] if self.levels else 0


@dataclass(frozen=True)
class Sheet:
    """All lines of a table, the oldest first, with a column for each person who ever sat there. `carried` are the levels of the
    Bock games of an earlier evening that were open before the first line; `carried_from` started the first of them."""

    records: Records
    players: Sequence[Player]
    rows: Sequence[Row]
    next: NextGame
    carried: Sequence[int]
    carried_from: Sources

    @property
    def table(self) -> Table:
        return self.records.table

    @cached_property
    def totals(self) -> dict[int, int]:
        return {player.pk: sum(row.cells[column].points for row in self.rows) for column, player in enumerate(self.players)}

    @property
    def columns(self) -> list[tuple[Player, int]]:
        return [(player, self.totals[player.pk]) for player in self.players]

    @property
    def sum(self) -> int:
        """The sum of all points: 0 if the rules give as much as they take."""
        return sum(self.totals.values())

    @property
    def games_uneven(self) -> bool:
        return self.sum != 0 and any(row.sum for row in self.rows if row.number)

    @property
    def others_uneven(self) -> bool:
        return self.sum != 0 and any(row.sum for row in self.rows if not row.number)

    @property
    def games_played(self) -> int:
        return self.next.number - 1

    @property
    def is_full(self) -> bool:
        planned = self.table.planned_games
        return planned is not None and self.games_played >= planned

    @property
    def has_odd_dealers(self) -> bool:
        return any(row.turn is not None for row in self.rows)

    def find_row(self, key: object) -> Row | None:
        return next((row for row in self.rows if row.game.key == key), None)


def read_sheet(table: Table) -> Sheet:
    """Two queries."""
    return build_sheet(read_records(table))


def build_sheet(records: Records, since: int = 0) -> Sheet:
    """Build the sheet without its first `since` rows; their points are in the totals."""
    results = records.results
    ahead = records.progress
    rules = records.table.rule_set.rules.at(len(records.current))
    rows: list[Row] = []
    players = records.players
    totals = {player.pk: 0 for player in players}
    numbers = records.numbers()
    for index, (game, result) in enumerate(zip(records.games, results, strict=True)):
        if index < since:
            for player, points in zip(records.line_up(game), result.outcome.points, strict=True):
                totals[player.pk] += points
            continue
        turn, _soloist = result.before.get_turn(records.get_rules(game))
        after = results[index + 1].before if index + 1 < len(results) else ahead
        rows.append(
            Row(
                game=game,
                rules=records.get_rules(game),
                result=result,
                number=numbers[index] if game.form in GAMES else None,
                cycle=result.before.cycles + 1,
                ends_cycle=after.cycles > result.before.cycles,
                cells=_build_cells(players, records.line_up(game), game.dealer, result, totals),
                bock_from=_list_sources(records, numbers, result.started_by),
                turn=None if game.dealer in (None, turn) else turn,
            )
        )
    start = records.start(rules)
    chain = results[-1].chain if results else start
    following = NextGame(
        rules=rules,
        number=(numbers[-1] if numbers else 0) + 1,
        proposal=ahead.propose(rules),
        people=records.current,
        levels=chain.list_levels(rules),
        bock_from=_list_sources(records, numbers, chain.list_origins()),
        bock_runs=[(_list_sources(records, numbers, [origin]), left) for origin, left in chain.list_runs()],
    )
    # At the size of the table then.
    first = records.line_ups[records.rounds[0].pk]
    carried = start.list_levels(records.table.rule_set.rules.at(len(first))) if records.row.carries_on else []
    return Sheet(records, players, rows, following, carried, _list_sources(records, [], start.list_origins() if carried else ()))


def _list_sources(records: Records, numbers: Sequence[int], started_by: Iterable[Origin]) -> Sources:
    """Return each game once in order, those of earlier evenings first. One game can start several Böcke."""
    numbers_by_day: dict[datetime.date | None, set[int]] = defaultdict(set)
    for origin in started_by:
        if isinstance(origin, int):
            numbers_by_day[None].add(numbers[origin])
        else:
            table, number = origin
            numbers_by_day[records.days.get(table)].add(number)
    days = sorted(numbers_by_day, key=lambda day: day or datetime.date.max)
    return {day: sorted(numbers_by_day[day]) for day in days}


def _build_cells(
    players: list[Player], line_up: list[Player], dealer: int | None, result: LineResult, totals: dict[int, int]
) -> list[Cell]:
    """Build the cells of a line, and add its points to `totals`."""
    facts, seats = result.facts, {player.pk: seat for seat, player in enumerate(line_up)}
    dealt = facts if isinstance(facts, (GameFacts, ShortFacts)) else None
    soloist = dealt.soloist if dealt else None
    re, kontra = (facts.re, facts.kontra) if isinstance(facts, GameFacts) else ((), ())
    cells = []
    for player in players:
        seat = seats.get(player.pk)
        points = 0 if seat is None else result.outcome.points[seat]
        totals[player.pk] += points
        cells.append(
            Cell(
                player=player,
                seat=seat,
                points=points,
                total=None if seat is None else totals[player.pk],
                out=dealt is not None and seat in dealt.out,
                won=seat in result.outcome.winners,
                solo=seat is not None and seat == soloist,
                deals=seat is not None and seat == dealer,
                party="re" if seat in re else "kontra" if seat in kontra else "",
            )
        )
    return cells


_ORDER: Final = ("table__evening__held_on", "table__evening", "table__number")
# What a row of a table for one person tells of its evening.
_OF_EVENING: Final = {
    "unit": F("table__rule_set__unit"),
    "evening": F("table__evening"),
    "day": F("table__evening__held_on"),
}
_CLOSED: Final = Q(table__evening__closed_at__isnull=False)
_RUNNING: Final = Q(table__evening__closed_at=None)
# Fields that come from `TableCareer`, and fields that depend on the order of the games.
_CAREER_FIELDS: Final = {"told", "mates"}
_IN_ORDER: Final = {"told", "wins_first", "wins_longest", "wins_last"}


def build_years(club: int, years: Collection[int] | None = None) -> list[YearCareer]:
    """Add up the closed evenings of a club in these years (None: all). Two queries."""
    evenings = _CLOSED if years is None else _CLOSED & _in_years(years)
    return [
        YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
        for (player, unit, year), fields in sum_years(_read_results(club, evenings), _read_careers(club, evenings)).items()
    ]


def _in_years(years: Collection[int]) -> Q:
    return reduce(or_, (Q(table__evening__held_on__year=year) for year in years), Q(pk__in=[]))


def _read_results(club: int, evenings: Q) -> list[dict[str, Any]]:
    """Read the results of all tables of these evenings; `evenings` is a condition on `table__evening`."""
    results = TableResult.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return list(results.values("player", *RESULT_FIELDS, **_OF_EVENING, without_games=F("table__without_games")))


def _read_careers(club: int, evenings: Q) -> Iterable[Mapping[str, Any]]:
    careers = TableCareer.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return careers.values("player", "told", "mates", **_OF_EVENING)


def read_years(
    club: int, names: Sequence[str], *, people: Collection[int] | None = None, closed_only: bool = False
) -> list[dict[str, Any]]:
    """Return these fields, and `player`, `unit`, `year` and `last_day`, of each person, unit and year of a club, ordered by year.
    Running evenings have a row of their own after that of their year, unless a field depends on the order of games (`_IN_ORDER`)
    and a closed evening is not before them: then the year has one row. One query, and up to three more with running evenings."""
    of_people = Q() if people is None else Q(player__in=people)
    stored = YearCareer.objects.filter(of_people, club=club).order_by("year", "pk")
    rows: list[dict[str, Any]] = list(stored.values(*dict.fromkeys(("player", "unit", "year", "last_day", *names))))
    running = _RUNNING
    brought = [] if closed_only else _read_results(club, running)
    if not brought:
        return rows
    # A year with a closed evening after a running one is computed from its tables, so that its games are in order.
    days = {one["day"] for one in brought} if _IN_ORDER & {*names} else set()
    recomputed = {day.year for day in days if any(row["year"] == day.year and row["last_day"] >= day for row in rows)}
    if recomputed:
        running |= _in_years(recomputed)
        brought = _read_results(club, running)
        rows = [row for row in rows if row["year"] not in recomputed]
    careers = _read_careers(club, running & of_people) if _CAREER_FIELDS & {*names} else ()
    for (player, unit, year), fields in sum_years(brought, careers).items():
        if people is None or player in people:
            rows.append({"player": player, "unit": unit, "year": year, **fields})
    return sorted(rows, key=itemgetter("year"))


def get_played_years(club: Club) -> set[int]:
    """Two queries."""
    running = TableResult.objects.filter(table__evening__club=club, table__evening__closed_at=None)
    days = running.values_list("table__evening__held_on", flat=True).distinct()
    return {*YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct(), *(day.year for day in days)}


def lock_table(table: Table) -> Records:
    """Lock a table and return its records. Raises Table.DoesNotExist."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening__club")
    return read_records(tables.get(pk=table.pk))
