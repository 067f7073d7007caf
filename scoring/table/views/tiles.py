"""The people at the table as the entry shows them: a tile each, with the box that marks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.play.models import Game
from scoring.play.queries import Row, Sheet
from scoring.play.texts import WON
from scoring.rules.constants import FOR_SCRIPTS
from scoring.table.forms.games import GameForm, LineForm


@dataclass(frozen=True)
class Tile:
    """One person at the table: `mark` is the box that puts them into the party that is asked for, `total` their points so
    far, `was` what the line that is being corrected brought them."""

    seat: int
    player: Player
    mark: SafeString
    plays: bool
    total: int
    was: int | None


def tiles_of(
    form: LineForm | None, line_up: Sequence[Player], sheet: Sheet, corrected: Row | None = None
) -> list[Tile]:
    """A tile for everybody in seating order; none where the line is no game. Who sits out cannot be marked."""
    if not isinstance(form, GameForm):
        return []
    field = "winners" if form["form"].value() == Game.Form.SHORT else "re"
    marks = {box.data["value"]: box.data["attrs"] for box in form[field]}
    was = {cell.player.pk: cell.points for cell in corrected.cells if not cell.is_idle} if corrected else {}
    mark = '<input type="checkbox" aria-describedby="tile-{}" name="{}" value="{}"{}>'
    return [
        Tile(
            seat,
            player,
            format_html(mark, seat, field, seat, flatatt(marks.get(str(seat), {"disabled": True}))),
            plays=str(seat) in marks,
            total=sheet.totals.get(player.pk, 0),
            was=was.get(player.pk),
        )
        for seat, player in enumerate(line_up)
    ]


def worth_data(sheet: Sheet, line_up: Sequence[Player], before: Sequence[Row]) -> dict[str, Any]:
    """What the phone needs to say what a line behind these would bring its people, as score.js takes it."""
    rule_set = sheet.table.rule_set
    return {
        "rules": {**rule_set.settings, "codes": FOR_SCRIPTS},
        "chain": sheet.records.start(rule_set.rules).count_sides(),
        "before": [
            {
                "form": row.game.form,
                "table": len(row.result.outcome.points),
                "dealer": row.game.dealer,
                "facts": row.game.facts,
            }
            for row in before
        ],
        "names": [player.name for player in line_up],
        "texts": {code: _(text) for code, text in WON.items()},
    }
