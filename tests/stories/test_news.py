"""A quiet phone holds one connection on which the real server tells it when to ask: what another phone entered is there at
once, nothing is asked in between, an hour of it weighs little, and a server that went away is heard again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Page, Request, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Table
from tests.factories import make_club, make_table, make_user
from tests.server import free_port, running, told
from tests.stories.table import sit_down

GAME = {"kind": "normal", "re": [0, 1], "band": "121-150"}
# So long a phone that is not told would have asked three times.
QUIET = 5000
# Bytes. Beside the connection it asks now and then, for a line that died without a word.
AN_HOUR = 600_000
WATCH = settings.BASE_DIR / "scoring/static/scoring/table/watch.js"


@pytest.fixture
def table(db: None) -> Table:
    return make_table(make_club())


@pytest.fixture
def scorer(table: Table) -> User:
    return make_user("schorsch", table.evening.club, ["scorer"])


def test_a_quiet_phone_is_told(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer, table: Table, scorer: User, tmp_path: Path
) -> None:
    asked: list[Request] = []
    port = free_port()
    site = f"http://localhost:{port}"
    with running(tmp_path, port, tmp_path / "log", collected=True, **told()):
        first = sit_down(page, site, scorer, table)
        quiet = new_context().new_page()
        with quiet.expect_response("**/live/") as held:
            other = sit_down(quiet, site, scorer, table)
        assert held.value.status == 200
        with quiet.expect_response("**/state/") as last:
            pass  # the last question of a phone that had no connection yet
        rarely = int(re.findall(r"const RARELY = (\d+);", WATCH.read_text(encoding="utf-8"))[0])
        assert 3_600_000 / rarely * sum(last.value.request.sizes().values()) <= AN_HOUR
        quiet.on("request", lambda request: asked.append(request) if request.url.endswith("/state/") else None)
        quiet.wait_for_timeout(QUIET)
        assert asked == [], "it is told, and need not ask"
        first.enter_and_save(GAME)
        expect(quiet.locator("#rows tr")).to_have_count(1)
        assert len(asked) == 1
        assert other.lines() == first.lines()
    other.expect_out_of_reach()
    with running(tmp_path, port, tmp_path / "log", collected=True, **told()):
        # After a server that was gone so long it asks ever more rarely (test_phones.py): whoever taps need not wait for that.
        with quiet.expect_response("**/live/"):
            quiet.locator("h1").first.dispatch_event("pointerdown")
        first.enter_and_save(GAME)
        expect(quiet.locator("#rows tr")).to_have_count(2)
