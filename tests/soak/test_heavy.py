"""While ten people take home everything of eight years again and again, a game is saved at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import bench_workbook
from tests.bench.bench_heavy import run


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_line_stands_while_ten_take_everything_home(tmp_path: Path) -> None:
    """One second is asked for, and holds for the line in the middle however busy this machine is."""
    bench_workbook.fill()
    *_, middle, slowest = map(float, run(str(tmp_path)).split())
    assert middle < 1
    assert slowest < 5
