"""The tables whose games wait on a phone: of four with nothing on the sheet, and of five with one game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring.models import Table
from tests.factories import Cast, add_game, make_table
from tests.stories.table import TablePage, sit_down


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return _sit_down(page, live_server, cast, make_table(cast.club, 4))


@pytest.fixture
def five(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    """Five at the table, one game on the sheet."""
    table = make_table(cast.club, 5)
    add_game(table, re=[1, 2])
    return _sit_down(page, live_server, cast, table)


def _sit_down(page: Page, site: LiveServer, cast: Cast, table: Table) -> TablePage:
    """What waits and how it goes out is the question here; whether a finger reaches what it taps is asked by other stories."""
    opened = sit_down(page, site.url, cast.scorer, table)
    opened.is_surely_in_reach = True
    return opened
