"""The site around `scoring`. This module uses the standard library only: the start prints messages before Django exists."""

from __future__ import annotations

import os
from gettext import translation
from pathlib import Path

__version__ = "0.3.0"
LOCALE = Path(__file__).resolve().parent.parent / "scoring" / "locale"


def language() -> str:
    """Return the first of "de" and "en" in LANGUAGE, LC_ALL, LC_MESSAGES or LANG (the first that is set), else "en"."""
    named = next(filter(None, map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return next((one[:2] for one in named.split(":") if one[:2] in ("de", "en")), "en")


def gettext(german: str) -> str:
    return translation("django", LOCALE, [language()], fallback=True).gettext(german)
