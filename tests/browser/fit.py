"""Decides whether a page fits a phone and everybody who reads it: nothing cut off, nothing too small for a thumb, and axe
finds nothing. What is folded is looked at folded and unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.strained import NAMES, UNUSUAL
from tests.effort import LONG

THUMB = 44
THUMB_AT_THE_TABLE = 48
LOOK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
# Answers how many folds there are.
_UNFOLD = """() => [...document.querySelectorAll('details:not([open]), #solos[hidden]')].map(fold => {
    fold.dataset.unfolded = '';
    fold.open = true;
    fold.hidden = false;
}).length"""
_FOLD = """document.querySelectorAll('[data-unfolded]').forEach(fold => {
    delete fold.dataset.unfolded;
    fold.open = false;
    fold.hidden = fold.id === 'solos';
})"""
# The first lines of a long list speak for the rest.
_ENDLESS = ["#rows tr:nth-child(n+9), ol > li:nth-child(n+9)"]
# All that axe finds is much more than what is told of it.
_BARRIERS = """([context, options]) => axe.run(context, options).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`)))"""
_VIOLATIONS = {"resultTypes": ["violations"]}
EVERYTHING: dict[str, Any] = _VIOLATIONS
CONTRAST = {**_VIOLATIONS, "runOnly": ["color-contrast"]}
# The one rule that reads the stylesheet once more (may the page turn with the phone?) is asked where colours are.
ALL_BUT_CONTRAST = {**_VIOLATIONS, "preload": False, "rules": {"color-contrast": {"enabled": False}}}


CLUB = "Doppelkopffreunde Wolfratshausen-Geretsried e. V."
# What no browser translates, and a value in the history or of a line that came too late, which may be anything.
EXCEPT = "script, style, textarea, template, bdi:not([translate])"
TRANSLATED = r"""([names, except]) => {
    const whole = new RegExp(`(?<!\\p{L})(${names.join("|").replaceAll(".", "\\.")})(?!\\p{L})`, "u");
    const texts = document.evaluate("//body//text()", document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    return Array.from({ length: texts.snapshotLength }, (_, place) => texts.snapshotItem(place))
        .filter((text) => whole.test(text.data) && !text.parentElement.closest(`[translate=no], ${except}`))
        .map((text) => `${text.parentElement.parentElement.outerHTML.slice(0, 80)}: ${text.data.trim()}`);
}"""


def misfits(page: Page, thumb: int = THUMB) -> list[str]:
    """A sentence for everything that does not fit the screen as it is now."""
    # Without its style nothing fits.
    page.wait_for_load_state()
    page.evaluate(_FOLD)
    faults: list[str] = page.evaluate(LOOK, thumb)
    if page.evaluate(_UNFOLD):
        faults += page.evaluate(LOOK, thumb)
        page.evaluate(_FOLD)
    return list(dict.fromkeys(faults))


def barriers(page: Page, options: dict[str, Any] = EVERYTHING if LONG else ALL_BUT_CONTRAST) -> list[str]:
    """A sentence for everything axe finds, with what is folded unfolded. Colours take axe three times as long as all the rest:
    `make test` looks at those of some pages (test_pages.py) and at all pairs of them (test_looks.py). Animations are off: colours
    that are still fading into each other have a contrast of their own."""
    page.wait_for_load_state()
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(_UNFOLD)
    # Half a megabyte of script: once for each page is enough.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_BARRIERS, [{"exclude": [_ENDLESS]}, options])
    page.evaluate(_FOLD)
    return found


def faults_of(page: Page, thumb: int = THUMB, closely: bool = LONG) -> Iterator[str]:
    """A sentence for everything that does not fit a phone or that axe finds. Closely: at three widths and in the dark. Looking at
    colours takes axe longest: in the dark they are all that differs, on a desk they do not."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    for width in (1280, 320, 360) if closely else (360,):
        page.set_viewport_size({"width": width, "height": 740})
        yield from (f"{width} px: {fault}" for fault in misfits(page, thumb))
        if width != 320:
            rules = EVERYTHING if width == 360 else ALL_BUT_CONTRAST
            yield from (f"{width} px: {fault}" for fault in barriers(page, rules))
    if closely:
        page.emulate_media(color_scheme="dark")
        yield from (f"in the dark: {fault}" for fault in barriers(page, CONTRAST))
        page.emulate_media(color_scheme="light")


def translated(page: Page) -> list[str]:
    """Return the texts of the page with a name that its browser would translate."""
    found: list[str] = page.evaluate(TRANSLATED, [[*NAMES, *UNUSUAL, CLUB], EXCEPT])
    return found
