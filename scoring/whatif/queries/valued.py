"""Computes tables by other rules, several at once. Each is folded from its first line, as the replay does it. Entries that
the other rules do not know are ignored. A game that lacks what they need is left out and named, with the reason. The sums
so far can be stored, so that the next tables are added later."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from scoring.club.models import Club
from scoring.play.models import Game, Seat, Table
from scoring.play.queries import GAMES
from scoring.rules.bock import Chain
from scoring.rules.constants import DEFAULTS
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, scores_in
from scoring.whatif.rules import NO_GAMES, OTHER_UNIT, SHORT_FORM, Fitted, fit, lacking

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
