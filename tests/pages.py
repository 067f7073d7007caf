"""How tests read the HTML of a page: without the white space that only says where a line of its template ends."""

from __future__ import annotations

import re
from html import unescape

from django.http import HttpResponse


def unmarked(html: str) -> str:
    """The HTML without what says of names that no browser translates them (tests/browser/test_names.py)."""
    return re.sub(r'\s+translate="no"', "", re.sub(r'<span\s+translate="no">(.*?)</span>', r"\1", html, flags=re.DOTALL))


def flat(page: HttpResponse) -> str:
    """The page in one line, its entities read, its names unmarked: no white space beside a tag, one space for each run of it
    elsewhere."""
    html = re.sub(r"\s*(<[^>]*>)\s*", r"\1", unmarked(page.content.decode()), flags=re.ASCII)
    return unescape(re.sub(r"\s+", " ", html, flags=re.ASCII))


def frayed(page: HttpResponse) -> list[str]:
    """The values of attributes, and the title, that begin or end with a line end: screen readers and tabs say them as they are."""
    html = page.content.decode() if page.headers.get("Content-Type", "").startswith("text/html") else ""
    return re.findall(r'[\w-]+="(?:\n[^"]*|[^"]*\n)"', html) + re.findall(r"<title>(?:\n[^<]*|[^<]*\n)</title>", html)
