"""How templates are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.html import inline

TEMPLATES = Path(settings.BASE_DIR) / "templates"


def test_no_line_is_longer_than_120_columns() -> None:
    pages = sorted(TEMPLATES.rglob("*.html"))
    assert pages
    assert [
        f"{page.relative_to(TEMPLATES)}:{number}"
        for page in pages
        for number, line in enumerate(page.read_text().splitlines(), 1)
        if len(line) > 120
    ] == []


def test_none_has_a_script_or_a_style_in_line() -> None:
    assert {str(page): found for page in TEMPLATES.rglob("*.html") if (found := inline(page.read_text()))} == {}


@pytest.mark.parametrize(
    "html",
    ["<p style='x'>", "<style>", "<script>", "<a href=' JavaScript:x'>", "<button onclick='x'>", "<svg onload=x>"],
)
def test_the_search_for_inline_code_can_fail(html: str) -> None:
    assert inline(html)
    assert not inline("<script src='x'></script><link rel='stylesheet'><script type='application/json'>{}</script>")


def test_every_table_has_a_name() -> None:
    """Whoever listens goes from table to table, and hears what each is about."""
    named = re.compile(r"<table\b(?=[^>]*(?:aria-label|render_attrs)|(?:\{%.*?%\}|[^>])*>\s*(?:\{%.*?%\}\s*)?<caption)")
    pages = {page: page.read_text() for page in TEMPLATES.rglob("*.html")}
    assert [str(page) for page, text in pages.items() if text.count("<table") != len(named.findall(text))] == []
    # Those that take theirs from their class.
    classes = [text for path in TEMPLATES.parent.rglob("scoring/**/tables.py") for text in path.read_text().split("\nclass ")]
    drawn = [text for text in classes if re.search(r'template_name = "scoring/tables/(?!lines)', text)]
    assert len(drawn) >= 4
    assert [text for text in drawn if '"aria-label"' not in text] == []
