"""How points, signs, figures and days are written, and a sentence of the rules in the reader's language."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.forms.utils import flatatt
from django.utils.formats import date_format, get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.rules import labels
from scoring.rules.ranking import round_to_units
from scoring.rules.validation import Sentence

# The attributes of an element with names, which the translation of a browser leaves as they are: "Sommer" is no "Summer".
NAME_ATTRS: Final = {"translate": "no"}


def format_points(value: int | None) -> str:
    """Points with a real minus sign; a dash where there are none."""
    if value is None:
        return "–"
    return str(value).replace("-", "−")


def format_signed(value: int | None) -> str:
    """Points that were won or lost in one game: with their sign."""
    return f"+{value}" if value and value > 0 else format_points(value)


def format_games(count: int) -> str:
    return ngettext("%(games)s Spiel", "%(games)s Spiele", count) % {"games": count}


def format_percent(figure: Fraction | None) -> str:
    """A part of 1 with one digit behind the comma; a dash where there is none."""
    return "–" if figure is None else f"{_format_decimal(round_to_units(figure, 3), 1)}\u00a0%"


def format_mean(figure: Fraction | None) -> str:
    """A quotient with two digits behind the comma, and a real minus sign."""
    return "–" if figure is None else _format_decimal(round_to_units(figure, 2), 2)


def format_hundredths(figure: int) -> str:
    """A whole number of hundredths, written in the same way."""
    return _format_decimal(figure, 2)


def _format_decimal(figure: int, digits: int) -> str:
    """A figure counted in its last digit, with so many of them behind the comma of the language. A page has hundreds, and Django
    takes longer for one than for all else about it."""
    whole, rest = divmod(abs(figure), 10**digits)
    return f"{'−' * (figure < 0)}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{digits}}"


def translate_sentence(value: Sentence | Any) -> str:
    """A sentence of the rules in the reader's language; the names it holds are German, too."""
    if isinstance(value, Sentence):
        values = {name: _(held) if isinstance(held, str) else held for name, held in value.values.items()}
        return _(value.text) % values if values else _(value.text)
    return str(value)


def get_kind_label(code: str, own: Mapping[str, str]) -> str:
    """What a kind of game is called, `own` ones of a club by their keys; the short form does not say which it was."""
    return _(labels.kind_name(code, own)) if code else _("ohne Angabe (Kurzform)")


def get_announcement_label(code: str) -> str:
    """What an announcement is called."""
    return _("Re oder Kontra") if code == "said" else _(labels.SAID[code])


def format_day(value: datetime.date) -> str:
    return format_day_in(get_language(), value)


@lru_cache(maxsize=10_000)
def format_day_in(_language: str | None, value: datetime.date) -> str:
    """In the language of the reader. Kept, since a chart names dozens of days, and each of them takes longer than all else
    about it."""
    return date_format(value, "SHORT_DATE_FORMAT")


def format_month(value: str) -> str:
    """The month 2026-03 as "März 2026"."""
    return _format_month(value, "F Y", get_language())


def format_short_month(value: str) -> str:
    """The month 2026-03 as "Mär. 26"."""
    return _format_month(value, _("M y"), get_language())


@lru_cache(maxsize=10_000)
def _format_month(value: str, written: str, _language: str | None) -> str:
    """Kept like days: a club of twenty years chooses from hundreds."""
    return date_format(datetime.date.fromisoformat(f"{value}-01"), written)


def yes_or_no(value: bool) -> str:
    return _("ja") if value else _("nein")


def mark_as_name(name: object) -> SafeString:
    """Return a name inside a sentence as HTML that the translation of a browser leaves as it is."""
    return format_html("<span{}>{}</span>", flatatt(NAME_ATTRS), name)


def fill_in_names(sentence: str, **values: object) -> SafeString:
    """Fill the `values`, names with their HTML among them, into a sentence with %(…)s."""
    return format_html(sentence % {key: f"{{{key}}}" for key in values}, **values)
