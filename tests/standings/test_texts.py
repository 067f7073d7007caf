"""Every figure and every record has a name and a sentence, in points and in cents."""

from __future__ import annotations

import pytest

from scoring.standings.metrics import metrics_in
from scoring.standings.queries.records import KINDS
from scoring.standings.texts import RECORDS, called


@pytest.mark.parametrize("unit", ["points", "cents"])
def test_every_figure_is_called_something(unit: str) -> None:
    metrics = metrics_in(unit, more=True)
    assert len({str(called(metric).label) for metric in metrics}) == len(metrics)
    assert all(str(called(metric).sentence) for metric in metrics)
    assert ("Cent" in {str(called(metric).label) for metric in metrics}) is (unit == "cents")


def test_every_record_is_called_something() -> None:
    assert list(RECORDS) == [kind.key for kind in KINDS]
