"""Which open Bock games can be carried on: what a new table is offered, and what can be chosen for a running one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from scoring.club.models import Player
from scoring.play.models import Evening, Game, Round, Seat, Table
from scoring.rules.bock import load_chain
from scoring.rulesets.models import RuleSet


@dataclass(frozen=True)
class Offer:
    """Open Bock games that can go on: the table where they were left, and how many there are."""

    table: Table
    games: int


def offer(rule_set: RuleSet, players: Sequence[Player], evening: Evening) -> Offer | None:
    """What a new table of these people on `evening` (stored already or about to be) is offered: the open Bock games of
    their last one under this rule set, whatever its version, unless they go on elsewhere. One query; none for rules that
    let nothing go on."""
    if not rule_set.rules.carry:
        return None
    last_round = Round.objects.filter(table=OuterRef("pk")).order_by("-position").values("pk")[:1]
    sitting = Seat.objects.filter(round=OuterRef("last_round"))
    played = Game.objects.filter(round__table=OuterRef("pk"), deleted=False)
    table = (
        _before(evening)
        .filter(Exists(played), rule_set__name=rule_set.name)
        .annotate(last_round=Subquery(last_round))
        .filter(*(Exists(sitting.filter(player=player)) for player in players))
        .filter(~Exists(sitting.exclude(player__in=players)))
        .first()
    )
    if table is None or not table.open_bocks or hasattr(table, "carried_on_by"):
        return None
    return _offer(table)


def offers_to(table: Table) -> list[Offer]:
    """What an existing table can carry on: the Bock games that are open at earlier tables of the club and that no other
    table carries on, the latest first, and those that it carries on already."""
    own = Q(pk=table.carries_on_id)
    free = Q(carried_on_by=None) & ~Q(open_bocks=[])
    return [_offer(earlier) for earlier in _before(table.evening).filter(own | free)]


def _before(evening: Evening) -> QuerySet[Table]:
    """The tables of the club's earlier evenings, the latest first."""
    earlier = Q(evening__held_on__lt=evening.held_on)
    if evening.pk:
        earlier |= Q(evening__held_on=evening.held_on, evening__lt=evening.pk)
    else:
        earlier |= Q(evening__held_on=evening.held_on)
    tables = Table.objects.filter(earlier, evening__club=evening.club_id)
    return tables.select_related("evening", "rule_set", "carried_on_by").order_by(
        "-evening__held_on", "-evening_id", "-number"
    )


def _offer(table: Table) -> Offer:
    return Offer(table, len(load_chain(table.open_bocks).count_sides()))
