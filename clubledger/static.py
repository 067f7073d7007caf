"""Decides which static files are served and under which names: hashed, compressed, and only what our pages use; our scripts
without their comments."""

from __future__ import annotations

import re
from typing import Any

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
    ]


# What scripts say to readers and to the type checker: comments that have their lines for themselves, types before a value, and
# indentation. No text goes over several lines (tests/test_scripts.py).
_FOR_READERS = re.compile(
    r"^[ \t]*(?:(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$)?|/\*\* @type [^\n]*?\*/ ?", re.MULTILINE | re.DOTALL
)


def _without_comments(script: str) -> str:
    """The script with an empty line for every line of a comment, so that a fault is told at the same line."""
    return _FOR_READERS.sub(lambda found: "\n" * found[0].count("\n"), script)


def _without_source_maps(patterns: Any) -> Any:
    """Django's patterns of what one file says about others, less the comments that name source maps."""
    return tuple(
        (glob, tuple(rule for rule in rules if "sourceMappingURL" not in (rule if isinstance(rule, str) else rule[0])))
        for glob, rules in patterns
    )


class Storage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files whose scripts may import each other under their plain names: the names of what a script imports
    are part of it and so of its own hash, which is why a page never meets modules of another version."""

    support_js_module_import_aggregation = True
    # A pass of Django's brings a new hash from a module to those that import it, so there are as many as imports are deep.
    max_post_process_passes = 20
    patterns = _without_source_maps(CompressedManifestStaticFilesStorage.patterns)

    def file_hash(self, name: str, content: File[bytes] | None = None) -> str:
        """Eight digits: a page of the table names twenty files, and is sent anew each time."""
        return str(super().file_hash(name, content) or "")[:8]

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.startswith("scoring/") and name.endswith(".js"):
            content.seek(0)
            content = ContentFile(_without_comments(content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved
