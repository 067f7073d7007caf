"""After the last game on a real phone: closing the evening, sending its result on with and without a share sheet, and
the sheet on A4."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Table
from scoring.table.actions.seats import seat_players
from tests.browser_page import log_in
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_club, make_player, make_table, make_user

# What a phone with a share sheet has; what is shared is kept to be looked at.
SHARE_SHEET = """
window.shared = [];
navigator.canShare = (what) => Boolean(what.text || what.files?.every((file) => file.type === "image/png"));
navigator.share = async (what) => {
  const files = await Promise.all((what.files || []).map(async (file) => [file.name, (await createImageBitmap(file)).width]));
  window.shared.push({ text: what.text, files });
};
"""
# What a browser on plain HTTP lacks.
PLAIN_HTTP = ("delete Navigator.prototype.clipboard; delete Navigator.prototype.share; delete Navigator.prototype.canShare;")


@pytest.fixture
def result(live_server: LiveServer, cast: Cast, page: Page) -> str:
    log_in(page.context, live_server.url, cast.scorer)
    add_game(cast.table, kind="damensolo", re=[3], eyes=20)
    return live_server.url + reverse("result", args=["karo", cast.table.evening_id])


def shared(page: Page, count: int) -> list[dict[str, Any]]:
    """What went to the share sheet, once there is so much. Asked again from here: a page that polls by itself needs what
    the Content-Security-Policy forbids."""
    for _attempt in range(PATIENCE // 100):
        found: list[dict[str, Any]] = page.evaluate("window.shared")
        if len(found) >= count:
            return found
        page.wait_for_timeout(100)
    raise AssertionError(f"Only this was shared: {found}")


@pytest.mark.soak
def test_a_phone_with_a_share_sheet(page: Page, result: str) -> None:
    page.add_init_script(SHARE_SHEET)
    page.goto(f"{result}#share")
    page.get_by_role("button", name="Text teilen").click()
    page.get_by_role("button", name="Bild teilen").click()
    text, picture = shared(page, 2)
    assert text["text"].splitlines()[4:8] == ["1. Ärmel: +5", "1. Bodo: +5", "3. Çelik: +3", "4. Özlem: −13"]
    assert picture["files"] == [["karo-2026-03-06.png", 1440]]


# How many edges of a picture are steep, and how many of it once it is drawn half as large and enlarged again: of a picture
# that was enlarged before as many.
MEASURE = """
window.shared = [];
navigator.canShare = ({ files }) => Boolean(files);
navigator.share = async ({ files: [file] }) => {
    const picture = await createImageBitmap(file);
    const drawn = (source, scale) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [source.width * scale, source.height * scale];
        canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
        return canvas;
    };
    const steep = (canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, place) => place % 4 === 0 && Math.abs(value - data[place + 4]) > 160).length;
    };
    const whole = drawn(picture, 1);
    const { naturalWidth, clientWidth } = document.querySelector("[data-picture] img");
    const [sharp, enlarged] = [whole, drawn(drawn(whole, 1 / 2), 2)].map(steep);
    shared.push({ width: picture.width, naturalWidth, clientWidth, sharp, enlarged });
};
"""


@pytest.mark.soak
def test_the_shared_picture_is_sharp(page: Page, result: str) -> None:
    page.add_init_script(MEASURE)
    page.goto(f"{result}#share")
    page.get_by_role("button", name="Bild teilen").click()
    [found] = shared(page, 1)
    assert found["width"] == 2 * found["naturalWidth"] >= 2 * found["clientWidth"]
    assert found["sharp"] > 3 * found["enlarged"], found


def test_the_button_at_the_top_shares_text_and_picture_at_once(page: Page, result: str) -> None:
    page.add_init_script(SHARE_SHEET)
    page.goto(result)
    page.wait_for_function("() => !document.querySelector('[data-share]').hidden")
    expect(page.locator("#share")).to_be_hidden()
    page.get_by_role("link", name="Teilen").click()
    [both] = shared(page, 1)
    assert both["text"].splitlines()[4:6] == ["1. Ärmel: +5", "1. Bodo: +5"]
    assert both["files"] == [["karo-2026-03-06.png", 1440]]
    assert page.url == result, "it leads nowhere then"


@pytest.mark.soak
@pytest.mark.parametrize(("error", "said"), [("AbortError", re.compile("^$")), ("DataError", "Das Teilen ging nicht.")])
def test_a_share_sheet_that_fails_says_so_and_one_that_is_closed_nothing(page: Page, result: str, error: str, said: Any) -> None:
    page.add_init_script(f"{SHARE_SHEET} navigator.share = async () => {{ throw new DOMException('', '{error}'); }};")
    page.goto(f"{result}#share")
    page.get_by_role("button", name="Text teilen").click()
    expect(page.locator("#share [data-said]")).to_contain_text(said)


def test_a_desk_copies_the_text_and_saves_the_picture(page: Page, result: str) -> None:
    page.add_init_script(PLAIN_HTTP)
    page.goto(result)
    expect(page.get_by_role("button", name="teilen")).to_have_count(0)
    page.get_by_role("link", name="Teilen").click()
    page.wait_for_url("**#share")
    page.get_by_role("button", name="Text kopieren").click()
    expect(page.locator("#share [data-said]")).to_have_text("Kopiert.")
    assert page.evaluate("getSelection().toString()") == page.locator("#share-text").input_value()
    with page.expect_download() as download:
        page.get_by_role("link", name="Bild speichern (PNG)").click()
    assert download.value.suggested_filename == "karo-2026-03-06.png"
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


@pytest.mark.soak
def test_without_a_script_there_are_the_text_and_two_files(
    new_context: CreateContextCallback, live_server: LiveServer, cast: Cast
) -> None:
    phone = new_context(java_script_enabled=False)
    log_in(phone, live_server.url, cast.reader)
    page = phone.new_page()
    page.goto(live_server.url + reverse("result", args=["karo", cast.table.evening_id]))
    page.get_by_role("link", name="Teilen").click()
    expect(page.locator("#share button")).to_have_count(3)
    expect(page.locator("#share button:visible")).to_have_count(0)
    expect(page.get_by_label("Text für den Gruppenchat")).to_contain_text("1. Ärmel: +1")
    page.locator("main summary", has_text="Mehr").click()
    for name, begins in (("Text als Datei", "Zwischenstand Karo Eins"), ("Bild als Datei (SVG)", "<svg ")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert Path(download.value.path()).read_text(encoding="utf-8").startswith(begins)


def pages_of(pdf: bytes) -> int:
    return pdf.count(b"/Type /Page\n")


def paper_of(page: Page, site: str, table: Table) -> bytes:
    page.goto(site + reverse("paper", args=[table.evening.club.slug, table.evening_id]))
    return page.pdf(prefer_css_page_size=True)


def test_an_evening_of_24_games_is_one_page_of_a4(page: Page, live_server: LiveServer) -> None:
    club = make_club("Doppelkopffreunde Wolfratshausen-Geretsried e. V.", slug="karo")
    people = [make_player(club, name) for name in ("Friedrich-Wilhelm", "Annegret Oberwiesenmüller", "Bo", "Željko", "Ed")]
    table = make_table(club, people)
    log_in(page.context, live_server.url, make_user("rita", club))
    for number in range(24):
        add_game(table, dealer=number % 5, re=[(number + 1) % 5, (number + 3) % 5], eyes=100 + number)

    assert pages_of(paper_of(page, live_server.url, table)) == 1

    for number in range(50):
        add_game(table, dealer=(24 + number) % 5, re=[number % 5, (number + 2) % 5], eyes=100 + number)
    seat_players(table=Table.objects.create(evening=table.evening, number=2, rule_set=table.rule_set), players=people)
    assert pages_of(paper_of(page, live_server.url, table)) == 3, "the other table has a sheet of its own"


@pytest.mark.soak
def test_what_is_printed(page: Page, live_server: LiveServer, cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[3], eyes=20)
    log_in(page.context, live_server.url, cast.reader)
    page.emulate_media(media="print")
    page.goto(live_server.url + reverse("paper", args=["karo", cast.table.evening_id]))

    for gone in ("header", "nav", ".btn"):
        expect(page.locator(f"{gone}:visible")).to_have_count(0)
    rows = page.locator(".paper tbody tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.innerText))")
    assert [[cell.split()[0] for cell in row] for row in rows] == [
        ["1", "1", "1", "−1", "−1", "1"],
        ["2", "5", "5", "3", "−13", "4"],
        ["Summe", "5", "5", "3", "−13", "0"],
    ]
    expect(page.locator(".paper")).to_contain_text("Karo Eins")
    assert page.locator(".signatures li").all_inner_texts() == ["Ärmel", "Bodo", "Çelik", "Özlem"]


@pytest.mark.soak
def test_the_result_is_one_page(page: Page, result: str) -> None:
    page.goto(result)
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1
    page.emulate_media(media="print")
    expect(page.locator("#share")).to_be_hidden()
    expect(page.get_by_role("slider", name="Verlauf der Summen")).to_be_visible()
