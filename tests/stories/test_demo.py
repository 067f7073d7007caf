"""A stranger on a phone of 360 px: one tap on the front page opens a table of their own, and one game is saved there."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Game, Table
from scoring.play.queries import propose_next, read_records
from scoring.rules.deal import Proposal
from tests.browser.fit import barriers, misfits
from tests.phones import another_page
from tests.stories.table import TablePage


def test_one_tap_one_table_one_game(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(live_server.url)
    with another_page(page):
        page.get_by_role("button", name="Demo ansehen").tap()
    page.wait_for_url("**/tables/*/")
    table = Table.objects.select_related("evening__club", "rule_set").get(pk=page.url.split("/")[-2])
    expect(page.locator("#live-steps")).to_have_text("Zum Ausprobieren: antippen, wer Re ist, dann das Ergebnis.")
    expect(page.locator("#head")).to_contain_text("Ihre Demo")
    assert misfits(page) == [] and barriers(page) == []
    before = Game.objects.filter(round__table=table).count()
    phone = TablePage(page, live_server.url, table)
    deal: Proposal = propose_next(read_records(table))
    seats = [seat for seat in range(len(phone.people)) if seat not in (deal.out or ())]
    phone.enter_and_save({"kind": "normal", "re": seats[:2], "eyes": 150})
    assert Game.objects.filter(round__table=table).count() == before + 1
    page.goto(f"{live_server.url}/c/{table.evening.club.slug}/")
    expect(page.get_by_text("Demo, wird morgen gelöscht.")).to_be_visible()
    assert misfits(page) == []
