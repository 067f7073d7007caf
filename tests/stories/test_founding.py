"""A club from nothing to its first saved game: one command, then one page with five questions and the people, one for the
evening, and the table."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Game, RuleSet, Table
from scoring.rulesets.actions.founding import found_club
from tests.browser.fit import barriers, misfits
from tests.phones import another_page, log_in
from tests.stories.table import TablePage

# Where each answer stands on the page, and how high it is.
PLACES = """() => [...document.querySelectorAll('.form-check:has(.worth)')].map((answer) => {
    const { top, height } = answer.getBoundingClientRect();
    return [Math.round(top + scrollY), Math.round(height)];
})"""


@pytest.fixture
def founder(page: Page, live_server: LiveServer) -> Page:
    """The start page of a club that was just founded, on the phone of its first admin."""
    found_club(name="Karo Eins", admin="vera")
    log_in(page.context, live_server.url, User.objects.get(username="vera"))
    page.goto(live_server.url)
    return page


def tapped(page: Page, button: str) -> None:
    with another_page(page):
        page.get_by_role("button", name=button).tap()


def test_from_nothing_to_the_first_saved_game(founder: Page, live_server: LiveServer) -> None:
    """Five taps for the rules and the evening, the names once, and the four taps of an ordinary game."""
    with another_page(founder):
        founder.get_by_role("link", name="Club einrichten").tap()
    founder.get_by_label("Wer spielt mit?").fill("Zora\nAnton\nBerta\nÇelik")
    founder.get_by_role("radio", name="Jede Ansage verdoppelt → 6 Punkte").tap()
    founder.get_by_label("Eigene Sonderpunkte").fill("Schweinchen")
    tapped(founder, "Weiter zum ersten Abend")
    tapped(founder, "So anfangen")

    table = TablePage(founder, live_server.url, Table.objects.get())
    assert table.people == ["Zora", "Anton", "Berta", "Çelik"]
    assert table.table.rule_set == RuleSet.objects.get(name="Unsere Regeln")
    assert table.table.rule_set.rules.special_names == {"schweinchen": "Schweinchen"}
    table.enter_and_save({"kind": "normal", "re": [0, 2], "band": "121-150"})
    table.expect_saved()
    assert table.taps == 4
    assert Game.objects.get().facts["re"] == [0, 2]


def test_a_founder_who_forgets_the_people_hears_of_it_and_loses_nothing(founder: Page) -> None:
    with another_page(founder):
        founder.get_by_role("link", name="Club einrichten").tap()
    assert misfits(founder) + barriers(founder) == []
    founder.get_by_role("radio", name="Verdoppelt → Solist +4, jeder andere −4").tap()
    tapped(founder, "Weiter zum ersten Abend")
    expect(founder.get_by_role("alert")).to_contain_text("Wer spielt mit?")
    expect(founder.get_by_role("radio", name="Verdoppelt → Solist +4, jeder andere −4")).to_be_checked()
    assert misfits(founder) + barriers(founder) == []


@pytest.mark.parametrize("script", [True, False])
def test_the_examples_count_while_somebody_taps_and_nothing_moves(
    founder: Page, live_server: LiveServer, new_context: CreateContextCallback, script: bool
) -> None:
    phone = new_context(java_script_enabled=script)
    phone.add_cookies(founder.context.cookies())
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{live_server.url}/c/karo-eins/rules/questions/")
    places = page.evaluate(PLACES)
    for answer in ("Jede Ansage verdoppelt", "Acht Spiele"):
        page.get_by_role("radio", name=answer).check()
    count = page.get_by_role("button", name="Die Beispiele neu rechnen")
    if script:
        expect(count).to_be_hidden()
    else:
        with another_page(page):
            count.click()
    expect(page.get_by_role("radio", name="Vor dem Verdoppeln → 12 Punkte")).to_be_visible()
    expect(page.get_by_role("radio", name="Der zweite kommt hinten dran → 24-mal 2")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.evaluate(PLACES) == places
