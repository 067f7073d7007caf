"""The tables whose games wait on a phone: of four with nothing on the sheet, and of five with one game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.factories import Cast, add_game, make_table
from tests.stories.table import TablePage, sit_down


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 4))


@pytest.fixture
def five(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    """Five at the table, one game on the sheet."""
    table = make_table(cast.club, 5)
    add_game(table, re=[1, 2])
    return sit_down(page, live_server.url, cast.scorer, table)
