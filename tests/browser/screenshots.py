"""Decides which pictures `make screenshots` takes: one of every kind of page that links lead to, 320, 360 and 1280 px
wide, light and dark, of a demo club of its own.

Pages are not listed by hand: starting at home, each address that Django knows by another name is one more page. Words
after the command are parts of those names: `make screenshots ARGS="table login"`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import django
from playwright.sync_api import Page, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
django.setup()

from django.conf import settings  # noqa: E402  needs Django to be there
from django.urls import Resolver404, resolve, reverse  # noqa: E402

from tests import chromium, server  # noqa: E402

WIDTHS = {320: 640, 360: 740, 1280: 800}
SCHEMES = ("light", "dark")


def name_of(address: str) -> str | None:
    """The name Django knows an address by, or None when it knows none."""
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return None


def pages(page: Page, start: str) -> dict[str, str]:
    """One address for each name that links lead to from `start`, in the order they are met."""
    found: dict[str, str] = {}
    waiting = [start]
    while waiting:
        address = waiting.pop(0)
        name = name_of(address)
        if name is None or name in found:
            continue
        answer = page.request.get(address)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        page.goto(address)
        found[name] = address
        links: list[str] = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
        waiting += [urldefrag(link).url for link in links if link.startswith(start)]
    return found


def log_in(page: Page, root: str, login: dict[str, str]) -> None:
    """Go through the login page."""
    page.goto(root + reverse("login").lstrip("/"))
    page.fill("input[name=username]", login["login"])
    page.fill("input[name=password]", login["password"])
    page.press("input[name=password]", "Enter")
    page.wait_for_load_state()


def main(words: list[str]) -> None:
    """Start a server on a demo club, find its pages, take the pictures."""
    folder = settings.BASE_DIR / "var" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        port, var = server.free_port(), Path(place) / "var"
        root = f"http://127.0.0.1:{port}/"
        with server.running(var, port, Path(place) / "log"):
            logins = json.loads((var / "demo_logins.json").read_text())
            browser = playwright.chromium.launch(**chromium.launch_options())
            context = browser.new_context(locale="de-DE", timezone_id="Europe/Berlin")
            page = context.new_page()
            page.goto(root + reverse("login").lstrip("/"))
            shoot(page, {"login": page.url, "404": f"{root}no-such-page"}, words, folder)
            log_in(page, root, logins[0])
            shoot(page, pages(page, root), words, folder)
            browser.close()


def shoot(page: Page, found: dict[str, str], words: list[str], folder: Path) -> None:
    """Every page in every width and scheme."""
    for name, address in found.items():
        if words and not any(word in name for word in words):
            continue
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                answer = page.goto(address)
                if answer is None or (answer.status >= 400 and name != "404"):
                    sys.exit(f"{name} ({urlsplit(address).path}) does not answer with a page.")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
        print(f"{name:24} {urlsplit(address).path}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
