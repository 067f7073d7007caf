"""An evening by rules with own special points, a Nullo, a Ramsch, points of the game and a Bock that is filled up: tapped on a
phone, for a part without a net, and counted as the command line counts it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_playwright import CreateContextCallback

from scoring.models import Table
from scoring.play.queries import read_sheet
from scoring.rules.score_lines import LineScorer
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.network import Net
from tests.stories.offline import find_net, soon, stored, visit, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]

OWN: dict[str, Any] = {
    "kinds": ["normal", "hochzeit", "damensolo", "nullo", "jungfrau"],
    "specials": {
        "gans": {"name": "Gans", "points": 1, "most": 2},
        "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
    },
    "per_kind": {
        "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "re_kontra": None},
        "jungfrau": {"name": "Schieberamsch", "like": "ramsch", "won": 2},
    },
    "bock": {"triggers": ["kind:nullo", "special:hirsch"], "overlap": "fill", "cap": 2},
}
GANS: dict[str, Any] = {
    "kind": "normal", "re": [0, 1], "eyes": 155, "re_said": "said", "re_specials": {"gans": 2}, "game_specials": {"hirsch": 1},
}  # fmt: skip
NULLO: dict[str, Any] = {"kind": "nullo", "re": [1], "winner": "kontra"}
RAMSCH: dict[str, Any] = {"kind": "jungfrau", "re": [2], "winner": "kontra"}
PLAIN: dict[str, Any] = {"kind": "normal", "re": [0, 3], "eyes": 130}


@pytest.fixture
def phone(new_context: CreateContextCallback) -> BrowserContext:
    return new_context()


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "vln", "Eigene", **OWN))


def solo(table: TablePage, name: str, seat: int) -> None:
    """Tap an own kind among the solos and who plays it."""
    table.tap(table.page.locator("#solo-button"))
    table.tap(table.pill(table.page.locator("#solos"), name))
    table.tap(table.pill(table.page.locator('[data-pick="re"]'), table.people[seat]))


def play_gans(table: TablePage) -> None:
    table.enter({key: value for key, value in GANS.items() if not key.endswith("_specials")})
    table.chip("Re", "Gans", 2)
    fold = table.unfold("Sonderpunkte")
    table.tap(table.pill(table.group("Sonderpunkte des Spiels", fold), "Hirsch"))


def play_nullo(table: TablePage) -> None:
    solo(table, "Nullo", 1)
    expect(table.page.locator("#eyes")).to_be_hidden()
    expect(table.page.locator("#said")).to_be_hidden()
    expect(table.message).to_contain_text("welche Partei gewonnen hat")
    table.tap(table.pill(table.page.locator("#winner"), "Kontra"))


def play_ramsch(table: TablePage) -> None:
    solo(table, "Schieberamsch", 2)
    expect(table.page.locator("#winner")).to_be_hidden()
    table.tap(table.pill(table.group("Im Ramsch: Wie ging er aus?"), "verloren"))


@pytest.mark.soak
def test_an_evening_by_own_rules(phone: BrowserContext, net: Net, cast: Cast, table: Table) -> None:
    log_in(phone, net.url, cast.scorer)
    opened = visit(phone.new_page(), net.url, table)
    opened.page.set_viewport_size({"width": 360, "height": 740})
    play_gans(opened)
    expect(opened.message).to_contain_text("Gans: +2")
    expect(opened.message).to_contain_text("Hirsch: ×2")
    assert misfits(opened.page, THUMB_AT_THE_TABLE) + barriers(opened.page) == []
    opened.save()
    opened.expect_saved()
    net.cut()
    for play in (play_nullo, play_ramsch):
        play(opened)
        assert misfits(opened.page, THUMB_AT_THE_TABLE) == []
        opened.save()
    opened.enter(PLAIN)
    opened.save()
    expect(waits(opened)).to_have_text("3 warten auf Versand")
    ahead = opened.lines()
    find_net(net, opened.page)
    soon(lambda: [game.facts for game in stored(table)], [GANS, NULLO, RAMSCH, PLAIN])
    expect(waits(opened)).to_be_hidden()
    assert [(line.value, line.bock, line.totals) for line in opened.lines()] == [
        (line.value, line.bock, line.totals) for line in ahead
    ]
    frames = [{"rules": table.rule_set.settings, "table": 4, "dealer": dealer} for dealer in range(4)]
    games = [json.dumps(frame | game) for frame, game in zip(frames, [GANS, NULLO, RAMSCH, PLAIN], strict=True)]
    answers = [*map(json.loads, LineScorer().answers(games))]
    points = [[cell.points for cell in row.cells] for row in read_sheet(table).rows]
    assert points == [answer["points"] for answer in answers]
    assert [line.bock for line in reversed(ahead)] == [answer["bock"] for answer in answers] == [0, 1, 2, 2]


def test_what_is_odd_is_asked_once_without_a_net(phone: BrowserContext, net: Net, cast: Cast, table: Table) -> None:
    log_in(phone, net.url, cast.scorer)
    opened = visit(phone.new_page(), net.url, table)
    net.cut()
    odd = PLAIN | {"eyes": 7}
    opened.enter(odd)
    opened.save()
    expect(opened.message).to_have_text("Keine Verbindung So wenige Augen? Wenn es stimmt, noch einmal tippen.")
    opened.key("eyes", "back")
    opened.key("eyes", "5")
    opened.save()
    expect(opened.message).to_contain_text("Wenn es stimmt")
    expect(waits(opened)).to_be_hidden()
    opened.save()
    expect(waits(opened)).to_have_text("1 wartet auf Versand")
    find_net(net, opened.page)
    soon(lambda: [game.facts["eyes"] for game in stored(table)], [5])
    # The question stands while others enter.
    opened.enter(odd)
    opened.save()
    expect(opened.message).to_have_text("So wenige Augen? Wenn es stimmt, noch einmal tippen.")
    add_game(table, re=[0, 1], eyes=130)
    expect(opened.page.locator("#rows tr")).to_have_count(2)
    expect(opened.message).to_have_text("So wenige Augen? Wenn es stimmt, noch einmal tippen.")
