"""What a chart says when it is asked: to a finger, a mouse and the keys, to whom it is read out, and on paper."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import barriers, misfits
from tests.browser_page import log_in, printed
from tests.factories import add_game, make_club, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chart(page: Page, live_server: LiveServer) -> Page:
    """The curve of somebody who won one point on each of three evenings, far apart."""
    club = make_club(slug="karo")
    for month in (1, 2, 6):
        add_game(make_table(club, held_on=datetime.date(2026, month, 5)), re=[0, 1], eyes=130)
    log_in(page.context, live_server.url, make_user("rita", club))
    page.goto(f"{live_server.url}/c/karo/people/{club.players.get(name='Ärmel').pk}/")
    # The way of the points; the mean is behind a button.
    expect(page.get_by_role("slider")).to_have_count(1)
    return page


def expect_legend(page: Page, said: str) -> None:
    expect(page.locator("[data-chart] figcaption").first).to_have_text(said, use_inner_text=True)


def test_it_is_asked_by_buttons_a_mouse_a_finger_and_keys_and_read_out(chart: Page) -> None:
    expect_legend(chart, "Summe am 05.06.2026 Ärmel 3")
    expect(chart.get_by_role("slider", name="Punkte über die Zeit. Am Ende: Ärmel 3", exact=True)).to_be_visible()
    # One chart is in sight, and buttons choose which.
    shown = chart.locator(".charts .curve:visible")
    for name, caption in (("Ø/Spiel", "Schnitt am"), ("Letzte Abende", "Punkte je Abend"), ("Punkte", "Summe am")):
        chart.get_by_role("radio", name=name).check()
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(caption)
    svg = chart.locator("[data-chart] > svg").first
    box = svg.bounding_box()
    assert box
    svg.hover(position={"x": box["width"] * 0.3, "y": 20})
    expect_legend(chart, "Summe am 05.02.2026 Ärmel 2")
    before = svg.bounding_box()
    svg.tap(position={"x": box["width"] * 0.15, "y": box["height"] - 30})
    expect_legend(chart, "Summe am 05.01.2026 Ärmel 1")
    assert svg.bounding_box() == before
    slider = chart.get_by_role("slider").first
    slider.focus()
    for key, said in (
        ("End", "05.06.2026: Ärmel 3"),
        ("ArrowLeft", "05.02.2026: Ärmel 2"),
        ("Home", "05.01.2026: Ärmel 1"),
        ("ArrowLeft", "05.01.2026: Ärmel 1"),
        ("ArrowRight", "05.02.2026: Ärmel 2"),
    ):
        slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", said)
    for width in (1280, 320, 360):
        chart.set_viewport_size({"width": width, "height": 740})
        assert misfits(chart) == [], width
    assert barriers(chart) == []
    # Paper keeps the last point.
    assert "05.06.2026" in " ".join(printed(chart))
    expect_legend(chart, "Summe am 05.06.2026 Ärmel 3")
