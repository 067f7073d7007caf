"""The Kasse at the table, in a cellar: fines are one tap in its drawer, wait on the phone, go out once and in order, and the
evening is closed and booked with them. What is shown is what `compute_charges` says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.cash.evening.queries import read_facts
from scoring.cash.evening.texts import build_bills
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Attendance, Evening, Fine, Table
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.cash.tariffs import costs, give_tariff
from tests.factories import Cast, add_game, make_table
from tests.network import Net
from tests.stories.offline import come_in, find_net, soon
from tests.stories.table import TablePage
from tests.stories.test_cellar import guest

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]


@pytest.fixture
def table(cast: Cast) -> Table:
    give_tariff(cast.club, drinks={"list": {"bier": 150}}, guests={"cents": 200, "payer": "bringer"})
    return make_table(cast.club, 4)


def drawer(opened: TablePage) -> Locator:
    """The drawer of the Kasse, opened unless it is open."""
    found = opened.page.locator("#till:not([data-done])")
    expect(opened.page.locator("#till[data-done]")).to_have_count(0)
    if not found.count():
        opened.tap_beside("Kasse")
    expect(found).to_be_visible()
    return found


def choose(opened: TablePage, what: str) -> Locator:
    """The people under what they pay for, which is tapped unless it is chosen."""
    reason = drawer(opened).get_by_role("group", name="Wofür?").get_by_role("button", name=what)
    if reason.get_attribute("aria-pressed") == "false":
        opened.tap(reason)
    return drawer(opened).get_by_role("group", name=f"„{what}“?")


def fine(opened: TablePage, name: str, what: str, amount: str = "") -> None:
    opened.tap(choose(opened, what).get_by_role("button", name=name))
    if amount:
        opened.page.locator("#till input").fill(amount)
        opened.tap(drawer(opened).get_by_role("button", name="Eintragen", exact=True))


def fines(table: Table) -> list[tuple[str, str, int, bool]]:
    rows = Fine.objects.filter(evening=table.evening).order_by("entered_at")
    return list(rows.values_list("player__name", "code", "amount", "struck"))


def shown(page: Page) -> list[str]:
    """What everybody pays, as the table's page says it."""
    page.locator("#cash > details").evaluate("one => (one.open = true)")
    return page.locator("#cash > details > .bills > li:not(.bill-line) .bill-sum").all_inner_texts()


def charged(table: Table) -> list[str]:
    evening = Evening.objects.get(pk=table.evening_id)
    assert evening.tariff
    return [bill.amount_text for bill in build_bills(read_facts(evening), evening.tariff)]


def state(page: Page) -> Locator:
    return page.locator("#cash summary").first


def test_fines_of_a_cellar_count_once_and_are_booked(page: Page, net: Net, cast: Cast, table: Table) -> None:
    opened = come_in(page, net, cast, table)
    expect(state(page)).to_contain_text("Stand: vor dem ersten Spiel")
    taps = opened.taps
    fine(opened, "Bodo", "Vergeben")
    assert opened.taps - taps == 2
    expect(opened.message).to_contain_text("Gespeichert: Bodo: Vergeben.")
    expect(page.locator("#unfine")).to_contain_text("Bodo: Vergeben")
    soon(lambda: fines(table), [("Bodo", "misdeal", 1, False)])
    add_game(table)
    # Another phone's game is news here, with what it costs.
    expect(state(page)).to_contain_text("Stand: nach Spiel 1")
    assert shown(page) == charged(table)
    entered = drawer(opened).get_by_role("group", name="Heute eingetragen").get_by_role("button")
    expect(entered).to_have_text(re.compile("^Bodo: Vergeben.* Rückgängig$"))
    net.cut()
    fine(opened, "Çelik", "Zu spät", "11")
    expect(opened.message).to_contain_text("Çelik: Zu spät ist noch nicht gespeichert")
    drawer(opened)
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    fine(opened, "Ärmel", "other", "2,50")
    for count in (1, 2):
        opened.tap(choose(opened, "bier").locator(".more", has_text="Çelik"))
        expect(opened.page.locator("#till [data-count]")).to_have_attribute("data-count", str(count))
    opened.tap(drawer(opened).get_by_role("button", name="Çelik −1"))
    expect(opened.page.locator("#till [data-count]")).to_have_attribute("data-count", "1")
    page.keyboard.press("Escape")
    # Taken back before it went out.
    opened.tap(page.locator("#unfine"))
    expect(page.locator("#unfine")).to_have_count(0)
    page.reload()
    expect(page.locator(".beside [data-count]")).to_have_attribute("data-count", "6")
    expect(state(page)).to_contain_text("Stand: nach Spiel 1")
    find_net(net, page)
    wanted: list[Any] = [("Bodo", "misdeal", 1, False), ("Çelik", "late", 11, False), ("Ärmel", "other", 250, True)]
    soon(lambda: fines(table), wanted)
    soon(lambda: Attendance.objects.get(evening=table.evening, player__name="Çelik").drinks, {"bier": 1})
    expect(page.locator(".beside [data-count]")).to_have_count(0)
    soon(lambda: shown(page), charged(table))
    close_evening(evening=Evening.objects.get(pk=table.evening_id), actor=Actor(cast.admin, admin=True))
    assert costs(table.evening)["Çelik"] == 100 + 150 + 150 + 10


@pytest.mark.soak
def test_a_fine_that_comes_too_late_waits_for_the_treasurer(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """The evening was closed meanwhile: nothing of it is booked unseen, and nothing is lost."""
    opened = come_in(page, net, cast, table)
    add_game(table)
    net.cut()
    fine(opened, "Bodo", "Vergeben")
    expect(opened.message).to_contain_text("noch nicht gespeichert")
    close_evening(evening=Evening.objects.get(pk=table.evening_id), actor=Actor(cast.admin, admin=True))
    was = costs(table.evening)
    net.mend()
    page.reload()
    waits = page.locator("#cash").get_by_role("link", name="1 Strafgeld wartet")
    expect(waits).to_be_visible()
    expect(page.locator("#unsent .panel")).to_have_count(0)
    assert (Fine.objects.get().waits, costs(table.evening)) == (True, was)
    log_in(page.context, net.url, cast.treasurer)
    waits.tap()
    late = page.locator("section.late")
    expect(late).to_contain_text("Bodo: Vergeben")
    assert misfits(page) + barriers(page) == []
    late.get_by_role("button", name="Eintragen").tap()
    expect(page.locator(".changes")).to_contain_text("Bodo")
    assert misfits(page) + barriers(page) == []
    page.get_by_role("button", name="Eintragen").tap()
    expect(page.get_by_text("Das Strafgeld ist eingetragen.")).to_be_visible()
    assert costs(table.evening)["Bodo"] == was["Bodo"] + 50


@pytest.mark.soak
def test_somebody_whom_only_the_phone_knows_sits_down_before_they_are_fined(
    page: Page, net: Net, cast: Cast, table: Table
) -> None:
    opened = come_in(page, net, cast, table)
    net.cut()
    guest(opened, "Horst")
    expect(opened.message).to_contain_text("Ab dem nächsten Spiel sitzen so: Ärmel, Bodo, Çelik, Özlem, Horst.")
    fine(opened, "Horst", "Vergeben")
    expect(opened.message).to_contain_text("Horst: Vergeben ist noch nicht gespeichert")
    find_net(net, page)
    soon(lambda: fines(table), [("Horst", "misdeal", 1, False)])
    expect(page.locator(".beside [data-count]")).to_have_count(0)
    soon(lambda: shown(page), charged(table))


@pytest.mark.soak
def test_a_game_of_ones_own_shows_at_once_what_all_pay(page: Page, net: Net, cast: Cast, table: Table) -> None:
    opened = come_in(page, net, cast, table)
    opened.enter_and_save({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(state(page)).to_contain_text("Stand: nach Spiel 1")
    assert shown(page) == charged(table)
