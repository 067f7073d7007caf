"""A month by hand: an admin closes it on a phone after looking at it, opens a calculation, and pins it up on one page of
A4."""

from __future__ import annotations

import datetime
import re
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import MonthClosing, Season
from tests.browser_page import log_in, printed
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.months import close, make_season

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Friedrich-Wilhelm", "Annegret Oberwiesenmüller", "Bo", "Željko", "Özlem Yıldırım")


@pytest.fixture
def season(page: Page, live_server: LiveServer) -> Season:
    """Two months of a club with long names, five evenings in the second, as its admin sees them."""
    club = make_club("Doppelkopffreunde Wolfratshausen-Geretsried e. V.", slug="karo")
    people = [make_player(club, name) for name in NAMES]
    days = [datetime.date(2026, 2, 6), *(datetime.date(2026, 3, day) for day in (1, 8, 15, 22, 29))]
    for number, day in enumerate(days):
        table = make_table(club, people, held_on=day)
        dealer = number % 5
        add_game(table, dealer=dealer, re=[seat for seat in range(5) if seat != dealer][:2], eyes=150 + number)
        close_evening(evening=table.evening, actor=Actor())
    log_in(page.context, live_server.url, make_user("anna", club, ["admin"]))
    season = make_season(club, "Vereinsmeisterschaft 2026", best=3)
    close(season, "2026-02")
    return season


def open_month(page: Page, live_server: LiveServer, season: Season, month: str = "2026-03") -> None:
    page.goto(f"{live_server.url}/c/karo/seasons/{season.pk}/{month}/")


def test_an_admin_closes_a_month(page: Page, live_server: LiveServer, season: Season) -> None:
    page.goto(f"{live_server.url}/c/karo/")
    page.get_by_role("link", name="Liga").tap()
    page.get_by_role("link", name="Mär 26 vorläufig", exact=True).tap()
    table = page.get_by_role("region", name="März 2026")
    expect(table.get_by_role("row")).to_have_count(6)
    table.get_by_role("link", name="Bo", exact=True).tap()
    expect(page.locator("details details[open]")).to_have_count(1)
    expect(page.locator("details details[open]").get_by_text("Summe aus 3 Abenden")).to_be_visible()
    page.get_by_role("link", name="Monat abschließen").tap()
    page.get_by_role("button", name="Monat abschließen").tap()
    expect(page.get_by_text("März 2026 ist abgeschlossen.")).to_be_visible()
    page.get_by_text("Prüfsummen (SHA-256)").tap()
    expect(page.get_by_text(MonthClosing.objects.get(month="2026-03").file_sha256)).to_be_visible()


@pytest.mark.soak
def test_a_month_on_a_phone(page: Page, live_server: LiveServer, season: Season) -> None:
    """The podium, which says what its first rows say, is for wide screens."""
    page.set_viewport_size({"width": 360, "height": 640})
    open_month(page, live_server, season)
    podium, share, head = page.locator(".podium"), page.get_by_role("link", name="Teilen"), page.locator("thead").first
    expect(podium).to_be_hidden()
    assert share.bounding_box()["y"] < head.bounding_box()["y"] < 300
    assert head.bounding_box()["height"] <= 52, "there is no empty band above the figures"
    middles = """l => l.map(e => e.getBoundingClientRect()).map(box => box.top + box.height / 2)"""
    heads = page.locator(".list.month thead a").evaluate_all(middles)
    assert max(heads) - min(heads) <= 1, "all heads stand on one line"
    page.set_viewport_size({"width": 1280, "height": 800})
    assert podium.bounding_box()["y"] < head.bounding_box()["y"]
    assert podium.locator(".cut").all_inner_texts() == page.locator(".list.month tbody th .cut").all_inner_texts()[:3]
    # Rank and name stay while the evenings move.
    page.set_viewport_size({"width": 320, "height": 740})
    box, rank, name = (page.locator(one).first for one in (".list-wrap", "tbody td", "tbody th"))
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    # A shade at the edge says that there is more; the paper that covers it moves along.
    assert box.evaluate("e => getComputedStyle(e).backgroundAttachment") == "local, scroll, scroll"
    box.evaluate("e => { e.scrollLeft = e.scrollWidth }")
    assert 0 <= rank.bounding_box()["x"] - box.bounding_box()["x"] <= 2
    assert name.bounding_box()["x"] == rank.bounding_box()["x"] + rank.bounding_box()["width"]
    # An edge cuts no column in two. At 360 two evenings are in sight; a swipe ends at a column.
    edges = """e => [...e.querySelectorAll('thead th')].map(th => th.getBoundingClientRect())
        .map(th => [th.left, th.right].map(x => Math.round(x - e.getBoundingClientRect().left)))"""
    for width in (320, 360, 390, 500):
        page.set_viewport_size({"width": width, "height": 640})
        for swiped in (0, 70, 9999):
            box.evaluate("(e, left) => { e.scrollLeft = left }", swiped)
            wide = box.evaluate("e => e.clientWidth")
            _rank, (_left, edge), *columns = box.evaluate(edges)
            seen = [(left, right) for left, right in columns if edge - 1 <= left and right <= wide + 1]
            assert not [one for one in columns if one[0] < wide - 1 and one[1] > wide + 1], (swiped, columns)
            assert not [one for one in columns if one[0] < edge - 1 and one[1] > edge + 1], (swiped, columns)
            assert len(seen) >= (3 if width >= 360 else 2), "a result and evenings"
    # No name makes a page wider than its phone.
    season.club.players.filter(name="Bo").update(name="Donaudampfschifffahrtsgesellschaftskapit")
    page.set_viewport_size({"width": 320, "height": 740})
    open_month(page, live_server, season)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.goto(f"{live_server.url}/c/karo/people/{season.club.players.get(name__startswith='Donau').pk}/beside/")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_month_and_season_are_one_page_of_a4_each(page: Page, live_server: LiveServer, season: Season) -> None:
    close(season, "2026-03")
    closing = MonthClosing.objects.get(month="2026-03")
    open_month(page, live_server, season)
    said = on_one_page(page)
    for part in ("März 2026 · Doppelkopffreunde", "Abgeschlossen am", "Vereinsmeisterschaft 2026", "Ergebnis", "29.3.",
                 closing.content_sha256, "Es zählen die besten 3 Abende.", *(name.split()[0] for name in NAMES)):  # fmt: skip
        assert part in said, part
    assert re.search(r"\(−?\d+\)", said), "what does not count stands in brackets"
    for part in ("Drucken", "Start", "Teilen", "So kommt es zustande"):
        assert part not in said, part
    page.goto(f"{live_server.url}/c/karo/league/")
    said = on_one_page(page)
    paper = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True))).pages[0].mediabox
    assert paper.width > paper.height, "the months have room side by side"
    for part in (
        "Vereinsmeisterschaft 2026", "Gesamt", "Feb 26", "Mär 26", "Es führ", *(name.split()[0] for name in NAMES),
    ):  # fmt: skip
        assert part in said, part


def on_one_page(page: Page) -> str:
    """What stands on paper; it is one page. Where a line ends is nobody's business here."""
    (said,) = printed(page)
    return " ".join(said.split())
