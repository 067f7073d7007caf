"""Test the page of the line-up, tables where the dealer does not decide who plays, and line-ups sent by a phone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Evening, Game, LateEntry, Player, Table, TableResult, Verb
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table
from tests.html import flat
from tests.table.views.asking import (
    KEY,
    OTHER_KEY,
    build_entry,
    by_link,
    find_fault,
    get_form_data,
    get_game_url,
    get_games_url,
    get_table_url,
    send,
)

SEATS = [f"seat_{place}" for place in range(8)]


def seats_of(table: Table, name: str = "seats") -> str:
    return reverse(name, args=["karo", table.pk])


def chosen(html: str) -> list[int]:
    """Return the selected players of the form, in seating order."""
    found = [re.search(rf'<select name="{name}".*?</select>', html, re.S) for name in SEATS]
    picks = [re.search(r'value="(\d+)" selected', place[0]) for place in found if place]
    return [int(pick[1]) for pick in picks if pick]


def places(players: list[Player]) -> dict[str, int]:
    return dict(zip(SEATS, (player.pk for player in players), strict=False))


def sitting(table: Table) -> list[str]:
    return [player.name for player in read_records(table).current]


def club_people(cast: Cast, count: int) -> list[Player]:
    make_table(cast.club, count)
    return list(Player.objects.filter(club=cast.club).order_by("pk"))[:count]


# --- The page -------------------------------------------------------------------------------------------------------


def test_the_page_shows_who_sits_there_and_seats_others(scorer: Client, cast: Cast) -> None:
    assert f'href="{seats_of(cast.table)}"' in scorer.get(get_table_url(cast.table)).content.decode()
    page = scorer.get(seats_of(cast.table)).content.decode()
    assert chosen(page) == [player.pk for player in read_records(cast.table).current]
    people = club_people(cast, 6)
    answer = scorer.post(seats_of(cast.table), places(people), follow=True)
    assert "Ab dem nächsten Spiel sitzen so: Ärmel, Bodo, Çelik, Özlem, Željko, Gisela." in flat(answer)
    scorer.post(seats_of(cast.table), {**places(people), "seat_1": ""})
    seated = ["Ärmel", "Çelik", "Özlem", "Željko", "Gisela"]
    assert sitting(cast.table) == seated
    four = places(people[:4])
    for wrong in ({"seat_3": ""}, {"seat_3": "999999"}, {"seat_3": "x"}, {"seat_3": people[0].pk}):
        page = scorer.post(seats_of(cast.table), {**four, **wrong})
        html = unescape(page.content.decode())
        assert page.status_code == 422
        assert "invalid-feedback" in html or "vier bis acht verschiedene Personen" in html
    assert "Ärmel hat schon einen anderen Sitz." in html
    assert sitting(cast.table) == seated


def test_a_player_at_two_tables_is_warned_about(scorer: Client, cast: Cast) -> None:
    """After a new table, another line-up or a guest: the change is done and the page warns, as long as it is so."""
    people = club_people(cast, 8)
    address = reverse("table_new", args=["karo", cast.table.evening_id])
    fields = {"rule_set": cast.table.rule_set_id, **places([people[3], *people[4:7]])}
    said = flat(scorer.post(address, fields, follow=True))
    assert "Özlem sitzt auch noch an Tisch 1." in said
    second = Table.objects.get(evening=cast.table.evening_id, number=2)
    said = flat(scorer.post(seats_of(second), places([people[3], people[2], *people[4:7]]), follow=True))
    assert "Çelik, Özlem sitzen auch noch an Tisch 1." in said
    said = flat(scorer.post(seats_of(cast.table, "guest"), {"guest": "Gisela"}, follow=True))
    assert "Özlem, Çelik, Gisela sitzen auch noch an Tisch 2." in said
    assert len(sitting(cast.table)) == 5
    said = flat(scorer.post(seats_of(second), places(people[4:8]), follow=True))
    assert "Gisela sitzt auch noch an Tisch 1." in said
    scorer.post(seats_of(cast.table), places(people[:4]))
    assert "auch noch" not in scorer.get(get_table_url(cast.table)).content.decode()


def test_drawing_lots_shows_and_saves_nothing(scorer: Client, cast: Cast) -> None:
    """At a running table, a new evening and a new table."""
    people = club_people(cast, 8)
    before = (Evening.objects.count(), Table.objects.count())
    fields = {**places(people), "draw": "1", "rule_set": cast.table.rule_set_id, "held_on": "2026-04-01"}
    orders = set()
    for address in (
        *[seats_of(cast.table)] * 4,
        reverse("evening_new", args=["karo"]),
        reverse("table_new", args=["karo", cast.table.evening_id]),
    ):
        html = scorer.post(address, fields).content.decode()
        shown = chosen(html) or [int(pk) for pk in re.findall(r'name="seat_\d" value="(\d+)"', html)]
        assert sorted(shown) == sorted(player.pk for player in people)
        assert address != seats_of(cast.table) or "noch nicht gespeichert" in html
        orders.add(tuple(shown))
    assert len(orders) > 1
    assert sitting(cast.table) == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    assert (Evening.objects.count(), Table.objects.count()) == before


def test_known_players_come_and_go_in_one_tap(scorer: Client, cast: Cast) -> None:
    """A tapped player leaves, or another one takes the seat."""
    people = club_people(cast, 6)
    Player.objects.filter(pk=people[5].pk).update(left_on="2026-01-01")
    page = unescape(scorer.get(seats_of(cast.table)).content.decode())
    assert re.findall(r'name="guest" value="([^"]+)"', page) == ["Željko"]
    assert re.findall(r'name="instead" value="([^"]+)"', page) == [str(people[4].pk)]
    assert "Zu viert geht niemand" in page and 'name="leave"' not in page
    said = scorer.post(seats_of(cast.table), {"swap": people[1].pk, "leave": "1"}, follow=True).content.decode()
    assert "vier bis acht verschiedene Personen" in said
    scorer.post(seats_of(cast.table, "guest"), {"guest": "Željko"})
    assert sitting(cast.table) == ["Ärmel", "Bodo", "Çelik", "Özlem", "Željko"]
    assert 'name="leave"' in scorer.get(seats_of(cast.table)).content.decode()
    scorer.post(seats_of(cast.table), {"swap": people[1].pk, "leave": "1"})
    assert sitting(cast.table) == ["Ärmel", "Çelik", "Özlem", "Željko"]
    scorer.post(seats_of(cast.table), {"swap": people[2].pk, "instead": people[1].pk})
    assert sitting(cast.table) == ["Ärmel", "Bodo", "Özlem", "Željko"]


def test_guests_by_name(scorer: Client, cast: Cast) -> None:
    for name in ("", "   ", "x" * 41, "\u202e", "Ärmel"):
        assert scorer.post(seats_of(cast.table, "guest"), {"guest": name}).status_code == 422
    assert sitting(cast.table) == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    answer = scorer.post(seats_of(cast.table, "guest"), {"guest": "Wirt"}, follow=True)
    assert "Wirt sitzt mit am Tisch." in flat(answer)
    assert (sitting(cast.table)[-1], Player.objects.get(name="Wirt").guest) == ("Wirt", True)


def test_two_who_are_tapped_around_the_table_change_places(scorer: Client, cast: Cast) -> None:
    people = read_records(cast.table).current
    page = unescape(scorer.get(seats_of(cast.table)).content.decode())
    ring = re.findall(r'<(input|button)[^>]* name="swap" value="(\d+)"', page)
    assert ring == [(kind, str(player.pk)) for player in people for kind in ("input", "button")]
    answer = scorer.post(seats_of(cast.table), {"swap": [people[3].pk, people[1].pk]}, follow=True)
    assert "Ab dem nächsten Spiel sitzen so: Ärmel, Özlem, Çelik, Bodo." in flat(answer)
    assert sitting(cast.table) == ["Ärmel", "Özlem", "Çelik", "Bodo"]
    scorer.post(seats_of(cast.table), {"swap": [people[0].pk] * 2})


def test_only_seated_players_swap_seats(scorer: Client, cast: Cast) -> None:
    guest, people = str(make_player(cast.club, "Wirt").pk), [str(player.pk) for player in read_records(cast.table).current]
    for pair in (people[:1], [people[0], "x"], people[:3], [people[0], guest], [people[0], "9" * 30]):
        answer = scorer.post(seats_of(cast.table), {"swap": pair}, follow=True)
        assert "Dort sitzen jetzt: Ärmel, Bodo, Çelik, Özlem." in flat(answer)
        assert sitting(cast.table) == ["Ärmel", "Bodo", "Çelik", "Özlem"]


# --- Pages and scripts with an old line-up --------------------------------------------------------------------------


def test_an_old_page_whose_round_was_deleted_clears_the_marked_seats(scorer: Client, cast: Cast) -> None:
    people = club_people(cast, 8)
    scorer.post(seats_of(cast.table), places(people[2:6]))
    sent = get_form_data(scorer.get(get_table_url(cast.table))) | {"re": ["0", "1"], "eyes": ["150"], "note": ["meins"]}
    scorer.post(seats_of(cast.table), places(people[4:]))
    page = scorer.post(get_games_url(cast.table), sent)
    assert page.status_code == 409
    assert "sitzen nicht mehr so am Tisch" in page.content.decode()
    told = send(scorer, get_games_url(cast.table), build_entry(cast.game, round=sent["round"][0], dealer=0, re=[1, 2]))
    assert (told.status_code, "sitzen nicht mehr so am Tisch" in told.json()["error"]) == (409, True)
    again = get_form_data(page)
    assert "re" not in again, "the marked seats belong to other players now"
    assert (again["eyes"], again["note"]) == (["150"], ["meins"])
    assert scorer.post(get_games_url(cast.table), again | {"re": ["0", "1"]}).status_code == 302
    assert read_records(cast.table).line_up(Game.objects.get(key=sent["key"][0])) == people[4:]


def test_a_script_with_an_old_line_up_gets_the_whole_sheet(scorer: Client, cast: Cast) -> None:
    """Or the line to name, if another one stands behind its own."""
    line_up = read_records(cast.table).rounds[-1].pk
    scorer.post(seats_of(cast.table), places(club_people(cast, 5)))
    later = add_game(cast.table, re=[1, 2], dealer=0).game
    sent = build_entry(cast.game, round=line_up, dealer=0, re=[1, 2])
    answer = send(scorer, get_games_url(cast.table), sent)
    told = answer.json()
    assert (answer.status_code, told["keep"], told["next"]["after"]) == (201, 0, str(later.key))
    assert [line["key"] for line in told["lines"]] == [str(cast.game.key), sent["key"], str(later.key)]
    told = send(scorer, get_games_url(cast.table), {**sent, "key": OTHER_KEY}).json()
    assert told["standing"]["key"] == told["after"] == sent["key"]
    assert told["next"]["after"] == str(later.key)
    other_dealer = send(scorer, get_games_url(cast.table), build_entry(later, key=OTHER_KEY, dealer=1, re=[1, 2]))
    assert other_dealer.json()["errors"]["re"].startswith("Bodo setzt aus, weil der Geber feststeht.")
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game, round="x")).status_code == 422


# --- Four of eight players ------------------------------------------------------------------------------------------


def test_at_a_table_of_eight_the_form_asks_who_sits_out(scorer: Client, cast: Cast) -> None:
    for count in (5, 7):
        html = scorer.get(get_table_url(make_table(cast.club, count))).content.decode()
        assert 'name="out"' not in html and 'name="row"' not in html, "it follows from the dealer"
    table = make_table(cast.club, 8)
    sent = get_form_data(scorer.get(get_table_url(table))) | {"re": ["0", "1"], "eyes": ["130"]}
    refused = scorer.post(get_games_url(table), sent | {"out": ["4", "5", "6"]})
    assert refused.status_code == 422
    assert find_fault(refused, "out")
    assert get_form_data(refused)["out"] == ["4", "5", "6"]
    assert scorer.post(get_games_url(table), get_form_data(refused) | {"out": ["4", "5", "6", "7"]}).status_code == 302
    game = read_records(table).last
    assert game.facts["out"] == [4, 5, 6, 7]
    assert get_form_data(scorer.get(get_game_url(game)))["out"] == ["4", "5", "6", "7"]


def test_who_sits_out_and_plays_is_named(scorer: Client, cast: Cast) -> None:
    """As a page and as JSON, for a new game and for a correction."""
    table = make_table(cast.club, 8)
    said = "Bodo setzt aus und spielt zugleich mit. Bitte eins von beidem ändern."
    wrong = {"re": ["0", "1"], "eyes": ["130"], "out": ["1", "4", "5", "6"]}
    assert find_fault(scorer.post(get_games_url(table), get_form_data(scorer.get(get_table_url(table))) | wrong), "out") == said
    game = add_game(table, out=[4, 5, 6, 7]).game
    answer = send(scorer, get_games_url(table), build_entry(game, out=[1, 4, 5, 6]))
    assert answer.json()["errors"]["out"] == said
    assert find_fault(scorer.post(get_game_url(game), get_form_data(scorer.get(get_game_url(game))) | wrong), "out") == said


# --- Six and eight in fixed parties ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "row", "re"), [(6, "0", [0, 2, 4]), (8, "1", [1, 3, 5, 7])])
def test_fixed_parties_are_one_pill(scorer: Client, cast: Cast, count: int, row: str, re: list[int]) -> None:
    table = make_table(cast.club, count, rule_set=make_rule_set(cast.club, "klassisch"))
    page = scorer.get(get_table_url(table))
    assert "Ärmel, Çelik, Željko" in flat(page)
    sent = get_form_data(page) | {"row": [row], "eyes": ["150"]}
    assert scorer.post(get_games_url(table), sent).status_code == 302
    game = read_records(table).last
    assert game.facts["re"] == re
    assert get_form_data(scorer.get(get_game_url(game)))["row"] == [row]
    solo = get_form_data(scorer.get(get_table_url(table)))
    solo |= {"kind": ["trumpfsolo"], "re": ["3"], "row": ["0"], "eyes": ["150"], "out": ["6", "7"] if count == 8 else []}
    if count == 6:
        assert scorer.post(get_games_url(table), solo).status_code == 302
        game = read_records(table).last
        assert game.facts["re"] == [3], "a solo against all others marks one"
        assert "row" not in get_form_data(scorer.get(get_game_url(game)))


def test_the_short_form_knows_the_rows_as_well(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, 6, rule_set=make_rule_set(cast.club, "klassisch"))
    sent = get_form_data(scorer.get(f"{get_table_url(table)}?form=short")) | {"row": ["1"], "base": ["5"]}
    assert scorer.post(get_games_url(table), sent).status_code == 302
    game = read_records(table).last
    assert game.facts["winners"] == [1, 3, 5]
    assert get_form_data(scorer.get(get_game_url(game)))["row"] == ["1"]
    add_game(table, form="short", winners=[0, 1, 2, 3, 4], base=5, solo=True)
    lost = read_records(table).last
    assert get_form_data(scorer.get(get_game_url(lost)))["winners"] == ["0", "1", "2", "3", "4"]


def planned(table: Table) -> str:
    return reverse("planned", args=["karo", table.pk])


def test_the_planned_games_of_a_running_table_change(cast: Cast) -> None:
    scorer = visit(cast.scorer)
    assert planned(cast.table) in scorer.get(seats_of(cast.table)).content.decode()
    for sent, stored, said in (("24", 24, "von 24"), ("", None, "Jetzt ist keine Zahl von Spielen geplant.")):
        page = scorer.post(planned(cast.table), {"planned_games": sent}, follow=True)
        assert Table.objects.get(pk=cast.table.pk).planned_games == stored
        assert said in page.content.decode()
    for wrong in ("0", "201", "viele"):
        assert scorer.post(planned(cast.table), {"planned_games": wrong}).status_code == 422
    changes = Change.objects.filter(verb=Verb.TABLE_PLANNED).order_by("pk")
    values = [(change.before["planned_games"], change.after["planned_games"]) for change in changes]
    assert values == [(None, 24), (24, None)]
    history = scorer.get(reverse("history", args=["karo"])).content.decode()
    assert "Geplante Spiele geändert" in history and "so viele, wie es werden" in history
    close_evening(evening=cast.table.evening, actor=Actor())
    scorer.post(planned(cast.table), {"planned_games": "24"})
    assert Table.objects.get(pk=cast.table.pk).planned_games is None


def test_a_player_leaves_and_it_is_undone(cast: Cast, scorer: Client) -> None:
    """With the button at the table, for users who may seat players; a link undoes lines only."""
    table = make_table(cast.club, 5)
    before, undo = sitting(table), reverse("undo", args=["karo", table.pk])
    link = by_link(table, "Bodo")
    scorer.post(seats_of(table), places(read_records(table).current[1:]))
    left = Change.objects.latest("id")
    button = f'name="change" value="{left.pk}"'
    page = scorer.get(get_table_url(table)).content.decode()
    assert button in page and ">Sitzordnung geändert<" in page
    assert button not in link.get(get_table_url(table)).content.decode()
    assert [client.get(seats_of(table, "state")).json()["undo"] for client in (scorer, link)] == [
        {"change": left.pk, "what": "Sitzordnung geändert"},
        None,
    ]
    refused = link.post(undo, {"change": left.pk}, follow=True).content.decode()
    assert "Das lässt sich nicht mehr rückgängig machen" in refused and sitting(table) == before[1:]
    page = flat(scorer.post(undo, {"change": left.pk}, follow=True))
    assert f"Ab dem nächsten Spiel sitzen so: {', '.join(before)}." in page and sitting(table) == before
    assert 'name="change" value=""' in page


NAMED = "Bitte die Personen am Tisch als Liste angeben, jede mit ihrer Nummer oder ihrem Namen."


def sent(seated: list[Player], **changed: Any) -> dict[str, Any]:
    """Return a request that seats Željko and a new player beside these players."""
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
    page = flat(scorer.get(get_table_url(cast.table)))
    assert "Ab dem nächsten Spiel sitzen so: Ärmel, Bodo, Çelik, Özlem, Željko, Horst." in page
    # Others have sat down since: a retry still returns the first players, and 0 for their deleted round.
    scorer.post(seats_of(cast.table), places(people))
    told = send(scorer, seats_of(cast.table), sent(people)).json()
    assert (told["round"], told["people"][-1]) == (0, horst.pk)
    assert told["seats"] == [player.pk for player in people]


def test_games_of_a_deleted_round_count_for_its_own_players(scorer: Client, cast: Cast) -> None:
    """The answer was lost, and as many others sat down before the phone sent it again."""
    people = club_people(cast, 6)
    ids = [player.pk for player in people]
    five = [*ids[:4], ids[4]]
    send(scorer, seats_of(cast.table), sent(people, people=five))
    scorer.post(seats_of(cast.table), places([*people[:4], people[5]]))
    told = send(scorer, seats_of(cast.table), sent(people, people=five)).json()
    line = {"key": OTHER_KEY, "round": str(told["round"]), "kind": "normal", "re": [2, 3], "eyes": 130}
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game, **line)).status_code == 409
    assert send(scorer, get_games_url(cast.table), build_entry(cast.game, **line, people=told["people"])).status_code == 201
    game = Game.objects.get(key=OTHER_KEY)
    assert [seat.player_id for seat in game.round.seats.order_by("place")] == five
    assert [player.pk for player in read_records(cast.table).current] == [*ids[:4], ids[5]]


def test_others_sat_down_meanwhile(scorer: Client, cast: Cast) -> None:
    """No guest is added for it. If the phone names the present players, they are replaced."""
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


def test_line_ups_of_a_phone_that_are_refused(scorer: Client, cast: Cast) -> None:
    people, before = club_people(cast, 5), Player.objects.count()
    for changed, status, said in (
        ({"key": "x"}, 422, {"key": "Der Schlüssel muss eine UUID sein."}),
        ({"before": "1"}, 422, {"before": "Bitte die Personen am Tisch als Liste ihrer Nummern angeben, höchstens acht."}),
        ({"people": [True]}, 422, {"people": NAMED}),
        ({"people": [" "]}, 422, {"people": NAMED}),
        ({"people": {}}, 422, {"people": NAMED}),
        ({"more": 1}, 422, {"more": "Das Feld „more“ gibt es nicht. Bitte weglassen."}),
        ({"people": [10**17]}, 409, None),
        ({"people": []}, 409, None),
        ({"people": [*"ABC", "H\u0000"]}, 422, {"people": "Bitte nur sichtbare Zeichen verwenden."}),
        ({"people": [*"ABC", "a"]}, 422, None),
    ):
        answer = send(scorer, seats_of(cast.table), sent(people, **changed))
        assert answer.status_code == status, answer.content.decode()
        if said:
            assert answer.json() == {"errors": said}
    stranger, ids = cast.other_table.rounds.get().seats.first().player.pk, [player.pk for player in people[:4]]
    for changed in ({"people": [*ids, stranger]}, {"before": [*ids[:3], stranger]}):
        answer = send(scorer, seats_of(cast.table), sent(people, **changed))
        assert answer.status_code == 409
        assert answer.json() == {"error": "An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."}
    assert send(visit(cast.reader), seats_of(cast.table), sent(people)).status_code == 403
    assert send(scorer, seats_of(cast.table), sent(people), **{"Typed-By": str(cast.admin.pk)}).status_code == 401
    assert (len(sitting(cast.table)), Player.objects.count()) == (4, before)
    told = send(scorer, seats_of(cast.table), sent(people, people=[player.name for player in people[:4]]))
    assert told.json()["round"] == cast.table.rounds.get().pk, "the same line-up needs no new round"
    assert not Change.objects.filter(table=cast.table, verb=Verb.TABLE_SEATED).exists()


CLOSED = "Der Abend ist abgeschlossen. Was diese Leute gespielt haben, geht an den Verwalter."


def test_players_seated_before_closing_get_late_entries(scorer: Client, cast: Cast) -> None:
    """They are not seated, and their games become late entries."""
    people = club_people(cast, 5)
    ended = [player.name for player in read_records(cast.table).players]
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    answers = [send(scorer, seats_of(cast.table), sent(people)) for _ in range(2)]
    told = answers[0].json()
    assert [answer.status_code for answer in answers] == [202, 200]
    assert (told["late"], told["round"]) == (CLOSED, 0)
    seated = [*(player.pk for player in people), Player.objects.get(name="Horst").pk]
    assert answers[1].json()["people"] == told["people"] == seated
    assert [player.name for player in read_records(cast.table).players] == ended
    first = {"key": OTHER_KEY, "round": "0", "kind": "normal", "re": [2, 4], "eyes": 130, "dealer": 0}
    answer = send(scorer, get_games_url(cast.table), build_entry(cast.game, **first))
    assert answer.status_code == 409, "it does not say who they were"
    named = build_entry(cast.game, **first, people=told["people"])
    assert [send(scorer, get_games_url(cast.table), named).status_code for _ in range(2)] == [202, 202]
    second = {**named, "key": str(uuid4()), "after": OTHER_KEY, "re": [2, 5], "dealer": 1}
    assert send(scorer, get_games_url(cast.table), second).status_code == 202
    entries = list(LateEntry.objects.order_by("arrived_at"))
    assert [list(late.round.seats.values_list("player", flat=True)) for late in entries] == 2 * [told["people"]]
    assert entries[0].round == entries[1].round
    assert len(sitting(cast.table)) == 4
    assert not TableResult.objects.filter(table=cast.table, player__name="Horst").exists()
    for late in entries:
        visit(cast.admin).post(reverse("late_enter", args=["karo", cast.table.pk, late.key]))
    games = Game.objects.filter(key__in=[OTHER_KEY, second["key"]]).order_by("position")
    assert [game.facts["re"] for game in games] == [[2, 4], [2, 5]]
    assert TableResult.objects.filter(table=cast.table, player__name="Horst").exists()
    assert check_table(cast.table).findings == []
