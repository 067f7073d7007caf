"""Read the evenings of a club, those that are open, and the people and rules that a new one begins with."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Sum

from scoring.club.models import Club, Player
from scoring.club.queries import Lookups, is_active_player, list_active_players
from scoring.core.database import count_related
from scoring.core.text import text_key
from scoring.play.models import SEATS, Evening, Game, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.queries.late import late_counted

# How the rows are found that the history names by these keys.
LOOKUPS: Final[Lookups] = {"evening": Evening.objects.in_bulk}


def evenings_of(club: Club) -> QuerySet[Evening]:
    """Return the evenings of a club, the latest first, with the number of their games and of the late entries that wait."""
    games = count_related(Game.objects.filter(deleted=False), round__table__evening=OuterRef("pk"))
    late = late_counted(table__evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club=club).annotate(games=games, waiting_late=late)
    return evenings.order_by("-held_on", "-id")


def years_of(evenings: QuerySet[Evening]) -> list[int]:
    """Return the years of these evenings, the latest first."""
    return [day.year for day in evenings.dates("held_on", "year", "DESC")]


def places_of(club: Club) -> list[str]:
    """Return the places of the club's evenings."""
    places = Evening.objects.filter(club=club).exclude(place="").values_list("place", flat=True)
    return sorted(places.order_by("place").distinct(), key=text_key)


def with_person(evenings: QuerySet[Evening], person: int) -> QuerySet[Evening]:
    """Return the evenings at which this person sat at a table, or has a result without games."""
    sat = Seat.objects.filter(player=person).values("round__table__evening")
    results = TableResult.objects.filter(player=person).values("table__evening")
    return evenings.filter(Q(pk__in=sat) | Q(pk__in=results))


class ListedEvening(NamedTuple):
    """An evening as lists show it, with the rule set of each of its tables; `without_games`: one of them came without its games.
    `winners` are those with the most `points` of a closed evening, where all its tables count in one unit."""

    evening: Evening
    rule_sets: list[RuleSet]
    without_games: bool
    winners: list[Player]
    points: int


def with_tables(evenings: Iterable[Evening]) -> list[ListedEvening]:
    """Return these evenings with the rule sets of their tables and their winners. Two queries."""
    listed = {evening.pk: ListedEvening(evening, [], without_games=False, winners=[], points=0) for evening in evenings}
    named = cache(lambda name, version: RuleSet(name=name, version=version))
    tables = Table.objects.filter(evening__in=listed).order_by("number")
    for pk, bare, name, version in tables.values_list(
        "evening", "without_games", "rule_set__name", "rule_set__version"
    ):
        found = listed[pk]
        found.rule_sets.append(named(name, version))
        if bare:
            listed[pk] = found._replace(without_games=True)
    closed = [pk for pk, found in listed.items() if not found.evening.is_open]
    results: dict[int, list[tuple[int, Player]]] = defaultdict(list)
    units: dict[int, set[str]] = defaultdict(set)
    # Points of a player on an evening, summed over its tables of one unit.
    sums = (
        TableResult.objects.filter(table__evening__in=closed)
        .order_by("player__name_key")
        .values_list("table__evening", "player", "player__name", "table__rule_set__unit")
        .annotate(Sum("points"))
    )
    for pk, player, name, unit, points in sums:
        results[pk].append((points, Player(pk=player, name=name)))
        units[pk].add(unit)
    for pk, brought in results.items():
        most = max(points for points, _player in brought)
        if len(units[pk]) == 1:
            winners = [player for points, player in brought if points == most]
            listed[pk] = listed[pk]._replace(winners=winners, points=most)
    return list(listed.values())


def running_tables(club: Club) -> list[Table]:
    """Return the tables of the open evenings, the latest first."""
    tables = Table.objects.filter(evening__club=club, evening__closed_at=None, without_games=False)
    return list(tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number"))


def running_line_ups(club: Club) -> dict[Table, set[int]]:
    """Return the tables of the evenings that are still open with the ids of the people who sit there now. One query."""
    seats = Seat.objects.filter(round__table__evening__club=club, round__table__evening__closed_at=None)
    found: dict[Table, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for seat in seats.select_related("round__table__evening"):
        found[seat.round.table][seat.round.position].add(seat.player_id)
    return {table: rounds[max(rounds)] for table, rounds in found.items()}


def running_with(club: Club, held_on: datetime.date, players: Collection[Player]) -> Table | None:
    """Return the table of an open evening of this day at which the same people sit."""
    wanted = {player.pk for player in players}
    running = ((table, people) for table, people in running_line_ups(club).items() if table.evening.held_on == held_on)
    return next((table for table, people in running if people == wanted), None)


def last_line_up(club: Club, evening: int | None = None) -> tuple[RuleSet | None, list[Player]]:
    """Return the current version of the rule set of the club's last table, and its line-up, for a new evening to begin with. A club
    that has not played yet has no rule set here, and its people if they fit one table. `evening` is the id of one whose people
    play once more. An imported evening proposes no rules, and its people only if it is `evening`."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("rule_set")
    tables = tables.order_by("-evening__held_on", "-evening_id", "number")
    last = tables.filter(imported=None).first()
    table = (tables.filter(evening=evening).first() if evening else None) or last
    if table is None:
        people = list(list_active_players(club).order_by("pk")[: SEATS[-1] + 1])
        return None, people if len(people) in SEATS else []
    seats = list(Seat.objects.filter(round__table=table).select_related("player").order_by("-round__position", "place"))
    line_up = [s.player for s in seats if s.round_id == seats[0].round_id and is_active_player(s.player)]
    played = last if table.imported_id else table
    return list_current_rule_sets(club).get(name=played.rule_set.name) if played else None, line_up


def newest_rule_set(club: Club) -> RuleSet | None:
    """The newest rule set of a club, without those that came with an import."""
    reports = Table.objects.filter(evening__club=club, imported__isnull=False).values_list("imported__made", flat=True)
    came = {pk for made in reports.distinct() for pk in made.get("rule_sets", ())}
    return list_current_rule_sets(club).exclude(pk__in=came).order_by("-pk").first()


def latest_evenings(club: Club) -> list[ListedEvening]:
    """Return the last six evenings, for the start page."""
    return with_tables(evenings_of(club)[:6])
