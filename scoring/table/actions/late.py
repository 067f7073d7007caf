"""Late entries: lines that arrive when the table takes no more. They are stored as typed; later they are entered or discarded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.actions import update_attendance
from scoring.club.actions import Actor, record
from scoring.club.models import Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.play.models import Game, Round, Table
from scoring.play.queries import Records, get_content, lock_table, read_records
from scoring.play.replay import Effect, derive, lock_open, preview_replay, refuse_closed
from scoring.rules.validation import Refused
from scoring.table.actions import games
from scoring.table.actions.seats import restore_line_up
from scoring.table.models import LateEntry
from scoring.table.queries import find_line_up, list_late_entries

# The most late entries that wait at one table: the games of a long evening. One link may send two thirds of that, including
# discarded ones, so that a link in the wrong hands leaves room for all others.
MOST: Final = 60
OF_A_LINK: Final = 40


@transaction.atomic
def keep_late_entry(
    *,
    table: Table,
    actor: Actor,
    key: UUID,
    after: UUID | None,
    typed: games.Typed,
    round_id: int | None = None,
    people: Sequence[int] = (),
) -> LateEntry | games.Saved:
    """Store a line that may not be added any more. The same key and content again returns the stored entry, or its line.

    `people` are the ids of its players in seating order, used if there is no round `round_id`: it was deleted, or the players sat
    down too late themselves. Raise Refused (by field), WrongLineUp, InvalidInput or ActionRefused."""
    records = lock_table(table)
    if standing := games.find_saved(records, key, typed):
        return standing
    round_ = games.find_round(records, round_id) or _restore_late_round(records, actor, round_id or 0, people, after)
    if round_.pk not in records.line_ups:
        records = read_records(records.table)
    entry = LateEntry(
        key=key,
        table=records.table,
        round=round_,
        after=after,
        form=typed.form,
        dealer=typed.dealer,
        entered_by=actor.login,
        spoken_as=actor.spoken_as,
        by_link=actor.link,
    )
    # The line must be valid at its place.
    game = build_game(records, entry)
    games.build_with_line(records, game, typed)
    entry.facts, entry.note = game.facts, game.note
    if kept := LateEntry.objects.filter(key=key).first():
        if kept.table_id != entry.table_id or get_content(kept) != get_content(entry):
            raise InvalidInput(games.KEY_USED)
        return kept
    from_link = LateEntry.objects.filter(by_link=actor.link).count() if actor.link else 0
    if list_late_entries(table).count() >= MOST or from_link >= OF_A_LINK:
        raise ActionRefused(_("An diesem Tisch wartet schon zu viel auf eine Entscheidung. Bitte den Verwalter fragen."))
    entry.save(force_insert=True)
    club, values = records.table.evening.club, _get_logged_values(entry)
    record(club=club, actor=actor, verb=Verb.GAME_CAME_LATE, subject=entry.key, after=values, table=records.table)
    return entry


@transaction.atomic
def enter_late_entry(*, table: Table, actor: Actor, key: UUID) -> games.Saved:
    """Put a late entry on the sheet at its place. Raise Refused (by field), EveningIsClosed or ActionRefused."""
    records = lock_table(table)
    if standing := records.find(key):
        return games.Saved(standing, [], records, None)
    refuse_closed(records, actor)
    entry = _get_waiting_entry(table, key)
    game = build_game(records, entry)
    entry.delete()
    # A player who has only late entries is on the attendance list from now on.
    update_attendance(records.row.evening)
    return games.put_line(records, game, _get_typed(entry), actor)


@transaction.atomic
def discard_late_entry(*, table: Table, actor: Actor, key: UUID) -> None:
    """Discard a late entry; the history keeps its content. Raise EveningIsClosed or ActionRefused."""
    _discard(lock_open(table, actor), actor, _get_waiting_entry(table, key))


@transaction.atomic
def discard_late_entries(*, table: Table, actor: Actor, keys: Collection[UUID]) -> int:
    """Discard those of these late entries that still wait; return how many. Raise EveningIsClosed."""
    records = lock_open(table, actor)
    entries = list(list_late_entries(table).filter(key__in=keys))
    for entry in entries:
        _discard(records, actor, entry)
    return len(entries)


def _discard(records: Records, actor: Actor, entry: LateEntry) -> None:
    entry.discarded = True
    entry.save(update_fields=["discarded"])
    club, before = records.table.evening.club, _get_logged_values(entry)
    record(club=club, actor=actor, verb=Verb.GAME_NOT_TAKEN, subject=entry.key, before=before, table=records.table)


def preview_late_entry(*, records: Records, key: UUID) -> list[Effect]:
    """Return what entering a late entry would change, without writing. Raise Refused (by field) or ActionRefused."""
    entry = _get_waiting_entry(records.table, key)
    return preview_replay(games.build_with_line(records, build_game(records, entry), _get_typed(entry)))


def list_waiting_entries(records: Records) -> list[LateEntry]:
    """Return all late entries of a table, each valued as if those before it had been entered."""
    entries = list(list_late_entries(records.table))
    for entry in entries:
        game, last = build_game(records, entry), records.last
        entry.points, entry.refused = {}, None
        entry.is_last = last is None or (game.round.position, game.position) > (last.round.position, last.position)
        try:
            taken_in = games.build_with_line(records, game, _get_typed(entry))
            lines = derive(taken_in).lines[entry.key]
        except Refused as refused:
            entry.refused = refused
        else:
            records = taken_in
            entry.points = {player: line.points for player, line in lines.items()}
    return entries


def build_game(records: Records, entry: LateEntry) -> Game:
    """Return the line of a late entry, still without content, at its place: behind the line that it follows, if that is in its
    round; before the first line of its round, if it follows none or a line of an earlier round; otherwise behind the last line."""
    round_ = next(one for one in records.rounds if one.pk == entry.round_id)
    followed = next((game for game in records.games if game.key == entry.after), None)
    here = [game for game in records.games if game.round_id == round_.pk]
    if followed is not None and followed.round_id == round_.pk:
        position = games.get_beside(followed, behind=True)
    elif here and (entry.after is None or (followed and followed.round.position < round_.position)):
        position = games.get_beside(here[0], behind=False)
    else:
        lines = games.list_round_lines(records, round_.pk)
        position = games.get_beside(lines[-1], behind=True) if lines else 0
    return Game(key=entry.key, round=round_, position=position, entered_by=entry.entered_by)


def _restore_late_round(records: Records, actor: Actor, pk: int, people: Sequence[int], after: UUID | None) -> Round:
    """Return a round for people whose own round `pk` was deleted: unlike a game in time, any round of theirs from the line `after`
    (else the last line) on will do, or a new one. Raise WrongLineUp or ActionRefused."""
    # If it exists, it belongs to another table.
    players = None if Round.objects.filter(pk=pk).exists() else find_line_up(records, people)
    if not players:
        raise ActionRefused(games.LINE_UP_CHANGED)
    behind = next((game for game in records.games if game.key == after), records.last)
    for round_ in records.rounds:
        if records.line_ups[round_.pk] == players and (behind is None or round_.position >= behind.round.position):
            return round_
    return restore_line_up(records, actor, players, behind)


def _get_typed(entry: LateEntry) -> games.Typed:
    return games.Typed(**get_content(entry))


def _get_waiting_entry(table: Table, key: UUID) -> LateEntry:
    entry = LateEntry.objects.filter(table=table, key=key, discarded=False).select_related("entered_by").first()
    if entry is None:
        raise ActionRefused(_("Darüber hat inzwischen schon jemand entschieden."))
    return entry


def _get_logged_values(entry: LateEntry) -> dict[str, Any]:
    return {**get_content(entry), "round": entry.round_id}
