"""Lists to bring along: a real one with its totals, one game by game, and the field of a column."""

from __future__ import annotations

from pathlib import Path

from tests.desk import Desk

ROOT = Path(__file__).parents[2]
REAL = (ROOT / "fixtures/real/ewige_liste.csv").read_bytes()
TOTALS = {
    "Anton": (-15, 29),
    "Berta": (624, 72),
    "Cäsar": (-133, 67),
    "Dora": (-310, 79),
    "Emil": (0, 57),
    "Friedrich": (58, 75),
    "Gustav": (-84, 41),
}
GAMES = """Datum;Anton;Berta;Cäsar;Dora
01.03.24;3;3;-3;-3
;-2;2;-2;2
;9;-3;-3;-3
;-1;-1;3;-1
;5;1;-3;-3
08.03.24;1;1;-1;-1
;0;0;0;0
;4;-4;4;-4
;2;-2;-2;2
"""


def column(desk: Desk, address: str, name: str) -> str:
    """The field of the column with this heading."""
    form = desk.look(address).context["form"]
    return next(f"column_{column.index}" for column in form.outline.columns if column.name == name)
