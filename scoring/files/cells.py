"""The values of cells in our files and how they look, the same for Excel and CSV: values, columns with their headings, text
that every program can read, and names that Excel accepts for a sheet."""

from __future__ import annotations

import datetime
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language

NONCHARACTERS = "\ufffe\uffff"
# What the name of a sheet may be in Excel.
LONGEST_NAME = 31
NOT_IN_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\", "-"))
RESERVED_NAMES = ("history",)

WHOLE = "0"
TWO_DIGITS = "0.00"
PERCENT = "0.0%"
DATE = "dd.mm.yyyy"
DAY_OF_MONTH = "dd.mm."
INSTANT = "dd.mm.yyyy hh:mm"
# The same as the English pages write it, with English months on every computer.
_ENGLISH = {DATE: "[$-809]d mmm yyyy", DAY_OF_MONTH: "[$-809]d mmm"}


class Formula(NamedTuple):
    """A formula, told apart from text that merely begins with "="."""

    text: str


class Link(NamedTuple):
    """A sheet of the same file, to be tapped; `text` where it does not go by its name."""

    sheet: str
    text: str = ""


Value = Link | str | int | float | Decimal | datetime.date | datetime.datetime | Formula | None


class Look(NamedTuple):
    """How a cell looks. `box` is the ring that a solo gets on paper, `line` the heavier line under a row, `grey` what does
    not count; `indent` is the gap to a number on the left; `quoted` text stays text in Excel even after somebody has edited it."""

    number_format: str = "General"
    align: str | None = None
    bold: bool = False
    box: bool = False
    line: bool = False
    shade: bool = False
    wrap: bool = False
    size: int = 11
    quoted: bool = False
    grey: bool = False
    indent: bool = False

    @property
    def stands_right(self) -> bool:
        """Does it stand at the right edge of its cell, as a number does?"""
        return self.align == "right" or (self.align is None and self.number_format != "General")

    @property
    def digits(self) -> int | None:
        """To how many digits it shows a number; None where it does not say."""
        return {WHOLE: 0, TWO_DIGITS: 2, PERCENT: 3}.get(self.number_format)

    @property
    def in_brackets(self) -> Look:
        """Of a number that does not count: the brackets are the format's, so that it stays a number."""
        positive, negative = (f'"({sign}"{self.number_format}")"' for sign in ("", "-"))
        return self._replace(number_format=f"{positive};{negative}", grey=True)


class Day(NamedTuple):
    """A day as the heading of a column; `ordinal` tells it from another column of this day."""

    day: datetime.date
    ordinal: str = ""


class Column(NamedTuple):
    """A column of a sheet: its heading, its width in characters and how its cells look unless told otherwise."""

    heading: str | Day
    width: float
    look: Look = Look()


TEXT = Look(align="left", wrap=True)
NUMBER = Look(WHOLE, "right")


def in_language(number_format: str) -> str:
    """The format of a cell as whoever the file is for writes days."""
    if get_language() == "en":
        for german, english in _ENGLISH.items():
            number_format = number_format.replace(german, english)
    return number_format


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Text without what a workbook cannot hold: control characters, lone surrogates and noncharacters."""
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cs") and c not in NONCHARACTERS)


class SheetNames:
    """The names of the sheets of one file."""

    ENDING = " (%s)"

    def __init__(self) -> None:
        self._taken = set(RESERVED_NAMES)

    def take(self, name: str) -> str:
        """A name that Excel takes: short, without what formulas need, and like no other, in capitals or not."""
        base = plain(name).translate(NOT_IN_NAMES)[:LONGEST_NAME].strip(" '") or "-"
        found, number = base, 1
        while found.casefold() in self._taken:
            number += 1
            ending = self.ENDING % number
            found = base[: LONGEST_NAME - len(ending)] + ending
        self._taken.add(found.casefold())
        return found
