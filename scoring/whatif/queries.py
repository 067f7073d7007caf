"""Value games by other rules: the list of a club, and sample games beside settings that are being edited. The points by either
rules are always those of the same games.

Each table is folded from its first line, as the replay does it. Entries that the other rules do not know are ignored. A game
that lacks what they need is left out and named, with the reason. A long computation is done some tables at a time."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from scoring.club.models import Club
from scoring.play.models import Game, Seat, Table
from scoring.play.queries import GAMES, read_records
from scoring.rules import labels
from scoring.rules.bock import Chain
from scoring.rules.constants import DEFAULTS
from scoring.rules.parsing import GameFacts, ShortFacts, parse_line
from scoring.rules.ranking import rank_all
from scoring.rules.settings import DEFAULT, RuleSettings, get_preset
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, filter_scores, filter_tables
from scoring.standings.queries.standings import Standing, list_standings
from scoring.whatif.rules import NO_GAMES, OTHER_UNIT, SHORT_FORM, adapt, explain_missing

# Tables that are valued in less than a second, and in one request.
TABLES_AT_ONCE: Final = 400
# Settings that do not change the points of the short form, which are entered before Bock and before they are shared out.
NOT_IN_BASE: Final = (
    "bock", "soloist_share", "counting", "sitter", "deal_stays", "seating", "duty_solo", "kinds", "text"
)  # fmt: skip
# Lines named for one reason; of the others only the number is shown.
MAX_NAMED: Final = 100
MAX_SAMPLES: Final = 3
# Ordinary and expensive games; the first three that both rule sets accept are shown.
EXAMPLE_GAMES: Final[Sequence[dict[str, Any]]] = (
    {"kind": "normal", "re": [0, 1], "eyes": 156, "re_said": "said", "re_specials": {"fuchs": 1}},
    {"kind": "normal", "re": [1, 3], "eyes": 85, "kontra_said": "said", "kontra_specials": {"karlchen": 1}},
    {"kind": "damensolo", "re": [2], "eyes": 104},
    {"kind": "trumpfsolo", "re": [2], "eyes": 154},
    {"kind": "normal", "re": [0, 1], "eyes": 156},
    {"kind": "normal", "re": [1, 3], "eyes": 85},
    {"kind": "normal", "re": [0, 2], "eyes": 186},
)


class ListSide(NamedTuple):
    rank: int
    points: int


@dataclass(frozen=True)
class ComparedRow:
    """A player: the row of the `real` list, and the sides of the present and of the other rules in the valued `games`."""

    real: Standing
    now: ListSide
    then: ListSide
    games: int

    @property
    def difference(self) -> int:
        return self.then.points - self.now.points


@dataclass(frozen=True)
class WhatIf:
    """The list under `rule_set`. `surplus` has the entries that these rules do not know, with the number of games. If the rules
    count in another unit than the list (`unit`), points cannot be compared."""

    rule_set: RuleSet
    unit: str
    rows: Sequence[ComparedRow]
    games: int
    surplus: Sequence[tuple[str, int]]
    unvalued: Sequence[LeftOutLines]

    @property
    def same_unit(self) -> bool:
        return self.unit == self.rule_set.unit

    @property
    def people(self) -> list[Standing]:
        return [row.real for row in self.rows]

    @property
    def left_out(self) -> int:
        return sum(left.lines for left in self.unvalued)


def compute_what_if(club: Club, selection: Selection, rule_set: RuleSet) -> WhatIf:
    """Value the tables of a selection, which names its unit, by these rules."""
    valuation, tables = Valuation(rule_set, selection), list(filter_tables(club, selection))
    for start in range(0, len(tables), TABLES_AT_ONCE):
        valuation.add_tables(club, tables[start : start + TABLES_AT_ONCE])
    return compare_with_list(club, valuation)


def compare_with_list(club: Club, valuation: Valuation) -> WhatIf:
    """Return the valued games beside the list. Players with points by these rules alone are not in it. At most three
    queries."""
    rule_set, selection = valuation.rule_set, valuation.selection
    # Opening balances cannot be valued: their games are not known.
    real = list_standings(club, selection, openings=())
    people = [row.player_id for row in real]
    now, then = _rank_sides(people, valuation.now), _rank_sides(people, valuation.points)
    rows = [
        ComparedRow(row, side_now, side_then, valuation.played[row.player_id])
        for row, side_now, side_then in zip(real, now, then, strict=True)
    ]
    return WhatIf(
        rule_set=rule_set,
        unit=selection.unit or rule_set.unit,
        rows=sorted(rows, key=lambda row: (row.then.rank, row.real.name_key, row.real.player_id)),
        games=valuation.games,
        surplus=sorted(valuation.surplus.items(), key=lambda name: (-name[1], name[0])),
        unvalued=list(valuation.left_out.values()),
    )


def _rank_sides(people: Sequence[int], points: Mapping[int, int]) -> list[ListSide]:
    sums = [points[player] for player in people]
    return [ListSide(rank, total) for rank, total in zip(rank_all(sums), sums, strict=True)]


class LeftOutLine(NamedTuple):
    """A line that is left out. `number` is that of the game, None for other lines; `key` is None for a whole table."""

    table: int
    evening: int
    held_on: datetime.date
    key: UUID | None
    number: int | None


@dataclass
class LeftOutLines:
    """The lines that are left out for one reason: the first MAX_NAMED, and the number of all."""

    why: Sequence[Sentence]
    named: list[LeftOutLine]
    lines: int = 0


class _StoredLine(NamedTuple):
    key: UUID
    round: int
    form: str
    dealer: int | None
    facts: Mapping[str, Any]


class Valuation:
    """The sums of the tables valued so far, by player: `points` by the other rules, present points (`now`) and games (`played`)."""

    def __init__(self, rule_set: RuleSet, selection: Selection) -> None:
        self.rule_set, self.selection = rule_set, selection
        self.points: dict[int, int] = defaultdict(int)
        self.now: dict[int, int] = defaultdict(int)
        self.played: dict[int, int] = defaultdict(int)
        self.games = 0
        self.surplus: Counter[str] = Counter()
        self.left_out: dict[tuple[str, ...], LeftOutLines] = {}

    def add_tables(self, club: Club, tables: Sequence[Table]) -> None:
        """Value some more tables. Three queries."""
        lines, line_ups = _read_lines(tables), _read_line_ups(tables)
        counted = set[UUID]()
        for table in tables:
            if table.without_games and self.selection.size is None:
                self._leave_out([NO_GAMES], table, None, None)
            counted.update(self._value_table(table, lines[table.pk], line_ups))
        scores = filter_scores(club, self.selection).filter(game__round__table__in=tables)
        for line, player, points in scores.values_list("game", "player", "points"):
            if line in counted:
                self.now[player] += points

    def _value_table(self, table: Table, lines: Sequence[_StoredLine], line_ups: Mapping[int, Sequence[int]]) -> Iterator[UUID]:
        """Value a table and yield the keys of the lines that count. Lines of rounds of another size only continue the Bock. A
        game that cannot be valued uses up a Bock, since it was dealt, and starts none."""
        chain, number = Chain(), 0
        base_holds = _has_same_base(table.rule_set, self.rule_set)
        for line in lines:
            dealt, line_up = line.form in GAMES, line_ups[line.round]
            number += dealt
            counts = self.selection.size in (None, len(line_up))
            why: Sequence[Sentence] = []
            facts, surplus = line.facts, frozenset[str]()
            if line.form == Game.Form.SHORT and not base_holds:
                why = [SHORT_FORM]
            elif line.form in (Game.Form.PENALTY, Game.Form.CORRECTION) and table.rule_set.unit != self.rule_set.unit:
                why = [OTHER_UNIT]
            elif dealt:
                own, other = (one.rules.at(len(line_up)) for one in (table.rule_set, self.rule_set))
                facts, surplus = adapt(line.facts, line.dealer, own, other)
            if not why:
                try:
                    (played,) = fold([Line(line.form, line_up, line.dealer, facts)], self.rule_set.rules, chain)
                except Refused as refused:
                    why = explain_missing(refused, facts, table.rule_set.rules)
                else:
                    chain = played.chain
                    if counts:
                        self._credit(line, played, line_up)
                        self.surplus.update(surplus)
                        yield line.key
            if why and dealt and self.rule_set.rules.at(len(line_up)).has_bock:
                chain = chain.use_one_up()
            if why and counts:
                self._leave_out(why, table, line.key, number if dealt else None)

    def _credit(self, line: _StoredLine, played: LineResult, line_up: Sequence[int]) -> None:
        dealt = line.form in GAMES
        out = played.facts.out if isinstance(played.facts, (GameFacts, ShortFacts)) else ()
        self.games += dealt
        for seat, (player, points) in enumerate(zip(line_up, played.outcome.points, strict=True)):
            self.points[player] += points
            self.played[player] += dealt and seat not in out

    def _leave_out(self, why: Sequence[Sentence], table: Table, key: UUID | None, number: int | None) -> None:
        left = self.left_out.setdefault(tuple(map(str, why)), LeftOutLines(why, []))
        left.lines += 1
        if len(left.named) < MAX_NAMED:
            left.named.append(LeftOutLine(table.pk, table.evening_id, table.evening.held_on, key, number))

    def dump(self) -> dict[str, Any]:
        """Return the sums as JSON values, with ids and no names."""
        people = [[player, self.points[player], self.now[player], self.played[player]] for player in self.points]
        left_out = [
            {
                "why": [[one.text, dict(one.values)] for one in left.why],
                "named": [
                    [line.table, line.evening, line.held_on.isoformat(), line.key and str(line.key), line.number]
                    for line in left.named
                ],
                "lines": left.lines,
            }
            for left in self.left_out.values()
        ]
        return {"people": people, "games": self.games, "surplus": dict(self.surplus), "left_out": left_out}

    def load(self, sums: Mapping[str, Any]) -> None:
        for player, points, now, played in sums["people"]:
            self.points[player], self.now[player], self.played[player] = points, now, played
        self.games = sums["games"]
        self.surplus = Counter(sums["surplus"])
        for left in sums["left_out"]:
            why = [Sentence(text, values) for text, values in left["why"]]
            named = [
                LeftOutLine(table, evening, datetime.date.fromisoformat(held_on), key and UUID(key), number)
                for table, evening, held_on, key, number in left["named"]
            ]
            self.left_out[tuple(map(str, why))] = LeftOutLines(why, named, left["lines"])


def _has_same_base(old: RuleSet, new: RuleSet) -> bool:
    """Return whether both give the same points before Bock and sharing out, so that the points of the short form stay valid."""
    first, second = (
        {key: value for key, value in {**DEFAULTS, **one.settings}.items() if key not in NOT_IN_BASE} for one in (old, new)
    )
    return first == second


def _read_lines(tables: Sequence[Table]) -> dict[int, list[_StoredLine]]:
    """Return the lines that are not deleted, by table, in order. One query."""
    games = Game.objects.filter(round__table__in=tables, deleted=False)
    lines: dict[int, list[_StoredLine]] = defaultdict(list)
    for table, *line in games.order_by("round__position", "position", "entered_at").values_list(
        "round__table", "key", "round", "form", "dealer", "facts"
    ):
        lines[table].append(_StoredLine(*line))
    return lines


def _read_line_ups(tables: Sequence[Table]) -> dict[int, list[int]]:
    """Return the players of each round by id, in the order of their places. One query."""
    seats = Seat.objects.filter(round__table__in=tables).order_by("round", "place")
    line_ups: dict[int, list[int]] = defaultdict(list)
    for line_up, player in seats.values_list("round", "player"):
        line_ups[line_up].append(player)
    return line_ups


@dataclass(frozen=True)
class Sample:
    """A game by both rule sets, at the size of its table. `kind` is its name by its own rules, "" in the short form."""

    number: int
    kind: str
    names: Sequence[str]
    rules: Sequence[RuleSettings]
    before: LineResult
    after: LineResult

    @property
    def differs(self) -> bool:
        return self.before.outcome.points != self.after.outcome.points

    @property
    def effect(self) -> tuple[int, int]:
        """The difference of the points, then the number of steps."""
        pairs = zip(self.before.outcome.points, self.after.outcome.points, strict=True)
        return sum(abs(after - before) for before, after in pairs), len(self.after.outcome.steps)


class Samples(NamedTuple):
    """The games of `table` (None: built-in games) by both rule sets: the `shown` ones, the number of `games` and of the `changed`
    ones, the ignored entries with their numbers, and the numbers of the `refused` games with their faults."""

    table: Table | None
    shown: Sequence[Sample]
    games: int
    changed: int
    surplus: Sequence[tuple[str, int]]
    refused: Sequence[tuple[int, Sequence[Sentence]]]


def build_samples(rule_set: RuleSet, after: Mapping[str, Any]) -> Samples:
    """Value the last table of this rule set, or of the club, by the rule set and by other complete and valid settings. A club
    that has not played yet gets built-in games."""
    both = RuleSettings.from_data(rule_set.settings), RuleSettings.from_data(after)
    table = _find_last_table(rule_set)
    if table is None:
        own = get_preset(DEFAULT)
        lines = [_adapt_line(Line("played", range(4), 3, facts), own, *both) for facts in EXAMPLE_GAMES]
        lines = [line for line in lines if not (line.surplus or line.faults)][:MAX_SAMPLES]
        names = [["A", "B", "C", "D"]] * len(lines)
        chains = [Chain(), Chain()]
    else:
        records = read_records(table)
        names = [[player.name for player in records.line_up(game)] for game in records.games]
        lines = [_adapt_line(line, table.rule_set.rules, *both) for line in records.lines()]
        chains = [records.start(rules) for rules in both]
    valid = [index for index, line in enumerate(lines) if not line.faults]
    results = [fold([lines[index].both[side] for index in valid], both[side], chains[side]) for side in (0, 1)]
    dealt = [int(line.both[0].form in GAMES) for line in lines]
    # The number of each game, 0 for other lines.
    numbers = [number * played for number, played in zip(accumulate(dealt), dealt, strict=True)]
    found = []
    for index, *sides in zip(valid, *results, strict=True):
        line = lines[index]
        rules = [one.at(len(line.both[0].people)) for one in both]
        if numbers[index]:
            found.append(Sample(numbers[index], line.kind, names[index], rules, *sides))
    surplus = Counter(name for index in valid for name in lines[index].surplus)
    return Samples(
        table=table,
        shown=_choose_samples(found),
        games=len(found),
        changed=sum(sample.differs for sample in found),
        surplus=sorted(surplus.items(), key=lambda name: (-name[1], name[0])),
        refused=[(numbers[index], line.faults) for index, line in enumerate(lines) if line.faults and numbers[index]],
    )


def _find_last_table(rule_set: RuleSet) -> Table | None:
    """Return the last table with games of this rule set, else of its club."""
    games = Game.objects.filter(form__in=GAMES, deleted=False)
    tables = Table.objects.filter(evening__club=rule_set.club_id, rounds__games__in=games)
    tables = tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number")
    return tables.filter(rule_set__name=rule_set.name).first() or tables.first()


class _AdaptedLine(NamedTuple):
    """A line for both rule sets, with the entries that one of the two ignores, and the faults for one of the two."""

    both: tuple[Line, Line]
    kind: str
    surplus: frozenset[str]
    faults: list[Sentence]


def _adapt_line(line: Line, own: RuleSettings, *both: RuleSettings) -> _AdaptedLine:
    people, kind = len(line.people), ""
    own = own.at(people)
    lines, surplus, faults = [], frozenset[str](), list[Sentence]()
    if "kind" in line.facts:
        kind = labels.kind_name(line.facts["kind"], own.kind_names)
    for rules in both:
        adapted = line
        if line.form in GAMES:
            facts, ignored = adapt(line.facts, line.dealer, own, rules.at(people))
            adapted, surplus = line._replace(facts=facts), surplus | ignored
        lines.append(adapted)
        try:
            parse_line(adapted.form, adapted.facts, rules.at(people), line.dealer)
        except Refused as refused:
            faults = faults or explain_missing(refused, line.facts, own)
    return _AdaptedLine((lines[0], lines[1]), kind, surplus, faults)


def _choose_samples(found: list[Sample]) -> list[Sample]:
    """Return the samples with the greatest effect, in the order of the evening; different ones are preferred to similar ones."""
    best = sorted(found, key=attrgetter("effect"), reverse=True)
    firsts = {tuple(step.code for step in sample.after.outcome.steps): sample for sample in reversed(best)}
    samples = [sample for sample in best if sample in firsts.values()]
    samples += [sample for sample in best if sample not in samples]
    return sorted(samples[:MAX_SAMPLES], key=lambda sample: sample.number)
