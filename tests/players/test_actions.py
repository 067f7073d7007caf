"""Merging two players who are one: the moved rows, the refusals, and that undoing moves exactly these rows back."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.club.actions import Actor
from scoring.club.queries import list_active_players, list_changes, list_people
from scoring.club.texts import describe_changes
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, Outcome, Player, Score, Seat, Table, TableResult, Verb
from scoring.play.replay import WrongLineUp
from scoring.play.verify import verify
from scoring.players.actions import merge_players, preview_merge, unmerge_player
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings
from scoring.table.actions.seats import change_line_up, seat_guest
from tests.database import made_once
from tests.factories import add_game, make_club, make_old_evening, make_player, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return made_once(_club)


def _club() -> Club:
    """Make a club with Bodo on one evening, and "Bodo B." on a closed one and on one that came without its games."""
    club = make_club(slug="karo")
    table = make_table(club, held_on=datetime.date(2026, 1, 2))
    add_game(table, re=[1, 2], eyes=150)
    people = {player.name: player for player in Player.objects.all()}
    other = make_player(club, "Bodo B.", guest=True)
    second = make_table(
        club, [people["Ärmel"], other, people["Çelik"], people["Özlem"]], held_on=datetime.date(2026, 1, 9)
    )
    for eyes in (160, 90, 200):
        add_game(second, re=[1, 3], eyes=eyes)
    close_evening(evening=second.evening, actor=Actor())
    make_old_evening(club, {other.name: 40})
    return club


def get_player(name: str) -> Player:
    return Player.objects.get(name=name)


def read_rows() -> dict[str, list[Any]]:
    """Return all rows that a merge could change."""
    return {
        "seats": list(Seat.objects.order_by("pk").values()),
        "scores": sorted(Score.objects.values_list("game", "player", "points", "party", "won", "solo"), key=str),
        "outcomes": sorted(Outcome.objects.values_list("game", "value", "bock"), key=str),
        "results": sorted(TableResult.objects.values_list("table", "player", "points", "games", "wins")),
        "people": list(Player.objects.order_by("pk").values()),
    }


def rank_players(club: Club) -> dict[str, tuple[int, Any, Any]]:
    return {
        row.name: (row.rank, row.figures["points"], row.figures["games"])
        for row in list_standings(club, Selection(everyone=True))
    }


def test_everything_moves_and_nothing_else_changes(club: Club) -> None:
    before = rank_players(club)
    seen = preview_merge(player=get_player("Bodo B."), into=get_player("Bodo"))
    assert rank_players(club) == before
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    after = rank_players(club)
    points = before["Bodo"][1] + before["Bodo B."][1]
    assert after["Bodo"] == (after["Bodo"][0], points, before["Bodo"][2] + before["Bodo B."][2])
    assert (seen["evenings"], seen["tables"]) == (2, 2)
    (in_list,) = seen["lists"]
    assert (in_list["rank"], in_list["points"]) == after["Bodo"][:2]
    assert {name: row[1:] for name, row in after.items() if name != "Bodo"} == {
        name: row[1:] for name, row in before.items() if name not in ("Bodo", "Bodo B.")
    }
    assert [finding for checked in verify(club) for finding in checked.findings] == []


def test_taking_apart_puts_exactly_that_back(club: Club) -> None:
    before = read_rows()
    change = merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    assert read_rows() != before
    # What Bodo plays afterwards stays his.
    third = make_table(club, 4, held_on=datetime.date(2026, 2, 1))
    add_game(third)
    later = {row.pk for row in Seat.objects.filter(round__table=third)}
    unmerge_player(player=get_player("Bodo B."), actor=Actor())
    now = read_rows()
    assert [row for row in now["seats"] if row["id"] not in later] == before["seats"]
    assert now["people"] == before["people"]
    assert [row for row in now["results"] if row[0] != third.pk] == before["results"]
    assert {row[1] for row in now["results"] if row[0] == third.pk} >= {get_player("Bodo").pk}
    assert [finding for checked in verify(club) for finding in checked.findings] == []
    assert Change.objects.get(verb=Verb.PLAYER_PARTED).undoes == change
    with pytest.raises(ActionRefused, match="mit niemandem zusammengeführt"):
        unmerge_player(player=get_player("Bodo B."), actor=Actor())


def test_a_merged_player_is_offered_nowhere(club: Club) -> None:
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    assert "Bodo B." not in [player.name for player in [*list_active_players(club), *list_people(club)]]
    table = make_table(club, 4, held_on=datetime.date(2026, 2, 1))
    people = [get_player(name) for name in ("Ärmel", "Çelik", "Özlem")]
    with pytest.raises(WrongLineUp):
        change_line_up(table=table, actor=Actor(), players=[*people, get_player("Bodo B.")])
    change_line_up(table=table, actor=Actor(), players=[*people, make_player(club, "Željko")])
    assert seat_guest(table=table, actor=Actor(), name="Bodo B.") == get_player("Bodo")


def test_players_who_sat_together_are_refused(club: Club) -> None:
    with pytest.raises(ActionRefused, match="saßen schon zusammen"):
        merge_players(player=get_player("Ärmel"), into=get_player("Bodo"), actor=Actor())
    # The same for a table of which only the sums are known.
    old = Table.objects.get(without_games=True)
    zero = {"games": 0, "wins": 0, "solos": 0, "solos_won": 0, "solo_points": 0}
    TableResult.objects.create(table=old, player=get_player("Bodo"), points=-40, **zero)
    with pytest.raises(ActionRefused, match="saßen schon zusammen"):
        merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    assert Change.objects.filter(verb=Verb.PLAYER_MERGED).count() == 0


def test_one_login_goes_along_and_back_two_are_refused(club: Club) -> None:
    user = make_user("bodo", club)
    Player.objects.filter(name="Bodo B.").update(user=user)
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    assert (get_player("Bodo").user, get_player("Bodo B.").user) == (user, None)
    unmerge_player(player=get_player("Bodo B."), actor=Actor())
    assert (get_player("Bodo").user, get_player("Bodo B.").user) == (None, user)
    Player.objects.filter(name="Bodo").update(user=make_user("bodo2", club))
    with pytest.raises(ActionRefused, match="Beide haben einen Zugang"):
        merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())


def test_a_chain_is_taken_apart_from_its_end(club: Club) -> None:
    before = read_rows()
    third = make_player(club, "B. Bodo")
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    with pytest.raises(ActionRefused, match="schon mit jemandem zusammengeführt"):
        merge_players(player=get_player("Bodo B."), into=third, actor=Actor())
    with pytest.raises(ActionRefused, match="schon mit jemandem zusammengeführt"):
        merge_players(player=third, into=get_player("Bodo B."), actor=Actor())
    merge_players(player=get_player("Bodo"), into=third, actor=Actor())
    with pytest.raises(ActionRefused, match="nicht mehr trennen"):
        unmerge_player(player=get_player("Bodo B."), actor=Actor())
    unmerge_player(player=get_player("Bodo"), actor=Actor())
    unmerge_player(player=get_player("Bodo B."), actor=Actor())
    assert {key: found for key, found in read_rows().items() if key != "people"} == {
        key: found for key, found in before.items() if key != "people"
    }


def test_a_seat_that_is_gone_cannot_be_given_back(club: Club) -> None:
    """The player sits at a table without games, where then another line-up sits down."""
    table = make_table(club, [*list(Player.objects.exclude(name="Bodo"))[:4]], held_on=datetime.date(2026, 3, 1))
    assert get_player("Bodo B.") in [seat.player for seat in Seat.objects.filter(round__table=table)]
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    change_line_up(
        table=table,
        actor=Actor(),
        players=[get_player("Ärmel"), get_player("Çelik"), get_player("Özlem"), make_player(club, "Neu")],
    )
    with pytest.raises(ActionRefused, match="nicht mehr trennen"):
        unmerge_player(player=get_player("Bodo B."), actor=Actor())


def test_people_of_two_clubs_are_never_one(club: Club) -> None:
    stranger = make_player(make_club("Pik Dame"), "Bodo")
    with pytest.raises(ValueError, match="one club"):
        merge_players(player=Player.objects.get(name="Bodo B."), into=stranger, actor=Actor())


def test_the_history_tells_it(club: Club) -> None:
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    unmerge_player(player=get_player("Bodo B."), actor=Actor())
    parted, merged = describe_changes(list(list_changes(club)[:2]))
    assert (merged.about, parted.about) == ("Bodo B.", "Bodo B.")
    assert [tuple(one.values()) for one in merged.differences] == [
        ("Wird geführt als", "Bodo B.", "Bodo")
    ]
    assert [(one["before"], one["after"]) for one in parted.differences] == [("Bodo", "Bodo B.")]


def test_the_bock_of_a_table_stays_as_it_was(club: Club) -> None:
    table = make_table(
        club,
        [get_player("Bodo B."), *Player.objects.filter(name__in=["Ärmel", "Çelik", "Özlem"])],
        rule_set=make_rule_set(club, "anleitung"),
        held_on=datetime.date(2026, 3, 1),
    )
    add_game(table, re_said="said", eyes=100)
    add_game(table)
    outcomes = read_rows()["outcomes"]
    merge_players(player=get_player("Bodo B."), into=get_player("Bodo"), actor=Actor())
    assert read_rows()["outcomes"] == outcomes
    assert [level for _game, _value, level in outcomes].count(1) == 1


def test_both_at_one_table_in_different_rounds_add_up(club: Club) -> None:
    """The sums change, and are restored by undoing the merge."""
    table = Table.objects.get(evening__held_on=datetime.date(2026, 1, 2))
    bodo, other = get_player("Bodo"), get_player("Bodo B.")
    people = [other if player == bodo else player for player in Player.objects.filter(seats__round__table=table)]
    change_line_up(table=table, actor=Actor(admin=True), players=people)
    add_game(Table.objects.get(pk=table.pk), eyes=180)
    before = read_rows()
    merge_players(player=other, into=bodo, actor=Actor())
    assert TableResult.objects.get(table=table, player=bodo).games == 2
    assert [finding for checked in verify(club) for finding in checked.findings] == []
    unmerge_player(player=other, actor=Actor())
    assert read_rows()["results"] == before["results"]
    assert read_rows()["scores"] == before["scores"]
    assert [finding for checked in verify(club) for finding in checked.findings] == []


def test_it_takes_as_many_questions_however_many_evenings(club: Club) -> None:
    """Games cannot be entered meanwhile."""
    bodo, other = get_player("Bodo"), get_player("Bodo B.")
    asked = []
    for more in (0, 3):
        line_up = [other, *Player.objects.exclude(pk__in=[bodo.pk, other.pk])[:3]]
        for day in range(more):
            add_game(make_table(club, line_up, held_on=datetime.date(2026, 4, 1 + day)))
        with CaptureQueriesContext(connection) as queries:
            merge_players(player=other, into=bodo, actor=Actor())
            unmerge_player(player=other, actor=Actor())
        asked.append(len(queries))
    assert asked[0] == asked[1]
