"""A season with two closed evenings in March, and what tests do to it."""

from __future__ import annotations

import datetime
from typing import Any

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Club, Game, Season
from scoring.table.actions.games import Typed, correct_game
from tests.factories import add_game, make_table
from tests.months import make_season


def two_evenings(club: Club) -> Season:
    """Two closed evenings in March."""
    for day in (6, 20):
        table = make_table(club, held_on=datetime.date(2026, 3, day))
        add_game(table)
        add_game(table, kind="damensolo", re=[2], eyes=180)
        close_evening(evening=table.evening, actor=Actor())
    return make_season(club)


def first_game(season: Season) -> Game:
    games = Game.objects.filter(round__table__evening__club=season.club_id).select_related("round__table")
    return games.order_by("round__table__evening__held_on", "position")[0]


def correct(game: Game, **facts: Any) -> None:
    """An admin puts a game right, evening closed or not."""
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130, **facts}, game.dealer)
    version = Game.objects.get(pk=game.pk).version
    correct_game(table=game.round.table, actor=Actor(admin=True), key=game.key, version=version, typed=typed)


def points(content: dict[str, Any]) -> dict[str, int]:
    return {row["name"]: row["result"] for row in content["rows"]}
