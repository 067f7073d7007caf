"""What a page must not contain, because the Content-Security-Policy would refuse it anyway, or because the stylesheet has nothing
for it."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse

from clubledger.stylesheet import BOOTSTRAP, NAME, REST

_CLASS = re.compile(r"\.([A-Za-z][\w-]*)")


class _Inline(HTMLParser):
    """Collects inline scripts and styles (whole elements, attributes, and addresses that are scripts), and beside them classes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        data = tag == "script" and names.get("type") in ("application/json", "text/plain")
        if tag == "style" or (tag == "script" and "src" not in names and not data):
            self.found.append(f"<{tag}>")
        self.classes.update((names.get("class") or "").split())
        for name, value in attrs:
            if name == "style" or name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"<{tag} {name}={value!r}>")


def _read(html: str) -> _Inline:
    parser = _Inline()
    parser.feed(html)
    parser.close()
    return parser


def inline(html: str) -> list[str]:
    """Every inline script or style in a page."""
    return _read(html).found


@cache
def _classes(name: str) -> set[str]:
    """What a stylesheet of ours has something for."""
    served = Path(settings.STATIC_ROOT) / staticfiles_storage.stored_name(name)
    return set(_CLASS.findall(served.read_text(encoding="utf-8")))


@cache
def _of_bootstrap() -> set[str]:
    return set(_CLASS.findall((files("bootstrap") / BOOTSTRAP).read_text(encoding="utf-8")))


def unstyled(html: str) -> set[str]:
    """The classes of a page for which Bootstrap, or a stylesheet of ours that it does not name, would have something."""
    return _unstyled(html, _read(html).classes)


def _unstyled(html: str, classes: set[str]) -> set[str]:
    named = [_classes(name) for name in (NAME, REST) if f"{name.removesuffix('.css')}." in html]
    return (classes & (_of_bootstrap() | _classes(REST))).difference(*named)


def assert_strict(response: HttpResponse) -> None:
    """The answer carries a policy without exceptions and, if it is a page, needs none and finds all it is styled by. Data has no
    policy: it is no document."""
    if response.headers.get("Content-Type") == "application/json":
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Security-Policy" not in response.headers
        return
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    if response.headers.get("Content-Type", "").startswith("text/html"):
        html = response.content.decode()
        read = _read(html)
        assert read.found == []
        assert _unstyled(html, read.classes) == set()
