"""Who deals next at a table and how far it has come: the deals so far, carried over every change of the line-up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from scoring.club.models.people import Player
from scoring.play.models import Game
from scoring.rules.deal import Progress, Proposal, get_deal
from scoring.rules.parsing import LineFacts, parse_line

from .records import Records


def next_deal(records: Records) -> Proposal:
    """The next game as the rules propose it."""
    rules = records.table.rule_set.rules
    facts = (
        parse_line(game.form, game.facts, rules.at(len(records.line_up(game))), game.dealer) for game in records.games
    )
    *_, progress = progress_along(records, facts)
    return progress.propose(rules.at(len(records.current)))


def deal_before(records: Records, game: Game) -> Proposal:
    """The game in the place of this line as the rules propose it from the lines before it."""
    return _next_among(records, game, list(takewhile(lambda other: other.key != game.key, records.games)))


def deal_behind(records: Records, game: Game) -> Proposal:
    """The game right behind this line, among its people, as the rules propose it."""
    before = list(takewhile(lambda other: other.key != game.key, records.games))
    return _next_among(records, game, [*before, game])


def _next_among(records: Records, game: Game, before: list[Game]) -> Proposal:
    """What comes after these lines, among the people of this one."""
    rounds = [line_up for line_up in records.rounds if line_up.position <= game.round.position]
    return next_deal(replace(records, games=before, rounds=rounds))


def progress_along(records: Records, facts: Iterable[LineFacts]) -> Iterable[Progress]:
    """How far the table had come before each line and, last of all, before the next game. `facts` are those of
    `records.games`."""
    rules = records.table.rule_set.rules
    line_up = records.line_ups[records.rounds[0].pk]
    progress = Progress()
    for game, read in zip(records.games, facts, strict=True):
        progress, line_up = _at(progress, line_up, records.line_up(game))
        yield progress
        deal = get_deal(game.form, read, game.dealer, rules.at(len(line_up)))
        if deal is not None:
            progress = progress.add_deal(deal, len(line_up))
    yield _at(progress, line_up, records.current)[0]


def _at(progress: Progress, before: list[Player], now: list[Player]) -> tuple[Progress, list[Player]]:
    """The progress seen from another line-up: who deals next is the next of the old order who still sits here."""
    if before == now:
        return progress, now
    places = {player.pk: place for place, player in enumerate(now)}
    seats = {seat: places[player.pk] for seat, player in enumerate(before) if player.pk in places}
    order = [(progress.dealer + step) % len(before) for step in range(len(before))]
    dealer = next((seats[seat] for seat in order if seat in seats), 0)
    return progress.move(seats, len(now), dealer), now
