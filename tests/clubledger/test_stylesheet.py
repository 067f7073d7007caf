"""The stylesheets have what pages use of Bootstrap and all of our own. That no page misses anything is held by
tests/markup.py."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from clubledger.stylesheet import NAME, OWN, REST, parsed, said_of, shortened, stylesheets
from tests.markup import unstyled


def of(css: str, *words: str, read: set[str] | None = None) -> str:
    return "".join(shortened(parsed(css), set(words).issuperset, read))


@pytest.mark.parametrize(
    ("css", "left"),
    [
        (".btn{color:red}.modal{color:red}.btn.modal{top:0}.modal .btn{top:0}", ".btn{color:red}"),
        (".modal , a:hover,\n.btn > b { top : 0 ; left: 1px }", "a:hover,.btn > b{top:0;left:1px}"),
        (".btn:not(.modal):hover{top:0}", ".btn:not(.modal):hover{top:0}"),
        ("[type=text]{top:0}[data-bs-theme=dark]{top:0}", "[type=text]{top:0}"),
        ("@media print{.modal{top:0}}@media print{.btn{top:0 !important}}", "@media print{.btn{top:0!important}}"),
        ("@charset 'x';@keyframes modal{to{top:0}}/* says why */@page{margin:0}", "@page{margin:0}"),
    ],
)
def test_what_nobody_can_use_goes(css: str, left: str) -> None:
    assert of(css, "btn") == left


def test_what_nobody_reads_goes() -> None:
    css = ".btn{--a:1px;--b:var(--a);top:var(--b)}.btn{--c:0}"
    assert of(css, "btn", read={"--b"}) == ".btn{--b:var(--a);top:var(--b)}"


def test_what_ours_says_again_goes() -> None:
    """Under the same selector, and wherever the page is shown."""
    css = ".btn{top:0;left:0 !important}.btn,a{top:1px}a,b{left:0}@media print{a{left:1px}}i{top:0}"
    said = said_of(parsed(".btn{top:2px;left:2px}a{top:3px;left:3px}@media print{i{top:3px}}"))
    left = "".join(shortened(parsed(css), {"btn"}.issuperset, None, said))
    assert left == ".btn{left:0!important}a,b{left:0}i{top:0}"


def test_our_own_is_there_as_it_was_written() -> None:
    sheets = stylesheets()
    for name in (NAME, REST):
        own = "".join(shortened(parsed((settings.BASE_DIR / OWN / name).read_text()), lambda names: True, None))
        written = re.sub(r"/\*.*?\*/", "", (settings.BASE_DIR / OWN / name).read_text(), flags=re.DOTALL)
        assert own.count("{") == written.count("{")
        assert sheets[name].endswith(own[max(own.find("body{"), 0) :])
    sheet = "".join(sheets.values())
    unset = set(re.findall(r"var\((--[\w-]+)\)", sheet)) - set(re.findall(r"(?<=[{;])--[\w-]+(?=:)", sheet))
    assert unset == {"--bs-body-text-align"}, "which Bootstrap itself leaves to the browser"


def test_the_search_for_what_is_missing_can_fail() -> None:
    page = '<link href="style.1.css">{}<p class="ours btn podium"><b class="carousel w-75">'
    assert unstyled(page.format("")) == {"carousel", "podium", "w-75"}
    assert unstyled(page.format('<link href="pages.1.css">')) == {"carousel", "w-75"}
