"""Test the scoring by hand: the documents' table of goals, and games that rule sets score with different steps."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.steps import fold_steps


@cache
def compiled(rules: str) -> RuleSettings:
    """Return a rule set from JSON."""
    return RuleSettings.from_data(resolve(json.loads(rules)))


def outcome(rules: Any = "ddv", level: int = 0, **facts: Any) -> Worth:
    settings = compiled(json.dumps(rules))
    facts = {"kind": "normal", "re": [0, 1], "eyes": 130} | facts
    if "band" in facts:
        del facts["eyes"]
    return score(parse_game(facts, settings), settings, level)


def steps(result: Worth) -> list[dict[str, Any]]:
    return [dict(step.data) for step in result.steps]


ABSAGEN = {"no90": 90, "no60": 60, "no30": 30}
# (Re said, Kontra said) -> (Re wins from, Kontra wins from in Kontra's eyes), the table of document mathematiker.
GOALS = [
    *((re, "none", 121, 120) for re in ("none", "said")),
    ("said", "said", 121, 120),
    ("none", "said", 120, 121),
    *((re, level, eyes, 241 - eyes) for re in ("none", "said") for level, eyes in ABSAGEN.items()),
    *((level, kontra, 241 - eyes, eyes) for kontra in ("none", "said") for level, eyes in ABSAGEN.items()),
    *((re, kontra, 241 - ABSAGEN[re], 241 - ABSAGEN[kontra]) for re in ABSAGEN for kontra in ABSAGEN),
]


@pytest.mark.parametrize(("re_said", "kontra_said", "re_from", "kontra_from"), GOALS)
@pytest.mark.parametrize("rules", ["ddv", "ohne_neunen"])
@pytest.mark.parametrize("kind", ["normal", "damensolo"])
def test_the_table_of_goals(
    rules: str, kind: str, re_said: str, kontra_said: str, re_from: int, kontra_from: int
) -> None:
    for eyes in range(241):
        expected = "re" if eyes >= re_from else "kontra" if 240 - eyes >= kontra_from else None
        game = {"kind": kind, "re": [0, 1] if kind == "normal" else [0], "eyes": eyes}
        assert outcome(rules, **game, re_said=re_said, kontra_said=kontra_said).winner == expected, eyes


@pytest.mark.parametrize("other", ["none", "said"])
@pytest.mark.parametrize(
    ("eyes", "no_trick", "winner"),
    [(240, "kontra", "re"), (240, "none", "kontra"), (239, None, "kontra"), (121, None, "kontra"), (0, "re", "kontra")],
)
def test_schwarz_announced_by_re_wants_all_tricks(other: str, eyes: int, no_trick: str | None, winner: str) -> None:
    trick = {"no_trick": no_trick} if no_trick else {}
    assert outcome(eyes=eyes, re_said="schwarz", kontra_said=other, **trick).winner == winner


@pytest.mark.parametrize(
    ("eyes", "no_trick", "winner"),
    [(0, "re", "kontra"), (0, "none", "re"), (1, None, "re"), (240, "kontra", "re")],
)
def test_schwarz_announced_by_kontra_is_broken_by_one_trick(eyes: int, no_trick: str | None, winner: str) -> None:
    trick = {"no_trick": no_trick} if no_trick else {}
    assert outcome(eyes=eyes, kontra_said="schwarz", **trick).winner == winner


def test_after_two_missed_absagen_limits_count_for_both_parties() -> None:
    for eyes in range(90, 151):
        result = outcome(eyes=eyes, re_said="no90", kontra_said="no90")
        assert (result.winner, result.winners) == (None, ())


def test_the_steps_come_in_the_order_of_the_pipeline() -> None:
    result = outcome(
        {"base": "anleitung", "bock": {"effect": "all"}}, 1, eyes=170, re_said="no60", re_specials={"fuchs": 1}
    )
    assert [step.code for step in result.steps] == [
        "won", "under_90", "under_60", "re_no90", "re_no60", "gegen_die_alten", "fuchs", "re_said",
        "lost_announcement", "bock",
    ]  # fmt: skip


def test_a_count_of_special_points_is_one_step() -> None:
    result = outcome("vln", eyes=130, re_specials={"fuchs": 2})
    assert {"code": "fuchs", "party": "re", "add": 2} in steps(result)


def test_bock_at_level_two_is_one_step_times_four() -> None:
    assert steps(outcome("anleitung", 2))[-1] == {"code": "bock", "times": 4}


def test_lines_set_to_after_stand_behind_bock_and_bock_only_lines_before_it() -> None:
    bock = {"triggers": []}
    after = outcome({"base": "vln", "bock": bock}, 1, re_said="said", re_specials={"fuchs": 1})
    only = outcome(
        {"base": "vln", "bock": bock, "specials_when": "bock_only"}, 1, re_said="said", re_specials={"fuchs": 1}
    )
    assert [step.code for step in after.steps] == ["won", "re_said", "bock", "fuchs"]
    assert (after.value, only.value) == (1 * 2 * 2 + 1, (1 * 2 + 1) * 2)
    assert [step.code for step in only.steps] == ["won", "re_said", "fuchs", "bock"]


def test_bock_on_the_game_alone_leaves_special_points_single() -> None:
    rules = {"base": "anleitung", "bock": {"effect": "game"}}
    result = outcome(rules, 1, re_said="said", re_specials={"fuchs": 1})
    assert [step.code for step in result.steps] == ["won", "bock", "fuchs", "re_said"]
    assert result.value == (1 * 2 + 1) * 2


def test_bock_that_adds_needs_a_winner() -> None:
    rules = {"base": "ddv", "bock": {"effect": {"add": 3}}}
    assert outcome(rules, 2, eyes=100).value == -2 - 2 * 3
    draw = outcome(rules, 2, eyes=120, re_said="no90", kontra_said="no90")
    assert "bock" not in [step.code for step in draw.steps]


def test_without_a_winner_net_keeps_the_factors_of_solo_and_bock() -> None:
    rules = {"base": "ddv", "re_kontra": {"times": 2}, "solo_times": 2, "bock": {}}
    draw = {"kind": "damensolo", "re": [0], "eyes": 136, "re_said": "no90", "kontra_said": "no90"}
    assert [step.code for step in outcome(rules, 1, **draw).steps] == ["against_no90", "solo", "bock"]


def test_without_a_winner_zero_keeps_only_paid_steps() -> None:
    result = outcome("klassisch", table=6, re=[0, 2, 4], eyes=120, re_specials={"fuchs": 1})
    assert (result.winner, result.value, result.points) == (None, 0, (5, 0, 5, 0, 5, 0))
    assert steps(result) == [{"code": "fuchs", "party": "re", "pay": 5}]


def test_negative_ends_with_times_zero() -> None:
    result = outcome({"base": "anleitung", "negative": "zero"}, eyes=100, re_specials={"fuchs": 2, "doppelkopf": 1})
    assert steps(result)[-1] == {"code": "negative", "times": 0}
    assert (result.winner, result.value, result.points) == ("kontra", 0, (0, 0, 0, 0))


def test_an_odd_cent_goes_to_the_kasse() -> None:
    rules = {"base": "klassisch", "special_payer": "players"}
    result = outcome(rules, kind="trumpfsolo", re=[3], eyes=130, kontra_specials={"fuchs": 1})
    # The soloist wins 10 from each, and pays 5 for the fox: one to each of three earners, two to the Kasse.
    assert result.points == (-10 + 1, -10 + 1, -10 + 1, 30 - 5)


@pytest.mark.parametrize(
    ("sitter", "partner", "solo"),
    [("nothing", (1, 1, -1, -1, 0), (3, -1, -1, -1, 0)), ("winners", (1, 1, -1, -1, 1), (4, -1, -1, -1, -1)),
     ("kontra", (1, 1, -1, -1, -1), (4, -1, -1, -1, -1))],
)  # fmt: skip
def test_points_of_seats_that_sit_out(sitter: str, partner: tuple[int, ...], solo: tuple[int, ...]) -> None:
    rules = {"base": "ddv", "sitter": sitter, "soloist_share": "opponents"}
    assert outcome(rules, table=5, dealer=4).points == partner
    assert outcome(rules, table=5, dealer=4, kind="damensolo", re=[0]).points == solo


def test_counting_may_differ_between_partner_games_and_solos() -> None:
    rules = {"base": "ddv", "counting": {"partner": "winners", "solo": "losers"}}
    assert outcome(rules).points == (1, 1, 0, 0)
    assert outcome(rules, kind="damensolo", re=[0]).points == (0, -1, -1, -1)


@pytest.mark.parametrize(
    ("solo", "share", "points"), [([2], 3, (-4, -4, 12, -4)), ([0, 1, 3], 3, (4, 4, -12, 4)), ([2], 1, (-4, -4, 4, -4))]
)
def test_the_short_form_shares_out_like_any_game(solo: list[int], share: int, points: tuple[int, ...]) -> None:
    settings = RuleSettings.from_data(resolve({"base": "ddv", "soloist_share": share}))
    result = score(parse_game({"winners": solo, "base": 4, "solo": True}, settings), settings)
    assert (result.points, result.value, result.winners) == (points, 4, tuple(solo))
    assert result.winner == ("re" if len(solo) == 1 else "kontra")
    assert steps(result) == [{"code": "base", "add": 4}]


def test_a_short_partner_game_has_no_party_but_a_bock() -> None:
    settings = RuleSettings.from_data(resolve({"base": "ddv", "bock": {"triggers": ["manual"]}}))
    result = score(parse_game({"winners": [1, 3], "base": 3}, settings), settings, 2)
    assert (result.winner, result.winners, result.value) == (None, (1, 3), 12)
    assert result.points == (-12, 12, -12, 12)
    assert steps(result) == [{"code": "base", "add": 3}, {"code": "bock", "times": 4}]


@pytest.mark.parametrize(
    ("kind", "counted"),
    [
        ("trumpfsolo", {"fuchs", "karlchen", "doppelkopf"}),
        ("stille_hochzeit", {"fuchs", "karlchen", "doppelkopf"}),
        ("farbsolo_herz", {"karlchen", "doppelkopf"}),
        ("damensolo", {"doppelkopf"}),
    ],
)
def test_special_points_of_a_solo_go_by_its_kind(kind: str, counted: set[str]) -> None:
    specials = {"fuchs": 1, "karlchen": 1, "doppelkopf": 1}
    result = outcome("anleitung", kind=kind, re=[0], re_specials=specials)
    assert {step.code for step in result.steps} & set(specials) == counted


def test_scoring_uses_the_rules_of_the_size_of_table() -> None:
    klassisch = RuleSettings.from_data(resolve("klassisch"))
    facts = parse_game({"table": 6, "kind": "normal", "re": [0, 2, 4], "eyes": 120}, klassisch)
    assert isinstance(facts, GameFacts)
    assert score(facts, klassisch) == score(facts, klassisch.at(6))
    assert score(facts, klassisch).winner is None


def test_folding_is_multiplying_and_adding_in_order() -> None:
    result = outcome("anleitung", 1, eyes=170, re_said="no60")
    assert fold_steps(result.steps) == result.value == -48
