"""Who sits at a table, and how many games are planned there. Joining, leaving and changing seats begin a new round, a guest
sits down by name. A round in which nothing was played leaves no trace, so that a slip is put right by doing it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.actions.evenings import post_evenings
from scoring.cash.actions.facts import attend
from scoring.club.actions import Actor, add_player, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import find_player, get_merge_target
from scoring.core.errors import ActionRefused
from scoring.play.actions import WrongLineUp, lock_open, refuse_closed
from scoring.play.models import SEATS, Game, Round, Seat, Table
from scoring.play.queries import Records, get_last_change, lock_table


class NothingToUndo(ActionRefused):
    sentence = _("Das lässt sich nicht mehr rückgängig machen: danach ist schon etwas anderes geschehen.")


class AlreadySeated(ActionRefused):
    sentence = _("Unter diesem Namen sitzt schon jemand am Tisch.")


@dataclass(eq=False)
class SeatedMeanwhile(ActionRefused):
    """Other people sit at the table by now than those in whose place somebody was to sit down: `current`, in seating order."""

    current: Sequence[Player]

    def __str__(self) -> str:
        names = ", ".join(map(str, self.current))
        return _("Inzwischen hat sich am Tisch etwas geändert. Dort sitzen jetzt: %(names)s.") % {"names": names}


@transaction.atomic
def change_line_up(*, table: Table, actor: Actor, players: Sequence[Player]) -> None:
    """From the next game on `players` sit at the table, in seating order; where they do already, nothing is written. Who
    deals next is the next of the old order who still sits there. Raises WrongLineUp, EveningIsClosed."""
    records = lock_open(table, actor)
    _change(records, actor, players)


@transaction.atomic
def swap_seats(*, table: Table, actor: Actor, pair: Sequence[int | None]) -> list[Player]:
    """From the next game on these two sit in each other's place. Raises SeatedMeanwhile unless both sit there, EveningIsClosed."""
    records = lock_open(table, actor)
    seats: dict[int | None, Player] = {player.pk: player for player in records.current}
    if len(pair) != 2 or not seats.keys() >= set(pair):
        raise SeatedMeanwhile(records.current)
    one, other = pair
    swapped = {one: seats[other], other: seats[one]}
    players = [swapped.get(player.pk, player) for player in records.current]
    _change(records, actor, players)
    return players


@transaction.atomic
def replace_player(*, table: Table, actor: Actor, gone: int | None, comes: int | None) -> list[Player]:
    """From the next game on whoever is `gone` sits there no more; in their place does who `comes`, if anybody. Raises
    SeatedMeanwhile unless they sit there, WrongLineUp, EveningIsClosed."""
    records = lock_open(table, actor)
    if gone not in {player.pk for player in records.current}:
        raise SeatedMeanwhile(records.current)
    instead = [] if comes is None else _by_id(records.table.evening.club, [comes])
    sitting = ([player] if player.pk != gone else instead for player in records.current)
    players = [player for place in sitting for player in place]
    _change(records, actor, players)
    return players


@transaction.atomic
def sit_down(*, table: Table, actor: Actor, key: UUID, before: Sequence[int], people: Sequence[int | str]) -> list[Player]:
    """As it was typed on a phone for those who sat there `before`: from the next game on these `people` of the club sit at
    the table, in seating order, by id or by name; a name that nobody has is a guest's. The same key again answers who sat
    down then. Raises SeatedMeanwhile where others sit there by now, ValidationError (by field), WrongLineUp, EveningIsClosed."""
    records = lock_table(table)
    club = records.table.evening.club
    if seated := _seated_by(table, key):
        return seated
    refuse_closed(records, actor)
    named = _known(club, people)
    if named == records.current:
        return records.current
    if _by_id(club, before) != records.current:
        raise SeatedMeanwhile(records.current)
    players = _with_guests(club, actor, named, people)
    _change(records, actor, players, click=key)
    return players


@transaction.atomic
def sit_down_late(*, table: Table, actor: Actor, key: UUID, people: Sequence[int | str]) -> list[Player]:
    """The same after the evening was closed: the line-up is not seated, but the history records it, so that the games they
    played can be handed in late (actions/late.py). Raises ValidationError (by field), WrongLineUp."""
    records = lock_table(table)
    club = records.table.evening.club
    if seated := _seated_by(table, key):
        return seated
    players = _with_guests(club, actor, _known(club, people), people)
    judge_line_up(club, players)
    _record(table, actor, None, players, click=key)
    return players


@transaction.atomic
def undo_line_up(*, table: Table, actor: Actor, change_id: int) -> list[Player]:
    """Whoever sat at the table before its last change sits there again, from the next game on. Raises NothingToUndo where
    something else happened since, WrongLineUp, EveningIsClosed."""
    records = lock_open(table, actor)
    change = get_last_change(table)
    if change is None or change.pk != change_id or not is_line_up_undoable(change):
        raise NothingToUndo
    players = _by_id(records.table.evening.club, (change.before or {})["players"])
    _change(records, actor, players, undoes=change)
    return players


def is_line_up_undoable(change: Change) -> bool:
    """Sitting down and leaving can be taken back once; taking back is not itself taken back."""
    return change.verb == Verb.TABLE_SEATED and change.before is not None and change.undoes_id is None


@transaction.atomic
def seat_guest(*, table: Table, actor: Actor, name: str) -> Player:
    """Whoever has this name in the club, else a new guest, sits down behind the last place. Raises ValidationError (by
    field), AlreadySeated, WrongLineUp, EveningIsClosed."""
    records = lock_open(table, actor)
    club = records.table.evening.club
    player = find_player(club, name)
    if player in records.current:
        raise AlreadySeated
    if len(records.current) == SEATS[-1]:
        raise WrongLineUp
    player = player or _new_guest(club, actor, name)
    _change(records, actor, [*records.current, player])
    return player


def take_in(club: Club, actor: Actor, name: str) -> Player:
    """Whoever has this name in the club, else a new guest; in a transaction. Raises ValidationError (by field)."""
    return find_player(club, name) or _new_guest(club, actor, name)


def judge_line_up(club: Club, players: Sequence[Player]) -> None:
    """Raises WrongLineUp."""
    if len(players) not in SEATS or len({player.pk for player in players}) != len(players):
        raise WrongLineUp
    if any(player.club_id != club.pk or player.merged_into_id for player in players):
        raise WrongLineUp


def seat_players(*, table: Table, players: Sequence[Player]) -> Round:
    """Begin a round of the table with this line-up, in seating order."""
    line_up = Round.objects.create(table=table, position=table.rounds.count() + 1)
    Seat.objects.bulk_create(Seat(round=line_up, place=place, player=p) for place, p in enumerate(players))
    return line_up


def seat_again(records: Records, actor: Actor, players: Sequence[Player], behind: Game | None) -> Round:
    """Make a new round for people whose round is gone, because they played no game before others sat down. It has their
    seating order and stands behind this line (None: at the beginning). Whoever sits at the table now stays there. Raises
    WrongLineUp."""
    table = records.table
    judge_line_up(table.evening.club, players)
    position = 1 + (behind.round.position if behind else 0)
    later = [line_up for line_up in records.rounds if line_up.position >= position]
    # From the last one on, for no two may share a position in between.
    for line_up in reversed(later):
        line_up.position += 1
        line_up.save(update_fields=["position"])
    again = Round.objects.create(table=table, position=position)
    Seat.objects.bulk_create(Seat(round=again, place=place, player=player) for place, player in enumerate(players))
    if not later:
        seat_players(table=table, players=records.current)
    _record(table, actor, before=None, after=players)
    return again


def _seated_by(table: Table, key: UUID) -> list[Player]:
    """Who was seated under this key already."""
    seated = Change.objects.filter(table=table, verb=Verb.TABLE_SEATED, click=key).first()
    return _by_id(table.evening.club, (seated.after or {})["players"]) if seated else []


def _known(club: Club, people: Sequence[int | str]) -> list[Player | None]:
    """The people of the club with these ids and names; nothing for a name that nobody has. Raises WrongLineUp."""
    ids = [one for one in people if isinstance(one, int)]
    known = dict(zip(ids, _by_id(club, ids), strict=True))
    return [known[one] if isinstance(one, int) else find_player(club, one) for one in people]


def _with_guests(club: Club, actor: Actor, known: Sequence[Player | None], people: Sequence[int | str]) -> list[Player]:
    return [player or _new_guest(club, actor, str(one)) for player, one in zip(known, people, strict=True)]


def _by_id(club: Club, ids: Sequence[int]) -> list[Player]:
    """The people of the club with these ids, as they are kept now. Raises WrongLineUp where one is nobody's."""
    known = Player.objects.filter(club=club).in_bulk(ids)
    if not known.keys() >= set(ids):
        raise WrongLineUp
    return [get_merge_target(known[pk]) for pk in ids]


def _change(
    records: Records,
    actor: Actor,
    players: Sequence[Player],
    undoes: Change | None = None,
    click: UUID | None = None,
) -> None:
    table, before = records.table, records.current
    judge_line_up(table.evening.club, players)
    if list(players) == before:
        return
    standing = records.rounds[:-1] if _drop_unplayed(records.rounds[-1]) else records.rounds
    # Back to who sat there before: their round goes on.
    if not standing or records.line_ups[standing[-1].pk] != list(players):
        seat_players(table=table, players=players)
    _record(table, actor, before, players, undoes, click)
    evening = records.row.evening
    attend(evening, gone=[player for player in before if player not in players])
    post_evenings([evening], actor=actor, cause=Verb.TABLE_SEATED.label)


def _record(
    table: Table,
    actor: Actor,
    before: Sequence[Player] | None,
    after: Sequence[Player],
    undoes: Change | None = None,
    click: UUID | None = None,
) -> None:
    """Write into the history who sat there before, and who does now. Without a `before` the round is only for the lines
    that come to stand in it."""
    record(
        club=table.evening.club,
        actor=actor,
        verb=Verb.TABLE_SEATED,
        subject=table.pk,
        before=None if before is None else {"players": [player.pk for player in before]},
        after={"players": [player.pk for player in after]},
        table=table,
        undoes=undoes,
        click=click,
    )


def _new_guest(club: Club, actor: Actor, name: str) -> Player:
    return add_player(club=club, actor=Actor(actor.login), name=name, guest=True)


def _drop_unplayed(line_up: Round) -> bool:
    """Take a round away in which no line was ever entered, and for which none came late. The next one is another row, so a
    phone that still shows this line-up is found out."""
    if Game.objects.filter(round=line_up).exists() or line_up.late_entries.exists():
        return False
    Seat.objects.filter(round=line_up).delete()
    line_up.delete()
    return True
