"""A phone without a net typed for people whose round is gone since: their lines stand where they were played, or are
refused."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table
from scoring.history.words import describe_changes
from scoring.models import Change, Club, Game, Player, Round, Seat, Table, TableResult, Verb
from scoring.play.actions import WrongLineUp
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from scoring.players.actions import merge_players
from scoring.table.actions.games import AnotherGameFirst, LineUpChanged, Saved, Typed, delete_game, undo
from scoring.table.actions.games import add_game as enter
from scoring.table.actions.seats import change_line_up
from tests.factories import PEOPLE, add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def people(club: Club) -> list[Player]:
    return [make_player(club, name) for name in PEOPLE]


def sit(table: Table, players: Sequence[Player]) -> None:
    change_line_up(table=table, actor=Actor(), players=players)


@pytest.mark.parametrize("have_played", [False, True])
@pytest.mark.parametrize("is_first", [False, True])
def test_people_of_whom_nothing_was_entered_until_others_sat_down_play_all_the_same(
    club: Club, people: list[Player], is_first: bool, have_played: bool
) -> None:
    """Their phone had no net from their first game on; the table goes on with whoever sits there now."""
    table = make_table(club, players=people[:4])
    before = [] if is_first else [add_game(table).game.key]
    sit(table, people[:5])
    gone = read_records(table).rounds[-1].pk
    sit(table, people[:4])
    later = [add_game(table, re=[0, 1]).game.key] if have_played and is_first else []
    if have_played and not is_first:
        sit(table, people[4:8])
        later = [add_game(table, re=[0, 1]).game.key]
    now = read_records(table).current

    def send(after: UUID | None, seats: list[Player]) -> UUID:
        key = uuid4()
        typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 130}, dealer=1)
        enter(
            table=table, actor=Actor(), key=key, after=after, typed=typed, line_up=gone,
            people=[player.pk for player in seats],
        )  # fmt: skip
        return key

    first = send(before[0] if before else None, people[:5])
    second = send(first, people[:5])
    records = read_records(table)
    assert [game.key for game in records.games] == [*before, first, second, *later]
    theirs = [game for game in records.games if game.key in (first, second)]
    assert [records.line_up(game) for game in theirs] == [people[:5]] * 2
    assert theirs[0].round_id == theirs[1].round_id, "the second goes on where the first stands"
    assert records.current == now
    assert [line_up.position for line_up in records.rounds] == list(range(1, len(records.rounds) + 1))
    assert check_table(table).findings == []
    with pytest.raises(AnotherGameFirst) as refused:
        send(first, people[:5])
    assert refused.value.last is not None
    assert refused.value.last.key == second
    for never_there in (people[:3], people[3:8], people[4::-1]):
        with pytest.raises(LineUpChanged):
            send(second, never_there)
    add_game(table, re=[0, 1] if now != people[:4] else [2, 3], dealer=None)
    assert check_table(table).findings == []


def test_people_who_sat_there_earlier_as_well_stand_where_they_typed(club: Club, people: list[Player]) -> None:
    """The five played, the four did, the five sat down again with a phone without a net, and got up before a game of theirs
    was known: it stands behind that of the four, not with the first of the five."""
    table = make_table(club, players=people[:5])
    first = add_game(table, re=[1, 2]).game.key
    sit(table, people[:4])
    second = add_game(table, re=[0, 1]).game.key
    sit(table, people[:5])
    gone = read_records(table).rounds[-1].pk
    sit(table, people[:4])
    key, typed = uuid4(), Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 130}, dealer=1)
    enter(
        table=table, actor=Actor(), key=key, after=second, typed=typed, line_up=gone,
        people=[player.pk for player in people[:5]],
    )  # fmt: skip
    records = read_records(table)
    assert [game.key for game in records.games] == [first, second, key]
    assert [len(records.line_up(game)) for game in records.games] == [5, 4, 5]
    assert records.current == people[:4]
    assert check_table(table).findings == []


def test_people_who_sit_there_again_go_on_in_the_round_they_have_now(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    first = add_game(table).game.key
    sit(table, people[:5])
    gone = read_records(table).rounds[-1].pk
    sit(table, people[:4])
    sit(table, people[:5])
    typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 130}, dealer=1)
    enter(
        table=table, actor=Actor(), key=uuid4(), after=first, typed=typed, line_up=gone,
        people=[player.pk for player in people[:5]],
    )  # fmt: skip
    records = read_records(table)
    assert len(records.rounds) == 2
    assert records.games[-1].round_id == records.rounds[-1].pk != gone


def enter_for(table: Table, people: Sequence[int], spoken_as: Player | None = None, line_up: int = 2**62) -> Saved:
    """A first line for people whose round is no more, by their ids."""
    typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 130}, dealer=1)
    return enter(
        table=table,
        actor=Actor(spoken_as=spoken_as, admin=True),
        key=uuid4(),
        after=None,
        typed=typed,
        line_up=line_up,
        people=people,
    )


def test_a_line_books_on_nobody_who_never_sat_there(club: Club, people: list[Player]) -> None:
    """Neither on people of the club, nor of another one, nor of another table of the same evening, whoever sends it."""
    table = make_table(club, players=people[:4])
    add_table(evening=table.evening, actor=Actor(), rule_set=table.rule_set, players=people[4:])
    other_club = make_club("Pik Dame")
    others = [make_player(other_club, name) for name in PEOPLE[:4]]
    before = [list(model.objects.order_by("pk").values()) for model in (Game, Round, Seat, Change, TableResult)]
    strangers = [people[4:], [*people[:3], people[4]], people[3::-1], others, [*people[:3], others[3]]]
    for named in [*([one.pk for one in players] for players in strangers), [], [2**62] * 4, [people[0].pk] * 4]:
        with pytest.raises(LineUpChanged):
            enter_for(table, named)
    assert [list(model.objects.order_by("pk").values()) for model in (Game, Round, Seat, Change, TableResult)] == before


def test_who_was_merged_since_is_whoever_they_are_now(club: Club, people: list[Player]) -> None:
    """By the old number as by the new one; also where the phone and the history know them by different ones."""
    table = make_table(club, players=people[:4])
    sit(table, people[4:])
    merge_players(player=people[0], into=make_player(club, "Armin"), actor=Actor())
    now = Player.objects.get(name="Armin")
    first = enter_for(table, [player.pk for player in people[:4]])
    assert read_records(table).line_up(first.game) == [now, *people[1:4]]
    delete_game(table=table, actor=Actor(admin=True), key=first.game.key, version=1)
    second = enter_for(table, [now.pk, *(player.pk for player in people[1:4])])
    assert second.game.round_id == first.game.round_id
    assert check_table(table).findings == []


def test_people_who_are_one_by_now_cannot_sit_beside_each_other(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    sit(table, people[4:])
    merge_players(player=people[0], into=people[1], actor=Actor())
    with pytest.raises(WrongLineUp):
        enter_for(table, [player.pk for player in people[:4]])


def test_who_put_people_back_on_the_sheet_stands_in_the_history(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    sit(table, people[4:])
    enter_for(table, [player.pk for player in people[:4]], spoken_as=people[2])
    again, added = table.changes.order_by("id").select_related("actor", "spoken_as", "table__evening")[1:]
    assert (again.verb, again.before, again.spoken_as) == (Verb.TABLE_SEATED, None, people[2])
    assert again.after == {"players": [player.pk for player in people[:4]]}
    assert added.verb == Verb.GAME_ADDED
    told = describe_changes([again])[0]
    assert told.done == "Frühere Sitzordnung wieder auf dem Zettel"
    assert [row.after for row in told.differences] == [", ".join(map(str, people[:4]))]
    undo(table=table, actor=Actor(), change_id=added.pk)
    assert check_table(table).findings == []
