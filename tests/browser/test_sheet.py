"""Decides that a line of the sheet looks the same whoever made its row: _row.html, or table/sheet.ts as soon as it is
entered or another phone enters it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.table.actions.seats import seat_guest
from tests.browser.fit import THUMB_AT_THE_TABLE, misfits
from tests.browser_page import log_in
from tests.effort import in_soak
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.stories.table import sit_down

# Every row of the open page beside the one that the server makes: a key and both as text, where they are not equal.
DIFFERENT_ROWS = """async () => {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The script knows each by its key.
    for (const row of fresh.querySelectorAll("#rows tr")) row.dataset.key = row.querySelector("a").href.split("/").at(-2);
    const rows = [...document.querySelectorAll("#rows tr")].map((row, place) => [row, fresh.querySelectorAll("#rows tr")[place]]);
    return rows.filter(([one, other]) => !one.isEqualNode(other)).map((pair) => pair.map((row) => row?.outerHTML));
}"""


def test_a_row_is_the_same_from_the_template_and_from_the_script(page: Page, live_server: LiveServer, db: None) -> None:
    club = make_club()
    table = make_table(club, 5, preset="anleitung")
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    add_game(table, dealer=0, re=[1, 2])
    add_game(table, dealer=1, re=[0, 2], eyes=100, re_said="said")
    add_game(table, dealer=2, kind="damensolo", re=[3], eyes=90)
    add_game(table, dealer=4, re=[0, 1], eyes=111)
    add_game(table, form="penalty", points=[-3, 1, 1, 1, 0], reason="falsch bedient")
    add_game(table, form="redeal", dealer=3, seat=1, reason="fünf Könige")
    add_game(table, form="short", dealer=3, winners=[0, 1], base=2)
    for dealer in (4, 0):
        add_game(table, dealer=dealer, re=[1, 2], eyes=130)
    rows = page.locator("#rows tr")
    expect(rows).to_have_count(9)
    assert page.evaluate(DIFFERENT_ROWS) == []
    assert page.locator("#rows tr.cycle-end").count() > 0, "a line below the last game of a cycle"
    expect(rows.first.get_by_text("sitzt aus")).to_have_count(1)
    for sign in (".bock-sign", ".won", ".unplayed", "[role=img]", ".visually-hidden"):
        assert page.locator(f"#rows {sign}").count() > 0, sign
    seat_guest(table=table, actor=Actor(), name="Gustav")
    expect(rows.first.get_by_text("nicht am Tisch")).to_have_count(1)
    assert page.evaluate(DIFFERENT_ROWS) == []


def test_every_sign_of_the_sheet_is_explained_one_tap_away(page: Page, live_server: LiveServer) -> None:
    club = make_club()
    table = make_table(club)
    add_game(table, kind="damensolo", re=[1], duty=False)
    add_game(table, form="redeal", dealer=1)
    log_in(page.context, live_server.url, make_user("rita", club))
    page.goto(live_server.url + reverse("table", args=[club.slug, table.pk]))
    signs = page.locator("#signs")
    expect(signs.locator("dl")).to_be_hidden()
    # The most frequent ones stand above the sheet, for the eye.
    expect(page.locator(".marks")).to_be_visible()
    expect(page.locator(".marks > span")).to_have_text(["grün gewonnen", "G gibt"])
    signs.get_by_text("Was die Zeichen bedeuten").click()
    explained = {text.strip() for text in signs.locator("dt").all_text_contents()}
    shown = page.locator("#rows .sign").evaluate_all("all => all.map(sign => sign.firstChild.textContent)")
    assert set(shown) >= {"Solo", "G"}
    assert set(shown) <= explained


# What of the sheet is cut off, stands upright, or scrolls inside the page.
CRAMPED = """() => {
    const sheet = document.querySelector("#sheet"), box = sheet.parentElement;
    const cut = [...sheet.querySelectorAll("td, .total")].filter((cell) => cell.scrollWidth > cell.clientWidth + 1);
    const upright = [...sheet.querySelectorAll(".who")].filter((name) => getComputedStyle(name).writingMode !== "horizontal-tb");
    const isBox = (one) => one.scrollWidth > one.clientWidth + 1 || getComputedStyle(one).overflowY !== "visible";
    const scrolls = [box, sheet].filter(isBox);
    const letters = (name) => parseFloat(getComputedStyle(name, name.dataset.brief ? "::after" : null).fontSize);
    const tiny = [...sheet.querySelectorAll(".who")].filter((name) => letters(name) < 12);
    return [...cut, ...upright, ...scrolls, ...tiny].map((one) => one.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize(("people", "points"), [in_soak(6, 150), in_soak(6, 1250), (8, 150)])
def test_six_fit_a_phone_and_eight_as_well(page: Page, live_server: LiveServer, db: None, people: int, points: int) -> None:
    club = make_club()
    table = make_table(club, people, preset="anleitung")
    add_game(table, form="penalty", points=[points, *[0] * (people - 2), -points], reason="falsch bedient")
    page.set_viewport_size({"width": 360, "height": 640})
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    expect(page.locator(".tile")).to_have_count(people)
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Zettel").tap()
    expect(page.locator("#sheet")).to_be_in_viewport()
    assert page.evaluate(CRAMPED) == []
    assert misfits(page, THUMB_AT_THE_TABLE) == []


LONG = [
    "Maximilian Freiherr von Wurzach", "Annegret Schmidt-Burgdorf", "Hans-Jürgen", "Karl-Theodor zu Sayn", "Bodo",
    "Friederike Müller",
]  # fmt: skip


def test_no_long_name_is_cut_without_a_sign(page: Page, live_server: LiveServer, db: None) -> None:
    """At the table, in its panels, on the sheet and in the figures of the result; whole names are there to be read."""
    club = make_club()
    table = make_table(club, [make_player(club, name) for name in LONG], preset="anleitung")
    add_game(table, re=[1, 2], eyes=151)
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    for panel in ('.beside [href="?form=penalty"]', '.beside [href$="#leave"]'):
        page.locator(panel).tap()
        assert misfits(page, THUMB_AT_THE_TABLE) == []
        page.keyboard.press("Escape")
    heads = page.locator("#sheet th[abbr]")
    assert [head.get_attribute("title") for head in heads.all()] == LONG
    briefs = heads.locator(".who").evaluate_all("all => all.map(name => name.dataset.brief ?? name.textContent)")
    assert briefs[4] == "Bodo"
    assert all(brief[-1] == "." and name.startswith(brief[:-1]) for brief, name in zip(briefs, LONG, strict=True) if name != "Bodo")
    seat_guest(table=table, actor=Actor(), name="Eberhard Graf von Sigmaringen")
    expect(heads).to_have_count(7)
    expect(heads.last).to_have_attribute("title", "Eberhard Graf von Sigmaringen")
    page.locator("[data-more] > summary").tap()
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    page.goto(live_server.url + reverse("result", args=[club.slug, table.evening_id]))
    page.get_by_text("Als Zahlen").tap()
    box = page.get_by_role("region", name="Als Zahlen")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert misfits(page) == []


def test_a_long_sheet_keeps_its_totals_in_sight_and_has_a_way_back(page: Page, live_server: LiveServer, db: None) -> None:
    club = make_club()
    table = make_table(club, 5, preset="anleitung")
    for dealer in range(25):
        add_game(table, dealer=dealer % 5, re=[(dealer + 1) % 5, (dealer + 2) % 5])
    page.set_viewport_size({"width": 360, "height": 640})
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    back = page.get_by_role("link", name="Weiter am Tisch")
    expect(back).not_to_be_in_viewport()
    page.get_by_role("link", name="Zettel").tap()
    for _ in range(3):
        expect(back).to_be_in_viewport(ratio=1)
        page.mouse.wheel(0, 400)
    back.tap()
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    # As with any link, the Back button leads to the sheet again.
    page.go_back()
    expect(back).to_be_in_viewport(ratio=1)
    oldest = page.locator("#rows tr").last
    oldest.scroll_into_view_if_needed()
    for total in page.locator("#sheet [data-total]").all():
        expect(total).to_be_in_viewport()
    assert oldest.bounding_box()["y"] > page.locator("#sheet thead").bounding_box()["y"]
