"""How the table of a month is written on a page: its figures, arrows and calculations, as the league's words say them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from scoring.club.access import Access
from scoring.core.formats import format_month, format_short_month
from scoring.league import texts as words
from scoring.league.models import Season
from scoring.league.queries.news import Today, undecided_among, undecided_since
from scoring.league.rules import CellIn, Content, EveningIn, RowIn
from scoring.league.texts import month_called
from scoring.play.models import Evening

register = template.Library()

# How many months that wait are shown; there are more only where much was changed at once.
AT_ONCE: Final = 3

register.filter("month_name", format_month)
register.filter("short_month_name", format_short_month)
register.filter("figure", words.figure)
register.filter("digits", words.digits_of)
register.filter("cell_sentence", words.cell_sentence)
register.filter("legend", words.legend)
register.filter("and_list", words.and_list)


@register.filter
def month_names(months: Sequence[str]) -> str:
    return ", ".join(map(format_month, months))


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_of(evening: Evening, access: Access) -> dict[str, Any]:
    """On the page of an evening: that a month that is published holds it and differs by now."""
    return _undecided(undecided_since(evening), access, [])


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_in(season: Season, months: Sequence[tuple[Season, str]], access: Access) -> dict[str, Any]:
    """On a page of a season: its months that are undecided, and those of others, which are named."""
    return _undecided(months, access, [season])


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_today(today: Today, access: Access) -> dict[str, Any]:
    """On the start page: those of all seasons."""
    return _undecided(undecided_among(today.news), access, today.seasons)


def _undecided(months: Sequence[tuple[Season, str]], access: Access, meant: Sequence[Season]) -> dict[str, Any]:
    """Each with its page, or where it is decided; with its season where another one of these could be `meant`."""
    seasons = {*meant, *(season for season, _month in months)}
    address = "month_close" if access.admin else "month"
    lines = [
        (reverse(address, args=[access.club.slug, season.pk, month]), month_called(season, month, seasons))
        for season, month in months
    ]
    return {"access": access, "number": len(lines), "first": lines[:AT_ONCE], "rest": lines[AT_ONCE:]}


@register.filter
def why(row: RowIn, content: Content) -> str:
    return words.why_sentence(row["why"], content["settings"])


@register.filter
def calculation(row: RowIn, content: Content) -> list[tuple[str, str]]:
    """The lines of a calculation, with their figures as those of the table are written."""
    digits = words.digits_of(content)
    return [(text, words.figure(value, digits)) for text, value in words.step_lines(content, row)]


@register.filter
def counting(content: Content) -> list[str]:
    return words.counting_sentences(content["settings"], content["unit"])


@register.filter
def with_evenings(content: Content) -> list[tuple[RowIn, list[tuple[str, EveningIn, CellIn]]]]:
    """The rows of a month, each with the evenings that somebody was at: its day, which is written once for all of them, itself, and
    what it brought."""
    evenings = content["evenings"]
    days = [date_format(as_day(one["held_on"]), "DATE_FORMAT") + words.ordinal(one, evenings) for one in evenings]
    return [
        (row, [(day, one, cell) for day, one, cell in zip(days, evenings, row["cells"], strict=True) if cell])
        for row in content["rows"]
    ]


@register.filter
def breaks(row: RowIn) -> list[tuple[str, str]]:
    """What is compared at a tie, with its figures."""
    return [
        (str(words.TIE_BREAKS[name]), words.figure(value, 2) if name == "average" else whole(value))
        for name, value in row["breaks"]
    ]


@register.filter
def whole(value: int | None) -> str:
    """A number of points as people write it."""
    return words.figure(None if value is None else 100 * value, 0)


@register.filter
def brought(evening: Sequence[int | None] | None) -> str:
    """The points of an evening in a difference; who was not there has none, which is not 0."""
    return whole(evening[0] if evening else None)


@register.filter
def unit_after(points: int, content: Content) -> str:
    """The unit of a month, as it stands behind so many points."""
    return words.unit_word(100 * points, content["unit"])


@register.filter
def as_day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


@register.filter
def as_instant(text: str) -> datetime.datetime:
    return timezone.localtime(datetime.datetime.fromisoformat(text))
