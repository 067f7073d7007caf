"""Test the Bock chain: use, origins, and Bock that goes on on another evening. Levels and triggers are in fixtures/cases/bock.jsonl
and in the comparison with the reference."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from scoring.rules.bock import Chain, dump_chain, load_chain
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import Line, LineResult, fold
from tests.rules.random_games import random_bock, random_evening, random_rules

STARTS = {"kind": "normal", "re": [0, 1], "eyes": 130, "starts_bock": 1}
PLAIN = {"kind": "normal", "re": [0, 1], "eyes": 130}


def rules(**bock: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": "ddv", "bock": {"triggers": ["manual"], **bock}}))


def play(settings: RuleSettings, games: list[dict[str, Any]], table: int = 4) -> list[LineResult]:
    return fold([Line("played", range(table), table - 1, game) for game in games], settings)


def levels(sheet: list[LineResult]) -> list[int]:
    return [line.level for line in sheet]


SOLO = {"kind": "damensolo", "re": [0], "eyes": 100}
DUTY = {**SOLO, "eyes": 130, "duty": True}


def test_a_pflichtsolo_can_be_exempt_from_bock() -> None:
    assert levels(play(rules(), [STARTS, DUTY, *[PLAIN] * 4])) == [0, 1, 1, 1, 1, 0]
    assert levels(play(rules(duty_solo_uses=False), [STARTS, DUTY, *[PLAIN] * 5])) == [0, 0, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("stays", "game", "expected"),
    [
        (["duty_solo"], DUTY, [0, 1, 1, 1, 1, 1, 0]),
        (["lustsolo"], DUTY, [0, 1, 1, 1, 1, 0, 0]),
        (["lustsolo"], {**DUTY, "duty": False}, [0, 1, 1, 1, 1, 1, 0]),
        (["duty_solo"], {**DUTY, "duty": False}, [0, 1, 1, 1, 1, 0, 0]),
        (["lustsolo"], {**SOLO, "kind": "stille_hochzeit"}, [0, 1, 1, 1, 1, 0, 0]),
        ([], DUTY, [0, 1, 1, 1, 1, 0, 0]),
    ],
)
def test_with_length_deal_a_game_whose_deal_stays_uses_up_no_bock(
    stays: list[str], game: dict[str, Any], expected: list[int]
) -> None:
    data = {"base": "ddv", "deal_stays": stays, "bock": {"triggers": ["manual"], "length": "deal"}}
    settings = RuleSettings.from_data(resolve(data))
    assert levels(play(settings, [STARTS, game, *[PLAIN] * 5])) == expected


def test_penalties_corrections_and_redeals_use_up_no_bock() -> None:
    others = [
        Line("penalty", range(4), None, {"points": [-3, 1, 1, 1], "reason": "falsch bedient"}),
        Line("correction", range(4), None, {"points": [0, 0, 5, -5], "reason": "verschrieben"}),
        Line("redeal", range(4), 1, {"reason": "fünf Könige"}),
    ]
    games = [Line("played", range(4), 0, game) for game in (STARTS, *[PLAIN] * 5)]
    sheet = fold([games[0], *others, *games[1:]], rules())
    assert levels(sheet) == [0, 0, 0, 0, 1, 1, 1, 1, 0]
    assert [line.outcome.points for line in sheet[1:4]] == [(-3, 1, 1, 1), (0, 0, 5, -5), (0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("overlap", "triggers", "expected"),
    [
        ("append", [0, 2], [(), (0,), (0,), (0,), (0,), (2,), (2,), (2,), (2,), ()]),
        ("stack", [0, 2], [(), (0,), (0,), (0, 2), (0, 2), (2,), (2,), ()]),
        ("extend", [0, 2], [(), (0,), (0,), (2,), (2,), (2,), (2,), ()]),
        ("ignore", [0, 2], [(), (0,), (0,), (0,), (0,), ()]),
    ],
)
def test_origins_of_the_bock_of_each_game(
    overlap: str, triggers: list[int], expected: list[tuple[int, ...]]
) -> None:
    games = [STARTS if number in triggers else PLAIN for number in range(len(expected))]
    assert [line.started_by for line in play(rules(overlap=overlap), games)] == expected


def test_a_long_chain_stays_one_side() -> None:
    sheet = play(rules(), [STARTS] * 2000)
    assert len(sheet[-1].chain.open) == 1
    assert len(sheet[-1].chain.list_levels(rules())) == 2000 * 4 - 1999
    assert sheet[-1].started_by == (499,)


FRAME = {"rules", "table", "dealer", "bock"}


def carried(**bock: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": "ddv", "bock": {"triggers": ["manual"], "carry": True, **bock}}))


def games(*facts: dict[str, Any], table: int = 4) -> list[Line]:
    return [Line("played", range(table), table - 1, game) for game in facts]


def cut(lines: list[Line], settings: RuleSettings, places: list[int]) -> list[LineResult]:
    """Fold the lines on a sheet per evening; the open chain is dumped and loaded between them."""
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
            range(line.get("table", 4)),
            line.get("dealer"),
            {key: value for key, value in line.items() if key not in FRAME},
        )
        for line in random_evening(rng, 40, own)
        if line["rules"] == own
    ]
    places = sorted(rng.sample(range(len(lines) + 1), 3))
    assert worth(cut(lines, settings, places)) == worth(fold(lines, settings))


def test_a_dumped_chain_is_used_up_from_its_oldest_run() -> None:
    sheet = fold(games(STARTS, PLAIN, STARTS, PLAIN), carried())
    left = dump_chain(sheet[-1].chain, 7, [1, 2, 3, 4])
    assert left == [[[7, 1, 1], [7, 3, 4]]]
    later = fold(games(PLAIN, PLAIN, STARTS), carried(), load_chain(left))
    assert [line.started_by for line in later] == [((7, 1),), ((7, 3),), ((7, 3),)]
    assert dump_chain(later[-1].chain, 8, [1, 2, 3]) == [[[7, 3, 2], [8, 3, 4]]]


def test_parallel_bocks_stay_parallel() -> None:
    stack = carried(overlap="stack")
    left = dump_chain(fold(games(STARTS, PLAIN, STARTS), stack)[-1].chain, 7, [1, 2, 3])
    assert left == [[[7, 1, 2]], [[7, 3, 4]]]
    assert load_chain(left).list_levels(stack) == [2, 2, 1, 1]
    assert dump_chain(Chain(), 7, []) == []
    assert load_chain([]) == Chain()


# --- Tables that change their size ------------------------------------------------------------------------------------


def by_size(four: dict[str, Any], five: dict[str, Any] | None) -> RuleSettings:
    """Return a rule set with another Bock at five."""
    data = carried(**four).data
    own = None if five is None else {**data["bock"], "triggers": ["manual"], **five}
    return RuleSettings.from_data({**data, "at": {"5": {"bock": own}}})


def test_a_shorter_bock_raises_only_as_many_games_as_its_own_table_has() -> None:
    """From five to four at the table, the redeal raises four of the five open games."""
    settings = rules(triggers=["manual", "redeal"], overlap="fill", cap=2)
    games = [Line("played", range(4), 3, PLAIN)] * 6
    sheet = [Line("played", range(5), 4, STARTS), Line("redeal", range(4), 3, {"reason": "fünf Könige"}), *games]
    assert levels(fold(sheet, settings))[2:] == [2, 2, 2, 2, 1, 0]


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
def test_a_bock_started_at_another_size_follows_the_rules_of_that_size(
    four: dict[str, Any], five: dict[str, Any], levels: list[int]
) -> None:
    settings = by_size({"length": 3, **four}, five)
    sheet = fold([*games(STARTS, STARTS), *games(STARTS, table=5)], settings)
    assert sheet[1].chain.list_levels(settings) == [2, 2, 1]
    assert sheet[-1].chain.list_levels(settings.at(5)) == levels


@pytest.mark.parametrize("seed", range(60))
def test_the_level_shown_is_the_level_used_at_every_size(seed: int) -> None:
    """The size may change with every game."""
    rng = random.Random(seed)
    base = {**carried().data["bock"]}
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
        (line,) = fold([Line("played", range(size), size - 1, STARTS if may_start else PLAIN)], settings, chain)
        assert line.level == (shown[0] if shown else 0)
        chain = line.chain


def test_carry_is_the_same_for_all_sizes() -> None:
    settings = by_size({"carry": True}, {"carry": False})
    assert settings.carry and settings.at(5).carry
    assert not by_size({"carry": False}, {"carry": True}).at(5).carry
