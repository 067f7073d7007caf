"""What strangers see first: the front page shows what this is in one look at a phone and leads to the login; the first page
of a club that shows itself fits as well."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from tests.browser.fit import faults_of
from tests.factories import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_front_page_says_what_this_is_and_leads_to_the_login(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(live_server.url)
    for seen in ("h1", ".front img >> visible=true", ".two-buttons .btn >> nth=0"):
        box = page.locator(seen).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 640, seen
    assert page.locator(".front img >> visible=true").evaluate("image => image.complete && image.naturalWidth") == 720
    assert [*faults_of(page)] == []
    page.get_by_role("link", name="Anmelden").tap()
    expect(page.get_by_label("Anmeldename")).to_be_visible()
    assert page.url == f"{live_server.url}/login/"


@pytest.mark.soak
def test_the_first_page_of_a_club_fits(page: Page, live_server: LiveServer) -> None:
    cast = make_cast(shows_list=True, shows_months=True, shows_evenings=True)
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    page.goto(f"{live_server.url}/c/karo/")
    expect(page.get_by_role("heading", name="Ewige Liste")).to_be_visible()
    assert [*faults_of(page)] == []
