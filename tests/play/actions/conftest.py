"""What carrying Bock games on is tested with: a club, rules that let them be carried on, and two evenings by them."""

from __future__ import annotations

import pytest

from scoring.models import Club, RuleSet, Table
from tests.carry import carrying, two_evenings
from tests.factories import make_club


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def rules(club: Club) -> RuleSet:
    return carrying(club)


@pytest.fixture
def two(club: Club, rules: RuleSet) -> tuple[Table, Table]:
    return two_evenings(club, rules)
