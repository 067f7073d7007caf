"""What a change would do to the money of closed evenings, before it is made. Nothing is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from scoring.cash.models.books import Entry
from scoring.cash.rules import money
from scoring.club.models import Player
from scoring.play.models import Evening
from scoring.play.queries import Records
from scoring.play.replay import Effect, list_scores

from .facts import Facts, in_cents_by_hand, read_facts
from .standing import booked_legs, by_now, owed_by, person_of, standing_entry


@dataclass(frozen=True)
class Changed:
    """What an evening cost somebody, None: what all others have of it, and what it costs now. Above 0 is paid."""

    player: Player | None
    was: int
    is_now: int

    @property
    def difference(self) -> int:
        return self.is_now - self.was


def money_of(effects: Iterable[Effect]) -> list[tuple[Evening, list[Changed]]]:
    """What the effects of a change do to what is booked of closed evenings, those alone where something differs."""
    tables: dict[int, dict[int, Records]] = defaultdict(dict)
    evenings: dict[int, Evening] = {}
    for effect in effects:
        evening = effect.records.row.evening
        if not evening.is_open and evening.tariff_id is not None:
            evenings[evening.pk] = evening
            tables[evening.pk][effect.records.table.pk] = effect.records
    found = []
    for pk, evening in sorted(evenings.items()):
        facts = read_facts(evening, {table: lines_of(records) for table, records in tables[pk].items()})
        if changed := compared(facts, standing_entry(evening), owed_by(evening, facts)):
            found.append((evening, changed))
    return found


def lines_of(records: Records) -> Sequence[Sequence[tuple[int, int, bool, bool]]]:
    """What every line of a sheet brings whom, as its facts say."""
    found = []
    for game, result in zip(records.games, records.results, strict=True):
        brought = list_scores(result, records.line_up(game))
        line = [(player.pk, credit.points, credit.played, credit.won) for player, credit in brought]
        if line and in_cents_by_hand(records.table, game.form):
            here = {who for who, *_credit in line}
            line += [(player.pk, 0, False, False) for player in records.line_up(game) if player.pk not in here]
        if line:
            found.append(line)
    return found


def stands_for(changes: Sequence[Changed]) -> str:
    """Stands for what somebody saw of these."""
    said = [(one.player.pk if one.player else 0, one.was, one.is_now) for one in changes]
    return sha256(repr(said).encode()).hexdigest()[:16]


def compared(facts: Facts, was: Entry | None, legs: Sequence[money.DueLeg]) -> list[Changed]:
    """Everybody of an evening for whom an entry says something else than these legs, in the order; last the Kasse."""
    before, after = sums_of(booked_legs(was, facts.merged)), sums_of(by_now(legs, facts.merged))
    people: Mapping[int, Player] = {facts.merged.resolve(row.player_id): row.player for row in facts.every}
    found = [Changed(player, before.get(who, 0), after.get(who, 0)) for who, player in people.items()]
    found.append(Changed(None, before.get(None, 0), after.get(None, 0)))
    return [one for one in found if one.difference]


def sums_of(legs: Iterable[money.DueLeg]) -> dict[int | None, int]:
    """What legs come to for each person; None is the Kasse and what it spends."""
    return money.summed((person_of(leg.account), leg.cents) for leg in legs)
