"""What if: the same games by other rules, beside the list as it is. Each table is folded from its first line, as the
replay does it, and nothing is stored. Of a game counts what the other rules know; one that lacks what they need is left out
and named, with why, on both sides: the points as they are and as they would be are always those of the same games."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext_noop as _

from scoring.club.models.people import Club
from scoring.play.models import Game, Seat, Table
from scoring.rules.bock import Chain
from scoring.rules.codes import DEFAULTS
from scoring.rules.facts import GameFacts, ShortFacts
from scoring.rules.ranking import places
from scoring.rules.refused import Refused, Sentence
from scoring.rules.sheet import Line, Played, fold
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, scores_in, tables_in
from scoring.standings.queries.standings import Standing, standings
from scoring.whatif.rules import Fitted, fit, lacking

DEALT: Final = (Game.Form.PLAYED, Game.Form.SHORT)
# What the points of the short form do not hold yet: they were written down before Bock and before they were shared out.
NOT_IN_BASE: Final = (
    "bock", "soloist_share", "counting", "sitter", "deal_stays", "seating", "duty_solo", "kinds", "text"
)  # fmt: skip
SHORT_FORM: Final = Sentence(
    _("Nur in der Kurzform aufgeschrieben: Was sie nach anderen Regeln wert wären, lässt sich nicht sagen.")
)
OTHER_UNIT: Final = Sentence(_("Von Hand eingetragen, in der anderen Einheit."))
NO_GAMES: Final = Sentence(_("Ohne Einzelspiele übernommen."))


@dataclass(frozen=True)
class Unvalued:
    """A line that is left out. `number` counts the games of its table, None for what was no game; `key` None: the whole
    table."""

    table: Table
    key: UUID | None
    number: int | None

    @property
    def held_on(self) -> datetime.date:
        return self.table.evening.held_on


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
    rules do not know: `surplus` by name, in how many. `unvalued` by the sentences that say why not. Where the rules
    count in another unit than the list, `unit`, points cannot be held against each other."""

    rule_set: RuleSet
    unit: str
    rows: Sequence[Compared]
    games: int
    surplus: Sequence[tuple[str, int]]
    unvalued: Sequence[tuple[Sequence[Sentence], Sequence[Unvalued]]]

    @property
    def same_unit(self) -> bool:
        return self.unit == self.rule_set.unit

    @property
    def left_out(self) -> int:
        return sum(len(lines) for _why, lines in self.unvalued)


def what_if(club: Club, selection: Selection, rule_set: RuleSet) -> WhatIf:
    """The tables of a selection, which names its unit, by these rules. Six queries, whatever was played. Whoever has
    points by these rules alone is not in it, since they have played nothing in the list."""
    # What people had before followed from games that nobody knows.
    real = standings(club, selection, openings=())
    lines, line_ups = _lines(club, selection), _line_ups(club, selection)
    found = _Valued(rule_set, selection.size)
    for table in tables_in(club, selection):
        if table.without_games and selection.size is None:
            found.leave([NO_GAMES], Unvalued(table, None, None))
        found.value(table, lines[table.pk], line_ups)
    people = [row.player_id for row in real]
    now, then = _sides(people, _points_of(club, selection, found.lines)), _sides(people, found.points)
    rows = [
        Compared(row, was, would_be, found.played[row.player_id])
        for row, was, would_be in zip(real, now, then, strict=True)
    ]
    return WhatIf(
        rule_set=rule_set,
        unit=selection.unit or rule_set.unit,
        rows=sorted(rows, key=lambda row: (row.then.rank, row.real.name_key, row.real.player_id)),
        games=found.games,
        surplus=sorted(found.surplus.items(), key=lambda name: (-name[1], name[0])),
        unvalued=list(found.unvalued.values()),
    )


def _sides(people: Sequence[int], points: Mapping[int, int]) -> list[ListSide]:
    sums = [points[player] for player in people]
    return [ListSide(rank, total) for rank, total in zip(places(sums), sums, strict=True)]


def _points_of(club: Club, selection: Selection, lines: Collection[int]) -> Mapping[int, int]:
    """What each person really got in these lines of the selection. One query."""
    points: dict[int, int] = defaultdict(int)
    for line, player, brought in scores_in(club, selection).values_list("game", "player", "points"):
        if line in lines:
            points[player] += brought
    return points


class _Stored(NamedTuple):
    """A line as it is stored."""

    pk: int
    key: UUID
    round: int
    form: str
    dealer: int | None
    facts: Mapping[str, Any]


class _Valued:
    """What the tables come to by these rules, as far as they were gone through. `size` None: lines of all rounds."""

    def __init__(self, rule_set: RuleSet, size: int | None) -> None:
        self.rule_set, self.size = rule_set, size
        self.points: dict[int, int] = defaultdict(int)
        self.played: dict[int, int] = defaultdict(int)
        self.games = 0
        self.lines: set[int] = set()
        self.surplus: Counter[str] = Counter()
        self.unvalued: dict[tuple[str, ...], tuple[Sequence[Sentence], list[Unvalued]]] = {}

    def value(self, table: Table, lines: Sequence[_Stored], line_ups: Mapping[int, Sequence[int]]) -> None:
        """One table from its first line. Lines at rounds of another size carry the Bock on, and count for nobody; a game
        that cannot be valued uses one up, since it was dealt, and starts none."""
        chain, number = Chain(), 0
        base_holds = _base_holds(table.rule_set, self.rule_set)
        for line in lines:
            dealt, line_up = line.form in DEALT, line_ups[line.round]
            number += dealt
            counts = self.size in (None, len(line_up))
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
            if why and dealt and self.rule_set.rules.at(len(line_up)).has_bock:
                chain = chain.passed()
            if why and counts:
                self.leave(why, Unvalued(table, line.key, number if dealt else None))

    def _why_not(self, table: Table, line: _Stored, base_holds: bool) -> list[Sentence]:
        """Why a line cannot be valued by other rules, before these have judged it."""
        if line.form == Game.Form.SHORT and not base_holds:
            return [SHORT_FORM]
        if line.form in (Game.Form.PENALTY, Game.Form.CORRECTION) and table.rule_set.unit != self.rule_set.unit:
            return [OTHER_UNIT]
        return []

    def _fitted(self, table: Table, line: _Stored, people: int) -> Fitted:
        if line.form not in DEALT:
            return Fitted(line.facts, frozenset())
        return fit(line.facts, line.dealer, table.rule_set.rules.at(people), self.rule_set.rules.at(people))

    def _credit(self, line: _Stored, played: Played, line_up: Sequence[int]) -> None:
        dealt = line.form in DEALT
        self.lines.add(line.pk)
        out = played.facts.out if isinstance(played.facts, (GameFacts, ShortFacts)) else ()
        self.games += dealt
        for seat, (player, points) in enumerate(zip(line_up, played.outcome.points, strict=True)):
            self.points[player] += points
            self.played[player] += dealt and seat not in out

    def leave(self, why: Sequence[Sentence], line: Unvalued) -> None:
        self.unvalued.setdefault(tuple(map(str, why)), (why, []))[1].append(line)


def _base_holds(old: RuleSet, new: RuleSet) -> bool:
    """Do both come to the same points before Bock and sharing out, so that those of the short form stay true?"""
    first, second = (
        {key: value for key, value in {**DEFAULTS, **one.settings}.items() if key not in NOT_IN_BASE} for one in (old, new)
    )
    return first == second


def _lines(club: Club, selection: Selection) -> dict[int, list[_Stored]]:
    """The lines that stand, by table, in order. One query."""
    tables = tables_in(club, selection).order_by()
    games = Game.objects.filter(round__table__in=tables.values("pk"), deleted=False)
    lines: dict[int, list[_Stored]] = defaultdict(list)
    for table, *line in games.order_by("round__position", "position", "entered_at").values_list(
        "round__table", "pk", "key", "round", "form", "dealer", "facts"
    ):
        lines[table].append(_Stored(*line))
    return lines


def _line_ups(club: Club, selection: Selection) -> dict[int, list[int]]:
    """Who sat in each round, in order of place. One query."""
    tables = tables_in(club, selection).order_by()
    seats = Seat.objects.filter(round__table__in=tables.values("pk")).order_by("round", "place")
    line_ups: dict[int, list[int]] = defaultdict(list)
    for line_up, player in seats.values_list("round", "player"):
        line_ups[line_up].append(player)
    return line_ups
