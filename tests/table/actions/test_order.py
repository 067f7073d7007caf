"""Putting a forgotten line before another and moving one: where it stands then, what follows from it, and that it is just
what was shown before."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Game, Table, Verb
from scoring.play.actions import EveningIsClosed
from scoring.play.models import POSITION_STEP
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from scoring.rules.validation import Refused
from scoring.table.actions.games import (
    GameIsDeleted,
    KeyUsed,
    NowhereToMove,
    StaleVersion,
    Typed,
    correct_game,
    delete_game,
    may_move,
    move_game,
    preview_insertion,
    preview_move,
)
from scoring.table.actions.seats import change_line_up
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table
from tests.table.actions.order import LOST, NORMAL, insert, keys, levels, move, take_back, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    club = make_club()
    return make_table(club, rule_set=make_rule_set(club, "anleitung"))


def test_a_forgotten_game_stands_in_its_place_and_changes_what_follows(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    saved = insert(table, games[1], LOST)
    assert keys(table) == [games[0].key, saved.game.key, games[1].key, games[2].key]
    assert levels(table) == [0, 0, 1, 1]
    assert saved.game.dealer == 1, "whose deal it was where it stands"
    assert [game.dealer for game in read_records(table).games] == [0, 1, 1, 2], "what was a fact stays one"
    assert saved.change is not None
    assert (saved.change.verb, saved.change.before) == (Verb.GAME_INSERTED, None)
    assert {effect.game.key for effect in saved.effects} == {saved.game.key, games[1].key, games[2].key}
    assert check_table(table).findings == []


def test_only_a_used_up_gap_numbers_the_others_anew(table: Table) -> None:
    first, second = (add_game(table).game for _ in range(2))
    newest = second
    for _ in range(10):
        newest = insert(table, newest).game
    positions = dict(Game.objects.values_list("key", "position"))
    assert (positions[first.key], positions[second.key]) == (POSITION_STEP, 2 * POSITION_STEP)
    order = keys(table)
    for _ in range(3):
        newest = insert(table, newest).game
        order.insert(1, newest.key)
    assert keys(table) == order
    assert Game.objects.get(key=second.key).position > 2 * POSITION_STEP
    assert check_table(table).findings == []


def test_before_the_first_line_over_and_over(table: Table) -> None:
    first = add_game(table).game
    order = [first.key]
    for _ in range(13):
        first = insert(table, first).game
        order.insert(0, first.key)
    assert keys(table) == order


def test_a_struck_out_line_in_the_gap_keeps_its_place(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    deleted = delete_game(table=table, actor=Actor(), key=games[1].key, version=1)
    assert deleted.change is not None
    saved = insert(table, games[2])
    take_back(table, saved)
    assert keys(table) == [games[0].key, games[2].key]
    positions = list(Game.objects.values_list("position", flat=True))
    assert len(set(positions)) == 4


def test_a_retry_books_once_and_other_content_is_refused(table: Table) -> None:
    game = add_game(table).game
    key = uuid4()
    assert insert(table, game, key=key).change is not None
    assert insert(table, game, key=key).change is None
    with pytest.raises(KeyUsed):
        insert(table, game, LOST, key=key)
    assert len(keys(table)) == 2


def test_a_retry_is_known_after_a_correction(table: Table) -> None:
    game, key = add_game(table).game, uuid4()
    insert(table, game, key=key)
    correct_game(table=table, actor=Actor(), key=key, version=1, typed=Typed("played", LOST))
    assert insert(table, game, key=key).change is None


def test_it_is_among_the_people_of_the_line_it_stands_before(table: Table) -> None:
    first = add_game(table).game
    people = read_records(table).current
    others = [make_player(table.evening.club, name) for name in ("Gisela", "Hatice")]
    change_line_up(table=table, actor=Actor(), players=[*people, *others])
    add_game(table, dealer=0, re=[1, 2])
    assert insert(table, first).game.round_id == first.round_id
    with pytest.raises(Refused):
        insert(table, first, {**NORMAL, "re": [4, 5]})


def test_what_is_refused(table: Table) -> None:
    game = add_game(table).game
    with pytest.raises(GameIsDeleted):
        insert(table, Game(key=uuid4()))
    with pytest.raises(StaleVersion):
        move_game(table=table, actor=Actor(), key=game.key, version=7, up=True)
    close_evening(evening=table.evening, actor=Actor())
    for change in (lambda: insert(table, game), lambda: move(table, game, up=True)):
        with pytest.raises(EveningIsClosed):
            change()
    assert keys(table) == [game.key]


def test_moving_up_and_down(table: Table) -> None:
    games = [add_game(table).game, add_game(table).game, add_game(table, **LOST).game]
    a, b, c = (game.key for game in games)
    saved = move(table, games[2], up=True)
    assert (keys(table), levels(table)) == ([a, c, b], [0, 0, 1])
    assert saved.change is not None
    assert saved.change.verb == Verb.GAME_MOVED
    move(table, games[0], up=False)
    assert keys(table) == [c, a, b]
    move(table, games[0], up=False)
    assert keys(table) == [c, b, a]
    assert check_table(table).findings == []
    for game, up in ((games[2], True), (games[0], False)):
        assert not may_move(read_records(table), game.key, up)
        with pytest.raises(NowhereToMove):
            move(table, game, up)


def test_a_move_and_an_insertion_are_taken_back_once(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    before, stood = keys(table), levels(table)
    moved = move(table, games[2], up=True)
    back = take_back(table, moved)
    assert (keys(table), levels(table)) == (before, stood)
    assert back.change is not None
    assert back.change.verb == Verb.GAME_MOVED
    inserted = insert(table, games[0], LOST)
    take_back(table, inserted)
    assert (keys(table), levels(table)) == (before, stood)
    assert check_table(table).findings == []


def test_a_move_that_numbers_anew_is_taken_back(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    Game.objects.filter(key=games[1].key).update(position=POSITION_STEP + 1)
    before = keys(table)
    take_back(table, move(table, games[2], up=True))
    assert keys(table) == before


@pytest.mark.parametrize("seed", range(4))
def test_what_is_shown_before_is_what_happens(table: Table, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        add_game(table, **chance.choice((NORMAL, LOST)))
    for _ in range(25):
        records = read_records(table)
        game = chance.choice(records.games)
        if chance.random() < 0.5:
            facts = chance.choice((NORMAL, LOST))
            shown = preview_insertion(records=records, beside=game.key, behind=False, typed=Typed("played", facts))
            done = insert(table, game, facts)
        else:
            up = chance.random() < 0.5
            if not may_move(records, game.key, up):
                continue
            shown = preview_move(records=records, key=game.key, up=up)
            done = move(table, game, up)
        assert told(shown) == told(done.effects)
        if chance.random() < 0.3:
            take_back(table, done)
        assert check_table(table).findings == []
