"""Test tables that carry on open Bock games: which tables can, the worth of the later games, and changes of the earlier table."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import add_table, close_evening, discard_evening, open_evening
from scoring.models import Change, Club, Player, RuleSet, Score, Table, Verb
from scoring.play.queries import read_records, read_sheet
from scoring.play.replay import Effect, TableChanged
from scoring.play.verify import check_table
from scoring.table.actions.games import (
    Saved,
    delete_game,
    insert_game,
    move_game,
    preview_deletion,
    preview_insertion,
    preview_move,
    undo,
)
from scoring.table.actions.tables import carry_on, preview_carry
from scoring.table.queries import count_open_bocks, find_offer, list_offers
from scoring.whatif.actions import move_to_rules
from scoring.whatif.actions import preview_move as preview_rules
from scoring.whatif.queries import build_samples
from tests.effort import LONG
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.play.carry import (
    FIRST,
    LOST,
    WEEK,
    carrying,
    correcting,
    evening,
    levels,
    line,
    nothing_is_wrong,
    play,
    set_to,
    told,
    two_evenings,
    typed,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def rules(club: Club) -> RuleSet:
    return carrying(club)


@pytest.fixture
def two(club: Club, rules: RuleSet) -> tuple[Table, Table]:
    return two_evenings(club, rules)


def test_the_next_evening_begins_with_the_open_bock_games(two: tuple[Table, Table]) -> None:
    first, second = two
    assert levels(first) == [0, 0, 1]
    assert levels(second) == [1, 1, 1, 0, 0]
    sheet = read_sheet(second)
    assert [row.bock_from for row in sheet.rows] == [{FIRST: [2]}] * 3 + [{}] * 2
    assert (sheet.records.row.carries_on, sheet.carried) == (first, [1, 1, 1])
    assert read_sheet(first).carried == []
    nothing_is_wrong(first, second)


def test_without_carry_no_bock_game_goes_on(club: Club) -> None:
    table = make_table(club, rule_set=make_rule_set(club, "anleitung"))
    play(table, LOST)
    assert Table.objects.get(pk=table.pk).open_bocks == []
    with pytest.raises(InvalidInput, match="nur übrige Böcke eines früheren Abends"):
        set_to(evening(club, 20, carrying(club)), table)


@pytest.mark.parametrize("seed", range(40 if LONG else 4))
def test_an_evening_in_two_is_worth_what_it_is_in_one(club: Club, seed: int) -> None:
    """Random games under all overlaps, cut at a random place."""
    rng = random.Random(seed)
    rules = carrying(club, overlap=["append", "stack", "extend", "ignore"][seed % 4], cap=3, length=rng.choice([2, 6]))
    games = [rng.choice([{}, {}, LOST]) for _ in range(14)]
    at = rng.randint(1, 13)
    whole = evening(club, 0, rules)
    play(whole, *games)
    first = evening(club, 1, rules)
    play(first, *games[:at])
    second = evening(club, 2, rules, after=first)
    play(second, *games[at:])
    assert levels(first) + levels(second) == levels(whole)
    scores = Score.objects.order_by("game__position", "player").values_list("points", flat=True)
    points = [list(scores.filter(game__round__table=table)) for table in (whole, first, second)]
    assert points[1] + points[2] == points[0]
    nothing_is_wrong(first, second)


# --- A change of the earlier evening ----------------------------------------------------------------------------------


def deleting(table: Table, number: int) -> tuple[list[Effect], Callable[[bool], Saved]]:
    game = line(table, number)
    shown = preview_deletion(records=read_records(table), key=game.key)
    args = {"table": table, "key": game.key, "version": game.version}
    return shown, lambda as_admin: delete_game(actor=Actor(admin=as_admin), **args)


def inserting(table: Table, number: int) -> tuple[list[Effect], Callable[[bool], Saved]]:
    game, key = line(table, number), uuid4()
    shown = preview_insertion(records=read_records(table), beside=game.key, behind=False, typed=typed())
    return shown, lambda as_admin: insert_game(
        table=table, actor=Actor(admin=as_admin), key=key, beside=game.key, behind=False, typed=typed()
    )


def moving(table: Table, number: int) -> tuple[list[Effect], Callable[[bool], Saved]]:
    game = line(table, number)
    shown = preview_move(records=read_records(table), key=game.key, up=False)
    args = {"table": table, "key": game.key, "version": game.version, "up": False}
    return shown, lambda as_admin: move_game(actor=Actor(admin=as_admin), **args)


CHANGES: dict[str, tuple[Callable[..., Any], list[int]]] = {
    "a game that starts no Bock any more": (lambda t: correcting(t, 2), [0, 0, 0, 0, 0]),
    "a later game that starts one too": (lambda t: correcting(t, 3, **LOST), [1, 1, 1, 1, 1]),
    "a Bock game struck out": (lambda t: deleting(t, 3), [1, 1, 1, 1, 0]),
    "the game that started it struck out": (lambda t: deleting(t, 2), [0, 0, 0, 0, 0]),
    "a Bock game put in": (lambda t: inserting(t, 3), [1, 1, 0, 0, 0]),
    "the start moved behind": (lambda t: moving(t, 2), [1, 1, 1, 1, 0]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_the_earlier_evening_has_the_effects_of_its_preview(two: tuple[Table, Table], name: str) -> None:
    first, second = two
    change, expected = CHANGES[name]
    shown, do = change(first)
    before = Change.objects.filter(table=second).count()
    saved = do(False)
    assert levels(second) == expected
    assert told(saved.effects) == told(shown)
    assert {effect.records.table.pk for effect in shown} == {first.pk, second.pk}
    assert Change.objects.filter(table=second).count() == before + 1, "the phones there must notice"
    noted = Change.objects.filter(table=second).latest("pk")
    assert (noted.verb, noted.after, noted.click) == (Verb.TABLE_REVALUED, {"carries_on": first.pk}, saved.change.click)
    nothing_is_wrong(first, second)
    undo(table=first, actor=Actor(), change_id=saved.change.pk)
    assert levels(second) == [1, 1, 1, 0, 0]
    nothing_is_wrong(first, second)


def test_a_change_that_leaves_the_same_open_does_not_change_later_evenings(two: tuple[Table, Table]) -> None:
    first, second = two
    before = Change.objects.filter(table=second).count()
    shown, do = correcting(first, 1, eyes=160)
    assert {effect.records.table.pk for effect in shown} == {first.pk}
    close_evening(evening=second.evening, actor=Actor())
    do(False)
    assert Change.objects.filter(table=second).count() == before, "so a closed evening does not refuse it"
    nothing_is_wrong(first, second)


def test_a_changed_number_of_the_origin_is_carried(two: tuple[Table, Table]) -> None:
    """After game 1 is deleted, the game that started the Bock is game 1."""
    first, second = two
    shown, do = deleting(first, 1)
    do(False)
    assert len(shown) == 1
    assert list(read_sheet(second).rows[0].bock_from.values()) == [[1]]
    nothing_is_wrong(first, second)


def test_a_game_inserted_at_the_earlier_evening_uses_one_up(two: tuple[Table, Table]) -> None:
    first, second = two
    saved = add_game(first)
    assert levels(second) == [1, 1, 0, 0, 0]
    assert {effect.records.table.pk for effect in saved.effects} == {first.pk, second.pk}


def test_a_change_runs_through_as_many_evenings_as_it_touches(club: Club, rules: RuleSet) -> None:
    tables = [evening(club, 0, rules)]
    play(tables[0], {}, LOST)
    for week in range(1, 5):
        tables.append(evening(club, week, rules, after=tables[-1]))
        play(tables[-1], {}) if week != 2 else None
    assert [levels(table) for table in tables] == [[0, 0], [1], [], [1], [1]]
    assert Table.objects.get(pk=tables[-1].pk).open_bocks == [[[tables[0].pk, 2, 1]]]
    shown, do = correcting(tables[0], 2)
    assert [effect.records.table.pk for effect in shown] == [tables[n].pk for n in (0, 1, 3, 4)]
    assert told(do(False).effects) == told(shown)
    assert [levels(table) for table in tables] == [[0, 0], [0], [], [0], [0]]
    nothing_is_wrong(*tables)


def test_many_evenings_do_not_slow_down_a_save(club: Club, rules: RuleSet) -> None:
    """The open Bock is stored with each table, so earlier evenings are not computed again."""
    tables = [evening(club, 0, rules)]
    play(tables[0], LOST)
    many = 40 if LONG else 10
    for week in range(1, many):
        tables.append(evening(club, week, rules, after=tables[-1]))
        play(tables[-1], LOST)
    alone = evening(club, many + 1, rules)
    with CaptureQueriesContext(connection) as early:
        add_game(alone)
    with CaptureQueriesContext(connection) as late:
        add_game(tables[-1])
    # The one query more asks when the evenings were whose Bock games are open; one statement writes what is open then.
    assert len(late) <= len(early) + 2
    with CaptureQueriesContext(connection) as corrected:
        _shown, do = correcting(tables[-2], 1)
        do(False)
    assert len(corrected) < 60
    nothing_is_wrong(*tables[-3:])


# --- Closed evenings --------------------------------------------------------------------------------------------------


def test_only_an_admin_changes_a_closed_evening_through_an_earlier_one(two: tuple[Table, Table]) -> None:
    first, second = two
    close_evening(evening=second.evening, actor=Actor())
    _shown, do = correcting(first, 2)
    with pytest.raises(ActionRefused, match=r"abgeschlossenen Abend vom 22\.11\.2025"):
        do(False)
    assert levels(first) == [0, 0, 1] and levels(second) == [1, 1, 1, 0, 0]
    do(True)
    assert levels(second) == [0, 0, 0, 0, 0]


def test_an_empty_evening_that_is_carried_on_stays(club: Club, rules: RuleSet) -> None:
    first = evening(club, 0, rules)
    play(first, LOST)
    empty = evening(club, 1, rules, after=first)
    last = evening(club, 2, rules, after=empty)
    with pytest.raises(ActionRefused, match="spielt die übrigen Böcke"):
        discard_evening(evening=empty.evening, actor=Actor())
    set_to(last, None)
    discard_evening(evening=empty.evening, actor=Actor())
    assert set_to(last, first) == []
    assert Table.objects.get(pk=last.pk).open_bocks == [[[first.pk, 1, 4]]]


# --- Damage -----------------------------------------------------------------------------------------------------------


def test_verify_finds_damage(two: tuple[Table, Table]) -> None:
    first, second = two
    Table.objects.filter(pk=first.pk).update(open_bocks=[])
    (found,) = check_table(Table.objects.get(pk=first.pk)).findings
    assert found.endswith(f"Table: open_bocks ist [] statt [[[{first.pk}, 2, 3]]]")
    assert check_table(Table.objects.get(pk=second.pk)).findings, "it is worth something else then"
    Table.objects.filter(pk=second.pk).update(carries_on=None)
    Table.objects.filter(pk=first.pk).update(carries_on=second.pk)
    (found,) = check_table(Table.objects.get(pk=first.pk)).findings
    assert "nicht zu einem früheren Abend" in found


@pytest.mark.django_db(transaction=True)
def test_concurrent_changes_of_both_evenings(club: Club, two: tuple[Table, Table]) -> None:
    """The earlier evening is corrected, the later one goes on, and carrying on is removed and set again at the same time: there
    is no deadlock, and all stored rows follow from the facts."""
    first, second = two

    def at_once(work: Callable[[int], object]) -> Callable[[], None]:
        def run() -> None:
            try:
                for number in range(8):
                    work(number)
            finally:
                connection.close()

        return run

    def carry(number: int) -> None:
        with suppress(TableChanged):
            set_to(second, Table.objects.get(pk=first.pk) if number % 2 else None)

    works = [
        lambda number: correcting(first, 2, **({} if number % 2 else {**LOST}))[1](False),
        lambda number: add_game(second),
        carry,
    ]
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(at_once(work)) for work in works]:
            done.result(timeout=60)
    nothing_is_wrong(first, second)
    assert len(levels(second)) == 13


# --- Setting and taking away ------------------------------------------------------------------------------------------


def test_carrying_on_is_removed_and_set_again_as_previewed(two: tuple[Table, Table]) -> None:
    first, second = two
    effects, seen = preview_carry(records=read_records(second), earlier=None)
    done = carry_on(table=second, actor=Actor(), earlier=None, seen=seen)
    assert told(done) == told(effects) and len(done) == 3
    assert levels(second) == [0] * 5
    change = Change.objects.filter(table=second).latest("pk")
    carried = [{"carries_on": pk} for pk in (first.pk, None)]
    assert [change.verb, change.before, change.after] == [Verb.TABLE_CARRIES_ON, *carried]
    assert len(set_to(second, Table.objects.get(pk=first.pk))) == 3
    assert levels(second) == [1, 1, 1, 0, 0]
    nothing_is_wrong(first, second)


def test_a_change_since_the_preview_is_refused(two: tuple[Table, Table]) -> None:
    first, second = two
    set_to(second, None)
    _effects, seen = preview_carry(records=read_records(second), earlier=first)
    add_game(first)
    with pytest.raises(TableChanged):
        carry_on(table=second, actor=Actor(), earlier=first, seen=seen)
    with pytest.raises(TableChanged):
        set_to(second, None)


def test_tables_that_cannot_be_carried_on(club: Club, rules: RuleSet) -> None:
    first, later = evening(club, 0, rules), evening(club, 1, rules)
    play(first, LOST)
    first = Table.objects.get(pk=first.pk)
    other = make_club("Pik Dame")
    without = evening(club, 2, make_rule_set(club, "anleitung"))
    elsewhere = evening(other, 2, carrying(other))
    for table, earlier in [(first, later), (first, first), (without, first), (elsewhere, first)]:
        with pytest.raises(InvalidInput, match="nur übrige Böcke eines früheren Abends"):
            set_to(table, earlier)
    set_to(later, first)
    with pytest.raises(ActionRefused, match="schon an einem anderen Tisch"):
        set_to(evening(club, 3, rules), first)
    people = list(Player.objects.filter(club=club, name__in=["Ärmel", "Bodo", "Çelik", "Özlem"]))
    with pytest.raises(ActionRefused, match="schon an einem anderen Tisch"):
        add_table(evening=evening(club, 4, rules).evening, actor=Actor(), rule_set=rules, players=people, carries_on=first)


def test_an_evening_can_be_opened_with_open_bock_games(club: Club, rules: RuleSet) -> None:
    first = evening(club, 0, rules)
    play(first, LOST, {})
    people = read_records(first).current
    given = {"held_on": FIRST + WEEK, "rule_set": rules, "players": people, "carries_on": first}
    table = open_evening(club=club, actor=Actor(make_user("s")), **given)
    assert table.open_bocks == [[[first.pk, 1, 3]]]
    assert Change.objects.get(verb=Verb.EVENING_OPENED, subject_id=str(table.evening_id)).after["carries_on"] == first.pk
    nothing_is_wrong(first, table)
    play(table, {})
    assert levels(table) == [1]


# --- Other rules ------------------------------------------------------------------------------------------------------


def test_rules_without_carry_end_it_and_others_restore_it(club: Club, two: tuple[Table, Table]) -> None:
    first, second = two
    ending = make_rule_set(club, "anleitung", "Ende")
    for table in (first, second):
        own = table.rule_set
        for wanted, expected in ((ending, [0] * 5), (own, [1, 1, 1, 0, 0])):
            records = read_records(Table.objects.select_related("rule_set").get(pk=table.pk))
            shown = preview_rules(records=records, rule_set=wanted)
            done = move_to_rules(table=table, actor=Actor(), rule_set=wanted, seen=shown["seen"])
            assert told(done) == told(shown["effects"])
            assert levels(second) == expected
            nothing_is_wrong(first, second)


def test_a_table_whose_rules_have_no_carry_is_not_changed_by_the_earlier_evening(club: Club, two: tuple[Table, Table]) -> None:
    """It still refers to the earlier table, but there is no log entry and no refusal."""
    first, second = two
    ending = make_rule_set(club, "anleitung", "Ende")
    seen = preview_rules(records=read_records(second), rule_set=ending)["seen"]
    move_to_rules(table=second, actor=Actor(), rule_set=ending, seen=seen)
    close_evening(evening=second.evening, actor=Actor())
    noted = Change.objects.filter(table=second).count()
    shown, do = correcting(first, 2)
    assert {effect.records.table.pk for effect in shown} == {first.pk}
    assert told(do(False).effects) == told(shown)
    assert levels(first) == [0, 0, 0] and levels(second) == [0] * 5
    assert Change.objects.filter(table=second).count() == noted
    nothing_is_wrong(first, Table.objects.get(pk=second.pk))


def test_the_samples_of_a_rule_set_begin_with_the_open_bock_games(club: Club, two: tuple[Table, Table]) -> None:
    rule_set = two[1].rule_set
    found = build_samples(rule_set, rule_set.settings)
    assert [(sample.number, sample.before.level) for sample in found["shown"]] == [(1, 1), (2, 1), (4, 0)]


# --- What is offered --------------------------------------------------------------------------------------------------


def test_the_last_table_of_these_people_is_offered(club: Club, rules: RuleSet) -> None:
    first = evening(club, 0, rules)
    play(first, LOST, {})
    later = evening(club, 3, rules)
    people = read_records(first).current
    found = find_offer(rules, people[::-1], later.evening)
    assert found and (found, count_open_bocks(found)) == (first, 3)
    assert list_offers(later) == [first]
    fifth = make_player(club, "Gast")
    assert find_offer(rules, [*people, fifth], later.evening) is None
    assert find_offer(rules, [*people[:3], fifth], later.evening) is None
    larger = make_table(club, [*people, fifth], rule_set=rules, held_on=FIRST + 2 * WEEK)
    add_game(larger, re=[1, 2], **LOST)
    assert find_offer(rules, people, later.evening) == first, "the larger table in between was another line-up"
    assert find_offer(carrying(club, "Andere"), people, later.evening) is None
    assert find_offer(make_rule_set(club, "anleitung"), people, later.evening) is None
    assert find_offer(rules, people, evening(club, -1, rules).evening) is None, "it was not played yet"
    next_version = RuleSet.objects.create(club=club, name="Wir", version=2, settings=rules.settings, unit=rules.unit)
    assert find_offer(next_version, people, later.evening) == found
    set_to(later, first)
    assert find_offer(rules, people, evening(club, 4, rules).evening) is None, "it goes on already"
    later.refresh_from_db()
    assert list_offers(later) == [Table.objects.get(pk=larger.pk), first], "its own can be kept"


def test_an_evening_in_between_with_games_ends_the_offer(club: Club, rules: RuleSet) -> None:
    first, between, later = (evening(club, week, rules) for week in range(3))
    play(first, LOST)
    people = read_records(first).current
    found = find_offer(rules, people, later.evening)
    assert found == first
    play(between, {})
    assert find_offer(rules, people, later.evening) is None
    assert list_offers(later) == [first], "by hand they can still go on"
