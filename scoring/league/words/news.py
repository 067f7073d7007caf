"""What is said about months that wait for a decision: at once to whoever changed something, and which season is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.core.formats import format_month
from scoring.league.models import Season
from scoring.league.queries.books import Month

Months = Collection[tuple[Season, Month]]


def month_called(season: Season, month: Month, seasons: Iterable[Season]) -> str:
    """The month, with its season where that is not the only one of `seasons` that could be meant."""
    return f"{format_month(month)} · {season.name}" if set(seasons) - {season} else format_month(month)


def differ_sentence(months: Months) -> SafeString:
    """To whoever did it: these are published, and counted differently now."""
    return format_html("{} {}", _("Dadurch zählt anders als veröffentlicht:"), _links(months))


def agree_sentence(months: Months) -> SafeString:
    return format_html("{} {}", _("Dadurch zählt wieder wie veröffentlicht:"), _links(months))


def _links(months: Months) -> SafeString:
    """Each leads to its page, where it says what is to be decided."""
    seasons = {season for season, _month in months}
    ordered = sorted(months, key=lambda one: (one[1], one[0].pk))
    links = ((_address(*one), month_called(*one, seasons)) for one in ordered)
    return format_html_join(", ", '<a class="line-link" href="{}">{}</a>', links)


def _address(season: Season, month: Month) -> str:
    return reverse("month", args=[season.club.slug, season.pk, month])
