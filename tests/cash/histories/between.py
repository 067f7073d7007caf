"""The steps of what is due and who pays whom: dues of a month, settling directly, and what stood there when the Kasse began."""

from __future__ import annotations

from uuid import uuid4

from hypothesis import strategies as st

from scoring.cash.dues.actions import book_dues, set_dues_status
from scoring.cash.dues.queries import list_dues
from scoring.cash.ledger.actions import book_opening
from scoring.cash.rules.money import build_member_account
from scoring.cash.settling.actions import make_settlement, tick_line
from scoring.cash.settling.queries import compute_transfers, get_amounts, hash_transfers
from scoring.models import Settlement
from tests.cash.tariffs import TREASURER

from .world import World, step, which

cents = st.integers(-5000, 5000)


class Between(World):
    @step(often=3, number=which)
    def books_dues(self, number: int) -> None:
        due = self.pick([one for one in list_dues(self.club) if one.legs], number)
        entry = book_dues(club=self.club, actor=TREASURER, month=due.month, seen=due.seen)
        assert book_dues(club=self.club, actor=TREASURER, month=due.month, seen="") == entry

    @step(who=which, month=st.integers(1, 12), status=st.sampled_from(["full", "reduced", "none"]))
    def pays_other_dues(self, who: int, month: int, status: str) -> None:
        set_dues_status(player=self.person(who), actor=TREASURER, month=f"2026-{month:02}", status=status)

    @step("entry", often=3, number=which, some=st.booleans(), of_one=st.booleans())
    def settles(self, number: int, some: bool, of_one: bool) -> None:
        evening = self.evening(number, closed_at__isnull=False, entries__isnull=False) if of_one else None
        amounts = dict(list(get_amounts(self.club, evening).items())[: 3 if some else None])
        told = {"evening": evening, "players": list(amounts), "seen": hash_transfers(compute_transfers(amounts))}
        make_settlement(club=self.club, actor=TREASURER, key=uuid4(), **told)

    @step("settlement", often=8, number=which, place=which, box=st.sampled_from(["cash", "bank"]))
    def ticks(self, number: int, place: int, box: str) -> None:
        settlements = Settlement.objects.filter(club=self.club).select_related("club", "evening").order_by("-pk")
        settlement = self.pick(settlements[:2], number)
        lines = settlement.lines.count()
        entry = tick_line(settlement=settlement, actor=TREASURER, place=place % lines + 1, box=box)
        assert tick_line(settlement=settlement, actor=TREASURER, place=place % lines + 1, box="cash") == entry

    @step(cash=cents, bank=cents, owes=cents, who=which, day=st.integers(0, 5))
    def begins(self, cash: int, bank: int, owes: int, who: int, day: int) -> None:
        amounts = {"cash": cash, "bank": bank, build_member_account(self.person(who).pk): owes}
        key = uuid4()
        book_opening(club=self.club, actor=TREASURER, key=key, date=self.day(day), amounts=amounts)
