"""Guesses whether the cells are what each evening or game brought, or the totals after it. Both sum to zero in most lists, but
totals stay the same for somebody who is not there, and change by less than they are worth. Where neither is sure, the page
asks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

# With fewer rows nothing is sure.
FEWEST: Final = 4
FEWEST_CELLS: Final = 4
FEWEST_CHANGES: Final = 3
# The same large number so often, and once in so many, is kept.
LARGE: Final = 10
FEWEST_KEPT: Final = 4
KEPT_OF: Final = 8
# What totals change by, as a part of what they are worth: surely totals below the first, surely points above the second.
TOTALS_BELOW: Final = 0.7
POINTS_ABOVE: Final = 1.05
# Totals of who was not there stand blank: told only where they change by very little.
BLANK_TOTALS_BELOW: Final = 0.4

Cells = Mapping[int, int | None]


def looks_like_totals(rows: Sequence[Cells], last: Cells | None, breaks: Collection[int] = ()) -> bool | None:
    """Are these the totals after each evening? `last` is what a row below says that is called a sum; at the `breaks` they begin
    anew. None where it is not sure."""
    if last is not None and (told := _told_by(rows, last)) is not None:
        return told
    if len(rows) < FEWEST:
        # Of so few it is asked, where they go on from row to row or change by too little to be points.
        said = sum(points is not None for row in rows[1:] for points in row.values())
        small = said >= FEWEST_CELLS and not is_one_sided(rows) and _by_size(rows)
        return None if small or _goes_on(rows) else False
    if all(before == points for before, points in _steps(rows)):
        return False
    sums = _sums(rows)
    if sums is not None:
        return sums
    if is_one_sided(rows):
        return _by_falls(rows, breaks)
    size = _by_size(rows, breaks)
    if size is False and keeps_often(rows, breaks):
        return None
    return None if size and not _balances(rows) and _by_size(rows, breaks, BLANK_TOTALS_BELOW) is not True else size


def begins_anew(rows: Sequence[Cells], breaks: Sequence[int]) -> bool | None:
    """Do these totals begin from nothing at each of these rows: are they small there beside what they would have changed by? None
    where it is not sure."""
    changes = changes_of(rows)
    anew = sum(_size(rows[at]) for at in breaks)
    gone_on = sum(_size(changes[at]) for at in breaks)
    return True if anew < TOTALS_BELOW * gone_on else False if gone_on < TOTALS_BELOW * anew else None


def _told_by(rows: Sequence[Cells], last: Cells) -> bool | None:
    """Is a row of sums the last total of everybody, or the sum of all points?"""
    telling, as_total, as_sum = 0, 0, 0
    for column, said in last.items():
        known = [points for row in rows if (points := row[column]) is not None]
        if said is None or len(known) < 2 or sum(known) == known[-1]:
            continue
        telling += 1
        as_total += known[-1] == said
        as_sum += sum(known) == said
    # One of them may be a slip of the pen.
    if telling < 2 or max(as_total, as_sum) < max(2, telling - 1):
        return None
    return as_total > as_sum


def _sums(rows: Sequence[Cells]) -> bool | None:
    """Do the cells sum to zero where their changes do not, or the other way?"""
    later = [(_sum(row.values()), _sum(changes.values())) for row, changes in zip(rows, changes_of(rows), strict=True)][
        1:
    ]
    plain = sum(not cells for cells, _changes in later)
    changed = sum(not changes for _cells, changes in later)
    if 5 * plain >= 4 * len(later) and 2 * changed < len(later):
        return False
    if 5 * changed >= 4 * len(later) and 2 * plain < len(later):
        return True
    return None


def _balances(rows: Sequence[Cells]) -> bool:
    """Do most rows sum to zero?"""
    return 5 * sum(not _sum(row.values()) for row in rows) >= 4 * len(rows)


def is_one_sided(rows: Sequence[Cells]) -> bool:
    """Has nobody ever less than nothing, or nobody ever more? By their size such points look like totals."""
    said = [points for row in rows for points in row.values() if points]
    return bool(said) and (min(said) > 0 or max(said) < 0)


def _steps(rows: Sequence[Cells], breaks: Collection[int] = ()) -> list[tuple[int, int]]:
    """Each number with the one before it of the same person."""
    found, last = [], dict[int, int]()
    for at, row in enumerate(rows):
        said = {column: points for column, points in row.items() if points is not None}
        last = {} if at in breaks else last
        found += [(last[column], points) for column, points in said.items() if column in last]
        last = last | said
    return found


def keeps_often(rows: Sequence[Cells], breaks: Collection[int] = ()) -> bool:
    """Has somebody the same number twice so often that it is no chance? Totals stay for whoever was away."""
    steps = _steps(rows, breaks)
    kept = sum(before == points and abs(points) >= LARGE for before, points in steps)
    return kept >= FEWEST_KEPT and KEPT_OF * kept >= len(steps)


def _goes_on(rows: Sequence[Cells]) -> bool:
    """Is everybody further from nothing in each row than in the one before, on the same side, or as far?"""
    steps = _steps(rows)
    changed = sum(before != points for before, points in steps)
    return changed >= FEWEST_CHANGES and all(
        before * points >= 0 and abs(points) >= abs(before) for before, points in steps
    )


def _by_falls(rows: Sequence[Cells], breaks: Collection[int]) -> bool | None:
    """Of a list in which nobody loses anything: totals never fall back but for a slip of the pen, and neither may points."""
    steps = _steps(rows, breaks)
    fallen = sum(abs(points) < abs(before) for before, points in steps)
    return None if any(before != points for before, points in steps) and 10 * fallen <= len(steps) else False


def _by_size(
    rows: Sequence[Cells], breaks: Collection[int] = (), totals_below: float = TOTALS_BELOW
) -> bool | None:
    worth, changed, blank = 0, 0, 0
    last: dict[int, int] = {}
    for at, row in enumerate(rows):
        if at in breaks:
            last = {}
        for column, points in row.items():
            if points is None:
                blank += column in last
            elif column in last:
                worth += abs(points)
                changed += abs(points - last[column])
        last |= {column: points for column, points in row.items() if points is not None}
    if not changed or not worth:
        return False
    if blank:
        return True if changed < BLANK_TOTALS_BELOW * worth else None if changed < TOTALS_BELOW * worth else False
    return True if changed < totals_below * worth else None if changed < POINTS_ABOVE * worth else False


def is_sum_of(cells: Cells, rows: Sequence[Cells]) -> bool:
    """Is this what several rows come to, for everybody?"""
    return len(rows) > 1 and all((cells[column] or 0) == _sum(row[column] for row in rows) for column in cells)


def changes_of(rows: Iterable[Cells], before: Mapping[int, int] | None = None) -> list[dict[int, int | None]]:
    """What each row brought, from the totals after each and those `before`; who has no total in a row was not there."""
    last = dict(before or {})
    found = []
    for row in rows:
        found.append({column: None if said is None else said - last.get(column, 0) for column, said in row.items()})
        last |= {column: said for column, said in row.items() if said is not None}
    return found


def _size(cells: Cells) -> int:
    return sum(abs(points) for points in cells.values() if points is not None)


def _sum(cells: Iterable[int | None]) -> int:
    return sum(points for points in cells if points is not None)
