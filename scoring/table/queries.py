"""Reads for the table: closed months, use of special points, former line-ups, late entries, and Bock games to carry on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from scoring.cash.ledger.queries import is_closed
from scoring.club.models import Change, Player, Verb
from scoring.club.queries import get_merge_target
from scoring.play.models import Evening, Game, Round, Seat, Table
from scoring.play.queries import Records
from scoring.play.replay import Effect
from scoring.rules.bock import load_chain
from scoring.rulesets.models import RuleSet
from scoring.table.models import LateEntry

# The number of evenings whose special points are counted.
LAST_EVENINGS = 5


def list_closed_months(effects: Iterable[Effect], charged: Collection[Evening]) -> list[tuple[str, str]]:
    """Return the closed months that a change touches with the name of their season, or "" for the Kasse, where only `charged`
    count. The league stands right of the table, so its months are read through the club."""
    found: list[tuple[str, str]] = []
    for evening in sorted({effect.records.row.evening for effect in effects}, key=lambda one: (one.held_on, one.pk)):
        day, month = evening.held_on, f"{evening.held_on:%Y-%m}"
        seasons = evening.club.seasons.filter(first_day__lte=day, last_day__gte=day, monthclosings__month=month)
        names = seasons.filter(monthclosings__version=1).order_by("pk").values_list("name", flat=True)
        found += [(month, name) for name in names]
        if evening in charged and is_closed(evening.club_id, month):
            found.append((month, ""))
    return list(dict.fromkeys(found))


def count_special_points(evening: Evening) -> Counter[str]:
    """Count in how many games of the club's last evenings each special point was entered, without this evening, so that the
    order of the form does not change during it, and without imports. One query."""
    last = Evening.objects.filter(club=evening.club_id, held_on__lte=evening.held_on).exclude(pk=evening.pk)
    last = last.exclude(tables__imported__isnull=False)
    games = Game.objects.filter(
        round__table__evening__in=last.order_by("-held_on", "-pk").values("pk")[:LAST_EVENINGS],
        form=Game.Form.PLAYED,
        deleted=False,
    )
    return _count_in_facts(tuple(games.values_list(Cast("facts", TextField()), flat=True)))


@lru_cache(maxsize=32)
def _count_in_facts(games: tuple[str, ...]) -> Counter[str]:
    """Count the special points in these facts; cached, because each page of a table needs them and the games rarely change."""
    used: Counter[str] = Counter()
    for facts in map(json.loads, games):
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used


def find_line_up(records: Records, ids: Sequence[int]) -> list[Player] | None:
    """Return the players with these ids if they ever sat here in this order, else None. Merged players are replaced. A line-up
    that played no game has no rows any more, but the history of the table still names it."""
    table = records.table
    seated = Change.objects.filter(table=table, verb=Verb.TABLE_SEATED).values_list("before", "after")
    typed = [side.get("players", []) for sides in seated for side in sides if side]
    known = Player.objects.filter(club=table.evening.club).in_bulk({pk for line_up in [ids, *typed] for pk in line_up})
    merged = {pk: get_merge_target(player) for pk, player in known.items()}
    players = [merged[pk] for pk in ids if pk in merged]
    sat = [[merged.get(pk) for pk in line_up] for line_up in typed]
    return players if len(players) == len(ids) and players in [*records.line_ups.values(), *sat] else None


def list_seated_twice(table: Table) -> dict[int, list[Player]]:
    """Return the players who now also sit at another table of the evening, by the number of that table."""
    later = Round.objects.filter(table=OuterRef("round__table"), position__gt=OuterRef("round__position"))
    seats = Seat.objects.filter(~Exists(later), round__table__evening=table.evening_id)
    own = seats.filter(round__table=table).values("player")
    others = seats.exclude(round__table=table).filter(player__in=own).select_related("player", "round__table")
    found: dict[int, list[Player]] = {}
    for seat in others.order_by("round__table__number", "place"):
        found.setdefault(seat.round.table.number, []).append(seat.player)
    return found


def is_untouched(evening: Evening) -> bool:
    """Return whether nothing was ever entered or imported at any table of an evening."""
    imported = Table.objects.filter(evening=evening, imported__isnull=False)
    entered = Game.objects.filter(round__table__evening=evening), LateEntry.objects.filter(table__evening=evening)
    return not any(rows.exists() for rows in (imported, *entered))


def list_late_entries(table: Table) -> QuerySet[LateEntry]:
    waiting = LateEntry.objects.filter(table=table, discarded=False).select_related("entered_by", "spoken_as")
    return waiting.order_by("arrived_at", "key")


def find_offer(rule_set: RuleSet, players: Sequence[Player], evening: Evening) -> Table | None:
    """Return the table whose open Bock games a new table of these players can carry on, if any: the last table of the same
    players under this rule set, whatever its version, unless another table carries its games on. One query, or none."""
    if not rule_set.rules.carry:
        return None
    last_round = Round.objects.filter(table=OuterRef("pk")).order_by("-position").values("pk")[:1]
    sitting = Seat.objects.filter(round=OuterRef("last_round"))
    played = Game.objects.filter(round__table=OuterRef("pk"), deleted=False)
    table = (
        _list_earlier_tables(evening)
        .filter(Exists(played), rule_set__name=rule_set.name)
        .annotate(last_round=Subquery(last_round))
        .filter(*(Exists(sitting.filter(player=player)) for player in players))
        .filter(~Exists(sitting.exclude(player__in=players)))
        .first()
    )
    if table is None or not table.open_bocks or hasattr(table, "carried_on_by"):
        return None
    return table


def list_offers(table: Table) -> list[Table]:
    """Return the earlier tables of the club whose open Bock games no other table carries on, and the one that this table carries on
    already, the latest first."""
    own = Q(pk=table.carries_on_id)
    free = Q(carried_on_by=None) & ~Q(open_bocks=[])
    return list(_list_earlier_tables(table.evening).filter(own | free))


def _list_earlier_tables(evening: Evening) -> QuerySet[Table]:
    same_day = Q(evening__held_on=evening.held_on)
    if evening.pk:
        same_day &= Q(evening__lt=evening.pk)
    tables = Table.objects.filter(Q(evening__held_on__lt=evening.held_on) | same_day, evening__club=evening.club_id)
    tables = tables.select_related("evening", "rule_set", "carried_on_by")
    return tables.order_by("-evening__held_on", "-evening_id", "-number")


def count_open_bocks(table: Table) -> int:
    return len(load_chain(table.open_bocks).count_sides())
