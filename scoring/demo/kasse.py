"""The Kasse of the demo's club: the balances of March 2026, the tariff that counts from then on, two fines, purchases, who
pays when, and a count of the box. All months but the last ones are closed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from scoring.cash.actions.closing import close_month, countersign
from scoring.cash.actions.counting import Counted, count_cash
from scoring.cash.actions.fines import enter_fine
from scoring.cash.actions.reports import report_payment
from scoring.cash.actions.tariffs import change_tariff
from scoring.cash.actions.typed import TypedBooking, book
from scoring.cash.models.beside import CashCount
from scoring.cash.models.books import Kind
from scoring.cash.queries.books import balances, hash_of, owed
from scoring.cash.queries.closing import draft, next_to_close
from scoring.cash.rules.questions import TariffAnswers, tariff_of
from scoring.club.actions.history import Actor
from scoring.club.models.people import Club, Membership, Player
from scoring.play.models import Evening

from .cast import Day
from .league import MORNING
from .plans import HERE

BEGINS: Final = Day(2026, 3, 1)
TARIFF: Final = tariff_of(
    TariffAnswers(rate=10, cap=800, fee=100, guest=200, missed=200, fines=("misdeal", "late", "phone")), {}
)
# On which evening whom what, and how often or how many minutes.
FINES: Final[Mapping[Day, tuple[str, str, int]]] = {
    Day(2026, 4, 16): ("Bernd", "late", 17),
    Day(2026, 9, 10): ("Heike", "misdeal", 1),
}
# What the treasurer books beside what people owe: day, kind, cents, reason, and what else is typed.
BOOKED: Final[tuple[tuple[Day, Kind, int, str, dict[str, str]], ...]] = (
    (BEGINS, Kind.OPENING, 18450, "Aus dem alten Kassenbuch", {"heading": "cash"}),
    (BEGINS, Kind.OPENING, 61200, "Kontoauszug vom 28. Februar", {"heading": "bank"}),
    (BEGINS, Kind.OPENING, 1240, "Stand auf dem alten Zettel", {"heading": "open", "person": "Bernd"}),
    (Day(2026, 3, 12), Kind.OUTLAY, 2380, "Acht Blatt Spielkarten", {"heading": "expense:other", "person": "Jürgen"}),
    (Day(2026, 4, 2), Kind.EXPENSE, 6000, "Vereinsheim, 1. Vierteljahr", {"heading": "expense:rent", "box": "bank"}),
    (Day(2026, 5, 21), Kind.EXPENSE, 4590, "Wanderpokal mit Gravur", {"heading": "expense:prizes", "box": "cash"}),
    (Day(2026, 6, 18), Kind.TRANSFER, 10000, "Bar eingezahlt", {"box": "cash"}),
    (Day(2026, 7, 2), Kind.EXPENSE, 6000, "Vereinsheim, 2. Vierteljahr", {"heading": "expense:rent", "box": "bank"}),
    (Day(2026, 7, 9), Kind.EXPENSE, 5735, "Grillen vor den Ferien", {"heading": "expense:drinks", "box": "cash"}),
    (Day(2026, 9, 17), Kind.INCOME, 2500, "Erlös der Tombola", {"heading": "income:other", "box": "cash"}),
    (Day(2026, 10, 1), Kind.EXPENSE, 6000, "Vereinsheim, 3. Vierteljahr", {"heading": "expense:rent", "box": "bank"}),
)  # fmt: skip
COUNTED: Final = Day(2026, 9, 3)
REPORTED: Final = Day(2026, 10, 22)
# Who pays into the bank; and who pays late, in round sums.
BY_BANK: Final = ("Paweł", "Dörte", "Annegret")
LATE: Final = "Bernd"
SUM: Final = 2000


class Treasurer:
    """The treasurer of a club. `at` does something as if it were that day."""

    def __init__(self, club: Club, people: Mapping[str, Player], countersigns: Actor, at: Callable[..., None]) -> None:
        self.club, self.people, self.countersigns, self.at = club, people, countersigns, at
        login = Membership.objects.select_related("user").get(club=club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
        self.was = BEGINS - datetime.timedelta(days=1)

    def reach(self, day: Day) -> None:
        """Everything that is done before the evening of this day, in its order; nothing of what is to come."""
        if day < BEGINS or day > timezone.localdate():
            return
        if self.was < BEGINS:
            self.at(BEGINS, self._begin)
        for on, kind, cents, reason, told in BOOKED:
            if self.was < on <= day:
                self.at(on, self._book, on, kind, cents, reason, told)
        if self.was.month != day.month:
            self.at(day, self._month, day)
        if self.was < COUNTED <= day:
            self.at(day, self._count, day)
        if self.was < REPORTED <= day:
            self.at(day, self._report, day)
        self.was = day

    def fine(self, evening: Evening, actor: Actor) -> None:
        """What is fined at the table."""
        if evening.held_on in FINES and evening.tariff_id:
            name, code, amount = FINES[evening.held_on]
            enter_fine(evening=evening, actor=actor, key=uuid4(), player=self.people[name], code=code, amount=amount)

    def _begin(self) -> None:
        change_tariff(club=self.club, actor=self.actor, content=TARIFF, seen=0)

    def _book(self, day: Day, kind: Kind, cents: int, reason: str, told: dict[str, Any]) -> None:
        if "person" in told:
            told = {**told, "person": self.people[told["person"]]}
        typed = TypedBooking(kind=kind, cents=cents, date=day, reason=reason, **told)
        book(club=self.club, actor=self.actor, key=uuid4(), typed=typed)

    def _month(self, day: Day) -> None:
        """The first evening of a month: everybody pays what is open, and what happened before the last month is closed."""
        open_ = owed(self.club)
        for name, player in self.people.items():
            cents = open_.get(player.pk, 0)
            if name == LATE:
                cents = cents // SUM * SUM
            if cents > 0:
                box = {"box": "bank" if name in BY_BANK else "cash"}
                self._book(day, Kind.PAYMENT, cents, "", {**box, "person": name})
        last = f"{day.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
        while (month := next_to_close(self.club)) is not None and month < last:
            period = close_month(club=self.club, actor=self.actor, month=month, seen=hash_of(draft(self.club, month)))
            countersign(period=period, actor=self.countersigns)

    def _count(self, day: Day) -> None:
        """Somebody counts the box and finds what the books say."""
        cents = balances(self.club)["cash"]
        counted = Counted(cents, cents, self.people["Käthe"], self.people["Jürgen"])
        count = count_cash(club=self.club, actor=self.actor, key=uuid4(), counted=counted)
        CashCount.objects.filter(pk=count.pk).update(counted_at=datetime.datetime.combine(day, MORNING, HERE))

    def _report(self, day: Day) -> None:
        """It waits for the treasurer."""
        report_payment(
            player=self.people[LATE], actor=self.actor, key=uuid4(), cents=SUM, box="bank", date=day, note="Überwiesen"
        )
