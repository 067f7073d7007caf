"""What waits for a decision about the months of a league: a month that was published and would be counted differently now, and
one that is over and not closed. Pages say so until somebody decides. To count it anew takes long, so each season keeps the answer
in its row (`Waits`), and every action that changes a closed evening updates it. If a page has read the books of a season anyway, it
asks those."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypedDict

from django.db.models import Exists, OuterRef
from django.utils import timezone

from scoring.club.models import Club
from scoring.league.models import Season
from scoring.league.rules import Content
from scoring.play.models import Evening

from .books import Books, Month, as_text, books_of, current_season, hash_of, is_over, month_of, read_books, seasons_of
from .months import current_month, open_months, pending, undecided_in


class Waits(TypedDict):
    """What a season's row says: its `undecided` months, each with a mark of how it would be counted, by which one can tell that it
    changed once more; and its `open` ones, over or not, since no row is written when a day begins."""

    undecided: dict[Month, str]
    open: list[Month]


@dataclass(frozen=True)
class News:
    """The months of a season, in their order: `undecided` are published and differ by now, `due` are over and not closed."""

    season: Season
    undecided: list[Month]
    due: list[Month]

    def __bool__(self) -> bool:
        return bool(self.undecided or self.due)

    def before(self, month: Month) -> News:
        return News(self.season, [one for one in self.undecided if one < month], [one for one in self.due if one < month])


def news_of(books: Books) -> News:
    """The news of the season of these books, without a query."""
    return _news(books.season, undecided_in(books), open_months(books))


def waits_in(books: Books) -> Waits:
    """What the row of this season has to say."""
    found = {}
    for month in sorted(books.latest):
        if differing := pending(books, month)[1]:
            # A new name changes no figure. It may change the order of equals, so the mark depends on neither.
            nameless = [{key: value for key, value in one.items() if key != "name"} for one in differing]
            marked = {"": sorted(nameless, key=itemgetter("player"))}
            found[month] = hash_of(as_text(marked))[:16]
    return {"undecided": found, "open": open_months(books)}


def known_news(seasons: Iterable[Season]) -> list[News]:
    """What the rows of these seasons say. No query where each says something; those that were never looked at are read."""
    seasons = list(seasons)
    unknown = [one for one in seasons if one.waits is None]
    read = {books.season: news_of(books) for books in (books_of(unknown) if unknown else [])}
    return [
        _news(one, sorted(one.waits["undecided"]), one.waits["open"]) if one.waits else read[one] for one in seasons
    ]


def _news(season: Season, undecided: list[Month], still_open: Sequence[Month]) -> News:
    return News(season, undecided, [month for month in still_open if is_over(season, month)])


def news_before(books: Books, month: Month, seasons: Iterable[Season]) -> list[News]:
    """What waits before this month in these seasons of the club: first in its own, of which the books say it, so that the next step
    of a season is never another's; then in the others, the latest last."""
    others = known_news(one for one in seasons if one.pk != books.season.pk)
    every = [news_of(books), *sorted(others, key=lambda news: (news.season.first_day, news.season.pk))]
    return [news for news in (news.before(month) for news in every) if news]


def undecided_among(every: Iterable[News]) -> list[tuple[Season, Month]]:
    """The undecided months of several seasons, in their order."""
    months = [(news.season, month) for news in every for month in news.undecided]
    return sorted(months, key=lambda one: (one[1], one[0].first_day, one[0].pk))


@dataclass(frozen=True)
class Today:
    """What the start page shows of the league: the latest month of every season of today, and the news of all `seasons`."""

    months: Sequence[tuple[Season, Content]] = ()
    news: Sequence[News] = ()
    seasons: Sequence[Season] = ()

    @property
    def several(self) -> bool:
        return len(self.seasons) > 1


def league_today(club: Club) -> Today:
    """Return the seasons of today with their months, and the news of all seasons. The row of a season is behind while one of its
    evenings is open; then its books are asked. Four queries, one without a season."""
    seasons, today = list(seasons_of(club)), timezone.localdate()
    current = current_season(seasons)
    if current is None:
        return Today()
    shown = [one for one in seasons if one == current or one.first_day <= today <= one.last_day]
    books = books_of(shown)
    months = ((one.season, current_month(one)) for one in books)
    behind = {one.season: one for one in books if any(row.open for row in one.results)}
    news = [*map(news_of, behind.values()), *known_news(one for one in seasons if one not in behind)]
    return Today([(season, month) for season, month in months if month], [one for one in news if one], seasons)


def undecided_since(evening: Evening) -> list[tuple[Season, Month]]:
    """Return the published months with this evening that differ by now. One query where none is published."""
    day, month = evening.held_on, month_of(evening.held_on)
    published = Season.objects.filter(club=evening.club_id, first_day__lte=day, last_day__gte=day)
    published = published.filter(monthclosings__month=month, monthclosings__version=1).select_related("club")
    return [(season, month) for season in published if pending(read_books(season), month)[1]]


def wrong_waits(club: Club | None = None) -> list[Season]:
    """Seasons whose row does not say what waits there: somebody wrote past the program. As long as an evening is open its row is
    behind: it is counted when that is closed."""
    of_season = {"club": OuterRef("club"), "held_on__range": (OuterRef("first_day"), OuterRef("last_day"))}
    behind = Exists(Evening.objects.filter(closed_at=None, **of_season))
    seasons = Season.objects.filter(~behind, waits__isnull=False).select_related("club").order_by("pk")
    asked = seasons if club is None else seasons.filter(club=club)
    return [one for one in asked if one.waits != waits_in(read_books(one))]
