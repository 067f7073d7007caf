"""Moving a table to other rules, which does what the preview shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening, discard_evening
from scoring.models import Change, Club, Evening, Outcome, RuleSet, Table, TableResult, Verb
from scoring.play.queries import read_records
from scoring.play.replay import EveningIsClosed, TableChanged
from scoring.play.verify import verify
from scoring.rules.settings import get_preset_data
from scoring.rulesets.actions import NothingDiffers, change_rule_set
from scoring.table.actions.games import delete_game, undo
from scoring.whatif.actions import move_to_rules, preview_move
from tests.factories import add_game, get_results, make_club, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(club: Club) -> User:
    return make_user("anna", club, ["admin"])


@pytest.fixture
def table(club: Club) -> Table:
    """Three games: Re wins, Kontra wins, a solo."""
    table = make_table(club)
    add_game(table)
    add_game(table, re=[1, 2], eyes=100)
    add_game(table, kind="damensolo", re=[3], eyes=160)
    return table


def merge(rule_set: RuleSet, **change: Any) -> dict[str, Any]:
    return {**rule_set.settings, **change}


def get_sums(table: Table) -> list[int]:
    return list(TableResult.objects.filter(table=table).order_by("player").values_list("points", flat=True))


def move_table(table: Table, rule_set: RuleSet, actor: User | None = None, as_admin: bool = False) -> dict[str, Any]:
    """Move a table after a preview."""
    move = preview_move(records=read_records(table), rule_set=rule_set)
    move_to_rules(table=table, actor=Actor(actor, admin=as_admin), rule_set=rule_set, seen=move["seen"])
    table.refresh_from_db()
    return move


def assert_sound() -> None:
    assert [finding for checked in verify() for finding in checked.findings] == []


def test_a_table_moves_to_another_version(table: Table, admin: User) -> None:
    first = table.rule_set
    second = change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, won=3))
    untouched = make_table(table.evening.club)
    add_game(untouched)
    others = get_results(untouched)
    before = get_sums(table)

    move = move_table(table, second, actor=admin)

    assert move["refused"] == []
    assert [effect.before.value for effect in move["effects"]] == [1, -2, 2]
    assert [effect.after.value for effect in move["effects"]] == [3, -4, 4]
    assert table.rule_set == second
    # Winners get two points more, the soloist three times as much, and losers lose as much.
    more = [2 + 2 - 2, 2 - 2 - 2, -2 - 2 - 2, -2 + 2 + 6]
    assert get_sums(table) == [was + plus for was, plus in zip(before, more, strict=True)]
    assert get_results(untouched) == others
    change = Change.objects.get(verb=Verb.RULES_MOVED)
    assert (change.actor, change.table, change.subject_id) == (admin, table, str(second.pk))
    assert (change.before, change.after) == ({"rule_set": first.pk}, {"rule_set": second.pk})
    assert_sound()


def test_moving_back_restores_all_results(table: Table) -> None:
    home, before = table.rule_set, get_results(table)
    move_table(table, make_rule_set(table.evening.club, "vln"))
    assert get_results(table) != before
    move_table(table, home)
    assert get_results(table) == before
    assert_sound()


def test_rules_that_refuse_a_game_block_the_move(table: Table) -> None:
    add_game(table, re_said="no90", re=[0, 1], eyes=160)
    before, home = get_results(table), table.rule_set
    klassisch = make_rule_set(table.evening.club, "klassisch")
    move = preview_move(records=read_records(table), rule_set=klassisch)
    keys = [game.key for game in read_records(table).games]
    assert [game.key for game, _faults in move["refused"]] == keys[-2:]
    assert move["effects"] == []
    with pytest.raises(InvalidInput, match="nicht alle Spiele werten"):
        move_to_rules(table=table, actor=Actor(admin=True), rule_set=klassisch, seen=move["seen"])
    table.refresh_from_db()
    assert (table.rule_set, get_results(table)) == (home, before)
    assert not Change.objects.filter(verb=Verb.RULES_MOVED).exists()


def test_a_deleted_game_does_not_block_the_move(table: Table) -> None:
    said = add_game(table, re_said="no90", eyes=160, re=[0, 1]).game
    solo = read_records(table).games[2]
    for game in (said, solo):
        delete_game(table=table, actor=Actor(), key=game.key, version=1)
    move_table(table, make_rule_set(table.evening.club, "klassisch"))
    assert_sound()
    with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
        undo(table=table, actor=Actor(admin=True), change_id=table.changes.order_by("-id").first().pk)


def test_a_game_entered_after_the_preview_blocks_the_move(table: Table) -> None:
    other = make_rule_set(table.evening.club, "vln")
    seen = preview_move(records=read_records(table), rule_set=other)["seen"]
    add_game(table)
    with pytest.raises(TableChanged):
        move_to_rules(table=table, actor=Actor(), rule_set=other, seen=seen)


def test_a_move_to_the_same_rules_is_refused(table: Table) -> None:
    seen = preview_move(records=read_records(table), rule_set=table.rule_set)["seen"]
    with pytest.raises(NothingDiffers):
        move_to_rules(table=table, actor=Actor(), rule_set=table.rule_set, seen=seen)


def test_only_an_admin_moves_the_table_of_a_closed_evening(table: Table, admin: User) -> None:
    close_evening(evening=table.evening, actor=Actor(admin))
    other = make_rule_set(table.evening.club, "vln")
    with pytest.raises(EveningIsClosed):
        move_table(table, other)
    move_table(table, other, as_admin=True)
    assert table.rule_set == other


def test_a_herzstich_of_a_party_becomes_one_of_the_game(club: Club) -> None:
    """In both rule sets it only starts a Bock; the newer one enters it for no party."""
    bock = {**get_preset_data("hausrunde")["bock"], "triggers": ["special:herzstich"]}
    old = make_rule_set(club, "hausrunde", "Alt", specials={"fuchs": 1, "herzstich": 0}, bock=bock)
    new = make_rule_set(club, "hausrunde", "Neu", specials={"fuchs": 1, "herzstich": {"points": 0, "of": "game"}}, bock=bock)
    table = make_table(club, rule_set=old)
    herzstich = add_game(table, kontra_specials={"herzstich": 1, "fuchs": 1}).game
    add_game(table, re_specials={"fuchs": 1})
    before = get_results(table)
    assert move_table(table, new)["refused"] == []
    assert get_results(table) == before, "the Bock is started and used as before"
    herzstich.refresh_from_db()
    assert (herzstich.facts["kontra_specials"], herzstich.facts["game_specials"]) == ({"fuchs": 1}, {"herzstich": 1})
    assert_sound()
    # A phone that was offline enters one in the old way.
    late = add_game(table, re_specials={"herzstich": 1}).game
    assert (late.facts["game_specials"], "re_specials" in late.facts) == ({"herzstich": 1}, False)
    # The party is not known any more.
    refused = preview_move(records=read_records(table), rule_set=old)["refused"]
    assert [game.key for game, _why in refused] == [herzstich.key, late.key]


def test_rules_of_another_club_are_refused(table: Table) -> None:
    foreign = make_rule_set(make_club("Pik Dame"))
    with pytest.raises(ValueError, match="own club"):
        move_to_rules(table=table, actor=Actor(admin=True), rule_set=foreign, seen=0)


def test_bock_comes_and_goes_with_the_rules(club: Club) -> None:
    table = make_table(club, preset="ddv")
    add_game(table, re_said="said", eyes=100)
    add_game(table)
    bock = make_rule_set(club, "anleitung")
    move_table(table, bock)
    assert list(Outcome.objects.order_by("game__position").values_list("bock", "bock_started")) == [(0, 4), (1, 0)]
    assert_sound()


def test_an_empty_table_that_was_moved_can_still_be_discarded(club: Club, admin: User) -> None:
    table = make_table(club)
    move_table(table, make_rule_set(club, "vln"), actor=admin)
    discard_evening(evening=table.evening, actor=Actor(admin))
    assert not Evening.objects.exists()
    assert Change.objects.filter(verb=Verb.RULES_MOVED).exists()
