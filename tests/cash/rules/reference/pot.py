"""Decides what the pot of an evening costs (section 4, 2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.cash.rules.reference.shares import split_evenly


def pot_legs(evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    """Section 4, 2: account → cents, each table in cents by itself."""
    legs: Counter[str] = Counter()
    for table in evening.get("tables", []):
        if table["unit"] == "cents":
            legs.update(legs_of_table(table, evening, tariff))
    return dict(legs)


def legs_of_table(table: dict[str, Any], evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    put_in: Counter[str] = Counter()
    got: Counter[str] = Counter()
    bought_in: set[str] = set()
    for line in table["lines"]:
        for name in line["seats"]:
            if name not in bought_in:
                bought_in.add(name)
                put_in[name] += tariff["buy_in"]
        if "top_up" in line:
            all_put_in(line, line["top_up"], put_in)
        else:
            drawn = sum(line["points"])
            while tariff.get("empty", "charge") == "charge" and put_in.total() - got.total() < drawn:
                all_put_in(line, tariff.get("top_up", tariff["buy_in"]), put_in)
            for name, points in zip(line["seats"], line["points"], strict=True):
                got[name] += points
    rest = put_in.total() - got.total()
    legs: Counter[str] = Counter()
    if rest > 0 and tariff.get("rest", "split") == "kasse":
        legs["income:pot"] = -rest
    elif rest != 0:
        sharers = [person["id"] for person in evening["people"] if person["id"] in bought_in]
        got.update(split_evenly(rest, sharers, evening.get("turn", 0)))
    for name in bought_in:
        legs[f"member:{name}"] = put_in[name] - got[name]
    return dict(legs)


def all_put_in(line: dict[str, Any], cents: int, put_in: Counter[str]) -> None:
    """Each of the seats of a line."""
    for name in line["seats"]:
        put_in[name] += cents
