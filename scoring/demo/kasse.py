"""Make the Kasse of the demo club, day by day, and that of generated clubs, month by month, by the actions."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, Final
from uuid import uuid4

from scoring.cash.evening.actions import enter_fine
from scoring.cash.ledger.actions import book, count_cash, report_payment
from scoring.cash.ledger.queries import compute_hash, get_balances, get_owed
from scoring.cash.models import CashCount, Kind
from scoring.cash.months.actions import close_month, close_months, countersign
from scoring.cash.months.queries import build_draft, build_drafts, get_next_to_close, list_open_months
from scoring.cash.tariff.actions import change_tariff
from scoring.cash.tariff.rules import OFFERED_FINES
from scoring.club.actions import Actor
from scoring.club.models import Club, Membership, Player
from scoring.demo.cast import TIME_ZONE, WEEK, Day, get_day
from scoring.demo.evenings import make_key
from scoring.demo.league import MORNING
from scoring.play.models import Evening

# Months since it began.
BEGAN: Final = 7
TARIFF: Final = {
    "points": {"scheme": "minus", "rate": 10, "cap": 800},
    "fee": {"cents": 100},
    "guests": {"cents": 200},
    "fines": OFFERED_FINES,
}
# Fines: weeks ago, kind, and number or minutes.
FINES: Final[Mapping[int, tuple[str, int]]] = {28: ("late", 17), 7: ("misdeal", 1)}
# Other entries: months ago, day, kind, cents, reason, and further fields.
BOOKINGS: Final[tuple[tuple[int, int, Kind, int, str, dict[str, str]], ...]] = (
    (BEGAN, 1, Kind.OPENING, 18450, "Aus dem alten Kassenbuch", {"heading": "cash"}),
    (BEGAN, 1, Kind.OPENING, 61200, "Kontoauszug vom Monatsende", {"heading": "bank"}),
    (BEGAN, 1, Kind.OPENING, 1240, "Stand auf dem alten Zettel", {"heading": "open", "person": "Bernd"}),
    (7, 12, Kind.OUTLAY, 2380, "Acht Blatt Spielkarten", {"heading": "expense:other", "person": "Jürgen"}),
    (6, 2, Kind.EXPENSE, 6000, "Vereinsheim, Miete", {"heading": "expense:rent", "box": "bank"}),
    (5, 21, Kind.EXPENSE, 4590, "Wanderpokal mit Gravur", {"heading": "expense:prizes", "box": "cash"}),
    (4, 18, Kind.TRANSFER, 10000, "Bar eingezahlt", {"box": "cash"}),
    (3, 2, Kind.EXPENSE, 6000, "Vereinsheim, Miete", {"heading": "expense:rent", "box": "bank"}),
    (3, 9, Kind.EXPENSE, 5735, "Grillen mit allen", {"heading": "expense:drinks", "box": "cash"}),
    (1, 17, Kind.INCOME, 2500, "Erlös der Tombola", {"heading": "income:other", "box": "cash"}),
    (0, 1, Kind.EXPENSE, 6000, "Vereinsheim, Miete", {"heading": "expense:rent", "box": "bank"}),
)  # fmt: skip
# The tariff of generated clubs.
GENERATED_TARIFF: Final = {
    "points": {"scheme": "minus", "rate": 5, "cap": 500},
    "fee": {"cents": 100},
    "guests": {"cents": 200},
}
# The day of the last month on which the box is counted, and the days since a payment was reported.
COUNTED, REPORTED = 3, 7
# The members who pay into the bank, and those who pay late in round sums.
BY_BANK: Final = ("Paweł", "Dörte", "Annegret")
LATE: Final = "Bernd"
SUM: Final = 2000


class Treasurer:
    """The treasurer of the demo club. `run_at` runs an action as if on another day."""

    def __init__(
        self, club: Club, people: Mapping[str, Player], countersigns: Actor, run_at: Callable[..., None], today: Day
    ) -> None:
        self.club, self.people, self.countersigns, self.run_at, self.today = club, people, countersigns, run_at, today
        self.begins = get_day(today, BEGAN)
        self.actor = _get_treasurer(club)
        self.done_until = self.begins - datetime.timedelta(days=1)

    def catch_up(self, day: Day) -> None:
        """Do everything that is due before the evening of this day, in order."""
        if day < self.begins:
            return
        if self.done_until < self.begins:
            self.run_at(self.begins, partial(change_tariff, club=self.club, actor=self.actor, content=TARIFF, seen=0))
        for months_ago, number, kind, cents, reason, fields in BOOKINGS:
            on = get_day(self.today, months_ago, number)
            if self.done_until < on <= day:
                self.run_at(on, self._book, on, kind, cents, reason, fields)
        if self.done_until.month != day.month:
            self.run_at(day, self._close_month, day)
        if self.done_until < get_day(self.today, 1, COUNTED) <= day:
            self.run_at(day, self._count, day)
        if self.done_until < self.today - datetime.timedelta(days=REPORTED) <= day:
            self.run_at(day, self._report, day)
        self.done_until = day

    def fine(self, evening: Evening, actor: Actor) -> None:
        weeks_ago = (self.today - evening.held_on) // WEEK
        if weeks_ago in FINES and evening.tariff_id:
            code, amount = FINES[weeks_ago]
            present = Player.objects.filter(attendance__evening=evening, attendance__absence="", guest=False)
            fined = present.order_by("-pk")[0]
            enter_fine(evening=evening, actor=actor, key=uuid4(), player=fined, code=code, amount=amount)

    def _book(self, day: Day, kind: Kind, cents: int, reason: str, fields: dict[str, Any]) -> None:
        if "person" in fields:
            fields = {**fields, "person": self.people[fields["person"]]}
        book(club=self.club, actor=self.actor, key=uuid4(), kind=kind, cents=cents, date=day, reason=reason, **fields)

    def _close_month(self, day: Day) -> None:
        """On the first evening of a month book all payments and close the months before the last one."""
        owed = get_owed(self.club)
        for name, player in self.people.items():
            cents = owed.get(player.pk, 0)
            if name == LATE:
                cents = cents // SUM * SUM
            if cents > 0:
                box = {"box": "bank" if name in BY_BANK else "cash"}
                self._book(day, Kind.PAYMENT, cents, "", {**box, "person": name})
        last = f"{day.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
        while (month := get_next_to_close(self.club)) is not None and month < last:
            period = close_month(club=self.club, actor=self.actor, month=month, seen=compute_hash(build_draft(self.club, month)))
            countersign(period=period, actor=self.countersigns)

    def _count(self, day: Day) -> None:
        cents = get_balances(self.club)["cash"]
        counter, witness = self.people["Käthe"], self.people["Jürgen"]
        count = count_cash(
            club=self.club, actor=self.actor, key=uuid4(), cents=cents, booked=cents, counter=counter, witness=witness
        )
        CashCount.objects.filter(pk=count.pk).update(counted_at=datetime.datetime.combine(day, MORNING, TIME_ZONE))

    def _report(self, day: Day) -> None:
        late = self.people[LATE]
        report_payment(player=late, actor=self.actor, key=uuid4(), cents=SUM, box="bank", date=day, note="Überwiesen")


def begin_generated(club: Club) -> Actor:
    """Set the tariff of a generated club and return its treasurer."""
    treasurer = _get_treasurer(club)
    change_tariff(club=club, actor=treasurer, content=GENERATED_TARIFF, seen=0)
    return treasurer


def pay_generated(club: Club, treasurer: Actor, day: Day, rng: Random) -> None:
    """Book on this day that all members pay their debts."""
    owed = get_owed(club)
    for player in Player.objects.filter(pk__in=[pk for pk, cents in owed.items() if cents > 0]).order_by("pk"):
        key, cents = make_key(rng), owed[player.pk]
        book(club=club, actor=treasurer, key=key, kind=Kind.PAYMENT, cents=cents, date=day, box="cash", person=player)


def close_generated(club: Club, treasurer: Actor, last: Day) -> None:
    """Close all months but the last two; `last` is the day of the last evening."""
    until = f"{get_day(last, 2):%Y-%m}"
    if months := list_open_months(club, until):
        *_before, text = build_drafts(club, months)
        close_months(club=club, actor=treasurer, until=until, seen=compute_hash(text))


def _get_treasurer(club: Club) -> Actor:
    return Actor(Membership.objects.select_related("user").get(club=club, treasurer=True).user, treasurer=True)
