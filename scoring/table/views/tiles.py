"""The people at the table as the entry shows them: a tile each, with the box that marks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.club.models.people import Player
from scoring.play.models import Game
from scoring.play.queries.sheet import Sheet
from scoring.table.forms.games import GameForm, LineForm


@dataclass(frozen=True)
class Tile:
    """Somebody at the table: `mark` the box that says they are of the party asked for, `total` what they have by now."""

    seat: int
    player: Player
    mark: SafeString
    plays: bool
    total: int


def tiles_of(form: LineForm | None, line_up: Sequence[Player], sheet: Sheet) -> list[Tile]:
    """A tile for everybody in seating order; none where the line is no game. Who sits out cannot be marked."""
    if not isinstance(form, GameForm):
        return []
    field = "winners" if form["form"].value() == Game.Form.SHORT else "re"
    marks = {box.data["value"]: box.tag() for box in form[field]}
    empty = '<input type="checkbox" name="{}" value="{}" disabled>'
    return [
        Tile(
            seat,
            player,
            marks.get(str(seat)) or format_html(empty, field, seat),
            plays=str(seat) in marks,
            total=sheet.totals.get(player.pk, 0),
        )
        for seat, player in enumerate(line_up)
    ]
