"""Decides which pictures stand in the help and in the README, and what is on them: `make pictures` takes them of a demo club
of its own, 360 px wide; those of the help in both languages, light and dark, each cut to the height that the page says. It makes
the card as well that messengers show beside a link.

They are WebP, which Chromium writes by itself, one dot for each pixel of the page, for the front page on a phone four.
Everything that a picture shows is done as people do it: a tap on what can be seen.
"""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import django
from playwright.sync_api import Page, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
django.setup()

from django.conf import settings  # noqa: E402  needs Django to be there
from django.urls import reverse  # noqa: E402

from tests import chromium, server  # noqa: E402
from tests.browser.screenshots import SCHEMES, log_in  # noqa: E402

README = settings.BASE_DIR / "docs" / "table.png"
STATIC = settings.BASE_DIR / "scoring" / "static" / "scoring"
FOLDER = STATIC / "help"
LOCALES = {"de": "de-DE", "en": "en-GB"}
WIDTH, QUALITY = 360, 26
# The notice of the demo is no part of a club.
WITHOUT_NOTICE = "() => document.getElementById('demo')?.remove()"
MONTH = re.compile(r"/\d{4}-\d{2}/$")
OLD_LIST = "Datum;Annegret;Jürgen;Käthe;Bernd\n06.03.20;12;-4;-8;0\n13.03.20;-6;9;2;-5\n20.03.20;8;-3;1;-6\n"


@dataclass(frozen=True)
class Picture:
    """`come` opens what is shown; the picture begins at the first element that `top` finds.

    The table fills a `screen` as high as a phone's; of any other page the screen holds the picture and the bar below it.
    """

    name: str
    height: int
    come: Callable[[Page, str], None]
    top: str = "h1"
    screen: int = 1600
    scale: int = 1


def seats(page: Page, club: str) -> None:
    page.goto(f"{club}evenings/new/")
    for chip in page.locator("button.chip").all()[:4]:
        chip.click()


def table(page: Page, club: str) -> None:
    page.goto(club)
    page.locator(".hero a.btn").click()
    page.wait_for_selector("#solo-button:visible")
    for box in page.locator(".tile:not(.out) input:enabled").all()[:2]:
        box.check()
    page.locator(".bands input[value='151-180']").check()


def said(page: Page, club: str) -> None:
    table(page, club)
    page.locator("#said > summary").click()
    page.locator("#said input[name=re_said][value=said]").check()


def game(page: Page, club: str) -> None:
    page.goto(club)
    page.locator(".hero a.btn").click()
    page.locator("#rows a:not(.unplayed)").first.click()
    page.wait_for_selector(".line-head h1")


def result(page: Page, club: str) -> None:
    page.goto(f"{club}evenings/")
    page.locator("main a.list-link[href*='/evenings/']").nth(1).click()
    page.wait_for_url("**/result/")


def month(page: Page, club: str) -> None:
    page.goto(f"{club}league/")
    found = page.locator("main th a").evaluate_all("links => links.map(link => link.href)")
    page.goto(sorted({address for address in found if MONTH.search(address)})[-2])  # the last that is closed


def kasse(page: Page, club: str) -> None:
    page.goto(f"{club}cash/")


def standings(page: Page, club: str) -> None:
    page.goto(f"{club}list/")


def old_list(page: Page, club: str) -> None:
    page.goto(f"{club}imports/")
    page.set_input_files("input[type=file]", {"name": "Liste.csv", "mimeType": "text/csv", "buffer": OLD_LIST.encode()})
    page.locator("input[type=file]").locator("xpath=ancestor::form").locator("button").click()
    page.wait_for_url("**/imports/*/")


def questions(page: Page, club: str) -> None:
    page.goto(f"{club}rules/questions/")


PICTURES = (
    Picture("seats", 480, seats),
    # The table comes first: the two after it begin with the game that it leaves unsaved.
    Picture("table", 640, table, "body", 640),
    Picture("front", 306, table, ".tiles", 640, scale=2),
    Picture("said", 640, said, "body", 640),
    Picture("game", 560, game),
    Picture("result", 480, result),
    Picture("month", 480, month),
    Picture("kasse", 560, kasse, ".hero"),
    Picture("list", 480, standings),
    Picture("import", 400, old_list, "h2"),
    Picture("questions", 520, questions),
)


def main() -> None:
    """Start a server on a demo club, take the pictures of its first club as its admin."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        port, var = server.free_port(), Path(place) / "var"
        root = f"http://127.0.0.1:{port}/"
        with server.running(var, port, Path(place) / "log"):
            login = json.loads((var / "demo_logins.json").read_text())[0]
            browser = playwright.chromium.launch(**chromium.launch_options())
            for language, locale in LOCALES.items():
                context = browser.new_context(locale=locale, timezone_id="Europe/Berlin", reduced_motion="reduce")
                page = context.new_page()
                log_in(page, root, login)
                club = root + reverse("club", args=["kreuz-dame"]).lstrip("/")
                for picture in PICTURES:
                    take(page, picture, club, language)
            # A phone on which no game was begun before.
            page = browser.new_page(locale=LOCALES["de"], timezone_id="Europe/Berlin", reduced_motion="reduce")
            log_in(page, root, login)
            card(page, club)
            page.set_viewport_size({"width": WIDTH, "height": 740})
            page.emulate_media(color_scheme="light")
            table(page, club)
            page.evaluate(WITHOUT_NOTICE)
            page.screenshot(path=README)  # a phone as it is held
            browser.close()


def card(page: Page, club: str) -> None:
    """The card of links: the table on a phone beside what the program is, as large as messengers want it."""
    browser = page.context.browser
    assert browser is not None
    sharp = browser.new_page(
        storage_state=page.context.storage_state(),
        device_scale_factor=2,
        locale=LOCALES["de"],
        timezone_id="Europe/Berlin",
        viewport={"width": WIDTH, "height": 640},
    )
    table(sharp, club)
    sharp.wait_for_timeout(1000)  # until the button has its colour
    shot = base64.b64encode(sharp.screenshot()).decode()
    sharp.close()
    page.set_viewport_size({"width": 1200, "height": 630})
    page.goto("about:blank")  # a page of the site would apply its policy for styles
    page.set_content((Path(__file__).parent / "card.html").read_text().replace("SHOT", f"data:image/png;base64,{shot}"))
    page.screenshot(path=STATIC / "card.png")


def take(page: Page, picture: Picture, club: str, language: str) -> None:
    """One picture, light and dark."""
    session = page.context.new_cdp_session(page)
    page.set_viewport_size({"width": WIDTH, "height": picture.screen})
    picture.come(page, club)
    page.evaluate(WITHOUT_NOTICE)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        box = page.locator(picture.top).first.bounding_box()
        assert box is not None, picture.name
        top = max(box["y"] - 6, 0)
        clip = {"x": 0, "y": top, "width": WIDTH, "height": picture.height, "scale": picture.scale}
        wanted = {"format": "webp", "quality": QUALITY, "clip": clip}
        data = base64.b64decode(session.send("Page.captureScreenshot", wanted)["data"])
        path = FOLDER / f"{picture.name}-{language}-{scheme}.webp"
        path.write_bytes(data)
        print(f"{len(data):7} {path.name}", flush=True)


if __name__ == "__main__":
    main()
