"""Entering, correcting, deleting and undoing a line of the sheet. A key books once, a new game names the one it
follows, a correction names the version it saw; every change replays the table and reports what it changed.

The order of the lines on a sheet: putting a forgotten line beside another one, and moving a line up or down. It can
cross a change of line-up if its people sit on the other side as well. Positions have gaps, so one row is changed; only
where a gap is used up, the lines of the round are numbered anew."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

from scoring.cash.actions.evenings import post_evenings
from scoring.cash.actions.facts import attend
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
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
from scoring.play.replay import Effect, derive, list_changed_evenings, preview_replay, replay
from scoring.rules.parsing import move_game_specials, normalize_facts, parse_line
from scoring.rules.validation import Refused, Sentence
from scoring.table.actions.seats import NothingToUndo, seat_again
from scoring.table.queries import sat_once
from scoring.table.rules import named_seats, reseated


@dataclass(eq=False)
class AnotherGameFirst(ActionRefused):
    """Behind the game that was named, another one stands already: `standing`. `last` is the one to name instead."""

    sentence = _("Inzwischen steht schon ein anderes Spiel auf dem Zettel. Ist das dasselbe Spiel?")

    standing: Game | None
    last: Game | None


class KeyUsed(InvalidInput):
    """The key of a new game belongs to another one already."""

    sentence = _("Hier ist schon ein anderes Spiel gespeichert. Bitte die Seite neu laden.")


@dataclass(eq=False)
class StaleVersion(ActionRefused):
    """Somebody else changed the game since it was read."""

    sentence = _("Jemand anderes hat dieses Spiel inzwischen geändert. Bitte beide Fassungen vergleichen.")

    standing: Game


class GameIsDeleted(ActionRefused):
    sentence = _("Dieses Spiel wurde inzwischen gestrichen.")


class LineUpChanged(ActionRefused):
    """Seats were typed for people who sit there no more, and none of whose lines says where the new one belongs."""

    sentence = _(
        "Die Leute, für die das getippt ist, sitzen nicht mehr so am Tisch, und auf dem Zettel steht nichts von ihnen. "
        "Bitte verwerfen und für die eintragen, die jetzt dort sitzen."
    )


class NowhereToMove(ActionRefused):
    """Past the first or the last line of the sheet."""

    sentence = _("Dort ist der Zettel zu Ende: Weiter lässt sich das nicht verschieben.")


@dataclass(eq=False)
class PeopleMissing(ActionRefused):
    """Across a change of line-up, where not everybody sits whom the line needs."""

    missing: Sequence[Player]

    def __str__(self) -> str:
        return ngettext(
            "Verschieben geht nicht: %(names)s sitzt dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            "Verschieben geht nicht: %(names)s sitzen dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            len(self.missing),
        ) % {"names": ", ".join(map(str, self.missing))}


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
    Verb.GAME_ADDED: gettext_noop("Spiel %(number)s eingetragen"),
    Verb.GAME_INSERTED: gettext_noop("Spiel %(number)s eingefügt"),
    Verb.GAME_MOVED: gettext_noop("Spiel %(number)s verschoben"),
    Verb.GAME_CORRECTED: gettext_noop("Spiel %(number)s berichtigt"),
    Verb.GAME_RESTORED: gettext_noop("Spiel %(number)s wiederhergestellt"),
}


# Beyond every position that a sheet can reach.
_ASIDE: Final = 2**40


class Place(NamedTuple):
    """Where a line goes: into `line_up`, right before or behind a line of it (None: no line was ever there)."""

    line_up: Round
    beside: Game | None
    behind: bool


@transaction.atomic
def insert_game(*, table: Table, actor: Actor, key: UUID, beside: UUID, behind: bool, typed: Typed) -> Saved:
    """Put a line right before or behind another one that stands, among the people of that one. The same key with the same
    content again answers what is stored. Raises Refused (by field), KeyUsed, GameIsDeleted, EveningIsClosed."""
    records = lock_table(table)
    if standing := entered_before(records, key, typed):
        return standing
    refuse_closed(records, actor)
    target = standing_line(records, beside)
    game = Game(key=key, entered_by=actor.login)
    return put_line(records, game, Place(target.round, target, behind), typed, actor)


def put_line(records: Records, game: Game, place: Place, typed: Typed, actor: Actor) -> Saved:
    """Put a new line into its place on the locked sheet. Raises Refused (by field), KeyUsed."""
    game.round, game.position = place.line_up, _position(records, place)
    return save_new(records, game, typed, actor, Verb.GAME_INSERTED)


@transaction.atomic
def move_game(*, table: Table, actor: Actor, key: UUID, version: int, up: bool) -> Saved:
    """Move a line that stands, seen at `version`, by one place: `up` towards the first line of the sheet. A change of
    line-up is a place of its own: the line stands on its other side then, and its people have the seats they have there.
    Raises NowhereToMove, PeopleMissing, Refused (by field: at that table the line cannot be), StaleVersion,
    GameIsDeleted, EveningIsClosed."""
    records = lock_open(table, actor)
    game = at_version(records, key, version)
    place = next_place(records, game, up)
    position = _position(records, place)
    before = get_logged_values(game)
    _seat_anew(records, game, place.line_up)
    game.position = position
    return save_line(in_order(records, game), game, actor, Verb.GAME_MOVED, before)


def preview_insertion(*, records: Records, beside: UUID, behind: bool, typed: Typed) -> list[Effect]:
    """What putting a line beside another would change; nothing is written. Raises Refused, GameIsDeleted."""
    target = standing_line(records, beside)
    return preview_replay(with_line(records, Game(), Place(target.round, target, behind), typed))


def with_line(records: Records, game: Game, place: Place, typed: Typed) -> Records:
    """The records with a new line in its place, judged; nothing is written. Raises Refused."""
    game.round, game.position = place.line_up, _between(place)
    changed = in_order(records, game)
    fill(game, typed, changed)
    return changed


def preview_move(*, records: Records, key: UUID, up: bool) -> list[Effect]:
    """What moving a line would change; nothing is written. Raises NowhereToMove, PeopleMissing, Refused, GameIsDeleted."""
    game = copy(standing_line(records, key))
    place = next_place(records, game, up)
    _seat_anew(records, game, place.line_up)
    game.position = _between(place)
    return preview_replay(in_order(records, game))


def may_move(records: Records, key: UUID, up: bool) -> bool:
    """Is there a place to move to? Whether its people sit there is said when it is tried."""
    try:
        return bool(next_place(records, standing_line(records, key), up))
    except NowhereToMove:
        return False


def closes_line_up(records: Records, game: Game) -> bool:
    """Is this the last line before a change of line-up, behind which nothing can be entered any more?"""
    last = [line for line in records.games if line.round_id == game.round_id][-1]
    return last.key == game.key and game.round_id != records.rounds[-1].pk


def next_place(records: Records, game: Game, up: bool) -> Place:
    """Where a line goes by one step: past its neighbour, or across the change of line-up to the line-up next to it, which
    may have no line yet. Raises NowhereToMove."""
    step = -1 if up else 1
    here = [line for line in records.games if line.round_id == game.round_id]
    index = [line.key for line in here].index(game.key) + step
    if 0 <= index < len(here):
        return Place(game.round, here[index], behind=not up)
    number = [line_up.pk for line_up in records.rounds].index(game.round_id) + step
    if not 0 <= number < len(records.rounds):
        raise NowhereToMove
    line_up = records.rounds[number]
    there = lines_of(records, line_up.pk)
    return Place(line_up, (there[-1] if up else there[0]) if there else None, behind=up)


def _seat_anew(records: Records, game: Game, line_up: Round) -> None:
    """Put a line among the people of another line-up: the same people dealt, played and got points. Raises
    PeopleMissing, Refused."""
    if line_up.pk == game.round_id:
        return
    before, now = records.line_up(game), records.line_ups[line_up.pk]
    rules = records.table.rule_set.rules
    facts = parse_line(game.form, game.facts, rules.at(len(before)), game.dealer)
    credited = derive(records).scores[game.key]
    needed = [
        player for seat, player in enumerate(before) if player.pk in credited or seat in named_seats(facts, game.dealer)
    ]
    if missing := [player for player in needed if player not in now]:
        raise PeopleMissing(missing)
    seats = _seats(before, now)
    dealer = None if game.dealer is None else seats[game.dealer]
    moved = reseated(game.facts, facts, dealer, seats, rules.at(len(now)))
    try:
        check_line(game.form, moved, rules.at(len(now)), dealer)
    except Refused as refused:
        raise refused.with_names(now) from refused
    game.round, game.dealer, game.facts = line_up, dealer, moved


def _seats(before: list[Player], now: list[Player]) -> dict[int, int]:
    """Who sits where now, by old seat."""
    places = {player.pk: place for place, player in enumerate(now)}
    return {seat: places[player.pk] for seat, player in enumerate(before) if player.pk in places}


def _between(place: Place) -> float:
    """A position for the order of a list alone, between those of two rows."""
    if place.beside is None:
        return 0
    return place.beside.position + (0.5 if place.behind else -0.5)


def _position(records: Records, place: Place) -> int:
    """A free position in this place, struck-out lines counted as well."""
    if place.beside is None:
        return POSITION_STEP
    positions = [line.position for line in lines_of(records, place.line_up.pk)]
    index = positions.index(place.beside.position)
    if place.behind and index + 1 == len(positions):
        return positions[-1] + POSITION_STEP
    low, high = (
        (positions[index], positions[index + 1])
        if place.behind
        else (positions[index - 1] if index else 0, positions[index])
    )
    if high - low < 2:
        _number_anew(lines_of(records, place.line_up.pk))
        return _position(records, place)
    return (low + high) // 2


def lines_of(records: Records, line_up: int) -> list[Game]:
    """Every line of a round in its order, struck-out ones as well."""
    lines = (line for line in [*records.games, *records.deleted] if line.round_id == line_up)
    return sorted(lines, key=lambda line: line.position)


def _number_anew(lines: list[Game]) -> None:
    """Give the lines of a round positions with full gaps, in two steps, for no two may share one in between."""
    Game.objects.filter(round=lines[0].round_id).update(position=F("position") + _ASIDE)
    for number, line in enumerate(lines, start=1):
        line.position = number * POSITION_STEP
    Game.objects.bulk_update(lines, ["position"])
