"""Lines of a sheet as HTML. A page of the table has dozens of them, which stand there for the whole evening: each is drawn once.
Of one line alone: how far its eyes reach, and which lines stand beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.play.queries.sheet import Row, Sheet
from scoring.play.words.bock import bock_sign
from scoring.rules.codes import ALL_EYES
from scoring.rules.facts import GameFacts


class Shown(NamedTuple):
    """Whatever the template shows of a line; `games` is the address below which its games are. Of each cell: the total, and
    whether this person was not at the table, won, played a solo, dealt."""

    games: str
    key: UUID
    is_game: bool
    label: str
    level: int
    bock_sign: str
    ends_cycle: bool
    in_turn: bool
    cells: Sequence[tuple[int | None, bool, bool, bool, bool]]
    value: int


def narrow(form: str, label: str) -> str:
    """What a line that is no game is called in the narrow column of the numbers; not every browser knows where a German word
    may break."""
    broken = {"correction": _("Berich-tigung"), "penalty": _("Straf-punkte")}.get(form, label)
    return broken.replace("-", "\u00ad")


def label_of(row: Row) -> str:
    return row.label if row.number is not None else narrow(row.game.form, row.label)


def drawn_line(row: Row, games: str) -> SafeString:
    level = row.result.level
    shown = Shown(
        games,
        row.game.key,
        row.number is not None,
        label_of(row),
        level,
        bock_sign(row.rules, level) if level else "",
        row.ends_cycle,
        row.turn is None,
        tuple([(cell.shown, cell.seat is None, cell.won, cell.solo, cell.deals) for cell in row.cells]),
        row.value,
    )
    return _drawn(shown, get_language())


@lru_cache(maxsize=2048)
def _drawn(shown: Shown, _language: str | None) -> SafeString:
    """The template sees nothing but what is shown and the language, so what is kept here is never out of date."""
    return render_to_string("scoring/table/_row.html", shown._asdict())


class Eyes(NamedTuple):
    """What Re has of all eyes: so many for certain, and so many more that it can have where a range was typed."""

    least: int
    more: int

    @property
    def re(self) -> str:
        return _range(self.least, self.least + self.more)

    @property
    def kontra(self) -> str:
        return _range(ALL_EYES - self.least - self.more, ALL_EYES - self.least)


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def eyes_of(row: Row) -> Eyes | None:
    """None where a line is no game, or was decided without eyes."""
    facts = row.result.facts
    if not isinstance(facts, GameFacts):
        return None
    if facts.eyes is not None:
        return Eyes(facts.eyes, 0)
    if not facts.band:
        return None
    least, _dash, most = facts.band.partition("-")
    return Eyes(int(least), int(most or least) - int(least))


class Beside(NamedTuple):
    """The lines before and behind one of the sheet."""

    before: Row | None
    behind: Row | None


def lines_beside(sheet: Sheet, row: Row) -> Beside:
    place = next(place for place, other in enumerate(sheet.rows) if other.game.key == row.game.key)
    return Beside(*(sheet.rows[at] if 0 <= at < len(sheet.rows) else None for at in (place - 1, place + 1)))
