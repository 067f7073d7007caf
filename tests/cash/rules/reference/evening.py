"""Decides what an evening costs whom: its legs, part by part (section 4)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tests.cash.rules.reference.fines import fine_legs
from tests.cash.rules.reference.points import points_legs
from tests.cash.rules.reference.pot import pot_legs
from tests.cash.rules.reference.shares import rounded, split_evenly

Json = dict[str, Any]
Legs = Counter[tuple[str, str]]  # (kind, account) → cents


def legs_of_evening(evening: Json, tariff: Json) -> Legs:
    """Section 4: each part has its own kind of leg; a part that is absent charges nothing."""
    legs: Legs = Counter()
    if "points" in tariff:
        add(legs, "points", points_legs(evening, tariff["points"]))
    if "pot" in tariff:
        add(legs, "pot", pot_legs(evening, tariff["pot"]))
    if "fee" in tariff:
        add(legs, "fee", fee_legs(evening, tariff["fee"]))
    if "guests" in tariff:
        add(legs, "guest", guest_legs(evening, tariff["guests"]))
    if "host" in tariff and "host" in evening:
        add(legs, "host", host_legs(evening, tariff["host"]))
    if "drinks" in tariff:
        add(legs, "drinks", drinks_legs(evening, tariff["drinks"]))
    for code, fine in tariff.get("fines", {}).items():
        add(legs, f"fine.{code}", fine_legs(evening, code, fine))
    if "absence" in tariff:
        add(legs, "absence", absence_legs(evening, tariff["absence"], legs))
    return paid_for_guests(legs, evening, tariff.get("guests", {}).get("payer", "guest"))


def add(legs: Legs, kind: str, of_kind: dict[str, int]) -> None:
    """Section 4: legs of a kind are summed per account."""
    for account, cents in of_kind.items():
        legs[kind, account] += cents


def against(account: str, charges: dict[str, int]) -> dict[str, int]:
    """What each member is charged, and all of it on the other side."""
    legs = {f"member:{name}": cents for name, cents in charges.items()}
    return {**legs, account: -sum(charges.values())}


# --- Who is meant -----------------------------------------------------------------------------------------------------


def is_member(person: Json) -> bool:
    return not person.get("guest", False)


def is_there(person: Json) -> bool:
    return person.get("absence") is None


def here(evening: Json) -> list[Json]:
    """Section 4: everybody there, guests too, in the order."""
    return [person for person in evening["people"] if is_there(person)]


def members_there(evening: Json) -> list[str]:
    return [person["id"] for person in here(evening) if is_member(person)]


# --- The parts --------------------------------------------------------------------------------------------------------


def fee_legs(evening: Json, fee: Json) -> dict[str, int]:
    """Section 4, 3: members there, with `absent` also those excused or unexcused."""
    who = members_there(evening)
    if fee.get("absent", False):
        away = [person for person in evening["people"] if person.get("absence") in ["excused", "unexcused"]]
        who += [person["id"] for person in away if is_member(person)]
    return against("income:fee", dict.fromkeys(who, fee["cents"]))


def guest_legs(evening: Json, guests: Json) -> dict[str, int]:
    """Section 4, 3: each guest there."""
    who = [person["id"] for person in here(evening) if not is_member(person)]
    return against("income:guest", dict.fromkeys(who, guests.get("cents", 0)))


def host_legs(evening: Json, tariff: Json) -> dict[str, int]:
    """Section 4, 4: every other member there pays the host, or the club does once."""
    host, cents = evening["host"], tariff["cents"]
    if tariff.get("from", "others") == "club":
        return {"expense:host": cents, f"member:{host}": -cents}
    return against(f"member:{host}", {name: cents for name in members_there(evening) if name != host})


def drinks_legs(evening: Json, tariff: Json) -> dict[str, int]:
    """Section 4, 5: `flat` and the list; with `shared` the bill, evenly among everybody here."""
    prices = tariff.get("list", {})
    charges = {
        person["id"]: tariff.get("flat", 0) + sum(prices[code] * n for code, n in person.get("drinks", {}).items())
        for person in here(evening)
    }
    legs = Counter(against("income:drinks", charges))
    if "drinks" in evening and charges:
        bill = evening["drinks"]
        paid_by = f"member:{bill['paid_by']}" if "paid_by" in bill else "income:drinks"
        for name, share in split_evenly(bill["cents"], list(charges), evening.get("turn", 0)).items():
            legs[f"member:{name}"] += share
            legs[paid_by] -= share
    return dict(legs)


def absence_legs(evening: Json, tariff: Json, legs: Legs) -> dict[str, int]:
    """Section 4, 7: members excused or unexcused pay the average of those there, and `plus`."""
    charges = {}
    for person in evening["people"]:
        if is_member(person) and person.get("absence") in ["excused", "unexcused"]:
            how = tariff.get(person["absence"], {})
            mean = average(evening, how.get("average", []), legs)
            charges[person["id"]] = rounded(mean, tariff.get("round", {})) + how.get("plus", 0)
    return against("income:absence", charges)


def average(evening: Json, words: list[str], legs: Legs) -> Fraction:
    """Section 4, 7: what the legs of the named kinds of all members there come to where above 0; every fine by itself."""
    members = members_there(evening)
    if not members:
        return Fraction(0)
    of_them = {(kind, account): cents for (kind, account), cents in legs.items() if account[:7] == "member:"}
    kinds = [(word_of(kind), account[7:], cents) for (kind, account), cents in of_them.items()]
    above = [cents for word, name, cents in kinds if word in words and name in members and cents > 0]
    return Fraction(sum(above), len(members))


def word_of(kind: str) -> str:
    return "fines" if kind.startswith("fine.") else kind


def paid_for_guests(legs: Legs, evening: Json, payer: str) -> Legs:
    """Section 4, 8: every leg of a guest moves to the payer; where there is none the guest keeps it."""
    accounts = {}
    for guest in [person for person in evening["people"] if not is_member(person)]:
        own = f"member:{guest['id']}"
        host = f"member:{evening['host']}" if "host" in evening else own
        bringer = f"member:{guest['brought_by']}" if guest.get("brought_by") is not None else own
        accounts[own] = {"guest": own, "host": host, "bringer": bringer, "club": "expense:guests"}[payer]
    moved: Legs = Counter()
    for (kind, account), cents in legs.items():
        moved[kind, accounts.get(account, account)] += cents
    return moved
