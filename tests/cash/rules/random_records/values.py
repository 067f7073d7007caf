"""Decides which single values are refused at their own path: wrong types, numbers out of range, words nobody knows, lists
as a whole; which keys may not be missing; and where an unknown key can stand.

A `*` stands for every key or place there is.
"""

from __future__ import annotations

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
