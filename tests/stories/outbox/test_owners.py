"""What waits belongs to whoever typed it, until somebody else takes it over."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from scoring.models import Change, Verb
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.factories import Cast, make_user
from tests.stories.outbox.phone import (
    FIRST,
    GAMES,
    OFFLINE,
    SECOND,
    THIRD,
    find_net,
    keep,
    let_through,
    lose_net,
    stored,
    waits,
)
from tests.stories.table import TablePage


@pytest.fixture
def other(cast: Cast) -> User:
    return make_user("Berta", cast.club, ["scorer"])


def box_of_others(page: Page) -> Any:
    return page.locator("#outbox").get_by_role("status")


def entered_by(table: TablePage) -> list[str]:
    """Who entered the games that stand, in the order in which they came."""
    added = Change.objects.filter(table=table.table, verb=Verb.GAME_ADDED).order_by("id")
    return [change.actor.username for change in added]


def test_what_waits_waits_for_whoever_typed_it(
    page: Page, table: TablePage, cast: Cast, other: User, page_complaints: list[str]
) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    log_in(page.context, table.site, other)
    find_net(page)
    expect(table.message).to_contain_text("hier trägt jetzt jemand anders ein")
    table.open()
    expect(box_of_others(page)).to_contain_text(f"was {cast.scorer.username} hier eingetippt hat (2)")
    expect(waits(table)).to_be_hidden()
    table.enter_and_save(THIRD)
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    assert [game.facts["re"] for game in stored(table)] == [[3]], "nothing of the other's went along"

    log_in(page.context, table.site, cast.scorer)
    table.open()
    expect(box_of_others(page)).to_have_count(0)
    page.get_by_role("button", name="Nein, mein Spiel kam danach").tap()
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[3], [0, 1], [0, 2]]
    assert all("401" in said for said in page_complaints)
    page_complaints.clear()
    assert entered_by(table) == [other.username, cast.scorer.username, cast.scorer.username]


@pytest.mark.soak
def test_what_somebody_else_typed_is_taken_over_once(page: Page, table: TablePage, cast: Cast, other: User) -> None:
    """The first had arrived and only its answer was lost: it stays under the name of whoever typed it."""
    lose_net(page)

    def swallow(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort(OFFLINE)

    page.route(GAMES, swallow, times=1)
    keep(table, FIRST)
    keep(table, SECOND)
    page.goto("about:blank")
    let_through(page)
    log_in(page.context, table.site, other)
    table.open()
    page.get_by_role("button", name="Unter meinem Namen eintragen").tap()
    expect(box_of_others(page)).to_have_count(0)
    expect(waits(table)).to_be_hidden()
    table.expect_saved()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert entered_by(table) == [cast.scorer.username, other.username]
    assert table.dealer == "Çelik", "the form is for the next game"
    page.reload()
    expect(box_of_others(page)).to_have_count(0)
