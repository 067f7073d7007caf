"""Lines of a sheet as HTML. A page of the table has dozens of them, which stand there for the whole evening: each is drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.play.queries.sheet import Row
from scoring.play.words.bock import bock_sign


class Shown(NamedTuple):
    """Whatever the template shows of a line; `games` is the address below which its games are. Of each cell: the total, and
    whether this person won, played a solo, dealt."""

    games: str
    key: UUID
    is_game: bool
    label: str
    level: int
    bock_sign: str
    ends_cycle: bool
    in_turn: bool
    cells: Sequence[tuple[int | None, bool, bool, bool]]
    value: int


def drawn_line(row: Row, games: str) -> SafeString:
    level = row.result.level
    shown = Shown(
        games,
        row.game.key,
        row.number is not None,
        row.label,
        level,
        bock_sign(row.rules, level) if level > 1 else "",
        row.ends_cycle,
        row.turn is None,
        tuple([(cell.shown, cell.won, cell.solo, cell.deals) for cell in row.cells]),
        row.value,
    )
    return _drawn(shown, get_language())


@lru_cache(maxsize=2048)
def _drawn(shown: Shown, _language: str | None) -> SafeString:
    """The template sees nothing but what is shown and the language, so what is kept here is never out of date."""
    return render_to_string("scoring/table/_row.html", shown._asdict())
