"""Value games by other rules: the list of a club, and sample games beside settings that are being edited. Nothing in the club is
changed. The points by either rules are always those of the same games.

Each table is folded from its first line, as the replay does it. Entries that the other rules do not know are ignored. A game
that lacks what they need is left out and named, with the reason. A long computation is done some tables at a time; its sums
are kept as long as nothing changes in the club."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from scoring.standings.queries.selection import Selection, scores_in, tables_in
from scoring.standings.queries.standings import Standing, standings
from scoring.whatif.models import WhatIfRun
from scoring.whatif.rules import NO_GAMES, OTHER_UNIT, SHORT_FORM, Fitted, fit, lacking

# So many tables are valued in less than a second, and at once.
AT_ONCE: Final = 400


@dataclass(frozen=True)
class ListSide:
    """Somebody's rank and points in the games that were valued."""

    rank: int
    points: int


@dataclass(frozen=True)
class Compared:
    """One person: their row of the `real` list, which counts everything, and in the `games` that were valued how they
    stand as it is and as it would be."""

    real: Standing
    now: ListSide
    then: ListSide
    games: int

    @property
    def difference(self) -> int:
        return self.then.points - self.now.points


@dataclass(frozen=True)
class WhatIf:
    """The list under `rule_set`, in the order it would have. `games` were valued, of some of them without what these
    rules do not know: `surplus` by name, in how many. `unvalued` says what is left out. Where the rules
    count in another unit than the list, `unit`, points cannot be held against each other."""

    rule_set: RuleSet
    unit: str
    rows: Sequence[Compared]
    games: int
    surplus: Sequence[tuple[str, int]]
    unvalued: Sequence[LeftOut]

    @property
    def same_unit(self) -> bool:
        return self.unit == self.rule_set.unit

    @property
    def people(self) -> list[Standing]:
        return [row.real for row in self.rows]

    @property
    def left_out(self) -> int:
        return sum(left.lines for left in self.unvalued)


def what_if(club: Club, selection: Selection, rule_set: RuleSet) -> WhatIf:
    """The tables of a selection, which names its unit, by these rules."""
    valued, tables = Valued(rule_set, selection), list(tables_in(club, selection))
    for start in range(0, len(tables), AT_ONCE):
        valued.value(club, tables[start : start + AT_ONCE])
    return compared(club, valued)


def compared(club: Club, valued: Valued) -> WhatIf:
    """What was valued, beside the list as it is. Whoever has points by these rules alone is not in it, since they have played
    nothing in the list. Two queries."""
    rule_set, selection = valued.rule_set, valued.selection
    # What people had before followed from games that nobody knows.
    real = standings(club, selection, openings=())
    people = [row.player_id for row in real]
    now, then = _sides(people, valued.now), _sides(people, valued.points)
    rows = [
        Compared(row, was, would_be, valued.played[row.player_id])
        for row, was, would_be in zip(real, now, then, strict=True)
    ]
    return WhatIf(
        rule_set=rule_set,
        unit=selection.unit or rule_set.unit,
        rows=sorted(rows, key=lambda row: (row.then.rank, row.real.name_key, row.real.player_id)),
        games=valued.games,
        surplus=sorted(valued.surplus.items(), key=lambda name: (-name[1], name[0])),
        unvalued=list(valued.left_out.values()),
    )


def runs_of(club: Club) -> list[WhatIfRun]:
    """What was asked and took longer, the last first. One query."""
    return list(WhatIfRun.objects.filter(club=club).order_by("-valued_at", "-pk"))


def _sides(people: Sequence[int], points: Mapping[int, int]) -> list[ListSide]:
    sums = [points[player] for player in people]
    return [ListSide(rank, total) for rank, total in zip(rank_all(sums), sums, strict=True)]


# What the points of the short form do not hold yet: they were written down before Bock and before they were shared out.
NOT_IN_BASE: Final = (
    "bock", "soloist_share", "counting", "sitter", "deal_stays", "seating", "duty_solo", "kinds", "text"
)  # fmt: skip
# So many of the lines that are left out for one reason are named; of more only the number is told.
NAMED: Final = 100


class Unvalued(NamedTuple):
    """A line that is left out, its table and its evening by their numbers. `number` counts the games of its table, None for what
    was no game; `key` None: the whole table."""

    table: int
    evening: int
    held_on: datetime.date
    key: UUID | None
    number: int | None


@dataclass
class LeftOut:
    """What is left out for one reason: the first lines, and how many there are."""

    why: Sequence[Sentence]
    named: list[Unvalued]
    lines: int = 0


class _Stored(NamedTuple):
    """A line as it is stored."""

    pk: int
    key: UUID
    round: int
    form: str
    dealer: int | None
    facts: Mapping[str, Any]


class Valued:
    """The result of the tables that were computed so far. By person: the `points` by the other rules, the points of the
    same games as they stand (`now`), and how many games these were (`played`)."""

    def __init__(self, rule_set: RuleSet, selection: Selection) -> None:
        self.rule_set, self.selection = rule_set, selection
        self.points: dict[int, int] = defaultdict(int)
        self.now: dict[int, int] = defaultdict(int)
        self.played: dict[int, int] = defaultdict(int)
        self.games = 0
        self.surplus: Counter[str] = Counter()
        self.left_out: dict[tuple[str, ...], LeftOut] = {}

    def value(self, club: Club, tables: Sequence[Table]) -> None:
        """Some more tables. Three queries."""
        lines, line_ups = _lines(tables), _line_ups(tables)
        counted = set[int]()
        for table in tables:
            if table.without_games and self.selection.size is None:
                self._leave([NO_GAMES], table, None, None)
            counted.update(self._value(table, lines[table.pk], line_ups))
        for player, points in _points_of(club, self.selection, tables, counted):
            self.now[player] += points

    def _value(self, table: Table, lines: Sequence[_Stored], line_ups: Mapping[int, Sequence[int]]) -> Iterator[int]:
        """One table from its first line: answers the lines that count. Lines at rounds of another size carry the Bock on, and count
        for nobody; a game that cannot be valued uses one up, since it was dealt, and starts none."""
        chain, number = Chain(), 0
        base_holds = _base_holds(table.rule_set, self.rule_set)
        for line in lines:
            dealt, line_up = line.form in GAMES, line_ups[line.round]
            number += dealt
            counts = self.selection.size in (None, len(line_up))
            why = self._why_not(table, line, base_holds)
            if not why:
                facts, surplus = self._fitted(table, line, len(line_up))
                try:
                    (played,) = fold([Line(line.form, len(line_up), line.dealer, facts)], self.rule_set.rules, chain)
                except Refused as refused:
                    why = lacking(refused, facts, table.rule_set.rules)
                else:
                    chain = played.chain
                    if counts:
                        self._credit(line, played, line_up)
                        self.surplus.update(surplus)
                        yield line.pk
            if why and dealt and self.rule_set.rules.at(len(line_up)).has_bock:
                chain = chain.use_one_up()
            if why and counts:
                self._leave(why, table, line.key, number if dealt else None)

    def _why_not(self, table: Table, line: _Stored, base_holds: bool) -> list[Sentence]:
        """Why a line cannot be valued by other rules, before these have judged it."""
        if line.form == Game.Form.SHORT and not base_holds:
            return [SHORT_FORM]
        if line.form in (Game.Form.PENALTY, Game.Form.CORRECTION) and table.rule_set.unit != self.rule_set.unit:
            return [OTHER_UNIT]
        return []

    def _fitted(self, table: Table, line: _Stored, people: int) -> Fitted:
        if line.form not in GAMES:
            return Fitted(line.facts, frozenset())
        return fit(line.facts, line.dealer, table.rule_set.rules.at(people), self.rule_set.rules.at(people))

    def _credit(self, line: _Stored, played: LineResult, line_up: Sequence[int]) -> None:
        dealt = line.form in GAMES
        out = played.facts.out if isinstance(played.facts, (GameFacts, ShortFacts)) else ()
        self.games += dealt
        for seat, (player, points) in enumerate(zip(line_up, played.outcome.points, strict=True)):
            self.points[player] += points
            self.played[player] += dealt and seat not in out

    def _leave(self, why: Sequence[Sentence], table: Table, key: UUID | None, number: int | None) -> None:
        left = self.left_out.setdefault(tuple(map(str, why)), LeftOut(why, []))
        left.lines += 1
        if len(left.named) < NAMED:
            left.named.append(Unvalued(table.pk, table.evening_id, table.evening.held_on, key, number))

    # --- Written down, and read again ---------------------------------------------------------------------------------

    def sums(self) -> dict[str, Any]:
        """All of it as JSON can hold it, without anybody's name."""
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

    def take(self, sums: Mapping[str, Any]) -> None:
        """Go on from what was written down."""
        for player, points, now, played in sums["people"]:
            self.points[player], self.now[player], self.played[player] = points, now, played
        self.games = sums["games"]
        self.surplus = Counter(sums["surplus"])
        for left in sums["left_out"]:
            why = [Sentence(text, values) for text, values in left["why"]]
            named = [
                Unvalued(table, evening, datetime.date.fromisoformat(held_on), key and UUID(key), number)
                for table, evening, held_on, key, number in left["named"]
            ]
            self.left_out[tuple(map(str, why))] = LeftOut(why, named, left["lines"])


def _base_holds(old: RuleSet, new: RuleSet) -> bool:
    """Do both come to the same points before Bock and sharing out, so that those of the short form stay true?"""
    first, second = (
        {key: value for key, value in {**DEFAULTS, **one.settings}.items() if key not in NOT_IN_BASE} for one in (old, new)
    )
    return first == second


def _lines(tables: Sequence[Table]) -> dict[int, list[_Stored]]:
    """The lines that stand, by table, in order. One query."""
    games = Game.objects.filter(round__table__in=tables, deleted=False)
    lines: dict[int, list[_Stored]] = defaultdict(list)
    for table, *line in games.order_by("round__position", "position", "entered_at").values_list(
        "round__table", "pk", "key", "round", "form", "dealer", "facts"
    ):
        lines[table].append(_Stored(*line))
    return lines


def _line_ups(tables: Sequence[Table]) -> dict[int, list[int]]:
    """Who sat in each round, in order of place. One query."""
    seats = Seat.objects.filter(round__table__in=tables).order_by("round", "place")
    line_ups: dict[int, list[int]] = defaultdict(list)
    for line_up, player in seats.values_list("round", "player"):
        line_ups[line_up].append(player)
    return line_ups


def _points_of(
    club: Club, selection: Selection, tables: Sequence[Table], lines: Collection[Any]
) -> Iterator[tuple[int, int]]:
    """Person and points: what each line of these tables that counts really brought. One query."""
    scores = scores_in(club, selection).filter(game__round__table__in=tables)
    for line, player, points in scores.values_list("game", "player", "points"):
        if line in lines:
            yield player, points


SHOWN: Final = 3
# Ordinary and dear games, the first three of which that both rule sets take are shown.
EXAMPLES: Final[Sequence[dict[str, Any]]] = (
    {"kind": "normal", "re": [0, 1], "eyes": 156, "re_said": "said", "re_specials": {"fuchs": 1}},
    {"kind": "normal", "re": [1, 3], "eyes": 85, "kontra_said": "said", "kontra_specials": {"karlchen": 1}},
    {"kind": "damensolo", "re": [2], "eyes": 104},
    {"kind": "trumpfsolo", "re": [2], "eyes": 154},
    {"kind": "normal", "re": [0, 1], "eyes": 156},
    {"kind": "normal", "re": [1, 3], "eyes": 85},
    {"kind": "normal", "re": [0, 2], "eyes": 186},
)


# A rule set and what is open before the first game under it.
Beginning = tuple[RuleSettings, Chain]


@dataclass(frozen=True)
class Sample:
    """One game by both rule sets. `number` counts the games of the evening; `kind` is what its own rules call it, blank in
    the short form; `names` are the people by seat; `rules` both rule sets at its table."""

    number: int
    kind: str
    names: Sequence[str]
    rules: tuple[RuleSettings, RuleSettings]
    before: LineResult
    after: LineResult

    @property
    def differs(self) -> bool:
        return self.before.outcome.points != self.after.outcome.points


@dataclass(frozen=True)
class Samples:
    """The telling games in order; how many of all `games` count otherwise; by name what one of the two rule sets does not
    know, `surplus`, in how many; and the games that one of them cannot value, with why. `table` is None where the games are
    built in."""

    table: Table | None
    told: list[Sample]
    games: int
    changed: int
    surplus: Sequence[tuple[str, int]]
    refused: list[tuple[int, list[Sentence]]]


def samples(rule_set: RuleSet, after: Mapping[str, Any]) -> Samples:
    """The last evening by a rule set and by other settings, complete and valid."""
    old, new = RuleSettings.from_data(rule_set.settings), RuleSettings.from_data(after)
    table = _last_table(rule_set)
    if table is None:
        own = get_preset(DEFAULT)
        lines = [_fitted(Line("played", 4, 3, facts), own, old, new) for facts in EXAMPLES]
        lines = [line for line in lines if not (line.surplus or line.faults)][:SHOWN]
        return _valued(None, lines, ["A", "B", "C", "D"], (old, Chain()), (new, Chain()))
    records = read_records(table)
    names = [[player.name for player in records.line_up(game)] for game in records.games]
    fitted = [_fitted(line, table.rule_set.rules, old, new) for line in records.lines()]
    return _valued(table, fitted, names, (old, records.start(old)), (new, records.start(new)))


def _last_table(rule_set: RuleSet) -> Table | None:
    """The last table at which a game was played by any version of this rule set, else by any."""
    dealt = Game.objects.filter(form__in=GAMES, deleted=False)
    tables = Table.objects.filter(evening__club=rule_set.club_id, rounds__games__in=dealt)
    tables = tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number")
    return tables.filter(rule_set__name=rule_set.name).first() or tables.first()


class _Fitted(NamedTuple):
    """A line as both rule sets take it: the kind of game in the words of its own rules, the entries that one of the two
    ignores, and what one of the two is missing."""

    both: tuple[Line, Line]
    kind: str
    surplus: frozenset[str]
    faults: list[Sentence]


def _fitted(line: Line, own: RuleSettings, *both: RuleSettings) -> _Fitted:
    """A line of its own rules for both rule sets."""
    own, kind = own.at(line.table), ""
    lines, surplus, faults = [], frozenset[str](), list[Sentence]()
    if "kind" in line.facts:
        kind = labels.kind_name(line.facts["kind"], own.kind_names)
    for rules in both:
        fitted = line
        if line.form in GAMES:
            facts, without = fit(line.facts, line.dealer, own, rules.at(line.table))
            fitted, surplus = line._replace(facts=facts), surplus | without
        lines.append(fitted)
        try:
            parse_line(fitted.form, fitted.facts, rules.at(line.table), line.dealer)
        except Refused as refused:
            faults = faults or lacking(refused, line.facts, own)
    return _Fitted((lines[0], lines[1]), kind, surplus, faults)


def _valued(table: Table | None, lines: list[_Fitted], names: Sequence[Any], old: Beginning, new: Beginning) -> Samples:
    taken = [index for index in range(len(lines)) if not lines[index].faults]
    before, after = (
        fold([lines[index].both[side] for index in taken], rules, chain) for side, (rules, chain) in enumerate((old, new))
    )
    numbers = _numbers([line.both[0] for line in lines])
    found = [
        Sample(
            numbers[index],
            lines[index].kind,
            names[index] if table else names,
            (old[0].at(lines[index].both[0].table), new[0].at(lines[index].both[0].table)),
            was,
            becomes,
        )
        for index, was, becomes in zip(taken, before, after, strict=True)
        if numbers[index]
    ]
    surplus = Counter(name for index in taken for name in lines[index].surplus)
    return Samples(
        table=table,
        told=_telling(found),
        games=len(found),
        changed=sum(sample.differs for sample in found),
        surplus=sorted(surplus.items(), key=lambda name: (-name[1], name[0])),
        refused=[(numbers[index], line.faults) for index, line in enumerate(lines) if line.faults and numbers[index]],
    )


def _telling(found: list[Sample]) -> list[Sample]:
    """The games that tell most, in order; rather different ones than the same thing three times."""
    best = sorted(found, key=_tells, reverse=True)
    firsts = {tuple(step.code for step in sample.after.outcome.steps): sample for sample in reversed(best)}
    chosen = [sample for sample in best if sample in firsts.values()]
    chosen += [sample for sample in best if sample not in chosen]
    return sorted(chosen[:SHOWN], key=lambda sample: sample.number)


def _numbers(lines: Sequence[Line]) -> list[int]:
    """The number of each game, 0 for every other line."""
    found, number = [], 0
    for line in lines:
        played = line.form in GAMES
        number += played
        found.append(number if played else 0)
    return found


def _tells(sample: Sample) -> tuple[int, int]:
    """A game tells more, the more its points differ; and where they do not, the more there is to count."""
    pairs = zip(sample.before.outcome.points, sample.after.outcome.points, strict=True)
    return sum(abs(after - before) for before, after in pairs), len(sample.after.outcome.steps)
