"""A question of What if that takes longer: some tables at a time, to the same answer as all at once, and anew where anything
happened in the club."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from scoring.models import Club, RuleSet, WhatIfRun
from scoring.standings.queries.selection import Selection
from scoring.whatif.actions import runs
from scoring.whatif.queries.lists import WhatIf, compared, what_if
from scoring.whatif.queries.valued import Valued
from tests.factories import add_game, make_club, make_rule_set, make_table

pytestmark = pytest.mark.django_db

ALL = Selection(unit="points", everyone=True)
QUERY = "all=True&rules=7"


@pytest.fixture(autouse=True)
def one_table_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "AT_ONCE", 1)


@pytest.fixture
def club() -> Club:
    """Three tables; in each there is something that other rules leave out or do not know."""
    club = make_club()
    own = make_rule_set(club, "ddv", "Alles", specials={"karlchen_gefangen": 1}, bock={"triggers": ["manual"], "cap": 2})
    for day in (1, 2, 3):
        table = make_table(club, 4, rule_set=own, held_on=datetime.date(2026, 3, day))
        add_game(table, re_specials={"karlchen_gefangen": 1}, starts_bock=1)
        add_game(table, kind="damensolo", re=[day], eyes=150)
        add_game(table, form="short", winners=[0, day], base=3)
    return club


def go_on(club: Club, rule_set: RuleSet) -> WhatIfRun:
    runs.go_on(club=club, query=QUERY, rule_set=rule_set, selection=ALL)
    return WhatIfRun.objects.get(query=QUERY)


def answer(club: Club, rule_set: RuleSet, run: WhatIfRun) -> WhatIf:
    valued = Valued(rule_set, ALL)
    valued.take(run.sums)
    return compared(club, valued)


def told(found: WhatIf) -> list[Any]:
    """All that a page says of it."""
    left_out = [(left.why, left.named, left.lines) for left in found.unvalued]
    return [found.games, found.surplus, left_out, [(row.real.name, row.now, row.then, row.games) for row in found.rows]]


def test_table_by_table_it_comes_to_the_same(club: Club) -> None:
    rule_set = make_rule_set(club, "anleitung")
    progress = [(run.done, run.of, run.is_over) for run in (go_on(club, rule_set) for _table in range(3))]
    assert progress == [(1, 3, False), (2, 3, False), (3, 3, True)]
    at_once = what_if(club, ALL, rule_set)
    assert told(answer(club, rule_set, WhatIfRun.objects.get())) == told(at_once)
    assert (at_once.games, at_once.left_out, len(at_once.surplus)) == (6, 3, 1)
    # Once more changes nothing.
    assert told(answer(club, rule_set, go_on(club, rule_set))) == told(at_once)


def test_it_begins_anew_where_something_happened_in_the_club(club: Club) -> None:
    rule_set = make_rule_set(club, "anleitung")
    go_on(club, rule_set)
    go_on(club, rule_set)
    add_game(make_table(club, 4, rule_set=rule_set, held_on=datetime.date(2026, 2, 1)))
    assert [(run.done, run.of) for run in (go_on(club, rule_set) for _table in range(4))] == [(n, 4) for n in range(1, 5)]
    found = answer(club, rule_set, WhatIfRun.objects.get())
    assert told(found) == told(what_if(club, ALL, rule_set))
    assert found.games == 7


def test_of_two_who_go_on_at_once_one_adds_the_tables(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    rule_set = make_rule_set(club, "anleitung")
    go_on(club, rule_set)
    real = Valued.value

    def overtaken(self: Valued, *args: Any) -> None:
        monkeypatch.setattr(Valued, "value", real)
        go_on(club, rule_set)
        self.value(*args)

    monkeypatch.setattr(Valued, "value", overtaken)
    assert go_on(club, rule_set).done == 2
    assert told(answer(club, rule_set, go_on(club, rule_set))) == told(what_if(club, ALL, rule_set))


def test_the_last_ten_questions_are_kept(club: Club) -> None:
    rule_set = make_rule_set(club, "anleitung")
    for number in range(runs.KEPT + 2):
        runs.go_on(club=club, query=f"rules={number}", rule_set=rule_set, selection=ALL)
    other = make_club("Pik Dame", slug="pik")
    runs.go_on(club=other, query=QUERY, rule_set=make_rule_set(other, "ddv"), selection=ALL)
    kept = WhatIfRun.objects.filter(club=club).order_by("pk").values_list("query", flat=True)
    assert list(kept) == [f"rules={number}" for number in range(2, runs.KEPT + 2)]
    assert WhatIfRun.objects.filter(club=other).count() == 1


def test_it_names_nobody_and_no_change_of_the_club(club: Club) -> None:
    before = club.changes.count()
    run = go_on(club, club.rule_sets.get(name="Alles"))
    assert club.changes.count() == before
    assert not [name for name in club.players.values_list("name", flat=True) if name in str(run.sums)]
