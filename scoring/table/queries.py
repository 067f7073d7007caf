"""Reads for the table: closed months, special points in use, who sat there, late entries, Bock games to carry on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from scoring.cash.queries.books import is_closed
from scoring.club.models import Change, Player, Verb
from scoring.club.queries import get_merge_target
from scoring.core.database import count_related
from scoring.play.models import Evening, Game, Round, Seat, Table
from scoring.play.queries import Records
from scoring.play.replay import Effect
from scoring.rules.bock import load_chain
from scoring.rulesets.models import RuleSet
from scoring.table.models import LateEntry


class ClosedMonth(NamedTuple):
    """A month that is closed in the league, with the name of its season, or in the Kasse."""

    month: str
    season: str = ""


def closed_months(effects: Iterable[Effect], charged: Collection[Evening]) -> list[ClosedMonth]:
    """The closed months of the evenings of these effects, and those of the Kasse of the evenings whose money differs."""
    found = []
    for evening in sorted({effect.records.row.evening for effect in effects}, key=lambda one: (one.held_on, one.pk)):
        day, month = evening.held_on, f"{evening.held_on:%Y-%m}"
        seasons = evening.club.seasons.filter(first_day__lte=day, last_day__gte=day, monthclosings__month=month)
        names = seasons.filter(monthclosings__version=1).order_by("pk").values_list("name", flat=True)
        found += [ClosedMonth(month, name) for name in names]
        if evening in charged and is_closed(evening.club_id, month):
            found.append(ClosedMonth(month))
    return list(dict.fromkeys(found))


# The number of evenings that are counted.
LAST = 5


def use_before(evening: Evening) -> Counter[str]:
    """Count the games of the club's last evenings in which each special point was entered. This evening is left out, so that the
    order of the form does not change during it; imported evenings are left out too. One query."""
    last = Evening.objects.filter(club=evening.club_id, held_on__lte=evening.held_on).exclude(pk=evening.pk)
    last = last.exclude(tables__imported__isnull=False)
    games = Game.objects.filter(
        round__table__evening__in=last.order_by("-held_on", "-pk").values("pk")[:LAST],
        form=Game.Form.PLAYED,
        deleted=False,
    )
    return _used(tuple(games.values_list(Cast("facts", TextField()), flat=True)))


@lru_cache(maxsize=32)
def _used(games: tuple[str, ...]) -> Counter[str]:
    """Count the special points in these facts. Each page of a table needs them, and the games rarely change, so they are cached."""
    used: Counter[str] = Counter()
    for facts in map(json.loads, games):
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used


def sat_once(records: Records, ids: Sequence[int]) -> list[Player] | None:
    """The people with these ids, as they are kept now, if they sat at this table in this order, or were typed to sit
    there; else None."""
    table = records.table
    seated = Change.objects.filter(table=table, verb=Verb.TABLE_SEATED).values_list("before", "after")
    typed = [side.get("players", []) for sides in seated for side in sides if side]
    known = Player.objects.filter(club=table.evening.club).in_bulk({pk for line_up in [ids, *typed] for pk in line_up})
    kept = {pk: get_merge_target(player) for pk, player in known.items()}
    players = [kept[pk] for pk in ids if pk in kept]
    sat = [[kept.get(pk) for pk in line_up] for line_up in typed]
    return players if len(players) == len(ids) and players in [*records.line_ups.values(), *sat] else None


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


def late_counted(**of: OuterRef) -> Any:
    """How many wait, for each row of a question: `of` says what of the row they belong to."""
    return count_related(LateEntry.objects.filter(discarded=False), **of)


def waiting_at(table: Table) -> QuerySet[LateEntry]:
    """What waits at a table, in the order in which it arrived."""
    waiting = LateEntry.objects.filter(table=table, discarded=False).select_related("entered_by", "spoken_as")
    return waiting.order_by("arrived_at", "key")


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
