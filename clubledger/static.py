"""Decides which static files are served and under which names: hashed, compressed, and only what our pages use."""

from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page asks for (all of Bootstrap but its one stylesheet, and the old one of django-tables2):
    it would be hashed and compressed at every start for nothing."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "*.map",
        "*.rtl.*",
        "bootstrap-*.css",
        "bootstrap.css",
        "bootstrap/js/*",
        "django_tables2/*",
    ]


def _without_source_maps(patterns: Any) -> Any:
    """Django's patterns of what one file says about others, less the comments that name source maps."""
    return tuple(
        (glob, tuple(rule for rule in rules if "sourceMappingURL" not in (rule if isinstance(rule, str) else rule[0])))
        for glob, rules in patterns
    )


class Storage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files whose scripts may import each other under their plain names."""

    support_js_module_import_aggregation = True
    patterns = _without_source_maps(CompressedManifestStaticFilesStorage.patterns)
