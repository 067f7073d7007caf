"""Make the Kasse of the demo club by the actions, day by day, and that of generated clubs for several months at once."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final
from uuid import uuid4

from scoring.cash.evening.actions import enter_fine
from scoring.cash.evening.posting import build_entry
from scoring.cash.evening.queries import Facts
from scoring.cash.evening.queries import build_lines as build_table_lines
from scoring.cash.ledger.actions import book, count_cash, report_payment
from scoring.cash.ledger.posting import post_all
from scoring.cash.ledger.queries import compute_hash, get_balances, get_owed
from scoring.cash.models import Attendance, CashCount, Entry, Kind
from scoring.cash.months.actions import close_month, close_months, countersign
from scoring.cash.months.queries import build_draft, build_drafts, get_next_to_close, list_open_months
from scoring.cash.rules.money import DueLeg, build_leg_pair, build_member_account, parse_player
from scoring.cash.tariff.actions import change_tariff
from scoring.cash.tariff.queries import get_current_tariff
from scoring.cash.tariff.rules import TariffAnswers, build_tariff
from scoring.club.actions import Actor
from scoring.club.models import Club, Membership, Player
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.demo.cast import TIME_ZONE, WEEK, Day, Plan, get_day
from scoring.demo.evenings import make_key, write_unposted
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
GENERATED_TARIFF: Final = build_tariff(TariffAnswers(rate=5, cap=500, fee=100, guest=200, missed=100), {})
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
        login = Membership.objects.select_related("user").get(club=club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
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


class GeneratedKasse:
    """The treasurer of a generated club. On the first evening of a month all members pay their debts."""

    def __init__(self, staff: Staff) -> None:
        self.staff = staff
        login = Membership.objects.select_related("user").get(club=staff.club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
        change_tariff(club=staff.club, actor=self.actor, content=GENERATED_TARIFF, seen=0)
        self.tariff = get_current_tariff(staff.club)
        self.owed = Counter[int]()

    def charge(self, plans: Sequence[Plan]) -> int:
        """Write these evenings, book their cost and the payments of each month, and return the number of games."""
        stored = write_unposted(self.staff, plans, self.tariff)
        merged = get_merged_players(self.staff.club.pk)
        by_evening = groupby(stored, lambda one: one.table.evening)
        evenings = [self._build_facts(evening, list(tables), merged) for evening, tables in by_evening]
        Attendance.objects.bulk_create([row for facts in evenings for row in facts.rows])
        entries: list[tuple[Entry, Sequence[DueLeg]]] = []
        for _month, of_month in groupby(evenings, lambda facts: facts.evening.held_on.replace(day=1)):
            charged = [build_entry(facts) for facts in of_month]
            entries += [*self._build_payments(charged[0][0].date), *charged]
            for leg in (leg for _entry, legs in charged for leg in legs):
                if (player := parse_player(leg.account)) is not None:
                    self.owed[player] += leg.cents
        post_all(club=self.staff.club, actor=self.actor, entries=entries)
        return sum(len(one.games) for one in stored)

    def _build_facts(self, evening: Evening, tables: Sequence[Records], merged: MergedPlayers) -> Facts:
        rows = self._build_attendance(evening, [player for one in tables for player in one.current])
        lines = {one.table.pk: build_table_lines(one) for one in tables}
        return Facts(evening, rows, [], [one.table for one in tables], lines, merged)

    def close(self, last: Day) -> None:
        """Close all months but the last two; `last` is the day of the last evening."""
        over = last.replace(day=1) - datetime.timedelta(days=1)
        until = f"{over.replace(day=1) - datetime.timedelta(days=1):%Y-%m}"
        if months := list_open_months(self.staff.club, until):
            *_before, text = build_drafts(self.staff.club, months)
            close_months(club=self.staff.club, actor=self.actor, until=until, seen=compute_hash(text))

    def _build_attendance(self, evening: Evening, there: Sequence[Player]) -> list[Attendance]:
        absent = [player for player in self.staff.players.values() if player not in there]
        away = [player for player in absent if player.joined_on is not None and player.joined_on <= evening.held_on]
        rows = [(player, player.guest, "") for player in there]
        rows += [(player, False, Attendance.Absence.EXCUSED) for player in away]
        return [
            Attendance(evening=evening, player=player, place=place, guest=guest, absence=absence)
            for place, (player, guest, absence) in enumerate(rows)
        ]

    def _build_payments(self, day: Day) -> list[tuple[Entry, Sequence[DueLeg]]]:
        payments: list[tuple[Entry, Sequence[DueLeg]]] = []
        for player, cents in sorted((player, cents) for player, cents in self.owed.items() if cents > 0):
            entry = Entry(club=self.staff.club, key=make_key(self.staff.rng), kind=Kind.PAYMENT, date=day)
            payments.append((entry, build_leg_pair(Kind.PAYMENT, "cash", cents, build_member_account(player))))
            del self.owed[player]
        return payments
