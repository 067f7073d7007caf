"""Make the Kasse of a generated club: tariffs, payments and closed months. The actions of the Kasse write the books for several
months at once. The log has no entries for it."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from scoring.cash.evening.posting import build_posting
from scoring.cash.evening.queries import Facts
from scoring.cash.evening.queries import build_lines as lines_on
from scoring.cash.ledger.actions import TypedBooking, build_lines
from scoring.cash.ledger.posting import Posting, post_all
from scoring.cash.ledger.queries import compute_hash
from scoring.cash.models import Attendance, Kind
from scoring.cash.months.actions import close_months
from scoring.cash.months.queries import build_drafts, list_open_months
from scoring.cash.tariff.actions import change_tariff
from scoring.cash.tariff.queries import get_current_tariff
from scoring.cash.tariff.rules import TariffAnswers, build_tariff
from scoring.club.actions import Actor
from scoring.club.models import Membership, Player
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.play.models import Evening
from scoring.play.queries import Records

from .cast import Day
from .evenings import key_of, store
from .plans import Plan
from .staff import Staff

EXCUSED: Final = Attendance.Absence.EXCUSED
TARIFF: Final = build_tariff(TariffAnswers(rate=5, cap=500, fee=100, guest=200, missed=100), {})


class Kasse:
    """The treasurer of a generated club. On the first evening of a month all members pay their debts."""

    def __init__(self, staff: Staff) -> None:
        self.staff = staff
        login = Membership.objects.select_related("user").get(club=staff.club, treasurer=True).user
        self.actor = Actor(login, treasurer=True)
        change_tariff(club=staff.club, actor=self.actor, content=TARIFF, seen=0)
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
