"""Make the Kasse of the demo club and of generated clubs.

The demo club has opening balances seven months ago, a tariff, fines, purchases, payments and a count of the box; all months but
the last ones are closed. The books of a generated club are written for several months at once, and the log has no entries for
them."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final
from uuid import uuid4

from scoring.cash.evening.actions import enter_fine
from scoring.cash.evening.posting import build_posting
from scoring.cash.evening.queries import Facts
from scoring.cash.evening.queries import build_lines as lines_on
from scoring.cash.ledger.actions import Counted, TypedBooking, book, build_lines, count_cash, report_payment
from scoring.cash.ledger.posting import Posting, post_all
from scoring.cash.ledger.queries import compute_hash, get_balances, get_owed
from scoring.cash.models import Attendance, CashCount, Kind
from scoring.cash.months.actions import close_month, close_months, countersign
from scoring.cash.months.queries import build_draft, build_drafts, get_next_to_close, list_open_months
from scoring.cash.tariff.actions import change_tariff
from scoring.cash.tariff.queries import get_current_tariff
from scoring.cash.tariff.rules import TariffAnswers, build_tariff
from scoring.club.actions import Actor
from scoring.club.models import Club, Membership, Player
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.demo.cast import HERE, WEEK, Day, Plan, day_of
from scoring.demo.evenings import key_of, store
from scoring.demo.founding import Staff
from scoring.demo.league import MORNING
from scoring.play.models import Evening
from scoring.play.queries import Records

# Months since it began.
BEGAN: Final = 7
TARIFF: Final = build_tariff(
    TariffAnswers(rate=10, cap=800, fee=100, guest=200, missed=200, fines=("misdeal", "late", "phone")), {}
)
# Fines: weeks ago, kind, and number or minutes.
FINES: Final[Mapping[int, tuple[str, int]]] = {28: ("late", 17), 7: ("misdeal", 1)}
# Other entries: months ago, day, kind, cents, reason, and further fields.
BOOKED: Final[tuple[tuple[int, int, Kind, int, str, dict[str, str]], ...]] = (
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
# The day of the last month on which the box is counted, and the days since a payment was reported.
COUNTED, REPORTED = 3, 7
# The members who pay into the bank, and those who pay late in round sums.
BY_BANK: Final = ("Paweł", "Dörte", "Annegret")
LATE: Final = "Bernd"
SUM: Final = 2000


class Treasurer:
    """The treasurer of a club. `at` runs an action as if on another day."""

    def __init__(
        self, club: Club, people: Mapping[str, Player], countersigns: Actor, at: Callable[..., None], today: Day
    ) -> None:
        self.club, self.people, self.countersigns, self.at, self.today = club, people, countersigns, at, today
        self.begins = day_of(today, BEGAN)
        login = Membership.objects.select_related("user").get(club=club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
        self.was = self.begins - datetime.timedelta(days=1)

    def reach(self, day: Day) -> None:
        """Do everything that is due before the evening of this day, in order."""
        if day < self.begins:
            return
        if self.was < self.begins:
            self.at(self.begins, self._begin)
        for months_ago, number, kind, cents, reason, told in BOOKED:
            on = day_of(self.today, months_ago, number)
            if self.was < on <= day:
                self.at(on, self._book, on, kind, cents, reason, told)
        if self.was.month != day.month:
            self.at(day, self._month, day)
        if self.was < day_of(self.today, 1, COUNTED) <= day:
            self.at(day, self._count, day)
        if self.was < self.today - datetime.timedelta(days=REPORTED) <= day:
            self.at(day, self._report, day)
        self.was = day

    def fine(self, evening: Evening, actor: Actor) -> None:
        """Fine a member who is present at the table."""
        weeks_ago = (self.today - evening.held_on) // WEEK
        if weeks_ago in FINES and evening.tariff_id:
            code, amount = FINES[weeks_ago]
            fined = Player.objects.filter(attendance__evening=evening, attendance__absence="", guest=False).order_by(
                "-pk"
            )[0]
            enter_fine(evening=evening, actor=actor, key=uuid4(), player=fined, code=code, amount=amount)

    def _begin(self) -> None:
        change_tariff(club=self.club, actor=self.actor, content=TARIFF, seen=0)

    def _book(self, day: Day, kind: Kind, cents: int, reason: str, told: dict[str, Any]) -> None:
        if "person" in told:
            told = {**told, "person": self.people[told["person"]]}
        typed = TypedBooking(kind=kind, cents=cents, date=day, reason=reason, **told)
        book(club=self.club, actor=self.actor, key=uuid4(), typed=typed)

    def _month(self, day: Day) -> None:
        """On the first evening of a month book all payments and close the months before the last one."""
        open_ = get_owed(self.club)
        for name, player in self.people.items():
            cents = open_.get(player.pk, 0)
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
        """Count the box; the result equals the books."""
        cents = get_balances(self.club)["cash"]
        counted = Counted(cents, cents, self.people["Käthe"], self.people["Jürgen"])
        count = count_cash(club=self.club, actor=self.actor, key=uuid4(), counted=counted)
        CashCount.objects.filter(pk=count.pk).update(counted_at=datetime.datetime.combine(day, MORNING, HERE))

    def _report(self, day: Day) -> None:
        """Report a payment that waits for the treasurer."""
        report_payment(
            player=self.people[LATE], actor=self.actor, key=uuid4(), cents=SUM, box="bank", date=day, note="Überwiesen"
        )


EXCUSED: Final = Attendance.Absence.EXCUSED
GENERATED_TARIFF: Final = build_tariff(TariffAnswers(rate=5, cap=500, fee=100, guest=200, missed=100), {})


class Kasse:
    """The treasurer of a generated club. On the first evening of a month all members pay their debts."""

    def __init__(self, staff: Staff) -> None:
        self.staff = staff
        login = Membership.objects.select_related("user").get(club=staff.club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
        change_tariff(club=staff.club, actor=self.actor, content=GENERATED_TARIFF, seen=0)
        self.tariff = get_current_tariff(staff.club)
        self.owed = Counter[Player]()

    def charge(self, plans: Sequence[Plan]) -> int:
        """Write the evenings of some months and charge them. Return the number of games."""
        stored = store(self.staff, plans, self.tariff)
        merged = get_merged_players(self.staff.club.pk)
        evenings = [
            self._facts(evening, list(tables), merged)
            for evening, tables in groupby(stored, lambda one: one.table.evening)
        ]
        Attendance.objects.bulk_create([row for facts in evenings for row in facts.rows])
        postings = []
        for _month, of_month in groupby(evenings, lambda facts: facts.evening.held_on.replace(day=1)):
            charged = [build_posting(facts.evening, facts) for facts in of_month]
            postings += [*self._paid(charged[0].date), *charged]
            self._owe(charged)
        post_all(club=self.staff.club, actor=self.actor, postings=postings)
        return sum(len(one.games) for one in stored)

    def _facts(self, evening: Evening, tables: Sequence[Records], merged: MergedPlayers) -> Facts:
        """Return the facts of an evening; the players of its tables were present."""
        rows = self._list(evening, [player for one in tables for player in one.current])
        lines = {one.table.pk: lines_on(one) for one in tables}
        return Facts(evening, rows, [], [one.table for one in tables], lines, merged)

    def _owe(self, charged: Iterable[Posting]) -> None:
        for leg in (leg for posting in charged for leg in posting.lines):
            if isinstance(leg.account, Player):
                self.owed[leg.account] += leg.cents

    def close(self, last: Day) -> None:
        """Close all months before the last complete one."""
        over = last.replace(day=1) - datetime.timedelta(days=1)
        until = f"{over.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
        if months := list_open_months(self.staff.club, until):
            *_before, text = build_drafts(self.staff.club, months)
            close_months(club=self.staff.club, actor=self.actor, until=until, seen=compute_hash(text))

    def _list(self, evening: Evening, there: Sequence[Player]) -> list[Attendance]:
        """Return the attendance of an evening: the players, then the absent members."""
        away = [
            player
            for player in self.staff.players.values()
            if player not in there and player.joined_on is not None and player.joined_on <= evening.held_on
        ]
        said = [*((player, player.guest, "") for player in there), *((player, False, EXCUSED) for player in away)]
        return [
            Attendance(evening=evening, player=player, place=place, guest=guest, absence=absence)
            for place, (player, guest, absence) in enumerate(said)
        ]

    def _paid(self, day: Day) -> list[Posting]:
        owing = sorted(((player, cents) for player, cents in self.owed.items() if cents > 0), key=lambda one: one[0].pk)
        paid = []
        for player, cents in owing:
            typed = TypedBooking(kind=Kind.PAYMENT, cents=cents, date=day, box="cash", person=player)
            paid.append(Posting(key_of(self.staff.rng), Kind.PAYMENT, day, list(build_lines(typed))))
            del self.owed[player]
        return paid
