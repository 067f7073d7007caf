"""A question that is made once answers what Django answers where it is put together each time."""

from __future__ import annotations

import datetime
import threading

import pytest
from django.db import connection
from django.db.models import Count, DateTimeField, UUIDField

from scoring.core.ready import Hole, Ready
from scoring.models import Change, Game, Seat
from tests.factories import add_game, make_club, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_it_answers_the_rows_with_what_belongs_to_them() -> None:
    table, other = make_table(make_club()), make_table(make_club("Herz"))
    seats = Seat.objects.select_related("player", "round__table__carries_on").annotate(games=Count("round__games"))
    ready = Ready(lambda: seats.filter(round__table=Hole("table"), place__lt=Hole("below")).order_by("-place"))
    add_game(table)
    found = ready.ask(table=table.pk, below=3)
    assert found == list(seats.filter(round__table=table, place__lt=3).order_by("-place"))
    with connection.execute_wrapper(_nothing):
        assert [(seat.place, seat.player.name, seat.round.table, seat.round.table.carries_on) for seat in found] == [
            (2, "Çelik", table, None),
            (1, "Bodo", table, None),
            (0, "Ärmel", table, None),
        ]
    assert [seat.games for seat in found] == [1, 1, 1]
    assert [seat.round.table for seat in ready.ask(table=other.pk, below=1)] == [other]
    assert ready.first(table=other.pk, below=0) is None
    assert ready.first(table=2**63, below=8) is None


def _nothing(*_asked: object) -> None:
    raise AssertionError("asked once more")


def test_values_are_looked_for_as_they_are_stored() -> None:
    table = make_table(make_club())
    saved = add_game(table)
    add_game(table)
    games = Ready(lambda: Game.objects.filter(key=Hole("key", UUIDField())).values_list("key", "position"))
    assert games.ask(key=saved.game.key) == [(saved.game.key, saved.game.position)]
    since = Ready(lambda: Change.objects.filter(at__gte=Hole("at", DateTimeField())).order_by("pk"))
    assert saved.change is not None
    assert since.ask(at=saved.change.at) == list(Change.objects.filter(pk__gte=saved.change.pk).order_by("pk"))
    assert since.ask(at=saved.change.at + datetime.timedelta(days=1)) == []


def test_several_values_are_asked_for_as_a_list() -> None:
    table = make_table(make_club())
    keys = [add_game(table).game.key for _game in range(3)]
    some = Game.objects.filter(round__table=Hole("table"), pk__in=Hole("keys", UUIDField()), position__gt=Hole("behind"))
    games = Ready(lambda: some)
    for asked in (keys[:1], keys[1:], keys, []):
        assert {game.pk for game in games.ask(table=table.pk, keys=asked, behind=0)} == {*asked}


def test_it_is_made_once_for_all_threads() -> None:
    made = []

    def make() -> object:
        made.append(threading.current_thread().name)
        return Game.objects.filter(position=Hole("position")).values_list("pk")

    ready: Ready[object] = Ready(make)

    def ask() -> None:
        ready.ask(position=1)
        connection.close()

    assert made == []
    assert ready.ask(position=1) == []
    asking = threading.Thread(target=ask, name="another")
    asking.start()
    asking.join()
    assert made == ["MainThread"]
