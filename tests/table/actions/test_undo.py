"""The last change is taken back once; and what is shown before a change is what happens."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Outcome, Table, Verb
from scoring.play.actions import EveningIsClosed
from scoring.play.queries import get_last_change, read_records
from scoring.rules.validation import Refused
from scoring.table.actions.games import GameIsDeleted, Typed, preview_correction, preview_deletion, undo
from scoring.table.actions.seats import NothingToUndo, change_line_up, undo_line_up
from tests.factories import make_club, make_table
from tests.kept import made_once
from tests.table.actions.games import (
    LOST,
    NORMAL,
    append,
    correct,
    delete,
    in_bock,
    played,
    sheet,
    take_back,
    without_ids,
)

pytestmark = pytest.mark.django_db


# --- Undo ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def running() -> Table:
    return made_once(_running)


def _running() -> Table:
    """A table in the middle of a Bock chain, with one line struck out."""
    club = make_club()
    table = make_table(club, rule_set=in_bock(club))
    for facts in (NORMAL, LOST, NORMAL):
        append(table, played(facts))
    delete(table, append(table, played()).game)
    append(table, played({**NORMAL, "re": [1, 3], "eyes": 90}))
    return table


def test_undoing_an_entry_strikes_it_out(running: Table) -> None:
    before = sheet(running)
    saved = append(running, played(LOST))
    undone = take_back(running, saved)

    assert sheet(running) == before
    assert undone.change is not None
    assert (undone.change.verb, undone.change.undoes) == (Verb.GAME_DELETED, saved.change)


def test_undoing_the_only_entry_leaves_an_empty_sheet() -> None:
    table = make_table(make_club())
    take_back(table, append(table, played()))
    assert sheet(table) == {"games": [], "outcomes": [], "scores": [], "results": []}


def test_undoing_a_correction_restores_the_line_and_what_followed_from_it(running: Table) -> None:
    before = sheet(running)
    first = read_records(running).games[0]
    saved = correct(
        running, first, Typed("short", {"winners": [3], "base": 3, "solo": True}, dealer=2, note="nur aufgeschrieben")
    )
    assert sheet(running) != before

    undone = take_back(running, saved)

    assert sheet(running) == before
    assert undone.change is not None
    assert (undone.change.verb, undone.game.version) == (Verb.GAME_CORRECTED, first.version + 2)


def test_undoing_a_deletion_puts_the_line_back_in_its_place(running: Table) -> None:
    before = sheet(running)
    middle = read_records(running).games[1]
    saved = delete(running, middle)
    assert list(Outcome.objects.values_list("bock", flat=True)) == [0, 0, 0]

    undone = take_back(running, saved)

    assert sheet(running) == before
    assert undone.change is not None
    assert (undone.change.verb, undone.change.before) == (Verb.GAME_RESTORED, None)


def test_only_the_last_change_can_be_undone_and_only_once(running: Table) -> None:
    first = append(running, played())
    second = append(running, played())
    with pytest.raises(NothingToUndo):
        take_back(running, first)

    undone = take_back(running, second)

    for nothing in (second, undone, first):
        with pytest.raises(NothingToUndo):
            take_back(running, nothing)
    with pytest.raises(NothingToUndo):
        undo(table=running, actor=Actor(), change_id=0)


def test_a_change_of_another_table_is_not_undone_here(running: Table) -> None:
    other = make_table(make_club("Andere"))
    saved = append(other, played())
    with pytest.raises(NothingToUndo):
        take_back(running, saved)
    assert len(read_records(other).games) == 1


def test_what_was_undone_can_be_entered_anew(running: Table) -> None:
    saved = append(running, played())
    with_it = sheet(running)
    take_back(running, saved)

    again = append(running, played())

    assert again.game.position > saved.game.position
    assert [game["facts"] for game in sheet(running)["games"]] == [game["facts"] for game in with_it["games"]]
    assert without_ids(sheet(running))["results"] == without_ids(with_it)["results"]


def test_who_left_sits_where_they_sat_before() -> None:
    """Their round goes on, as if nobody had left; and taking back is not itself taken back."""
    club = make_club()
    table = make_table(club, 5)
    append(table, played({**NORMAL, "re": [1, 2]}))
    before = read_records(table)
    change_line_up(table=table, actor=Actor(), players=before.current[1:])
    left = get_last_change(table)
    undo_line_up(table=table, actor=Actor(), change_id=left.pk)
    after, taken_back = read_records(table), get_last_change(table)
    assert (after.rounds, after.line_ups) == (before.rounds, before.line_ups)
    assert (taken_back.verb, taken_back.undoes) == (Verb.TABLE_SEATED, left)
    assert (taken_back.before, taken_back.after) == (left.after, left.before)
    for change in (left, taken_back):
        with pytest.raises(NothingToUndo):
            undo_line_up(table=table, actor=Actor(), change_id=change.pk)
    assert get_last_change(table) == taken_back


def test_a_line_up_in_which_was_played_stays() -> None:
    table = make_table(make_club(), 5)
    change_line_up(table=table, actor=Actor(), players=read_records(table).current[1:])
    left = get_last_change(table)
    append(table, played())
    with pytest.raises(NothingToUndo):
        undo_line_up(table=table, actor=Actor(), change_id=left.pk)
    with pytest.raises(NothingToUndo):
        undo_line_up(table=table, actor=Actor(), change_id=get_last_change(table).pk)
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        undo_line_up(table=table, actor=Actor(), change_id=left.pk)
    assert len(read_records(table).current) == 4


# --- What is shown before is what happens -------------------------------------------------------------------------


def told(effects: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (
            effect.game.key,
            *(outcome and (outcome.winner, outcome.value, outcome.bock) for outcome in (effect.before, effect.after)),
            effect.points_before,
            effect.points_after,
        )
        for effect in effects
    ]


@pytest.mark.parametrize(
    "typed",
    [
        played(LOST),
        played({**NORMAL, "eyes": 131}),
        played({**NORMAL, "eyes": 200}),
        played({**NORMAL, "re": [2, 3]}),
        Typed("redeal", {"reason": "Fünf Könige"}),
        Typed("short", {"winners": [0, 1], "base": 1}),
        Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}),
    ],
)
@pytest.mark.parametrize("line", [0, 1, 3])
def test_the_effects_of_a_correction_are_told_before(running: Table, typed: Typed, line: int) -> None:
    records = read_records(running)
    game = records.games[line]
    before = sheet(running)

    expected = preview_correction(records=records, key=game.key, typed=typed)

    assert sheet(running) == before
    assert told(correct(running, game, typed).effects) == told(expected)


@pytest.mark.parametrize("line", [0, 1, 3])
def test_the_effects_of_a_deletion_are_told_before(running: Table, line: int) -> None:
    records = read_records(running)
    expected = preview_deletion(records=records, key=records.games[line].key)
    saved = delete(running, records.games[line])

    assert told(saved.effects) == told(expected)
    gone = next(effect for effect in expected if effect.game.key == saved.game.key)
    assert (gone.after, gone.points_after) == (None, {})


def test_a_preview_is_refused_like_the_correction_itself(running: Table) -> None:
    records = read_records(running)
    with pytest.raises(Refused):
        preview_correction(records=records, key=records.games[0].key, typed=played({"kind": "normal"}))
    with pytest.raises(GameIsDeleted):
        preview_correction(records=records, key=records.deleted[0].key, typed=played())
    with pytest.raises(GameIsDeleted):
        preview_deletion(records=records, key=records.deleted[0].key)
