"""The dues of a month: which members owe how much, and how a month is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from scoring.cash.rules.fields import Fields, a_day, a_list, is_day, read_id
from scoring.cash.rules.money import DueLeg, build_leg_pair, build_member_account, merge_legs
from scoring.cash.tariff.rules import TariffRules
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


def build_dues_legs(first_day: date, evenings: int, people: Iterable[Payer], tariff: TariffRules) -> list[DueLeg]:
    """Build the legs of a month by its first day, its number of evenings and the people on the list, sorted by account."""
    dues = tariff.dues
    if dues is None or first_day.month not in _MONTHS[dues["every"]] or (dues["when"] == "no_evening" and evenings):
        return []
    cents = {"full": dues["cents"], "reduced": dues["reduced"], "none": 0}
    members = [person for person in people if person.is_member_on(first_day)]
    pairs = (build_leg_pair("dues", build_member_account(one.id), cents[one.status], "income:dues") for one in members)
    return merge_legs(leg for pair in pairs for leg in pair)


def read_month(fields: Fields) -> tuple[date, int, list[Payer]]:
    """Read the first day, the number of evenings and the people of a month. They are valid only if no fault was noted."""
    fields.allow_only("month", "evenings", "people")
    month = fields.require("month", _check_month, "2000-01")
    evenings = fields.get("evenings", _check_count, 0)
    fields.require("people", a_list)
    seen: set[str] = set()
    people = [_read_payer(person, seen) for person in fields.list_objects("people")]
    return date.fromisoformat(f"{month}-01"), evenings, people


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
