"""The facts of house rules: which new entries are refused under which field, how they are kept, what is odd about an entry,
and a redeal on the command line.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.rules.parsing import GameFacts, normalize_facts, parse_game
from scoring.rules.score_lines import LineScorer
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import find_oddities
from scoring.rules.validation import Refused

NORMAL: dict[str, Any] = {"kind": "normal", "re": [0, 1], "eyes": 130}
RAMSCH = {"kind": "r", "re": [2], "winner": "kontra"}
NULLO = {"kind": "nullo", "re": [0], "winner": "re"}
HOUSE = {
    "base": "ddv",
    "kinds": ["normal", "armut", "damensolo", "stille_hochzeit", "nullo", "r", "leise"],
    "specials": {
        "gans": {"name": "Gans", "points": 1, "most": 3, "most_party": 2},
        "sau": {"name": "Sau", "points": 1, "of": "re"},
        "tuck": {"name": "Tuck", "points": 1, "most": 4, "of": "game"},
        "karlchen": 1,
        "fuchs_am_ende": 1,
    },
    "per_kind": {
        "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand"},
        "r": {"name": "Ramsch", "like": "ramsch", "decided": "eyes", "re_kontra": {"add": 1}},
        "leise": {"name": "Leise", "like": "stille_hochzeit"},
        "armut": {"decided": "both", "re_kontra": None},
        "duty": {"re_kontra": None},
    },
}
BOTH = {"base": "ddv", "decided": "both", "re_kontra": {"first": {"add": 2}, "answer": {"add": 1}}}
MORE = {"base": "ddv", "re_limit_more": 1, "limits": [90, 30]}
SAID = {"re_said": "said", "kontra_said": "no90"}
COSTS = {"base": "vln", "missed_absage": "costs"}


def settings(rules: Any = HOUSE) -> RuleSettings:
    return RuleSettings.from_data(resolve(rules))


def faults(rules: Any, facts: dict[str, Any]) -> list[str]:
    try:
        parse_game(facts, settings(rules))
    except Refused as refused:
        assert all(str(sentence).endswith(".") and "%(" not in str(sentence) for sentence in refused.fields.values())
        return sorted(refused.fields)
    return []


def without(facts: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key not in fields}


# (rule set, entry, the fields that are refused)
ENTRIES: list[tuple[Any, dict[str, Any], list[str]]] = [
    # the winner in place of eyes
    (HOUSE, NULLO, []),
    (HOUSE, RAMSCH, []),
    (HOUSE, NULLO | {"winner": "nobody"}, ["winner"]),
    (HOUSE, without(NULLO, "winner"), ["winner"]),
    (HOUSE, without(NULLO, "winner") | {"eyes": 100}, ["eyes", "winner"]),
    (HOUSE, RAMSCH | {"band": "120", "no_trick": "re"}, ["band", "no_trick"]),
    (HOUSE, NORMAL | {"winner": "re"}, ["winner"]),
    (BOTH, NORMAL, []),
    (BOTH, without(NORMAL, "eyes") | {"winner": "kontra"}, []),
    (BOTH, NORMAL | {"winner": "kontra"}, ["winner"]),
    (BOTH, without(NORMAL, "eyes"), ["eyes"]),
    (BOTH, without(NORMAL, "eyes") | {"winner": "re", "no_trick": "kontra"}, ["no_trick"]),
    (BOTH, without(NORMAL, "eyes") | {"winner": None}, ["winner"]),
    # special points of a party, of one party, of the game
    (HOUSE, NORMAL | {"re_specials": {"gans": 2, "sau": 1}, "game_specials": {"tuck": 4}}, []),
    (HOUSE, NORMAL | {"re_specials": {"gans": 3}}, ["re_specials"]),
    (HOUSE, NORMAL | {"re_specials": {"gans": 2}, "kontra_specials": {"gans": 2}}, ["kontra_specials"]),
    (HOUSE, NORMAL | {"kontra_specials": {"sau": 1}}, ["kontra_specials"]),
    (HOUSE, NORMAL | {"re_specials": {"tuck": 1}, "game_specials": {"gans": 1}}, ["game_specials", "re_specials"]),
    (HOUSE, NORMAL | {"game_specials": {"tuck": 5}}, ["game_specials"]),
    (HOUSE, NORMAL | {"game_specials": {"tuck": "1"}}, ["game_specials"]),
    (HOUSE, NORMAL | {"game_specials": []}, ["game_specials"]),
    (HOUSE, NORMAL | {"eyes": 0, "game_specials": {"tuck": 1}}, []),
    (HOUSE, NORMAL | {"re_specials": {"karlchen": 1}, "kontra_specials": {"fuchs_am_ende": 1}}, ["kontra_specials"]),
    # announcements
    (HOUSE, RAMSCH | SAID, ["kontra_said", "re_said"]),
    (HOUSE, NORMAL | {"kind": "armut"} | SAID, ["kontra_said", "re_said"]),
    (HOUSE, {"kind": "damensolo", "re": [0], "eyes": 130, "duty": True, "re_said": "said"}, ["re_said"]),
    (HOUSE, {"kind": "damensolo", "re": [0], "eyes": 130, "re_said": "said"}, []),
    (BOTH, NORMAL | SAID, ["last_said"]),
    (BOTH, NORMAL | SAID | {"last_said": "kontra"}, []),
    (COSTS, NORMAL | SAID | {"eyes": 120}, ["last_said"]),
    (COSTS, NORMAL | SAID | {"eyes": 121}, []),
    # Pflichtsolo and kind
    (HOUSE, NULLO | {"duty": True}, []),
    (HOUSE, {"kind": "leise", "re": [0], "eyes": 130, "duty": True}, ["duty"]),
    (HOUSE, RAMSCH | {"duty": True}, ["duty"]),
    (HOUSE, NULLO | {"re": [0, 1]}, ["re"]),
    (HOUSE, NORMAL | {"kind": "bordell"}, ["kind"]),
    ("ddv", NORMAL | {"kind": "nullo"}, ["kind"]),
    # bands that do not decide
    (MORE, without(NORMAL, "eyes") | {"band": "90-119"}, ["band"]),
    (MORE, without(NORMAL, "eyes") | {"band": "60-89"}, []),
    (MORE, without(NORMAL, "eyes") | {"band": "30-59"}, ["band"]),
]


@pytest.mark.parametrize(("rules", "facts", "fields"), ENTRIES, ids=[json.dumps(row[1]) for row in ENTRIES])
def test_an_entry_under_house_rules(rules: Any, facts: dict[str, Any], fields: list[str]) -> None:
    assert faults(rules, facts) == fields


def test_a_ramsch_is_no_solo_and_an_own_kind_is_what_it_is_like() -> None:
    ramsch, nullo = parse_game(RAMSCH, settings()), parse_game(NULLO, settings())
    assert isinstance(ramsch, GameFacts) and isinstance(nullo, GameFacts)
    assert (ramsch.like, ramsch.solo, ramsch.soloist, ramsch.band) == ("ramsch", False, None, None)
    assert (nullo.like, nullo.solo, nullo.soloist) == ("fleischlos", True, 0)


def test_facts_are_kept_without_what_says_nothing() -> None:
    typed = NULLO | {"game_specials": {"tuck": 0}, "re_specials": {"gans": 2, "sau": 0}}
    assert normalize_facts(typed) == NULLO | {"re_specials": {"gans": 2}}
    assert normalize_facts(NORMAL | {"game_specials": {"tuck": 1}}) == NORMAL | {"game_specials": {"tuck": 1}}


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        ({"re_specials": {"fuchs": 2, "fuchs_am_ende": 1}}, ["foxes"]),
        ({"re_specials": {"fuchs": 1, "fuchs_am_ende": 1}}, []),
        ({"re_specials": {"fuchs_am_ende": 1, "fuchs_am_ende_gefangen": 2}}, ["foxes"]),
        ({"re_specials": {"karlchen": 1, "karlchen_gefangen": 2}}, ["karlchen"]),
        ({"re_specials": {"karlchen": 1}, "kontra_specials": {"karlchen_gefangen": 1}}, ["last_trick"]),
        ({"re_specials": {"doppelkopf": 1}, "eyes": 39}, ["doppelkopf"]),
        ({"re_specials": {"doppelkopf": 1}, "eyes": 40}, []),
        ({"re_specials": {"doppelkopf": 1}, "eyes": None, "band": "1-29"}, ["doppelkopf"]),
        ({"kontra_specials": {"doppelkopf": 3}, "eyes": None, "band": "121-150"}, ["doppelkopf"]),
        ({"eyes": 7}, ["eyes"]),
        ({"eyes": 233}, ["eyes"]),
        ({"eyes": 8}, []),
        ({"eyes": None, "band": "1-29"}, []),
        ({"eyes": 89, "re_said": "no90"}, ["sides"]),
        ({"eyes": 89, "re_said": "no90", "kontra_said": "no90"}, []),
        ({"eyes": 90, "re_said": "no90"}, []),
        ({"eyes": 240, "kontra_said": "schwarz"}, ["sides"]),
        ({"eyes": 239, "kontra_said": "schwarz"}, ["eyes"]),
    ],
)
def test_what_is_odd_about_an_entry(facts: dict[str, Any], codes: list[str]) -> None:
    rules = settings("vln")
    typed = {key: value for key, value in (NORMAL | facts).items() if value is not None}
    assert find_oddities(parse_game(typed, rules), rules) == codes


SOLO = {"kind": "damensolo", "re": [2], "eyes": 130}


@pytest.mark.parametrize(
    ("rules", "facts", "owing", "codes"),
    [
        ("ddv", SOLO, [0, 2], ["free_solo"]),
        ("ddv", SOLO, [0, 1], []),
        ("ddv", SOLO, None, []),
        ("ddv", SOLO | {"duty": True}, [0, 2], []),
        ("ddv", SOLO | {"duty": True}, [0, 1], ["second_duty"]),
        ("ddv", SOLO | {"duty": True}, None, []),
        ("ddv", SOLO | {"kind": "stille_hochzeit"}, [0, 2], []),
        ("ddv", NORMAL, [0, 1, 2, 3], []),
        # No tournament: a Pflichtsolo passes the deal on as any other game does.
        ({"base": "ddv", "deal_stays": ["redeal"]}, SOLO, [0, 2], []),
        ({"base": "ddv", "deal_stays": ["redeal"]}, SOLO | {"duty": True}, [0, 1], ["second_duty"]),
        ("vln", SOLO, [], []),
    ],
)
def test_a_solo_is_odd_by_who_owes_a_pflichtsolo(
    rules: Any, facts: dict[str, Any], owing: list[int] | None, codes: list[str]
) -> None:
    compiled = RuleSettings.from_data(resolve(rules))
    assert find_oddities(parse_game(facts, compiled), compiled, owing) == codes


def test_with_nines_a_party_may_have_two_eyes() -> None:
    rules = settings("ddv")
    assert find_oddities(parse_game(NORMAL | {"eyes": 2}, rules), rules) == []
    assert find_oddities(parse_game(NORMAL | {"eyes": 1}, rules), rules) == ["eyes"]
    assert find_oddities(parse_game({"winners": [0, 1], "base": 2}, rules), rules) == []


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ({"redeal": True, "table": 5, "dealer": 2}, []),
        ({"redeal": 1}, ["redeal"]),
        ({"redeal": True, "kind": "normal", "eyes": 3}, ["eyes", "kind"]),
        ({"redeal": True, "dealer": 4}, ["dealer"]),
        ({"redeal": True, "rules": "skat"}, ["rules"]),
    ],
)
def test_a_redeal_on_the_command_line(line: dict[str, Any], fields: list[str]) -> None:
    rules = {"base": "anleitung", "bock": {"triggers": ["redeal"]}}
    (answer,) = map(json.loads, LineScorer().answers([json.dumps({"rules": rules, **line})]))
    assert sorted(answer.get("error", {})) == fields
    if not fields:
        assert (answer["value"], answer["points"], answer["bock"], answer["bock_started"]) == (0, [0] * 5, 0, 5)
