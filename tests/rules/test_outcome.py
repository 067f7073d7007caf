"""Test the scoring by hand: the documents' table of goals, and the order of the steps. Values and points are in fixtures/cases/ and
in the comparison with the reference."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import parse_game
from scoring.rules.settings import RuleSettings, resolve


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


def test_the_steps_come_in_the_order_of_the_pipeline() -> None:
    result = outcome(
        {"base": "anleitung", "bock": {"effect": "all"}}, 1, eyes=170, re_said="no60", re_specials={"fuchs": 1}
    )
    assert [step.code for step in result.steps] == [
        "won", "under_90", "under_60", "re_no90", "re_no60", "gegen_die_alten", "fuchs", "re_said",
        "lost_announcement", "bock",
    ]  # fmt: skip


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


def test_the_short_form_has_a_winner_and_one_step() -> None:
    settings = compiled('{"base": "ddv", "bock": {"triggers": ["manual"]}}')
    solo = score(parse_game({"winners": [0, 1, 3], "base": 4, "solo": True}, settings), settings)
    assert (solo.points, solo.value, solo.winners, solo.winner) == ((4, 4, -12, 4), 4, (0, 1, 3), "kontra")
    partner = score(parse_game({"winners": [1, 3], "base": 3}, settings), settings, 2)
    assert (partner.winner, partner.winners, partner.points) == (None, (1, 3), (-12, 12, -12, 12))
    assert steps(partner) == [{"code": "base", "add": 3}, {"code": "bock", "times": 4}]
