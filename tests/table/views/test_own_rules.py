"""The entry by rules with own kinds and special points, without a script: what is asked, what becomes of it, and that nothing
is asked that the rule set does not have."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring.models import Game, Table
from scoring.play.queries import read_sheet
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.pages import unmarked
from tests.table.views.asking import entry, fault, game_at, games_of, page_of, seen_by, send, typed

OWN: dict[str, Any] = {
    "kinds": ["normal", "hochzeit", "damensolo", "nullo", "jungfrau", "kontrahochzeit"],
    "specials": {
        "gans": {"name": "Gans", "points": 1, "most": 3, "most_party": 2},
        "said": {"name": "Klabautermann", "points": 2, "of": "re"},
        "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
        "tuck": {"name": "Tuck", "points": 1, "of": "game", "most": 2},
    },
    "per_kind": {
        "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "re_kontra": None},
        "jungfrau": {"name": "Ramsch", "like": "ramsch", "won": 2},
        "kontrahochzeit": {"name": "Kontrahochzeit", "like": "hochzeit"},
        "damensolo": {"decided": "both"},
    },
}


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def own(cast: Cast) -> Table:
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "vln", "Eigene", **OWN))


def enter(scorer: Client, table: Table, **fields: object) -> Game:
    """The line that somebody without a script puts on the sheet."""
    form = typed(scorer.get(page_of(table)))
    answer = scorer.post(games_of(table), form | fields)
    assert answer.status_code == 302, re.findall(r'class="fault"[^>]*>[^<]+', answer.content.decode())
    return Game.objects.filter(round__table=table).latest("position")


def test_own_special_points_are_typed_on_their_side_only(scorer: Client, own: Table) -> None:
    html = scorer.get(page_of(own)).content.decode()
    names = set(re.findall(r'name="((?:re|kontra|game)_(?!said)[^"]+)"', html))
    assert {"re_special:gans", "kontra_special:gans", "re_special:said", "game_special:hirsch"} <= names
    assert not names & {"kontra_special:said", "re_special:hirsch", "game_special:gans"}
    assert len(re.findall('name="re_special:gans"', html)) == 3, "none, one or two"
    game = enter(
        scorer, own, re=[0, 1], eyes="155", re_said="said",
        **{"re_special:gans": "2", "re_special:said": "1", "game_special:hirsch": "on", "game_special:tuck": "2"},
    )  # fmt: skip
    assert game.facts["re_specials"] == {"gans": 2, "said": 1}
    assert game.facts["game_specials"] == {"hirsch": 1, "tuck": 2}
    standing = typed(scorer.get(game_at(game)))
    assert standing["re_special:gans"] == ["2"] and standing["game_special:tuck"] == ["2"]
    assert "game_special:hirsch" in standing and standing["re_said"] == ["said"]


def test_own_kinds_stand_among_those_they_are_like(scorer: Client, own: Table) -> None:
    partner, solos = scorer.get(page_of(own)).content.decode().split('id="solos"', 1)
    assert "Kontrahochzeit" in partner and "Nullo" not in partner
    labels = re.findall(r"<label.*?</label>", solos.split("</fieldset>", 1)[0], re.S)
    assert {"Nullo", "Ramsch", "Damensolo"} <= {re.sub(r"<[^>]+>", "", label).strip() for label in labels}


def test_a_kind_without_eyes_asks_who_won(scorer: Client, own: Table) -> None:
    form = typed(scorer.get(page_of(own)))
    refused = scorer.post(games_of(own), form | {"kind": "nullo", "re": [0]})
    assert refused.status_code == 422 and fault(refused, "winner")
    game = enter(scorer, own, kind="nullo", re=[0], winner="kontra")
    assert game.facts == {"kind": "nullo", "re": [0], "winner": "kontra"}
    assert typed(scorer.get(game_at(game)))["winner"] == ["kontra"]


def test_a_ramsch_asks_who_lost(scorer: Client, own: Table) -> None:
    game = enter(scorer, own, kind="jungfrau", re=[2], winner="kontra")
    assert game.facts == {"kind": "jungfrau", "re": [2], "winner": "kontra"}
    assert typed(scorer.get(game_at(game)))["winner"] == ["kontra"]


def test_a_ramsch_is_told_by_who_lost_or_took_everything(scorer: Client, own: Table) -> None:
    """On its page, in the history and beside the rules: nobody is Re or Kontra in it."""
    lost = enter(scorer, own, kind="jungfrau", re=[2], winner="kontra")
    took = enter(scorer, own, kind="jungfrau", re=[1], winner="re")
    for game, says in ((lost, "Verloren hat"), (took, "Alles gemacht hat")):
        page = unmarked(scorer.get(game_at(game)).content.decode())
        person = read_sheet(own).records.line_up(game)[game.facts["re"][0]]
        facts = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.split('<dl class="facts', 1)[1].split("</dl>", 1)[0])
        assert (says, str(person)) in facts
        assert not {name for name, _value in facts} & {"Re", "Kontra", "Gewonnen hat"}
        table = page.split('<table class="steps"', 1)[1].split("</table>", 1)[0]
        assert "<td>andere</td>" in table or "<td>einen</td>" in table
        assert ("<td>Verloren</td>" in table, "<td>Gewonnen</td>" in table) == (game is lost, game is took)
        assert "<td>Re</td>" not in table and "<td>Kontra</td>" not in table
    history = strip_tags(scorer.get("/c/karo/history/").content.decode())
    assert "Verloren hat" in history and "Alles gemacht hat" in history and "Gewonnen hat" not in history


def test_eyes_or_a_winner_where_both_may_be(scorer: Client, own: Table) -> None:
    assert enter(scorer, own, kind="damensolo", re=[2], winner="re").facts["winner"] == "re"
    assert "winner" not in enter(scorer, own, kind="damensolo", re=[2], eyes="130").facts


def test_what_a_rule_set_does_not_have_is_not_asked(scorer: Client, cast: Cast) -> None:
    html = scorer.get(page_of(make_table(cast.club))).content.decode()
    assert not re.search(r'name="winner"|name="game_|data-end|data-silent|Ramsch</', html)


def test_the_answer_of_a_script_names_own_kinds(scorer: Client, own: Table) -> None:
    answer = send(scorer, games_of(own), entry(kind="nullo", re=[0], winner="re")).json()
    assert answer["lines"][0]["facts"]["winner"] == "re" and answer["remarks"] == []


# --- What is odd ------------------------------------------------------------------------------------------------------

FOXES = {"re": [0, 1], "eyes": "130", "re_fuchs": "2", "kontra_fuchs_am_ende": "1"}


def test_what_is_odd_is_asked_once_and_then_saved(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, rule_set=make_rule_set(cast.club, "ddv", "Füchse", specials={"fuchs_am_ende": 1}))
    asked = scorer.post(games_of(table), typed(scorer.get(page_of(table))) | FOXES)
    assert asked.status_code == 200 and not Game.objects.filter(round__table=table)
    assert "Mehr als zwei Füchse? Wenn es stimmt" in asked.content.decode()
    again = typed(asked)
    assert (again["re_fuchs"], again["kontra_fuchs_am_ende"], again["re"]) == (["2"], ["1"], ["0", "1"])
    assert scorer.post(games_of(table), again | {"odd": "1"}).status_code == 302
    game = Game.objects.get(round__table=table)
    assert game.facts["re_specials"] == {"fuchs": 2}
    corrected = scorer.post(game_at(game), typed(scorer.get(game_at(game))) | {"eyes": "131"})
    assert "Mehr als zwei Füchse?" in corrected.content.decode(), "a correction says so beside what it changes"


def test_a_script_has_asked_already(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    assert send(scorer, games_of(table), entry(kind="normal", re=[0, 1], eyes=7)).status_code == 201


def test_what_the_club_uses_most_is_asked_first(scorer: Client, cast: Cast, own: Table) -> None:
    def order(table: Table) -> list[tuple[str, str]]:
        html = scorer.get(page_of(table)).content.decode()
        return list(dict.fromkeys(re.findall(r'name="kind" value="(\w+)"|name="(?:re|game)_(?:special:)?(\w+)" value="2"', html)))

    before = order(own)
    after = ""
    for number, kind in enumerate(("nullo", "nullo", "damensolo")):
        key = f"{number}1111111-1111-4111-8111-111111111111"
        sent = entry(after, key=key, kind=kind, re=[0], winner="re", game_specials={"tuck": 2}, kontra_specials={"gans": 1})
        assert send(scorer, games_of(own), sent).status_code == 201
        after = key
    assert order(own) == before, "nothing moves during an evening"
    other = make_table(cast.club, rule_set=own.rule_set)
    kinds = re.findall(r'name="kind" value="(\w+)"', scorer.get(page_of(other)).content.decode())
    assert kinds.index("damensolo") < kinds.index("nullo") < kinds.index("jungfrau"), "kinds keep their places"
    names = [special for _kind, special in order(other)]
    assert names.index("gans") < names.index("fuchs")


def test_what_is_built_in_is_asked_by_its_use_too(scorer: Client, cast: Cast) -> None:
    def order(table: Table) -> list[str]:
        return re.findall(r'name="re_(fuchs|karlchen|doppelkopf)" value="1"', scorer.get(page_of(table)).content.decode())

    before, later = make_table(cast.club), make_table(cast.club)
    assert order(later) == ["fuchs", "karlchen", "doppelkopf"]
    for special in ("doppelkopf", "doppelkopf", "karlchen"):
        add_game(before, re_specials={special: 1})
    assert order(later) == ["doppelkopf", "karlchen", "fuchs"]
