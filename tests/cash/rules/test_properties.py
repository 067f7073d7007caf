"""What holds for every evening under every tariff: the legs of each kind sum to 0, shares add up, another order of people moves
odd cents and nothing else, and a part of a tariff changes only the legs of its kind.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cash.rules.money import Rounding, split
from tests.cash.lines import answer
from tests.effort import examples

repeatable = settings(derandomize=True, deadline=None, max_examples=examples(100))
cents = st.integers(0, 2000)
rates = st.integers(1, 100) | st.sampled_from(["1/8", "1/3", "7/2"])
rounds = st.fixed_dictionaries(
    {}, optional={"to": st.sampled_from([1, 5, 10, 50, 100]), "how": st.sampled_from(["down", "up", "nearest"])}
)
WITH_RATE = {
    "scheme": st.sampled_from(["minus", "each", "best", "better"]),
    "rate": rates,
    "scope": st.sampled_from(["evening", "table", "game"]),
}
FURTHER = {
    "round": rounds,
    "cap": st.integers(1, 5000),
    "guests": st.booleans(),
    "dearer": st.fixed_dictionaries({"beyond": st.integers(1, 60), "rate": rates}),
}
points = st.one_of(
    st.fixed_dictionaries(WITH_RATE, optional=FURTHER),
    st.fixed_dictionaries(
        {**WITH_RATE, "scheme": st.just("minus"), "winners": st.sampled_from([0, "1/2", "1/3", 1])}, optional=FURTHER
    ),
    st.fixed_dictionaries({"scheme": st.just("rank"), "amounts": st.lists(cents, min_size=1, max_size=4)}),
)
absent = st.fixed_dictionaries(
    {},
    optional={"average": st.lists(st.sampled_from(["points", "pot", "fines", "drinks"]), unique=True), "plus": cents},
)
tariffs = st.fixed_dictionaries(
    {"fines": st.just({"slip": {"cents": 20}, "lost": {"steps": [[2, 5], [None, 9]], "counts": "lost_games"}})},
    optional={
        "points": points,
        "pot": st.fixed_dictionaries(
            {"buy_in": st.integers(1, 200)},
            optional={
                "top_up": st.integers(1, 50),
                "empty": st.sampled_from(["charge", "warn"]),
                "rest": st.sampled_from(["split", "kasse"]),
            },
        ),
        "fee": st.fixed_dictionaries({"cents": cents, "absent": st.booleans()}),
        "guests": st.fixed_dictionaries(
            {"cents": cents, "payer": st.sampled_from(["guest", "bringer", "host", "club"])}
        ),
        "host": st.fixed_dictionaries({"cents": st.integers(1, 3000), "from": st.sampled_from(["others", "club"])}),
        "drinks": st.fixed_dictionaries({"flat": cents, "shared": st.just(True)}),
        "absence": st.fixed_dictionaries({"excused": absent, "unexcused": absent, "round": rounds}),
    },
)


@st.composite
def evenings(draw: st.DrawFn) -> dict[str, Any]:
    """Two members who are there, and others who may be guests or absent, at tables in points and in cents."""
    people: list[dict[str, Any]] = [{"id": "A", "lost": draw(st.integers(0, 4))}, {"id": "B"}]
    for who in "CDEF"[: draw(st.integers(0, 4))]:
        guest = {"guest": True, "brought_by": draw(st.sampled_from([None, "A", "B"]))}
        person = draw(
            st.sampled_from([{}, guest, {"absence": "excused"}, {"absence": "unexcused"}, {"absence": "free"}])
        )
        people.append({"id": who, **person})
    here = [person["id"] for person in people if "absence" not in person]
    some = st.lists(st.sampled_from(here), min_size=1, unique=True)

    @st.composite
    def lines(draw: st.DrawFn) -> dict[str, Any]:
        seats = draw(some)
        return {
            "seats": seats,
            "points": draw(st.lists(st.integers(-40, 40), min_size=len(seats), max_size=len(seats))),
        }

    tables = st.fixed_dictionaries(
        {"unit": st.sampled_from(["points", "cents"]), "lines": st.lists(lines(), max_size=4)}
    )
    return {
        "people": people,
        "tables": draw(st.lists(tables, max_size=3)),
        "fines": draw(
            st.lists(st.fixed_dictionaries({"who": st.sampled_from(here), "code": st.just("slip")}), max_size=3)
        ),
        "turn": draw(st.integers(0, 9)),
        **draw(st.fixed_dictionaries({}, optional={"host": st.sampled_from(["A", "B"])})),
    }


def legs(tariff: dict[str, Any], evening: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer({"tariff": tariff, "evening": evening})["legs"]
    return found


@repeatable
@given(tariffs, evenings(), st.booleans())
def test_the_legs_of_each_kind_sum_to_zero_and_are_sorted(
    tariff: dict[str, Any], evening: dict[str, Any], with_bill: bool
) -> None:
    if with_bill and "drinks" in tariff:
        evening["drinks"] = {"cents": 1001, "paid_by": "B"}
    found = legs(tariff, evening)
    sums: Counter[str] = Counter()
    for leg in found:
        assert type(leg["cents"]) is int
        assert leg["cents"] != 0
        sums[leg["kind"]] += leg["cents"]
    assert set(sums.values()) <= {0}
    keys = [(leg["kind"], leg["account"]) for leg in found]
    assert keys == sorted(set(keys))


@repeatable
@given(tariffs, evenings(), st.randoms(use_true_random=False))
def test_another_order_of_people_moves_odd_cents_only(
    tariff: dict[str, Any], evening: dict[str, Any], rng: Any
) -> None:
    """One for each sum that is split: what winners get, and the rest of each table's pot. What guests have paid for them, and
    an average of such sums, move with it; so they are left out.
    """
    tariff = {key: part for key, part in tariff.items() if key not in ("absence", "guests")}
    shuffled = {**evening, "people": rng.sample(evening["people"], len(evening["people"]))}
    before, after = (
        {(leg["kind"], leg["account"]): leg["cents"] for leg in legs(tariff, facts)} for facts in (evening, shuffled)
    )
    for kind, account in before.keys() | after.keys():
        odd = {"points": 1, "pot": len(evening["tables"])}.get(kind, 0) if account.startswith("member:") else 0
        assert abs(before.get((kind, account), 0) - after.get((kind, account), 0)) <= odd


@repeatable
@given(tariffs, evenings())
def test_a_part_of_the_tariff_changes_only_legs_of_its_kind(tariff: dict[str, Any], evening: dict[str, Any]) -> None:
    """Without an average and with guests who pay themselves, each part can be charged alone."""
    tariff = {key: part for key, part in tariff.items() if key not in ("absence", "guests")}
    without_fines = {**evening, "fines": []}
    alone = [
        leg for key, part in tariff.items() for leg in legs({key: part}, evening if key == "fines" else without_fines)
    ]
    assert sorted(alone, key=lambda leg: (leg["kind"], leg["account"])) == legs(tariff, evening)


@repeatable
@given(
    st.integers(-10_000, 10_000),
    st.lists(st.fractions(0, 9, max_denominator=12), min_size=1, max_size=8).filter(any),
    st.integers(0, 20),
)
def test_shares_add_up_each_less_than_a_cent_off(sum_: int, weights: list[Fraction], turn: int) -> None:
    shares = split(sum_, weights, turn)
    exact = [sum_ * weight / sum(weights) for weight in weights]
    assert sum(shares) == sum_
    assert all(abs(share - whole) < 1 for share, whole in zip(shares, exact, strict=True))
    assert split(-sum_, weights, turn) == [-share for share in shares]
    remainder = {place: abs(whole) % 1 for place, whole in enumerate(exact)}
    got = {place: abs(share) > abs(whole) for place, (share, whole) in enumerate(zip(shares, exact, strict=True))}
    assert all(remainder[more] >= remainder[less] for more in got if got[more] for less in got if not got[less])


@repeatable
@given(st.integers(0, 1000), st.integers(1, 8))
def test_in_a_full_turn_everybody_bears_the_same(sum_: int, people: int) -> None:
    turns = [split(sum_, [1] * people, turn) for turn in range(people)]
    assert {sum(shares) for shares in zip(*turns, strict=True)} == {sum_}


@repeatable
@given(st.fractions(0, 10_000, max_denominator=60), st.sampled_from([1, 5, 10, 50, 100]))
def test_rounding_goes_to_the_next_multiple(amount: Fraction, to: int) -> None:
    down, nearest, up = (Rounding(to, how).apply(amount) for how in ("down", "nearest", "up"))
    assert down % to == nearest % to == up % to == 0
    assert down <= amount <= up
    assert up - down == (0 if amount % to == 0 else to)
    assert nearest == (up if 2 * (amount - down) >= to else down)
