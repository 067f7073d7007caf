"""The league as questions: what a month of a season comes to, what was published of it, what a later correction would
change, and the season as a whole. A month is one plain object (`Content`), the same whether it was counted just now or
stands in what was closed, so its page cannot show a closed month in any other way than it was published."""

from __future__ import annotations

import datetime
import json
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, TypeVar

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from scoring.models import Change, Club, Evening, MonthClosing, RuleSet, Season, Supplement, TableResult
from scoring.models.text import CodePoints, fold
from scoring.rules.league import MonthOf, Played, SeasonRow, Share, count_month, count_season, hundredths, is_averaged
from scoring.rules.ranking import Figure

# A month as text, "2026-03"; and a month as an object: days, settings, evenings, rows with their calculation.
Month = str
Content = dict[str, Any]
Kept = TypeVar("Kept", MonthClosing, Supplement)
# How the rows are found that the history names by these keys.
LOOK_UPS: Final = {"season": Season.objects.in_bulk}


def month_of(day: datetime.date) -> Month:
    return f"{day:%Y-%m}"


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


def seasons_of(club: Club) -> QuerySet[Season]:
    """The seasons of a club, the latest first."""
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


@dataclass(frozen=True)
class Books:
    """Everything that the pages of a season are made of: the results of its days in its unit, what was closed, without
    the files, and what was supplemented."""

    season: Season
    results: list[dict[str, Any]]
    closings: list[MonthClosing]
    supplements: list[Supplement]

    @cached_property
    def latest(self) -> dict[Month, MonthClosing]:
        """The version of each closed month that holds."""
        return {closing.month: closing for closing in self.closings}

    @cached_property
    def names(self) -> dict[int, str]:
        """What people are called now; who is known from a supplement alone, what they were called then."""
        told = {line["player"]: line["name"] for one in self.supplements for line in content_in(one)["differences"]}
        return told | {row["player"]: row["player__name"] for row in self.results}

    def published(self, month: Month) -> Content | None:
        closing = self.latest.get(month)
        return content_in(closing) if closing else None


def read_books(season: Season) -> Books:
    """The books of a season, in three queries however long it is."""
    return books_of([season])[0]


def books_of(seasons: Sequence[Season]) -> list[Books]:
    """The books of seasons of one club, in three queries however many there are."""
    results = (
        TableResult.objects.filter(_in_any(seasons))
        .annotate(
            evening=F("table__evening_id"),
            held_on=F("table__evening__held_on"),
            place=F("table__evening__place"),
            closed_at=F("table__evening__closed_at"),
            without_games=F("table__without_games"),
            rules=F("table__rule_set__name"),
            unit=F("table__rule_set__unit"),
        )
        .order_by("held_on", "evening", "player")
        .values(
            "player", "player__name", "player__guest", "points", "games", "wins",
            "evening", "held_on", "place", "closed_at", "without_games", "rules", "unit",
        )
    )  # fmt: skip
    closings = MonthClosing.objects.filter(season__in=seasons).defer("file").order_by("month", "version")
    supplements = Supplement.objects.filter(season__in=seasons).order_by("pk")
    rows, closed, told = list(results), _by_season(closings), _by_season(supplements)
    return [
        Books(
            season,
            [row for row in rows if row["unit"] == season.unit and _lies_in(season, row["held_on"])],
            closed[season.pk],
            told[season.pk],
        )
        for season in seasons
    ]


def _in_any(seasons: Iterable[Season]) -> Q:
    """The results of the days of these seasons, each in its unit."""
    wanted = Q(pk__in=[])
    for season in seasons:
        wanted |= Q(
            table__evening__club=season.club_id,
            table__evening__held_on__range=(season.first_day, season.last_day),
            table__rule_set__unit=season.unit,
        )
    return wanted


def _by_season(rows: Iterable[Kept]) -> dict[int, list[Kept]]:
    found = defaultdict(list)
    for row in rows:
        found[row.season_id].append(row)
    return found


def _lies_in(season: Season, day: datetime.date) -> bool:
    return season.first_day <= day <= season.last_day


def gone_evenings(content: Content) -> set[int]:
    """The evenings of something published that are no more: taken back with the list they came with."""
    told = {evening["id"] for evening in content["evenings"]}
    return told - set(Evening.objects.filter(pk__in=told).values_list("pk", flat=True))


def content_in(row: MonthClosing | Supplement) -> Content:
    """What was published. Where it came with an archive its ids are those of another installation: here they mean the rows
    that came along with it."""
    content, ids = content_of_text(row.content), row.ids
    return content if ids is None else with_ids(content, lambda kind, pk: ids[kind][str(pk)])


def content_of_text(text: str) -> Content:
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


def as_text(content: Content) -> str:
    """The one way in which a content is written down."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1)


def hash_of(content: bytes | str) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


# --- A month ----------------------------------------------------------------------------------------------------------


def content_of(books: Books, month: Month) -> Content:
    """The month as it stands: as published where it is closed, else as it is counted now."""
    return books.published(month) or counted(books, month)


def counted(books: Books, month: Month, like: Content | None = None) -> Content:
    """The month as it is counted now. `like`: by the settings, and with the guests, of what was published then, so that
    nothing but what was played can differ."""
    season = books.season
    settings = like["settings"] if like else season.settings
    days = days_of(season, month)
    if days is None:
        raise ValueError("A month is asked of its own season.")
    there = [row for row in books.results if days[0] <= row["held_on"] <= days[1] and _is_counted(row, settings)]
    guests = {row["player"]: row["player__guest"] for row in there} | (_guests(like) if like else {})
    evenings = list(dict.fromkeys(row["evening"] for row in there))
    extra = [one for one in books.supplements if one.month == month]
    told = [{line["player"]: line["difference"] for line in content_in(one)["differences"]} for one in extra]
    rows = count_month(
        settings,
        _played(there, {pk: index for index, pk in enumerate(evenings)}, guests),
        {player: fold(name) for player, name in books.names.items()},
        told,
    )
    before = _month_before(books, month)
    ranks = {row["player"]: row["rank"] for row in before["rows"]} if before else {}
    known = {row["player"] for row in books.results if row["held_on"] < days[0]}
    return {
        "format": 1,
        "club": season.club.name,
        "season": season.name,
        "month": month,
        "days": [day.isoformat() for day in days],
        "unit": season.unit,
        "settings": settings,
        "evenings": [_evening(there, pk) for pk in evenings],
        "supplements": [
            {"about": one.about, "reason": one.reason, "changes": content_in(one)["changes"]} for one in extra
        ],
        "before": before["month"] if before else None,
        "left_out": sorted(player for player, guest in guests.items() if guest and not settings["guests"]),
        "rows": [
            {
                "player": row.player,
                "name": books.names[row.player],
                "guest": guests.get(row.player, False),
                "rank": row.rank,
                "before": ranks.get(row.player),
                "new": row.player not in known,
                "result": row.result,
                "brought": row.brought,
                "why": row.why,
                "evenings": row.evenings,
                "games": row.games,
                "cells": _cells(row.cells, len(evenings)),
                "supplements": list(row.supplements),
                "steps": list(row.steps),
                "breaks": [
                    [name, _break(name, figure)]
                    for name, figure in zip(settings["tie_breaks"], row.breaks, strict=True)
                ],
            }
            for row in rows
        ],
    }


def _is_counted(row: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Whoever only sat there, without a game or a point, was not there; other rule sets than those chosen do not count."""
    took_part = row["games"] or row["points"] or row["without_games"]
    return bool(took_part) and (not settings["rule_sets"] or row["rules"] in settings["rule_sets"])


def _guests(content: Content) -> dict[int, bool]:
    """Who was a guest when this was published."""
    return {row["player"]: row["guest"] for row in content["rows"]} | dict.fromkeys(content["left_out"], True)


def _played(rows: Sequence[Mapping[str, Any]], index: Mapping[int, int], guests: Mapping[int, bool]) -> list[Played]:
    """One entry for each person and evening, several tables of an evening added up."""
    sums: dict[tuple[int, int], list[int]] = {}
    incomplete = set()
    for row in rows:
        key = (row["player"], index[row["evening"]])
        total = sums.setdefault(key, [0, 0, 0])
        for number, figure in enumerate(("points", "games", "wins")):
            total[number] += row[figure]
        if row["without_games"]:
            incomplete.add(key)
    return [
        Played(
            player=player,
            evening=evening,
            points=points,
            games=None if (player, evening) in incomplete else games,
            wins=None if (player, evening) in incomplete else wins,
            guest=guests[player],
        )
        for (player, evening), (points, games, wins) in sums.items()
    ]


def _evening(rows: Sequence[Mapping[str, Any]], pk: int) -> dict[str, Any]:
    row = next(row for row in rows if row["evening"] == pk)
    return {
        "id": pk,
        "held_on": row["held_on"].isoformat(),
        "place": row["place"],
        "open": row["closed_at"] is None,
        "without_games": any(row["without_games"] for row in rows if row["evening"] == pk),
    }


def _cells(cells: Iterable[Any], evenings: int) -> list[dict[str, Any] | None]:
    """The evenings of a person in the columns of the month, None where they were not there."""
    found: list[dict[str, Any] | None] = [None] * evenings
    for cell in cells:
        found[cell.evening] = {
            "points": cell.points,
            "games": cell.games,
            "place": cell.place,
            "value": cell.value,
            "why": cell.why,
        }
    return found


def _break(name: str, figure: Figure) -> int | None:
    """What was compared at a tie: a number as it is, an average in hundredths."""
    if figure is None or name != "average":
        return None if figure is None else int(figure)
    exact = Fraction(figure)
    return hundredths(exact.numerator, exact.denominator)


def _month_before(books: Books, month: Month) -> Content | None:
    """The last month before with anybody in its table, which the arrows of this one refer to."""
    played = {month_of(row["held_on"]) for row in books.results} | set(books.latest)
    for earlier in sorted((one for one in played if one < month), reverse=True):
        # Its own arrows are not asked for: a month is counted without looking back further than one.
        content = books.published(earlier) or counted(_without_past(books, earlier), earlier)
        if content["rows"]:
            return content
    return None


def _without_past(books: Books, month: Month) -> Books:
    """The books with nothing in them that lies before this month."""
    results = [row for row in books.results if month_of(row["held_on"]) >= month]
    return Books(books.season, results, [], books.supplements)


# --- After the closing ------------------------------------------------------------------------------------------------


def pending(books: Books, month: Month) -> tuple[Content, list[dict[str, Any]]]:
    """What a closed month would be counted as now, and how it differs, person by person, from what was published or
    supplemented last. Where nobody differs there is nothing to be done."""
    published = books.published(month)
    if published is None:
        raise ValueError("Only a closed month can differ.")
    now = counted(books, month, like=published)
    told = [one for one in books.supplements if one.about == month]
    return now, differences(content_in(told[-1])["counted"] if told else published, now)


def differences(old: Content, new: Content) -> list[dict[str, Any]]:
    """Who stands differently in two contents of one month: rank, result, or an evening; and what it brings."""
    before, after = ({row["player"]: row for row in content["rows"]} for content in (old, new))
    found = []
    for player in [*after, *(player for player in before if player not in after)]:
        was, now = before.get(player), after.get(player)
        evenings = _evening_differences(old, new, was, now)
        same = was and now and (was["rank"], was["result"]) == (now["rank"], now["result"])
        if same and not evenings:
            continue
        found.append(
            {
                "player": player,
                "name": (now or was or {})["name"],
                "before": _standing(was),
                "after": _standing(now),
                "difference": (now["brought"] if now else 0) - (was["brought"] if was else 0),
                "evenings": evenings,
            }
        )
    return found


def _standing(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {"rank": row["rank"], "result": row["result"]} if row else None


def _evening_differences(old: Content, new: Content, was: Any, now: Any) -> list[dict[str, Any]]:
    """The evenings on which somebody's points or games are others."""
    had, have = _by_evening(old, was), _by_evening(new, now)
    days = {evening["id"]: evening["held_on"] for content in (old, new) for evening in content["evenings"]}
    return [
        {"held_on": days[pk], "before": had.get(pk), "after": have.get(pk)}
        for pk in days
        if had.get(pk) != have.get(pk)
    ]


def _by_evening(content: Content, row: Mapping[str, Any] | None) -> dict[int, list[int | None]]:
    if row is None:
        return {}
    cells = zip(content["evenings"], row["cells"], strict=True)
    return {evening["id"]: [cell["points"], cell["games"]] for evening, cell in cells if cell}


def open_month(books: Books, about: Month) -> Month | None:
    """Where a supplement to a month goes: the first one after it that is not closed; None where the season has none."""
    return next((month for month in months_of(books.season) if month > about and month not in books.latest), None)


def earlier_open(books: Books, month: Month) -> Month | None:
    """The first month before this one that was played in and is not closed."""
    played = {month_of(row["held_on"]) for row in books.results if _is_counted(row, books.season.settings)}
    played |= {one.month for one in books.supplements}
    return min((one for one in played if one < month and one not in books.latest), default=None)


def changes_since(books: Books, month: Month) -> QuerySet[Change]:
    """What was done to the tables of a month since it was closed or supplemented last, the latest first."""
    closing = books.latest[month]
    since = max([closing.closed_at, *(one.at for one in books.supplements if one.about == month)])
    days = [datetime.date.fromisoformat(day) for day in content_in(closing)["days"]]
    changes = Change.objects.filter(
        club=books.season.club_id, at__gt=since, table__evening__held_on__range=(days[0], days[1])
    )
    return changes.select_related("actor", "spoken_as", "table__evening").order_by("-id")


def led_to(club: Club, content: Content) -> QuerySet[Change]:
    """The changes that led to a new version of a month, or to what is supplemented in it, the latest first."""
    known = [*content.get("changes", ()), *(pk for one in content["supplements"] for pk in one["changes"])]
    changes = Change.objects.filter(club=club, pk__in=known)
    return changes.select_related("actor", "spoken_as", "table__evening").order_by("-id")


# --- A season ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeasonTable:
    """A `season` with all its months: `months` and in each row what every one of them brought. `final` once it is over
    and every month closed: then the first of the table is its champion. `averaged`: the total is an average over all
    games."""

    season: Season
    months: list[Content]
    rows: list[SeasonRow]
    names: Mapping[int, str]
    final: bool
    averaged: bool

    @property
    def leaders(self) -> list[str]:
        return [self.names[row.player] for row in self.rows if row.rank == 1]

    @property
    def lines(self) -> list[tuple[str, SeasonRow]]:
        return [(self.names[row.player], row) for row in self.rows]

    @property
    def newest_first(self) -> list[Content]:
        return self.months[::-1]

    @property
    def digits(self) -> int:
        """Two behind the comma as soon as any figure has one."""
        return 2 if self.averaged or any((points or 0) % 100 for row in self.rows for points in row.months) else 0


def season_table(books: Books) -> SeasonTable:
    """The season as it stands: closed months as they were published, the others as they are counted now. An average takes
    the games of a month as they were supplemented last: the difference of two averages is nobody's points."""
    season = books.season
    everything = (content_of(books, month) for month in months_of(season))
    months = [content for content in everything if content["rows"]]
    names = {row["player"]: row["name"] for content in months for row in content["rows"]} | books.names
    rows = count_season(
        season.settings,
        [
            MonthOf(
                {row["player"]: row["rank"] for row in content["rows"]},
                {row["player"]: row["brought"] for row in content["rows"] if row["rank"] or row["brought"]},
                _shares(_as_supplemented(books, content)),
            )
            for content in months
        ],
        {player: fold(name) for player, name in names.items()},
    )
    over = season.last_day < timezone.localdate()
    final = over and all(content["month"] in books.latest for content in months)
    return SeasonTable(season, months, rows, names, final, is_averaged(season.settings))


def _as_supplemented(books: Books, content: Content) -> Content:
    """A month as it was counted for its last supplement, else as it stands."""
    told = [one for one in books.supplements if one.about == content["month"]]
    return content_in(told[-1])["counted"] if told else content


def _shares(content: Content) -> dict[int, Share]:
    """The games of a month that a season's average is made of: those of the evenings that count, of whoever has a rank."""
    found = {}
    for row in content["rows"]:
        cells = [cell for cell in row["cells"] if cell and not cell["why"] and cell["games"]]
        if row["rank"] is not None and cells:
            found[row["player"]] = Share(
                points=sum(cell["points"] for cell in cells),
                games=sum(cell["games"] for cell in cells),
                deduction=sum(step["value"] for step in row["steps"] if step["kind"] == "deduction"),
            )
    return found


def is_over(season: Season, month: Month) -> bool:
    days = days_of(season, month)
    return days is not None and days[1] < timezone.localdate()


def current_month(books: Books) -> Content | None:
    """The latest month of the season that anybody played in."""
    contents = (content_of(books, month) for month in reversed(months_of(books.season)))
    return next((content for content in contents if content["rows"]), None)


def start_month(club: Club) -> tuple[Season, Content] | None:
    """What the start page shows of the league."""
    season = current_season(seasons_of(club))
    content = current_month(read_books(season)) if season else None
    return (season, content) if season and content else None


# --- What would be published ------------------------------------------------------------------------------------------


def to_publish(books: Books, month: Month) -> Content:
    """What closing this month now would publish, but for who does it and when. A month that was closed already is
    counted in the way it was published, and says what differs from that and which changes led to it."""
    published = books.published(month)
    if published is None:
        return counted(books, month) | {"version": 1}
    now, differing = pending(books, month)
    changes = changes_since(books, month).values_list("pk", flat=True)
    return now | {"version": published["version"] + 1, "differences": differing, "changes": sorted(changes)}


def damaged(club: Club | None = None) -> list[MonthClosing]:
    """Closed months whose text or file is not what its hash says: somebody wrote past the program."""
    clubs = [club] if club is not None else Club.objects.all()
    closings = MonthClosing.objects.filter(season__club__in=clubs).select_related("season__club").order_by("pk")
    return [
        closing
        for closing in closings.iterator(chunk_size=20)
        if hash_of(closing.content) != closing.content_sha256 or hash_of(bytes(closing.file)) != closing.file_sha256
    ]
