"""Entering, correcting, deleting and undoing a line of the sheet. A key books once, a new game names the one it
follows, a correction names the version it saw; every change replays the table and reports what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_noop as _

from scoring.cash.actions.evenings import post_evenings
from scoring.cash.actions.facts import attend
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Player, Verb
from scoring.core.text import tidy
from scoring.play.actions import check_line, lock_open, refuse_closed
from scoring.play.models import POSITION_STEP, Game, Round, Table
from scoring.play.queries import (
    GAMES,
    Records,
    get_last_change,
    get_logged_values,
    lock_table,
    propose_before,
    read_records,
)
from scoring.play.replay import Effect, list_changed_evenings, preview_replay, replay
from scoring.rules.parsing import move_game_specials, normalize_facts
from scoring.rules.validation import Refused, Sentence
from scoring.table.errors import AnotherGameFirst, GameIsDeleted, KeyUsed, LineUpChanged, NothingToUndo, StaleVersion
from scoring.table.queries.seats import sat_once

from .seats import seat_again

# Lines that nobody dealt.
UNDEALT: Final = (Game.Form.PENALTY, Game.Form.CORRECTION)
ENTERED: Final = (Verb.GAME_ADDED, Verb.GAME_INSERTED)


@dataclass(frozen=True)
class Typed:
    """One line of the sheet as it comes from a phone. `dealer` None: the one the program proposes."""

    form: str
    facts: dict[str, Any]
    dealer: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Saved:
    """What an action did: the line, the lines it changed (itself among them) and the change to name when undoing it.
    `change` is None where nothing had to be done: the same game had arrived before."""

    game: Game
    effects: list[Effect]
    records: Records
    change: Change | None


# Seven parameters: the fields of the envelope that a phone sends.
@transaction.atomic
def add_game(
    *,
    table: Table,
    actor: Actor,
    key: UUID,
    after: UUID | None,
    typed: Typed,
    line_up: int | None = None,
    people: Sequence[int] = (),
) -> Saved:
    """Put a new line behind the game `after` (None: the first of the sheet). The same key with the same content again
    answers what is stored. `line_up` is the round whose seats were typed, where the phone said so: where others have sat
    down since, the line stands behind the last one of that round. `people` are those who sat there, by id, should that
    round be gone by now; nobody else can be named. Raises Refused (by field), KeyUsed, AnotherGameFirst, LineUpChanged,
    WrongLineUp, EveningIsClosed."""
    records = lock_table(table)
    if standing := entered_before(records, key, typed):
        return standing
    refuse_closed(records, actor)
    seated = _seated(records, line_up)
    came_back = seated is None
    if seated is None:
        seated = _seated_once(records, actor, people, after)
        records = read_records(records.table)
    last = _last_until(records, seated)
    if after != (last.key if last else None):
        raise AnotherGameFirst(_following(records, after), last)
    game = Game(key=key, round=seated, position=_next_position(records, seated), entered_by=actor.login)
    saved = save_new(records, game, typed, actor, Verb.GAME_ADDED)
    if came_back:
        # They were taken off the list of the evening with their round.
        attend(records.row.evening)
        post_evenings([records.row.evening], actor=actor, cause=Verb.TABLE_SEATED.label)
    return saved


@transaction.atomic
def add_games(*, table: Table, actor: Actor, lines: Sequence[tuple[UUID, Typed]]) -> Records:
    """Put new lines, with their keys, behind the last one as `add_game` does one after the other, with one replay for all
    of them: for whoever brings a whole sheet. All or none. Raises Refused (by field), KeyUsed, EveningIsClosed."""
    records = lock_open(table, actor)
    added, here = [], records.rounds[-1]
    for key, typed in lines:
        game = Game(key=key, round=here, position=_next_position(records, here), entered_by=actor.login)
        fill(game, typed, records)
        added.append(game)
        records = replace(records, games=[*records.games, game])
    try:
        Game.objects.bulk_create(added)
    except IntegrityError as error:
        raise KeyUsed from error
    click = uuid4()
    found = replay(records, actor=actor, click=click)
    for game in added:
        record(
            club=records.table.evening.club,
            actor=actor,
            verb=Verb.GAME_ADDED,
            subject=game.key,
            after=get_logged_values(game),
            table=records.table,
            click=click,
        )
    post_evenings(list_changed_evenings(records, found), actor=actor, cause=Verb.GAME_ADDED.label)
    return records


@transaction.atomic
def correct_game(*, table: Table, actor: Actor, key: UUID, version: int, typed: Typed) -> Saved:
    """Replace what was typed in a line that stands, seen at `version`. The same correction of the same version again
    answers what is stored, whatever became of the line since. Raises Refused, StaleVersion, GameIsDeleted,
    EveningIsClosed."""
    records = lock_table(table)
    standing = records.find(key)
    if standing is not None and _is_corrected(records, standing, version, typed):
        return Saved(standing, [], records, None)
    refuse_closed(records, actor)
    game = at_version(records, key, version)
    before = get_logged_values(game)
    fill(game, typed, records)
    return save_line(records, game, actor, Verb.GAME_CORRECTED, before)


@transaction.atomic
def delete_game(*, table: Table, actor: Actor, key: UUID, version: int) -> Saved:
    """Strike a line out, seen at `version`; the history keeps it. One that is struck out already stays so. Raises
    StaleVersion, GameIsDeleted (no such line), EveningIsClosed."""
    records = lock_table(table)
    standing = records.find(key)
    if standing is not None and standing.deleted:
        return Saved(standing, [], records, None)
    refuse_closed(records, actor)
    game = at_version(records, key, version)
    before = get_logged_values(game)
    game.deleted = True
    return save_line(_without(records, game), game, actor, Verb.GAME_DELETED, before)


@transaction.atomic
def undo(*, table: Table, actor: Actor, change_id: int) -> Saved:
    """Take the last change of the table back: an entry is struck out, a correction taken back, a line that was moved or
    deleted put back in its place. Raises NothingToUndo where something else happened since, EveningIsClosed."""
    records = lock_open(table, actor)
    change = get_last_change(table)
    if change is None or change.pk != change_id or not undoable(change):
        raise NothingToUndo
    game = records.find(UUID(change.subject_id))
    if game is None:
        raise NothingToUndo
    before = get_logged_values(game)
    if change.verb in ENTERED:
        game.deleted = True
        return save_line(_without(records, game), game, actor, Verb.GAME_DELETED, before, undoes=change)
    if change.verb == Verb.GAME_DELETED:
        game.deleted = False
        return save_line(in_order(records, game), game, actor, Verb.GAME_RESTORED, None, undoes=change)
    _put_back(game, change.before or {}, records)
    # A correction and a move are taken back by another one of the same kind.
    return save_line(in_order(records, game), game, actor, Verb(change.verb), before, undoes=change)


def _put_back(game: Game, was: dict[str, Any], records: Records) -> None:
    """The line as it was: nothing happened at the table since, so its round and its place are still there."""
    game.round = next(line_up for line_up in records.rounds if line_up.pk == was["round"])
    game.form, game.dealer, game.position = was["form"], was["dealer"], was["position"]
    game.facts, game.note = was["facts"], was["note"]


def undoable(change: Change) -> bool:
    """Entries, corrections, moves and deletions can be taken back once; taking back is not itself taken back."""
    return change.undoes_id is None and change.verb in (
        *ENTERED,
        Verb.GAME_CORRECTED,
        Verb.GAME_MOVED,
        Verb.GAME_DELETED,
    )


def preview_correction(*, records: Records, key: UUID, typed: Typed) -> list[Effect]:
    """What correcting a line would change on the sheet; nothing is written. Raises Refused, GameIsDeleted."""
    game = copy(standing_line(records, key))
    fill(game, typed, records)
    return preview_replay(replace(records, games=[game if g.key == key else g for g in records.games]))


def preview_deletion(*, records: Records, key: UUID) -> list[Effect]:
    """What deleting a line would change on the sheet; nothing is written. Raises GameIsDeleted."""
    return preview_replay(_without(records, standing_line(records, key)))


def fill(game: Game, typed: Typed, records: Records) -> None:
    """Put what was typed into the line, judged by the rules of the table. Raises Refused."""
    if typed.dealer is not None:
        game.dealer = typed.dealer
    elif game.dealer is None and typed.form not in UNDEALT:
        game.dealer = propose_before(records, game).dealer
    game.form, game.note = typed.form, tidy(typed.note)
    game.facts = _judged(typed, game.dealer, records.line_up(game), records)
    try:
        game.clean_fields(exclude=["round", "entered_by", "facts"])
    except ValidationError as error:
        raise Refused({field: Sentence(texts[0]) for field, texts in error.message_dict.items()}) from error


def _judged(typed: Typed, dealer: int | None, people: Sequence[Player], records: Records) -> dict[str, Any]:
    """The facts as they are stored: judged, and without what says nothing. Raises Refused, which names the people."""
    rules = records.table.rule_set.rules.at(len(people))
    facts = move_game_specials(typed.facts, rules)
    try:
        check_line(typed.form, facts, rules, dealer)
    except Refused as refused:
        raise refused.with_names(people) from refused
    return normalize_facts(facts)


def standing_line(records: Records, key: UUID) -> Game:
    game = records.find(key)
    if game is None or game.deleted:
        raise GameIsDeleted
    return game


def at_version(records: Records, key: UUID, version: int) -> Game:
    game = standing_line(records, key)
    if game.version != version:
        raise StaleVersion(game)
    return game


def entered_before(records: Records, key: UUID, typed: Typed) -> Saved | None:
    """The line that has this key already. A retry carries what was first sent, even where the line has been corrected since.
    Raises KeyUsed."""
    if (standing := records.find(key)) is None:
        return None
    if not _is_same(records, standing, typed, get_logged_values(standing)):
        first = Change.objects.filter(subject_id=str(key), verb__in=ENTERED).first()
        if first is None or first.after is None or not _is_same(records, standing, typed, first.after):
            raise KeyUsed
    return Saved(standing, [], records, None)


def _is_corrected(records: Records, standing: Game, version: int, typed: Typed) -> bool:
    """Did this very correction replace this version? A phone that lost the answer sends it again."""
    if standing.version <= version:
        return False
    corrections = Change.objects.filter(subject_id=str(standing.key), verb=Verb.GAME_CORRECTED, undoes=None)
    done = corrections.filter(after__version=version + 1).first()
    return done is not None and done.after is not None and _is_same(records, standing, typed, done.after)


def _is_same(records: Records, standing: Game, typed: Typed, values: dict[str, Any]) -> bool:
    """Is this what was typed? Whoever named no dealer took the one that was proposed. The line may have been moved to
    other people since; a line-up that is no more is taken for the one it has now."""
    dealer = values["dealer"] if typed.dealer is None else typed.dealer
    line_up = records.line_ups.get(values["round"], records.line_up(standing))
    try:
        facts = _judged(typed, dealer, line_up, records)
    except Refused:
        return False
    sent = {"form": typed.form, "dealer": dealer, "facts": facts, "note": tidy(typed.note)}
    return all(sent[field] == values[field] for field in sent)


def _seated(records: Records, line_up: int | None) -> Round | None:
    """The round with this number, the one that sits there now where none is named."""
    if line_up is None:
        return records.rounds[-1]
    return next((seated for seated in records.rounds if seated.pk == line_up), None)


def _seated_once(records: Records, actor: Actor, people: Sequence[int], after: UUID | None) -> Round:
    """The round for people whose own round is gone because they played no game before others sat down: another round of
    theirs behind the same line, or a new one there. Raises LineUpChanged if the phone names nobody, or somebody who never
    sat there; AnotherGameFirst, WrongLineUp."""
    players = sat_once(records, people)
    if not players:
        raise LineUpChanged
    behind = next((game for game in records.games if game.key == after), None)
    last = _last_until(records, behind.round) if behind else records.last
    if after and (behind is None or last is None or behind.key != last.key):
        raise AnotherGameFirst(_following(records, after), last)
    before = behind.round.position if behind else 0
    for seated in records.rounds:
        if records.line_ups[seated.pk] == players and seated.position in (before, before + 1):
            return seated
    return seat_again(records, actor, players, behind)


def _last_until(records: Records, seated: Round) -> Game | None:
    """The last line that stands when these people get up."""
    return next((game for game in reversed(records.games) if game.round.position <= seated.position), None)


def _following(records: Records, after: UUID | None) -> Game | None:
    """The line that stands where the new one was to go."""
    keys = [game.key for game in records.games]
    behind = records.games[keys.index(after) + 1 :] if after in keys else records.games
    return next(iter(behind), None)


def _next_position(records: Records, seated: Round) -> int:
    here = [g.position for g in [*records.games, *records.deleted] if g.round_id == seated.pk]
    return max(here, default=0) + POSITION_STEP


def _without(records: Records, game: Game) -> Records:
    return replace(records, games=[g for g in records.games if g.key != game.key], deleted=[*records.deleted, game])


def in_order(records: Records, game: Game) -> Records:
    """The records with this line where its position says, in place of the line of that key."""
    others = [g for g in records.games if g.key != game.key]
    games = sorted([*others, game], key=lambda g: (g.round.position, g.position))
    return replace(records, games=games, deleted=[g for g in records.deleted if g.key != game.key])


def save_new(records: Records, game: Game, typed: Typed, actor: Actor, verb: Verb) -> Saved:
    """Put a new line where its position says. Raises Refused (by field), KeyUsed."""
    records = in_order(records, game)
    fill(game, typed, records)
    try:
        game.save(force_insert=True)
    except IntegrityError as error:
        raise KeyUsed from error
    return finish(records, game, actor, verb, before=None)


def save_line(
    records: Records, game: Game, actor: Actor, verb: Verb, before: dict[str, Any] | None, undoes: Change | None = None
) -> Saved:
    game.version += 1
    game.save(force_update=True)
    return finish(records, game, actor, verb, before, undoes)


def finish(
    records: Records, game: Game, actor: Actor, verb: Verb, before: dict[str, Any] | None, undoes: Change | None = None
) -> Saved:
    """Replay the table and the later ones that play its open Bock games, write the history, book what closed evenings cost now."""
    click = uuid4()
    new = game if verb == Verb.GAME_ADDED and records.last is game else None
    found = replay(records, actor=actor, click=click, new=new)
    change = record(
        club=records.table.evening.club,
        actor=actor,
        verb=verb,
        subject=game.key,
        before=before,
        after=None if game.deleted else get_logged_values(game),
        table=records.table,
        undoes=undoes,
        click=click,
    )
    post_evenings(list_changed_evenings(records, found), actor=actor, cause=_cause(records, game, verb))
    return Saved(game, found, records, change)


def _cause(records: Records, game: Game, verb: Verb) -> str | Promise:
    """What was done to a line, for whoever reads later why an evening was booked anew."""
    numbers = dict(zip([g.key for g in records.games], records.numbers(), strict=True))
    if game.key not in numbers or game.form not in GAMES:
        return verb.label
    return _CAUSES[verb] % {"number": numbers[game.key]}


_CAUSES: Final = {
    Verb.GAME_ADDED: _("Spiel %(number)s eingetragen"),
    Verb.GAME_INSERTED: _("Spiel %(number)s eingefügt"),
    Verb.GAME_MOVED: _("Spiel %(number)s verschoben"),
    Verb.GAME_CORRECTED: _("Spiel %(number)s berichtigt"),
    Verb.GAME_RESTORED: _("Spiel %(number)s wiederhergestellt"),
}
