"""The server is killed while it posts, before whichever statement: what it was about to book is there whole or not at all, and the
books are sound. Done again, it is booked once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.cash.evening.actions import collect
from scoring.cash.ledger.actions import book
from scoring.cash.models import Kind
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Attendance, Change, Entry, Evening, Game, Leg, Period, Table
from scoring.table.actions.games import Typed, correct_game
from tests.cash.books import DAY
from tests.cash.kasse import closed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.effort import LONG
from tests.factories import add_game, make_club, make_table

pytestmark = pytest.mark.django_db(transaction=True)
# In every run only before some of the statements.
EVERY = 1 if LONG else 12


@pytest.fixture
def table(transactional_db: None) -> Table:
    club = make_club()
    give_tariff(club)
    table = make_table(club)
    add_game(table)
    return table


def closing(table: Table) -> Callable[[], object]:
    return lambda: close_evening(evening=Evening.objects.get(pk=table.evening_id), actor=TREASURER)


def correcting(table: Table) -> Callable[[], object]:
    """What stands is reversed, and another entry takes its place."""
    closing(table)()
    game = Game.objects.get()
    typed = Typed(form="played", facts={"kind": "normal", "re": [0, 1], "eyes": 190}, dealer=game.dealer)
    return lambda: correct_game(table=table, actor=TREASURER, key=game.key, version=game.version, typed=typed)


def collecting(table: Table) -> Callable[[], object]:
    closing(table)()
    people, key = list(table.evening.club.players.all()), uuid4()
    return lambda: collect(evening=table.evening, actor=TREASURER, players=people, key=key)


def typing(table: Table) -> Callable[[], object]:
    club, key = table.evening.club, uuid4()
    typed = {"kind": Kind.PAYMENT, "cents": 350, "date": DAY, "person": club.players.all()[0], "box": "cash"}
    return lambda: book(club=club, actor=Actor(), key=key, **typed)


def closing_a_month(table: Table) -> Callable[[], object]:
    closing(table)()
    return lambda: closed(table.evening.club, "2026-03")


@pytest.mark.parametrize("begin", [closing, correcting, collecting, typing, closing_a_month])
def test_it_is_whole_or_not_there(table: Table, begin: Callable[[Table], Callable[[], object]]) -> None:
    act = begin(table)
    before, step, kills = everything(), (EVERY + 1) // 2, 0
    while is_killed_before(step, act):
        assert everything() == before
        assert list(list_broken_laws_of_club(table.evening.club)) == []
        step, kills = step + EVERY, kills + 1
    assert kills > 0 and everything() != before
    assert list(list_broken_laws_of_club(table.evening.club)) == []


def everything() -> list[list[tuple[Any, ...]]]:
    of = [Evening, Attendance, Game, Entry, Leg, Period, Change]
    return [list(model._default_manager.order_by("pk").values_list()) for model in of]


def is_killed_before(step: int, act: Callable[[], object]) -> bool:
    """Do it in a process that is gone before its statement of this number, where it comes so far."""
    # Neither database lends a connection to two processes.
    connection.close()
    pid = os.fork()
    if pid == 0:
        left = [step]

        def count(execute: Any, *statement: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return execute(*statement)

        try:
            connection.execute_wrappers.append(count)
            act()
            connection.close()
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0
