"""Opening an evening with its first table, more tables on it, closing it and opening it again, and taking back one that
nobody played."""

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

from scoring.cash.actions.evenings import let_go, post_evening
from scoring.cash.actions.facts import attend, pin_current
from scoring.cash.errors import EveningIsDropped
from scoring.cash.models.books import Entry
from scoring.cash.queries.tariffs import current_tariff
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.dates import get_evening_date, require_not_in_future
from scoring.core.errors import ActionRefused
from scoring.core.text import tidy
from scoring.evenings.queries import running_with
from scoring.play.actions import EveningIsClosed, WrongLineUp, check_carry, is_before, lock_earlier
from scoring.play.models import Evening, Game, Round, Seat, Table, TableResult
from scoring.play.replay import update_years
from scoring.rulesets.models import RuleSet
from scoring.table.actions.seats import judge_line_up, seat_players, take_in
from scoring.table.models.late import LateEntry
from scoring.table.models.links import TableLink


# Nine parameters: what the form of a new evening asks, and who asks.
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
    ask_first: bool = False,
) -> Table:
    """A new evening with one table; `players` in seating order, the first of them deals first; who of them is not stored
    yet is found by name or taken in as a guest. `carries_on` is the table whose open Bock games go on. The same key again
    answers the table that stands. `ask_first` refuses an evening that runs already, on the same day with the same people.
    Raises WrongLineUp, RunsAlready, CannotCarryOn, CarriedOnElsewhere, ValidationError (by field)."""
    key = key or uuid4()
    earlier = carries_on and lock_earlier(carries_on)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if standing := Table.objects.filter(evening__club=club, evening__key=key).order_by("number").first():
        return standing
    players = [player if player.pk else take_in(club, actor, player.name) for player in players]
    _judge(club, rule_set, players)
    if ask_first and (running := running_with(club, held_on, players)):
        raise RunsAlready(running, len(players))
    require_not_in_future("held_on", held_on)
    evening = Evening(club=club, key=key, held_on=held_on, place=place)
    pin_current(evening, current_tariff(club))
    evening.full_clean()
    evening.save()
    table = _new_table(evening, 1, rule_set, players, planned_games, earlier)
    attend(evening)
    record(
        club=club,
        actor=actor,
        verb=Verb.EVENING_OPENED,
        subject=evening.pk,
        after={"held_on": held_on.isoformat(), **_begun_with(table, players)},
    )
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
    """One more table on an evening, under rules of its own. Raises WrongLineUp, EveningIsClosed, CannotCarryOn,
    CarriedOnElsewhere."""
    earlier = carries_on and lock_earlier(carries_on)
    locked = _lock(evening)
    if not locked.is_open:
        raise EveningIsClosed
    _judge(locked.club, rule_set, players)
    last = Table.objects.filter(evening=locked).aggregate(last=Max("number"))["last"] or 0
    table = _new_table(locked, last + 1, rule_set, players, planned_games, earlier)
    record(
        club=locked.club,
        actor=actor,
        verb=Verb.TABLE_ADDED,
        subject=table.pk,
        after=_begun_with(table, players),
        table=table,
    )
    attend(locked)
    return table


def _judge(club: Club, rule_set: RuleSet, players: Sequence[Player]) -> None:
    judge_line_up(club, players)
    if rule_set.club_id != club.pk:
        raise WrongLineUp


def _new_table(
    evening: Evening,
    number: int,
    rule_set: RuleSet,
    players: Sequence[Player],
    planned_games: int | None,
    earlier: Table | None,
) -> Table:
    table = Table(evening=evening, number=number, rule_set=rule_set, planned_games=planned_games, carries_on=earlier)
    if earlier is not None:
        check_carry(table, earlier)
        # Nothing is played yet, so what was open there is open here.
        table.open_bocks = earlier.open_bocks
    table.full_clean()
    table.save()
    seat_players(table=table, players=players)
    return table


def _begun_with(table: Table, players: Sequence[Player]) -> dict[str, Any]:
    """What the history keeps of a new table."""
    carries_on = {"carries_on": table.carries_on_id} if table.carries_on_id else {}
    return {"rule_set": table.rule_set_id, "players": [player.pk for player in players], **carries_on}


@transaction.atomic
def close_evening(*, evening: Evening, actor: Actor, present: Sequence[Player] = ()) -> Evening:
    """Sign the evening off in the name of the `present` players, whom the history keeps: from now on only an admin changes it,
    the links of its tables end, and what it costs is booked. Raises EveningIsClosed."""
    locked = _lock(evening)
    if not locked.is_open:
        raise EveningIsClosed
    locked.closed_at, locked.closed_by = timezone.now(), actor.login
    signed = {"players": [player.pk for player in present]} if present else None
    locked.save(update_fields=["closed_at", "closed_by"])
    TableLink.objects.filter(table__evening=locked, ended_at=None).update(ended_at=locked.closed_at)
    record(club=locked.club, actor=actor, verb=Verb.EVENING_CLOSED, subject=locked.pk, after=signed)
    attend(locked)
    update_years(locked.club_id, [locked.held_on.year])
    post_evening(locked, actor=actor, cause=Verb.EVENING_CLOSED.label)
    return locked


@transaction.atomic
def reopen_evening(*, evening: Evening, actor: Actor) -> Evening:
    """Open a closed evening again. Raises EveningIsOpen, EveningIsDropped."""
    locked = _lock(evening)
    if locked.is_open:
        raise EveningIsOpen
    if locked.dropped:
        raise EveningIsDropped
    locked.closed_at = locked.closed_by = None
    locked.save(update_fields=["closed_at", "closed_by"])
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REOPENED, subject=locked.pk)
    update_years(locked.club_id, [locked.held_on.year])
    return locked


@transaction.atomic
def discard_evening(*, evening: Evening, actor: Actor) -> None:
    """Take back an evening that was begun by mistake: only where no line was ever entered. One that was booked stays, as dropped.
    Open Bock games that it carried on can go on elsewhere then. Raises EveningHasLines, EveningIsCarriedOn."""
    locked = _lock(evening)
    brought_along = Table.objects.filter(evening=locked, imported__isnull=False)
    typed = Game.objects.filter(round__table__evening=locked), LateEntry.objects.filter(table__evening=locked)
    if brought_along.exists() or any(lines.exists() for lines in typed):
        raise EveningHasLines
    if Table.objects.filter(carries_on__evening=locked).exists():
        raise EveningIsCarriedOn
    is_booked = Entry.objects.filter(evening=locked).exists()
    if not is_booked:
        record(
            club=locked.club,
            actor=actor,
            verb=Verb.EVENING_DISCARDED,
            subject=locked.pk,
            before={"held_on": locked.held_on.isoformat()},
        )
    # Who sat down before the first game stays in the history; the table itself is no more.
    Change.objects.filter(table__evening=locked).update(table=None)
    Seat.objects.filter(round__table__evening=locked).delete()
    Round.objects.filter(table__evening=locked).delete()
    TableLink.objects.filter(table__evening=locked).delete()
    Table.objects.filter(evening=locked).delete()
    let_go(locked, actor=actor, booked=is_booked)


@transaction.atomic
def correct_evening(
    *, evening: Evening, actor: Actor, held_on: datetime.date, place: str, points: Mapping[int, int] | None = None
) -> bool:
    """Change the day and the place of an evening, and with `points`, by the id of each person, the results of one that came
    from an old list without its games. Seasons, lists and books follow. Return whether anything changed. Raises
    EveningIsDropped, EveningIsClosed, CarriedInOrder, ValidationError (by field)."""
    _lock_carrying(evening)
    locked = _lock(evening)
    if locked.dropped:
        raise EveningIsDropped
    if not (locked.is_open or actor.admin):
        raise EveningIsClosed
    # A change that names the table of a list keeps the list from being taken back.
    imported = Table.objects.filter(evening=locked, imported__isnull=False).first()
    table = imported if points is not None and imported and imported.without_games else None
    before, was = _facts_of(locked, table), locked.held_on
    if held_on != was:
        require_not_in_future("held_on", held_on)
        locked.held_on = held_on
        _judge_order(locked)
    locked.place = tidy(place)
    locked.clean_fields(exclude=["club", "tariff", "host", "bill_paid_by", "closed_by"])
    locked.save(update_fields=["held_on", "place"])
    if table is not None and points is not None:
        _write_results(table, points)
    after = _facts_of(locked, table)
    if before == after:
        return False
    record(
        club=locked.club,
        actor=actor,
        verb=Verb.EVENING_MENDED,
        subject=locked.pk,
        table=imported,
        before=before,
        after=after,
    )
    if not locked.is_open:
        update_years(locked.club_id, {was.year, held_on.year})
        post_evening(locked, actor=actor, cause=Verb.EVENING_MENDED.label, moved_from=was)
    return True


def _lock_carrying(evening: Evening) -> None:
    """Lock the tables of an evening with those from which and to which open Bock games go on, the earlier evening first."""
    tables = Table.objects.select_for_update(of=("self",)).filter(
        Q(evening=evening) | Q(carried_on_by__evening=evening) | Q(carries_on__evening=evening)
    )
    list(tables.order_by("evening__held_on", "evening", "pk").values_list("pk"))


def _judge_order(moved: Evening) -> None:
    """Refuse a day that puts an evening before one whose open Bock games it plays on, or behind one that plays on its own."""
    own = Table.objects.filter(evening=moved).select_related("carries_on__evening", "carried_on_by__evening")
    for table in own:
        earlier, later = table.carries_on, getattr(table, "carried_on_by", None)
        if earlier and not is_before(earlier.evening, moved):
            raise CarriedInOrder(earlier.evening)
        if later and not is_before(moved, later.evening):
            raise CarriedInOrder(later.evening)


def _facts_of(evening: Evening, table: Table | None) -> dict[str, Any]:
    """Return what the history keeps of an evening: its day, its place, and the results of a `table` without games."""
    found: dict[str, Any] = {"held_on": evening.held_on.isoformat(), "place": evening.place}
    if table is not None:
        results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
        found |= {"players": [player for player, _points in results], "points": [points for _player, points in results]}
    return found


def _write_results(table: Table, points: Mapping[int, int]) -> None:
    """Replace the results of a table of which nothing but these is known."""
    TableResult.objects.filter(table=table).exclude(player__in=points).delete()
    there = {result.player_id: result for result in TableResult.objects.filter(table=table)}
    for player, brought in points.items():
        if player not in there:
            nothing = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
            TableResult.objects.create(table=table, player_id=player, points=brought, **nothing)
        elif there[player].points != brought:
            there[player].points = brought
            there[player].save(update_fields=["points"])


def _lock(evening: Evening) -> Evening:
    """Lock the tables of an evening, so that no game is added meanwhile, and return the evening as it is now. Raises
    Evening.DoesNotExist."""
    list(Table.objects.select_for_update().filter(evening=evening).order_by("pk").values_list("pk"))
    return Evening.objects.select_related("club").get(pk=evening.pk)


class EveningIsOpen(ActionRefused):
    sentence = _("Der Abend läuft noch.")


class EveningHasLines(ActionRefused):
    sentence = _("An diesem Abend wurde schon etwas eingetragen. Er bleibt, auch wenn alles gestrichen ist.")


class EveningIsCarriedOn(ActionRefused):
    sentence = _(
        "Ein späterer Abend spielt die übrigen Böcke dieses Abends weiter. Bitte das an seinem Tisch zuerst wegnehmen."
    )


class CarriedInOrder(ActionRefused):
    """An evening and `other`, which open Bock games link, would change places."""

    sentence = _(
        "Übrige Böcke verbinden diesen Abend mit dem vom %(day)s, und dann läge der spätere vor dem früheren. Bitte das "
        "Weiterspielen zuerst am Tisch wegnehmen."
    )
    field = "held_on"

    def __init__(self, other: Evening) -> None:
        self.other = other

    def __str__(self) -> str:
        return str(self.sentence) % {"day": date_format(self.other.held_on, "SHORT_DATE_FORMAT")}


_ALL = {4: _("vieren"), 5: _("fünfen"), 6: _("sechsen"), 7: _("sieben"), 8: _("achten")}


class RunsAlready(ActionRefused):
    """The same people sit at a `table` of the same day already: another phone began the evening."""

    sentence = _("Heute läuft schon ein Abend mit diesen %(all)s:")

    def __init__(self, table: Table, people: int) -> None:
        self.table, self.people = table, people

    def __str__(self) -> str:
        said = {"all": _ALL[self.people], "day": date_format(self.table.evening.held_on, "SHORT_DATE_FORMAT")}
        if self.table.evening.held_on == get_evening_date():
            return str(self.sentence) % said
        return gettext("Am %(day)s läuft schon ein Abend mit diesen %(all)s:") % said
