"""Drawing seats by lot: the same dice give the same places, and every order can come."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

from django.http import QueryDict

from scoring.table.forms.seats import SEAT_NAMES, drawn


def order(people: str, dice: Random) -> str:
    """Who sits where after a draw that was asked for with the first places free."""
    sent = QueryDict(mutable=True)
    sent.update(dict(zip(reversed(SEAT_NAMES), people, strict=False)))
    data = drawn(sent, dice)
    seated = [data[name] for name in SEAT_NAMES]
    assert seated[len(people) :] == [""] * (len(SEAT_NAMES) - len(people)), "free places are closed up"
    return "".join(seated)


def test_the_same_dice_draw_the_same_places() -> None:
    assert [order("ABCDE", Random(seed)) for seed in range(20)] == [order("ABCDE", Random(seed)) for seed in range(20)]
    assert len({order("ABCDE", Random(seed)) for seed in range(20)}) > 10


def test_every_order_can_come_and_none_more_often_than_others() -> None:
    dice = Random(7)
    counts = Counter(order("ABCD", dice) for _ in range(2400))
    assert set(counts) == {"".join(people) for people in permutations("ABCD")}
    assert max(counts.values()) < 2 * min(counts.values())
