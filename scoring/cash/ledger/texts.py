"""Entries as rows of pages and files, with names in the place of codes."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.cash.models import Entry, Kind, Leg
from scoring.cash.tariff.texts import get_kind_name
from scoring.cash.texts import describe_leg, format_charge, format_euros, get_account_name
from scoring.core.formats import format_month

from .queries import KASSE, BookNames, list_player_ids, sum_by_kind, sum_moved

# The reason stored when a file of an old Kasse was taken back.
KASSE_UNDONE: Final = gettext_noop("Alte Kasse zurückgenommen")
# Kinds that charge people and move no money.
_CHARGES: Final = (Kind.EVENING, Kind.DUES, Kind.FINE, Kind.JOINING)


def list_steps(entry: Entry, family: Collection[int]) -> list[str]:
    """Describe the amounts of an evening for one person, per kind; an entry of any other kind has none."""
    about, content = entry.reverses or entry, entry.tariff.content if entry.tariff else {}
    if about.kind != Kind.EVENING:
        return []
    by_kind = sum_by_kind(entry, family)
    plus = sum(cents for _kind, cents in by_kind) > 0
    return [
        # Only an amount against the direction of the whole names its direction.
        f"{get_kind_name(content, kind)}: {format_euros(abs(cents)) if (cents > 0) is plus else format_charge(cents)}"
        for kind, cents in by_kind
        if cents
    ]


def get_purpose(entry: Entry, leg: Leg) -> str:
    """Return the purpose of a leg if its entry has several of one person, which only an evening has."""
    about, content = entry.reverses or entry, entry.tariff.content if entry.tariff else {}
    return get_kind_name(content, leg.kind) if about.kind == Kind.EVENING else ""


def describe_legs(entry: Entry, legs: Iterable[Leg], names: BookNames) -> list[str]:
    """Describe these legs of an entry; those of an evening with their purposes."""
    found = []
    for leg in legs:
        purpose = get_purpose(entry, leg) if leg.account.player_id is not None else ""
        sentence = describe_leg(leg, names.people, names.headings)
        found.append(format_html("{} ({})", sentence, purpose) if purpose else sentence)
    return found


def build_rows(entries: Iterable[Entry], names: BookNames) -> list[dict[str, Any]]:
    """Build rows of entries with their people and amounts, without a query: the entries bring their legs."""
    return [
        {"entry": entry, "people": [names.people[pk] for pk in list_player_ids(entry)], "cents": sum_moved(entry)}
        for entry in entries
    ]


@dataclass(frozen=True)
class RegisterRow:
    """An entry in a register: its people and details, the cents that it moved there, and the balance after it."""

    entry: Entry
    people: list[str]
    details: list[str]
    steps: list[str]
    moved: int
    balance: int

    @property
    def about(self) -> str:
        if len(self.people) > 2:
            return _("%(n)s Personen") % {"n": len(self.people)}
        return ", ".join(self.people)

    @property
    def is_void(self) -> bool:
        return bool(self.entry.reverses_id) or hasattr(self.entry, "reversed_by")

    @property
    def plus(self) -> int:
        return max(self.moved, 0)

    @property
    def minus(self) -> int:
        return max(-self.moved, 0)


def build_register_rows(entries: Iterable[Entry], names: BookNames, family: Collection[int] = ()) -> list[RegisterRow]:
    """Build the rows of the Kassenbuch or of a statement without a query: the entries bring legs and tariff."""
    return [
        RegisterRow(
            entry,
            [names.people[pk] for pk in list_player_ids(entry)],
            list_details(entry, over=not family and not entry.moved),  # type: ignore[attr-defined]  # annotated
            list_steps(entry, family),
            entry.moved,  # type: ignore[attr-defined]  # annotated
            entry.balance,  # type: ignore[attr-defined]  # annotated
        )
        for entry in entries
    ]


def translate_reason(entry: Entry) -> str:
    """Return the reason of an entry; one that was not typed is stored in German and shown in the reader's language."""
    text: str = entry.reason
    if found := re.search(r" am (\d{2}\.\d{2}\.\d{4})$", text):
        day = date_format(datetime.datetime.strptime(found[1], "%d.%m.%Y"), "SHORT_DATE_FORMAT")
        return _translate(text, found[1], "%(day)s", day)
    if text == KASSE_UNDONE:
        return _(KASSE_UNDONE)
    if entry.evening_id is None or not text:
        return text
    number = re.search(r"\d+", text)
    return _translate(text, number[0], "%(number)s", number[0]) if number else _(text)


def _translate(text: str, stored: str, hole: str, shown: str) -> str:
    pattern = text.replace(stored, hole)
    translation = _(pattern)
    return translation.replace(hole, shown) if translation != pattern else text


def list_details(entry: Entry, over: bool) -> list[str]:
    """List the details of an entry in a register; with `over` its amount, if no other column has it."""
    amount = _("%(amount)s belastet") if entry.kind in _CHARGES else _("über %(amount)s")
    found = [amount % {"amount": format_euros(sum_moved(entry))}] if over else []
    if entry.reverses:
        found.append(_("von %(number)s") % {"number": entry.reverses})
    if entry.month:
        found.append(format_month(entry.month))
    if entry.evening and entry.evening.held_on != entry.date:
        found.append(_("Abend am %(day)s") % {"day": date_format(entry.evening.held_on, "SHORT_DATE_FORMAT")})
    if entry.reason:
        found.append(translate_reason(entry))
    if hasattr(entry, "reversed_by"):
        found.append(_("storniert"))
    return found


def sum_openings(rows: Iterable[dict[str, Any]], names: BookNames) -> dict[str, dict[str, int]]:
    """Add up these opening entries, by the names of the `boxes` and of the `people`; below 0 for a credit."""
    boxes, people = dict.fromkeys(KASSE, 0), defaultdict[str, int](int)
    for leg in (leg for row in rows for leg in row["entry"].legs.all()):
        if leg.account.player_id is not None:
            people[names.people[leg.account.player_id]] += leg.cents
        elif leg.account.code in KASSE:
            boxes[leg.account.code] += leg.cents
    named = {get_account_name(code, names.headings): cents for code, cents in boxes.items()}
    return {"boxes": named, "people": dict(people)}
