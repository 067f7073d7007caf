"""People of the cast whom the pages of the Kasse are about, and the phone of the treasurer."""

from __future__ import annotations

import pytest
from django.test import Client

from scoring.models import Player
from tests.client import visit
from tests.factories import Cast, make_player


@pytest.fixture
def bodo(cast: Cast) -> Player:
    return cast.club.players.get(name="Bodo")


@pytest.fixture
def rita(cast: Cast) -> Player:
    return make_player(cast.club, "Rita", user=cast.reader)


@pytest.fixture
def thea(cast: Cast) -> Client:
    return visit(cast.treasurer)
