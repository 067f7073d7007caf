"""Decides which browsers the pages promise (README.md): Safari 16, Firefox 121, Chrome 111. Nothing newer stands in scripts,
stylesheets and templates, and one that is older says so and has the pages as they are without a script."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser_page import another_page, log_in
from tests.factories import Cast

ASSETS = settings.BASE_DIR / "assets"
# What came after one of the three. Of the language itself the type checker knows ES2022 alone, which all three have but for these:
# looking behind and blocks of a class came with Safari 16.4. What a script does without where it's missing (?.) is let be.
IN_SCRIPTS = (
    r"\(\?<[=!]",
    r"\bstatic \{",
    r"\b(withResolvers|fromAsync|groupBy|toSorted|toSpliced|toReversed|findLast|findLastIndex|isWellFormed|transfer)\(",
    r"\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(",
    r"\.(values|keys|entries)\(\)\.(map|filter|some|every|find|reduce|toArray|take|drop|forEach)\(",
    r"\bPromise\.try|\bAbortSignal\.any|\bURL\.(canParse|parse)\b|\bResponse\.json|\bReadableStream\.from|\bIterator\b",
    r"\.checkVisibility\(|\.(show|hide|toggle)Popover\(|\bstartViewTransition\b|\brequestIdleCallback\b|\bscrollend\b",
    r"\bOffscreenCanvas\b|\bnavigation\.|\bcookieStore\b|\buserActivation\b(?!\?\.)|\bsetHTML\w*\(|\bCloseWatcher\b|\bmoveBefore\(",
    r"\bIntl\.(DurationFormat|Segmenter)\b|\bariaDescription\b|\bcaretPositionFromPoint\(",
)
IN_STYLES = (
    r"\(scripting\b|\bprefers-reduced-transparency\b|\b(inverted-colors|update):",
    r"\(\s*(min-|max-)?(width|height)\s*[<>]|[<>]=?\s*(width|height)\s*\)",
    r"@(starting-style|scope|property|view-transition|position-try|font-palette-values)\b",
    r"\d(r?lh|r?cap|r?ic|rex|rch)\b",
    r"\b(color-mix|light-dark|linear|round|mod|rem|abs|sign|anchor|calc-size|if|shape|sibling-index)\(",
    r"[{;\s](text-wrap|text-box|view-transition-name|animation-timeline|interpolate-size|anchor-name|position-anchor|zoom)\s*:",
    r"[{;\s](transition-behavior|font-size-adjust|offset-path|white-space-collapse|margin-trim|reading-flow|mask)\s*:",
    r":(user-valid|user-invalid|popover-open|open|dir|state|has-slotted)\b",
    r":nth-(last-)?child\([^)]* of ",
    # Nested rules.
    r"\{[^{}]*[;{]\s*&",
)
IN_TEMPLATES = (r"\bpopover\b", r"<search\b", r"<details[^>]*\bname=", r"until-found", r"\bcommandfor\b", r"<selectedcontent\b")
OUTDATED = "delete AbortSignal.timeout"


def newer(text: str, signs: tuple[str, ...]) -> list[str]:
    return [found[0] for sign in signs for found in re.finditer(sign, text)]


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)


def test_nothing_is_newer_than_the_browsers_we_promise() -> None:
    found = {str(path): newer(without_comments(path.read_text()), IN_SCRIPTS) for path in ASSETS.rglob("*.ts")}
    assert len(found) > 30
    # Bootstrap keeps to older ones by itself.
    found |= {str(path): newer(without_comments(path.read_text()), IN_STYLES) for path in ASSETS.glob("*.css")}
    templates = settings.BASE_DIR.glob("templates/**/*.html")
    found |= {str(path): newer(path.read_text(), IN_TEMPLATES) for path in templates}
    assert {name: signs for name, signs in found.items() if signs} == {}


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("/(?<=a)b/", IN_SCRIPTS),
        ("const later = Promise.withResolvers();", IN_SCRIPTS),
        ("new Set().union(other)", IN_SCRIPTS),
        ("map.values().map((one) => one)", IN_SCRIPTS),
        ("@media (scripting: none) {", IN_STYLES),
        ("@media (width >= 40rem) {", IN_STYLES),
        ("a{height:2lh}", IN_STYLES),
        ("a{color:light-dark(#fff,#000)}", IN_STYLES),
        ("a{text-wrap:balance}", IN_STYLES),
        ("a{color:red;&:hover{color:blue}}", IN_STYLES),
        ('<details name="one">', IN_TEMPLATES),
    ],
)
def test_what_is_newer_is_found(text: str, signs: tuple[str, ...]) -> None:
    assert newer(text, signs)


def test_the_three_are_promised_in_the_same_words() -> None:
    texts = ["README.md", *(f"templates/scoring/site/help_{language}.html" for language in ("de", "en")), "templates/base.html"]
    for name in texts:
        text = (settings.BASE_DIR / name).read_text()
        assert {found[0] for found in re.findall(r"(Safari|iOS|Firefox|Chrome)( \w+)? (16|121|111)\b", text)} == {
            "Safari",
            "iOS",
            "Firefox",
            "Chrome",
        }, name


def test_a_browser_that_is_older_says_so_and_has_the_table_without_a_script(
    page: Page, live_server: LiveServer, cast: Cast, page_complaints: list[str]
) -> None:
    page.add_init_script(OUTDATED)
    log_in(page.context, live_server.url, cast.scorer)
    page.goto(live_server.url + reverse("table", args=[cast.club.slug, cast.table.pk]))
    expect(page.locator("main .alert")).to_have_text(re.compile("Dieser Browser ist älter als Safari 16"))
    lines = page.locator("#rows tr").count()
    for box in page.locator("#entry .tile input").all()[:2]:
        box.check()
    page.locator("#eyes").fill("130")
    with another_page(page):
        page.locator("#save").click()
    expect(page.locator("#rows tr")).to_have_count(lines + 1)
    expect(page.get_by_text("Keine Verbindung")).to_have_count(0)
    assert page_complaints
    assert all("This browser is outdated." in one for one in page_complaints)
    page_complaints.clear()


def test_scripts_are_known_before_anything_is_drawn(page: Page, live_server: LiveServer, cast: Cast) -> None:
    log_in(page.context, live_server.url, cast.scorer)
    page.goto(live_server.url + reverse("table", args=[cast.club.slug, cast.table.pk]))
    assert page.evaluate("document.documentElement.className") == "scripted"
    head = page.locator("head > :is(script, link[rel=stylesheet])")
    assert "scripted" in (head.first.get_attribute("src") or ""), "before the stylesheets, and it does not wait"
    assert head.first.get_attribute("type") is None
