"""Decides that the random records say everything: among 2,000 of them each key and word, each kind of leg and each place
of a refusal occurs, each key of a tariff decides something, and each fault is refused where it was put.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from typing import Any

import pytest

from tests.cash.rules import random_records, reference
from tests.cash.rules.random_records.faults import places, put_key, put_wrong, take_away
from tests.cash.rules.random_records.relations import RELATIONS
from tests.cash.rules.random_records.values import CODED, NO_CODES, OBJECTS, REQUIRED, UNKNOWN, WRONG
from tests.effort import examples

Line = random_records.Line

WORDS: dict[str, list[Any]] = {
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
    "tariff.drinks.shared": [True, False],
    "tariff.fines.*.counts": ["entries", "lost_games"],
    "tariff.dues.every": ["month", "quarter", "year"],
    "tariff.dues.when": ["always", "no_evening"],
    "tariff.leaving.payout": ["nothing", "share", "fixed"],
    "evening.people.*.guest": [True, False],
    "evening.people.*.absence": ["excused", "unexcused", "free", None],
    "evening.tables.*.unit": ["points", "cents"],
    "month.people.*.dues": ["full", "reduced", "none"],
}
FORMS = {"event": ["cents"], "minutes": ["cents", "minutes"], "capped": ["cents", "minutes", "cap"], "open": ["open"]}
LEGS = [
    "points income:points", "points member:", "points expense:guests", "pot income:pot", "pot member:", "pot expense:guests",
    "fee income:fee", "fee member:", "guest income:guest", "guest member:", "guest expense:guests", "host member:",
    "host expense:host", "drinks income:drinks", "drinks member:", "drinks expense:guests", "fine income:fines",
    "fine member:", "fine expense:guests", "absence income:absence", "absence member:", "dues income:dues", "dues member:",
]  # fmt: skip
# What an evening or a month asks for no more than to be well formed.
ONLY_JUDGED = ["tariff.joining", "tariff.leaving", "tariff.leaving.cents", "tariff.fines.*.name"]
# What is refused without them where they are used at all.
NOT_DONE_WITHOUT = [
    "tariff.drinks.list", "tariff.drinks.list.*", "tariff.drinks.shared", "tariff.fines.*.cents", "tariff.fines.*.minutes",
    "tariff.fines.*.steps", "tariff.fines.*.open",
]  # fmt: skip


@cache
def records() -> list[tuple[Line, dict[str, Any]]]:
    """2,000 records with their answers."""
    rng = random.Random(7)
    lines = [random_records.random_record(rng) for _ in range(2000)]
    return [(line, reference.answer(line)) for line in lines]


def legal() -> list[Line]:
    return [line for line, answer in records() if "error" not in answer]


def there(line: Line, pattern: str) -> list[Any]:
    """The values at the places of a pattern."""
    found = places(line, pattern)
    return [container[key] for container, key, _ in found if isinstance(container, list) or key in container]


def seldom(found: Counter[Any], asked: list[Any], least: int) -> dict[Any, int]:
    return {one: found[one] for one in asked if found[one] < least}


# --- What legal records say -------------------------------------------------------------------------------------------


def test_no_random_line_is_refused_before_it_is_spoiled() -> None:
    rng = random.Random(3)
    lines = [random_records.random_line(rng) for _ in range(examples(2000))]
    assert [line for line in lines if "error" in reference.answer(line)] == []


def test_about_a_third_of_the_records_is_refused() -> None:
    assert 500 < len(records()) - len(legal()) < 800


def test_each_key_occurs() -> None:
    found = Counter(pattern for line in legal() for pattern in WRONG if there(line, pattern))
    assert seldom(found, list(WRONG), 20) == {}


@pytest.mark.parametrize("pattern", WORDS)
def test_each_word_occurs(pattern: str) -> None:
    found = Counter(value for line in legal() for value in there(line, pattern))
    assert seldom(found, WORDS[pattern], 10) == {}
    assert {*found} == {*WORDS[pattern]}


def test_each_form_of_a_fine_is_entered() -> None:
    found: Counter[str] = Counter()
    for line in legal():
        for row in there(line, "evening.fines.*"):
            form = {*line["tariff"]["fines"][row["code"]]} - {"name"}
            found.update([name for name, keys in FORMS.items() if form == {*keys}] or ["steps"])
    assert seldom(found, [*FORMS, "steps"], 50) == {}


def test_each_word_of_an_average_occurs_with_a_charge() -> None:
    found: Counter[str] = Counter()
    for line, answer in records():
        if any(leg["kind"] == "absence" for leg in answer.get("legs", [])):
            found.update(word for words in there(line, "tariff.absence.*.average") for word in words)
    assert seldom(found, ["points", "pot", "fines", "drinks"], 20) == {}


def test_each_kind_of_leg_occurs_on_each_of_its_accounts() -> None:
    found: Counter[str] = Counter()
    for _, answer in records():
        found.update({f"{leg['kind'].split('.')[0]} {account_of(leg)}" for leg in answer.get("legs", [])})
    assert seldom(found, LEGS, 5) == {}


def account_of(leg: dict[str, Any]) -> str:
    return "member:" if leg["account"].startswith("member:") else leg["account"]


def test_balances_of_every_size_are_settled() -> None:
    found: Counter[str] = Counter()
    for line, answer in records():
        if "transfers" in answer:
            open_ones = [name for name, cents in line["settle"] if cents]
            saved = len(open_ones) - len(answer["transfers"])
            found[f"{'many' if len(open_ones) > 16 else 'few'} {'in groups' if saved > 1 else 'in one'}"] += 1
            found["just 16"] += len(open_ones) in (15, 16, 17)
            found["with the Kasse"] += any("kasse" in transfer.values() for transfer in answer["transfers"])
            found["nobody"] += not open_ones
    assert (
        seldom(found, ["few in groups", "few in one", "many in groups", "just 16", "with the Kasse", "nobody"], 3) == {}
    )


# --- What decides something -------------------------------------------------------------------------------------------


def without(line: Line, pattern: str) -> Iterator[Line]:
    """The line without one of the places of the pattern."""
    for number, (container, key, _) in enumerate(places(line, pattern)):
        if isinstance(container, dict) and key in container:
            fewer = deepcopy(line)
            container, key, _ = places(fewer, pattern)[number]
            del container[key]
            yield fewer


OPTIONAL = [pattern for pattern in WRONG if pattern.startswith("tariff.") and pattern not in REQUIRED]


@pytest.mark.parametrize("pattern", [one for one in OPTIONAL if one not in ONLY_JUDGED + NOT_DONE_WITHOUT])
def test_each_key_of_the_tariff_decides_something(pattern: str) -> None:
    """Without it the answer is another one, and not a refusal."""
    assert len([*islice((line for line in legal() if is_decided_by(line, pattern)), 5)]) == 5


@pytest.mark.parametrize("pattern", NOT_DONE_WITHOUT)
def test_what_needs_a_key_of_the_tariff_is_refused_without_it(pattern: str) -> None:
    answers = (reference.answer(fewer) for line in legal() for fewer in without(line, pattern))
    assert len([*islice((answer for answer in answers if "error" in answer), 20)]) == 20


def is_decided_by(line: Line, pattern: str) -> bool:
    answers = map(reference.answer, without(line, pattern))
    return any("error" not in answer and answer != reference.answer(line) for answer in answers)


def test_the_turn_decides_who_bears_the_odd_cent() -> None:
    turned = Counter(
        what for line in legal() for what in ("evening", "split") if what in line and is_turned(line, what)
    )
    assert seldom(turned, ["evening", "split"], 10) == {}


def is_turned(line: Line, what: str) -> bool:
    other = {**line, what: {**line[what], "turn": line[what].get("turn", 0) ^ 1}}
    return reference.answer(other) != reference.answer(line)


# --- What is refused --------------------------------------------------------------------------------------------------


def planted(how: Any, *arguments: Any) -> list[tuple[str, dict[str, Any]]]:
    """A fault in the first legal lines that have a place for it: where it was put, and the answer."""
    rng, found = random.Random(5), []
    for line in legal():
        spoiled = deepcopy(line)
        path = how(rng, spoiled, *arguments)
        if path is not None:
            found.append((path, reference.answer(spoiled)))
        if len(found) == 5:
            break
    return found


def unnamed(found: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    assert len(found) == 5
    return [(path, answer) for path, answer in found if path not in answer.get("error", {})]


@pytest.mark.parametrize("pattern", WRONG)
def test_each_wrong_value_is_refused_at_its_path(pattern: str) -> None:
    assert [(value, *unnamed(planted(put_wrong, pattern, value))) for value in WRONG[pattern]] == [
        (value,) for value in WRONG[pattern]
    ]


@pytest.mark.parametrize("pattern", REQUIRED)
def test_each_missing_key_is_named(pattern: str) -> None:
    assert unnamed(planted(take_away, pattern)) == []


@pytest.mark.parametrize(
    ("pattern", "names"), [(p, UNKNOWN) for p in OBJECTS] + [(p, NO_CODES) for p in CODED], ids=str
)
def test_each_unknown_key_is_named(pattern: str, names: list[str]) -> None:
    assert [unnamed(planted(put_key, pattern, name)) for name in names] == [[] for _ in names]


@pytest.mark.parametrize("name", RELATIONS)
def test_each_relation_that_does_not_hold_is_refused(name: str) -> None:
    assert unnamed(planted(RELATIONS[name])) == []


def test_each_place_of_a_refusal_occurs_among_the_records() -> None:
    found: Counter[str] = Counter()
    patterns = {pattern: re.compile(re.escape(pattern).replace(r"\*", r"[^.]*")) for pattern in WRONG}
    for _, answer in records():
        for path in answer.get("error", {}):
            found.update(pattern for pattern, shape in patterns.items() if shape.fullmatch(path))
    assert seldom(found, list(WRONG), 2) == {}
