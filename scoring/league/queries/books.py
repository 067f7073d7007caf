"""The league as its books: seasons and the days of their months, what was played, closed and supplemented, and the one
way in which a month is written down. A month is one plain object (`Content`), the same whether it was counted just now or
stands in what was closed, so its page cannot show a closed month in any other way than it was published."""

from __future__ import annotations

import datetime
import json
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar, overload

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from scoring.club.access import Access, Role, fetch
from scoring.club.models import Change, Club, Verb
from scoring.club.queries import Lookups
from scoring.core.database import CodePoints
from scoring.core.names import name_key
from scoring.league.models import MONTH_LENGTH, MonthClosing, Season, Supplement
from scoring.league.rules import Content, MonthRow, Settings, Supplemented
from scoring.play.models import Evening, TableResult
from scoring.rulesets.models import RuleSet

# A month as text, "2026-03".
Month = str
Kept = TypeVar("Kept", MonthClosing, Supplement)
# How the rows are found that the history names by these keys.
LOOKUPS: Final[Lookups] = {"season": Season.objects.in_bulk}


def month_of(day: datetime.date) -> Month:
    return day.isoformat()[:MONTH_LENGTH]


def days_of(season: Season, month: Month) -> tuple[datetime.date, datetime.date] | None:
    """The first and the last day of a month in a season; None where it has none there."""
    year, number = int(month[:4]), int(month[5:])
    first = max(season.first_day, datetime.date(year, number, 1))
    last = min(season.last_day, datetime.date(year, number, monthrange(year, number)[1]))
    return (first, last) if first <= last else None


def months_of(season: Season) -> list[Month]:
    """Every month that has a day in the season."""
    first = 12 * season.first_day.year + season.first_day.month - 1
    last = 12 * season.last_day.year + season.last_day.month - 1
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(first, last + 1)]


def is_over(season: Season, month: Month) -> bool:
    days = days_of(season, month)
    return days is not None and days[1] < timezone.localdate()


def seasons_of(club: Club) -> QuerySet[Season]:
    """Return the seasons of a club, the latest first."""
    return (
        Season.objects.filter(club=club)
        .select_related("club")
        .order_by("-first_day", "-last_day", CodePoints("name"), "pk")
    )


def current_season(seasons: Iterable[Season]) -> Season | None:
    """The season of today, else the one that began last, else the first to come; points come before cents."""
    today = timezone.localdate()

    def key(season: Season) -> tuple[Any, ...]:
        running, begun = season.first_day <= today <= season.last_day, season.first_day <= today
        days = (today - season.first_day).days
        return not running, not begun, days if begun else -days, season.unit != RuleSet.Unit.POINTS, season.pk

    return min(seasons, key=key, default=None)


# --- What is read -----------------------------------------------------------------------------------------------------


class TablePoints(NamedTuple):
    """What one table of an evening brought one person; `rules` is the name of its rule set."""

    player: int
    name: str
    guest: bool
    left_on: datetime.date | None
    points: int
    games: int
    wins: int
    evening: int
    held_on: datetime.date
    place: str
    open: bool
    without_games: bool
    rules: str
    unit: str


@dataclass(frozen=True)
class Books:
    """Everything that the pages of a season are made of: the results of its days in its unit, what was closed, without
    the files, and what was supplemented. `tables`: the months that were counted already, as the season is set."""

    season: Season
    results: list[TablePoints]
    closings: list[MonthClosing]
    supplements: list[Supplement]
    tables: dict[Month, list[MonthRow]] = field(default_factory=dict, init=False)

    @cached_property
    def by_month(self) -> dict[Month, list[TablePoints]]:
        found: dict[Month, list[TablePoints]] = defaultdict(list)
        for row in self.results:
            found[month_of(row.held_on)].append(row)
        return dict(found)

    @cached_property
    def first_months(self) -> dict[int, Month]:
        """The month in which each person has a result first."""
        return {row.player: month for month, rows in reversed(self.by_month.items()) for row in rows}

    @cached_property
    def sorted_as(self) -> dict[int, str]:
        """What people sort by."""
        return {player: name_key(name) for player, name in self.names.items()}

    @cached_property
    def latest(self) -> dict[Month, MonthClosing]:
        """The version of each closed month that holds."""
        return {closing.month: closing for closing in self.closings}

    @cached_property
    def names(self) -> dict[int, str]:
        """What people are called now; who is known from a supplement alone, what they were called then."""
        told = {line["player"]: line["name"] for one in self.supplements for line in content_in(one)["differences"]}
        return told | {row.player: row.name for row in self.results}

    @property
    def left(self) -> set[int]:
        """Who does not belong to the club any more, of those with a result."""
        return {row.player for row in self.results if row.left_on is not None}

    def published(self, month: Month) -> Content | None:
        closing = self.latest.get(month)
        return content_in(closing) if closing else None

    def settings_of(self, month: Month) -> Settings:
        """How a closed month was published, in the names that its rule sets have now. Where the season counts by all of them there
        is nothing to ask: it follows when one is called otherwise."""
        closing = self.latest[month]
        settings = content_in(closing)["settings"]
        names = list(settings["rule_sets"])
        known = set(names) <= set(self.season.settings["rule_sets"])
        for at, old, new in () if known else self._renamings:
            if at > closing.closed_at:
                names = [new if name == old else name for name in names]
        return {**settings, "rule_sets": names}

    @cached_property
    def _renamings(self) -> list[tuple[datetime.datetime, str, str]]:
        """When a rule set of the club got which other name, the first one first. One query, where one was."""
        told = Change.objects.filter(club=self.season.club_id, verb=Verb.RULES_RENAMED).order_by("pk")
        return list(told.values_list("at", "before__name", "after__name"))


def read_books(season: Season) -> Books:
    """Return the books of a season. Three queries however long it is."""
    return books_of([season])[0]


def books_of(seasons: Sequence[Season]) -> list[Books]:
    """Return the books of seasons of one club. Three queries however many seasons there are."""
    rows = _points(seasons)
    closings = MonthClosing.objects.filter(season__in=seasons).defer("file").order_by("month", "version")
    closed = _by_season(closings)
    supplemented = _by_season(Supplement.objects.filter(season__in=seasons).order_by("pk"))
    return [
        Books(
            season,
            [row for row in rows if row.unit == season.unit and season.first_day <= row.held_on <= season.last_day],
            closed[season.pk],
            supplemented[season.pk],
        )
        for season in seasons
    ]


def _points(seasons: Sequence[Season]) -> list[TablePoints]:
    """Return the results of the days of these seasons, each in its unit, the first evening first. One query."""
    if not seasons:
        return []
    days = Q()
    for season in seasons:
        held_on = season.first_day, season.last_day
        days |= Q(table__evening__held_on__range=held_on, table__rule_set__unit=season.unit)
    results = TableResult.objects.filter(days, table__evening__club=seasons[0].club_id)
    results = results.annotate(open=ExpressionWrapper(Q(table__evening__closed_at=None), BooleanField()))
    rows = results.order_by("table__evening__held_on", "table__evening", "player").values_list(
        *("player", "player__name", "player__guest", "player__left_on", "points", "games", "wins"),
        *("table__evening", "table__evening__held_on", "table__evening__place", "open"),
        *("table__without_games", "table__rule_set__name", "table__rule_set__unit"),
    )
    return list(map(TablePoints._make, rows))


def _by_season(rows: Iterable[Kept]) -> dict[int, list[Kept]]:
    found = defaultdict(list)
    for row in rows:
        found[row.season_id].append(row)
    return found


def gone_evenings(content: Content) -> set[int]:
    """The evenings of something published that are no more: taken back with the list they came with."""
    told = {evening["id"] for evening in content["evenings"]}
    return told - set(Evening.objects.filter(pk__in=told).values_list("pk", flat=True))


# --- What is written down ---------------------------------------------------------------------------------------------


@overload
def content_in(row: MonthClosing) -> Content: ...
@overload
def content_in(row: Supplement) -> Supplemented: ...
def content_in(row: MonthClosing | Supplement) -> Content | Supplemented:
    """What was published. Where it came with an archive its ids are those of another installation: here they mean the rows
    that came along with it."""
    ids = row.ids
    content: Content | Supplemented = content_of_text(row.content)
    return content if ids is None else with_ids(content, lambda kind, pk: ids[kind][str(pk)])


def content_of_text(text: str) -> Any:
    """A content that may have come from elsewhere, or be of a supplement."""
    return json.loads(text)


# Names another row in place of one: of a kind ("players", "evenings", "changes") and an id.
Named = Callable[[str, int], int]


def with_ids(content: Any, named: Named) -> Any:
    """A content with other ids for the people, evenings and changes in it."""
    if isinstance(content, list):
        return [with_ids(one, named) for one in content]
    if not isinstance(content, dict):
        return content
    return {key: _with_ids(key, value, named) for key, value in content.items()}


def _with_ids(key: str, value: Any, named: Named) -> Any:
    match key:
        case "player":
            return named("players", value)
        case "id":
            return named("evenings", value)
        case "left_out":
            return [named("players", one) for one in value]
        case "changes":
            return [named("changes", one) for one in value]
        case "settings":
            return value
    return with_ids(value, named)


def as_text(content: Mapping[str, object]) -> str:
    """The one way in which a content is written down."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1)


def hash_of(content: bytes | str) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def damaged(club: Club | None = None) -> list[MonthClosing]:
    """Closed months whose text or file is not what its hash says: somebody wrote past the program."""
    clubs = [club] if club is not None else Club.objects.all()
    closings = MonthClosing.objects.filter(season__club__in=clubs).select_related("season__club").order_by("pk")
    return [
        closing
        for closing in closings.iterator(chunk_size=20)
        if hash_of(closing.content) != closing.content_sha256 or hash_of(bytes(closing.file)) != closing.file_sha256
    ]


def get_season(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Season, Access]:
    seasons = Season.objects.filter(club__slug=slug, pk=pk).select_related("club")
    return fetch(request, seasons, "club", role)
