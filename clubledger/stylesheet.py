"""Decides what the stylesheets of the site hold: the rules of Bootstrap that our pages can use, and after them our own,
both without comments and spaces. The table's page, and the pages that say what went wrong, have only the first stylesheet: a
phone at a table does not need the styles of lists and paper.

Rules are found by name: a rule of Bootstrap stays if each of its classes stands in double quotes in one of our templates or
modules, or in a package that writes our forms; in the first stylesheet, if they stand in what writes its pages. A name that is
put together from pieces would not be found; tests compare every page with the whole of Bootstrap (tests/markup.py)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

import minify
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from tinycss2 import parse_blocks_contents, parse_rule_list, parse_stylesheet, serialize

NAME, REST = "style.css", "pages.css"
OWN = Path("scoring/static/scoring")
TEMPLATES = settings.BASE_DIR / "templates"
# How a template says that it does without the second.
ALONE = ("{% block more_style %}{% endblock %}", '{% extends "error_base.html" %}')
# What else writes the table's page, below scoring/.
AT_TABLE = ("table/**/*.py", "templatetags/*.py", "static/scoring/*.js", "static/scoring/table/*.js")
BOOTSTRAP = "static/bootstrap/css/bootstrap.min.css"
# Of the templates of crispy-bootstrap5 those that our layouts come to.
OF_FORMS = (
    "*form.html",
    "field.html",
    "inputs.html",
    "errors.html",
    "layout/*button.html",
    "layout/baseinput.html",
    "layout/div.html",
    "layout/field*.html",
    "layout/help_text*.html",
    "layout/radio_checkbox_select.html",
)
_QUOTED = re.compile(r'"([^"\n]*)"')
_WORD = re.compile(r"[A-Za-z][\w-]*")
_PART = re.compile(r'{% (?:include|extends) "([^"]+)"')
_READ = re.compile(r"var\((--[\w-]+)")

# Of all names that a selector asks for: is there an element that has them?
Keeps = Callable[[Iterable[str]], bool]


def stylesheets() -> dict[str, str]:
    """Each by its name. What ours says again of the very same elements is left out of Bootstrap's; so are custom properties that
    nothing reads, and then those that only they have read."""
    words, first = used(), used_at_table()
    bootstrap = parsed((files("bootstrap") / BOOTSTRAP).read_text(encoding="utf-8"))
    own, rest = (parsed((settings.BASE_DIR / OWN / name).read_text(encoding="utf-8")) for name in (NAME, REST))
    said, said_here = said_of(own), said_of([*own, *rest])
    read: set[str] | None = None
    while True:
        text = "".join(chain(shortened(bootstrap, first.issuperset, read, said), shortened(own, lambda names: True, read)))
        more = "".join(
            chain(
                shortened(bootstrap, lambda names: words.issuperset(names) and not first.issuperset(names), read, said_here),
                shortened(rest, lambda names: True, read),
            )
        )
        if (now := set(_READ.findall(text + more))) == read:
            return {NAME: text, REST: more}
        read = now


def parsed(text: str) -> Sequence[Any]:
    rules: Sequence[Any] = parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    return rules


def said_of(rules: Iterable[Any]) -> dict[str, set[str]]:
    """By selector, what these rules say wherever the page is shown."""
    said: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        if rule.type == "qualified-rule":
            names = {one.name for one in parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)}
            for selector in _selectors(rule.prelude):
                said[serialize(selector).strip()] |= names
    return said


def used() -> set[str]:
    """Every word that can come to be a class of an element."""
    ours = settings.BASE_DIR / "scoring"
    forms = Path(str(files("crispy_bootstrap5") / "templates" / "bootstrap5"))
    return _quoted(
        source.read_text(encoding="utf-8")
        for source in chain(
            TEMPLATES.rglob("*.html"),
            [Path(__file__).with_name("settings.py")],
            ours.rglob("*.py"),
            ours.rglob("*.js"),
            Path(str(files("crispy_forms"))).rglob("*.py"),
            *map(forms.glob, OF_FORMS),
        )
    )


def used_at_table() -> set[str]:
    """The same of the pages that have the first stylesheet alone: the table's, and those that say what went wrong."""
    texts = {str(path.relative_to(TEMPLATES)): path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    parts: set[str] = set()
    more = {name for name, text in texts.items() if any(sign in text for sign in ALONE)}
    while more := more - parts:
        parts |= more
        more = {part for name in more for part in _PART.findall(texts[name])}
    ours = settings.BASE_DIR / "scoring"
    code = chain.from_iterable(map(ours.glob, AT_TABLE))
    return _quoted(chain((texts[name] for name in parts), (source.read_text(encoding="utf-8") for source in code)))


def _quoted(sources: Iterable[str]) -> set[str]:
    return {word for source in sources for quoted in _QUOTED.findall(source) for word in _WORD.findall(quoted)}


def shortened(
    rules: Iterable[Any], keeps: Keeps, read: set[str] | None, said: Mapping[str, set[str]] = MappingProxyType({})
) -> Iterator[str]:
    """The rules for which `keeps` is true, written in few bytes. If `read` names the custom properties that are used, the
    others are left out. What is `said` later under each selector of a rule is left out too."""
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [serialize(one).strip() for one in _selectors(rule.prelude) if keeps(list(_asked(one)))]
            again = set.intersection(*(said.get(one, set()) for one in selectors)) if selectors else set()
            if selectors and (declarations := _declarations(rule.content, read, again)):
                yield f"{','.join(selectors)}{{{declarations}}}"
        elif rule.at_keyword in ("media", "supports"):
            inside = parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if kept := "".join(shortened(inside, keeps, read, said)):
                yield f"@{rule.at_keyword}{serialize(rule.prelude).rstrip()}{{{kept}}}"
        elif rule.at_keyword == "page" or (rule.at_keyword == "keyframes" and keeps([serialize(rule.prelude).strip()])):
            yield rule.serialize()


def _selectors(prelude: Iterable[Any]) -> Iterator[Sequence[Any]]:
    """The selectors of a rule, one by one."""
    selector: list[Any] = []
    for piece in prelude:
        if piece == ",":
            yield selector
            selector = []
        else:
            selector.append(piece)
    yield selector


def _asked(selector: Sequence[Any]) -> Iterator[str]:
    """The classes and data attributes that an element must have; what stands in brackets, as in :not(…), asks for nothing."""
    for before, piece in pairwise([None, *selector]):
        if piece.type == "ident" and before is not None and before == ".":
            yield piece.value
        elif piece.type == "[] block" and piece.content[0].value.startswith("data-"):
            yield piece.content[0].value


def _declarations(content: Iterable[Any], read: set[str] | None, again: set[str]) -> str:
    return ";".join(
        f"{one.name}:{serialize(one.value).strip()}{'!important' if one.important else ''}"
        for one in parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
        if (read is None or one.name in read or not one.name.startswith("--")) and (one.important or one.name not in again)
    )


class _Memory(InMemoryStorage):
    def path(self, name: str) -> str:
        """What collectstatic can say that it copied."""
        return name


class StylesheetFinder(BaseFinder):
    """Hands the stylesheets to collectstatic as if they were files, anew each time: what pages use changes with the pages."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, _Memory]]:
        for name, sheet in stylesheets().items():
            storage = _Memory(location="/")
            storage.save(name, ContentFile(minify.string("text/css", sheet).encode()))
            yield name, storage

    def find(self, path: str, find_all: Any = False, **kwargs: Any) -> Any:
        """Nowhere: they are no files."""
        return []
