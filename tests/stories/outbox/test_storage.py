"""A phone whose storage fails loses nothing silently: IndexedDB is opened again, then localStorage keeps the entry, then the page
says that it alone has it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.factories import Cast
from tests.stories.outbox.phone import FIRST, SECOND, find_net, keep, lose_net, stored, waits
from tests.stories.table import TablePage

# Each use of IndexedDB fails, as on an iPhone that comes back from the background.
NO_DATABASE = {
    "open": """indexedDB.open = () => { throw new DOMException("Connection to Indexed Database server lost.", "UnknownError"); };
        IDBDatabase.prototype.transaction = indexedDB.open;""",
    "put": """IDBObjectStore.prototype.put = () => { throw new DOMException("No room.", "QuotaExceededError"); };""",
}
ONCE_CLOSED = """const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function () {
        IDBDatabase.prototype.transaction = begin;
        throw new DOMException("The database connection is closing.", "InvalidStateError");
    };"""
NO_ROOM_BESIDE = """Storage.prototype.setItem = () => { throw new DOMException("No room.", "QuotaExceededError"); };"""
IN_LOCAL_STORAGE = "Object.keys(localStorage).filter((name) => name.startsWith('entry ')).length"
ONLY_HERE = "nur auf dieser Seite: bitte offen lassen"


def labels(table: TablePage) -> list[str]:
    return [line.label for line in table.lines()]


def test_a_connection_that_was_lost_is_opened_again_and_tables_do_not_mix(page: Page, table: TablePage, cast: Cast) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {ONCE_CLOSED} }}")
    keep(table, FIRST)
    assert page.evaluate(IN_LOCAL_STORAGE) == 0
    other = TablePage(page, table.site, cast.table).open()
    expect(waits(other)).to_be_hidden()
    table.open()
    expect(waits(table)).to_have_text("1 wartet auf Versand")


@pytest.mark.parametrize("failing", ["open", "put"])
def test_an_entry_that_the_database_refuses_survives_a_reload_and_is_sent_once(page: Page, table: TablePage, failing: str) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {NO_DATABASE[failing]} }}")
    keep(table, FIRST)
    keep(table, SECOND)
    assert page.evaluate(IN_LOCAL_STORAGE) == 2
    expect(table.message).not_to_contain_text(ONLY_HERE)
    page.reload()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    assert labels(table) == ["2", "1"]
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    page.wait_for_function(f"{IN_LOCAL_STORAGE} === 0")
    page.reload()
    expect(page.locator("#rows tr")).to_have_count(2)
    expect(waits(table)).to_be_hidden()
    assert len(stored(table)) == 2


def test_an_entry_that_no_store_takes_asks_before_the_page_is_left(page: Page, table: TablePage) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {NO_DATABASE['put']} {NO_ROOM_BESIDE} }}")
    table.enter(FIRST)
    table.save()
    expect(table.message).to_contain_text(ONLY_HERE)
    expect(table.message).to_contain_text("Spiel 1 ist noch nicht gespeichert.")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    find_net(page)
    expect(waits(table)).to_be_hidden()
    expect(table.message).not_to_contain_text(ONLY_HERE)
    assert len(stored(table)) == 1


@pytest.mark.soak
def test_what_is_half_typed_and_cannot_be_kept_is_said(page: Page, table: TablePage) -> None:
    page.evaluate(f"() => {{ {NO_ROOM_BESIDE} }}")
    table.enter(FIRST)
    expect(table.message).to_contain_text(ONLY_HERE)
    table.save()
    expect(table.message).to_contain_text("Gespeichert")
    expect(table.message).not_to_contain_text(ONLY_HERE)


def test_what_waits_and_cannot_be_read_is_said(page: Page, table: TablePage) -> None:
    """At the table, and on every other page, with what warns of leaving."""
    page.add_init_script(NO_DATABASE["open"])
    page.reload()
    expect(table.message).to_contain_text("gerade nicht lesbar")
    page.goto(table.site + reverse("evening_close", args=[table.slug, table.table.evening_id]))
    expect(page.locator("#waits")).to_contain_text("Einträge auf diesem Telefon sind gerade nicht lesbar.")
    expect(page.locator("[data-waits]")).to_be_visible()
