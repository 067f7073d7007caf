"""The months that wait for a decision: published ones that differ by now, and ones that are over and not closed. Counting is slow,
so each season stores the answer in its row (`Waits`), and every action that changes a closed evening updates it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from scoring.club.models import Club
from scoring.league.models import Season
from scoring.play.models import Evening

from .books import (
    Books,
    Month,
    compute_hash,
    get_current_season,
    get_month,
    is_over,
    list_seasons,
    read_all_books,
    read_books,
    serialize_content,
)
from .months import get_current_month, list_open_differences, list_open_months

# The stored answer of a season: `undecided` has a hash of the differences by month, `open` all open months, over or not.
Waits = dict[str, Any]


@dataclass(frozen=True)
class News:
    """The waiting months of a season: `undecided` ones are published and differ by now, `due` ones are over and not closed."""

    season: Season
    undecided: list[Month]
    due: list[Month]

    def __bool__(self) -> bool:
        return bool(self.undecided or self.due)

    def before(self, month: Month) -> News:
        return News(self.season, [one for one in self.undecided if one < month], [one for one in self.due if one < month])


def get_news(books: Books) -> News:
    """Return the news of a season from its books, without a query."""
    undecided = [month for month in sorted(books.latest) if list_open_differences(books, month)]
    return _build_news(books.season, undecided, list_open_months(books))


def compute_waits(books: Books) -> Waits:
    found = {}
    for month in sorted(books.latest):
        if differing := list_open_differences(books, month):
            # A new name may change the order of equal players, so the hash uses neither names nor order.
            nameless = [{key: value for key, value in one.items() if key != "name"} for one in differing]
            marked = {"": sorted(nameless, key=itemgetter("player"))}
            found[month] = compute_hash(serialize_content(marked))[:16]
    return {"undecided": found, "open": list_open_months(books)}


def list_known_news(seasons: Iterable[Season]) -> list[News]:
    """Return the news of seasons from their rows. Seasons without a stored answer are read."""
    seasons = list(seasons)
    unknown = [one for one in seasons if one.waits is None]
    read = {books.season: get_news(books) for books in (read_all_books(unknown) if unknown else [])}
    return [_build_news(one, sorted(one.waits["undecided"]), one.waits["open"]) if one.waits else read[one] for one in seasons]


def _build_news(season: Season, undecided: list[Month], still_open: Sequence[Month]) -> News:
    return News(season, undecided, [month for month in still_open if is_over(season, month)])


def list_news_before(books: Books, month: Month, seasons: Iterable[Season]) -> list[News]:
    """Return the news before this month: those of its own season first, from the books, then those of other seasons."""
    others = list_known_news(one for one in seasons if one.pk != books.season.pk)
    seasons_news = [get_news(books), *sorted(others, key=lambda news: (news.season.first_day, news.season.pk))]
    return [news for news in (news.before(month) for news in seasons_news) if news]


def list_undecided(seasons_news: Iterable[News]) -> list[tuple[Season, Month]]:
    months = [(news.season, month) for news in seasons_news for month in news.undecided]
    return sorted(months, key=lambda one: (one[1], one[0].first_day, one[0].pk))


def get_league_today(club: Club) -> dict[str, Any]:
    """Return the league for the start page: the latest month of each running season, the news of all `seasons`, and whether these
    are `several`. The stored answer of a season is outdated while one of its evenings is open; then its
    books are used. Four queries, one without a season."""
    seasons, today = list(list_seasons(club)), timezone.localdate()
    current = get_current_season(seasons)
    if current is None:
        return {}
    shown = [one for one in seasons if one == current or one.first_day <= today <= one.last_day]
    books = read_all_books(shown)
    months = ((one.season, get_current_month(one)) for one in books)
    behind = {one.season: one for one in books if any(row.open for row in one.results)}
    news = [*map(get_news, behind.values()), *list_known_news(one for one in seasons if one not in behind)]
    return {
        "months": [(season, month) for season, month in months if month],
        "news": [one for one in news if one],
        "seasons": seasons,
        "several": len(seasons) > 1,
    }


def list_undecided_of_evening(evening: Evening) -> list[tuple[Season, Month]]:
    """Return the published months with this evening that differ by now. One query if none is published."""
    day, month = evening.held_on, get_month(evening.held_on)
    published = Season.objects.filter(club=evening.club_id, first_day__lte=day, last_day__gte=day)
    published = published.filter(monthclosings__month=month, monthclosings__version=1).select_related("club")
    return [(season, month) for season in published if list_open_differences(read_books(season), month)]


def find_wrong_waits(club: Club | None = None) -> list[Season]:
    """Return the seasons with a wrong stored answer; one with an open evening is updated when that is closed."""
    of_season = {"club": OuterRef("club"), "held_on__range": (OuterRef("first_day"), OuterRef("last_day"))}
    behind = Exists(Evening.objects.filter(closed_at=None, **of_season))
    seasons = Season.objects.filter(~behind, waits__isnull=False).select_related("club").order_by("pk")
    seasons = seasons if club is None else seasons.filter(club=club)
    return [one for one in seasons if one.waits != compute_waits(read_books(one))]
