"""Writes of evenings: open one with its first table, add tables, close, reopen, correct, and discard one without lines."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.actions import EVENING_DROPPED, pin_current_tariff, update_attendance
from scoring.cash.evening.posting import delete_or_drop_evening, post_evening
from scoring.cash.models import Entry
from scoring.cash.tariff.queries import get_current_tariff
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.dates import get_evening_date, require_not_in_future
from scoring.core.errors import ActionRefused
from scoring.core.text import tidy
from scoring.evenings.queries import read_open_line_ups
from scoring.play.models import Evening, Round, Seat, Table, TableResult
from scoring.play.replay import EveningIsClosed, WrongLineUp, check_carry, is_before, lock_earlier, update_years
from scoring.rulesets.models import RuleSet
from scoring.table.actions.seats import check_line_up, find_or_add_player, seat_players
from scoring.table.models import TableLink
from scoring.table.queries import is_untouched

_COUNT_WORDS = {4: _("vieren"), 5: _("fünfen"), 6: _("sechsen"), 7: _("sieben"), 8: _("achten")}


class EveningIsRunning(ActionRefused):
    """Refused: the same people already sit at `table` of an open evening of this day."""

    sentence = _("Heute läuft schon ein Abend mit diesen %(all)s:")

    def __init__(self, table: Table, player_count: int) -> None:
        super().__init__()
        self.table, self.player_count = table, player_count

    def __str__(self) -> str:
        values = {"all": _COUNT_WORDS[self.player_count], "day": date_format(self.table.evening.held_on, "SHORT_DATE_FORMAT")}
        if self.table.evening.held_on == get_evening_date():
            return str(self.sentence) % values
        return gettext("Am %(day)s läuft schon ein Abend mit diesen %(all)s:") % values


@transaction.atomic
def open_evening(
    *,
    club: Club,
    actor: Actor,
    held_on: datetime.date,
    rule_set: RuleSet,
    players: Sequence[Player],
    place: str = "",
    planned_games: int | None = None,
    carries_on: Table | None = None,
    key: UUID | None = None,
    refuse_running: bool = False,
) -> Table:
    """Open an evening with one table and return the table; a key that is stored already returns its table.

    `players` are in seating order, the first deals first; an unsaved player is found by name or added as a guest. `carries_on`
    is the table whose open Bock games are continued. `refuse_running` refuses if these players sit at an open evening of this
    day. Raise WrongLineUp, EveningIsRunning, ActionRefused, ValidationError (by field)."""
    key = key or uuid4()
    earlier = carries_on and lock_earlier(carries_on)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if table := Table.objects.filter(evening__club=club, evening__key=key).order_by("number").first():
        return table
    players = [player if player.pk else find_or_add_player(club, actor, player.name) for player in players]
    _check_line_up(club, rule_set, players)
    sitting = {player.pk for player in players}
    for running, others in read_open_line_ups(club).items() if refuse_running else ():
        if others == sitting and running.evening.held_on == held_on:
            raise EveningIsRunning(running, len(players))
    require_not_in_future("held_on", held_on)
    evening = Evening(club=club, key=key, held_on=held_on, place=place)
    pin_current_tariff(evening, get_current_tariff(club))
    evening.full_clean()
    evening.save()
    table = _create_table(evening, 1, rule_set, players, planned_games, earlier)
    update_attendance(evening)
    after = {"held_on": held_on.isoformat(), **_get_table_values(table, players)}
    record(club=club, actor=actor, verb=Verb.EVENING_OPENED, subject=evening.pk, after=after)
    return table


@transaction.atomic
def add_table(
    *,
    evening: Evening,
    actor: Actor,
    rule_set: RuleSet,
    players: Sequence[Player],
    planned_games: int | None = None,
    carries_on: Table | None = None,
) -> Table:
    """Add a table to an open evening. Raise WrongLineUp, EveningIsClosed, ActionRefused."""
    earlier = carries_on and lock_earlier(carries_on)
    locked = _lock_evening(evening)
    if not locked.is_open:
        raise EveningIsClosed
    _check_line_up(locked.club, rule_set, players)
    last = Table.objects.filter(evening=locked).aggregate(last=Max("number"))["last"] or 0
    table = _create_table(locked, last + 1, rule_set, players, planned_games, earlier)
    after = _get_table_values(table, players)
    record(club=locked.club, actor=actor, verb=Verb.TABLE_ADDED, subject=table.pk, after=after, table=table)
    update_attendance(locked)
    return table


def _check_line_up(club: Club, rule_set: RuleSet, players: Sequence[Player]) -> None:
    check_line_up(club, players)
    if rule_set.club_id != club.pk:
        raise WrongLineUp


def _create_table(
    evening: Evening, number: int, rule_set: RuleSet, players: Sequence[Player], planned_games: int | None, earlier: Table | None
) -> Table:
    table = Table(evening=evening, number=number, rule_set=rule_set, planned_games=planned_games, carries_on=earlier)
    if earlier is not None:
        check_carry(table, earlier)
        # No game is played yet, so those of `earlier` stay open.
        table.open_bocks = earlier.open_bocks
    table.full_clean()
    table.save()
    seat_players(table=table, players=players)
    return table


def _get_table_values(table: Table, players: Sequence[Player]) -> dict[str, Any]:
    carries_on = {"carries_on": table.carries_on_id} if table.carries_on_id else {}
    return {"rule_set": table.rule_set_id, "players": [player.pk for player in players], **carries_on}


@transaction.atomic
def close_evening(*, evening: Evening, actor: Actor, present: Sequence[Player] = ()) -> Evening:
    """Close an evening, end the links of its tables and book its cost. `present` confirm the sheet. Raise EveningIsClosed."""
    locked = _lock_evening(evening)
    if not locked.is_open:
        raise EveningIsClosed
    locked.closed_at, locked.closed_by = timezone.now(), actor.login
    signed = {"players": [player.pk for player in present]} if present else None
    locked.save(update_fields=["closed_at", "closed_by"])
    TableLink.objects.filter(table__evening=locked, ended_at=None).update(ended_at=locked.closed_at)
    record(club=locked.club, actor=actor, verb=Verb.EVENING_CLOSED, subject=locked.pk, after=signed)
    update_attendance(locked)
    update_years(locked.club_id, [locked.held_on.year])
    post_evening(locked, actor=actor, cause=Verb.EVENING_CLOSED.label)
    return locked


@transaction.atomic
def reopen_evening(*, evening: Evening, actor: Actor) -> Evening:
    """Open a closed evening again. Raise ActionRefused if it is open or was dropped."""
    locked = _lock_evening(evening)
    if locked.is_open:
        raise ActionRefused(_("Der Abend läuft noch."))
    if locked.dropped:
        raise ActionRefused(EVENING_DROPPED)
    locked.closed_at = locked.closed_by = None
    locked.save(update_fields=["closed_at", "closed_by"])
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REOPENED, subject=locked.pk)
    update_years(locked.club_id, [locked.held_on.year])
    return locked


@transaction.atomic
def discard_evening(*, evening: Evening, actor: Actor) -> None:
    """Delete an evening that was opened by mistake; one with bookings stays as dropped. Raise ActionRefused if a line was ever
    entered, or if a later evening continues its Bock games."""
    locked = _lock_evening(evening)
    if not is_untouched(locked):
        raise ActionRefused(_("An diesem Abend wurde schon etwas eingetragen. Er bleibt, auch wenn alles gestrichen ist."))
    if Table.objects.filter(carries_on__evening=locked).exists():
        raise ActionRefused(
            _("Ein späterer Abend spielt die übrigen Böcke dieses Abends weiter. Bitte das an seinem Tisch zuerst wegnehmen.")
        )
    is_booked = Entry.objects.filter(evening=locked).exists()
    if not is_booked:
        before = {"held_on": locked.held_on.isoformat()}
        record(club=locked.club, actor=actor, verb=Verb.EVENING_DISCARDED, subject=locked.pk, before=before)
    # The history keeps the line-ups, without the deleted table.
    Change.objects.filter(table__evening=locked).update(table=None)
    Seat.objects.filter(round__table__evening=locked).delete()
    Round.objects.filter(table__evening=locked).delete()
    TableLink.objects.filter(table__evening=locked).delete()
    Table.objects.filter(evening=locked).delete()
    delete_or_drop_evening(locked, actor=actor, booked=is_booked)


@transaction.atomic
def correct_evening(
    *,
    evening: Evening,
    actor: Actor,
    held_on: datetime.date,
    place: str,
    note: str | None = None,
    points: Mapping[int, int] | None = None,
) -> bool:
    """Change day, place and, if given, the note of an evening, then update years and books; return whether anything changed.

    `points` by player id replace the results of a table that was imported without games. Raise EveningIsClosed,
    ValidationError (by field), or ActionRefused if it was dropped, or if open Bock games fix the order of two evenings."""
    # Also lock the tables linked to this evening's by open Bock games, the earlier evening first.
    tables = Table.objects.select_for_update(of=("self",)).filter(
        Q(evening=evening) | Q(carried_on_by__evening=evening) | Q(carries_on__evening=evening)
    )
    list(tables.order_by("evening__held_on", "evening", "pk").values_list("pk"))
    locked = _lock_evening(evening)
    if locked.dropped:
        raise ActionRefused(EVENING_DROPPED)
    if not (locked.is_open or actor.admin):
        raise EveningIsClosed
    # A log entry that names the imported table prevents that the import is undone.
    imported = Table.objects.filter(evening=locked, imported__isnull=False).first()
    table = imported if points is not None and imported and imported.without_games else None
    before, old_day = _get_values(locked, table), locked.held_on
    if held_on != old_day:
        require_not_in_future("held_on", held_on)
        locked.held_on = held_on
        _check_order(locked)
    locked.place, locked.note = tidy(place), locked.note if note is None else tidy(note)
    locked.clean_fields(exclude=["club", "tariff", "host", "bill_paid_by", "closed_by"])
    locked.save(update_fields=["held_on", "place", "note"])
    if table is not None and points is not None:
        _write_results(table, points)
    after = _get_values(locked, table)
    if before == after:
        return False
    record(club=locked.club, actor=actor, verb=Verb.EVENING_MENDED, subject=locked.pk, table=imported, before=before, after=after)
    if not locked.is_open:
        update_years(locked.club_id, {old_day.year, held_on.year})
        post_evening(locked, actor=actor, cause=Verb.EVENING_MENDED.label, moved_from=old_day)
    return True


def _check_order(moved: Evening) -> None:
    """Raise ActionRefused if an evening moved to a day before an evening that it continues, or after one that continues it."""
    for table in Table.objects.filter(evening=moved).select_related("carries_on__evening", "carried_on_by__evening"):
        earlier, later = table.carries_on, getattr(table, "carried_on_by", None)
        if earlier and not is_before(earlier.evening, moved):
            wrong = earlier.evening
        elif later and not is_before(moved, later.evening):
            wrong = later.evening
        else:
            continue
        sentence = gettext(
            "Übrige Böcke verbinden diesen Abend mit dem vom %(day)s, und dann läge der spätere vor dem früheren. Bitte das "
            "Weiterspielen zuerst am Tisch wegnehmen."
        )
        raise ActionRefused(sentence % {"day": date_format(wrong.held_on, "SHORT_DATE_FORMAT")}, field="held_on")


def _get_values(evening: Evening, table: Table | None) -> dict[str, Any]:
    """Return the values of an evening for the history, with the results of `table`, which has no games."""
    values: dict[str, Any] = {"held_on": evening.held_on.isoformat(), "place": evening.place}
    values |= {"note": evening.note} if evening.note else {}
    if table is not None:
        results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
        values |= {"players": [player for player, _points in results], "points": [points for _player, points in results]}
    return values


def _write_results(table: Table, points: Mapping[int, int]) -> None:
    TableResult.objects.filter(table=table).exclude(player__in=points).delete()
    old = {result.player_id: result for result in TableResult.objects.filter(table=table)}
    for player, new in points.items():
        if player not in old:
            zeros = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
            TableResult.objects.create(table=table, player_id=player, points=new, **zeros)
        elif old[player].points != new:
            old[player].points = new
            old[player].save(update_fields=["points"])


def _lock_evening(evening: Evening) -> Evening:
    """Lock the tables of an evening against new games, and read the evening again. Raise Evening.DoesNotExist."""
    list(Table.objects.select_for_update().filter(evening=evening).order_by("pk").values_list("pk"))
    return Evening.objects.select_related("club").get(pk=evening.pk)
