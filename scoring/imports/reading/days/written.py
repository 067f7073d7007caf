"""Days that are written as one number, like 130123, in a column or side by side: read where all of them are days, and stand in
order."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.core.text import text_key

from ..cells import EXCEL_DAYS, LAST_CENTURY
from ..guessing.words import DAY_HEADINGS, NAMES
from ..rows import Rows, cell_of

# The headings stand among the first rows.
HEADINGS: Final = 30
FEWEST: Final = 2
# A number loses the zero in front of it.
_NUMBER: Final = re.compile(r"[0-9]{5,6}")


def days_said(rows: Rows) -> tuple[Rows, str]:
    """The rows with such days as days, and the sentence that says so; empty where there are none."""
    for head, row in enumerate(rows[:HEADINGS]):
        keys = [text_key(cell).rstrip(":") for cell in row]
        column = next((index for index, key in enumerate(keys) if key in DAY_HEADINGS), None)
        if column is not None and (days := _days([cell_of(found, column) for found in rows[head + 1 :]])):
            below = [_put(found, {column: days}) for found in rows[head + 1 :]]
            return [*rows[: head + 1], *below], _said(days)
        across = [index for index, cell in enumerate(row) if _NUMBER.fullmatch(cell)]
        is_head = across and all(not cell or index in across or not cell[:1].isdigit() for index, cell in enumerate(row))
        if is_head and NAMES & set(keys[: across[0]]) and (days := _days([row[index] for index in across])):
            return [*rows[:head], _put(row, dict.fromkeys(across, days)), *rows[head + 1 :]], _said(days)
    return rows, ""


def meant_by(cell: str) -> str:
    """The day that a number of six digits could be, as people write it; empty where it could be none."""
    day = _as(_day_first, cell) if len(cell) == 6 and _NUMBER.fullmatch(cell) else None
    return date_format(day, "SHORT_DATE_FORMAT") if day else ""


def _put(row: Sequence[str], days_at: dict[int, dict[str, datetime.date]]) -> list[str]:
    return [
        days_at[index][cell].isoformat() if index in days_at and cell in days_at[index] else cell
        for index, cell in enumerate(row)
    ]


def _said(days: dict[str, datetime.date]) -> str:
    text, day = next(iter(days.items()))
    said = {"text": text, "day": date_format(day, "SHORT_DATE_FORMAT")}
    return _("Die Tage stehen als eine Zahl da: „%(text)s“ ist als %(day)s gelesen.") % said


def _days(cells: Sequence[str]) -> dict[str, datetime.date]:
    """What each of these is, where all numbers among them are days that stand in order, read in one way alone."""
    said = list(dict.fromkeys(cell for cell in cells if cell[:1].isdigit()))
    if len(said) < FEWEST or not all(map(_NUMBER.fullmatch, said)) or all(map(_is_of_a_spreadsheet, said)):
        return {}
    found = [days for order in (_day_first, _year_first) if (days := _read(order, said))]
    return found[0] if len(found) == 1 else {}


def _is_of_a_spreadsheet(cell: str) -> bool:
    return len(cell) == 5 and int(cell) in EXCEL_DAYS


def _read(order: Callable[[str], tuple[str, str, str]], said: Sequence[str]) -> dict[str, datetime.date]:
    found = {cell: day for cell in said if (day := _as(order, cell))}
    days = list(found.values())
    in_order = all(one <= other for one, other in pairwise(days)) or all(one >= other for one, other in pairwise(days))
    return found if len(found) == len(said) and in_order and max(days) <= timezone.localdate() else {}


def _as(order: Callable[[str], tuple[str, str, str]], cell: str) -> datetime.date | None:
    day, month, year = map(int, order(cell.zfill(6)))
    try:
        return datetime.date(year + (1900 if year >= LAST_CENTURY else 2000), month, day)
    except ValueError:
        return None


def _day_first(cell: str) -> tuple[str, str, str]:
    return cell[:2], cell[2:4], cell[4:]


def _year_first(cell: str) -> tuple[str, str, str]:
    return cell[4:], cell[2:4], cell[:2]
