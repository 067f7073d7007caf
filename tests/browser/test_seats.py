"""The entry with a script where who plays does not follow from the dealer: at a table of eight who sits out is tapped, and
in fixed parties one pill names a side."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Game
from tests.browser.fit import THUMB_AT_THE_TABLE, misfits
from tests.browser_page import another_page, log_in
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user
from tests.stories.table import sit_down

# The drawer has come to rest; what lies folded in another one never does.
AT_REST = "() => Promise.all(document.querySelector('.drawer.offered').getAnimations().map(one => one.finished)).then(() => 0)"


@pytest.mark.soak
def test_fixed_parties_are_one_tap_and_a_solo_marks_one(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    table = make_table(club, 6, rule_set=make_rule_set(club, "klassisch"))
    at_table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), table)
    expect(page.locator("[data-pick]")).to_be_hidden()
    at_table.tap(at_table.pill(at_table.group("Welche Seite ist Re?"), "Bodo, Özlem, Gisela"))
    at_table.band("121-150")
    expect(page.locator("#live li").filter(has_text="Bodo")).to_have_text("Bodo +5")
    at_table.save()
    at_table.expect_saved()
    assert Game.objects.get().facts["re"] == [1, 3, 5]
    expect(page.locator("#parties input:checked")).to_have_count(0)

    at_table.kind("trumpfsolo")
    expect(page.locator("#parties")).to_be_hidden()
    at_table.tap(at_table.pill(at_table.group("Wer spielt?"), "Çelik"))
    at_table.band("121-150")
    at_table.save()
    at_table.expect_saved()
    expect(page.locator("#rows tr")).to_have_count(2)
    assert Game.objects.latest("entered_at").facts["re"] == [2]


def test_two_swap_around_the_table_and_drawn_lots_are_in_sight(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    table = make_table(club, 5)
    add_game(table, form="penalty", points=[-12, 3, 3, 3, 3], reason="Falsch bedient")
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/c/karo/tables/{table.pk}/seats/")
    expect(page.locator(".swap label small")).to_have_text(["−12 · gibt", "3", "3", "3", "3"])
    # Two taps around the table, with a third where the first was a slip.
    ring, below = page.locator(".swap li"), page.locator("#guest")
    leaves, place = page.get_by_role("button", name="Geht vom Tisch"), below.bounding_box()
    expect(leaves).to_be_hidden()
    for name in ("Bodo", "Bodo", "Ärmel"):
        ring.filter(has_text=name).locator("label").click()
    assert misfits(page) == []
    expect(leaves).to_be_in_viewport(ratio=1)
    assert below.bounding_box() == place
    with another_page(page):
        page.get_by_role("button", name="Tauschen mit: Özlem").click()
    expect(page.locator("#live-steps")).to_have_text("Ab dem nächsten Spiel sitzen so: Özlem, Bodo, Çelik, Ärmel, Željko.")
    page.go_back()
    page.get_by_text("Sitze neu ordnen oder auslosen").click()
    page.get_by_role("button", name="Sitze auslosen").click()
    expect(page.get_by_text("Ausgelost. Jetzt noch speichern.")).to_be_in_viewport()
    expect(page.get_by_label("Sitz 1")).to_be_in_viewport()


@pytest.mark.soak
def test_that_somebody_sits_down_is_said_where_nothing_moves(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    club = make_club(slug="karo")
    at_table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_table(club, 5))
    place = page.locator("#save").bounding_box()
    at_table.tap(page.get_by_role("link", name="Gast kommt"))
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    # A tap on what still moves would scroll the page.
    page.evaluate(AT_REST)
    page.get_by_label("Neuer Name").fill("Hermann-Josef aus der Nachbarrunde")
    with another_page(page):
        at_table.tap(page.get_by_role("button", name="Dazusetzen"))
    expect(at_table.message).to_contain_text("Hermann-Josef aus der Nachbarrunde.")
    assert page.locator("#save").bounding_box() == place
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    at_table.mark("Wer ist Re?", [1])
    expect(at_table.message).not_to_contain_text("Hermann-Josef")
