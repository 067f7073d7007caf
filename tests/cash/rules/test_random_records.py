"""The Kasse and the description of it written out a second time answer alike: 20,000 random lines in `make soak`, 1,500 in every
run. Each fault in a legal line is refused at its path."""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from tests.cash.lines import answer
from tests.cash.rules import reference
from tests.cash.rules.random_faults import (
    CODED,
    NO_CODES,
    OBJECTS,
    RELATIONS,
    REQUIRED,
    UNKNOWN,
    WRONG,
    places,
    put_anything,
    put_key,
    put_wrong,
    take_away,
)
from tests.cash.rules.random_lines import Line, random_line

# The values that some keys have to have among the legal lines, and the legs that have to be among the answers.
VALUES: dict[str, list[Any]] = {
    "tariff.points.scheme": ["minus", "each", "best", "better", "rank"],
    "tariff.points.scope": ["evening", "table", "game"],
    "tariff.points.guests": [True, False],
    "tariff.points.round.to": [1, 5, 10, 50, 100],
    "tariff.points.round.how": ["down", "up", "nearest"],
    "tariff.pot.empty": ["charge", "warn"],
    "tariff.pot.rest": ["split", "kasse"],
    "tariff.fee.absent": [True, False],
    "tariff.guests.payer": ["guest", "bringer", "host", "club"],
    "tariff.host.from": ["others", "club"],
    "tariff.fines.*.counts": ["entries", "lost_games"],
    "tariff.absence.*.average.*": ["points", "pot", "fines", "drinks"],
    "tariff.dues.every": ["month", "quarter", "year"],
    "tariff.dues.when": ["always", "no_evening"],
    "evening.people.*.guest": [True, False],
    "evening.people.*.absence": ["excused", "unexcused", "free", None],
    "evening.tables.*.unit": ["points", "cents"],
    "month.people.*.dues": ["full", "reduced", "none"],
}
LEGS = [
    *(f"{kind} {who}" for kind in ("points", "pot", "guest", "drinks", "fine") for who in ("member:", "expense:guests")),
    *("points income:points", "pot income:pot", "guest income:guest", "drinks income:drinks", "fine income:fines"),
    *("fee member:", "fee income:fee", "host member:", "host expense:host"),
    *("absence member:", "absence income:absence", "dues member:", "dues income:dues"),
]


def compare(line: Line) -> dict[str, Any]:
    """Both answer the line alike, and the legs of each kind sum to 0; return the answer."""
    expected, got = reference.answer(line), answer(line)
    # As it is written, so that 1 is not true.
    if json.dumps(expected, sort_keys=True) != json.dumps(got, sort_keys=True):
        named = {"line": line, "reference": expected, "charges": got}
        shown = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in named.items()]
        pytest.fail("\n".join(["the two answers differ", *shown]), pytrace=False)
    sums: Counter[str] = Counter()
    for leg in got.get("legs", ()):
        sums[leg["kind"]] += leg["cents"]
    assert set(sums.values()) <= {0}, line
    return got


@pytest.mark.parametrize(
    ("seed", "number"),
    [*((seed, 500) for seed in range(3)), *(pytest.param(seed, 1000, marks=pytest.mark.soak) for seed in range(100, 120))],
)
def test_random_lines(seed: int, number: int) -> None:
    rng = random.Random(seed)
    for _ in range(number):
        compare(random_line(rng))


@cache
def legal() -> list[Line]:
    rng = random.Random(7)
    return [random_line(rng) for _ in range(600)]


def values(line: Line, pattern: str) -> list[Any]:
    return [one[key] for one, key, _ in places(line, pattern) if isinstance(one, list) or key in one]


def test_legal_lines_are_answered_and_have_every_key_value_and_leg() -> None:
    found: Counter[Any] = Counter()
    for line in legal():
        answered = compare(line)
        for pattern in {*WRONG, *VALUES}:
            there = values(line, pattern)
            found.update([pattern][: len(there)] + [(pattern, value) for value in there if pattern in VALUES])
        for leg in answered.get("legs", ()):
            found[f"{leg['kind'].split('.')[0]} {'member:' if leg['account'].startswith('member:') else leg['account']}"] += 1
    asked = [*WRONG, *((pattern, value) for pattern, values in VALUES.items() for value in values), *LEGS]
    assert {one: found[one] for one in asked if found[one] < 3} == {}


FAULTS = [
    *((put_wrong, pattern, value) for pattern, values in WRONG.items() for value in values),
    *((take_away, pattern) for pattern in REQUIRED),
    *((put_key, pattern, name) for pattern in OBJECTS for name in UNKNOWN),
    *((put_key, pattern, name) for pattern in CODED for name in NO_CODES),
    *((how,) for how in RELATIONS.values()),
]


# What is refused there makes other keys missing or forbidden.
ENTAILING = {"tariff.points.scheme", "tariff.fines.*.open", "evening.people.*.guest"}


def test_each_fault_is_refused_at_its_path_with_a_sentence() -> None:
    sentences = set()
    for how, *arguments in FAULTS:
        rng = random.Random(5)
        for line in legal():
            spoiled = deepcopy(line)
            path = how(rng, spoiled, *arguments)
            if path is not None:
                break
        found = answer(spoiled)["error"]
        assert path in found if not arguments or arguments[0] in ENTAILING else [*found] == [path], (how, arguments, path)
        sentences.update(found.values())
    assert [text for text in sentences if "itte " not in text or not text.endswith(".")] == []


def test_whatever_stands_in_a_line_it_is_answered() -> None:
    rng = random.Random(11)
    for line in legal():
        spoiled = deepcopy(line)
        for _ in range(rng.choice([1, 2, 4, 8])):
            put_anything(rng, spoiled)
        assert answer(spoiled)


def of_evenings() -> list[tuple[Line, Line]]:
    """Tariffs and evenings without an average, guests who do not pay, and a bill, which are added up of other parts."""
    evenings = [line for line in legal() if "evening" in line]
    return [
        ({key: part for key, part in line["tariff"].items() if key not in ("absence", "guests")},
         {key: fact for key, fact in line["evening"].items() if key != "drinks"})
        for line in evenings
    ]  # fmt: skip


def legs(tariff: Line, evening: Line) -> dict[tuple[str, str], int]:
    found = answer({"tariff": tariff, "evening": evening})["legs"]
    return {(leg["kind"], leg["account"]): leg["cents"] for leg in found}


def test_another_order_of_people_moves_odd_cents_only() -> None:
    """One for each sum that is split: what winners get, and the rest of each table's pot."""
    rng = random.Random(9)
    for tariff, evening in of_evenings():
        people = rng.sample(evening["people"], len(evening["people"]))
        before, after = legs(tariff, evening), legs(tariff, {**evening, "people": people})
        for kind, account in before.keys() | after.keys():
            odd = {"points": 1, "pot": len(evening.get("tables", ()))}.get(kind, 0) if account.startswith("member:") else 0
            assert abs(before.get((kind, account), 0) - after.get((kind, account), 0)) <= odd


def test_a_part_of_the_tariff_changes_only_legs_of_its_kind() -> None:
    for tariff, evening in of_evenings():
        alone: dict[tuple[str, str], int] = {}
        people = [{key: fact for key, fact in person.items() if key != "drinks"} for person in evening["people"]]
        for key, part in tariff.items():
            facts = {"fines": {"people": people}, "drinks": {"fines": []}}.get(key, {"people": people, "fines": []})
            alone |= legs({key: part}, {**evening, **facts})
        assert alone == legs(tariff, evening)
