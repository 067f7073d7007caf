"""What if: the same games by other rules, beside the list as it is. Nothing in the club is changed. The points by either
rules are always those of the same games. What takes longer than one request is computed some tables at a time; the sums are
kept as long as nothing changes in the club."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.club.models import Club
from scoring.rules.ranking import rank_all
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, tables_in
from scoring.standings.queries.standings import Standing, standings
from scoring.whatif.models import WhatIfRun

from .valued import LeftOut, Valued

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
