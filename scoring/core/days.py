"""How far back a day may lie. A year of two digits ("0025") is one that somebody did not finish typing, and nothing here is that
old."""

from __future__ import annotations

import datetime
from typing import Final

FIRST_YEAR: Final = 1950
FIRST_DAY: Final = datetime.date(FIRST_YEAR, 1, 1)
