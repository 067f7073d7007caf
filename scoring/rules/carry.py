"""Open Bock games that go on at a table of a later evening: the chain at the end of a sheet as data, small and the same
however it came about, and the chain that this is at the beginning of the next sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .bock import Chain, Earlier, Run, Side

# For each side the runs still to be played, in order: the table and number of the game that started it, and how many
# games of it are left.
Carried = list[list[list[int]]]


def as_data(chain: Chain, table: int, numbers: Sequence[int]) -> Carried:
    """What is open at the end of the sheet of `table`, whose lines are numbered so."""
    return [list(_runs(side, table, numbers)) for side in chain.open]


def from_data(carried: Carried) -> Chain:
    """What is open at the beginning of the next sheet; the inverse of `as_data`."""
    return Chain(tuple(_side(runs) for runs in carried))


def _runs(side: Side, table: int, numbers: Sequence[int]) -> Iterator[list[int]]:
    """The runs of a side that are not used up, the oldest of them first."""
    left, newest = side
    open_runs: list[list[int]] = []
    run: Run | None = newest
    while run is not None and left > 0:
        origin = run.line if isinstance(run.line, Earlier) else Earlier(table, numbers[run.line])
        open_runs.append([*origin, min(left, run.games)])
        left, run = left - run.games, run.before
    return reversed(open_runs)


def _side(runs: Sequence[Sequence[int]]) -> Side:
    (table, number, left), *later = runs
    run = Run(Earlier(table, number), left, None)
    for table, number, games in later:
        run = Run(Earlier(table, number), games, run)
        left += games
    return Side(left, run)
