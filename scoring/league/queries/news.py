"""What waits for a decision about the months of a league: a month that was published and would be counted differently now, and
one that is over and not closed. It is said where people look, until somebody decides."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import DateField
from django.utils import timezone

from scoring.club.models.people import Club
from scoring.core.ready import Hole, Ready
from scoring.league.models import MonthClosing, Season
from scoring.league.rules.content import Content
from scoring.play.models import Evening

from .books import Books, Month, books_of, current_season, is_over, month_of, read_books, seasons_of
from .months import current_month, open_months, pending, undecided_in

# A season that ended longer ago is looked after on its own page.
_LOOKED_AFTER = datetime.timedelta(days=400)


@dataclass(frozen=True)
class News:
    """The months of a season, in their order: `undecided` are published and differ by now, `due` are over and not closed."""

    season: Season
    undecided: list[Month]
    due: list[Month]

    def __bool__(self) -> bool:
        return bool(self.undecided or self.due)


def news_of(books: Books) -> News:
    """No query: the books hold it."""
    return News(
        books.season,
        undecided_in(books),
        [month for month in open_months(books) if is_over(books.season, month)],
    )


@dataclass(frozen=True)
class Today:
    """What the start page shows of the league: the latest month of every season of today, and the news for whoever decides."""

    months: Sequence[tuple[Season, Content]] = ()
    news: Sequence[News] = ()


def league_today(club: Club, *, decides: bool) -> Today:
    """`decides`: with the news of every season that is running or ended not long ago. Four queries, one without a season."""
    seasons, today = list(seasons_of(club)), timezone.localdate()
    current = current_season(seasons)
    if current is None:
        return Today()
    shown = [one for one in seasons if one == current or one.first_day <= today <= one.last_day]
    recent = [one for one in seasons if one.first_day <= today <= one.last_day + _LOOKED_AFTER] if decides else []
    books = {one.season: one for one in books_of(list(dict.fromkeys([*shown, *recent])))}
    months = ((one, current_month(books[one])) for one in shown)
    return Today(
        [(season, month) for season, month in months if month],
        [news for news in (news_of(books[one]) for one in recent) if news],
    )


_PUBLISHED = Ready(
    lambda: (
        MonthClosing.objects.filter(month=Hole("month"), season__club=Hole("club"), version=1)
        .filter(season__first_day__lte=Hole("day", DateField()), season__last_day__gte=Hole("day", DateField()))
        .defer("file", "content")
        .select_related("season__club")
    )
)


def undecided_since(evening: Evening) -> list[tuple[Season, Month]]:
    """The months that hold this evening, are published and differ by now. One query where none is published."""
    month = month_of(evening.held_on)
    seasons = [closing.season for closing in _PUBLISHED.ask(month=month, club=evening.club_id, day=evening.held_on)]
    return [(season, month) for season in seasons if pending(read_books(season), month)[1]]
