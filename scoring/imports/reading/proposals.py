"""Proposals for a sheet: whether its rows are evenings or games, and its cells points or totals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from scoring.imports.models import Import
from scoring.play.models import SEATS

from .cells import (
    Amounts,
    CellRefused,
    amount_in,
    is_absent,
    is_of_cents,
    is_surely_euros,
    looks_like_euros,
    read_euros,
    read_points,
)
from .evenings import (
    BY_SHEET,
    BY_YEAR,
    NO_DAY,
    POINTS,
    THROUGH,
    TOTALS,
    Cells,
    ListRow,
    Reading,
    ReadingWay,
    add_up,
    by_day,
    changes_of,
    differences,
    in_order,
    looks_dealt,
    read_evenings,
    rows_of,
    stretch_of,
)
from .outline import Outline


def proposed_kind(outline: Outline) -> str:
    """What a row looks like; evenings where no game of four could have brought what stands in any, or too few for one stand there
    without a day; games where several of a day all look like one."""
    people = outline.people
    kind = outline.kind()
    too_few = len(people) < min(SEATS)
    if kind == Import.Kind.GAMES and too_few and outline.label is None:
        return Import.Kind.EVENINGS
    if kind == Import.Kind.GAMES and not too_few and not any(_dealt(_as_it_looks(outline, people, carry=True))):
        return Import.Kind.EVENINGS
    if kind == Import.Kind.EVENINGS and outline.label is not None and _are_short_evenings(outline, people):
        return Import.Kind.GAMES
    return kind


def _are_short_evenings(outline: Outline, people: Sequence[int]) -> bool:
    """Are there two rows for each day and more, all of which a game could have brought?"""
    rows = _as_it_looks(outline, people, carry=True)
    repeated = len(people) >= min(SEATS) and len(rows) >= 2 * len({entry.day for entry in rows}) > 0
    return repeated and all(looks_dealt(entry.points.values()) for entry in rows)


def guessed(outline: Outline, people: Sequence[int], kind: str) -> str:
    """What the cells are; empty where it is not sure."""
    rows = _as_it_looks(outline, people, carry=kind == Import.Kind.GAMES)
    if kind == Import.Kind.EVENINGS:
        amounts = read_euros if looks_priced(outline, people) else read_points
        rows = in_order(outline, rows)
        last, cells = _last_total(outline, people, amounts), [entry.cells for entry in rows]
        totals = looks_like_totals(cells, last)
        anew = [looks_like_totals(cells, last, at) for at in ways_to_begin(outline, rows).values()]
        if totals is None and any(anew):
            totals = True
        elif totals is False and None in anew and (is_one_sided(cells) or keeps_often(cells)):
            # They rise, or stay, but for where they would begin anew.
            totals = None
        return "" if totals is None else _from_where(outline, rows) if totals else POINTS
    dealt = _dealt(rows)
    if not any(dealt):
        totals = looks_like_totals([entry.cells for entry in rows], None)
        return "" if totals is None else TOTALS if totals else POINTS
    return (POINTS, TOTALS, THROUGH)[dealt.index(max(dealt))]


def ways_to_begin(outline: Outline, rows: Sequence[ListRow]) -> dict[str, list[int]]:
    """How totals could begin anew in this list, each with the rows at which they would."""
    found = {}
    for anew in (BY_SHEET, BY_YEAR):
        stretches = [stretch_of(outline, anew, entry) for entry in rows]
        if breaks := [at for at in range(1, len(rows)) if stretches[at] != stretches[at - 1]]:
            found[anew] = breaks
    return found


def may_begin_anew(outline: Outline, people: Sequence[int]) -> list[str]:
    """The ways in which totals could begin anew in this list."""
    return list(ways_to_begin(outline, in_order(outline, _as_it_looks(outline, people, carry=False))))


def _from_where(outline: Outline, rows: Sequence[ListRow]) -> str:
    """Do totals go on from one evening to the next, or begin anew on each sheet or in each year?"""
    cells = [entry.cells for entry in rows]
    told = {anew: begins_anew(cells, breaks) for anew, breaks in ways_to_begin(outline, rows).items()}
    if True in told.values():
        return next(anew for anew, said in told.items() if said)
    return "" if None in told.values() else TOTALS


def looks_priced(outline: Outline, people: Sequence[int]) -> bool:
    """Is any of these numbers written as an amount of euros?"""
    return any(column < len(row) and looks_like_euros(row[column]) for _n, row in outline.data() for column in people)


# So many of a hundred numbers have cents or the sign of their currency.
PAID: Final = 25


def looks_paid(outline: Outline, people: Sequence[int]) -> bool:
    """Are these surely amounts of euros? Halves alone may be half points."""
    cells = [row[column] for _n, row in outline.data() for column in people if column < len(row)]
    said = [cell for cell in cells if cell and not is_absent(cell)]
    with_cents = sum(map(is_of_cents, said))
    return 100 * with_cents >= PAID * len(said) > 0 and any(map(is_surely_euros, said))


def would_bring(outline: Outline, people: Sequence[int], column: int, way: ReadingWay) -> tuple[int, int]:
    """What a column that is left out comes to, and in how many rows."""
    found = []
    for _number, row in outline.data():
        if outline.aside(row, people):
            continue
        try:
            found.append(amount_in(row, column, way.amounts))
        except CellRefused:
            continue
    points = [brought for brought in found if brought is not None]
    return (points[-1] if way.running and points else sum(points)), len(points)


def would_come_to(outline: Outline, people: Sequence[int], column: int, cells: str) -> int:
    """What the evenings of a column come to where its cells are that."""
    amounts = read_euros if looks_priced(outline, [column]) else read_points
    way = ReadingWay(amounts, cells, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return read_evenings(outline, people, way).totals(column)[0]


def _dealt(rows: Sequence[ListRow]) -> list[int]:
    """How many rows a game could have brought: as points, as totals of their evening, as totals of all."""
    each = [entry for evening in by_day(iter(rows)) for entry in differences(evening)]
    return [sum(looks_dealt(entry.points.values()) for entry in found) for found in (rows, each, differences(rows))]


def _as_it_looks(outline: Outline, people: Sequence[int], carry: bool) -> list[ListRow]:
    """The rows with points, whatever is still to be said of them."""
    amounts = read_euros if looks_priced(outline, people) else read_points
    way = ReadingWay(amounts, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return list(rows_of(outline, people, Reading(), way, carry))


def _last_total(outline: Outline, people: Sequence[int], amounts: Amounts) -> dict[int, int | None] | None:
    """What the last row that is called a sum says of everybody."""
    found = None
    for _number, row in outline.data():
        if outline.is_total(row, people):
            try:
                found = {column: amount_in(row, column, amounts) for column in people}
            except CellRefused:
                continue
    return found


# --- Points or totals -------------------------------------------------------------------------------------------------


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
    later = [(add_up(row.values()), add_up(changes.values())) for row, changes in zip(rows, changes_of(rows), strict=True)][
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
    return 5 * sum(not add_up(row.values()) for row in rows) >= 4 * len(rows)


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


def _size(cells: Cells) -> int:
    return sum(abs(points) for points in cells.values() if points is not None)

