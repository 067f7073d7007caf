"""Entries that arrive when the table takes none any more. They are kept as they came; later somebody who may enter there
takes them in at their place, or discards them. The history names who typed and who decided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.actions.facts import attend
from scoring.club.actions import Actor, record
from scoring.club.models import Player, Verb
from scoring.core.errors import ActionRefused
from scoring.play.actions import lock_open, refuse_closed
from scoring.play.models import Game, Round, Table
from scoring.play.queries import Records, lock_table, read_records
from scoring.play.replay import Effect, derive, preview_replay
from scoring.rules.validation import Refused
from scoring.table.actions.games import (
    KeyUsed,
    LineUpChanged,
    Place,
    Saved,
    Typed,
    entered_before,
    lines_of,
    put_line,
    with_line,
)
from scoring.table.actions.seats import seat_again
from scoring.table.models import LateEntry
from scoring.table.queries import sat_once, waiting_at


class TooManyLate(ActionRefused):
    sentence = _("An diesem Tisch wartet schon zu viel auf eine Entscheidung. Bitte den Verwalter fragen.")


class LateEntryDecided(ActionRefused):
    sentence = _("Darüber hat inzwischen schon jemand entschieden.")


# So many wait at one table at most: a long evening's games. One link sends no more than two thirds of that, those included that
# were discarded: a link that was renewed because it got into wrong hands leaves room for all others.
MOST: Final = 60
OF_A_LINK: Final = 40
# What a phone that sends again sends the same.
_CONTENT: Final = ("table_id", "form", "dealer", "facts", "note")


@dataclass(frozen=True)
class Waiting:
    """A late entry, and what taking it in would bring everybody at its table (by id), or why the rules refuse it. `last`:
    it would come to stand behind all other lines."""

    entry: LateEntry
    people: list[Player]
    points: dict[int, int]
    refused: Refused | None
    last: bool


# Seven parameters: the fields of the envelope that a phone sends.
@transaction.atomic
def keep_late(
    *,
    table: Table,
    actor: Actor,
    key: UUID,
    after: UUID | None,
    typed: Typed,
    line_up: int | None = None,
    people: Sequence[int] = (),
) -> LateEntry | Saved:
    """Keep a line that may not be entered here any more, for somebody to decide about. The same key with the same content
    again answers what is kept, or the line that stands by now. `people` are those who sat there, by id, where their round is
    gone or came too late itself. Raises Refused (by field), KeyUsed, LineUpChanged, TooManyLate, WrongLineUp."""
    records = lock_table(table)
    if standing := entered_before(records, key, typed):
        return standing
    seated = _line_up(records, actor, line_up, people, after)
    if seated.pk not in records.line_ups:
        records = read_records(records.table)
    entry = _judged(records, actor, key, after, typed, seated)
    if kept := LateEntry.objects.filter(key=key).first():
        if any(getattr(kept, name) != getattr(entry, name) for name in _CONTENT):
            raise KeyUsed
        return kept
    if waiting_at(table).count() >= MOST:
        raise TooManyLate
    if actor.link and LateEntry.objects.filter(by_link=actor.link).count() >= OF_A_LINK:
        raise TooManyLate
    entry.save(force_insert=True)
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.GAME_CAME_LATE,
        subject=entry.key,
        after=_values(entry),
        table=records.table,
    )
    return entry


@transaction.atomic
def take_in(*, table: Table, actor: Actor, key: UUID) -> Saved:
    """Put a late entry on the sheet, in its place. Once more answers what stands. Raises Refused (by field), KeyUsed,
    LateEntryDecided, EveningIsClosed."""
    records = lock_table(table)
    if standing := records.find(key):
        return Saved(standing, [], records, None)
    refuse_closed(records, actor)
    entry = _waiting(table, key)
    entry.delete()
    # Whoever is known by what came late alone is on the list of the evening from now on.
    attend(records.row.evening)
    game = Game(key=key, entered_by=entry.entered_by)
    return put_line(records, game, place_of(records, entry), _typed(entry), actor)


@transaction.atomic
def discard_late(*, table: Table, actor: Actor, key: UUID) -> None:
    """Decide that a late entry is not taken in; the history keeps what it said. Raises LateEntryDecided,
    EveningIsClosed."""
    _discard(lock_open(table, actor), actor, _waiting(table, key))


@transaction.atomic
def discard_all_late(*, table: Table, actor: Actor, keys: Collection[UUID]) -> int:
    """Discard those of these late entries that still wait at the table, each as `discard_late` does; return how many. One that
    arrived since the page was loaded goes on waiting. Raises EveningIsClosed."""
    records = lock_open(table, actor)
    entries = list(waiting_at(table).filter(key__in=keys))
    for entry in entries:
        _discard(records, actor, entry)
    return len(entries)


def _discard(records: Records, actor: Actor, entry: LateEntry) -> None:
    entry.discarded = True
    entry.save(update_fields=["discarded"])
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.GAME_NOT_TAKEN,
        subject=entry.key,
        before=_values(entry),
        table=records.table,
    )


def preview_late(*, records: Records, key: UUID) -> list[Effect]:
    """What taking a late entry in would change on the sheet; nothing is written. Raises Refused, LateEntryDecided."""
    entry = _waiting(records.table, key)
    return preview_replay(with_line(records, Game(key=key), place_of(records, entry), _typed(entry)))


def look_through(records: Records) -> list[Waiting]:
    """Everything that waits at a table, each as if those before it had been taken in."""
    found = []
    for entry in waiting_at(records.table):
        place = place_of(records, entry)
        last = records.last is None or _is_behind(place, records.last)
        people = records.line_ups[entry.round_id]
        try:
            taken_in = with_line(records, Game(key=entry.key), place, _typed(entry))
            credits = derive(taken_in).scores[entry.key]
        except Refused as refused:
            found.append(Waiting(entry, people, {}, refused, last))
            continue
        records = taken_in
        points = {player: credit.points for player, credit in credits.items()}
        found.append(Waiting(entry, people, points, None, last))
    return found


def place_of(records: Records, entry: LateEntry) -> Place:
    """The place of a late entry: behind the line that it follows. If that line belongs to other people, before the first
    line of its own people; if it does not stand here (any more), behind their last line."""
    line_up = next(line_up for line_up in records.rounds if line_up.pk == entry.round_id)
    followed = next((game for game in records.games if game.key == entry.after), None)
    if followed is not None and followed.round_id == line_up.pk:
        return Place(line_up, followed, behind=True)
    here = [game for game in records.games if game.round_id == line_up.pk]
    if here and (entry.after is None or (followed and followed.round.position < line_up.position)):
        return Place(line_up, here[0], behind=False)
    lines = lines_of(records, line_up.pk)
    return Place(line_up, lines[-1] if lines else None, behind=True)


def _is_behind(place: Place, last: Game) -> bool:
    """Does this place lie behind the last line of the sheet?"""
    if place.line_up.pk != last.round_id:
        return place.line_up.position > last.round.position
    return place.behind and (place.beside is None or place.beside.position >= last.position)


def _judged(records: Records, actor: Actor, key: UUID, after: UUID | None, typed: Typed, seated: Round) -> LateEntry:
    """A late entry that could stand where it says, not yet saved. Raises Refused."""
    entry = LateEntry(
        key=key,
        table=records.table,
        round=seated,
        after=after,
        form=typed.form,
        dealer=typed.dealer,
        entered_by=actor.login,
        spoken_as=actor.spoken_as,
        by_link=actor.link,
    )
    game = Game(key=key)
    with_line(records, game, place_of(records, entry), typed)
    entry.facts, entry.note = game.facts, game.note
    return entry


def _line_up(records: Records, actor: Actor, pk: int | None, people: Sequence[int], after: UUID | None) -> Round:
    """Who sits there now, or sat there when it was typed. Those whose round is gone have another one behind the line that was
    followed, or get one there. Raises LineUpChanged, WrongLineUp."""
    if pk is None:
        return records.rounds[-1]
    if found := next((line_up for line_up in records.rounds if line_up.pk == pk), None):
        return found
    # One that is there is another table's.
    players = None if Round.objects.filter(pk=pk).exists() else sat_once(records, people)
    if not players:
        raise LineUpChanged
    behind = next((game for game in records.games if game.key == after), records.last)
    for seated in records.rounds:
        if records.line_ups[seated.pk] == players and (behind is None or seated.position >= behind.round.position):
            return seated
    return seat_again(records, actor, players, behind)


def _typed(entry: LateEntry) -> Typed:
    return Typed(form=entry.form, facts=entry.facts, dealer=entry.dealer, note=entry.note)


def _waiting(table: Table, key: UUID) -> LateEntry:
    entry = LateEntry.objects.filter(table=table, key=key, discarded=False).select_related("entered_by").first()
    if entry is None:
        raise LateEntryDecided
    return entry


def _values(entry: LateEntry) -> dict[str, Any]:
    """What the history keeps of it: what was typed, and for whom."""
    fields = ("form", "dealer", "facts", "note")
    return {**{name: getattr(entry, name) for name in fields}, "round": entry.round_id}
