"""Who sat at a table, also where no row says so any more: a line-up that played no game before others sat down has no rows,
but the history of the table still names it. And who sits at two tables at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from scoring.club.models import Change, Player, Verb
from scoring.club.queries import get_merge_target
from scoring.play.models import Round, Seat, Table
from scoring.play.queries import Records


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
