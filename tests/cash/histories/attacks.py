"""The steps of somebody with SQL: an attempt is refused, or changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import IntegrityError, connection, transaction
from django.db.models import Count
from hypothesis import strategies as st

from scoring.models import Account, Club, Entry, Leg, Period, Tariff
from tests.cash.laws.attempts import Attempt, attempts_here

from .world import NothingThere, World, books, step, which

# What is an offence only where February is closed, and no later month.
OF_A_DAY = {
    "written into a closed month", "written before the first month", "the same month closed again",
    "an earlier month closed", "a month left out", "a first month behind its entries", "reversed before it was",
}  # fmt: skip
HERE = [one for one in attempts_here() if one.name not in OF_A_DAY]


class _Over(Exception):
    """What was tried leaves nothing behind."""


class Attacks(World):
    def scene(self, number: int) -> dict[str, Any]:
        """What the attempts name, among what is there."""
        of_two = Entry.objects.filter(club=self.club, reverses=None).annotate(size=Count("legs"))
        entry = self.pick(of_two.filter(size=2, reversed_by=None).order_by("pk"), number)
        reversal = self.pick(Entry.objects.filter(club=self.club, reverses__isnull=False).order_by("pk"), number)
        three = of_two.filter(size__gt=2).order_by("pk").first() or entry
        accounts = dict(Account.objects.filter(club=self.club).order_by("pk").values_list("code", "pk"))
        person = Account.objects.filter(club=self.club, player__isnull=False).order_by("pk").first()
        period = Period.objects.filter(club=self.club).order_by("pk").first()
        other = self.cast.other_club
        if person is None or "cash" not in accounts:
            raise NothingThere
        return {
            "club": self.club.pk, "other_club": other.pk, "evening": self.cast.table.evening_id,
            "other_evening": self.cast.other_table.evening_id, "entry": entry.pk, "closed": entry.pk,
            "reversed": reversal.reverses_id, "reversal": reversal.pk, "three": three.pk,
            "leg": Leg.objects.filter(entry=entry).order_by("pk")[0].pk, "period": period.pk if period else 0,
            "next": Entry.objects.filter(club=self.club, year=2026).count() + 1, "cash": accounts["cash"],
            "income": self.pick([pk for code, pk in accounts.items() if code.startswith("income:")], number),
            "person": person.pk, "anton": person.player_id, "bodo": self.people()[-1].pk,
            "unused": max(accounts.values()), "tariff": Tariff.objects.get(club=self.club, version=1).pk,
            "other_tariff": Tariff.objects.get(club=other).pk,
            "other_entry": Entry.objects.filter(club=other).order_by("pk")[0].pk,
            "other_cash": Account.objects.get(club=other, code="cash").pk,
        }  # fmt: skip

    @step("reversal", often=6, one=st.sampled_from(HERE), number=which)
    def attacks(self, one: Attempt, number: int) -> None:
        scene = self.scene(number)
        # PostgreSQL truncates no table of which it has still to look at rows.
        connection.check_constraints()
        clubs = self.club, self.cast.other_club
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                names = {**scene, "key": uuid4().hex}
                if "{open}" in "".join(one.statements):
                    opened = Entry.objects.create(club=self.club, key=uuid4(), kind="income", date=self.day(0))
                    names["open"] = opened.pk
                *first, last = [statement.format(**names) for statement in one.statements]
                try:
                    with transaction.atomic():
                        for statement in first:
                            cursor.execute(statement)
                        before = [books(club) for club in clubs], list(Club.with_hidden.order_by("pk").values_list())
                        cursor.execute(last)
                except IntegrityError:
                    raise _Over from None
                after = [books(club) for club in clubs], list(Club.with_hidden.order_by("pk").values_list())
                assert after == before, one.name
                raise _Over
        except _Over:
            pass
