"""What a change of games would do, as the lines of its preview."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cash.queries.previews import money_of
from scoring.cash.words.charged import money_lines
from scoring.play.queries import Sheet
from scoring.play.replay import Effect
from scoring.play.texts import describe_effects
from scoring.table.queries.closed import closed_months
from scoring.table.words import closed_lines


def preview_lines(sheet: Sheet, effects: Sequence[Effect]) -> list[str]:
    """What the change does to points and to money, and which months it touches that are closed."""
    found = money_of(effects)
    closed = closed_months(effects, [evening for evening, _changes in found])
    return [*describe_effects(sheet, effects), *money_lines(found), *closed_lines(closed)]
