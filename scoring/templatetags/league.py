from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from scoring.club.access import Access
from scoring.core.formats import format_month, format_short_month
from scoring.league import texts
from scoring.league.models import Season
from scoring.league.queries.news import list_undecided, list_undecided_of_evening
from scoring.league.rules import Content, ContentCell, ContentRow
from scoring.play.models import Evening

register = template.Library()

AT_ONCE: Final = 3  # how many months that wait are shown; there are more only where much was changed at once

register.filter("month_name", format_month)
register.filter("short_month_name", format_short_month)
register.filter("figure", texts.format_figure)
register.filter("digits", texts.get_digits)
register.filter("cell_sentence", texts.explain_cell)
register.filter("legend", texts.list_legend)
register.filter("and_list", texts.join_names)
register.filter("as_instant", lambda text: timezone.localtime(datetime.datetime.fromisoformat(text)))
register.filter("month_names", lambda months: ", ".join(map(format_month, months)))
register.filter("why", lambda row, content: texts.explain_missing_rank(row["why"], content["settings"]))
register.filter("counting", lambda content: texts.list_counting_sentences(content["settings"], content["unit"]))
register.filter("unit_after", lambda points, content: texts.get_unit_word(100 * points, content["unit"]))


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_of(evening: Evening, access: Access) -> dict[str, Any]:
    return _undecided(list_undecided_of_evening(evening), access, [])


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_in(season: Season, months: Sequence[tuple[Season, str]], access: Access) -> dict[str, Any]:
    return _undecided(months, access, [season])


@register.inclusion_tag("scoring/league/_undecided.html")
def undecided_today(today: Mapping[str, Any], access: Access) -> dict[str, Any]:
    return _undecided(list_undecided(today.get("news", ())), access, today.get("seasons", ()))


def _undecided(months: Sequence[tuple[Season, str]], access: Access, meant: Sequence[Season]) -> dict[str, Any]:
    """Return the context for months that wait; they are named with their seasons if these or `meant` are several."""
    seasons = {*meant, *(season for season, _month in months)}
    address = "month_close" if access.admin else "month"
    lines = [
        (reverse(address, args=[access.club.slug, season.pk, month]), texts.get_month_label(season, month, seasons))
        for season, month in months
    ]
    return {"access": access, "number": len(lines), "first": lines[:AT_ONCE], "rest": lines[AT_ONCE:]}


@register.filter
def calculation(row: ContentRow, content: Content) -> list[tuple[str, str]]:
    digits = texts.get_digits(content)
    return [(text, texts.format_figure(value, digits)) for text, value in texts.list_steps(content, row)]


@register.filter
def with_evenings(content: Content) -> list[tuple[ContentRow, list[tuple[str, dict[str, Any], ContentCell]]]]:
    """Return the rows of a month, each with the evenings of the player: the day, the evening and the cell."""
    evenings = content["evenings"]
    days = [date_format(as_day(one["held_on"]), "DATE_FORMAT") + texts.get_ordinal(one, evenings) for one in evenings]
    return [
        (row, [(day, one, cell) for day, one, cell in zip(days, evenings, row["cells"], strict=True) if cell])
        for row in content["rows"]
    ]


@register.filter
def breaks(row: ContentRow) -> list[tuple[str, str]]:
    return [
        (str(texts.TIE_BREAKS[name]), texts.format_figure(value, 2) if name == "average" else whole(value))
        for name, value in row["breaks"]
    ]


@register.filter
def whole(value: int | None) -> str:
    return texts.format_figure(None if value is None else 100 * value, 0)


@register.filter
def brought(evening: Sequence[int | None] | None) -> str:
    """Format the points of an evening in a MonthDifference: points and games, None without a result."""
    return whole(evening[0] if evening else None)


@register.filter
def as_day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)
