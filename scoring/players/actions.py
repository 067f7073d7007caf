"""Merge two players who are the same person. A merge can be undone: the log entry lists the moved rows, and exactly these are
moved back. Two players who ever sat in one round cannot be merged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.posting import post_merged
from scoring.club.actions import NAME_ERASED, Actor, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.errors import ActionRefused
from scoring.play.models import Score, Seat, Table, TableCareer, TableResult, YearCareer
from scoring.play.queries import read_records
from scoring.play.replay import derive, read_stored, update_years, write_derived
from scoring.rules.ranking import rank_all
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import Selection, list_openings
from scoring.standings.queries.standings import list_standings, read_choices


def preview_merge(*, player: Player, into: Player) -> dict[str, Any]:
    """Return the numbers of moved evenings and tables, and for each unit the rows of both in the list now, and the rank and the
    points afterwards. Raise the refusals of `merge_players`."""
    _check_merge(player, into)
    tables = Table.objects.filter(rounds__seats__player=player) | Table.objects.filter(results__player=player)
    seats = list(tables.filter(evening__club=player.club_id).distinct().values_list("pk", "evening"))
    openings = list_openings(player.club)
    lists = []
    for unit in read_choices(player.club, openings=openings).units:
        everyone = list_standings(player.club, Selection(unit=unit, everyone=True), openings=openings)
        both = [row for row in everyone if row.player_id in (player.pk, into.pk)]
        points = sum(int(row.points or 0) for row in both)
        others = [int(row.points or 0) for row in everyone if row not in both]
        if both:
            lists.append({"unit": unit, "rows": both, "rank": rank_all([points, *others])[0], "points": points})
    return {"evenings": len({evening for _table, evening in seats}), "tables": len(seats), "lists": lists}


@transaction.atomic
def merge_players(*, player: Player, into: Player, actor: Actor) -> Change:
    """Merge `player` into `into`, which gets the login of `player` if there is one. Raise ActionRefused."""
    Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    people = Player.objects.select_related("club").in_bulk([player.pk, into.pk])
    player, into = people[player.pk], people[into.pk]
    tables = _lock_tables(player)
    _check_merge(player, into)
    seats, results = _filter_seats(player), _filter_results(player)
    moved = {
        "seats": sorted(seats.values_list("pk", flat=True)),
        "results": sorted(results.values_list("pk", flat=True)),
        "openings": sorted(OpeningStanding.objects.filter(player=player).values_list("pk", flat=True)),
        "user": player.user_id,
        "players": [player.pk],
    }
    years = _list_years(player, into)
    _move(player, into, moved, tables)
    _hand_over(player, into, player.user_id)
    if player.by_initial:
        # A player whose name is shortened for strangers stays shortened under the other name.
        into.by_initial = True
        into.save(update_fields=["by_initial"])
    player.merged_into = into
    player.save(update_fields=["merged_into"])
    update_years(player.club_id, years)
    after = {**moved, "players": [into.pk]}
    merged = record(club=player.club, actor=actor, verb=Verb.PLAYER_MERGED, subject=player.pk, before=moved, after=after)
    post_merged(player.club, [player, into], actor=actor, cause=Verb.PLAYER_MERGED.label)
    return merged


@transaction.atomic
def unmerge_player(*, player: Player, actor: Actor) -> Player:
    """Undo the merge of a player; return the player it was merged into. Raise ActionRefused."""
    Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    player = Player.objects.select_related("club", "merged_into").get(pk=player.pk)
    merges = Change.objects.filter(club=player.club_id, verb=Verb.PLAYER_MERGED, subject_id=str(player.pk), undone_by=None)
    into, change = player.merged_into, merges.order_by("-id").first()
    if into is None or change is None or change.after is None:
        raise ActionRefused(_("Diese Person ist mit niemandem zusammengeführt."))
    tables, moved = _lock_tables(into), change.after
    seats = Seat.objects.filter(pk__in=moved["seats"], player=into)
    results = TableResult.objects.filter(pk__in=moved["results"], player=into)
    # Log entries of earlier versions list no opening balances.
    openings = moved.get("openings", [])
    given = moved["user"] in (None, into.user_id)
    if (
        into.merged_into_id
        or seats.count() < len(moved["seats"])
        or results.count() < len(moved["results"])
        or OpeningStanding.objects.filter(pk__in=openings, player=into).count() < len(openings)
        or not given
    ):
        raise ActionRefused(
            _(
                "Seither wurde weiter zusammengeführt oder eine Sitzordnung geändert, oder der Zugang gehört jetzt jemand anderem: "
                "Das lässt sich nicht mehr trennen."
            )
        )
    years = _list_years(player, into)
    _move(into, player, moved, tables)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    update_years(player.club_id, years)
    _hand_over(into, player, moved["user"])
    club, verb, before = player.club, Verb.PLAYER_PARTED, change.after
    record(club=club, actor=actor, verb=verb, subject=player.pk, before=before, after=change.before, undoes=change)
    post_merged(club, [player, into], actor=actor, cause=verb.label)
    return into


def _check_merge(player: Player, into: Player) -> None:
    if player.club_id != into.club_id or player.pk == into.pk:
        raise ValueError("Two people of one club are merged.")
    if player.merged_into_id or into.merged_into_id:
        raise ActionRefused(_("Eine der beiden ist inzwischen schon mit jemandem zusammengeführt."))
    if into.erased_on:
        raise ActionRefused(NAME_ERASED)
    rounds, tables = _filter_seats(player).values("round"), _filter_results(player).values("table")
    if (
        Seat.objects.filter(player=into, round__in=rounds).exists()
        or TableResult.objects.filter(player=into, table__in=tables).exists()
    ):
        raise ActionRefused(_("Die beiden saßen schon zusammen an einem Tisch: Sie können nicht dieselbe Person sein."))
    if player.user_id and into.user_id:
        raise ActionRefused(_("Beide haben einen Zugang. Bitte erst einen davon unter „Ändern“ wegnehmen."))


def _filter_seats(player: Player) -> QuerySet[Seat]:
    """Return the seats of a player, without those of imports still being written: such an import is refused after a merge."""
    return Seat.objects.filter(player=player, round__table__evening__club=player.club_id)


def _filter_results(player: Player) -> QuerySet[TableResult]:
    """Return the results of a player at tables that came without their games."""
    return TableResult.objects.filter(player=player, table__without_games=True, table__evening__club=player.club_id)


def _lock_tables(player: Player) -> list[Table]:
    ids = _filter_seats(player).values("round__table")
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening__club")
    return list(tables.filter(pk__in=ids).order_by("pk"))


def _move(giver: Player, taker: Player, moved: Mapping[str, Any], tables: Collection[Table]) -> None:
    """Give seats, results and opening balances to another player, with the derived rows. A table is replayed only if both sat
    there in different rounds, because its sums change."""
    TableResult.objects.filter(pk__in=moved["results"]).update(player=taker)
    OpeningStanding.objects.filter(pk__in=moved.get("openings", [])).update(player=taker)
    seats = Seat.objects.filter(pk__in=moved["seats"])
    moved_tables = set(seats.values_list("round__table", flat=True))
    seats.update(player=taker)
    others = Seat.objects.filter(player__in=(giver, taker), round__table__in=moved_tables).exclude(pk__in=moved["seats"])
    mixed = set(others.values_list("round__table", flat=True))
    alone = moved_tables - mixed
    Score.objects.filter(player=giver, game__round__table__in=alone).update(player=taker)
    for derived in (TableResult, TableCareer):
        derived.objects.filter(player=giver, table__in=alone).update(player=taker)
    # Rename the giver in the careers of the players who sat with it.
    careers = list(TableCareer.objects.filter(table__in=alone, mates__has_key=str(giver.pk)))
    for career in careers:
        career.mates[str(taker.pk)] = career.mates.pop(str(giver.pk))
    TableCareer.objects.bulk_update(careers, ["mates"], batch_size=200)
    for table in [one for one in tables if one.pk in mixed]:
        records = read_records(table)
        write_derived(records, read_stored(records), derive(records))


def _list_years(*people: Player) -> set[int]:
    """Return the years of these players, to be counted again. The caller counts them after `merged_into` is saved."""
    return set(YearCareer.objects.filter(player__in=people).values_list("year", flat=True))


def _hand_over(giver: Player, taker: Player, user: int | None) -> None:
    """Move a login: it belongs to one player of a club at a time."""
    if user is not None:
        giver.user_id, taker.user_id = None, user
        giver.save(update_fields=["user"])
        taker.save(update_fields=["user"])
