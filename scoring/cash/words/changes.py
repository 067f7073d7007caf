"""What was done in the books, in the words of the history."""

from __future__ import annotations

import datetime
from typing import Final

from django.utils.translation import gettext as _

from scoring.cash.models.books import Kind
from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values
from scoring.core.words import day


def _entry(change: Change, values: Values, names: Names) -> Told:
    """What was booked."""
    return {_("Art"): str(Kind(values["kind"]).label), _("Tag"): day(datetime.date.fromisoformat(values["date"]))}


def _called(change: Change, names: Names) -> str:
    """The number of the entry, which stands on its receipt."""
    return str((change.after or {}).get("number", ""))


CHANGES: Final[Tellings] = dict.fromkeys((Verb.CASH_BOOKED, Verb.CASH_REVERSED), Telling(_entry, _called))
