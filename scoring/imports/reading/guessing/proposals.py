"""What is proposed of a sheet before anybody is asked: whether its rows are evenings or games, its cells points or totals, whether
they are euros, and what a column would bring that is left out."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.imports.models import Import
from scoring.play.models import SEATS

from ..cells import Amounts, CellRefused, amount_in, looks_like_euros, read_euros, read_points
from ..lines import looks_dealt
from ..outline import Outline
from ..reading import NO_DAY, ListRow, Reading, ReadingWay, by_day, differences, in_order, rows_of
from .running import looks_like_totals


def proposed_kind(outline: Outline) -> str:
    """What a row looks like; evenings where no game of four could have brought what stands in any."""
    people = [column.index for column in outline.columns if not column.why_not]
    kind = outline.kind()
    if (
        kind == Import.Kind.GAMES
        and len(people) >= min(SEATS)
        and not any(_dealt(_as_it_looks(outline, people, carry=True)))
    ):
        return Import.Kind.EVENINGS
    return kind


def guessed(outline: Outline, people: Sequence[int], kind: str) -> tuple[bool, bool] | None:
    """Are the cells totals, and do they go on from evening to evening? None where it is not sure."""
    rows = _as_it_looks(outline, people, carry=kind == Import.Kind.GAMES)
    if kind == Import.Kind.EVENINGS:
        amounts = read_euros if looks_priced(outline, people) else read_points
        totals = looks_like_totals([entry.cells for entry in in_order(rows)], _last_total(outline, people, amounts))
        return None if totals is None else (totals, False)
    dealt = _dealt(rows)
    if not any(dealt):
        totals = looks_like_totals([entry.cells for entry in rows], None)
        return None if totals is None else (totals, False)
    best = dealt.index(max(dealt))
    return best > 0, best == 2


def looks_priced(outline: Outline, people: Sequence[int]) -> bool:
    """Is any of these numbers written as an amount of euros?"""
    return any(column < len(row) and looks_like_euros(row[column]) for _n, row in outline.data() for column in people)


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
