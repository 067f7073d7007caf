"""Read direct settlements. A paid line is an entry under its key; an unpaid one ends when a later settlement replaces it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from uuid import UUID

from scoring.cash.evening.queries import compute_unpaid, get_standing_entry, read_facts
from scoring.cash.ledger.queries import get_owed, serialize
from scoring.cash.models import Entry, Settlement, SettlementLine
from scoring.club.models import Club, Player
from scoring.club.queries import MergedPlayers, get_merged_players, list_people
from scoring.play.models import Evening

from .rules import KASSE, settle

# The debt of each person, in the order of settling; below 0 a credit.
Amounts = Mapping[Player, int]


def get_amounts(club: Club, evening: Evening | None) -> Amounts:
    """Return the open amounts: of an evening what is unpaid, in its order; otherwise all balances, by name."""
    if evening is None:
        balances = get_owed(club)
        return {player: balances[player.pk] for player in list_people(club) if balances.get(player.pk)}
    facts = read_facts(evening)
    left = compute_unpaid(evening, facts, get_standing_entry(evening))
    rows = ((row.player, left.get(facts.merged.resolve(row.player_id), 0)) for row in facts.rows)
    return {player: cents for player, cents in rows if cents}


def compute_transfers(amounts: Amounts) -> list[SettlementLine]:
    """Compute who pays whom so that all these amounts are settled, as unsaved lines."""
    people: dict[str, Player | None] = {str(player.pk): player for player in amounts} | {KASSE: None}
    found = settle([(str(player.pk), cents) for player, cents in amounts.items()])
    return [SettlementLine(payer=people[payer], receiver=people[receiver], cents=cents) for payer, receiver, cents in found]


def hash_transfers(lines: Iterable[SettlementLine]) -> str:
    """Return a hash, by which a request proves that these transfers were shown."""
    content = [[line.payer_id, line.receiver_id, line.cents] for line in lines]
    return sha256(serialize({"lines": content}).encode()).hexdigest()


class State(StrEnum):
    OPEN = "open"
    PAID = "paid"
    REVERSED = "reversed"
    LAPSED = "lapsed"


@dataclass(frozen=True)
class AgreedLine:
    """A line between its two people as they are now, its state and its entry."""

    row: SettlementLine
    state: State
    entry: Entry | None


@dataclass(frozen=True)
class AgreedSettlement:
    settlement: Settlement
    lines: Sequence[AgreedLine]

    @property
    def is_open(self) -> bool:
        return any(line.state is State.OPEN for line in self.lines)


def list_settlements(club: Club) -> list[AgreedSettlement]:
    """List the settlements of a club, the latest first. Four queries and one for the people, for any number."""
    made = list(Settlement.objects.filter(club=club).select_related("evening", "made_by").order_by("-pk"))
    if not made:
        return []
    rows: dict[int, list[SettlementLine]] = {one.pk: [] for one in made}
    for row in SettlementLine.objects.filter(settlement__club=club).select_related("settlement").order_by("place"):
        rows[row.settlement_id].append(row)
    keys = [row.key for lines in rows.values() for row in lines]
    booked = {entry.key: entry for entry in Entry.objects.filter(club=club, key__in=keys).select_related("reversed_by")}
    people, merged = Player.objects.filter(club=club).in_bulk(), get_merged_players(club.pk)
    found = []
    for one in made:
        covered = _collect_covered_ids(one, made, rows, merged)
        lines = [_build_line(row, booked, people, merged, covered) for row in rows[one.pk]]
        found.append(AgreedSettlement(one, lines))
    return found


def get_line(settlement: Settlement, place: int) -> AgreedLine | None:
    agreed = next(one for one in list_settlements(settlement.club) if one.settlement.pk == settlement.pk)
    return next((line for line in agreed.lines if line.row.place == place), None)


def _collect_covered_ids(
    one: Settlement, made: Sequence[Settlement], rows: Mapping[int, Sequence[SettlementLine]], merged: MergedPlayers
) -> set[int]:
    """Return the people whom a later settlement of the same evening, or of whole balances, covers again."""
    later = [other for other in made if other.pk > one.pk]
    same = [other for other in later if None in (one.evening_id, other.evening_id) or one.evening_id == other.evening_id]
    return {merged.resolve(pk) for other in same for row in rows[other.pk] for pk in (row.payer_id, row.receiver_id) if pk}


def _build_line(
    row: SettlementLine,
    booked: Mapping[UUID, Entry],
    people: Mapping[int, Player],
    merged: MergedPlayers,
    covered: set[int],
) -> AgreedLine:
    row.payer, row.receiver = (people[merged.resolve(pk)] if pk else None for pk in (row.payer_id, row.receiver_id))
    entry = booked.get(row.key)
    if entry is not None:
        state = State.REVERSED if hasattr(entry, "reversed_by") else State.PAID
    else:
        over = any(player is not None and player.pk in covered for player in (row.payer, row.receiver))
        # Two people who were merged owe each other nothing.
        state = State.LAPSED if over or row.payer == row.receiver else State.OPEN
    return AgreedLine(row, state, entry)
