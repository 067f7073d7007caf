"""Read direct settlements. A paid line is an entry under its key; an unpaid one ends when a later settlement replaces it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scoring.cash.evening.queries import compute_unpaid, get_standing_entry, read_facts
from scoring.cash.ledger.queries import get_owed, hash_shown
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
    return hash_shown([(line.payer_id, line.receiver_id, line.cents) for line in lines])


def list_settlements(club: Club) -> dict[Settlement, list[SettlementLine]]:
    """List the settlements of a club with their lines, the latest first. The lines have their state and entry, and their two people
    as they are now. Four queries and one for the people, for any number."""
    made = list(Settlement.objects.filter(club=club).select_related("evening", "made_by").order_by("-pk"))
    if not made:
        return {}
    rows: dict[int, list[SettlementLine]] = {one.pk: [] for one in made}
    for row in SettlementLine.objects.filter(settlement__club=club).select_related("settlement").order_by("place"):
        rows[row.settlement_id].append(row)
    keys = [row.key for lines in rows.values() for row in lines]
    booked = {entry.key: entry for entry in Entry.objects.filter(club=club, key__in=keys).select_related("reversed_by")}
    people, merged = Player.objects.filter(club=club).in_bulk(), get_merged_players(club.pk)
    for one in made:
        covered = _collect_covered_ids(one, made, rows, merged)
        for row in rows[one.pk]:
            row.payer, row.receiver = (people[merged.resolve(pk)] if pk else None for pk in (row.payer_id, row.receiver_id))
            row.entry = booked.get(row.key)
            row.state = _get_state(row, covered)
    return {one: rows[one.pk] for one in made}


def is_open(lines: Iterable[SettlementLine]) -> bool:
    return any(line.state == SettlementLine.State.OPEN for line in lines)


def get_line(settlement: Settlement, place: int) -> SettlementLine | None:
    return next((line for line in list_settlements(settlement.club)[settlement] if line.place == place), None)


def _collect_covered_ids(
    one: Settlement, made: Sequence[Settlement], rows: Mapping[int, Sequence[SettlementLine]], merged: MergedPlayers
) -> set[int]:
    """Return the people whom a later settlement of the same evening, or of whole balances, covers again."""
    later = [other for other in made if other.pk > one.pk]
    same = [other for other in later if None in (one.evening_id, other.evening_id) or one.evening_id == other.evening_id]
    return {merged.resolve(pk) for other in same for row in rows[other.pk] for pk in (row.payer_id, row.receiver_id) if pk}


def _get_state(line: SettlementLine, covered: set[int]) -> SettlementLine.State:
    if line.entry is not None:
        return SettlementLine.State.REVERSED if hasattr(line.entry, "reversed_by") else SettlementLine.State.PAID
    over = any(player is not None and player.pk in covered for player in (line.payer, line.receiver))
    # Two people who were merged owe each other nothing.
    return SettlementLine.State.LAPSED if over or line.payer == line.receiver else SettlementLine.State.OPEN
