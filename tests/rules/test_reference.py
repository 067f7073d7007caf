"""Compare the scorer with the reference: 100,000 random games (30,000 in `make test`) and a full grid.

The random games are evenings, so that Bock chains matter, with redeals and some faulty lines. The grid has the eyes around
each border (all eyes in `make soak`) with all announcements, in a partner game and in a solo, under the presets and under
later settings that depend on eyes. A difference is shown with the line, both answers, and the evening so far as lines for
the command `score`.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.rules.score_lines import LineScorer
from tests.effort import LONG, some
from tests.rules import random_games, reference

ONE = ["winner", "value", "bock", "bock_started"]
NEW_EVENING = {"evening": "new"}
CORNERS = set(random_games.CORNERS)


def compare(lines: list[Any]) -> None:
    """Answer the lines by both; fail at the first difference."""
    mine, theirs = reference.answer_evening(lines), [*map(json.loads, LineScorer().answers(map(json.dumps, lines)))]
    answered = [index for index, line in enumerate(lines) if line != NEW_EVENING]
    assert len(mine) == len(theirs) == len(answered)
    for index, expected, got in zip(answered, mine, theirs, strict=True):
        if comparable(expected) != comparable(got):
            pytest.fail(difference(lines, index, expected, got), pytrace=False)


def comparable(answer: dict[str, Any]) -> list[Any]:
    """Return the answer without the order of the steps and the sentences of a refusal, which may differ."""
    if "error" in answer:
        return sorted(answer["error"])
    lists = [list(answer["winners"]), list(answer["points"]), sorted(map(numbers, answer["steps"]))]
    return [answer[key] for key in ONE] + lists + [answer.get("odd")]


def numbers(step: dict[str, Any]) -> tuple[str, str, int, int, int]:
    return step["code"], step.get("party", ""), step.get("add", 0), step.get("times", -1), step.get("pay", 0)


def difference(lines: list[Any], index: int, expected: dict[str, Any], got: dict[str, Any]) -> str:
    start = max((at for at in range(index) if lines[at] == NEW_EVENING), default=0)
    named = {"line": lines[index], "reference": expected, "scorer": got}
    shown = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in named.items()]
    evening = [json.dumps(line, ensure_ascii=False) for line in lines[start : index + 1]]
    return "\n".join(["the two answers differ", *shown, "the evening up to it:", *evening])


# --- Random evenings --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 12))])
def test_random_evenings(seed: int) -> None:
    """Compare 10,000 lines for every seed, one in eight of them faulty: more than 100,000 games; a fifth in `make test`."""
    rng = random.Random(seed)
    for number in range(500 if LONG else 100):
        evening: list[Any] = random_games.with_redeals(rng, random_games.random_evening(rng, 20))
        if number % 2:
            evening = [random_games.spoil(rng, line) if rng.random() < 0.25 else line for line in evening]
        compare(evening)


def test_too_high_values_are_refused() -> None:
    """A refused game does not change the chain."""
    compare(random_games.TOO_HIGH)
    answers = reference.answer_evening(random_games.TOO_HIGH)
    assert [answer.get("error", []) for answer in answers] == random_games.TOO_HIGH_REFUSED
    assert [answer.get("value") for answer in answers if answer.get("bock") == 16] == [152 * 2**16, 100 * 2**16]


def test_valid_and_invalid_rule_sets() -> None:
    """An invalid rule set is refused under `rules`; a valid one scores the game."""
    cases = [(rules, False) for rules in random_games.INVALID_RULES] + [(rules, True) for rules in random_games.VALID_RULES]
    for rules, valid in cases:
        line = {"rules": rules, "kind": "normal", "re": [0, 1], "eyes": 130}
        sizes = [{"table": int(size), "out": list(range(int(size) - 4))} for size in rules.get("at", {})]
        compare([{**line, **size} for size in ({}, *sizes)])
        resolved = [reference.resolve(rules, size) for size in ("4", *rules.get("at", {}))]
        assert (None not in resolved) == valid, rules


# --- The full grid ----------------------------------------------------------------------------------------------------


# Later settings that change how eyes and announcements decide.
LATER: dict[str, dict[str, Any]] = {
    "costs": {
        "base": "ddv", "missed_absage": "costs", "limit_counts": "reached_and_missed", "won_at_120": False, "against": 3,
    },
    "loses": {
        "base": "vln", "cowardice": {"levels": 2, "then": "loses"}, "re_limit_more": 1, "limit": {"90": 5, "60": 9, "0": 7},
        "re_kontra": {"first": {"times": 2}, "answer": {"add": 1}},
    },
    "nobody": {
        "base": "ddv", "cowardice": {"levels": 3, "then": "nobody"}, "kontra_121": "unless_re", "absage": {"times": 2},
        "lost_times": 2,
    },
    "fixed": {
        "base": "ddv", "cowardice": {"levels": 2, "then": 4}, "highest": 20, "limit": {"times": 2},
        "missed_absage": "costs", "re_kontra": {"won": {"add": 2}, "lost": {"times": 2}}, "kontra_121": "kontra_last",
    },
}  # fmt: skip


# Results change only at the borders of bands; `make soak` tests all eyes.
EYES = [eyes for eyes in range(241) if LONG or eyes in CORNERS or (eyes + 2) % 30 <= 4 or eyes % 30 == 15]


@pytest.mark.parametrize("kind", ["normal", "trumpfsolo"])
@pytest.mark.parametrize("rules", some([*reference.PRESETS, *LATER], 3))
def test_grid(rules: str, kind: str) -> None:
    """Compare eyes with all announcements, each game on an evening of its own."""
    own: random_games.Rules = LATER.get(rules, rules)
    lines = list(grid(own, kind))
    said = 36 if random_games.settings_for(own, 4)["re_kontra"] else 1
    assert len(lines) >= len(EYES) * said
    compare([entry for line in lines for entry in (NEW_EVENING, line)])


def grid(rules: random_games.Rules, kind: str) -> Iterator[dict[str, Any]]:
    settings = random_games.settings_for(rules, 4)
    saids = reference.SAID if settings["re_kontra"] else ["none"]
    party = [0, 2] if kind == "normal" else [1]
    for eyes, re_said, kontra_said in itertools.product(EYES, saids, saids):
        line = {"rules": rules, "kind": kind, "re": party, "eyes": eyes, "re_said": re_said, "kontra_said": kontra_said}
        yield line
        yield from last_said_variants(line, settings)
        if eyes in CORNERS:
            yield from corner_variants(line, settings)


def last_said_variants(line: dict[str, Any], settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield variants with `last_said` at 120:120, or everywhere if the answer has another worth."""
    asked = line["eyes"] == 120 or "first" in (settings["re_kontra"] or {})
    if asked and "none" not in (line["re_said"], line["kontra_said"]):
        yield {**line, "last_said": "re"}
        yield {**line, "last_said": "kontra"}


def corner_variants(line: dict[str, Any], settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield variants with special points, in Bock, and with a trick of 0 eyes if possible."""
    both_said = "none" not in (line["re_said"], line["kontra_said"])
    last = {"last_said": "kontra"} if both_said else {}
    nines = {"no_trick": "none"} if line["eyes"] in (0, 240) and settings["deck"] != 40 else {}
    if nines:
        yield {**line, **nines}
    bock = {"bock": 1} if settings["bock"] else {}
    sides = ["re_specials", "kontra_specials"]
    points = [{"fuchs": 1, "karlchen": 1}, {"fuchs": 1}]
    for field, special in (*zip(sides, points, strict=True), *zip(sides, reversed(points), strict=True)):
        if nines or reference.has_trick(field.split("_")[0], line):
            yield {**line, **last, **nines, **bock, field: special}
