"""What the form says has one place, goes with its cause, and moves nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Game
from tests.effort import in_soak
from tests.factories import Cast, add_game
from tests.stories.table import TablePage, sit_down

GAME = {"kind": "normal", "re": [0, 2], "band": "121-150"}
# Where every control of the form is on the screen.
PLACES = """() => Object.fromEntries([...document.querySelectorAll("#entry :is(input:not([type=hidden]), button, a, summary)")]
    .filter((one) => one.checkVisibility() && !one.closest("#outbox, .drawer, .news"))
    .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const value = one.type === "text" ? "" : one.value;
        const what = [one.localName, one.id, one.name, value, one.getAttribute("href"), one.dataset.digit].join(" ");
        return [what, [x, y, width, height].map(Math.round).join()];
    }))"""


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    return sit_down(page, live_server.url, cast.scorer, cast.table)


def answer_once(page: Page, status: int, body: dict[str, object]) -> None:
    """The next game is answered with this, without the server."""
    page.route("**/games/", lambda route: route.fulfill(status=status, json=body), times=1)


def nothing_typed(table: TablePage) -> None:
    table.save()
    expect(table.message).to_have_text("Es fehlt: wer Re ist, Augen")


def no_result(table: TablePage) -> None:
    table.mark("Wer ist Re?", [0, 2])
    table.save()
    expect(table.message).to_have_text("Es fehlt: Augen")


def refused(table: TablePage) -> None:
    answer_once(table.page, 422, {"errors": {"eyes": "Diese Augen gibt es nicht."}})
    table.enter(GAME)
    table.save()
    expect(table.message).to_have_text("Diese Augen gibt es nicht.")
    expect(table.page.locator("#outbox")).to_contain_text("wurde nicht angenommen")


def saved(table: TablePage) -> None:
    table.enter_and_save(GAME)


def no_net(table: TablePage) -> None:
    table.page.route("**/*", lambda route: route.abort("internetdisconnected"))
    table.enter(GAME)
    table.save()
    expect(table.message).to_contain_text("Keine Verbindung")
    expect(table.message).to_contain_text("wartet auf Versand")


@pytest.mark.parametrize("says", [in_soak((refused,), id="refused"), pytest.param((nothing_typed, saved, no_net), id="typed")])
def test_no_message_moves_the_form(table: TablePage, says: tuple[Callable[[TablePage], None], ...]) -> None:
    before = table.page.evaluate(PLACES)
    assert len(before) > 20
    for say in says:
        say(table)
        assert table.page.evaluate(PLACES) == before


def test_a_message_goes_as_soon_as_its_cause_is_gone(table: TablePage) -> None:
    page = table.page
    no_result(table)
    fault = page.locator("#fault-eyes")
    expect(fault).to_have_text("Es fehlt: Augen")
    expect(page.locator("#eyes")).to_have_attribute("aria-invalid", "true")
    table.band("121-150")
    expect(table.message).to_contain_text("Re gewinnt 1")
    expect(table.message).not_to_contain_text("fehlt")
    assert not table.message.evaluate("line => line.classList.contains('bad')")
    expect(fault).to_be_hidden()
    assert page.locator("#eyes").get_attribute("aria-invalid") is None
    table.band("151-180")
    table.save()
    table.expect_saved()
    table.mark("Wer ist Re?", [0, 2])
    expect(table.message).to_have_text("Es fehlt: Augen")


@pytest.mark.soak
def test_what_the_server_refused_is_said_until_something_else_is_typed(table: TablePage) -> None:
    refused(table)
    table.band("151-180")
    expect(table.message).to_contain_text("Re gewinnt")
    expect(table.page.locator("#fault-eyes")).to_be_hidden()
    table.save()
    table.expect_saved()
    expect(table.page.locator("#outbox")).to_be_empty()


@pytest.mark.soak
def test_two_phones_with_the_same_game(table: TablePage) -> None:
    """Both answers in view, the more likely one first; the doubtful game counts for nothing until it is decided."""
    page = table.page
    totals = table.totals()
    table.hear_nothing()
    table.enter(GAME)
    add_game(table.table, re=[0, 2], eyes=135)
    table.save()
    expect(page.locator("#outbox")).to_contain_text("Ist das dasselbe Spiel?")
    answers = page.locator("#outbox button")
    expect(answers).to_have_text(["Ja, dasselbe Spiel: meine Eingabe verwerfen", "Nein, mein Spiel kam danach: auch eintragen"])
    for answer in answers.all():
        expect(answer).to_be_in_viewport(ratio=1)
    signs = [1, -1, 1, -1]
    assert table.totals() == [total + sign for total, sign in zip(totals, signs, strict=True)]
    tiles = page.locator(".tile b").all_inner_texts()
    assert [text.replace("−", "-") for text in tiles] == [str(total) for total in table.totals()]
    # Left open it stands above the form, and the form where it was.
    before = page.evaluate(PLACES)
    page.keyboard.press("Escape")
    assert page.evaluate(PLACES) == before
    page.get_by_role("button", name="Nein, mein Spiel").tap()
    expect(page.locator("#outbox")).to_be_empty()
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert table.totals() == [total + 2 * sign for total, sign in zip(totals, signs, strict=True)]
    assert Game.objects.filter(round__table=table.table).count() == 3
