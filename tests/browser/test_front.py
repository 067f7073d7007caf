"""What strangers see first: the front page shows what this is in one look at a phone and leads to the login; the first page
of a club that shows itself fits as well."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from tests.browser.fit import barriers, faults_of, misfits
from tests.browser_page import log_in
from tests.effort import in_soak
from tests.factories import Cast, make_cast

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


# The browser offers it, as Chrome does on a phone that has not got the app yet.
OFFERED = """() => {
    const event = new Event("beforeinstallprompt", { cancelable: true });
    event.prompt = async () => { window.prompted = true; };
    dispatchEvent(event);
    return event.defaultPrevented;
}"""


@pytest.mark.parametrize(("answer", "prompted"), [("Installieren", True), in_soak("Nicht jetzt", False)])
def test_the_app_is_offered_until_somebody_has_answered(
    page: Page, live_server: LiveServer, cast: Cast, answer: str, prompted: bool
) -> None:
    log_in(page.context, live_server.url, cast.scorer)
    page.goto(live_server.url + reverse("club", args=["karo"]))
    hint = page.get_by_text("Als App auf den Startbildschirm")
    expect(hint).to_be_hidden()
    assert page.evaluate(OFFERED)
    expect(hint).to_be_visible()
    assert misfits(page) + barriers(page) == []
    page.get_by_role("button", name=answer).tap()
    expect(hint).to_be_hidden()
    assert page.evaluate("window.prompted ?? false") == prompted
    page.reload()
    assert not page.evaluate(OFFERED)
    expect(hint).to_be_hidden()
