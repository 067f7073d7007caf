"""Evenings for tests that carry open Bock games on: how they are played, and that what is stored follows from it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from scoring.club.actions import Actor
from scoring.models import Club, Outcome, RuleSet, Table
from scoring.play.queries import read_records
from scoring.play.replay import Effect
from scoring.play.verify import check_table
from scoring.table.actions.games import Saved, Typed, correct_game, preview_correction
from scoring.table.actions.tables import carry_on, preview_carry
from tests.factories import add_game, make_rule_set, make_table

LOST: dict[str, Any] = {"eyes": 100, "re_said": "said"}
FIRST = datetime.date(2025, 11, 15)
WEEK = datetime.timedelta(days=7)


def carrying(club: Club, name: str = "Wir", **bock: Any) -> RuleSet:
    return make_rule_set(club, "anleitung", name, bock={"carry": True, **bock})


def evening(club: Club, week: int, rules: RuleSet, after: Table | None = None, people: Any = 4) -> Table:
    """An evening so many weeks after the first, which carries on from the table `after`."""
    table = make_table(club, players=people, held_on=FIRST + week * WEEK, rule_set=rules)
    if after is not None:
        set_to(table, after)
    return Table.objects.get(pk=table.pk)


def set_to(table: Table, earlier: Table | None, as_admin: bool = False) -> list[Effect]:
    _effects, seen = preview_carry(records=read_records(table), earlier=earlier)
    return carry_on(table=table, actor=Actor(admin=as_admin), earlier=earlier, seen=seen)


def levels(table: Table) -> list[int]:
    stored = Outcome.objects.filter(game__round__table=table, game__deleted=False).order_by("game__position")
    return list(stored.values_list("bock", flat=True))


def play(table: Table, *games: dict[str, Any]) -> None:
    for game in games:
        add_game(table, **{"eyes": 130, **game})


def nothing_is_wrong(*tables: Table) -> None:
    for table in tables:
        assert check_table(Table.objects.select_related("evening__club", "rule_set").get(pk=table.pk)).findings == []


def two_evenings(club: Club, rules: RuleSet) -> tuple[Table, Table]:
    """The first evening ends with three Bock games open; the second has five games."""
    first = evening(club, 0, rules)
    play(first, {}, LOST, {})
    second = evening(club, 1, rules, after=first)
    play(second, *[{}] * 5)
    return first, second


def line(table: Table, number: int) -> Any:
    return read_records(table).games[number - 1]


def typed(**facts: Any) -> Typed:
    return Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130, **facts})


def correcting(table: Table, number: int, **facts: Any) -> tuple[list[Effect], Callable[[bool], Saved]]:
    game = line(table, number)
    shown = preview_correction(records=read_records(table), key=game.key, typed=typed(**facts))
    args = {"table": table, "key": game.key, "version": game.version, "typed": typed(**facts)}
    return shown, lambda as_admin: correct_game(actor=Actor(admin=as_admin), **args)


def told(effects: list[Effect]) -> list[tuple[Any, ...]]:
    """Everything an effect says but the key of a line that is not there yet, and which object holds it."""
    return [
        (
            effect.records.table.pk,
            *(
                side and (side.winner, side.value, side.bock, side.bock_started)
                for side in (effect.before, effect.after)
            ),
            effect.points_before,
            effect.points_after,
        )
        for effect in effects
    ]
