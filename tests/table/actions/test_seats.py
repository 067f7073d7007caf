"""Test changes of the line-up: who deals, plays and owes a solo after them; and lines typed for a round that was deleted since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ValidationError

from scoring.club.actions import Actor
from scoring.club.texts import describe_changes
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import add_table, close_evening, discard_evening, reopen_evening
from scoring.models import Change, Club, Game, Player, Round, Seat, Table, TableResult, Verb
from scoring.play.queries import NextGame, read_records, read_sheet
from scoring.play.replay import EveningIsClosed, WrongLineUp
from scoring.play.verify import check_table
from scoring.players.actions import merge_players
from scoring.rules.validation import Refused
from scoring.standings.queries.standings import list_standings
from scoring.table.actions.games import AnotherGameFirst, Saved, Typed, delete_game, undo
from scoring.table.actions.games import add_game as enter
from scoring.table.actions.seats import SeatedMeanwhile, change_line_up, replace_player, seat_guest
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(club: Club) -> list[Player]:
    return [make_player(club, name) for name in PEOPLE]


def sit(table: Table, players: Sequence[Player], as_admin: bool = False) -> None:
    change_line_up(table=table, actor=Actor(admin=as_admin), players=players)


def ahead(table: Table) -> NextGame:
    return read_sheet(table).next


def play(table: Table, games: int) -> list[int | None]:
    """Add some ordinary games with the proposed dealers; return who dealt, by seat."""
    dealers = []
    for _ in range(games):
        re = [seat for seat, _player in ahead(table).playing][:2]
        dealers.append(add_game(table, re=re).game.dealer)
    return dealers


# --- Dealer and Vorführung -------------------------------------------------------------------------------------------


def test_five_people_who_owe_after_one_round_are_made_to_play_in_turn(club: Club) -> None:
    table = make_table(club, 5, rule_set=make_rule_set(club, "ddv", "kurz", duty_solo={"rounds": 1}))
    play(table, 5)
    told = []
    for _ in range(5):
        proposal = ahead(table).proposal
        told.append((proposal.soloist, proposal.dealer, proposal.out, proposal.leader))
        add_game(table, kind="damensolo", duty=True, re=[proposal.soloist])
    assert [soloist for soloist, *_ in told] == [1, 2, 3, 4, 0]
    # The player to the right of the soloist deals and sits out, and the soloist leads.
    assert told == [(n, (n - 1) % 5, ((n - 1) % 5,), n) for n in (1, 2, 3, 4, 0)]
    assert ahead(table).proposal.soloist is None


# --- Joining, leaving, changing seats -------------------------------------------------------------------------------


def test_a_player_joins_in_mid_cycle(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    play(table, 2)
    sit(table, people[:5])
    following = ahead(table)
    assert (following.dealer, following.out, following.proposal.cycle) == (people[2], [people[2]], 1)
    assert play(table, 3) == [2, 3, 4]
    assert ahead(table).proposal.cycle == 2
    assert TableResult.objects.get(table=table, player=people[4]).games == 2
    assert check_table(table).findings == []


def test_changed_seats_keep_who_dealt_and_who_owes(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    add_game(table, kind="damensolo", duty=True, re=[2])
    play(table, 1)
    sit(table, [people[2], people[1], people[0], people[3]])
    following = ahead(table)
    assert following.dealer == people[1]
    assert set(following.owing) == {people[0], people[1], people[3]}
    sit(table, [people[2], people[0], people[3], people[4]])
    assert ahead(table).dealer == people[2], "the next dealer of the last game has left, and the one after deals"


def test_a_player_replaces_another(club: Club, people: list[Player]) -> None:
    """The player who leaves must sit there; the new one must be of the club and not sit there yet."""
    table, other = make_table(club), make_player(make_club("Pik Dame", slug="pik"), "Fremd")

    def replace(gone: Player, comes: int) -> list[Player]:
        return replace_player(table=table, actor=Actor(), gone=gone.pk, comes=comes)

    assert replace(people[1], people[5].pk) == [people[0], people[5], *people[2:4]] == ahead(table).people
    for comes in (people[0].pk, other.pk, 0):
        with pytest.raises(WrongLineUp):
            replace(people[2], comes)
    with pytest.raises(SeatedMeanwhile):
        replace(people[1], people[6].pk)


def test_a_player_who_comes_back_keeps_the_points(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:5])
    play(table, 2)
    before = read_sheet(table).totals
    sit(table, people[:4])
    sit(table, people[:5])
    assert read_sheet(table).totals == before
    assert table.rounds.count() == 1, "nothing was played in between"


def test_another_change_corrects_a_wrong_line_up(club: Club, people: list[Player]) -> None:
    """A player who was seated by mistake has no column on the sheet."""
    table = make_table(club, players=people[:4])
    play(table, 1)
    sit(table, people[:5])
    sit(table, [*people[:4], people[5]])
    records = read_records(table)
    assert (len(records.rounds), records.players) == (2, [*people[:4], people[5]])
    assert [row.verb for row in table.changes.order_by("id")][1:] == [Verb.TABLE_SEATED] * 2


def test_a_deleted_line_keeps_its_round(club: Club, people: list[Player]) -> None:
    """It can still be restored for its players."""
    table = make_table(club, players=people[:4])
    play(table, 1)
    sit(table, people[1:5])
    game = add_game(table).game
    deleted = delete_game(table=table, actor=Actor(), key=game.key, version=1)
    undo(table=table, actor=Actor(), change_id=deleted.change.pk)
    delete_game(table=table, actor=Actor(), key=game.key, version=3)
    sit(table, people[:4])
    assert Round.objects.filter(table=table).count() == 3
    assert Game.objects.get(key=game.key).round.seats.count() == 4


def test_an_invalid_line_up_is_refused_and_the_same_changes_nothing(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    stranger = make_player(make_club("Pik Dame"), "Fremd")
    for players in (people[:3], [*people, stranger], [*people[:4], people[0]], [*people[:3], stranger]):
        with pytest.raises(WrongLineUp):
            sit(table, players)
    changes = Change.objects.count()
    sit(table, people[:4])
    assert (Change.objects.count(), table.rounds.count()) == (changes, 1)
    sit(table, people[4:8])
    records, change = read_records(table), Change.objects.latest("id")
    assert (records.players, ahead(table).dealer) == (people[4:8], people[4]), "before the first game there is one line-up"
    assert (change.before, change.after) == tuple({"players": [one.pk for one in some]} for some in (people[:4], people[4:8]))
    add_table(evening=table.evening, actor=Actor(), rule_set=table.rule_set, players=people[4:])
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        sit(table, people[:5])
    sit(table, people[:5], as_admin=True)
    assert read_records(table).current == people[:5]
    reopen_evening(evening=table.evening, actor=Actor())
    discard_evening(evening=table.evening, actor=Actor())
    assert not Table.objects.exists()
    assert Change.objects.filter(verb=Verb.TABLE_SEATED, table=None).exists()


def test_a_game_typed_for_others_is_not_booked_for_these(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    typed_for = read_records(table).rounds[-1].pk
    sit(table, people[4:8])

    def send(line_up: int | None) -> None:
        facts = {"kind": "normal", "re": [0, 1], "eyes": 130}
        enter(table=table, actor=Actor(), key=uuid4(), after=None, typed=Typed("played", facts), round_id=line_up)

    with pytest.raises(ActionRefused, match="nicht mehr so am Tisch"):
        send(typed_for)
    assert not Game.objects.exists()
    send(read_records(table).rounds[-1].pk)
    assert Game.objects.count() == 1


def test_a_game_typed_for_an_earlier_line_up_goes_into_its_round(club: Club, people: list[Player]) -> None:
    """Its phone had no network: it goes behind the last line of its line-up and before later ones, whose Bock moves on."""
    table = make_table(club, players=people[:5], preset="anleitung")
    first = add_game(table, re=[1, 2]).game
    typed_for = read_records(table).rounds[-1]
    sit(table, people[:4])
    later = [add_game(table, re=[0, 1]).game for _ in range(2)]

    def send(after: Game | None, **facts: Any) -> Saved:
        typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 100, "re_said": "said", **facts}, dealer=1)
        key = after and after.key
        return enter(table=table, actor=Actor(), key=uuid4(), after=key, typed=typed, round_id=typed_for.pk)

    missed = send(first).game
    assert [line.key for line in read_records(table).games] == [first.key, missed.key, *(game.key for game in later)]
    assert missed.round == typed_for
    assert set(missed.scores.values_list("player", flat=True)) == {people[seat].pk for seat in (0, 2, 3, 4)}
    assert [game.outcome.bock for game in Game.objects.order_by("round__position", "position")] == [0, 0, 1, 1]
    assert check_table(table).findings == []
    for named, standing in ((first, missed), (later[-1], None), (None, first)):
        with pytest.raises(AnotherGameFirst) as refused:
            send(named)
        assert (refused.value.standing, refused.value.last) == (standing, missed)
    with pytest.raises(Refused):
        send(missed, re=[0, 5])
    second = send(missed)
    undo(table=table, actor=Actor(), change_id=second.change.pk)
    assert read_records(table).games[1:2] == [missed]
    add_game(table, re=[0, 1])
    assert check_table(table).findings == []


# --- Guests ---------------------------------------------------------------------------------------------------------


def test_a_known_name_is_that_player_and_guests_who_cannot_sit_down(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people)
    with pytest.raises(ActionRefused, match="sitzt schon jemand"):
        seat_guest(table=table, actor=Actor(), name=people[0].name)
    with pytest.raises(WrongLineUp):
        seat_guest(table=table, actor=Actor(), name="Neunte")
    small = make_table(club, players=people[:4])
    guest = seat_guest(table=small, actor=Actor(), name="  Wirt  ")
    assert (guest.name, guest.guest, guest.club) == ("Wirt", True, club)
    assert read_records(small).current == [*people[:4], guest]
    assert list(Change.objects.order_by("id").values_list("verb", flat=True))[-2:] == ["player.added", "table.seated"]
    known = seat_guest(table=make_table(club, players=people[:4]), actor=Actor(), name="gisela")
    assert (known, known.guest) == (people[5], False)
    with pytest.raises(ValidationError):
        seat_guest(table=small, actor=Actor(), name=" \u202e")
    assert Player.objects.count() == len(people) + 1


# --- Several tables -------------------------------------------------------------------------------------------------


def test_two_tables_of_an_evening_play_their_own_rules_and_count_as_one(club: Club, people: list[Player]) -> None:
    first = make_table(club, players=people[:4])
    rules, sitting = make_rule_set(club, "anleitung"), [people[0], *people[4:7]]
    second = add_table(evening=first.evening, actor=Actor(), rule_set=rules, players=sitting, planned_games=12)
    assert (second.number, second.planned_games, second.rule_set.name) == (2, 12, "anleitung")
    add_game(first)
    add_game(second)
    row = next(row for row in list_standings(club) if row.player_id == people[0].pk)
    assert (row.figures["evenings"], row.figures["games"]) == (1, 2)
    change = Change.objects.get(verb=Verb.TABLE_ADDED)
    assert (change.table, change.after["rule_set"]) == (second, second.rule_set_id)
    given = {"evening": first.evening, "actor": Actor(), "players": people[4:]}
    with pytest.raises(WrongLineUp):
        add_table(**given, rule_set=make_rule_set(make_club("Pik Dame")))
    close_evening(evening=first.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        add_table(**given, rule_set=rules)


@pytest.mark.parametrize("have_played", [False, True])
@pytest.mark.parametrize("is_first", [False, True])
def test_a_line_restores_its_round_if_that_was_deleted(
    club: Club, people: list[Player], is_first: bool, have_played: bool
) -> None:
    """Their phone had no network from their first game on; the table goes on with its present players."""
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
        return enter_for(table, [player.pk for player in seats], line_up=gone, after=after).game.key

    first = send(before[0] if before else None, people[:5])
    second = send(first, people[:5])
    records = read_records(table)
    assert [game.key for game in records.games] == [*before, first, second, *later]
    theirs = [game for game in records.games if game.key in (first, second)]
    assert [records.line_up(game) for game in theirs] == [people[:5]] * 2
    assert theirs[0].round_id == theirs[1].round_id, "the second game is in the round of the first"
    assert records.current == now
    assert [line_up.position for line_up in records.rounds] == list(range(1, len(records.rounds) + 1))
    assert check_table(table).findings == []
    with pytest.raises(AnotherGameFirst) as refused:
        send(first, people[:5])
    assert refused.value.last.key == second
    for never_there in (people[:3], people[3:8], people[4::-1]):
        with pytest.raises(ActionRefused, match="nicht mehr so am Tisch"):
            send(second, never_there)
    add_game(table, re=[0, 1] if now != people[:4] else [2, 3], dealer=None)
    assert check_table(table).findings == []


def test_a_restored_round_stands_behind_the_line_it_followed(club: Club, people: list[Player]) -> None:
    """Five play, then four; the five sit down again with a phone without a network and leave before a game of theirs arrives.
    It goes behind the game of the four, not behind the first of the five."""
    table = make_table(club, players=people[:5])
    first = add_game(table, re=[1, 2]).game.key
    sit(table, people[:4])
    second = add_game(table, re=[0, 1]).game.key
    sit(table, people[:5])
    gone = read_records(table).rounds[-1].pk
    sit(table, people[:4])
    key = enter_for(table, [player.pk for player in people[:5]], line_up=gone, after=second).game.key
    records = read_records(table)
    assert [game.key for game in records.games] == [first, second, key]
    assert [len(records.line_up(game)) for game in records.games] == [5, 4, 5]
    assert records.current == people[:4]
    assert check_table(table).findings == []
    sit(table, people[:5])
    theirs = read_records(table).rounds[-1].pk
    again = enter_for(table, [player.pk for player in people[:5]], line_up=gone, after=key)
    assert again.game.round_id in (theirs, records.games[-1].round_id), "players who sit there again use a round of theirs"


def enter_for(
    table: Table, ids: Sequence[int], spoken_as: Player | None = None, line_up: int = 2**62, after: UUID | None = None
) -> Saved:
    """Add a line for players whose round was deleted."""
    typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 130}, dealer=1)
    actor = Actor(spoken_as=spoken_as, admin=True)
    return enter(table=table, actor=actor, key=uuid4(), after=after, typed=typed, round_id=line_up, people=ids)


def test_a_line_for_people_who_never_sat_there_is_refused(club: Club, people: list[Player]) -> None:
    """Neither for other people of the club, nor of another club, nor of another table of the same evening."""
    table = make_table(club, players=people[:4])
    add_table(evening=table.evening, actor=Actor(), rule_set=table.rule_set, players=people[4:])
    other_club = make_club("Pik Dame")
    others = [make_player(other_club, name) for name in PEOPLE[:4]]
    before = [list(model.objects.order_by("pk").values()) for model in (Game, Round, Seat, Change, TableResult)]
    strangers = [people[4:], [*people[:3], people[4]], people[3::-1], others, [*people[:3], others[3]]]
    for named in [*([one.pk for one in players] for players in strangers), [], [2**62] * 4, [people[0].pk] * 4]:
        with pytest.raises(ActionRefused, match="nicht mehr so am Tisch"):
            enter_for(table, named)
    assert [list(model.objects.order_by("pk").values()) for model in (Game, Round, Seat, Change, TableResult)] == before


def test_a_line_for_a_merged_player_counts_for_the_remaining_one(club: Club, people: list[Player]) -> None:
    """By the old id and by the new one, also if the phone and the history know different ids."""
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


def test_two_merged_players_cannot_sit_at_one_table(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    sit(table, people[4:])
    merge_players(player=people[0], into=people[1], actor=Actor())
    with pytest.raises(WrongLineUp):
        enter_for(table, [player.pk for player in people[:4]])


def test_a_restored_round_is_in_the_history(club: Club, people: list[Player]) -> None:
    table = make_table(club, players=people[:4])
    sit(table, people[4:])
    enter_for(table, [player.pk for player in people[:4]], spoken_as=people[2])
    again, added = table.changes.order_by("id").select_related("actor", "spoken_as", "table__evening")[1:]
    assert (again.verb, again.before, again.spoken_as) == (Verb.TABLE_SEATED, None, people[2])
    assert again.after == {"players": [player.pk for player in people[:4]]}
    assert added.verb == Verb.GAME_ADDED
    told = describe_changes([again])[0]
    assert told.done == "Frühere Sitzordnung wieder auf dem Zettel"
    assert [row["after"] for row in told.differences] == [", ".join(map(str, people[:4]))]
    undo(table=table, actor=Actor(), change_id=added.pk)
    assert check_table(table).findings == []
