"""Corrections and deletions show their effects first, the last change can be taken back, and two correct one game at once. What
else happens at a table: a new deal, another dealer, the short form, a game at 120 eyes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Game, Table
from scoring.play.queries import read_sheet
from tests.factories import add_game, make_table, make_user
from tests.stories.table import TablePage, number, sit_down


def values(table: TablePage) -> dict[str, int]:
    return {line.label.split()[0]: line.value for line in table.lines()}


def effects(page: Page) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[int, int]]]:
    """ "Das ändert sich": what each game was and will be worth, and everybody's sum before and after."""
    expect(page.locator("#effects")).to_be_visible()
    games, sums = {}, {}
    page.wait_for_load_state()
    for text in page.locator("#effects li:not(:has([aria-hidden]))").all_text_contents():
        name, change = text.split(": ", 1)
        if change.startswith("Summe"):
            before, after = change.removeprefix("Summe ").split(" → ")
            sums[name] = (number(before), number(after))
        else:
            before, after = change.removeprefix("bisher ").split(", jetzt ")
            games[name.removeprefix("Spiel ")] = (before, after)
    return games, sums


def test_a_correction_shows_its_effects_and_then_has_them(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = values(table), table.totals()
    table.correct_game(1)
    table.key("eyes", "back")
    table.key("eyes", "back")
    table.keys("eyes", 13)  # 135 has become 113
    table.say("re", "said")
    table.save()
    announced = effects(page)
    assert announced[0]["2"][1].endswith("(Bock ×2)")
    assert set(announced[0]) == {"1", "2", "3", "4"}
    assert values(TablePage(page.context.new_page(), table.site, bock_table).open()) == before, ("saved before it was asked")
    table.save()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    # What was announced happened, and nothing else did.
    games, sums = announced
    assert games and sums
    after, now = values(table), table.totals()
    for label, value in before.items():
        was, is_now = games.get(label, (str(value), str(value)))
        assert (number(was.split()[0]), number(is_now.split()[0])) == (value, after[label])
    for name, total, then in zip(table.people, totals, now, strict=True):
        assert sums.get(name, (total, total)) == (total, then)
    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 2 aus Spiel 1")


def test_the_last_change_can_be_taken_back(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = table.lines(), table.totals()
    undo = page.get_by_role("button", name="Rückgängig")
    table.enter_and_save({"kind": "normal", "re": [0, 2], "eyes": 90})
    expect(undo).to_contain_text("Spiel 5")
    undo.tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), table.totals()) == (before, totals)
    expect(undo).to_be_hidden()

    table.open_game(3)
    page.get_by_label("Mehr zu dieser Zeile").tap()
    page.get_by_role("link", name="Streichen …").tap()
    page.get_by_role("button", name="Streichen", exact=True).tap()
    expect(page.get_by_text("Gestrichen.")).to_be_visible()
    assert len(table.lines()) == 3
    undo.tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), table.totals()) == (before, totals)


@pytest.mark.soak
def test_what_is_asked_about_a_line_appears_in_view(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    """However many games change with it."""
    seats = len(TablePage(page, live_server.url, bock_table).people)
    for dealer in range(12):
        add_game(bock_table, dealer=dealer % seats, re=[(dealer + 1) % seats, (dealer + 2) % seats], eyes=120)
    page.set_viewport_size({"width": 360, "height": 640})
    table = sit_down(page, live_server.url, scorer, bock_table)
    for tapped, question, answer in (
        ("Streichen …", "Spiel streichen?", "Streichen"),
        ("Nach vorn …", "Nach vorn verschieben:", "Verschieben"),
        ("Nach hinten …", "Nach hinten verschieben:", "Verschieben"),
    ):
        table.open().open_game(3)
        page.get_by_label("Mehr zu dieser Zeile").tap()
        page.get_by_role("link", name=tapped).tap()
        expect(page.get_by_role("heading", name=question)).to_be_in_viewport(ratio=1)
        expect(page.locator("#effects h2")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name=answer, exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.soak
def test_a_line_and_the_preview_of_its_correction_fit_a_phone(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    """The last step and the sum; then what changes, beside the eyes that were chosen and the button."""
    add_game(bock_table, dealer=0, re=[1, 2], eyes=155, re_said="no90", re_specials={"fuchs": 1})
    page.set_viewport_size({"width": 360, "height": 640})
    table = sit_down(page, live_server.url, scorer, bock_table)
    page.locator("#rows a").first.tap()
    last = page.locator(".steps tr").last
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("hat mehr als 120 Augen")).to_have_count(0)
    button = page.get_by_role("link", name="Berichtigen")
    assert last.bounding_box()["y"] + last.bounding_box()["height"] <= button.bounding_box()["y"]
    button.tap()
    table.band("181-210")
    table.save()
    expect(page.locator("#effects li").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    chosen, told = page.locator(".bands .pill:has(:checked)"), page.locator("#effects")
    expect(chosen).to_be_in_viewport(ratio=1)
    assert chosen.bounding_box()["y"] + chosen.bounding_box()["height"] <= told.bounding_box()["y"]
    # Two people a line, the new figures below one another.
    figures = told.locator(".num > b").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len(figures) == 4
    assert len({figure["top"] for figure in figures}) == len({figure["right"] for figure in figures}) == 2


def test_two_correct_the_same_game(
    page: Page, live_server: LiveServer, new_context: CreateContextCallback, scorer: User, bock_table: Table
) -> None:
    """Who was slower sees what stands now and what they typed, and decides."""
    other = make_user("sieglinde", bock_table.evening.club, ["scorer"])
    first = sit_down(page, live_server.url, scorer, bock_table)
    second = sit_down(new_context().new_page(), live_server.url, other, bock_table)
    for table, said in ((first, "said"), (second, "no90")):
        table.correct_game(2)
        table.say("re", said)
        table.save()
        expect(table.page.locator("#effects")).to_be_visible()
    first.save()
    expect(first.page.get_by_text("Berichtigt.")).to_be_visible()
    second.save()
    expect(second.page.get_by_role("alert")).to_contain_text("Jemand anderes hat dieses Spiel inzwischen geändert.")
    expect(second.page.get_by_role("alert")).to_contain_text("Spiel 2: Ärmel +2, ")
    expect(second.page.locator('input[name="re_said"][value="no90"]')).to_be_checked()
    second.save()
    expect(second.page.get_by_role("alert")).to_have_count(0)
    expect(second.page.locator("#effects")).to_be_visible()
    second.save()
    expect(second.page.get_by_text("Berichtigt.")).to_be_visible()
    assert Game.objects.get(facts__re_said="no90").version == 3


BOTH_SAID = {"kind": "normal", "re": [0, 1], "band": "120", "re_said": "said", "kontra_said": "said"}


def test_a_new_deal_tapped_twice_is_one_line_of_its_own(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    page.get_by_role("button", name="Neu gegeben").evaluate("button => { button.click(); button.click(); }")
    expect(page.locator("#rows tr")).to_have_count(1)
    [line] = table.lines()
    assert (line.label, line.totals, line.value) == ("Neu gegeben", [0, 0, 0, 0], 0)
    expect(table.message).to_have_text(f"Gespeichert: Neu gegeben. Jetzt gibt {table.people[0]}.")
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 1")
    table.enter_and_save({"kind": "normal", "re": [0, 1], "band": "151-180"})
    assert [line.label for line in table.lines()] == ["1", "Neu gegeben"]
    assert [row.game.form for row in read_sheet(table.table).rows] == ["redeal", "played"]


def test_another_dealer_loses_nothing_typed(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.tap(table.pill(page.locator(".bands"), "151–180"))
    in_turn = table.dealer
    dealer = table.people[0] if in_turn != table.people[0] else table.people[1]

    table.dealt_by(table.people.index(dealer))

    expect(page.locator('[data-head="out"]')).to_have_text(dealer)
    expect(page.locator('[data-head="turn"]')).to_have_text(in_turn)
    expect(page.locator(".bands input:checked")).to_have_value("151-180")
    expect(page.get_by_role("group", name="Wer ist Re?").get_by_label(dealer)).to_be_disabled()


def test_the_short_form(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.unfold("Mehr").get_by_role("link", name="Nur Punkte eintragen").tap()
    page.wait_for_url("**form=short")
    totals = table.totals()
    table.enter({"winners": [0, 1, 2], "base": 12, "solo": True})
    # Half typed, it is found again by the address of the table.
    table.open()
    table.expect_live_points(dict(zip(table.people[:4], (12, 12, 12, -12), strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == [a + b for a, b in zip(totals, (12, 12, 12, -12, 0), strict=True)]
    # Two winners, one digit and the button.
    before = table.taps
    table.enter_and_save({"winners": [1, 2], "base": 7, "solo": False})
    assert table.taps - before == 4
    page.goto(page.url.split("?")[0])
    expect(page.get_by_role("group", name="Wer hat gewonnen?")).to_be_visible()
    table.unfold("Mehr").get_by_role("link", name="Mit Ansagen und Augen").tap()
    expect(page.get_by_role("group", name="Wer ist Re?")).to_be_visible()


def test_at_120_the_last_ansage_decides(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    """Whose Ansage came last is asked only where it decides, and asked for before the button is pressed."""
    table = sit_down(page, live_server.url, scorer, make_table(club, 4, preset="vln"))
    question = page.locator("#last-said")
    table.unfold("Ansagen")
    expect(question).to_be_hidden()
    table.enter(BOTH_SAID)
    expect(question).to_be_visible()
    expect(table.message).to_have_text("Es fehlt: letzte Ansage (bei 120 zu 120)")
    table.last_said("kontra")
    table.expect_live_points(dict(zip(table.people, [4, 4, -4, -4], strict=True)))
    table.last_said("re")
    live = [-5, -5, 5, 5]
    table.expect_live_points(dict(zip(table.people, live, strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == live
