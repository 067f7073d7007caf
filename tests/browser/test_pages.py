"""Every page of the site on a phone and on a desk, in a club with everything that strains a page. A page that is in no list
here fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import ALL_BUT_CONTRAST, CONTRAST, EVERYTHING, THUMB, THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser.strained import PAGES, Site, name_of, strained_site

AT_THE_TABLE = ("table", "game", "game_insert")


# What answers with no page of its own: files, a redirect, or POST alone.
NO_PAGES = {
    "healthz",
    "worker",
    "robots",
    "player_initial",
    "rule_set_preview",
    "manifest",
    "games",
    "state",
    "live",
    "link_open",
    "founding_link",
    "join_open",
    "join_link_end",
    "guest",
    "planned",
    "late_enter",
    "late_discard",
    "undo",
    "evening_discard",
    "evening_reopen",
    "evening_excel",
    "archive",
    "player_data",
    "archive_undo",
    "archive_discard",
    "club_excel",
    "club_csv",
    "table_csv",
    "import_discard",
    "part",
    "result_text",
    "result_picture",
    "standings_excel",
    "month_excel",
    "month_supplement",
    "version_excel",
    "version_data",
    "member_password",
    "member_remove",
    "invitation_withdraw",
    "logout",
    "set_language",
}


def names_of(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names_of(pattern.url_patterns)
        else:
            yield str(pattern.name)


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


def test_every_address_is_looked_at() -> None:
    assert set(names_of(get_resolver().url_patterns)) - NO_PAGES == {name_of(page) for page in PAGES} - {"no"}


PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_fits_and_is_open_to_everybody(
    page: Page, site: Site, page_complaints: list[str], part: int
) -> None:
    """At three widths nothing is cut off or too small, and axe finds nothing: on a phone, in the dark, on a desk."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = {}
    for name in PAGES[part::PARTS]:
        answer = page.goto(site.url + site.addresses[name])
        assert answer.status == (404 if name == "no such page" else 200), name
        if faults := list(faults_of(page, THUMB_AT_THE_TABLE if name_of(name) in AT_THE_TABLE else THUMB)):
            found[name] = faults
        if name == "no such page":
            # The browser notes on its console that it was not found.
            assert "status of 404" in page_complaints.pop()
    assert not found, "\n".join(f"{name}:\n    " + "\n    ".join(faults) for name, faults in found.items())


def faults_of(page: Page, thumb: int) -> Iterator[str]:
    """Looking at colours takes axe longest: in the dark they are all that differs, on a desk they do not."""
    for width in (1280, 320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        yield from (f"{width} px: {fault}" for fault in misfits(page, thumb))
        if width != 320:
            rules = EVERYTHING if width == 360 else ALL_BUT_CONTRAST
            yield from (f"{width} px: {fault}" for fault in barriers(page, rules))
    page.emulate_media(color_scheme="dark")
    yield from (f"in the dark: {fault}" for fault in barriers(page, CONTRAST))
    page.emulate_media(color_scheme="light")


@dataclass
class Wire:
    """What went over the wire, in bytes as the browser counts them: compressed, with headers. The page's questions for what
    is new come afterwards, the more of them the slower the machine."""

    received: int = 0
    questions: set[str] = field(default_factory=set)

    def listen(self, page: Page) -> Wire:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self.note)
        session.on("Network.loadingFinished", self.count)
        return self

    def note(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].endswith("/state/"):
            self.questions.add(event["requestId"])

    def count(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self.questions:
            self.received += event["encodedDataLength"]

    def visit(self, page: Page, address: str) -> float:
        """How many kB this visit costs."""
        self.received = 0
        page.goto(address, wait_until="networkidle")
        return self.received / 1000


@pytest.mark.parametrize("name", ["table empty", "table"])
def test_the_entry_page_weighs_little(page: Page, site: Site, name: str) -> None:
    """At most 60 kB on the first visit and 12 on the next, before the first game as well as after thirty."""
    wire = Wire().listen(page)
    first = wire.visit(page, site.url + site.addresses[name])
    again = wire.visit(page, site.url + site.addresses[name])
    print(f"{name}: {first:.1f} kB on the first visit, {again:.3f} kB on the next")
    assert first <= 60
    assert again <= 12
