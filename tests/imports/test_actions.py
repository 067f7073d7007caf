"""Actions check everything themselves: a file is taken in once, and nothing of another club is used."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.imports.actions import Sitting, is_too_big, take_list, undo_import
from scoring.imports.queries import find_same_file
from scoring.models import Entry, Evening, Import, LateEntry, Player, Seat, Table, TableResult
from scoring.play.replay import WrongLineUp
from tests.cash.books import book, owes
from tests.factories import Cast, make_import, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db

DAY = datetime.date(2024, 3, 1)
SUMS = Sitting(DAY, {1: 5, 2: -5})
GAMES = Sitting(DAY, {1: 1, 2: 1, 3: -1, 4: -1}, [("short", {"winners": [0, 1], "base": 1})])


def take(cast: Cast, sitting: Sitting = SUMS, **other: Any) -> Import:
    names = {column: Player(name=f"Neu {column}") for column in sitting.points}
    arguments = {"people": names, "rules": cast.table.rule_set, "sittings": [sitting], **other}
    file = arguments.pop("file", None) or make_import(cast.club)
    return take_list(file=file, actor=Actor(cast.admin), kind="evenings", report={}, **arguments)


def test_the_same_file_is_taken_in_once(cast: Cast) -> None:
    file = make_import(cast.club)
    stale = Import.objects.get(pk=file.pk)
    assert take(cast, file=file) == take(cast, file=stale)
    assert Table.objects.filter(imported=file).count() == 1
    again = make_import(cast.club)
    assert find_same_file(again) == file, "the preview warns of it"
    people = {column: cast.club.players.get(name=f"Neu {column}") for column in SUMS.points}
    assert take(cast, file=again, people=people).tables.count() == 1, "uploaded again it counts twice"


def test_nothing_of_another_club_comes_in(cast: Cast) -> None:
    before = Evening.objects.count()
    stranger = make_player(cast.other_club, "Fremd")
    twice = make_player(cast.club, "Doppelt")
    for other in (
        {"rules": cast.other_table.rule_set},
        {"people": {1: stranger, 2: Player(name="Neu")}},
        {"people": {1: twice, 2: twice}},
    ):
        with pytest.raises(WrongLineUp):
            take(cast, **other)
    assert Evening.objects.count() == before
    assert not Player.objects.filter(name="Neu").exists()


def test_lines_need_a_table_and_rules_without_bock(cast: Cast) -> None:
    with pytest.raises(InvalidInput, match="ohne Bock"):
        take(cast, GAMES, rules=make_rule_set(cast.club, "anleitung"))
    with pytest.raises(WrongLineUp):
        take(cast, Sitting(DAY, {1: 1, 2: -1}, GAMES.lines))
    assert take(cast, GAMES).tables.get().results.count() == 4


def test_an_import_that_would_block_others_too_long_is_too_big(cast: Cast) -> None:
    """As many evenings or games as a file has rows are accepted, but not with more people or a game per evening."""
    four = Sitting(DAY, GAMES.points)
    assert not is_too_big([four] * 20_000)
    assert not is_too_big([Sitting(DAY, GAMES.points, GAMES.lines * 50)] * 400)
    with pytest.raises(InvalidInput, match="zu viel auf einmal"):
        take(cast, sittings=[Sitting(DAY, dict.fromkeys(range(8), 0))] * 20_000)
    with pytest.raises(InvalidInput, match="zu viel auf einmal"):
        take(cast, GAMES, sittings=[GAMES] * 20_000)


def test_a_list_that_other_data_depends_on_is_not_undone(cast: Cast) -> None:
    """A late entry waits at a table of this file, or its evening has another table, without a history entry."""
    file = take(cast, GAMES)
    table = file.tables.get()
    facts = {"kind": "normal", "re": [0, 1], "eyes": 150}
    late = LateEntry.objects.create(table=table, round=table.rounds.get(), form="played", facts=facts)
    with pytest.raises(ActionRefused, match="An den übernommenen Abenden"):
        undo_import(file=file, actor=Actor(cast.admin))
    late.delete()
    Table.objects.filter(pk=make_table(cast.club).pk).update(evening=table.evening, number=2)
    with pytest.raises(ActionRefused, match="An den übernommenen Abenden"):
        undo_import(file=file, actor=Actor(cast.admin))
    assert TableResult.objects.filter(table=table).count() == 4


def test_a_booked_evening_stays(cast: Cast) -> None:
    file = take(cast)
    evening = file.tables.get().evening
    entry = book(cast.club, owes(cast.club.players.all()[0], 5), evening=evening, date=DAY)
    undo_import(file=file, actor=Actor(cast.admin))
    evening.refresh_from_db()
    assert (evening.dropped, evening.tables.count()) == (True, 0)
    assert list(Entry.objects.filter(evening=evening)) == [entry]


def test_new_people_with_an_account_or_at_other_tables_stay(cast: Cast) -> None:
    file = take(cast)
    stay = [Player.objects.get(name=f"Neu {number}") for number in (1, 2)]
    book(cast.club, owes(stay[0], 5))
    Seat.objects.create(round=cast.table.rounds.get(), place=7, player=stay[1])
    undo_import(file=file, actor=Actor(cast.admin))
    assert list(Player.objects.filter(name__startswith="Neu").order_by("pk")) == stay
    with pytest.raises(ActionRefused, match="nicht übernommen"):
        undo_import(file=file, actor=Actor(cast.admin))
