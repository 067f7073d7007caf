"""What else happens at a table: a new deal, another dealer, the short form, a game at 120 eyes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Game, Table
from tests.effort import in_soak
from tests.factories import make_bock_table, make_club, make_table, make_user
from tests.stories.table import sit_down

BOTH_SAID = {"kind": "normal", "re": [0, 1], "band": "120", "re_said": "said", "kontra_said": "said"}


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


@pytest.fixture
def bock_table(club: Club) -> Table:
    return make_bock_table(club)


def test_a_new_deal_is_a_line_of_its_own(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    table.tap(page.get_by_role("button", name="Neu gegeben"))
    expect(page.locator("#rows tr")).to_have_count(1)
    [line] = table.lines()
    assert (line.label, line.totals, line.value) == ("Neu gegeben", [0, 0, 0, 0], 0)
    expect(table.message).to_have_text(f"Gespeichert: Neu gegeben. Jetzt gibt {table.people[0]}.")
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 1")
    table.enter_and_save({"kind": "normal", "re": [0, 1], "band": "151-180"})
    assert [line.label for line in table.lines()] == ["1", "Neu gegeben"]


@pytest.mark.soak
def test_the_deal_stays_after_a_pflichtsolo(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 5))
    owing = page.locator('[data-head="owing"]')
    expect(owing).to_have_text("alle")
    table.enter_and_save({"kind": "damensolo", "duty": True, "re": [2], "eyes": 131})
    assert table.dealer == table.people[0]
    expect(owing).to_have_text(", ".join([*table.people[:2], *table.people[3:]]))
    expect(page.locator('[data-head="owes"]')).to_have_text(", ".join([*table.people[:2], *table.people[3:]]))
    table.enter_and_save({"kind": "damensolo", "re": [2], "eyes": 131})
    assert table.dealer == table.people[1]
    assert [line.totals for line in table.lines()] == [[None, -2, 6, -2, -2], [None, -1, 3, -1, -1]]


@pytest.mark.soak
def test_another_dealer_counts_for_one_game_only(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 5))
    table.enter_and_save({"dealer": 3, "kind": "normal", "re": [0, 1], "band": "121-150"})
    odd = page.locator("#rows tr").first.get_by_role("img", name="gibt außer der Reihe")
    for _ in range(2):
        assert table.lines()[0].totals == [1, 1, -1, None, -1]
        assert table.dealer == table.people[4]
        expect(odd).to_have_text("G!")
        expect(page.locator('[data-head="turn"]')).to_be_hidden()
        page.reload()


def test_another_dealer_loses_nothing_typed(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.tap(table.pill(page.locator(".bands"), "151–180"))
    in_turn = table.dealer
    dealer = table.people[0] if in_turn != table.people[0] else table.people[1]

    table.dealt_by(table.people.index(dealer))

    expect(page.locator('[data-head="out"]')).to_have_text(dealer)
    expect(page.locator('[data-head="turn"]')).to_have_text(in_turn)
    expect(page.locator(".bands input:checked")).to_have_value("151-180")
    expect(page.get_by_role("group", name="Wer ist Re?").get_by_label(dealer)).to_be_disabled()


@pytest.mark.soak
def test_the_dealer_of_an_old_game_can_be_corrected(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.correct_game(2)
    page.locator("summary", has_text="Mehr").tap()
    page.locator("#dealers").get_by_role("link", name=table.people[0], exact=True).tap()
    page.wait_for_url("**dealer=0*")
    table.mark("Wer ist Re?", [1, 2])
    page.get_by_role("button", name="Zeigen, was sich ändert").tap()
    page.get_by_role("button", name="Berichtigung speichern").tap()

    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    game = Game.objects.filter(round__table=bock_table).order_by("position")[1]
    assert (game.dealer, game.facts["re"]) == (0, [1, 2])


def test_the_short_form(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.unfold("Mehr").get_by_role("link", name="Nur Punkte eintragen").tap()
    page.wait_for_url("**form=short")
    totals = table.totals()
    table.enter({"winners": [0, 1, 2], "base": 12, "solo": True})
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


@pytest.mark.parametrize(("last", "first_seat"), [("re", -5), in_soak("kontra", 4)])
def test_at_120_the_last_ansage_decides(
    page: Page, live_server: LiveServer, scorer: User, club: Club, last: str, first_seat: int
) -> None:
    """Whose Ansage came last is asked only where it decides, and asked for before the button is pressed."""
    table = sit_down(page, live_server.url, scorer, make_table(club, 4, preset="vln"))
    question = page.locator("#last-said")
    table.unfold("Ansagen")
    expect(question).to_be_hidden()
    table.enter(BOTH_SAID)
    expect(question).to_be_visible()
    expect(table.message).to_have_text("Es fehlt: letzte Ansage (bei 120 zu 120)")
    table.last_said(last)
    live = [first_seat, first_seat, -first_seat, -first_seat]
    table.expect_live_points(dict(zip(table.people, live, strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == live
