"""The same table where no script runs: forms and links alone enter, correct, delete and undo, and a refused entry keeps what
was typed. And with the script, a whole game by keyboard."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Game, Table
from scoring.rules import labels
from tests.browser_page import another_page, log_in
from tests.factories import make_table
from tests.stories.table import TablePage


class PlainTable(TablePage):
    """The table on a phone without a script: no number pad and no folding of the solos, and points only after saving."""

    def kind(self, kind: str) -> None:
        self.tap(self.pill(self.page.locator(".kinds, #solos"), labels.KINDS[kind]))

    def question(self, kind: str) -> str:
        return "Wer ist Re?"

    def chip(self, party: str, name: str, count: int) -> None:
        rows = self.group(name, self.unfold("Sonderpunkte"))
        self.tap(self.pill(self.group(party, rows), str(count)))

    def keys(self, field: str, value: int) -> None:
        self.page.locator(f'#entry [name="{field}"]').fill(str(value))

    def save(self) -> None:
        """Whatever comes of it stands on another page, which may look like this one."""
        with another_page(self.page):
            super().save()

    def expect_saved(self) -> None:
        """The page has come back, ready for the next game."""
        expect(self.page.locator(".fault:visible, .conflict")).to_have_count(0)
        assert not self.page.locator("#entry [data-pick] input:checked").count()


@pytest.fixture
def four(club: Club) -> Table:
    return make_table(club, 4)


@pytest.fixture
def table(new_context: CreateContextCallback, live_server: LiveServer, scorer: User, four: Table) -> PlainTable:
    phone = new_context(java_script_enabled=False)
    log_in(phone, live_server.url, scorer)
    return PlainTable(phone.new_page(), live_server.url, four).open()


def lines(table: TablePage) -> list[list[str]]:
    """The cells of the sheet, the newest line first; read without any script in the page."""
    rows = table.loaded.locator("#rows tr")
    return [[" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts()] for row in rows.all()]


def totals(table: TablePage) -> list[str]:
    return table.loaded.locator("#sheet [data-total]").all_inner_texts()


def test_games_by_band_by_eyes_and_a_solo_and_one_that_is_refused(table: PlainTable) -> None:
    table.enter_and_save({"kind": "normal", "re": [0, 1], "band": "151-180"})
    table.mark("Wer ist Re?", [0, 2])
    table.side("kontra")
    table.keys("eyes", 151)
    table.save()
    table.enter_and_save({"kind": "damensolo", "duty": True, "re": [3], "eyes": 122})
    assert [cells[-1] for cells in lines(table)] == ["1", "3", "2"]
    assert Game.objects.get(facts__kind="damensolo").facts["duty"] is True
    assert Game.objects.get(facts__re=[0, 2]).facts["eyes"] == 89
    assert totals(table) == ["−2", "4", "−6", "4"]
    assert table.dealer == "Çelik", "the deal stays after a Pflichtsolo"
    # A refused entry keeps what was typed.
    page = table.page
    table.mark("Wer ist Re?", [1, 2])
    table.keys("eyes", 300)
    table.say("re", "no60")
    table.chip("Kontra", "Fuchs gefangen", 1)
    table.unfold("Mehr")
    page.get_by_label("Bemerkung").fill("abends um elf")
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text(re.compile("ganze Zahl von 0 bis 240"))
    assert Game.objects.count() == 3
    expect(page.get_by_role("textbox", name="Augen")).to_have_value("300")
    for name, value in (("re", "1"), ("re", "2"), ("re_said", "no60"), ("kontra_fuchs", "1")):
        expect(page.locator(f'#entry [name="{name}"][value="{value}"]')).to_be_checked()
    expect(page.get_by_label("Bemerkung")).to_have_value("abends um elf")
    expect(page.get_by_label("Bemerkung")).to_be_visible()
    table.keys("eyes", 200)
    table.save()
    table.expect_saved()
    assert len(lines(table)) == 4
