"""What is proposed for a sheet before anybody is asked: whether its rows are evenings or games, whether its cells are
points or totals, whether they are euros, and what a column that is left out would bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.imports.models import Import
from scoring.play.models import SEATS

from ..cells import Amounts, CellRefused, amount_in, is_absent, looks_like_euros, read_euros, read_points
from ..days.asked import NO_DAY
from ..lines import looks_dealt
from ..listed.entries import by_day, rows_of
from ..listed.found import ListRow, Reading
from ..listed.totals import differences, in_order, stretch_of
from ..listed.ways import BY_SHEET, BY_YEAR, POINTS, THROUGH, TOTALS, ReadingWay
from ..outline import Outline
from ..reading import read_evenings
from .amounts import is_of_cents, is_surely_euros
from .running import begins_anew, is_one_sided, keeps_often, looks_like_totals


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
