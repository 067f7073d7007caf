"""Decides that the scorer and the rules written out a second time answer alike: 100,000 random games and the full grid.

The random games come as evenings, so that Bock chains matter, and some of their lines are to be refused. The grid is
every number of eyes with everything both parties can have said, in a partner game and in a solo, under all five rule
sets. A difference shows the line, both answers, and the evening up to it as lines for the command `score`.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.rules.stream import Evening
from tests.rules import random_games, reference

ONE = ["winner", "value", "bock", "bock_started"]
NEW_EVENING = {"evening": "new"}
CORNERS = set(random_games.CORNERS)


def compare(lines: list[Any]) -> None:
    """Both answer the lines; the first difference fails the test."""
    mine, theirs = reference.answer_evening(lines), list(Evening().answers(map(json.dumps, lines)))
    answered = [index for index, line in enumerate(lines) if line != NEW_EVENING]
    assert len(mine) == len(theirs) == len(answered)
    for index, expected, got in zip(answered, mine, theirs, strict=True):
        if comparable(expected) != comparable(got):
            pytest.fail(difference(lines, index, expected, got), pytrace=False)


def comparable(answer: dict[str, Any]) -> list[Any]:
    """The answer without what may differ: the order of the steps and the sentences of a refusal."""
    if "error" in answer:
        return sorted(answer["error"])
    lists = [list(answer["winners"]), list(answer["points"]), sorted(map(numbers, answer["steps"]))]
    return [answer[key] for key in ONE] + lists


def numbers(step: dict[str, Any]) -> tuple[str, str, int, int, int]:
    return step["code"], step.get("party", ""), step.get("add", 0), step.get("times", -1), step.get("pay", 0)


def difference(lines: list[Any], index: int, expected: dict[str, Any], got: dict[str, Any]) -> str:
    start = max((at for at in range(index) if lines[at] == NEW_EVENING), default=0)
    named = {"line": lines[index], "reference": expected, "scorer": got}
    shown = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in named.items()]
    evening = [json.dumps(line, ensure_ascii=False) for line in lines[start : index + 1]]
    return "\n".join(["the two answers differ", *shown, "the evening up to it:", *evening])


# --- Random evenings --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_random_evenings(seed: int) -> None:
    """10,000 lines for every seed, about one in eight of them spoiled: more than 100,000 games in all."""
    rng = random.Random(seed)
    for number in range(500):
        evening: list[Any] = random_games.random_evening(rng, 20)
        if number % 2:
            evening = [random_games.spoil(rng, line) if rng.random() < 0.25 else line for line in evening]
        compare(evening)


def test_random_evenings_are_what_they_say() -> None:
    """Left alone no line is refused, and levels, winners, forms and sizes of table all occur."""
    rng = random.Random(0)
    evenings = [random_games.random_evening(rng, 20) for _ in range(300)]
    answers = [answer for evening in evenings for answer in reference.answer_evening(evening)]
    lines = [line for evening in evenings for line in evening]
    assert not [answer for answer in answers if "error" in answer]
    assert {answer["bock"] for answer in answers} >= {0, 1, 2, 3}
    assert {answer["winner"] for answer in answers} == {"re", "kontra", None}
    assert {line.get("table", 4) for line in lines} == {4, 5, 6, 7, 8}
    assert {line.get("kind") for line in lines} == {None, *reference.ALL_KINDS}
    assert {line.get("band") for line in lines} == {None, *reference.BANDS}


def test_more_than_any_game_may_come_to() -> None:
    """What is refused leaves the chain as it was."""
    compare(random_games.BEYOND)
    answers = reference.answer_evening(random_games.BEYOND)
    assert [answer.get("error", []) for answer in answers] == random_games.REFUSED_BEYOND
    assert [answer.get("value") for answer in answers if answer.get("bock") == 16] == [152 * 2**16, 100 * 2**16]


# --- The full grid ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["normal", "trumpfsolo"])
@pytest.mark.parametrize("rules", list(reference.PRESETS))
def test_grid(rules: str, kind: str) -> None:
    """241 eyes with everything that can be said, every game on an evening of its own."""
    lines = list(grid(rules, kind))
    said = 36 if reference.PRESETS[rules]["re_kontra"] else 1
    assert len(lines) >= 241 * said
    compare([entry for line in lines for entry in (NEW_EVENING, line)])


def grid(rules: str, kind: str) -> Iterator[dict[str, Any]]:
    saids = reference.SAID if reference.PRESETS[rules]["re_kontra"] else ["none"]
    party = [0, 2] if kind == "normal" else [1]
    for eyes, re_said, kontra_said in itertools.product(range(241), saids, saids):
        line = {"rules": rules, "kind": kind, "re": party, "eyes": eyes, "re_said": re_said, "kontra_said": kontra_said}
        yield line
        yield from last_said_variants(line)
        if eyes in CORNERS:
            yield from corner_variants(line, reference.PRESETS[rules])


def last_said_variants(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """At 120:120 it can matter which Ansage came last."""
    if line["eyes"] == 120 and "none" not in (line["re_said"], line["kontra_said"]):
        yield {**line, "last_said": "re"}
        yield {**line, "last_said": "kontra"}


def corner_variants(line: dict[str, Any], settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """With special points, in Bock, and with a trick worth nothing where that can be."""
    last = {"last_said": "kontra"} if line["re_said"] == line["kontra_said"] == "said" else {}
    nines = {"no_trick": "none"} if line["eyes"] in (0, 240) and settings["deck"] != 40 else {}
    if nines:
        yield {**line, **nines}
    bock = {"bock": 1} if settings["bock"] else {}
    sides = ["re_specials", "kontra_specials"]
    points = [{"fuchs": 1, "karlchen": 1}, {"fuchs": 1}]
    for field, special in (*zip(sides, points, strict=True), *zip(sides, reversed(points), strict=True)):
        if nines or reference.has_trick(field.split("_")[0], line):
            yield {**line, **last, **nines, **bock, field: special}
