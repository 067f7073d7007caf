"""A cellar: lines that the server has are corrected, struck out and preceded by a forgotten one without a net, and that goes out in
order, once each; what somebody else did to the same line meanwhile is asked about afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, LateEntry, Table, Verb
from scoring.table.actions.games import Typed, correct_game, delete_game
from scoring.table.actions.tables import renew_link
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import Cast, add_game, make_table
from tests.network import Net
from tests.stories.offline import come_in, find_net, heads, soon, stored, visit, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]


@pytest.fixture
def table(cast: Cast) -> Table:
    """Four people, three games, of which the second starts a Bock."""
    table = make_table(cast.club, 4, preset="anleitung")
    add_game(table, re=[0, 1], eyes=130)
    add_game(table, re=[1, 2], eyes=100, re_said="said")
    add_game(table, re=[0, 2], eyes=150)
    return table


def row(opened: TablePage, label: str) -> Locator:
    name = re.compile(rf"^{label}\b")
    return opened.page.locator("#rows tr").filter(has=opened.page.get_by_role("rowheader", name=name)).first


def note(opened: TablePage, label: str) -> Locator:
    """What the page tells and offers at a line that is tapped without a net."""
    opened.tap(row(opened, label).locator("a"))
    found = opened.page.locator(".unreached")
    expect(found).to_contain_text("Keine Verbindung")
    return found


def choose(opened: TablePage, label: str, button: str) -> None:
    opened.tap(note(opened, label).get_by_role("button", name=button, exact=True))


def strike(opened: TablePage, label: str) -> None:
    choose(opened, label, "Streichen")
    asked = opened.page.locator(".unreached")
    expect(asked).to_contain_text(f"Spiel {label} streichen?")
    opened.tap(asked.get_by_role("button", name="Streichen", exact=True))


def eyes(opened: TablePage, count: int) -> None:
    for _ in range(3):
        opened.key("eyes", "back")
    opened.keys("eyes", count)


def facts(table: Table) -> list[Any]:
    return [(game.facts.get("re"), game.facts.get("eyes")) for game in stored(table)]


def shown(opened: TablePage, table: Table) -> tuple[Any, ...]:
    return opened.lines(), opened.totals(), heads(opened)


def anew(page: Page, net: Net, table: Table) -> tuple[Any, ...]:
    """What a page shows that has heard it all from the server."""
    return shown(TablePage(page.context.new_page(), net.url, table).open(), table)


@pytest.mark.soak
def test_lines_are_corrected_struck_out_and_inserted_without_a_net(page: Page, net: Net, cast: Cast, table: Table) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    opened = come_in(page, net, cast, table)
    net.cut()
    found = note(opened, "2")
    expect(found).to_contain_text("Spiel 2: Re Bodo, Çelik · Re 100 : 140 Kontra")
    expect(found.get_by_role("button")).to_have_text(["Berichtigen", "Davor einfügen", "Streichen"])
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    opened.tap(found.get_by_role("button", name="Berichtigen"))
    expect(page.locator("#outbox")).to_contain_text("Spiel 2 wird berichtigt.")
    assert opened.marked("Wer ist Re?") == ["Bodo", "Çelik"]
    assert heads(opened)[:3] == ["Spiel 2", "Umlauf 1", "Bodo"]
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    eyes(opened, 140)
    opened.save()
    # The Bock that it had started is gone.
    expect(opened.message).to_contain_text("Damit ändern sich auch: Spiel 3.")
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    choose(opened, "3", "Davor einfügen")
    expect(page.locator("#outbox")).to_contain_text("Kommt auf den Zettel vor Spiel 3.")
    assert heads(opened)[0] == "Spiel 3"
    opened.enter({"kind": "normal", "re": [2, 3], "eyes": 120})
    opened.save()
    assert [line.label for line in opened.lines()] == ["4", "3", "2", "1"]
    choose(opened, "1", "Streichen")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    opened.tap(page.locator(".unreached").get_by_role("button", name="Streichen", exact=True))
    expect(page.locator("#undo-what")).to_have_text("Streichung von Spiel 1")
    opened.enter({"kind": "normal", "re": [0, 3], "eyes": 160})
    opened.save()
    expect(waits(opened)).to_have_text("4 warten auf Versand")
    seen = shown(opened, table)
    page.reload()
    expect(waits(opened)).to_have_text("4 warten auf Versand")
    assert shown(opened, table) == seen
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert facts(table) == [([1, 2], 140), ([2, 3], 120), ([0, 2], 150), ([0, 3], 160)]
    expect(page.locator("#rows tr")).to_have_count(4)
    assert shown(opened, table) == anew(page, net, table)
    done = Change.objects.filter(table=table).order_by("id").values_list("verb", flat=True)
    assert list(done)[3:] == [Verb.GAME_CORRECTED, Verb.GAME_INSERTED, Verb.GAME_DELETED, Verb.GAME_ADDED]


def test_what_is_half_typed_about_a_line_survives_a_reload(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """And behind it what was half typed before. A line that somebody else has corrected since is not taken up again."""
    says = "Von vorhin, noch nicht eingetragen."
    opened = come_in(page, net, cast, table)
    net.cut()
    opened.mark("Wer ist Re?", [1, 3])
    half = opened.marked("Wer ist Re?")
    choose(opened, "2", "Berichtigen")
    eyes(opened, 140)
    page.reload()
    expect(opened.message).to_contain_text(says)
    expect(page.locator("#outbox")).to_contain_text("Spiel 2 wird berichtigt.")
    assert (opened.marked("Wer ist Re?"), heads(opened)[0]) == (["Bodo", "Çelik"], "Spiel 2")
    opened.save()
    expect(waits(opened)).to_have_text("1 wartet auf Versand")
    assert (opened.marked("Wer ist Re?"), heads(opened)[0]) == (half, "Spiel 4")
    choose(opened, "3", "Davor einfügen")
    opened.mark("Wer ist Re?", [2, 3])
    page.reload()
    expect(page.locator("#outbox")).to_contain_text("Kommt auf den Zettel vor Spiel 3.")
    assert opened.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    eyes(opened, 120)
    opened.save()
    expect(waits(opened)).to_have_text("2 warten auf Versand")
    choose(opened, "1", "Berichtigen")
    eyes(opened, 150)
    other(table, 1, eyes=125)
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    page.reload()
    expect(opened.message).to_contain_text(says)
    expect(page.locator("#outbox")).to_be_empty()
    assert opened.marked("Wer ist Re?") == half
    opened.tap(page.get_by_role("button", name="Verwerfen"))
    page.reload()
    expect(opened.message).to_have_text("Es fehlt: wer Re ist, Augen")
    assert facts(table) == [([0, 1], 125), ([1, 2], 140), ([2, 3], 120), ([0, 2], 150)]


def test_lines_that_are_no_games_are_mended_without_a_net(page: Page, net: Net, cast: Cast, table: Table) -> None:
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="falsch bedient")
    add_game(table, form="correction", points=[5, 0, 0, 0], reason="verrechnet")
    add_game(table, form="redeal", dealer=3, seat=1, reason="fünf Könige")
    page.set_viewport_size({"width": 360, "height": 640})
    opened = come_in(page, net, cast, table)
    net.cut()
    drawer = page.locator("#by-hand")
    choose(opened, "Strafpunkte", "Berichtigen")
    expect(drawer.get_by_label("Grund")).to_have_value("falsch bedient")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    drawer.get_by_label("Ärmel").fill("1")
    drawer.get_by_label("Bodo").fill("")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(drawer).to_be_visible()
    drawer.get_by_label("Bodo").fill("-3")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(drawer).to_have_count(0)
    expect(opened.message).to_contain_text("Berichtigung von Strafpunkte ist noch nicht gespeichert")
    choose(opened, "Berichtigung", "Berichtigen")
    drawer.get_by_label("Grund").fill("doch nur 4")
    drawer.get_by_label("Ärmel").fill("4")
    drawer.get_by_label("Ärmel").press("Enter")
    choose(opened, "Neu gegeben", "Berichtigen")
    opened.tap(drawer.get_by_role("button", name="Çelik"))
    drawer.get_by_label("Grund").fill("")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(waits(opened)).to_have_text("3 warten auf Versand")
    expect(page.locator("#uneven-others")).to_be_visible()
    seen = opened.totals()
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert [game.facts for game in stored(table)[3:]] == [
        {"points": [1, -3, 1, 1], "reason": "falsch bedient"},
        {"points": [4, 0, 0, 0], "reason": "doch nur 4"},
        {"seat": 2},
    ]
    assert stored(table)[5].dealer == 3
    assert opened.totals() == seen == anew(page, net, table)[1]


def other(table: Table, number: int, **typed: Any) -> None:
    """Somebody else corrects a game meanwhile."""
    game = stored(table)[number - 1]
    line = Typed(form=game.form, facts={**game.facts, **typed}, dealer=game.dealer)
    correct_game(table=table, actor=Actor(), key=game.key, version=game.version, typed=line)


def box(page: Page) -> Locator:
    return page.locator("#outbox").get_by_role("alert")


def corrected(opened: TablePage, label: str, count: int) -> None:
    choose(opened, label, "Berichtigen")
    eyes(opened, count)
    opened.save()
    expect(opened.message).to_contain_text(f"Berichtigung von Spiel {label} ist noch nicht gespeichert")


@pytest.mark.postgres
def test_a_line_that_somebody_else_corrected_is_asked_about(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """What was typed behind it waits for the answer, and goes out after it."""
    opened = come_in(page, net, cast, table)
    net.cut()
    corrected(opened, "3", 160)
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    other(table, 3, eyes=180)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Jemand anderes hat dieses Spiel inzwischen geändert.")
    expect(asked).to_contain_text("Hier eingetippt: Re Ärmel, Çelik · Re 160 : 80 Kontra")
    expect(asked).to_contain_text("Auf dem Zettel als Spiel 3: Re Ärmel, Çelik · Re 180 : 60 Kontra")
    expect(asked.get_by_role("button")).to_have_text(["Meine Fassung eintragen", "Ändern", "Unverändert lassen"])
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    assert len(stored(table)) == 3
    opened.tap(asked.get_by_role("button", name="Meine Fassung eintragen"))
    expect(waits(opened)).to_be_hidden()
    expect(asked).to_have_count(0)
    assert facts(table)[2:] == [([0, 2], 160), ([1, 3], 125)]
    assert shown(opened, table) == anew(page, net, table)


def test_a_line_that_is_struck_out_by_others_is_not_corrected(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """What was typed is not lost: it can be entered as a new game."""
    opened = come_in(page, net, cast, table)
    net.cut()
    corrected(opened, "3", 160)
    last = stored(table)[2]
    delete_game(table=table, actor=Actor(), key=last.key, version=1)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Dieses Spiel wurde inzwischen gestrichen.")
    expect(asked).to_contain_text("Hier eingetippt: Re Ärmel, Çelik · Re 160 : 80 Kontra")
    opened.tap(asked.get_by_role("button", name="Als neues Spiel eintragen"))
    expect(waits(opened)).to_be_hidden()
    soon(lambda: facts(table)[2:], [([0, 2], 160)])
    assert stored(table)[2].key != last.key


@pytest.mark.soak
def test_a_line_that_changed_is_struck_out_only_when_that_is_meant(page: Page, net: Net, cast: Cast, table: Table) -> None:
    opened = come_in(page, net, cast, table)
    net.cut()
    strike(opened, "3")
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    other(table, 3, eyes=180)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Hier eingetippt: Streichung von Spiel 3")
    expect(asked.get_by_role("button")).to_have_text(["Streichen", "Unverändert lassen"])
    opened.tap(asked.get_by_role("button", name="Unverändert lassen"))
    expect(waits(opened)).to_be_hidden()
    assert facts(table)[2:] == [([0, 2], 180), ([1, 3], 125)]


@pytest.mark.soak
def test_what_waits_is_taken_back_on_the_phone(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """By the button, and by a tap on its line; what the server has last is taken back without a net as well."""
    opened = come_in(page, net, cast, table)
    seen = shown(opened, table)
    net.cut()
    for _ in range(2):
        opened.tap(page.locator("#undo-button"))
        expect(page.locator("#undo-what")).to_have_text("Streichung von Spiel 3")
        opened.tap(page.locator("#undo-button"))
        expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert shown(opened, table)[:2] == seen[:2]
    corrected(opened, "2", 160)
    opened.tap(row(opened, "2").locator("a"))
    held = page.locator("#outbox").get_by_role("status")
    expect(held).to_contain_text("Berichtigung von Spiel 2 wartet noch auf Versand.")
    eyes(opened, 155)
    opened.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    opened.tap(page.locator("#undo-button"))
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert shown(opened, table)[:2] == seen[:2]
    opened.tap(page.locator("#undo-button"))
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert facts(table)[2:] == [([1, 3], 125)]
    assert shown(opened, table) == anew(page, net, table)


@pytest.mark.soak
def test_a_guest_corrects_without_a_net_until_the_evening_is_closed(
    page: Page, net: Net, cast: Cast, table: Table, page_complaints: list[str]
) -> None:
    """Whoever came by the link puts no line before others. What is refused at the end keeps nothing of what was played behind."""
    page.goto(f"{net.url}/t/{renew_link(table=table, actor=Actor(cast.scorer)).token}/open/")
    page.get_by_role("button", name="Ich bin Bodo").tap()
    page.wait_for_url("**/tables/*/")
    opened = visit(page, net.url, table)
    net.cut()
    found = note(opened, "3")
    expect(found.get_by_role("button")).to_have_text(["Berichtigen", "Streichen"])
    opened.tap(found.get_by_role("button", name="Berichtigen"))
    eyes(opened, 160)
    opened.save()
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    close_evening(evening=table.evening, actor=Actor(cast.admin))
    find_net(net, page)
    expect(page.get_by_text("Der Link für den Tisch gilt nicht mehr")).to_be_visible()
    discard = page.get_by_role("button", name="Verwerfen")
    expect(discard).to_be_visible()
    opened.tap(discard)
    soon(lambda: LateEntry.objects.filter(table=table).count(), 1)
    assert facts(table) == [([0, 1], 130), ([1, 2], 100), ([0, 2], 150)]
    page_complaints.clear()
