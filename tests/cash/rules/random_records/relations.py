"""Decides which faults lie between two values of a line: keys that forbid each other, people and codes nobody knows,
people who are not there.

Each spoils the line and answers the path that has to be named, or None where the line has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Line = dict[str, Any]
Relation = Callable[[random.Random, Line], str | None]


# --- The tariff -------------------------------------------------------------------------------------------------------


def part(path: str, **values: Any) -> Relation:
    """A part of the tariff is made to hold these values, and names the key; None takes a key away."""
    name, key = path.split(".")[1:]

    def spoil(rng: random.Random, line: Line) -> str | None:
        held = line.get("tariff", {}).get(name)
        if held is None:
            return None
        held.update({key: deepcopy(value) for key, value in values.items() if value is not None})
        for gone in [key for key, value in values.items() if value is None]:
            held.pop(gone, None)
        return f"tariff.{name}.{key}"

    return spoil


def fine(key: str, *others: dict[str, Any]) -> Relation:
    """A fine of the catalogue is one of these, and names the key, or itself."""

    def spoil(rng: random.Random, line: Line) -> str | None:
        catalogue = line.get("tariff", {}).get("fines")
        if not catalogue:
            return None
        code = rng.choice(list(catalogue))
        catalogue[code] = deepcopy(rng.choice(others))
        return f"tariff.fines.{code}.{key}"

    return spoil


STEPS = [[1, 5], [None, 10]]
OF_THE_TARIFF: dict[str, Relation] = {
    "rate with rank": part("tariff.points.rate", scheme="rank", amounts=[5], rate=5),
    "dearer with rank": part("tariff.points.dearer", scheme="rank", amounts=[5], rate=None, dearer={"beyond": 0}),
    "amounts without rank": part("tariff.points.amounts", scheme="each", rate=5, amounts=[5], winners=None),
    "amounts with an unknown scheme": part("tariff.points.amounts", scheme="places", amounts=[5]),
    "rate missing with an unknown scheme": part("tariff.points.rate", scheme="places", rate=None),
    "winners without minus": part("tariff.points.winners", scheme="best", rate=5, amounts=None, winners=0),
    "no amounts with rank": part("tariff.points.amounts", scheme="rank", amounts=None),
    "top_up of 0": part("tariff.pot.top_up", top_up=0, empty="charge"),
    "buy_in of 0 for top_up": part("tariff.pot.top_up", buy_in=0, top_up=None, empty=None),
    "no_evening quarterly": part("tariff.dues.when", every="quarter", when="no_evening"),
    "no_evening yearly": part("tariff.dues.when", every="year", when="no_evening"),
    "no cents with fixed": part("tariff.leaving.cents", payout="fixed", cents=None),
    "cap without minutes": fine("cap", {"cents": 5, "cap": 10}, {"cap": 10}),
    "a fine without a form": fine("cents", {}, {"name": "x"}, {"minutes": 5}, {"counts": "entries"}),
    "cents with steps": fine("cents", {"steps": STEPS, "cents": 5}),
    "cap with open": fine("cap", {"open": True, "cap": 10}),
    "open with steps": fine("open", {"steps": STEPS, "open": True}),
    "counts without steps": fine("counts", {"cents": 5, "counts": "entries"}),
}


# --- The evening ------------------------------------------------------------------------------------------------------


def evening_of(line: Line) -> Line:
    evening = line.get("evening")
    return evening if isinstance(evening, dict) and isinstance(evening.get("people"), list) else {"people": []}


def somebody(rng: random.Random, line: Line, is_meant: Callable[[Line], bool]) -> tuple[int, Line] | None:
    """A person of the evening for whom that is so, with the place."""
    people = [one for one in enumerate(evening_of(line)["people"]) if isinstance(one[1], dict) and "id" in one[1]]
    meant = [one for one in people if is_meant(one[1])]
    return rng.choice(meant) if meant else None


def is_absent(person: Line) -> bool:
    return person.get("absence") is not None


def is_guest(person: Line) -> bool:
    return person.get("guest") is True


def of_person(is_meant: Callable[[Line], bool], key: str, value: Any) -> Relation:
    def spoil(rng: random.Random, line: Line) -> str | None:
        found = somebody(rng, line, is_meant)
        if found is None:
            return None
        found[1][key] = value(rng, line) if callable(value) else deepcopy(value)
        return f"evening.people.{found[0]}.{key}" if found[1][key] is not None else None

    return spoil


def a_guest(rng: random.Random, line: Line) -> str | None:
    found = somebody(rng, line, is_guest)
    return found[1]["id"] if found else None


def a_member(rng: random.Random, line: Line) -> str | None:
    found = somebody(rng, line, lambda person: not is_guest(person))
    return found[1]["id"] if found else None


def id_twice(rng: random.Random, line: Line) -> str | None:
    what = "evening" if "evening" in line else "month"
    people = line.get(what, {}).get("people") if isinstance(line.get(what), dict) else None
    if not isinstance(people, list) or len(people) < 2 or not all(isinstance(person, dict) for person in people):
        return None
    first, second = sorted(rng.sample(range(len(people)), 2))
    if "id" not in people[first]:
        return None
    people[second]["id"] = people[first]["id"]
    return f"{what}.people.{second}.id"


def unknown_drink(rng: random.Random, line: Line) -> str | None:
    found = somebody(rng, line, lambda person: not is_absent(person))
    if found is None:
        return None
    found[1]["drinks"] = {"schnaps": rng.choice([0, 1])}
    return f"evening.people.{found[0]}.drinks.schnaps"


def host_who(is_meant: Callable[[Line], bool]) -> Relation:
    def spoil(rng: random.Random, line: Line) -> str | None:
        found = somebody(rng, line, is_meant)
        if found is None:
            return None
        evening_of(line)["host"] = found[1]["id"]
        return "evening.host"

    return spoil


def bill_not_shared(rng: random.Random, line: Line) -> str | None:
    if "evening" not in line or line.get("tariff", {}).get("drinks", {}).get("shared"):
        return None
    evening_of(line)["drinks"] = rng.choice([{"cents": 100}, {"cents": 0, "paid_by": "Niemand"}])
    return "evening.drinks"


def fine_of_lost_games(rng: random.Random, line: Line) -> str | None:
    """Its count is then not judged."""
    codes = [code for code, one in line.get("tariff", {}).get("fines", {}).items() if one.get("counts") == "lost_games"]
    found = somebody(rng, line, lambda _: True)
    if not codes or found is None:
        return None
    evening_of(line)["fines"] = [{"who": found[1]["id"], "code": rng.choice(codes), "count": 0}]
    return "evening.fines.0.code"


def count_of_another_form(rng: random.Random, line: Line) -> str | None:
    fines = line.get("tariff", {}).get("fines", {})
    rows = evening_of(line).get("fines") or []
    places = [place for place, row in enumerate(rows) if {"open", "minutes"} & {*fines.get(row.get("code"), {})}]
    if not places:
        return None
    place = rng.choice(places)
    rows[place]["count"] = 1
    return f"evening.fines.{place}.count"


# --- Its tables -------------------------------------------------------------------------------------------------------


def a_table(key: str, spoil: Callable[[random.Random, Line, Line], bool]) -> Relation:
    """A table is spoiled where it can be."""

    def spoil_one(rng: random.Random, line: Line) -> str | None:
        tables = evening_of(line).get("tables") or []
        places = [place for place, table in enumerate(tables) if spoil(rng, table, line)][:1]
        return f"evening.tables.{places[0]}.{key}" if places else None

    return spoil_one


def a_line(key: str, spoil: Callable[[random.Random, Line, Line], bool]) -> Relation:
    """A line of a table is spoiled; the function is handed the line and the table."""

    def spoil_one(rng: random.Random, line: Line) -> str | None:
        tables = enumerate(evening_of(line).get("tables") or [])
        lines = [
            (f"{at}.lines.{n}", one, table) for at, table in tables for n, one in enumerate(table.get("lines") or [])
        ]
        rng.shuffle(lines)
        for path, one, table in lines:
            if "seats" in one and spoil(rng, one, {**table, "line": line}):
                return f"evening.tables.{path}.{key}"
        return None

    return spoil_one


def points_in_cents(_rng: random.Random, table: Line, _line: Line) -> bool:
    if table.get("unit") == "cents":
        table.pop("lines", None)
        table["points"] = {}
    return table.get("unit") == "cents"


def points_with_lines(_rng: random.Random, table: Line, _line: Line) -> bool:
    if "lines" in table:
        table["points"] = {"Niemand": 1}
    return "lines" in table


def neither(_rng: random.Random, table: Line, _line: Line) -> bool:
    table.pop("points", None)
    table.pop("lines", None)
    return True


def points_of(name: Callable[[random.Random, Line], str | None]) -> Relation:
    def spoil(rng: random.Random, line: Line) -> str | None:
        tables = evening_of(line).get("tables") or []
        places = [place for place, table in enumerate(tables) if "lines" not in table and "points" in table]
        who = name(rng, line)
        if not places or who is None or not isinstance(tables[places[0]]["points"], dict):
            return None
        tables[places[0]]["points"][who] = 0
        return f"evening.tables.{places[0]}.points.{who}"

    return spoil


def somebody_absent(rng: random.Random, line: Line) -> str | None:
    found = somebody(rng, line, is_absent)
    return found[1]["id"] if found else None


def seat_of(name: Callable[[random.Random, Line, Line], str | None]) -> Callable[[random.Random, Line, Line], bool]:
    """One more sits there, with a 0."""

    def spoil(rng: random.Random, one: Line, table: Line) -> bool:
        who = name(rng, one, table)
        if who is None or not isinstance(one["seats"], list):
            return False
        one["seats"] = [*one["seats"], who]
        if isinstance(one.get("points"), list):
            one["points"] = [*one["points"], 0]
        return True

    return spoil


def more(values: Line) -> Callable[[random.Random, Line, Line], bool]:
    def spoil(_rng: random.Random, one: Line, _table: Line) -> bool:
        is_new = not {*values} & {*one}
        one.update(values if is_new else {})
        return is_new

    return spoil


def top_up_in_points(_rng: random.Random, one: Line, table: Line) -> bool:
    if table.get("unit") == "points":
        one.pop("points", None)
        one["top_up"] = 5
    return table.get("unit") == "points"


def no_points(_rng: random.Random, one: Line, _table: Line) -> bool:
    one.pop("points", None)
    one.pop("top_up", None)
    return True


def too_few_points(_rng: random.Random, one: Line, _table: Line) -> bool:
    points = one.get("points")
    if not isinstance(points, list):
        return False
    one["points"] = points[1:] if len(points) > 1 else [*points, 0]
    return True


OF_THE_EVENING: dict[str, Relation] = {
    "an id twice": id_twice,
    "a member brought by": of_person(lambda person: not is_guest(person), "brought_by", a_member),
    "brought by a guest": of_person(is_guest, "brought_by", a_guest),
    "drinks of somebody absent": of_person(is_absent, "drinks", {"bier": 0}),
    "a drink nobody knows": unknown_drink,
    "lost games of somebody absent": of_person(is_absent, "lost", 1),
    "a guest as host": host_who(is_guest),
    "a host who is absent": host_who(is_absent),
    "a bill that is not shared": bill_not_shared,
    "a fine of lost games": fine_of_lost_games,
    "a count of another form": count_of_another_form,
    "points in cents": a_table("points", points_in_cents),
    "points with lines": a_table("points", points_with_lines),
    "neither points nor lines": a_table("lines", neither),
    "points of nobody known": points_of(lambda _rng, _line: "Niemand"),
    "points of somebody absent": points_of(somebody_absent),
    "a seat of nobody known": a_line("seats", seat_of(lambda _rng, _one, _table: "Niemand")),
    "a seat of somebody absent": a_line("seats", seat_of(lambda rng, _one, table: somebody_absent(rng, table["line"]))),
    "a seat twice": a_line("seats", seat_of(lambda _rng, one, _table: one["seats"][0] if one["seats"] else None)),
    "top_up in points": a_line("top_up", top_up_in_points),
    "top_up beside points": a_line("top_up", more({"top_up": 5})),
    "neither points nor top_up": a_line("points", no_points),
    "not as many points as seats": a_line("points", too_few_points),
}


# --- The line ---------------------------------------------------------------------------------------------------------


def settled_twice(rng: random.Random, line: Line) -> str | None:
    balances = line.get("settle")
    if not isinstance(balances, list) or not balances or len(balances) > 59:
        return None
    balances.append(balances[0])
    return f"settle.{len(balances) - 1}"


def two_of_four(rng: random.Random, line: Line) -> str:
    others = {"evening": {"people": []}, "month": {}, "settle": [], "split": {}}
    line.update({key: value for key, value in others.items() if key not in line and rng.random() < 0.6} or others)
    return "line"


def none_of_four(rng: random.Random, line: Line) -> str:
    for key in ("evening", "month", "settle", "split"):
        line.pop(key, None)
    return "line"


def unknown_key(rng: random.Random, line: Line) -> str:
    key = rng.choice(["evenings", "Note", "legs"] if "evening" in line else ["booked", "evenings", ""])
    line[key] = []
    return key


OF_THE_LINE: dict[str, Relation] = {
    "a balance twice": settled_twice,
    "two of four": two_of_four,
    "none of four": none_of_four,
    "an unknown key of the line": unknown_key,
}
RELATIONS = {**OF_THE_TARIFF, **OF_THE_EVENING, **OF_THE_LINE}
