"""What the actions of the league are tested with: a club, its admin, and a season of two evenings."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from scoring.models import Club, Season
from tests.factories import make_club, make_user
from tests.league.actions.march import two_evenings


@pytest.fixture
def club() -> Club:
    return make_club(slug="karo")


@pytest.fixture
def admin(club: Club) -> User:
    return make_user("anna", club, ["admin"])


@pytest.fixture
def season(club: Club) -> Season:
    return two_evenings(club)
