"""Adding, copying, changing and renaming rule sets: a version that was used never changes."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from scoring.club.actions import Actor
from scoring.core.errors import InvalidInput
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, RuleSet, Table, Verb
from scoring.play.queries import read_records
from scoring.play.verify import verify
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rulesets.actions import (
    NewerVersion,
    NothingDiffers,
    add_rule_set,
    change_rule_set,
    copy_rule_set,
    let_same_seat_deal_again,
    rename_rule_set,
)
from scoring.rulesets.queries import list_current_rule_sets
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


def test_the_same_seat_deals_again_where_no_size_of_table_has_exceptions(club: Club) -> None:
    rule_set = make_rule_set(club, deal_stays=[])
    del rule_set.settings["at"]
    rule_set.save()
    changed = let_same_seat_deal_again(rule_set=rule_set, actor=Actor())
    assert changed.settings["deal_stays"] == ["redeal"] and "at" not in changed.settings


def test_a_stored_rule_set_holds_every_setting_and_names_no_preset(club: Club) -> None:
    """A changed preset must not change the rule sets of clubs."""
    for preset in PRESETS:
        rule_set = add_rule_set(club=club, actor=Actor(), preset=preset, name=f"Wie {preset}", settings={"won": 3})
        assert RuleSet.objects.get(pk=rule_set.pk).settings == {**get_preset_data(preset), "won": 3}
        with pytest.raises(ValidationError):
            RuleSet(club=club, name="Andere", settings={"base": preset}).full_clean(exclude=["unit"])


def merge(rule_set: RuleSet, **change: Any) -> dict[str, Any]:
    return {**rule_set.settings, **change}


def test_changing_a_copy_leaves_the_source_unchanged(club: Club, admin: User) -> None:
    source = make_rule_set(club, "anleitung")
    copy = copy_rule_set(source=source, actor=Actor(admin), name="Unsere Regeln")
    assert (copy.settings, copy.unit, copy.version) == (source.settings, "points", 1)
    change_rule_set(rule_set=copy, actor=Actor(admin), settings=merge(copy, won=2))
    source.refresh_from_db()
    assert source.settings["won"] == 1
    change = Change.objects.get(verb=Verb.RULES_ADDED)
    assert (change.subject_id, change.after) == (str(copy.pk), {"rule_set": source.pk, "version": 1})
    with pytest.raises(ValidationError):
        copy_rule_set(source=source, actor=Actor(admin), name="Unsere Regeln")


def test_editing_a_used_version_makes_the_next_one(club: Club, admin: User) -> None:
    first = make_rule_set(club, "ddv", "Unsere Regeln")
    make_table(club, rule_set=first)
    second = change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, unit="cents"))
    assert (second.name, second.version, second.unit) == ("Unsere Regeln", 2, "cents")
    first.refresh_from_db()
    assert (first.version, first.unit, first.settings["unit"]) == (1, "points", "points")
    assert list(list_current_rule_sets(club)) == [second]
    change = Change.objects.get(verb=Verb.RULES_CHANGED)
    assert (change.actor, change.before, change.after) == (admin, {"rule_set": first.pk}, {"rule_set": second.pk})


def test_editing_an_unused_version_changes_it_in_place(club: Club, admin: User) -> None:
    first = make_rule_set(club, "ddv", "Unsere Regeln")
    before = dict(first.settings)
    changed = change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, unit="cents"))
    assert (changed.pk, changed.version, changed.unit) == (first.pk, 1, "cents")
    assert [row.settings for row in RuleSet.objects.all()] == [{**before, "unit": "cents"}]
    change = Change.objects.get(verb=Verb.RULES_CHANGED)
    assert (change.actor, change.subject_id) == (admin, str(first.pk))
    assert (change.before, change.after) == ({"settings": before}, {"settings": {**before, "unit": "cents"}})
    with pytest.raises(ValidationError):
        change_rule_set(rule_set=changed, actor=Actor(admin), settings=merge(changed, won=-1))
    assert [row.settings for row in RuleSet.objects.all()] == [{**before, "unit": "cents"}]
    assert Change.objects.filter(verb=Verb.RULES_CHANGED).count() == 1


def test_a_version_of_an_empty_evening_or_of_a_moved_table_counts_as_used(table: Table, admin: User) -> None:
    """Phones of an evening without games have its rules already; deleted games are judged by the former rules."""
    club = table.evening.club
    used = make_table(club, rule_set=make_rule_set(club, "vln")).rule_set
    assert change_rule_set(rule_set=used, actor=Actor(admin), settings=merge(used, won=2)).version == 2
    left = table.rule_set
    target = make_rule_set(club, "anleitung")
    seen = preview_move(records=read_records(table), rule_set=target)["seen"]
    move_to_rules(table=table, actor=Actor(admin), rule_set=target, seen=seen)
    assert change_rule_set(rule_set=left, actor=Actor(admin), settings=merge(left, won=2)).version == 2
    other = make_rule_set(club, "ddv", "Andere")
    assert change_rule_set(rule_set=other, actor=Actor(admin), settings=merge(other, won=2)).version == 1


def test_editing_outdated_settings_raises_newer_version(club: Club, admin: User) -> None:
    first = make_rule_set(club)
    seen = RuleSet.objects.get(pk=first.pk)
    now = change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, won=2))
    with pytest.raises(NewerVersion) as refused:
        change_rule_set(rule_set=seen, actor=Actor(admin), settings=merge(seen, won=3))
    assert (refused.value.newest, refused.value.newest.settings) == (now, now.settings)
    # The same form sent twice.
    assert change_rule_set(rule_set=seen, actor=Actor(admin), settings=merge(seen, won=2)) == now


def test_a_version_never_changes_under_a_table(table: Table, admin: User) -> None:
    close_evening(evening=table.evening, actor=Actor(admin))
    before, settings = get_results(table), dict(table.rule_set.settings)
    second = change_rule_set(rule_set=table.rule_set, actor=Actor(admin), settings=merge(table.rule_set, won=5, solo_times=3))
    change_rule_set(rule_set=second, actor=Actor(admin), settings=merge(second, won=7))
    table = Table.objects.get(pk=table.pk)
    assert (table.rule_set.version, table.rule_set.settings) == (1, settings)
    assert get_results(table) == before
    assert [finding for checked in verify() for finding in checked.findings] == []


def test_the_same_or_outdated_settings_make_no_version(club: Club, admin: User) -> None:
    first = make_table(club).rule_set
    with pytest.raises(NothingDiffers):
        change_rule_set(rule_set=first, actor=Actor(admin), settings=dict(first.settings))
    second = change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, won=2))
    # The same form sent twice.
    assert change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, won=2)) == second
    with pytest.raises(NewerVersion) as refused:
        change_rule_set(rule_set=first, actor=Actor(admin), settings=merge(first, won=3))
    assert refused.value.newest == second
    assert RuleSet.objects.count() == 2


def test_all_versions_of_a_rule_set_get_the_new_name() -> None:
    club = make_club()
    first = make_rule_set(club, "anleitung", "Wir")
    table = make_table(club, rule_set=first)
    second = change_rule_set(rule_set=first, actor=Actor(), settings={**first.settings, "won": 2})
    other = make_rule_set(club, "ddv", "Andere")
    rename_rule_set(rule_set=first, actor=Actor(), name="  Stammtisch  ")
    named = set(RuleSet.objects.filter(club=club).values_list("name", "version"))
    assert named == {("Stammtisch", 1), ("Stammtisch", 2), ("Andere", 1)}
    change = Change.objects.get(verb=Verb.RULES_RENAMED)
    assert (change.before, change.after, change.subject_id) == ({"name": "Wir"}, {"name": "Stammtisch"}, str(first.pk))
    table.refresh_from_db()
    assert str(table.rule_set) == "Stammtisch"
    # An editor with the old name on its page changes the right rule set.
    make_table(club, rule_set=second)
    third = change_rule_set(rule_set=second, actor=Actor(), settings={**first.settings, "won": 3})
    assert (third.name, third.version) == ("Stammtisch", 3)
    with pytest.raises(InvalidInput, match="dieses Namens gibt es schon"):
        rename_rule_set(rule_set=third, actor=Actor(), name="Andere")
    with pytest.raises(NothingDiffers):
        rename_rule_set(rule_set=other, actor=Actor(), name="Andere")
    for name in ("", "x" * 61, "a\u200bb"):
        with pytest.raises(ValidationError):
            rename_rule_set(rule_set=other, actor=Actor(), name=name)
    rename_rule_set(rule_set=make_rule_set(make_club("Pik Dame"), "ddv", "Dort"), actor=Actor(), name="Andere")
