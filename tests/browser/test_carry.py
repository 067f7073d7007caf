"""Open Bocks that go on, from the box at the new evening to the points under the thumb: what the phone computes is what the
server stores, and every page of the way fits."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Outcome, Table
from tests.browser.fit import EVERYTHING, THUMB, THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user
from tests.stories.table import TablePage

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_next_evening_goes_on(page: Page, live_server: LiveServer) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 740})
    club = make_club(slug="karo")
    rules = make_rule_set(club, "anleitung", "Wir", bock={"carry": True})
    first = make_table(club, rule_set=rules)
    add_game(first, eyes=100, re_said="said")
    for _ in range(2):
        add_game(first)
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))

    page.goto(f"{live_server.url}/c/karo/evenings/new/")
    box = page.get_by_label("Böcke vom 06.03.2026 gehen weiter: noch 2")
    expect(box).to_be_checked()
    assert misfits(page, THUMB) + barriers(page, EVERYTHING) == []
    page.get_by_role("button", name="Mit diesen anfangen").click()

    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 2 aus dem Abend vom 06.03.2026, Spiel 1")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page, EVERYTHING) == []
    second = Table.objects.latest("pk")
    table = TablePage(page, live_server.url, second)
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(page.locator("#live-steps")).to_contain_text("Bock: ×2")
    table.save()
    table.expect_saved()
    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 1 aus dem Abend vom 06.03.2026, Spiel 1")

    # A game that starts a Bock says so before it is saved.
    table.enter({"kind": "normal", "re": [0, 1], "re_said": "said", "band": "90-119"})
    expect(page.locator("#live-steps")).to_contain_text("bringt 4 Bockspiele")
    table.open()

    # Without a net the phone goes on by itself.
    page.context.set_offline(True)
    steps = page.locator("#live-steps")
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(steps).to_contain_text("Bock: ×2")
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(steps).not_to_contain_text("Bock: ×2")
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    page.context.set_offline(False)
    expect(page.locator("#rows tr")).to_have_count(3)
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    stored = Outcome.objects.filter(game__round__table=second).order_by("game__position")
    assert list(stored.values_list("bock", flat=True)) == [1, 1, 0]

    # A change of the earlier evening reaches the page by itself.
    table.open()
    expect(page.locator("#rows .bock-sign")).to_have_count(2)
    add_game(first)
    expect(page.locator("#rows .bock-sign")).to_have_count(1)
    page.goto(f"{live_server.url}/c/karo/tables/{second.pk}/carry/?earlier=")
    expect(page.get_by_role("button", name="Nicht mehr weiterspielen")).to_be_visible()
    assert misfits(page, THUMB) + barriers(page, EVERYTHING) == []
