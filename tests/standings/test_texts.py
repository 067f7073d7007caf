"""Each figure and each record has a label and a meaning, in points and in cents."""

from __future__ import annotations

import pytest

from scoring.standings.metrics import list_metrics
from scoring.standings.queries.records import build_records
from scoring.standings.texts import RECORDS


@pytest.mark.parametrize("unit", ["points", "cents"])
def test_each_metric_has_a_label_of_its_own_and_a_meaning(unit: str) -> None:
    metrics = list_metrics(unit, more=True)
    assert len({str(metric.label) for metric in metrics}) == len(metrics)
    assert all(str(metric.meaning) for metric in metrics)
    assert ("Cent" in {str(metric.label) for metric in metrics}) is (unit == "cents")


def test_each_record_has_a_label() -> None:
    assert list(RECORDS) == [record.key for record in build_records()]
