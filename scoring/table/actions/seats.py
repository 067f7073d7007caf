"""Writes of the line-up of a table. Each change begins a new round; a round without a line is deleted again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.actions import update_attendance
from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import Actor, add_player, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import find_player, get_merge_target
from scoring.core.errors import ActionRefused
from scoring.play.models import SEATS, Game, Round, Seat, Table
from scoring.play.queries import Records, get_last_change, lock_table
from scoring.play.replay import WrongLineUp, lock_open, refuse_closed

NOTHING_TO_UNDO: Final = _("Das lässt sich nicht mehr rückgängig machen: danach ist schon etwas anderes geschehen.")


class SeatedMeanwhile(ActionRefused):
    """Other people than the client named sit at the table now: `current`, in seating order."""

    def __init__(self, current: Sequence[Player]) -> None:
        sentence = _("Inzwischen hat sich am Tisch etwas geändert. Dort sitzen jetzt: %(names)s.")
        super().__init__(sentence % {"names": ", ".join(map(str, current))})
        self.current = current


@transaction.atomic
def change_line_up(*, table: Table, actor: Actor, players: Sequence[Player]) -> None:
    """Seat `players`, in seating order, from the next game on; the next of the old order who still sits deals. If they sit there
    already, nothing is written. Raise WrongLineUp, EveningIsClosed."""
    records = lock_open(table, actor)
    _change_line_up(records, actor, players)


@transaction.atomic
def swap_seats(*, table: Table, actor: Actor, pair: Sequence[int | None]) -> list[Player]:
    """Let two players (by id) swap their seats; return the new line-up. Raise SeatedMeanwhile or EveningIsClosed."""
    records = lock_open(table, actor)
    seats: dict[int | None, Player] = {player.pk: player for player in records.current}
    if len(pair) != 2 or not seats.keys() >= set(pair):
        raise SeatedMeanwhile(records.current)
    one, other = pair
    swapped = {one: seats[other], other: seats[one]}
    players = [swapped.get(player.pk, player) for player in records.current]
    _change_line_up(records, actor, players)
    return players


@transaction.atomic
def replace_player(*, table: Table, actor: Actor, gone: int | None, comes: int | None) -> list[Player]:
    """Seat the player `comes`, if any, instead of `gone`. Raise SeatedMeanwhile, WrongLineUp or EveningIsClosed."""
    records = lock_open(table, actor)
    if gone not in {player.pk for player in records.current}:
        raise SeatedMeanwhile(records.current)
    instead = [] if comes is None else _get_players(records.table.evening.club, [comes])
    sitting = ([player] if player.pk != gone else instead for player in records.current)
    players = [player for place in sitting for player in place]
    _change_line_up(records, actor, players)
    return players


@transaction.atomic
def sit_down(*, table: Table, actor: Actor, key: UUID, before: Sequence[int], people: Sequence[int | str]) -> list[Player]:
    """Seat people as a phone sent it, from the next game on; return them. The same key again returns those seated then.

    `before` are the ids of who sat there when it was typed. `people` are ids or names; an unknown name becomes a guest. Raise
    SeatedMeanwhile if others sit there now, ValidationError (by field), WrongLineUp or EveningIsClosed."""
    records = lock_table(table)
    club = records.table.evening.club
    if seated := _find_seated(table, key):
        return seated
    refuse_closed(records, actor)
    named = _find_people(club, people)
    if named == records.current:
        return records.current
    if _get_players(club, before) != records.current:
        raise SeatedMeanwhile(records.current)
    players = _add_guests(club, actor, named, people)
    _change_line_up(records, actor, players, click=key)
    return players


@transaction.atomic
def sit_down_late(*, table: Table, actor: Actor, key: UUID, people: Sequence[int | str]) -> list[Player]:
    """Log a line-up that arrived late, for its late entries, without a round. Raise ValidationError (by field), WrongLineUp."""
    records = lock_table(table)
    club = records.table.evening.club
    if seated := _find_seated(table, key):
        return seated
    players = _add_guests(club, actor, _find_people(club, people), people)
    check_line_up(club, players)
    _record_line_up(table, actor, None, players, click=key)
    return players


@transaction.atomic
def undo_line_up(*, table: Table, actor: Actor, change_id: int) -> list[Player]:
    """Undo the last change; return the players. Raise WrongLineUp, EveningIsClosed or ActionRefused."""
    records = lock_open(table, actor)
    change = get_last_change(table)
    if change is None or change.pk != change_id or not is_line_up_undoable(change):
        raise ActionRefused(NOTHING_TO_UNDO)
    players = _get_players(records.table.evening.club, (change.before or {})["players"])
    _change_line_up(records, actor, players, undoes=change)
    return players


def is_line_up_undoable(change: Change) -> bool:
    """Return whether this change of the line-up can be undone. An undo cannot be undone."""
    return change.verb == Verb.TABLE_SEATED and change.before is not None and change.undoes_id is None


@transaction.atomic
def seat_guest(*, table: Table, actor: Actor, name: str) -> Player:
    """Seat a player or a new guest behind the last seat. Raise ValidationError (by field), WrongLineUp, EveningIsClosed or
    ActionRefused."""
    records = lock_open(table, actor)
    club = records.table.evening.club
    player = find_player(club, name)
    if player in records.current:
        raise ActionRefused(_("Unter diesem Namen sitzt schon jemand am Tisch."))
    if len(records.current) == SEATS[-1]:
        raise WrongLineUp
    player = player or _add_guest(club, actor, name)
    _change_line_up(records, actor, [*records.current, player])
    return player


def find_or_add_player(club: Club, actor: Actor, name: str) -> Player:
    """Return the player with this name, or a new guest, in the caller's transaction. Raise ValidationError (by field)."""
    return find_player(club, name) or _add_guest(club, actor, name)


def check_line_up(club: Club, players: Sequence[Player]) -> None:
    """Raise WrongLineUp if these players cannot form a table: too few, too many, the same twice, merged, or of another club."""
    valid = len(players) in SEATS and len({player.pk for player in players}) == len(players)
    if not valid or any(player.club_id != club.pk or player.merged_into_id for player in players):
        raise WrongLineUp


def seat_players(*, table: Table, players: Sequence[Player], position: int | None = None) -> Round:
    """Create a round of these players, in seating order, at this position or behind the last round."""
    round_ = Round.objects.create(table=table, position=position or table.rounds.count() + 1)
    Seat.objects.bulk_create(Seat(round=round_, place=place, player=p) for place, p in enumerate(players))
    return round_


def restore_line_up(records: Records, actor: Actor, players: Sequence[Player], behind: Game | None) -> Round:
    """Create a round behind this line, or as the first, for players whose round was deleted. Raise WrongLineUp."""
    table = records.table
    check_line_up(table.evening.club, players)
    position = 1 + (behind.round.position if behind else 0)
    later = [round_ for round_ in records.rounds if round_.position >= position]
    # The last one first, because two rounds must never share a position.
    for round_ in reversed(later):
        round_.position += 1
        round_.save(update_fields=["position"])
    again = seat_players(table=table, players=players, position=position)
    if not later:
        seat_players(table=table, players=records.current)
    _record_line_up(table, actor, before=None, after=players)
    return again


def _find_seated(table: Table, key: UUID) -> list[Player]:
    seated = Change.objects.filter(table=table, verb=Verb.TABLE_SEATED, click=key).first()
    return _get_players(table.evening.club, (seated.after or {})["players"]) if seated else []


def _find_people(club: Club, people: Sequence[int | str]) -> list[Player | None]:
    """Return the player for each id or name, None for an unknown name. Raise WrongLineUp for an unknown id."""
    ids = [one for one in people if isinstance(one, int)]
    known = dict(zip(ids, _get_players(club, ids), strict=True))
    return [known[one] if isinstance(one, int) else find_player(club, one) for one in people]


def _add_guests(club: Club, actor: Actor, known: Sequence[Player | None], people: Sequence[int | str]) -> list[Player]:
    return [player or _add_guest(club, actor, str(one)) for player, one in zip(known, people, strict=True)]


def _get_players(club: Club, ids: Sequence[int]) -> list[Player]:
    """Return the players with these ids; merged players are replaced. Raise WrongLineUp for an unknown id."""
    known = Player.objects.filter(club=club).in_bulk(ids)
    if not known.keys() >= set(ids):
        raise WrongLineUp
    return [get_merge_target(known[pk]) for pk in ids]


def _change_line_up(
    records: Records, actor: Actor, players: Sequence[Player], undoes: Change | None = None, click: UUID | None = None
) -> None:
    table, before = records.table, records.current
    check_line_up(table.evening.club, players)
    if list(players) == before:
        return
    standing = records.rounds[:-1] if _delete_if_unplayed(records.rounds[-1]) else records.rounds
    # The players of the round before sit there again: their round goes on.
    if not standing or records.line_ups[standing[-1].pk] != list(players):
        seat_players(table=table, players=players)
    _record_line_up(table, actor, before, players, undoes, click)
    evening = records.row.evening
    update_attendance(evening, gone=[player for player in before if player not in players])
    post_evenings([evening], actor=actor, cause=Verb.TABLE_SEATED.label)


def _record_line_up(
    table: Table,
    actor: Actor,
    before: Sequence[Player] | None,
    after: Sequence[Player],
    undoes: Change | None = None,
    click: UUID | None = None,
) -> None:
    """Log the line-ups; `before` is None if the round only serves lines that were typed earlier."""
    club, verb = table.evening.club, Verb.TABLE_SEATED
    sat = None if before is None else {"players": [player.pk for player in before]}
    sits = {"players": [player.pk for player in after]}
    record(club=club, actor=actor, verb=verb, subject=table.pk, before=sat, after=sits, table=table, undoes=undoes, click=click)


def _add_guest(club: Club, actor: Actor, name: str) -> Player:
    return add_player(club=club, actor=Actor(actor.login), name=name, guest=True)


def _delete_if_unplayed(round_: Round) -> bool:
    """Delete a round without any line. The next one gets another id, so that a phone with the old line-up is recognized."""
    if Game.objects.filter(round=round_).exists() or round_.late_entries.exists():
        return False
    Seat.objects.filter(round=round_).delete()
    round_.delete()
    return True
