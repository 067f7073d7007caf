"""By what our own workbook is known: the sheets that are always in it, under their names in the language it was written
in, and those of its evenings, which are called by their days."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from django.conf import settings
from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _

COVER: Final = _("Deckblatt")
GAMES: Final = _("Spiele")
PEOPLE: Final = _("Personen")
RULES: Final = _("Hausregeln")
STANDING: Final = (COVER, GAMES, PEOPLE, RULES)
# A second evening of one day has a number.
EVENING: Final = re.compile(r"^([0-9]{2}\.[0-9]{2}\.[0-9]{4})(?: \([0-9]+\))?$")


def written_in(names: Collection[str]) -> str | None:
    """The language of our own workbook; None where it is somebody else's. One of its sheets may have been thrown away:
    that is said, instead of taking it for another file."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            if sum(gettext(title) in names for title in STANDING) >= len(STANDING) - 1:
                return language
    return None


def sheets_to_read(names: Collection[str]) -> list[str]:
    """All sheets of a file; of our own workbook those that everything else in it was made of."""
    language = written_in(names)
    if language is None:
        return list(names)
    with override(language):
        kept = {gettext(title) for title in STANDING}
    return [name for name in names if name in kept or EVENING.match(name)]
