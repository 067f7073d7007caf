"""How templates are written, and that what they are indented by is not sent."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.template.loader import get_template

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


def test_the_indentation_is_not_sent() -> None:
    assert "\n  " in (TEMPLATES / "scoring/home/offline.html").read_text()
    assert "\n " not in get_template("scoring/home/offline.html").template.source  # type: ignore[attr-defined]
