"""Test that the stored sums of years are those of the closed evenings after any action, and that lists give the same sums."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, reopen_evening
from scoring.models import Club, Player, Table, YearCareer
from scoring.play.replay import compare_years
from scoring.play.verify import verify
from scoring.players.actions import merge_players, unmerge_player
from scoring.players.queries import read_lives
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import Standing, list_standings
from scoring.table.actions.games import delete_game
from tests.cash.together import at_once
from tests.database import made_once
from tests.effort import LONG
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db

ADMIN = Actor(admin=True)
DAYS = (datetime.date(2025, 12, 30), datetime.date(2026, 1, 9), datetime.date(2026, 2, 6), datetime.date(2026, 2, 6))


@pytest.fixture
def club() -> Club:
    return made_once(_club)


def _club() -> Club:
    """Return a club with four closed evenings of two years; a series goes on from each to the next."""
    club = make_club()
    for number, day in enumerate(DAYS):
        table = make_table(club, players=5, held_on=day)
        add_game(table, re=[1, 2], eyes=130)
        add_game(table, re=[0, 2 + number % 2], eyes=90 if number == 1 else 150)
        add_game(table, kind="damensolo", re=[3], eyes=130)
        close_evening(evening=table.evening, actor=ADMIN)
    return club


def table(club: Club, number: int) -> Table:
    return Table.objects.filter(evening__club=club).order_by("pk")[number]


def reopen(club: Club, number: int) -> None:
    reopen_evening(evening=table(club, number).evening, actor=ADMIN)


def strike_out(club: Club, number: int) -> None:
    game = table(club, number).rounds.get().games.earliest("position")
    delete_game(table=table(club, number), actor=ADMIN, key=game.key, version=game.version)


def play_on(club: Club) -> None:
    add_game(make_table(club, held_on=datetime.date(2026, 3, 6)), re=[0, 1], eyes=160)


def merge(club: Club) -> None:
    guest = make_player(club, "Zaungast")
    players = [guest, *Player.objects.filter(club=club).exclude(pk=guest.pk)[1:4]]
    there = make_table(club, players=players, held_on=datetime.date(2024, 5, 1))
    add_game(there, re=[0, 1], eyes=160)
    close_evening(evening=there.evening, actor=ADMIN)
    merge_players(player=guest, into=Player.objects.filter(club=club).earliest("pk"), actor=ADMIN)


def part(club: Club) -> None:
    merge(club)
    unmerge_player(player=Player.objects.get(name="Zaungast"), actor=ADMIN)


DONE: dict[str, Callable[[Club], None]] = {
    "nothing": lambda club: None,
    "a line of a closed evening is struck out": lambda club: strike_out(club, 1),
    "the last evening is open again": lambda club: reopen(club, 3),
    "one of the same day is open again": lambda club: reopen(club, 2),
    "one before closed ones is open again": lambda club: reopen(club, 1),
    "another evening is running": play_on,
    "two people are merged": merge,
    "two people are parted again": part,
}


@pytest.mark.parametrize("done", DONE)
def test_the_sums_of_years_are_those_of_the_tables(club: Club, done: str) -> None:
    DONE[done](club)
    assert found_in(club) == []
    by_tables = Selection(unit="points", since=datetime.date(2000, 1, 1), everyone=True)
    assert figures(club, Selection(unit="points", everyone=True)) == figures(club, by_tables)
    # A list of sums alone adds up a running evening where it was played before closed ones.
    assert list_standings(club, Selection(unit="points", everyone=True)) == list_standings(club, by_tables)
    closed = figures(club, Selection(unit="points", everyone=True, closed_only=True))
    assert closed == figures(club, Selection(unit="points", since=by_tables.since, everyone=True, closed_only=True))
    of_year = Selection(unit="points", year=2026, everyone=True)
    assert figures(club, of_year) == figures(club, Selection(unit="points", since=datetime.date(2026, 1, 1), everyone=True))


def figures(club: Club, selection: Selection) -> list[Standing]:
    return list_standings(club, selection, more=True)


def test_a_reopened_evening_does_not_change_a_career(club: Club) -> None:
    player = Player.objects.filter(club=club).earliest("pk")
    closed = read_lives([player])
    reopen(club, 1)
    assert read_lives([player]) == closed


def test_verify_reports_damage_of_a_year(club: Club) -> None:
    YearCareer.objects.filter(player__name="Bodo", year=2026).update(points=99)
    YearCareer.objects.filter(player__name="Bodo", year=2025).delete()
    missing, other = found_in(club)
    assert missing == "karo-eins, 2025, Bodo: YearCareer fehlt"
    assert other.startswith("karo-eins, 2026, Bodo: YearCareer: points ist 99 statt ")


def found_in(club: Club) -> list[str]:
    return [finding for checked in verify(club) for finding in checked.findings]


ROUNDS = 4 if LONG else 2


@pytest.mark.django_db(transaction=True)
def test_evenings_closed_at_the_same_time_are_both_counted() -> None:
    club = make_club()
    people = [make_player(club, name) for name in ("Anton", "Berta", "Cäsar", "Dora")]
    for number in range(ROUNDS):
        tables = [make_table(club, people, held_on=datetime.date(2026, 3 + number, day)) for day in (6, 13)]
        for table in tables:
            add_game(table)
        at_once(*(partial(close_evening, evening=table.evening, actor=Actor()) for table in tables))
        counted = list(YearCareer.objects.filter(club=club).values_list("evenings", "games"))
        assert counted == [(2 * (number + 1), 2 * (number + 1))] * 4
    stored, wanted = compare_years(club.pk)
    assert stored.keys() == wanted.keys()
