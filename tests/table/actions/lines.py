"""Short calls for tests that change lines of a sheet, and the rows that follow from them."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from scoring.club.actions import Actor
from scoring.models import Club, Game, Outcome, RuleSet, Score, Table, TableResult
from scoring.play.queries import read_records
from scoring.play.replay import Effect, OutcomeValues, read_stored
from scoring.play.rules import SCORE_FIELDS
from scoring.table.actions.games import Saved, Typed, add_game, correct_game, delete_game, insert_game, move_game, undo
from tests.factories import make_rule_set

NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}
LOST = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}


def build_typed(facts: dict[str, Any] | None = None, **typed: Any) -> Typed:
    return Typed("played", facts or NORMAL, **typed)


def add(table: Table, typed: Typed, key: UUID | None = None, after: UUID | None = None, **kw: Any) -> Saved:
    return add_game(table=table, actor=Actor(), key=key or uuid4(), after=after, typed=typed, **kw)


def append_line(table: Table, typed: Typed, key: UUID | None = None) -> Saved:
    """Add a line behind the last one."""
    last = read_records(table).last
    return add(table, typed, key, last.key if last else None)


def correct(table: Table, game: Game, typed: Typed, as_admin: bool = False) -> Saved:
    return correct_game(table=table, actor=Actor(admin=as_admin), key=game.key, version=game.version, typed=typed)


def delete(table: Table, game: Game) -> Saved:
    return delete_game(table=table, actor=Actor(), key=game.key, version=game.version)


def take_back(table: Table, saved: Saved) -> Saved:
    return undo(table=table, actor=Actor(), change_id=saved.change.pk)


def dump_sheet(table: Table) -> dict[str, Any]:
    """Return all lines of the sheet and all derived rows, without versions and row ids."""
    games = Game.objects.filter(round__table=table, deleted=False)
    scores = Score.objects.filter(game__round__table=table)
    return {
        "games": list(games.order_by("position").values("key", "position", "form", "dealer", "facts", "note")),
        "outcomes": list(Outcome.objects.filter(game__round__table=table).order_by("game").values()),
        "scores": list(scores.order_by("game", "player").values(*("game", "player"), *SCORE_FIELDS)),
        "results": list(TableResult.objects.filter(table=table).order_by("player").values()),
    }


def drop_ids(sheet: dict[str, Any]) -> dict[str, Any]:
    """Drop the ids of sums, which are new rows after players left and came back."""
    return {**sheet, "results": [{field: row[field] for field in row if field != "id"} for row in sheet["results"]]}


def get_points(table: Table) -> list[int]:
    """Return the sums of the present players in seating order."""
    sums = dict(TableResult.objects.filter(table=table).values_list("player", "points"))
    return [sums[player.pk] for player in read_records(table).current]


def make_bock_rules(club: Club) -> RuleSet:
    return make_rule_set(club, "anleitung")


def insert(
    table: Table, beside: Game, facts: dict[str, Any] | None = None, key: UUID | None = None, behind: bool = False
) -> Saved:
    typed = Typed("played", facts or NORMAL)
    key = key or uuid4()
    return insert_game(table=table, actor=Actor(), key=key, beside=beside.key, behind=behind, typed=typed)


def move(table: Table, game: Game, up: bool) -> Saved:
    version = Game.objects.get(key=game.key).version
    return move_game(table=table, actor=Actor(), key=game.key, version=version, up=up)


def list_keys(table: Table) -> list[UUID]:
    return [game.key for game in read_records(table).games]


def list_levels(table: Table) -> list[int]:
    return [read_stored(read_records(table)).outcomes[key].bock for key in list_keys(table)]


def describe(effects: list[Effect]) -> list[tuple[Any, ...]]:
    """Return the content of effects, to compare those of two tables."""

    def side(outcome: OutcomeValues | None) -> tuple[Any, ...] | None:
        return outcome and (outcome.winner, outcome.value, outcome.bock, outcome.bock_started)

    return [(side(e.before), side(e.after), e.points_before, e.points_after) for e in effects]
