"""Read the books of seasons: results, closed months, supplements; and write contents as text."""

from __future__ import annotations

import datetime
import json
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, TypeVar

from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from scoring.club.access import Access, Role, fetch
from scoring.club.models import Change, Club, Verb
from scoring.club.queries import Lookups
from scoring.core.database import CodePoints
from scoring.core.dates import list_months_between
from scoring.core.names import name_key
from scoring.league.models import MONTH_LENGTH, MonthClosing, Season, Supplement
from scoring.league.rules import Content, ContentRow, Settings
from scoring.play.models import Evening, TableResult
from scoring.rulesets.models import RuleSet

# A month as text, "2026-03".
Month = str
PublishedRow = TypeVar("PublishedRow", MonthClosing, Supplement)
# Looks up the rows that log entries name by these keys.
LOOKUPS: Final[Lookups] = {"season": Season.objects.in_bulk}


def get_month(day: datetime.date) -> Month:
    return day.isoformat()[:MONTH_LENGTH]


def get_days(season: Season, month: Month) -> tuple[datetime.date, datetime.date] | None:
    """Return the first and last day of a month in a season; None if it has none there."""
    year, number = int(month[:4]), int(month[5:])
    first = max(season.first_day, datetime.date(year, number, 1))
    last = min(season.last_day, datetime.date(year, number, monthrange(year, number)[1]))
    return (first, last) if first <= last else None


def list_months(season: Season) -> list[Month]:
    return list_months_between(season.first_day, season.last_day)


def is_over(season: Season, month: Month) -> bool:
    days = get_days(season, month)
    return days is not None and days[1] < timezone.localdate()


def list_seasons(club: Club) -> QuerySet[Season]:
    """Return the seasons of a club, the latest first."""
    seasons = Season.objects.filter(club=club).select_related("club")
    return seasons.order_by("-first_day", "-last_day", CodePoints("name"), "pk")


def get_current_season(seasons: Iterable[Season]) -> Season | None:
    """Return the running season, else the last one that began, else the next one; points before cents."""
    today = timezone.localdate()

    def key(season: Season) -> tuple[Any, ...]:
        running, begun = season.first_day <= today <= season.last_day, season.first_day <= today
        days = (today - season.first_day).days
        return not running, not begun, days if begun else -days, season.unit != RuleSet.Unit.POINTS, season.pk

    return min(seasons, key=key, default=None)


@dataclass(frozen=True)
class Books:
    """The results of a season in its unit (`list_results`), its closed months without their files, and its supplements."""

    season: Season
    results: list[Any]
    closings: list[MonthClosing]
    supplements: list[Supplement]
    # The months that were counted with the settings of the season.
    rows_by_month: dict[Month, list[ContentRow]] = field(default_factory=dict, init=False)

    @cached_property
    def by_month(self) -> dict[Month, list[Any]]:
        found: dict[Month, list[Any]] = defaultdict(list)
        for row in self.results:
            found[get_month(row.held_on)].append(row)
        return dict(found)

    @cached_property
    def first_months(self) -> dict[int, Month]:
        return {row.player: month for month, rows in reversed(self.by_month.items()) for row in rows}

    @cached_property
    def sort_keys(self) -> dict[int, str]:
        return {player: name_key(name) for player, name in self.names.items()}

    @cached_property
    def latest(self) -> dict[Month, MonthClosing]:
        """The latest version of each closed month."""
        return {closing.month: closing for closing in self.closings}

    @cached_property
    def names(self) -> dict[int, str]:
        """The present names of players; of those known only from a supplement, the name in it."""
        names = {line["player"]: line["name"] for one in self.supplements for line in read_content(one)["differences"]}
        return names | {row.player: row.name for row in self.results}

    @property
    def left(self) -> set[int]:
        return {row.player for row in self.results if row.left_on is not None}

    def get_published(self, month: Month) -> Content | None:
        closing = self.latest.get(month)
        return read_content(closing) if closing else None

    def get_settings(self, month: Month) -> Settings:
        """Return the settings of a published month, with the present names of its rule sets. If the season has the same names there
        were no renamings since, because it follows them."""
        closing = self.latest[month]
        settings: Settings = read_content(closing)["settings"]
        names: list[str] = list(settings["rule_sets"])
        known = set(names) <= set(self.season.settings["rule_sets"])
        for at, old, new in () if known else self._renamings:
            if at > closing.closed_at:
                names = [new if name == old else name for name in names]
        return {**settings, "rule_sets": names}

    @cached_property
    def _renamings(self) -> list[tuple[datetime.datetime, str, str]]:
        """The renamings of rule sets in order. One query."""
        renamings = Change.objects.filter(club=self.season.club_id, verb=Verb.RULES_RENAMED).order_by("pk")
        return list(renamings.values_list("at", "before__name", "after__name"))


def read_books(season: Season) -> Books:
    """Return the books of a season. Three queries."""
    return read_all_books([season])[0]


def read_all_books(seasons: Sequence[Season]) -> list[Books]:
    """Return the books of seasons of one club. Three queries."""
    rows = list_results(seasons)
    closings = MonthClosing.objects.filter(season__in=seasons).defer("file").order_by("month", "version")
    closed = _group_by_season(closings)
    supplemented = _group_by_season(Supplement.objects.filter(season__in=seasons).order_by("pk"))
    return [
        Books(
            season,
            [row for row in rows if row.unit == season.unit and season.first_day <= row.held_on <= season.last_day],
            closed[season.pk],
            supplemented[season.pk],
        )
        for season in seasons
    ]


def list_results(seasons: Sequence[Season]) -> list[Any]:
    """Return a row for each player at each table on the days of these seasons, each in its unit, the first evening first, with its
    own figures and the values of `related`; `rules` is the name of the rule set. One query."""
    if not seasons:
        return []
    days = Q()
    for season in seasons:
        held_on = season.first_day, season.last_day
        days |= Q(table__evening__held_on__range=held_on, table__rule_set__unit=season.unit)
    results = TableResult.objects.filter(days, table__evening__club=seasons[0].club_id)
    related = {
        "name": F("player__name"),
        "guest": F("player__guest"),
        "left_on": F("player__left_on"),
        "evening": F("table__evening"),
        "held_on": F("table__evening__held_on"),
        "place": F("table__evening__place"),
        "open": ExpressionWrapper(Q(table__evening__closed_at=None), BooleanField()),
        "without_games": F("table__without_games"),
        "rules": F("table__rule_set__name"),
        "unit": F("table__rule_set__unit"),
    }
    rows = results.order_by("table__evening__held_on", "table__evening", "player").annotate(**related)
    return list(rows.values_list("player", "points", "games", "wins", *related, named=True))


def _group_by_season(rows: Iterable[PublishedRow]) -> dict[int, list[PublishedRow]]:
    found = defaultdict(list)
    for row in rows:
        found[row.season_id].append(row)
    return found


def find_deleted_evenings(content: Content) -> set[int]:
    """Return the evenings of a content that were deleted with the list they were imported with."""
    evenings = {evening["id"] for evening in content["evenings"]}
    return evenings - set(Evening.objects.filter(pk__in=evenings).values_list("pk", flat=True))


def read_content(row: MonthClosing | Supplement) -> Any:
    """Return a published content, of a supplement its `differences`, `changes` and the month as it was `counted` for it. The ids of
    one that was imported with an archive become those of this installation."""
    ids, content = row.ids, parse_content(row.content)
    return content if ids is None else replace_ids(content, lambda kind, pk: ids[kind][str(pk)])


def parse_content(text: str) -> Any:
    return json.loads(text)


# Returns another id for a kind ("players", "evenings" or "changes") and an id.
ReplaceId = Callable[[str, int], int]


def replace_ids(content: Any, replace_id: ReplaceId) -> Any:
    """Return a content with other ids of players, evenings and changes."""
    if isinstance(content, list):
        return [replace_ids(one, replace_id) for one in content]
    if not isinstance(content, dict):
        return content
    found: dict[str, Any] = {}
    for key, value in content.items():
        if key in _IDS:
            found[key] = replace_id(_IDS[key], value)
        elif key in _LISTS_OF_IDS:
            found[key] = [replace_id(_LISTS_OF_IDS[key], one) for one in value]
        else:
            found[key] = value if key == "settings" else replace_ids(value, replace_id)
    return found


_IDS: Final = {"player": "players", "id": "evenings"}
_LISTS_OF_IDS: Final = {"left_out": "players", "changes": "changes"}


def serialize_content(content: Content | dict[str, Any]) -> str:
    """Return the canonical text of a content, of which hashes are made."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1)


def compute_hash(content: bytes | str) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def find_damaged_closings(club: Club | None = None) -> list[MonthClosing]:
    clubs = [club] if club is not None else Club.objects.all()
    closings = MonthClosing.objects.filter(season__club__in=clubs).select_related("season__club").order_by("pk")
    return [
        closing
        for closing in closings.iterator(chunk_size=20)
        if compute_hash(closing.content) != closing.content_sha256 or compute_hash(bytes(closing.file)) != closing.file_sha256
    ]


def get_season(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Season, Access]:
    seasons = Season.objects.filter(club__slug=slug, pk=pk).select_related("club")
    return fetch(request, seasons, "club", role)
