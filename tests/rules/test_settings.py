"""Test rule sets: invalid values, presets, and rows by kind. What each setting changes is compared with the reference."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.rules import labels
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
from scoring.rules.settings_schema import BOCK, BOCK_DEFAULTS, DEFAULTS, SETTINGS, validate_settings
from scoring.rules.validation import Refused
from tests.rules.random_games import INVALID_RULES

# --- Invalid values ------------------------------------------------------------------------------------------

WRONG: list[tuple[str, Any]] = [
    ("deck", 32), ("deck", "48"), ("kinds", ["normal", "quatsch"]), ("kinds", ["normal", "normal"]), ("kinds", "normal"),
    ("unit", "euro"), ("kontra_121", "sometimes"), ("kontra_121", {"partner": "always"}), ("tie_120", None),
    ("schwarz_by", "cards"), ("won", -1), ("won", True), ("won", 1.0), ("won", "1"), ("limits", [90, 50]), ("limits", [False]),
    ("limit", None), ("limit_counts", "missed"), ("re_kontra", {"add": 2, "times": 2}), ("re_kontra", {"times": 0}),
    ("re_kontra", 2), ("absage", -1), ("against_absage", "all"), ("nobody_wins", "re"), ("gegen_die_alten", []),
    ("gegen_in", ["hochzeit"]), ("gegen_when", "paid"), ("specials", {"schweine": 1}), ("specials", {"fuchs": -1}),
    ("specials", {"fuchs": [1, 2]}),
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


WRONG_RULES = [*({"base": "ddv", key: value} for key, value in WRONG), *INVALID_RULES]


@pytest.mark.parametrize("rules", WRONG_RULES, ids=lambda rules: json.dumps(rules)[:60])
def test_an_invalid_value_is_refused_under_its_key(rules: dict[str, Any]) -> None:
    found = validate_settings(resolve(rules))
    ((key, sentence),) = ((key, str(fault)) for key, fault in found.items())
    assert f'"{key}": ' in json.dumps(rules)
    assert sentence.endswith(".") and "%(" not in sentence and ": ." not in sentence


def test_the_unit_changes_no_game() -> None:
    settings = rules(unit="cents")
    assert settings.unit == "cents"
    assert outcome(settings) == outcome(rules())


def test_all_faults_of_a_rule_set_are_returned() -> None:
    assert set(validate_settings({**get_preset_data("ddv"), "won": -1, "tie_120": 3})) == {"won", "tie_120"}


@pytest.mark.parametrize("key", sorted(SETTINGS.keys() - DEFAULTS.keys()))
def test_a_missing_setting_is_named(key: str) -> None:
    data = get_preset_data("vln")
    del data[key]
    assert set(validate_settings(data)) == {key}


# --- Presets and house rules ------------------------------------------------------------------------------------------


def test_the_presets_have_every_setting_and_are_valid() -> None:
    assert PRESETS == ("ddv", "ohne_neunen", "anleitung", "vln", "klassisch", "hausrunde")
    for name in PRESETS:
        assert validate_settings(get_preset_data(name)) == {}
        assert set(get_preset_data(name)) == SETTINGS.keys() - DEFAULTS.keys() | {"at"}
        assert list(get_preset_data(name)) == list(get_preset_data("ddv")), "in the same order"
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
    assert set(PLAIN_BOCK) == BOCK.keys() - BOCK_DEFAULTS.keys()


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
    assert validate_settings(resolve({"base": "ddv", "bock": {"triggers": list(labels.TRIGGERS)}})) == {}


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


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("limit", {"91": 1}, "Bitte nur diese Angaben machen: 90, 60, 30, 0."),
        ("absage", {"no91": 1}, "Bitte nur diese Angaben machen: no90, no60, no30, schwarz."),
        ("per_kind", {"solo": {"solo_times": 2}}, "Bitte nur diese Angaben machen: decided, kontra_121, tie_120, schwarz_by, "),
        ("per_kind", {"solo": 2}, "Bitte nur diese Angaben machen: decided, kontra_121, tie_120, schwarz_by, "),
        ("bock", {"moon": 1}, "Bitte nur diese Angaben machen: triggers, per_game, length, overlap, cap, effect, "),
        ("solo_point", {"points": 1}, "Bitte genau diese Angaben machen: points, kinds, when."),
    ],
)
def test_a_sentence_lists_the_possible_keys(key: str, value: Any, says: str) -> None:
    fault = validate_settings(resolve({"base": "ddv", key: value}))[key]
    assert str(fault).startswith(says)


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
