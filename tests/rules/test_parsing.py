"""Test which fields of an entry are refused, in addition to the worked cases, and how valid entries are parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.rules.constants import (
    BANDS,
    FORMS,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    RE_NO_EYES,
    RE_NO_TRICK,
    TIE,
)
from scoring.rules.parsing import (
    GameFacts,
    OtherFacts,
    ShortFacts,
    normalize_facts,
    parse_game,
    parse_line,
)
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.validation import Refused

NORMAL: dict[str, Any] = {"kind": "normal", "re": [0, 1], "eyes": 130}
SHORT: dict[str, Any] = {"winners": [0, 1], "base": 3}
WITH_BOCK = {"base": "ddv", "bock": {"triggers": ["manual"], "cap": 2}}


def settings(rules: Any = "ddv") -> RuleSettings:
    return RuleSettings.from_data(resolve(rules))


def faults(rules: Any = "ddv", **facts: Any) -> list[str]:
    """Return the faulty fields of an entry."""
    try:
        parse_game(facts, settings(rules))
    except Refused as refused:
        assert all(str(sentence).endswith(".") and "%(" not in str(sentence) for sentence in refused.fields.values())
        return sorted(refused.fields)
    return []


# (rules, entry, a field, values of it that are refused under it), in addition to fixtures/cases/refused.jsonl
BAND, SIX, EIGHT = {"kind": "normal", "re": [0, 1]}, NORMAL | {"table": 6}, NORMAL | {"table": 8}
REFUSED: list[tuple[Any, dict[str, Any], str, list[Any]]] = [
    ("ddv", NORMAL, "kind", [["normal"], None]),
    ("ddv", NORMAL | {"eyes": 300}, "kind", ["quatsch"]),
    ("klassisch", NORMAL | {"table": 7, "dealer": 0}, "kind", ["hochzeit"]),
    ("ddv", NORMAL, "table", [True, "4"]),
    ("ddv", NORMAL, "winners", [[0, 1]]),
    ("ddv", NORMAL, "re", [0, [0, True], [0, 1.0], {"0": 1}, "01", [0, -1]]),
    ("klassisch", EIGHT, "re", [[0, 2, 4]]),
    ("klassisch", EIGHT | {"kind": "trumpfsolo"}, "re", [[0, 2, 4, 6]]),
    ("ddv", NORMAL, "out", [[3], None, {}]),
    ("ddv", SIX, "out", [[4, 4]]),
    ("ddv", EIGHT, "out", [[0, 5, 6, 7]]),
    ("klassisch", SIX | {"re": [0, 2, 4]}, "out", [[5]]),
    ("ddv", NORMAL, "dealer", [4, None, True]),
    ("ddv", NORMAL | {"table": 5}, "dealer", [5]),
    ("ddv", NORMAL, "eyes", [None]),
    ("ddv", BAND, "band", [120, ["120"]]),
    ("ddv", NORMAL | {"eyes": 0}, "no_trick", ["keiner", None]),
    ("ddv", NORMAL | {"eyes": 240}, "no_trick", ["re"]),
    ("ddv", BAND | {"band": "1-29"}, "no_trick", ["re"]),
    ("ddv", BAND | {"band": "0"}, "no_trick", ["none"]),
    ("ddv", NORMAL, "re_said", [None]),
    ("ddv", NORMAL, "kontra_said", [["said"]]),
    ("ddv", NORMAL | {"re_said": "said"}, "last_said", ["kontra", None, "beide"]),
    ("ddv", NORMAL, "re_specials", [None, [], {"fuchs": True}, {"fuchs": "1"}, {"schweine": 0}]),
    ("ddv", NORMAL | {"kontra_specials": {"fuchs": 1}}, "re_specials", [{"fuchs": 3}]),
    ("vln", NORMAL, "kontra_specials", [{"karlchen": 1, "fuchs_am_ende": 1}]),
    ("ddv", NORMAL | {"eyes": 240}, "kontra_specials", [{"fuchs": 1}]),
    ("vln", NORMAL | {"eyes": 0}, "re_specials", [{"herzstich": 1}]),
    ("ddv", NORMAL, "duty", [1, None]),
    ("ddv", NORMAL, "starts_bock", [1, None]),
    (WITH_BOCK, NORMAL, "starts_bock", [-1, True, 100]),
    (WITH_BOCK, NORMAL, "bock", [3, -1, True, None]),
    ("ddv", SHORT, "eyes", [300]),
    ("ddv", SHORT, "base", [-1, True, 100_001]),
    ("ddv", SHORT, "solo", [1]),
    ("ddv", SHORT, "winners", [[0], [0, 0], [0, 4]]),
    ("ddv", SHORT | {"solo": True}, "winners", [[0, 1]]),
    ("ddv", SHORT | {"table": 5, "dealer": 1}, "winners", [[0, 1]]),
    ("ddv", SHORT | {"table": 5}, "out", [[1]]),
    ("klassisch", SHORT | {"table": 6}, "winners", [[0, 1]]),
]


@pytest.mark.parametrize(("rules", "entry", "field", "values"), REFUSED, ids=[f"{row[2]}-{row[3]}" for row in REFUSED])
def test_refused_under_one_field(rules: Any, entry: dict[str, Any], field: str, values: list[Any]) -> None:
    for value in values:
        assert faults(rules, **entry | {field: value}) == [field], value


@pytest.mark.parametrize(
    ("rules", "facts", "fields"),
    [
        ("ddv", {"re": [0, 1], "eyes": 130}, ["kind"]),
        ("ddv", NORMAL | {"kind": None, "table": "4"}, ["kind", "table"]),
        ("ddv", NORMAL | {"base": 3, "solo": False}, ["base", "solo"]),
        ("ddv", SHORT | {"re": [0, 1], "duty": False}, ["duty", "re"]),
        ("ddv", {"kind": "normal", "eyes": 130}, ["re"]),
        ("ddv", EIGHT | {"dealer": 0}, ["out"]),
        ("ddv", SHORT | {"table": 5}, ["dealer"]),
        ("ddv", NORMAL | {"eyes": 300, "band": "120"}, ["band", "eyes"]),
        ("klassisch", NORMAL | {"re_said": "said", "kontra_said": "no90"}, ["kontra_said", "re_said"]),
        ("ddv", NORMAL | {"re_specials": {"fuchs": 3}, "kontra_specials": {"fuchs": 3}}, ["kontra_specials", "re_specials"]),
        ("ddv", NORMAL | {"eyes": 241, "re": [0], "re_said": "re", "wind": 3}, ["eyes", "re", "re_said", "wind"]),
        ("ddv", {"base": 3}, ["winners"]),
        ("ddv", {"winners": [0, 1]}, ["base"]),
        ("ddv", {"solo": True}, ["base", "winners"]),
        ("ddv", SHORT | {"starts_bock": 1, "bock": 1}, ["bock", "starts_bock"]),
    ],
)
def test_refused(rules: Any, facts: dict[str, Any], fields: list[str]) -> None:
    assert faults(rules, **facts) == fields


TAKEN: list[tuple[Any, dict[str, Any]]] = [
    ("ddv", NORMAL | {"re": [1, 0], "out": [], "dealer": 3, "duty": False, "starts_bock": 0, "bock": 0}),
    ("ddv", NORMAL | {"table": 5, "out": [4]}),
    ("ddv", NORMAL | {"table": 5, "dealer": 1, "out": [4]}),
    ("ddv", NORMAL | {"table": 8, "out": [7, 6, 5, 4]}),
    ("klassisch", NORMAL | {"table": 6, "re": [5, 1, 3], "out": []}),
    ("klassisch", NORMAL | {"table": 7, "re": [1, 3], "dealer": 0}),
    ("ddv", NORMAL | {"no_trick": "none"}),
    ("ddv", NORMAL | {"eyes": 240, "no_trick": "kontra"}),
    ("ddv", NORMAL | {"eyes": 240, "no_trick": "none", "kontra_specials": {"fuchs": 1}}),
    ("ddv", NORMAL | {"re_specials": {"fuchs": 0, "doppelkopf": 4}, "kontra_specials": {}}),
    ("vln", NORMAL | {"eyes": 120, "re_said": "said", "kontra_said": "no90"}),
    ("ddv", NORMAL | {"eyes": 120, "re_said": "said", "kontra_said": "said"}),
    ("ddv", {"kind": "damensolo", "re": [3], "eyes": 121, "duty": True}),
    (WITH_BOCK, NORMAL | {"starts_bock": 99, "bock": 2}),
    ("ddv", SHORT | {"solo": True, "winners": [2]}),
    ("ddv", SHORT | {"solo": True, "winners": [3, 1, 0], "base": 0}),
    ("klassisch", SHORT | {"table": 6, "winners": [1, 3, 5]}),
    ("klassisch", SHORT | {"table": 8, "solo": True, "winners": [0, 1, 2, 3, 4, 5, 6]}),
]


@pytest.mark.parametrize(("rules", "facts"), TAKEN, ids=[json.dumps(row[1]) for row in TAKEN])
def test_accepted(rules: Any, facts: dict[str, Any]) -> None:
    assert faults(rules, **facts) == []


def test_a_parsed_game_is_complete_and_in_order() -> None:
    game = parse_game(NORMAL | {"table": 5, "dealer": 2, "re": [4, 1], "kontra_said": "no60"}, settings())
    assert isinstance(game, GameFacts)
    assert (game.table, game.dealer, game.out, game.re, game.kontra) == (5, 2, (2,), (1, 4), (0, 3))
    assert (game.re_said, game.kontra_said, game.eyes, game.band, game.solo) == ("none", "no60", 130, "121-150", False)
    solo = parse_game({"kind": "damensolo", "re": [2], "eyes": 0}, settings())
    assert isinstance(solo, GameFacts)
    assert (solo.solo, solo.soloist, solo.band) == (True, 2, "0")


def test_the_table_and_the_dealer_may_be_given_apart_from_the_facts() -> None:
    beside = parse_game(NORMAL, settings().at(5), 4)
    assert beside == parse_game(NORMAL | {"table": 5, "dealer": 4}, settings())
    assert beside.out == (4,)


def test_a_parsed_short_form_is_complete() -> None:
    game = parse_game({"table": 5, "dealer": 0, "winners": [1, 2, 4], "base": 6, "solo": True}, settings())
    assert game == ShortFacts(5, 0, (0,), (1, 2, 4), (3,), 6, True, 0, None)
    assert game.soloist == 3


@pytest.mark.parametrize(
    ("facts", "zone"),
    [
        ({"eyes": 0}, RE_NO_TRICK),
        ({"eyes": 0, "no_trick": "re"}, RE_NO_TRICK),
        ({"eyes": 0, "no_trick": "none"}, RE_NO_EYES),
        ({"eyes": 240}, KONTRA_NO_TRICK),
        ({"eyes": 240, "no_trick": "none"}, KONTRA_NO_EYES),
        ({"eyes": 120, "re_said": "said", "kontra_said": "said", "last_said": "re"}, TIE),
        *(({"band": band}, zone) for band, zone in BANDS.items()),
    ],
)
def test_zones(facts: dict[str, Any], zone: int) -> None:
    game = parse_game({"kind": "normal", "re": [0, 1], **facts}, settings())
    assert isinstance(game, GameFacts)
    assert game.zone == zone
    assert (game.eyes is None) == ("band" in facts)


def test_every_number_of_eyes_has_its_band() -> None:
    for eyes in range(241):
        game = parse_game(NORMAL | {"eyes": eyes}, settings())
        assert isinstance(game, GameFacts)
        first, _dash, last = game.band.partition("-")
        assert int(first) <= eyes <= int(last or first)


# --- Lines that are no game -------------------------------------------------------------------------------------------


def test_the_other_forms() -> None:
    rules = settings()
    penalty = {"points": [-3, 1, 1, 1], "reason": "falsch bedient"}
    assert parse_line("penalty", penalty, rules) == OtherFacts("falsch bedient", points=(-3, 1, 1, 1))
    assert parse_line("correction", penalty, rules) == OtherFacts("falsch bedient", points=(-3, 1, 1, 1))
    assert parse_line("redeal", {"seat": 2, "reason": "fünf Könige"}, rules) == OtherFacts("fünf Könige", seat=2)
    assert isinstance(parse_line("played", NORMAL, rules), GameFacts)
    assert isinstance(parse_line("short", SHORT, rules), ShortFacts)
    assert len(FORMS) == 5


@pytest.mark.parametrize(
    ("form", "facts", "fields"),
    [
        ("penalty", {"points": [1, 2, 3], "reason": "so"}, ["points"]),
        ("penalty", {"points": [1, 2, 3, True], "reason": "so"}, ["points"]),
        ("penalty", {"points": "1234", "reason": 3}, ["points", "reason"]),
        ("correction", {"reason": " ", "kind": "normal"}, ["kind", "points", "reason"]),
        ("redeal", {"seat": 4, "reason": ""}, ["seat"]),
        ("redeal", {"points": [0, 0, 0, 0]}, ["points"]),
        ("strafe", {}, ["form"]),
    ],
)
def test_the_other_forms_refused(form: str, facts: dict[str, Any], fields: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        parse_line(form, facts, settings())
    assert sorted(refused.value.fields) == fields


# --- House rules ------------------------------------------------------------------------------------------------------

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


def without(facts: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key not in fields}


# (rule set, entry, the fields that are refused)
ENTRIES: list[tuple[Any, dict[str, Any], list[str]]] = [
    # the winner in place of eyes
    (HOUSE, RAMSCH, []),
    (HOUSE, NULLO | {"winner": "nobody"}, ["winner"]),
    (HOUSE, without(NULLO, "winner") | {"eyes": 100}, ["eyes", "winner"]),
    (HOUSE, RAMSCH | {"band": "120", "no_trick": "re"}, ["band", "no_trick"]),
    (BOTH, NORMAL, []),
    (BOTH, without(NORMAL, "eyes") | {"winner": "kontra"}, []),
    (BOTH, NORMAL | {"winner": "kontra"}, ["winner"]),
    (BOTH, without(NORMAL, "eyes"), ["eyes"]),
    (BOTH, without(NORMAL, "eyes") | {"winner": "re", "no_trick": "kontra"}, ["no_trick"]),
    (BOTH, without(NORMAL, "eyes") | {"winner": None}, ["winner"]),
    # special points of a party, of one party, of the game
    (HOUSE, NORMAL | {"re_specials": {"gans": 2, "sau": 1}, "game_specials": {"tuck": 4}}, []),
    (HOUSE, NORMAL | {"re_specials": {"tuck": 1}, "game_specials": {"gans": 1}}, ["game_specials", "re_specials"]),
    (HOUSE, NORMAL | {"game_specials": {"tuck": 5}}, ["game_specials"]),
    (HOUSE, NORMAL | {"game_specials": {"tuck": "1"}}, ["game_specials"]),
    (HOUSE, NORMAL | {"eyes": 0, "game_specials": {"tuck": 1}}, []),
    (HOUSE, NORMAL | {"re_specials": {"karlchen": 1}, "kontra_specials": {"fuchs_am_ende": 1}}, ["kontra_specials"]),
    # announcements
    (HOUSE, NORMAL | {"kind": "armut"} | SAID, ["kontra_said", "re_said"]),
    (HOUSE, {"kind": "damensolo", "re": [0], "eyes": 130, "duty": True, "re_said": "said"}, ["re_said"]),
    (HOUSE, {"kind": "damensolo", "re": [0], "eyes": 130, "re_said": "said"}, []),
    (BOTH, NORMAL | SAID, ["last_said"]),
    (BOTH, NORMAL | SAID | {"last_said": "kontra"}, []),
    (COSTS, NORMAL | SAID | {"eyes": 120}, ["last_said"]),
    (COSTS, NORMAL | SAID | {"eyes": 121}, []),
    # Pflichtsolo and kind
    (HOUSE, {"kind": "leise", "re": [0], "eyes": 130, "duty": True}, ["duty"]),
    (HOUSE, RAMSCH | {"duty": True}, ["duty"]),
    (HOUSE, NULLO | {"re": [0, 1]}, ["re"]),
    (HOUSE, NORMAL | {"kind": "bordell"}, ["kind"]),
    # bands that are not exact enough
    (MORE, without(NORMAL, "eyes") | {"band": "90-119"}, ["band"]),
    (MORE, without(NORMAL, "eyes") | {"band": "60-89"}, []),
    (MORE, without(NORMAL, "eyes") | {"band": "30-59"}, ["band"]),
]


@pytest.mark.parametrize(("rules", "facts", "fields"), ENTRIES, ids=[json.dumps(row[1]) for row in ENTRIES])
def test_an_entry_under_house_rules(rules: Any, facts: dict[str, Any], fields: list[str]) -> None:
    assert faults(rules, **facts) == fields


def test_a_ramsch_is_no_solo_and_an_own_kind_is_what_it_is_like() -> None:
    ramsch, nullo = parse_game(RAMSCH, settings(HOUSE)), parse_game(NULLO, settings(HOUSE))
    assert isinstance(ramsch, GameFacts) and isinstance(nullo, GameFacts)
    assert (ramsch.like, ramsch.solo, ramsch.soloist, ramsch.band) == ("ramsch", False, None, None)
    assert (nullo.like, nullo.solo, nullo.soloist) == ("fleischlos", True, 0)


def test_normalized_facts_have_no_default_values() -> None:
    typed = NULLO | {"game_specials": {"tuck": 0}, "re_specials": {"gans": 2, "sau": 0}}
    assert normalize_facts(typed) == NULLO | {"re_specials": {"gans": 2}}
    assert normalize_facts(NORMAL | {"game_specials": {"tuck": 1}}) == NORMAL | {"game_specials": {"tuck": 1}}
