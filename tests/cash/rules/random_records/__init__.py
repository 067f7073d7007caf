"""Decides what random lines for `manage.py charges` look like: evenings under every tariff, months, balances to be
settled, sums to be split; about a third of them with one or more faults.

`random_line` makes a line that is legal, `spoiled_line` one with faults, `random_record` either. Everything comes from the
generator handed in, so a seed repeats a record.
"""

from __future__ import annotations

import random

from tests.cash.rules.random_records.faults import FAULTS, is_of_tariff, plant
from tests.cash.rules.random_records.lines import Line, random_line

__all__ = ["FAULTS", "Line", "plant", "random_line", "random_record", "spoiled_line"]


def random_record(rng: random.Random) -> Line:
    return spoiled_line(rng) if rng.random() < 0.35 else random_line(rng)


def spoiled_line(rng: random.Random) -> Line:
    """A fault of any kind, each about as often as any other, and in many lines more of them.

    Those of the tariff answer alone, so others mostly keep company with their like.
    """
    fault = rng.choice(FAULTS)
    line = random_line(rng)
    while plant(rng, line, fault) is None:
        line = random_line(rng)
    of_its_like = [other for other in FAULTS if is_of_tariff(other) == is_of_tariff(fault)]
    more = rng.choice([0, 0, 0, 1, 2, 4, 8])
    for other in rng.choices(of_its_like, k=200) if more else []:
        more -= plant(rng, line, other) is not None
        if more == 0:
            break
    if rng.random() < 0.1:
        plant(rng, line, rng.choice(FAULTS))
    return line
