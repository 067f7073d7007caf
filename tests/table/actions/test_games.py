"""Entering, correcting and deleting: what is stored then, and what follows from it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Game, Outcome, Score, Table, TableResult, Verb
from scoring.play.actions import EveningIsClosed
from scoring.play.models import POSITION_STEP
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from scoring.rules.validation import Refused
from scoring.table.actions.games import KeyUsed, Typed, add_game, add_games
from tests.factories import make_club, make_table, make_user
from tests.table.actions.games import LOST, NORMAL, append, correct, delete, in_bock, played, points, sheet, without_ids

pytestmark = pytest.mark.django_db


def test_a_game_is_booked_with_everything_that_follows() -> None:
    club = make_club()
    writer = make_user("schorsch", club, ["scorer"])
    table = make_table(club)
    key = uuid4()

    saved = add_game(
        table=table,
        actor=Actor(writer),
        key=key,
        after=None,
        typed=played(note=" zwei  Blanke "),
    )

    game = Game.objects.get(key=key)
    assert (game.form, game.dealer, game.facts, game.note) == ("played", 0, NORMAL, "zwei Blanke")
    assert (game.entered_by, game.version, game.position, game.deleted) == (writer, 1, POSITION_STEP, False)
    outcome = game.outcome
    assert (outcome.winner, outcome.value, outcome.bock, outcome.bock_started) == ("re", 1, 0, 0)
    assert points(table) == [1, 1, -1, -1]
    assert [effect.game.key for effect in saved.effects] == [key]
    assert saved.change is not None
    assert (saved.change.verb, saved.change.actor, saved.change.before) == (Verb.GAME_ADDED, writer, None)
    assert saved.change.after["facts"] == NORMAL


def lines_of_a_sheet() -> list[tuple[UUID, Typed]]:
    """Every form, a Bock among them, and dealers that are and are not named."""
    return [
        (uuid4(), typed)
        for typed in (
            played(),
            played(LOST, note=" zwei  Blanke "),
            Typed("redeal", {"seat": 1, "reason": "falsch gegeben"}),
            played({"kind": "damensolo", "re": [2], "eyes": 130}),
            played({**NORMAL, "re": [3, 1], "re_specials": {"fuchs": 0}}, dealer=2),
            Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}),
            Typed("short", {"winners": [0, 3], "base": 4}),
        )
    ]


def entries(table: Table) -> list[Any]:
    """What the history tells of the table, without what differs between two tables."""
    rows = table.changes.order_by("id").values_list("actor", "verb", "subject_id", "before", "after")
    return [(*row[:4], {**row[4], "round": None}) for row in rows if row[1] == Verb.GAME_ADDED]


def test_a_whole_sheet_is_entered_as_line_by_line() -> None:
    club = make_club()
    writer, rules, lines = make_user("schorsch", club, ["scorer"]), in_bock(club), lines_of_a_sheet()
    table = make_table(club, rule_set=rules)
    with transaction.atomic():
        for key, typed in lines:
            last = read_records(table).last
            after = last.key if last else None
            add_game(table=table, actor=Actor(writer), key=key, after=after, typed=typed)
        one_by_one = without_ids(sheet(table)), entries(table)
        assert any(outcome["bock"] for outcome in one_by_one[0]["outcomes"])
        transaction.set_rollback(True)

    for some in (lines[:3], lines[3:]):
        records = add_games(table=table, actor=Actor(writer), lines=some)

    assert (without_ids(sheet(table)), entries(table)) == one_by_one
    assert [game.key for game in records.games] == [key for key, _typed in lines]
    assert check_table(table).findings == []


def test_a_sheet_with_one_line_that_cannot_be_is_not_entered_at_all() -> None:
    table = make_table(make_club())
    standing = append(table, played()).game
    before, good = sheet(table), (uuid4(), played())
    for lines, fault in (
        ([good, (uuid4(), played({**NORMAL, "eyes": 241}))], Refused),
        ([good, (standing.key, played())], KeyUsed),
        ([good, good], KeyUsed),
    ):
        with pytest.raises(fault):
            add_games(table=table, actor=Actor(), lines=lines)
        assert sheet(table) == before
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        add_games(table=table, actor=Actor(), lines=[good])
    add_games(table=table, actor=Actor(admin=True), lines=[good])
    assert len(read_records(table).games) == 2


def test_games_stand_in_the_order_they_were_entered_with_gaps_between() -> None:
    table = make_table(make_club())
    keys = [append(table, played()).game.key for _ in range(3)]

    records = read_records(table)
    assert [game.key for game in records.games] == keys
    assert [game.position for game in records.games] == [POSITION_STEP, 2 * POSITION_STEP, 3 * POSITION_STEP]


def test_a_game_between_two_others_is_replayed_in_its_place() -> None:
    """The fold follows the positions, not the order of entering."""
    club = make_club()
    table = make_table(club, rule_set=in_bock(club))
    first = append(table, played()).game
    second = append(table, played()).game
    late = append(table, played(LOST)).game
    Game.objects.filter(key=late.key).update(position=first.position + 1)

    append(table, played())
    correct(table, second, played({"kind": "normal", "re": [0, 1], "eyes": 140}))

    assert [game.key for game in read_records(table).games][1] == late.key
    assert check_table(table).findings == []
    assert list(Outcome.objects.order_by("game__position").values_list("bock", flat=True)) == [0, 0, 1, 1]


def test_facts_are_stored_in_one_way_however_they_were_typed() -> None:
    table = make_table(make_club())
    typed = {
        "kind": "normal", "re": [3, 1], "eyes": 130, "re_said": "none", "duty": False,
        "re_specials": {"fuchs": 0}, "kontra_specials": {"fuchs": 1, "karlchen": 0},
    }  # fmt: skip

    saved = append(table, played(typed))

    assert saved.game.facts == {"kind": "normal", "re": [1, 3], "eyes": 130, "kontra_specials": {"fuchs": 1}}


def test_the_proposed_dealer_is_taken_unless_another_is_named() -> None:
    table = make_table(make_club())
    dealers = [append(table, played(dealer=dealer)).game.dealer for dealer in (None, None, 3, None)]
    assert dealers == [0, 1, 3, 0]


def test_after_a_pflichtsolo_the_same_seat_deals_again() -> None:
    table = make_table(make_club())
    solo = {"kind": "damensolo", "duty": True, "re": [2], "eyes": 130}
    assert [append(table, played(facts)).game.dealer for facts in (NORMAL, solo, NORMAL, NORMAL)] == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("form", "facts", "sums"),
    [
        ("short", {"winners": [0, 3], "base": 4}, [4, -4, -4, 4]),
        ("short", {"winners": [2], "base": 2, "solo": True}, [-2, -2, 6, -2]),
        ("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}, [-3, 1, 1, 1]),
        ("correction", {"points": [2, 0, 0, -2], "reason": "Zahlendreher"}, [2, 0, 0, -2]),
    ],
)
def test_every_form_of_line_counts(form: str, facts: dict[str, Any], sums: list[int]) -> None:
    table = make_table(make_club())
    append(table, played())
    saved = append(table, Typed(form, facts))
    assert saved.game.form == form
    assert points(table) == [sum(both) for both in zip([1, 1, -1, -1], sums, strict=True)]


def test_who_sits_out_has_no_game() -> None:
    table = make_table(make_club(), players=5)
    append(table, played({**NORMAL, "re": [1, 2]}))
    sitter = read_records(table).current[0]
    assert not Score.objects.filter(player=sitter).exists()
    assert not TableResult.objects.filter(player=sitter).exists()


def test_a_correction_changes_this_line_and_every_one_that_follows_from_it() -> None:
    club = make_club()
    table = make_table(club, rule_set=in_bock(club))
    first = append(table, played()).game
    for _ in range(5):
        append(table, played())

    saved = correct(table, first, played(LOST))

    assert list(Outcome.objects.order_by("game__position").values_list("bock", flat=True)) == [0, 1, 1, 1, 1, 0]
    assert len(saved.effects) == 5
    assert (saved.game.version, saved.game.dealer) == (2, 0)
    assert saved.change is not None
    assert (saved.change.verb, saved.change.before["facts"]) == (Verb.GAME_CORRECTED, NORMAL)


def test_a_correction_may_change_the_form_and_gets_the_dealer_of_its_place() -> None:
    table = make_table(make_club())
    append(table, played())
    line = append(table, Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"})).game
    assert line.dealer is None
    for _ in range(2):
        append(table, played())

    saved = correct(table, line, played())

    assert (saved.game.form, saved.game.dealer) == ("played", 1)
    assert check_table(table).findings == []


def test_a_deleted_line_counts_no_more_and_stays_in_the_history() -> None:
    table = make_table(make_club())
    append(table, played())
    before = sheet(table)
    second = append(table, played())

    saved = delete(table, second.game)

    assert sheet(table) == before
    assert Game.objects.get(key=second.game.key).deleted
    assert saved.change is not None
    assert (saved.change.verb, saved.change.after) == (Verb.GAME_DELETED, None)
    assert saved.change.before["facts"] == NORMAL


def test_behind_a_deleted_line_the_next_gets_a_place_of_its_own() -> None:
    table = make_table(make_club())
    append(table, played())
    delete(table, append(table, played()).game)
    assert append(table, played()).game.position == 3 * POSITION_STEP
