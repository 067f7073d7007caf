"""What points cost, as the table of the specification has it: for the program and for the second writing of it."""

from __future__ import annotations

from typing import Any

# Points of A, B, … in the order, and what each owes; what is left is the Kasse's.
POINTS: list[tuple[dict[str, Any], list[int], list[int], int]] = [
    ({"scheme": "minus", "rate": 10, "winners": "1/2"}, [12, 3, -5, -10], [-60, -15, 50, 100], -75),
    ({"scheme": "minus", "rate": 50, "round": {"to": 100, "how": "down"}}, [10, -7, -3], [0, 300, 100], -400),
    (
        {"scheme": "minus", "rate": 50, "dearer": {"beyond": 100, "rate": 100}},
        [101, -41, -60],
        [0, 4100, 6000],
        -10100,
    ),
    ({"scheme": "each", "rate": "1/2"}, [10, 0, -10], [-15, 0, 15], 0),
    ({"scheme": "better", "rate": 1}, [0, -20, -50], [0, 20, 80], -100),
    ({"scheme": "rank", "amounts": [200, 300, 400, 500]}, [9, 4, 4, -17], [200, 350, 350, 500], -1400),
]
