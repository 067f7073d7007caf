"""What a season may set: each fault is refused at its key."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.league.rules import DEFAULT, ROOT, judge_league, league_settings
from scoring.rules.validation import Refused


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("counting", "luck"),
        ("counting", None),
        ("places", [3, 5]),
        ("places", [True]),
        ("places", [-1]),
        ("places", "10"),
        ("places", [0] * 61),
        ("best", 0),
        ("best", 2.0),
        ("min_evenings", -1),
        ("min_games", None),
        ("few_games", {"games": 0, "hundredths": 1}),
        ("few_games", {"games": 10, "hundredths": 0}),
        ("few_games", {"games": 10}),
        ("few_games", "some"),
        ("few_games", ROOT),
        ("guests", 1),
        ("tie_breaks", ["wins", "wins"]),
        ("tie_breaks", ["luck"]),
        ("tie_breaks", "wins"),
        ("rule_sets", [1]),
        ("rule_sets", "ddv"),
        ("season", "luck"),
        ("season_places", [1, 2]),
        ("luck", 1),
    ],
)
def test_a_setting_is_refused_at_its_key(key: str, value: Any) -> None:
    faults = judge_league({**DEFAULT, key: value})
    assert list(faults) == [key]
    assert str(faults[key]).endswith((".", "?"))


def test_what_a_counting_needs_must_be_there() -> None:
    assert list(judge_league({**DEFAULT, "counting": "places"})) == ["places"]
    assert list(judge_league({**DEFAULT, "season": "places"})) == ["season_places"]
    assert judge_league({**DEFAULT, "counting": "average", "few_games": ROOT}) == {}
    assert judge_league(DEFAULT) == {}
    with pytest.raises(Refused) as refused:
        league_settings({})
    assert set(refused.value.fields) == set(DEFAULT) - {"season_best", "season_min_evenings"}
