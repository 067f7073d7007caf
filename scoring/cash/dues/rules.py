"""The dues of a month: which members owe how much, and how a month is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final, NamedTuple

from scoring.cash.rules.fields import Fields, a_day, a_list, is_day, read_id
from scoring.cash.rules.money import DueLeg, build_leg_pair, build_member_account, merge_legs
from scoring.cash.tariff.rules import Dues, TariffRules
from scoring.rules.validation import Sentence, _, one_of, or_null

STATUSES: Final = ("full", "reduced", "none")
_MONTHS: Final = {"month": range(1, 13), "quarter": (1, 4, 7, 10), "year": (1,)}
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")


class Payer(NamedTuple):
    """A person on the list of the club: their status, and their first and last day as a member, if known."""

    id: str
    guest: bool
    status: str
    first: date | None
    last: date | None

    def is_member_on(self, day: date) -> bool:
        starts_later = self.first is not None and day < self.first
        return not (self.guest or starts_later or (self.last is not None and self.last < day))


class DuesMonth(NamedTuple):
    """A month by its first day, its number of evenings, and the people on the list."""

    first_day: date
    evenings: int
    people: tuple[Payer, ...]


def build_dues_legs(month: DuesMonth, tariff: TariffRules) -> list[DueLeg]:
    """Build the legs of a month, sorted by account."""
    return merge_legs(_build_legs(month, tariff.dues)) if tariff.dues else []


def _build_legs(month: DuesMonth, dues: Dues) -> Iterator[DueLeg]:
    if month.first_day.month not in _MONTHS[dues.every] or (dues.without_evening and month.evenings):
        return
    cents = {"full": dues.cents, "reduced": dues.reduced, "none": 0}
    for person in month.people:
        if person.is_member_on(month.first_day):
            yield from build_leg_pair("dues", build_member_account(person.id), cents[person.status], "income:dues")


def read_month(fields: Fields) -> DuesMonth:
    """Read the month from a typed object. The result is valid only if no fault was noted."""
    fields.allow_only("month", "evenings", "people")
    month = fields.require("month", _check_month, "2000-01")
    evenings = fields.get("evenings", _check_count, 0)
    fields.require("people", a_list)
    seen: set[str] = set()
    people = [_read_payer(Fields(person, at, fields.faults), seen) for person, at in fields.list_entries("people")]
    return DuesMonth(date.fromisoformat(f"{month}-01"), evenings, tuple(people))


def _read_payer(fields: Fields, seen: set[str]) -> Payer:
    fields.allow_only("id", "guest", "dues", "from", "until")
    first, last = (fields.get(key, or_null(a_day)) for key in ("from", "until"))
    return Payer(
        id=read_id(fields, seen) or "",
        guest=fields.get("guest", one_of(True, False), False),
        status=fields.get("dues", one_of(*STATUSES), "full"),
        first=date.fromisoformat(first) if first else None,
        last=date.fromisoformat(last) if last else None,
    )


def _check_month(value: Any) -> Sentence | None:
    if isinstance(value, str) and _MONTH.fullmatch(value) and is_day(f"{value}-01"):
        return None
    return Sentence(_("Bitte einen Monat wie 2026-03 angeben."))


def _check_count(value: Any) -> Sentence | None:
    return None if type(value) is int and value >= 0 else Sentence(_("Bitte eine ganze Zahl ab 0 angeben."))
