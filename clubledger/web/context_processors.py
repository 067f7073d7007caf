"""Template variables of every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from clubledger.backups import future_good, last_good
from clubledger.version import program
from clubledger.web.errors import count_faults


def describe_installation(request: HttpRequest) -> dict[str, object]:
    """Return the template variables about this installation. Functions are called only if a page uses them."""
    return {
        "last_good_backup": last_good,
        "future_backup": future_good,
        "program": program,
        "fault_count": count_faults,
        "source_url": settings.SOURCE_URL,
        "owner": settings.OWNER,
        "imprint": settings.IMPRINT,
        "founding_open": settings.FOUNDING == "open",
        "site_url": lambda: settings.SITE_URL or request.build_absolute_uri("/").rstrip("/"),
    }
