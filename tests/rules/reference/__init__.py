"""Answer every line of an evening by a second implementation of the rules.

It follows the description of the rules paragraph by paragraph, is slow and shares no code with the project, so the scorer can
be compared with it. It takes the lines of one evening as for the command line; the answer to a refused line has the sorted
names of the faulty fields.
"""

from tests.rules.reference.constants import (
    ALL_KINDS,
    ANNOUNCED_SOLOS,
    BANDS,
    EXCLUSIVE,
    IN_FARBSOLO,
    LIMIT_OF,
    MOST_SPECIALS,
    OF_THE_LAST_TRICK,
    ORDINARY_TRUMPS,
    OTHER,
    PARTNER_KINDS,
    QUIET_SOLOS,
    SAID,
    TRIGGERS,
)
from tests.rules.reference.evening import answer_evening, answer_line
from tests.rules.reference.game import eyes_of, has_trick, is_schwarz, seats_out
from tests.rules.reference.presets import BOCK_DEFAULTS, DDV, DEFAULTS, PLAIN_BOCK, PRESETS
from tests.rules.reference.settings import resolve

__all__ = [
    "ALL_KINDS",
    "ANNOUNCED_SOLOS",
    "BANDS",
    "BOCK_DEFAULTS",
    "DDV",
    "DEFAULTS",
    "EXCLUSIVE",
    "IN_FARBSOLO",
    "LIMIT_OF",
    "MOST_SPECIALS",
    "OF_THE_LAST_TRICK",
    "ORDINARY_TRUMPS",
    "OTHER",
    "PARTNER_KINDS",
    "PLAIN_BOCK",
    "PRESETS",
    "QUIET_SOLOS",
    "SAID",
    "TRIGGERS",
    "answer_evening",
    "answer_line",
    "eyes_of",
    "has_trick",
    "is_schwarz",
    "resolve",
    "seats_out",
]
