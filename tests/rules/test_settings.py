"""Test rule sets: a game that each setting changes and one that it does not change, valid and invalid values, presets, and
rows by kind.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.rules.constants import DEFAULTS, TRIGGERS
from scoring.rules.deal import Progress, get_deal
from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import parse_game
from scoring.rules.settings import (
    PLAIN_BOCK,
    PRESETS,
    RuleSettings,
    get_preset,
    get_preset_data,
    get_solo_worth,
    list_idle_triggers,
    resolve,
)
from scoring.rules.settings_schema import BOCK_KEYS, KEYS, validate_settings
from scoring.rules.sheet import Line, fold
from scoring.rules.validation import Refused

Game = dict[str, Any]

NORMAL: Game = {"kind": "normal", "re": [0, 1], "eyes": 130}
LOST: Game = NORMAL | {"eyes": 100}
TIE: Game = NORMAL | {"eyes": 120}
SOLO: Game = {"kind": "damensolo", "re": [0], "eyes": 130}
QUIET: Game = {"kind": "stille_hochzeit", "re": [0], "eyes": 130}
ARMUT: Game = {"kind": "armut", "re": [0, 1], "eyes": 100}
FOX: Game = NORMAL | {"re_specials": {"fuchs": 1}}
DRAW: Game = NORMAL | {"eyes": 136, "re_said": "no90", "kontra_said": "no90"}
ANNOUNCED: Game = NORMAL | {"re_said": "said"}
MISSED: Game = NORMAL | {"eyes": 170, "re_said": "no60"}
BOTH: Game = TIE | {"re_said": "said", "kontra_said": "said"}
FIVE: Game = NORMAL | {"table": 5, "dealer": 4}
SIX: Game = {"table": 6, "dealer": 0, "kind": "normal", "re": [1, 4], "eyes": 130}
STARTS: Game = NORMAL | {"starts_bock": 1}
DUTY: Game = SOLO | {"duty": True}
ONE: Game = {"winners": [0, 1], "base": 4}

MANUAL = {"triggers": ["manual"]}
WITH_BOCK = {"base": "ddv", "bock": MANUAL}

# (setting, rule set, its other value, games it changes, games it must not change). Several games in one list are one
# evening.
SETTINGS: list[tuple[str, Any, Any, list[Game], list[Game]]] = [
    ("deck", "ddv", 40, [NORMAL | {"eyes": 0, "no_trick": "none"}], [NORMAL | {"eyes": 0}]),
    ("kinds", "ddv", ["normal"], [SOLO], [NORMAL]),
    ("kontra_121", "ddv", "never", [TIE | {"kontra_said": "said"}], [TIE]),
    ("kontra_121", "ddv", "kontra_said", [BOTH], [TIE]),
    ("kontra_121", "ddv", "always", [TIE], [TIE | {"kontra_said": "said"}]),
    ("kontra_121", "ddv", "kontra_last", [BOTH | {"last_said": "kontra"}], [BOTH | {"last_said": "re"}]),
    ("kontra_121", "ddv", {"partner": "always", "solo": "only_kontra"}, [TIE], [SOLO | {"eyes": 120}]),
    ("tie_120", "ddv", "nobody", [TIE | {"kontra_said": "said"}], [TIE]),
    ("tie_120", "ddv", "kontra", [TIE | {"kontra_said": "said"}], [TIE]),
    ("schwarz_by", "ddv", "eyes", [NORMAL | {"eyes": 240, "no_trick": "none"}], [NORMAL | {"eyes": 240}]),
    ("won", "ddv", 2, [NORMAL], [DRAW]),
    ("limits", "ddv", [60, 0], [NORMAL | {"eyes": 160}], [NORMAL]),
    ("limit", "ddv", 2, [NORMAL | {"eyes": 160}], [NORMAL]),
    ("limit_counts", "ddv", "reached_or_missed", [MISSED], [NORMAL | {"eyes": 190, "re_said": "no60"}]),
    ("re_kontra", "ddv", {"add": 3}, [ANNOUNCED], [NORMAL]),
    ("re_kontra", "ddv", {"times": 2}, [ANNOUNCED], [NORMAL]),
    ("re_kontra", "ddv", None, [ANNOUNCED], [NORMAL]),
    ("absage", "ddv", 2, [MISSED], [ANNOUNCED]),
    ("against_absage", "ddv", "highest", [LOST | {"re_said": "no60"}], [NORMAL | {"re_said": "no90", "eyes": 115}]),
    ("against_absage", "ddv", "off", [LOST | {"re_said": "no60"}], [LOST | {"re_said": "said"}]),
    ("nobody_wins", "ddv", "zero", [DRAW | {"re_specials": {"fuchs": 1}}], [NORMAL]),
    ("gegen_die_alten", "ddv", 2, [LOST], [NORMAL]),
    ("gegen_in", "ohne_neunen", ["partner", "armut"], [ARMUT], [LOST]),
    ("gegen_in", "ddv", ["partner", "solo"], [SOLO | {"eyes": 100}], [SOLO]),
    ("gegen_in", "ddv", [], [LOST], [NORMAL]),
    ("gegen_when", "anleitung", "after", [LOST | {"kontra_said": "said"}], [NORMAL]),
    ("gegen_when", WITH_BOCK | {"re_kontra": {"times": 2}}, "bock_only", [LOST | {"kontra_said": "said"}], [LOST]),
    ("specials", "ddv", {"fuchs": 2}, [FOX], [NORMAL | {"re_specials": {"doppelkopf": 1}}]),
    ("specials_when", "anleitung", "after", [FOX | {"re_said": "said"}], [FOX]),
    ("specials_when", "anleitung", "bock_only", [FOX | {"re_said": "said"}], [FOX]),
    ("specials_when", "ddv", "paid", [FOX], [NORMAL]),
    ("specials_in_solo", "ddv", "all", [SOLO | {"re_specials": {"fuchs": 1}}], [FOX]),
    ("specials_in_solo", "ddv", "by_kind", [SOLO | {"re_specials": {"doppelkopf": 1}}], [SOLO | {"re_specials": {"fuchs": 1}}]),
    ("solo_point", "ddv", {"points": 1, "kinds": ["damensolo"], "when": "before"}, [SOLO], [QUIET]),
    ("solo_point", "vln", 0, [SOLO], [QUIET]),
    ("lost_announcement", "ddv", {"times": 2, "when": "ansage"}, [LOST | {"re_said": "said"}], [LOST]),
    ("lost_announcement", "ddv", {"times": 3, "when": "absage"}, [MISSED], [LOST | {"re_said": "said"}]),
    ("lost_announcement", "ddv", {"times": 2, "when": "re"}, [LOST | {"re_said": "said"}], [NORMAL | {"kontra_said": "said"}]),
    ("lost_announcement", "anleitung", None, [MISSED], [ANNOUNCED]),
    ("solo_times", "ddv", 2, [SOLO], [NORMAL]),
    ("soloist_share", "ddv", 1, [SOLO], [NORMAL]),
    ("soloist_share", {"base": "ddv", "sitter": "kontra"}, "opponents", [SOLO | {"table": 5, "dealer": 4}], [SOLO]),
    ("negative", "ddv", "zero", [NORMAL | {"kontra_specials": {"fuchs": 2}}], [NORMAL | {"kontra_specials": {"fuchs": 1}}]),
    ("counting", "ddv", "winners", [NORMAL], [NORMAL | {"kontra_specials": {"fuchs": 1}}]),
    ("counting", "ddv", {"partner": "plus_minus", "solo": "losers"}, [SOLO], [NORMAL]),
    ("sitter", "ddv", "winners", [FIVE], [NORMAL]),
    ("sitter", "ddv", "kontra", [FIVE], [NORMAL]),
    ("special_payer", "klassisch", "players", [FOX], [NORMAL]),
    ("deal_stays", "ddv", [], [DUTY | {"dealer": 1}], [SOLO | {"dealer": 1}]),
    ("deal_stays", "ddv", ["lustsolo", "duty_solo"], [SOLO | {"dealer": 1}], [QUIET | {"dealer": 1}]),
    ("seating", "ddv", {"6": [1, 2, 3, 4]}, [SIX], [SIX | {"table": 7, "re": [1, 5]}]),
    ("duty_solo", "ddv", None, [DUTY], [SOLO | {"dealer": 1}]),
    ("bock", "ddv", {**MANUAL, "length": 1}, [STARTS], [NORMAL]),
    ("bock", "anleitung", None, [ANNOUNCED | {"eyes": 100}, NORMAL], [NORMAL]),
    ("at", "ddv", {"5": {"won": 2}}, [FIVE], [NORMAL]),
]  # fmt: skip

# The same for the keys of `bock`, each based on ddv with a Bock started by hand.
BOCK: list[tuple[str, dict[str, Any], Any, list[Game], list[Game]]] = [
    ("triggers", MANUAL, [*MANUAL["triggers"], "tie_120"], [TIE, NORMAL], [STARTS, NORMAL]),
    ("per_game", MANUAL, "each", [STARTS | {"starts_bock": 2}], [STARTS]),
    ("length", MANUAL, 1, [STARTS, NORMAL, NORMAL], [NORMAL]),
    ("length", MANUAL, "deal", [STARTS, DUTY], [STARTS, SOLO]),
    ("overlap", MANUAL, "stack", [STARTS, STARTS, NORMAL], [STARTS, NORMAL]),
    ("overlap", MANUAL, "extend", [STARTS, STARTS], [STARTS, NORMAL]),
    ("overlap", MANUAL, "ignore", [STARTS, STARTS], [STARTS, NORMAL]),
    ("cap", {**MANUAL, "overlap": "stack"}, 1, [STARTS, STARTS, NORMAL], [STARTS, NORMAL]),
    ("effect", MANUAL, "game", [STARTS, FOX], [STARTS, NORMAL]),
    ("effect", MANUAL, {"add": 3}, [STARTS, NORMAL], [STARTS]),
    ("duty_solo_uses", MANUAL, False, [STARTS, DUTY], [STARTS, SOLO]),
]
# These do not change the worth of a game; they have tests of their own below.
APART = {"unit", "carry"}


def results(rules: Any, games: list[Game]) -> list[Any]:
    """Return everything that follows from these games at the start of an evening: faulty fields, or worth, Bock and deal."""
    settings = RuleSettings.from_data(resolve(rules))
    found: list[Any] = []
    lines: list[Line] = []
    for game in games:
        facts = {key: value for key, value in game.items() if key not in ("table", "dealer")}
        form = "short" if "base" in game else "played"
        lines.append(Line(form, game.get("table", 4), game.get("dealer"), facts))
    try:
        sheet = fold(lines, settings)
    except Refused as refused:
        return [sorted(refused.fields)]
    progress = Progress()
    for line, played in zip(lines, sheet, strict=True):
        at_table = settings.at(line.table)
        deal = get_deal(line.form, played.facts, line.dealer, at_table)
        progress = progress.add_deal(deal, line.table) if deal else progress
        found.append(
            (played.outcome, played.level, played.bock_started, played.chain.list_levels(at_table), progress.dealer)
        )
        found.append(progress.list_owing(at_table))
    return found


def over(rules: Any, **change: Any) -> dict[str, Any]:
    return {**(rules if isinstance(rules, dict) else {"base": rules}), **change}


def with_bock(bock: dict[str, Any]) -> dict[str, Any]:
    return {"base": "ddv", "bock": bock}


@pytest.mark.parametrize(
    ("key", "rules", "value", "changes", "stays"),
    SETTINGS,
    ids=[f"{row[0]}-{json.dumps(row[2])}" for row in SETTINGS],
)
def test_a_setting_changes_one_game_and_leaves_another(
    key: str, rules: Any, value: Any, changes: list[Game], stays: list[Game]
) -> None:
    changed = over(rules, **{key: value})
    if key != "duty_solo":  # who owes a Pflichtsolo changes with every game
        assert results(rules, stays) == results(changed, stays)
    else:
        assert results(rules, stays)[0] == results(changed, stays)[0]
    assert results(rules, changes) != results(changed, changes)


@pytest.mark.parametrize(
    ("key", "bock", "value", "changes", "stays"), BOCK, ids=[f"{row[0]}-{json.dumps(row[2])}" for row in BOCK]
)
def test_a_key_of_bock_changes_one_evening_and_leaves_another(
    key: str, bock: dict[str, Any], value: Any, changes: list[Game], stays: list[Game]
) -> None:
    changed = {**bock, key: value}
    assert results(with_bock(bock), changes) != results(with_bock(changed), changes)
    if key == "length":  # how many games are open differs, but not what they make of this one
        assert [row[:2] for row in results(with_bock(bock), stays)[::2]] == [
            row[:2] for row in results(with_bock(changed), stays)[::2]
        ]
    else:
        assert results(with_bock(bock), stays) == results(with_bock(changed), stays)


def test_every_setting_has_a_game_that_it_changes() -> None:
    assert {row[0] for row in SETTINGS} | APART >= {*KEYS, "at"}
    assert {row[0] for row in BOCK} | APART >= set(BOCK_KEYS)


@pytest.mark.parametrize("game", [NORMAL, LOST, SOLO, FOX, ONE, FIVE])
def test_the_unit_changes_no_game(game: Game) -> None:
    assert results("ddv", [game]) == results(over("ddv", unit="cents"), [game])
    assert RuleSettings.from_data(resolve(over("ddv", unit="cents"))).unit == "cents"


def test_carry_is_about_the_next_evening_only() -> None:
    games = [STARTS, NORMAL]
    assert results(with_bock(MANUAL), games) == results(with_bock({**MANUAL, "carry": True}), games)
    assert not get_preset("anleitung").carry


# --- Invalid values ------------------------------------------------------------------------------------------

WRONG: list[tuple[str, Any]] = [
    ("deck", 32), ("deck", "48"), ("kinds", ["normal", "quatsch"]), ("kinds", ["normal", "normal"]), ("kinds", "normal"),
    ("unit", "euro"), ("kontra_121", "sometimes"), ("kontra_121", {"partner": "always"}), ("tie_120", None),
    ("schwarz_by", "cards"), ("won", -1), ("won", True), ("won", 1.0), ("won", "1"), ("limits", [90, 50]), ("limits", [False]),
    ("limit", None), ("limit_counts", "missed"), ("re_kontra", {"add": 2, "times": 2}), ("re_kontra", {"times": 0}),
    ("re_kontra", 2), ("absage", -1), ("against_absage", "all"), ("nobody_wins", "re"), ("gegen_die_alten", []),
    ("gegen_in", ["hochzeit"]), ("gegen_when", "paid"), ("specials", {"schweine": 1}), ("specials", {"fuchs": -1}),
    ("specials_when", "never"), ("specials_in_solo", "some"), ("solo_point", 1), ("solo_point", {"points": 1}),
    ("solo_point", {"points": 1, "kinds": ["normal"], "when": "after"}), ("lost_announcement", {"times": 2}),
    ("solo_times", 4), ("soloist_share", 4), ("soloist_share", "all"), ("negative", "drop"), ("counting", {"solo": "winners"}),
    ("sitter", "dealer"), ("special_payer", "bank"), ("deal_stays", ["solo"]), ("seating", {"6": [1, 2, 4]}),
    ("seating", {"6": [1, 2, 4, 6]}), ("seating", {"5": [1, 2, 3, 4]}), ("seating", {"7": [0, 1, 2, 3, 4, 5, 6]}),
    ("seating", None), ("duty_solo", {"rounds": 0}), ("duty_solo", 5), ("bock", {"triggers": ["moon"]}), ("bock", {"cap": 0}),
    ("bock", {"cap": 17}), ("bock", {"length": 0}), ("bock", {"overlap": "add"}), ("bock", {"effect": {"times": 2}}),
    ("bock", {"per_game": 2}), ("bock", {"duty_solo_uses": 1}), ("bock", {"carry": None}), ("bock", {"moon": 1}), ("bock", 1),
    ("at", {"9": {}}), ("at", {"6": {"won": -1}}), ("at", {"6": {"moon": 1}}), ("at", []), ("moon", 1),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), WRONG, ids=[f"{key}-{json.dumps(value)}" for key, value in WRONG])
def test_an_invalid_value_is_refused_under_its_key(key: str, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        RuleSettings.from_data(resolve({"base": "ddv", key: value}))
    assert set(refused.value.fields) == {key}
    sentence = str(refused.value.fields[key])
    assert sentence.endswith(".") and "%(" not in sentence


def test_all_faults_of_a_rule_set_are_returned() -> None:
    assert set(validate_settings({**get_preset_data("ddv"), "won": -1, "tie_120": 3})) == {"won", "tie_120"}


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_setting_is_named(key: str) -> None:
    data = get_preset_data("vln")
    del data[key]
    assert set(validate_settings(data)) == {key}


# --- Presets and house rules ------------------------------------------------------------------------------------------


def test_the_presets_have_every_setting_and_are_valid() -> None:
    assert PRESETS == ("ddv", "ohne_neunen", "anleitung", "vln", "klassisch", "hausrunde")
    for name in PRESETS:
        assert validate_settings(get_preset_data(name)) == {}
        assert tuple(get_preset_data(name)) == (*KEYS, "at")
        assert "redeal" in get_preset_data(name)["deal_stays"]


def test_a_copy_of_a_preset_changes_nothing_in_the_preset() -> None:
    get_preset_data("ddv")["specials"]["fuchs"] = 7
    assert get_preset_data("ddv")["specials"]["fuchs"] == 1


def test_bock_specials_and_seating_are_merged_and_everything_else_is_replaced() -> None:
    rules = resolve(
        {
            "base": "anleitung",
            "bock": {"cap": 3},
            "specials": {"fuchs": 2},
            "seating": {"6": [0, 1, 2, 3]},
            "limits": [90],
        }
    )
    base = get_preset_data("anleitung")
    assert rules["bock"] == {**base["bock"], "cap": 3}
    assert rules["specials"] == {**base["specials"], "fuchs": 2}
    assert rules["seating"] == {**base["seating"], "6": [0, 1, 2, 3]}
    assert rules["limits"] == [90]


def test_bock_based_on_none_starts_plain_and_none_removes_it() -> None:
    assert resolve({"base": "ddv", "bock": {"triggers": ["schwarz"]}})["bock"] == {
        **PLAIN_BOCK,
        "triggers": ["schwarz"],
    }
    assert resolve({"base": "anleitung", "bock": None})["bock"] is None
    assert set(PLAIN_BOCK) == set(BOCK_KEYS)


@pytest.mark.parametrize("rules", ["wüst", None, 3, [], {"base": "wüst"}, {"base": ["ddv"]}])
def test_unknown_rules_are_refused(rules: Any) -> None:
    with pytest.raises(Refused) as refused:
        RuleSettings.from_data(resolve(rules))
    assert set(refused.value.fields) == {"rules"}


def test_complete_data_is_not_merged() -> None:
    data = {**get_preset_data("ddv"), "won": 3}
    assert resolve(data) == data
    assert RuleSettings.from_data(data).won == 3


def test_a_rule_set_is_one_object_per_table_and_untouched_by_its_data() -> None:
    data = get_preset_data("klassisch")
    rules = RuleSettings.from_data(data)
    data["won"] = 99
    assert rules.at(6) is rules.at(6).at(4).at(6)
    assert rules.at(8).won == 5
    assert (rules.at(4).deck, rules.at(8).deck) == (48, 64)
    with pytest.raises(KeyError):
        rules.at(9)


def test_every_trigger_is_valid() -> None:
    assert validate_settings(resolve({"base": "ddv", "bock": {"triggers": list(TRIGGERS)}})) == {}


def test_a_setting_overrides_the_exceptions_of_its_base() -> None:
    """The preset klassisch has an exception for six and eight, which a club's setting overrides."""
    game = {"kind": "normal", "re": [0, 2, 4], "eyes": 120}

    preset = RuleSettings.from_data(resolve("klassisch")).at(6)
    own = RuleSettings.from_data(resolve({"base": "klassisch", "kontra_121": "never"})).at(6)

    assert score(parse_game(game, preset), preset).winner is None
    assert score(parse_game(game, own), own).winner == "kontra"


NULLO = {"name": "Nullo", "like": "fleischlos"}
OWN = {"name": "Gans", "points": 1}


def faults(**settings: Any) -> set[str]:
    return set(validate_settings(resolve({"base": "ddv", **settings})))


def rules(base: str = "ddv", **settings: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": base, **settings}))


def outcome(settings: RuleSettings, level: int = 0, **facts: Any) -> Worth:
    game = {"kind": "normal", "re": [0, 1], "eyes": 130} | facts
    if "winner" in facts:
        del game["eyes"]
    return score(parse_game(game, settings), settings, level)


# (setting, a valid value, an invalid value)
VALUES: list[tuple[str, Any, Any]] = [
    ("decided", "both", "cards"),
    ("won_at_120", False, 0),
    ("re_limit_more", 1, 2),
    ("re_limit_more", 0, True),
    ("against", 10_000, 10_001),
    ("missed_absage", "costs", "pays"),
    ("cowardice", {"levels": 5, "then": "nobody"}, {"levels": 6, "then": "loses"}),
    ("cowardice", {"levels": 2, "then": 0}, {"levels": 2, "then": -1}),
    ("lost_times", 9, 0),
    ("highest", 1_000_000, 0),
    ("text", "", "x" * 4001),
    ("text", "Zeile\nZeile", "\x00"),
    ("kontra_121", "unless_re", "unless_kontra"),
    ("limit_counts", "reached_and_missed", "missed"),
    ("sitter", "re", "dealer"),
    ("limit", {"times": 4}, {"times": 5}),
    ("limit", {"90": 5}, {}),
    ("limit", {"0": 0}, {"50": 1}),
    ("absage", {"no60": 2}, {"said": 1}),
    ("absage", {"times": 1}, {"times": 0}),
    ("re_kontra", {"re": {"add": 1}, "kontra": {"times": 2}}, {"re": {"add": 1}}),
    ("re_kontra", {"won": {"add": 1}, "lost": {"add": 0}}, {"won": {"add": 1}, "kontra": {"add": 1}}),
    ("re_kontra", {"first": {"times": 2}, "answer": {"times": 9}}, {"first": {"times": 2}, "answer": None}),
    ("specials", {"gans": OWN}, {"gans": 1}),
    ("specials", {"gans": OWN | {"most": 9, "most_party": 9}}, {"gans": OWN | {"most_party": 2}}),
    ("specials", {"gans": OWN | {"points": [1] * 9}}, {"gans": OWN | {"points": [1] * 10}}),
    ("specials", {"gans": OWN | {"points": {"times": 1}}}, {"gans": OWN | {"points": {"add": 1}}}),
    ("specials", {"gans": OWN | {"of": "game"}}, {"gans": OWN | {"of": "winner"}}),
    ("specials", {"gans": OWN | {"kinds": ["duty"]}}, {"gans": OWN | {"kinds": []}}),
    ("specials", {"gans": OWN | {"name": "x" * 40}}, {"gans": OWN | {"name": " "}}),
    ("specials", {"g" * 30: OWN}, {"g" * 31: OWN}),
    ("specials", {"g_1": OWN}, {"1g": OWN}),
    ("specials", {"fuchs": {"points": 2, "name": "Juckel"}}, {"fuchs": {"points": 2, "name": " "}}),
    ("specials", {f"g{n}": OWN for n in range(24)}, {f"g{n}": OWN for n in range(25)}),
    ("per_kind", {"solo": {"times": 9}}, {"solo": {"solo_times": 2}}),
    ("per_kind", {"duty": {"in_bock": "keeps"}}, {"duty": {"in_bock": "uses"}}),
    ("per_kind", {"armut": {"kontra_121": "always"}}, {"armut": {"kontra_121": {"partner": "always", "solo": "never"}}}),
    ("per_kind", {"partner": {"re_kontra": None}}, {"partner": {"text": "so"}}),
    ("per_kind", {"nullo": NULLO}, {"nullo": {"like": "fleischlos"}}),
    ("per_kind", {"nullo": NULLO | {"like": "ramsch"}}, {"nullo": NULLO | {"like": "solo"}}),
    ("per_kind", {"solo": {}}, {"solo": {"name": "Solo"}}),
    ("per_kind", {"n_1": NULLO}, {"Nullo": NULLO}),
    ("at", {"5": {"per_kind": {"solo": {"won": 2}}, "highest": 9}}, {"5": {"text": "so"}}),
    ("bock", {"factor": "linear"}, {"factor": 5}),
    ("bock", {"drawn": "plain"}, {"drawn": "doubled "}),
    ("bock", {"overlap": "fill"}, {"overlap": "full"}),
    ("bock", {"triggers": ["special:fuchs", "kind:quiet"]}, {"triggers": ["special:herzstich"]}),
    ("bock", {"triggers": ["redeal", "herzstich"]}, {"triggers": ["kind:nullo"]}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "can", "cannot"), VALUES, ids=[f"{row[0]}-{json.dumps(row[2])[:60]}" for row in VALUES])
def test_valid_and_invalid_values_of_later_settings(key: str, can: Any, cannot: Any) -> None:
    assert faults(**{key: can}) == set()
    assert faults(**{key: cannot}) == {key}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("limit", {"91": 1}, "Bitte nur diese Angaben machen: 90, 60, 30, 0."),
        ("absage", {"no91": 1}, "Bitte nur diese Angaben machen: no90, no60, no30, schwarz."),
        ("per_kind", {"solo": {"solo_times": 2}}, "Bitte nur diese Angaben machen: kontra_121, tie_120, schwarz_by, won, "),
        ("per_kind", {"solo": 2}, "Bitte nur diese Angaben machen: kontra_121, tie_120, schwarz_by, won, "),
        ("bock", {"moon": 1}, "Bitte nur diese Angaben machen: triggers, per_game, length, overlap, cap, effect, "),
        ("solo_point", {"points": 1}, "Bitte genau diese Angaben machen: points, kinds, when."),
    ],
)
def test_a_sentence_lists_the_possible_keys(key: str, value: Any, says: str) -> None:
    fault = validate_settings(resolve({"base": "ddv", key: value}))[key]
    assert str(fault).startswith(says)


@pytest.mark.parametrize(("key", "cannot"), [(key, cannot) for key, _can, cannot in VALUES])
def test_no_sentence_has_an_empty_list(key: str, cannot: Any) -> None:
    sentence = str(validate_settings(resolve({"base": "ddv", key: cannot}))[key])
    assert sentence.endswith(".") and ": ." not in sentence


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("kinds", {"kinds": ["normal", "nullo"]}),
        ("kinds", {"at": {"5": {"kinds": ["normal", "nullo"]}}}),
        ("kinds", {"kinds": ["normal", "nullo"], "per_kind": {"nullo": NULLO}, "at": {"5": {"per_kind": {}}}}),
        ("specials", {"specials": {"fuchs": {"points": 1, "kinds": ["nullo"]}}}),
        ("solo_point", {"solo_point": {"points": 1, "kinds": ["normal"], "when": "before"}}),
        ("per_kind", {"per_kind": {"solo": {"solo_point": {"points": 1, "kinds": ["nullo"], "when": "after"}}}}),
        ("bock", {"specials": {"gans": OWN}, "bock": PLAIN_BOCK | {"triggers": ["special:gans"]}, "at": {"5": {"specials": {}}}}),
    ],
)
def test_named_kinds_and_special_points_must_exist_at_every_table(key: str, settings: dict[str, Any]) -> None:
    assert set(validate_settings({**resolve("ddv"), **settings})) == {key}


def test_a_row_may_never_hold_and_an_own_kind_may_be_named_everywhere() -> None:
    assert faults(per_kind={"nullo": NULLO, "armut": {"won": 2}}) == set()
    point = {"points": 1, "kinds": ["nullo"], "when": "before"}
    named = {"kinds": ["normal", "nullo"], "per_kind": {"nullo": NULLO}, "solo_point": point}
    assert faults(**named, bock={"triggers": ["kind:nullo"]}, specials={"gans": OWN | {"kinds": ["nullo"]}}) == set()


def test_a_rule_set_keeps_exactly_its_keys() -> None:
    for data in (resolve("ddv"), resolve({"base": "anleitung", "bock": {"cap": 2}, "highest": 9})):
        assert RuleSettings.from_data(data).data == data
    assert not DEFAULTS.keys() & resolve("ddv").keys()


def test_a_setting_holds_at_every_table_and_per_kind_is_replaced() -> None:
    own = rules("klassisch", at={"6": {"per_kind": {"solo": {"won": 7}}}}, per_kind={"partner": {"won": 9}})
    assert own.at(6).settings_for("partner").won == 9 and own.at(6).settings_for("solo").won == 5
    specials = resolve({"base": "vln", "specials": {"fuchs": {"points": 2, "most": 1}}})["specials"]
    assert specials["fuchs"] == {"points": 2, "most": 1} and specials["karlchen"] == 1


def test_the_words_of_a_game_and_the_row_on_top() -> None:
    settings = rules(
        kinds=["normal", "armut", "stille_hochzeit", "damensolo", "bordell", "r"],
        per_kind={
            "bordell": {"name": "Bordell", "like": "damensolo"},
            "r": {"name": "R", "like": "ramsch"},
            "solo": {"won": 2, "limit": 2},
            "duty": {"limit": 5},
        },
    )
    assert settings.get_words("bordell", True) == ("solo", "announced", "damensolo", "bordell", "duty")
    assert settings.get_words("stille_hochzeit") == ("solo", "quiet", "stille_hochzeit")
    assert settings.get_words("armut") == ("partner", "armut")
    assert settings.get_words("r") == ("ramsch", "r")
    top = settings.settings_for(*settings.get_words("bordell", True))
    assert (top.won, top.limit_points["90"]) == (2, 5)
    assert settings.settings_for("solo", "damensolo") is settings.settings_for("solo", "quiet")


def test_games_without_rows_share_their_cases_across_kinds_and_tables() -> None:
    settings = rules(per_kind={"damensolo": {"won": 3}})
    assert settings.settings_for("partner", "normal") is settings.at(5).settings_for("partner", "hochzeit")
    assert settings.settings_for("solo", "damensolo") is settings.at(5).settings_for("damensolo")


@pytest.mark.parametrize(
    ("settings", "worth"),
    [
        ({}, (3, 1, False)),
        ({"solo_times": 2}, (6, 2, True)),
        ({"solo_times": 3, "soloist_share": 1}, (3, 3, False)),
        ({"solo_times": 2, "per_kind": {"solo": {"times": 1}}}, (3, 1, False)),
        ({"soloist_share": "opponents", "solo_times": 2}, (6, 2, True)),
    ],
)
def test_solo_worth(settings: dict[str, Any], worth: tuple[int, int, bool]) -> None:
    assert get_solo_worth(rules(**settings)) == worth
    won = outcome(rules(**settings), kind="damensolo", re=[0]).points
    assert (won[0], -won[1]) == worth[:2]


def test_idle_triggers() -> None:
    old = rules("anleitung", bock={"triggers": ["herzstich", "lost_solo"]})
    assert list_idle_triggers(old) == ["herzstich"]
    assert list_idle_triggers(rules("vln", bock={"triggers": ["herzstich"]})) == []
    assert list_idle_triggers(get_preset("hausrunde")) == []
