"""Writes of the lines of a sheet. A key is saved once, a new game names the line that it follows, and a correction names the
version that it saw. Each change replays the table and returns what it changed.

Positions have gaps, so inserting or moving a line changes one row; only if a gap is used up, the lines of the round are
renumbered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

from scoring.cash.evening.actions import update_attendance
from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.play.models import POSITION_STEP, Game, Round, Table
from scoring.play.queries import (
    GAMES,
    Records,
    get_last_change,
    get_logged_values,
    lock_table,
    propose_at,
    read_records,
)
from scoring.play.replay import (
    Effect,
    check_line,
    derive,
    list_closed_evenings,
    lock_open,
    preview_replay,
    refuse_closed,
    replay,
)
from scoring.rules.parsing import GameFacts, LineFacts, ShortFacts, move_game_specials, normalize_facts, parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import get_sitters
from scoring.rules.validation import Refused, Sentence
from scoring.table.actions.seats import NOTHING_TO_UNDO, restore_line_up
from scoring.table.queries import find_line_up


class AnotherGameFirst(ActionRefused):
    """The line that was named is not the last one of its round any more. `standing` is the line that follows it (the first of the
    sheet if it is gone, None if there is none); `last` is the line to name instead (None: none)."""

    sentence = _("Inzwischen steht schon ein anderes Spiel auf dem Zettel. Ist das dasselbe Spiel?")

    def __init__(self, standing: Game | None, last: Game | None) -> None:
        super().__init__()
        self.standing, self.last = standing, last


class StaleVersion(ActionRefused):
    """The line was changed since the client read it; `standing` is its present version."""

    sentence = _("Jemand anderes hat dieses Spiel inzwischen geändert. Bitte beide Fassungen vergleichen.")

    def __init__(self, standing: Game) -> None:
        super().__init__()
        self.standing = standing


class NowhereToMove(ActionRefused):
    """A line cannot move beyond the first or the last line of the sheet."""

    sentence = _("Dort ist der Zettel zu Ende: Weiter lässt sich das nicht verschieben.")


class PeopleMissing(ActionRefused):
    """A line cannot move across a change of line-up, because some players of it do not sit on the other side."""


# Sentences of refusals that are raised in several places.
KEY_USED: Final = _("Hier ist schon ein anderes Spiel gespeichert. Bitte die Seite neu laden.")
GAME_IS_DELETED: Final = _("Dieses Spiel wurde inzwischen gestrichen.")
LINE_UP_CHANGED: Final = _(
    "Die Leute, für die das getippt ist, sitzen nicht mehr so am Tisch, und auf dem Zettel steht nichts von ihnen. "
    "Bitte verwerfen und für die eintragen, die jetzt dort sitzen."
)
# Lines without a dealer.
FORMS_WITHOUT_DEALER: Final = (Game.Form.PENALTY, Game.Form.CORRECTION)
ENTRY_VERBS: Final = (Verb.GAME_ADDED, Verb.GAME_INSERTED)
# Changes of a line that can be undone.
UNDOABLE: Final = (*ENTRY_VERBS, Verb.GAME_CORRECTED, Verb.GAME_MOVED, Verb.GAME_DELETED)
# More than any position on a sheet.
_BEYOND_ALL: Final = 2**40


@dataclass(frozen=True)
class Typed:
    """A line of the sheet as a client sends it. `dealer` is a seat; None keeps the dealer of a stored line, and means the proposed
    one for a new line of a form with a dealer. Around the line: its key, the key of the line before, the id of its round (None: the
    current one, 0: a deleted one), the ids of its players by seat, and the version that a correction saw (0 for a new line)."""

    form: str
    facts: dict[str, Any]
    dealer: int | None = None
    note: str = ""
    key: UUID | None = None
    after: UUID | None = None
    round_id: int | None = None
    people: Sequence[int] = ()
    version: int = 0
    confirmed: bool = False


@dataclass(frozen=True)
class Saved:
    """A saved line, all changed lines, and the log entry to undo; `change` is None if the line had been saved before."""

    game: Game
    effects: list[Effect]
    records: Records
    change: Change | None


@transaction.atomic
def add_game(
    *,
    table: Table,
    actor: Actor,
    key: UUID,
    after: UUID | None,
    typed: Typed,
    round_id: int | None = None,
    people: Sequence[int] = (),
) -> Saved:
    """Add a line behind the line `after` (None: as the first). The same key and content again returns the stored line.

    The line goes behind the last one of the round `round_id` (None: the current round), also if others sit there now. `people` are
    the ids of its players in seating order, used if it was deleted. Raise Refused (by field), AnotherGameFirst, EveningIsClosed,
    WrongLineUp, InvalidInput or ActionRefused."""
    records = lock_table(table)
    if standing := find_saved(records, key, typed):
        return standing
    refuse_closed(records, actor)
    round_ = find_round(records, round_id)
    came_back = round_ is None
    if round_ is None:
        round_ = _restore_round(records, actor, people, after)
        records = read_records(records.table)
    last = _find_last_line(records, round_)
    if after != (last.key if last else None):
        raise AnotherGameFirst(_find_next_line(records, after), last)
    game = Game(key=key, round=round_, position=_get_next_position(records, round_), entered_by=actor.login)
    saved = save_new(records, game, typed, actor, Verb.GAME_ADDED)
    if came_back:
        # When the round was deleted, its players were taken off the attendance list.
        update_attendance(records.row.evening)
        post_evenings(list_closed_evenings(records, []), actor=actor, cause=Verb.TABLE_SEATED.label)
    return saved


@transaction.atomic
def add_games(*, table: Table, actor: Actor, lines: Sequence[tuple[UUID, Typed]]) -> Records:
    """Add lines with their keys, all or none, with one replay. Raise Refused (by field), InvalidInput or EveningIsClosed."""
    records = lock_open(table, actor)
    added, here = [], records.rounds[-1]
    for key, typed in lines:
        game = Game(key=key, round=here, position=_get_next_position(records, here), entered_by=actor.login)
        fill(game, typed, records)
        added.append(game)
        records = replace(records, games=[*records.games, game])
    try:
        Game.objects.bulk_create(added)
    except IntegrityError as error:
        raise InvalidInput(KEY_USED) from error
    click = uuid4()
    found = replay(records, actor=actor, click=click)
    club = records.table.evening.club
    for game in added:
        after = get_logged_values(game)
        record(club=club, actor=actor, verb=Verb.GAME_ADDED, subject=game.key, after=after, table=records.table, click=click)
    if closed := list_closed_evenings(records, found):
        post_evenings(closed, actor=actor, cause=Verb.GAME_ADDED.label)
    return records


@transaction.atomic
def correct_game(*, table: Table, actor: Actor, key: UUID, version: int, typed: Typed) -> Saved:
    """Replace the content of a line that the client saw at `version`. The same correction again returns the stored line,
    whatever happened to it since. Raise Refused, StaleVersion, EveningIsClosed or ActionRefused."""
    records = lock_table(table)
    standing = records.find(key)
    if standing is not None and _is_corrected(records, standing, version, typed):
        return Saved(standing, [], records, None)
    refuse_closed(records, actor)
    game = get_line_at_version(records, key, version)
    before = get_logged_values(game)
    fill(game, typed, records)
    return save_line(records, game, actor, Verb.GAME_CORRECTED, before)


@transaction.atomic
def delete_game(*, table: Table, actor: Actor, key: UUID, version: int) -> Saved:
    """Mark a line as deleted; deleting it again changes nothing. Raise StaleVersion, EveningIsClosed or ActionRefused."""
    records = lock_table(table)
    standing = records.find(key)
    if standing is not None and standing.deleted:
        return Saved(standing, [], records, None)
    refuse_closed(records, actor)
    game = get_line_at_version(records, key, version)
    before = get_logged_values(game)
    game.deleted = True
    return save_line(_remove_line(records, game), game, actor, Verb.GAME_DELETED, before)


@transaction.atomic
def undo(*, table: Table, actor: Actor, change_id: int) -> Saved:
    """Undo the last change of the table. Raise ActionRefused if anything else happened since, or EveningIsClosed."""
    records = lock_open(table, actor)
    change = get_last_change(table)
    if change is None or change.pk != change_id or not is_undoable(change):
        raise ActionRefused(NOTHING_TO_UNDO)
    game = records.find(UUID(change.subject_id))
    if game is None:
        raise ActionRefused(NOTHING_TO_UNDO)
    before = get_logged_values(game)
    if change.verb in ENTRY_VERBS:
        game.deleted = True
        return save_line(_remove_line(records, game), game, actor, Verb.GAME_DELETED, before, undoes=change)
    if change.verb == Verb.GAME_DELETED:
        game.deleted = False
        return save_line(put_in_order(records, game), game, actor, Verb.GAME_RESTORED, None, undoes=change)
    was = change.before or {}
    # Nothing happened at the table since, so the round and the position still exist.
    game.round = next(one for one in records.rounds if one.pk == was["round"])
    for field in ("form", "dealer", "position", "facts", "note"):
        setattr(game, field, was[field])
    # The undo of a correction is logged as a correction, the undo of a move as a move.
    return save_line(put_in_order(records, game), game, actor, Verb(change.verb), before, undoes=change)


def is_undoable(change: Change) -> bool:
    """Return whether this change of a line can be undone. An undo cannot be undone."""
    return change.undoes_id is None and change.verb in UNDOABLE


def preview_correction(*, records: Records, key: UUID, typed: Typed) -> list[Effect]:
    """Return what correcting a line would change, without writing. Raise Refused (by field) or ActionRefused."""
    game = copy(get_standing_line(records, key))
    fill(game, typed, records)
    return preview_replay(replace(records, games=[game if g.key == key else g for g in records.games]))


def preview_deletion(*, records: Records, key: UUID) -> list[Effect]:
    """Return what deleting a line would change, without writing. Raise ActionRefused."""
    return preview_replay(_remove_line(records, get_standing_line(records, key)))


def fill(game: Game, typed: Typed, records: Records) -> None:
    """Set the content of a line after checking it against the rules of the table. Raise Refused."""
    if typed.dealer is not None:
        game.dealer = typed.dealer
    elif game.dealer is None and typed.form not in FORMS_WITHOUT_DEALER:
        game.dealer = propose_at(records, game).dealer
    game.form, game.note = typed.form, tidy(typed.note)
    game.facts = _check_facts(typed, game.dealer, records.line_up(game), records)
    try:
        game.clean_fields(exclude=["round", "entered_by", "facts"])
    except ValidationError as error:
        raise Refused({field: Sentence(texts[0]) for field, texts in error.message_dict.items()}) from error


def _check_facts(typed: Typed, dealer: int | None, people: Sequence[Player], records: Records) -> dict[str, Any]:
    """Return the facts as they are stored, without empty fields. Raise Refused with the names of the players."""
    rules = records.table.rule_set.rules.at(len(people))
    facts = move_game_specials(typed.facts, rules)
    try:
        check_line(typed.form, facts, rules, dealer)
    except Refused as refused:
        raise refused.with_names(people) from refused
    return normalize_facts(facts)


def get_standing_line(records: Records, key: UUID) -> Game:
    game = records.find(key)
    if game is None or game.deleted:
        raise ActionRefused(GAME_IS_DELETED)
    return game


def get_line_at_version(records: Records, key: UUID, version: int) -> Game:
    game = get_standing_line(records, key)
    if game.version != version:
        raise StaleVersion(game)
    return game


def find_saved(records: Records, key: UUID, typed: Typed) -> Saved | None:
    """Return the line that has this key already, or None. A retry sends the first content, also if the line was corrected since.
    Raise InvalidInput if the content is another."""
    if (standing := records.find(key)) is None:
        return None
    if not _is_same(records, standing, typed, get_logged_values(standing)):
        first = Change.objects.filter(subject_id=str(key), verb__in=ENTRY_VERBS).first()
        if first is None or first.after is None or not _is_same(records, standing, typed, first.after):
            raise InvalidInput(KEY_USED)
    return Saved(standing, [], records, None)


def _is_corrected(records: Records, standing: Game, version: int, typed: Typed) -> bool:
    """Return whether this correction has replaced this version already: a phone that lost the answer sends it again."""
    if standing.version <= version:
        return False
    corrections = Change.objects.filter(subject_id=str(standing.key), verb=Verb.GAME_CORRECTED, undoes=None)
    done = corrections.filter(after__version=version + 1).first()
    return done is not None and done.after is not None and _is_same(records, standing, typed, done.after)


def _is_same(records: Records, standing: Game, typed: Typed, values: dict[str, Any]) -> bool:
    """Return whether these logged values are the typed content. Without a typed dealer the logged one counts. The line-up is
    that of the logged round, as the line may have been moved since, or the present one if that round was deleted."""
    dealer = values["dealer"] if typed.dealer is None else typed.dealer
    players = records.line_ups.get(values["round"], records.line_up(standing))
    try:
        facts = _check_facts(typed, dealer, players, records)
    except Refused:
        return False
    sent = {"form": typed.form, "dealer": dealer, "facts": facts, "note": tidy(typed.note)}
    return all(sent[field] == values[field] for field in sent)


def find_round(records: Records, round_id: int | None) -> Round | None:
    """Return the round with this id (None if it was deleted), or the current round if no id is given."""
    if round_id is None:
        return records.rounds[-1]
    return next((round_ for round_ in records.rounds if round_.pk == round_id), None)


def _restore_round(records: Records, actor: Actor, people: Sequence[int], after: UUID | None) -> Round:
    """Return a round for people whose own round was deleted because they had played no game: another round of theirs behind the
    same line, or a new one. Raise AnotherGameFirst, WrongLineUp or ActionRefused."""
    players = find_line_up(records, people)
    if not players:
        raise ActionRefused(LINE_UP_CHANGED)
    previous = next((game for game in records.games if game.key == after), None)
    last = _find_last_line(records, previous.round) if previous else records.last
    if after and (previous is None or last is None or previous.key != last.key):
        raise AnotherGameFirst(_find_next_line(records, after), last)
    position = previous.round.position if previous else 0
    for round_ in records.rounds:
        if records.line_ups[round_.pk] == players and round_.position in (position, position + 1):
            return round_
    return restore_line_up(records, actor, players, previous)


def _find_last_line(records: Records, round_: Round) -> Game | None:
    """Return the last line of this round or of an earlier one."""
    return next((game for game in reversed(records.games) if game.round.position <= round_.position), None)


def _find_next_line(records: Records, after: UUID | None) -> Game | None:
    """Return the line that follows `after`, or the first line of the sheet if `after` is not on it."""
    keys = [game.key for game in records.games]
    following = records.games[keys.index(after) + 1 :] if after in keys else records.games
    return next(iter(following), None)


def _get_next_position(records: Records, round_: Round) -> int:
    here = [g.position for g in [*records.games, *records.deleted] if g.round_id == round_.pk]
    return max(here, default=0) + POSITION_STEP


def _remove_line(records: Records, game: Game) -> Records:
    return replace(records, games=[g for g in records.games if g.key != game.key], deleted=[*records.deleted, game])


def put_in_order(records: Records, game: Game) -> Records:
    """Return the records with this line at its position, instead of the line with the same key."""
    others = [g for g in records.games if g.key != game.key]
    games = sorted([*others, game], key=lambda g: (g.round.position, g.position))
    return replace(records, games=games, deleted=[g for g in records.deleted if g.key != game.key])


def save_new(records: Records, game: Game, typed: Typed, actor: Actor, verb: Verb) -> Saved:
    """Save a new line, which has its round and position. Raise Refused (by field) or InvalidInput."""
    records = put_in_order(records, game)
    fill(game, typed, records)
    try:
        game.save(force_insert=True)
    except IntegrityError as error:
        raise InvalidInput(KEY_USED) from error
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
    """Replay the table and those that carry its Bock games on, log the change, and book the new costs of closed evenings."""
    click = uuid4()
    new = game if verb == Verb.GAME_ADDED and records.last is game else None
    found = replay(records, actor=actor, click=click, new=new)
    table, after = records.table, None if game.deleted else get_logged_values(game)
    club, subject = table.evening.club, game.key
    change = record(
        club=club, actor=actor, verb=verb, subject=subject, before=before, after=after, table=table, undoes=undoes, click=click
    )
    if closed := list_closed_evenings(records, found):
        post_evenings(closed, actor=actor, cause=_describe_cause(records, game, verb))
    return Saved(game, found, records, change)


def _describe_cause(records: Records, game: Game, verb: Verb) -> str | Promise:
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


@transaction.atomic
def insert_game(*, table: Table, actor: Actor, key: UUID, beside: UUID, behind: bool, typed: Typed) -> Saved:
    """Insert a line beside another one, in its round. Raise Refused (by field), EveningIsClosed or ActionRefused."""
    records = lock_table(table)
    if standing := find_saved(records, key, typed):
        return standing
    refuse_closed(records, actor)
    target = get_standing_line(records, beside)
    game = Game(key=key, round=target.round, position=get_beside(target, behind), entered_by=actor.login)
    return put_line(records, game, typed, actor)


def put_line(records: Records, game: Game, typed: Typed, actor: Actor) -> Saved:
    """Save a new line, whose position is between those of two others, on the locked sheet. Raise Refused (by field) or
    InvalidInput."""
    game.position = _make_free_position(records, game.round, game.position)
    return save_new(records, game, typed, actor, Verb.GAME_INSERTED)


@transaction.atomic
def move_game(*, table: Table, actor: Actor, key: UUID, version: int, up: bool) -> Saved:
    """Move a line by one place, `up` towards the first line. A change of line-up is one place: the players then have their seats of
    the round there. Raise NowhereToMove, PeopleMissing, Refused, StaleVersion, EveningIsClosed or ActionRefused."""
    records = lock_open(table, actor)
    game = get_line_at_version(records, key, version)
    round_, between = find_next_place(records, game, up)
    position = _make_free_position(records, round_, between)
    before = get_logged_values(game)
    _change_round(records, game, round_)
    game.position = position
    return save_line(put_in_order(records, game), game, actor, Verb.GAME_MOVED, before)


def preview_insertion(*, records: Records, beside: UUID, behind: bool, typed: Typed) -> list[Effect]:
    """Return what inserting a line would change, without writing. Raise Refused (by field) or ActionRefused."""
    target = get_standing_line(records, beside)
    game = Game(round=target.round, position=get_beside(target, behind))
    return preview_replay(build_with_line(records, game, typed))


def build_with_line(records: Records, game: Game, typed: Typed) -> Records:
    """Return the records with a new, checked line at its position, without writing. Raise Refused."""
    changed = put_in_order(records, game)
    fill(game, typed, changed)
    return changed


def preview_move(*, records: Records, key: UUID, up: bool) -> list[Effect]:
    """Return what moving a line would change, without writing. Raise NowhereToMove, PeopleMissing, Refused or ActionRefused."""
    game = copy(get_standing_line(records, key))
    round_, position = find_next_place(records, game, up)
    _change_round(records, game, round_)
    game.position = position
    return preview_replay(put_in_order(records, game))


def may_move(records: Records, key: UUID, up: bool) -> bool:
    """Return whether there is a place to move to. Missing players are found only by the move itself."""
    try:
        return bool(find_next_place(records, get_standing_line(records, key), up))
    except NowhereToMove:
        return False


def closes_line_up(records: Records, game: Game) -> bool:
    """Return whether this is the last line before a change of line-up."""
    last = [line for line in records.games if line.round_id == game.round_id][-1]
    return last.key == game.key and game.round_id != records.rounds[-1].pk


def find_next_place(records: Records, game: Game, up: bool) -> tuple[Round, float]:
    """Return round and position after one step: past the neighbour, or into the next round, maybe without lines. The position is
    between two lines. Raise NowhereToMove."""
    step = -1 if up else 1
    here = [line for line in records.games if line.round_id == game.round_id]
    index = [line.key for line in here].index(game.key) + step
    if 0 <= index < len(here):
        return game.round, get_beside(here[index], behind=not up)
    number = [one.pk for one in records.rounds].index(game.round_id) + step
    if not 0 <= number < len(records.rounds):
        raise NowhereToMove
    next_round = records.rounds[number]
    there = list_round_lines(records, next_round.pk)
    return next_round, get_beside(there[-1] if up else there[0], behind=up) if there else 0


def _change_round(records: Records, game: Game, new_round: Round) -> None:
    """Put a line into another round, with the same players in their seats there. Raise PeopleMissing or Refused."""
    if new_round.pk == game.round_id:
        return
    before, now = records.line_up(game), records.line_ups[new_round.pk]
    rules = records.table.rule_set.rules
    facts = parse_line(game.form, game.facts, rules.at(len(before)), game.dealer)
    credited = derive(records).lines[game.key]
    needed = [
        player for seat, player in enumerate(before) if player.pk in credited or seat in _list_needed_seats(facts, game.dealer)
    ]
    if missing := [str(player) for player in needed if player not in now]:
        sentence = ngettext(
            "Verschieben geht nicht: %(names)s sitzt dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            "Verschieben geht nicht: %(names)s sitzen dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            len(missing),
        )
        raise PeopleMissing(sentence % {"names": ", ".join(missing)})
    places = {player.pk: place for place, player in enumerate(now)}
    seats = {seat: places[player.pk] for seat, player in enumerate(before) if player.pk in places}
    dealer = None if game.dealer is None else seats[game.dealer]
    moved = _reseat_facts(game.facts, facts, dealer, seats, rules.at(len(now)))
    try:
        check_line(game.form, moved, rules.at(len(now)), dealer)
    except Refused as refused:
        raise refused.with_names(now) from refused
    game.round, game.dealer, game.facts = new_round, dealer, moved


def _list_needed_seats(facts: LineFacts, dealer: int | None) -> set[int]:
    """Return the seats without which the line makes no sense: dealer, players, a named seat, and seats with points by hand."""
    seats = set() if dealer is None else {dealer}
    if isinstance(facts, (GameFacts, ShortFacts)):
        return seats | set(_list_players(facts))
    seats |= {seat for seat, points in enumerate(facts.points) if points}
    return seats if facts.seat is None else seats | {facts.seat}


def _reseat_facts(
    data: Mapping[str, Any], facts: LineFacts, dealer: int | None, seats: Mapping[int, int], rules: RuleSettings
) -> dict[str, Any]:
    """Return the facts of a line for the same players in other seats; `seats` maps old seats to new ones.

    `facts` is `data` parsed, `rules` are those of the new table, and `dealer` deals there. `out` is set only if it does not
    follow from the dealer. The caller checks the result against the rules."""
    if isinstance(facts, (GameFacts, ShortFacts)):
        playing = {seats[seat] for seat in _list_players(facts)}
        out = tuple(seat for seat in range(rules.table) if seat not in playing)
        moved = {field: sorted(seats[seat] for seat in data[field]) for field in ("re", "winners") if field in data}
        sitters = {} if dealer is not None and out == get_sitters(rules, dealer) else {"out": list(out)}
        return {**{field: value for field, value in data.items() if field != "out"}, **moved, **sitters}
    if facts.points:
        brought = {seats[seat]: points for seat, points in enumerate(facts.points) if points}
        return {**data, "points": [brought.get(seat, 0) for seat in range(rules.table)]}
    return dict(data) if facts.seat is None else {**data, "seat": seats[facts.seat]}


def _list_players(facts: GameFacts | ShortFacts) -> Iterable[int]:
    return facts.re + facts.kontra if isinstance(facts, GameFacts) else facts.winners + facts.losers


def get_beside(line: Game, behind: bool) -> float:
    """Return a position directly before or behind a line, for sorting in memory; `_make_free_position` makes one to store."""
    return line.position + (0.5 if behind else -0.5)


def _make_free_position(records: Records, round_: Round, between: float) -> int:
    """Return a position beside `between` that no line of the round has, also no deleted one. If there is none, renumber them."""
    lines = list_round_lines(records, round_.pk)
    before = [line for line in lines if line.position < between]
    low = before[-1].position if before else 0
    if len(before) == len(lines):
        return low + POSITION_STEP
    high = lines[len(before)].position
    if high - low < 2:
        _renumber(lines)
        return _make_free_position(records, round_, len(before) * POSITION_STEP + 0.5)
    return (low + high) // 2


def list_round_lines(records: Records, round_id: int) -> list[Game]:
    """Return all lines of a round in order, deleted ones too."""
    lines = (line for line in [*records.games, *records.deleted] if line.round_id == round_id)
    return sorted(lines, key=lambda line: line.position)


def _renumber(lines: list[Game]) -> None:
    """Give the lines of a round full gaps. Two steps, because two lines must never share a position."""
    Game.objects.filter(round=lines[0].round_id).update(position=F("position") + _BEYOND_ALL)
    for number, line in enumerate(lines, start=1):
        line.position = number * POSITION_STEP
    Game.objects.bulk_update(lines, ["position"])
