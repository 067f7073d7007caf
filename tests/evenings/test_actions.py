"""Opening an evening, closing it and opening it again."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, discard_evening, open_evening, reopen_evening
from scoring.evenings.errors import EveningHasLines, EveningIsOpen
from scoring.models import Change, Club, Entry, Evening, Player, Table, Verb
from scoring.play.actions import EveningIsClosed, WrongLineUp
from scoring.play.queries import read_records
from scoring.table.actions.games import Typed, delete_game
from scoring.table.actions.games import add_game as enter
from scoring.table.actions.links import renew_link
from scoring.table.actions.seats import seat_players
from tests.cash.books import book, owes
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)


@pytest.fixture
def club() -> Club:
    return make_club()


def people(club: Club, number: int) -> list[Player]:
    return [make_player(club, f"Person {place}") for place in range(number)]


@pytest.mark.parametrize("number", [4, 5, 8])
def test_an_evening_opens_with_one_table_in_seating_order(club: Club, number: int) -> None:
    writer = make_user("schorsch", club, ["scorer"])
    players = people(club, number)[::-1]
    rules = make_rule_set(club)

    table = open_evening(
        club=club, actor=Actor(writer), held_on=FRIDAY, rule_set=rules, players=players, place="Gasthaus Zur Linde"
    )

    evening = Evening.objects.get()
    assert (evening.held_on, evening.place, evening.is_open) == (FRIDAY, "Gasthaus Zur Linde", True)
    assert (table.evening, table.number, table.rule_set) == (evening, 1, rules)
    records = read_records(table)
    assert (records.current, records.games, len(records.rounds)) == (players, [], 1)
    change = Change.objects.get(verb=Verb.EVENING_OPENED)
    assert (change.actor, change.subject_id, change.club) == (writer, str(evening.pk), club)
    assert change.after == {"held_on": "2026-03-06", "rule_set": rules.pk, "players": [p.pk for p in players]}


def test_the_first_of_the_line_up_deals_first(club: Club) -> None:
    table = make_table(club, players=people(club, 4))
    assert add_game(table).game.dealer == 0


@pytest.mark.parametrize("number", [0, 3, 9])
def test_too_few_or_too_many_are_refused(club: Club, number: int) -> None:
    with pytest.raises(WrongLineUp):
        make_table(club, players=people(club, number))
    assert not Evening.objects.exists()


def test_who_is_not_stored_yet_is_found_by_name_or_taken_in(club: Club) -> None:
    players, rules = people(club, 4), make_rule_set(club)
    new, known = Player(club=club, name="Sabine"), Player(club=club, name="person 3")
    table = open_evening(
        club=club, actor=Actor(), held_on=FRIDAY, rule_set=rules, players=[players[0], new, known, *players[1:3]]
    )
    guest = Player.objects.get(name="Sabine")
    assert guest.guest
    assert read_records(table).current == [players[0], guest, players[3], *players[1:3]]
    another = Player(club=club, name="Jörn")
    with pytest.raises(WrongLineUp):
        open_evening(club=club, actor=Actor(), held_on=FRIDAY, rule_set=rules, players=[*players, known, another])
    assert not Player.objects.filter(name="Jörn").exists(), "nobody is taken in for an evening that does not begin"


def test_nobody_sits_twice_and_nobody_comes_from_another_club(club: Club) -> None:
    players = people(club, 4)
    stranger = make_player(make_club("Pik Dame"), "Fred")
    for line_up in ([*players[:3], players[0]], [*players[:3], stranger]):
        with pytest.raises(WrongLineUp):
            make_table(club, players=line_up)
    assert not Evening.objects.exists()


def test_the_rules_of_another_club_are_refused(club: Club) -> None:
    with pytest.raises(WrongLineUp):
        make_table(club, players=people(club, 4), rule_set=make_rule_set(make_club("Pik Dame")))
    assert not Evening.objects.exists()


@pytest.mark.parametrize("place", ["x" * 61, "im\u202eHinterzimmer", "Linde\n"])
def test_a_place_that_cannot_be_written_down_is_refused(club: Club, place: str) -> None:
    with pytest.raises(ValidationError) as refused:
        open_evening(
            club=club, actor=Actor(), held_on=FRIDAY, rule_set=make_rule_set(club), players=people(club, 4), place=place
        )
    assert set(refused.value.message_dict) == {"place"}
    assert not Table.objects.exists()


def test_closing_says_who_and_when_and_ends_the_writing(club: Club) -> None:
    writer = make_user("schorsch", club, ["scorer"])
    table = make_table(club)
    add_game(table)

    closed = close_evening(evening=table.evening, actor=Actor(writer))

    stored = Evening.objects.get()
    assert not stored.is_open
    assert (stored.closed_by, stored.closed_at) == (writer, closed.closed_at)
    assert Change.objects.get(verb=Verb.EVENING_CLOSED).actor == writer
    with pytest.raises(EveningIsClosed):
        add_game(table)


def test_what_is_closed_cannot_be_closed_again(club: Club) -> None:
    table = make_table(club)
    close_evening(evening=table.evening, actor=Actor())
    closed_at = Evening.objects.get().closed_at
    with pytest.raises(EveningIsClosed):
        close_evening(evening=table.evening, actor=Actor())
    assert Evening.objects.get().closed_at == closed_at
    assert Change.objects.filter(verb=Verb.EVENING_CLOSED).count() == 1


def test_opened_again_it_can_be_written_again(club: Club) -> None:
    admin = make_user("anna", club, ["admin"])
    table = make_table(club)
    close_evening(evening=table.evening, actor=Actor())

    reopen_evening(evening=table.evening, actor=Actor(admin))

    stored = Evening.objects.get()
    assert (stored.is_open, stored.closed_by) == (True, None)
    assert Change.objects.get(verb=Verb.EVENING_REOPENED).actor == admin
    assert add_game(table).change is not None
    with pytest.raises(EveningIsOpen):
        reopen_evening(evening=table.evening, actor=Actor(admin))


def test_a_new_line_up_is_a_new_round_and_takes_the_next_lines(club: Club) -> None:
    players = people(club, 6)
    table = make_table(club, players=players[:4])
    first = add_game(table).game
    seat_players(table=table, players=players[1:])

    second = enter(
        table=table,
        actor=Actor(),
        key=uuid4(),
        after=first.key,
        typed=Typed("played", {"kind": "normal", "re": [1, 2], "eyes": 130}),
    ).game

    records = read_records(table)
    assert (records.line_up(first), records.line_up(second)) == (players[:4], players[1:])
    assert records.players == players
    # Seat 1 was next and is seat 0 of the new round.
    assert second.dealer == 0


def test_the_same_key_begins_one_evening(club: Club) -> None:
    people = [make_player(club, name) for name in ("Anna", "Berta", "Cora", "Dora")]
    rules, key = make_rule_set(club), uuid4()
    day = datetime.date(2026, 3, 6)

    tables = [
        open_evening(club=club, actor=Actor(), held_on=day, rule_set=rules, players=people, key=key) for _tap in range(2)
    ]

    assert tables[0] == tables[1]
    assert Evening.objects.count() == 1
    assert Change.objects.filter(verb=Verb.EVENING_OPENED).count() == 1


def test_an_evening_nobody_played_can_be_taken_back(club: Club) -> None:
    table = make_table(club)
    renew_link(table=table, actor=Actor())

    discard_evening(evening=table.evening, actor=Actor())

    assert not Evening.objects.exists()
    assert not Table.objects.exists()
    assert Change.objects.get(verb=Verb.EVENING_DISCARDED).subject_id == str(table.evening_id)


def test_an_evening_that_was_booked_stays(club: Club) -> None:
    table = make_table(club)
    entry = book(club, owes(club.players.all()[0], 5), evening=table.evening)

    discard_evening(evening=table.evening, actor=Actor())

    assert (Evening.objects.get().dropped, Table.objects.exists()) == (True, False)
    assert list(Entry.objects.all()) == [entry]


def test_an_evening_with_a_line_stays_even_where_it_is_struck_out(club: Club) -> None:
    table = make_table(club)
    game = add_game(table).game
    delete_game(table=table, actor=Actor(), key=game.key, version=1)

    with pytest.raises(EveningHasLines):
        discard_evening(evening=table.evening, actor=Actor())

    assert Evening.objects.exists()
