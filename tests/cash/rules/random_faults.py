"""Decides which faults a line of `manage.py charges` can have, and how each gets into a legal line: single values that are refused
at their own path, keys that are missing or that nobody knows, faults between two values, and anything anywhere. In a pattern a `*`
stands for every key or place there is. Each function spoils the line itself and answers the path that has to be named, or None
where the line has no place for the fault."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

NOT_TEXT: list[Any] = [None, 5, True, [], {}]
NO_OBJECT: list[Any] = [None, True, 5, "x", [], [{}]]
NO_LIST: list[Any] = [None, True, 5, "x", {}, {"0": 1}]
NO_NUMBER: list[Any] = [True, False, "5", 10.0, 2.5, None, [], {}]
NO_CENTS = [*NO_NUMBER, -1, 1_000_001]
NO_CENTS_FROM_1 = [*NO_CENTS, 0]
NO_FLAG: list[Any] = [0, 1, "true", None, []]
NO_FRACTION: list[Any] = [
    True, 10.0, 0.5, None, [], {}, "", "x", "-1", "+1", " 1", "1 ", "1/0", "1/10000", "1/", "/2", "1/2/3", "0.5", "1e2",
    "1000000", "0000010", "١", "1\n", -1,
]  # fmt: skip
NO_RATE = [*NO_FRACTION, 0, "0", "0/5", 10_001, "10001", "999999/99"]
NO_WORD: list[Any] = [None, "", "none", "Minus", "points ", 1, True, [], ["minus"], {}]
NO_DATE: list[Any] = [
    5, True, [], "", "2026-3-1", "2026-02-30", "2026-13-01", "20260301", "2026-03-01T00:00", "01.03.2026", "0000-01-01",
    "2026-03-01\n",
]  # fmt: skip
NO_ID: list[Any] = [*NOT_TEXT, "", "x" * 41]
NOBODY: list[Any] = [*NOT_TEXT, "", "Niemand"]
NO_POINTS = [*NO_NUMBER, 100_001, -100_001]

WRONG: dict[str, list[Any]] = {
    # Section 3
    "tariff": NO_OBJECT,
    "tariff.points": NO_OBJECT,
    "tariff.points.scheme": NO_WORD,
    "tariff.points.rate": NO_RATE,
    "tariff.points.amounts": [*NO_LIST, [], [1] * 61, [1, True], [1, 10.0], [1, -1], [1_000_001], ["1"], [None]],
    "tariff.points.winners": [*NO_FRACTION, 2, "2", "3/2", "10000/9999"],
    "tariff.points.scope": NO_WORD,
    "tariff.points.guests": NO_FLAG,
    "tariff.points.dearer": NO_OBJECT,
    "tariff.points.dearer.beyond": [*NO_NUMBER, 0, -1, 100_001],
    "tariff.points.dearer.rate": NO_RATE,
    "tariff.points.round": NO_OBJECT,
    "tariff.points.round.to": [*NO_NUMBER, 0, 2, 1000, -1],
    "tariff.points.round.how": NO_WORD,
    "tariff.points.cap": NO_CENTS_FROM_1,
    "tariff.points.factors": NO_OBJECT,
    "tariff.points.factors.*": [*NO_FRACTION, 101, "101", "201/2"],
    "tariff.pot": NO_OBJECT,
    "tariff.pot.buy_in": NO_CENTS,
    "tariff.pot.top_up": NO_CENTS,
    "tariff.pot.empty": NO_WORD,
    "tariff.pot.rest": NO_WORD,
    "tariff.fee": NO_OBJECT,
    "tariff.fee.cents": NO_CENTS,
    "tariff.fee.absent": NO_FLAG,
    "tariff.guests": NO_OBJECT,
    "tariff.guests.cents": NO_CENTS,
    "tariff.guests.payer": NO_WORD,
    "tariff.host": NO_OBJECT,
    "tariff.host.cents": NO_CENTS_FROM_1,
    "tariff.host.from": NO_WORD,
    "tariff.drinks": NO_OBJECT,
    "tariff.drinks.flat": NO_CENTS,
    "tariff.drinks.list": NO_OBJECT,
    "tariff.drinks.list.*": NO_CENTS,
    "tariff.drinks.shared": NO_FLAG,
    "tariff.fines": NO_OBJECT,
    "tariff.fines.*": NO_OBJECT,
    "tariff.fines.*.cents": NO_CENTS,
    "tariff.fines.*.minutes": [*NO_NUMBER, 0, -5, 1441],
    "tariff.fines.*.cap": NO_CENTS_FROM_1,
    "tariff.fines.*.steps": [
        *NO_LIST, [], [[3, 50]], [[None, 50], [None, 50]], [[None, 50], [3, 50]], [[0, 5], [None, 5]], [[1000, 5], [None, 5]],
        [[True, 5], [None, 5]], [[3.0, 5], [None, 5]], [[3, 5, 5], [None, 5]], [[3], [None, 5]], [[None, -1]], [[None, 10.0]],
        [[None, None]], [None], [5], [[1, 1]] * 9 + [[None, 1]], [[None, 1_000_001]],
    ],
    "tariff.fines.*.counts": NO_WORD,
    "tariff.fines.*.open": [False, None, 1, "true"],
    "tariff.fines.*.name": [*NOT_TEXT, "", "x" * 61],
    "tariff.absence": NO_OBJECT,
    "tariff.absence.excused": NO_OBJECT,
    "tariff.absence.unexcused": NO_OBJECT,
    "tariff.absence.*.average": [*NO_LIST, ["fee"], ["points", "points"], [None], [5], [["points"]], ["fines", "absence"]],
    "tariff.absence.*.plus": NO_CENTS,
    "tariff.absence.round": NO_OBJECT,
    "tariff.absence.round.to": [*NO_NUMBER, 0, 20],
    "tariff.absence.round.how": NO_WORD,
    "tariff.dues": NO_OBJECT,
    "tariff.dues.cents": NO_CENTS,
    "tariff.dues.reduced": NO_CENTS,
    "tariff.dues.every": NO_WORD,
    "tariff.dues.when": NO_WORD,
    "tariff.joining": NO_OBJECT,
    "tariff.joining.cents": NO_CENTS,
    "tariff.leaving": NO_OBJECT,
    "tariff.leaving.payout": NO_WORD,
    "tariff.leaving.cents": NO_CENTS_FROM_1,
    # Section 9
    "evening": NO_OBJECT,
    "evening.people": [*NO_LIST, [], [{"id": f"P{place}"} for place in range(61)]],
    "evening.people.*": NO_OBJECT,
    "evening.people.*.id": NO_ID,
    "evening.people.*.guest": NO_FLAG,
    "evening.people.*.absence": NO_WORD[1:],
    "evening.people.*.brought_by": NOBODY[1:],
    "evening.people.*.drinks": NO_OBJECT,
    "evening.people.*.drinks.*": [*NO_NUMBER, -1, 1000],
    "evening.people.*.lost": [*NO_NUMBER, -1, 1000],
    "evening.tables": NO_LIST,
    "evening.tables.*": NO_OBJECT,
    "evening.tables.*.unit": NO_WORD,
    "evening.tables.*.rules": NOT_TEXT,
    "evening.tables.*.points": NO_OBJECT,
    "evening.tables.*.points.*": NO_POINTS,
    "evening.tables.*.lines": NO_LIST,
    "evening.tables.*.lines.*": NO_OBJECT,
    "evening.tables.*.lines.*.seats": [*NO_LIST, [], [5], [None], ["Niemand"], [["Anton"]]],
    "evening.tables.*.lines.*.points": [*NO_LIST, []],
    "evening.tables.*.lines.*.points.*": NO_POINTS,
    "evening.tables.*.lines.*.top_up": NO_CENTS_FROM_1,
    "evening.host": NOBODY,
    "evening.drinks": NO_OBJECT,
    "evening.drinks.cents": NO_CENTS_FROM_1,
    "evening.drinks.paid_by": NOBODY,
    "evening.fines": NO_LIST,
    "evening.fines.*": NO_OBJECT,
    "evening.fines.*.who": NOBODY,
    "evening.fines.*.code": [*NOT_TEXT, "", "nobody_knows"],
    "evening.fines.*.count": [*NO_NUMBER, 0, 1000],
    "evening.fines.*.minutes": [*NO_NUMBER, -1, 1441],
    "evening.fines.*.cents": NO_CENTS_FROM_1,
    "evening.turn": [*NO_NUMBER, -1, 10**9 + 1],
    "evening.date": [None, *NO_DATE],
    "booked": NO_LIST,
    "booked.*": NO_OBJECT,
    "booked.*.account": NOT_TEXT,
    "booked.*.cents": [*NO_NUMBER, 0, 10**10 + 1, -(10**10) - 1],
    "booked.*.kind": NOT_TEXT,
    "month": NO_OBJECT,
    "month.month": [*NOT_TEXT, "", "2026-3", "2026-13", "2026-00", "2026-03-01", "202603"],
    "month.evenings": [*NO_NUMBER, -1],
    "month.people": NO_LIST,
    "month.people.*": NO_OBJECT,
    "month.people.*.id": NO_ID,
    "month.people.*.guest": NO_FLAG,
    "month.people.*.dues": [*NO_WORD[:2], *NO_WORD[3:]],
    "month.people.*.from": NO_DATE,
    "month.people.*.until": NO_DATE,
    "settle": [*NO_LIST, [[f"P{place}", 1] for place in range(61)]],
    "settle.*": [
        None, 5, "x", {}, [], ["x"], ["x", 1, 1], ["kasse", 5], ["x" * 41, 5], ["", 5], [5, 5], [None, 5], ["x", True],
        ["x", 10.0], ["x", "5"], ["x", None], ["x", 10**8 + 1], ["x", -(10**8) - 1],
    ],
    "split": NO_OBJECT,
    "split.cents": [*NO_NUMBER, 10**8 + 1, -(10**8) - 1],
    "split.weights": [
        *NO_LIST, [], [0], [0, "0", "0/3"], [1] * 61, [1, -1], [1, True], [1, 1.0], [1, None], [1, "x"], [1, "1/0"], [1, [1]],
        [1, "0000010"],
    ],
    "split.turn": [*NO_NUMBER, -1, 10**9 + 1],
}  # fmt: skip

REQUIRED = [
    "tariff", "tariff.points.scheme", "tariff.points.rate", "tariff.points.amounts", "tariff.points.dearer.beyond",
    "tariff.points.dearer.rate", "tariff.pot.buy_in", "tariff.fee.cents", "tariff.host.cents", "tariff.dues.cents",
    "tariff.joining.cents", "tariff.leaving.payout", "evening.people", "evening.people.*.id", "evening.tables.*.unit",
    "evening.tables.*.lines.*.seats", "evening.drinks.cents", "evening.fines.*.who", "evening.fines.*.code",
    "evening.fines.*.minutes", "evening.fines.*.cents", "booked.*.account", "booked.*.cents", "booked.*.kind", "month.month",
    "month.people", "month.people.*.id", "split.cents", "split.weights",
]  # fmt: skip

OBJECTS = [
    "tariff", "tariff.points", "tariff.points.dearer", "tariff.points.round", "tariff.pot", "tariff.fee", "tariff.guests",
    "tariff.host", "tariff.drinks", "tariff.fines.*", "tariff.absence", "tariff.absence.excused", "tariff.absence.unexcused",
    "tariff.absence.round", "tariff.dues", "tariff.joining", "tariff.leaving", "evening", "evening.people.*",
    "evening.tables.*", "evening.tables.*.lines.*", "evening.drinks", "evening.fines.*", "booked.*", "month",
    "month.people.*", "split",
]  # fmt: skip
UNKNOWN = ["farbe", "Cents", "id ", "x.y", ""]
# What is named by code: these are none.
CODED = ["tariff.drinks.list", "tariff.fines"]
NO_CODES = ["Bier", "1bier", "_x", "ä", "", "a b", "a-b", "a" * 31, "bier\n"]


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


Place = tuple[Any, Any, str]
ANY_VALUE: list[Any] = [None, True, False, 0, -1, 1, 10.0, 10**12, "", "x", "Anton", "1/2", [], {}, [None], {"id": "x"}]


def put_wrong(rng: random.Random, line: Line, pattern: str, value: Any) -> str | None:
    """At one of the places of the pattern, in the place of another value."""
    found = [place for place in places(line, pattern) if has(place)]
    if not found:
        return None
    container, key, path = rng.choice(found)
    container[key] = deepcopy(value)
    return path


def take_away(rng: random.Random, line: Line, pattern: str) -> str | None:
    found = [place for place in places(line, pattern) if place[1] in place[0]]
    if not found:
        return None
    container, key, path = rng.choice(found)
    del container[key]
    return path


def put_key(rng: random.Random, line: Line, pattern: str, name: str) -> str | None:
    """One key more in an object."""
    found = [place for place in places(line, pattern) if has(place) and isinstance(place[0][place[1]], dict)]
    if not found:
        return None
    container, key, path = rng.choice(found)
    container[key][name] = rng.choice([1, None, {}])
    return f"{path}.{name}"


def has(place: Place) -> bool:
    container, key, _ = place
    return isinstance(container, list) or key in container


def places(line: Line, pattern: str) -> list[Place]:
    """Where the last key of the pattern is or could be: (its container, the key, the path)."""
    *steps, last = pattern.split(".")
    containers: list[tuple[Any, str]] = [(line, "")]
    for step in steps:
        inside = [(one[key], f"{path}{key}.") for one, path in containers for key in keys_of(one) if step in ("*", key)]
        containers = [one for one in inside if isinstance(one[0], dict | list)]
    if last == "*":
        return [(one, key, f"{path}{key}") for one, path in containers for key in keys_of(one)]
    return [(one, last, f"{path}{last}") for one, path in containers if isinstance(one, dict)]


def keys_of(container: dict[str, Any] | list[Any]) -> list[Any]:
    return list(container) if isinstance(container, dict) else list(range(len(container)))


def put_anything(rng: random.Random, line: Line) -> None:
    """Somewhere in the line another value, a key too few or too many, an entry twice; by chance no fault at all."""
    container: Any = line
    line.setdefault("note", "")
    key = rng.choice(list(line))
    while isinstance(container[key], dict | list) and container[key] and rng.random() < 0.75:
        container = container[key]
        key = rng.choice(keys_of(container))
    how = rng.choice(["value", "value", "gone", "more"])
    if how == "value":
        container[key] = deepcopy(rng.choice(ANY_VALUE))
    elif how == "gone":
        del container[key]
    elif isinstance(container, list):
        container.append(deepcopy(container[key]))
    else:
        container[rng.choice(["x", "name", "cents", "points", "absent"])] = deepcopy(rng.choice(ANY_VALUE))
