"""Games valued by other rules: by their own rules nothing differs, lines that cannot be valued are named, nothing is stored."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.apps import apps

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table
from scoring.models import Club, RuleSet, Table
from scoring.play.queries import read_records
from scoring.rules.ranking import rank_all
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rules.validation import Sentence
from scoring.rulesets.actions import change_rule_set
from scoring.standings.queries.selection import Selection
from scoring.whatif import queries
from scoring.whatif.queries import WhatIf, build_samples, compute_what_if
from scoring.whatif.rules import MISSING, NO_GAMES, OTHER_UNIT, SHORT_FORM, UNKNOWN_KIND
from tests.factories import add_game, make_club, make_old_evening, make_rule_set, make_table, own_evening

pytestmark = pytest.mark.django_db

ALL = Selection(unit="points", everyone=True)


def read_all_rows() -> dict[str, list[Any]]:
    """Return all rows of the app."""
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in apps.get_app_config("scoring").get_models()
    }


@pytest.fixture
def three_tables() -> Club:
    """Three tables; in each there is something that other rules leave out or do not know."""
    club = make_club()
    own = make_rule_set(club, "ddv", "Alles", specials={"karlchen_gefangen": 1}, bock={"triggers": ["manual"], "cap": 2})
    for day in (1, 2, 3):
        table = make_table(club, 4, rule_set=own, held_on=datetime.date(2026, 3, day))
        add_game(table, re_specials={"karlchen_gefangen": 1}, starts_bock=1)
        add_game(table, kind="damensolo", re=[day], eyes=150)
        add_game(table, form="short", winners=[0, day], base=3)
    return club


def test_some_tables_at_a_time_come_to_the_same(three_tables: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    rule_set = make_rule_set(three_tables, "anleitung")
    at_once = compare(three_tables, rule_set)
    assert (at_once.games, at_once.left_out, len(at_once.surplus)) == (6, 3, 1)
    monkeypatch.setattr(queries, "TABLES_AT_ONCE", 1)
    one_by_one = compare(three_tables, rule_set)
    assert one_by_one.rows == at_once.rows
    assert (one_by_one.games, one_by_one.surplus, one_by_one.unvalued) == (at_once.games, at_once.surplus, at_once.unvalued)


def compare(club: Club, rule_set: RuleSet, **selection: Any) -> WhatIf:
    """Value by other rules, and check that nothing was stored."""
    before = read_all_rows()
    found = compute_what_if(club, Selection(**{"unit": "points", "everyone": True, **selection}), rule_set)
    assert read_all_rows() == before
    return found


def get_points(found: WhatIf) -> dict[str, int]:
    return {row["real"].name: row["then"]["points"] for row in found.rows}


def get_left_out(found: WhatIf) -> list[tuple[Any, Any]]:
    return [(left["why"], left["named"]) for left in found.unvalued]


def add_evening(club: Club, day: int = 6, people: int = 4) -> Table:
    table = make_table(club, people, held_on=datetime.date(2026, 3, day))
    dealer = {"dealer": 4} if people == 5 else {}
    add_game(table, eyes=130, re_said="said", **dealer)
    add_game(table, eyes=100, re_said="said", **dealer)
    add_game(table, kind="damensolo", re=[2], eyes=150, **dealer)
    return table


def test_by_its_own_rules_nothing_differs() -> None:
    club = make_club()
    table = add_evening(club)
    add_game(table, form="short", winners=[0, 1], base=3)
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="verworfen")
    found = compare(club, table.rule_set)
    assert {row["difference"] for row in found.rows} == {0}
    assert [(row["then"]["rank"], row["games"]) for row in found.rows] == [
        (row["real"].rank, row["real"].figures["games"]) for row in found.rows
    ]
    assert (found.games, found.unvalued, found.same_unit) == (4, [], True)


def test_by_other_rules_with_their_bock() -> None:
    """ddv: 3, then −3 for Re (won, Re said, gegen is −4), the solo 3 × 3. anleitung: Re doubles, the lost announcement
    doubles again and starts a Bock, in which the solo is played: without threefold share, doubled as a solo."""
    club = make_club()
    add_evening(club)
    found = compare(club, make_rule_set(club, "anleitung"))
    # 1·2 = 2 for Re; (1 + gegen 1)·2·2 = 8 for Kontra; 1·2·2 = 4 for the soloist, 4 from each
    assert get_points(found) == {"Ärmel": 2 - 8 - 4, "Bodo": 2 - 8 - 4, "Çelik": -2 + 8 + 4, "Özlem": -2 + 8 - 4}
    assert [(row["then"]["rank"], row["real"].name) for row in found.rows] == [
        (1, "Çelik"),
        (2, "Özlem"),
        (3, "Ärmel"),
        (3, "Bodo"),
    ]


def test_the_short_form_is_named_and_left_out_unless_only_bock_differs() -> None:
    club = make_club()
    table = add_evening(club)
    line = add_game(table, form="short", winners=[0, 1], base=3).game
    found = compare(club, make_rule_set(club, "anleitung"))
    ((why, (left,)),) = get_left_out(found)
    assert (why, left["key"], left["number"], left["held_on"]) == ([SHORT_FORM], line.key, 4, datetime.date(2026, 3, 6))
    assert (found.games, found.left_out) == (3, 1)
    plus_minus = get_points(found)
    without_share = make_rule_set(club, "ddv", "Ohne dreifachen Anteil", soloist_share=1)
    found = compare(club, without_share)
    assert (found.games, found.unvalued) == (4, [])
    assert get_points(found)["Çelik"] == {row["real"].name: int(row["real"].points) for row in found.rows}["Çelik"] - 2
    assert plus_minus["Ärmel"] == 2 - 8 - 4


def test_a_game_the_other_rules_do_not_have_says_why() -> None:
    club = make_club()
    table = add_evening(club)
    other = make_table(club, 4, rule_set=make_rule_set(club, "anleitung"), held_on=datetime.date(2026, 3, 7))
    for _time in range(2):
        add_game(other, kind="armut", re=[0, 1], eyes=150)
    found = compare(club, table.rule_set)
    ((why, left),) = get_left_out(found)
    assert [line["number"] for line in left] == [1, 2]
    assert why == [Sentence(UNKNOWN_KIND, {"kind": "Armut"})]
    assert found.games == 3


def test_an_unknown_entry_does_not_leave_a_game_out() -> None:
    """Special points they do not score, a Pflichtsolo, a Bock entered by hand, announcements: the rest of the game counts."""
    club = make_club()
    own = make_rule_set(
        club, "ddv", "Alles", specials={"karlchen_gefangen": 1, "herzstich": 1}, bock={"triggers": ["manual"], "cap": 2}
    )
    table = make_table(club, rule_set=own)
    add_game(table, re_specials={"karlchen_gefangen": 1, "fuchs": 1}, starts_bock=1)
    add_game(table, kontra_specials={"herzstich": 1})
    add_game(table, kind="damensolo", re=[2], eyes=150, duty=True, re_said="said")
    found = compare(club, make_rule_set(club, "ddv"))
    assert (found.games, found.unvalued) == (3, [])
    assert dict(found.surplus) == {
        "Karlchen gefangen": 1,
        "Herzstich": 1,
        "Bock selbst eingetragen": 1,
    }
    # 2 with the fox, 1, and the solo of 3 for threefold
    assert get_points(found) == {"Ärmel": 2 + 1 - 3, "Bodo": 2 + 1 - 3, "Çelik": -2 - 1 + 9, "Özlem": -2 - 1 - 3}
    found = compare(club, make_rule_set(club, "ddv", "Stumm", re_kontra=None, absage=0, duty_solo=None))
    assert found.games == 3
    assert {"Ansagen", "Pflichtsolo"} <= dict(found.surplus).keys()


def test_both_sides_count_the_same_games() -> None:
    """A game that cannot be valued is missing in the present points and ranks as well."""
    club = make_club()
    table = add_evening(club)
    before = {row["real"].name: row["real"].points for row in compare(club, table.rule_set).rows}
    add_game(table, kind="bubensolo", re=[3], eyes=150, re_said="said")
    add_game(table, form="short", winners=[2, 3], base=30)
    found = compare(club, make_rule_set(club, "ddv", "Ohne Bubensolo", kinds=["normal", "damensolo"], won=2))
    assert (found.games, found.left_out) == (3, 2)
    assert {row["real"].name: row["now"]["points"] for row in found.rows} == before
    assert [row["now"]["rank"] for row in found.rows] == rank_all([row["now"]["points"] for row in found.rows])
    assert {row["real"].name: row["real"].points for row in found.rows} != before
    # One more for each partner game, and for the solo three from each of the others.
    assert {row["difference"] for row in found.rows} == {1 - 1 - 1, -1 + 1 + 3, -1 + 1 - 1}


def test_a_game_that_cannot_be_valued_uses_up_a_bock_and_starts_none() -> None:
    club = make_club()
    bock = {"triggers": ["lost_solo"], "length": 2, "cap": 1}
    table = make_table(club)
    add_game(table, kind="damensolo", re=[2], eyes=100)
    add_game(table, kind="bubensolo", re=[3], eyes=100)
    for _time in range(2):
        add_game(table)
    other = make_rule_set(club, "ddv", "Mit Bock", kinds=["normal", "damensolo"], bock=bock)
    # The lost solo starts two games of Bock: of these the Bubensolo was one, the next game the other, the last none.
    assert get_points(compare(club, other)) == {
        "Ärmel": 1 + 2 + 1,
        "Bodo": 1 + 2 + 1,
        "Çelik": -3 - 2 - 1,
        "Özlem": 1 - 2 - 1,
    }


@pytest.mark.parametrize(
    ("own", "other", "facts", "field"),
    [
        ("ddv", {"kontra_121": "kontra_last"}, {"eyes": 120, "re_said": "said", "kontra_said": "said"}, "last_said"),
        ("ddv", {"deck": 40}, {"eyes": 0, "no_trick": "none"}, "no_trick"),
    ],
)
def test_a_fact_that_was_not_asked_for_is_lacking(
    own: str, other: dict[str, Any], facts: dict[str, Any], field: str
) -> None:
    club = make_club()
    table = make_table(club, rule_set=make_rule_set(club, own, kontra_121="only_kontra"))
    add_game(table, **facts)
    ((why, (left,)),) = get_left_out(compare(club, make_rule_set(club, own, "Andere", **other)))
    assert (why, left["number"]) == ([MISSING[field]], 1)


def test_where_six_played_together_four_cannot_be_told() -> None:
    club = make_club()
    table = make_table(club, 6, preset="klassisch")
    for _time in range(2):
        add_game(table, re=[0, 2, 4])
    ((why, left),) = get_left_out(compare(club, make_rule_set(club, "ddv"), unit="cents"))
    assert (why, [line["number"] for line in left]) == ([MISSING["out"]], [1, 2])


def test_points_and_cents_are_not_held_against_each_other() -> None:
    club = make_club()
    table = add_evening(club)
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="verworfen")
    found = compare(club, make_rule_set(club, "klassisch"))
    assert not found.same_unit
    assert [OTHER_UNIT] in [why for why, _lines in get_left_out(found)]
    assert compare(club, table.rule_set, unit="cents").rows == []


def test_an_evening_a_time_and_a_size_of_table() -> None:
    club = make_club()
    table = add_evening(club, day=6)
    add_evening(club, day=13)
    add_evening(club, day=20, people=5)
    rules = make_rule_set(club, "vln")
    assert compare(club, rules).games == 9
    assert compare(club, rules, evening=table.evening_id).games == 3
    assert compare(club, rules, since=datetime.date(2026, 3, 7), until=datetime.date(2026, 3, 13)).games == 3
    five = compare(club, rules, size=5)
    assert (five.games, len(five.rows)) == (3, 4)
    assert {row["real"].figures["games"] for row in five.rows} == {3}
    assert [row["difference"] for row in compare(club, table.rule_set, size=5).rows] == [0, 0, 0, 0]
    table.rounds.get().games.filter(facts__kind="damensolo").update(deleted=True)
    assert compare(club, rules, evening=table.evening_id).games == 2


def test_an_evening_without_its_games_is_named() -> None:
    club = make_club()
    table = add_evening(club)
    old = make_old_evening(club, {"Bodo": 7})
    found = compare(club, table.rule_set)
    ((why, (left,)),) = get_left_out(found)
    assert (why, left["key"], left["table"]) == ([NO_GAMES], None, old.pk)
    assert {row["difference"] for row in found.rows} == {0}
    bodo = next(row for row in found.rows if row["real"].name == "Bodo")
    assert bodo["real"].points == bodo["now"]["points"] + 7


def read_samples(club: Club, preset: str = "ddv", **change: Any) -> dict[str, Any]:
    return build_samples(make_rule_set(club, preset), {**get_preset_data(preset), **change})


def add_sample_evening(club: Club, day: int = 6) -> Table:
    table = make_table(club, held_on=datetime.date(2026, 3, day))
    for eyes in (130, 125, 122, 128):
        add_game(table, eyes=eyes)
    add_game(table, form="redeal")
    add_game(table, re=[1, 2], eyes=100)
    add_game(table, kind="damensolo", re=[3], eyes=200)
    return table


def test_games_that_change_are_shown(club: Club) -> None:
    add_sample_evening(club)
    found = read_samples(club, gegen_die_alten=5)
    assert (found["games"], found["changed"], len(found["shown"])) == (6, 1, 3)
    assert [sample.number for sample in found["shown"] if sample.differs] == [5]
    sample = next(sample for sample in found["shown"] if sample.differs)
    assert (sample.before.outcome.points, sample.after.outcome.points) == ((2, -2, -2, 2), (6, -6, -6, 6))
    assert [str(name) for name in sample.names] == ["Ärmel", "Bodo", "Çelik", "Özlem"]


def test_three_different_games_tell_more_than_the_same_thrice(club: Club) -> None:
    add_sample_evening(club)
    numbers = [sample.number for sample in read_samples(club, won=2)["shown"]]
    assert numbers == sorted(numbers)
    assert {5, 6} < set(numbers)


def test_it_is_the_last_evening_with_a_game(club: Club) -> None:
    add_sample_evening(club, 6)
    last = add_sample_evening(club, 13)
    make_table(club, held_on=datetime.date(2026, 3, 20))
    assert read_samples(club)["table"] == last
    assert read_samples(club)["changed"] == 0


def test_it_is_the_last_evening_by_this_rule_set(club: Club) -> None:
    """Two tables of one evening play by different rules; and a set that was never played by shows the last of all."""
    first = add_sample_evening(club)
    own = make_rule_set(club, "klassisch", "Hausregeln")
    people = read_records(first).current
    second = add_table(evening=first.evening, actor=Actor(), rule_set=own, players=people)
    add_game(second)
    last = add_sample_evening(club, 13)
    newer = change_rule_set(rule_set=own, actor=Actor(), settings={**own.settings, "won": 2})
    assert build_samples(newer, {**newer.settings, "won": 3})["table"] == second
    assert build_samples(make_rule_set(club, "anleitung"), newer.settings)["table"] == last


def test_games_that_rules_do_not_take_are_named(club: Club) -> None:
    table = add_sample_evening(club)
    found = build_samples(table.rule_set, get_preset_data("klassisch"))
    assert found["refused"] == [(6, [Sentence(UNKNOWN_KIND, {"kind": "Damensolo"})])]
    assert found["games"] == 5


def test_entries_unknown_to_one_rule_set_are_left_out_and_named(club: Club) -> None:
    """Own special points and kinds of the evening, by rules that never had them: as in What if."""
    own_evening(club)
    other = make_rule_set(club, "ddv", kinds=["normal", "armut", "fleischlos"])
    found = build_samples(other, {**other.settings, "won": 2})
    assert [(number, *map(str, why)) for number, why in found["refused"]] == [
        (1, "Nach diesen Regeln entscheiden die Augen. Sie stehen nicht dabei."),
        (2, "Die Spielart „Schieberamsch“ gibt es nach diesen Regeln nicht."),
    ]
    assert found["surplus"] == [("Gans", 1), ("Hirsch", 1)]
    (sample,) = found["shown"]
    assert (sample.number, sample.kind, found["changed"]) == (3, "Kleine Armut", 1)


def test_an_own_special_point_that_goes_counts_before_alone(club: Club) -> None:
    table = own_evening(club)
    stored = table.rule_set.settings
    left = {key: row for key, row in stored["specials"].items() if key != "hirsch"}
    found = build_samples(table.rule_set, {**stored, "specials": left})
    assert (found["refused"], found["games"], found["changed"], found["surplus"]) == ([], 3, 1, [("Hirsch", 1)])
    sample = found["shown"][-1]
    assert (sample.before.outcome.value, sample.after.outcome.value) == (6, 4)


def test_bock_counts_in_the_samples(club: Club) -> None:
    table = make_table(club)
    add_game(table, re_said="said", eyes=100)
    add_game(table)
    after = {**get_preset_data("ddv"), "bock": get_preset_data("anleitung")["bock"]}
    found = build_samples(table.rule_set, after)
    assert [sample.after.level for sample in found["shown"]] == [0, 1]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_club_that_has_not_played_sees_three_examples(club: Club, preset: str) -> None:
    found = read_samples(club, preset, won=7)
    assert (found["table"], found["games"], found["changed"], found["refused"]) == (None, 3, 3, [])
