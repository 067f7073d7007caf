"""Decides how the icons for home screens are made of `icon.svg`: `python -m tests.browser.icons`. Systems round some of them by
themselves: those fill their square, and the sign keeps away from the edges where a system may cut a circle."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import chromium

FOLDER = Path(__file__).parents[2] / "scoring" / "static" / "scoring"
ROUND, PLACE = 'rx="7"', "translate(4 4)"
# Of each file its size, and what is written in place of the round corners and of where the sign stands.
ICONS = {
    "icon-192.png": (192, ROUND, PLACE),
    "icon-512.png": (512, ROUND, PLACE),
    "icon-apple.png": (180, 'rx="0"', PLACE),
    "icon-maskable.png": (512, 'rx="0"', "translate(6.4 6.4) scale(.8)"),
}


def main() -> None:
    drawn = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    assert ROUND in drawn
    assert PLACE in drawn
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.launch_options())
        page = browser.new_page()
        for name, (size, corners, place) in ICONS.items():
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawn.replace(ROUND, corners).replace(PLACE, place)}"
            )
            page.screenshot(path=FOLDER / name, omit_background=True)
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
