"""The same table where no script runs: forms and links alone enter, correct, delete and undo, and a refused entry keeps what
was typed. And with the script, a whole game by keyboard."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Game, Table
from scoring.rules import labels
from tests.factories import add_game, make_club, make_table, make_user
from tests.phones import another_page, log_in
from tests.stories.table import TablePage, sit_down


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
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


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


# --- Entering -------------------------------------------------------------------------------------------------------


def test_games_by_band_by_eyes_and_a_solo(table: PlainTable) -> None:
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


@pytest.mark.soak
def test_announcements_and_special_points(table: PlainTable) -> None:
    table.enter_and_save(
        {"kind": "normal", "re": [0, 1], "band": "151-180", "re_said": "no90", "kontra_specials": {"fuchs": 2}}
    )
    assert totals(table) == ["3", "3", "−3", "−3"]


@pytest.mark.soak
def test_the_short_form(table: PlainTable) -> None:
    table.unfold("Mehr").get_by_role("link", name="Nur Punkte eintragen").tap()
    table.enter_and_save({"winners": [1, 2], "base": 7, "solo": False})
    assert totals(table) == ["−7", "7", "7", "−7"]
    expect(table.page.get_by_role("group", name="Wer hat gewonnen?")).to_be_visible()


@pytest.mark.soak
def test_another_dealer_and_a_new_deal(table: PlainTable) -> None:
    table.enter_and_save({"dealer": 2, "kind": "normal", "re": [0, 1], "band": "121-150"})
    assert Game.objects.get().dealer == 2
    assert table.dealer == "Özlem"
    table.page.get_by_role("button", name="Neu gegeben").tap()
    expect(table.page.locator("#rows tr")).to_have_count(2)
    assert lines(table)[0][0] == "Neu gegeben"


# --- Putting right --------------------------------------------------------------------------------------------------


def test_correct_delete_and_undo(table: PlainTable, four: Table) -> None:
    for re_seats in ([0, 1], [0, 2]):
        add_game(four, re=re_seats, eyes=130)
    table.open()
    table.correct_game(1)
    table.keys("eyes", 91)
    table.save()
    expect(table.page.locator("#effects li")).to_have_text(
        [
            "Spiel 1: bisher 1 (Re), jetzt 2 (Kontra)",
            "Ärmel: Summe 2 → −1",
            "Bodo: Summe 0 → −3",
            "Çelik: Summe 0 → 3",
            "Özlem: Summe −2 → 1",
        ]
    )
    table.save()
    expect(table.page.get_by_text("Berichtigt.")).to_be_visible()
    assert totals(table) == ["−1", "−3", "3", "1"]

    table.page.get_by_role("button", name="Rückgängig").tap()
    expect(table.page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert totals(table) == ["2", "0", "0", "−2"]

    table.open_game(2)
    table.page.get_by_label("Mehr zu dieser Zeile").tap()
    table.page.get_by_role("link", name="Streichen …").tap()
    expect(table.page.locator("#effects li").first).to_have_text("Spiel 2: bisher 1, jetzt gestrichen")
    table.page.get_by_role("button", name="Streichen", exact=True).tap()
    expect(table.page.get_by_text("Gestrichen.")).to_be_visible()
    assert totals(table) == ["1", "1", "−1", "−1"]


def test_a_refused_entry_keeps_what_was_typed(table: PlainTable) -> None:
    page = table.page
    table.mark("Wer ist Re?", [1, 2])
    table.keys("eyes", 300)
    table.say("re", "no60")
    table.special("kontra", "fuchs", 1)
    table.unfold("Mehr")
    page.get_by_label("Bemerkung").fill("abends um elf")
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text(re.compile("ganze Zahl von 0 bis 240"))
    assert Game.objects.count() == 0
    expect(page.get_by_role("textbox", name="Augen")).to_have_value("300")
    for name, value in (("re", "1"), ("re", "2"), ("re_said", "no60"), ("kontra_fuchs", "1")):
        expect(page.locator(f'#entry [name="{name}"][value="{value}"]')).to_be_checked()
    expect(page.get_by_label("Bemerkung")).to_have_value("abends um elf")
    expect(page.get_by_label("Bemerkung")).to_be_visible()
    table.keys("eyes", 200)
    table.save()
    table.expect_saved()
    assert len(lines(table)) == 1


@pytest.mark.soak
def test_who_was_faster_is_asked_about(table: PlainTable, four: Table) -> None:
    """Somebody else's game came first: the page shows it beside what was typed, and sends it again if it is another."""
    add_game(four, re=[2, 3])
    table.enter({"kind": "normal", "re": [0, 1], "band": "181-210"})
    table.save()
    alert = table.page.get_by_role("alert")
    expect(alert).to_contain_text("Ist das dasselbe Spiel?")
    expect(alert).to_contain_text("Spiel 1: Ärmel −1, Bodo −1, Çelik +1, Özlem +1")
    expect(table.page.locator('#entry [name="band"][value="181-210"]')).to_be_checked()
    assert len(lines(table)) == 1
    table.save()
    table.expect_saved()
    assert totals(table) == ["2", "2", "−2", "−2"]


# --- The keyboard ---------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_a_whole_game_by_keyboard_alone(page: Page, live_server: LiveServer, scorer: User, four: Table) -> None:
    """Tab from field to field as they stand, space to mark, arrows within a row of pills, enter to save."""
    table = sit_down(page, live_server.url, scorer, four)

    def tab_to(description: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(_FOCUSED) == description:
                return
        raise AssertionError(f"{description} is not reached")

    tab_to("Ärmel")
    page.keyboard.press("Space")
    tab_to("Çelik")
    page.keyboard.press("Space")
    tab_to("Augen")
    page.keyboard.type("155")
    tab_to("Ansagen")
    page.keyboard.press("Enter")
    tab_to("nichts")
    page.keyboard.press("ArrowLeft")
    tab_to("Sonderpunkte")
    page.keyboard.press("Enter")
    tab_to("Fuchs gefangen")
    page.keyboard.press("Enter")
    expect(table.message).to_contain_text("Re 155 : 85 Kontra")
    tab_to("Eintragen und weiter")
    page.keyboard.press("Enter")
    table.expect_saved()
    assert Game.objects.get().facts == {
        "kind": "normal",
        "re": [0, 2],
        "eyes": 155,
        "re_said": "said",
        "re_specials": {"fuchs": 1},
    }
    assert table.totals() == [5, -5, 5, -5]


_FOCUSED = """() => {
    const focused = document.activeElement;
    return (focused.labels?.[0] ?? focused).textContent.trim();
}"""
