"""A line of the sheet as the same people would have written it in another seating order: who dealt, who played and who got
points stay the same people, only the numbers of their seats differ. What the new table refuses is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scoring.rules.deal import get_sitters
from scoring.rules.parsing import GameFacts, LineFacts, PointsFacts, ShortFacts
from scoring.rules.settings import RuleSettings


def named_seats(facts: LineFacts, dealer: int | None) -> set[int]:
    """The seats without which the line cannot be told: who dealt, who played, who was named, who got points by hand."""
    seats = set() if dealer is None else {dealer}
    if isinstance(facts, (GameFacts, ShortFacts)):
        return seats | set(_players(facts))
    if isinstance(facts, PointsFacts):
        return seats | {seat for seat, points in enumerate(facts.points) if points}
    return seats if facts.seat is None else seats | {facts.seat}


def reseated(
    data: Mapping[str, Any], facts: LineFacts, dealer: int | None, seats: Mapping[int, int], rules: RuleSettings
) -> dict[str, Any]:
    """The object `data`, which was read as `facts`, at the table of `rules`, where `dealer` deals. `seats` says who sits
    where now, by old seat; all of `named_seats` are in it. Who sits out is whoever did not play, said only where the dealer
    does not say so already.
    """
    if isinstance(facts, (GameFacts, ShortFacts)):
        playing = {seats[seat] for seat in _players(facts)}
        out = tuple(seat for seat in range(rules.table) if seat not in playing)
        moved = {field: sorted(seats[seat] for seat in data[field]) for field in ("re", "winners") if field in data}
        said = {} if dealer is not None and out == get_sitters(rules, dealer) else {"out": list(out)}
        return {**{field: value for field, value in data.items() if field != "out"}, **moved, **said}
    if isinstance(facts, PointsFacts):
        brought = {seats[seat]: points for seat, points in enumerate(facts.points) if points}
        return {**data, "points": [brought.get(seat, 0) for seat in range(rules.table)]}
    return dict(data) if facts.seat is None else {**data, "seat": seats[facts.seat]}


def _players(facts: GameFacts | ShortFacts) -> Iterable[int]:
    return facts.re + facts.kontra if isinstance(facts, GameFacts) else facts.winners + facts.losers
