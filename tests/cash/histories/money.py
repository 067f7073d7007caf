"""The steps of a treasurer: what is typed, collected, reported, counted, taken back and closed, the dues of a month, settling
directly, and what stood there when the Kasse began; each key told twice."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import strategies as st

from scoring.cash.dues.actions import book_dues, set_dues_status
from scoring.cash.dues.queries import list_dues
from scoring.cash.evening.actions import collect
from scoring.cash.ledger.actions import (
    add_heading,
    book,
    book_opening,
    confirm_report,
    count_cash,
    refuse_report,
    report_payment,
    take_back,
    withdraw_report,
)
from scoring.cash.ledger.forms import TYPED
from scoring.cash.ledger.queries import compute_hash, get_balances, get_month_days
from scoring.cash.models import Kind
from scoring.cash.months.actions import close_month, countersign, set_first_month
from scoring.cash.months.queries import build_draft, get_next_to_close
from scoring.cash.rules.money import build_member_account
from scoring.cash.settling.actions import make_settlement, tick_line
from scoring.cash.settling.queries import compute_transfers, get_amounts, hash_transfers
from scoring.club.actions import Actor
from scoring.core.errors import InvalidInput
from scoring.evenings.actions import close_evening
from scoring.models import Entry, Evening, Heading, Period, Player, Report, Settlement
from tests.cash.tariffs import TREASURER

from .world import NothingThere, World, amounts, step, which

days = st.integers(-3, 20)
boxes = st.sampled_from(["cash", "bank"])
HEADINGS = {
    Kind.INCOME: ["income:other", "income:dues"],
    Kind.EXPENSE: ["expense:rent", "expense:trip"],
    Kind.OUTLAY: ["expense:drinks", "expense:prizes"],
    Kind.OPENING: ["cash", "bank", "open", "credit"],
}


class Money(World):
    """`told` is what was typed last."""

    told: dict[str, Any] | None = None

    @step(often=3, kind=st.sampled_from(list(TYPED)), cents=amounts, day=days, who=which, other=which, box=boxes, under=which)
    def types(self, kind: Kind, cents: int, day: int, who: int, other: int, box: str, under: int) -> None:
        person = self.person(who)
        others = [one for one in self.people() if one != person]
        own = list(Heading.objects.filter(club=self.club, code__startswith=f"{kind}:").values_list("code", flat=True))
        self.told = {
            "key": uuid4(), "kind": kind, "cents": cents, "date": min(self.day(day), timezone.localdate()), "person": person,
            "other": self.pick(others, other), "box": box, "heading": self.pick([*HEADINGS.get(kind, [""]), *own], under),
            "reason": f"Grund von {person.name}",
        }  # fmt: skip
        book(club=self.club, actor=TREASURER, **self.told)

    @step("entry", often=3, cents=amounts)
    def taps_twice(self, cents: int) -> None:
        if self.told is None:
            raise NothingThere
        standing = Entry.objects.filter(club=self.club, key=self.told["key"]).first()
        if standing is None or "…" in standing.reason:
            raise NothingThere
        assert book(club=self.club, actor=TREASURER, **self.told) == standing
        with pytest.raises(InvalidInput, match="Hier ist schon etwas gebucht"):
            book(club=self.club, actor=TREASURER, **{**self.told, "cents": self.told["cents"] + cents})

    @step("entry", often=2, number=which)
    def takes_back(self, number: int) -> None:
        entry = self.entry(number, kind__in=[*TYPED, Kind.COUNT], reversed_by=None)
        take_back(entry=entry, actor=TREASURER, key=uuid4(), reason="Vertippt")

    @step("booked evening", often=5, number=which, some=st.booleans())
    def collects(self, number: int, some: bool) -> None:
        evening = self.evening(number, closed_at__isnull=False, entries__isnull=False)
        people = list(Player.objects.filter(attendance__evening=evening, merged_into=None).distinct().order_by("pk"))
        key = uuid4()
        for _tap in range(2):
            last = collect(evening=evening, actor=TREASURER, players=people[: 2 if some else None], key=key)
        assert last == []

    @step(off=st.sampled_from([0, 0, -100, -37, 250]), who=which)
    def counts(self, off: int, who: int) -> None:
        booked = get_balances(self.club).get("cash", 0)
        people = self.people()
        count_cash(
            club=self.club, actor=TREASURER, key=uuid4(), cents=max(booked + off, 0), booked=booked,
            counter=self.pick(people, who), witness=self.pick(people, who + 1), reason="Gezählt",
        )  # fmt: skip

    # --- Two phases ---------------------------------------------------------------------------------------------------

    @step(often=3, who=which, cents=amounts, day=days, box=boxes)
    def reports(self, who: int, cents: int, day: int, box: str) -> None:
        report_payment(
            player=self.person(who), actor=Actor(), key=uuid4(), cents=cents, box=box,
            date=min(self.day(day), timezone.localdate()), note="Am Tisch",
        )  # fmt: skip

    def waiting(self, number: int) -> Report:
        waiting = Report.objects.filter(club=self.club, state="waiting").select_related("club", "player")
        return self.pick(waiting.order_by("pk"), number)

    @step("report", often=9, number=which)
    def confirms(self, number: int) -> None:
        report = self.waiting(number)
        entry = confirm_report(report=report, actor=TREASURER)
        assert entry == confirm_report(report=report, actor=Actor())

    @step("report", often=9, number=which)
    def refuses(self, number: int) -> None:
        refuse_report(report=self.waiting(number), actor=TREASURER, reason="Nichts da")

    @step("report", often=8, number=which)
    def withdraws(self, number: int) -> None:
        withdraw_report(report=self.waiting(number), actor=Actor())

    # --- Months and what they are called -------------------------------------------------------------------------------

    @step("entry", often=4, tidied=st.booleans())
    def closes_a_month(self, tidied: bool) -> None:
        month = get_next_to_close(self.club)
        if month is None:
            raise NothingThere
        if tidied:
            for evening in Evening.objects.filter(club=self.club, held_on__range=get_month_days(month), closed_at=None):
                close_evening(evening=evening, actor=TREASURER)
        seen = compute_hash(build_draft(self.club, month))
        close_month(club=self.club, actor=Actor(self.cast.treasurer, treasurer=True), month=month, seen=seen)

    @step("period", often=6, number=which, by=which)
    def countersigns(self, number: int, by: int) -> None:
        logins = [self.cast.admin, self.cast.reader, self.cast.scorer, self.cast.treasurer]
        periods = Period.objects.filter(club=self.club).select_related("club").order_by("month")
        countersign(period=self.pick(periods, number), actor=Actor(self.pick(logins, by)))

    @step(side=st.sampled_from(["income", "expense"]), number=st.integers(1, 6))
    def names_an_account(self, side: str, number: int) -> None:
        add_heading(club=self.club, actor=TREASURER, side=side, name=f"Tombola {number}", taken={})

    @step(month=st.integers(1, 12))
    def begins_the_year(self, month: int) -> None:
        set_first_month(club=self.club, actor=TREASURER, first_month=month)


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
