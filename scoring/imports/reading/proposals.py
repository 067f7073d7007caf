"""Proposals for a sheet: whether its rows are evenings or games, whether its cells are points or totals, whether they are euros,
and what a column that is left out would bring."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Final

from scoring.imports.models import Import
from scoring.play.models import SEATS

from .cells import CENTS, CURRENCY, FRACTION, CellRefused, ParseAmount, is_absent, read_amount
from .evenings import (
    BY_SHEET,
    BY_YEAR,
    NO_DAY,
    OVER_ALL_EVENINGS,
    POINTS,
    TOTALS,
    Cells,
    ListRow,
    Reading,
    ReadingOptions,
    add_up,
    compute_changes,
    compute_differences,
    get_stretch,
    group_by_day,
    iter_list_rows,
    looks_like_game,
    read_evenings,
    sort_rows,
)
from .outline import Outline


def propose_kind(outline: Outline) -> str:
    """Guess whether a row is an evening or a game.
    Rows of games are taken for evenings if no row could be a game, or if there are no days and too few people. Rows of evenings are
    taken for games if there are several a day and all look like a game."""
    kind = outline.guess_kind()
    if len(outline.people) < min(SEATS):
        return Import.Kind.EVENINGS if outline.label is None else kind
    rows = _read_rows(outline, outline.people, carry=True)
    if kind == Import.Kind.GAMES:
        return kind if any(_count_games(rows)) else Import.Kind.EVENINGS
    several_a_day = len(rows) >= 2 * len({entry.day for entry in rows}) > 0
    are_games = outline.label is not None and several_a_day and all(looks_like_game(entry.points.values()) for entry in rows)
    return Import.Kind.GAMES if are_games else kind


def propose_cells(outline: Outline, people: Sequence[int], kind: str) -> str:
    """Guess what the cells are, empty if that is not certain."""
    rows = _read_rows(outline, people, carry=kind == Import.Kind.GAMES)
    if kind == Import.Kind.EVENINGS:
        parse = outline.guess_parser(people)
        rows = sort_rows(outline, rows)
        last, cells = _find_last_totals(outline, people, parse), [entry.cells for entry in rows]
        totals = looks_like_totals(cells, last)
        anew = [looks_like_totals(cells, last, at) for at in _find_breaks(outline, rows).values()]
        if totals is None and any(anew):
            totals = True
        elif totals is False and None in anew and (is_one_sided(cells) or repeats_often(cells)):
            # The cells rise, or stay, except where totals would begin anew.
            totals = None
        return "" if totals is None else _guess_start(outline, rows) if totals else POINTS
    dealt = _count_games(rows)
    if not any(dealt):
        totals = looks_like_totals([entry.cells for entry in rows], None)
        return "" if totals is None else TOTALS if totals else POINTS
    return (POINTS, TOTALS, OVER_ALL_EVENINGS)[dealt.index(max(dealt))]


def _find_breaks(outline: Outline, rows: Sequence[ListRow]) -> dict[str, list[int]]:
    """Return the ways in which totals could begin anew in this list, each with the rows at which they would."""
    ways = {}
    for anew in (BY_SHEET, BY_YEAR):
        stretches = [get_stretch(outline, anew, entry) for entry in rows]
        if breaks := [at for at in range(1, len(rows)) if stretches[at] != stretches[at - 1]]:
            ways[anew] = breaks
    return ways


def list_new_starts(outline: Outline, people: Sequence[int]) -> list[str]:
    """List the ways in which totals could begin anew in this list."""
    return list(_find_breaks(outline, sort_rows(outline, _read_rows(outline, people, carry=False))))


def _guess_start(outline: Outline, rows: Sequence[ListRow]) -> str:
    """Guess whether totals continue, or begin anew on each sheet or in each year; empty if that is not certain."""
    cells = [entry.cells for entry in rows]
    guesses = {anew: begins_anew(cells, breaks) for anew, breaks in _find_breaks(outline, rows).items()}
    if True in guesses.values():
        return next(anew for anew, guess in guesses.items() if guess)
    return "" if None in guesses.values() else TOTALS


# How many percent of the numbers must have cents or a currency sign.
MIN_PERCENT_WITH_CENTS: Final = 25


def is_certainly_in_euros(outline: Outline, people: Sequence[int]) -> bool:
    """Return whether these are certainly euros; numbers with ,5 alone may be half points."""
    filled = [cell for cell in outline.list_cells(people) if cell and not is_absent(cell)]
    with_cents = sum(bool(CURRENCY.search(cell) or FRACTION.search(cell)) for cell in filled)
    is_sure = any(CURRENCY.search(cell) or CENTS.search(cell) for cell in filled)
    return is_sure and 100 * with_cents >= MIN_PERCENT_WITH_CENTS * len(filled)


def preview_column(outline: Outline, people: Sequence[int], column: int, options: ReadingOptions) -> tuple[int, int]:
    """Return the points that a column would bring, and in how many rows."""
    amounts = []
    for _number, row in outline.iter_rows():
        if not outline.explain_aside(row, people):
            with suppress(CellRefused):
                amounts.append(read_amount(row, column, options.parse))
    points = [amount for amount in amounts if amount is not None]
    return (points[-1] if options.running and points else sum(points)), len(points)


def preview_total(outline: Outline, people: Sequence[int], column: int, cells: str) -> int:
    """Return the total of a column if its `cells` are points or totals of this kind."""
    parse = outline.guess_parser([column])
    options = ReadingOptions(parse, cells, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return read_evenings(outline, people, options).totals(column)[0]


def _count_games(rows: Sequence[ListRow]) -> list[int]:
    """Count the rows that look like games, as points, as totals of their evening, and as totals over all evenings."""
    each = [entry for evening in group_by_day(iter(rows)) for entry in compute_differences(evening)]
    return [sum(looks_like_game(entry.points.values()) for entry in entries) for entries in (rows, each, compute_differences(rows))]


def _read_rows(outline: Outline, people: Sequence[int], carry: bool) -> list[ListRow]:
    """Return the rows with points, with a day that stands for every missing one."""
    parse = outline.guess_parser(people)
    options = ReadingOptions(parse, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return list(iter_list_rows(outline, people, Reading(), options, carry))


def _find_last_totals(outline: Outline, people: Sequence[int], parse: ParseAmount) -> dict[int, int | None] | None:
    """Return the cells of the last row that is labelled as a total, by column."""
    last = None
    for _number, row in outline.iter_rows():
        if outline.is_total(row, people):
            with suppress(CellRefused):
                last = {column: read_amount(row, column, parse) for column in people}
    return last


# --- Points or totals -------------------------------------------------------------------------------------------------

# With fewer rows, numbers or changes nothing is certain.
MIN_ROWS: Final = 4
MIN_STEPS: Final = 4
MIN_CHANGES: Final = 3
# An equal large number so often, and once in so many steps, is a total that stays.
LARGE: Final = 10
MIN_REPEATS: Final = 4
STEPS_PER_REPEAT: Final = 8
# The changes in relation to the numbers: below the first limit these are certainly totals, above the second certainly points.
TOTALS_BELOW: Final = 0.7
POINTS_ABOVE: Final = 1.05
# If totals of absent players are blank, or rows do not sum to zero, the changes must be smaller.
DOUBTFUL_TOTALS_BELOW: Final = 0.4


def looks_like_totals(rows: Sequence[Cells], last: Cells | None, breaks: Collection[int] = ()) -> bool | None:
    """Guess whether these are totals after each evening, None if that is not certain.
    Both sum to zero in most lists, but totals stay the same for an absent player and change by less than they are worth. `last` is
    a row labelled as a total below the rows; at the `breaks` totals begin anew."""
    if last is not None and (guess := _compare_with_last(rows, last)) is not None:
        return guess
    steps = _pair_numbers(rows, breaks)
    changed = sum(before != points for before, points in steps)
    if not changed:
        return False
    size = _judge_sizes(rows, breaks)
    if len(rows) < MIN_ROWS:
        grows = changed >= MIN_CHANGES and all(before * points >= 0 and abs(points) >= abs(before) for before, points in steps)
        small = len(steps) >= MIN_STEPS and size is not False and not is_one_sided(rows)
        return None if grows or small else False
    if (guess := _compare_sums(rows)) is not None:
        return guess
    if is_one_sided(rows):
        # Totals never fall, except for typing errors, but points may not fall either.
        falls = sum(abs(points) < abs(before) for before, points in steps)
        return None if 10 * falls <= len(steps) else False
    return None if size is False and repeats_often(rows, breaks) else size


def _judge_sizes(rows: Sequence[Cells], breaks: Collection[int] = ()) -> bool | None:
    """Judge by the size of the changes in relation to the numbers: totals (True), points (False), or not certain (None)."""
    steps = _pair_numbers(rows, breaks)
    worth, changed = sum(abs(points) for _before, points in steps), sum(abs(points - before) for before, points in steps)
    has_blanks = any(row[column] is None for before, row in _iter_before(rows, breaks) for column in before)
    is_balanced = 5 * sum(not add_up(row.values()) for row in rows) >= 4 * len(rows)
    if changed < (TOTALS_BELOW if is_balanced and not has_blanks else DOUBTFUL_TOTALS_BELOW) * worth:
        return True
    return None if changed < (TOTALS_BELOW if has_blanks else POINTS_ABOVE) * worth else False


def _iter_before(rows: Sequence[Cells], breaks: Collection[int]) -> Iterator[tuple[dict[int, int], Cells]]:
    """Yield each row after the last number of each column before it."""
    last: dict[int, int] = {}
    for at, row in enumerate(rows):
        last = {} if at in breaks else last
        yield last, row
        last = last | {column: points for column, points in row.items() if points is not None}


def _pair_numbers(rows: Sequence[Cells], breaks: Collection[int] = ()) -> list[tuple[int, int]]:
    """Pair each number with the previous one of the same column."""
    return [
        (before[column], points)
        for before, row in _iter_before(rows, breaks)
        for column, points in row.items()
        if points is not None and column in before
    ]


def _compare_with_last(rows: Sequence[Cells], last: Cells) -> bool | None:
    """Return whether a row of totals repeats the last row (totals) or sums up the rows (points)."""
    count, as_total, as_sum = 0, 0, 0
    for column, total in last.items():
        known = [points for row in rows if (points := row[column]) is not None]
        if total is None or len(known) < 2 or sum(known) == known[-1]:
            continue
        count += 1
        as_total += known[-1] == total
        as_sum += sum(known) == total
    # One column may have a typing error.
    if count < 2 or max(as_total, as_sum) < max(2, count - 1):
        return None
    return as_total > as_sum


def _compare_sums(rows: Sequence[Cells]) -> bool | None:
    """Return whether the changes sum to zero and the cells do not (totals), or the other way round (points)."""
    later = [(add_up(row.values()), add_up(changes.values())) for row, changes in zip(rows, compute_changes(rows), strict=True)][1:]
    plain = sum(not cells for cells, _changes in later)
    changed = sum(not changes for _cells, changes in later)
    if 5 * plain >= 4 * len(later) and 2 * changed < len(later):
        return False
    return True if 5 * changed >= 4 * len(later) and 2 * plain < len(later) else None


def is_one_sided(rows: Sequence[Cells]) -> bool:
    """Return whether all points have one sign. By their size such points look like totals."""
    filled = [points for row in rows for points in row.values() if points]
    return bool(filled) and (min(filled) > 0 or max(filled) < 0)


def repeats_often(rows: Sequence[Cells], breaks: Collection[int] = ()) -> bool:
    """Return whether large numbers repeat too often for an accident. Totals stay the same for an absent player."""
    steps = _pair_numbers(rows, breaks)
    repeats = sum(before == points and abs(points) >= LARGE for before, points in steps)
    return repeats >= MIN_REPEATS and STEPS_PER_REPEAT * repeats >= len(steps)


def begins_anew(rows: Sequence[Cells], breaks: Sequence[int]) -> bool | None:
    """Guess whether totals begin anew at these rows: then the totals there are smaller than the changes would be.
    Return None if that is not certain."""
    changes = compute_changes(rows)
    anew, continued = (sum(abs(points or 0) for at in breaks for points in cells[at].values()) for cells in (rows, changes))
    return True if anew < TOTALS_BELOW * continued else False if continued < TOTALS_BELOW * anew else None
