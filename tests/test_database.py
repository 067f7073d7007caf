"""What is asked without an index is seen."""

from __future__ import annotations

import pytest

from tests.database import reads_a_whole_table


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("asked", "whole"),
    [
        ("note = 'x'", True),
        ("round_id = 1", False),
        ("EXISTS (SELECT 1 FROM scoring_outcome U0 WHERE U0.value = 1)", True),
        ("round_id IN (SELECT id FROM scoring_round U0 WHERE U0.table_id = 1)", False),
    ],
)
def test_a_plan_that_reads_a_whole_table_is_seen(db: None, asked: str, whole: bool) -> None:
    assert reads_a_whole_table(f"SELECT key FROM scoring_game WHERE {asked}", ()) == whole
