"""The entries of a club as people read them: the journal, one entry with its legs, and the statement of a person with its running
balance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet, Sum

from scoring.cash.models.beside import Heading
from scoring.cash.models.books import Entry, Kind, Leg
from scoring.club.models.people import Club, Player
from scoring.club.queries import Merged, family_in

# Whose legs everybody may read who is part of such an entry.
_SHARED = (Kind.EVENING, Kind.SETTLE, Kind.HANDOVER)


def entries_of(club: Club) -> QuerySet[Entry]:
    """Every sealed entry with its legs, the latest day first."""
    legs = Leg.objects.select_related("account").order_by("-cents", "pk")
    entries = Entry.objects.filter(club=club, number__isnull=False)
    found = entries.select_related("reverses", "reversed_by", "evening", "actor").prefetch_related(
        Prefetch("legs", legs)
    )
    return found.order_by("-date", "-number")


def moved(entry: Entry) -> int:
    """The cents that an entry moves: all its legs above 0."""
    return sum(leg.cents for leg in entry.legs.all() if leg.cents > 0)


def people_in(entry: Entry) -> list[int]:
    """The ids of those whose accounts it moves, each once."""
    found = (leg.account.player_id for leg in entry.legs.all() if leg.account.player_id is not None)
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class BookNames:
    """The present name of a person, by the id of any row that was ever theirs, and the names of a club's own accounts."""

    people: Mapping[int, str]
    headings: Mapping[str, str]


def names_in(club: Club) -> BookNames:
    """Two queries. Whoever was merged is called what they are now."""
    rows = {
        pk: (name, into) for pk, name, into in Player.objects.filter(club=club).values_list("pk", "name", "merged_into")
    }
    merged = Merged({pk: into for pk, (_name, into) in rows.items()})
    return BookNames({pk: rows[merged.now(pk)][0] for pk in rows}, headings_of(club))


def headings_of(club: Club) -> dict[str, str]:
    """What accounts of the club's own are called, by their codes."""
    return dict(Heading.objects.filter(club=club).order_by("pk").values_list("code", "name"))


def family_of(club: Club, player: Player) -> list[int]:
    """The ids of a person and of everybody who was merged into them, in one query."""
    return [one.pk for one in family_in(list(Player.objects.filter(club=club)), player)]


def legs_for(entry: Entry, family: Collection[int]) -> list[Leg]:
    """The legs of an entry that a person may read who is part of it and is no treasurer: their own and those of no person;
    of debts between people and of an evening, all."""
    about = entry.reverses.kind if entry.reverses else entry.kind
    legs = list(entry.legs.all())
    if about in _SHARED:
        return legs
    return [leg for leg in legs if leg.account.player_id is None or leg.account.player_id in family]


# --- The statement of a person ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StatementLine:
    """What one entry meant for a person, what of it was for which kind, and what they owed after it."""

    entry: Entry
    cents: int
    balance: int
    kinds: Sequence[tuple[str, int]]


class PersonalLine(NamedTuple):
    """A `StatementLine` that has the id of its entry only."""

    entry: int
    cents: int
    balance: int
    kinds: Sequence[tuple[str, int]]


def course_of(family: Collection[int]) -> list[PersonalLine]:
    """Everything on the accounts of these rows of one person, from the first day on: what is above 0 they owed then. One query."""
    legs = Leg.objects.filter(account__player__in=family, entry__number__isnull=False)
    in_order = legs.order_by("entry__date", "entry__year", "entry__number", "kind")
    found, balance = list[PersonalLine](), 0
    for entry, of_entry in groupby(in_order.values_list("entry", "kind").annotate(Sum("cents")), itemgetter(0)):
        kinds = [(kind, cents) for _entry, kind, cents in of_entry]
        brought = sum(cents for _kind, cents in kinds)
        balance += brought
        found.append(PersonalLine(entry, brought, balance, kinds))
    return found


def told(lines: Sequence[PersonalLine]) -> list[StatementLine]:
    """These lines with their entries. One query."""
    entries = Entry.objects.select_related("reverses", "evening", "tariff").in_bulk([line.entry for line in lines])
    return [StatementLine(entries[line.entry], *line[1:]) for line in lines]


def statement_of(family: Collection[int]) -> list[StatementLine]:
    """The whole statement of a person: every line from the first day on."""
    return told(course_of(family))


# --- Who is open ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Balance:
    """A person and what they owe, below 0 what they have to their credit."""

    player: Player
    cents: int

    @property
    def name(self) -> str:
        return self.player.name


def open_and_credit(people: Iterable[Player], owed: Mapping[int, int]) -> tuple[list[Balance], list[Balance]]:
    """Who is open, who owes most first, and who has a credit, the largest first."""
    found = [Balance(player, owed[player.pk]) for player in people if owed.get(player.pk)]
    by_amount = sorted(found, key=lambda one: -abs(one.cents))
    return [one for one in by_amount if one.cents > 0], [one for one in by_amount if one.cents < 0]
