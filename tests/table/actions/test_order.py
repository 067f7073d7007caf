"""Test inserting and moving lines, also across a change of line-up, and their previews."""

from __future__ import annotations

import random
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening
from scoring.models import Game, Table, Verb
from scoring.play.models import POSITION_STEP
from scoring.play.queries import read_records
from scoring.play.replay import EveningIsClosed
from scoring.play.verify import check_table
from scoring.rules.validation import Refused
from scoring.table.actions.games import (
    NowhereToMove,
    PeopleMissing,
    StaleVersion,
    Typed,
    closes_line_up,
    correct_game,
    delete_game,
    may_move,
    move_game,
    preview_insertion,
    preview_move,
)
from scoring.table.actions.games import add_game as enter_game
from scoring.table.actions.seats import change_line_up
from tests.effort import LONG
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table
from tests.table.actions.lines import LOST, NORMAL, describe, insert, list_keys, list_levels, move, take_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    club = make_club()
    return make_table(club, rule_set=make_rule_set(club, "anleitung"))


def test_a_forgotten_game_stands_in_its_place_and_changes_what_follows(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    saved = insert(table, games[1], LOST)
    assert list_keys(table) == [games[0].key, saved.game.key, games[1].key, games[2].key]
    assert list_levels(table) == [0, 0, 1, 1]
    assert saved.game.dealer == 1, "the dealer of its place"
    assert [game.dealer for game in read_records(table).games] == [0, 1, 1, 2], "stored dealers do not change"
    assert (saved.change.verb, saved.change.before) == (Verb.GAME_INSERTED, None)
    assert {effect.game.key for effect in saved.effects} == {saved.game.key, games[1].key, games[2].key}
    assert check_table(table).findings == []


def test_only_a_used_up_gap_renumbers_the_other_lines(table: Table) -> None:
    first, second = (add_game(table).game for _ in range(2))
    newest = second
    for _ in range(10):
        newest = insert(table, newest).game
    positions = dict(Game.objects.values_list("key", "position"))
    assert (positions[first.key], positions[second.key]) == (POSITION_STEP, 2 * POSITION_STEP)
    order = list_keys(table)
    for _ in range(3):
        newest = insert(table, newest).game
        order.insert(1, newest.key)
    assert list_keys(table) == order
    assert Game.objects.get(key=second.key).position > 2 * POSITION_STEP
    for _ in range(13):
        first = insert(table, first).game
        order.insert(0, first.key)
    assert list_keys(table) == order
    assert check_table(table).findings == []
    Game.objects.filter(key=order[2]).update(position=Game.objects.get(key=order[1]).position + 1)
    saved = move(table, Game.objects.get(key=order[3]), up=True)
    assert list_keys(table) == [*order[:2], order[3], order[2], *order[4:]]
    take_back(table, saved)
    assert list_keys(table) == order, "the renumbering move is taken back"


def test_a_struck_out_line_in_the_gap_keeps_its_place(table: Table) -> None:
    games = [add_game(table).game for _ in range(3)]
    delete_game(table=table, actor=Actor(), key=games[1].key, version=1)
    saved = insert(table, games[2])
    take_back(table, saved)
    assert list_keys(table) == [games[0].key, games[2].key]
    positions = list(Game.objects.values_list("position", flat=True))
    assert len(set(positions)) == 4


def test_a_retry_books_once_and_other_content_is_refused(table: Table) -> None:
    game, key = add_game(table).game, uuid4()
    assert insert(table, game, key=key).change is not None
    assert insert(table, game, key=key).change is None
    with pytest.raises(InvalidInput, match="anderes Spiel gespeichert"):
        insert(table, game, LOST, key=key)
    assert len(list_keys(table)) == 2
    correct_game(table=table, actor=Actor(), key=key, version=1, typed=Typed("played", LOST))
    assert insert(table, game, key=key).change is None


def test_an_inserted_line_has_the_players_of_the_line_behind_it(table: Table) -> None:
    first = add_game(table).game
    people = read_records(table).current
    others = [make_player(table.evening.club, name) for name in ("Gisela", "Hatice")]
    change_line_up(table=table, actor=Actor(), players=[*people, *others])
    add_game(table, dealer=0, re=[1, 2])
    assert insert(table, first).game.round_id == first.round_id
    with pytest.raises(Refused):
        insert(table, first, {**NORMAL, "re": [4, 5]})


def test_insertions_and_moves_that_are_refused(table: Table) -> None:
    game = add_game(table).game
    with pytest.raises(ActionRefused, match="inzwischen gestrichen"):
        insert(table, Game(key=uuid4()))
    with pytest.raises(StaleVersion):
        move_game(table=table, actor=Actor(), key=game.key, version=7, up=True)
    close_evening(evening=table.evening, actor=Actor())
    for change in (lambda: insert(table, game), lambda: move(table, game, up=True)):
        with pytest.raises(EveningIsClosed):
            change()
    assert list_keys(table) == [game.key]


def test_moving_up_and_down(table: Table) -> None:
    games = [add_game(table).game, add_game(table).game, add_game(table, **LOST).game]
    a, b, c = (game.key for game in games)
    saved = move(table, games[2], up=True)
    assert (list_keys(table), list_levels(table)) == ([a, c, b], [0, 0, 1])
    assert saved.change.verb == Verb.GAME_MOVED
    back = take_back(table, saved)
    assert (list_keys(table), list_levels(table), back.change.verb) == ([a, b, c], [0, 0, 0], Verb.GAME_MOVED)
    for game, up, order in ((games[2], True, [a, c, b]), (games[0], False, [c, a, b]), (games[0], False, [c, b, a])):
        move(table, game, up)
        assert list_keys(table) == order
    assert check_table(table).findings == []
    for game, up in ((games[2], True), (games[0], False)):
        assert not may_move(read_records(table), game.key, up)
        with pytest.raises(NowhereToMove):
            move(table, game, up)


@pytest.mark.parametrize("seed", range(100 if LONG else 2))
def test_previews_of_insertions_and_moves_are_right(table: Table, seed: int) -> None:
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
        assert describe(shown) == describe(done.effects)
        if chance.random() < 0.3:
            take_back(table, done)
        assert check_table(table).findings == []


def sit(table: Table, *names: str) -> None:
    """Seat these players from the next game on, in this order."""
    known = {player.name: player for player in table.evening.club.players.all()}
    people = [known.get(name) or make_player(table.evening.club, name) for name in names]
    change_line_up(table=table, actor=Actor(), players=people)


def made(preset: str = "ddv", players: int = 4, **settings: Any) -> Table:
    club = make_club()
    return make_table(club, players, rule_set=make_rule_set(club, preset, **settings))


def stands(table: Table, game: Game) -> tuple[int, int, int | None, dict[str, Any]]:
    """Return the number of a line's round, its place there, its dealer and its facts."""
    records = read_records(table)
    line = next(line for line in records.games if line.key == game.key)
    here = [other.key for other in records.games if other.round_id == line.round_id]
    return [r.pk for r in records.rounds].index(line.round_id), here.index(line.key), line.dealer, line.facts


def points(table: Table, game: Game) -> dict[str, int]:
    return {score.player.name: score.points for score in game.scores.select_related("player")}


def test_behind_the_last_line_before_others_sat_down(table: Table) -> None:
    last = [add_game(table).game for _ in range(3)][-1]
    sit(table, "Ärmel", "Bodo", "Çelik", "Özlem", "Željko")
    later = add_game(table, re=[0, 1], dealer=3).game
    records = read_records(table)
    assert [closes_line_up(records, game) for game in records.games] == [False, False, True, False]
    shown = preview_insertion(records=records, beside=last.key, behind=True, typed=Typed("played", LOST))
    saved = insert(table, last, LOST, behind=True)
    assert describe(shown) == describe(saved.effects)
    assert list_keys(table)[-2:] == [saved.game.key, later.key]
    assert (saved.game.round_id, saved.game.dealer) == (last.round_id, 3)
    assert list_levels(table) == [0, 0, 0, 0, 1]
    take_back(table, saved)
    assert list_keys(table)[-2:] == [last.key, later.key]
    end = insert(table, later, behind=True).game
    assert list_keys(table)[-2:] == [later.key, end.key]
    assert check_table(table).findings == []


def test_a_line_goes_to_the_same_people_in_other_seats() -> None:
    table = made()
    game = add_game(table, kind="normal", re=[0, 1], eyes=130, dealer=3).game
    before = points(table, game)
    sit(table, "Özlem", "Çelik", "Bodo", "Ärmel")
    later = add_game(table).game
    shown = preview_move(records=read_records(table), key=game.key, up=False)
    saved = move(table, game, up=False)
    assert describe(shown) == describe(saved.effects) == []
    assert stands(table, game) == (1, 0, 0, {"kind": "normal", "re": [2, 3], "eyes": 130})
    assert list_keys(table) == [game.key, later.key], "the change of line-up is one place"
    assert points(table, game) == before
    move(table, game, up=True)
    assert stands(table, game) == (0, 0, 3, {"kind": "normal", "re": [0, 1], "eyes": 130})
    assert check_table(table).findings == []


def test_a_line_moved_to_a_larger_table_names_who_sat_out() -> None:
    """The dealer of four plays, the dealer of five does not: the new player sat out, and the line says so."""
    table = made("anleitung")
    game = add_game(table, re=[0, 1], eyes=100, re_said="said").game
    sit(table, "Ärmel", "Bodo", "Çelik", "Özlem", "Željko")
    later = add_game(table, re=[0, 2], dealer=4).game
    saved = move(table, game, up=False)
    assert stands(table, game)[3] == {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said", "out": [4]}
    assert Game.objects.get(key=game.key).outcome.bock_started == 5, "as many as players sit there now"
    assert {effect.game.key for effect in saved.effects} == {game.key}
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 100}, dealer=4)
    correct_game(table=table, actor=Actor(), key=game.key, version=2, typed=typed)
    assert list_levels(table) == [0, 0]
    move(table, later, up=True)
    assert check_table(table).findings == []


def test_a_line_moved_to_a_smaller_table_drops_who_sat_out_until_it_is_undone() -> None:
    table = made(players=5)
    game = add_game(table, re=[1, 2], dealer=0, out=[4], note="knapp").game
    was = Game.objects.filter(key=game.key).values("round", "position", "form", "dealer", "facts", "note").get()
    sit(table, "Çelik", "Ärmel", "Bodo", "Özlem")
    saved = move(table, game, up=False)
    assert stands(table, game) == (1, 0, 1, {"kind": "normal", "re": [0, 2], "eyes": 130})
    assert Game.objects.get(key=game.key).round_id != was["round"]
    back = take_back(table, saved)
    assert (back.change.verb, back.change.undoes) == (Verb.GAME_MOVED, saved.change)
    assert Game.objects.filter(key=game.key).values(*was).get() == was
    assert check_table(table).findings == []


@pytest.mark.parametrize(
    ("line", "names", "missing"),
    [
        ({"re": [1, 2], "dealer": 0}, ("Ärmel", "Bodo", "Çelik", "Željko"), "Özlem sitzt"),
        ({"re": [1, 2], "dealer": 0}, ("Bodo", "Çelik", "Özlem", "Željko"), "Ärmel sitzt"),
        ({"re": [1, 2], "dealer": 0}, ("Ärmel", "Bodo", "Hatice", "Ivo"), "Çelik, Özlem, Željko sitzen"),
        ({"form": "short", "winners": [1, 2], "base": 2, "dealer": 0}, ("Ärmel", "Bodo", "Çelik", "Ivo"), "Özlem, "),
        ({"form": "redeal", "seat": 4, "dealer": 0}, ("Ärmel", "Bodo", "Çelik", "Özlem"), "Željko sitzt"),
        ({"form": "penalty", "points": [0, 0, 0, 1, -1], "reason": "zu spät"}, ("Ärmel", "Bodo", "Çelik", "Özlem"), "Ž"),
    ],
)
def test_a_move_names_missing_players(line: dict[str, Any], names: tuple[str, ...], missing: str) -> None:
    table = made(players=5)
    game = add_game(table, **line).game
    sit(table, *names)
    preview = partial(preview_move, records=read_records(table), key=game.key, up=False)
    for attempt in (partial(move, table, game, False), preview):
        with pytest.raises(PeopleMissing) as refused:
            attempt()
        assert str(refused.value).startswith(f"Verschieben geht nicht: {missing}")
    assert stands(table, game)[0] == 0


def test_points_by_hand_move_with_their_players() -> None:
    table = made(players=5)
    penalty = add_game(table, form="penalty", points=[-3, 0, 1, 1, 1], reason="falsch bedient", dealer=4).game
    redeal = add_game(table, form="redeal", seat=2, reason="fünf Neunen", dealer=0).game
    before = points(table, penalty)
    sit(table, "Željko", "Çelik", "Özlem", "Ärmel")
    for game in (redeal, penalty):
        move(table, game, up=False)
    assert stands(table, penalty) == (1, 0, 0, {"points": [1, 1, 1, -3], "reason": "falsch bedient"})
    assert stands(table, redeal) == (1, 1, 3, {"seat": 1, "reason": "fünf Neunen"})
    assert points(table, penalty) == before
    assert check_table(table).findings == []


def test_players_paid_for_sitting_out_are_needed() -> None:
    """By the rules of klassisch, players who sit out are paid as well."""
    table = made("klassisch", players=7)
    game = add_game(table, re=[1, 3], eyes=130).game
    sit(table, *PEOPLE[:4], *PEOPLE[5:7])
    with pytest.raises(PeopleMissing, match="Željko sitzt"):
        move(table, game, up=False)


@pytest.mark.parametrize(
    ("players", "line", "names", "field"),
    [
        (4, {"re": [0, 1]}, PEOPLE[:6], "re"),
        (4, {"kind": "trumpfsolo", "re": [0]}, PEOPLE[:6], "out"),
        (6, {"re": [0, 2, 4]}, PEOPLE[:7], "out"),
        (6, {"re": [0, 2, 4]}, (PEOPLE[1], PEOPLE[0], *PEOPLE[2:6]), "re"),
    ],
)
def test_a_line_that_the_other_line_up_refuses_stays(
    players: int, line: dict[str, Any], names: tuple[str, ...], field: str
) -> None:
    table = made("klassisch", players=players)
    game = add_game(table, **line).game
    sit(table, *names)
    with pytest.raises(Refused) as refused:
        move(table, game, up=False)
    assert field in refused.value.fields
    assert stands(table, game)[0] == 0
    assert check_table(table).findings == []


def test_a_line_moves_into_a_line_up_without_lines_and_back(table: Table) -> None:
    game = add_game(table).game
    sit(table, *PEOPLE[:5])
    saved = move(table, game, up=False)
    assert stands(table, game)[0] == 1
    assert saved.game.position == POSITION_STEP
    with pytest.raises(NowhereToMove):
        move(table, game, up=False)
    move(table, game, up=True)
    assert stands(table, game)[0] == 0
    assert check_table(table).findings == []


def test_struck_out_lines_count_at_the_edge_of_a_line_up(table: Table) -> None:
    games = [add_game(table).game for _ in range(2)]
    delete_game(table=table, actor=Actor(), key=games[1].key, version=1)
    sit(table, "Bodo", "Ärmel", "Çelik", "Özlem")
    later = [add_game(table).game for _ in range(3)]
    gone = delete_game(table=table, actor=Actor(), key=later[0].key, version=1)
    move(table, later[1], up=True)
    assert list_keys(table) == [games[0].key, later[1].key, later[2].key]
    assert stands(table, later[1])[:2] == (0, 1)
    move(table, later[1], up=False)
    assert list_keys(table) == [games[0].key, later[1].key, later[2].key]
    assert Game.objects.get(key=later[1].key).position < Game.objects.get(key=gone.game.key).position
    assert check_table(table).findings == []


def test_a_retry_of_a_moved_line_is_known(table: Table) -> None:
    key = uuid4()
    add_game(table, key=key, re=[0, 1], note="knapp")
    sit(table, *reversed(PEOPLE[:5]))
    move(table, Game(key=key), up=False)
    sent = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130}, note="knapp")
    again = enter_game(table=table, actor=Actor(), key=key, after=None, typed=sent)
    assert again.change is None
    assert len(list_keys(table)) == 1
