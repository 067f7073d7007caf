"""Each figure has a label and a meaning, in points and in cents."""

from __future__ import annotations

import pytest

from scoring.standings.metrics import list_metrics


@pytest.mark.parametrize("unit", ["points", "cents"])
def test_each_metric_has_a_label_of_its_own_and_a_meaning(unit: str) -> None:
    metrics = list_metrics(unit, more=True)
    assert len({str(metric.label) for metric in metrics}) == len(metrics)
    assert all(str(metric.meaning) for metric in metrics)
    assert ("Cent" in {str(metric.label) for metric in metrics}) is (unit == "cents")
