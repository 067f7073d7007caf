"""Decides what the points of an evening cost (section 4, 1)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from tests.cash.rules.reference.shares import rounded, split

Group = dict[str, Fraction]
Owed = dict[str, Fraction]


def points_legs(evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    """Section 4, 1: account → cents."""
    people = [person["id"] for person in evening["people"]]
    net = {name: Fraction(0) for name in people}
    for group in groups_of(evening, tariff):
        for name, owed in owed_in(group, tariff).items():
            net[name] += owed
    payers = [name for name in people if net[name] > 0]
    getters = [name for name in people if net[name] < 0]
    if not payers:
        return {}
    legs = {f"member:{name}": paid(net[name], tariff) for name in payers}
    paid_in = sum(legs.values())
    exactly_owed = sum(net[name] for name in payers)
    exactly_due = sum(-net[name] for name in getters)
    handed_out = floor(paid_in * Fraction(exactly_due) / exactly_owed)
    legs["income:points"] = -(paid_in - handed_out)
    if getters:
        shares = split(handed_out, [-net[name] for name in getters], evening.get("turn", 0))
        legs |= {f"member:{name}": -share for name, share in zip(getters, shares, strict=True)}
    return legs


def paid(net: Fraction, tariff: dict[str, Any]) -> int:
    """Section 4, 1: net rounded by `round`, then at most `cap`."""
    amount = rounded(net, tariff.get("round", {}))
    return min(amount, tariff["cap"]) if "cap" in tariff else amount


# --- Who is compared with whom ----------------------------------------------------------------------------------------


def groups_of(evening: dict[str, Any], tariff: dict[str, Any]) -> list[Group]:
    """Section 4, 1: a group is the evening, a table, or a line; people without an entry in it take no part."""
    guests = {person["id"] for person in evening["people"] if person.get("guest", False)}
    left_out = guests if tariff.get("guests", True) is False else set()
    tables = [table for table in evening.get("tables", []) if table["unit"] == "points"]
    lines = [[times(line, factor_of(table, tariff)) for line in lines_of(table)] for table in tables]
    scope = tariff.get("scope", "evening")
    if scope == "evening":
        groups = [together([line for of_table in lines for line in of_table])]
    elif scope == "table":
        groups = [together(of_table) for of_table in lines]
    else:
        groups = [line for of_table in lines for line in of_table]
    return [{name: points for name, points in group.items() if name not in left_out} for group in groups]


def lines_of(table: dict[str, Any]) -> list[dict[str, int]]:
    """Section 9: a sum without lines is one line."""
    if "points" in table:
        return [table["points"]]
    return [dict(zip(line["seats"], line["points"], strict=True)) for line in table["lines"]]


def factor_of(table: dict[str, Any], tariff: dict[str, Any]) -> Fraction:
    """Section 4, 1: `factors` of its rule set, else 1."""
    return Fraction(tariff.get("factors", {}).get(table.get("rules"), 1))


def times(line: dict[str, int], factor: Fraction) -> Group:
    return {name: points * factor for name, points in line.items()}


def together(lines: list[Group]) -> Group:
    """The sums of everybody who has an entry in one of them."""
    names = {name for line in lines for name in line}
    return {name: sum((line.get(name, Fraction(0)) for line in lines), Fraction(0)) for name in names}


# --- What each owes in a group; below 0: gets -------------------------------------------------------------------------


def owed_in(group: Group, tariff: dict[str, Any]) -> Owed:
    """Section 4, 1: exact, as fractions."""
    if tariff["scheme"] == "rank":
        return by_rank(group, tariff["amounts"])
    rate = rate_of(group, tariff)
    if tariff["scheme"] == "minus":
        return by_minus(group, rate, Fraction(tariff.get("winners", 0)))
    each_owes = {"each": to_each, "best": to_the_best, "better": to_all_better}[tariff["scheme"]]
    return {name: rate * each_owes(points, list(group.values())) for name, points in group.items()}


def rate_of(group: Group, tariff: dict[str, Any]) -> Fraction:
    """Section 4, 1: `dearer.rate` where somebody has more than ±beyond."""
    dearer = tariff.get("dearer")
    if dearer and any(abs(points) > dearer["beyond"] for points in group.values()):
        return Fraction(dearer["rate"])
    return Fraction(tariff["rate"])


def by_minus(group: Group, rate: Fraction, winners: Fraction) -> Owed:
    """Section 4, `minus`: who has a minus pays; a part goes to those above 0 in proportion to their points."""
    owed = {name: max(-points, Fraction(0)) * rate for name, points in group.items()}
    for_winners = sum(owed.values()) * winners
    above = sum(points for points in group.values() if points > 0)
    gets = {name: for_winners * points / above for name, points in group.items() if points > 0}
    return {name: owed[name] - gets.get(name, 0) for name in group}


def to_each(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `each`: everybody with everybody, one after the other."""
    return sum((other - points for other in all_points), Fraction(0))


def to_the_best(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `best`."""
    return max(all_points) - points


def to_all_better(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `better`."""
    return sum((other - points for other in all_points if other > points), Fraction(0))


def by_rank(group: Group, amounts: list[int]) -> Owed:
    """Section 4, `rank`: people level pay the mean of the amounts of the places they take together."""
    owed = {}
    for name, points in group.items():
        better = [other for other in group.values() if other > points]
        level = [other for other in group.values() if other == points]
        places = range(len(better), len(better) + len(level))
        taken = [amounts[min(place, len(amounts) - 1)] for place in places]
        owed[name] = Fraction(sum(taken), len(taken))
    return owed
