"""A month of the league as one plain object (`Content`): as it was published, as it is counted now, what a later correction
would change, and what closing it would publish."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from django.db.models import QuerySet

from scoring.club.models import Change, Club
from scoring.club.queries import get_merged_players
from scoring.league.models import Supplement
from scoring.league.rules import (
    CellIn,
    Content,
    EveningDifference,
    EveningIn,
    MonthCell,
    MonthDifference,
    MonthEvening,
    MonthRow,
    RowIn,
    Settings,
    StandingIn,
    count_month,
    hundredths,
)
from scoring.rules.ranking import Figure

from .books import Books, Month, TablePoints, content_in, days_of, months_of, with_ids


def content_of(books: Books, month: Month) -> Content:
    """The content of the month: as published if it is closed, otherwise as it is counted now."""
    return books.published(month) or counted(books, month)


def counted(books: Books, month: Month, like: Content | None = None) -> Content:
    """The month as it is counted now. `like`: with the settings and the guests of this published version, so that only what
    was played can differ."""
    season = books.season
    settings = like["settings"] if like else season.settings
    days = days_of(season, month)
    if days is None:
        raise ValueError("A month is asked of its own season.")
    there = _there(books, month, settings)
    guests = _guests_among(there, like)
    evenings = list(dict.fromkeys(row.evening for row in there))
    extra = _told_in(books, month)
    rows = _table(books, month, settings, like)
    before, ranks = _month_before(books, month)
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
        "before": before,
        "left_out": sorted(player for player, guest in guests.items() if guest and not settings["guests"]),
        "rows": [
            {
                "player": row.player,
                "name": books.names[row.player],
                "guest": guests.get(row.player, False),
                "rank": row.rank,
                "before": ranks.get(row.player),
                "new": books.first_months.get(row.player, month) >= month,
                "result": row.result,
                "brought": row.brought,
                "why": row.why,
                "evenings": row.evenings,
                "games": row.games,
                "cells": _cells(row.cells, len(evenings)),
                "supplements": list(row.supplements),
                "steps": list(row.steps),
                "breaks": [
                    (name, _break(name, figure))
                    for name, figure in zip(settings["tie_breaks"], row.breaks, strict=True)
                ],
            }
            for row in rows
        ],
    }


def _table(books: Books, month: Month, settings: Settings, like: Content | None) -> list[MonthRow]:
    """The rows of a month. As the season is set they are counted once, though the month behind asks for their ranks again."""
    if like is None and month in books.tables:
        return books.tables[month]
    there = _there(books, month, settings)
    index = {pk: index for index, pk in enumerate(dict.fromkeys(row.evening for row in there))}
    rows = count_month(
        settings,
        _played(there, index, _guests_among(there, like)),
        books.sorted_as,
        [
            {line["player"]: line["difference"] for line in content_in(one)["differences"]}
            for one in _told_in(books, month)
        ],
    )
    if like is None:
        books.tables[month] = rows
    return rows


def _there(books: Books, month: Month, settings: Settings) -> list[TablePoints]:
    return [row for row in books.by_month.get(month, ()) if _is_counted(row, settings)]


def _told_in(books: Books, month: Month) -> list[Supplement]:
    return [one for one in books.supplements if one.month == month]


def _guests_among(there: Iterable[TablePoints], like: Content | None) -> dict[int, bool]:
    """Who is a guest, or was one when a month was published."""
    return {row.player: row.guest for row in there} | (_guests(like) if like else {})


def _is_counted(row: TablePoints, settings: Settings) -> bool:
    """Whoever only sat there, without a game or a point, was not there; other rule sets than those chosen do not count."""
    took_part = row.games or row.points or row.without_games
    return bool(took_part) and (not settings["rule_sets"] or row.rules in settings["rule_sets"])


def _guests(content: Content) -> dict[int, bool]:
    """Who was a guest when this was published."""
    return {row["player"]: row["guest"] for row in content["rows"]} | dict.fromkeys(content["left_out"], True)


def _played(rows: Sequence[TablePoints], index: Mapping[int, int], guests: Mapping[int, bool]) -> list[MonthEvening]:
    """One entry for each person and evening, several tables of an evening added up."""
    sums: dict[tuple[int, int], list[int]] = {}
    bare = set()
    for row in rows:
        key = row.player, index[row.evening]
        of_evening = sums.setdefault(key, [0, 0, 0])
        of_evening[0] += row.points
        of_evening[1] += row.games
        of_evening[2] += row.wins
        if row.without_games:
            bare.add(key)
    return [
        MonthEvening(player, evening, points, None, None, guests[player])
        if (player, evening) in bare
        else MonthEvening(player, evening, points, games, wins, guests[player])
        for (player, evening), (points, games, wins) in sums.items()
    ]


def _evening(rows: Sequence[TablePoints], pk: int) -> EveningIn:
    here = [row for row in rows if row.evening == pk]
    return {
        "id": pk,
        "held_on": here[0].held_on.isoformat(),
        "place": here[0].place,
        "open": here[0].open,
        "without_games": any(row.without_games for row in here),
    }


def _cells(cells: Iterable[MonthCell], evenings: int) -> list[CellIn | None]:
    """The evenings of a person in the columns of the month, None where they were not there."""
    found: list[CellIn | None] = [None] * evenings
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


def _month_before(books: Books, month: Month) -> tuple[Month | None, Mapping[int, int | None]]:
    """The last month before with anybody in its table, which the arrows of this one refer to, and the ranks in it."""
    played = books.by_month.keys() | books.latest.keys()
    for earlier in sorted((one for one in played if one < month), reverse=True):
        if published := books.published(earlier):
            ranks = {row["player"]: row["rank"] for row in published["rows"]}
        else:
            ranks = {row.player: row.rank for row in _table(books, earlier, books.season.settings, None)}
        if ranks:
            return earlier, ranks
    return None, {}


def current_month(books: Books) -> Content | None:
    """The latest month of the season that anybody played in."""
    contents = (content_of(books, month) for month in reversed(months_of(books.season)))
    return next((content for content in contents if content["rows"]), None)


# --- After the closing ------------------------------------------------------------------------------------------------


def pending(books: Books, month: Month) -> tuple[Content, list[MonthDifference]]:
    """What a closed month would be counted as now, and how it differs, person by person, from what was published or
    supplemented last. Where nobody differs there is nothing to be done."""
    published = books.published(month)
    if published is None:
        raise ValueError("Only a closed month can differ.")
    now = counted(books, month, like={**published, "settings": books.settings_of(month)})
    told = [one for one in books.supplements if one.about == month]
    before = content_in(told[-1])["counted"] if told else published
    return now, differences(_with_merged(books.season.club_id, before, now), now)


def _with_merged(club: int, before: Content, now: Content) -> Content:
    """What was published, with whoever is called otherwise now because two rows turned out to be one person: that is no
    difference. Where both were there it is one. One query where somebody is gone, else none."""
    there = {row["player"] for row in before["rows"]}
    gone = there - {row["player"] for row in now["rows"]}
    if not gone:
        return before
    merged = get_merged_players(club)
    others = {player: merged.resolve(player) for player in gone if merged.resolve(player) not in there}
    renamed: Content = with_ids(before, lambda kind, pk: others.get(pk, pk) if kind == "players" else pk)
    return renamed


def differences(old: Content, new: Content) -> list[MonthDifference]:
    """Who stands differently in two contents of one month: rank, result, or an evening; and what it brings."""
    before, after = ({row["player"]: row for row in content["rows"]} for content in (old, new))
    found: list[MonthDifference] = []
    for player in [*after, *(player for player in before if player not in after)]:
        was, now = before.get(player), after.get(player)
        evenings = _evening_differences(old, new, was, now)
        if _standing(was) == _standing(now) and not evenings:
            continue
        found.append(
            {
                "player": player,
                "name": (after if now else before)[player]["name"],
                "before": _standing(was),
                "after": _standing(now),
                "difference": (now["brought"] if now else 0) - (was["brought"] if was else 0),
                "evenings": evenings,
            }
        )
    return found


def _standing(row: RowIn | None) -> StandingIn | None:
    return {"rank": row["rank"], "result": row["result"]} if row else None


def _evening_differences(old: Content, new: Content, was: RowIn | None, now: RowIn | None) -> list[EveningDifference]:
    """The evenings on which somebody's points or games are others."""
    had, have = _by_evening(old, was), _by_evening(new, now)
    days = {evening["id"]: evening["held_on"] for content in (old, new) for evening in content["evenings"]}
    return [
        {"held_on": days[pk], "before": had.get(pk), "after": have.get(pk)}
        for pk in days
        if had.get(pk) != have.get(pk)
    ]


def _by_evening(content: Content, row: RowIn | None) -> dict[int, list[int | None]]:
    if row is None:
        return {}
    cells = zip(content["evenings"], row["cells"], strict=True)
    return {evening["id"]: [cell["points"], cell["games"]] for evening, cell in cells if cell}


def open_month(books: Books, about: Month) -> Month | None:
    """Where a supplement to a month goes: the first one after it that is not closed; None where the season has none."""
    return next((month for month in months_of(books.season) if month > about and month not in books.latest), None)


def open_months(books: Books) -> list[Month]:
    """The months that were played in, or are supplemented, and are not closed, in their order."""
    played = {month for month in books.by_month if _there(books, month, books.season.settings)}
    played |= {one.month for one in books.supplements}
    return sorted(one for one in played if one not in books.latest)


def earlier_open(books: Books, month: Month) -> Month | None:
    """The first month before this one that was played in and is not closed."""
    return next((one for one in open_months(books) if one < month), None)


def undecided_in(books: Books, before: Month | None = None) -> list[Month]:
    """The closed months, of those before another one where it is said, that differ by now from what was published or supplemented
    last: somebody has to decide what becomes of it."""
    closed = sorted(month for month in books.latest if before is None or month < before)
    return [month for month in closed if pending(books, month)[1]]


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


def to_publish(books: Books, month: Month) -> Content:
    """What closing this month now would publish, but for who does it and when. A month that was closed already is
    counted in the way it was published, and says what differs from that and which changes led to it."""
    published = books.published(month)
    if published is None:
        return counted(books, month) | {"version": 1}
    now, differing = pending(books, month)
    changes = changes_since(books, month).values_list("pk", flat=True)
    return now | {"version": published.get("version", 1) + 1, "differences": differing, "changes": sorted(changes)}
