"""That a table carries on from another: set and taken away as it was shown, what is offered, and what other rules make of
it."""

from __future__ import annotations

import pytest

from scoring.club.actions.history import Actor
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import add_table, close_evening, open_evening
from scoring.models import Change, Club, Player, RuleSet, Table, Verb
from scoring.play.actions.carry import carry_on, comes_before, preview_carry
from scoring.play.errors import CannotCarryOn, CarriedOnElsewhere, TableChanged
from scoring.play.queries.records import read_records
from scoring.table.queries.carry import offer, offers_to
from scoring.whatif.actions.table import move_to_rules
from scoring.whatif.actions.table import preview_move as preview_rules
from scoring.whatif.queries.samples import samples
from tests.carry import (
    FIRST,
    LOST,
    WEEK,
    carrying,
    correcting,
    evening,
    levels,
    nothing_is_wrong,
    play,
    set_to,
    told,
)
from tests.factories import add_game, make_club, make_player, make_rule_set, make_user

pytestmark = pytest.mark.django_db


# --- Setting and taking away ------------------------------------------------------------------------------------------


def test_taken_away_and_set_again_as_it_was_shown(two: tuple[Table, Table]) -> None:
    first, second = two
    shown = preview_carry(records=read_records(second), earlier=None)
    done = carry_on(table=second, actor=Actor(), earlier=None, seen=shown.seen)
    assert told(done) == told(shown.effects) and len(done) == 3
    assert levels(second) == [0] * 5
    change = Change.objects.filter(table=second).latest("pk")
    assert (change.verb, change.before, change.after) == (
        Verb.TABLE_CARRIES_ON,
        {"carries_on": first.pk},
        {"carries_on": None},
    )
    assert len(set_to(second, Table.objects.get(pk=first.pk))) == 3
    assert levels(second) == [1, 1, 1, 0, 0]
    nothing_is_wrong(first, second)


def test_what_was_seen_must_still_hold(two: tuple[Table, Table]) -> None:
    first, second = two
    set_to(second, None)
    seen = preview_carry(records=read_records(second), earlier=first).seen
    add_game(first)
    with pytest.raises(TableChanged):
        carry_on(table=second, actor=Actor(), earlier=first, seen=seen)
    with pytest.raises(TableChanged):
        set_to(second, None)


def test_what_cannot_go_on_is_refused(club: Club, rules: RuleSet) -> None:
    first, later = evening(club, 0, rules), evening(club, 1, rules)
    play(first, LOST)
    first = Table.objects.get(pk=first.pk)
    other = make_club("Pik Dame")
    refusals: list[tuple[Table, Table, type[ActionRefused]]] = [
        (first, later, CannotCarryOn),
        (first, first, CannotCarryOn),
        (evening(club, 2, make_rule_set(club, "anleitung")), first, CannotCarryOn),
        (evening(other, 2, carrying(other)), first, CannotCarryOn),
    ]
    for table, earlier, error in refusals:
        with pytest.raises(error):
            set_to(table, earlier)
    set_to(later, first)
    with pytest.raises(CarriedOnElsewhere):
        set_to(evening(club, 3, rules), first)
    people = list(Player.objects.filter(club=club, name__in=["Ärmel", "Bodo", "Çelik", "Özlem"]))
    with pytest.raises(CarriedOnElsewhere):
        add_table(evening=evening(club, 4, rules).evening, actor=Actor(), rule_set=rules, players=people, carries_on=first)


def test_of_two_evenings_of_one_day_the_first_is_earlier(club: Club, rules: RuleSet) -> None:
    first, second = evening(club, 0, rules), evening(club, 0, rules)
    assert comes_before(first.evening, second.evening)
    assert not comes_before(second.evening, first.evening)


def test_opening_an_evening_with_what_is_open(club: Club, rules: RuleSet) -> None:
    first = evening(club, 0, rules)
    play(first, LOST, {})
    people = read_records(first).current
    table = open_evening(
        club=club, actor=Actor(make_user("s")), held_on=FIRST + WEEK, rule_set=rules, players=people, carries_on=first
    )
    assert table.open_bocks == [[[first.pk, 1, 3]]]
    assert (
        Change.objects.get(subject_id=str(table.evening_id), verb=Verb.EVENING_OPENED).after["carries_on"] == first.pk
    )
    nothing_is_wrong(first, table)
    play(table, {})
    assert levels(table) == [1]


# --- Other rules ------------------------------------------------------------------------------------------------------


def test_rules_that_let_nothing_go_on_end_it_and_others_bring_it_back(club: Club, two: tuple[Table, Table]) -> None:
    first, second = two
    ending = make_rule_set(club, "anleitung", "Ende")
    for table in (first, second):
        own = table.rule_set
        for wanted, expected in ((ending, [0] * 5), (own, [1, 1, 1, 0, 0])):
            records = read_records(Table.objects.select_related("rule_set").get(pk=table.pk))
            shown = preview_rules(records=records, rule_set=wanted)
            done = move_to_rules(table=table, actor=Actor(), rule_set=wanted, seen=shown.seen)
            assert told(done) == told(shown.effects)
            assert levels(second) == expected
            nothing_is_wrong(first, second)


def test_a_table_whose_rules_let_nothing_go_on_is_left_alone_by_the_evening_before(
    club: Club, two: tuple[Table, Table]
) -> None:
    """It still names the earlier table, but nothing there can change anything here: no note, no refusal."""
    first, second = two
    ending = make_rule_set(club, "anleitung", "Ende")
    seen = preview_rules(records=read_records(second), rule_set=ending).seen
    move_to_rules(table=second, actor=Actor(), rule_set=ending, seen=seen)
    close_evening(evening=second.evening, actor=Actor())
    noted = Change.objects.filter(table=second).count()
    shown, do = correcting(first, 2)
    assert {effect.records.table.pk for effect in shown} == {first.pk}
    assert told(do(False).effects) == told(shown)
    assert levels(first) == [0, 0, 0] and levels(second) == [0] * 5
    assert Change.objects.filter(table=second).count() == noted
    nothing_is_wrong(first, Table.objects.get(pk=second.pk))


def test_the_samples_of_a_rule_set_begin_with_what_was_open(club: Club, two: tuple[Table, Table]) -> None:
    rule_set = two[1].rule_set
    found = samples(rule_set, rule_set.settings)
    assert [(sample.number, sample.before.level) for sample in found.told] == [(1, 1), (2, 1), (4, 0)]


# --- What is offered --------------------------------------------------------------------------------------------------


def test_the_last_table_of_these_people_is_offered(club: Club, rules: RuleSet) -> None:
    first = evening(club, 0, rules)
    play(first, LOST, {})
    later = evening(club, 3, rules)
    people = read_records(first).current
    found = offer(rules, people[::-1], later.evening)
    assert found and (found.table, found.games) == (first, 3)
    assert [o.table for o in offers_to(later)] == [first]
    fifth = make_player(club, "Gast")
    assert offer(rules, [*people, fifth], later.evening) is None
    assert offer(rules, [*people[:3], fifth], later.evening) is None
    assert offer(carrying(club, "Andere"), people, later.evening) is None
    assert offer(make_rule_set(club, "anleitung"), people, later.evening) is None
    assert offer(rules, people, evening(club, -1, rules).evening) is None, "it was not played yet"
    next_version = RuleSet.objects.create(club=club, name="Wir", version=2, settings=rules.settings, unit=rules.unit)
    assert offer(next_version, people, later.evening) == found
    set_to(later, first)
    assert offer(rules, people, evening(club, 4, rules).evening) is None, "it goes on already"
    later.refresh_from_db()
    assert [o.table for o in offers_to(later)] == [first], "its own can be kept"


def test_an_evening_in_between_lets_them_lapse_unless_nobody_played(club: Club, rules: RuleSet) -> None:
    first, between, later = (evening(club, week, rules) for week in range(3))
    play(first, LOST)
    people = read_records(first).current
    found = offer(rules, people, later.evening)
    assert found and found.table == first
    play(between, {})
    assert offer(rules, people, later.evening) is None
    assert [o.table for o in offers_to(later)] == [first], "by hand they can still go on"
