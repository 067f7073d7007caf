"""The records of a club, computed a second time from the facts; ties, guests and evenings without games."""

from __future__ import annotations

import datetime
from collections import defaultdict
from itertools import groupby
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.models import Club, Player, Table
from scoring.standings.queries.records import read_records
from scoring.standings.queries.selection import Selection
from tests.factories import add_game, make_club, make_old_evening, make_table
from tests.standings.queries.by_hand import Entry, read_entries

pytestmark = pytest.mark.django_db

POINTS = Selection(unit="points")
DAY = datetime.date(2026, 1, 6)


def entries_by_hand(club: Club) -> list[Entry]:
    tables = Table.objects.filter(evening__club=club).select_related("rule_set", "evening")
    return [entry for table in tables.order_by("evening__held_on", "evening", "number") for entry in read_entries(table)]


def longest(marks: list[tuple[bool, Any]]) -> list[tuple[int, Any, Any]]:
    """Return the longest series of true marks: its length, its first and its last item."""
    runs = [list(run) for holds, run in groupby(marks, key=lambda mark: mark[0]) if holds]
    most = max((len(run) for run in runs), default=0)
    return [(most, run[0][1], run[-1][1]) for run in runs if len(run) == most]


def those_at(figure: int, holders: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [holder for holder in holders if holder[0] == figure]


def records_by_hand(entries: list[Entry]) -> dict[str, set[tuple[Any, ...]]]:
    """Return the holders of each record by key: the figure, the player, and the first and the last evening or game."""
    played = [(entry, player) for entry in entries for player in entry.played]
    people = {player for _entry, player in played}
    days = list(dict.fromkeys((entry.day, entry.evening) for entry in entries if entry.played))
    sums: dict[Any, dict[int, int]] = {day: {} for day in days}
    solos: dict[Any, int] = defaultdict(int)
    came = {(entry.evening, player) for entry, player in played}
    for entry in entries:
        for player in people:
            if (entry.evening, player) in came:
                at = sums[entry.day, entry.evening]
                at[player] = at.get(player, 0) + entry.points.get(player, 0)
        if entry.soloist is not None:
            solos[entry.day, entry.evening, entry.soloist] += 1
    of_evenings = [
        (points, player, day[1], day[1]) for day, of_all in sums.items() for player, points in of_all.items()
    ]
    of_games = [(entry.points[player], player, entry.key, entry.key) for entry, player in played]
    of_solos = [(count, player, evening, evening) for (_day, evening, player), count in solos.items()]
    found = {
        "best_evening": those_at(max(of_evenings)[0], of_evenings),
        "worst_evening": those_at(min(of_evenings)[0], of_evenings),
        "best_game": those_at(max(points for points, *_ in of_games), of_games),
        "dearest_game": those_at(min(points for points, *_ in of_games), of_games),
        "solos": those_at(max((count for count, *_ in of_solos), default=0), of_solos),
    }
    series: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for player in people:
        mine = [entry for entry in entries if player in entry.played]
        my_days = [day for day in days if player in sums[day]]
        marks = {
            "games_won": [(entry.decided and player in entry.won, entry.key) for entry in mine],
            "games_lost": [(entry.decided and player not in entry.won, entry.key) for entry in mine],
            "evenings_won": [(sums[day][player] == max(sums[day].values()), day[1]) for day in my_days],
            "evenings_up": [(sums[day][player] > 0, day[1]) for day in my_days],
            "evenings_there": [(player in sums[day], day[1]) for day in days],
        }
        for key, marked in marks.items():
            series[key] += [(length, player, first, last) for length, first, last in longest(marked) if length > 2]
    for key, runs in series.items():
        found[key] = those_at(max((length for length, *_ in runs), default=0), runs)
    return {key: set(holders) for key, holders in found.items() if holders}


def records_read(club: Club, selection: Selection) -> dict[str, set[tuple[Any, ...]]]:
    records, people = read_records(club, selection)
    assert {feat[0] for record in records for feat in record.feats} == people.keys()
    return {
        record.key: {
            (record.figure, player, first.game or first.evening, last.game or last.evening)
            for player, first, last in record.feats
        }
        for record in records
    }


def test_the_records_of_a_small_club(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """Play a won and a lost solo, games that two win, and a penalty; one player comes once, one sits out."""
    club = make_club()
    for week in range(4):
        table = make_table(club, 4 + (week == 2), held_on=DAY + datetime.timedelta(weeks=week))
        for game in range(week + 2):
            add_game(table, dealer=0 if week != 2 else 4, re=[0, 1 + game % 3], eyes=150 if game % 2 else 100)
        add_game(table, dealer=0 if week != 2 else 4, kind="damensolo", re=[week], eyes=[150, 90, 200, 30][week])
        add_game(table, form="penalty", points=[-9, 3, 3, 3, 0][: 4 + (week == 2)], reason="verworfen")
    with django_assert_num_queries(3):
        found = records_read(club, POINTS)
    assert found == records_by_hand(entries_by_hand(club))
    assert len(found) == 10


def test_a_record_is_shared_and_belongs_to_guests_and_to_evenings_without_games() -> None:
    club = make_club()
    add_game(make_table(club, 4, held_on=DAY), eyes=130)
    old = make_old_evening(club, {"Ärmel": 40, "Bodo": 40, "Çelik": -80})
    Player.objects.filter(name="Ärmel").update(guest=True)
    records, people = read_records(club, POINTS)
    best = next(record for record in records if record.key == "best_evening")
    assert (best.figure, {people[player].name for player, _first, _last in best.feats}) == (40, {"Ärmel", "Bodo"})
    assert {first.evening for _player, first, _last in best.feats} == {old.evening_id}
    assert {record.key for record in records} == {"best_evening", "worst_evening", "best_game", "dearest_game"}


def test_a_club_without_games_has_no_records() -> None:
    assert read_records(make_club(), POINTS) == ([], {})
