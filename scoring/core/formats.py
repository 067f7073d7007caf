"""Format points, numbers, days and sentences of the rules in the language of the reader."""

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

# Attributes of an element with names: a browser that translates the page must not turn Mr "Sommer" into "Summer".
NAME_ATTRS: Final = {"translate": "no"}


def format_points(value: int | None) -> str:
    """Format points with a real minus sign; None is a dash."""
    if value is None:
        return "–"
    return str(value).replace("-", "−")


def format_signed(value: int | None) -> str:
    return f"+{value}" if value and value > 0 else format_points(value)


def format_games(count: int) -> str:
    return ngettext("%(games)s Spiel", "%(games)s Spiele", count) % {"games": count}


def format_cycle(number: int | str) -> str:
    """Format the number of a cycle, or the {…} in which a script puts it."""
    return _("Umlauf {n}").format(n=number)


def format_percent(figure: Fraction | None) -> str:
    """Format a share: 1 is 100 %."""
    return "–" if figure is None else f"{_format_decimal(round_to_units(figure, 3), 1)}\u00a0%"


def format_mean(figure: Fraction | None) -> str:
    return "–" if figure is None else _format_decimal(round_to_units(figure, 2), 2)


def format_hundredths(figure: int) -> str:
    """Format a number of hundredths: 150 is 1,50."""
    return _format_decimal(figure, 2)


def _format_decimal(figure: int, digits: int) -> str:
    """Format a number given in units of its last decimal place. A page has hundreds, and Django's own way is slow."""
    whole_part, rest = divmod(abs(figure), 10**digits)
    return f"{'−' * (figure < 0)}{whole_part}{get_format('DECIMAL_SEPARATOR')}{rest:0{digits}}"


def translate_sentence(value: Sentence | Any) -> str:
    """Translate a sentence of the rules and the German names in its values; anything else becomes a string."""
    if isinstance(value, Sentence):
        values = {name: _(held) if isinstance(held, str) else held for name, held in value.values.items()}
        return _(value.text) % values if values else _(value.text)
    return str(value)


def get_kind_label(code: str, own: Mapping[str, str]) -> str:
    """Return the name of a kind of game; `own` has those of the club by key. The short form of a line has no kind."""
    return _(labels.kind_name(code, own)) if code else _("ohne Angabe (Kurzform)")


def get_announcement_label(code: str) -> str:
    return _("Re oder Kontra") if code == "said" else _(labels.SAID[code])


def format_day(value: datetime.date) -> str:
    return format_day_in(get_language(), value)


@lru_cache(maxsize=10_000)
def format_day_in(_language: str | None, value: datetime.date) -> str:
    """Format a day in the active language, given for the cache: a chart has dozens of days, and `date_format` is slow."""
    return date_format(value, "SHORT_DATE_FORMAT")


def format_month(value: str) -> str:
    """Format the month 2026-03 as "März 2026"."""
    return _format_month(value, "F Y", get_language())


def format_short_month(value: str) -> str:
    """Format the month 2026-03 as "Mär. 26"."""
    return _format_month(value, _("M y"), get_language())


@lru_cache(maxsize=10_000)
def _format_month(value: str, written: str, _language: str | None) -> str:
    """Format a month. Cached like days: the filter of an old club has hundreds of months."""
    return date_format(datetime.date.fromisoformat(f"{value}-01"), written)


def yes_or_no(value: bool) -> str:
    return _("ja") if value else _("nein")


def mark_as_name(name: object) -> SafeString:
    """Return a name as HTML that the translation of a browser leaves alone."""
    return format_html("<span{}>{}</span>", flatatt(NAME_ATTRS), name)


def fill_in_names(sentence: str, **values: object) -> SafeString:
    """Fill values into a sentence with %(…)s; HTML among them stays, everything else is escaped."""
    return format_html(sentence % {key: f"{{{key}}}" for key in values}, **values)
