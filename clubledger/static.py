"""Decides which static files are served and under which names: hashed, compressed, and only those that our pages use. Each
script is one file with everything that it imports, without comments and spaces, because one more request costs a phone as
much as a small module."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import minify
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page asks for: it would be hashed and compressed at every start for nothing."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "django_tables2/*",
        "shapes.js",
        "style.css",  # stylesheet.py makes one of it and Bootstrap's
        "pages.css",
    ]


# What a module takes from others, and what it says that it gives them (tests/test_scripts.py holds that nothing else is written).
_IMPORT = re.compile(r'^(?:import|export \{)[^";]*"(\.[^"]+)";', re.MULTILINE)
_GIVES = re.compile(r"^export (?!\{)", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:\{\};)?", re.MULTILINE)
# What names the version of a file.
_HASH = re.compile(r"\.[0-9a-f]{8}(?=\.js$)")


def _is_ours(name: str | None) -> bool:
    return name is not None and name.startswith("scoring/") and name.endswith(".js")


def joined(name: str) -> str:
    """The module with all that it imports, in the order in which a browser would run them. Those that export nothing have their
    names for themselves; what the others call something, no two of them call so."""
    modules = [_IMPORT.sub("", script) for script in _modules(name, {}).values()]
    if len(modules) > 1:
        modules = [script if _GIVES.search(script) else f"(() => {{\n{script}}})();\n" for script in modules]
    return "".join(_EXPORT.sub("", script) for script in modules)


def _shortened(name: str) -> bytes:
    """All in one function, since only what is called something inside of one gets a shorter name."""
    short: str = minify.string("application/javascript", f"(() => {{\n{joined(name)}}})();")
    return short.encode()


def _modules(name: str, found: dict[str, str]) -> dict[str, str]:
    """The module behind those that it needs, by name."""
    script = Path(str(finders.find(name))).read_text(encoding="utf-8")
    for needed in _IMPORT.findall(script):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), needed))
        if path not in found:
            _modules(path, found)
    found[name] = script
    return found


def _without_source_maps(patterns: Any) -> Any:
    """Django's patterns of what one file says about others, less the comments that name source maps."""
    return tuple(
        (glob, tuple(rule for rule in rules if "sourceMappingURL" not in (rule if isinstance(rule, str) else rule[0])))
        for glob, rules in patterns
    )


class Storage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files; what a script imports is part of it, so a page never meets modules of another version."""

    patterns = _without_source_maps(CompressedManifestStaticFilesStorage.patterns)

    def file_hash(self, name: str, content: File[bytes] | None = None) -> str:
        """Eight digits: a page of the table is sent anew each time."""
        if content and _is_ours(name):
            content = ContentFile(_shortened(name))
        return str(super().file_hash(name, content) or "")[:8]

    def _save(self, name: str, content: File[bytes]) -> str:
        if _is_ours(name):
            content = ContentFile(_shortened(_HASH.sub("", name)))
        saved: str = super()._save(name, content)
        return saved
