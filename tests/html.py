"""How tests read the HTML of a page, and what its Content-Security-Policy would refuse."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from django.http import HttpResponse


def unmarked(html: str) -> str:
    """The HTML without what says of names that no browser translates them (tests/browser/test_pages.py)."""
    return re.sub(r'\s+translate="no"', "", re.sub(r'<span\s+translate="no">(.*?)</span>', r"\1", html, flags=re.DOTALL))


def text(page: HttpResponse) -> str:
    """The HTML of a page, its names unmarked."""
    return unmarked(page.content.decode())


def flat(page: HttpResponse) -> str:
    """The page in one line, its entities read, its names unmarked: no white space beside a tag, one space for each run of it
    elsewhere."""
    html = re.sub(r"\s*(<[^>]*>)\s*", r"\1", unmarked(page.content.decode()), flags=re.ASCII)
    return unescape(re.sub(r"\s+", " ", html, flags=re.ASCII))


def frayed(page: HttpResponse) -> list[str]:
    """The values of attributes, and the title, that begin or end with a line end: screen readers and tabs say them as they are."""
    html = page.content.decode() if page.headers.get("Content-Type", "").startswith("text/html") else ""
    return re.findall(r'[\w-]+="(?:\n[^"]*|[^"]*\n)"', html) + re.findall(r"<title>(?:\n[^<]*|[^<]*\n)</title>", html)


class _Inline(HTMLParser):
    """Collects inline scripts and styles (whole elements, attributes, and addresses that are scripts)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        data = tag == "script" and names.get("type") in ("application/json", "text/plain")
        if tag == "style" or (tag == "script" and "src" not in names and not data):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if name == "style" or name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"<{tag} {name}={value!r}>")


def inline(html: str) -> list[str]:
    """Every inline script or style in a page."""
    parser = _Inline()
    parser.feed(html)
    parser.close()
    return parser.found


def assert_strict(response: HttpResponse) -> None:
    """The answer carries a policy without exceptions and, if it is a page, needs none. Data has no
    policy: it is no document."""
    if response.headers.get("Content-Type") == "application/json":
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Security-Policy" not in response.headers
        return
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    if response.headers.get("Content-Type", "").startswith("text/html"):
        assert inline(response.content.decode()) == []
