"""A season for tests to begin with, and a month of it published as the page does it."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib.auth.models import User

from scoring.club.actions import Actor
from scoring.league.actions import add_season, add_supplement, close_month
from scoring.league.exports import month_file
from scoring.league.queries.books import Content, as_text, hash_of, read_books
from scoring.league.queries.months import content_of, to_publish
from scoring.league.rules import DEFAULT
from scoring.models import Club, MonthClosing, Season, Supplement


def make_season(
    club: Club,
    name: str = "Saison",
    first_day: datetime.date = datetime.date(2026, 1, 1),
    last_day: datetime.date = datetime.date(2026, 12, 31),
    unit: str = "points",
    actor: User | None = None,
    **settings: Any,
) -> Season:
    return add_season(
        club=club,
        actor=Actor(actor),
        name=name,
        first_day=first_day,
        last_day=last_day,
        unit=unit,
        settings={**DEFAULT, **settings},
    )


def seen(season: Season, month: str) -> str:
    """What the preview of a month passes on."""
    return hash_of(as_text(to_publish(read_books(season), month)))


def close(season: Season, month: str, actor: User | None = None, **kw: Any) -> MonthClosing:
    told = {"seen": seen(season, month), "confirmed": True, **kw}
    return close_month(season=season, month=month, actor=Actor(actor), as_file=month_file, **told)


def supplement(season: Season, month: str, actor: User | None = None, reason: str = "Verzählt") -> Supplement:
    return add_supplement(season=season, month=month, actor=Actor(actor), seen=seen(season, month), reason=reason)


def shown(season: Season, month: str) -> Content:
    return content_of(read_books(season), month)
