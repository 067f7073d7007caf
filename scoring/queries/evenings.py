"""Which evenings there were, and what a new one begins with: the people and rules of the last."""

from __future__ import annotations

from typing import Final

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from scoring.models import Club, Evening, Player, Round, RuleSet, Seat, Table
from scoring.models.text import CodePoints

from .late import counted

# How the rows are found that the history names by these keys.
LOOK_UPS: Final = {"evening": Evening.objects.in_bulk}


def current_rule_sets(club: Club) -> QuerySet[RuleSet]:
    """The latest version of each rule set of the club, by name."""
    newer = RuleSet.objects.filter(club=club, name=OuterRef("name"), version__gt=OuterRef("version"))
    return RuleSet.objects.filter(~Exists(newer), club=club).order_by(CodePoints("name"))


def usual_players(club: Club) -> QuerySet[Player]:
    """Who can sit down today: everybody who has not left, by name."""
    return Player.objects.filter(club=club, left_on=None, merged_into=None, erased_on=None).order_by(
        CodePoints("name_key")
    )


def can_sit_down(player: Player) -> bool:
    return player.left_on is None and player.erased_on is None


def evenings_of(club: Club) -> QuerySet[Evening]:
    """All evenings, the latest first, with their tables, rule sets and the number of games that stand, whether a table
    came without its games, and how many late entries wait."""
    without_games = Exists(Table.objects.filter(evening=OuterRef("pk"), without_games=True))
    games = Count("tables__rounds__games", filter=Q(tables__rounds__games__deleted=False))
    tables = Prefetch("tables", Table.objects.select_related("rule_set").order_by("number"))
    late = counted(table__evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club=club).annotate(games=games, without_games=without_games, waiting_late=late)
    return evenings.prefetch_related(tables).order_by("-held_on", "-id")


def running_tables(club: Club) -> QuerySet[Table]:
    """The tables of the evenings that are still open, the latest first."""
    return (
        Table.objects.filter(evening__club=club, evening__closed_at=None, without_games=False)
        .select_related("evening", "rule_set")
        .order_by("-evening__held_on", "-evening_id", "number")
    )


def last_line_up(club: Club) -> tuple[RuleSet | None, list[Player]]:
    """The rule set of the club's last table as it is now and its line-up, for the next evening to begin with."""
    table = (
        Table.objects.filter(evening__club=club, without_games=False)
        .select_related("rule_set")
        .order_by("-evening__held_on", "-evening_id", "number")
        .first()
    )
    if table is None:
        return None, []
    seats = list(Seat.objects.filter(round__table=table).select_related("player").order_by("-round__position", "place"))
    rule_set = current_rule_sets(club).get(name=table.rule_set.name)
    return rule_set, [s.player for s in seats if s.round_id == seats[0].round_id and can_sit_down(s.player)]


def latest_evenings(club: Club) -> QuerySet[Evening]:
    """The last few evenings, for the start page."""
    return evenings_of(club)[:3]


def seated_elsewhere(table: Table) -> dict[int, list[Player]]:
    """Who of those who sit at this table now sits at another one of the evening as well, by the number of that table."""
    later = Round.objects.filter(table=OuterRef("round__table"), position__gt=OuterRef("round__position"))
    seats = Seat.objects.filter(~Exists(later), round__table__evening=table.evening_id)
    own = seats.filter(round__table=table).values("player")
    others = seats.exclude(round__table=table).filter(player__in=own).select_related("player", "round__table")
    found: dict[int, list[Player]] = {}
    for seat in others.order_by("round__table__number", "place"):
        found.setdefault(seat.round.table.number, []).append(seat.player)
    return found
