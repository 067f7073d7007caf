"""Test inserting and moving lines, and an odd dealer: as pages and as JSON."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.club.texts import describe_changes as read_history
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Player, Table
from scoring.play.queries import read_records
from scoring.table.actions.games import delete_game, move_game
from scoring.table.actions.seats import change_line_up
from tests.factories import PEOPLE, Cast, add_game, make_player, make_rule_set, make_table
from tests.html import flat, unmarked
from tests.table.views.asking import KEY, build_entry, get_form_data, get_game_url, get_games_url, get_table_url, send

LOST = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}


@pytest.fixture
def games(cast: Cast) -> list[Game]:
    table = make_table(cast.club, rule_set=make_rule_set(cast.club, "anleitung"))
    return [add_game(table).game, add_game(table).game, add_game(table, **LOST).game]


def table_of(games: list[Game]) -> Table:
    return games[0].round.table


def effects(html: str) -> list[str]:
    found = re.search(r'id="effects".*?</div>', unmarked(html), re.S)
    assert found
    return [strip_tags(unescape(line)) for line in re.findall(r"<li>(.*?)</li>", found[0])]


def test_a_forgotten_game_is_previewed_and_inserted(scorer: Client, games: list[Game]) -> None:
    html = scorer.get(get_game_url(games[0])).content.decode()
    offered = [get_game_url(games[0], name) in html for name in ("game_insert", "game_down", "game_up")]
    assert offered == [True, True, False], "it is the first"
    address = get_game_url(games[1], "game_insert")
    page = scorer.get(address)
    assert "Einfügen vor: Spiel 2" in flat(page)
    refused = scorer.post(address, get_form_data(page) | {"re": ["0"], "eyes": ["130"], "note": ["vergessen"]})
    assert (refused.status_code, get_form_data(refused)["note"]) == (422, ["vergessen"])
    sent = get_form_data(page) | {"re": ["0", "1"], "eyes": ["100"], "re_said": ["said"]}
    assert sent["dealer"] == ["1"]
    shown = scorer.post(address, sent)
    said = effects(shown.content.decode())
    assert said[:2] == ["Spiel, neu: Wert 8, bringt 4 Bockspiele", "Spiel 2: bisher 1, jetzt 2 (Bock ×2)"]
    assert said[-1] == "Das sind die bisherigen Nummern: Mit dem neuen Spiel wird aus Spiel 2 Spiel 3 und so weiter."
    assert len(read_records(table_of(games)).games) == 3
    assert "Eingefügt." in flat(scorer.post(address, get_form_data(shown) | {"confirm": "1"}, follow=True))
    assert str(read_records(table_of(games)).games[1].key) == sent["key"][0]
    # The same form again, from a page that was left open.
    scorer.post(address, get_form_data(shown) | {"confirm": "1"})
    assert len(read_records(table_of(games)).games) == 4


def test_each_kind_of_line_can_be_inserted(scorer: Client, games: list[Game]) -> None:
    address = get_game_url(games[0], "game_insert")
    for form, fields, stored in (
        ("short", {"winners": ["0", "1"], "base": ["2"]}, ("short", 2)),
        ("penalty", {"points_0": ["-3"], "reason": ["Verspätet"]}, ("penalty", None)),
        ("correction", {"points_0": ["-3"], "reason": ["Verzählt"]}, ("correction", None)),
        ("redeal", {}, ("redeal", 2)),
        ("x", {"re": ["0", "1"], "eyes": ["130"]}, ("played", 2)),
    ):
        sent = get_form_data(scorer.get(f"{address}?form={form}&dealer=2"))
        assert sent["dealer"] == ["2"]
        assert scorer.post(address, sent | fields | {"confirm": "1"}).status_code == 302
        inserted = Game.objects.get(key=sent["key"][0])
        assert (inserted.form, inserted.dealer) == stored


def test_a_move_is_previewed_and_done(scorer: Client, games: list[Game]) -> None:
    address = get_game_url(games[2], "game_up")
    page = scorer.get(address).content.decode()
    assert "Spiel 2: bisher 1, jetzt 2 (Bock ×2)" in effects(page)
    assert scorer.post(address, {"version": "9"})["Location"] == get_game_url(games[2]), "stale"
    assert scorer.get(get_game_url(games[0], "game_up"))["Location"] == get_game_url(games[0]), "the first"
    version = re.search(r'name="version" value="(\d+)"', page)[1]
    answer = scorer.post(address, {"version": version}, follow=True)
    assert "Verschoben." in answer.content.decode()
    assert [game.key for game in read_records(table_of(games)).games] == [games[n].key for n in (0, 2, 1)]
    undo = re.search(r'name="change" value="(\d+)"', answer.content.decode())
    assert "Spiel 2 verschoben" in answer.content.decode()
    assert Change.objects.get(pk=undo[1]).verb == "game.moved"


def test_a_closed_evening_stays_as_it_is(scorer: Client, games: list[Game]) -> None:
    close_evening(evening=table_of(games).evening, actor=Actor())
    html = scorer.get(get_game_url(games[1])).content.decode()
    assert get_game_url(games[1], "game_insert") not in html
    address = get_game_url(games[1], "game_insert")
    sent = get_form_data(scorer.get(address)) | {"re": ["0", "1"], "eyes": ["100"], "confirm": "1"}
    assert scorer.post(address, sent).status_code == 409
    assert scorer.post(get_game_url(games[2], "game_up"), {"version": "1"}).status_code == 302
    assert [game.key for game in read_records(table_of(games)).games] == [game.key for game in games]


# --- Across a change of line-up -------------------------------------------------------------------------------------


def sit(table: Table, *names: str) -> None:
    """Seat these players from the next game on, in this order."""
    club = table.evening.club
    people = [club.players.filter(name=name).first() or make_player(club, name) for name in names]
    change_line_up(table=table, actor=Actor(), players=people)


@pytest.fixture
def across(games: list[Game]) -> list[Game]:
    """Return three games of four players and one of five."""
    sit(table_of(games), *PEOPLE[:5])
    return [*games, add_game(table_of(games), dealer=3, re=[0, 1]).game]


def message(page: HttpResponse) -> str:
    return unescape(" ".join(re.findall(r'class="alert[^>]*>(.*?)</', page.content.decode(), re.S)))


def test_behind_the_last_line_before_others_sat_down(scorer: Client, across: list[Game]) -> None:
    offered = [get_game_url(game, "game_insert_behind") in scorer.get(get_game_url(game)).content.decode() for game in across]
    assert offered == [False, False, True, False]
    address = get_game_url(across[2], "game_insert_behind")
    page = scorer.get(address)
    assert "Einfügen nach: Spiel 3" in flat(page)
    sent = get_form_data(page) | {"re": ["0", "1"], "eyes": ["130"]}
    assert sent["dealer"] == ["3"], "the dealer behind the third game"
    assert "Željko" not in page.content.decode().split("<form")[1], "Željko joined later"
    shown = scorer.post(address, sent)
    said = effects(shown.content.decode())
    assert said[0] == "Spiel, neu: Wert 2"
    assert "wird aus Spiel 4 Spiel 5" in said[-1]
    assert len(read_records(table_of(across)).games) == 4
    assert scorer.post(address, get_form_data(shown) | {"confirm": "1"}).status_code == 302
    assert [game.key for game in read_records(table_of(across)).games][2::2] == [across[2].key, across[3].key]
    done = send(scorer, address, build_entry(confirm=True))
    told = done.json()
    assert (done.status_code, told["keep"]) == (201, 0), "the line-up changed behind it: the answer has all lines"
    line = next(one for one in told["lines"] if one["key"] == told["key"])
    assert (line["number"], line["dealer"], line["table"]) == (4, 3, 4)


def test_a_move_across_a_change_of_line_up_names_the_players(scorer: Client, across: list[Game]) -> None:
    page = scorer.get(get_game_url(across[2], "game_down")).content.decode()
    assert "Es steht dann bei den Spielen von Ärmel, Bodo, Çelik, Özlem, Željko." in unescape(unmarked(page))
    assert "Es steht dann" not in scorer.get(get_game_url(across[2], "game_up")).content.decode()
    assert scorer.post(get_game_url(across[2], "game_down"), {"version": "1"}).status_code == 302
    moved = Game.objects.get(key=across[2].key)
    assert (moved.round_id, moved.facts["out"]) == (across[3].round_id, [4])
    (moved_to, *_rest) = read_history(Change.objects.filter(verb="game.moved"))
    (found,) = moved_to.differences
    four = "Ärmel, Bodo, Çelik, Özlem"
    assert tuple(found.values()) == ("Am Tisch", four, f"{four}, Željko")


def test_a_move_with_missing_players_is_refused(scorer: Client, games: list[Game]) -> None:
    sit(table_of(games), "Ärmel", "Bodo", "Hatice", "Ivo")
    page = scorer.get(get_game_url(games[2], "game_down"), follow=True)
    assert "Çelik, Özlem sitzen dort nicht am Tisch." in message(page)
    assert page.redirect_chain[-1][0] == get_game_url(games[2])
    page = scorer.post(get_game_url(games[2], "game_down"), {"version": "1"}, follow=True)
    assert "Çelik, Özlem sitzen dort nicht am Tisch." in message(page)
    assert Game.objects.get(key=games[2].key).version == 1


def test_a_correction_typed_for_other_seats_asks_for_the_people_again(scorer: Client, across: list[Game]) -> None:
    """The marked seats belong to other players once the line was moved."""
    sit(table_of(across), "Željko", "Özlem", "Çelik", "Bodo", "Ärmel")
    game = across[3]
    sent = get_form_data(scorer.get(get_game_url(game))) | {"eyes": ["99"], "note": ["knapp"]}
    assert sent["re"] == ["0", "1"]
    move_game(table=table_of(across), actor=Actor(), key=game.key, version=1, up=False)
    page = scorer.post(get_game_url(game), sent | {"confirm": "1"})
    assert page.status_code == 409
    again = get_form_data(page)
    assert again.keys().isdisjoint({"re"})
    assert (again["eyes"], again["note"], again["version"], again["dealer"]) == (["99"], ["knapp"], ["2"], [""])
    marked = again | {"re": ["3", "4"], "confirm": "1"}
    assert scorer.post(get_game_url(game), marked).status_code == 302
    assert Game.objects.get(key=game.key).facts["re"] == [3, 4]


def test_a_correction_keeps_who_sat_out(scorer: Client, across: list[Game]) -> None:
    move_game(table=table_of(across), actor=Actor(), key=across[2].key, version=1, up=False)
    page = scorer.get(get_game_url(across[2]))
    assert "disabled>Željko</label>" in flat(page)
    sent = get_form_data(page) | {"eyes": ["99"], "confirm": "1"}
    assert scorer.post(get_game_url(across[2]), sent).status_code == 302
    assert Game.objects.get(key=across[2].key).facts["out"] == [4]
    page = scorer.get(get_game_url(across[2]) + "?dealer=4")
    sent = get_form_data(page) | {"re": ["0", "1"], "confirm": "1"}
    assert scorer.post(get_game_url(across[2]), sent).status_code == 302
    assert "out" not in Game.objects.get(key=across[2].key).facts, "the dealer sits out"


# --- Requests of a script -------------------------------------------------------------------------------------------


def test_an_insertion_is_shown_done_and_done_once(scorer: Client, games: list[Game]) -> None:
    address = get_game_url(games[1], "game_insert")
    shown = send(scorer, address, build_entry(**LOST))
    assert shown.status_code == 200
    effects = [(effect["value"], effect["bock"]) for effect in shown.json()["effects"]]
    assert effects == [([None, -8], [None, 0]), ([1, 2], [0, 1]), ([-8, -16], [0, 1])]
    assert not Game.objects.filter(key=KEY).exists()
    done = send(scorer, address, build_entry(**LOST, confirm=True))
    assert (done.status_code, done.json()["key"]) == (201, KEY)
    assert (done.json()["keep"], [line["number"] for line in done.json()["lines"]]) == (0, [1, 2, 3, 4])
    again = send(scorer, address, build_entry(**LOST, confirm=True))
    assert (again.status_code, again.json()["change"]) == (200, None)
    other = send(scorer, address, build_entry(confirm=True))
    assert (other.status_code, other.json().keys()) == (422, {"error"})
    assert len(read_records(table_of(games)).games) == 4


@pytest.mark.parametrize("behind", ["", "_behind"])
def test_insertions_that_are_refused(scorer: Client, games: list[Game], behind: str) -> None:
    address = get_game_url(games[1], f"game_insert{behind}")
    refused = send(scorer, address, build_entry(kind="damensolo", re=[0, 1], eyes=300))
    assert refused.status_code == 422
    assert refused.json()["errors"].keys() == {"re", "eyes"}
    assert send(scorer, address, {"confirm": True, **build_entry(), "key": ""}).json()["errors"].keys() == {"key"}
    assert send(scorer, address, ["normal"]).json()["errors"].keys() == {"line"}
    delete_game(table=table_of(games), actor=Actor(), key=games[1].key, version=1)
    for confirm in (True, False):
        gone = send(scorer, address, build_entry(confirm=confirm))
        assert (gone.status_code, gone.json()) == (409, {"error": "Dieses Spiel wurde inzwischen gestrichen."})
    close_evening(evening=table_of(games).evening, actor=Actor())
    closed = send(scorer, get_game_url(games[0], f"game_insert{behind}"), build_entry(confirm=True))
    assert (closed.status_code, closed.json().keys()) == (409, {"error"})
    assert not Game.objects.filter(key=KEY).exists()


def test_a_move_by_script(scorer: Client, games: list[Game]) -> None:
    address = get_game_url(games[2], "game_up")
    shown = send(scorer, address, {"version": 1})
    assert shown.status_code == 200
    assert [effect["value"] for effect in shown.json()["effects"]] == [[1, 2]]
    assert Game.objects.get(key=games[2].key).version == 1
    done = send(scorer, address, {"version": 1, "confirm": True})
    assert done.status_code == 200
    assert [(line["number"], line["version"]) for line in done.json()["lines"]] == [(1, 1), (2, 2), (3, 1)]
    assert done.json()["change"] == Change.objects.latest("id").pk
    form = scorer.post(get_game_url(games[2], "game_down"), {"version": "2"}, headers={"Accept": "application/json"})
    assert (form.status_code, form.json()["key"]) == (200, str(games[2].key))


def test_moves_that_are_refused(scorer: Client, games: list[Game]) -> None:
    address = get_game_url(games[2], "game_up")
    for confirm in (True, False):
        stale = send(scorer, address, {"version": 7, "confirm": confirm})
        assert (stale.status_code, stale.json()["standing"]["version"]) == (409, 1)
        end = send(scorer, get_game_url(games[0], "game_up"), {"version": 1, "confirm": confirm})
        assert (end.status_code, end.json().keys()) == (409, {"error"})
    for body, field in (({"version": "x"}, "version"), ({"version": 1, "eyes": 3}, "eyes"), (["up"], "line")):
        refused = send(scorer, address, body)
        assert (refused.status_code, refused.json()["errors"].keys()) == (422, {field})
    sit(table_of(games), "Ärmel", "Bodo", "Hatice", "Ivo")
    missing = send(scorer, get_game_url(games[2], "game_down"), {"version": 1, "confirm": True})
    assert missing.status_code == 409
    assert "Çelik, Özlem sitzen dort nicht am Tisch." in missing.json()["error"]
    close_evening(evening=table_of(games).evening, actor=Actor())
    assert send(scorer, address, {"version": 1, "confirm": True}).status_code == 409
    delete_game(table=table_of(games), actor=Actor(admin=True), key=games[2].key, version=1)
    assert send(scorer, address, {"version": 1}).status_code == 409


def test_a_move_that_the_other_line_up_refuses(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, rule_set=make_rule_set(cast.club, "klassisch"))
    game = add_game(table, re=[0, 1]).game
    sit(table, *PEOPLE[:6])
    said = message(scorer.get(get_game_url(game, "game_down"), follow=True))
    assert "an jenem Tisch kann diese Zeile so nicht stehen" in said
    assert "die geraden gegen die ungeraden" in said
    for confirm in (True, False):
        refused = send(scorer, get_game_url(game, "game_down"), {"version": 1, "confirm": confirm})
        assert (refused.status_code, refused.json()["errors"].keys()) == (422, {"re", "out"})


# --- An odd dealer --------------------------------------------------------------------------------------------------


SIGN = 'aria-label="gibt außer der Reihe"'


@pytest.fixture
def odd(cast: Cast) -> Game:
    """Return a game that Bodo dealt although it was Ärmel's turn; the deal goes on from Bodo."""
    table = make_table(cast.club, players=[Player.objects.get(club=cast.club, name=name) for name in PEOPLE[:4]])
    game = add_game(table, dealer=1).game
    assert add_game(table).game.dealer == 2
    return game


def test_an_odd_dealer_is_flagged(scorer: Client, odd: Game) -> None:
    table = odd.round.table
    html = unescape(scorer.get(get_table_url(table)).content.decode())
    row = html.split(f'/games/{odd.key}/"')[1].split("</tr>")[0]
    assert SIGN in row
    assert ">G!</span" in row
    assert html.split("<tbody")[1].split("</tbody>")[0].count(SIGN) == 1, "the deal goes on from the real dealer"
    assert "Gegeben hat Bodo; an der Reihe wäre Ärmel gewesen." in unescape(scorer.get(get_game_url(odd)).content.decode())
    paper = unescape(scorer.get(reverse("paper", args=["karo", table.evening_id])).content.decode())
    assert paper.partition("<tbody")[2].count(SIGN) == 1
    assert "G!: gibt außer der Reihe." in paper
    later = Game.objects.filter(round__table=table).exclude(key=odd.key).get()
    assert "an der Reihe wäre" not in scorer.get(get_game_url(later)).content.decode()
    answer = send(scorer, get_games_url(table), build_entry(read_records(table).last, dealer=0)).json()
    assert answer["lines"][0]["turn"] == 3
    assert answer["remarks"] == ["Gegeben hat Ärmel; an der Reihe wäre Özlem gewesen."]
    state = scorer.get(reverse("state", args=["karo", table.pk])).json()
    assert [line.get("turn") for line in state["lines"]] == [0, None, 3]


def test_a_line_without_a_dealer_is_not_flagged(scorer: Client, cast: Cast) -> None:
    """Also if a player on the sheet does not sit at the table any more."""
    sit(cast.table, "Ärmel", "Bodo", "Çelik", "Željko")
    add_game(cast.table, form="penalty", points=[-3, 1, 1, 1], reason="zu spät")
    page = scorer.get(get_game_url(read_records(cast.table).games[-1])).content.decode()
    assert "Geber" not in page.split("<dl")[1].split("</dl>")[0]


def test_another_selected_dealer_is_noted_in_the_head(scorer: Client, cast: Cast) -> None:
    def turn(query: str) -> tuple[str, str]:
        said = r'<span class="quiet" (hidden)?>an der Reihe:<span data-head="turn">(.*?)</span>'
        found = re.search(said, flat(scorer.get(get_table_url(cast.table) + query)))
        return found[1] or "", found[2]

    assert turn("") == ("hidden", "")
    assert turn("?dealer=1") == ("hidden", "")
    assert turn("?dealer=3") == ("", "Bodo")
