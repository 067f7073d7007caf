"""Merges two people who are one: everything the second has played becomes the first's. It can be taken apart again: the history
says what was moved, and exactly that is put back. Two people who ever sat in one round cannot be merged, because nobody sits
beside themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.posting import post_merged
from scoring.club.actions import Actor, NameErased, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.errors import ActionRefused
from scoring.play.models import Score, Seat, Table, TableCareer, TableResult, YearCareer
from scoring.play.queries import read_records
from scoring.play.replay import derive, read_stored, update_years, write_derived
from scoring.rules.ranking import rank_all
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import Selection, openings_of
from scoring.standings.queries.standings import Standing, choices, standings


@dataclass(frozen=True)
class InList:
    """What merging does to the list in one unit, with everybody in it: both rows as they are, and the place and points
    there would be."""

    unit: str
    rows: list[Standing]
    rank: int
    points: int


@dataclass(frozen=True)
class Merge:
    """What would be moved, and what the lists would show."""

    evenings: int
    tables: int
    lists: list[InList]


def preview_merge(*, player: Player, into: Player) -> Merge:
    """What merging would do; nothing is written. Raises what merging raises."""
    _refuse(player, into)
    tables = Table.objects.filter(rounds__seats__player=player) | Table.objects.filter(results__player=player)
    seats = list(tables.filter(evening__club=player.club_id).distinct().values_list("pk", "evening"))
    openings = openings_of(player.club)
    units = choices(player.club, openings=openings).units
    lists = [_in_list(player, into, unit, openings) for unit in units]
    return Merge(len({evening for _table, evening in seats}), len(seats), [one for one in lists if one.rows])


def _in_list(player: Player, into: Player, unit: str, openings: Sequence[OpeningStanding]) -> InList:
    everyone = standings(player.club, Selection(unit=unit, everyone=True), openings=openings)
    both = [row for row in everyone if row.player_id in (player.pk, into.pk)]
    points = sum(int(row.points or 0) for row in both)
    others = [int(row.points or 0) for row in everyone if row not in both]
    return InList(unit, both, rank_all([points, *others])[0], points)


@transaction.atomic
def merge_players(*, player: Player, into: Player, actor: Actor) -> Change:
    """`player` was `into` all along. Where only `player` has a login it goes along. Raises AlreadyMerged, SatTogether,
    TwoLogins, NameErased where it is that of `into`."""
    player, into = _locked(player, into)
    tables = _lock_tables(player)
    _refuse(player, into)
    seats, results = _seats(player), _results(player)
    moved = {
        "seats": sorted(seats.values_list("pk", flat=True)),
        "results": sorted(results.values_list("pk", flat=True)),
        "openings": sorted(OpeningStanding.objects.filter(player=player).values_list("pk", flat=True)),
        "user": player.user_id,
        "players": [player.pk],
    }
    years = _years_of(player, into)
    _move(player, into, moved, tables)
    _hand_over(player, into, player.user_id)
    if player.by_initial:
        # Who did not want to be read by strangers is not read under the other name either.
        into.by_initial = True
        into.save(update_fields=["by_initial"])
    player.merged_into = into
    player.save(update_fields=["merged_into"])
    update_years(player.club_id, years)
    merged = record(
        club=player.club,
        actor=actor,
        verb=Verb.PLAYER_MERGED,
        subject=player.pk,
        before=moved,
        after={**moved, "players": [into.pk]},
    )
    post_merged(player.club, [player, into], actor=actor, cause=Verb.PLAYER_MERGED.label)
    return merged


@transaction.atomic
def part_player(*, player: Player, actor: Actor) -> Player:
    """Take the merging of this person back; answers whom they were merged into. Raises NotMerged, MergeBuiltOn."""
    _lock_club(player.club_id)
    player = Player.objects.select_related("club", "merged_into").get(pk=player.pk)
    into, change = player.merged_into, _merging(player)
    if into is None or change is None or change.after is None:
        raise NotMerged
    tables, moved = _lock_tables(into), change.after
    seats = Seat.objects.filter(pk__in=moved["seats"], player=into)
    results = TableResult.objects.filter(pk__in=moved["results"], player=into)
    # Merged by a former version, nothing of this kind was there.
    openings = moved.get("openings", [])
    given = moved["user"] in (None, into.user_id)
    if (
        into.merged_into_id
        or seats.count() < len(moved["seats"])
        or results.count() < len(moved["results"])
        or OpeningStanding.objects.filter(pk__in=openings, player=into).count() < len(openings)
        or not given
    ):
        raise MergeBuiltOn
    years = _years_of(player, into)
    _move(into, player, moved, tables)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    update_years(player.club_id, years)
    _hand_over(into, player, moved["user"])
    record(
        club=player.club,
        actor=actor,
        verb=Verb.PLAYER_PARTED,
        subject=player.pk,
        before=change.after,
        after=change.before,
        undoes=change,
    )
    post_merged(player.club, [player, into], actor=actor, cause=Verb.PLAYER_PARTED.label)
    return into


def _merging(player: Player) -> Change | None:
    """The change that merged this person, unless it was taken back."""
    merged = Change.objects.filter(club=player.club_id, verb=Verb.PLAYER_MERGED, subject_id=str(player.pk))
    return merged.filter(undone_by=None).order_by("-id").first()


def _refuse(player: Player, into: Player) -> None:
    if player.club_id != into.club_id or player.pk == into.pk:
        raise ValueError("Two people of one club are merged.")
    if player.merged_into_id or into.merged_into_id:
        raise AlreadyMerged
    if into.erased_on:
        raise NameErased
    rounds, tables = _seats(player).values("round"), _results(player).values("table")
    if (
        Seat.objects.filter(player=into, round__in=rounds).exists()
        or TableResult.objects.filter(player=into, table__in=tables).exists()
    ):
        raise SatTogether
    if player.user_id and into.user_id:
        raise TwoLogins


def _seats(player: Player) -> QuerySet[Seat]:
    """Where somebody sat; not what is just arriving, whose import is refused where two became one meanwhile."""
    return Seat.objects.filter(player=player, round__table__evening__club=player.club_id)


def _results(player: Player) -> QuerySet[TableResult]:
    """What somebody brought to evenings without games."""
    return TableResult.objects.filter(player=player, table__without_games=True, table__evening__club=player.club_id)


def _lock_club(club: int) -> None:
    Club.objects.select_for_update(no_key=True).get(pk=club)


def _locked(player: Player, into: Player) -> tuple[Player, Player]:
    """Both as they are now, while nobody else changes the people of their club."""
    _lock_club(player.club_id)
    people = Player.objects.select_related("club").in_bulk([player.pk, into.pk])
    return people[player.pk], people[into.pk]


def _lock_tables(player: Player) -> list[Table]:
    """The tables at which somebody sat, none of which anybody changes until the transaction ends."""
    ids = _seats(player).values("round__table")
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening__club")
    return list(tables.filter(pk__in=ids).order_by("pk"))


def _move(giver: Player, taker: Player, moved: Mapping[str, Any], tables: Collection[Table]) -> None:
    """Seats and results, and with them what was computed: the same figures under another name. Only where one of the two
    sat at the same table besides, in another round, its sums become others, and it is replayed."""
    TableResult.objects.filter(pk__in=moved["results"]).update(player=taker)
    OpeningStanding.objects.filter(pk__in=moved.get("openings", [])).update(player=taker)
    seats = Seat.objects.filter(pk__in=moved["seats"])
    theirs = set(seats.values_list("round__table", flat=True))
    seats.update(player=taker)
    besides = Seat.objects.filter(player__in=(giver, taker), round__table__in=theirs).exclude(pk__in=moved["seats"])
    mixed = set(besides.values_list("round__table", flat=True))
    alone = theirs - mixed
    Score.objects.filter(player=giver, game__round__table__in=alone).update(player=taker)
    for derived in (TableResult, TableCareer):
        derived.objects.filter(player=giver, table__in=alone).update(player=taker)
    _rename_mates(alone, giver, taker)
    for table in [one for one in tables if one.pk in mixed]:
        records = read_records(table)
        write_derived(records, read_stored(records), derive(records))


def _years_of(*people: Player) -> set[int]:
    """The years to be counted anew when one of them is the other; once it says who is who, since others hear it then."""
    return set(YearCareer.objects.filter(player__in=people).values_list("year", flat=True))


def _rename_mates(tables: Collection[int], giver: Player, taker: Player) -> None:
    """Whoever sat with one of the two sat with the other."""
    careers = list(TableCareer.objects.filter(table__in=tables, mates__has_key=str(giver.pk)))
    for career in careers:
        career.mates[str(taker.pk)] = career.mates.pop(str(giver.pk))
    TableCareer.objects.bulk_update(careers, ["mates"], batch_size=200)


def _hand_over(giver: Player, taker: Player, user: int | None) -> None:
    """A login belongs to one person of a club at a time."""
    if user is not None:
        giver.user_id, taker.user_id = None, user
        giver.save(update_fields=["user"])
        taker.save(update_fields=["user"])


class SatTogether(ActionRefused):
    sentence = _("Die beiden saßen schon zusammen an einem Tisch: Sie können nicht dieselbe Person sein.")


class TwoLogins(ActionRefused):
    sentence = _("Beide haben einen Zugang. Bitte erst einen davon unter „Ändern“ wegnehmen.")


class AlreadyMerged(ActionRefused):
    sentence = _("Eine der beiden ist inzwischen schon mit jemandem zusammengeführt.")


class NotMerged(ActionRefused):
    sentence = _("Diese Person ist mit niemandem zusammengeführt.")


class MergeBuiltOn(ActionRefused):
    sentence = _(
        "Seither wurde weiter zusammengeführt oder eine Sitzordnung geändert, oder der Zugang gehört jetzt jemand anderem: "
        "Das lässt sich nicht mehr trennen."
    )
