"""The house rules as settings: what each new key can hold, what a rule set may name, how rows lie over each other, and
that each changes one game and leaves another.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.rules.constants import DEFAULTS
from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import parse_game
from scoring.rules.settings import (
    PLAIN_BOCK,
    RuleSettings,
    SoloWorth,
    get_preset,
    get_solo_worth,
    list_idle_triggers,
    resolve,
)
from scoring.rules.settings_schema import validate_settings

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


# (setting, a value it can have, a value it cannot)
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
def test_what_a_new_setting_can_hold(key: str, can: Any, cannot: Any) -> None:
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
def test_what_cannot_stand_there_is_refused_with_what_can(key: str, value: Any, says: str) -> None:
    fault = validate_settings(resolve({"base": "ddv", key: value}))[key]
    assert str(fault).startswith(says)


@pytest.mark.parametrize(("key", "cannot"), [(key, cannot) for key, _can, cannot in VALUES])
def test_no_refusal_lists_nothing(key: str, cannot: Any) -> None:
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
def test_what_a_rule_set_names_it_has_to_have_at_every_table(key: str, settings: dict[str, Any]) -> None:
    assert set(validate_settings({**resolve("ddv"), **settings})) == {key}


def test_a_row_that_never_holds_is_no_fault_and_an_own_kind_may_be_named_everywhere() -> None:
    assert faults(per_kind={"nullo": NULLO, "armut": {"won": 2}}) == set()
    point = {"points": 1, "kinds": ["nullo"], "when": "before"}
    named = {"kinds": ["normal", "nullo"], "per_kind": {"nullo": NULLO}, "solo_point": point}
    assert faults(**named, bock={"triggers": ["kind:nullo"]}, specials={"gans": OWN | {"kinds": ["nullo"]}}) == set()


def test_a_rule_set_keeps_exactly_its_keys() -> None:
    for data in (resolve("ddv"), resolve({"base": "anleitung", "bock": {"cap": 2}, "highest": 9})):
        assert RuleSettings.from_data(data).data == data
    assert not DEFAULTS.keys() & resolve("ddv").keys()


def test_what_somebody_sets_counts_at_every_table_and_per_kind_is_replaced() -> None:
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
        ({}, SoloWorth(3, 1, False)),
        ({"solo_times": 2}, SoloWorth(6, 2, True)),
        ({"solo_times": 3, "soloist_share": 1}, SoloWorth(3, 3, False)),
        ({"solo_times": 2, "per_kind": {"solo": {"times": 1}}}, SoloWorth(3, 1, False)),
        ({"soloist_share": "opponents", "solo_times": 2}, SoloWorth(6, 2, True)),
    ],
)
def test_what_a_won_solo_worth_one_brings(settings: dict[str, Any], worth: SoloWorth) -> None:
    assert get_solo_worth(rules(**settings)) == worth
    won = outcome(rules(**settings), kind="damensolo", re=[0]).points
    assert (won[0], -won[1]) == worth[:2]


def test_a_trigger_of_a_special_point_that_cannot_be_entered_is_named() -> None:
    old = rules("anleitung", bock={"triggers": ["herzstich", "lost_solo"]})
    assert list_idle_triggers(old) == ["herzstich"]
    assert list_idle_triggers(rules("vln", bock={"triggers": ["herzstich"]})) == []
    assert list_idle_triggers(get_preset("hausrunde")) == []
