"""Bock games that go on on another evening: an evening cut in two is worth what it was in one, however often it is cut."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from scoring.rules.bock import Chain, EarlierGame, dump_chain, load_chain
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import Line, LineResult, fold
from tests.rules.random_games import random_bock, random_evening, random_rules

PLAIN = {"kind": "normal", "re": [0, 1], "eyes": 130}
STARTS = {**PLAIN, "starts_bock": 1}
FRAME = {"rules", "table", "dealer", "bock"}


def rules(**bock: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": "ddv", "bock": {"triggers": ["manual"], "carry": True, **bock}}))


def games(*facts: dict[str, Any], table: int = 4) -> list[Line]:
    return [Line("played", table, table - 1, game) for game in facts]


def cut(lines: list[Line], settings: RuleSettings, places: list[int]) -> list[LineResult]:
    """The same lines on a sheet for each evening, what is open handed over as data."""
    found: list[LineResult] = []
    chain = Chain()
    for table, (first, last) in enumerate(zip([0, *places], [*places, len(lines)], strict=True)):
        sheet = fold(lines[first:last], settings, chain)
        chain = sheet[-1].chain if sheet else chain
        chain = load_chain(json.loads(json.dumps(dump_chain(chain, table, range(1, len(sheet) + 1)))))
        found += sheet
    return found


def worth(sheet: list[LineResult]) -> list[tuple[Any, ...]]:
    return [(line.outcome, line.level, line.bock_started, len(line.started_by)) for line in sheet]


@pytest.mark.parametrize("seed", range(150))
def test_an_evening_cut_in_pieces_is_worth_the_same(seed: int) -> None:
    rng = random.Random(seed)
    settings: RuleSettings | None = None
    while settings is None or not settings.has_bock:
        own = random_rules(rng)
        settings = RuleSettings.from_data(resolve(own))
    lines = [
        Line(
            "short" if "winners" in line else "played",
            line.get("table", 4),
            line.get("dealer"),
            {key: value for key, value in line.items() if key not in FRAME},
        )
        for line in random_evening(rng, 40, own)
        if line["rules"] == own
    ]
    places = sorted(rng.sample(range(len(lines) + 1), 3))
    assert worth(cut(lines, settings, places)) == worth(fold(lines, settings))


def test_what_is_left_is_told_by_game_and_used_up_from_the_front() -> None:
    sheet = fold(games(STARTS, PLAIN, STARTS, PLAIN), rules())
    left = dump_chain(sheet[-1].chain, 7, [1, 2, 3, 4])
    assert left == [[[7, 1, 1], [7, 3, 4]]]
    later = fold(games(PLAIN, PLAIN, STARTS), rules(), load_chain(left))
    assert [line.started_by for line in later] == [(EarlierGame(7, 1),), (EarlierGame(7, 3),), (EarlierGame(7, 3),)]
    assert dump_chain(later[-1].chain, 8, [1, 2, 3]) == [[[7, 3, 2], [8, 3, 4]]]


def test_bocks_side_by_side_stay_side_by_side() -> None:
    stack = rules(overlap="stack")
    left = dump_chain(fold(games(STARTS, PLAIN, STARTS), stack)[-1].chain, 7, [1, 2, 3])
    assert left == [[[7, 1, 2]], [[7, 3, 4]]]
    assert load_chain(left).list_levels(stack) == [2, 2, 1, 1]


def test_nothing_left_is_nothing() -> None:
    assert dump_chain(Chain(), 7, []) == []
    assert load_chain([]) == Chain()


# --- Tables that change their size ------------------------------------------------------------------------------------


def by_size(four: dict[str, Any], five: dict[str, Any] | None) -> RuleSettings:
    """A rule set with a Bock of its own at five."""
    data = rules(**four).data
    own = None if five is None else {**data["bock"], "triggers": ["manual"], **five}
    return RuleSettings.from_data({**data, "at": {"5": {"bock": own}}})


def test_a_size_without_bock_uses_none_up_and_shows_none() -> None:
    settings = by_size({}, None)
    sheet = fold([*games(STARTS), *games(PLAIN, PLAIN, table=5), *games(PLAIN)], settings)
    assert [line.level for line in sheet] == [0, 0, 0, 1]
    assert sheet[0].chain.list_levels(settings.at(5)) == []
    assert sheet[2].chain.list_levels(settings.at(4)) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("four", "five", "levels"),
    [
        ({"overlap": "stack"}, {"overlap": "append"}, [2, 1, 1, 1, 1]),
        ({"overlap": "stack"}, {"overlap": "extend"}, [1, 1, 1]),
        ({"overlap": "stack"}, {"overlap": "ignore"}, [2, 1]),
        ({"overlap": "stack"}, {"overlap": "stack", "cap": 1}, [1, 1, 1]),
    ],
)
def test_what_starts_at_another_size_joins_by_its_rules(
    four: dict[str, Any], five: dict[str, Any], levels: list[int]
) -> None:
    settings = by_size({"length": 3, **four}, five)
    sheet = fold([*games(STARTS, STARTS), *games(STARTS, table=5)], settings)
    assert sheet[1].chain.list_levels(settings) == [2, 2, 1]
    assert sheet[-1].chain.list_levels(settings.at(5)) == levels


@pytest.mark.parametrize("seed", range(60))
def test_the_level_shown_is_the_level_used_at_every_size(seed: int) -> None:
    """Whatever Bock each size has, what is announced for the next game is what it is played at."""
    rng = random.Random(seed)
    base = {**rules().data["bock"]}
    own = [
        {**base, **(random_bock(rng) or {}), "triggers": ["manual"], "length": rng.choice(["table", 2, 6])}
        for _ in range(2)
    ]
    settings = by_size(own[0], own[1] if seed % 5 else None)
    chain = Chain()
    for _ in range(40):
        size = rng.choice([4, 5])
        may_start = settings.at(size).bock_by_hand and rng.random() < 0.3
        shown = chain.list_levels(settings.at(size))
        (line,) = fold([Line("played", size, size - 1, STARTS if may_start else PLAIN)], settings, chain)
        assert line.level == (shown[0] if shown else 0)
        chain = line.chain


def test_whether_evenings_go_on_is_one_answer_for_all_sizes() -> None:
    settings = by_size({"carry": True}, {"carry": False})
    assert settings.carry and settings.at(5).carry
    assert not by_size({"carry": False}, {"carry": True}).at(5).carry
