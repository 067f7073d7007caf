"""A month of the league as one plain object (`Content`): as published, as counted now, and its differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from scoring.club.models import Change, Club
from scoring.club.queries import get_merged_players
from scoring.league.models import Supplement
from scoring.league.rules import Content, ContentRow, EveningResult, MonthDifference, Results, Settings, count_month

from .books import Books, Month, get_days, list_months, read_content, replace_ids


def get_content(books: Books, month: Month) -> Content:
    """Return the published content of a month if it is closed, else as it is counted now."""
    return books.get_published(month) or count_content(books, month)


def count_content(books: Books, month: Month, base: Content | None = None) -> Content:
    """Return the month as it is counted now; with the settings and guests of `base`, so that only results can differ."""
    season = books.season
    settings = base["settings"] if base else season.settings
    days = get_days(season, month)
    if days is None:
        raise ValueError("The month is not in the season.")
    counted = _list_counted_points(books, month, settings)
    guests = _get_guest_flags(counted, base)
    evenings = list(dict.fromkeys(row.evening for row in counted))
    before, ranks = _get_previous_ranks(books, month)
    return {
        "format": 1,
        "club": season.club.name,
        "season": season.name,
        "month": month,
        "days": [day.isoformat() for day in days],
        "unit": season.unit,
        "settings": settings,
        "evenings": [_build_evening(counted, pk) for pk in evenings],
        "supplements": [
            {"about": one.about, "reason": one.reason, "changes": read_content(one)["changes"]}
            for one in _list_supplements(books, month)
        ],
        "before": before,
        "left_out": sorted(player for player, guest in guests.items() if guest and not settings["guests"]),
        "rows": [
            row
            | {
                "name": books.names[row["player"]],
                "guest": guests.get(row["player"], False),
                "before": ranks.get(row["player"]),
                "new": books.first_months.get(row["player"], month) >= month,
            }
            for row in _count_rows(books, month, settings, base)
        ],
    }


def _count_rows(books: Books, month: Month, settings: Settings, base: Content | None) -> list[ContentRow]:
    """Return the rows of a month. With the settings of the season they are cached in the books."""
    if base is None and month in books.rows_by_month:
        return books.rows_by_month[month]
    counted = _list_counted_points(books, month, settings)
    supplements = [
        {line["player"]: line["difference"] for line in read_content(one)["differences"]} for one in _list_supplements(books, month)
    ]
    guests = {} if settings["guests"] else _get_guest_flags(counted, base)
    rows = count_month(settings, _sum_by_evening(counted, guests), books.sort_keys, supplements)
    if base is None:
        books.rows_by_month[month] = rows
    return rows


def _list_counted_points(books: Books, month: Month, settings: Settings) -> list[Any]:
    """Return the results that count: a player without games and points was not there, and rule sets can be excluded."""
    return [
        row
        for row in books.by_month.get(month, ())
        if (row.games or row.points or row.without_games)
        and (not settings["rule_sets"] or row.rules in settings["rule_sets"])
    ]


def _list_supplements(books: Books, month: Month) -> list[Supplement]:
    return [one for one in books.supplements if one.month == month]


def _get_guest_flags(rows: Iterable[Any], base: Content | None) -> dict[int, bool]:
    """Return which players are guests, or were when `base` was published."""
    guests = {row.player: row.guest for row in rows}
    if base:
        guests |= {row["player"]: row["guest"] for row in base["rows"]} | dict.fromkeys(base["left_out"], True)
    return guests


def _sum_by_evening(rows: Iterable[Any], left_out: Mapping[int, bool]) -> list[Results]:
    """Return the results of each evening, with its tables added up, without players that are `left_out`."""
    evenings: dict[int, dict[int, list[Any]]] = {}
    for row in rows:
        players = evenings.setdefault(row.evening, {})
        if not left_out.get(row.player):
            players.setdefault(row.player, []).append(row)
    return [{player: _sum_tables(own) for player, own in players.items()} for players in evenings.values()]


def _sum_tables(rows: Sequence[Any]) -> EveningResult:
    points = sum(row.points for row in rows)
    if any(row.without_games for row in rows):
        return EveningResult(points, None, None)
    return EveningResult(points, sum(row.games for row in rows), sum(row.wins for row in rows))


def _build_evening(rows: Sequence[Any], pk: int) -> dict[str, Any]:
    here = [row for row in rows if row.evening == pk]
    evening = {"id": pk, "held_on": here[0].held_on.isoformat(), "place": here[0].place, "open": here[0].open}
    return evening | {"without_games": any(row.without_games for row in here)}


def _get_previous_ranks(books: Books, month: Month) -> tuple[Month | None, Mapping[int, int | None]]:
    """Return the last month before this one that has rows, and its ranks."""
    played = books.by_month.keys() | books.latest.keys()
    for earlier in sorted((one for one in played if one < month), reverse=True):
        if published := books.get_published(earlier):
            ranks = {row["player"]: row["rank"] for row in published["rows"]}
        else:
            ranks = {row["player"]: row["rank"] for row in _count_rows(books, earlier, books.season.settings, None)}
        if ranks:
            return earlier, ranks
    return None, {}


def get_current_month(books: Books) -> Content | None:
    """Return the latest month that has rows."""
    contents = (get_content(books, month) for month in reversed(list_months(books.season)))
    return next((content for content in contents if content["rows"]), None)


def compare_with_published(books: Books, month: Month) -> tuple[Content, list[MonthDifference]]:
    """Return a closed month as it is counted now, and its differences to what was published or supplemented last."""
    published = books.get_published(month)
    if published is None:
        raise ValueError("Only a closed month can differ.")
    now = count_content(books, month, base={**published, "settings": books.get_settings(month)})
    before = _apply_merges(books.season.club_id, get_last_counted(books, published), now)
    return now, list_differences(before, now)


def list_open_differences(books: Books, month: Month) -> list[MonthDifference]:
    """Return the differences of a closed month that an admin has to decide on: after a supplement only differing results, because
    the month can no longer be closed again."""
    differences = compare_with_published(books, month)[1]
    decided = is_supplemented(books, month) and not any(one["difference"] for one in differences)
    return [] if decided else differences


def is_supplemented(books: Books, month: Month) -> bool:
    return any(one.about == month for one in books.supplements)


def get_last_counted(books: Books, content: Content) -> Any:
    """Return a month as it was counted for its last supplement, else as it is."""
    supplements = [one for one in books.supplements if one.about == content["month"]]
    return read_content(supplements[-1])["counted"] if supplements else content


def _apply_merges(club: int, before: Content, now: Content) -> Any:
    """Return a published content with the ids of players that were merged since, unless both were in it. At most one query."""
    players = {row["player"] for row in before["rows"]}
    gone = players - {row["player"] for row in now["rows"]}
    if not gone:
        return before
    merged = get_merged_players(club)
    others = {player: merged.resolve(player) for player in gone if merged.resolve(player) not in players}
    return replace_ids(before, lambda kind, pk: others.get(pk, pk) if kind == "players" else pk)


def list_differences(old: Content, new: Content) -> list[MonthDifference]:
    """Return the players whose rank, result or evenings differ in two contents of one month."""
    before, after = ({row["player"]: row for row in content["rows"]} for content in (old, new))
    days = {evening["id"]: evening["held_on"] for content in (old, new) for evening in content["evenings"]}
    found: list[MonthDifference] = []
    for player in [*after, *(player for player in before if player not in after)]:
        was, now = before.get(player), after.get(player)
        old_standing, new_standing = _get_standing(was), _get_standing(now)
        played, plays = _index_by_evening(old, was), _index_by_evening(new, now)
        evenings = [
            {"held_on": day, "before": played.get(pk), "after": plays.get(pk)}
            for pk, day in days.items()
            if played.get(pk) != plays.get(pk)
        ]
        if old_standing != new_standing or evenings:
            difference = (now["brought"] if now else 0) - (was["brought"] if was else 0)
            line = {"player": player, "name": (after if now else before)[player]["name"], "evenings": evenings}
            found.append(line | {"before": old_standing, "after": new_standing, "difference": difference})
    return found


def _get_standing(row: ContentRow | None) -> dict[str, int | None] | None:
    return {"rank": row["rank"], "result": row["result"]} if row else None


def _index_by_evening(content: Content, row: ContentRow | None) -> dict[int, list[int | None]]:
    if row is None:
        return {}
    cells = zip(content["evenings"], row["cells"], strict=True)
    return {evening["id"]: [cell["points"], cell["games"]] for evening, cell in cells if cell}


def find_open_month(books: Books, about: Month) -> Month | None:
    """Return the first later month of the season that is not closed."""
    return next((month for month in list_months(books.season) if month > about and month not in books.latest), None)


def list_open_months(books: Books) -> list[Month]:
    """Return the months with results or supplements that are not closed, over or not."""
    played = {month for month in books.by_month if _list_counted_points(books, month, books.season.settings)}
    played |= {one.month for one in books.supplements}
    return sorted(one for one in played if one not in books.latest)


def find_earlier_open_month(books: Books, month: Month) -> Month | None:
    return next((one for one in list_open_months(books) if one < month), None)


def list_changes_since_closing(books: Books, month: Month) -> QuerySet[Change]:
    """Return the log entries of tables of a month since it was closed or supplemented last, the latest first."""
    closing = books.latest[month]
    since = max([closing.closed_at, *(one.at for one in books.supplements if one.about == month)])
    # A season can get more days in a closed month, if nobody played on them.
    days = get_days(books.season, month) or read_content(closing)["days"]
    changes = Change.objects.filter(club=books.season.club_id, at__gt=since, table__evening__held_on__range=days)
    return changes.select_related("actor", "spoken_as", "table__evening").order_by("-id")


def list_published_changes(club: Club, content: Content) -> QuerySet[Change]:
    """Return the log entries that led to a version of a month or to its supplements, the latest first."""
    known = [*content.get("changes", ()), *(pk for one in content["supplements"] for pk in one["changes"])]
    changes = Change.objects.filter(club=club, pk__in=known)
    return changes.select_related("actor", "spoken_as", "table__evening").order_by("-id")


def build_publication(books: Books, month: Month) -> Content:
    """Return what closing this month now would publish: a closed month with its differences and the changes behind them."""
    published = books.get_published(month)
    if published is None:
        return count_content(books, month) | {"version": 1}
    now, differing = compare_with_published(books, month)
    changes = list_changes_since_closing(books, month).values_list("pk", flat=True)
    return now | {"version": published.get("version", 1) + 1, "differences": differing, "changes": sorted(changes)}
