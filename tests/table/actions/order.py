"""Lines put beside another and moved by one: how tests do it, and how they read where a line stands then."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from scoring.club.actions import Actor
from scoring.models import Game, Table
from scoring.play.queries import read_records
from scoring.play.replay import Effect, OutcomeValues, read_stored
from scoring.table.actions.games import Saved, Typed, insert_game, move_game, undo

NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}
LOST = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}


def insert(
    table: Table, beside: Game, facts: dict[str, Any] | None = None, key: UUID | None = None, behind: bool = False
) -> Saved:
    typed = Typed("played", facts or NORMAL)
    key = key or uuid4()
    return insert_game(table=table, actor=Actor(), key=key, beside=beside.key, behind=behind, typed=typed)


def move(table: Table, game: Game, up: bool) -> Saved:
    version = Game.objects.get(key=game.key).version
    return move_game(table=table, actor=Actor(), key=game.key, version=version, up=up)


def take_back(table: Table, saved: Saved) -> Saved:
    assert saved.change is not None
    return undo(table=table, actor=Actor(), change_id=saved.change.pk)


def keys(table: Table) -> list[UUID]:
    return [game.key for game in read_records(table).games]


def levels(table: Table) -> list[int]:
    return [read_stored(read_records(table)).outcomes[key].bock for key in keys(table)]


def told(effects: list[Effect]) -> list[tuple[Any, ...]]:
    """What an effect says, whatever the row it says it about."""

    def side(outcome: OutcomeValues | None) -> tuple[Any, ...] | None:
        return outcome and (outcome.winner, outcome.value, outcome.bock, outcome.bock_started)

    return [(side(e.before), side(e.after), e.points_before, e.points_after) for e in effects]
