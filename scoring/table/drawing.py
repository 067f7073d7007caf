"""What a page shows of one line of a sheet: its label, the eyes of both parties, and the lines beside it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring.play.queries import Row, Sheet
from scoring.rules.constants import ALL_EYES
from scoring.rules.parsing import GameFacts


def narrow(form: str, label: str) -> str:
    """Return the name of a line without a game for the narrow column of the numbers, with soft hyphens: not every browser knows
    where a German word may break."""
    broken = {"correction": _("Berich-tigung"), "penalty": _("Straf-punkte")}.get(form, label)
    return broken.replace("-", "\u00ad")


def label_of(row: Row) -> str:
    """Return the number of a game, or the narrow name of any other line."""
    return row.label if row.number is not None else narrow(row.game.form, row.label)


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
