"""The entries of a club as people read them: one entry with its legs, and the registers with a running balance: the Kassenbuch, and
the statement of a person."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from django.db.models import BigIntegerField, F, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Window
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.cash.models.beside import Heading
from scoring.cash.models.books import Entry, Kind, Leg
from scoring.cash.queries.books import KASSE
from scoring.cash.rules.money import summed
from scoring.club.models import Club, Player
from scoring.club.queries import MergedPlayers, collect_merged, get_merged_players
from scoring.core.database import CodePoints

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
    merged = MergedPlayers({pk: into for pk, (_name, into) in rows.items()})
    return BookNames({pk: rows[merged.resolve(pk)][0] for pk in rows}, headings_of(club))


def headings_of(club: Club) -> dict[str, str]:
    """What accounts of the club's own are called, by their codes."""
    return dict(Heading.objects.filter(club=club).order_by("pk").values_list("code", "name"))


def family_of(club: Club, player: Player) -> list[int]:
    """The ids of a person and of everybody who was merged into them, in one query."""
    return [one.pk for one in collect_merged(list(Player.objects.filter(club=club)), player)]


def legs_for(entry: Entry, family: Collection[int]) -> list[Leg]:
    """The legs of an entry that a person may read who is part of it and is no treasurer: their own and those of no person;
    of debts between people and of an evening, all."""
    about = entry.reverses.kind if entry.reverses else entry.kind
    legs = list(entry.legs.all())
    if about in _SHARED:
        return legs
    return [leg for leg in legs if leg.account.player_id is None or leg.account.player_id in family]


# --- Registers --------------------------------------------------------------------------------------------------------


class Booked(Protocol):
    """An entry of a register: the cents that it moved on the accounts of the register, and what stood on them behind it."""

    moved: int
    balance: int


IN_KASSE: Final = Q(account__code__in=KASSE)


def of_family(family: Collection[int]) -> Q:
    """The legs on the accounts of a person, as the accounts of a register."""
    return Q(account__player__in=family)


def register_of(club: Club, accounts: Q) -> QuerySet[Entry]:
    """Every sealed entry as `Booked`, for the accounts of these legs; the latest first. Its balance adds up all entries before
    it, whichever of them are chosen with `among` and however they are sorted."""
    legs = Leg.objects.filter(accounts, entry=OuterRef("pk")).order_by().values("entry").annotate(moved=Sum("cents"))
    moved = Coalesce(Subquery(legs.values("moved")), 0, output_field=BigIntegerField())
    balance = Window(Sum("moved"), order_by=[F("date").asc(), F("number").asc()])
    return entries_of(club).select_related("tariff").annotate(moved=moved, balance=balance)


def among(register: QuerySet[Entry], chosen: Q) -> QuerySet[Entry]:
    """The entries of a register that are chosen. `Q(balance=None)` never holds and names the window: without it the database would
    add up the chosen entries alone. A condition over other tables has to be an `Exists`."""
    return register.filter(chosen | Q(balance=None)) if chosen else register


def sums_of(register: QuerySet[Entry], chosen: Q) -> dict[str, int]:
    """The cents that the chosen entries brought and took, all of them together."""
    plus, minus = Q(moved__gt=0), Q(moved__lt=0)
    return register.filter(chosen).aggregate(
        plus=Sum("moved", filter=plus, default=0), minus=-Sum("moved", filter=minus, default=0)
    )


def statement_of(club: Club, family: Collection[int]) -> QuerySet[Entry]:
    """The register of a person: the entries that have a leg of theirs, which alone move their balance."""
    own = Leg.objects.filter(of_family(family)).values("entry")
    return register_of(club, of_family(family)).filter(pk__in=own)


def as_booked(register: QuerySet[Entry]) -> QuerySet[Entry]:
    return register.order_by("date", "number")


def first_name_key() -> Subquery:
    """The key by which an entry is sorted by person: the first of the names of those it is about, as they are called now."""
    name = CodePoints(Coalesce("account__player__merged_into__name_key", "account__player__name_key"))
    legs = Leg.objects.filter(entry=OuterRef("pk"), account__player__isnull=False).order_by().values("entry")
    return Subquery(legs.annotate(first=Min(name)).values("first"))


def balance_of(family: Collection[int]) -> int:
    """What a person owes, below 0 what they have to their credit."""
    legs = Leg.objects.filter(of_family(family), entry__number__isnull=False)
    return legs.aggregate(cents=Sum("cents"))["cents"] or 0


def kinds_of(entry: Entry, family: Collection[int]) -> list[tuple[str, int]]:
    """What an entry moved for a person, kind by kind."""
    return sorted(summed((leg.kind, leg.cents) for leg in entry.legs.all() if leg.account.player_id in family).items())


# --- Who is open ------------------------------------------------------------------------------------------------------


# For so long a page says since which day a debt is open.
_LONG: Final = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Balance:
    """A person and what they owe, below 0 what they have to their credit; of a debt of the last year since when it is open."""

    player: Player
    cents: int
    since: datetime.date | None = None

    @property
    def name(self) -> str:
        return self.player.name


def open_since(club: Club, owed: Mapping[int, int]) -> dict[int, datetime.date]:
    """The day of the oldest charge that each debtor has not paid yet, by id; whoever pays covers the oldest first. A charge of more
    than a year ago is left out."""
    left = {pk: cents for pk, cents in owed.items() if cents > 0}
    legs = Leg.objects.filter(
        entry__club=club,
        entry__number__isnull=False,
        entry__reverses=None,
        entry__reversed_by=None,
        entry__date__gt=timezone.localdate() - _LONG,
        account__player__isnull=False,
    )
    order = ("-entry__date", "-entry__number", "account")
    rows = legs.order_by(*order).values_list("entry__date", "entry__number", "account__player").annotate(Sum("cents"))
    merged, found = get_merged_players(club.pk), dict[int, datetime.date]()
    for day, _number, player, cents in rows:
        who = merged.resolve(player)
        if cents > 0 and left.get(who, 0) > 0:
            left[who] -= cents
            found[who] = day
    return {who: day for who, day in found.items() if left[who] <= 0}


def open_and_credit(
    people: Iterable[Player], owed: Mapping[int, int], since: Mapping[int, datetime.date]
) -> tuple[list[Balance], list[Balance]]:
    """Who is open, who owes most first, and who has a credit, the largest first."""
    found = [Balance(player, owed[player.pk], since.get(player.pk)) for player in people if owed.get(player.pk)]
    by_amount = sorted(found, key=lambda one: -abs(one.cents))
    return [one for one in by_amount if one.cents > 0], [one for one in by_amount if one.cents < 0]
