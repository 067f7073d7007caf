"""Bock at the table: how many games are left, which game started them, one by hand in one tap, and what a correction
does to the chain before it is saved."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.models import Table
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.pages import flat
from tests.table.views.asking import entry, game_at, games_of, page_of, seen_by, send, typed

LOST = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "anleitung"))


def by_hand(cast: Cast, **bock: object) -> Table:
    rules = {"triggers": ["manual"], "per_game": "each", **bock}
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "anleitung", "Hand", bock=rules))


def head(client: Client, table: Table) -> str:
    found = re.search(r'data-head="bock"[^>]*>([^<]*)<', flat(client.get(page_of(table))))
    assert found
    return found[1]


def heading(client: Client, game: object) -> str:
    page = client.get(game_at(game)).content.decode()
    found = re.findall(r"<h1.*?</h1>", page, re.S)[:1] + re.findall(r'<span class="bock-sign">.*?</span>', page, re.S)
    return " ".join(re.sub(r"<[^>]*>", "", unescape(" ".join(found))).split())


def test_the_head_says_how_many_are_left_and_who_started_them(scorer: Client, table: Table) -> None:
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient")
    add_game(table)
    assert head(scorer, table) == ""
    add_game(table, **LOST)
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 2"
    add_game(table, **LOST)
    assert head(scorer, table) == "Bock: noch 7: 3 aus Spiel 2, 4 aus Spiel 3", "what is appended comes later"
    for _ in range(3):
        add_game(table)
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 3"


def test_bocks_side_by_side_come_from_several_games(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast, overlap="stack", cap=4)
    add_game(table, starts_bock=1)
    add_game(table, starts_bock=1)
    assert head(scorer, table) == "Bock: noch 4 (×4) aus den Spielen 1, 2"
    game = add_game(table).game
    assert heading(scorer, game) == "Spiel 3 Bock ×4 aus den Spielen 1, 2"


def test_the_page_of_a_game_says_whose_bock_it_is_and_what_it_brings(scorer: Client, table: Table) -> None:
    lost = add_game(table, **LOST).game
    bock = add_game(table).game
    assert heading(scorer, bock) == "Spiel 2 Bock ×2 aus Spiel 1"
    page = unescape(scorer.get(game_at(lost)).content.decode())
    assert "<dt>Bringt</dt><dd>4 Bockspiele</dd>" in page


def test_a_script_is_told_as_well(scorer: Client, table: Table) -> None:
    answer = send(scorer, games_of(table), entry(**LOST)).json()
    following = answer["next"]
    assert (following["bock"], following["bock_from"], following["bock_runs"]) == ([1, 1, 1, 1], [1], [[1, 4]])
    assert following["bock_origin"] == "aus Spiel 1"


def test_a_bock_by_hand_is_one_pill(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast)
    sent = typed(scorer.get(page_of(table))) | {"re": ["0", "1"], "eyes": ["130"]}
    assert sent["starts_bock"] == ["0"]
    assert scorer.post(games_of(table), sent | {"starts_bock": ["1"]}).status_code == 302
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 1"


@pytest.mark.parametrize(("per_game", "standing", "pills"), [("one", 0, "01"), ("one", 3, "013"), ("each", 0, "0123")])
def test_as_many_pills_as_a_game_can_start(
    scorer: Client, cast: Cast, per_game: str, standing: int, pills: str
) -> None:
    game = add_game(by_hand(cast, per_game=per_game), starts_bock=standing).game
    page = scorer.get(game_at(game)).content.decode()
    assert re.findall(r'name="starts_bock" value="(\d)"', page) == list(pills)


def test_the_page_says_that_fewer_bocks_started_than_were_typed(scorer: Client, cast: Cast) -> None:
    game = add_game(by_hand(cast, per_game="one"), starts_bock=2).game
    page = unescape(scorer.get(game_at(game)).content.decode())
    assert "Selbst eingetragen sind 2 Böcke; nach diesen Regeln hat nur einer begonnen." in page


def test_rules_without_it_have_no_such_pill(scorer: Client, table: Table) -> None:
    assert "starts_bock" not in typed(scorer.get(page_of(table)))


def test_more_bocks_than_there_are_pills_survive_a_correction(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast)
    game = add_game(table, starts_bock=7).game
    sent = typed(scorer.get(game_at(game)))
    assert sent["starts_bock"] == ["7"]
    shown = scorer.post(game_at(game), sent | {"eyes": ["160"]})
    assert shown.status_code == 200
    assert scorer.post(game_at(game), typed(shown) | {"confirm": "1"}).status_code == 302
    game.refresh_from_db()
    assert game.facts["starts_bock"] == 7


def test_what_a_correction_does_to_the_chain_is_shown_before(scorer: Client, table: Table) -> None:
    first = add_game(table).game
    for _ in range(5):
        add_game(table)
    sent = typed(scorer.get(game_at(first))) | {"eyes": ["100"], "re_said": ["said"]}
    effects = re.search(r'id="effects".*?</div>', scorer.post(game_at(first), sent).content.decode(), re.S)
    assert effects
    lines = [strip_tags(line) for line in re.findall(r"<li>(.*?)</li>", unescape(effects[0]))]
    assert lines[0] == "Spiel 1: 1 (Re) → 8 (Kontra), bringt 4 Bockspiele"
    assert lines[1:5] == [f"Spiel {n}: 1 → 2 (Bock ×2)" for n in (2, 3, 4, 5)]
    assert not any(line.startswith("Spiel 6") for line in lines)


def test_a_reader_sees_where_bock_came_from(cast: Cast, table: Table) -> None:
    add_game(table, **LOST)
    html = seen_by(cast.reader).get(reverse("table", args=["karo", table.pk])).content.decode()
    assert "aus Spiel 1" in html
