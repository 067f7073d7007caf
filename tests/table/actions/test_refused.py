"""Every way in which a line is refused: something else came first, the evening is closed, the rules forbid it."""

from __future__ import annotations

import threading
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Verb
from scoring.play.actions import EveningIsClosed
from scoring.play.queries import read_records
from scoring.rules.validation import Refused
from scoring.table.actions.games import AnotherGameFirst, GameIsDeleted, StaleVersion, Typed
from tests.factories import make_club, make_table
from tests.table.actions.games import LOST, NORMAL, add, append, correct, delete, played, points, sheet, take_back

pytestmark = pytest.mark.django_db


# --- One after another --------------------------------------------------------------------------------------------


def test_a_game_must_name_the_one_it_follows() -> None:
    table = make_table(make_club())
    first = append(table, played()).game
    second = append(table, played()).game

    for after, standing in ((None, first), (first.key, second), (uuid4(), first)):
        with pytest.raises(AnotherGameFirst) as refused:
            add(table, played({**NORMAL, "eyes": 200}), after=after)
        assert refused.value.standing is not None
        assert refused.value.standing.key == standing.key
    assert len(read_records(table).games) == 2


def test_a_game_that_was_deleted_is_not_followed() -> None:
    table = make_table(make_club())
    first = append(table, played()).game
    delete(table, first)
    with pytest.raises(AnotherGameFirst) as refused:
        add(table, played(), after=first.key)
    assert refused.value.standing is None
    assert add(table, played(), after=None).change is not None


@pytest.mark.parametrize("action", [delete, lambda table, game: correct(table, game, played())])
def test_a_stale_version_is_refused_with_the_one_that_stands(action: Any) -> None:
    table = make_table(make_club())
    game = append(table, played()).game
    correct(table, game, played({**NORMAL, "eyes": 200}))
    before = sheet(table)

    stale = Game(key=game.key, version=1)
    with pytest.raises(StaleVersion) as refused:
        action(table, stale)

    assert (refused.value.standing.version, refused.value.standing.facts["eyes"]) == (2, 200)
    assert sheet(table) == before


@pytest.mark.parametrize("action", [delete, lambda table, game: correct(table, game, played())])
def test_what_is_not_there_can_be_neither_corrected_nor_deleted(action: Any) -> None:
    with pytest.raises(GameIsDeleted):
        action(make_table(make_club()), Game(key=uuid4(), version=1))


def test_what_is_deleted_cannot_be_corrected_and_stays_so_when_it_is_deleted_again() -> None:
    table = make_table(make_club())
    saved = delete(table, append(table, played()).game)
    with pytest.raises(GameIsDeleted):
        correct(table, saved.game, played())
    assert delete(table, saved.game).change is None
    assert Change.objects.filter(verb=Verb.GAME_DELETED).count() == 1


def test_a_closed_evening_is_for_admins_only() -> None:
    table = make_table(make_club())
    saved = append(table, played())
    game = saved.game
    close_evening(evening=table.evening, actor=Actor())
    before = sheet(table)

    for refused in (
        lambda: append(table, played()),
        lambda: correct(table, game, played(LOST)),
        lambda: delete(table, game),
        lambda: take_back(table, saved),
    ):
        with pytest.raises(EveningIsClosed):
            refused()
    assert sheet(table) == before

    correct(table, game, played(LOST), as_admin=True)
    assert points(table) == [-4, -4, 4, 4]


@pytest.mark.django_db(transaction=True)
def test_no_game_slips_in_while_the_evening_is_closing() -> None:
    """It waits for whoever closes, and then sees the evening as it is."""
    table = make_table(make_club())
    caught: list[Exception] = []

    def enter() -> None:
        try:
            add(table, played())
        except EveningIsClosed as refused:
            caught.append(refused)
        finally:
            connection.close()

    phone = threading.Thread(target=enter)
    with transaction.atomic():
        close_evening(evening=table.evening, actor=Actor())
        phone.start()
        phone.join(timeout=0.5)
        assert phone.is_alive(), "the game did not wait"
    phone.join(timeout=60)

    assert len(caught) == 1
    assert not Game.objects.exists()


# --- What the rules refuse ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        (played({"kind": "normal", "re": [0]}), {"re", "eyes"}),
        (played({**NORMAL, "table": 4, "bock": 1}), {"table", "bock"}),
        (played({**NORMAL, "dealer": 1}), {"dealer"}),
        (played({**NORMAL, "rules": "vln"}), {"rules"}),
        (played(dealer=4), {"dealer"}),
        (played(dealer=-1), {"dealer"}),
        (played(note="x" * 201), {"note"}),
        (played(note="a\u202eb"), {"note"}),
        (played({**NORMAL, "reason": "nur so"}), {"reason"}),
        (Typed("short", {"winners": [0, 1]}), {"base"}),
        (Typed("penalty", {"points": [1, 2, 3], "reason": "x"}), {"points"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1]}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": " "}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "x" * 201}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "a\x00b"}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "x"}, dealer=4), {"dealer"}),
        (Typed("redeal", {"seat": 4}), {"seat"}),
        (Typed("redeal", {}, dealer=7), {"dealer"}),
        (Typed("nonsense", {}), {"form"}),
    ],
)
def test_what_the_rules_refuse_changes_nothing(typed: Typed, fields: set[str]) -> None:
    table = make_table(make_club())
    game = append(table, played()).game
    before = sheet(table)

    with pytest.raises(Refused) as refused:
        append(table, typed)
    assert set(refused.value.fields) == fields
    with pytest.raises(Refused) as refused:
        correct(table, game, typed)
    assert set(refused.value.fields) == fields
    assert all(str(sentence) for sentence in refused.value.fields.values())
    assert sheet(table) == before
    assert Change.objects.filter(table=table).count() == 1
