"""Who sits at a table from the next game on, as a phone sends it, which may have waited for a net: once, and for those who sat
there when it was typed."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, LateEntry, Player, TableResult, Verb
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from tests.factories import Cast, add_game
from tests.pages import flat
from tests.table.views.asking import KEY, OTHER_KEY, entry, games_of, page_of, seen_by, send
from tests.table.views.test_seats import club_people, places, scorer, seats_of, sitting

__all__ = ["scorer"]
NAMED = "Bitte die Personen am Tisch als Liste angeben, jede mit ihrer Nummer oder ihrem Namen."


def sent(seated: list[Player], **changed: Any) -> dict[str, Any]:
    """Željko and somebody new come to these people."""
    ids = [player.pk for player in seated]
    return {"key": KEY, "before": ids[:4], "people": [*ids[:4], ids[4], " Horst "], **changed}


def test_a_phone_seats_people_once_however_often_it_sends(scorer: Client, cast: Cast) -> None:
    people = club_people(cast, 5)
    add_game(cast.table)
    answers = [send(scorer, seats_of(cast.table), sent(people)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert sitting(cast.table) == ["Ärmel", "Bodo", "Çelik", "Özlem", "Željko", "Horst"]
    horst = Player.objects.get(name="Horst")
    assert horst.guest
    for answer in answers:
        told = answer.json()
        assert told["people"] == told["seats"] == [*(player.pk for player in people), horst.pk]
        assert told["round"] == told["next"]["round"] == cast.table.rounds.order_by("position").last().pk
        assert horst.pk in told["columns"]
    assert Change.objects.filter(table=cast.table, verb=Verb.TABLE_SEATED).count() == 1
    page = flat(scorer.get(page_of(cast.table)))
    assert "Ab dem nächsten Spiel sitzen so: Ärmel, Bodo, Çelik, Özlem, Željko, Horst." in page
    # Others have sat down since: who sat down then is answered all the same, and their round is forgotten.
    scorer.post(seats_of(cast.table), places(people))
    told = send(scorer, seats_of(cast.table), sent(people)).json()
    assert (told["round"], told["people"][-1]) == (0, horst.pk)
    assert told["seats"] == [player.pk for player in people]


def test_games_of_people_whose_round_is_forgotten_are_never_somebody_elses(scorer: Client, cast: Cast) -> None:
    """The answer was lost, and others sat down before the phone sent it again: as many as there were."""
    people = club_people(cast, 6)
    ids = [player.pk for player in people]
    five = [*ids[:4], ids[4]]
    send(scorer, seats_of(cast.table), sent(people, people=five))
    scorer.post(seats_of(cast.table), places([*people[:4], people[5]]))
    told = send(scorer, seats_of(cast.table), sent(people, people=five)).json()
    line = {"key": OTHER_KEY, "round": str(told["round"]), "kind": "normal", "re": [2, 3], "eyes": 130}
    assert send(scorer, games_of(cast.table), entry(cast.game, **line)).status_code == 409
    assert send(scorer, games_of(cast.table), entry(cast.game, **line, people=told["people"])).status_code == 201
    game = Game.objects.get(key=OTHER_KEY)
    assert [seat.player_id for seat in game.round.seats.order_by("place")] == five
    assert [player.pk for player in read_records(cast.table).current] == [*ids[:4], ids[5]]


def test_who_sits_there_already_needs_no_new_round(scorer: Client, cast: Cast) -> None:
    people = club_people(cast, 4)
    told = send(scorer, seats_of(cast.table), sent([*people, people[0]], people=[player.name for player in people]))
    assert told.json()["round"] == cast.table.rounds.get().pk
    assert not Change.objects.filter(table=cast.table, verb=Verb.TABLE_SEATED).exists()


def test_others_sat_down_meanwhile(scorer: Client, cast: Cast) -> None:
    """Nobody new is taken in for it; named as those who were there, it is done."""
    people = club_people(cast, 5)
    scorer.post(seats_of(cast.table), places(people))
    answer = send(scorer, seats_of(cast.table), sent(people))
    ids = [player.pk for player in people]
    assert answer.status_code == 409
    assert answer.json() == {
        "error": "Inzwischen hat sich am Tisch etwas geändert. Dort sitzen jetzt: Ärmel, Bodo, Çelik, Özlem, Željko.",
        "before": ids,
    }
    assert not Player.objects.filter(name="Horst").exists()
    assert send(scorer, seats_of(cast.table), sent(people, before=ids)).status_code == 200
    assert sitting(cast.table)[-1] == "Horst"


@pytest.mark.parametrize(
    ("changed", "status", "said"),
    [
        ({"key": "x"}, 422, {"key": "Der Schlüssel muss eine UUID sein."}),
        (
            {"before": "1"},
            422,
            {"before": "Bitte die Personen am Tisch als Liste ihrer Nummern angeben, höchstens acht."},
        ),
        ({"people": [True]}, 422, {"people": NAMED}),
        ({"people": [" "]}, 422, {"people": NAMED}),
        ({"people": {}}, 422, {"people": NAMED}),
        ({"more": 1}, 422, {"more": "Das Feld „more“ gibt es nicht. Bitte weglassen."}),
        ({"people": [10**17]}, 409, None),
        ({"people": []}, 409, None),
        ({"people": [*"ABC", "H\u0000"]}, 422, {"people": "Bitte nur sichtbare Zeichen verwenden."}),
        ({"people": [*"ABC", "a"]}, 422, None),
    ],
)
def test_what_a_phone_cannot_seat(
    scorer: Client, cast: Cast, changed: dict[str, Any], status: int, said: dict[str, str] | None
) -> None:
    people, before = club_people(cast, 5), Player.objects.count()
    answer = send(scorer, seats_of(cast.table), sent(people, **changed))
    assert answer.status_code == status, answer.content.decode()
    if said:
        assert answer.json() == {"errors": said}
    assert len(sitting(cast.table)) == 4
    assert Player.objects.count() == before


def test_only_who_scores_seats_by_phone(cast: Cast) -> None:
    people = club_people(cast, 5)
    assert send(seen_by(cast.reader), seats_of(cast.table), sent(people)).status_code == 403
    headers = {"Typed-By": str(cast.admin.pk)}
    assert send(seen_by(cast.scorer), seats_of(cast.table), sent(people), **headers).status_code == 401
    assert len(sitting(cast.table)) == 4


CLOSED = "Der Abend ist abgeschlossen. Was diese Leute gespielt haben, geht an den Verwalter."


def test_whoever_sat_down_before_the_evening_was_closed_plays_late(scorer: Client, cast: Cast) -> None:
    """Nobody sits there for it, and what they played waits for whoever decides."""
    people = club_people(cast, 5)
    ended = [player.name for player in read_records(cast.table).players]
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    answers = [send(scorer, seats_of(cast.table), sent(people)) for _ in range(2)]
    told = answers[0].json()
    assert [answer.status_code for answer in answers] == [202, 200]
    assert (told["late"], told["round"]) == (CLOSED, 0)
    assert (
        answers[1].json()["people"] == told["people"] == [*(p.pk for p in people), Player.objects.get(name="Horst").pk]
    )
    assert [player.name for player in read_records(cast.table).players] == ended
    first = {"key": OTHER_KEY, "round": "0", "kind": "normal", "re": [2, 4], "eyes": 130, "dealer": 0}
    assert send(scorer, games_of(cast.table), entry(cast.game, **first)).status_code == 409, "nobody says who they were"
    named = entry(cast.game, **first, people=told["people"])
    assert [send(scorer, games_of(cast.table), named).status_code for _ in range(2)] == [202, 202]
    second = {**named, "key": str(uuid4()), "after": OTHER_KEY, "re": [2, 5], "dealer": 1}
    assert send(scorer, games_of(cast.table), second).status_code == 202
    entries = list(LateEntry.objects.order_by("arrived_at"))
    assert [list(late.round.seats.values_list("player", flat=True)) for late in entries] == 2 * [told["people"]]
    assert entries[0].round == entries[1].round
    assert len(sitting(cast.table)) == 4
    assert not TableResult.objects.filter(table=cast.table, player__name="Horst").exists()
    for late in entries:
        seen_by(cast.admin).post(reverse("late_enter", args=["karo", cast.table.pk, late.key]))
    games = Game.objects.filter(key__in=[OTHER_KEY, second["key"]]).order_by("position")
    assert [game.facts["re"] for game in games] == [[2, 4], [2, 5]]
    assert TableResult.objects.filter(table=cast.table, player__name="Horst").exists()
    assert check_table(cast.table).findings == []


def test_nobody_of_another_club_is_seated(scorer: Client, cast: Cast) -> None:
    people = club_people(cast, 5)
    stranger = cast.other_table.rounds.get().seats.first().player
    ids = [player.pk for player in people[:4]]
    for changed in ({"people": [*ids, stranger.pk]}, {"before": [*ids[:3], stranger.pk]}):
        answer = send(scorer, seats_of(cast.table), sent(people, **changed))
        assert answer.status_code == 409
        assert answer.json() == {"error": "An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."}
    assert len(sitting(cast.table)) == 4
