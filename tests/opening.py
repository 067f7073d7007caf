"""What people had before the first evening, as the tests bring it along."""

from __future__ import annotations

import datetime
from typing import Any

from scoring.club.actions import Actor
from scoring.imports.actions import Figures, Newcomer, take_opening
from scoring.models import Club, Import, OpeningStanding, Player
from scoring.rulesets.models import RuleSet

LAST_DAY = datetime.date(2019, 12, 31)


def open_with(
    club: Club,
    actor: Any = None,
    unit: str = RuleSet.Unit.POINTS,
    until: datetime.date = LAST_DAY,
    **people: Figures,
) -> Import:
    """An opening balance of these people, whom the club has already or who come with it."""
    known = {player.name: player for player in Player.objects.filter(club=club)}
    rows = list(enumerate(people.items()))
    return take_opening(
        club=club,
        actor=Actor(actor),
        file_name="Anfangsstand",
        unit=unit,
        until=until,
        people={row: known.get(name) or Newcomer(name) for row, (name, _figures) in rows},
        figures={row: figures for row, (_name, figures) in rows},
    )


def openings() -> dict[str, OpeningStanding]:
    return {one.player.name: one for one in OpeningStanding.objects.select_related("player")}
