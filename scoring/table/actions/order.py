"""The order of the lines on a sheet: putting a forgotten line beside another one, and moving a line up or down. It can
cross a change of line-up if its people sit on the other side as well. Positions have gaps, so one row is changed; only
where a gap is used up, the lines of the round are numbered anew."""

from __future__ import annotations

from copy import copy
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F

from scoring.club.actions import Actor
from scoring.club.models import Player, Verb
from scoring.play.actions import check_line, lock_open, refuse_closed
from scoring.play.models import POSITION_STEP, Game, Round, Table
from scoring.play.queries import Records, get_logged_values, lock_table
from scoring.play.replay import Effect, derive, preview_replay
from scoring.rules.parsing import parse_line
from scoring.rules.validation import Refused
from scoring.table.errors import NowhereToMove, PeopleMissing
from scoring.table.rules.reseat import named_seats, reseated

from .games import Saved, Typed, at_version, entered_before, fill, in_order, save_line, save_new, standing_line

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
