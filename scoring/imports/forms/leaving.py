"""Single rows that somebody leaves out in the preview: ticked where they are named, or typed as numbers of rows."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from django.utils.translation import gettext as _

# So much may be typed.
LONGEST: Final = 500
MOST: Final = 200
_LEAVE: Final = re.compile(r"leave_([0-9]{1,5})")
_DASH: Final = re.compile(r"\s*[-–]\s*")
_ROWS: Final = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def leave_field(row: int) -> str:
    return f"leave_{row}"


def ticked(posted: Mapping[str, str]) -> set[int]:
    return {int(found[1]) for name in posted if (found := _LEAVE.fullmatch(name))}


def typed(text: str, there: Collection[int]) -> tuple[set[int], str]:
    """The row numbers that were typed, like "5, 12-14", among the rows of the sheet; and a sentence about what is wrong
    with them, empty if nothing is."""
    rows: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", _DASH.sub("-", text[:LONGEST]))):
        found = _ROWS.fullmatch(part)
        if not found:
            return set(), _("„%(text)s“ ist keine Zeile. So geht es: 5, 12-14") % {"text": part[:40]}
        meant = {row for row in there if int(found[1]) <= row <= int(found[2] or found[1])}
        if not meant:
            return set(), _("In Zeile %(row)s steht nichts.") % {"row": part}
        rows |= meant
        if len(rows) > MOST:
            return set(), _("Mehr als %(rows)s Zeilen bitte in der Datei löschen.") % {"rows": MOST}
    return rows, ""
