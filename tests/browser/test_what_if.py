"""A question of What if that takes longer goes on by itself in a browser, and leads to its answer."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.whatif import actions, views
from tests.browser_page import log_in
from tests.factories import add_game, make_club, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_goes_on_by_itself(page: Page, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    club = make_club(slug="karo")
    for day in (1, 2, 3):
        table = make_table(club, held_on=datetime.date(2026, 3, day))
        add_game(table)
    for module in (actions, views):
        monkeypatch.setattr(module, "TABLES_AT_ONCE", 1)
    log_in(page.context, live_server.url, make_user("rita", club))
    page.goto(f"{live_server.url}/c/karo/list/what-if/?rules={table.rule_set_id}")
    expect(page.get_by_text("3 Spiele gewertet.")).to_be_visible()
    expect(page.get_by_role("button", name="Weiter werten")).to_have_count(0)
    expect(page.get_by_role("link", name="ddv · alle Regelwerke · alle Jahre")).to_be_visible()
