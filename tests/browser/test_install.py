"""Decides when the start page offers to install the app."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import barriers, misfits
from tests.browser_page import log_in
from tests.effort import in_soak
from tests.factories import Cast

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
