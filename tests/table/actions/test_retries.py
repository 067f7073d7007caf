"""A retry never books twice, and the same key never means two things."""

from __future__ import annotations

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from scoring.table.actions.games import KeyUsed, Typed
from tests.factories import make_club, make_table
from tests.table.actions.games import LOST, NORMAL, add, append, correct, delete, played, sheet

pytestmark = pytest.mark.django_db


def test_the_same_key_with_the_same_content_books_once() -> None:
    table = make_table(make_club())
    first = append(table, played(dealer=0, note="knapp"))
    before, changes = sheet(table), Change.objects.count()

    again = add(table, played(dealer=0, note="knapp"), first.game.key)

    assert (again.game.key, again.effects, again.change) == (first.game.key, [], None)
    assert sheet(table) == before
    assert Change.objects.count() == changes


def test_a_retry_is_known_however_it_is_written() -> None:
    """Fields that say nothing, another order of seats, the dealer said or left to the program."""
    table = make_table(make_club())
    first = append(table, played())
    same = {"re": [1, 0], "kind": "normal", "eyes": 130, "kontra_said": "none", "re_specials": {"fuchs": 0}}
    assert add(table, played(same, dealer=0), first.game.key).change is None


def test_a_retry_is_known_after_later_games() -> None:
    table = make_table(make_club())
    first = append(table, played())
    append(table, played())
    assert add(table, played(), first.game.key).change is None
    assert len(read_records(table).games) == 2


def test_a_retry_is_known_after_somebody_corrected_the_game() -> None:
    table = make_table(make_club(), players=5)
    facts = {**NORMAL, "re": [1, 2]}
    first = append(table, played(facts))
    corrected = correct(table, first.game, played({**NORMAL, "re": [0, 4]}, dealer=1))

    for typed in (played(facts), played(facts, dealer=0)):
        again = add(table, typed, first.game.key)
        assert (again.change, again.game.facts) == (None, corrected.game.facts)
    assert Change.objects.filter(table=table).count() == 2


def test_a_retry_is_known_after_the_game_was_deleted() -> None:
    table = make_table(make_club())
    first = append(table, played())
    delete(table, first.game)

    again = add(table, played(), first.game.key)

    assert again.change is None
    assert again.game.deleted
    assert read_records(table).games == []


def test_a_retry_is_known_after_the_evening_was_closed() -> None:
    """Its answer got lost; to wait for somebody to open the evening would be for nothing."""
    table = make_table(make_club())
    first = append(table, played())
    close_evening(evening=table.evening, actor=Actor())
    assert add(table, played(), first.game.key).change is None


@pytest.mark.parametrize(
    "other",
    [
        played({**NORMAL, "eyes": 131}),
        played(dealer=2),
        played(note="anders"),
        played({**NORMAL, "re": [7]}),
        Typed("short", {"winners": [0, 1], "base": 1}),
        Typed("nonsense", {}),
    ],
)
def test_the_same_key_with_other_content_is_refused(other: Typed) -> None:
    table = make_table(make_club())
    first = append(table, played())
    before = sheet(table)
    with pytest.raises(KeyUsed):
        add(table, other, first.game.key)
    assert sheet(table) == before


def test_the_content_of_a_correction_is_known_as_well() -> None:
    table = make_table(make_club())
    first = append(table, played())
    correct(table, first.game, played(LOST))
    assert add(table, played(LOST), first.game.key).change is None


def test_the_key_of_another_table_is_refused() -> None:
    club = make_club()
    one, other = make_table(club), make_table(club)
    game = append(one, played()).game
    with pytest.raises(KeyUsed):
        append(other, played(), game.key)
    assert read_records(other).games == []
    assert check_table(other).findings == []
