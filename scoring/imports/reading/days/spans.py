"""Months, quarters and years where evenings should stand. None of them is an evening: a list that has nothing else is refused, with
what to do instead."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from ..cells import MONTHS, is_amount, is_day, is_word, read_day
from ..files import FileRefused
from ..guessing.words import ASIDE, DAY_HEADINGS, OTHERS, TOTALS
from ..rows import Rows
from .series import is_when

MONTH, QUARTER, HALF, YEAR = "month", "quarter", "half", "year"
# So many of them make a list.
FEWEST: Final = 2
# The headings stand among the first rows, and what says the evening in one of the first columns.
HEADINGS: Final = 30
FIRST_COLUMNS: Final = 3
_NAMES: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_OF_YEAR: Final = r"(?:[ ./'-]*(?:(?:19|20)?[0-9]{2}))?"
_OF_A_YEAR: Final = re.compile(r"(?:0?[1-9]|1[0-2])/[0-9]{2}")
_SPANS: Final = {
    MONTH: re.compile(
        rf"(?:(?:monat|im|ende) )?(?:{_NAMES})\.?(?: ?(?:/|-|–|\+|&|,|und|bis) ?(?:{_NAMES})\.?)*{_OF_YEAR}"
        r"|(?:0?[1-9]|1[0-2])(?: ?[./-] ?(?:19[5-9]|20[0-9])[0-9]|/(?:1[3-9]|[2-9][0-9]))"
        r"|(?:19[5-9]|20[0-9])[0-9] ?[./-] ?(?:0?[1-9]|1[0-2])"
        rf"|(?:19[5-9]|20[0-9])[0-9][ -](?:{_NAMES})\.?"
        r"|(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2})[./ -]+(?:19[5-9]|20[0-9])[0-9]"
        r"|(?:monat )(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\. ?monat"
    ),
    QUARTER: re.compile(
        rf"(?:(?:19|20)[0-9]{{2}}[ /-]*)?(?:q ?[1-4]|[1-4]\.? ?(?:q|quartal|quarter|vierteljahr)|quartal ?(?:[1-4]|i{{1,3}}|iv)"
        rf"|(?:i{{1,3}}|iv)\.? ?quartal){_OF_YEAR}"
    ),
    HALF: re.compile(
        rf"(?:(?:19|20)[0-9]{{2}}[ /-]*)?(?:h ?[12]|[12]\.? ?(?:h|hj|halbjahr)|halbjahr ?(?:[12]|ii?)|ii?\.? ?halbjahr){_OF_YEAR}"
    ),
    YEAR: re.compile(
        r"(?:(?:jahr|saison|spieljahr|spielzeit|season|year|winter|sommer) )?(?:19[5-9]|20[0-9])[0-9]"
        r"(?: ?[/–-] ?(?:(?:19|20)?[0-9]{2}))?|(?:saison|season) [0-9]{2} ?[/–-] ?[0-9]{2}"
    ),
}


class SpansRefused(FileRefused):
    """No list of evenings, and no list of sums that could be read as it is either."""


def span_in(cell: str) -> str:
    """Which of these a cell names as a whole: empty where it is none of them."""
    said = text_key(cell)
    return next((kind for kind, pattern in _SPANS.items() if pattern.fullmatch(said)), "")


def no_evening(cell: str) -> str:
    """Why this is no evening, as the sentence for one row; empty where it is none of these."""
    sentences = {
        MONTH: _("„%(text)s“ ist ein Monat und kein Abend"),
        QUARTER: _("„%(text)s“ ist ein Quartal und kein Abend"),
        HALF: _("„%(text)s“ ist ein halbes Jahr und kein Abend"),
        YEAR: _("„%(text)s“ ist ein Jahr und kein Abend"),
    }
    found = span_in(cell)
    what_to_do = _("bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“")
    return f"{sentences[found] % {'text': cell}}; {what_to_do}" if found else ""


def refuse_spans(rows: Rows) -> None:
    """Raises FileRefused where every row with points, or every column of them, is of a month, a quarter or a year."""
    if found := _down(rows) or _firsts(rows) or _across(rows):
        raise SpansRefused(_refusal(found))


def refuse_months_for_names(people: Sequence[str]) -> None:
    """Raises FileRefused where months stand above the points instead of names."""
    if len(people) > 1 and all(span_in(name) == MONTH for name in people):
        raise SpansRefused(
            _(
                "Über den Punkten stehen Monate statt Namen: Ein Monat ist kein Abend. Bitte zu jedem Abend seinen Tag schreiben; "
                "sind nur Summen übrig, „Anfangsstand eingeben“."
            )
        )


def _refusal(found: str) -> str:
    sentence = {
        MONTH: _("Die Punkte stehen hier je Monat, und ein Monat ist kein Abend."),
        QUARTER: _("Die Punkte stehen hier je Quartal, und ein Quartal ist kein Abend."),
        HALF: _("Die Punkte stehen hier je Halbjahr, und ein Halbjahr ist kein Abend."),
        YEAR: _("Die Punkte stehen hier je Jahr, und ein Jahr ist kein Abend."),
    }[found]
    what_to_do = _(
        "Bitte stattdessen jedem Abend eine Zeile mit seinem Tag geben; sind die Tage nicht mehr bekannt, die Punkte je Person "
        "zusammenzählen und „Anfangsstand eingeben“."
    )
    return f"{sentence} {what_to_do}"


def _down(rows: Rows) -> str:
    """What stands in front of all rows with points, in one of the first columns; empty where there are days as well."""
    if any(sum(map(is_when, row)) >= FEWEST for row in rows[:HEADINGS]):
        # Names stand in front of the points, and some are called like months.
        return ""
    for index in range(FIRST_COLUMNS):
        played = list(_played(rows, index))
        found = [span_in(row[index]) for row in played if row[index]]
        if len(found) >= FEWEST and all(found) and not _says_days(rows, played, index):
            return found[0]
    return ""


def _firsts(rows: Rows) -> str:
    """A month where a spreadsheet keeps months as their first days, or numbers them, below a heading that says so."""
    for head, row in enumerate(rows[:HEADINGS]):
        index = next((at for at, cell in enumerate(row) if text_key(cell) in ("monat", "month")), None)
        if index is None:
            continue
        said = [cell for found in rows[head + 1 :] if (cell := found[index] if index < len(found) else "") and is_day(cell)]
        days = [read_day(cell, near=datetime.date(2000, 1, 1)) for cell in said]
        are_first = all(day.day == 1 for day in days) or all(map(_OF_A_YEAR.fullmatch, said))
        if len(days) >= FEWEST and are_first and not _says_days(rows, rows[head + 1 :], index):
            return MONTH
    return ""


def _played(rows: Rows, index: int) -> Iterator[Sequence[str]]:
    """The rows with a number behind this column that are no sums and begin below something that is called so."""
    for row in rows:
        if len(row) > index + 1 and any(map(is_amount, row[index + 1 :])):
            said = text_key(row[index])
            if span_in(row[index]) or not (TOTALS.match(said) or ASIDE.match(said)):
                yield row


def _says_days(rows: Rows, played: Sequence[Sequence[str]], but: int) -> bool:
    """Is there another column of days, or one that is called so?"""
    headings = DAY_HEADINGS | {"kw", "kalenderwoche", "woche"}
    called = any(text_key(cell).rstrip(":") in headings for row in rows[:HEADINGS] for cell in [*row[:but], *row[but + 1 :]])
    width = max(map(len, played))
    return called or any(
        2 * sum(index < len(row) and is_when(row[index]) for row in played) > len(played)
        for index in range(width)
        if index != but
    )


def _across(rows: Rows) -> str:
    """What stands above all columns of points where names stand below each other."""
    for at, row in enumerate(rows[:HEADINGS]):
        columns = [index for index, cell in enumerate(row) if index and span_in(cell)]
        if len(columns) < FEWEST:
            continue
        beside = [text_key(cell) for index, cell in enumerate(row) if cell and index > columns[0] and index not in columns]
        below = [found for found in rows[at + 1 :] if any(found)]
        named = [found for found in below if is_word(found[0]) or (len(found) > 1 and is_word(found[1]))]
        amounts = [found for found in named if any(index < len(found) and is_amount(found[index]) for index in columns)]
        known = all(TOTALS.match(key) or ASIDE.match(key) or OTHERS.match(key) for key in beside)
        if known and len(amounts) >= FEWEST and 2 * len(named) > len(below) and not any(map(is_when, below[0])):
            return span_in(row[columns[0]])
    return ""
